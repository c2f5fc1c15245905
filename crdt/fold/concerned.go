package fold

import (
	"slices"

	"github.com/meshd/meshd/crdt/change"
)

// Concerned are the entries whose effect the rights in a space can decide, shown
// or not, by (hlc, id): of the space of an agent those that it wrote anywhere, of
// the space of a guild or team those written in either of its spaces.
func (v *entryQueries) Concerned(space change.Space) []Entry {
	v.mu.RLock()
	defer v.mu.RUnlock()
	agent, ofAgent := space.Agent()
	guild, ofGuild := space.Guild()
	var found []*entry
	for _, e := range v.entries {
		id, in := e.place.space.Guild()
		if ofAgent && e.agent.id == agent || ofGuild && in && id == guild {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, compareEntries)
	out := make([]Entry, len(found))
	for i, e := range found {
		out[i] = v.describe(e)
	}
	return out
}
