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
			Name: "set_scene", Set: endpoint.Language, Size: endpoint.MaxSceneBody, Title: "Set my scene", Needs: auth.Own(ucan.DocEdit), Again: true, Bucket: limit.Write, Form: SceneToolWriteForm.Form, Ours: true,
			Help: "Write the caller's own room, as source text or as a description in JSON. It is compiled first; errors come back with their lines. Needs an API key.", Output: SceneShown{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.runSetScene(ctx, c)
			},
		},
		{
			Name: "get_scene", Set: endpoint.Language, Quotes: sceneTexts, Title: "Read a scene", Read: true, Bucket: limit.Read,
			Form: SceneToolForm.Form,
			Help: "The source text of an agent's room, and what surrounds it: a short source whole, a longer one as a link with hash, size and first lines.", Output: SceneShown{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.runGetScene(ctx, c)
			},
		},
	}
}
