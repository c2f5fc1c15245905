package fold_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/rules"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
)

type changes = []*change.Change

// tale is a history in which rights are given and taken, and which of its
// entries count in the end.
type tale struct {
	changes, counts, not changes
}

func (s *tale) add(cs ...*change.Change) *change.Change {
	s.changes = append(s.changes, cs...)
	return cs[len(cs)-1]
}

// in writes an entry in a guild's space.
func in(a *worldtest.Author, space change.Space, text string) *change.Change {
	b, err := body.Entry{Type: body.Gotcha, Text: worldtest.Text(text), Confidence: body.DefaultConfidence, Domain: "go"}.Encode()
	if err != nil {
		panic(err)
	}
	return a.Change(change.KindEntryPut, space, b, worldtest.Options{})
}

// tales are the examples of wire §10 and the attacks that the rules answer.
var tales = map[string]func(*worldtest.World) tale{
	"a member is removed": func(w *worldtest.World) (s tale) {
		ada, bo, guild := founded(w, &s)
		s.add(ada.Member(guild, bo, "member"))
		g := s.changes[len(s.changes)-1]
		var b [4]*change.Change
		for i := range b {
			b[i] = s.add(in(bo, guild.Head.Space, fmt.Sprint("b", i)))
		}
		s.add(ada.Revoke(g, worldtest.CutAt(b[2])))
		return s.expect(b[:3], b[3:])
	},
	"two cuts meet": func(w *worldtest.World) (s tale) {
		ada, bo, guild := founded(w, &s)
		carl := w.Agent("Carl")
		s.add(carl.Bind())
		s.add(ada.Member(guild, carl, "owner"))
		g := s.add(ada.Member(guild, bo, "member"))
		var b [4]*change.Change
		for i := range b {
			b[i] = s.add(in(bo, guild.Head.Space, fmt.Sprint("b", i)))
		}
		s.add(ada.Revoke(g, worldtest.CutAt(b[2])))
		s.add(carl.Revoke(g, worldtest.CutAt(b[1])))
		return s.expect(b[:2], b[2:])
	},
	"and are endorsed": func(w *worldtest.World) (s tale) {
		ada, bo, guild := founded(w, &s)
		g := s.add(ada.Member(guild, bo, "member"))
		var b [4]*change.Change
		for i := range b {
			b[i] = s.add(in(bo, guild.Head.Space, fmt.Sprint("b", i)))
		}
		s.add(ada.Revoke(g, worldtest.CutAt(b[1])))
		s.add(ada.Endorse(guild.Head.Space, body.Readmit, b[2], b[3]))
		return s.expect(b[:], nil)
	},
	"a removed member cannot endorse itself": func(w *worldtest.World) (s tale) {
		ada, bo, guild := founded(w, &s)
		g := s.add(ada.Member(guild, bo, "member"))
		b := s.add(in(bo, guild.Head.Space, "kept"))
		late := s.add(in(bo, guild.Head.Space, "late"))
		s.add(ada.Revoke(g, worldtest.CutAt(b)))
		s.add(bo.Endorse(guild.Head.Space, body.Readmit, late))
		return s.expect(changes{b}, changes{late})
	},
	"back-dating": func(w *worldtest.World) (s tale) {
		ada, bo, guild := founded(w, &s)
		g := s.add(ada.Member(guild, bo, "member"))
		b1 := s.add(in(bo, guild.Head.Space, "b1"))
		twin := bo.Clone()
		b2 := s.add(in(bo, guild.Head.Space, "b2"))
		s.add(ada.Revoke(g, worldtest.CutAt(b2)))
		forged := s.add(in(twin, guild.Head.Space, "forged with an old time"))
		return s.expect(changes{b1, b2}, changes{forged})
	},
	"two admins remove each other": func(w *worldtest.World) (s tale) {
		ada, bo, guild := founded(w, &s)
		carl := w.Agent("Carl")
		s.add(carl.Bind())
		gb, gc := s.add(ada.Member(guild, bo, "admin")), s.add(ada.Member(guild, carl, "admin"))
		b, c := s.add(in(bo, guild.Head.Space, "b")), s.add(in(carl, guild.Head.Space, "c"))
		s.add(bo.Revoke(gc, body.Cuts{}))
		s.add(carl.Revoke(gb, body.Cuts{}))
		return s.expect(changes{b, c}, nil)
	},
	"an admin removes a member, not an owner": func(w *worldtest.World) (s tale) {
		ada, bo, guild := founded(w, &s)
		carl, dora := w.Agent("Carl"), w.Agent("Dora")
		s.add(carl.Bind(), dora.Bind())
		s.add(ada.Member(guild, bo, "admin"))
		gc, gd := s.add(ada.Member(guild, carl, "member")), s.add(ada.Member(guild, dora, "owner"))
		c, d := s.add(in(carl, guild.Head.Space, "c")), s.add(in(dora, guild.Head.Space, "d"))
		s.add(bo.Revoke(gc, body.Cuts{}))
		s.add(bo.Revoke(gd, body.Cuts{}))
		return s.expect(changes{d}, changes{c})
	},
	"a removed admin with grants below": func(w *worldtest.World) (s tale) {
		ada, bo, guild := founded(w, &s)
		carl := w.Agent("Carl")
		s.add(carl.Bind())
		gb := s.add(ada.Member(guild, bo, "admin"))
		gc := s.add(bo.Member(guild, carl, "member"))
		c1, c2 := s.add(in(carl, guild.Head.Space, "c1")), s.add(in(carl, guild.Head.Space, "c2"))
		s.add(ada.Revoke(gb, worldtest.CutAt(gc, c1)))
		return s.expect(changes{c1}, changes{c2})
	},
	"a grant beyond the cut of its giver": func(w *worldtest.World) (s tale) {
		ada, bo, guild := founded(w, &s)
		carl := w.Agent("Carl")
		s.add(carl.Bind())
		gb := s.add(ada.Member(guild, bo, "admin"))
		s.add(bo.Member(guild, carl, "member"))
		c := s.add(in(carl, guild.Head.Space, "c"))
		s.add(ada.Revoke(gb, worldtest.CutAt(c)))
		return s.expect(nil, changes{c})
	},
	"a member leaves": func(w *worldtest.World) (s tale) {
		ada, bo, guild := founded(w, &s)
		g := s.add(ada.Member(guild, bo, "member"))
		b1 := s.add(in(bo, guild.Head.Space, "b1"))
		s.add(bo.Revoke(g, worldtest.CutAt(b1)))
		b2 := s.add(in(bo, guild.Head.Space, "b2"))
		return s.expect(changes{b1}, changes{b2})
	},
	"who was removed does not leave to take its work along": func(w *worldtest.World) (s tale) {
		ada, bo, guild := founded(w, &s)
		carl := w.Agent("Carl")
		s.add(carl.Bind())
		gb := s.add(ada.Member(guild, bo, "admin"))
		gc := s.add(bo.Member(guild, carl, "member"))
		c := s.add(in(carl, guild.Head.Space, "c"))
		s.add(ada.Revoke(gb, worldtest.CutAt(gc, c)))
		s.add(carl.Revoke(gc, body.Cuts{}))
		return s.expect(changes{c}, nil)
	},
	"taking home": func(w *worldtest.World) (s tale) {
		k := w.Agent("Kim")
		s.add(k.BindAs(body.Bind{Name: "Kim", Controllers: []string{worldtest.Account(w.Wallet("w"))}}))
		k1, k2 := s.add(k.Entry("go", "k1")), s.add(k.Entry("go", "k2"))
		r, rot := k.Rotate("R", worldtest.ByWallet(w.Wallet("w")), body.Rotate{Cut: k.Cut()})
		s.add(rot)
		late := s.add(k.Entry("go", "late"))
		own := s.add(r.Entry("go", "own"))
		return s.expect(changes{k1, k2, own}, changes{late})
	},
	"an hour of misuse goes, and honest work comes back": func(w *worldtest.World) (s tale) {
		k := w.Agent("Kim")
		s.add(k.BindAs(body.Bind{Name: "Kim", Controllers: []string{worldtest.Account(w.Wallet("w"))}}))
		good := s.add(k.Entry("go", "good"))
		cut := k.Cut()
		honest, bad := s.add(k.Entry("go", "honest")), s.add(k.Entry("go", "bad"))
		r, rot := k.Rotate("R", worldtest.ByWallet(w.Wallet("w")), body.Rotate{Cut: cut})
		s.add(rot)
		s.add(r.Endorse(change.Commons("go"), body.Readmit, honest))
		return s.expect(changes{good, honest}, changes{bad})
	},
	"a thief rotates, the owner outranks": func(w *worldtest.World) (s tale) {
		k, rec := w.Agent("Kim"), w.Key("recovery")
		s.add(k.BindAs(body.Bind{Name: "Kim", Next: worldtest.RecoveryHash(rec.Key())}))
		mine := s.add(k.Entry("go", "mine"))
		thief, stolen := k.Rotate("T", nil, body.Rotate{Cut: k.Cut()})
		s.add(stolen)
		theirs := s.add(thief.Entry("go", "theirs"))
		t2, again := thief.Rotate("T2", nil, body.Rotate{Cut: thief.Cut()})
		s.add(again)
		more := s.add(t2.Entry("go", "more of theirs"))
		r, rot := k.Rotate("R", worldtest.ByKey(rec), body.Rotate{Cut: k.Cut()})
		s.add(rot)
		own := s.add(r.Entry("go", "own"))
		return s.expect(changes{mine, own}, changes{theirs, more})
	},
	"two rotations of one rank stop the key": func(w *worldtest.World) (s tale) {
		k := w.Agent("Kim")
		s.add(k.Bind())
		first := s.add(k.Entry("go", "first"))
		cut := k.Cut()
		second := s.add(k.Entry("go", "second"))
		a, one := k.Rotate("A", nil, body.Rotate{Cut: cut})
		b, two := k.Rotate("B", nil, body.Rotate{Cut: k.Cut()})
		s.add(one, two)
		ea, eb := s.add(a.Entry("go", "a")), s.add(b.Entry("go", "b"))
		late := s.add(k.Entry("go", "late"))
		return s.expect(changes{first}, changes{second, ea, eb, late})
	},
	"a device, and its end": func(w *worldtest.World) (s tale) {
		ada := w.Agent("Ada")
		s.add(ada.Bind())
		dev, g := ada.Device("laptop")
		s.add(g)
		d1, d2 := s.add(dev.Entry("go", "d1")), s.add(dev.Entry("go", "d2"))
		s.add(ada.Revoke(g, worldtest.CutAt(d1)))
		own := s.add(ada.Entry("go", "own"))
		return s.expect(changes{d1, own}, changes{d2})
	},
	"a device cannot end another": func(w *worldtest.World) (s tale) {
		ada := w.Agent("Ada")
		s.add(ada.Bind())
		one, g1 := ada.Device("laptop")
		two, g2 := ada.Device("phone")
		s.add(g1, g2)
		d1, d2 := s.add(one.Entry("go", "d1")), s.add(two.Entry("go", "d2"))
		s.add(one.Revoke(g2, body.Cuts{}), two.Revoke(g1, body.Cuts{}))
		return s.expect(changes{d1, d2}, nil)
	},
	"a forked grant waits for a cut": func(w *worldtest.World) (s tale) {
		ada, bo, guild := founded(w, &s)
		carl := w.Agent("Carl")
		s.add(carl.Bind())
		gb := s.add(ada.Member(guild, bo, "admin"))
		twin := bo.Clone()
		gc := s.add(bo.Member(guild, carl, "member"))
		s.add(twin.Member(guild, carl, "viewer"))
		carl.UseRight(gc)
		c := s.add(in(carl, guild.Head.Space, "c"))
		_ = gb
		return s.expect(nil, changes{c})
	},
	"and a cut settles the fork": func(w *worldtest.World) (s tale) {
		ada, bo, guild := founded(w, &s)
		carl := w.Agent("Carl")
		s.add(carl.Bind())
		gb := s.add(ada.Member(guild, bo, "admin"))
		twin := bo.Clone()
		gc := s.add(bo.Member(guild, carl, "member"))
		s.add(twin.Member(guild, carl, "viewer"))
		carl.UseRight(gc)
		c := s.add(in(carl, guild.Head.Space, "c"))
		s.add(ada.Revoke(gb, worldtest.CutAt(gc, c)))
		return s.expect(changes{c}, nil)
	},
	"a founder turns its key and the members go on": func(w *worldtest.World) (s tale) {
		ada, bo, guild := founded(w, &s)
		carl := w.Agent("Carl")
		s.add(carl.Bind())
		s.add(ada.Member(guild, bo, "member"))
		before := s.add(in(bo, guild.Head.Space, "before"))
		r, rot := ada.Rotate("R", nil, body.Rotate{Cut: ada.Cut()})
		s.add(rot)
		after := s.add(in(bo, guild.Head.Space, "after"))
		s.add(ada.Member(guild, carl, "owner")) // by the old key
		false1 := s.add(in(carl, guild.Head.Space, "by a right of the old key"))
		s.add(r.Member(guild, carl, "member"))
		true1 := s.add(in(carl, guild.Head.Space, "by a right of the new key"))
		return s.expect(changes{before, after, true1}, changes{false1})
	},
	"a stranger cites the opening of the guild": func(w *worldtest.World) tale {
		return stranger(w, func(_ *tale, _, mal *worldtest.Author, guild *change.Change) { mal.UseRight(guild) })
	},
	"a stranger cites the grant of somebody else": func(w *worldtest.World) tale {
		return stranger(w, func(s *tale, ada, mal *worldtest.Author, guild *change.Change) {
			cy := w.Agent("Cy")
			s.add(cy.Bind())
			mal.UseRight(s.add(ada.Member(guild, cy, "owner")))
		})
	},
	"a rotation cuts a revocation away": func(w *worldtest.World) (s tale) {
		ada, bo, guild := founded(w, &s)
		cy := w.Agent("Cy")
		bind := cy.Bind()
		s.add(ada.Member(guild, cy, "admin"))
		s.add(bind) // the grant names a key and may come before its binding
		g := s.add(ada.Member(guild, bo, "member"))
		e := s.add(in(bo, guild.Head.Space, "work"))
		keep := cy.Cut()
		s.add(cy.Revoke(g, body.Cuts{}))
		_, rot := cy.Rotate("Cy2", nil, body.Rotate{Cut: keep})
		s.add(rot)
		return s.expect(changes{e}, nil)
	},
	"a lost device's removal is taken back in under the right it removed": func(w *worldtest.World) (s tale) {
		ada, bo, guild := founded(w, &s)
		dev, g := ada.Device("laptop")
		s.add(g)
		gb := s.add(ada.Member(guild, bo, "admin"))
		kept, cut := s.add(in(bo, guild.Head.Space, "kept")), s.add(in(bo, guild.Head.Space, "cut"))
		removal := s.add(dev.Revoke(gb, worldtest.CutAt(kept)))
		s.add(ada.Revoke(g, body.Cuts{}))
		s.add(bo.Member(guild, ada, "member")) // Ada's next change names a right that ends with the removal
		s.add(ada.Endorse(guild.Head.Space, body.Readmit, removal))
		return s.expect(changes{kept}, changes{cut})
	},
	"a renewal closes what it follows": func(w *worldtest.World) (s tale) {
		ada := w.Agent("Ada")
		s.add(ada.Bind())
		dev, g := ada.Device("gateway")
		s.add(g)
		d1 := s.add(dev.Entry("go", "d1"))
		s.add(ada.Grant(ada.ID.Space(), dev.Key.Key(), worldtest.Grants{
			Caps: tokenCaps(w, ada), Closes: &body.Closes{Grant: g.ID, Cut: worldtest.CutAt(d1)},
		}))
		late := s.add(dev.Entry("go", "written with the old one"))
		return s.expect(changes{d1}, changes{late})
	},
}

// stranger has Mal, who is no member, end a membership and take back in what was
// cut, with a right that give has her cite.
func stranger(w *worldtest.World, give func(s *tale, ada, mal *worldtest.Author, guild *change.Change)) (s tale) {
	ada, bo, guild := founded(w, &s)
	mal := w.Agent("Mal")
	s.add(mal.Bind())
	g := s.add(ada.Member(guild, bo, "member"))
	kept, cut := s.add(in(bo, guild.Head.Space, "kept")), s.add(in(bo, guild.Head.Space, "cut"))
	give(&s, ada, mal, guild)
	s.add(mal.Revoke(g, body.Cuts{}))
	s.add(ada.Revoke(g, worldtest.CutAt(kept)))
	s.add(mal.Endorse(guild.Head.Space, body.Readmit, cut))
	return s.expect(changes{kept}, changes{cut})
}

func (s tale) expect(counts, not changes) tale {
	s.counts, s.not = counts, not
	return s
}

func founded(w *worldtest.World, s *tale) (ada, bo *worldtest.Author, guild *change.Change) {
	ada, bo = w.Agent("Ada"), w.Agent("Bo")
	s.add(ada.Bind(), bo.Bind())
	guild = s.add(ada.OpenGuild("Gophers", body.Public))
	return ada, bo, guild
}

// TestTalesOfRights: each tale ends the same on every node, whatever came
// first, and at every step a checkpoint contains what the views contain.
func TestTalesOfRights(t *testing.T) {
	t.Parallel()
	for name, story := range tales {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := worldtest.New(7)
			s := story(w)
			w.Verify(s.changes...) // every change is a member
			v := fold.New(w.Net)
			apply(v, s.changes...)
			s.check(t, v)
			rows, want := v.Hash()
			for seed := range uint64(60) {
				v := fold.New(w.Net)
				apply(v, shuffled(s.changes, seed)...)
				s.check(t, v)
				if n, got := v.Hash(); n != rows || got != want {
					t.Fatalf("order %d: %d rows %x, want %d %x", seed, n, got, rows, want)
				}
				if n := uint64(len(v.Rows())); n != rows {
					t.Fatalf("order %d: %d rows, the sum has %d", seed, n, rows)
				}
			}
			for at := range s.changes {
				v := fold.New(w.Net)
				apply(v, s.changes[:at]...)
				v, err := fold.Load(w.Net, v.AppendCheckpoint(nil))
				if err != nil {
					t.Fatal(err)
				}
				apply(v, s.changes[at:]...)
				s.check(t, v)
				if n, got := v.Hash(); n != rows || got != want {
					t.Fatalf("loaded after %d: %d rows %x, want %d %x", at, n, got, rows, want)
				}
			}
		})
	}
}

// TestEveryOrderOfSevenRights applies a history of seven changes, in which a member
// is removed, in every order in which they can arrive.
func TestEveryOrderOfSevenRights(t *testing.T) {
	t.Parallel()
	w := worldtest.New(7)
	var s tale
	ada, bo, guild := founded(w, &s)
	g := s.add(ada.Member(guild, bo, "member"))
	b1, b2 := s.add(in(bo, guild.Head.Space, "b1")), s.add(in(bo, guild.Head.Space, "b2"))
	s.add(ada.Revoke(g, worldtest.CutAt(b1)))
	s = s.expect(changes{b1}, changes{b2})
	if len(s.changes) != 7 {
		t.Fatalf("%d changes", len(s.changes))
	}
	orders := 0
	var want [16]byte
	permute(s.changes, func(order []*change.Change) {
		here := map[change.ID]bool{}
		for _, c := range order {
			for _, id := range append(parents(c), c.Head.Deps...) {
				if !here[id] {
					return // it would wait for its past
				}
			}
			here[c.ID] = true
		}
		v := fold.New(w.Net)
		apply(v, order...)
		s.check(t, v)
		_, got := v.Hash()
		if orders++; orders == 1 {
			want = got
		} else if got != want {
			t.Fatalf("order %d: another view", orders)
		}
	})
	if orders < 8 {
		t.Errorf("only %d orders", orders)
	}
}

func (s tale) check(t *testing.T, v *fold.Views) {
	t.Helper()
	for _, c := range s.counts {
		if e, ok := v.Entry(c.ID); !ok || e.State != fold.Live {
			t.Fatalf("%s does not count: %+v, %v", text(c), e.State, v.Effect(c))
		}
	}
	for _, c := range s.not {
		if e, ok := v.Entry(c.ID); !ok || e.State != fold.Excluded {
			t.Fatalf("%s counts: %+v, %v", text(c), e.State, v.Effect(c))
		}
	}
}

func text(c *change.Change) string {
	e, _ := body.ParseEntry(c.Body, c.Head.Space)
	return e.Text
}

// TestRandomRightsInAnyOrder draws histories of rotations, roles, devices,
// revocations and endorsements, and applies them in several orders.
func TestRandomRightsInAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := worldtest.New(rapid.Uint64Range(1, 1<<20).Draw(t, "world"))
		h := rightsHistory{t: t, w: w}
		h.draw()
		ref := fold.New(w.Net)
		apply(ref, h.made...)
		rows, want := ref.Hash()
		if n := uint64(len(ref.Rows())); n != rows {
			t.Fatalf("%d rows, the sum has %d", n, rows)
		}
		for seed := range uint64(4) {
			v := fold.New(w.Net)
			order := shuffled(h.made, seed)
			cut := rapid.IntRange(0, len(order)).Draw(t, "checkpoint at")
			apply(v, order[:cut]...)
			loaded, err := fold.Load(w.Net, v.AppendCheckpoint(nil))
			if err != nil {
				t.Fatal(err)
			}
			apply(loaded, order[cut:]...)
			if n, got := loaded.Hash(); n != rows || got != want {
				t.Fatalf("order %d: %d rows %x, want %d %x", seed, n, got, rows, want)
			}
		}
	})
}

type rightsHistory struct {
	t      *rapid.T
	w      *worldtest.World
	made   []*change.Change
	here   map[change.ID]bool
	voices []*worldtest.Author // whoever may write: keys of agents, devices
	grants []*change.Change
	rest   []*change.Change // entries
	guild  *change.Change
}

func (h *rightsHistory) draw() {
	rec := h.w.Key("recovery")
	for _, name := range []string{"Ada", "Bo", "Carl"} {
		a := h.w.Agent(name)
		h.keep(a.BindAs(body.Bind{Name: name, Controllers: []string{worldtest.Account(h.w.Wallet(name))}, Next: worldtest.RecoveryHash(rec.Key())}))
		h.voices = append(h.voices, a)
	}
	h.guild = h.voices[0].OpenGuild("Gophers", body.Public)
	h.keep(h.guild)
	for i := range rapid.IntRange(4, 18).Draw(h.t, "steps") {
		h.step(i)
	}
}

// keep takes a change in when it is a member; what is refused was never written.
func (h *rightsHistory) keep(c *change.Change) bool {
	for _, id := range parents(c) {
		if !h.here[id] {
			return false // it builds on what was refused
		}
	}
	if !member(h.w, c) {
		return false
	}
	if h.here == nil {
		h.here = map[change.ID]bool{}
	}
	h.here[c.ID] = true
	h.made = append(h.made, c)
	return true
}

func (h *rightsHistory) voice() *worldtest.Author {
	return rapid.SampledFrom(h.voices).Draw(h.t, "who")
}

func (h *rightsHistory) step(i int) {
	a := h.voice()
	switch rapid.IntRange(0, 9).Draw(h.t, "step") {
	case 0:
		by := []worldtest.Consenter{nil, worldtest.ByWallet(h.w.Wallet(a.Name)), worldtest.ByKey(h.w.Key("recovery"))}
		n, c := a.Rotate(fmt.Sprint("key ", i), rapid.SampledFrom(by).Draw(h.t, "consent"), body.Rotate{Cut: a.Cut()})
		if h.keep(c) {
			h.voices = append(h.voices, n)
		}
	case 1:
		d, c := a.Device(fmt.Sprint("device ", i))
		if h.keep(c) {
			h.voices, h.grants = append(h.voices, d), append(h.grants, c)
		}
	case 2, 3:
		b := h.voice()
		c := a.Grant(h.guild.Head.Space, b.Key.Key(), worldtest.Grants{Role: rapid.SampledFrom([]string{"owner", "admin", "member"}).Draw(h.t, "role")})
		if h.keep(c) {
			b.UseRight(c)
			h.grants = append(h.grants, c)
		}
	case 4, 5:
		if len(h.grants) > 0 {
			g := rapid.SampledFrom(h.grants).Draw(h.t, "grant")
			cuts := body.Cuts{}
			for _, v := range h.voices {
				if cut := v.Cut(); len(cut) > 0 && rapid.Bool().Draw(h.t, "kept") {
					cuts[v.Key.Key()] = cut
				}
			}
			h.keep(a.Revoke(g, cuts))
		}
	case 6:
		if len(h.rest) > 0 {
			c := rapid.SampledFrom(h.rest).Draw(h.t, "endorsed")
			h.keep(a.Endorse(c.Head.Space, body.Readmit, c))
		}
	case 7:
		twin := a.Clone()
		h.voices = append(h.voices, twin)
	default:
		space := rapid.SampledFrom([]change.Space{change.Commons("go"), h.guild.Head.Space}).Draw(h.t, "space")
		c := a.Entry("go", fmt.Sprint("entry ", i))
		if space != change.Commons("go") {
			c = in(a, space, fmt.Sprint("entry ", i))
		}
		if h.keep(c) {
			h.rest = append(h.rest, c)
		}
	}
}

// member reports whether a change made in w is a member.
func member(w *worldtest.World, c *change.Change) bool {
	judge, err := rules.NewJudge(w.Genesis)
	if err != nil {
		panic(err)
	}
	_, err = judge.Check(c, rules.OwnSignature, w)
	return err == nil
}

// tokenCaps are all abilities in an agent's own space.
func tokenCaps(w *worldtest.World, a *worldtest.Author) []v0.Cap {
	return []v0.Cap{{With: a.ID.Space().Resource(w.Net), Can: "*", Caveats: []map[string]any{{}}}}
}
