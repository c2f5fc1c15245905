package wallet

import (
	"fmt"
	"strconv"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"github.com/meshd/meshd/identity/did"
)

// Recover returns the address whose key made sig over digest. The signature is
// 65 bytes r ‖ s ‖ v with v in {0, 1, 27, 28} and s in the lower half of the
// group order (EIP-2), so that there is one signature for each nonce and nobody
// can make a second one of it. Anything else is ErrSignature. Whatever it
// returns is only as good as the caller's comparison with the expected address.
func Recover(digest [32]byte, sig []byte) (did.Address, error) {
	if len(sig) != SignatureSize {
		return did.Address{}, fmt.Errorf("%w: %d bytes, want %d", ErrSignature, len(sig), SignatureSize)
	}
	v := sig[64]
	if v >= 27 {
		v -= 27
	}
	if v > 1 {
		return did.Address{}, fmt.Errorf("%w: v is none of 0, 1, 27, 28", ErrSignature)
	}
	var s secp256k1.ModNScalar
	if overflow := s.SetByteSlice(sig[32:64]); overflow || s.IsOverHalfOrder() {
		return did.Address{}, fmt.Errorf("%w: s is not in the lower half of the order", ErrSignature)
	}
	var compact [SignatureSize]byte
	compact[0] = 27 + v
	copy(compact[1:], sig[:64])
	pub, _, err := ecdsa.RecoverCompact(compact[:], digest[:])
	if err != nil {
		return did.Address{}, fmt.Errorf("%w: %v", ErrSignature, err)
	}
	return addressOf(pub), nil
}

// PersonalDigest is what a wallet signs for text by EIP-191, version 0x45
// ("personal_sign"); the length counts bytes.
func PersonalDigest(text string) [32]byte {
	return Keccak256([]byte("\x19Ethereum Signed Message:\n"+strconv.Itoa(len(text))), []byte(text))
}

// RecoverText returns the address whose key signed text as a personal message.
func RecoverText(text string, sig []byte) (did.Address, error) {
	return Recover(PersonalDigest(text), sig)
}
