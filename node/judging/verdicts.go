package judging

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

// Held is the code for which this node does not show an entry, or "", and whether
// detectors have looked at it. Public entries are judged when they arrive, one by
// one from gossip and in the background from everything else, never by a read:
// whoever sends many would make all reads slow.
func (n *Judging) Held(f fold.Entry, b body.Entry) (code reason.Code, looked bool) {
	if f.HLC >= n.core.VisibleUntil() {
		return reason.ClockAhead, true
	}
	if n.core.Admits.Waits(f.ID) {
		return reason.AdmissionRate, true
	}
	code, looked = n.social.Judged.Get(f.ID)
	if !looked && f.Space.Area() == change.AreaTeam { // of members, who are few
		code, looked = n.examine(f, b), true
	}
	if code != "" {
		return code, true
	}
	if f.Domain != "" && f.Space.Area() != change.AreaTeam && n.social.BlockBook.Has(block.Domain, f.Domain) {
		return reason.LabelDenied, looked
	}
	return n.social.Moderated(f.ID, f.Agent).Code, looked
}

// HeldNow is Held after running the detectors over the entry if they have not run yet.
func (n *Judging) HeldNow(f fold.Entry, b body.Entry) reason.Code {
	if _, looked := n.social.Judged.Get(f.ID); !looked {
		n.examine(f, b)
	}
	code, _ := n.Held(f, b)
	return code
}

// examine runs the detectors over an entry and notes what they say.
func (n *Judging) examine(f fold.Entry, b body.Entry) reason.Code {
	code := n.Detect(f.Domain, b)
	n.social.Judged.Put(f.ID, code)
	if code != "" {
		n.core.NotShown(f.ID, code)
	}
	return code
}

// Detect runs the detectors of the gate over an entry that came from elsewhere.
func (n *Judging) Detect(domain string, b body.Entry) reason.Code {
	d, err := gate.DraftOf(b, domain)
	if err != nil {
		return reason.Of(err)
	}
	d.ReceiptSHA256 = "" // compared where it was written
	if b.Text == "" {    // premium: the text is elsewhere
		for _, t := range append([]string{b.Title, b.Source}, append(b.Tags, b.Evidence...)...) {
			if f := n.core.Gate.Text("text", t); len(f) > 0 {
				return f[0].Code
			}
		}
		return ""
	}
	return n.core.Gate.Refusal(d)
}

// Arrived queues an entry or comment that came from elsewhere for the detectors. One
// that was written here has passed them.
func (n *Judging) Arrived(c *change.Change, local bool) {
	if c.Body == nil || c.Head.Kind != change.KindEntryPut && c.Head.Kind != change.KindComment {
		return
	}
	if local {
		n.social.Judged.Put(c.ID, "")
		return
	}
	if e, ok := n.core.Views.Entry(c.ID); ok && e.Space.Area() != change.AreaTeam {
		n.Pending.Push(c.ID, c.Head.HLC, n.esteems.now().has(e.Agent))
	} else if x, ok := n.core.Views.Comment(c.ID); ok {
		n.Pending.Push(c.ID, c.Head.HLC, n.esteems.now().has(x.Agent))
	}
}

// KeepJudging judges what waits, the newest of authors with standing first, in a
// quarter of the time of one core while much waits.
func (n *Judging) KeepJudging(ctx context.Context) {
	n.core.Views.Newest(fold.Filter{Intro: true}, 0, change.ID{}, func(e fold.Entry) bool {
		if _, looked := n.social.Judged.Get(e.ID); !looked {
			n.Pending.Push(e.ID, e.HLC, n.esteems.now().has(e.Agent))
		}
		return true
	})
	for ctx.Err() == nil {
		id, ok := n.Pending.Pop()
		if !ok {
			select {
			case <-ctx.Done():
			case <-n.Pending.Arrived():
			}
			continue
		}
		if _, looked := n.social.Judged.Get(id); looked {
			continue
		}
		begun := time.Now()
		// What cannot be read is purged or damaged, and comes again with its body.
		if f, ok := n.core.Views.Entry(id); ok {
			if b, _, err := n.core.TextOf(ctx, id); err == nil {
				n.examine(f, b)
			}
		} else if c, ok := n.core.Views.Comment(id); ok {
			_, _ = n.social.ShowComment(ctx, c)
		}
		if n.Pending.Len() > judgeAtOnce {
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

// BlursUnjudged reports whether entries that detectors have not seen stand in
// their place without their text, instead of behind all others.
func (n *Judging) BlursUnjudged() bool {
	return n.core.Config().Moderation.Unjudged == config.UnjudgedBlur
}

// KeepsFiles reports whether what is derived is kept in the home.
func (n *Judging) KeepsFiles() bool {
	return n.core.Opt.Engine == nil && n.core.Config().Storage.Engine != "memory"
}

// LoadVerdicts reads what SaveVerdicts wrote. What cannot be read, or is of another version
// of the program, is judged anew.
func (n *Judging) LoadVerdicts() {
	n.social.Judged = judged.NewBook()
	if !n.KeepsFiles() {
		return
	}
	data, err := os.ReadFile(n.core.Opt.Home.Path(store.StoreDir, verdictsFile))
	if err == nil {
		var book *judged.Book
		if book, err = judged.ReadBook(data, n.core.Opt.Version); err == nil {
			n.social.Judged = book
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		n.core.Opt.Log.Warn("verdicts not used; entries are judged anew", "err", err)
	}
}

// SaveVerdicts writes the verdicts when there are others than last time.
func (n *Judging) SaveVerdicts() {
	have := int64(n.social.Judged.Len())
	if !n.KeepsFiles() || n.savedVerdicts.Swap(have) == have {
		return
	}
	if err := store.AtomicWrite(n.core.Opt.Home.Path(store.StoreDir, verdictsFile), n.social.Judged.Append(nil, n.core.Opt.Version), 0o600); err != nil {
		n.savedVerdicts.Store(0)
		n.core.Opt.Log.Warn("verdicts not written; entries are judged anew at the next start", "err", err)
	}
}
