package effect_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/effect"
)

// follower keeps what a State said of each change, and asks again only for what
// it was told was touched, as the views do.
type follower struct {
	s       *effect.State
	rights  map[*effect.Right][]*change.Change
	content map[change.ID]*change.Change
	said    map[change.ID]bool
	weighs  map[change.ID]bool
	agents  map[change.AgentID]string
	grants  map[change.ID]string
	guilds  map[change.ID]string
}

func newFollower(net change.NetID) *follower {
	return &follower{
		s: effect.New(net), rights: map[*effect.Right][]*change.Change{}, content: map[change.ID]*change.Change{}, said: map[change.ID]bool{},
		weighs: map[change.ID]bool{}, agents: map[change.AgentID]string{}, grants: map[change.ID]string{}, guilds: map[change.ID]string{},
	}
}

func (f *follower) add(c *change.Change) {
	p := f.s.Place(c.Head, c.ID)
	f.touched(&p.Touched)
	if p.Forked {
		for r := range p.Chain.Rights {
			f.ask(r)
		}
	}
	rec, ok, err := effect.Read(c)
	if err != nil {
		panic(err)
	}
	if ok {
		t := f.s.Apply(rec)
		f.touched(&t)
		return
	}
	r := f.s.Right(p.Chain, c.Head.Proof)
	if r == nil {
		panic("a member without identity")
	}
	if f.content[c.ID] == nil {
		f.content[c.ID] = c
		f.rights[r] = append(f.rights[r], c)
	}
	f.askOne(r, c)
}

func (f *follower) touched(t *effect.Touched) {
	for _, r := range t.Rights {
		f.s.Refresh(r)
	}
	for _, r := range t.Rights {
		f.ask(r)
	}
	for _, id := range t.Changes {
		if c := f.content[id]; c != nil {
			f.askOne(f.s.Right(f.s.Chain(c.Head.Chain()), c.Head.Proof), c)
		}
	}
	for _, a := range t.Agents {
		f.agents[a.ID] = describe(a)
	}
	for _, id := range t.Grants {
		g, _ := f.s.Grant(id)
		f.grants[id] = fmt.Sprint(g.Agent, g.Given, g.Ended, g.EndBy)
	}
	for _, id := range t.Guilds {
		g, ok := f.s.Guild(id)
		f.guilds[id] = fmt.Sprint(g, ok)
	}
}

func describe(a *effect.Agent) string {
	return fmt.Sprint(a.Key(), a.Identity(), a.Controllers(), a.Next(), a.Contested(), a.Line())
}

func (f *follower) ask(r *effect.Right) {
	for _, c := range f.rights[r] {
		f.askOne(r, c)
	}
}

func (f *follower) askOne(r *effect.Right, c *change.Change) {
	f.said[c.ID] = f.s.Stands(r, c.Head.Seq, c.ID)
	f.weighs[c.ID] = f.s.Weighs(r, c.Head.Seq, c.ID)
}

func follow(net change.NetID, cs []*change.Change) *follower {
	f := newFollower(net)
	for _, c := range cs {
		f.add(c)
	}
	return f
}

// fresh is what a State says that was just told everything.
func (f *follower) compare(t *rapid.T, o *follower, made []*change.Change) {
	if f.s.Cycles() != 0 {
		t.Fatalf("%d questions led back to themselves", f.s.Cycles())
	}
	for id := range o.said {
		if f.said[id] != o.said[id] || f.weighs[id] != o.weighs[id] {
			t.Fatalf("%scontent %s: %t %t, elsewhere %t %t", dump(made, o), id, f.said[id], f.weighs[id], o.said[id], o.weighs[id])
		}
	}
	for id, a := range o.agents {
		if f.agents[id] != a {
			t.Fatalf("agent %s: %s\nelsewhere %s", id, f.agents[id], a)
		}
	}
	for id, g := range o.grants {
		if f.grants[id] != g {
			t.Fatalf("grant %s: %s\nelsewhere %s", id, f.grants[id], g)
		}
	}
	for id, g := range o.guilds {
		if f.guilds[id] != g {
			t.Fatalf("guild %s: %s\nelsewhere %s", id, f.guilds[id], g)
		}
	}
	for _, c := range made {
		v, ok := f.s.Control(c.ID)
		w, also := o.s.Control(c.ID)
		if v != w || ok != also {
			t.Fatalf("%s %s: %v, elsewhere %v", c.Head.Kind, c.ID, v, w)
		}
	}
}

func TestAnyOrderGivesTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := tell(t)
		one := follow(s.w.Net, s.made)
		two := follow(s.w.Net, shuffled(s.made, rapid.Uint64().Draw(t, "order")))
		// What was said on the way is what a state says that forgot everything.
		three := newFollower(s.w.Net)
		for _, c := range s.made {
			three.s.Place(c.Head, c.ID)
		}
		for _, c := range s.made {
			three.add(c)
		}
		three.touchAll(s.made)
		t.Log("one is stale")
		one.compare(t, three, s.made)
		t.Log("two is stale")
		two.compare(t, three, s.made)
	})
}

// touchAll asks everything again.
func (f *follower) touchAll(made []*change.Change) {
	for r := range f.rights {
		f.s.Refresh(r)
	}
	for r := range f.rights {
		f.ask(r)
	}
	for _, c := range made {
		if g, ok := f.s.Grant(c.ID); ok {
			f.grants[c.ID] = fmt.Sprint(g.Agent, g.Given, g.Ended, g.EndBy)
		}
		if id, ok := c.Head.Space.Agent(); ok && f.s.Agent(id) != nil {
			f.agents[id] = describe(f.s.Agent(id))
		}
	}
}
