package mcp

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/oauth"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/welcome"
)

// Path is where the server is, below the address of the gateway.
const Path = "/mcp"

const metadataPath = "/.well-known/oauth-protected-resource" + Path

// ProtectedResource describes this server to OAuth clients (RFC 9728), nil when
// no issuer is configured.
func (m *Server) ProtectedResource() *welcome.ProtectedResource {
	if m.cfg.OAuth == nil {
		return nil
	}
	out := &welcome.ProtectedResource{
		Resource: m.service.Access.BaseURL() + Path, AuthorizationServers: m.cfg.OAuth.Issuers(), ScopesSupported: []string{},
		BearerMethodsSupported: []string{"header"}, ResourceName: "meshd",
	}
	for _, scope := range oauth.Scopes() {
		if name := m.cfg.OAuth.Name(scope); name != "" {
			out.ScopesSupported = append(out.ScopesSupported, name)
		}
	}
	return out
}

// wrongCredential is why the credential that came along is not valid; nil when
// it does, or none came.
func wrongCredential(c call.Caller) *reason.Refusal {
	if c.Warning == "" {
		return nil
	}
	r := *knowledge.Explain(c.RequireKey())
	if r.Hint == "" {
		r.Hint = "leave it out to read without a key; register_agent opens an agent and gives one, POST /api/mesh/key/challenge leads to a new one for an agent you have"
	}
	return &r
}

// touches reports whether a method reads or changes something of the network. The
// others say what this server is and has, so that a client whose credential does
// not valid can connect, and find register_agent. Calls of tools are judged one by
// one.
func touches(method mcp.MCPMethod) bool {
	switch method {
	case mcp.MethodResourcesRead, mcp.MethodResourcesList, mcp.MethodPromptsGet, mcp.MethodCompletionComplete, mcp.MethodSubscriptionsListen:
		return true
	}
	return false
}

// turnAway answers a message that is no call of a tool with 401 and an error of
// JSON-RPC that says what is wrong with the credential.
func (m *Server) turnAway(ctx context.Context, w http.ResponseWriter, x *exchange, refusal *reason.Refusal) {
	_ = m.refuse(ctx, refusal, "") // the exchange answers
	x.fault.Message = string(refusal.Code) + ": " + x.fault.Message
	m.unauthorized(x, "", refusal)
	x.reply(w)
}

// unauthorized makes the HTTP answer a 401 that names the code.
func (m *Server) unauthorized(x *exchange, scope state.Scope, refusal *reason.Refusal) {
	x.status, x.challenge = http.StatusUnauthorized, auth.Challenge(refusal.Code)
	if m.cfg.OAuth != nil {
		params := append([]string{`error="invalid_token"`, fmt.Sprintf("error_description=%q", string(refusal.Code))}, m.challenges.where(cmp.Or(scope, state.ScopeRead))...)
		x.challenge = bearer(params)
	}
}

func bearer(params []string) string { return "Bearer " + strings.Join(params, ", ") }

// challenges say to OAuth clients what they lack: where to find an issuer, and what to ask for.
type challenges struct {
	issuers *oauth.Verifier // nil: none
	base    func() string   // the address of the gateway
}

// where are the parameters that say so; without what to ask for when scope is "".
func (a challenges) where(scope state.Scope) []string {
	params := []string{fmt.Sprintf("resource_metadata=%q", a.base()+metadataPath)}
	if name := a.issuers.Name(scope); name != "" {
		params = append(params, fmt.Sprintf("scope=%q", name))
	}
	return params
}

// stepUp is the challenge of a credential that lacks a scope, "" when no issuer gives
// it.
func (a challenges) stepUp(refusal *reason.Refusal) string {
	need, _ := refusal.Details["need"].(string)
	if a.issuers == nil || a.issuers.Name(state.Scope(need)) == "" {
		return ""
	}
	return bearer(append([]string{`error="insufficient_scope"`}, a.where(state.Scope(need))...))
}

// challenge makes the HTTP answer to a gated call that lacks a credential, or
// has a narrow one, what OAuth clients act upon (RFC 6750 §3, RFC 9728 §5.1).
// Without an issuer the answer is the tool's error alone.
func (m *Server) challenge(x *exchange, t *endpoint.Tool, refusal *reason.Refusal) {
	if m.cfg.OAuth == nil || x.status == http.StatusUnauthorized {
		return
	}
	switch {
	case refusal.Code == reason.ScopeMissing:
		if text := m.challenges.stepUp(refusal); text != "" {
			x.status, x.challenge = http.StatusForbidden, text
		}
	case refusal.Code == reason.AuthRequired && t.Needs.Keyed():
		x.status, x.challenge = http.StatusUnauthorized, bearer(m.challenges.where(cmp.Or(t.Needs.Scope(), state.ScopeRead)))
	}
}

// Challenge is the WWW-Authenticate header of a refusal by the other endpoints, which
// take the same credentials; "" for none.
func (m *Server) Challenge(refusal *reason.Refusal) string {
	switch {
	case refusal.Code == reason.ScopeMissing:
		return m.challenges.stepUp(refusal)
	case refusal.Code.HTTP() != http.StatusUnauthorized:
		return ""
	case m.cfg.OAuth == nil:
		return auth.Challenge(refusal.Code)
	}
	return auth.Challenge(refusal.Code) + ", " + strings.Join(m.challenges.where(""), ", ")
}
