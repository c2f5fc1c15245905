package rest_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/identity/wallet"
)

// extraKey makes one more key by another.
func (w *world) extraKey(key string, scopes ...string) string {
	w.t.Helper()
	r := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/keys", key: key, body: encode(w.t, map[string]any{"label": "extra", "scopes": scopes})}), 201, "")
	return r.json["api_key"].(string)
}

func (w *world) me(key string) string {
	w.t.Helper()
	return w.do(apiCall{method: "GET", path: "/api/mesh/me", key: key}).code()
}

func TestRecoveryReplacesEveryKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for form := range forms {
		k := walletOf(t, byte(len(form)+int(form[1])))
		a := w.registerWallet("agent "+form, k, form)["agent"].(map[string]any)
		old := []string{a["api_key"].(string)}
		old = append(old, w.extraKey(old[0], "mesh:read"), w.extraKey(old[0], "keys", "mesh:read"))
		nonce, c := w.offered("/api/mesh/key/challenge", k)
		if typed := c["typed_data"].(map[string]any); typed["primaryType"] != "Recovery" || !strings.HasPrefix(c["text"].(string), "Mesh recovery\n") ||
			!strings.Contains(c["text"].(string), "\nkey: "+a["did"].(string)+"\n") {
			t.Errorf("challenge %v", c)
		}
		body := encode(t, map[string]any{"wallet_address": k.Address().String(), "nonce": nonce, "signature": forms[form](k, wallet.Recovery, "Mesh", c)})
		idem := map[string]string{"Idempotency-Key": "rec-" + form}
		r := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/key/recover", body: body, header: idem}), 200, "")
		got := r.json["agent"].(map[string]any)
		if r.json["recovered"] != true || r.json["revoked_keys"] != 3.0 || got["id"] != a["id"] || got["name"] != "agent "+form || r.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s", r.raw)
		}
		fresh := got["api_key"].(string)
		for _, key := range old {
			if code := w.me(key); code != "key_revoked" {
				t.Errorf("an old key: %q", code)
			}
		}
		if code := w.me(fresh); code != "" {
			t.Errorf("the new key: %q", code)
		}
		// A lost answer is repeated; without its name the nonce is gone.
		if again := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/key/recover", body: body, header: idem}), 200, ""); again.json["agent"].(map[string]any)["api_key"] != fresh {
			t.Errorf("repeated %s", again.raw)
		}
		w.want(w.do(apiCall{method: "POST", path: "/api/mesh/key/recover", body: body}), 400, "nonce_invalid")
		log, err := w.state.Audit(t.Context(), a["id"].(string), "", 1)
		must(t, err)
		if len(log) != 1 || log[0].Action != "key.recovered" {
			t.Errorf("audit %+v", log)
		}
		if last := w.mesh.Announced[len(w.mesh.Announced)-1]; last != "key.recovered "+a["id"].(string)+" "+log[0].Object {
			t.Errorf("announced %q", last)
		}
	}
}

func TestRecoveryByDID(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	subject := servicetest.Key(1)
	id, key := w.register("ada", 1)
	did := servicetest.DID(subject).String()
	ask := func() (string, string) {
		r := w.want(w.post("/api/mesh/key/challenge", map[string]any{"did": did}), 200, "")
		return r.json["nonce"].(string), r.json["challenge"].(map[string]any)["text"].(string)
	}
	nonce, text := ask()
	w.want(w.post("/api/mesh/key/recover", map[string]any{"did": did, "nonce": nonce,
		"signature": base64.RawURLEncoding.EncodeToString(ed25519.Sign(servicetest.Key(2), []byte(text)))}), 401, "signature_invalid")
	nonce, text = ask()
	sign := base64.RawURLEncoding.EncodeToString(ed25519.Sign(subject, []byte(text)))
	// null is absent, so the careful default applies.
	r := w.want(w.post("/api/mesh/key/recover", map[string]any{"did": did, "nonce": nonce, "signature": sign, "revoke_all": nil}), 200, "")
	if r.json["agent"].(map[string]any)["id"] != id || r.json["revoked_keys"] != 1.0 || w.me(key) != "key_revoked" {
		t.Errorf("%s", r.raw)
	}
	key = r.json["agent"].(map[string]any)["api_key"].(string)
	nonce, text = ask()
	sign = base64.RawURLEncoding.EncodeToString(ed25519.Sign(subject, []byte(text)))
	r = w.want(w.post("/api/mesh/key/recover", map[string]any{"did": did, "nonce": nonce, "signature": sign, "revoke_all": false}), 200, "")
	if r.json["revoked_keys"] != 0.0 || w.me(key) != "" {
		t.Errorf("%s", r.raw)
	}
}

// TestRecoveryRevealsNotWhoIsHere compares a subject with an agent and one without.
func TestRecoveryRevealsNotWhoIsHere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	known, unknown := walletOf(t, 1), walletOf(t, 2)
	w.registerWallet("ada", known, "text")
	shape := func(k *wallet.Key) (text, nonce string, c map[string]any) {
		nonce, c = w.offered("/api/mesh/key/challenge", k)
		text = strings.NewReplacer(nonce, "NONCE", strings.ReplaceAll(nonce, "-", ""), "NONCE", k.Address().String(), "ADDRESS", keyIn(c), "KEY").Replace(encode(t, c))
		return text, nonce, c
	}
	a, knownNonce, kc := shape(known)
	b, unknownNonce, uc := shape(unknown)
	if a != b {
		t.Errorf("challenges differ:\n%s\n%s", a, b)
	}
	// The key of an unknown subject stays the same, as that of a known one does.
	if _, again := w.offered("/api/mesh/key/challenge", unknown); keyIn(again) != keyIn(uc) || keyIn(uc) == keyIn(kc) {
		t.Errorf("keys %s, %s, of the other %s", keyIn(uc), keyIn(again), keyIn(kc))
	}
	recover := func(k *wallet.Key, nonce, sig string) string {
		r := w.want(w.post("/api/mesh/key/recover", map[string]any{"wallet_address": k.Address().String(), "nonce": nonce, "signature": sig}), 401, "signature_invalid")
		delete(r.json, "request_id")
		return encode(t, r.json)
	}
	bad := recover(known, knownNonce, hexed(known.SignText("something else")))
	if got := recover(unknown, unknownNonce, forms["text"](unknown, "", "", uc)); got != bad { // a good signature, even
		t.Errorf("answers differ:\n%s\n%s", bad, got)
	}
	nonce, _ := w.offered("/api/mesh/key/challenge", unknown)
	if got := recover(unknown, nonce, "rubbish"); got != bad {
		t.Errorf("answers differ:\n%s\n%s", bad, got)
	}
	for _, c := range []struct {
		body map[string]any
		code string
	}{
		{map[string]any{}, "proof_required"},
		{map[string]any{"wallet_address": known.Address().String()}, "proof_required"},
		{map[string]any{"wallet_address": known.Address().String(), "nonce": "x", "signature": "y"}, "nonce_invalid"},
		{map[string]any{"did": "did:web:x", "nonce": "x", "signature": "y"}, "invalid_did"},
	} {
		w.want(w.post("/api/mesh/key/recover", c.body), 400, c.code)
	}
}

func keyIn(c map[string]any) string {
	for line := range strings.Lines(c["text"].(string)) {
		if key, ok := strings.CutPrefix(strings.TrimSpace(line), "key: "); ok {
			return key
		}
	}
	return ""
}

func TestExtraKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	create := func(key string, body map[string]any) reply {
		return w.do(apiCall{method: "POST", path: "/api/mesh/keys", key: key, body: encode(t, body)})
	}
	read := []string{"mesh:read"}
	w.want(create("", map[string]any{"label": "x", "scopes": read}), 401, "auth_required")
	w.want(create(key, map[string]any{"scopes": read}), 400, "missing_field")
	w.want(create(key, map[string]any{"label": "x"}), 400, "missing_field")
	w.want(create(key, map[string]any{"label": "x", "scopes": []string{}}), 400, "missing_field")
	w.want(create(key, map[string]any{"label": "x", "scopes": []string{"root"}}), 400, "invalid_param")
	w.want(create(key, map[string]any{"label": strings.Repeat("x", 65), "scopes": read}), 422, "validation_failed")
	w.want(create(key, map[string]any{"label": "x", "scopes": read, "expires_at": "2020-01-01T00:00:00Z"}), 400, "invalid_param")
	if r := w.want(create(key, map[string]any{"label": "x", "scopes": []string{"mesh:read", "*"}}), 403, "scope_missing"); r.json["details"].(map[string]any)["need"] != "*" {
		t.Errorf("%s", r.raw)
	}
	ends := servicetest.Start.Add(time.Hour)
	r := w.want(create(key, map[string]any{"label": "ci", "scopes": []string{"mesh:read", "keys"}, "expires_at": ends.Format(time.RFC3339)}), 201, "")
	short, record := r.json["api_key"].(string), r.json["key"].(map[string]any)
	if record["label"] != "ci" || encode(t, record["scopes"]) != `["mesh:read","keys"]` || record["prefix"] != short[8:16] || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s", r.raw)
	}
	// What a stolen key would try: more scopes, a longer life, another's place.
	w.want(create(short, map[string]any{"label": "x", "scopes": []string{"mesh:write"}}), 403, "scope_missing")
	w.want(create(short, map[string]any{"label": "x", "scopes": read, "expires_at": ends.Add(time.Minute).Format(time.RFC3339)}), 400, "invalid_param")
	list := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/keys", key: key}), 200, "")
	var first string
	for _, k := range list.json["keys"].([]any) {
		if k := k.(map[string]any); k["label"] == "" {
			first = k["id"].(string)
		}
	}
	w.want(w.do(apiCall{method: "POST", path: "/api/mesh/key/rotate", key: short, body: encode(t, map[string]any{"key_id": first})}), 403, "scope_missing")
	w.want(w.do(apiCall{method: "POST", path: "/api/mesh/key/rotate", key: short, body: encode(t, map[string]any{"scopes": []string{}})}), 400, "invalid_param")
	made := w.want(create(short, map[string]any{"label": "y", "scopes": read}), 201, "")
	if made.json["key"].(map[string]any)["expires_at"] != record["expires_at"] {
		t.Errorf("a key outlives its maker: %s", made.raw)
	}
	readOnly := made.json["api_key"].(string)
	w.want(create(readOnly, map[string]any{"label": "x", "scopes": read}), 403, "scope_missing")
	del := func(key, id string) reply {
		return w.do(apiCall{method: "DELETE", path: "/api/mesh/keys/" + id, key: key})
	}
	w.want(del(readOnly, record["id"].(string)), 403, "scope_missing")
	w.want(del("", record["id"].(string)), 401, "auth_required")
	w.want(del(key, "key_none"), 404, "not_found")
	_, bobs := w.register("bob", 2)
	w.want(del(bobs, record["id"].(string)), 404, "not_found")
	if r := del(key, record["id"].(string)); r.StatusCode != 200 || w.me(short) != "key_revoked" || w.me(readOnly) != "key_revoked" {
		t.Errorf("%d %s, and the key that it made: %q", r.StatusCode, r.raw, w.me(readOnly))
	}
	last := w.want(create(key, map[string]any{"label": "z", "scopes": read, "expires_at": ends.Format(time.RFC3339)}), 201, "").json["api_key"].(string)
	w.clock.Add(time.Hour)
	if code := w.me(last); code != "token_expired" {
		t.Errorf("at its end: %q", code)
	}
}

func TestLiveKeysAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	for range 19 {
		w.extraKey(key, "mesh:read")
	}
	r := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/keys", key: key, body: `{"label":"x","scopes":["mesh:read"]}`}), 409, "limit_reached")
	if r.json["details"].(map[string]any)["limit"] != 20.0 {
		t.Errorf("%s", r.raw)
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	k := walletOf(t, 1)
	a := w.registerWallet("ada", k, "text")["agent"].(map[string]any)
	key := a["api_key"].(string)
	narrow := w.extraKey(key, "mesh:read")
	verify := func(key, token string) reply {
		body := "{}"
		if token != "" {
			body = encode(t, map[string]any{"token": token})
		}
		return w.do(apiCall{method: "POST", path: "/api/mesh/verify", key: key, body: body})
	}
	for _, r := range []reply{verify(narrow, ""), verify("", narrow), verify(narrow, narrow)} {
		got := w.want(r, 200, "").json
		agent := got["agent"].(map[string]any)
		if agent["id"] != a["id"] || agent["did"] != a["did"] || agent["name"] != "ada" || agent["walletAddress"] != k.Address().String() ||
			encode(t, got["scopes"]) != `["mesh:read"]` || got["expires_at"] != nil {
			t.Errorf("%s", r.raw)
		}
	}
	w.want(verify("", ""), 401, "auth_required")
	w.want(verify("", "mesh_sk_"+strings.Repeat("A", 43)), 401, "invalid_token")
	w.want(verify("mesh_sk_"+strings.Repeat("A", 43), ""), 401, "invalid_token")
	w.want(verify("", strings.Repeat("x", 100_000)), 401, "invalid_token")
	w.want(verify(key, narrow), 400, "ambiguous_credentials")
	if r := w.do(apiCall{method: "DELETE", path: "/api/mesh/key", key: key}); r.StatusCode != 200 {
		t.Fatalf("%s", r.raw)
	}
	w.want(verify("", key), 401, "key_revoked")
	w.want(verify(key, ""), 401, "key_revoked")
}

// TestScopesAtEveryEndpoint walks the rows of the table that need a scope with a key
// that has every other one.
func TestScopesAtEveryEndpoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	planted := w.planted(w.mesh.AddAgent("author"), "A lesson that only readers see in full, about sockets.")
	noWrite := w.extraKey(key, "mesh:read", "team", "bounty", "studio", "absorb", "pay", "keys")
	noKeys := w.extraKey(key, "mesh:read", "mesh:write")
	noRead := w.extraKey(key, "pay")
	for _, c := range []struct{ key, method, path, body, need string }{
		{noWrite, "POST", "/api/mesh/contribute", encode(t, contribution("a")), "mesh:write"},
		{noWrite, "PATCH", "/api/mesh/profile", `{"bio":"x"}`, "mesh:write"},
		{noWrite, "PUT", "/api/mesh/profile", `{"bio":"x"}`, "mesh:write"},
		{noWrite, "DELETE", "/api/mesh/entry/x", "", "mesh:write"},
		{noWrite, "POST", "/api/mesh/identity/bind", `{"signature":"x"}`, "mesh:write"},
		{noKeys, "POST", "/api/mesh/keys", `{"label":"x","scopes":["mesh:read"]}`, "keys"},
		{noKeys, "POST", "/api/mesh/key/rotate", `{}`, "keys"},
		{noKeys, "DELETE", "/api/mesh/key", "", "keys"},
		{noKeys, "DELETE", "/api/mesh/keys/x", "", "keys"},
	} {
		r := w.want(w.do(apiCall{method: c.method, path: c.path, key: c.key, body: c.body}), 403, "scope_missing")
		if r.json["details"].(map[string]any)["need"] != c.need {
			t.Errorf("%s %s: %s", c.method, c.path, r.raw)
		}
	}
	for _, path := range []string{"/api/mesh/feed", "/api/mesh/entry/" + planted.ID.Text("ent_")} {
		if r := w.do(apiCall{method: "GET", path: path, key: noRead}); strings.Contains(string(r.raw), "sockets") || r.StatusCode != 200 {
			t.Errorf("%s shows a text to a key that may not read: %s", path, r.raw)
		}
		if r := w.do(apiCall{method: "GET", path: path, key: noWrite}); !strings.Contains(string(r.raw), "sockets") {
			t.Errorf("%s hides a text from a reader: %s", path, r.raw)
		}
	}
}
