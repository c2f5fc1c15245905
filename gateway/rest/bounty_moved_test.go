package rest_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/identity/keys"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	"github.com/meshd/meshd/node/view"
)

// den is a private team of ada's with dee and bo as members, where dee pays: the
// home of its bounty is dee's own key.
func (w *bountyWorld) den() (team, path string) {
	w.t.Helper()
	team = w.found("ada", fields{"name": "Den", "type": "bounty", "visibility": "private"})
	for _, name := range []string{"dee", "bo"} {
		w.as("ada", "POST", team+"/members", fields{"agent_id": w.ids[name], "role": "member"}, 200, "")
	}
	w.grant("dee", 100)
	r := w.as("dee", "POST", "/api/mesh/bounties", fields{"teamId": team[strings.LastIndex(team, "/")+1:], "title": "Mend", "description": "All", "amount": 10}, 201, "")
	return team, "/api/mesh/bounties/" + r["bounty"].(fields)["id"].(string)
}

// recovered gives an agent a new API key by its subject's signature and ends the
// old ones.
func (w *bountyWorld) recovered(name string, subject ed25519.PrivateKey) {
	w.t.Helper()
	did := servicetest.DID(subject).String()
	r := w.want(w.post("/api/mesh/key/challenge", fields{"did": did}), 200, "")
	text := r.json["challenge"].(fields)["text"].(string)
	r = w.want(w.post("/api/mesh/key/recover", fields{"did": did, "nonce": r.json["nonce"],
		"signature": base64.RawURLEncoding.EncodeToString(ed25519.Sign(subject, []byte(text)))}), 200, "")
	w.keys[name] = r.json["agent"].(fields)["api_key"].(string)
}

// takenHome moves an agent to a key that is not of this node.
func (w *bountyWorld) takenHome(name string) *keys.Private {
	w.t.Helper()
	w.settle()
	to := keys.FromSeed(sha256.Sum256([]byte("own key of " + name)))
	_, who := w.idsOf("/"+w.team, name)
	d, err := w.node.RotationDraft(w.t.Context(), who[0], keys.HybridKey{Key: to.Key()}, nil)
	must(w.t, err)
	d.Body.By, err = w.node.ConsentOfKey(who[0])(d.Line)
	must(w.t, err)
	enc, err := d.Body.Encode()
	must(w.t, err)
	_, net := w.node.Network()
	c := change.Seal(change.Draft{Net: net, Space: who[0].Space(), Kind: change.KindRotate, Body: enc, HLC: d.HLC + 1<<20, Seq: 1, Proof: []change.ID{d.Record}}, to)
	if w.moved == nil {
		w.moved = map[string]*change.Change{}
	}
	w.moved[name] = c
	w.as("", "POST", "/api/mesh/identity/rotate", fields{"head": base64.StdEncoding.EncodeToString(c.RawHead), "body": base64.StdEncoding.EncodeToString(c.Body)}, 200, "")
	return to
}

// TestRewardOutlivesRecoveryAndRotation: both sides lose their API keys and move to
// other acting keys of this gateway while a bounty is under way. Its reward goes
// its way, by hand and by time.
func TestRewardOutlivesRecoveryAndRotation(t *testing.T) {
	t.Parallel()
	for _, place := range []string{"public", "private"} {
		w := newBountyWorld(t)
		payer, seed, had := "ada", byte(1), 1000.0
		path, timed := "", ""
		if place == "private" {
			payer, seed, had = "dee", 4, 100
			_, path = w.den()
			timed = "/api/mesh/bounties/" + w.as("dee", "POST", "/api/mesh/bounties", fields{"teamId": w.as("dee", "GET", path+"/lifecycle", nil, 200, "")["team"].(fields)["id"],
				"title": "Mend", "description": "More", "amount": 10}, 201, "")["bounty"].(fields)["id"].(string)
		} else {
			path, timed = w.open(nil), w.open(nil)
		}
		w.as("bo", "POST", path+"/claim", nil, 200, "")
		w.as("bo", "POST", timed+"/submit", solution, 201, "")
		old := w.keys["bo"]
		w.recovered("bo", servicetest.Key(2))
		w.recovered(payer, servicetest.Key(seed))
		w.want(w.do(apiCall{method: "POST", path: path + "/submit", key: old, body: encode(t, solution)}), 401, "key_revoked")
		_, who := w.idsOf("/"+w.team, payer, "bo")
		for _, id := range who {
			_, err := w.node.RotateHere(t.Context(), id, w.node.ConsentOfKey(id), view.Turn{})
			must(t, err)
		}
		must(t, w.service.Escrows.TendBounties(t.Context()))
		w.holds(payer, had-20)
		w.as("bo", "POST", path+"/submit", solution, 201, "")
		w.as(payer, "POST", path+"/payout", nil, 200, "")
		w.holds("bo", 10)
		w.pass(15 * 24 * time.Hour)
		must(t, w.service.Escrows.TendBounties(t.Context()))
		w.pass(73 * time.Hour)
		must(t, w.service.Escrows.TendBounties(t.Context()))
		w.holds("bo", 20)
		w.holds(payer, had-20)
		if r := w.as(payer, "GET", timed+"/lifecycle", nil, 200, ""); r["lifecycle"].(fields)["state"] != "paid" || r["bounty"].(fields)["escrow"].(fields)["state"] != "released" {
			t.Errorf("%s: by time: %v, %v", place, r["lifecycle"], r["bounty"].(fields)["escrow"])
		}
	}
}

// TestRewardOfAClaimantThatWentHome: who earns takes its key away. What it earned
// lies in its account here, found again by its agent's id.
func TestRewardOfAClaimantThatWentHome(t *testing.T) {
	t.Parallel()
	w := newBountyWorld(t)
	path := w.open(nil)
	w.as("bo", "POST", path+"/submit", solution, 201, "")
	w.takenHome("bo")
	w.as("ada", "POST", path+"/payout", nil, 200, "")
	w.holds("bo", 10)
}

// TestRewardWhoseHomeWentAway: the home of a private team's bounty is the payer's
// key, and the payer takes it to another node, or does and lends this one its
// voice again. Nobody can confirm anything any more, so the reward goes where time
// would have brought it, once.
func TestRewardWhoseHomeWentAway(t *testing.T) {
	t.Parallel()
	for _, lent := range []bool{false, true} {
		for _, c := range []struct {
			state  string
			by     []string // what bo does before
			wait   time.Duration
			payer  float64
			worker float64
		}{
			{"open", nil, 0, 100, 0},
			{"claimed", []string{"claim"}, 73 * time.Hour, 100, 0},
			{"submitted", []string{"submit"}, 17*24*time.Hour + time.Hour, 90, 10},
		} {
			w := newBountyWorld(t)
			_, path := w.den()
			for _, act := range c.by {
				w.as("bo", "POST", path+"/"+act, map[string]any{"submit": solution}[act], map[string]int{"claim": 200, "submit": 201}[act], "")
			}
			own := w.takenHome("dee")
			if lent {
				w.lends("dee", own)
			}
			must(t, w.service.Escrows.TendBounties(t.Context()))
			if c.wait > 0 {
				w.holds("dee", 90)
				w.pass(c.wait)
			}
			for range 2 {
				must(t, w.service.Escrows.TendBounties(t.Context()))
			}
			w.holds("dee", c.payer)
			w.holds("bo", c.worker)
		}
	}
}

// lends gives this node the voice of an agent that was taken home.
func (w *bountyWorld) lends(name string, own *keys.Private) {
	w.t.Helper()
	device, err := w.node.NewDeviceKey(w.t.Context())
	must(w.t, err)
	_, who := w.idsOf("/"+w.team, name)
	a, err := w.node.Agent(w.t.Context(), who[0])
	must(w.t, err)
	if a.DID != own.Key() || a.Local {
		w.t.Fatalf("%s is not taken home: %+v", name, a)
	}
	_, net := w.node.Network()
	end := w.clock.Now().Add(20 * 24 * time.Hour).Unix()
	token, err := v0.Build(v0.Draft{Audience: device.String(), Expires: &end,
		Caps: []v0.Cap{{With: who[0].Space().Resource(net), Can: "*", Caveats: []map[string]any{{}}}}}, own, nil)
	must(w.t, err)
	enc, err := body.Grant{Token: token}.Encode()
	must(w.t, err)
	moved := w.moved[name]
	c := change.Seal(change.Draft{Net: net, Space: who[0].Space(), Kind: change.KindGrant, Body: enc, HLC: moved.Head.HLC + 1, Seq: 2, Prev: moved.ID,
		Proof: []change.ID{moved.ID}}, own)
	took, err := w.node.TakeIn(w.t.Context(), []*change.Change{c}, func(view.Author) reason.Code { return "" })
	must(w.t, err)
	if took[0].Code != "" {
		w.t.Fatalf("the loan is refused: %s", took[0].Code)
	}
	if a, err = w.node.Agent(w.t.Context(), who[0]); err != nil || !a.Local {
		w.t.Fatalf("%s has not lent its voice: %+v, %v", name, a, err)
	}
}

// TestCutThatIsUndoneAfterItsRefund: the opening of a bounty was cut, its reward went
// back, and then it is taken back into the team. It finds its reward gone, gets no
// further, and ends in the log as it has ended in the ledger.
func TestCutThatIsUndoneAfterItsRefund(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		state string
		by    []string // what bo and dee do before
	}{{"open", nil}, {"claimed", []string{"bo claim"}}, {"submitted", []string{"bo submit"}}, {"accepted", []string{"bo submit", "dee accept"}}} {
		w := newBountyWorld(t)
		team, path := w.den()
		for _, act := range c.by {
			who, act, _ := strings.Cut(act, " ")
			w.as(who, "POST", path+"/"+act, map[string]any{"submit": solution}[act], map[string]int{"submit": 201}[act]+map[bool]int{true: 200}[act != "submit"], "")
		}
		written := w.changesOf(path)
		guild, who := w.idsOf(team, "ada", "dee", "bo")
		ctx := t.Context()
		g, err := w.node.Guild(ctx, guild)
		must(t, err)
		at := slices.IndexFunc(g.Members, func(m view.Member) bool { return m.ID == who[1] })
		_, err = w.node.Revoke(ctx, who[0], g.Members[at].Grant, body.Cuts{}, "never was")
		must(t, err)
		must(t, w.service.Escrows.TendBounties(ctx))
		w.holds("dee", 100)

		_, err = w.node.Endorse(ctx, who[0], written)
		must(t, err)
		w.as("ada", "POST", team+"/members", fields{"agent_id": w.ids["dee"], "role": "member"}, 200, "")
		must(t, w.service.Escrows.TendBounties(ctx))
		r := w.as("dee", "GET", path+"/lifecycle", nil, 200, "")
		if got := r["lifecycle"].(fields)["state"]; got != c.state || r["bounty"].(fields)["escrow"].(fields)["state"] != "refunded" {
			t.Fatalf("%s: came back as %v, escrow %v", c.state, got, r["bounty"].(fields)["escrow"])
		}
		switch c.state {
		case "open":
			w.as("bo", "POST", path+"/claim", nil, 503, "settlement_unavailable")
			if next := w.as("bo", "GET", path+"/lifecycle", nil, 200, "")["next_actions"]; encode(t, next) != "[]" {
				t.Errorf("bo may do %v", next)
			}
			w.as("dee", "POST", team+"/leave", nil, 409, "escrow_open")
			w.as("dee", "POST", path+"/cancel", nil, 200, "")
			w.as("dee", "POST", team+"/leave", nil, 204, "")
		case "submitted":
			w.as("dee", "POST", path+"/payout", nil, 503, "settlement_unavailable")
		case "accepted":
			w.as("dee", "POST", path+"/payout", nil, 503, "settlement_unavailable")
		}
		w.pass(15 * 24 * time.Hour)
		for range 2 {
			must(t, w.service.Escrows.TendBounties(ctx))
		}
		w.pass(73 * time.Hour)
		for range 2 {
			must(t, w.service.Escrows.TendBounties(ctx))
		}
		w.holds("dee", 100)
		w.holds("bo", 0)
		b, err := w.node.Bounty(ctx, written[0])
		must(t, err)
		if want := map[string]string{"open": "cancelled", "claimed": "open", "submitted": "refunded", "accepted": "refunded"}[c.state]; string(b.Status) != want {
			t.Errorf("%s: ends as %s, want %s", c.state, b.Status, want)
		}
	}
}

// changesOf are the opening of a bounty and all else that its payer's key wrote into
// its team.
func (w *bountyWorld) changesOf(path string) []change.ID {
	w.t.Helper()
	open, err := change.ParseID(change.PrefixBounty, path[strings.LastIndex(path, "/")+1:])
	must(w.t, err)
	b, err := w.node.Bounty(w.t.Context(), open)
	must(w.t, err)
	all, _, err := w.node.ChangesIn(w.t.Context(), b.Space, 0, 500)
	must(w.t, err)
	ids := []change.ID{open}
	for _, c := range all {
		if c.Head.Author.String() == b.Home && c.ID != open {
			ids = append(ids, c.ID)
		}
	}
	return ids
}
