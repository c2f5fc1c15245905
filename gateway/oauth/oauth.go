// Package oauth judges access tokens (JWT, RFC 9068) of the authorization servers that
// the operator named. The gateway is an OAuth 2.1 resource server: it issues no tokens,
// forwards none, and takes those that were made for it (RFC 8707) by an issuer of the
// settings, whose keys come from a file or from the one address that the settings say.
//
// Start with New. Verify judges a token; errors are those of package jose, and
// ErrUnavailable when the keys of its issuer cannot be had, which is no verdict.
package oauth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/jose"
)

// ErrUnavailable is wrapped by Verify when nobody can say whether a token is good.
var ErrUnavailable = errors.New("the keys of the issuer cannot be had")

// Issuer is an authorization server whose access tokens are taken.
type Issuer struct {
	URL     string     // its identifier, as its tokens and its metadata name it (RFC 8414 §2)
	Keys    []jose.Key // nil when KeysURL says where they are
	KeysURL string     // of the JWK set
}

// Incidents records that keys cannot be fetched, and that they can again.
// *incident.Book is one.
type Incidents interface {
	Fail(component, cause string)
	Recover(component string)
}

// Config is which access tokens are good, and what they give.
type Config struct {
	Issuers []Issuer
	// Audience that a token must name; "": the address of the MCP server.
	Audience string
	// AgentClaim names the claim with the id of the agent that a token acts as; "": sub.
	AgentClaim string
	// Scopes say which scope of ours a scope of an issuer gives; nil: they have our names.
	Scopes map[string]state.Scope
}

// Validate returns every problem of c.
func (c Config) Validate() error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if len(c.Issuers) == 0 {
		fault("no issuer")
	}
	seen := map[string]bool{}
	for _, i := range c.Issuers {
		if err := CheckURL(i.URL); err != nil {
			fault("issuer %q: %w", i.URL, err)
		}
		switch {
		case seen[i.URL]:
			fault("issuer %q: named twice", i.URL)
		case len(i.Keys) > 0 && i.KeysURL != "":
			fault("issuer %q: keys of a file and of an address", i.URL)
		case len(i.Keys) == 0 && i.KeysURL == "":
			fault("issuer %q: no keys", i.URL)
		case i.KeysURL != "" && CheckURL(i.KeysURL) != nil:
			fault("keys of issuer %q: %w", i.URL, CheckURL(i.KeysURL))
		}
		seen[i.URL] = true
	}
	for theirs, ours := range c.Scopes {
		if theirs == "" || strings.ContainsAny(theirs, " \t\"\\") {
			fault("%q is no scope of an issuer", theirs)
		}
		if !slices.Contains(Scopes(), ours) {
			fault("no access token gives the scope %q", ours)
		}
	}
	return errors.Join(faults...)
}

// CheckURL refuses what is no address of an issuer or of its keys: https without query
// and fragment (RFC 8414 §2), or http on this machine.
func CheckURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil || u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())) {
		return errors.New("want an https address; http is for this machine alone")
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Scopes are those that an access token can give: all of a registration but keys, since
// an API key or a capability would outlive the token that made it. Never "*".
func Scopes() state.Scopes {
	return slices.DeleteFunc(state.RegistrationScopes(), func(s state.Scope) bool { return s == state.ScopeKeys })
}

// Verifier judges access tokens. It is safe for concurrent use.
type Verifier struct {
	cfg      Config
	resource func() string // the address of the MCP server
	issuers  map[string]*keys
}

// New returns a verifier. resource is the address of the MCP server as clients know it,
// the audience of tokens unless c names one. incidents and log may be nil.
func New(c Config, resource func() string, incidents Incidents, log *slog.Logger) (*Verifier, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("access tokens: %w", err)
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if c.AgentClaim == "" {
		c.AgentClaim = "sub"
	}
	v := &Verifier{cfg: c, resource: resource, issuers: map[string]*keys{}}
	for _, i := range c.Issuers {
		v.issuers[i.URL] = newKeys(i, incidents, log)
	}
	return v, nil
}

// Token is what a verified access token says.
type Token struct {
	Issuer  string
	Subject string // within the issuer
	Agent   string // what the claim of the agent says; nobody has looked whether there is one
	Scopes  state.Scopes
	Expires time.Time // with the leeway
}

// Knows reports whether tokens of an issuer are judged here.
func (v *Verifier) Knows(issuer string) bool { return v.issuers[issuer] != nil }

// Audience is what a token must name as its audience.
func (v *Verifier) Audience() string {
	if v.cfg.Audience != "" {
		return v.cfg.Audience
	}
	return v.resource()
}

// AgentClaim is the claim that names the agent.
func (v *Verifier) AgentClaim() string { return v.cfg.AgentClaim }

// Issuers are the identifiers of the issuers, in the order of the settings.
func (v *Verifier) Issuers() []string {
	var out []string
	for _, i := range v.cfg.Issuers {
		out = append(out, i.URL)
	}
	return out
}

// Name is what a client asks an issuer for to get a scope of ours, "" when no token
// gives it.
func (v *Verifier) Name(ours state.Scope) string {
	if !slices.Contains(Scopes(), ours) {
		return ""
	}
	if v.cfg.Scopes == nil {
		return string(ours)
	}
	var names []string
	for theirs, s := range v.cfg.Scopes {
		if s == ours {
			names = append(names, theirs)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return slices.Min(names)
}

// Verify judges a token at a moment.
func (v *Verifier) Verify(ctx context.Context, text string, now time.Time) (Token, error) {
	issuer := jose.Issuer(text)
	source := v.issuers[issuer]
	if source == nil {
		if issuer == "" {
			return Token{}, jose.ErrToken
		}
		return Token{}, jose.ErrIssuer
	}
	expect := jose.Expect{Issuer: issuer, Audience: v.Audience(), Types: []string{"at+jwt"}, Leeway: leeway}
	var (
		version int
		err     error
	)
	if expect.Keys, version, err = source.get(ctx, now); err != nil {
		return Token{}, err
	}
	claims, err := expect.Verify(text, now)
	if errors.Is(err, jose.ErrNoKey) {
		var newer bool
		if expect.Keys, newer = source.renew(ctx, now, version); newer {
			claims, err = expect.Verify(text, now)
		}
	}
	if err != nil {
		return Token{}, err
	}
	return v.read(issuer, claims)
}

// read takes the claims of a token that has been verified.
func (v *Verifier) read(issuer string, claims jose.Claims) (Token, error) {
	t := Token{Issuer: issuer}
	var err error
	if _, bound := claims["cnf"]; bound { // it must be shown with proof of a key (RFC 7800), not verified here
		return Token{}, fmt.Errorf("%w: it is bound to a key", jose.ErrToken)
	}
	if t.Subject, err = jose.Text(claims, "sub"); err != nil || t.Subject == "" {
		return Token{}, fmt.Errorf("%w: sub is missing or of another form", jose.ErrToken)
	}
	if t.Agent, err = jose.Text(claims, v.cfg.AgentClaim); err != nil {
		return Token{}, err
	}
	if t.Expires, err = jose.Expires(claims); err != nil {
		return Token{}, err
	}
	t.Expires = t.Expires.Add(leeway)
	scope, there := claims["scope"]
	names, ok := scope.(string)
	if there && !ok {
		return Token{}, fmt.Errorf("%w: scope is of another form", jose.ErrToken)
	}
	for _, name := range strings.Fields(names) {
		ours := state.Scope(name)
		if v.cfg.Scopes != nil {
			ours = v.cfg.Scopes[name]
		}
		if slices.Contains(Scopes(), ours) && !slices.Contains(t.Scopes, ours) {
			t.Scopes = append(t.Scopes, ours)
		}
	}
	return t, nil
}
