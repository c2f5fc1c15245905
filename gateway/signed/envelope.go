package signed

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/wallet"
)

// Envelope is a body with the signature of a wallet, verified.
type Envelope struct {
	Body   []byte      // what was signed, the body of the request proper
	Signer did.Address // whose signature it is
	Nonce  string      // to be used once
	Until  time.Time   // when the signature is too old
}

// IsEnvelope reports whether a JSON body claims to be an envelope: an object with
// signer_address and signature.
func IsEnvelope(body []byte) bool {
	if !bytes.Contains(body, []byte(`"signer_address"`)) {
		return false
	}
	var m map[string]json.RawMessage
	return json.Unmarshal(body, &m) == nil && m["signer_address"] != nil && m["signature"] != nil
}

// ReadEnvelope verifies {body, signature, signer_address, nonce, timestamp}: the
// signature is that of signer_address by EIP-191 over the canonical JSON (RFC
// 8785) of {body, nonce, timestamp}, and timestamp, in seconds or milliseconds
// since 1970 or by RFC 3339, at most Skew from now.
func ReadEnvelope(body []byte, now time.Time) (Envelope, error) {
	_, names, err := jcs.CanonicalObject(body)
	if err != nil || strings.Join(names, " ") != "body nonce signature signer_address timestamp" {
		return Envelope{}, invalid("an envelope has body, signature, signer_address, nonce and timestamp, each once and nothing else")
	}
	var in struct {
		Body, Timestamp json.RawMessage
		Signature       string
		Signer          string `json:"signer_address"`
		Nonce           string
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Envelope{}, invalid("signature, signer_address and nonce of an envelope are texts")
	}
	e := Envelope{Body: in.Body, Nonce: in.Nonce}
	if e.Signer, err = did.ParseAddress(in.Signer); err != nil {
		return Envelope{}, invalid("signer_address is no address")
	}
	if !isNonce(e.Nonce) {
		return Envelope{}, invalid("it must have a nonce of 1 to %d printable characters", maxNonce)
	}
	made, ok := timeOf(in.Timestamp)
	if !ok {
		return Envelope{}, invalid("timestamp must be seconds or milliseconds since 1970, or a time by RFC 3339")
	}
	if e.Until, err = until(made, now); err != nil {
		return Envelope{}, err
	}
	nonce, err := json.Marshal(in.Nonce)
	if err != nil {
		return Envelope{}, invalid("nonce is no text")
	}
	text, err := jcs.Canonical(bytes.Join([][]byte{[]byte(`{"body":`), in.Body, []byte(`,"nonce":`), nonce, []byte(`,"timestamp":`), in.Timestamp, []byte(`}`)}, nil))
	if err != nil {
		return Envelope{}, invalid("body has no canonical form")
	}
	sig, ok := signatureOf(in.Signature)
	if !ok {
		return Envelope{}, invalid("signature must be 65 bytes in hex or base64")
	}
	if who, err := wallet.RecoverText(string(text), sig); err != nil || who != e.Signer {
		return Envelope{}, invalid("it is not the signature of signer_address over body, nonce and timestamp")
	}
	return e, nil
}

// timeOf reads a timestamp. Numbers from the year 5138 on are milliseconds.
func timeOf(raw json.RawMessage) (time.Time, bool) {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		if n >= 100_000_000_000 {
			return time.UnixMilli(n), true
		}
		return time.Unix(n, 0), true
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339, text)
	return at, err == nil
}

func signatureOf(text string) ([]byte, bool) {
	if sig, err := hex.DecodeString(strings.TrimPrefix(text, "0x")); err == nil {
		return sig, len(sig) == wallet.SignatureSize
	}
	for _, c := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
		if sig, err := c.Strict().DecodeString(text); err == nil {
			return sig, len(sig) == wallet.SignatureSize
		}
	}
	return nil, false
}
