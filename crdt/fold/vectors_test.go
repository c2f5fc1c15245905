package fold_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/rules"
)

type foldIn struct {
	Network string              `json:"network"`
	Log     []vectortest.Change `json:"log"` // members, in an order in which they can arrive
}

type foldOut struct {
	Rows []vectortest.Hex `json:"rows"`
	Hash vectortest.Hex   `json:"hash"`
}

type forkOut struct {
	Forks []forkAt         `json:"forks"`
	Rows  []vectortest.Hex `json:"rows"`
	Hash  vectortest.Hex   `json:"hash"`
}

// forkAt is a forked chain and the lowest place at which two members stand.
type forkAt struct {
	Author string `json:"author"`
	Space  string `json:"space"`
	Lane   string `json:"lane"`
	Seq    uint64 `json:"seq"`
}

func logOf(t testing.TB, w *worldtest.World, cs []*change.Change) foldIn {
	t.Helper()
	file, err := change.NetworkFile{Genesis: w.Genesis}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	in := foldIn{Network: file}
	for _, c := range cs {
		in.Log = append(in.Log, vectortest.Of(c))
	}
	return in
}

// rowsOf says what the reference makes of members.
func rowsOf(w *worldtest.World, cs []*change.Change) ([]vectortest.Hex, vectortest.Hex) {
	var members []*change.Change
	for _, v := range w.Verify(cs...) {
		members = append(members, v.Change())
	}
	rows := replay(members).rows()
	out := make([]vectortest.Hex, len(rows))
	for i, r := range rows {
		out[i] = r
	}
	hash := viewHash(rows)
	return out, hash[:]
}

func forksOf(cs []*change.Change) []forkAt {
	var out []forkAt
	for ch, seq := range replay(cs).forks() {
		out = append(out, forkAt{ch.Author.String(), string(ch.Space), ch.Lane.String(), seq})
	}
	slices.SortFunc(out, func(a, b forkAt) int {
		return bytes.Compare([]byte(a.Author+a.Space+a.Lane), []byte(b.Author+b.Space+b.Lane))
	})
	return out
}

func entryOf(text string, edit func(*body.Entry)) body.Entry {
	v := body.Entry{Type: body.Wisdom, Text: worldtest.Text(text), Confidence: body.DefaultConfidence}
	if edit != nil {
		edit(&v)
	}
	return v
}

func foldVectors(t testing.TB) []vectortest.Vector[foldIn, foldOut] {
	t.Helper()
	var out []vectortest.Vector[foldIn, foldOut]
	add := func(name string, story func(w *worldtest.World, ada, bo *worldtest.Author) []*change.Change) {
		w := worldtest.New(1)
		cs := story(w, w.Agent("ada"), w.Agent("bo"))
		rows, hash := rowsOf(w, cs)
		out = append(out, vectortest.Vector[foldIn, foldOut]{Name: name, In: logOf(t, w, cs), Out: &foldOut{rows, hash}})
	}
	type changes = []*change.Change
	add("nothing", func(*worldtest.World, *worldtest.Author, *worldtest.Author) changes { return nil })
	add("an agent", func(_ *worldtest.World, ada, _ *worldtest.Author) changes { return changes{ada.Bind()} })
	add("an agent with controllers, home and recovery key", func(_ *worldtest.World, ada, bo *worldtest.Author) changes {
		return changes{ada.BindAs(body.Bind{Name: "Ada", Home: "mesh.example", Controllers: []string{bo.Key.Key().String()}, Next: bytes.Repeat([]byte{7}, 32)})}
	})
	add("later bindings change name and home only", func(_ *worldtest.World, ada, bo *worldtest.Author) changes {
		return changes{
			ada.BindAs(body.Bind{Name: "Ada", Next: bytes.Repeat([]byte{7}, 32)}),
			ada.BindAs(body.Bind{Name: "Ada L.", Next: bytes.Repeat([]byte{8}, 32), Controllers: []string{bo.Key.Key().String()}}),
			ada.BindAs(body.Bind{Home: "mesh.example"}),
		}
	})
	add("an empty home is none (13.17)", func(_ *worldtest.World, ada, bo *worldtest.Author) changes {
		empty, err := cbor.Encode(cbor.Map{"home": "", "name": "Ada L."})
		if err != nil {
			t.Fatal(err)
		}
		first := ada.BindAs(body.Bind{Name: "Ada", Home: "mesh.example"})
		return changes{first, ada.Change(change.KindBind, ada.ID.Space(), empty, worldtest.Options{}), bo.Change(change.KindBind, bo.ID.Space(), empty, worldtest.Options{NoProof: true})}
	})
	add("an entry", func(_ *worldtest.World, ada, _ *worldtest.Author) changes {
		return changes{ada.Bind(), ada.Entry("go", "one")}
	})
	add("an entry retracted by its agent", func(_ *worldtest.World, ada, _ *worldtest.Author) changes {
		bind, e := ada.Bind(), ada.Entry("go", "one")
		return changes{bind, e, ada.Retract(e.ID)}
	})
	add("a retract by another has no effect", func(_ *worldtest.World, ada, bo *worldtest.Author) changes {
		bind, boBind, e := ada.Bind(), bo.Bind(), ada.Entry("go", "one")
		return changes{bind, boBind, e, bo.Retract(e.ID)}
	})
	add("a retract in another space has no effect", func(_ *worldtest.World, ada, _ *worldtest.Author) changes {
		bind, e := ada.Bind(), ada.Entry("go", "one")
		b, err := body.Retract{Target: e.ID}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return changes{bind, e, ada.Change(change.KindEntryRetract, change.Commons("rust"), b, worldtest.Options{Deps: []change.ID{e.ID}})}
	})
	add("a chain of superseding entries", func(_ *worldtest.World, ada, _ *worldtest.Author) changes {
		bind, one := ada.Bind(), ada.Entry("go", "one")
		two := ada.EntryAs("go", entryOf("two", func(v *body.Entry) { v.Supersedes = one.ID }))
		three := ada.EntryAs("rust", entryOf("three", func(v *body.Entry) { v.Supersedes = two.ID }))
		return changes{bind, one, two, three}
	})
	add("superseding another's entry has no effect", func(_ *worldtest.World, ada, bo *worldtest.Author) changes {
		bind, boBind, one := ada.Bind(), bo.Bind(), ada.Entry("go", "one")
		return changes{bind, boBind, one, bo.EntryAs("go", entryOf("two", func(v *body.Entry) { v.Supersedes = one.ID }))}
	})
	add("a retract outweighs being superseded", func(_ *worldtest.World, ada, _ *worldtest.Author) changes {
		bind, one := ada.Bind(), ada.Entry("go", "one")
		two := ada.EntryAs("go", entryOf("two", func(v *body.Entry) { v.Supersedes = one.ID }))
		return changes{bind, one, two, ada.Retract(one.ID)}
	})
	add("a successor that is retracted still hides what it superseded", func(_ *worldtest.World, ada, _ *worldtest.Author) changes {
		bind, one := ada.Bind(), ada.Entry("go", "one")
		two := ada.EntryAs("go", entryOf("two", func(v *body.Entry) { v.Supersedes = one.ID }))
		return changes{bind, one, two, ada.Retract(two.ID)}
	})
	add("a premium entry", func(_ *worldtest.World, ada, _ *worldtest.Author) changes {
		return changes{ada.Bind(), ada.EntryAs("go", body.Entry{Type: body.Pattern, Hash: change.ID{1}, Price: 5, Confidence: 1})}
	})
	add("a stub has no row", func(_ *worldtest.World, ada, _ *worldtest.Author) changes {
		return changes{ada.Bind(), ada.Entry("go", "one").Stub(), ada.Entry("go", "two")}
	})
	add("an unknown kind and a body that fails its row have none", func(_ *worldtest.World, ada, _ *worldtest.Author) changes {
		return changes{
			ada.Bind(), ada.Change("zeta", change.Commons("go"), []byte{0xa0}, worldtest.Options{}),
			ada.Change(change.KindEntryPut, change.Commons("go"), []byte{0xa0}, worldtest.Options{}), ada.Entry("go", "two"),
		}
	})
	add("a document of two edits, and its next generation", func(_ *worldtest.World, ada, _ *worldtest.Author) changes {
		bind, space := ada.Bind(), ada.ID.Space()
		one := worldtest.Chunk(ada.Actor(space, "page"), 1, 1, nil, "bio", "I am Ada.")
		two := worldtest.Chunk(ada.Actor(space, "page"), 2, 2, [][32]byte{hashOf(t, one)}, "mood", "calm")
		next := worldtest.Chunk(ada.Actor(space, "page~2"), 1, 1, nil, "bio", "I am Ada.")
		return changes{bind, ada.Edit(space, "page", one), ada.Edit(space, "page", two), ada.Edit(space, "page~2", next)}
	})
	add("an edit whose past is not here has no effect", func(_ *worldtest.World, ada, _ *worldtest.Author) changes {
		bind, space := ada.Bind(), ada.ID.Space()
		one := worldtest.Chunk(ada.Actor(space, "page"), 1, 1, nil, "bio", "I am Ada.")
		two := worldtest.Chunk(ada.Actor(space, "page"), 2, 2, [][32]byte{hashOf(t, one)}, "mood", "calm")
		return changes{bind, ada.Edit(space, "page", two)}
	})
	add("votes, a comment that is answered and taken back, labels, what was served", func(_ *worldtest.World, ada, bo *worldtest.Author) changes {
		bind, boBind, e := ada.Bind(), bo.Bind(), ada.Entry("go", "one")
		up, down, said := bo.Vote(e, 1), bo.Vote(e, -1), bo.Comment(e, nil, "Seen here too.")
		return changes{
			bind, boBind, e, up, down, said, ada.Comment(e, said, "Where?"), bo.Retract(said.ID),
			bo.Comment(bind, nil, "A note."), bo.Label(e, body.LabelSpam), ada.Served(20000, body.ServedRow{Entry: e.ID, Count: 2}),
		}
	})
	return out
}

func hashOf(t testing.TB, chunk []byte) [32]byte {
	t.Helper()
	c, err := doc.DecodeChunk(chunk)
	if err != nil {
		t.Fatal(err)
	}
	return c.Hash
}

func forkVectors(t testing.TB) []vectortest.Vector[foldIn, forkOut] {
	t.Helper()
	var out []vectortest.Vector[foldIn, forkOut]
	add := func(name string, story func(ada *worldtest.Author) []*change.Change) {
		w := worldtest.New(1)
		cs := story(w.Agent("ada"))
		rows, hash := rowsOf(w, cs)
		out = append(out, vectortest.Vector[foldIn, forkOut]{Name: name, In: logOf(t, w, cs), Out: &forkOut{forksOf(cs), rows, hash}})
	}
	type changes = []*change.Change
	add("both branches of a content chain have effect", func(ada *worldtest.Author) changes {
		bind, one := ada.Bind(), ada.Entry("go", "one")
		twin := ada.Clone()
		return changes{bind, one, ada.Entry("go", "left"), twin.Entry("go", "right"), twin.Entry("go", "right again")}
	})
	add("three branches, the lowest fork last", func(ada *worldtest.Author) changes {
		bind, one := ada.Bind(), ada.Entry("go", "one")
		low := ada.Clone()
		two := ada.Entry("go", "two")
		high := ada.Clone()
		return changes{bind, one, two, ada.Entry("go", "left"), high.Entry("go", "right"), low.Entry("go", "early")}
	})
	add("a stub forks as well", func(ada *worldtest.Author) changes {
		bind, twin := ada.Bind(), (*worldtest.Author)(nil)
		twin = ada.Clone()
		return changes{bind, ada.Entry("go", "left"), twin.Entry("go", "right").Stub()}
	})
	add("a fork in one space leaves the others alone", func(ada *worldtest.Author) changes {
		bind := ada.Bind()
		twin := ada.Clone()
		return changes{bind, ada.Entry("go", "left"), twin.Entry("go", "right"), ada.Entry("rust", "one"), ada.Entry("rust", "two")}
	})
	a, b, c := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32), worldtest.New(1).Agent("cy").Key.Key().String()
	add("of a forked genesis the controllers and the recovery key stand that both name", func(ada *worldtest.Author) changes {
		twin := ada.Clone()
		self := ada.Key.Key().String()
		return changes{
			ada.BindAs(body.Bind{Name: "Ada", Controllers: []string{self, c}, Next: a}),
			twin.BindAs(body.Bind{Name: "Eve", Controllers: []string{c}, Next: a}),
		}
	})
	add("of a forked genesis that agrees on nothing neither stands", func(ada *worldtest.Author) changes {
		twin, third := ada.Clone(), ada.Clone()
		return changes{
			ada.BindAs(body.Bind{Name: "Ada", Controllers: []string{c}, Next: a}),
			twin.BindAs(body.Bind{Name: "Eve", Next: b}),
			third.BindAs(body.Bind{Name: "Eve too"}),
		}
	})
	return out
}

// arrive reads a log from a vector, as a node would that starts with nothing.
func arrive(t testing.TB, in foldIn) (change.NetID, []*change.Change) {
	t.Helper()
	f, err := change.ParseNetworkFile(in.Network)
	if err != nil {
		t.Fatal(err)
	}
	j, err := rules.NewJudge(f.Genesis)
	if err != nil {
		t.Fatal(err)
	}
	past := memory{}
	var cs, members []*change.Change
	for _, raw := range in.Log {
		c, err := raw.Decode()
		if err != nil {
			t.Fatal(err)
		}
		cs = append(cs, c)
	}
	for i, ev := range rules.Authenticate(cs) {
		v, err := j.Check(cs[i], ev, past)
		if err != nil {
			t.Fatalf("change %d: %v", i, err)
		}
		past[cs[i].ID] = v.Change()
		members = append(members, v.Change())
	}
	return j.Net(), members
}

type memory map[change.ID]*change.Change

func (m memory) Member(id change.ID) (*change.Change, error) { return m[id], nil }

// folded folds members in several orders, the given one first, wants the same
// rows each time and shows the views to check.
func folded(
	t *testing.T, name string, net change.NetID, members []*change.Change, rows []vectortest.Hex, hash vectortest.Hex, check func(*fold.Views),
) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	for order := range 10 {
		v := fold.New(net)
		if order == 0 {
			apply(v, members...)
		} else {
			apply(v, shuffled(members, rng.Uint64())...)
		}
		if got := v.Rows(); !slices.EqualFunc(got, rows, func(a []byte, b vectortest.Hex) bool { return bytes.Equal(a, b) }) {
			t.Errorf("%s: order %d: rows %x", name, order, got)
		}
		if n, fp := v.Hash(); n != uint64(len(rows)) || !bytes.Equal(fp[:], hash) {
			t.Errorf("%s: order %d: hash %x of %d rows", name, order, fp, n)
		}
		check(v)
	}
}

func TestFoldVectors(t *testing.T) {
	t.Parallel()
	for _, vec := range vectortest.Golden(t, "fold/fold.json", foldVectors(t)) {
		net, members := arrive(t, vec.In)
		folded(t, vec.Name, net, members, vec.Out.Rows, vec.Out.Hash, func(v *fold.Views) {
			if forks := v.Forks(); len(forks) != 0 {
				t.Errorf("%s: forks %v", vec.Name, forks)
			}
		})
	}
}

func TestForkVectors(t *testing.T) {
	t.Parallel()
	for _, vec := range vectortest.Golden(t, "fork/fork.json", forkVectors(t)) {
		net, members := arrive(t, vec.In)
		folded(t, vec.Name, net, members, vec.Out.Rows, vec.Out.Hash, func(v *fold.Views) {
			got := v.Forks()
			if len(got) != len(vec.Out.Forks) || len(got) == 0 {
				t.Errorf("%s: forks %v", vec.Name, got)
			}
			for ch, seq := range got {
				if !slices.Contains(vec.Out.Forks, forkAt{ch.Author.String(), string(ch.Space), ch.Lane.String(), seq}) {
					t.Errorf("%s: fork of %v at %d", vec.Name, ch, seq)
				}
				if at, ok := v.Forked(ch); !ok || at != seq {
					t.Errorf("%s: forked at %d, %t", vec.Name, at, ok)
				}
			}
		})
	}
}
