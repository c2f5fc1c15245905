package rules_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rules"
)

// member checks c alone and keeps it.
func (m *maker) member(past log, c *change.Change) rules.Verified {
	m.t.Helper()
	v, err := check(m.judge, past, vectortest.Of(c))
	if err != nil {
		m.t.Fatalf("a %s: %v", c.Head.Kind, err)
	}
	past[v.Change().ID] = v.Change()
	return v
}

func TestMissingDepsListsEveryID(t *testing.T) {
	t.Parallel()
	m := newMaker(t, vectorNet())
	ada := key(0x11)
	bind := m.bind(ada, body.Bind{Name: "Ada"})
	one := m.seal(ada, m.entryDraft(bind, "go", entry()))
	dep := change.ID{7}
	d := on(one, m.entryDraft(bind, "go", entry()))
	d.Deps, d.Proof, d.HLC = []change.ID{dep}, ids(bind, bind), start+9
	past := log{}
	_, err := check(m.judge, past, vectortest.Of(m.seal(ada, d)))
	if got := rules.MissingIDs(err); reason.Of(err) != reason.MissingDeps || !slices.Equal(got, []change.ID{one.ID, dep, bind.ID}) {
		t.Errorf("%v: missing %v", err, got)
	}
	if got := rules.MissingIDs(fmt.Errorf("receive: %w", err)); len(got) != 3 {
		t.Errorf("wrapped: missing %v", got)
	}
	m.member(past, bind)
	m.member(past, one)
	_, err = check(m.judge, past, vectortest.Of(m.seal(ada, d)))
	if got := rules.MissingIDs(err); !slices.Equal(got, []change.ID{dep}) {
		t.Errorf("missing %v", got)
	}
	_, err = check(m.judge, past, vectortest.Of(m.bind(key(0x22), body.Bind{Name: "Bo"}).Stub()))
	if got := rules.MissingIDs(err); len(got) != 1 {
		t.Errorf("control stub: missing %v", got)
	}
	if rules.MissingIDs(nil) != nil || rules.MissingIDs(errors.New("x")) != nil || rules.MissingIDs(reason.Refuse(reason.BadSequence, "x")) != nil {
		t.Error("another error is missing something")
	}
}

func TestForksAreBothMembers(t *testing.T) {
	t.Parallel()
	w := worldtest.New(1)
	ada := w.Agent("ada")
	twin := ada.Clone() // forks the genesis
	bind, other := ada.Bind(), twin.BindAs(body.Bind{Name: "ada too"})
	one := ada.Entry("go", "one")
	branch := ada.Clone()
	a, b := ada.Entry("go", "two"), branch.Entry("go", "another two")
	vs := w.Verify(bind, other, one, a, b)
	for i, v := range vs {
		if v.Row() != "" || v.Change() == nil {
			t.Errorf("change %d: row %q", i, v.Row())
		}
	}
	if a.Head.Seq != b.Head.Seq || a.ID == b.ID || bind.Head.Seq != other.Head.Seq {
		t.Error("the history is no fork")
	}
}

// brokenPast fails at the nth read.
type brokenPast struct {
	rules.Past
	left int
	err  error
}

func (p *brokenPast) Member(id change.ID) (*change.Change, error) {
	if p.left--; p.left < 0 {
		return nil, p.err
	}
	return p.Past.Member(id)
}

func TestFaultOfThePastIsNoRefusal(t *testing.T) {
	t.Parallel()
	m := newMaker(t, vectorNet())
	ada := key(0x11)
	past := log{}
	bind := m.bind(ada, body.Bind{Name: "Ada"})
	m.member(past, bind)
	second := m.seal(ada, m.later(bind, bind, body.Bind{}))
	m.member(past, second)
	d := m.later(second, second, body.Bind{})
	d.Deps = ids(bind)
	c := m.seal(ada, d)
	fault := errors.New("disk")
	for n := range 4 { // prev, dep, proof, and the genesis behind the proof
		_, err := m.judge.Check(c, rules.OwnSignature, &brokenPast{past, n, fault})
		if !errors.Is(err, fault) || reason.Of(err) != reason.Internal {
			t.Errorf("read %d: %v", n, err)
		}
	}
	if _, err := m.judge.Check(c, rules.OwnSignature, &brokenPast{past, 4, fault}); err != nil {
		t.Errorf("after the last read: %v", err)
	}
}

func TestRowFailureKeepsTheHead(t *testing.T) {
	t.Parallel()
	m := newMaker(t, vectorNet())
	ada := key(0x11)
	past := log{}
	bind := m.bind(ada, body.Bind{Name: "Ada"})
	m.member(past, bind)
	d := m.entryDraft(bind, "go", entry())
	d.Body = []byte{0xa0}
	c := m.seal(ada, d)
	v, err := m.judge.Check(c, rules.OwnSignature, past)
	if err != nil {
		t.Fatal(err)
	}
	if v.Row() != reason.BadEncoding || !v.Change().IsStub() || v.Change().ID != c.ID || c.IsStub() {
		t.Errorf("row %q, stub %t", v.Row(), v.Change().IsStub())
	}
}

func TestOwnSignatureNamesItsProof(t *testing.T) {
	t.Parallel()
	m := newMaker(t, vectorNet())
	ada := key(0x11)
	past := log{}
	bind := m.bind(ada, body.Bind{Name: "Ada"})
	m.member(past, bind)
	c := m.seal(ada, m.entryDraft(bind, "go", entry()))
	for ev, own := range map[rules.Evidence]bool{rules.OwnSignature: true, rules.ByDescendant: false} {
		if v, err := m.judge.Check(c, ev, past); err != nil || v.OwnSignature() != own {
			t.Errorf("evidence %d: own %t, %v", ev, v.OwnSignature(), err)
		}
	}
	if _, err := m.judge.Check(c, rules.Unproven, past); reason.Of(err) != reason.BadChangeSignature {
		t.Errorf("unproven: %v", err)
	}
	hy := hybrid(0x22)
	pq := m.sealHybrid(hy, m.genesisDraft(key(0x22), body.Bind{Name: "Bo", PQ: hy.Key().PQ}))
	if v := m.member(past, pq); !v.OwnSignature() {
		t.Error("two good signatures are not its own")
	}
}

// A change with any one bit turned is refused, or is another change: nobody
// passes off an altered copy as the signed one.
func TestEveryFlippedBit(t *testing.T) {
	t.Parallel()
	m := newMaker(t, change.Genesis{Name: "bits", Shards: 1, Start: int64(start >> 10)})
	ada := key(0x11)
	past := log{}
	bind := m.bind(ada, body.Bind{Name: "Ada", Pow: 1})
	m.member(past, bind)
	good := m.seal(ada, m.entryDraft(bind, "go", entry()))
	m.member(past, good)
	for i := range 8 * len(good.RawHead) {
		head := bytes.Clone(good.RawHead)
		head[i/8] ^= 1 << (i % 8)
		c, err := change.Decode(head, good.Body)
		if err != nil {
			continue
		}
		if _, err = m.judge.Check(c, rules.Authenticate([]*change.Change{c})[0], past); err == nil {
			t.Errorf("head bit %d: accepted as %s", i, c.ID)
		}
	}
	for i := range 8 * len(good.Body) {
		b := bytes.Clone(good.Body)
		b[i/8] ^= 1 << (i % 8)
		if c, err := change.Decode(good.RawHead, b); reason.Of(err) != reason.BlobMismatch || !c.IsStub() {
			t.Errorf("body bit %d: %v", i, err)
		}
	}
}

func TestEveryFlippedBitOfAHybrid(t *testing.T) {
	t.Parallel()
	m := newMaker(t, change.Genesis{Name: "bits", Shards: 1, Start: int64(start >> 10)})
	hy := hybrid(0x11)
	good := m.sealHybrid(hy, m.genesisDraft(key(0x11), body.Bind{Name: "Ada", Pow: 1, PQ: hy.Key().PQ}))
	m.member(log{}, good)
	for i := 0; i < 8*len(good.RawHead); i += 37 { // a prime step: every kind of byte, without minutes of ML-DSA
		head := bytes.Clone(good.RawHead)
		head[i/8] ^= 1 << (i % 8)
		c, err := change.Decode(head, good.Body)
		if err != nil {
			continue
		}
		if _, err = m.judge.Check(c, rules.Authenticate([]*change.Change{c})[0], log{}); err == nil {
			t.Errorf("head bit %d: accepted as %s", i, c.ID)
		}
	}
}

// The chain of bindings up to the genesis may have ten links.
func TestTenBindingsAreNotTooMany(t *testing.T) {
	t.Parallel()
	m := newMaker(t, vectorNet())
	ada := key(0x11)
	past := log{}
	last := m.bind(ada, body.Bind{Name: "Ada"})
	m.member(past, last)
	for range 10 {
		next := m.seal(ada, m.later(last, last, body.Bind{}))
		m.member(past, next)
		last = next
	}
}

func TestJudgeRefusesAnInvalidNetwork(t *testing.T) {
	t.Parallel()
	if _, err := rules.NewJudge(change.Genesis{Name: "x"}); !errors.Is(err, change.ErrNetwork) {
		t.Errorf("no shards: %v", err)
	}
}

func TestHasEffectIsWhatHasARow(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]bool{
		change.KindManifest: true, change.KindBind: true, change.KindEntryPut: true, change.KindEntryRetract: true, change.KindDocEdit: true,
		change.KindRotate: true, change.KindGrant: true, change.KindRevoke: true, change.KindEndorse: true, change.KindGuildOpen: true,
		change.KindVote: true, "zeta": false,
	} {
		if rules.HasEffect(kind) != want {
			t.Errorf("%s: effect %t", kind, !want)
		}
	}
}
