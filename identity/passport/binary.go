package passport

import (
	"encoding/binary"
	"fmt"

	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/keys"
)

// The binary form:
//
//	"mesh-passport" 0x01      magic and version, 14 bytes
//	length                    of the body, 32 bits, big-endian
//	body                      canonical JSON (RFC 8785) of the JSON form without signature
//	signature                 64 bytes, the one of the JSON form
//
// Nothing follows. A passport has one binary form, and Sign of the same content
// has the same signature.
const magic = "mesh-passport\x01"

const binaryOverhead = len(magic) + 4 + keys.SignatureSize

// Binary writes the binary form, with the errors of Sign.
func (p Passport) Binary(by Signer) ([]byte, error) {
	_, body, err := p.body(by)
	if err != nil {
		return nil, err
	}
	sig := by.key.Sign(message(body))
	b := make([]byte, 0, binaryOverhead+len(body))
	b = append(b, magic...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(body)))
	b = append(b, body...)
	return append(b, sig[:]...), nil
}

// ReadBinary reads the binary form, with the errors of Read. A body that is not
// canonical is refused.
func ReadBinary(data []byte, resolve Resolver) (Passport, error) {
	if len(data) > MaxPassport || len(data) < binaryOverhead || string(data[:len(magic)]) != magic {
		return Passport{}, fmt.Errorf("%w: not the binary form", ErrPassport)
	}
	rest := data[len(magic):]
	size := binary.BigEndian.Uint32(rest)
	rest = rest[4:]
	if uint64(len(rest)) != uint64(size)+keys.SignatureSize {
		return Passport{}, fmt.Errorf("%w: a body of %d bytes in a file of %d", ErrPassport, size, len(data))
	}
	body, sig := rest[:size], rest[size:]
	var j passportJSON
	if err := jcs.Unmarshal(body, MaxPassport, &j); err != nil {
		return Passport{}, fmt.Errorf("%w: %w", ErrPassport, err)
	}
	if j.Signature != "" {
		return Passport{}, fmt.Errorf("%w: a signature inside the body", ErrPassport)
	}
	if canonical, err := jcs.Canonical(body); err != nil || string(canonical) != string(body) {
		return Passport{}, fmt.Errorf("%w: the body is not canonical", ErrPassport)
	}
	return j.open(sig, resolve)
}
