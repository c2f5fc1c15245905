package fold_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
)

// inputsOf are what an agent's reputation is made of.
func inputsOf(t *testing.T, v *fold.Views, id change.AgentID) fold.Inputs {
	t.Helper()
	a, ok := v.Stats(id)
	if !ok {
		t.Fatal("no such agent")
	}
	return a.Reputation.Inputs
}

// verdictCase is what follows from a bounty for the three who may be concerned.
type verdictCase struct {
	story           func(t *testing.T, m *market, dee *worldtest.Author, entry *change.Change)
	cited           bool // Dee's entry has one more reuse
	adaLost, boLost int
}

var verdictCases = map[string]verdictCase{
	"accepted work that cites": {story: func(t *testing.T, m *market, _ *worldtest.Author, e *change.Change) {
		m.confirm(m.step(t, m.bo, body.BountyAct{Act: body.BountyClaim}))
		m.confirm(m.step(t, m.bo, body.BountyAct{Act: body.BountySubmit, Text: "built on it", IDs: []change.ID{e.ID}}))
		m.confirm(m.step(t, m.ada, body.BountyAct{Act: body.BountyAccept}))
	}, cited: true},
	"work that nobody accepted": {story: func(t *testing.T, m *market, _ *worldtest.Author, e *change.Change) {
		m.confirm(m.step(t, m.bo, body.BountyAct{Act: body.BountyClaim}))
		m.confirm(m.step(t, m.bo, body.BountyAct{Act: body.BountySubmit, Text: "built on it", IDs: []change.ID{e.ID}}))
	}},
	"an acceptance that the home did not confirm": {story: func(t *testing.T, m *market, _ *worldtest.Author, e *change.Change) {
		m.confirm(m.step(t, m.bo, body.BountyAct{Act: body.BountyClaim}))
		m.confirm(m.step(t, m.bo, body.BountyAct{Act: body.BountySubmit, Text: "built on it", IDs: []change.ID{e.ID}}))
		m.step(t, m.ada, body.BountyAct{Act: body.BountyAccept})
	}},
	"a dispute that the claimant lost": {story: func(t *testing.T, m *market, dee *worldtest.Author, _ *change.Change) {
		disputed(t, m)
		m.confirm(m.step(t, dee, body.BountyAct{Act: body.BountyRefund}))
	}, boLost: 1},
	"a dispute that the payer lost": {story: func(t *testing.T, m *market, dee *worldtest.Author, _ *change.Change) {
		disputed(t, m)
		m.confirm(m.step(t, dee, body.BountyAct{Act: body.BountyPay}))
	}, adaLost: 1},
	"a dispute that was split": {story: func(t *testing.T, m *market, dee *worldtest.Author, _ *change.Change) {
		disputed(t, m)
		m.confirm(m.step(t, dee, body.BountyAct{Act: body.BountySplit, Percent: 50}))
	}},
	"a dispute that time ended": {story: func(t *testing.T, m *market, _ *worldtest.Author, _ *change.Change) {
		disputed(t, m)
		m.w.Advance(31 * 24 * 3600 * 1000)
		m.confirm(m.step(t, m.hub, body.BountyAct{Act: body.BountyRefund}))
	}},
}

func disputed(t *testing.T, m *market) {
	m.confirm(m.step(t, m.bo, body.BountyAct{Act: body.BountyClaim}))
	m.confirm(m.step(t, m.bo, body.BountyAct{Act: body.BountySubmit, Text: "done"}))
	m.confirm(m.step(t, m.bo, body.BountyAct{Act: body.BountyDispute, Text: "no answer"}))
}

// TestVerdictsOfBounties: what bounties do to reputations, in any order of arrival
// and from a checkpoint, when their home is a gateway of the manifest; and nothing
// when it is not.
func TestVerdictsOfBounties(t *testing.T) {
	t.Parallel()
	for name, c := range verdictCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := marketIn(t, worldtest.NewRooted(31))
			dee := m.w.Agent("Dee")
			m.add(dee.Bind())
			e := m.add(dee.Entry("go", "what others build upon"))
			for _, text := range []string{"one", "two", "three"} {
				m.add(m.bo.Entry("go", "Bo knows "+text))
			}
			c.story(t, m, dee, e)
			m.w.Verify(m.changes...)
			lawless := fold.New(m.w.Net)
			apply(lawless, m.changes...)
			for _, a := range []*worldtest.Author{m.ada, m.bo, dee} {
				if in := inputsOf(t, lawless, a.ID); in.Disputes != 0 || in.Reuses != 0 {
					t.Errorf("without a manifest %+v", in)
				}
			}
			law := m.w.Manifest(body.Manifest{Gateways: []body.Gateway{{Host: "hub.example", Key: m.hub.Key.Key()}}})
			m.w.Verify(law)
			all := append(slices.Clone(m.changes), law)
			check := func(v *fold.Views, how string) {
				t.Helper()
				if ada, bo, d := inputsOf(t, v, m.ada.ID), inputsOf(t, v, m.bo.ID), inputsOf(t, v, dee.ID); ada.Disputes != c.adaLost || bo.Disputes != c.boLost || d.Disputes != 0 || (d.Reuses == 1) != c.cited {
					t.Errorf("%s: Ada %+v, Bo %+v, Dee %+v", how, ada, bo, d)
				}
			}
			for seed := range uint64(20) {
				order := orderOf(all, seed)
				v := fold.New(m.w.Net)
				for _, x := range order {
					v.Apply(x)
					if _, ok := v.Stats(m.bo.ID); ok {
						inputsOf(t, v, m.bo.ID) // an answer that is kept must not outlive its reasons
					}
				}
				check(v, "in some order")
				loaded, err := fold.Load(m.w.Net, v.AppendCheckpoint(nil))
				if err != nil {
					t.Fatal(err)
				}
				check(loaded, "from a checkpoint")
			}
		})
	}
}

// orderOf is one of the orders in which changes can arrive.
func orderOf(cs []*change.Change, seed uint64) []*change.Change {
	rng := rand.New(rand.NewPCG(seed, 1))
	here := map[change.ID]bool{}
	left := slices.Clone(cs)
	var out []*change.Change
	for len(left) > 0 {
		var can []int
		for i, c := range left {
			if !slices.ContainsFunc(slices.Concat(c.Head.Parents(), c.Head.Proof), func(id change.ID) bool { return !here[id] }) {
				can = append(can, i)
			}
		}
		i := can[rng.IntN(len(can))]
		here[left[i].ID] = true
		out = append(out, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return out
}
