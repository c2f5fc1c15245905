package mcp

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/welcome"
)

const (
	endpointPath = "/mcp"
	metadataPath = "/.well-known/oauth-protected-resource" + endpointPath
)

// checkIssuers refuses what is no issuer's identifier: an https address without
// query and fragment (RFC 8414 §2), or http on this machine.
func checkIssuers(issuers []string) error {
	for _, text := range issuers {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil ||
			u.Scheme != "https" && !(u.Scheme == "http" && u.Hostname() == "127.0.0.1") {
			return fmt.Errorf("issuer %q: not an https address", text)
		}
	}
	return nil
}

// ProtectedResource describes this server to OAuth clients (RFC 9728), nil when
// no issuer is configured.
func (m *Server) ProtectedResource() *welcome.ProtectedResource {
	if len(m.cfg.Issuers) == 0 {
		return nil
	}
	return &welcome.ProtectedResource{
		Resource: m.service.Access.BaseURL() + endpointPath, AuthorizationServers: m.cfg.Issuers,
		ScopesSupported:        []string{string(state.ScopeRead), string(state.ScopeWrite)},
		BearerMethodsSupported: []string{"header"}, ResourceName: "meshd",
	}
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
	if len(m.cfg.Issuers) > 0 {
		params := append([]string{`error="invalid_token"`, fmt.Sprintf("error_description=%q", string(refusal.Code))}, m.whereToAsk(scope)...)
		x.challenge = "Bearer " + strings.Join(params, ", ")
	}
}

// whereToAsk are the parameters by which OAuth clients find an issuer, and what
// to ask it for.
func (m *Server) whereToAsk(scope state.Scope) []string {
	if scope == "" {
		scope = state.ScopeRead
	}
	return []string{
		fmt.Sprintf("resource_metadata=%q", m.service.Access.BaseURL()+metadataPath),
		fmt.Sprintf("scope=%q", string(scope)),
	}
}

// challenge makes the HTTP answer to a gated call that lacks a credential, or
// has a narrow one, what OAuth clients act upon (RFC 6750 §3, RFC 9728 §5.1).
// Without an issuer the answer is the tool's error alone.
func (m *Server) challenge(x *exchange, t *endpoint.Tool, refusal *reason.Refusal) {
	if len(m.cfg.Issuers) == 0 || x.status == http.StatusUnauthorized {
		return
	}
	params := m.whereToAsk(t.Needs.Scope())
	switch {
	case refusal.Code == reason.ScopeMissing:
		x.status = http.StatusForbidden
		params = append([]string{`error="insufficient_scope"`}, params...)
	case refusal.Code != reason.AuthRequired || !t.Needs.Keyed():
		return
	default:
		x.status = http.StatusUnauthorized
	}
	x.challenge = "Bearer " + strings.Join(params, ", ")
}
