package mcp

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/welcome"
)

// CompletePromptArgument completes an argument of a prompt.
func (m *Server) CompletePromptArgument(ctx context.Context, name string, arg mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	if m.cfg.Conformance && isFixturePrompt(name) {
		return &mcp.Completion{Values: []string{}}, nil
	}
	for i := range prompts {
		if prompts[i].name != name {
			continue
		}
		for _, a := range prompts[i].args {
			if a.name == arg.Name {
				return m.complete(ctx, a.complete, arg.Value)
			}
		}
	}
	return nil, m.refuse(ctx, reason.Refuse(reason.InvalidParam, "no such argument of a prompt"), "")
}

// CompleteResourceArgument completes the variable of a template.
func (m *Server) CompleteResourceArgument(ctx context.Context, uri string, arg mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	for i := range resources {
		if r := &resources[i]; r.variable != "" && r.pattern() == uri && r.variable == arg.Name {
			return m.complete(ctx, r.complete, arg.Value)
		}
	}
	return nil, m.refuse(ctx, reason.Refuse(reason.InvalidParam, "no such variable of a template"), "")
}

// complete asks for suggestions; nil has none.
func (m *Server) complete(ctx context.Context, suggest func(context.Context, *service.Service, string) (welcome.Suggestions, error), begun string) (_ *mcp.Completion, err error) {
	defer m.rescue(ctx, "", &err)
	if refusal := m.allow(ctx, limit.Read); refusal != nil {
		return nil, m.refuse(ctx, refusal, "")
	}
	out := &mcp.Completion{Values: []string{}}
	if suggest == nil || len(begun) > maxVariable {
		return out, nil
	}
	ctx, cancel := exchangeOf(ctx).limit(ctx, 0)
	defer cancel()
	s, err := suggest(ctx, m.service, begun)
	if err != nil {
		return nil, m.refuse(ctx, late(ctx, err), "")
	}
	out.Values, out.Total = append(out.Values, s.Values...), s.Total
	out.HasMore = s.Total > len(s.Values)
	return out, nil
}
