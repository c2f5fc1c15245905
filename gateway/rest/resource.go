package rest

import (
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/welcome"
)

// protected is an MCP handler that may ask for tokens of an issuer.
type protected interface {
	// ProtectedResource is nil when no issuer is configured.
	ProtectedResource() *welcome.ProtectedResource
}

// resourceRoutes describe the MCP server to OAuth clients: under the path of its
// own address (RFC 9728 §3.1), and at the root for clients that ask only there.
func resourceRoutes() []route {
	whole := route{method: "GET", path: "/.well-known/oauth-protected-resource", summary: "Which issuers the MCP server asks for tokens of",
		bucket: limit.Read, reply: (*welcome.ProtectedResource)(nil), codes: []reason.Code{reason.NotFound}, cache: unchanged, handle: protectedResource}
	own := whole
	own.path += mcpPath
	return []route{whole, own}
}

// streamRoutes are what clients of a revision with sessions do besides posting.
func streamRoutes() []route {
	return []route{
		{method: "GET", path: mcpPath, summary: "A stream of the MCP server's own messages", raw: serveMCP, timeout: timeStream},
		{method: "DELETE", path: mcpPath, summary: "End a session", raw: serveMCP},
	}
}

func protectedResource(h *Handler, _ *request) (answer, error) {
	if p, ok := h.mcp.(protected); ok {
		if d := p.ProtectedResource(); d != nil {
			return answer{value: d}, nil
		}
	}
	return answer{}, call.Hinted(reason.NotFound, "this gateway has no OAuth issuer", "use an API key; POST /api/mesh/register gives one")
}
