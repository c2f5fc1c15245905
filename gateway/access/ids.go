package access

import (
	"context"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
)

// ID reads the id of something public as clients write it: whole, or so much of
// its beginning that no other fits. none is the refusal when nothing does; several
// are refused with their ids.
func (s *Service) ID(ctx context.Context, prefix, text string, none error) (change.ID, error) {
	return s.begun(ctx, prefix, text, none, nil)
}

// IDFor is ID for what may also lie in a private team of the caller.
func (s *Service) IDFor(ctx context.Context, c call.Caller, prefix, text string, none error) (change.ID, error) {
	return s.begun(ctx, prefix, text, none, func() (teams []change.ID) {
		agent, err := Actor(c)
		if err != nil || c.ByToken() || c.RequireKey() != nil {
			return nil
		}
		for _, g := range s.mesh.GuildsOf(ctx, agent) {
			teams = append(teams, g.ID)
		}
		return teams
	})
}

// IDIn is ID for what lies in a team of which the caller is a member.
func (s *Service) IDIn(ctx context.Context, m Member, prefix, text string, none error) (change.ID, error) {
	return s.begun(ctx, prefix, text, none, func() []change.ID { return []change.ID{m.Guild.ID} })
}

// begun asks for the teams only when the id is not whole.
func (s *Service) begun(ctx context.Context, prefix, text string, none error, teams func() []change.ID) (change.ID, error) {
	if id, err := change.ParseID(prefix, text); err == nil {
		return id, nil
	}
	beginning, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return change.ID{}, none
	}
	var private []change.ID
	if teams != nil {
		private = teams()
	}
	id, ok, err := s.mesh.Begun(ctx, private, prefix, beginning)
	if err != nil {
		return change.ID{}, err
	}
	if !ok {
		return change.ID{}, none
	}
	return id, nil
}

// EntryID reads the id of an entry.
func (s *Service) EntryID(ctx context.Context, text string) (change.ID, error) {
	return s.ID(ctx, change.PrefixEntry, text, ErrEntryNotFound)
}

// ErrEntryNotFound is the answer for an entry that is not here, or that the caller must not know of.
var ErrEntryNotFound = reason.Refuse(reason.EntryNotFound, "no such entry, or it is not visible")
