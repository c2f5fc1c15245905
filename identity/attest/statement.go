package attest

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/keys"
)

// The types of what is signed.
const (
	PayloadStatement = "application/vnd.in-toto+json"
	statementType    = "https://in-toto.io/Statement/v1"

	PredicateCode = "urn:mesh:code-change:1"
	PredicatePlay = "urn:mesh:proof-of-play:1"
)

// Statement is an in-toto Statement v1: a predicate about subjects, named by digest.
type Statement struct {
	Subjects      []Subject
	PredicateType string
	Predicate     json.RawMessage // an object
}

// Subject is a thing by its digests, algorithm to lower-case hex.
type Subject struct {
	Name   string            `json:"name,omitempty"`
	Digest map[string]string `json:"digest"`
}

// Encode writes the statement as canonical JSON.
func (s Statement) Encode() ([]byte, error) {
	return jcs.Marshal(struct {
		Type          string          `json:"_type"`
		Subject       []Subject       `json:"subject"`
		PredicateType string          `json:"predicateType"`
		Predicate     json.RawMessage `json:"predicate"`
	}{statementType, s.Subjects, s.PredicateType, s.Predicate})
}

// ParseStatement reads a statement of any predicate, by the parsing rules of
// in-toto: members it does not know are skipped. Each of 1 to MaxSubjects
// subjects has a digest, and a sha256 is 64 lower-case hex digits. Its errors
// wrap ErrStatement.
func ParseStatement(data []byte) (Statement, error) {
	s, err := parseStatement(data)
	if err != nil {
		return Statement{}, fmt.Errorf("%w: %w", ErrStatement, err)
	}
	return s, nil
}

func parseStatement(data []byte) (Statement, error) {
	top, err := members(data, MaxEnvelope)
	if err != nil {
		return Statement{}, err
	}
	if kind, err := text(top, "_type"); err != nil || kind != statementType {
		return Statement{}, fmt.Errorf("_type: want %s", statementType)
	}
	var s Statement
	if s.PredicateType, err = text(top, "predicateType"); err != nil || s.PredicateType == "" {
		return Statement{}, fmt.Errorf("predicateType: want a URI")
	}
	if _, err := object(top["predicate"]); err != nil {
		return Statement{}, fmt.Errorf("predicate: %w", err)
	}
	s.Predicate = top["predicate"]
	var list []json.RawMessage
	if err := json.Unmarshal(top["subject"], &list); err != nil || len(list) == 0 || len(list) > MaxSubjects {
		return Statement{}, fmt.Errorf("want 1 to %d subjects", MaxSubjects)
	}
	for _, raw := range list {
		one, err := parseSubject(raw)
		if err != nil {
			return Statement{}, fmt.Errorf("subject: %w", err)
		}
		s.Subjects = append(s.Subjects, one)
	}
	return s, nil
}

func parseSubject(raw []byte) (Subject, error) {
	m, err := object(raw)
	if err != nil {
		return Subject{}, err
	}
	var s Subject
	if _, there := m["name"]; there {
		if s.Name, err = text(m, "name"); err != nil {
			return Subject{}, err
		}
	}
	digests, err := object(m["digest"])
	if err != nil || len(digests) == 0 {
		return Subject{}, fmt.Errorf("digest: want an object with a member")
	}
	s.Digest = map[string]string{}
	for alg := range digests {
		if s.Digest[alg], err = text(digests, alg); err != nil {
			return Subject{}, err
		}
	}
	if sum, there := s.Digest["sha256"]; there {
		if _, err := parseHash(sum); err != nil {
			return Subject{}, err
		}
	}
	return s, nil
}

// hash is a SHA-256 in a predicate: 64 lower-case hex digits.
type hash [32]byte

func (h hash) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(h[:])), nil }

func (h *hash) UnmarshalText(text []byte) (err error) {
	*h, err = parseHash(string(text))
	return err
}

func parseHash(s string) (hash, error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != 32 || hex.EncodeToString(b) != s {
		return hash{}, fmt.Errorf("want 64 lower-case hex digits")
	}
	return hash(b), nil
}

// seal signs a statement about one thing by its SHA-256.
func seal(name string, sum hash, predicateType string, predicate any, signer keys.Signer) (Envelope, error) {
	raw, err := jcs.Marshal(predicate)
	if err != nil {
		return Envelope{}, err
	}
	text, err := sum.MarshalText()
	if err != nil {
		return Envelope{}, err
	}
	payload, err := Statement{
		Subjects:      []Subject{{Name: name, Digest: map[string]string{"sha256": string(text)}}},
		PredicateType: predicateType,
		Predicate:     raw,
	}.Encode()
	if err != nil {
		return Envelope{}, err
	}
	return Seal(PayloadStatement, payload, signer), nil
}

// open reads a statement about one thing into a predicate of ours, which is
// strict, and returns the thing's SHA-256. It checks no signature.
func open(e Envelope, name, predicateType string, predicate any) (hash, error) {
	if e.PayloadType != PayloadStatement {
		return hash{}, fmt.Errorf("%w: payload of type %.80q", ErrStatement, e.PayloadType)
	}
	s, err := ParseStatement(e.Payload)
	if err != nil {
		return hash{}, err
	}
	if s.PredicateType != predicateType || len(s.Subjects) != 1 || s.Subjects[0].Name != name {
		return hash{}, fmt.Errorf("%w: want one subject %q and predicate %s", ErrStatement, name, predicateType)
	}
	if err := jcs.Unmarshal(s.Predicate, MaxEnvelope, predicate); err != nil {
		return hash{}, fmt.Errorf("%w: predicate: %w", ErrStatement, err)
	}
	sum, err := parseHash(s.Subjects[0].Digest["sha256"])
	if err != nil {
		return hash{}, fmt.Errorf("%w: subject: %w", ErrStatement, err)
	}
	return sum, nil
}

// signedBy returns the key of a did:key text that signed the envelope.
func signedBy(e Envelope, who string) (did.Key, error) {
	key, err := did.ParseKey(who)
	if err != nil {
		return did.Key{}, fmt.Errorf("%w: %w", ErrStatement, err)
	}
	if !e.SignedBy(key) {
		return did.Key{}, fmt.Errorf("%w: %s", ErrSignature, key)
	}
	return key, nil
}
