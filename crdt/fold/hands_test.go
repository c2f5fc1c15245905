package fold_test

import (
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/keys"
)

// sponsoredBy is a genesis for which a key vouches.
func sponsoredBy(a *worldtest.Author, by *keys.Private) body.Bind {
	sig := by.Sign(binding.SponsorMessage(a.World.Net, a.Key.Key()))
	return body.Bind{Name: a.Name, Sponsor: &body.Sponsor{By: by.Key(), Sig: sig[:]}}
}

// TestSameHands: Ada pays, and the others would like to earn what she pays.
func TestSameHands(t *testing.T) {
	t.Parallel()
	w := worldtest.NewRooted(51)
	h := &history{w: w}
	names := []string{"Ada", "Bo", "Cy", "Dan", "Eve", "Flo", "Gus", "Hub", "Ian", "Jo"}
	by := map[string]*worldtest.Author{}
	for _, n := range names {
		by[n] = w.Agent(n)
	}
	v := fold.New(w.Net)
	apply(v,
		by["Ada"].BindAs(proven(h, by["Ada"])),
		by["Bo"].BindAs(claimed(h, by["Bo"])),                   // names Ada's controller, and proves nothing
		by["Cy"].BindAs(sponsoredBy(by["Cy"], by["Ada"].Key)),   // her child
		by["Dan"].BindAs(sponsoredBy(by["Dan"], by["Cy"].Key)),  // her grandchild
		by["Eve"].BindAs(sponsoredBy(by["Eve"], sponsor)),       // two of one sponsor that is no agent
		by["Flo"].BindAs(sponsoredBy(by["Flo"], sponsor)),       //
		by["Gus"].BindAs(body.Bind{Name: "Gus"}),                // a stranger
		by["Hub"].Bind(),                                        // a gateway, and two that registered there
		by["Ian"].BindAs(sponsoredBy(by["Ian"], by["Hub"].Key)), //
		by["Jo"].BindAs(sponsoredBy(by["Jo"], by["Hub"].Key)),   //
	)
	want := func(a, b string, same bool) {
		t.Helper()
		if v.SameHands(by[a].ID, by[b].ID) != same || v.SameHands(by[b].ID, by[a].ID) != same {
			t.Errorf("%s and %s: want %t", a, b, same)
		}
	}
	want("Ada", "Ada", true)
	want("Ada", "Bo", false)
	want("Ada", "Cy", true)
	want("Ada", "Dan", true)
	want("Cy", "Dan", true)
	want("Eve", "Flo", true)
	want("Ada", "Eve", false)
	want("Ada", "Gus", false)
	want("Ian", "Jo", true) // whoever brings them in is their party
	want("Ian", "Hub", true)

	if host := v.GatewayHost(by["Hub"].Key.Key()); host != "" || !v.Related(by["Ian"].ID, by["Jo"].ID) {
		t.Errorf("nobody listed the gateway: %q", host)
	}

	// A gateway that the manifest lists sponsors everybody.
	apply(v, w.Manifest(body.Manifest{Gateways: []body.Gateway{{Host: "hub", Key: by["Hub"].Key.Key()}}}))
	want("Ian", "Jo", false)
	want("Ian", "Hub", false)
	want("Eve", "Flo", true)
	if v.Related(by["Ian"].ID, by["Jo"].ID) || !v.Related(by["Eve"].ID, by["Flo"].ID) {
		t.Error("a gateway of the manifest makes relatives, or nobody does")
	}

	// A controller that is proven later counts from then on.
	late := claimed(h, by["Bo"])
	late.Proof = h.proof(by["Bo"])
	late.Controllers = nil // only the genesis names them
	apply(v, by["Bo"].BindAs(late))
	want("Ada", "Bo", true)
	want("Bo", "Gus", false)

	if stranger := w.Agent("unknown"); v.SameHands(by["Ada"].ID, stranger.ID) || !v.SameHands(stranger.ID, stranger.ID) {
		t.Error("an agent that is not here is one party with itself alone")
	}
	ties := map[[2]string]fold.Tie{}
	nameOf := map[change.AgentID]string{}
	for n, a := range by {
		nameOf[a.ID] = n
	}
	v.EachTie(func(from, to change.AgentID, tie fold.Tie) { ties[[2]string{nameOf[from], nameOf[to]}] = tie })
	if len(ties) != 2 || ties[[2]string{"Ada", "Cy"}] != fold.TieSponsor || ties[[2]string{"Cy", "Dan"}] != fold.TieSponsor {
		t.Errorf("ties of sponsors: %v", ties)
	}
}

// A gateway that rotated sponsors with a key that the manifest does not name: the line
// of its agent has the one that it names.
func TestGatewayThatRotatedStillSponsors(t *testing.T) {
	t.Parallel()
	w := worldtest.NewRooted(52)
	hub, ian, jo := w.Agent("Hub"), w.Agent("Ian"), w.Agent("Jo")
	v := fold.New(w.Net)
	apply(v, hub.Bind(), w.Manifest(body.Manifest{Gateways: []body.Gateway{{Host: "hub.example", Key: hub.Key.Key()}}}))
	next, rotation := hub.Rotate("the next key of the hub", nil, body.Rotate{Cut: hub.Cut()})
	apply(v, rotation, ian.BindAs(sponsoredBy(ian, next.Key)), jo.BindAs(sponsoredBy(jo, next.Key)))
	for _, a := range []*worldtest.Author{ian, jo} {
		if s, ok := v.Stats(a.ID); !ok || s.Host != "hub.example" {
			t.Errorf("%s was sponsored by the gateway of %q", a.Name, s.Host)
		}
	}
	if v.Related(ian.ID, jo.ID) || v.SameHands(ian.ID, jo.ID) {
		t.Error("two that registered at a gateway are one party")
	}
	if got := v.GatewayHost(w.Key("somebody").Key()); got != "" {
		t.Errorf("nobody's key is of %q", got)
	}
	apply(v, w.Manifest(body.Manifest{}))
	if s, _ := v.Stats(ian.ID); s.Host != "" || !v.Related(ian.ID, jo.ID) {
		t.Errorf("after the manifest dropped the gateway: %q", s.Host)
	}
}
