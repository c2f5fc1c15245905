package wallet

import (
	"encoding/binary"

	"github.com/meshd/meshd/identity/did"
)

// TokenDomain is the EIP-712 domain of a token contract.
type TokenDomain struct {
	Name, Version string
	Chain         uint64
	Contract      did.Address
}

// Separator is the EIP-712 hash of the domain.
func (d TokenDomain) Separator() [32]byte {
	typeHash := Keccak256([]byte("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"))
	name, version := Keccak256([]byte(d.Name)), Keccak256([]byte(d.Version))
	chain, contract := word(d.Chain), addressWord(d.Contract)
	return Keccak256(typeHash[:], name[:], version[:], chain[:], contract[:])
}

// Transfer is what the holder of a token signs by EIP-3009 so that somebody else
// can send it: an amount from one address to another, valid after one second and
// before another, once for its nonce. The standard has numbers of 256 bits; those
// that a payment needs fit 64.
type Transfer struct {
	From, To                       did.Address
	Value, ValidAfter, ValidBefore uint64
	Nonce                          [32]byte
}

// Digest is what the wallet signs: keccak256(0x1901 ‖ domain ‖ struct) of
// TransferWithAuthorization.
func (t Transfer) Digest(d TokenDomain) [32]byte {
	typeHash := Keccak256([]byte("TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"))
	from, to := addressWord(t.From), addressWord(t.To)
	value, after, before := word(t.Value), word(t.ValidAfter), word(t.ValidBefore)
	body := Keccak256(typeHash[:], from[:], to[:], value[:], after[:], before[:], t.Nonce[:])
	domain := d.Separator()
	return Keccak256([]byte{0x19, 0x01}, domain[:], body[:])
}

// word is a number as a word of the contract interface.
func word(n uint64) (w [32]byte) {
	binary.BigEndian.PutUint64(w[24:], n)
	return w
}

// addressWord is an address as a word of the contract interface.
func addressWord(a did.Address) (w [32]byte) {
	copy(w[12:], a[:])
	return w
}
