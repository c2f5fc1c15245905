package v0

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/strictjson"
)

// read takes a text apart as far as that goes and notes every fault of form.
func read(raw string) *token {
	t := &token{raw: raw}
	if len(raw) > MaxToken {
		t.syntax.add(Finding{Code: IncorrectType})
		return t
	}
	t.cid = ucan.CID(raw)
	parts := strings.Split(raw, ".")
	if len(parts) != 3 {
		t.fault(IncorrectType)
		return t
	}
	t.signed = raw[:len(parts[0])+1+len(parts[1])]
	t.readHeader(parts[0])
	t.readPayload(parts[1])
	if sig, ok := decode64(parts[2]); ok && len(sig) == keys.SignatureSize {
		t.sig = sig
	} else {
		t.fault(InvalidSignature, "signature")
	}
	t.syntax = t.syntax.sorted()
	return t
}

func (t *token) fault(c Code, at ...string) {
	t.syntax.add(Finding{Code: c, At: pointer(at...), In: t.cid})
}

// decode64 reads base64url without padding: one text for each value.
func decode64(s string) ([]byte, bool) {
	if strings.ContainsAny(s, "\r\n") { // which the decoder would skip
		return nil, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return b, err == nil
}

func object64(s string) (map[string]any, bool) {
	b, ok := decode64(s)
	if !ok {
		return nil, false
	}
	o, err := strictjson.Object(b)
	return o, err == nil
}

func (t *token) readHeader(part string) {
	h, ok := object64(part)
	if !ok {
		t.fault(IncorrectType, "header")
		return
	}
	for name, want := range map[string]string{"alg": "EdDSA", "typ": "JWT"} {
		if v, there := h[name]; !there {
			t.fault(MissingField, "header", name)
		} else if v != want {
			t.fault(IncorrectType, "header", name)
		}
	}
	if _, there := h["crit"]; there { // RFC 7515 §4.1.11: what must be understood, and is not
		t.fault(IncorrectType, "header", "crit")
	}
}

// claims is a payload while it is read.
type claims struct {
	t *token
	m map[string]any
}

func (t *token) readPayload(part string) {
	m, ok := object64(part)
	if !ok {
		t.fault(IncorrectType, "payload")
		return
	}
	c := claims{t, m}
	if v, ok := c.text("ucv", true); ok {
		if supported(v) {
			t.version = v
		} else {
			c.wrong("ucv")
		}
	}
	t.iss, t.fragment = c.did("iss")
	if d, err := did.ParseController(t.iss); err == nil {
		t.issuer = d
	}
	t.aud, _ = c.did("aud")
	t.exp, t.expRead = c.time("exp")
	t.nbf, _ = c.time("nbf")
	t.nonce, _ = c.text("nnc", false)
	if v, there := m["fct"]; there {
		if t.facts, ok = v.(map[string]any); !ok {
			c.wrong("fct")
		}
	}
	c.caps()
	c.proofs()
}

func (c claims) wrong(at ...string) { c.t.fault(IncorrectType, append([]string{"payload"}, at...)...) }

func (c claims) text(name string, required bool) (string, bool) {
	v, there := c.m[name]
	if !there {
		if required {
			c.t.fault(MissingField, "payload", name)
		}
		return "", false
	}
	s, ok := v.(string)
	if !ok {
		c.wrong(name)
	}
	return s, ok
}

func (c claims) did(name string) (id, fragment string) {
	s, ok := c.text(name, true)
	if !ok {
		return "", ""
	}
	id, fragment, ok = splitDID(s)
	if !ok {
		c.wrong(name)
	}
	return id, fragment
}

// time reads exp, which is required and may be null, or nbf, which is neither.
func (c claims) time(name string) (*int64, bool) {
	v, there := c.m[name]
	switch {
	case !there && name == "exp":
		c.t.fault(MissingField, "payload", name)
		return nil, false
	case !there:
		return nil, true
	case v == nil && name == "exp":
		return nil, true
	}
	if n, ok := v.(json.Number); ok {
		if i, ok := wholeNumber(n.String()); ok {
			return &i, true
		}
	}
	c.wrong(name)
	return nil, false
}

// wholeNumber reads an integer in its one spelling: no fraction, no exponent.
func wholeNumber(s string) (int64, bool) {
	i, err := strconv.ParseInt(s, 10, 64)
	return i, err == nil && i >= -maxTime && i <= maxTime && strconv.FormatInt(i, 10) == s
}

// supported reports whether a text is the semantic version of a 0.10 release. A
// pre-release of 0.10.0 is an older dialect, and a later minor an unknown one.
func supported(v string) bool {
	core, _, _ := strings.Cut(v, "+")
	v = "v" + v
	return len(v) <= maxVersion && strings.Count(core, ".") == 2 && semver.IsValid(v) &&
		semver.MajorMinor(v) == "v0.10" && semver.Prerelease(v) == ""
}

func (c claims) caps() {
	v, there := c.m["cap"]
	if !there {
		c.t.fault(MissingField, "payload", "cap")
		return
	}
	resources, ok := v.(map[string]any)
	if !ok {
		c.wrong("cap")
		return
	}
	for with, v := range resources {
		abilities, ok := v.(map[string]any)
		if !ok || len(abilities) == 0 || !isURI(with) {
			c.wrong("cap", with)
			continue
		}
		for can, v := range abilities {
			if k, ok := readCap(with, can, v); ok {
				c.t.caps = append(c.t.caps, k)
				c.t.reserved = c.t.reserved || k.form != plain
			} else {
				c.wrong("cap", with, can)
			}
		}
	}
	slices.SortFunc(c.t.caps, capability.compare)
}

func readCap(with, can string, v any) (capability, bool) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 || can == "" || len(can) > maxText {
		return capability{}, false
	}
	k := newCapability(with, can)
	for _, v := range list {
		members, ok := v.(map[string]any)
		if !ok {
			return capability{}, false
		}
		cv, err := newCaveat(members)
		if err != nil {
			return capability{}, false
		}
		k.caveats = append(k.caveats, cv)
	}
	return k, true
}

// isURI checks a scheme and that something follows it (RFC 3986 §3), without
// white space. What follows is the business of the scheme.
func isURI(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || scheme == "" || rest == "" || len(s) > maxText || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return false
	}
	for i := range len(scheme) {
		c := scheme[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !isAlnum(c) && strings.IndexByte("+-.", c) < 0) {
			return false
		}
	}
	return true
}

func (c claims) proofs() {
	v, there := c.m["prf"]
	if !there {
		return
	}
	list, ok := v.([]any)
	if !ok {
		c.wrong("prf")
		c.t.fault(IncorrectProofs, "payload", "prf")
		return
	}
	if len(list) > MaxProofs {
		c.t.fault(IncorrectProofs, "payload", "prf")
		return
	}
	for i, v := range list {
		s, ok := v.(string)
		if !ok {
			c.wrong("prf", strconv.Itoa(i))
		}
		if !ok || ucan.CheckLink(s) != nil {
			c.t.fault(IncorrectProofs, "payload", "prf", strconv.Itoa(i))
			continue
		}
		c.t.prf = append(c.t.prf, s)
	}
}
