// Package rules decides membership (wire §1, §3, §9): whether a change belongs
// to its set, the same on every node for ever. It also runs the row of a body.
// It reads nothing but the change and its causal past: no clock, no limit, no
// revocation (those are admission and effect, and live elsewhere).
//
// A batch that arrives together goes through Authenticate, which finds the few
// signatures worth verifying, and then one by one through Judge.Check. Only
// Check makes a Verified, and the log appends nothing else.
package rules

import (
	"errors"
	"fmt"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan/v0"
)

// Verified is a member: a change that passed Check. The zero Verified is none.
type Verified struct {
	c   *change.Change
	set string
	own bool
	row reason.Code
}

// Change is the member, without its body when the body failed its row.
func (v Verified) Change() *change.Change { return v.c }

// Set is the set it belongs to.
func (v Verified) Set() string { return v.set }

// OwnSignature reports whether its own signature verifies. When false, it is a
// member by the signature of a descendant, and may only be relayed together
// with the run that proves it.
func (v Verified) OwnSignature() bool { return v.own }

// Row is the code of a body that failed its row, or "".
func (v Verified) Row() reason.Code { return v.row }

// Stub is the same member without its body, for a node that does not keep it. A
// control kind keeps its body, since membership reads it.
func (v Verified) Stub() Verified {
	if v.c != nil && change.LaneOf(v.c.Head.Kind) != change.Control {
		v.c = v.c.Stub()
	}
	return v
}

// Past is the log as Check reads it.
type Past interface {
	// Member returns the member of that id, nil when it is none. The body of a
	// control kind is always present; of other kinds it may be nil.
	Member(id change.ID) (*change.Change, error)
}

// Judge checks changes of one network, and reads those that are members. It is
// safe for concurrent use. Like its Reader it answers no differently for having
// been asked before.
type Judge struct {
	Reader

	genesis change.Genesis
	net     change.NetID
	tokens  *v0.Memo
}

// NewJudge makes a Judge for the network born as g.
func NewJudge(g change.Genesis) (*Judge, error) {
	net, err := g.ID()
	if err != nil {
		return nil, err
	}
	return &Judge{genesis: g, net: net, tokens: v0.NewMemo(memoSize)}, nil
}

// Net is the id of the network.
func (j *Judge) Net() change.NetID { return j.net }

// Genesis is what the network was born with.
func (j *Judge) Genesis() change.Genesis { return j.genesis }

// Check decides whether c is a member, given what Authenticate said of it and
// the past. The first rule that fails gives the refusal (wire §3). Its code's
// gossip verdict says what that means for the sender; missing_deps comes with
// the ids that are not here under details "missing". Any other error is a
// fault of past.
func (j *Judge) Check(c *change.Change, ev Evidence, past Past) (Verified, error) {
	h := c.Head
	if h.Net != j.net {
		return Verified{}, reason.Refuse(reason.BadEncoding, "the change belongs to network %s", h.Net)
	}
	// A second signature needs the author's record and is judged with it below.
	if ev == Unproven && h.Sig2 == nil {
		if err := h.Author.Check(); err != nil {
			return Verified{}, reason.Refuse(reason.BadEncoding, "author: %v", err)
		}
		return Verified{}, reason.Refuse(reason.BadChangeSignature, "no signature proves this change")
	}
	set := change.SetOf(h.Space, h.Kind, j.genesis.Shards)
	w := walk{judge: j, past: past, c: c, set: set}
	if err := w.references(); err != nil {
		return Verified{}, err
	}
	if err := w.authority(); err != nil {
		return Verified{}, err
	}
	v := Verified{c: c, set: set, own: ev == OwnSignature || h.Sig2 != nil}
	if c.Body == nil || change.LaneOf(h.Kind) == change.Control {
		return v, nil // the row of a control kind is part of authority
	}
	if err := j.Row(c, past); err != nil {
		var r *reason.Refusal
		if !errors.As(err, &r) || r.Code == reason.StoreDamaged {
			return Verified{}, err // of this node, and no verdict
		}
		v.row = r.Code
		v.c = c.Stub()
	}
	return v, nil
}

// ParseEdit reads the body of a doc.edit whose actor must fit its head.
func ParseEdit(c *change.Change) (body.Edit, error) {
	return body.ParseEdit(c.Body, func(name string) [16]byte {
		return doc.Actor(c.Head.Author, string(c.Head.Space), name)
	})
}

func missing(text string, ids ...change.ID) error {
	return reason.Refuse(reason.MissingDeps, "%s", text).With(map[string]any{"missing": ids})
}

// MissingIDs are the ids that a missing_deps refusal waits for.
func MissingIDs(err error) []change.ID {
	var r *reason.Refusal
	if !errors.As(err, &r) || r.Code != reason.MissingDeps {
		return nil
	}
	ids, _ := r.Details["missing"].([]change.ID)
	return ids
}

// walk is the check of one change, with the members it refers to.
type walk struct {
	judge *Judge
	past  Past
	c     *change.Change
	set   string
	prev  *change.Change
	deps  []*change.Change
	proof []*change.Change
}

// references checks prev, deps and proof: that they are here, continue the
// chain, lie in this set or in auth, and lie below in time.
func (w *walk) references() error {
	h := w.c.Head
	floor := uint64(w.judge.genesis.Start) << 10
	var absent []change.ID
	look := func(id change.ID) (*change.Change, error) {
		m, err := w.past.Member(id)
		if err != nil {
			return nil, fmt.Errorf("read the past: %w", err)
		}
		if m == nil {
			if !slices.Contains(absent, id) {
				absent = append(absent, id)
			}
			return nil, nil
		}
		floor = max(floor, m.Head.HLC+1)
		return m, nil
	}
	var err error
	if h.Seq > 1 {
		if w.prev, err = look(h.Prev); err != nil {
			return err
		}
	}
	for _, id := range h.Deps {
		m, err := look(id)
		if err != nil {
			return err
		}
		w.deps = append(w.deps, m)
	}
	for _, id := range h.Proof {
		m, err := look(id)
		if err != nil {
			return err
		}
		w.proof = append(w.proof, m)
	}
	if len(absent) > 0 {
		return missing("its past is not here yet", absent...)
	}
	if w.prev != nil && (w.prev.Head.Chain() != h.Chain() || w.prev.Head.Seq+1 != h.Seq) {
		return reason.Refuse(reason.BadSequence, "seq %d does not continue prev", h.Seq)
	}
	for _, m := range slices.Concat(w.deps, w.proof) {
		in := change.SetOf(m.Head.Space, m.Head.Kind, w.judge.genesis.Shards)
		if in != change.SetAuth && in != w.set {
			return reason.Refuse(reason.BadSequence, "refers to a change of set %s", in)
		}
	}
	if h.HLC < floor {
		return reason.Refuse(reason.BadSequence, "hlc is not above its past")
	}
	return nil
}

// signedTwice verifies both signatures of a control change by an author whose
// record names a post-quantum key, or that there is no second one.
func signedTwice(c *change.Change, pq []byte) error {
	h := c.Head
	if pq == nil {
		if h.Sig2 != nil {
			return reason.Refuse(reason.BadChangeSignature, "a second signature of a key that has none")
		}
		return nil
	}
	if h.Sig2 == nil {
		return reason.Refuse(reason.BadChangeSignature, "the author's key needs a second signature")
	}
	if !keys.VerifyHybrid(keys.HybridKey{Key: h.Author, PQ: pq}, change.HybridPurpose, h.Unsigned(), h.Sig[:], h.Sig2) {
		return reason.Refuse(reason.BadChangeSignature, "the two signatures do not verify")
	}
	return nil
}
