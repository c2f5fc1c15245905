package vault

import (
	"encoding/hex"
	"fmt"

	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/wallet"
)

// Kind says what a key is for. It is authenticated with the key, so a file
// cannot be passed off as one of another kind.
type Kind string

// The kinds. All are Ed25519 but Wallet (secp256k1) and PQ (ML-DSA-65).
const (
	Node     Kind = "node"     // the libp2p identity; signs nothing else
	Agent    Kind = "agent"    // the acting key of an agent
	Device   Kind = "device"   // a second node's key of an agent
	Recovery Kind = "recovery" // takes an agent back, used once
	Root     Kind = "root"     // signs the manifest of a network
	Service  Kind = "service"  // the agent of a gateway itself
	Wallet   Kind = "wallet"   // a secp256k1 secret
	PQ       Kind = "pq"       // the seed of the post-quantum half of a hybrid key
)

// public is the clear part of a key of this kind: the DID, the EIP-55 address,
// or the hex of an ML-DSA-65 public key. It returns ErrKind for an unknown kind
// and wallet.ErrSecret for a secret that is no wallet's.
func (k Kind) public(secret [secretSize]byte) (string, error) {
	switch k {
	case Wallet:
		w, err := wallet.KeyFromSecret(secret)
		if err != nil {
			return "", err
		}
		return w.Address().String(), nil
	case PQ:
		return hex.EncodeToString(keys.PQPublic(secret)), nil
	case Node, Agent, Device, Recovery, Root, Service:
		return keys.FromSeed(secret).Key().String(), nil
	default:
		return "", fmt.Errorf("%w: %.16q", ErrKind, string(k))
	}
}

// ed25519 reports whether a key of this kind is a keys.Signer.
func (k Kind) ed25519() bool {
	switch k {
	case Node, Agent, Device, Recovery, Root, Service:
		return true
	default:
		return false
	}
}
