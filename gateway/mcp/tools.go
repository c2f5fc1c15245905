package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/scene"
	"github.com/meshd/meshd/gateway/schema"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/twin"
)

// described are the tools in the order in which clients see them, without the rooms behind
// them. The own ones refer to it when they run.
var described []endpoint.Tool

func init() { described = inOrder(slices.Concat(new(service.Service).Tools(), ownTools())) }

// Tools are the names of all tools that a client over HTTP can be shown, in their order.
func Tools() []string {
	var names []string
	for i := range described {
		if described[i].Name != enableTool {
			names = append(names, described[i].Name)
		}
	}
	return names
}

// inputOf is the schema of the arguments of a tool.
func inputOf(t *endpoint.Tool) (json.RawMessage, error) {
	form := slices.Clone(t.Form)
	for i := range form {
		form[i].Help = twin.NameTools(form[i].Help)
	}
	in, err := json.Marshal(schema.OfForm(form, false))
	if err != nil {
		return nil, fmt.Errorf("encode input schema of %s: %w", t.Name, err)
	}
	return append([]byte(`{"$schema":"`+schema.Dialect+`",`), in[1:]...), nil
}

// declare is a tool as clients see it.
func declare(t *endpoint.Tool) (mcp.Tool, error) {
	in, err := inputOf(t)
	if err != nil {
		return mcp.Tool{}, err
	}
	results := []any{t.Output}
	if t.Paid {
		results = append(results, asking{})
	}
	out, err := schema.Output(results...)
	if err != nil {
		return mcp.Tool{}, fmt.Errorf("declare %s: %w", t.Name, err)
	}
	if out, err = schema.Outline(out, slices.Collect(maps.Keys(lists[t.Name]))...); err != nil {
		return mcp.Tool{}, fmt.Errorf("declare %s: %w", t.Name, err)
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
