package rest

import (
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/welcome"
)

// protected is an MCP handler that may ask for tokens of an issuer.
type protected interface {
	// ProtectedResource is nil when no issuer is configured.
	ProtectedResource() *welcome.ProtectedResource
	// Challenge is the WWW-Authenticate header of a refusal, "" for none.
	Challenge(*reason.Refusal) string
}

// resourceRoutes describe the MCP server to OAuth clients: under the path of its
// own address (RFC 9728 §3.1), and at the root for clients that ask only there.
func (h *Handler) resourceRoutes() []route {
	whole := endpoint.Route{Method: "GET", Path: "/.well-known/oauth-protected-resource", Summary: "Which issuers the MCP server asks for tokens of",
		Bucket: limit.Read, Reply: (*welcome.ProtectedResource)(nil), Codes: []reason.Code{reason.NotFound}, Cache: endpoint.Unchanged, Handle: h.protectedResource}
	return []route{{Route: whole}, {Route: whole.At(whole.Path + mcpPath)}}
}

// streamRoutes are what clients of a revision with sessions do besides posting.
func (h *Handler) streamRoutes() []route {
	return []route{
		{Route: endpoint.Route{Method: "GET", Path: mcpPath, Summary: "A stream of the MCP server's own messages", Timeout: timeStream}, raw: h.serveMCP},
		{Route: endpoint.Route{Method: "DELETE", Path: mcpPath, Summary: "End a session"}, raw: h.serveMCP},
	}
}

// challenge is the WWW-Authenticate header of a refusal: what it takes, and where OAuth
// clients get that.
func (h *Handler) challenge(refusal *reason.Refusal) string {
	if p, ok := h.mcp.(protected); ok {
		return p.Challenge(refusal)
	}
	if refusal.Code.HTTP() == http.StatusUnauthorized {
		return auth.Challenge(refusal.Code)
	}
	return ""
}

func (h *Handler) protectedResource(*endpoint.Request) (endpoint.Answer, error) {
	if p, ok := h.mcp.(protected); ok {
		if d := p.ProtectedResource(); d != nil {
			return endpoint.Answer{Value: d}, nil
		}
	}
	return endpoint.Answer{}, call.Hinted(reason.NotFound, "this gateway has no OAuth issuer", "use an API key; POST /api/mesh/register gives one")
}
