package mcp

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/pay"
)

// Keys of _meta by which a call carries a payment, and its result the receipt.
const (
	metaPayment = "x402/payment"
	metaReceipt = "x402/payment-response"
)

type paymentMark struct{}

// withPayment keeps what may be a payment in the context of a call.
func withPayment(ctx context.Context, meta *mcp.Meta) context.Context {
	if meta == nil || meta.AdditionalFields[metaPayment] == nil {
		return ctx
	}
	raw, err := json.Marshal(meta.AdditionalFields[metaPayment])
	if err != nil {
		return ctx // it was decoded a moment ago
	}
	return context.WithValue(ctx, paymentMark{}, pay.FromObject(raw))
}

// paymentOf is what came with a call, or none.
func paymentOf(ctx context.Context) pay.Offered {
	o, _ := ctx.Value(paymentMark{}).(pay.Offered)
	return o
}

// receipted adds to a result what became of the payment that came with its call.
func receipted(ctx context.Context, result *mcp.CallToolResult) *mcp.CallToolResult {
	if r := exchangeOf(ctx).receipt; r != nil {
		result.Meta = mcp.NewMetaFromMap(map[string]any{metaReceipt: r})
	}
	return result
}

// asking is the error object of the API together with what version 2 of x402 says of
// a payment that is due.
type asking struct {
	knowledge.ErrorBody
	X402Version int           `json:"x402Version"`
	Resource    pay.Resource  `json:"resource"`
	Accepts     []pay.Accept2 `json:"accepts"`
}

// askPayment is the result of a call that has to be paid for. The resource is the
// tool, as it is for every server of MCP.
func askPayment(t *endpoint.Tool, body knowledge.ErrorBody, due *knowledge.Due) *mcp.CallToolResult {
	due.Offer.Resource = "mcp://tool/" + t.Name
	required := due.Offer.Required2(body.Error)
	object := asking{body, required.X402Version, required.Resource, required.Accepts}
	text, strangers := fenced(t, []byte(plain(object))) // which shows what is sold
	content := []mcp.Content{mcp.TextContent{Type: "text", Text: string(text)}}
	if strangers != "" {
		content = append(content, forModel(strangers))
	}
	return &mcp.CallToolResult{IsError: true, StructuredContent: object, Content: content}
}
