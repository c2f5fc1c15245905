package rest_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/wallet"
)

// signedBy adds to a call a signature by RFC 9421 as a client would make it.
func (w *world) signedBy(c apiCall, k ed25519.PrivateKey, nonce string) apiCall {
	sum := sha256.Sum256([]byte(c.body))
	digest := "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
	input := fmt.Sprintf(`("@method" "@target-uri" "content-digest" "authorization");created=%d;nonce=%q;keyid=%q`, w.service.Access.Now().Unix(), nonce, servicetest.DID(k))
	text := `"@method": ` + c.method + "\n" + `"@target-uri": ` + base + c.path + "\n" + `"content-digest": ` + digest + "\n" +
		`"authorization": Bearer ` + c.key + "\n" + `"@signature-params": ` + input
	c.header = map[string]string{"Accept": "application/json, text/event-stream", "Content-Digest": digest, "Signature-Input": "sig1=" + input,
		"Signature": "sig1=:" + base64.StdEncoding.EncodeToString(ed25519.Sign(k, []byte(text))) + ":"}
	return c
}

func TestSignedRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	post := apiCall{method: "POST", path: "/api/mesh/contribute?x=1", key: key, body: encode(t, contribution("signed"))}
	good := w.signedBy(post, servicetest.Key(1), "n-1")
	w.want(w.do(good), 201, "")
	again := w.want(w.do(good), 401, "signature_invalid")
	if !strings.Contains(string(again.raw), "nonce") {
		t.Errorf("a replay: %s", again.raw)
	}
	post.body = encode(t, contribution("another"))
	w.want(w.do(w.signedBy(post, servicetest.Key(2), "n-2")), 401, "signature_invalid") // a key of somebody else
	changed := w.signedBy(post, servicetest.Key(1), "n-3")
	changed.body = encode(t, contribution("changed"))
	w.want(w.do(changed), 401, "signature_invalid")
	late := w.signedBy(post, servicetest.Key(1), "n-4")
	w.clock.Add(301 * time.Second)
	w.want(w.do(late), 401, "signature_invalid")
	half := w.signedBy(post, servicetest.Key(1), "n-5")
	delete(half.header, "Signature")
	w.want(w.do(half), 401, "signature_invalid")
	w.want(w.do(w.signedBy(post, servicetest.Key(1), "n-2")), 201, "") // what failed used no nonce up

	read := apiCall{method: "GET", path: "/api/mesh/me", key: key}
	w.want(w.do(w.signedBy(read, servicetest.Key(1), "n-6")), 200, "")
	w.want(w.do(w.signedBy(read, servicetest.Key(2), "n-7")), 401, "signature_invalid")
	// Nobody can say whose signature a stranger sends: reads pass with a warning, writes do not.
	feed := w.signedBy(apiCall{method: "GET", path: "/api/mesh/feed"}, servicetest.Key(1), "n-8")
	if r := w.want(w.do(feed), 200, ""); r.Header.Get("X-Auth-Warning") != "signature_invalid" {
		t.Errorf("a stranger's signature: %v", r.Header)
	}
	w.want(w.do(w.signedBy(apiCall{method: "POST", path: "/api/mesh/contribute/check", body: post.body}, servicetest.Key(1), "n-9")), 401, "signature_invalid")
	// MCP over HTTP is signed as everything else.
	tools := apiCall{method: "POST", path: "/mcp", key: key, body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`}
	w.want(w.do(w.signedBy(tools, servicetest.Key(2), "n-10")), 401, "signature_invalid")
	if r := w.do(w.signedBy(tools, servicetest.Key(1), "n-11")); r.StatusCode == 401 {
		t.Errorf("signed MCP: %s", r.raw)
	}
}

// enveloped puts a body into an envelope that a wallet signed.
func (w *world) enveloped(k *wallet.Key, body any, nonce string) string {
	inner, at := encode(w.t, body), w.service.Access.Now().Unix()
	text, err := jcs.Canonical(fmt.Appendf(nil, `{"body":%s,"nonce":%q,"timestamp":%d}`, inner, nonce, at))
	must(w.t, err)
	sig := k.SignText(string(text))
	return fmt.Sprintf(`{"body":%s,"nonce":%q,"timestamp":%d,"signer_address":%q,"signature":"0x%s"}`, inner, nonce, at, k.Address(), hex.EncodeToString(sig[:]))
}

func TestSignedEnvelopes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	k, other := walletOf(t, 1), walletOf(t, 2)
	for form, nonce := range map[string]string{"text": "n-1", "typed": "n-2"} { // the wallet of either registration
		k := map[string]*wallet.Key{"text": k, "typed": walletOf(t, 3)}[form]
		key := w.registerWallet("ada "+form, k, form)["agent"].(map[string]any)["api_key"].(string)
		post := func(body string) reply {
			return w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: body})
		}
		good := w.enveloped(k, contribution(form), nonce)
		if r := w.want(post(good), 201, ""); r.json["id"] == nil {
			t.Errorf("%s", r.raw)
		}
		w.want(post(good), 401, "signature_invalid")
		w.want(post(w.enveloped(other, contribution("other "+form), "n-3")), 401, "signature_invalid")
		w.want(post(strings.Replace(w.enveloped(k, contribution("x "+form), "n-4"), "x "+form, "y "+form, 1)), 401, "signature_invalid")
		late := w.enveloped(k, contribution("late "+form), "n-5")
		w.clock.Add(301 * time.Second)
		w.want(post(late), 401, "signature_invalid")
		w.want(post(strings.Replace(w.enveloped(k, contribution("more "+form), "n-6"), `{"body"`, `{"more":1,"body"`, 1)), 401, "signature_invalid")
	}
	_, key := w.register("bo", 9)
	w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: w.enveloped(k, contribution("bo"), "n-7")}), 401, "signature_invalid")
}

// TestTeamThatTakesSignedWritesOnly: what a member writes into it is signed, over
// every face; reading, coming and going are as before.
func TestTeamThatTakesSignedWritesOnly(t *testing.T) {
	t.Parallel()
	w := newTown(t, nil, "ada", "bo")
	seeds := map[string]byte{"ada": 1, "bo": 2}
	n := 0
	sign := func(as, method, path string, body any) reply {
		n++
		return w.do(w.signedBy(apiCall{method: method, path: path, key: w.keys[as], body: encode(t, body)}, servicetest.Key(seeds[as]), fmt.Sprint("n-", n)))
	}
	made := w.want(w.as("ada", "POST", "/api/mesh/team", object{"name": "Signers", "visibility": "public", "policy": object{"require_signed_writes": true}}), 201, "")
	if made.json["team"].(object)["policy"].(object)["require_signed_writes"] != true {
		t.Errorf("%s", made.raw)
	}
	id := made.json["team"].(object)["id"].(string)
	team := "/api/mesh/team/" + id
	w.want(w.as("bo", "POST", team+"/join", object{}), 200, "")
	w.want(w.as("bo", "POST", team+"/presence", object{"status": "active"}), 200, "")
	for _, c := range []struct {
		as, method, path string
		body             object
		status           int
	}{
		{"bo", "POST", team + "/message", object{"content": "hello"}, 201},
		{"bo", "POST", team + "/board", object{"tasks": []object{{"title": "Write it down"}}}, 201},
		{"bo", "POST", team + "/knowledge", contribution("team"), 201},
		{"bo", "POST", "/api/mesh/contribute", func() object { c := contribution("here"); c["team_id"] = id; return c }(), 201},
		{"ada", "POST", team + "/members", object{"action": "set_role", "agent_id": "bo", "role": "admin"}, 200},
		{"ada", "POST", "/api/mesh/bounties", object{"teamId": id, "title": "Do it", "description": "All of it.", "amount": 1}, 0},
		{"ada", "PATCH", team + "/config", object{"description": "Signed."}, 200},
	} {
		if r := w.as(c.as, c.method, c.path, c.body); r.StatusCode != 401 || r.code() != "signature_invalid" {
			t.Errorf("%s %s unsigned: %d %s", c.method, c.path, r.StatusCode, r.raw)
		}
		if r := sign(c.as, c.method, c.path, c.body); r.code() == "signature_invalid" || c.status != 0 && r.StatusCode != c.status {
			t.Errorf("%s %s signed: %d %s", c.method, c.path, r.StatusCode, r.raw)
		}
	}
	message := object{"team_id": id, "content": "by a tool"}
	if r := w.tool("bo", "send_message", message); r["code"] != "signature_invalid" {
		t.Errorf("a tool, unsigned: %v", r)
	}
	rpc := object{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": object{"name": "send_message", "arguments": message}}
	if r := sign("bo", "POST", "/mcp", rpc); r.json["result"].(object)["structuredContent"].(object)["success"] != true {
		t.Errorf("a tool, signed: %s", r.raw)
	}
	for _, path := range []string{team, team + "/board", team + "/messages", team + "/knowledge", team + "/invites"} {
		w.want(w.as("ada", "GET", path, nil), 200, "")
	}
	w.want(w.as("bo", "POST", team+"/leave", object{}), 204, "")
	w.want(w.as("ada", "PATCH", team+"/config", object{"policy": object{"require_signed_writes": "no"}}), 401, "signature_invalid")
	w.want(sign("ada", "PATCH", team+"/config", object{"policy": object{"require_signed_writes": "no"}}), 422, "validation_failed")
	w.want(sign("ada", "PATCH", team+"/config", object{"policy": object{"require_signed_writes": false}}), 200, "")
	w.want(w.as("ada", "POST", team+"/message", object{"content": "unsigned again"}), 201, "")
}
