package v0

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan/strictjson"
)

// ErrDraft is wrapped by the errors of Build that are the draft's fault; those
// of form are Findings beside it.
var ErrDraft = errors.New("not a token that can be built")

// Draft is what a new token is to say. Build does not ask whether its proofs
// cover it.
type Draft struct {
	Version   string // "" for Version
	Audience  string // a DID
	Fragment  string // appended to the issuer with "#", to say which key signs
	Expires   *int64 // Unix seconds; nil is never
	NotBefore *int64
	Nonce     string // "" for one that is drawn, or none
	Facts     map[string]any
	Caps      []Cap // in any order
	Proofs    []string
}

// Build signs a token: members in alphabetical order, exp always there, nothing
// escaped that need not be. A draft without nonce gets 16 bytes of nonces, in
// base64url; with nil for nonces it has none, and the same draft and signer give
// the same bytes. The issuer is the key of s. What Build returns, Parse reads.
func Build(d Draft, s keys.Signer, nonces io.Reader) (string, error) {
	payload, err := d.payload(s.Key().String(), nonces)
	if err != nil {
		return "", err
	}
	signed, err := encode(map[string]any{"alg": "EdDSA", "typ": "JWT"})
	if err != nil {
		return "", err
	}
	body, err := encode(payload)
	if err != nil {
		return "", err
	}
	signed += "." + body
	sig := s.Sign([]byte(signed))
	raw := signed + "." + base64.RawURLEncoding.EncodeToString(sig[:])
	if _, found := Parse(raw); len(found) != 0 {
		return "", fmt.Errorf("%w: %w", ErrDraft, found)
	}
	return raw, nil
}

func encode(v map[string]any) (string, error) {
	b, err := strictjson.Text(v)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrDraft, err)
	}
	return base64.RawURLEncoding.EncodeToString(b), nil
}

func (d Draft) payload(issuer string, nonces io.Reader) (map[string]any, error) {
	caps, err := d.caps()
	if err != nil {
		return nil, err
	}
	if d.Fragment != "" {
		issuer += "#" + d.Fragment
	}
	p := map[string]any{"ucv": Version, "iss": issuer, "aud": d.Audience, "exp": nil, "cap": caps}
	if d.Version != "" {
		p["ucv"] = d.Version
	}
	if d.Expires != nil {
		p["exp"] = seconds(*d.Expires)
	}
	if d.NotBefore != nil {
		p["nbf"] = seconds(*d.NotBefore)
	}
	if d.Facts != nil {
		p["fct"] = d.Facts
	}
	if len(d.Proofs) != 0 {
		list := make([]any, len(d.Proofs))
		for i, cid := range d.Proofs {
			list[i] = cid
		}
		p["prf"] = list
	}
	nonce := d.Nonce
	if nonce == "" && nonces != nil {
		var b [nonceSize]byte
		if _, err := io.ReadFull(nonces, b[:]); err != nil {
			return nil, fmt.Errorf("read randomness: %w", err)
		}
		nonce = base64.RawURLEncoding.EncodeToString(b[:])
	}
	if nonce != "" {
		p["nnc"] = nonce
	}
	return p, nil
}

func seconds(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

func (d Draft) caps() (map[string]any, error) {
	out := map[string]any{}
	for _, k := range d.Caps {
		abilities, ok := out[k.With].(map[string]any)
		if !ok {
			abilities = map[string]any{}
			out[k.With] = abilities
		}
		if _, twice := abilities[k.Can]; twice {
			return nil, fmt.Errorf("%w: %q on %q stands twice", ErrDraft, k.Can, k.With)
		}
		list := make([]any, len(k.Caveats))
		for i, c := range k.Caveats {
			if c == nil { // no caveat at all, or none that restricts: the caller has to say
				return nil, fmt.Errorf("%w: %q on %q has a caveat that is nil", ErrDraft, k.Can, k.With)
			}
			list[i] = c
		}
		abilities[k.Can] = list
	}
	return out, nil
}
