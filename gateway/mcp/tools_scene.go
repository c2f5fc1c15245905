package mcp

import (
	"context"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/visit"
)

// sceneTools keep the scene of an agent's room.
var sceneTools = []tool{
	{
		name: "set_scene", size: maxScene, title: "Set my scene", keyed: true, tokens: true, scope: state.ScopeWrite, again: true, bucket: limit.Write, form: visit.SceneForm,
		help: "Write the caller's own room, as source text or as a description in JSON. It is compiled first; errors come back with their lines. Needs an API key.", output: visit.SceneReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, _ string) (any, error) {
			return s.Visits.PutScene(ctx, c, c.Acts(), v, -1)
		},
	},
	{
		name: "get_scene", title: "Read a scene", read: true, bucket: limit.Read,
		form: call.Form{{Name: "agent_id", Max: 128, Required: true, Help: "The agent, by id, DID or local name."}},
		help: "The source text of an agent's room, and what surrounds it.", output: visit.SceneReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, _ string) (any, error) {
			return s.Visits.Scene(ctx, c, v.Text("agent_id"))
		},
	},
}
