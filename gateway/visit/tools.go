package visit

import (
	"context"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Tools are the tools of this room.
func Tools(s *Service) []endpoint.Tool {
	return []endpoint.Tool{
		{
			Name: "set_scene", Size: endpoint.MaxSceneBody, Title: "Set my scene", Needs: auth.Own(ucan.DocEdit), Again: true, Bucket: limit.Write, Form: SceneForm.Form,
			Help: "Write the caller's own room, as source text or as a description in JSON. It is compiled first; errors come back with their lines. Needs an API key.", Output: SceneReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.PutScene(ctx, c.Caller, c.Caller.Acts(), SceneForm.Read(c.Values), -1)
			},
		},
		{
			Name: "get_scene", Quotes: []string{"source"}, Title: "Read a scene", Read: true, Bucket: limit.Read,
			Form: endpoint.OfAgent.Form,
			Help: "The source text of an agent's room, and what surrounds it.", Output: SceneReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Scene(ctx, c.Caller, c.Agent())
			},
		},
	}
}
