package mcp

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/state"
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
func (m *Server) ProtectedResource() *service.ProtectedResource {
	if len(m.cfg.Issuers) == 0 {
		return nil
	}
	return &service.ProtectedResource{
		Resource: m.service.BaseURL() + endpointPath, AuthorizationServers: m.cfg.Issuers,
		ScopesSupported:        []string{string(state.ScopeRead), string(state.ScopeWrite)},
		BearerMethodsSupported: []string{"header"}, ResourceName: "meshd",
	}
}

// challenge makes the HTTP answer to a gated call that lacks a credential, or
// has a narrow one, what OAuth clients act upon (RFC 6750 §3, RFC 9728 §5.1).
// Without an issuer the answer is the tool's error alone.
func (m *Server) challenge(x *exchange, t *tool, refusal *reason.Refusal) {
	if len(m.cfg.Issuers) == 0 {
		return
	}
	scope := t.scope
	if scope == "" {
		scope = state.ScopeRead
	}
	params := []string{
		fmt.Sprintf("resource_metadata=%q", m.service.BaseURL()+metadataPath),
		fmt.Sprintf("scope=%q", string(scope)),
	}
	switch {
	case refusal.Code == reason.ScopeMissing:
		x.status = http.StatusForbidden
		params = append([]string{`error="insufficient_scope"`}, params...)
	case refusal.Code.HTTP() != http.StatusUnauthorized || !t.keyed:
		return
	case refusal.Code == reason.AuthRequired:
		x.status = http.StatusUnauthorized
	default:
		x.status = http.StatusUnauthorized
		params = append([]string{`error="invalid_token"`, fmt.Sprintf("error_description=%q", string(refusal.Code))}, params...)
	}
	x.challenge = "Bearer " + strings.Join(params, ", ")
}
