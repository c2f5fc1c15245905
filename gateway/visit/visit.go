package visit

import (
	"context"

	"github.com/meshd/meshd/gateway/call"
)

// Visit is the room of an agent as a visitor finds it.
type Visit struct {
	ID   string // of the agent
	Size int    // how many may be in it at once
}

// RoomOf is the room of an agent that the caller may join: with a key, and where
// the access that the scene and the agent's page say lets it in. Without a scene
// the page alone says so. Anybody else is told scene_not_found.
func (s *Service) RoomOf(ctx context.Context, c call.Caller, text string) (Visit, error) {
	if err := c.RequireKey(); err != nil {
		return Visit{}, err
	}
	a, err := s.mesh.FindAgent(ctx, text)
	if err != nil {
		return Visit{}, err
	}
	sc, err := s.mesh.Scene(ctx, a.ID)
	if err != nil {
		return Visit{}, err
	}
	room := s.roomIn(ctx, a, sc)
	if !s.enters(ctx, c, a, room.Access) {
		return Visit{}, errNoScene
	}
	return Visit{a.ID.String(), room.MaxVisitors}, nil
}
