// Package wallet checks and makes the signatures of Ethereum wallets: EIP-191
// personal messages and EIP-712 typed data of a registration or recovery. Sign-in
// texts by EIP-4361 are read and written by package siwe below.
//
// A signature names nobody; Recover yields the address it is of, and the caller
// compares. Start with PersonalDigest or TypedData.Digest and Recover.
// Contract wallets (EIP-1271) need a chain to ask and are
// refused here. A Key is for a wallet file and for tests; a person's wallet
// never hands us its secret.
//
// Everything here is pure; secrets print as "[redacted]".
package wallet

import (
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"golang.org/x/crypto/sha3"

	"github.com/meshd/meshd/identity/did"
)

// Errors of this package, wrapped with what was found.
var (
	ErrSecret    = errors.New("not a secp256k1 secret")
	ErrSignature = errors.New("not a valid wallet signature")
)

// Key is a secp256k1 secret and its address. It is immutable and safe for
// concurrent use.
type Key struct {
	secret  *secp256k1.PrivateKey
	address did.Address
}

// Generate makes a key of 32 bytes read from rand. One draw in 2^128 is above the
// group order and gives ErrSecret.
func Generate(rand io.Reader) (*Key, error) {
	var secret [SecretSize]byte
	if _, err := io.ReadFull(rand, secret[:]); err != nil {
		return nil, fmt.Errorf("read randomness: %w", err)
	}
	return KeyFromSecret(secret)
}

// KeyFromSecret makes the key of a 32-byte secret. It returns ErrSecret unless
// the secret, read big-endian, lies in 1…n-1.
func KeyFromSecret(secret [SecretSize]byte) (*Key, error) {
	var n secp256k1.ModNScalar
	if overflow := n.SetBytes(&secret); overflow != 0 || n.IsZero() {
		return nil, fmt.Errorf("%w: out of range", ErrSecret)
	}
	k := secp256k1.NewPrivateKey(&n)
	return &Key{secret: k, address: addressOf(k.PubKey())}, nil
}

// Address is the address of k.
func (k *Key) Address() did.Address { return k.address }

// Secret is the stored form of k.
func (k *Key) Secret() [SecretSize]byte { return [SecretSize]byte(k.secret.Serialize()) }

// SignDigest signs a digest as wallets do: deterministic (RFC 6979), low s,
// v 27 or 28.
func (k *Key) SignDigest(digest [32]byte) [SignatureSize]byte {
	compact := ecdsa.SignCompact(k.secret, digest[:], false) // v ‖ r ‖ s
	var sig [SignatureSize]byte
	copy(sig[:64], compact[1:])
	sig[64] = compact[0]
	return sig
}

// SignText signs text as an EIP-191 personal message.
func (k *Key) SignText(text string) [SignatureSize]byte { return k.SignDigest(PersonalDigest(text)) }

// Format prints the address only, whatever the verb.
func (k Key) Format(s fmt.State, _ rune) { fmt.Fprintf(s, "wallet key of %s [redacted]", k.address) }

// LogValue keeps the secret out of structured logs.
func (k Key) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(k)) }

// Keccak256 is the hash of Ethereum (the original Keccak padding, not that of
// SHA-3) of its arguments one after the other.
func Keccak256(parts ...[]byte) [32]byte {
	h := sha3.NewLegacyKeccak256()
	for _, p := range parts {
		h.Write(p)
	}
	return [32]byte(h.Sum(nil))
}

func addressOf(pub *secp256k1.PublicKey) did.Address {
	sum := Keccak256(pub.SerializeUncompressed()[1:]) // without the 0x04 tag
	return did.Address(sum[12:])
}
