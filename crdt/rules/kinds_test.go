package rules_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/reason"
)

// places is where section 10 of SPEC lets each kind stand.
var places = map[string]string{
	change.KindManifest: "net", change.KindBind: "agent", change.KindRotate: "agent", change.KindGrant: "agent guild team", change.KindRevoke: "agent guild team",
	change.KindEndorse: "agent commons guild team", change.KindGuildOpen: "guild team", change.KindEntryPut: "commons guild team", change.KindEntryRetract: "agent commons guild team",
	change.KindVote: "agent commons guild team", change.KindComment: "agent commons guild team", change.KindLabel: "agent commons guild team", change.KindDocEdit: "agent guild team",
	change.KindBountyOpen: "guild team", change.KindBountyAct: "guild team", change.KindTaskAct: "team", change.KindMessage: "team", change.KindServed: "agent",
}

// unknown are kinds of a later release, among them some that look like control
// kinds.
var unknown = []string{"zeta", "zeta.spin", "net.zeta", "profile.zeta", "grant.zeta"}

// TestKindsByArea: every kind in every area where it has no place, and unknown
// kinds in all of them, by a bound author, by a root and by one with a role.
func TestKindsByArea(t *testing.T) {
	t.Parallel()
	m := newMaker(t, vectorNet())
	ada, bo, root := key(0x11), key(0x22), key(0x33)
	bind, boBind, rootBind := m.bind(ada, body.Bind{Name: "Ada"}), m.bind(bo, body.Bind{Name: "Bo"}), m.bind(root, body.Bind{Name: "root"})
	id := change.ID(bytes.Repeat([]byte{5}, 32))
	spaces := map[string]change.Space{
		"net": change.SpaceNet, "agent": bind.Head.Space, "commons": change.Commons("go"), "guild": change.GuildSpace(id), "team": change.TeamSpace(id),
	}
	var made []changeVector
	add := func(rule, name string, code reason.Code, c *change.Change, past ...*change.Change) {
		v := changeVector{Name: name, In: m.in(vectortest.Of(c), past), Rule: rule, Code: code}
		if code == "" {
			v.Out = m.out(c)
		}
		made = append(made, v)
	}
	draft := func(kind string, space change.Space, by *change.Change) change.Draft {
		return change.Draft{Space: space, Kind: kind, Body: []byte{0xa0}, HLC: start + 1, Proof: ids(by)}
	}
	for kind, in := range places {
		for area, space := range spaces {
			if !slices.Contains(strings.Fields(in), area) {
				add("11.5", kind+" in "+area, reason.CapabilityMissing, m.seal(ada, draft(kind, space, bind)), bind)
			}
		}
	}
	for _, kind := range unknown {
		for area, space := range spaces {
			var code reason.Code
			switch area {
			case "net", "team": // in a team everything needs a role
				code = reason.CapabilityMissing
			}
			add("11.5", kind+" in "+area, code, m.seal(ada, draft(kind, space, bind)), bind)
		}
		add("11.5", kind+" in net by a root", reason.CapabilityMissing, m.seal(root, draft(kind, change.SpaceNet, rootBind)), rootBind)
		add("11.5", kind+" in the space of another agent", reason.CapabilityMissing, m.seal(bo, draft(kind, bind.Head.Space, boBind)), boBind)
	}

	s := newScene(t)
	eve := s.w.Agent("eve")
	eve.Bind()
	open := eve.OpenGuild("night", body.Private)
	guild, _ := open.Head.Space.Guild()
	for _, kind := range unknown {
		c := eve.Clone().Change(kind, change.TeamSpace(guild), []byte{0xa0}, worldtest.Options{})
		s.ok(kind+" in a team, by its founder", c)
		s.out[len(s.out)-1].Rule = "11.5"
	}
	made = append(made, s.out...)
	slices.SortFunc(made, func(a, b changeVector) int { return strings.Compare(a.Name, b.Name) })
	prove(t, vectortest.Golden(t, "change/kinds.json", made))
}
