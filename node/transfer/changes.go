package transfer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/near"
	"github.com/meshd/meshd/node/view"
)

// TakeIn takes in changes that were signed elsewhere and come to the API of this
// node: each proves itself. What gossip would withhold, the API refuses: stubs,
// kinds this release does not know, forks, times ahead of the clock, what the
// detectors find, and texts that are here. The answer has a place for each
// change, in the order given; changes may build on one another in any order. The
// error is a fault of this node.
func (n *Transfer) TakeIn(ctx context.Context, cs []*change.Change, may view.Quota) ([]view.TakenIn, error) {
	d := &intake{n: n, places: map[chainPlace]bool{}, texts: map[uint64]bool{}, near: map[string][]near.Text{}}
	defer d.release()
	out := make([]view.TakenIn, len(cs))
	bySet := map[string][]int{}
	here := map[change.ID]bool{}
	for i, c := range cs {
		known, err := n.has(ctx, c)
		if err != nil {
			return nil, err
		}
		if known || here[c.ID] {
			out[i].Known = true
			continue
		}
		set := change.SetOf(c.Head.Space, c.Head.Kind, n.core.Judge.Genesis().Shards)
		if out[i].Code, err = d.judge(ctx, set, c, may); err != nil {
			return nil, err
		}
		if out[i].Code == "" {
			here[c.ID] = true
			bySet[set] = append(bySet[set], i)
		}
	}
	for _, set := range inReconOrder(bySet) {
		if err := n.takeSet(ctx, set, cs, bySet[set], out); err != nil {
			return nil, err
		}
	}
	for _, t := range out {
		if t.Code != "" {
			n.core.Meter.Refused(t.Code, "door", 1)
		}
	}
	return out, nil
}

// has reports whether a change is here with its body, or without one for good.
func (n *Transfer) has(ctx context.Context, c *change.Change) (bool, error) {
	rec, err := n.core.Log.Get(ctx, c.ID)
	if errors.Is(err, crdtlog.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look a change up: %w", err)
	}
	return rec.State != crdtlog.Missing || c.Body == nil, nil
}

// inReconOrder are the sets in the order in which their changes build on one
// another: auth, open, team.
func inReconOrder(sets map[string][]int) []string {
	var names []string
	for name := range sets {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// takeSet hands the changes of one set to the committer and publishes them to peers.
func (n *Transfer) takeSet(ctx context.Context, set string, cs []*change.Change, at []int, out []view.TakenIn) error {
	batch := make([]*change.Change, len(at))
	for i, place := range at {
		batch[i] = cs[place]
	}
	got, err := n.core.Ingest.Receive(ctx, "door", set, batch)
	if err != nil {
		return fmt.Errorf("take changes in: %w", err)
	}
	net := n.peering.Net.Load()
	for i, place := range at {
		if out[place].Code = got.Codes[i]; got.Codes[i] != "" {
			continue
		}
		// Of a stub the head is a member; what is accepted here has its body too.
		if whole, err := n.has(ctx, batch[i]); err != nil {
			return err
		} else if !whole {
			out[place].Code = reason.AdmissionQuota
			continue
		}
		if net != nil && got.Held[i] == "" {
			net.Publish(set, batch[i])
		}
	}
	return nil
}

// intake judges the changes of one call before the committer sees them.
type intake struct {
	n      *Transfer
	places map[chainPlace]bool
	texts  map[uint64]bool        // keys of the texts of entries of this call
	near   map[string][]near.Text // the same texts, by author
	claims []func()
}

type chainPlace struct {
	chain change.Chain
	seq   uint64
}

func (d *intake) release() {
	for _, f := range d.claims {
		f()
	}
}

func (d *intake) judge(ctx context.Context, set string, c *change.Change, may view.Quota) (reason.Code, error) {
	n := d.n
	switch {
	case c.Body == nil:
		return reason.BadEncoding, nil
	case !rules.HasEffect(c.Head.Kind):
		return reason.UnknownKind, nil
	case strings.HasPrefix(set, "team/") && n.core.Log.Set(set) == nil:
		return reason.UnknownSpace, nil
	case !keys.Verify(c.Head.Author, c.ID.Preimage(), c.Head.Sig[:]) && c.Head.Sig2 == nil:
		return reason.BadChangeSignature, nil
	}
	if err := rules.Row(c); err != nil {
		return reason.Of(err), nil
	}
	if c.Head.HLC >= n.core.VisibleUntil() {
		return reason.ClockAhead, nil
	}
	at := chainPlace{c.Head.Chain(), c.Head.Seq}
	twins, err := n.core.Log.At(ctx, at.chain, at.seq)
	if err != nil {
		return "", fmt.Errorf("look for a fork: %w", err)
	}
	if slices.ContainsFunc(twins, func(id change.ID) bool { return id != c.ID }) || d.places[at] {
		return reason.ForkedAuthor, nil
	}
	who := view.Author{Key: c.Head.Author, Proven: c.Head.Sig2 == nil, Kind: c.Head.Kind, Opens: c.Head.Kind == change.KindBind && c.Head.Seq == 1}
	if a, ok := n.core.Views.AgentByKey(c.Head.Author); ok {
		who.Agent = a.ID
	}
	if code := may(who); code != "" {
		return code, nil
	}
	code, err := d.detect(ctx, who, c)
	if code == "" && err == nil {
		d.places[at] = true
	}
	return code, err
}

// detect runs the detectors over the texts of a change, and for an entry the rows
// about duplicates.
func (d *intake) detect(ctx context.Context, who view.Author, c *change.Change) (reason.Code, error) {
	switch c.Head.Kind {
	case change.KindEntryPut:
		return d.entry(ctx, who, c)
	case change.KindDocEdit:
		return d.n.secretInEdit(c), nil
	}
	m, err := cbor.DecodeMap(c.Body)
	if err != nil {
		return reason.BadEncoding, nil
	}
	return d.n.secretIn(m), nil
}

// secretIn is the code of the first text below v that a detector stops.
func (n *Transfer) secretIn(v any) reason.Code {
	switch x := v.(type) {
	case string:
		if f := n.core.Gate.Text("text", x); len(f) > 0 {
			return f[0].Code
		}
	case []any:
		for _, one := range x {
			if code := n.secretIn(one); code != "" {
				return code
			}
		}
	case cbor.Map:
		for key, one := range x {
			if key == "token" || key == "sig" { // of a grant or a proof, which a detector takes for a leak
				continue
			}
			if code := n.secretIn(one); code != "" {
				return code
			}
		}
	}
	return ""
}

// secretInEdit looks through the texts that an edit of a document writes.
func (n *Transfer) secretInEdit(c *change.Change) (code reason.Code) {
	e, err := body.ParseEdit(c.Body, func(name string) [16]byte {
		return doc.Actor(c.Head.Author, string(c.Head.Space), name)
	})
	if err != nil {
		return reason.Of(err)
	}
	e.Chunk.Texts(func(text string) bool {
		if f := n.core.Gate.Text("text", text); len(f) > 0 {
			code = f[0].Code
		}
		return code == ""
	})
	return code
}

// entry runs the gate over an entry.
func (d *intake) entry(ctx context.Context, who view.Author, c *change.Change) (reason.Code, error) {
	b, err := body.ParseEntry(c.Body, c.Head.Space)
	if err != nil {
		return reason.Of(err), nil
	}
	if code := d.n.judging.Detect(c.Head.Space.Domain(), b); code != "" {
		return code, nil
	}
	if b.Text == "" || c.Head.Space.Area() == change.AreaTeam {
		return "", nil // sold, or of members alone: nothing public is compared
	}
	key, text, author := core.TextKey("", b.Text), near.Of(b.Text), string(c.Head.Author[:])
	if d.texts[key] {
		return reason.Duplicate, nil
	}
	if slices.ContainsFunc(d.near[author], text.Like) {
		return reason.NearDuplicate, nil
	}
	release, existing, err := d.n.core.Copies.Claim(ctx, key, b.Supersedes)
	if err != nil {
		return "", fmt.Errorf("wait for the same text: %w", err)
	}
	if !existing.IsZero() {
		return reason.Duplicate, nil
	}
	d.claims = append(d.claims, release)
	if !who.Agent.IsZero() && !d.n.writing.NearDuplicate(ctx, who.Agent, "", text, b.Supersedes).IsZero() {
		return reason.NearDuplicate, nil
	}
	d.texts[key], d.near[author] = true, append(d.near[author], text)
	d.n.social.Judged.Put(c.ID, "")
	return "", nil
}

// ChangesIn returns the changes of a space that follow a local sequence, in order
// of arrival, up to most of them and a bounded number of bytes, and the sequence
// up to which it looked: where to go on, which is after when there is no more.
// What this node does not show comes without its body.
func (n *Transfer) ChangesIn(ctx context.Context, space change.Space, after uint64, most int) ([]*change.Change, uint64, error) {
	recs, reached, err := n.core.Log.SinceOf(ctx, after, crdtlog.Selection{
		Most: most, Bytes: maxChangesBytes, Scan: maxChangesScan, Keep: func(h *change.Head) bool { return h.Space == space },
	})
	if err != nil {
		return nil, after, fmt.Errorf("read the log: %w", err)
	}
	out := make([]*change.Change, len(recs))
	for i, r := range recs {
		if out[i] = r.Change; n.hides(ctx, r.Change) {
			out[i] = r.Change.Stub()
		}
	}
	return out, reached, nil
}

// hides reports whether the text of a change is not shown here: withdrawn, cut off
// or held back.
func (n *Transfer) hides(ctx context.Context, c *change.Change) bool {
	if c.Body == nil {
		return false
	}
	switch c.Head.Kind {
	case change.KindEntryPut:
		if c.Head.Space.Area() == change.AreaTeam {
			return false
		}
		_, err := n.knowledge.Entry(ctx, c.ID)
		return err != nil
	case change.KindComment:
		a, ok := n.core.Views.Act(c.ID)
		return !ok || a.Retracted || n.social.HeldAct(c) != ""
	}
	return false
}
