package auth

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
)

// Kind is how a principal proved itself.
type Kind uint8

// The kinds. The zero Kind is Anonymous.
const (
	Anonymous  Kind = iota
	Key             // an API key in a header
	Owner           // the local control socket
	Capability      // a valid capability token; what it allows, May says
	Role            // a role token of the configured issuer
	Access          // an access token of an OAuth issuer; what it allows, its scopes say
)

// String names the kind for logs.
func (k Kind) String() string {
	switch k {
	case Key:
		return "key"
	case Owner:
		return "owner"
	case Capability:
		return "capability"
	case Role:
		return "role"
	case Access:
		return "access"
	}
	return "anonymous"
}

// Principal is who sent a request. The zero Principal is an anonymous caller
// without a credential.
type Principal struct {
	Kind Kind
	// AgentID is the agent that asks; "" when anonymous, for an access token that
	// names no agent of this gateway, and for who presents a capability or role
	// token until Acting: it says what may be done for an agent, not that the agent
	// asks. So nothing is shown to a token because it is shown to the agent, unless
	// the token has the right of the operation.
	AgentID string
	// For is, of kind Capability, the one agent whose own space the capability is
	// about, "" for none or several. What is done for it May decides.
	For     string
	KeyID   string // of kind Key
	Login   string // of kind Key, the DID whose signature opened the key for an agent that lives elsewhere; "" for other keys
	Scopes  state.Scopes
	Since   time.Time   // when the agent was made; of kinds Key and Access
	Warning reason.Code // why a credential was not accepted; then Kind is Anonymous

	refusal *reason.Refusal // behind Warning, with its text and hint
	missing *MissingProofs  // the refusal with the proofs it requests, or nil
	grants  *grants         // of kinds Capability and Role
	access  *access         // of kind Access
	acting  bool            // a token was judged to have the right of the operation, see Acting
}

// Acting is p, of which May has allowed an operation for an agent: to the use case it
// is that agent, with the one scope that the operation needs. Other kinds of principals
// stay as they are.
func (p Principal) Acting(agentID string, need state.Scope) Principal {
	if !p.ByToken() {
		return p
	}
	p.AgentID, p.For, p.acting = agentID, agentID, true
	if need != "" {
		p.Scopes = append(slices.Clone(p.Scopes), need)
	}
	return p
}

// StillValid refuses when nothing that the tokens gave is left: they ended or were
// revoked since, or the role or access token ended. Other kinds of principals pass.
func (p Principal) StillValid(now time.Time) error {
	switch {
	case p.access != nil:
		return p.access.alive(now)
	case p.grants != nil:
		return p.grants.alive(now)
	}
	return nil
}

// Ends is when the last of what the tokens gave ends; zero for never, and for other kinds
// of principals.
func (p Principal) Ends() (last time.Time) {
	if p.grants == nil {
		return last
	}
	if p.grants.claims != nil {
		last = p.grants.claims.Expires
	}
	for _, a := range p.grants.capabilities {
		if a.Expires == nil {
			return time.Time{}
		}
		if end := time.Unix(*a.Expires, 0); end.After(last) {
			last = end
		}
	}
	return last
}

// Class names all that a reply may depend on of an API key or of capabilities, so that
// replies to one class can be kept; false for others. Who is of a class was
// authenticated for this very request.
func (p Principal) Class() (string, bool) {
	var b strings.Builder
	switch {
	case p.Kind == Anonymous:
		return "", true
	case p.Kind == Key && p.AgentID != "":
		b.WriteString(p.AgentID)
	case p.Kind == Capability && p.grants.claims == nil:
		b.WriteString("capability " + p.AgentID + " " + p.grants.presenter)
		for _, a := range p.grants.capabilities {
			b.WriteString(" " + a.Resource + " " + a.Ability)
			for _, cid := range a.Chain {
				b.WriteString(" " + cid)
			}
		}
	default:
		return "", false
	}
	for _, s := range p.Scopes {
		b.WriteByte(' ')
		b.WriteString(string(s))
	}
	return b.String(), true
}

// Reading is p, of which May has allowed to read texts in full.
func (p Principal) Reading() Principal {
	if p.ByToken() && !p.Scopes.Has(state.ScopeRead) {
		p.Scopes = append(slices.Clone(p.Scopes), state.ScopeRead)
	}
	return p
}

// ByToken reports whether the caller presents a capability or role token, which is
// asked about each act and resource. An access token is good for its scopes, like an
// API key.
func (p Principal) ByToken() bool { return p.Kind == Capability || p.Kind == Role }

// Acts is the agent that the caller is or, by a capability, acts for; "" for
// nobody. Budgets and stops of an account are asked for it. It gives no right.
func (p Principal) Acts() string { return cmp.Or(p.AgentID, p.For) }

// RequireKey is class K of api §0.1: it refuses anonymous callers, with
// auth_required or with what was wrong with their credential. A token is good for
// what it names and not for whatever an agent may do, so who presents one is
// refused with capability_denied here unless the token was asked for the right of
// the operation, see Acting. So is who presents an access token that names no agent
// of this gateway.
func (p Principal) RequireKey() error {
	switch {
	case p.ByToken() && !p.acting:
		return hinted(reason.Refuse(reason.CapabilityDenied, "this needs an API key: no token has the right to it"),
			"send Authorization: Bearer <API key>")
	case p.access != nil && p.AgentID == "":
		return p.access.nobody()
	case p.Kind != Anonymous:
		return nil
	case p.missing != nil:
		return p.missing
	case p.refusal != nil:
		return p.refusal
	}
	r := reason.Refuse(reason.AuthRequired, "this needs an API key")
	r.Hint = "send Authorization: Bearer <API key>; POST /api/mesh/register gives one"
	return r
}

// RequireScope is class K with a scope: 401 as RequireKey, else scope_missing
// with details.need. The owner has every scope.
func (p Principal) RequireScope(need state.Scope) error {
	if err := p.RequireKey(); err != nil {
		return err
	}
	if p.Scopes.Has(need) {
		return nil
	}
	name := "API key"
	if p.Kind == Access {
		name = "access token"
	}
	return reason.Refuse(reason.ScopeMissing, "the %s lacks the scope %s", name, need).
		With(map[string]any{"need": string(need)})
}

// RequireKeyScope is RequireScope for who has an API key. Who presents a token passes:
// its abilities were judged.
func (p Principal) RequireKeyScope(need state.Scope) error {
	if p.ByToken() {
		return nil
	}
	return p.RequireScope(need)
}

// RequireOwner is class O for an object of one agent: 401 as RequireKey, else
// not_owner. Callers that must not learn of the object answer not_found instead.
func (p Principal) RequireOwner(agentID string) error {
	if err := p.RequireKey(); err != nil {
		return err
	}
	if p.AgentID == agentID && agentID != "" {
		return nil
	}
	return reason.Refuse(reason.NotOwner, "this belongs to another agent")
}

// Warn is class P: everybody passes, and a credential that was not accepted is
// reported in X-Auth-Warning.
func (p Principal) Warn(h http.Header) {
	if p.Warning != "" {
		h.Set("X-Auth-Warning", string(p.Warning))
	}
}

// Challenge returns the WWW-Authenticate text that goes with a 401 of this code
// (RFC 6750 §3): without a credential the realm alone, since nothing was wrong
// with a token.
func Challenge(code reason.Code) string {
	if code == reason.AuthRequired {
		return `Bearer realm="mesh"`
	}
	return fmt.Sprintf(`Bearer realm="mesh", error="invalid_token", error_description=%q`, string(code))
}
