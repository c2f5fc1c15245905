// Package jose verifies signed tokens (JWT, RFC 7519) of issuers outside the network:
// their form, signature, issuer, audience and times. It also reads the sets of public
// keys (JWK, RFC 7517) that such issuers publish.
//
// A key is for one algorithm, all of them asymmetric; what a token says about its own
// keys is ignored. What the claims of a token mean is the caller's to say.
package jose

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/meshd/meshd/identity/ucan/strictjson"
)

// MaxToken is the longest token that is read, in bytes, as for a capability.
const MaxToken = 8 << 10

// MaxClaim is the longest text of one claim that names somebody, in bytes.
const MaxClaim = 256

// The ways in which a token is refused, wrapped with the particulars.
var (
	ErrToken      = errors.New("not a signed token")
	ErrCapability = errors.New("a capability token is of no issuer outside the network")
	ErrSignature  = errors.New("the token is not signed by a known key")
	// ErrNoKey is an ErrSignature of a token that names a key which is not in the set.
	ErrNoKey    = fmt.Errorf("%w: it names another key", ErrSignature)
	ErrExpired  = errors.New("the token is past its end")
	ErrNotYet   = errors.New("the token is not valid yet")
	ErrIssuer   = errors.New("the token is of another issuer")
	ErrAudience = errors.New("the token is for another audience")
)

// Claims are what a token says; numbers are json.Number.
type Claims = jwt.MapClaims

// Expect is what a token must be to be good. Issuer, Audience and Keys have no default.
type Expect struct {
	Issuer   string
	Audience string
	Keys     []Key
	// Types are the values of typ that pass, in small letters and without
	// "application/"; nil: JWT, at+jwt or none.
	Types []string
	// Leeway is how far the clocks of issuer and verifier may differ.
	Leeway time.Duration
}

// Verify judges a token at a moment and returns its claims. They are looked at only
// after the signature, except that a token with "ucv" is a capability and never read as
// anything else, whoever signed it. The token is good before its end, not at it (RFC
// 7519 §4.1.4).
func (e Expect) Verify(token string, now time.Time) (Claims, error) {
	header, claims, err := open(token)
	if err != nil {
		return nil, err
	}
	if err := e.checkHeader(header); err != nil {
		return nil, err
	}
	if _, ok := claims["ucv"]; ok {
		return nil, ErrCapability
	}
	out := jwt.MapClaims{}
	parser := jwt.NewParser(
		jwt.WithValidMethods(algorithms), jwt.WithStrictDecoding(), jwt.WithJSONNumber(),
		jwt.WithIssuer(e.Issuer), jwt.WithAudience(e.Audience), jwt.WithExpirationRequired(),
		jwt.WithLeeway(e.Leeway), jwt.WithTimeFunc(func() time.Time { return now }),
	)
	if _, err := parser.ParseWithClaims(token, out, e.key); err != nil {
		return nil, judge(err)
	}
	return out, nil
}

// Issuer is the issuer that a token names, without looking at its signature: it
// chooses who judges the token and says nothing more. It is "" for what cannot be read.
func Issuer(token string) string {
	_, claims, err := open(token)
	if err != nil {
		return ""
	}
	iss, _ := claims["iss"].(string)
	return iss
}

// open reads the parts of a token and refuses what the JWT library would read in one of
// several ways: a member twice, broken text.
func open(token string) (header, claims map[string]any, err error) {
	if len(token) > MaxToken {
		return nil, nil, fmt.Errorf("%w: more than %d bytes", ErrToken, MaxToken)
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 || strings.ContainsAny(token, "\r\n") { // line ends are skipped by decoders of base64
		return nil, nil, fmt.Errorf("%w: want three parts", ErrToken)
	}
	if header, err = object(parts[0]); err != nil {
		return nil, nil, err
	}
	claims, err = object(parts[1])
	return header, claims, err
}

func object(part string) (map[string]any, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(part)
	if err != nil {
		return nil, fmt.Errorf("%w: not base64url", ErrToken)
	}
	o, err := strictjson.Object(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrToken, err)
	}
	return o, nil
}

// checkHeader refuses extensions that are critical, tokens of another type, and a kid
// that is no text.
func (e Expect) checkHeader(header map[string]any) error {
	if _, ok := header["crit"]; ok {
		return fmt.Errorf("%w: it has critical extensions", ErrToken)
	}
	typ, there := header["typ"]
	name, ok := typ.(string)
	name = strings.TrimPrefix(strings.ToLower(name), "application/")
	switch {
	case !there && e.Types == nil:
	case !ok, !slices.Contains(e.Types, name) && !(e.Types == nil && (name == "jwt" || name == "at+jwt")):
		return fmt.Errorf("%w: it is of another type", ErrToken)
	}
	if kid, ok := header["kid"]; ok {
		if _, ok := kid.(string); !ok {
			return fmt.Errorf("%w: kid is no text", ErrToken)
		}
	}
	return nil
}

// algorithms are those that a Key may be for.
var algorithms = []string{algEd25519, algP256, algRSA}

// key chooses by kid and algorithm. A token that names a key is verified with
// that one only; keys without a name are tried for tokens without one.
func (e Expect) key(t *jwt.Token) (any, error) {
	kid, named := t.Header["kid"].(string)
	var set jwt.VerificationKeySet
	for _, k := range e.Keys {
		if k.alg == t.Method.Alg() && (!named || k.id == "" || k.id == kid) {
			set.Keys = append(set.Keys, k.public)
		}
	}
	if len(set.Keys) == 0 {
		return nil, errNoKey
	}
	return set, nil
}

var errNoKey = errors.New("no such key")

// judge turns the library's verdict into ours, the signature first.
func judge(err error) error {
	for _, c := range []struct{ theirs, ours error }{
		{errNoKey, ErrNoKey},
		{jwt.ErrTokenMalformed, ErrToken},
		{jwt.ErrTokenSignatureInvalid, ErrSignature},
		{jwt.ErrTokenUnverifiable, ErrSignature},
		{jwt.ErrTokenInvalidIssuer, ErrIssuer},
		{jwt.ErrTokenInvalidAudience, ErrAudience},
		{jwt.ErrTokenExpired, ErrExpired},
		{jwt.ErrTokenNotValidYet, ErrNotYet},
	} {
		if errors.Is(err, c.theirs) {
			return c.ours
		}
	}
	return fmt.Errorf("%w: a claim is missing or of another form", ErrToken)
}

// Text is a claim that is a text of at most MaxClaim bytes; one that is absent is "".
func Text(c Claims, name string) (string, error) {
	value, there := c[name]
	text, ok := value.(string)
	if there && !ok || len(text) > MaxClaim {
		return "", fmt.Errorf("%w: %s is of another form", ErrToken, name)
	}
	return text, nil
}

// Expires is the end of a token that Verify has taken.
func Expires(c Claims) (time.Time, error) {
	end, err := c.GetExpirationTime()
	if err != nil || end == nil {
		return time.Time{}, fmt.Errorf("%w: exp is missing or of another form", ErrToken)
	}
	return end.UTC(), nil
}
