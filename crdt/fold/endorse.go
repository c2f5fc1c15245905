package fold

import (
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/rights"
	"github.com/meshd/meshd/identity/did"
)

// endorsement is one change named by an endorse that is no readmission: those
// are the business of rights alone.
type endorsement struct {
	id    change.ID
	hlc   uint64
	as    string
	agent change.AgentID
	key   did.Key
	space change.Space
	use   rights.Use
}

// Endorsement is an endorse with effect that names a change.
type Endorsement struct {
	ID    change.ID
	HLC   uint64
	Agent change.AgentID
	Key   did.Key
	Space change.Space
}

// noteEndorse remembers what an endorse names.
func (v *folded) noteEndorse(c *change.Change) (ds []Delta) {
	b, err := body.ParseEndorse(c.Body)
	a := v.identity(c)
	if err != nil || a == nil || b.As == body.Readmit {
		return nil
	}
	e := endorsement{id: c.ID, hlc: c.Head.HLC, as: b.As, agent: a.id, key: c.Head.Author, space: c.Head.Space, use: v.rights.Use(c)}
	for _, id := range b.IDs {
		v.endorsed[id] = append(v.endorsed[id], e)
		if a := v.acts[id]; a != nil {
			v.recount(a)
		}
		ds = append(ds, Delta{Kind: Acted, ID: c.ID, Agent: a.id, Space: c.Head.Space, Target: id, Act: change.KindEndorse})
	}
	return ds
}

func (v *actFold) endorsements(id change.ID, as string) []Endorsement {
	var out []Endorsement
	for _, e := range v.endorsed[id] {
		if e.as == as && v.rights.Judge(e.use).OK {
			out = append(out, Endorsement{ID: e.id, HLC: e.hlc, Agent: e.agent, Key: e.key, Space: e.space})
		}
	}
	slices.SortFunc(out, func(a, b Endorsement) int {
		if later(a.HLC, a.ID, b.HLC, b.ID) {
			return 1
		}
		return -1
	})
	return out
}
