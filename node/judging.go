package node

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/block"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/judged"
	"github.com/meshd/meshd/node/store"
)

// verdictsFile keeps what detectors said over a restart. It may be deleted at any
// time: everything is judged anew then.
const verdictsFile = "verdicts"

// held is the code for which this node does not show an entry, or "", and whether
// detectors have looked at it. Public entries are judged when they arrive, one by
// one from gossip and in the background from everything else, never by a read:
// whoever sends many would make all reads slow.
func (n *Node) held(f fold.Entry, b body.Entry) (code reason.Code, looked bool) {
	if f.HLC >= n.visibleUntil() {
		return reason.ClockAhead, true
	}
	if n.admits.waits(f.ID) {
		return reason.AdmissionRate, true
	}
	code, looked = n.judged.Get(f.ID)
	if !looked && f.Space.Area() == change.AreaTeam { // of members, who are few
		code, looked = n.examine(f, b), true
	}
	if code != "" {
		return code, true
	}
	if f.Domain != "" && f.Space.Area() != change.AreaTeam && n.blocks.Has(block.Domain, f.Domain) {
		return reason.LabelDenied, looked
	}
	return n.moderated(f.ID, f.Agent).code, looked
}

// heldNow is held of an entry that detectors look at now if they have not yet.
func (n *Node) heldNow(f fold.Entry, b body.Entry) reason.Code {
	if _, looked := n.judged.Get(f.ID); !looked {
		n.examine(f, b)
	}
	code, _ := n.held(f, b)
	return code
}

// examine runs the detectors over an entry and notes what they say.
func (n *Node) examine(f fold.Entry, b body.Entry) reason.Code {
	code := n.detect(f.Domain, b)
	n.judged.Put(f.ID, code)
	if code != "" {
		n.notShown(f.ID, code)
	}
	return code
}

// detect runs the detectors of the gate over an entry that came from elsewhere.
func (n *Node) detect(domain string, b body.Entry) reason.Code {
	d, err := gate.DraftOf(b, domain)
	if err != nil {
		return reason.Of(err)
	}
	d.ReceiptSHA256 = "" // compared where it was written
	if b.Text == "" {    // premium: the text is elsewhere
		for _, t := range append([]string{b.Title, b.Source}, append(b.Tags, b.Evidence...)...) {
			if f := n.gate.Text("text", t); len(f) > 0 {
				return f[0].Code
			}
		}
		return ""
	}
	return n.gate.Refusal(d)
}

// arrived queues an entry or comment that came from elsewhere for the detectors. One
// that was written here has passed them.
func (n *Node) arrived(c *change.Change, local bool) {
	if c.Body == nil || c.Head.Kind != change.KindEntryPut && c.Head.Kind != change.KindComment {
		return
	}
	if local {
		n.judged.Put(c.ID, "")
		return
	}
	if e, ok := n.views.Entry(c.ID); ok && e.Space.Area() != change.AreaTeam {
		n.unjudged.Push(c.ID, c.Head.HLC, n.esteems.now().has(e.Agent))
	} else if x, ok := n.views.Comment(c.ID); ok {
		n.unjudged.Push(c.ID, c.Head.HLC, n.esteems.now().has(x.Agent))
	}
}

// keepJudging judges what waits, the newest of authors with standing first, in a
// quarter of the time of one core while much waits.
func (n *Node) keepJudging(ctx context.Context) {
	n.views.Newest(fold.Filter{Intro: true}, 0, change.ID{}, func(e fold.Entry) bool {
		if _, looked := n.judged.Get(e.ID); !looked {
			n.unjudged.Push(e.ID, e.HLC, n.esteems.now().has(e.Agent))
		}
		return true
	})
	for ctx.Err() == nil {
		id, ok := n.unjudged.Pop()
		if !ok {
			select {
			case <-ctx.Done():
			case <-n.unjudged.Arrived():
			}
			continue
		}
		if _, looked := n.judged.Get(id); looked {
			continue
		}
		begun := time.Now()
		// What cannot be read is purged or damaged, and comes again with its body.
		if f, ok := n.views.Entry(id); ok {
			if b, _, err := n.text(ctx, id); err == nil {
				n.examine(f, b)
			}
		} else if c, ok := n.views.Comment(id); ok {
			_, _ = n.showComment(ctx, c)
		}
		if n.unjudged.Len() > judgeAtOnce {
			pause(ctx, min(3*time.Since(begun), maxJudgePause))
		}
	}
}

// pause waits, or returns early when ctx ends.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// blursUnjudged reports whether entries that detectors have not seen stand in
// their place without their text, instead of behind all others.
func (n *Node) blursUnjudged() bool {
	return n.Config().Moderation.Unjudged == config.UnjudgedBlur
}

// keepsFiles reports whether what is derived is kept in the home.
func (n *Node) keepsFiles() bool {
	return n.opt.Engine == nil && n.Config().Storage.Engine != "memory"
}

func (n *Node) loadVerdicts() {
	n.judged = judged.NewBook()
	if !n.keepsFiles() {
		return
	}
	data, err := os.ReadFile(n.opt.Home.Path(store.StoreDir, verdictsFile))
	if err == nil {
		var book *judged.Book
		if book, err = judged.ReadBook(data, n.opt.Version); err == nil {
			n.judged = book
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		n.opt.Log.Warn("verdicts not used; entries are judged anew", "err", err)
	}
}

// saveVerdicts writes the verdicts when there are others than last time.
func (n *Node) saveVerdicts() {
	have := int64(n.judged.Len())
	if !n.keepsFiles() || n.savedVerdicts.Swap(have) == have {
		return
	}
	if err := store.AtomicWrite(n.opt.Home.Path(store.StoreDir, verdictsFile), n.judged.Append(nil, n.opt.Version), 0o600); err != nil {
		n.savedVerdicts.Store(0)
		n.opt.Log.Warn("verdicts not written; entries are judged anew at the next start", "err", err)
	}
}
