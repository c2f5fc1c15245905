package fold

import (
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
)

// remark is what the views keep of a comment; its words stay in the log.
type remark struct {
	parent change.ID // zero for one of the first level
	guest  bool      // written for somebody without an agent
}

func (m remark) pack(w *writer) {
	w.id(m.parent)
	w.uint(map[bool]uint64{true: 1}[m.guest])
}

func unpackComment(r *reader) said { return remark{r.id(), r.uint() == 1} }

func readComment(c *change.Change) (change.ID, said, error) {
	b, err := body.ParseComment(c.Body, c.Head.Space, c.Head.Parents())
	return b.Target, remark{b.Parent, b.Guest != ""}, err
}

// Comment is a comment on an entry, or a note in a guestbook, without its words.
type Comment struct {
	Act
	Parent   change.ID // zero on the first level
	Depth    int       // 1…body.MaxCommentDepth
	Guest    bool      // written for somebody without an agent
	Deleted  bool      // by its agent, or hidden by who owns the thread
	Approved bool      // by the owner of a guestbook
	Up, Down int
}

// Comments are those that stand about an entry and the older ones it replaced, or
// in the guestbook of the agent whose genesis target is, in (hlc, id) order.
// Deleted ones are among them, since answers may hang on them.
//
// A comment stands when it lies in the space of its target, when the chain of
// comments it answers is here, about the same target and at most
// body.MaxCommentDepth long, and, for one of a guest, when its agent may speak
// for guests.
func (v *actQueries) Comments(target change.ID) []Comment {
	v.mu.Lock() // answers about rights are kept when first asked for
	defer v.mu.Unlock()
	return v.comments(target)
}

// Comment returns one comment that stands.
func (v *actQueries) Comment(id change.ID) (Comment, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	a := v.acts[id]
	if a == nil || a.kind != change.KindComment || a.off {
		return Comment{}, false
	}
	space, owner, ok := v.thread(a.target)
	depth := v.depth(a, space)
	if !ok || depth == 0 {
		return Comment{}, false
	}
	return v.describeComment(a, owner, depth), true
}

func (v *opinionFold) comments(target change.ID) []Comment {
	var out []Comment
	for _, id := range v.versionIDs(target) {
		space, owner, ok := v.thread(id)
		if !ok {
			continue
		}
		v.on(id, change.KindComment, func(a *act) {
			if depth := v.depth(a, space); depth > 0 {
				out = append(out, v.describeComment(a, owner, depth))
			}
		})
	}
	slices.SortFunc(out, func(a, b Comment) int {
		if later(a.HLC, a.ID, b.HLC, b.ID) {
			return 1
		}
		return -1
	})
	return out
}

// commentCount is how many comments of target are to be read.
func (v *opinionFold) commentCount(target change.ID) (n int) {
	for _, id := range v.versionIDs(target) {
		space, owner, ok := v.thread(id)
		if !ok {
			continue
		}
		v.on(id, change.KindComment, func(a *act) {
			if v.depth(a, space) > 0 && !v.deleted(a, owner) {
				n++
			}
		})
	}
	return n
}

func (v *opinionFold) describeComment(a *act, owner *agent, depth int) Comment {
	m := a.said.(remark)
	c := Comment{Act: v.describeAct(a), Parent: m.parent, Guest: m.guest, Depth: depth, Deleted: v.deleted(a, owner)}
	for _, e := range v.endorsements(a.id, body.Approve) {
		c.Approved = c.Approved || e.Agent == owner.id && e.Space == a.space
	}
	c.Up, c.Down = v.votes(a.id)
	return c
}

// thread is where comments about a target belong and whose they are to moderate:
// those of its author, or of the agent whose genesis it is.
func (v *opinionFold) thread(target change.ID) (change.Space, *agent, bool) {
	if e := v.entries[target]; e != nil {
		return e.place.space, e.agent, e.state != Excluded
	}
	if a := v.bound[target]; a != nil && slices.ContainsFunc(a.binds, func(b binding) bool { return b.id == target && b.seq == 1 && b.authority == nil }) {
		return a.id.Space(), a, true
	}
	return "", nil, false
}

// depth is the level of a comment in a thread in space, 0 when it does not stand.
func (v *opinionFold) depth(a *act, space change.Space) int {
	at := a
	for n := 1; n <= body.MaxCommentDepth; n++ {
		m := at.said.(remark)
		if at.space != space || m.guest && !v.speaksForGuests(at.agent) {
			return 0
		}
		if m.parent.IsZero() {
			return n
		}
		p := v.acts[m.parent]
		if p == nil || p.off || p.kind != change.KindComment || p.target != a.target {
			return 0
		}
		at = p
	}
	return 0
}

// speaksForGuests reports whether an agent is a gateway's: one that the manifest
// lists. A network without a manifest has nobody who could say so, and there every
// agent may.
func (v *agentFold) speaksForGuests(a *agent) bool {
	m := v.manifest()
	return m == nil || slices.ContainsFunc(m.body.Gateways, func(g body.Gateway) bool { return slices.Contains(a.rec.Keys, g.Key) })
}

// SpeaksForGuests reports whether comments that an agent writes for guests stand.
func (v *agentQueries) SpeaksForGuests(id change.AgentID) bool {
	v.mu.RLock()
	defer v.mu.RUnlock()
	a := v.agents[id]
	return a != nil && v.speaksForGuests(a)
}

// deleted reports whether a comment was retracted by its agent, or dismissed by a
// label of its agent or of who owns the thread. In a guestbook, where nobody but
// its owner can retract, the label is the only way.
func (v *opinionFold) deleted(a *act, owner *agent) bool {
	if a.retracted {
		return true
	}
	gone := false
	v.on(a.id, change.KindLabel, func(l *act) {
		gone = gone || l.said.(stamp) == dismissed && !l.retracted && l.space == a.space && (l.agent == owner || l.agent == a.agent)
	})
	return gone
}

// maxVersions is how far back words about an entry are looked for along the
// entries it replaced.
const maxVersions = 64

// versionIDs are target and, for an entry, those it replaced: the same agent's,
// each the newest that replaces the one before, so that what was said about an
// entry follows it along one line only.
func (v *entryFold) versionIDs(target change.ID) []change.ID {
	out := []change.ID{target}
	for e := v.entries[target]; e != nil && e.supersedes != nil && len(out) < maxVersions; {
		old := v.entries[*e.supersedes]
		if old == nil || v.heir(old) != e {
			break
		}
		out, e = append(out, old.id), old
	}
	return out
}

// heir is the newest entry with effect that replaces e for good, or nil.
func (v *entryFold) heir(e *entry) (best *entry) {
	for _, s := range v.successor[e.id] {
		if v.replaces(s, e) && (best == nil || compareEntries(best, s) < 0) {
			best = s
		}
	}
	return best
}
