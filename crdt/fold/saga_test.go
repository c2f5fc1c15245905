package fold_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/identity/role"
)

// saga draws a history in which rights are given, passed on, taken, disputed and
// forked.
type saga struct {
	t       *rapid.T
	w       *worldtest.World
	made    []*change.Change
	writers []*worldtest.Author
	guild   *change.Change
	grants  []*change.Change
	content []*change.Change
	keys    int
}

func drawSaga(t *rapid.T) *saga {
	s := &saga{t: t, w: worldtest.New(11)}
	for i := range rapid.IntRange(2, 4).Draw(t, "agents") {
		s.born(s.w.Agent(fmt.Sprint("agent ", i)))
	}
	founder := s.writers[0]
	s.guild = s.keep(founder.OpenGuild("guild", pick(s, "visibility", []string{body.Public, body.Private})))
	for _, a := range s.writers[1:] {
		if s.one("member", 2) {
			s.give(founder, a, pick(s, "first role", []string{role.Owner, role.Admin, role.Member}))
		}
	}
	for range rapid.IntRange(1, 24).Draw(t, "steps") {
		s.step()
	}
	return s
}

func (s *saga) one(label string, of int) bool { return rapid.IntRange(1, of).Draw(s.t, label) == 1 }

func pick[T any](s *saga, label string, of []T) T {
	return of[rapid.IntRange(0, len(of)-1).Draw(s.t, label)]
}

// keep notes a change if it is a member; what is refused was never written.
func (s *saga) keep(c *change.Change) *change.Change {
	s.made = append(s.made, c)
	return c
}

func (s *saga) born(a *worldtest.Author) {
	v := body.Bind{Name: a.Name}
	if s.one("wallet", 2) {
		v.Controllers = append(v.Controllers, worldtest.Account(s.w.Wallet("w")))
	}
	if s.one("controller", 3) {
		v.Controllers = append(v.Controllers, s.w.Key("controller").Key().String())
	}
	if s.one("recovery", 2) {
		v.Next = worldtest.RecoveryHash(s.w.Key("recovery").Key())
	}
	twin := a.Clone()
	s.keep(a.BindAs(v))
	s.writers = append(s.writers, a)
	if s.one("forked genesis", 6) {
		w := body.Bind{Name: a.Name + "'s twin"}
		if s.one("the thief's controller", 2) {
			w.Controllers = []string{worldtest.Account(s.w.Wallet("thief"))}
		}
		if s.one("same recovery", 2) {
			w.Next = v.Next
		}
		s.keep(twin.BindAs(w))
		s.writers = append(s.writers, twin)
	}
}

func (s *saga) step() {
	a := pick(s, "writer", s.writers)
	switch rapid.IntRange(0, 20).Draw(s.t, "act") {
	case 16, 17, 18, 19, 20:
		s.word(a)
	case 0, 1, 2:
		s.entry(a)
	case 3, 4, 5:
		s.attempt(a, func() *change.Change { return in(a, s.guild.Head.Space, fmt.Sprint("in the guild ", len(s.made))) }, true)
	case 6, 7, 8:
		b := pick(s, "to", s.writers)
		if len(s.grants) > 1 && s.one("by several", 3) {
			s.several(a, b)
			return
		}
		s.give(a, b, pick(s, "role", []string{role.Owner, role.Admin, role.Member, role.Viewer}))
	case 9, 10:
		s.revoke(a)
	case 11:
		s.rotate(a)
	case 12:
		s.keys++
		d, g := a, (*change.Change)(nil)
		if s.attempt(a, func() (c *change.Change) { d, g = a.Device(fmt.Sprint("device ", s.keys)); return g }, false) {
			s.writers, s.grants = append(s.writers, d), append(s.grants, g)
		}
	case 13, 14:
		s.endorse(a)
	default:
		s.writers = append(s.writers, a.Clone())
	}
}

// attempt makes a change by a and keeps it when it is a member; else a has not
// written it.
func (s *saga) attempt(a *worldtest.Author, make func() *change.Change, content bool) (ok bool) {
	var c *change.Change
	before := a.Clone()
	defer func() {
		if recover() != nil {
			*a, ok = *before, false
		}
	}()
	c = make()
	s.w.Verify(c)
	s.keep(c)
	if content {
		s.content = append(s.content, c)
	}
	return true
}

func (s *saga) entry(a *worldtest.Author) {
	s.attempt(a, func() *change.Change { return a.Entry("go", fmt.Sprint("lesson ", len(s.made))) }, true)
}

func (s *saga) give(a, b *worldtest.Author, name string) {
	var g *change.Change
	if s.attempt(a, func() *change.Change {
		g = a.Grant(s.guild.Head.Space, b.Key.Key(), worldtest.Grants{Role: name, Closes: s.closes()})
		return g
	}, false) {
		s.grants = append(s.grants, g)
		if b.ID != a.ID && !s.one("not used", 6) {
			b.UseRight(g)
		}
	}
}

// several grants with two parents, as far as their holder is the same.
func (s *saga) several(a, b *worldtest.Author) {
	var g *change.Change
	p := []*change.Change{pick(s, "parent", s.grants), pick(s, "other parent", s.grants)}
	caps := worldtest.RoleCaps(s.w.Net, s.guild.Head.Space, role.Viewer)
	if s.attempt(a, func() *change.Change {
		g = a.Grant(s.guild.Head.Space, b.Key.Key(), worldtest.Grants{Caps: caps, Role: role.Viewer, Parents: p})
		return g
	}, false) {
		s.grants = append(s.grants, g)
	}
}

func (s *saga) closes() *body.Closes {
	if len(s.grants) == 0 || !s.one("closes", 5) {
		return nil
	}
	return &body.Closes{Grant: pick(s, "closed", s.grants).ID, Cut: s.cuts()}
}

// cuts name some changes of each chain: not always the last, and on any branch.
func (s *saga) cuts() body.Cuts {
	var named []*change.Change
	seen := map[change.Chain]bool{}
	for range rapid.IntRange(0, 6).Draw(s.t, "named") {
		c := pick(s, "kept", s.made)
		if !seen[c.Head.Chain()] {
			seen[c.Head.Chain()] = true
			named = append(named, c)
		}
	}
	return worldtest.CutAt(named...)
}

func (s *saga) revoke(a *worldtest.Author) {
	if len(s.grants) == 0 {
		return
	}
	g := pick(s, "revoked", s.grants)
	s.attempt(a, func() *change.Change { return a.Revoke(g, s.cuts()) }, false)
}

func (s *saga) rotate(a *worldtest.Author) {
	v := body.Rotate{Cut: a.Cut()}
	if s.one("early cut", 2) {
		v.Cut = s.cuts()[a.Key.Key()]
	}
	if s.one("new recovery", 4) {
		v.Next = worldtest.RecoveryHash(s.w.Key("recovery 2").Key())
	}
	if s.one("new controllers", 4) {
		v.HasControllers, v.Controllers = true, []string{s.w.Key("controller").Key().String()}
	}
	by := pick(s, "by", []worldtest.Consenter{
		nil, worldtest.ByKey(s.w.Key("recovery")), worldtest.ByKey(s.w.Key("controller")), worldtest.ByWallet(s.w.Wallet("w")), worldtest.ByWallet(s.w.Wallet("thief")),
	})
	s.keys++
	name := fmt.Sprint("key ", s.keys)
	if s.one("the same new key", 5) && s.keys > 1 {
		name = fmt.Sprint("key ", s.keys-1)
	}
	var b *worldtest.Author
	if s.attempt(a, func() (c *change.Change) { b, c = a.Rotate(name, by, v); return c }, false) {
		s.writers = append(s.writers, b)
	}
}

func (s *saga) endorse(a *worldtest.Author) {
	space := pick(s, "where", []change.Space{s.guild.Head.Space, change.Commons("go"), a.ID.Space()})
	var targets []*change.Change
	for range rapid.IntRange(1, 4).Draw(s.t, "endorsed") {
		targets = append(targets, pick(s, "target", s.made))
	}
	s.attempt(a, func() *change.Change { return a.Endorse(space, body.Readmit, targets...) }, false)
}

// word says something about what was written: a vote, a comment or an answer, a
// label.
func (s *saga) word(a *worldtest.Author) {
	if len(s.content) == 0 {
		return
	}
	target := pick(s, "about", s.content)
	s.attempt(a, func() *change.Change {
		switch rapid.IntRange(0, 2).Draw(s.t, "word") {
		case 0:
			return a.Vote(target, int64(rapid.IntRange(-1, 1).Draw(s.t, "value")))
		case 1:
			return a.Label(target, pick(s, "label", body.Labels()))
		}
		if target.Head.Kind != change.KindComment {
			return a.Comment(target, nil, fmt.Sprint("comment ", len(s.made)))
		}
		m := fields(target)
		return a.Change(change.KindComment, target.Head.Space, mustEncode(cbor.Map{"target": m["target"], "parent": target.ID[:], "text": "an answer"}),
			worldtest.Options{Deps: []change.ID{change.ID(m["target"].([]byte))}})
	}, true)
}

// said is all that views return of what was said.
func said(v *fold.Views, made []*change.Change) string {
	var out strings.Builder
	for _, c := range made {
		if c.Head.Kind == change.KindEntryPut {
			fmt.Fprintln(&out, v.EntryCounts(c.ID), len(v.Labels(c.ID)))
			for _, x := range v.Comments(c.ID) {
				fmt.Fprintln(&out, x.ID, x.Depth, x.Deleted, x.Up, x.Down)
			}
		}
		if c.Head.Kind == change.KindBind && c.Head.Seq == 1 {
			id, _ := c.Head.Space.Agent()
			s, _ := v.Stats(id)
			fmt.Fprintln(&out, s.Reputation)
		}
	}
	return out.String()
}

// What rights make of a set does not depend on the order it came in, nor on where
// a node was stopped and went on from its checkpoint.
func TestStoriesOfRightsInAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSaga(t)
		one, two := fold.New(s.w.Net), fold.New(s.w.Net)
		apply(one, s.made...)
		order := shuffled(s.made, rapid.Uint64().Draw(t, "order"))
		stop := rapid.IntRange(0, len(order)).Draw(t, "stopped")
		apply(two, order[:stop]...)
		two, err := fold.Load(s.w.Net, two.AppendCheckpoint(nil))
		if err != nil {
			t.Fatal(err)
		}
		apply(two, order[stop:]...)
		if !slices.EqualFunc(one.Rows(), two.Rows(), bytes.Equal) {
			t.Fatalf("another order of %d changes gives other rows", len(order))
		}
		if a, b := said(one, s.made), said(two, s.made); a != b {
			t.Fatalf("another order of %d changes says\n%s\nand not\n%s", len(order), b, a)
		}
		n, fp := one.Hash()
		if m, other := two.Hash(); m != n || other != fp || n != uint64(len(one.Rows())) {
			t.Fatalf("hash of %d rows %x, in another order %d rows %x", n, fp, m, other)
		}
	})
}
