package did

import (
	"encoding/hex"
	"fmt"
	"strings"

	"golang.org/x/crypto/sha3"
)

// Address is an Ethereum address: the last 20 bytes of the Keccak-256 of a
// secp256k1 public key. Its text is the EIP-55 form "0x…" with the checksum in
// the case of its letters.
type Address [20]byte

// ParseAddress reads "0x" and 40 hex digits as people type them: all in lower
// case, all in upper case, or in mixed case with a right EIP-55 checksum.
func ParseAddress(s string) (Address, error) {
	a, err := decodeAddress(s)
	if err != nil {
		return Address{}, err
	}
	digits := s[2:]
	if digits == strings.ToLower(digits) || digits == strings.ToUpper(digits) {
		return a, nil
	}
	if a.String() != s {
		return Address{}, fmt.Errorf("%w: address has a wrong checksum", ErrSyntax)
	}
	return a, nil
}

// ParseChecksummed reads an address in its EIP-55 form and no other.
func ParseChecksummed(s string) (Address, error) {
	a, err := decodeAddress(s)
	if err != nil {
		return Address{}, err
	}
	if a.String() != s {
		return Address{}, fmt.Errorf("%w: address is not in its EIP-55 form", ErrSyntax)
	}
	return a, nil
}

func decodeAddress(s string) (Address, error) {
	var a Address
	if len(s) != 2+2*len(a) || s[:2] != "0x" {
		return a, fmt.Errorf("%w: want an address of 0x and 40 hex digits", ErrSyntax)
	}
	if _, err := hex.Decode(a[:], []byte(s[2:])); err != nil {
		return Address{}, fmt.Errorf("%w: address is not hex", ErrSyntax)
	}
	return a, nil
}

// String is the EIP-55 form of a.
func (a Address) String() string {
	digits := []byte(hex.EncodeToString(a[:]))
	h := sha3.NewLegacyKeccak256()
	h.Write(digits)
	sum := h.Sum(nil)
	for i, c := range digits {
		nibble := sum[i/2] >> 4
		if i%2 == 1 {
			nibble = sum[i/2] & 0x0f
		}
		if c >= 'a' && nibble >= 8 {
			digits[i] = c - 'a' + 'A'
		}
	}
	return "0x" + string(digits)
}
