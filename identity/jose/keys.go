package jose

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/ucan/strictjson"
)

// Limits of sets of keys.
const (
	// MaxKeySet is the longest key set that is read, in bytes.
	MaxKeySet = 64 << 10
	// MaxKeys is how many keys a set may contain: a few, while they are rotated.
	MaxKeys = 16

	minRSA = 2048 // bits; less can be factored
	maxRSA = 8192 // bits; more makes verification slow
)

// The algorithms of keys.
const (
	algEd25519 = "EdDSA"
	algP256    = "ES256"
	algRSA     = "RS256"
)

// ErrKeySet is wrapped by errors of ParseKeys and ParsePublished.
var ErrKeySet = errors.New("not a set of public keys")

// Key is a public key that tokens may be signed with, and the one algorithm it is
// for. The zero Key is none.
type Key struct {
	id, alg string
	public  crypto.PublicKey
}

// IsZero reports whether k is none.
func (k Key) IsZero() bool { return k.public == nil }

// ID is the kid of k, or "".
func (k Key) ID() string { return k.id }

// Algorithm is EdDSA, ES256 or RS256.
func (k Key) Algorithm() string { return k.alg }

// ParseKeys reads a JWK set (RFC 7517) of public keys: Ed25519, P-256 or RSA of
// 2048 to 8192 bits. A key of another kind, a secret or private one, one for
// encryption, a second one with the same kid or one that is not sound is
// ErrKeySet: what an operator configured is either all used or refused.
func ParseKeys(set []byte) ([]Key, error) {
	list, err := listed(set)
	if err != nil {
		return nil, err
	}
	var out []Key
	seen := make(map[string]bool)
	for i, v := range list {
		jwk, ok := v.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%w: key %d is no object", ErrKeySet, i)
		}
		k, err := parseKey(jwk)
		if err != nil {
			return nil, fmt.Errorf("%w: key %d %w", ErrKeySet, i, err)
		}
		if k.id != "" && seen[k.id] {
			return nil, fmt.Errorf("%w: key %d has the kid of another", ErrKeySet, i)
		}
		seen[k.id] = true
		out = append(out, k)
	}
	return out, nil
}

// ParsePublished reads a JWK set that an issuer publishes for everybody: the keys that
// ParseKeys would take, and the others are left out, since they are there for other
// verifiers. A set that publishes a secret, or that has no key for us, is ErrKeySet.
func ParsePublished(set []byte) ([]Key, error) {
	list, err := listed(set)
	if err != nil {
		return nil, err
	}
	var out []Key
	for _, v := range list {
		jwk, ok := v.(map[string]any)
		if !ok {
			continue
		}
		k, err := parseKey(jwk)
		if errors.Is(err, errSecret) {
			return nil, fmt.Errorf("%w: a key is not public", ErrKeySet)
		}
		if err == nil {
			out = append(out, k)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: no key is for %s, %s or %s", ErrKeySet, algEd25519, algP256, algRSA)
	}
	return out, nil
}

// listed are the members of a set.
func listed(set []byte) ([]any, error) {
	if len(set) > MaxKeySet {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrKeySet, MaxKeySet)
	}
	o, err := strictjson.Object(set)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKeySet, err)
	}
	list, ok := o["keys"].([]any)
	if !ok || len(list) == 0 || len(list) > MaxKeys {
		return nil, fmt.Errorf("%w: want keys, 1 to %d of them", ErrKeySet, MaxKeys)
	}
	return list, nil
}

var errSecret = errors.New("is not public")

func parseKey(jwk map[string]any) (k Key, err error) {
	for _, secret := range []string{"d", "p", "q", "k"} {
		if _, ok := jwk[secret]; ok {
			return Key{}, errSecret
		}
	}
	for name, to := range map[string]*string{"kid": &k.id, "alg": new(string), "use": new(string)} {
		if v, there := jwk[name]; there {
			s, ok := v.(string)
			if !ok || len(s) > MaxClaim || name == "use" && s != "sig" {
				return Key{}, fmt.Errorf("has another %s than it must", name)
			}
			*to = s
		}
	}
	switch jwk["kty"] {
	case "OKP":
		k.alg = algEd25519
		k.public, err = ed25519Key(jwk)
	case "EC":
		k.alg = algP256
		k.public, err = p256Key(jwk)
	case "RSA":
		k.alg = algRSA
		k.public, err = rsaKey(jwk)
	default:
		err = errors.New("is of an unknown type")
	}
	if err != nil {
		return Key{}, err
	}
	if alg, there := jwk["alg"]; there && alg != k.alg {
		return Key{}, errors.New("is for another algorithm")
	}
	return k, nil
}

func ed25519Key(jwk map[string]any) (crypto.PublicKey, error) {
	x, err := member(jwk, "x")
	if err != nil || jwk["crv"] != "Ed25519" {
		return nil, errors.New("is not an Ed25519 key")
	}
	if _, err := did.KeyFromPublic(x); err != nil {
		return nil, errors.New("is not a sound Ed25519 key")
	}
	return ed25519.PublicKey(x), nil
}

func p256Key(jwk map[string]any) (crypto.PublicKey, error) {
	x, errX := member(jwk, "x")
	y, errY := member(jwk, "y")
	if errX != nil || errY != nil || jwk["crv"] != "P-256" || len(x) != 32 || len(y) != 32 {
		return nil, errors.New("is not a P-256 key")
	}
	point := append(append([]byte{4}, x...), y...)
	k, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return nil, errors.New("is not a point of P-256")
	}
	return k, nil
}

func rsaKey(jwk map[string]any) (crypto.PublicKey, error) {
	n, errN := member(jwk, "n")
	e, errE := member(jwk, "e")
	if errN != nil || errE != nil || len(e) > 4 || len(n) > maxRSA/8 {
		return nil, errors.New("is not an RSA key")
	}
	k := &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(new(big.Int).SetBytes(e).Int64())}
	if k.N.BitLen() < minRSA || k.N.Bit(0) == 0 || k.E < 3 || k.E%2 == 0 || k.E > 1<<31-1 {
		return nil, fmt.Errorf("is not an RSA key of %d to %d bits", minRSA, maxRSA)
	}
	return k, nil
}

func member(jwk map[string]any, name string) ([]byte, error) {
	s, ok := jwk[name].(string)
	if !ok {
		return nil, errors.New("is missing")
	}
	return base64.RawURLEncoding.Strict().DecodeString(s)
}
