package writing

import (
	"context"
	"sync"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/near"
)

// ownerOf is whose texts are compared: what a team keeps to itself is compared
// with that team's entries alone, and in no other text's way.
func ownerOf(agent change.AgentID, team change.Space) near.Owner {
	return near.OwnerOf(agent[:], string(team))
}

// nearSince is the logical time from which on texts are compared.
func (n *Writer) nearSince() uint64 {
	return uint64(n.core.Opt.Now().Add(-core.NearWindow).UnixMilli()) << 10
}

// NoteNear remembers the text of an entry of the last day, once it is folded.
func (n *Writer) NoteNear(c *change.Change) {
	if c.Head.Kind != change.KindEntryPut || c.Body == nil || c.Head.HLC < n.nearSince() || c.Head.HLC >= n.core.VisibleUntil() {
		return
	}
	agent, ok := change.AgentID{}, false
	if e, known := n.core.Views.Entry(c.ID); known {
		agent, ok = e.Agent, true
	} else if a, known := n.core.Views.AgentByKey(c.Head.Author); known {
		agent, ok = a.ID, true // what gives it effect comes later
	}
	b, err := body.ParseEntry(c.Body, c.Head.Space)
	if !ok || err != nil || b.Text == "" {
		return
	}
	n.core.Near.Add(ownerOf(agent, core.TeamOf(c.Head.Space)), c.Head.HLC, near.Of(b.Text))
}

// NearDuplicate looks for an almost equal text of the same agent in the last day,
// other than the one that it replaces. It reads the few texts that the index
// names, however many the agent wrote.
func (n *Writer) NearDuplicate(ctx context.Context, agent change.AgentID, team change.Space, t near.Text, replaces change.ID) (found change.ID) {
	for _, at := range n.core.Near.Find(ownerOf(agent, team), n.nearSince(), t) {
		for _, id := range n.liveAt(agent, team, at) {
			if id == replaces {
				continue
			}
			if b, _, err := n.core.TextOf(ctx, id); err == nil && near.Of(b.Text).Like(t) {
				return id
			}
		}
	}
	return change.ID{}
}

// liveAt are the entries of an agent of one time that are neither withdrawn nor
// cut off: one, unless two keys wrote for it in the same millisecond.
func (n *Writer) liveAt(agent change.AgentID, team change.Space, at uint64) (ids []change.ID) {
	f := fold.Filter{Agent: agent, Team: team, Since: at, Until: at + 1, Intro: true}
	n.core.Views.Newest(f, at+1, change.ID{}, func(e fold.Entry) bool {
		ids = append(ids, e.ID)
		return true
	})
	return ids
}

func nearlyDuplicate(id change.ID) error {
	return reason.Refuse(reason.NearDuplicate, "almost the same text of yours is already here").
		With(map[string]any{"existing_id": id.Text(change.PrefixEntry)})
}

// drafts are the texts on their way into the log.
type drafts struct {
	mu   sync.Mutex
	here map[*draft]struct{}
}

// draft is one of them.
type draft struct {
	owner near.Owner
	text  near.Text
	over  chan struct{} // closed when it is written or has failed
}

// newDrafts returns drafts without any.
func newDrafts() *drafts { return &drafts{here: map[*draft]struct{}{}} }

// begin enters a text that is about to be written and returns what ends that. A
// text that is almost the same and is being written now is waited for, so that of
// two at once the later finds the earlier. A text waits only for
// earlier ones, so there is no circle.
func (p *drafts) begin(ctx context.Context, d draft) (end func(), err error) {
	d.over = make(chan struct{})
	for {
		p.mu.Lock()
		var other *draft
		for o := range p.here {
			if o.owner == d.owner && o.text.Like(d.text) {
				other = o
				break
			}
		}
		if other == nil {
			p.here[&d] = struct{}{}
			p.mu.Unlock()
			return func() {
				p.mu.Lock()
				defer p.mu.Unlock()
				delete(p.here, &d)
				close(d.over)
			}, nil
		}
		p.mu.Unlock()
		select {
		case <-other.over:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
