package role

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/meshd/meshd/identity/ucan/strictjson"
)

// Limits of role tokens.
const (
	// MaxJWT is the longest token that is read, in bytes, as for a capability.
	MaxJWT = 8 << 10
	// MaxKeySet is the longest key set that is read, in bytes.
	MaxKeySet = 64 << 10
	// MaxKeys is how many keys a set may contain: a few, while they are rotated.
	MaxKeys = 16

	maxClaim = 256  // bytes of sub and team
	minRSA   = 2048 // bits; less can be factored
	maxRSA   = 8192 // bits; more makes verification slow
)

// The ways in which a role token is refused, wrapped with the particulars.
var (
	ErrJWT         = errors.New("not a role token")
	ErrCapability  = errors.New("a capability token is no role token")
	ErrSignature   = errors.New("the role token is not signed by a known key")
	ErrExpired     = errors.New("the role token is past its end")
	ErrNotYet      = errors.New("the role token is not valid yet")
	ErrIssuer      = errors.New("the role token is of another issuer")
	ErrAudience    = errors.New("the role token is for another audience")
	ErrJWTSettings = errors.New("role tokens are not set up")
)

// Claims are what a verified role token says.
type Claims struct {
	Subject       string // the agent id
	Role          string // one of the four, or "" when it names none of them
	Team          string // the team the role is for, or ""
	PlatformAdmin bool
	Expires       time.Time // the token is good before it, not at it (RFC 7519 §4.1.4)
}

// Settings say which role tokens are good. There is no default for any of them.
type Settings struct {
	Issuer   string
	Audience string
	Keys     []Key // of ParseKeys
}

// Verifier judges role tokens: JWTs of one configured issuer that carry a role of
// an older system. Algorithms are those of the configured keys, all asymmetric;
// what a token says about its own keys is ignored. It is immutable and safe for
// concurrent use.
type Verifier struct {
	settings Settings
}

// NewVerifier returns a verifier, or ErrJWTSettings with every problem.
func NewVerifier(s Settings) (*Verifier, error) {
	var problems []error
	if s.Issuer == "" {
		problems = append(problems, errors.New("no issuer"))
	}
	if s.Audience == "" {
		problems = append(problems, errors.New("no audience"))
	}
	if len(s.Keys) == 0 {
		problems = append(problems, errors.New("no keys"))
	}
	for _, k := range s.Keys {
		if k.public == nil {
			problems = append(problems, errors.New("a key that was not parsed"))
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrJWTSettings, err)
	}
	return &Verifier{Settings{s.Issuer, s.Audience, append([]Key(nil), s.Keys...)}}, nil
}

// Verify judges a token at a moment. Its claims are looked at only after its
// signature, except that a token with "ucv" is a capability and never read as a
// role, whoever signed it.
func (v *Verifier) Verify(token string, now time.Time) (Claims, error) {
	if err := checkForm(token); err != nil {
		return Claims{}, err
	}
	claims := jwt.MapClaims{}
	parser := jwt.NewParser(
		jwt.WithValidMethods(v.algorithms()), jwt.WithStrictDecoding(), jwt.WithJSONNumber(),
		jwt.WithIssuer(v.settings.Issuer), jwt.WithAudience(v.settings.Audience), jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(func() time.Time { return now }),
	)
	if _, err := parser.ParseWithClaims(token, claims, v.key); err != nil {
		return Claims{}, judge(err)
	}
	return read(claims)
}

// checkForm refuses what the JWT library would read in one of several ways: a
// member twice, broken text, extensions that are critical.
func checkForm(token string) error {
	if len(token) > MaxJWT {
		return fmt.Errorf("%w: more than %d bytes", ErrJWT, MaxJWT)
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 || strings.ContainsAny(token, "\r\n") { // line ends are skipped by decoders of base64
		return fmt.Errorf("%w: want three parts", ErrJWT)
	}
	header, err := object(parts[0])
	if err != nil {
		return err
	}
	if _, ok := header["crit"]; ok {
		return fmt.Errorf("%w: it has critical extensions", ErrJWT)
	}
	if typ, ok := header["typ"]; ok {
		if s, ok := typ.(string); !ok || !strings.EqualFold(s, "JWT") && !strings.EqualFold(s, "at+jwt") {
			return fmt.Errorf("%w: it is of another type", ErrJWT)
		}
	}
	if kid, ok := header["kid"]; ok {
		if _, ok := kid.(string); !ok {
			return fmt.Errorf("%w: kid is no text", ErrJWT)
		}
	}
	claims, err := object(parts[1])
	if err != nil {
		return err
	}
	if _, ok := claims["ucv"]; ok {
		return ErrCapability
	}
	return nil
}

func object(part string) (map[string]any, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(part)
	if err != nil {
		return nil, fmt.Errorf("%w: not base64url", ErrJWT)
	}
	o, err := strictjson.Object(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrJWT, err)
	}
	return o, nil
}

func (v *Verifier) algorithms() []string {
	var out []string
	for _, k := range v.settings.Keys {
		out = append(out, k.alg)
	}
	return out
}

// key chooses by kid and algorithm. A token that names a key is verified with
// that one only; keys without a name are tried for tokens without one.
func (v *Verifier) key(t *jwt.Token) (any, error) {
	kid, named := t.Header["kid"].(string)
	var set jwt.VerificationKeySet
	for _, k := range v.settings.Keys {
		if k.alg == t.Method.Alg() && (!named || k.id == "" || k.id == kid) {
			set.Keys = append(set.Keys, k.public)
		}
	}
	if len(set.Keys) == 0 {
		return nil, errors.New("no such key")
	}
	return set, nil
}

// judge turns the library's verdict into ours, the signature first.
func judge(err error) error {
	for _, c := range []struct{ theirs, ours error }{
		{jwt.ErrTokenMalformed, ErrJWT},
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
	return fmt.Errorf("%w: a claim is missing or of another form", ErrJWT)
}

// read takes the claims of a token that has been verified.
func read(claims jwt.MapClaims) (Claims, error) {
	var out Claims
	for _, f := range []struct {
		name     string
		to       *string
		required bool
	}{{"sub", &out.Subject, true}, {"role", &out.Role, false}, {"team", &out.Team, false}} {
		value, there := claims[f.name]
		text, ok := value.(string)
		if there && !ok || len(text) > maxClaim || f.required && text == "" {
			return Claims{}, fmt.Errorf("%w: %s is missing or of another form", ErrJWT, f.name)
		}
		*f.to = text
	}
	out.Role = legacyRole(out.Role)
	if value, there := claims["platform_admin"]; there {
		admin, ok := value.(bool)
		if !ok {
			return Claims{}, fmt.Errorf("%w: platform_admin is no truth value", ErrJWT)
		}
		out.PlatformAdmin = admin
	}
	end, err := claims.GetExpirationTime()
	if err != nil || end == nil {
		return Claims{}, fmt.Errorf("%w: exp is missing or of another form", ErrJWT)
	}
	out.Expires = end.UTC()
	return out, nil
}

// legacyRole is the role that a name of an older system means; "" is none.
func legacyRole(name string) string {
	switch name {
	case "lead":
		return Admin
	case "guest":
		return Viewer
	}
	if Valid(name) {
		return name
	}
	return ""
}
