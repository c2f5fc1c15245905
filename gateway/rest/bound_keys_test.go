package rest_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/keys"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/node/view"
)

// keyOf makes a key for an agent by another of its keys, and returns id and secret.
func (w *refusalWorld) keyOf(by string, with fields) (id, secret string) {
	w.t.Helper()
	body := fields{"label": "made"}
	for k, v := range with {
		body[k] = v
	}
	r := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/keys", key: by, body: encode(w.t, body)}), 201, "").json
	return r["key"].(map[string]any)["id"].(string), r["api_key"].(string)
}

// lend issues a capability by a key and returns the answer.
func (w *refusalWorld) lend(key string, with fields) reply {
	w.t.Helper()
	w.settle()
	body := fields{"audience": w.holder.Key().String(), "can": []string{"entry/put"}, "expires_in": 3600}
	for k, v := range with {
		body[k] = v
	}
	return w.do(apiCall{method: "POST", path: "/api/mesh/capabilities", key: key, body: encode(w.t, body)})
}

// bearer is a token of the holder for the gateway, resting on a capability.
func (w *refusalWorld) bearer(cid, can, with string) string {
	w.t.Helper()
	w.nonces++
	end := w.clock.Now().Unix() + 60
	token, err := v0.Build(v0.Draft{Audience: w.gateway.Key().String(), Expires: &end, Nonce: fmt.Sprint(w.nonces), Proofs: []string{cid},
		Caps: []v0.Cap{{With: with, Can: can, Caveats: []map[string]any{{}}}}}, w.holder, nil)
	must(w.t, err)
	return token
}

// words make texts that are unlike one another.
var words = strings.Fields("mutex channel slice float regexp symlink certificate index daylight cursor buffer socket scheduler closure iterator " +
	"pointer journal replica quorum snapshot checksum deadline semaphore allocator parser encoder renderer shader voxel sensor antenna turbine " +
	"harbour glacier orchard lantern violin compass anvil meadow")

// lesson is a contribution whose text is new.
func (w *refusalWorld) lesson() fields {
	w.nonces++
	r := rand.New(rand.NewPCG(uint64(w.nonces), 7))
	picked := make([]string, 12)
	for i := range picked {
		picked[i] = words[r.IntN(len(words))]
	}
	return fields{"type": "gotcha", "domain": "go", "content": "Never put " + strings.Join(picked, " before ") + "."}
}

// writes contributes with a token over HTTP and as a tool, each with a token of
// its own, and wants one answer of both.
func (w *refusalWorld) writes(cid, code string, status int) {
	w.t.Helper()
	w.settle()
	body := w.lesson()
	if code == "" {
		w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: w.bearer(cid, "entry/put", w.mine()), body: encode(w.t, body)}), status, "")
	} else {
		w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: w.bearer(cid, "entry/put", w.mine()), body: encode(w.t, body)}), status, code)
	}
	raw := w.called(ask{key: w.bearer(cid, "entry/put", w.mine()), tool: "contribute_knowledge", args: w.lesson()})
	if said := strings.Contains(raw, `"isError":true`); said != (code != "") || !strings.Contains(raw, code) {
		w.t.Errorf("as a tool: %.400s, want %q", raw, code)
	}
}

// A stolen API key cannot grow: with the scope keys alone it gives away no right
// to write, what it gives ends when it ends, and it goes no further than its own
// end. In the names are the sentences of docs/trust.md.
func TestStolenKeyCannotGrow(t *testing.T) {
	t.Parallel()
	w := newRefusalWorld(t)

	t.Run("It cannot make a key with more scopes, and issues no capability that goes beyond its scopes or its end.", func(t *testing.T) {
		_, thief := w.keyOf(w.keys["bo"], fields{"scopes": []string{"keys"}})
		for can, need := range map[string]string{"*": "mesh:read", "entry/put": "mesh:write", "entry/*": "mesh:write", "vote/cast": "mesh:write",
			"bounty/act": "bounty", "message": "team", "code/write": "studio", "source/read": "mesh:read"} {
			r := w.want(w.lend(thief, fields{"can": []string{can}}), 403, "scope_missing")
			if d, _ := r.json["details"].(map[string]any); d["need"] != need {
				t.Errorf("%s asks for %v, want %s", can, d, need)
			}
		}
		w.want(w.lend(thief, fields{"can": []string{"member/grant", "ENTRY/PUT"}}), 403, "scope_missing")
		w.want(w.do(apiCall{method: "POST", path: "/api/mesh/keys", key: thief, body: encode(t, fields{"label": "x", "scopes": []string{"mesh:write"}})}), 403, "scope_missing")

		ends := w.clock.Now().Add(time.Hour).UTC().Format(time.RFC3339)
		_, short := w.keyOf(w.keys["bo"], fields{"scopes": []string{"keys", "mesh:write"}, "expires_at": ends})
		w.want(w.lend(short, fields{"expires_in": 3601}), 400, "invalid_param")
		if r := w.want(w.lend(short, fields{"expires_in": 3500, "renew": true}), 201, ""); r.json["cid"] == nil {
			t.Errorf("%s", r.raw)
		}
		// A right in a team requires what the team requires.
		team := w.found("bo", fields{"name": "Den", "visibility": "private"})
		with := "mesh://" + w.network.String() + "/team/" + strings.TrimPrefix(team[strings.LastIndex(team, "/")+1:], "gld_")
		w.want(w.lend(short, fields{"with": with, "expires_in": 60}), 403, "scope_missing")
		w.want(w.lend(short, fields{"with": with, "can": []string{}, "role": "viewer", "expires_in": 60}), 403, "scope_missing")
	})

	t.Run("What it issued ends with it: revoking the key takes back every capability, every invitation and every further key that came of it, and the answer lists them.", func(t *testing.T) {
		id, first := w.keyOf(w.keys["bo"], fields{"scopes": []string{"keys", "mesh:write", "team"}})
		second, child := w.keyOf(first, fields{"scopes": []string{"keys", "mesh:write"}})
		third, grandchild := w.keyOf(child, fields{"scopes": []string{"mesh:write"}})
		fourth, guilds := w.keyOf(first, fields{"scopes": []string{"team"}})
		a, b := w.want(w.lend(first, nil), 201, "").json["cid"].(string), w.want(w.lend(child, nil), 201, "").json["cid"].(string)
		other := w.want(w.lend(w.keys["bo"], nil), 201, "").json["cid"].(string)
		w.writes(a, "", 201)
		w.writes(b, "", 201)
		team := w.found("bo", fields{"name": "Lair", "visibility": "private"})
		invite := func(key string) (id, code string) {
			r := w.do(apiCall{method: "POST", path: team + "/invites", key: key, body: "{}"})
			if r.StatusCode != 201 {
				t.Fatalf("invited: %s", r.raw)
			}
			return r.json["id"].(string), r.json["code"].(string)
		}
		invited, opens := invite(guilds)
		_, stays := invite(w.keys["bo"])
		w.as("", "GET", "/api/mesh/invite/"+opens, nil, 200, "")
		w.settle()
		r := w.want(w.do(apiCall{method: "DELETE", path: "/api/mesh/keys/" + id, key: w.keys["bo"]}), 200, "")
		ended := r.json["ended"].(map[string]any)
		if keys := textsOf(ended["keys"]); !slices.Equal(keys, sorted(id, second, third, fourth)) {
			t.Errorf("keys %v, want %v", keys, sorted(id, second, third, fourth))
		}
		if caps := textsOf(ended["capabilities"]); !slices.Equal(caps, sorted(a, b)) {
			t.Errorf("capabilities %v, want %v", caps, sorted(a, b))
		}
		if ids := textsOf(ended["invitations"]); !slices.Equal(ids, []string{invited}) {
			t.Errorf("invitations %v, want %s", ids, invited)
		}
		w.as("", "GET", "/api/mesh/invite/"+opens, nil, 403, "invite_invalid")
		w.as("ada", "POST", "/api/mesh/invite/"+opens+"/claim", nil, 403, "invite_invalid")
		w.as("", "GET", "/api/mesh/invite/"+stays, nil, 200, "")
		w.writes(a, "key_revoked", 401)
		w.writes(b, "key_revoked", 401)
		w.writes(other, "", 201) // the key it is of lives
		for _, key := range []string{first, child, grandchild} {
			if code := w.me(key); code != "key_revoked" {
				t.Errorf("a key says %q", code)
			}
		}
	})

	t.Run("A key that is replaced takes what it issued with it, unless it is handed to the new one.", func(t *testing.T) {
		id, old := w.keyOf(w.keys["bo"], fields{"scopes": []string{"keys", "mesh:write"}})
		kept := w.want(w.lend(old, nil), 201, "").json["cid"].(string)
		r := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/key/rotate", key: old, body: encode(t, fields{"keep_issued": true})}), 201, "")
		next := r.json["api_key"].(string)
		w.writes(kept, "", 201)
		lost := w.want(w.lend(next, nil), 201, "").json["cid"].(string)
		_ = id
		r = w.want(w.do(apiCall{method: "POST", path: "/api/mesh/key/rotate", key: next, body: "{}"}), 201, "")
		if caps := textsOf(r.json["ended"].(map[string]any)["capabilities"]); !slices.Equal(caps, sorted(kept, lost)) {
			t.Errorf("capabilities %v, want %v", caps, sorted(kept, lost))
		}
		w.writes(kept, "key_revoked", 401)
		w.writes(lost, "key_revoked", 401)
	})
}

// Recovery ends everything that API keys issued, the one that lives on its grace
// too, and says so.
func TestRecoveryEndsWhatKeysIssued(t *testing.T) {
	t.Parallel()
	t.Run("Recovery by the wallet replaces all keys, and ends what they issued.", func(t *testing.T) {
		w := newRefusalWorld(t)
		k := walletOf(t, 77)
		made := w.registerWallet("wally", k, "text")["agent"].(map[string]any)
		w.ids["bo"], w.keys["bo"] = made["id"].(string), made["api_key"].(string)
		w.want(w.lend(w.keys["bo"], fields{"can": []string{"*"}, "expires_in": 30 * 24 * 3600, "renew": true}), 201, "")
		_, thief := w.keyOf(w.keys["bo"], fields{"scopes": []string{"keys", "mesh:write"}})
		stolen := w.want(w.lend(thief, nil), 201, "").json["cid"].(string)
		w.writes(stolen, "", 201)
		nonce, c := w.offered("/api/mesh/key/challenge", k)
		w.settle()
		r := w.want(w.post("/api/mesh/key/recover", fields{"wallet_address": k.Address().String(), "nonce": nonce,
			"signature": forms["text"](k, wallet.Recovery, "Mesh", c)}), 200, "")
		if caps := textsOf(r.json["ended"].(map[string]any)["capabilities"]); len(caps) != 2 || !slices.Contains(caps, stolen) {
			t.Errorf("ended %v", r.json["ended"])
		}
		w.writes(stolen, "key_revoked", 401)
		if w.node.RevokedToken(stolen) != true {
			t.Error("the log does not say that it is revoked")
		}
		w.pass(29 * 24 * time.Hour)
		w.node.KeepTerms(t.Context())
		w.settle()
		list := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/capabilities", key: r.json["agent"].(map[string]any)["api_key"].(string)}), 200, "")
		for _, one := range list.json["issued"].([]any) {
			if one.(map[string]any)["state"] == "active" {
				t.Errorf("lives on: %v", one)
			}
		}
	})
}

func textsOf(v any) []string {
	var out []string
	list, _ := v.([]any)
	for _, x := range list {
		out = append(out, x.(string))
	}
	slices.Sort(out)
	return out
}

func sorted(texts ...string) []string { return slices.Sorted(slices.Values(texts)) }

// moved takes an agent over to a key that consents by the one in force, over HTTP, and
// keeps what was written by now.
func (w *refusalWorld) moved(name string, to *keys.Private) map[string]any {
	w.t.Helper()
	w.settle()
	id, err := change.ParseAgentID(w.ids[name])
	must(w.t, err)
	d, err := w.node.RotationDraft(w.t.Context(), id, keys.HybridKey{Key: to.Key()}, nil)
	must(w.t, err)
	d.Body.By, err = w.node.ConsentOfKey(id)(d.Line)
	must(w.t, err)
	enc, err := d.Body.Encode()
	must(w.t, err)
	c := change.Seal(change.Draft{Net: w.network, Space: id.Space(), Kind: change.KindRotate, Body: enc, HLC: d.HLC + 1<<20, Seq: 1, Proof: []change.ID{d.Record}}, to)
	return w.want(w.post("/api/mesh/identity/rotate", fields{"head": base64.StdEncoding.EncodeToString(c.RawHead), "body": base64.StdEncoding.EncodeToString(c.Body)}), 200, "").json
}

// TestRotationEndsWhatKeysIssued: what API keys issued ends when the identity moves to
// another key, with what names no key; a gateway that cannot say so any more names it.
func TestRotationEndsWhatKeysIssued(t *testing.T) {
	t.Parallel()
	setUp := func(t *testing.T) (w *refusalWorld, byKey, nameless string) {
		w = newRefusalWorld(t)
		byKey = w.want(w.lend(w.keys["bo"], fields{"expires_in": 30 * 24 * 3600, "renew": true}), 201, "").json["cid"].(string)
		w.settle()
		// The owner of a node uses no key: so did every key, once.
		nameless = w.want(w.do(apiCall{method: "POST", path: "/api/mesh/capabilities", owner: w.ids["bo"],
			body: encode(t, fields{"audience": w.holder.Key().String(), "can": []string{"entry/put"}, "expires_in": 7200})}), 201, "").json["cid"].(string)
		w.writes(byKey, "", 201)
		w.writes(nameless, "", 201)
		return w, byKey, nameless
	}
	t.Run("to another key of this gateway", func(t *testing.T) {
		w, byKey, nameless := setUp(t)
		seed := sha256.Sum256([]byte("another key of bo"))
		_, err := w.node.ImportKey("another", vault.Agent, seed, keys.FromSeed(seed).Key().String())
		must(t, err)
		said := w.moved("bo", keys.FromSeed(seed))
		ended := said["ended"].(map[string]any)
		if caps := textsOf(ended["capabilities"]); said["custody"] != "gateway" || !slices.Equal(caps, sorted(byKey, nameless)) || len(textsOf(ended["keys"])) != 0 {
			t.Errorf("said %v, want %v", said, sorted(byKey, nameless))
		}
		if !w.node.RevokedToken(byKey) || !w.node.RevokedToken(nameless) {
			t.Error("the log does not say that they are revoked")
		}
		if code := w.me(w.keys["bo"]); code != "" {
			t.Errorf("the key itself says %q", code)
		}
		if n, err := w.world.state.CountOwed(t.Context()); n != 0 || err != nil {
			t.Errorf("%d are owed still: %v", n, err)
		}
	})
	t.Run("to a key elsewhere", func(t *testing.T) {
		w, byKey, nameless := setUp(t)
		said := w.moved("bo", keys.FromSeed(sha256.Sum256([]byte("a key of bo elsewhere"))))
		ended := said["ended"].(map[string]any)
		if open := textsOf(ended["open"]); said["custody"] != "self" || !slices.Equal(open, sorted(byKey, nameless)) || len(textsOf(ended["capabilities"])) != 0 {
			t.Errorf("said %v, want %v open", said, sorted(byKey, nameless))
		}
	})
	t.Run("by the owner of the node", func(t *testing.T) {
		w, byKey, nameless := setUp(t)
		id, err := change.ParseAgentID(w.ids["bo"])
		must(t, err)
		_, err = w.node.RotateHere(t.Context(), id, w.node.ConsentOfKey(id), view.Turn{})
		must(t, err)
		if got := w.service.Capabilities.EndIssued(t.Context(), id); !slices.Equal(got.Capabilities, []string{byKey}) {
			t.Errorf("ended %v, want %s and not %s", got, byKey, nameless)
		}
		if !w.node.RevokedToken(byKey) || w.node.RevokedToken(nameless) {
			t.Error("revoked is not what the key issued, and that alone") // the other is the owner's own word
		}
	})
}

// TestRecoveryEndsWhatNamesNoKey: capabilities of older versions name no key.
func TestRecoveryEndsWhatNamesNoKey(t *testing.T) {
	t.Parallel()
	w := newRefusalWorld(t)
	k := walletOf(t, 78)
	made := w.registerWallet("wally", k, "text")["agent"].(map[string]any)
	w.ids["bo"], w.keys["bo"] = made["id"].(string), made["api_key"].(string)
	w.settle()
	nameless := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/capabilities", owner: w.ids["bo"],
		body: encode(t, fields{"audience": w.holder.Key().String(), "can": []string{"entry/put"}, "expires_in": 7200})}), 201, "").json["cid"].(string)
	id, key := w.keyOf(w.keys["bo"], fields{"scopes": []string{"keys", "mesh:write"}})
	byKey := w.want(w.lend(key, nil), 201, "").json["cid"].(string)
	// The end of one key is not that of what names none.
	r := w.want(w.do(apiCall{method: "DELETE", path: "/api/mesh/keys/" + id, key: w.keys["bo"]}), 200, "")
	if caps := textsOf(r.json["ended"].(map[string]any)["capabilities"]); !slices.Equal(caps, []string{byKey}) {
		t.Errorf("with the key ended %v, want %s", caps, byKey)
	}
	w.writes(nameless, "", 201)
	nonce, c := w.offered("/api/mesh/key/challenge", k)
	w.settle()
	r = w.want(w.post("/api/mesh/key/recover", fields{"wallet_address": k.Address().String(), "nonce": nonce,
		"signature": forms["text"](k, wallet.Recovery, "Mesh", c)}), 200, "")
	if caps := textsOf(r.json["ended"].(map[string]any)["capabilities"]); !slices.Equal(caps, []string{nameless}) {
		t.Errorf("with the recovery ended %v, want %s", caps, nameless)
	}
	w.writes(nameless, "key_revoked", 401)
}

// TestRolesEndWithTheirKey: a role that was given with an API key ends with the key and
// is in the answer's list; one that another key gave stays.
func TestRolesEndWithTheirKey(t *testing.T) {
	t.Parallel()
	w := newRefusalWorld(t)
	team := w.found("ada", fields{"name": "Den", "visibility": "private"})
	id, thief := w.keyOf(w.keys["ada"], fields{"scopes": []string{"team"}})
	place := func(key, name, role string) {
		t.Helper()
		w.settle()
		w.want(w.do(apiCall{method: "POST", path: team + "/members", key: key, body: encode(t, fields{"agent_id": w.ids[name], "role": role})}), 200, "")
	}
	place(thief, "bo", "admin")
	place(w.keys["ada"], "cy", "member")
	w.settle()
	w.as("bo", "GET", team, nil, 200, "")
	r := w.want(w.do(apiCall{method: "DELETE", path: "/api/mesh/keys/" + id, key: w.keys["ada"]}), 200, "")
	if caps := textsOf(r.json["ended"].(map[string]any)["capabilities"]); len(caps) != 1 {
		t.Errorf("ended %v, want the role", r.json["ended"])
	}
	w.settle()
	w.as("bo", "GET", team, nil, 403, "not_a_member")
	w.as("cy", "GET", team, nil, 200, "")

	// A role given with a key that ends does so too.
	ends := w.clock.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	_, short := w.keyOf(w.keys["ada"], fields{"scopes": []string{"team"}, "expires_at": ends})
	place(short, "bo", "member")
	w.settle()
	w.as("bo", "GET", team, nil, 200, "")
	w.pass(2 * time.Hour)
	w.settle()
	w.as("bo", "GET", team, nil, 403, "not_a_member")
}
