package rest_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/role"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
)

// revocable is a trust with revoked tokens.
type revocable struct {
	loggedTrust
	revoked map[string]bool
}

func (r revocable) RevokedToken(cid string) bool { return r.revoked[cid] }

// TestBadCredentialsAtEveryEndpoint shows each bad credential to each kind of endpoint:
// a read, a write, a stream, a WebSocket by header and by its first frame, and tools of
// MCP that read and write. Each refuses it with its one code, and none with a 5xx.
func TestBadCredentialsAtEveryEndpoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, net := w.mesh.Network()
	d := &delegations{t: t, now: w.clock.Now().Unix(), log: map[string]string{}}
	for i, k := range []**keys.Private{&d.owner, &d.bob, &d.carl, &d.gateway, &d.stranger} {
		*k = keys.FromSeed([32]byte{byte(i + 1), 15})
	}
	revoked := map[string]bool{}
	set := rolesOf(t)
	a, err := auth.New(w.state).AcceptTokens(auth.TokenConfig{
		Service: d.gateway.Key(), Network: net, Trust: revocable{loggedTrust{openTrust{d.owner.Key()}, d.log}, revoked}, Replays: w.state, Roles: set,
	})
	must(t, err)
	m, err := mcp.New(w.service, mcp.Config{Version: "1.2.3"})
	must(t, err)
	w.handler, err = rest.New(w.service, a, m, rest.Config{})
	must(t, err)
	l := liveOver(t, w)

	agent, key := w.register("ada", 'a')
	id, err := change.ParseAgentID(agent)
	must(t, err)
	mine := id.Space().Resource(net)
	narrow := w.extraKey(key, "mesh:read")
	dead := w.extraKey(key, "mesh:read", "mesh:write")
	w.want(w.do(apiCall{method: "DELETE", path: "/api/mesh/key", key: w.extraKey(key, "keys")}), 200, "")
	w.want(w.do(apiCall{method: "DELETE", path: "/api/mesh/keys/" + w.keyID(key, dead), key: key}), 200, "")

	any0 := func(edit func(root, act *v0.Draft)) string {
		return d.chain0(func(root, act *v0.Draft) {
			root.Caps, act.Caps = []v0.Cap{{With: mine, Can: "*", Caveats: []map[string]any{{}}}}, []v0.Cap{{With: mine, Can: "*", Caveats: []map[string]any{{}}}}
			edit(root, act)
		})
	}
	any1 := func(edit func(root, leaf *v1.Grant, act *v1.Act)) string { return d.chain1(edit, nil) }
	roleJWT := func(method jwt.SigningMethod, by any, more jwt.MapClaims) string {
		c := jwt.MapClaims{"iss": "iss", "aud": "mesh", "sub": agent, "role": role.Owner, "team": "t1", "exp": w.clock.Now().Add(time.Hour).Unix()}
		for k, v := range more {
			c[k] = v
		}
		s, err := jwt.NewWithClaims(method, c).SignedString(by)
		must(t, err)
		return s
	}
	forge := func(token string) string { // one bit of the signature
		i := len(token) - 8
		flipped := map[bool]byte{true: 'B', false: 'A'}[token[i] == 'A']
		return token[:i] + string(flipped) + token[i+1:]
	}
	past, ahead := func(in *int64) { *in = d.now - 1 }, d.now+30
	withdrawn := any0(func(root, act *v0.Draft) { root.Nonce, act.Nonce = "to revoke", "on revoked" })
	for cid, raw := range d.log {
		if tok, bad := v0.Parse(raw); len(bad) == 0 && tok.Nonce == "to revoke" {
			revoked[cid] = true
		}
	}

	credentials := []struct {
		name, credential string
		code             reason.Code
	}{
		{"an unknown API key", "mesh_sk_" + strings.Repeat("A", 43), reason.InvalidToken},
		{"a broken API key", "mesh_sk_short", reason.InvalidToken},
		{"a revoked API key", dead, reason.KeyRevoked},
		{"no known form", "Zm9vYmFy", reason.InvalidToken},
		{"0.10 forged", forge(any0(func(_, _ *v0.Draft) {})), reason.SignatureInvalid},
		{"0.10 expired", any0(func(_, act *v0.Draft) { past(act.Expires) }), reason.TokenExpired},
		{"0.10 not begun", any0(func(_, act *v0.Draft) { act.NotBefore = &ahead }), reason.TokenNotYetValid},
		{"0.10 for another gateway", any0(func(_, act *v0.Draft) { act.Audience = d.stranger.Key().String() }), reason.WrongAudience},
		{"0.10 wider than its proof", any0(func(root, _ *v0.Draft) { root.Caps[0].Can = "vote/cast" }), reason.AttenuationViolation},
		{"0.10 on a revoked proof", withdrawn, reason.KeyRevoked},
		{"0.10 too deep", d.deep0(11), reason.ChainInvalid},
		{"0.10 of no owner", func() string {
			raw, _ := d.made(d.stranger, d.v0(d.stranger, d.gateway, "entry/put", 60))
			return raw
		}(), reason.CapabilityDenied},
		{"0.10 without its proof", any0(func(_, act *v0.Draft) {
			act.Proofs = []string{"bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy"}
		}), reason.ProofMissing},
		{"1.x forged", forge(any1(func(_, _ *v1.Grant, _ *v1.Act) {})), reason.SignatureInvalid},
		{"1.x expired", any1(func(_, _ *v1.Grant, act *v1.Act) { past(act.Expires) }), reason.TokenExpired},
		{"1.x not begun", any1(func(_, leaf *v1.Grant, _ *v1.Act) { leaf.NotBefore = &ahead }), reason.TokenNotYetValid},
		{"1.x for another gateway", any1(func(_, _ *v1.Grant, act *v1.Act) { act.Audience = d.stranger.Key() }), reason.WrongAudience},
		{"1.x wider than its proof", any1(func(_, _ *v1.Grant, act *v1.Act) { act.Command = "/entry" }), reason.AttenuationViolation},
		{"1.x too deep", d.deep1(11), reason.ChainInvalid},
		{"a role forged", forge(roleJWT(jwt.SigningMethodEdDSA, issuerKey, nil)), reason.SignatureInvalid},
		{"a role expired", roleJWT(jwt.SigningMethodEdDSA, issuerKey, jwt.MapClaims{"exp": d.now}), reason.TokenExpired},
		{"a role not begun", roleJWT(jwt.SigningMethodEdDSA, issuerKey, jwt.MapClaims{"nbf": ahead}), reason.TokenNotYetValid},
		{"a role for another audience", roleJWT(jwt.SigningMethodEdDSA, issuerKey, jwt.MapClaims{"aud": "x"}), reason.WrongAudience},
		{"a role of another issuer", roleJWT(jwt.SigningMethodEdDSA, issuerKey, jwt.MapClaims{"iss": "x"}), reason.InvalidToken},
		{"a role without a signature", roleJWT(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nil), reason.SignatureInvalid},
		{"a role signed with the public key", roleJWT(jwt.SigningMethodHS256, []byte(issuerKey[32:]), nil), reason.SignatureInvalid},
		{"a role in no team", roleJWT(jwt.SigningMethodEdDSA, issuerKey, jwt.MapClaims{"team": ""}), reason.CapabilityDenied},
	}
	entry := fields{"type": "gotcha", "domain": "go", "content": "A text that a bad credential may not bring into the commons, whatever it is."}
	endpoints := map[string]func(credential string) (status int, code string){
		"a read": func(c string) (int, string) { return asked(w.do(apiCall{method: "GET", path: "/api/mesh/me", key: c})) },
		"a write": func(c string) (int, string) {
			return asked(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: c, body: encode(t, entry)}))
		},
		"a stream": func(c string) (int, string) {
			return asked(w.do(apiCall{method: "GET", path: "/api/mesh/me/events", key: c}))
		},
		"a tool that reads":  func(c string) (int, string) { return w.toolCode(c, "get_me", fields{}) },
		"a tool that writes": func(c string) (int, string) { return w.toolCode(c, "contribute_knowledge", entry) },
		"a socket by header": func(c string) (int, string) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, l.server.URL+"/api/mesh/ws", nil)
			must(t, err)
			for k, v := range map[string]string{"Authorization": "Bearer " + c, "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
				"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol": "mesh.v1"} {
				r.Header.Set(k, v)
			}
			resp, err := http.DefaultClient.Do(r)
			must(t, err)
			defer func() { _ = resp.Body.Close() }()
			if resp.StatusCode == http.StatusSwitchingProtocols {
				return resp.StatusCode, ""
			}
			var body struct{ Code string }
			raw, err := io.ReadAll(resp.Body)
			must(t, errors.Join(err, json.Unmarshal(raw, &body)))
			return resp.StatusCode, body.Code
		},
		"a socket by its first frame": func(c string) (int, string) {
			conn, _, err := l.dial("", "")
			must(t, err)
			defer func() { _ = conn.conn.CloseNow() }()
			conn.send(fields{"id": "1", "type": "auth", "payload": fields{"token": c}})
			f, err := conn.next()
			must(t, err)
			code, _ := f.Payload["code"].(string)
			return 0, code
		},
	}
	for _, c := range credentials {
		for name, ask := range endpoints {
			status, code := ask(c.credential)
			want := string(c.code)
			if code != want || status >= 500 && status != http.StatusNotExtended || status > 0 && status < 400 && !strings.HasPrefix(name, "a tool") {
				t.Errorf("%s at %s: %d %q, want %q", c.name, name, status, code, want)
			}
		}
	}
	// A key that is narrow, and two credentials that contradict each other.
	for _, name := range []string{"a write", "a tool that writes"} {
		if status, code := endpoints[name](narrow); code != string(reason.ScopeMissing) {
			t.Errorf("a narrow key at %s: %d %q", name, status, code)
		}
	}
	for _, path := range []string{"/api/mesh/me", "/api/mesh/feed", "/api/mesh/me/events"} {
		r := w.do(apiCall{method: "GET", path: path, key: key, header: map[string]string{"X-Api-Key": narrow}})
		if r.StatusCode != 400 || r.code() != string(reason.AmbiguousCredentials) || !strings.Contains(string(r.raw), "Authorization") || !strings.Contains(string(r.raw), "X-API-Key") {
			t.Errorf("two keys at %s: %d %s", path, r.StatusCode, r.raw)
		}
	}
	// A token acts once, at whichever endpoint.
	once := any0(func(_, act *v0.Draft) { act.Nonce = "acts once" })
	if status, code := endpoints["a write"](once); status != 201 {
		t.Errorf("a sound token writes: %d %s", status, code)
	}
	for _, name := range []string{"a write", "a tool that writes"} {
		if status, code := endpoints[name](once); code != string(reason.TokenReplayed) {
			t.Errorf("%s a second time: %d %q", name, status, code)
		}
	}
}

func asked(r reply) (int, string) { return r.StatusCode, r.code() }

// keyID is the id of an API key in the list of its agent.
func (w *world) keyID(by, key string) string {
	w.t.Helper()
	for _, k := range w.do(apiCall{method: "GET", path: "/api/mesh/keys", key: by}).json["keys"].([]any) {
		k := k.(map[string]any)
		if k["prefix"] == key[len("mesh_sk_"):][:8] {
			return k["id"].(string)
		}
	}
	w.t.Fatal("no such key")
	return ""
}

// toolCode calls a tool over HTTP and returns the code of its refusal.
func (w *world) toolCode(key, name string, args fields) (int, string) {
	w.t.Helper()
	r := w.do(apiCall{method: "POST", path: "/mcp", key: key, header: map[string]string{"Accept": "application/json, text/event-stream"},
		body: encode(w.t, fields{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": fields{"name": name, "arguments": args}})})
	raw := string(r.raw)
	if _, data, ok := strings.Cut(raw, "data: "); ok {
		raw = data
	}
	var said struct {
		Result struct {
			IsError bool
			Content []struct{ Text string }
		}
	}
	if err := json.Unmarshal([]byte(raw), &said); err != nil || len(said.Result.Content) != 1 || !said.Result.IsError {
		return r.StatusCode, ""
	}
	return r.StatusCode, refusalIn(w.t, said.Result.Content[0].Text).Code
}
