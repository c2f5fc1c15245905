package node_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/shared"
	"github.com/meshd/meshd/node/view"
)

// book is a shared.Book in memory, with faults.
type book struct {
	mu      sync.Mutex // guards all but turns
	keys    []shared.Key
	secrets map[did.Key]shared.Secret
	heads   map[change.Chain]shared.Head
	all     []shared.Signed
	turns   map[did.Key]*sync.Mutex
	before  error // of the next Record, which writes nothing
	after   error // of the next Record, which writes
}

func newBook() *book {
	return &book{secrets: map[did.Key]shared.Secret{}, heads: map[change.Chain]shared.Head{}, turns: map[did.Key]*sync.Mutex{}}
}

func (b *book) Keys(_ context.Context, after int64) (out []shared.Key, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.keys[after:]), nil
}

func (b *book) Secret(_ context.Context, k did.Key) (secret shared.Secret, ok bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	secret, ok = b.secrets[k]
	return secret, ok, nil
}

func (b *book) AddKey(_ context.Context, name string, k did.Key, secret shared.Secret, heads []shared.Head) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, there := b.secrets[k]; there {
		return nil
	}
	b.secrets[k], b.turns[k] = secret, &sync.Mutex{}
	b.keys = append(b.keys, shared.Key{Place: int64(len(b.keys) + 1), Name: name, Public: k})
	for _, h := range heads {
		b.heads[h.Chain] = h
	}
	return nil
}

func (b *book) DropKey(_ context.Context, k did.Key) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.secrets, k)
	return nil
}

type page struct {
	*book
	own []shared.Head
}

func (p *page) Heads() []shared.Head       { return p.own }
func (p *page) Stay(context.Context) error { return nil }

func (p *page) Record(_ context.Context, signed []shared.Signed) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.before; err != nil {
		p.before = nil
		return err
	}
	for _, s := range signed {
		c := s.Change.Head.Chain()
		if s.Change.Head.Seq != p.heads[c].Seq+1 {
			return fmt.Errorf("%s does not go on from place %d", s.Change.ID, p.heads[c].Seq)
		}
		s.Place = int64(len(p.all) + 1)
		p.all = append(p.all, s)
		p.heads[c] = shared.Head{Chain: c, Seq: s.Change.Head.Seq, ID: s.Change.ID}
	}
	err := p.after
	p.after = nil
	return err
}

func (b *book) Turn(_ context.Context, k did.Key, sign func(shared.Turn) error) error {
	b.mu.Lock()
	turn := b.turns[k]
	b.mu.Unlock()
	turn.Lock()
	defer turn.Unlock()
	p := &page{book: b}
	b.mu.Lock()
	for c, h := range b.heads {
		if c.Author == k {
			p.own = append(p.own, h)
		}
	}
	b.mu.Unlock()
	return sign(p)
}

func (b *book) After(_ context.Context, place int64, most int) ([]shared.Signed, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	rest := b.all[min(int(place), len(b.all)):]
	return slices.Clone(rest[:min(most, len(rest))]), nil
}

func (b *book) Chain(_ context.Context, c change.Chain, beyond uint64, most int) (out []*change.Change, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.all {
		if s.Change.Head.Chain() == c && s.Change.Head.Seq > beyond && len(out) < most {
			out = append(out, s.Change)
		}
	}
	return out, nil
}

func (b *book) Marked(_ context.Context, mark string) (change.ID, bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.all {
		if s.Mark == mark {
			return s.Change.ID, true, nil
		}
	}
	return change.ID{}, false, nil
}

// pair are two nodes that share a book and meet nowhere else.
func pair(t *testing.T) (*book, [2]*box) {
	t.Helper()
	b := newBook()
	var out [2]*box
	for i := range out {
		out[i] = open(t, t.TempDir(), nil)
		t.Cleanup(out[i].shut)
		if err := node.Share(t.Context(), out[i].Node, b); err != nil {
			t.Fatal(err)
		}
	}
	return b, out
}

func (b *box) write(agent change.AgentID, n int, mark string) (change.ID, error) {
	r, err := b.Contribute(context.Background(), agent, pass("go", body.Entry{Type: body.Gotcha, Text: retold(n, 15)}), view.Submit{IdempotencyKey: mark})
	return r.ID, err
}

// equal wants both logs to have an agent's chains alike, without a fork, and its entries in effect.
func equal(t *testing.T, both [2]*box, agent change.AgentID, entries []change.ID) {
	t.Helper()
	var chains [2]string
	for i, n := range both {
		if err := n.Ingest.Follow(t.Context()); err != nil {
			t.Fatal(err)
		}
		if f := n.Views.Forks(); len(f) > 0 {
			t.Errorf("forked at %d: %v", i, f)
		}
		var lines []string
		for _, k := range n.Views.KeysOf(agent) {
			for _, c := range n.Views.Chains(k) {
				id, seq, _, _, err := n.Log.Tip(t.Context(), c)
				lines = append(lines, fmt.Sprint(c, id, seq, err))
			}
		}
		slices.Sort(lines)
		chains[i] = strings.Join(lines, "\n")
		for _, id := range entries {
			if e, ok := n.Views.Entry(id); !ok || e.State != fold.Live {
				t.Errorf("entry %s has no effect at %d", id, i)
			}
		}
	}
	if chains[0] == "" || chains[0] != chains[1] {
		t.Errorf("the logs differ:\n%s\n\n%s", chains[0], chains[1])
	}
}

// TestNodesWriteForOneAgent: an agent opened at one node writes at both at once, gets another
// key meanwhile, and its chains are the same at both.
func TestNodesWriteForOneAgent(t *testing.T) {
	t.Parallel()
	b, both := pair(t)
	name, _, err := both[0].NewActingKey(t.Context()) // the challenge at one, the answer at the other
	if err != nil {
		t.Fatal(err)
	}
	ada, _, err := both[1].OpenAgent(t.Context(), view.Genesis{KeyName: name, Name: "Ada", Custody: "gateway"})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var entries []change.ID
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			id, err := both[i%2].write(ada.ID, i, "")
			if err != nil {
				t.Errorf("write %d: %v", i, err)
				return
			}
			mu.Lock()
			entries = append(entries, id)
			mu.Unlock()
		})
	}
	all.Go(func() {
		if _, err := both[0].RotateHere(t.Context(), ada.ID, both[0].ConsentOfKey(ada.ID), view.Turn{Second: view.SecondMade}); err != nil {
			t.Errorf("rotate: %v", err)
		}
	})
	all.Wait()
	id, err := both[1].write(ada.ID, 100, "")
	if err != nil {
		t.Fatal(err)
	}
	if c, err := both[1].Log.Get(t.Context(), id); err != nil || c.Change.Head.Author == ada.DID {
		t.Errorf("the other node writes with the old key: %v", err)
	}
	equal(t, both, ada.ID, append(entries, id))
	// The key has two halves now, and the other node signs control changes with both.
	if a, err := both[1].Rename(t.Context(), ada.ID, "Ada Two"); err != nil || a.Name != "Ada Two" {
		t.Errorf("a control change of the other node: %+v %v", a, err)
	}
	if rec, ok := both[0].Views.Agent(ada.ID); !ok || rec.PQ == nil {
		t.Error("the key has one half")
	}
	if infos, err := both[0].Keys.List(); err != nil || slices.ContainsFunc(infos, func(i vault.Info) bool { return i.Public == ada.DID.String() }) {
		t.Errorf("the key of a shared agent lies in a vault: %v", err)
	}
	if len(b.keys) != 2 {
		t.Errorf("%d keys in the book, want those before and after the rotation", len(b.keys))
	}
}

// TestWhatIsNotRecordedIsNotWritten: a change that the book refuses is nowhere; one of which
// nobody knows is found by its mark, by whichever node is asked again.
func TestWhatIsNotRecordedIsNotWritten(t *testing.T) {
	t.Parallel()
	b, both := pair(t)
	ada := both[0].agent("Ada")
	first, err := both[0].write(ada.ID, 0, "m0")
	if err != nil {
		t.Fatal(err)
	}
	if id, err := both[1].write(ada.ID, 0, "m0"); err != nil || id != first {
		t.Errorf("the same request at the other node: %s %v, want %s", id, err, first)
	}
	b.before = reason.Refuse(reason.Overloaded, "taken away")
	if _, err := both[0].write(ada.ID, 1, ""); reason.Of(err) != reason.Overloaded {
		t.Errorf("not recorded: %v", err)
	}
	before := len(b.all)
	b.before = errors.New("the turn was lost") // it is asked for again
	second, err := both[0].write(ada.ID, 2, "")
	if err != nil || len(b.all) != before+1 {
		t.Errorf("after a lost turn: %v, %d recorded", err, len(b.all)-before)
	}
	b.after = shared.ErrOpen
	if _, err := both[0].write(ada.ID, 3, "m3"); !errors.Is(err, shared.ErrOpen) {
		t.Errorf("nobody knows: %v", err)
	}
	third, err := both[1].write(ada.ID, 3, "m3")
	if last := b.all[len(b.all)-1].Change.ID; err != nil || third != last {
		t.Errorf("asked again: %s %v, want %s", third, err, last)
	}
	if len(b.all) != before+2 {
		t.Errorf("%d were recorded, want 2", len(b.all)-before)
	}
	fourth, err := both[0].write(ada.ID, 4, "")
	if err != nil {
		t.Error(err)
	}
	equal(t, both, ada.ID, []change.ID{first, second, third, fourth})
}

// TestNothingIsSignedBeyondWhatIsHere: a node that lacks part of a chain, or has more of it
// than the book, signs nothing on it; a new key is the way on.
func TestNothingIsSignedBeyondWhatIsHere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, other := open(t, dir, nil), open(t, t.TempDir(), nil)
	t.Cleanup(other.shut)
	ada := a.agent("Ada")
	first, err := a.write(ada.ID, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	b := newBook()
	for _, n := range []*box{a, other} {
		if err := node.Share(t.Context(), n.Node, b); err != nil {
			t.Fatal(err)
		}
	}
	second, err := a.write(ada.ID, 1, "") // on the chain that began in the vault
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.write(ada.ID, 2, ""); reason.Of(err) != reason.AgentNotFound {
		t.Errorf("without the beginning of the agent: %v", err)
	}
	carry := func(until int) {
		t.Helper()
		recs, err := a.Log.Since(t.Context(), 0, until)
		if err != nil {
			t.Fatal(err)
		}
		var cs []*change.Change
		for _, r := range recs {
			cs = append(cs, r.Change)
		}
		if _, err := other.Ingest.Receive(t.Context(), ingest.Owner, "", cs); err != nil {
			t.Fatal(err)
		}
	}
	lone := b.all // as when the book has forgotten what is old
	b.all = nil
	carry(1)
	if _, err := other.write(ada.ID, 2, ""); reason.Of(err) != reason.HomeUnsure {
		t.Errorf("without the end of the chain: %v", err)
	}
	b.all = lone
	carry(10)
	third, err := other.write(ada.ID, 2, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.write(ada.ID, 3, ""); err != nil {
		t.Fatal(err)
	}
	equal(t, [2]*box{a, other}, ada.ID, []change.ID{first, second, third})

	// The book was set back.
	for c, h := range b.heads {
		if c.Lane == change.Content {
			h.Seq--
			b.heads[c] = h
		}
	}
	for _, n := range []*box{a, other} {
		if _, err := n.write(ada.ID, 5, ""); reason.Of(err) != reason.HomeUnsure {
			t.Errorf("with a book that was set back: %v", err)
		}
	}
	if _, err := a.RotateHere(t.Context(), ada.ID, a.ConsentOfKey(ada.ID), view.Turn{}); err != nil {
		t.Fatal(err)
	}
	last, err := other.write(ada.ID, 6, "")
	if err != nil {
		t.Errorf("with a new key: %v", err)
	}
	equal(t, [2]*box{a, other}, ada.ID, []change.ID{first, second, third, last})

	// Without the book, the copy in the vault signs nothing.
	a.shut()
	alone := open(t, dir, nil)
	defer alone.shut()
	_, err = alone.write(ada.ID, 7, "")
	if reason.Of(err) != reason.Forbidden {
		t.Errorf("a node alone: %v", err)
	}
}
