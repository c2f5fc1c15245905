package rules_test

import (
	"fmt"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/role"
)

// rule gives the vectors that add adds the number of a rule.
func (s *scene) rule(number string, add func()) {
	from := len(s.out)
	add()
	for i := from; i < len(s.out); i++ {
		s.out[i].Rule = number
	}
}

// Limits that a long past meets, each at it and one above it, and refusals that a
// past makes possible.
func TestLimitsOfThePast(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.rule("9.8", func() {
		a := s.w.Agent("ada")
		a.Bind()
		var c *change.Change
		for i := range 126 {
			a, _ = a.Rotate(fmt.Sprint("key ", i), nil, body.Rotate{Cut: a.Cut()})
		}
		a, c = a.Rotate("the last", nil, body.Rotate{Cut: a.Cut()})
		s.ok("a line of 128 keys", c)
		_, c = a.Rotate("one too many", nil, body.Rotate{Cut: a.Cut()})
		s.bad(reason.ChainInvalid, "a line of 129 keys", c)
	})
	s.rule("11.16(6)", func() {
		s.ok("128 grants behind one another", s.web("eve", 7))
		s.bad(reason.ChainInvalid, "129 grants behind one another", s.web("fay", 8))
	})
	s.rule("11.13", func() {
		gus := s.w.Agent("gus")
		gus.Bind()
		open := gus.OpenGuild("posts", body.Private)
		guild, _ := open.Head.Space.Guild()
		team := change.TeamSpace(guild)
		post := s.entryIn(gus, team)
		s.w.Keep(post)
		s.bad(reason.CapabilityMissing, "an entry as the right", s.entryIn(gus, team, gus.Binding, post))
		s.bad(reason.CapabilityMissing, "an identity as the right", s.entryIn(gus, team, gus.Binding, gus.Binding))
	})
	prove(t, vectortest.Golden(t, "change/limits.json", s.out))
}

// web is the last of 121 + tops grants: each has three parents, but the first
// ones, which the founder gave.
func (s *scene) web(name string, tops int) *change.Change {
	founder := s.w.Agent(name)
	founder.Bind()
	space := founder.OpenGuild(name+"'s web", body.Public).Head.Space
	holder := s.w.Agent(name + " 0")
	holder.Bind()
	var level []*change.Change
	for range tops {
		level = append(level, founder.Grant(space, holder.Key.Key(), worldtest.Grants{Role: role.Owner}))
	}
	for depth, size := range []int{81, 27, 9, 3, 1} {
		next := s.w.Agent(fmt.Sprint(name, " ", depth+1))
		next.Bind()
		var down []*change.Change
		for i := range size {
			n := len(level)
			down = append(down, holder.Grant(space, next.Key.Key(), worldtest.Grants{
				Role: role.Owner, Parents: []*change.Change{level[3*i%n], level[(3*i+1)%n], level[(3*i+2)%n]},
			}))
		}
		level, holder = down, next
	}
	return level[0]
}

// A manifest without its body is no member.
func TestManifestNeedsItsBody(t *testing.T) {
	t.Parallel()
	m := newMaker(t, vectorNet())
	c := m.seal(key(0x33), change.Draft{Space: change.SpaceNet, Kind: change.KindManifest, HLC: start + 1, Body: m.encode(body.Manifest{})}).Stub()
	prove(t, vectortest.Golden(t, "change/manifest-stub.json", []changeVector{{
		Name: "missing_deps: the body of a manifest", In: m.in(vectortest.Of(c), nil), Code: reason.MissingDeps, Rule: "12.2",
	}}))
}
