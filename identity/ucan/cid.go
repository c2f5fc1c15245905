package ucan

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"errors"
	"fmt"

	"lukechampine.com/blake3"
)

// Hasher names a hash function of content ids.
type Hasher string

// The hash functions of content ids. SHA2-256 is canonical: tokens are stored,
// cached and revoked by it.
const (
	SHA256 Hasher = "SHA2-256"
	SHA512 Hasher = "SHA2-512"
	BLAKE3 Hasher = "BLAKE3-256"
)

// Errors of content ids.
var (
	ErrCID    = errors.New("not a content id")
	ErrHasher = errors.New("hash function not supported")
)

// Multicodec numbers; every one is a single varint byte. The codecs are those of
// a 0.10 token (raw bytes of its text) and a 1.x token (DAG-CBOR).
const (
	cidVersion   = 0x01
	codecRaw     = 0x55
	codecDagCBOR = 0x71
)

type multihash struct {
	hasher Hasher
	code   byte
	size   byte
	sum    func(data string) []byte
}

var multihashes = []multihash{
	{SHA256, 0x12, 32, func(s string) []byte { h := sha256.Sum256([]byte(s)); return h[:] }},
	{SHA512, 0x13, 64, func(s string) []byte { h := sha512.Sum512([]byte(s)); return h[:] }},
	{BLAKE3, 0x1e, 32, func(s string) []byte { h := blake3.Sum256([]byte(s)); return h[:] }},
}

// lower is RFC 4648 base32 in lower case without padding, multibase prefix "b".
var lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// CID is the canonical content id of a token's text: CIDv1, base32 in lower
// case, codec raw, SHA2-256.
func CID(token string) string { return multihashes[0].cid(token) }

// CIDWith is the content id by another hash function, ErrHasher when it is none
// of the three above.
func CIDWith(h Hasher, token string) (string, error) {
	for _, m := range multihashes {
		if m.hasher == h {
			return m.cid(token), nil
		}
	}
	return "", fmt.Errorf("%w: %q", ErrHasher, h)
}

func (m multihash) cid(token string) string {
	b := append([]byte{cidVersion, codecRaw, m.code, m.size}, m.sum(token)...)
	return "b" + lower.EncodeToString(b)
}

// CheckLink returns nil for the text of a content id that can name a 0.10 token:
// CIDv1 in canonical base32, codec raw, one of our hash functions. Otherwise it
// is ErrCID.
func CheckLink(cid string) error {
	_, codec, err := parse(cid)
	if err == nil && codec != codecRaw {
		err = fmt.Errorf("%w: codec %#x", ErrCID, codec)
	}
	return err
}

// CheckCanonical returns nil for a content id under which tokens of any version
// are revoked: CIDv1 in base32, SHA2-256, codec raw or DAG-CBOR.
func CheckCanonical(cid string) error {
	m, _, err := parse(cid)
	if err == nil && m.hasher != SHA256 {
		err = fmt.Errorf("%w: %s is not the canonical hash", ErrCID, m.hasher)
	}
	return err
}

// Names reports whether a content id is that of a 0.10 token's text, by the hash
// function that it names itself.
func Names(cid, token string) bool {
	m, codec, err := parse(cid)
	return err == nil && codec == codecRaw && m.cid(token) == cid
}

func parse(cid string) (multihash, byte, error) {
	if len(cid) < 2 || len(cid) > maxCID || cid[0] != 'b' {
		return multihash{}, 0, fmt.Errorf("%w: want b… in base32", ErrCID)
	}
	b, err := lower.DecodeString(cid[1:])
	if err != nil || len(b) < 4 || "b"+lower.EncodeToString(b) != cid { // the decoder skips line ends and stray bits
		return multihash{}, 0, fmt.Errorf("%w: bad base32", ErrCID)
	}
	if b[0] != cidVersion || b[1] != codecRaw && b[1] != codecDagCBOR {
		return multihash{}, 0, fmt.Errorf("%w: version or codec", ErrCID)
	}
	for _, m := range multihashes {
		if m.code == b[2] {
			if b[3] != m.size || len(b) != 4+int(m.size) {
				return multihash{}, 0, fmt.Errorf("%w: length of hash", ErrCID)
			}
			return m, b[1], nil
		}
	}
	return multihash{}, 0, fmt.Errorf("%w: hash function %#x", ErrCID, b[2])
}
