package mcp

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/scene"
	"github.com/meshd/meshd/gateway/schema"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/twin"
)

// described are the tools without the rooms behind them.
var described = new(service.Service).Tools()

// Tools are the names of all tools, in their order.
func Tools() []string {
	names := make([]string, len(described))
	for i := range described {
		names[i] = described[i].Name
	}
	return names
}

// declare is a tool as clients see it.
func declare(t *endpoint.Tool) (mcp.Tool, error) {
	form := slices.Clone(t.Form)
	for i := range form {
		form[i].Help = twin.NameTools(form[i].Help)
	}
	in, err := json.Marshal(schema.OfForm(form, false))
	if err != nil {
		return mcp.Tool{}, fmt.Errorf("encode input schema of %s: %w", t.Name, err)
	}
	in = append([]byte(`{"$schema":"`+schema.Dialect+`",`), in[1:]...)
	results := []any{t.Output}
	if t.Paid {
		results = append(results, asking{})
	}
	out, err := schema.Output(results...)
	if err != nil {
		return mcp.Tool{}, fmt.Errorf("declare %s: %w", t.Name, err)
	}
	if _, out, err = listsOf(t, out); err != nil {
		return mcp.Tool{}, err
	}
	yes, no := true, false
	hint := mcp.ToolAnnotation{Title: t.Title, ReadOnlyHint: &no, DestructiveHint: &no, IdempotentHint: &no, OpenWorldHint: &yes}
	if t.Read {
		hint.ReadOnlyHint, hint.IdempotentHint = &yes, &yes
	}
	if t.Again {
		hint.IdempotentHint = &yes
	}
	declared := mcp.NewToolWithRawSchema(t.Name, t.Help, in)
	declared.Title = t.Title
	declared.RawOutputSchema = out
	declared.Annotations = hint
	if t.Shows {
		uri, _ := scene.Preview()
		declared.Meta = mcp.NewMetaFromMap(map[string]any{"ui": map[string]any{"resourceUri": uri}, "ui/resourceUri": uri})
	}
	return declared, nil
}

// showsTool reports whether a tool is in the list of a caller: to the holder of a
// key those alone that the key has the scope for. An access token can be had with more
// scopes, so its holder is shown all.
func showsTool(c call.Caller, name string) bool {
	i := slices.IndexFunc(described, func(t endpoint.Tool) bool { return t.Name == name })
	return c.Kind != auth.Key || i < 0 || described[i].Needs.Scope() == "" || c.Scopes.Has(described[i].Needs.Scope())
}
