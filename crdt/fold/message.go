package fold

import (
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
)

// note is what the views keep of a message: whom it is for. The text stays in
// the log.
type note struct{ to change.AgentID }

func (n note) pack(w *writer) { w.id(n.to) }

func unpackNote(r *reader) said { return note{change.AgentID(r.id())} }

// readMessage files a message under its team.
func readMessage(c *change.Change) (change.ID, said, error) {
	b, err := body.ParseMessage(c.Body)
	guild, _ := c.Head.Space.Guild()
	return guild, note{b.To}, err
}

// MessagePlace is a place in the messages of a team; the zero place is after the
// newest.
type MessagePlace struct {
	HLC uint64
	ID  change.ID
}

// Messages yields the messages of a team that have effect and were not retracted,
// newest first from before a place, until yield returns false. to is whom a
// message is for, zero for the team. yield must not ask the views.
func (v *actQueries) Messages(guild change.ID, before MessagePlace, yield func(a Act, to change.AgentID) bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	all := v.about[guild]
	end := len(all)
	if before.HLC > 0 {
		end, _ = slices.BinarySearchFunc(all, before, func(a *act, p MessagePlace) int {
			if a.hlc != p.HLC {
				if a.hlc < p.HLC {
					return -1
				}
				return 1
			}
			return a.id.Compare(p.ID)
		})
	}
	for i := end - 1; i >= 0; i-- {
		if a := all[i]; a.kind == change.KindMessage && !a.off && !a.retracted && !yield(v.describeAct(a), a.said.(note).to) {
			return
		}
	}
}
