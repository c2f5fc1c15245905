package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/meshd/meshd/crdt/reason"
)

func tooLarge(most int) error {
	return reason.Refuse(reason.BodyTooLarge, "the message is over %d bytes", most).With(map[string]any{"limit_bytes": most})
}

// check finds faults of the protocol that the library does not report by their
// own code: batches, and arguments that are no object.
func check(message []byte) *mcp.JSONRPCError {
	if trimmed := bytes.TrimSpace(message); len(trimmed) > 0 && trimmed[0] == '[' {
		e := rpcError(nil, mcp.INVALID_REQUEST, "batches are not taken")
		return &e
	}
	var m struct {
		ID     any           `json:"id"`
		Method mcp.MCPMethod `json:"method"`
		Params struct {
			Arguments json.RawMessage `json:"arguments"`
		} `json:"params"`
	}
	if json.Unmarshal(message, &m) != nil {
		return nil // the library says what is wrong
	}
	a := m.Params.Arguments
	if m.Method == mcp.MethodToolsCall && len(a) > 0 && a[0] != '{' && string(a) != "null" {
		e := rpcError(m.ID, mcp.INVALID_PARAMS, "arguments must be an object")
		return &e
	}
	return nil
}

func rpcError(id any, code int, text string) mcp.JSONRPCError {
	return mcp.JSONRPCError{JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(id),
		Error: mcp.JSONRPCErrorDetails{Code: code, Message: text}}
}

func writeRPC(w http.ResponseWriter, status int, e mcp.JSONRPCError) {
	raw, err := json.Marshal(e)
	if err != nil {
		status, raw = http.StatusInternalServerError, []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"internal fault"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(raw)
}

// answerRefusal answers a message that the library never sees with what the exchange
// knows of a refusal, under an HTTP status.
func (m *Server) answerRefusal(ctx context.Context, w http.ResponseWriter, x *exchange, status int, refusal error) {
	_ = m.refuse(ctx, refusal, "") // kept in the exchange, which replies
	x.status = status
	x.reply(w)
}

// reply writes the fault of the exchange: its writer replaces whatever is
// written by it.
func (*exchange) reply(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(nil)
}
