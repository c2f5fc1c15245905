package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node"
)

// apart is a team of two nodes that exchange changes only on demand.
type apart struct {
	sides  [2]*teamWorld
	who    [2]string
	spaces []change.Space
	known  [2]map[change.Space]uint64 // up to where the other side has it
}

func newApart(t *testing.T) (*apart, string) {
	t.Helper()
	a := &apart{sides: [2]*teamWorld{newTeamWorld(t), newTeamWorld(t)}, who: [2]string{"ada", "bo"}, known: [2]map[change.Space]uint64{{}, {}}}
	a.sides[0].agent("ada")
	a.sides[1].agent("elsewhere") // agents of a world are made of its count
	a.sides[1].agent("bo")
	team := a.sides[0].found("ada", fields{"name": "Night shift", "visibility": "private"})
	id := strings.TrimPrefix(team, "/api/mesh/team/")
	guild, err := change.ParseID(change.PrefixGuild, id)
	must(t, err)
	a.spaces = []change.Space{change.GuildSpace(guild), change.TeamSpace(guild)}
	for i, w := range a.sides {
		agent, err := change.ParseAgentID(w.ids[a.who[i]])
		must(t, err)
		a.spaces = append(a.spaces, agent.Space())
	}
	a.meet(t)
	a.sides[0].as("ada", "POST", team+"/members", fields{"agent_id": a.sides[1].ids["bo"], "role": "admin"}, 200, "")
	a.meet(t)
	return a, id
}

// meet brings each node what the other has.
func (a *apart) meet(t testing.TB) {
	t.Helper()
	for range 2 { // roles, then what they permit
		for i := range a.sides {
			a.bring(t, i)
		}
	}
}

// bring gives the other side what one has.
func (a *apart) bring(t testing.TB, from int) {
	t.Helper()
	carry(t, a.sides[from].node, a.sides[1-from].node, a.spaces, a.known[from])
}

// carry gives a node what another has of some spaces and has not sent it before.
func carry(t testing.TB, from, to *node.Node, spaces []change.Space, known map[change.Space]uint64) {
	t.Helper()
	carryBut(t, from, to, spaces, known, func(*change.Change) bool { return false })
}

// carryBut is carry without the bodies of some.
func carryBut(t testing.TB, from, to *node.Node, spaces []change.Space, known map[change.Space]uint64, bodiless func(*change.Change) bool) {
	t.Helper()
	var cs []*change.Change
	for _, space := range spaces {
		some, next, err := from.ChangesIn(t.Context(), space, known[space], 1000)
		must(t, err)
		cs, known[space] = append(cs, some...), next
	}
	slices.SortFunc(cs, (*change.Change).Compare)
	var lines bytes.Buffer
	for _, c := range cs {
		body := c.Body
		if bodiless(c) {
			body = nil
		}
		must(t, json.NewEncoder(&lines).Encode(map[string]any{"id": c.ID.Text(change.PrefixChange), "head": c.RawHead, "body": body}))
	}
	if rep, err := to.Import(t.Context(), &lines); err != nil || len(rep.Refused) > 0 {
		t.Fatalf("not taken in: %+v, %v", rep, err)
	}
}

// seen is what one side knows of a set: its additions, each with a tag of its own,
// and the tags that were removed.
type seen struct {
	adds map[int]string
	gone map[int]bool
}

func (s seen) elements() []string {
	there := map[string]bool{}
	for tag, element := range s.adds {
		if !s.gone[tag] {
			there[element] = true
		}
	}
	return slices.Sorted(maps.Keys(there))
}

func (s seen) remove(element string) {
	for tag, e := range s.adds {
		if e == element {
			s.gone[tag] = true
		}
	}
}

// TestSetAddWins: an addition that a removal elsewhere has not seen stands, whatever
// two nodes add and remove and whenever they meet; both then have the same set.
func TestSetAddWins(t *testing.T) {
	t.Parallel()
	a, team := newApart(t)
	round := 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		doc := fmt.Sprintf("%s.set%d", team, round)
		path := "/api/crdt/" + doc
		model, tags := [2]seen{}, 0
		for i := range model {
			model[i] = seen{map[int]string{}, map[int]bool{}}
		}
		check := func(i int) {
			state := a.sides[i].as(a.who[i], "GET", path+"/state", nil, 200, "")["state"].(map[string]any)
			got := []string{}
			if list, ok := state["sets"].(map[string]any)["k"].([]any); ok {
				for _, v := range list {
					got = append(got, v.(string))
				}
			}
			if want := model[i].elements(); !slices.Equal(got, want) {
				rt.Fatalf("side %d has %v, want %v", i, got, want)
			}
		}
		meet := func() {
			a.meet(t)
			for i := range model {
				maps.Copy(model[i].adds, model[1-i].adds)
				maps.Copy(model[i].gone, model[1-i].gone)
			}
		}
		for range rapid.IntRange(1, 6).Draw(rt, "steps") {
			i := rapid.IntRange(0, 1).Draw(rt, "side")
			var ops []any
			for range rapid.IntRange(1, 3).Draw(rt, "ops") {
				element := rapid.SampledFrom([]string{"x", "y", "z"}).Draw(rt, "element")
				action := rapid.SampledFrom([]string{"add", "remove"}).Draw(rt, "action")
				ops = append(ops, op("or-set", "k", action, "value", element))
				model[i].remove(element)
				if action == "add" {
					model[i].adds[tags] = element
					tags++
				}
			}
			a.sides[i].as(a.who[i], "POST", path+"/ops", map[string]any{"ops": ops}, 200, "")
			check(i)
			if rapid.IntRange(0, 2).Draw(rt, "meet") == 0 {
				meet()
			}
		}
		meet()
		check(0)
		check(1)
	})
}
