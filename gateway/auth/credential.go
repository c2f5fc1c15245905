package auth

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
)

// credential is what the headers of a request carry. It is never printed: the
// text sits behind a pointer, like that of a state.Secret.
type credential struct {
	text   *string // nil: there is none
	scheme bool    // false when Authorization names another scheme than Bearer
	bearer bool    // it stands in Authorization, where alone tokens are taken
}

func (c credential) absent() bool { return c.text == nil }

// readHeaders collects the credential from the three headers that may carry it,
// and refuses with ambiguous_credentials when they disagree. Empty headers count
// as absent. A header sent twice is read twice.
func readHeaders(h http.Header) (credential, error) {
	var found credential
	add := func(text string, scheme, bearer bool) bool {
		if found.text != nil {
			return *found.text == text
		}
		found = credential{&text, scheme, bearer}
		return true
	}
	agree := true
	for _, v := range h.Values("Authorization") {
		if v = strings.TrimSpace(v); v != "" {
			text, bearer := cutBearer(v)
			agree = add(text, bearer, bearer) && agree
		}
	}
	for _, name := range []string{"X-Api-Key", "X-Mcp-Api-Key"} {
		for _, v := range h.Values(name) {
			if v = strings.TrimSpace(v); v != "" {
				agree = add(v, true, false) && agree
			}
		}
	}
	if !agree {
		r := reason.Refuse(reason.AmbiguousCredentials, "the request carries different credentials")
		r.Hint = "send one of Authorization, X-API-Key and X-MCP-API-Key"
		return credential{}, r
	}
	return found, nil
}

// cutBearer takes the scheme off an Authorization value; it is case-insensitive
// (RFC 9110 §11.1). Of another scheme it returns the value itself and false.
func cutBearer(v string) (string, bool) {
	scheme, rest, _ := strings.Cut(v, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return v, false
	}
	return strings.TrimSpace(rest), true
}

// secret returns the API key of c. Everything else is invalid_token, with a hint
// where the credential is of a known other kind.
func (c credential) secret() (state.Secret, error) {
	text := *c.text
	switch {
	case !c.scheme:
		return state.Secret{}, hinted(reason.Refuse(reason.InvalidToken, "the Authorization scheme is not Bearer"),
			"send Authorization: Bearer <API key>")
	case len(text) > maxCredential:
		return state.Secret{}, reason.Refuse(reason.InvalidToken, "the credential is too long")
	case strings.HasPrefix(text, state.SecretPrefix):
		return state.ParseSecret(text)
	case isJWT(text) || isContainer(text):
		return state.Secret{}, hinted(reason.Refuse(reason.InvalidToken, "capability tokens and JWTs are not accepted here"),
			"this node accepts API keys, which begin with "+state.SecretPrefix)
	}
	return state.ParseSecret(text)
}

func hinted(r *reason.Refusal, hint string) *reason.Refusal {
	r.Hint = hint
	return r
}

// isJWT reports whether a credential begins like a JWT or a UCAN 0.10 token.
func isJWT(text string) bool {
	return strings.HasPrefix(text, "eyJ") && strings.Count(text, ".") == 2
}

// isContainer reports whether a credential is a UCAN 1.x container: a character
// that names its encoding, then a CBOR map with the one key ctn-v1, or gzip of
// it. The two raw encodings of that format cannot stand in a header.
func isContainer(text string) bool {
	const head, gzip = "\xa1\x66ctn-v1", "\x1f\x8b"
	if text == "" {
		return false
	}
	switch rest := text[1:]; text[0] {
	case 'B':
		return startsWith(base64.RawStdEncoding, rest, head)
	case 'C':
		return startsWith(base64.RawURLEncoding, rest, head)
	case 'O':
		return startsWith(base64.RawStdEncoding, rest, gzip)
	case 'P':
		return startsWith(base64.RawURLEncoding, rest, gzip)
	}
	return false
}

// startsWith decodes the first 12 characters, enough for 9 bytes.
func startsWith(e *base64.Encoding, s, want string) bool {
	b, err := e.DecodeString(s[:min(12, len(s))])
	return err == nil && strings.HasPrefix(string(b), want)
}

// keyInQuery reports whether a whole API key stands anywhere in a query string,
// escaped or not. The bare prefix does not count: people search for it.
func keyInQuery(raw string) bool {
	if raw == "" {
		return false
	}
	return containsKey(raw) || containsKey(unescape(raw))
}

func containsKey(s string) bool {
	for {
		i := strings.Index(s, state.SecretPrefix)
		if i < 0 {
			return false
		}
		s = s[i:]
		if len(s) >= state.SecretLen && isBase64URL(s[len(state.SecretPrefix):state.SecretLen]) {
			return true
		}
		s = s[1:]
	}
}

func isBase64URL(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	})
}

// unescape decodes a query piece by piece, so that one broken escape does not
// hide a key behind it.
func unescape(raw string) string {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] == '%' && i+3 <= len(raw) {
			if c, err := url.QueryUnescape(raw[i : i+3]); err == nil {
				b.WriteString(c)
				i += 2
				continue
			}
		}
		b.WriteByte(raw[i])
	}
	return b.String()
}

func credentialInURL() *reason.Refusal {
	return hinted(reason.Refuse(reason.CredentialInURL, "an API key stands in the URL"),
		"send it in the Authorization header, and rotate it: URLs end up in logs")
}
