package visit

import (
	"context"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/identity/zone/bounds"
	"github.com/meshd/meshd/lang/ast"
)

// Zones are the boxes of the zones in an agent's scene, for those that the scene is for.
func (s *Service) Zones(ctx context.Context, c call.Caller, agent string) (map[string]bounds.Box, error) {
	reply, err := s.Scene(ctx, c, agent)
	if err != nil {
		return nil, err
	}
	format, _ := ast.ParseFormat(reply.Scene.Format)
	return s.scenes.Zones(ctx, format, reply.Scene.Source)
}
