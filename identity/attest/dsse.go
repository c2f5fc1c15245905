package attest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/keys"
)

// Errors of this package, wrapped with what was found.
var (
	ErrEnvelope  = errors.New("not a DSSE envelope")
	ErrStatement = errors.New("not an attestation of this kind")
	ErrSignature = errors.New("not signed by the one it names")
	ErrFiles     = errors.New("not a set of changed files")
	ErrTrailers  = errors.New("not the trailers of an attestation")
	ErrPlay      = errors.New("not a play")
	ErrMismatch  = errors.New("attestation does not match")
)

// Envelope is a DSSE v1 envelope: bytes of a named type and who signed them.
// Nothing about it is checked until SignedBy is asked.
type Envelope struct {
	PayloadType string
	Payload     []byte
	Signatures  []Signature
}

// Signature is one signature of an envelope. KeyID is a hint that nobody signed;
// ours is the did:key of the signer.
type Signature struct {
	KeyID string
	Sig   []byte
}

// PAE is the pre-authentication encoding, what is signed (DSSE protocol):
//
//	"DSSEv1" SP LEN(type) SP type SP LEN(payload) SP payload
//
// where LEN counts bytes in decimal.
func PAE(payloadType string, payload []byte) []byte {
	b := make([]byte, 0, len("DSSEv1")+len(payloadType)+len(payload)+24)
	b = append(b, "DSSEv1 "...)
	b = strconv.AppendInt(b, int64(len(payloadType)), 10)
	b = append(b, ' ')
	b = append(b, payloadType...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(len(payload)), 10)
	b = append(b, ' ')
	return append(b, payload...)
}

// Seal signs a payload.
func Seal(payloadType string, payload []byte, signers ...keys.Signer) Envelope {
	e := Envelope{PayloadType: payloadType, Payload: payload}
	msg := PAE(payloadType, payload)
	for _, s := range signers {
		sig := s.Sign(msg)
		e.Signatures = append(e.Signatures, Signature{KeyID: s.Key().String(), Sig: sig[:]})
	}
	return e
}

// SignedBy reports whether one of the signatures is this key's, by the rules of
// keys.Verify. The key id is not looked at.
func (e Envelope) SignedBy(key did.Key) bool {
	if e.PayloadType == "" || len(e.Signatures) > MaxSignatures {
		return false
	}
	msg := PAE(e.PayloadType, e.Payload)
	for _, s := range e.Signatures {
		if keys.Verify(key, msg, s.Sig) {
			return true
		}
	}
	return false
}

// Signers are those of the keys that signed, each once, for a threshold: the
// same key twice counts as one.
func (e Envelope) Signers(trusted ...did.Key) []did.Key {
	var out []did.Key
	seen := map[did.Key]bool{}
	for _, k := range trusted {
		if !seen[k] && e.SignedBy(k) {
			out = append(out, k)
		}
		seen[k] = true
	}
	return out
}

// Encode writes the envelope as canonical JSON with standard base64.
func (e Envelope) Encode() ([]byte, error) {
	type signature struct {
		KeyID string `json:"keyid,omitempty"`
		Sig   string `json:"sig"`
	}
	list := []signature{}
	for _, s := range e.Signatures {
		list = append(list, signature{s.KeyID, base64.StdEncoding.EncodeToString(s.Sig)})
	}
	return jcs.Marshal(struct {
		Payload     string      `json:"payload"`
		PayloadType string      `json:"payloadType"`
		Signatures  []signature `json:"signatures"`
	}{base64.StdEncoding.EncodeToString(e.Payload), e.PayloadType, list})
}

// ParseEnvelope reads an envelope of at most MaxEnvelope bytes with 1 to
// MaxSignatures signatures, in standard or url-safe base64 as the protocol requires.
// Members it does not know are skipped; members named twice, text that is not
// Unicode, and base64 with stray bits or line ends are refused. Its errors wrap
// ErrEnvelope.
func ParseEnvelope(data []byte) (Envelope, error) {
	top, err := members(data, MaxEnvelope)
	if err != nil {
		return Envelope{}, fmt.Errorf("%w: %w", ErrEnvelope, err)
	}
	var e Envelope
	if e.PayloadType, err = text(top, "payloadType"); err != nil {
		return Envelope{}, fmt.Errorf("%w: %w", ErrEnvelope, err)
	}
	if e.Payload, err = decoded(top, "payload"); err != nil {
		return Envelope{}, fmt.Errorf("%w: %w", ErrEnvelope, err)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(top["signatures"], &list); err != nil || len(list) == 0 || len(list) > MaxSignatures {
		return Envelope{}, fmt.Errorf("%w: want 1 to %d signatures", ErrEnvelope, MaxSignatures)
	}
	for _, raw := range list {
		one, err := object(raw)
		if err != nil {
			return Envelope{}, fmt.Errorf("%w: signature: %w", ErrEnvelope, err)
		}
		var s Signature
		if _, there := one["keyid"]; there {
			if s.KeyID, err = text(one, "keyid"); err != nil {
				return Envelope{}, fmt.Errorf("%w: %w", ErrEnvelope, err)
			}
		}
		if s.Sig, err = decoded(one, "sig"); err != nil {
			return Envelope{}, fmt.Errorf("%w: %w", ErrEnvelope, err)
		}
		e.Signatures = append(e.Signatures, s)
	}
	return e, nil
}

// members reads a JSON object whose members have one reading each.
func members(data []byte, limit int) (map[string]json.RawMessage, error) {
	if len(data) > limit {
		return nil, fmt.Errorf("%d bytes, at most %d", len(data), limit)
	}
	canonical, err := jcs.Canonical(data)
	if err != nil {
		return nil, err
	}
	return object(canonical)
}

// object splits canonical JSON. A map, unlike a struct, keeps names apart that
// differ in case only.
func object(canonical []byte) (map[string]json.RawMessage, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(canonical, &m); err != nil || m == nil {
		return nil, errors.New("want an object")
	}
	return m, nil
}

// text is a member that must be a string.
func text(m map[string]json.RawMessage, name string) (string, error) {
	var s *string
	if err := json.Unmarshal(m[name], &s); err != nil || s == nil {
		return "", fmt.Errorf("%s: want a string", name)
	}
	return *s, nil
}

// decoded is a member in base64 of either alphabet, in its one spelling.
func decoded(m map[string]json.RawMessage, name string) ([]byte, error) {
	s, err := text(m, name)
	if err != nil {
		return nil, err
	}
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		b, err := enc.DecodeString(s)
		if err == nil && enc.EncodeToString(b) == s {
			return b, nil
		}
	}
	return nil, fmt.Errorf("%s: want padded base64", name)
}
