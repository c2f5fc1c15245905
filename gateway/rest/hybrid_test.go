package rest_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/keys"
)

// half is a change with other signatures; its id stays.
func half(c *change.Change, sig [keys.SignatureSize]byte, sig2 []byte) *change.Change {
	h := *c.Head
	h.Sig, h.Sig2 = sig, sig2
	return &change.Change{ID: c.ID, Head: &h, RawHead: h.Encode(), Body: c.Body}
}

// TestTwoSignaturesAtTheEndpoints: what an agent signs at home with two keys is taken with
// both signatures, and with nothing less, where changes are brought and where an identity
// moves.
func TestTwoSignaturesAtTheEndpoints(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	s := w.signer("twofold")
	seed := sha256.Sum256([]byte("second"))
	pair, other := keys.NewHybridSigner(s.key, seed), keys.NewHybridSigner(s.key, sha256.Sum256([]byte("another")))
	seal := func(d change.Draft, k *keys.HybridSigner) *change.Change {
		t.Helper()
		c, err := change.SealHybrid(d, k)
		must(t, err)
		return c
	}
	encode := func(b interface{ Encode() ([]byte, error) }) []byte {
		t.Helper()
		enc, err := b.Encode()
		must(t, err)
		return enc
	}
	first := change.Draft{Net: s.net, Space: s.id.Space(), Kind: change.KindBind, Body: encode(body.Bind{Name: "twofold", PQ: pair.Key().PQ}), HLC: s.now(), Seq: 1}
	record := seal(first, pair)
	rename := func(name string) change.Draft {
		return change.Draft{Net: s.net, Space: s.id.Space(), Kind: change.KindBind, Body: encode(body.Bind{Name: name}), HLC: s.now() + 2, Seq: 2, Prev: record.ID, Proof: []change.ID{record.ID}}
	}
	refused := func(what string, c *change.Change) {
		t.Helper()
		if got := w.bring(c)[c.ID]; got != "bad_change_signature" {
			t.Errorf("%s: %q", what, got)
		}
	}
	refused("an agent that begins with one signature", change.Seal(first, s.key))
	refused("an agent that begins with another's second one", seal(first, other))
	if got := w.bring(record)[record.ID]; got != "" {
		t.Fatalf("the agent: %q", got)
	}
	good, also := seal(rename("good"), pair), seal(rename("also"), pair)
	plain, mixed := change.Seal(rename("good"), s.key), seal(rename("good"), other)
	sig, sig2, err := pair.Sign("keyset", good.Head.Unsigned())
	must(t, err)
	for what, c := range map[string]*change.Change{
		"stripped, and signed alone": plain, "stripped": half(good, good.Head.Sig, nil), "one of each form": half(good, plain.Head.Sig, good.Head.Sig2),
		"mixed": mixed, "mixed halves": half(good, good.Head.Sig, mixed.Head.Sig2), "of another change": half(good, also.Head.Sig, also.Head.Sig2),
		"half of another change": half(good, good.Head.Sig, also.Head.Sig2), "for another purpose": half(good, sig, sig2),
	} {
		refused(what, c)
	}
	if got := w.bring(good)[good.ID]; got != "" {
		t.Fatalf("both signatures: %q", got)
	}
	if got := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/agent/" + s.id.String()}), 200, "").json["agent"].(map[string]any); got["algorithm"] != "ed25519+ml-dsa-65" || got["name"] != "good" {
		t.Errorf("the agent is %v", got)
	}

	// An identity that moves to a key of two halves: what is asked to sign covers the second.
	next := keys.FromSeed(sha256.Sum256([]byte("next")))
	two := keys.NewHybridSigner(next, seed)
	path := fmt.Sprintf("/api/mesh/identity/rotate?agent=%s&new=%s", s.id, next.Key())
	w.want(w.do(apiCall{method: "GET", path: path + "&pq=00"}), 400, "invalid_param")
	w.want(w.do(apiCall{method: "GET", path: path + "&pq=" + strings.Repeat("zz", keys.PQKeySize)}), 400, "invalid_param")
	bare := w.want(w.do(apiCall{method: "GET", path: path}), 200, "").json
	asked := w.want(w.do(apiCall{method: "GET", path: path + "&pq=" + hex.EncodeToString(two.Key().PQ)}), 200, "").json
	if asked["pq"] != hex.EncodeToString(two.Key().PQ) || bare["pq"] != nil || asked["line"] == bare["line"] {
		t.Fatalf("asked to sign %v, and %v without a second half", asked["line"], bare["line"])
	}
	r := body.Rotate{Old: s.key.Key(), Cut: body.Cut{}, PQ: two.Key().PQ}
	for chain, text := range asked["cut"].(map[string]any) {
		id, err := change.ParseID(change.PrefixChange, text.(string))
		must(t, err)
		r.Cut[chain] = id
	}
	line := asked["line"].(string)
	consent := s.key.Sign([]byte(line))
	r.By = binding.Consent{Alg: binding.AlgEd25519, Key: s.key.Key().String(), Sig: consent[:], Text: line}
	turn := change.Draft{Net: s.net, Space: s.id.Space(), Kind: change.KindRotate, Body: encode(r), HLC: s.now() + 10, Seq: 1, Proof: []change.ID{record.ID}}
	hand := func(c *change.Change, status int, code string) map[string]any {
		t.Helper()
		return w.want(w.post("/api/mesh/identity/rotate", fields{"head": base64.StdEncoding.EncodeToString(c.RawHead), "body": base64.StdEncoding.EncodeToString(c.Body)}), status, code).json
	}
	whole := seal(turn, two)
	hand(change.Seal(turn, next), 422, "bad_change_signature")
	hand(half(whole, whole.Head.Sig, nil), 422, "bad_change_signature")
	hand(seal(turn, keys.NewHybridSigner(next, sha256.Sum256([]byte("another")))), 422, "bad_change_signature")
	if got := hand(whole, 200, ""); got["algorithm"] != "ed25519+ml-dsa-65" || got["custody"] != "self" || got["did"] != next.Key().String() {
		t.Errorf("moved: %v", got)
	}
}

// offer asks the gateway for a new key of an agent that it acts for.
func (w *refusalWorld) offer(who string, body fields, status int, code string) map[string]any {
	w.t.Helper()
	return w.want(w.do(apiCall{method: "POST", path: "/api/mesh/identity/rotate/challenge", key: w.keys[who], body: encode(w.t, body)}), status, code).json
}

// TestGatewayTurnsAKey: a gateway makes a key of two halves for an agent that it acts for,
// and signs with both once a controller consents; writes go on meanwhile, and none is
// lost. Nothing but the consent of a controller does it.
func TestGatewayTurnsAKey(t *testing.T) {
	t.Parallel()
	w := newRefusalWorld(t)
	own := keys.FromSeed(sha256.Sum256([]byte("own key of ada")))
	challenge := w.want(w.post("/api/mesh/register/challenge", fields{"did": own.Key().String()}), 200, "").json
	sig := own.Sign([]byte(challenge["challenge"].(map[string]any)["text"].(string)))
	made := w.want(w.post("/api/mesh/register", fields{"name": "turned", "did": own.Key().String(), "nonce": challenge["nonce"], "signature": hex.EncodeToString(sig[:])}), 201, "").json["agent"].(map[string]any)
	w.keys["turned"], w.ids["turned"] = made["api_key"].(string), made["id"].(string)
	id, err := change.ParseAgentID(w.ids["turned"])
	must(t, err)
	w.settle()

	w.want(w.post("/api/mesh/identity/rotate/challenge", fields{}), 401, "auth_required")
	w.offer("turned", fields{"did": w.holder.Key().String()}, 400, "proof_required")
	w.offer("turned", fields{"did": "did:key:z"}, 400, "invalid_did")
	said := w.offer("turned", fields{"hybrid": true}, 200, "")
	rotation := said["rotation"].(map[string]any)
	if said["algorithm"] != "ed25519+ml-dsa-65" || said["controller"] != own.Key().String() || rotation["new"] == made["did"] || len(rotation["pq"].(string)) != 2*keys.PQKeySize {
		t.Fatalf("offered %v", said)
	}
	complete := func(o map[string]any, by *keys.Private, line string, status int, code string) map[string]any {
		t.Helper()
		sig := by.Sign([]byte(line))
		return w.want(w.post("/api/mesh/identity/rotate", fields{"nonce": o["nonce"], "did": own.Key().String(), "signature": hex.EncodeToString(sig[:])}), status, code).json
	}
	before := len(vaultOf(t, w))
	// A wrong signature burns the offer, and its key goes.
	complete(said, w.holder, rotation["line"].(string), 401, "signature_invalid")
	complete(said, own, rotation["line"].(string), 400, "nonce_invalid")
	if after := len(vaultOf(t, w)); after != before-2 {
		t.Errorf("%d keys of %d are left in the vault", after, before)
	}
	w.want(w.post("/api/mesh/identity/rotate", fields{"nonce": "n"}), 400, "proof_required")
	w.want(w.post("/api/mesh/identity/rotate", fields{}), 422, "validation_failed")

	// While the controller thinks, the agent writes by its API key; all of it keeps its effect.
	said = w.offer("turned", fields{"hybrid": true, "did": own.Key().String()}, 200, "")
	rotation = said["rotation"].(map[string]any)
	var ids []string
	var mu sync.Mutex
	var wg sync.WaitGroup
	write := func() {
		r := w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: w.keys["turned"], body: encode(t, w.lesson())})
		mu.Lock()
		defer mu.Unlock()
		if r.StatusCode != 201 {
			t.Errorf("a write is refused: %s", r.raw)
			return
		}
		ids = append(ids, r.json["id"].(string))
	}
	for range 3 {
		w.settle()
		write()
	}
	wg.Go(write)
	done := complete(said, own, rotation["line"].(string), 200, "")
	wg.Wait()
	if done["algorithm"] != "ed25519+ml-dsa-65" || done["custody"] != "gateway" || done["did"] != rotation["new"] {
		t.Errorf("completed: %v", done)
	}
	for _, id := range ids {
		w.want(w.do(apiCall{method: "GET", path: "/api/mesh/entry/" + id}), 200, "")
	}
	w.settle()
	me := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/me", key: w.keys["turned"]}), 200, "").json
	if me["algorithm"] != "ed25519+ml-dsa-65" || me["did"] != rotation["new"] {
		t.Errorf("me: %v", me)
	}
	// What the gateway signs for the agent now has both signatures.
	w.want(w.lend(w.keys["turned"], fields{}), 201, "")
	cs, _, err := w.node.ChangesIn(t.Context(), id.Space(), 0, 100)
	must(t, err)
	last := cs[len(cs)-1]
	if last.Head.Kind != change.KindGrant || len(last.Head.Sig2) == 0 || last.Head.Author.String() != rotation["new"] {
		t.Errorf("the newest is a %s with a second signature of %d bytes", last.Head.Kind, len(last.Head.Sig2))
	}
	a, err := w.node.Agent(t.Context(), id)
	must(t, err)
	if pq, err := hex.DecodeString(rotation["pq"].(string)); err != nil || !bytes.Equal(a.PQ, pq) {
		t.Error("the agent's second half is another one than was offered")
	}
	// An offer that another rotation overtook is void.
	stale := w.offer("turned", fields{}, 200, "")
	fresh := w.offer("turned", fields{"hybrid": false}, 200, "")
	if stale["algorithm"] != "ed25519+ml-dsa-65" || fresh["algorithm"] != "ed25519" {
		t.Errorf("offered %v and %v", stale["algorithm"], fresh["algorithm"])
	}
	complete(fresh, own, fresh["rotation"].(map[string]any)["line"].(string), 200, "")
	complete(stale, own, stale["rotation"].(map[string]any)["line"].(string), 422, "rotation_invalid")
	w.settle()
	w.want(w.lend(w.keys["turned"], fields{}), 201, "")
}

func vaultOf(t *testing.T, w *refusalWorld) []string {
	t.Helper()
	infos, err := w.node.Vault().List()
	must(t, err)
	var names []string
	for _, i := range infos {
		names = append(names, i.Name)
	}
	return names
}
