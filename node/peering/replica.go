package peering

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/p2p/sync"
	"github.com/meshd/meshd/p2p/topic"
)

const idPrefix = 16 // bytes of an id by which a sketch knows it

// Replica shows the log to reconciliation.
type Replica struct{ Net *Network }

var _ sync.Replica = Replica{}

var _ sync.Gatekeeper = Replica{}

// Sets are the names of the sets that are kept equal with peers: the public ones, and those
// of the teams that are followed now.
func (r Replica) Sets() []string {
	return append(slices.Clone(r.Net.sets), r.Net.n.core.TeamSets()...)
}

// Set is a set by its name, nil when this node does not follow it.
func (r Replica) Set(name string) *recon.Set {
	set := r.Net.n.core.Log.Set(name)
	if set == nil && slices.Contains(r.Net.n.core.TeamSets(), name) {
		return r.Net.n.core.Log.Follow(name)
	}
	return set
}

// Items resolves ids and 16-byte prefixes of a set. Damage is no reason to know
// less than the set in memory does.
func (r Replica) Items(ctx context.Context, set string, ids [][]byte) ([]recon.Item, error) {
	var out []recon.Item
	var hidden [][]byte // by a damaged index
	for _, raw := range ids {
		it, ok, err := r.item(ctx, set, raw)
		switch {
		case errors.Is(err, crdtlog.ErrDamaged):
			hidden = append(hidden, raw)
		case err != nil:
			return nil, err
		case ok:
			out = append(out, it)
		}
	}
	if len(hidden) > 0 {
		out = append(out, r.Net.n.core.Log.Among(set, hidden)...)
	}
	return out, nil
}

func (r Replica) item(ctx context.Context, set string, raw []byte) (it recon.Item, ok bool, err error) {
	// The log finds members by their prefix; a whole id must match whole.
	id, ok, err := r.Net.n.core.Log.Resolve(ctx, set, raw[:min(len(raw), idPrefix)])
	if err != nil || !ok || !bytes.HasPrefix(id[:], raw) {
		return it, false, err
	}
	c, err := r.Net.n.core.Log.Member(id)
	if err != nil || c == nil {
		return it, false, err
	}
	return recon.Item{HLC: c.Head.HLC, ID: id}, true, nil
}

// Changes reads members for a peer. A head that was never verified by itself is
// verified now; when its own signature is bad it goes out with the run that
// proves it. Of damaged ones the head goes out alone if it is sound; a pass of
// repair is under way for them.
func (r Replica) Changes(ctx context.Context, set string, items []recon.Item) ([]sync.Run, error) {
	out := make([]sync.Run, 0, len(items))
	for _, it := range items {
		rec, err := r.Net.n.core.Log.Read(ctx, set, it)
		if errors.Is(err, crdtlog.ErrDamaged) {
			// What follows it in its chain needs the head alone.
			if rec, err = r.Net.n.core.Log.ReadHead(ctx, set, it); err == nil && change.LaneOf(rec.Change.Head.Kind) == change.Control {
				continue
			}
		}
		switch {
		case errors.Is(err, crdtlog.ErrNotFound), errors.Is(err, crdtlog.ErrDamaged) && ctx.Err() == nil:
			continue
		case err != nil:
			return nil, err
		}
		c := r.Net.n.social.Unblocked(rec.Change)
		if r.Net.n.account.Withheld(c) {
			continue
		}
		if rec.Own || keys.Verify(c.Head.Author, c.ID.Preimage(), c.Head.Sig[:]) {
			out = append(out, sync.Run{c})
			continue
		}
		run, err := r.Net.n.core.Log.Run(ctx, it.ID) // of one author, so not withheld
		if errors.Is(err, crdtlog.ErrDamaged) && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, r.Net.n.social.Relayed(run))
	}
	return out, nil
}

// Receive takes in what reconciliation brought.
func (r Replica) Receive(ctx context.Context, from peer.ID, set string, cs []*change.Change) (sync.Outcome, error) {
	out, err := r.Net.n.core.Ingest.Receive(ctx, from.String(), set, cs)
	if err != nil {
		return sync.Outcome{}, err
	}
	r.Net.n.scored(r.Net, from, out)
	if out.New > 0 {
		members := slices.Clone(cs[:0])
		for i, c := range cs {
			if out.Codes[i] == "" && out.Held[i] == "" {
				members = append(members, c)
			}
		}
		r.Net.PassOn(set, members)
	}
	deferred := out.Refused[reason.MissingDeps]
	delete(out.Refused, reason.MissingDeps)
	return sync.Outcome{
		New: out.New, Duplicates: out.Duplicates, Deferred: deferred, Refused: out.Refused, Missing: out.Missing,
	}, nil
}

// Refused counts a refusal against the peer that sent the change.
func (r Replica) Refused(from peer.ID, code reason.Code) {
	r.Net.n.core.Meter.Refused(code, "peer", 1)
	r.Net.Host.Guard().Refused(from, code)
}

// Judge answers for gossip.
type Judge struct{ Net *Network }

var _ topic.Judge = Judge{}

// Judge takes a gossiped change in and says what becomes of it. Detectors run
// here, before it is relayed; what they withhold is a member all the same.
func (j Judge) Judge(ctx context.Context, from peer.ID, set string, c *change.Change) reason.Code {
	n := j.Net.n
	if c.Body != nil {
		if err := rules.Row(c); err != nil {
			// Refused with its code on gossip; reconciliation may bring the head.
			n.core.Meter.Refused(reason.Of(err), "gossip", 1)
			return reason.Of(err)
		}
	}
	out, err := n.core.Ingest.Receive(ctx, from.String(), set, []*change.Change{c})
	if err != nil {
		return reason.Overloaded
	}
	if len(out.Missing) > 0 {
		j.Net.want(from, set, out.Missing)
	}
	if code := out.Codes[0]; code != "" {
		n.core.Meter.Refused(code, "gossip", 1)
		return code
	}
	switch {
	case out.Held[0] != "":
		return out.Held[0] // a member: others get it by reconciliation
	case out.Duplicates > 0:
		return reason.Duplicate
	case !rules.HasEffect(c.Head.Kind):
		return reason.UnknownKind
	}
	if _, forked := n.core.Views.Forked(c.Head.Chain()); forked {
		return reason.ForkedAuthor
	}
	return j.admit(ctx, c)
}

func (j Judge) admit(ctx context.Context, c *change.Change) reason.Code {
	n := j.Net.n
	if c.Head.HLC >= n.core.VisibleUntil() {
		return reason.ClockAhead
	}
	if n.social.NotRelayed(c.ID) || n.social.Blocked(c) {
		return reason.LabelDenied
	}
	if c.Head.Kind != change.KindEntryPut {
		return n.social.HeldAct(c)
	}
	f, ok := n.core.Views.Entry(c.ID)
	if !ok {
		return ""
	}
	b, _, err := n.core.TextOf(ctx, c.ID)
	if err != nil {
		return reason.Overloaded
	}
	return n.judging.HeldNow(f, b)
}
