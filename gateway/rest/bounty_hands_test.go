package rest_test

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// twin is an agent of this node that names the subject of another as its
// controller, and proves it only when it is asked to.
type twin struct {
	w       *bountyWorld
	id      change.AgentID
	key     did.Key
	subject ed25519.PrivateKey
}

func (w *bountyWorld) twin(name string, subject ed25519.PrivateKey) *twin {
	w.t.Helper()
	vault, key, err := w.node.NewActingKey(w.t.Context())
	must(w.t, err)
	a, _, err := w.node.OpenAgent(w.t.Context(), view.Genesis{KeyName: vault, Name: name, Custody: "self", Controllers: []string{servicetest.DID(subject).String()}})
	must(w.t, err)
	w.ids[name] = a.ID.String()
	return &twin{w, a.ID, key, subject}
}

// does takes a step of a bounty as the twin, who has no API key.
func (x *twin) does(path string, body any, status int, code string) map[string]any {
	x.w.t.Helper()
	x.w.settle()
	c := apiCall{method: "POST", path: path, owner: x.id.String()}
	if body != nil {
		c.body = encode(x.w.t, body)
	}
	return x.w.want(x.w.do(c), status, code).json
}

// prove makes the twin and the agent of its subject one party.
func (x *twin) prove() {
	t := x.w.t
	t.Helper()
	_, net := x.w.node.Network()
	now := x.w.clock.Now()
	text, err := binding.Challenge{Purpose: wallet.Registration, Network: net, Subject: did.OfKey(servicetest.DID(x.subject)),
		Nonce: "00000000-0000-4000-8000-000000000001", Key: x.key, Issued: now, Expires: now.Add(5 * time.Minute)}.Text()
	must(t, err)
	_, err = x.w.node.BindController(t.Context(), x.id, binding.Proof{Alg: binding.AlgEd25519, By: servicetest.DID(x.subject).String(),
		Sig: ed25519.Sign(x.subject, []byte(text)), Text: text})
	must(t, err)
}

// published are the names of the moves of bounties that were published so far.
func published(sub *events.Sub) (names []string) {
	for len(sub.C()) > 0 {
		names = append(names, (<-sub.C()).Data.(events.Step).Name)
	}
	return names
}

// TestOnePartyIsNotPaidByTime: who pays and who earns prove to be one party after
// the work was accepted. When nobody decides, the reward goes back, and the log,
// the ledger, the lifecycle on every face and the events say so.
func TestOnePartyIsNotPaidByTime(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"admin", "owner", "governance"} {
		w := newBountyWorld(t)
		w.as("ada", "PATCH", "/api/mesh/team/"+w.team, fields{"policy": fields{"bounty_payout": policy}}, 200, "")
		mal := w.twin("mal", servicetest.Key(1)) // ada's
		path := w.open(nil)
		mal.does(path+"/submit", solution, 201, "")
		w.as("cy", "POST", path+"/accept", nil, 200, "")
		mal.prove()
		w.as("cy", "POST", path+"/payout", nil, 403, "self_deal")
		sub := w.node.Events().SubscribeLossy(events.BountyStep, 64)
		defer sub.Close()
		w.pass(71 * time.Hour)
		must(t, w.service.Escrows.TendBounties(t.Context()))
		w.state(path, "accepted")
		w.pass(2 * time.Hour)
		for range 2 {
			must(t, w.service.Escrows.TendBounties(t.Context()))
		}

		w.holds("ada", 1000)
		r := w.state(path, "refunded")
		life, shown, last := r["lifecycle"].(fields), r["bounty"].(fields), r["events"].([]any)[len(r["events"].([]any))-1].(fields)
		if life["status"] != "expired" || life["completedAt"] == nil || shown["status"] != "refunded" || shown["escrow"].(fields)["state"] != "refunded" {
			t.Errorf("%s: lifecycle %v, escrow %v", policy, life, shown["escrow"])
		}
		if last["from"] != "accepted" || last["to"] != "refunded" || last["reason"] == nil {
			t.Errorf("%s: the last move is %v", policy, last)
		}
		work := r["submissions"].([]any)[0].(fields)
		if work["status"] != "rejected" || work["payoutResult"] != nil {
			t.Errorf("%s: the work is %v", policy, work)
		}
		if names := published(sub); !slices.Equal(names, []string{"bounty.refunded"}) {
			t.Errorf("%s: published %v", policy, names)
		}
		lines := fmt.Sprint(w.as("ada", "GET", "/api/mesh/transactions", nil, 200, "")["transactions"])
		for _, list := range []string{"/api/mesh/bounties?status=paid", "/api/mesh/bounties?status=refunded"} {
			want := map[bool]float64{true: 1}[list[len(list)-8:] == "refunded"]
			if got := w.as("", "GET", list, nil, 200, "")["total"]; got != want {
				t.Errorf("%s: %s lists %v: %s", policy, list, got, lines)
			}
		}
		raw, err := json.Marshal(w.as("", "GET", "/api/mesh/teams/leaderboard?metric=revenue", nil, 200, "")["entries"])
		must(t, err)
		var boards []struct{ RevenueEarnedCents int64 }
		must(t, json.Unmarshal(raw, &boards))
		for _, b := range boards {
			if b.RevenueEarnedCents != 0 {
				t.Errorf("%s: the team has earned %d", policy, b.RevenueEarnedCents)
			}
		}
	}
}
