package stream

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/journal"
	"github.com/meshd/meshd/identity/zone"
	"github.com/meshd/meshd/node/view"
)

// MemoryChannel is what happens to one document.
func (s *Service) MemoryChannel(ctx context.Context, c call.Caller, id string) (*Channel, error) {
	p, _, err := s.memory.Place(ctx, c, id, zone.Read)
	if err != nil {
		return nil, err
	}
	if _, err := s.mesh.Memory(ctx, p.Space, p.Name); err != nil {
		return nil, err
	}
	ch := &Channel{s: s, caller: c, team: p.Guild, domain: p.ID, Resync: "GET /api/crdt/" + p.ID + "/state", view: journal.View{Audiences: []string{journal.Public}}}
	if !p.Guild.IsZero() {
		ch.view.Audiences = []string{journal.Team(p.Guild.Text(change.PrefixGuild))}
	}
	if view.ZonedID(p.ID) {
		ch.view.Audiences = []string{journal.Zoned(p.ID)}
		ch.again = func(ctx context.Context) error {
			_, _, err := s.memory.Place(ctx, c, id, zone.Read)
			return err
		}
	}
	return ch, nil
}
