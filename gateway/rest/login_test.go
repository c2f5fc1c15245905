package rest_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/market"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/pay"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/node/exchange"
)

// visit is a gateway that pays out, and rue, who lives elsewhere, with a wallet that every
// node can check.
type visit struct {
	*refusalWorld
	rue    *signer
	wallet *wallet.Key
	tokens int
}

func newVisit(t *testing.T) *visit {
	t.Helper()
	v := &visit{refusalWorld: newRefusalWorld(t), wallet: walletOf(t, 61)}
	srv := httptest.NewServer(v.chain)
	t.Cleanup(srv.Close)
	facilitator, err := pay.NewFacilitator(srv.URL)
	must(t, err)
	network, _ := pay.FindNetwork("base-sepolia")
	cursors, err := cursor.New(bytes.Repeat([]byte{3}, 32))
	must(t, err)
	limits, err := limit.New(limit.Config{Disabled: true})
	must(t, err)
	v.service, err = service.New(v.node, v.world.state, cursors, limits, service.Config{Version: "1.2.3", DID: v.gateway.Key().String(), Tools: mcp.Tools(),
		BaseURL: func() string { return base }, SellsAt: base, Now: v.clock.Now,
		Market: market.Market{FeeBPS: 1500, PayTo: walletOf(t, 99).Address(), Network: network, Facilitator: facilitator, Treasury: walletOf(t, 99)}})
	must(t, err)
	who, err := auth.New(v.world.state).AcceptTokens(auth.TokenConfig{Service: v.gateway.Key(), Network: v.network, Trust: v.node, Replays: v.world.state})
	must(t, err)
	m, err := mcp.New(v.service, mcp.Config{Version: "1.2.3"})
	must(t, err)
	v.handler, err = rest.New(v.service, who, m, rest.Config{})
	must(t, err)
	v.rue = v.signer("rue")
	by := did.OfAccount(did.Account{Chain: 8453, Address: v.wallet.Address()})
	issued := v.clock.Now().UTC().Truncate(time.Second)
	text, err := binding.Challenge{Purpose: wallet.Registration, Network: v.network, Subject: by, Nonce: "00000000-0000-4000-8000-000000000001", Key: v.rue.key.Key(),
		Issued: issued, Expires: issued.Add(time.Minute)}.Text()
	must(t, err)
	sig := v.wallet.SignText(text)
	enc, err := body.Bind{Name: "rue", Controllers: []string{by.String()}, Proof: &binding.Proof{Alg: binding.AlgEIP191, By: by.String(), Sig: sig[:], Text: text}}.Encode()
	must(t, err)
	v.rue.record = change.Seal(change.Draft{Net: v.network, Space: v.rue.id.Space(), Kind: change.KindBind, Body: enc, HLC: v.rue.now(), Seq: 1}, v.rue.key)
	if got := v.bring(v.rue.record); got[v.rue.record.ID] != "" {
		t.Fatalf("rue's record: %v", got)
	}
	v.settle()
	return v
}

// earns books a sale to rue, which nothing here signs for.
func (v *visit) earns(usd int64) {
	v.t.Helper()
	_, _, err := v.world.state.Post(v.t.Context(), state.Transfer{Op: state.OpSale, Key: fmt.Sprint("earned", usd), Object: "ent_x", Postings: []state.Posting{
		{Account: state.AgentAccount(v.ids["ada"]), Amount: -usd * 1e6}, {Account: state.AgentAccount(v.rue.id.String()), Amount: usd * 1e6}}}, v.clock.Now())
	must(v.t, err)
}

// challenge asks for what rue signs.
func (v *visit) challenge(in fields) (nonce, text string) {
	v.t.Helper()
	r := v.by("", "POST", "/api/mesh/login/challenge", in, 200, "")
	return r.json["nonce"].(string), r.json["challenge"].(fields)["text"].(string)
}

func signedBy(k *keys.Private, text string) string {
	sig := k.Sign([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sig[:])
}

func (v *visit) byKey() fields { return fields{"did": v.rue.key.Key().String()} }

// logIn logs rue in with her acting key.
func (v *visit) logIn() string {
	v.t.Helper()
	nonce, text := v.challenge(v.byKey())
	return v.by("", "POST", "/api/mesh/login", fields{"nonce": nonce, "signature": signedBy(v.rue.key, text)}, 201, "").json["api_key"].(string)
}

// token is one of rue's own key, for one request.
func (v *visit) token(can string) string {
	v.t.Helper()
	v.tokens++
	end := v.clock.Now().Unix() + 60
	raw, err := v0.Build(v0.Draft{Audience: v.gateway.Key().String(), Expires: &end, Nonce: fmt.Sprint("visit", v.tokens),
		Caps: []v0.Cap{{With: v.rue.id.Space().Resource(v.network) + "/credits", Can: can, Caveats: []map[string]any{{}}}}}, v.rue.key, nil)
	must(v.t, err)
	return raw
}

func (v *visit) sums() {
	v.t.Helper()
	faults, err := openLedger(v.t, v.dir).faults(false)
	if err != nil || len(faults) > 0 {
		v.t.Errorf("the ledger: %v, %v", faults, err)
	}
}

// TestLoginOfWhoLivesElsewhere: an agent that never was here logs in by its acting key or
// its wallet, and has its own account: balance, purchases and withdrawal, and nothing more.
func TestLoginOfWhoLivesElsewhere(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.earns(5)
	key := v.logIn()
	if r := v.by(key, "GET", "/api/mesh/me", nil, 200, ""); r.json["agentId"] != v.rue.id.String() {
		t.Errorf("who it is: %s", r.raw)
	}
	if r := v.by(key, "GET", "/api/credits", nil, 200, ""); r.json["balance"] != 500.0 {
		t.Errorf("the account: %s", r.raw)
	}
	v.by(key, "GET", "/api/mesh/transactions", nil, 200, "")
	lesson := contribution("what is for sale to who logged in")
	lesson["price"] = 1
	id := v.as("cy", "POST", "/api/mesh/contribute", lesson, 201, "")["id"].(string)
	if r := v.by(v.keys["bo"], "GET", "/api/mesh/entry/"+id, nil, 402, "payment_required"); r.json["entry"].(fields)["sold_at"].(fields)["url"] != base+"/api/mesh/entry/"+id {
		t.Errorf("who sells it: %s", r.raw)
	}
	for _, list := range []string{"/api/mesh/feed", "/api/mesh/marketplace"} {
		if r := v.by("", "GET", list, nil, 200, ""); !strings.Contains(string(r.raw), `"sold_at":{"gateway":"`+base+`"`) {
			t.Errorf("%s does not say who sells: %s", list, r.raw)
		}
	}
	if r := v.by(key, "POST", "/api/mesh/entry/"+id+"/buy", nil, 200, ""); r.json["entry"].(fields)["content"] != lesson["content"] {
		t.Errorf("bought: %s", r.raw)
	}
	// The same by a token of its key is the same account: it has it already.
	if r := v.by(v.token(ucan.CreditSpend), "POST", "/api/mesh/entry/"+id+"/buy", nil, 200, ""); r.json["already_owned"] != true || r.json["receipt"] != nil {
		t.Errorf("bought again: %s", r.raw)
	}

	// It withdraws by the key of a login and by a token, to the wallet that its record proves.
	for i, credential := range []string{key, v.token(ucan.CreditPayOut)} {
		r := v.by(credential, "POST", "/api/credits/withdraw", fields{"amount": 1}, 200, "")
		if r.json["wallet"] != v.wallet.Address().String() || r.json["balance"] != float64(300-100*i) {
			t.Errorf("paid out: %s", r.raw)
		}
	}
	v.by(v.token(ucan.CreditSpend), "POST", "/api/credits/withdraw", fields{"amount": 1}, 403, "capability_denied")
	v.by(key, "POST", "/api/credits/withdraw", fields{"amount": 3}, 402, "insufficient_credits")

	// Nothing is signed for it, nothing delegated, and nothing recovers it here.
	v.by(key, "POST", "/api/mesh/contribute", v.lesson(), 403, "scope_missing")
	v.by(key, "POST", "/api/mesh/keys", fields{"label": "more", "scopes": []string{"pay"}}, 403, "scope_missing")
	v.by(key, "POST", "/api/mesh/identity/bind", fields{"signature": "0x"}, 403, "scope_missing")
	r := v.by("", "POST", "/api/mesh/key/challenge", fields{"did": v.rue.key.Key().String()}, 200, "")
	v.by("", "POST", "/api/mesh/key/recover", fields{"did": v.rue.key.Key().String(), "nonce": r.json["nonce"],
		"signature": signedBy(v.rue.key, r.json["challenge"].(fields)["text"].(string))}, 401, "signature_invalid")

	// By its wallet it is the same agent; the wallet then gives no second one here.
	asked := fields{"agent_id": v.rue.id.String(), "wallet_address": v.wallet.Address().String()}
	v.by("", "POST", "/api/mesh/register/challenge", fields{"did": v.rue.key.Key().String()}, 409, "wallet_taken")
	nonce, text := v.challenge(asked)
	sig := v.wallet.SignText(text)
	second := v.by("", "POST", "/api/mesh/login", fields{"nonce": nonce, "signature": "0x" + hex.EncodeToString(sig[:])}, 201, "").json
	if second["agent"].(fields)["id"] != v.rue.id.String() || second["account"].(fields)["balance"] != 200.0 {
		t.Errorf("by its wallet: %v", second)
	}
	if r := v.by("", "POST", "/api/mesh/register/challenge", fields{"wallet_address": v.wallet.Address().String()}, 409, "wallet_taken"); !strings.Contains(r.json["hint"].(string), "/api/mesh/login") {
		t.Errorf("a second agent: %s", r.raw)
	}
	r = v.by("", "POST", "/api/mesh/key/challenge", fields{"wallet_address": v.wallet.Address().String()}, 200, "")
	sig = v.wallet.SignText(r.json["challenge"].(fields)["text"].(string))
	v.by("", "POST", "/api/mesh/key/recover", fields{"wallet_address": v.wallet.Address().String(), "nonce": r.json["nonce"], "signature": "0x" + hex.EncodeToString(sig[:])}, 401, "signature_invalid")

	// The key ends by itself, by logging out, and with the oldest of several.
	v.by(key, "DELETE", "/api/mesh/login", nil, 200, "")
	v.by(key, "GET", "/api/credits", nil, 401, "key_revoked")
	v.by(v.keys["bo"], "DELETE", "/api/mesh/login", nil, 404, "not_found")
	first := v.logIn()
	for range 5 {
		key = v.logIn()
	}
	v.by(first, "GET", "/api/credits", nil, 401, "key_revoked")
	v.by(key, "GET", "/api/credits", nil, 200, "")
	v.pass(state.LoginTTL)
	v.by(key, "GET", "/api/credits", nil, 401, "token_expired")
	v.sums()
}

// TestLoginsThatAreRefused: what is replayed, late, of another gateway, forged or of a key
// that speaks for nobody opens nothing, each with its code.
func TestLoginsThatAreRefused(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	stranger := keys.FromSeed([32]byte{9, 's'})
	enter := func(nonce, signature string, status int, code string) {
		t.Helper()
		v.by("", "POST", "/api/mesh/login", fields{"nonce": nonce, "signature": signature}, status, code)
	}
	// Who may not ask for a text.
	for name, c := range map[string]struct {
		in     fields
		status int
		code   string
	}{
		"nobody":                   {fields{}, 400, "proof_required"},
		"two subjects":             {fields{"did": v.rue.key.Key().String(), "wallet_address": v.wallet.Address().String()}, 400, "invalid_param"},
		"no did":                   {fields{"did": "did:web:example.org"}, 400, "invalid_did"},
		"no wallet":                {fields{"agent_id": v.rue.id.String(), "wallet_address": "0x12"}, 400, "invalid_wallet"},
		"a wallet alone":           {fields{"wallet_address": v.wallet.Address().String()}, 400, "missing_field"},
		"an unknown key":           {fields{"did": stranger.Key().String()}, 404, "agent_not_found"},
		"an unknown agent":         {fields{"agent_id": "agt_nothing", "did": stranger.Key().String()}, 404, "agent_not_found"},
		"another's key":            {fields{"agent_id": v.rue.id.String(), "did": stranger.Key().String()}, 403, "capability_missing"},
		"another's wallet":         {fields{"agent_id": v.rue.id.String(), "wallet_address": walletOf(t, 62).Address().String()}, 403, "capability_missing"},
		"an agent that lives here": {fields{"agent_id": v.ids["bo"], "did": v.rue.key.Key().String()}, 403, "forbidden"},
	} {
		t.Log(name)
		v.by("", "POST", "/api/mesh/login/challenge", c.in, c.status, c.code)
	}
	enter("", "", 400, "proof_required")
	enter("none", "AA", 400, "nonce_invalid")
	enter(strings.Repeat("n", 40), "AA", 400, "nonce_invalid")
	// A forged signature burns the nonce; a good one is used once.
	nonce, text := v.challenge(v.byKey())
	enter(nonce, signedBy(stranger, text), 401, "signature_invalid")
	enter(nonce, signedBy(v.rue.key, text), 400, "nonce_invalid")
	nonce, text = v.challenge(v.byKey())
	enter(nonce, signedBy(v.rue.key, strings.Replace(text, base, "https://elsewhere.example", 1)), 401, "signature_invalid")
	nonce, text = v.challenge(v.byKey())
	enter(nonce, signedBy(v.rue.key, text), 201, "")
	enter(nonce, signedBy(v.rue.key, text), 400, "nonce_invalid")
	// Late, and of another gateway: its nonce is none of this one.
	nonce, text = v.challenge(v.byKey())
	v.pass(state.ChallengeTTL)
	enter(nonce, signedBy(v.rue.key, text), 400, "nonce_invalid")
	other := newVisit(t)
	nonce, text = other.challenge(v.byKey())
	enter(nonce, signedBy(v.rue.key, text), 400, "nonce_invalid")
	// What is signed for something else is no login, and a login nothing else.
	r := v.by("", "POST", "/api/mesh/key/challenge", v.byKey(), 200, "")
	enter(r.json["nonce"].(string), signedBy(v.rue.key, r.json["challenge"].(fields)["text"].(string)), 400, "nonce_invalid")
	v.sums()
}

// TestLoginOfAForkedOrRotatedAgent: a key that was rotated away, or that two hands have,
// logs in no more, and what it had opened is shut. What is paid is paid once.
func TestLoginOfAForkedOrRotatedAgent(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.earns(3)
	lesson := contribution("what two copies of one home buy")
	lesson["price"] = 1
	path := "/api/mesh/entry/" + v.as("cy", "POST", "/api/mesh/contribute", lesson, 201, "")["id"].(string) + "/buy"
	key := v.logIn()
	nonce, text := v.challenge(v.byKey())

	// Two copies of the home write at one place of a chain.
	one, two := v.rue.entry("one copy"), (*change.Change)(nil)
	delete(v.rue.prev, change.Commons("go"))
	two = v.rue.entry("another copy")
	for _, c := range []*change.Change{one, two} {
		lines, err := exchange.Append(nil, c)
		must(t, err)
		_, err = v.node.Import(t.Context(), bytes.NewReader(lines))
		must(t, err)
	}
	v.settle()
	v.by("", "POST", "/api/mesh/login/challenge", v.byKey(), 409, "forked_author")
	v.by("", "POST", "/api/mesh/login", fields{"nonce": nonce, "signature": signedBy(v.rue.key, text)}, 409, "forked_author")
	v.by(key, "GET", "/api/credits", nil, 401, "key_revoked")
	// Both copies have the key, and the account is one: it pays once.
	v.by(v.token(ucan.CreditSpend), "POST", path, nil, 200, "")
	if r := v.by(v.token(ucan.CreditSpend), "POST", path, nil, 200, ""); r.json["already_owned"] != true {
		t.Errorf("paid twice: %s", r.raw)
	}
	if r := v.by(v.token(ucan.CreditRead), "GET", "/api/credits", nil, 200, ""); r.json["balance"] != 200.0 {
		t.Errorf("after both: %s", r.raw)
	}
	v.sums()

	// Of another agent the key is rotated: what it had opened is shut, what it signs is nothing.
	w := newVisit(t)
	w.earns(3)
	key = w.logIn()
	w.by(key, "GET", "/api/credits", nil, 200, "")
	nonce, text = w.challenge(w.byKey())
	old, next := w.rue.key, keys.FromSeed([32]byte{9, 'n'})
	d, err := w.node.RotationDraft(t.Context(), w.rue.id, keys.HybridKey{Key: next.Key()}, nil)
	must(t, err)
	sig := w.rue.key.Sign([]byte(d.Line))
	d.Body.By = binding.Consent{Alg: binding.AlgEd25519, Key: old.Key().String(), Sig: sig[:], Text: d.Line}
	enc, err := d.Body.Encode()
	must(t, err)
	c := change.Seal(change.Draft{Net: w.network, Space: w.rue.id.Space(), Kind: change.KindRotate, Body: enc, HLC: d.HLC + 1<<20, Seq: 1, Proof: []change.ID{d.Record}}, next)
	if got := w.bring(c); got[c.ID] != "" {
		t.Fatalf("the rotation: %v", got)
	}
	w.settle()
	w.by("", "POST", "/api/mesh/login", fields{"nonce": nonce, "signature": signedBy(old, text)}, 401, "key_revoked")
	w.by("", "POST", "/api/mesh/login/challenge", fields{"agent_id": w.rue.id.String(), "did": old.Key().String()}, 401, "key_revoked")
	w.by(key, "GET", "/api/credits", nil, 401, "key_revoked")
	w.by(key, "POST", "/api/credits/withdraw", fields{"amount": 1}, 401, "key_revoked")
	w.by(w.token(ucan.CreditRead), "GET", "/api/credits", nil, 403, "capability_denied")
	w.rue.key = next
	if r := w.by(w.logIn(), "GET", "/api/credits", nil, 200, ""); r.json["balance"] != 300.0 {
		t.Errorf("the account after the rotation: %s", r.raw)
	}
	w.sums()
}
