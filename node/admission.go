package node

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/gate"
)

// verdicts remember what this node's detectors said of entries. They are local
// and never touch what is a member or what has effect; a better rule set judges
// anew at the next start.
type verdicts struct {
	mu    sync.Mutex
	codes map[change.ID]reason.Code
}

func newVerdicts() *verdicts { return &verdicts{codes: map[change.ID]reason.Code{}} }

func (v *verdicts) get(id change.ID) (reason.Code, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	code, ok := v.codes[id]
	return code, ok
}

func (v *verdicts) put(id change.ID, code reason.Code) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.codes) >= maxVerdicts {
		clear(v.codes)
	}
	v.codes[id] = code
}

// held is the code for which this node does not show an entry, or "". Entries
// are judged when they are first shown, gossiped, or ahead of that in the
// background: judging ten thousand at the moment they arrive would make joining
// a matter of regular expressions.
func (n *Node) held(f fold.Entry, b body.Entry) reason.Code {
	if f.HLC >= n.visibleUntil() {
		return reason.ClockAhead
	}
	code, ok := n.judged.get(f.ID)
	if !ok {
		code = n.detect(f.Domain, b)
		n.judged.put(f.ID, code)
	}
	if code != "" {
		return code
	}
	return n.moderated(f.ID, f.Agent).code
}

// detect runs the detectors of the gate over an entry that came from elsewhere.
func (n *Node) detect(domain string, b body.Entry) reason.Code {
	d := gate.Draft{
		Type: b.Type, Content: b.Text, Domain: domain, Title: b.Title, Tags: b.Tags, Evidence: b.Evidence, Receipt: b.Receipt,
		Source: b.Source,
	}
	if b.Meta != nil {
		if err := json.Unmarshal(b.Meta, &d.Metadata); err != nil {
			return reason.BadEncoding
		}
	}
	if b.Text == "" { // premium: the text is elsewhere
		for _, t := range append([]string{b.Title, b.Source}, append(b.Tags, b.Evidence...)...) {
			if f := n.gate.Text("text", t); len(f) > 0 {
				return f[0].Code
			}
		}
		return ""
	}
	if codes := n.gate.Check(d).Codes(); len(codes) > 0 {
		return codes[0]
	}
	return ""
}

// judgeAhead judges the newest entries before anyone asks for them, a few at a
// time, so that it never competes with taking changes in.
func (n *Node) judgeAhead(ctx context.Context) {
	sub := n.bus.SubscribeLossy(eventsEntryCreated, 1)
	defer sub.Close()
	tick := time.NewTicker(judgePause)
	defer tick.Stop()
	for {
		for _, e := range n.unjudged() {
			seen := n.agents.gen.Load()
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if n.agents.gen.Load() != seen {
				break // something arrives: look again when it is quiet
			}
			if b, _, err := n.text(ctx, e.ID); err == nil {
				n.held(e, b)
			}
		}
		select {
		case <-ctx.Done():
			return
		case _, ok := <-sub.C():
			if !ok {
				return
			}
		}
	}
}

func (n *Node) unjudged() (out []fold.Entry) {
	seen := 0
	n.views.Newest(fold.Filter{Intro: true}, 0, change.ID{}, func(e fold.Entry) bool {
		if _, done := n.judged.get(e.ID); !done {
			out = append(out, e)
		}
		seen++
		return seen < judgeAhead
	})
	return out
}
