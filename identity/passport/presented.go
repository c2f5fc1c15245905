package passport

import (
	"bytes"
	"encoding/json"
)

// Form is how a passport is written.
type Form string

// The forms.
const (
	FormJSON       Form = "json"
	FormCredential Form = "credential"
	FormToken      Form = "token"
	FormBinary     Form = "binary"
)

// FormOf is the form that a text claims by how it begins: nothing of it is
// checked. JSON is a credential when it has a proof or a context; what is neither
// JSON nor binary can only be a token.
func FormOf(data []byte) Form {
	if bytes.HasPrefix(data, []byte(magic)) {
		return FormBinary
	}
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return FormToken
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) == nil && (members["proof"] != nil || members["@context"] != nil) {
		return FormCredential
	}
	return FormJSON
}

// ReadAny reads a passport in whichever form it has, with the errors of Read.
// White space around a text is dropped.
func ReadAny(data []byte, resolve Resolver) (Passport, error) {
	switch FormOf(data) {
	case FormBinary:
		return ReadBinary(data, resolve)
	case FormCredential:
		return ReadCredential(data, resolve)
	case FormToken:
		return ReadToken(string(bytes.TrimSpace(data)), resolve)
	}
	return Read(data, resolve)
}
