package role

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/meshd/meshd/identity/jose"
)

// ErrJWTSettings is wrapped by errors of NewVerifier.
var ErrJWTSettings = errors.New("role tokens are not set up")

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
	Keys     []jose.Key
}

// Verifier judges role tokens: JWTs of one configured issuer that carry a role of
// an older system. It is immutable and safe for concurrent use.
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
		if k.IsZero() {
			problems = append(problems, errors.New("a key that was not parsed"))
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrJWTSettings, err)
	}
	s.Keys = slices.Clone(s.Keys)
	return &Verifier{s}, nil
}

// Issuer is the issuer whose tokens v judges.
func (v *Verifier) Issuer() string { return v.settings.Issuer }

// Verify judges a token at a moment. Its errors are those of package jose.
func (v *Verifier) Verify(token string, now time.Time) (Claims, error) {
	claims, err := jose.Expect{Issuer: v.settings.Issuer, Audience: v.settings.Audience, Keys: v.settings.Keys}.Verify(token, now)
	if err != nil {
		return Claims{}, err
	}
	return read(claims)
}

// read takes the claims of a token that has been verified.
func read(claims jose.Claims) (out Claims, err error) {
	for name, to := range map[string]*string{"sub": &out.Subject, "role": &out.Role, "team": &out.Team} {
		if *to, err = jose.Text(claims, name); err != nil {
			return Claims{}, err
		}
	}
	if out.Subject == "" {
		return Claims{}, fmt.Errorf("%w: sub is missing", jose.ErrToken)
	}
	out.Role = legacyRole(out.Role)
	if value, there := claims["platform_admin"]; there {
		admin, ok := value.(bool)
		if !ok {
			return Claims{}, fmt.Errorf("%w: platform_admin is no truth value", jose.ErrToken)
		}
		out.PlatformAdmin = admin
	}
	if out.Expires, err = jose.Expires(claims); err != nil {
		return Claims{}, err
	}
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
