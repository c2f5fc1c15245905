package passport

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mr-tron/base58"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/keys"
)

// Data Integrity proofs of the cryptosuite eddsa-jcs-2022 (W3C Data Integrity
// EdDSA Cryptosuites 1.0, §3.3), for any JSON document.

// Cryptosuite is the name of the suite.
const Cryptosuite = "eddsa-jcs-2022"

// ErrProof says that a document has not exactly one Data Integrity proof of the
// suite, or that the proof does not fit.
var ErrProof = errors.New("no sound Data Integrity proof")

// Proof is what a proof says beside its signature.
type Proof struct {
	Created string // a dateTimeStamp, "" for none; it is signed and not judged
	Method  string // verificationMethod, a URL
	Purpose string // proofPurpose
}

const (
	proofType = "DataIntegrityProof"
	// maxProofValue is over the 89 characters of a signature in base58.
	maxProofValue = 96
)

// proofMembers are those that a proof may have. Others would have to be
// understood (expires, previousProof, domain …), so they are refused.
var proofMembers = []string{"@context", "created", "cryptosuite", "proofPurpose", "proofValue", "type", "verificationMethod"}

// Secure adds a proof to a JSON object that has none. The result is canonical
// JSON.
func Secure(document []byte, o Proof, key keys.Signer) ([]byte, error) {
	doc, err := object(document)
	if err != nil {
		return nil, err
	}
	if _, there := doc["proof"]; there {
		return nil, fmt.Errorf("%w: the document has one already", ErrProof)
	}
	proof := map[string]any{"type": proofType, "cryptosuite": Cryptosuite, "verificationMethod": o.Method, "proofPurpose": o.Purpose}
	if o.Created != "" {
		proof["created"] = o.Created
	}
	if context, there := doc["@context"]; there {
		proof["@context"] = context
	}
	msg, err := hashData(doc, proof)
	if err != nil {
		return nil, err
	}
	sig := key.Sign(msg)
	proof["proofValue"] = "z" + base58.Encode(sig[:])
	doc["proof"] = proof
	return jcs.Marshal(doc)
}

// Open checks the one proof of a document, for a purpose, and returns the
// document without it as canonical JSON. resolve must return a key that the
// method's controller lists for the purpose. Its errors wrap ErrProof; those of
// resolve are wrapped too.
func Open(document []byte, purpose string, resolve Resolver) ([]byte, Proof, error) {
	doc, err := object(document)
	if err != nil {
		return nil, Proof{}, err
	}
	proof, ok := doc["proof"].(map[string]any)
	if !ok {
		return nil, Proof{}, fmt.Errorf("%w: want one", ErrProof)
	}
	delete(doc, "proof")
	o, sig, err := readProof(proof)
	if err != nil {
		return nil, Proof{}, err
	}
	if o.Purpose != purpose {
		return nil, Proof{}, fmt.Errorf("%w: it is for %.40q, not for %s", ErrProof, o.Purpose, purpose)
	}
	if context, there := proof["@context"]; there {
		if !begins(doc["@context"], context) {
			return nil, Proof{}, fmt.Errorf("%w: its @context is not that of the document", ErrProof)
		}
		doc["@context"] = context
	}
	delete(proof, "proofValue")
	msg, err := hashData(doc, proof)
	if err != nil {
		return nil, Proof{}, err
	}
	key, err := resolve(o.Method)
	if err != nil {
		return nil, Proof{}, fmt.Errorf("%w: %w", ErrProof, err)
	}
	if !keys.Verify(key, msg, sig) {
		return nil, Proof{}, fmt.Errorf("%w: signature of %.80q does not fit", ErrProof, o.Method)
	}
	unsecured, err := jcs.Marshal(doc)
	return unsecured, o, err
}

// readProof takes a proof of our suite apart.
func readProof(proof map[string]any) (Proof, []byte, error) {
	for name := range proof {
		if !slices.Contains(proofMembers, name) {
			return Proof{}, nil, fmt.Errorf("%w: member %.40q", ErrProof, name)
		}
	}
	text := func(name string) string {
		s, ok := proof[name].(string)
		if !ok {
			return ""
		}
		return s
	}
	if text("type") != proofType || text("cryptosuite") != Cryptosuite {
		return Proof{}, nil, fmt.Errorf("%w: want %s of %s", ErrProof, proofType, Cryptosuite)
	}
	o := Proof{text("created"), text("verificationMethod"), text("proofPurpose")}
	if _, there := proof["created"]; there && o.Created == "" || o.Method == "" || o.Purpose == "" {
		return Proof{}, nil, fmt.Errorf("%w: created, verificationMethod or proofPurpose is no text", ErrProof)
	}
	value := text("proofValue")
	if len(value) < 2 || len(value) > maxProofValue || value[0] != 'z' {
		return Proof{}, nil, fmt.Errorf("%w: proofValue: want z and base58", ErrProof)
	}
	sig, err := base58.Decode(value[1:])
	if err != nil || len(sig) != keys.SignatureSize || base58.Encode(sig) != value[1:] {
		return Proof{}, nil, fmt.Errorf("%w: proofValue: want 64 bytes in base58", ErrProof)
	}
	return o, sig, nil
}

// hashData is what is signed: the hash of the proof without its value, then that
// of the document without its proof.
func hashData(doc, proof map[string]any) ([]byte, error) {
	config, err := jcs.Marshal(proof)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProof, err)
	}
	body, err := jcs.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProof, err)
	}
	first, second := sha256.Sum256(config), sha256.Sum256(body)
	return append(first[:], second[:]...), nil
}

// begins reports whether the values of a document's @context begin with those of
// the proof's, in order.
func begins(document, proof any) bool {
	long, short := contexts(document), contexts(proof)
	if len(short) > len(long) {
		return false
	}
	for i := range short {
		a, errA := jcs.Marshal(short[i])
		b, errB := jcs.Marshal(long[i])
		if errA != nil || errB != nil || string(a) != string(b) {
			return false
		}
	}
	return true
}

func contexts(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// object reads a JSON object in its one reading.
func object(data []byte) (map[string]any, error) {
	if len(data) > MaxPassport {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrProof, len(data), MaxPassport)
	}
	canonical, err := jcs.Canonical(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProof, err)
	}
	var m map[string]any
	if err := json.Unmarshal(canonical, &m); err != nil || m == nil {
		return nil, fmt.Errorf("%w: want an object", ErrProof)
	}
	return m, nil
}

// asKey is a Resolver for one issuer's methods.
func asKey(issuer string, resolve Resolver) Resolver {
	return func(method string) (did.Key, error) { return keyOf(issuer, method, resolve) }
}
