package mcp

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/encode"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/twin"
)

func mustEncode(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"internal fault"}}`)
	}
	return raw
}

func newRequestID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return "req_" + hex.EncodeToString(b[:])
}

// call runs one tool. A panic is an internal fault of this call alone.
func (m *Server) call(ctx context.Context, t *endpoint.Tool, req mcp.CallToolRequest) (result *mcp.CallToolResult) {
	c := call.CallerFrom(ctx)
	defer func() {
		if v := recover(); v != nil {
			result = m.refused(ctx, t, c, fmt.Errorf("panic: %v", v))
		}
	}()
	ctx, cancel := exchangeOf(ctx).limit(ctx, t.Time)
	defer cancel()
	end := m.progress(ctx)
	defer end()
	raw := []byte(req.Params.RawArguments)
	if string(raw) == "null" {
		raw = nil // what some clients send for no arguments
	}
	if len(raw) > t.MaxSize() {
		return m.refused(ctx, t, c, tooLarge(t.MaxSize()))
	}
	if refusal := wrongCredential(c); refusal != nil && !t.Opens {
		m.unauthorized(exchangeOf(ctx), t.Needs.Scope(), refusal)
		return m.refused(ctx, t, c, refusal)
	}
	ctx = withPayment(ctx, req.Params.Meta)
	reply, err := m.run(ctx, c, t, raw, idempotencyKey(req.Params.Meta))
	if err != nil {
		return m.refused(ctx, t, c, late(ctx, err))
	}
	reply, left, err := lists[t.Name].fitted(reply, func(reply []byte) ([]byte, string) { return fenced(t, reply) }, t.Quotes)
	if err != nil {
		return m.refused(ctx, t, c, err)
	}
	reply, strangers := fenced(t, reply)
	content := []mcp.Content{mcp.TextContent{Type: "text", Text: string(reply)}}
	if strangers != "" {
		content = append(content, forModel(strangers))
	}
	if len(left) > 0 {
		content = append(content, mcp.TextContent{Type: "text", Text: "The list is long, so its items lack " + strings.Join(left, ", ") +
			". Name in fields what is needed of them, or ask for a smaller page. A text that ends in “… [cut]” is whole in the tool for one object."})
	}
	for _, a := range exchangeOf(ctx).beside {
		content = append(content, besideOf(a))
	}
	return receipted(ctx, &mcp.CallToolResult{StructuredContent: json.RawMessage(reply), Content: content})
}

// forModel is a text that only the model is meant to read.
func forModel(text string) mcp.Content {
	return mcp.TextContent{Annotated: mcp.Annotated{Annotations: &mcp.Annotations{Audience: forModels}}, Type: "text", Text: text}
}

// besideOf is a picture, or a link to a resource of this server.
func besideOf(a endpoint.Attachment) mcp.Content {
	if a.Picture != nil {
		return mcp.NewImageContent(base64.StdEncoding.EncodeToString(a.Picture), a.MediaType)
	}
	link, bytes := mcp.NewResourceLink(a.URI, a.Name, a.Help, a.MediaType), int64(a.Size)
	link.Size = &bytes
	return link
}

// run reads the arguments, asks the rate and calls the use case, once for an
// idempotency key.
func (m *Server) run(ctx context.Context, c call.Caller, t *endpoint.Tool, raw []byte, key string) ([]byte, error) {
	c, err := m.service.Access.Authorize(ctx, c, t.Needs)
	if err != nil {
		return nil, err
	}
	if !t.Read {
		if err := m.service.Access.MayWrite(ctx, c); err != nil {
			return nil, err
		}
	}
	if refusal := m.allow(ctx, t.BucketFor(c)); refusal != nil {
		return nil, refusal
	}
	if err := m.service.Access.Unburdened(t.Bucket); err != nil {
		return nil, err
	}
	v, err := t.Form.FromJSON(raw)
	if err != nil {
		return nil, err
	}
	if err := v.Strict(); err != nil {
		return nil, err
	}
	var shown []string
	if lists[t.Name] != nil {
		shown = endpoint.OfShown.Read(v).Fields
		if err := lists[t.Name].check(shown); err != nil {
			return nil, err
		}
	}
	attempt := access.Attempt{Key: key, Method: "TOOL", Path: t.Name, Body: raw, Secret: t.Secret}
	if !t.Once {
		attempt.Key = ""
	}
	kept, _, err := m.service.Access.Once(ctx, c, attempt, func() (state.Reply, error) {
		if t.Needs.Acts() && !t.Read {
			if err := c.Use(ctx, m.service.Access.Now()); err != nil {
				return state.Reply{}, err
			}
		}
		asked := &endpoint.Call{Caller: c, Values: v, Mark: attempt.Mark(), Payment: paymentOf(ctx), Progress: exchangeOf(ctx).wantsProgress()}
		reply, err := t.Run(ctx, asked)
		exchangeOf(ctx).beside = asked.Beside
		if asked.Receipt != nil {
			exchangeOf(ctx).receipt = asked.Receipt
		}
		if err != nil {
			return state.Reply{}, v.Said(err)
		}
		kept := state.Reply{Status: http.StatusOK}
		if once, ok := reply.(access.ShownOnce); ok {
			if kept.Stored, err = encode.JSON(once.Kept()); err != nil {
				return state.Reply{}, err
			}
		}
		kept.Body, err = encode.JSON(reply)
		return kept, err
	})
	if err != nil || len(shown) == 0 {
		return kept.Body, err
	}
	return lists[t.Name].only(kept.Body, shown)
}

// refused is an error as a result: the error object of the API as text. It has
// no structured content, because clients check that against the tool's schema of
// a success, also in an error, and throw the refusal away (the official
// TypeScript SDK does). What a paid tool requires is in its schema.
func (m *Server) refused(ctx context.Context, t *endpoint.Tool, c call.Caller, err error) *mcp.CallToolResult {
	body := errorBody(err, c.RequestID)
	m.count(reason.Code(body.Code))
	m.challenge(exchangeOf(ctx), t, knowledge.Explain(err))
	m.log.Debug("tool refused", "tool", t.Name, "request", c.RequestID, "code", body.Code, "principal", c.Kind.String())
	if body.Code == string(reason.Internal) {
		m.log.Error("tool failed", "tool", t.Name, "request", c.RequestID, "error", err)
	}
	var due *knowledge.Due
	if errors.As(err, &due) && t.Paid {
		return askPayment(t, body, due)
	}
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{mcp.TextContent{Type: "text", Text: plain(body)}}}
}

// errorBody is the error object of the API for who has tools: wherever its own texts name
// an endpoint, it names the tool that does the same, or says what does.
func errorBody(err error, requestID string) knowledge.ErrorBody {
	body := knowledge.NewErrorBody(err, requestID)
	body.Error, body.Hint = twin.NameTools(body.Error), twin.NameTools(body.Hint)
	if len(body.Details) > 0 {
		body.Details = maps.Clone(body.Details)
		for key, v := range body.Details {
			switch v := v.(type) {
			case string:
				body.Details[key] = twin.NameTools(v)
			case []string:
				body.Details[key] = twin.NameAllTools(v)
			case auth.Denial:
				v.Fix = twin.NameTools(v.Fix)
				body.Details[key] = v
			}
		}
	}
	return body
}

// plain is the JSON of an error object for a reader: hints contain <API key>.
func plain(v any) string {
	raw, err := encode.JSON(v)
	if err != nil {
		raw = mustEncode(v) // which knows what to say then
	}
	return string(raw)
}

// idempotencyKey is the call's, in its _meta.
func idempotencyKey(meta *mcp.Meta) string {
	if meta == nil {
		return ""
	}
	key, _ := meta.AdditionalFields["idempotencyKey"].(string)
	return key
}
