package node

import (
	"context"
	"sync"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/gate"
)

// print is what two texts are compared by: the hash of what is the same text, and
// the fingerprint of what is almost the same.
type print struct{ same, near uint64 }

func printOf(text string) print {
	return print{shortHash(gate.NormalHash(text)), gate.Simhash(text)}
}

// like reports whether two texts are almost the same.
func (p print) like(q print) bool { return gate.Distance(p.near, q.near) <= nearDistance }

// prints remembers the prints of entries, so that a write reads no texts to
// compare with. A text never changes, so nothing here is ever wrong; what is
// forgotten is computed again. Of two generations the older is dropped when the
// younger is full.
type prints struct {
	mu           sync.Mutex
	young, old   map[change.ID]print
	beingWritten map[*draft]struct{}
}

// draft is a text on its way into the log.
type draft struct {
	agent change.AgentID
	team  change.Space // "" for what everybody may read
	print print
	over  chan struct{} // closed when it is written or has failed
}

func newPrints() *prints {
	return &prints{young: map[change.ID]print{}, beingWritten: map[*draft]struct{}{}}
}

func (p *prints) get(id change.ID) (print, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.young[id]; ok {
		return known, true
	}
	known, ok := p.old[id]
	if ok {
		p.keep(id, known)
	}
	return known, ok
}

func (p *prints) put(id change.ID, of print) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keep(id, of)
}

func (p *prints) keep(id change.ID, of print) {
	if len(p.young) >= maxPrints/2 {
		p.old, p.young = p.young, make(map[change.ID]print, maxPrints/2)
	}
	p.young[id] = of
}

// drop forgets the print of a text that is gone.
func (p *prints) drop(id change.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.young, id)
	delete(p.old, id)
}

// begin enters a text that is about to be written and returns what ends that. A
// text that is almost the same and is being written now is waited for, so that of
// two at once the later finds the earlier. Who waits was entered later than who
// is waited for, so nobody waits in a circle.
func (p *prints) begin(ctx context.Context, d draft) (end func(), err error) {
	d.over = make(chan struct{})
	for {
		p.mu.Lock()
		var other *draft
		for o := range p.beingWritten {
			if o.agent == d.agent && o.team == d.team && o.print.like(d.print) {
				other = o
				break
			}
		}
		if other == nil {
			p.beingWritten[&d] = struct{}{}
			p.mu.Unlock()
			return func() {
				p.mu.Lock()
				defer p.mu.Unlock()
				delete(p.beingWritten, &d)
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

// printOfEntry is the print of an entry's text; false when its text is not here.
func (n *Node) printOfEntry(ctx context.Context, id change.ID) (print, bool) {
	if p, ok := n.prints.get(id); ok {
		return p, true
	}
	b, _, err := n.text(ctx, id)
	if err != nil || b.Text == "" {
		return print{}, false
	}
	p := printOf(b.Text)
	n.prints.put(id, p)
	return p, true
}

// nearDuplicate looks for an almost equal text of the same agent in the last day,
// other than the one that it replaces. What a team keeps to itself is compared
// with that team's entries alone, and in no other text's way.
func (n *Node) nearDuplicate(ctx context.Context, agent change.AgentID, team change.Space, p print, replaces change.ID) (found change.ID) {
	f := fold.Filter{Agent: agent, Team: team, Since: uint64(n.opt.Now().Add(-nearWindow).UnixMilli()) << 10, Intro: true}
	var recent []change.ID
	n.views.Newest(f, 0, change.ID{}, func(e fold.Entry) bool {
		if e.ID != replaces {
			recent = append(recent, e.ID)
		}
		return len(recent) < maxNearScan
	})
	for _, id := range recent {
		if q, ok := n.printOfEntry(ctx, id); ok && p.like(q) {
			return id
		}
	}
	return change.ID{}
}

func nearlyDuplicate(id change.ID) error {
	return reason.Refuse(reason.NearDuplicate, "almost the same text of yours is already here").
		With(map[string]any{"existing_id": id.Text(change.PrefixEntry)})
}
