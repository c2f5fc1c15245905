package mcp

import (
	"context"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
)

// gate names this face among those that refuse.
const gate = "mcp"

// count passes a refusal to whoever counts them.
func (m *Server) count(code reason.Code) {
	if m.cfg.Refused != nil {
		m.cfg.Refused(code, gate)
	}
}

// allow takes one request from a bucket of the caller and remembers for the
// headers of the answer where the caller stands. It returns nil or the refusal.
func (m *Server) allow(ctx context.Context, b limit.Bucket) *reason.Refusal {
	d := m.service.Access.Allow(b, call.CallerFrom(ctx))
	exchangeOf(ctx).stand.Store(&d)
	return d.Refusal()
}

// measured reports whether the rows of a method ask for the caller's budget. All
// other messages, also those that nobody can read, cost a read.
func measured(method mcp.MCPMethod) bool {
	switch method {
	case mcp.MethodToolsCall, mcp.MethodResourcesRead, mcp.MethodResourcesList, mcp.MethodPromptsGet, mcp.MethodCompletionComplete:
		return true
	}
	return false
}

// charge takes a message that no row measures from the caller's reads. When none
// is left it answers with 429 and reports false.
func (m *Server) charge(ctx context.Context, w http.ResponseWriter, x *exchange) bool {
	refusal := m.allow(ctx, limit.Read)
	if refusal == nil {
		return true
	}
	m.answerRefusal(ctx, w, x, http.StatusTooManyRequests, refusal)
	return false
}
