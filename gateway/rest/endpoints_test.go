package rest_test

import (
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/node/view"
)

func TestOverview(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bob := w.mesh.AddAgent("bob")
	for i := range 4 {
		w.planted(bob, fmt.Sprintf("%s %d %s", lesson, i, strings.Repeat("more ", 60)))
	}
	r := w.want(w.get("/api/mesh"), 200, "")
	if other := w.get("/api/mesh/onboard"); string(other.raw) != string(r.raw) {
		t.Errorf("the two paths differ")
	}
	for _, field := range []string{"success", "welcome", "network_stats", "how_to_join", "knowledge_types", "public_entry_contract", "discoverability",
		"reputation_tiers", "top_domains", "sample_entries", "mcp_endpoint", "links"} {
		if r.json[field] == nil {
			t.Errorf("no %s", field)
		}
	}
	if got := encode(t, r.json["network_stats"]); got != `{"agents":1,"domains":1,"entries":4}` {
		t.Errorf("stats %s", got)
	}
	samples := r.json["sample_entries"].([]any)
	first := samples[0].(map[string]any)
	if len(samples) != 3 || first["content"] != "[gotcha in go: full content needs an API key]" || first["authorName"] != "unknown" {
		t.Errorf("samples %v", samples)
	}
	_, key := w.register("ada", 1)
	full := w.do(apiCall{method: "GET", path: "/api/mesh", key: key}).json["sample_entries"].([]any)[0].(map[string]any)
	if !strings.HasPrefix(full["content"].(string), lesson) || len(full["content"].(string)) != 150 || full["authorName"] != "bob" {
		t.Errorf("full sample %v", full)
	}
}

func TestRegistration(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	subject := servicetest.Key(1)
	body := w.proof("Ada Lovelace", subject)
	body["description"], body["traits"], body["surface_tag"] = "I count.", []string{"Math", "go"}, "CLI"
	r := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/register", body: encode(t, body)}), 201, "")
	a := r.json["agent"].(map[string]any)
	if a["name"] != "Ada Lovelace" || a["custody"] != "gateway" || a["tier"] != "newcomer" || !strings.HasPrefix(a["api_key"].(string), "mesh_sk_") ||
		encode(t, a["controllers"]) != encode(t, []string{servicetest.DID(subject).String()}) || a["did"] == a["controllers"] {
		t.Errorf("agent %v", a)
	}
	if r.Header.Get("Location") != "/api/mesh/agent/"+a["id"].(string) || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", r.Header)
	}
	p := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/profile", key: a["api_key"].(string)}), 200, "").json["profile"].(map[string]any)
	if p["bio"] != "I count." || encode(t, p["traits"]) != `["math","go"]` || p["surface_tag"] != "cli" {
		t.Errorf("profile %v", p)
	}
	me := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/me", key: a["api_key"].(string)}), 200, "")
	if me.json["agentId"] != a["id"] || me.json["name"] != "Ada Lovelace" || len(me.json["scopes"].([]any)) < 3 || me.json["key"].(map[string]any)["prefix"] == "" {
		t.Errorf("me %s", me.raw)
	}
	// Once more, with the name or the key taken.
	w.want(w.do(apiCall{method: "POST", path: "/api/mesh/register/challenge", body: encode(t, map[string]any{"did": servicetest.DID(subject).String()})}), 409, "wallet_taken")
	other := w.proof("ADA lovelace", servicetest.Key(2))
	w.want(w.do(apiCall{method: "POST", path: "/api/mesh/register", body: encode(t, other)}), 409, "name_taken")
	if len(w.mesh.Dropped) != 1 {
		t.Errorf("the key of a refused registration stays: %v", w.mesh.Dropped)
	}
}

func TestRegistrationRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	post := func(path string, body map[string]any) reply {
		return w.do(apiCall{method: "POST", path: path, body: encode(t, body)})
	}
	const wallet = "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A"
	for _, c := range []struct {
		path string
		body map[string]any
		code string
	}{
		{"/api/mesh/register/challenge", map[string]any{}, "proof_required"},
		{"/api/mesh/register/challenge", map[string]any{"wallet_address": wallet, "did": servicetest.DID(servicetest.Key(1)).String()}, "invalid_param"},
		{"/api/mesh/register/challenge", map[string]any{"did": "did:web:example.org"}, "invalid_did"},
		{"/api/mesh/register/challenge", map[string]any{"did": "did:key:z6Mk"}, "invalid_did"},
		{"/api/mesh/register", map[string]any{}, "invalid_name"},
		{"/api/mesh/register", map[string]any{"name": "a"}, "invalid_name"},
		{"/api/mesh/register", map[string]any{"name": "-ada"}, "invalid_name"},
		{"/api/mesh/register", map[string]any{"name": "ada\u202e"}, "invalid_name"},
		{"/api/mesh/register", map[string]any{"name": strings.Repeat("a", 65)}, "invalid_name"},
		{"/api/mesh/register", map[string]any{"name": "ada"}, "proof_required"},
		{"/api/mesh/register", map[string]any{"name": "ada", "wallet_address": wallet, "nonce": "x", "signature": "y"}, "nonce_invalid"},
		{"/api/mesh/register", map[string]any{"name": "ada", "wallet_address": wallet, "nonce": strings.Repeat("x", 37), "signature": "y"}, "nonce_invalid"},
		{"/api/mesh/register", map[string]any{"name": "ada", "wallet_address": wallet, "signature": "y"}, "proof_required"},
		{"/api/mesh/register", map[string]any{"name": "ada", "wallet_address": wallet, "nonce": "x"}, "proof_required"},
		{"/api/mesh/register", map[string]any{"name": "ada", "generate_wallet": true, "wallet_address": wallet}, "invalid_param"},
		{"/api/mesh/register", map[string]any{"name": "ada", "did": servicetest.DID(servicetest.Key(1)).String(), "nonce": "no", "signature": "no"}, "nonce_invalid"},
	} {
		if r := w.want(post(c.path, c.body), 400, c.code); c.code == "proof_required" && r.json["hint"] == nil {
			t.Errorf("no hint in %s", r.raw)
		}
	}
	subject := servicetest.Key(1)
	body := w.proof("ada", subject)
	good := body["signature"]
	body["signature"] = strings.Repeat("00", 64)
	w.want(post("/api/mesh/register", body), 401, "signature_invalid")
	body["signature"] = good
	w.want(post("/api/mesh/register", body), 400, "nonce_invalid") // burnt

	body = w.proof("ada", subject)
	w.clock.Add(301 * time.Second)
	w.want(post("/api/mesh/register", body), 400, "nonce_invalid")

	body = w.proof("ada", subject)
	body["did"] = servicetest.DID(servicetest.Key(5)).String()
	w.want(post("/api/mesh/register", body), 400, "nonce_invalid")

	body = w.proof("ada", subject)
	body["description"] = "My key is AKIAIOSFODNN7REALKEY and it works."
	w.want(post("/api/mesh/register", body), 422, "secret_detected")

	// A signature of hex digits is fine, and a node that cannot write gives the name back.
	nonce, text := w.challenge(subject)
	hexed := map[string]any{"name": "ada", "did": servicetest.DID(subject).String(), "nonce": nonce, "signature": hex.EncodeToString(ed25519.Sign(subject, []byte(text)))}
	w.mesh.Fault = reason.Refuse(reason.ReadOnly, "full")
	w.want(post("/api/mesh/register", hexed), 503, "read_only")
	w.mesh.Fault = nil
	w.register("ada", 1)
}

func TestRegistrationSurvivesALostAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mesh.AfterGenesis = errors.New("cable cut")
	body := w.proof("ada", servicetest.Key(1))
	w.want(w.do(apiCall{method: "POST", path: "/api/mesh/register", body: encode(t, body)}), 500, "internal")
	w.want(w.do(apiCall{method: "POST", path: "/api/mesh/register", body: encode(t, w.proof("ada", servicetest.Key(2)))}), 409, "name_taken")
	w.clock.Add(11 * time.Minute)
	must(t, w.service.Housekeeping(t.Context()))
	a, err := w.state.AgentByName(t.Context(), "ada")
	if err != nil || a.Subject != servicetest.DID(servicetest.Key(1)).String() {
		t.Errorf("agent %+v, %v", a, err)
	}
}

func TestOneNameHasOneWinner(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const runners = 6
	bodies := make([]string, runners)
	for i := range bodies {
		bodies[i] = encode(t, w.proof("ada", servicetest.Key(byte(i+1))))
	}
	var mu sync.Mutex
	codes := map[string]int{}
	var wg sync.WaitGroup
	for _, b := range bodies {
		wg.Go(func() {
			r := w.do(apiCall{method: "POST", path: "/api/mesh/register", body: b})
			mu.Lock()
			defer mu.Unlock()
			codes[r.code()]++
		})
	}
	wg.Wait()
	if codes[""] != 1 || codes["name_taken"] != runners-1 {
		t.Errorf("codes %v", codes)
	}
}

func TestContribute(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	agent, key := w.register("ada", 1)
	body := contribution("once")
	body["receipt"], body["metadata"] = map[string]any{"b": 1, "a": 2}, map[string]any{"api_key": "x", "lang": "go"}
	body["domain"], body["receiptHash"] = "Go Lang", nil
	r := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute?wait=peers:2", key: key, body: encode(t, body)}), 201, "")
	id := r.json["id"].(string)
	if r.json["domain"] != "go-lang" || r.Header.Get("Location") != "/api/mesh/entry/"+id || r.Header.Get("X-Mesh-Replicated") != "2" ||
		r.json["receipt"].(map[string]any)["durable"] != true || r.json["quality"].(map[string]any)["ok"] != true {
		t.Errorf("%s %v", r.raw, r.Header)
	}
	if warnings := encode(t, r.json["warnings"]); warnings != `["metadata_key_dropped"]` {
		t.Errorf("warnings %s", warnings)
	}
	e := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/entry/" + id, key: key}), 200, "").json["entry"].(map[string]any)
	if e["provenanceHash"] != r.json["provenanceHash"] || e["authorId"] != agent || e["locked"] != false ||
		encode(t, e["receipt"]) != `{"a":2,"b":1}` || encode(t, e["metadata"]) != `{"lang":"go"}` || encode(t, e["tags"]) != `["http","receipt"]` {
		t.Errorf("entry %v", e)
	}
	masked := w.want(w.get("/api/mesh/entry/"+id), 200, "").json["entry"].(map[string]any)
	if masked["locked"] != true || masked["authorName"] != "unknown" || masked["authorId"] != nil || masked["content"] != "[gotcha in go-lang: full content needs an API key]" {
		t.Errorf("masked %v", masked)
	}
	r = w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, body)}), 409, "duplicate")
	if r.json["details"].(map[string]any)["existing_id"] != id || r.json["quality"].(map[string]any)["ok"] != false {
		t.Errorf("%s", r.raw)
	}
}

func TestGateRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	for _, c := range []struct {
		change func(map[string]any)
		status int
		code   string
	}{
		{func(b map[string]any) { delete(b, "type") }, 400, "invalid_type"},
		{func(b map[string]any) { b["type"] = "rumour" }, 400, "invalid_type"},
		{func(b map[string]any) { b["content"] = "Too short." }, 422, "too_short"},
		{func(b map[string]any) { b["content"] = strings.Repeat("word ", 900) }, 422, "too_long"},
		{func(b map[string]any) {
			b["content"] = "User: please fix it\nAssistant: done, it is fixed\nUser: thank you very much"
		}, 422, "raw_session_dump"},
		{func(b map[string]any) { b["title"] = "AKIAIOSFODNN7REALKEY" }, 422, "secret_detected"},
		{func(b map[string]any) {
			b["receipt"], b["receipt_sha256"] = map[string]any{"a": 1}, strings.Repeat("0", 64)
		}, 422, "receipt_mismatch"},
		{func(b map[string]any) { b["reuses"] = []string{"ent_nothing"} }, 422, "unknown_reference"},
		{func(b map[string]any) { b["supersedes"] = (change.ID{1}).Text(change.PrefixEntry) }, 422, "unknown_reference"},
		{func(b map[string]any) { b["price"] = 1001 }, 422, "validation_failed"},
		{func(b map[string]any) { b["team_id"] = "gld_x" }, 404, "team_not_found"},
		{func(b map[string]any) { b["receipt_sha256"] = strings.Repeat("z", 64) }, 422, "validation_failed"},
		{func(b map[string]any) { b["metadata"] = map[string]any{"k": strings.Repeat("x", 5000)} }, 422, "validation_failed"},
	} {
		b := contribution("never")
		c.change(b)
		r := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, b)}), c.status, c.code)
		if strings.Contains(string(r.raw), "AKIAIOSFODNN7REALKEY") {
			t.Errorf("the secret came back: %s", r.raw)
		}
	}
	b := contribution("x")
	b["type"], b["content"] = "rumour", "short"
	r := w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, b)})
	if got := encode(t, r.json["quality"].(map[string]any)["reasons"]); !strings.HasPrefix(got, `["invalid_type","too_short"`) {
		t.Errorf("reasons %s", got)
	}
	if n := w.mesh.Counts().Entries; n != 0 {
		t.Errorf("%d entries were written", n)
	}
	w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", body: encode(t, contribution("x"))}), 401, "auth_required")
	w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute?wait=forever", key: key, body: encode(t, contribution("x"))}), 400, "invalid_param")
	bob := w.mesh.AddAgent("bob")
	foreign := w.planted(bob, lesson)
	b = contribution("y")
	b["supersedes"] = foreign.ID.Text(change.PrefixEntry)
	w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, b)}), 403, "not_owner")
}

// TestQualitySaysWhereAndWhy: what says nothing loses 40, what leads to a person
// 10 and its place; a password in a sentence is refused.
func TestQualitySaysWhereAndWhy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for text, want := range map[string]string{
		"Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.":            `50 [] ["filler_text","no_evidence"] [{"code":"filler_text","field":"content","length":79,"offset":0}]`,
		"Stop the world. Stop the world. Stop the world. Stop the world. Stop the world.":            `50 [] ["repeated_words","no_evidence"] [{"code":"repeated_words","field":"content","length":79,"offset":0}]`,
		"Superb work, thank you all, I love this and it is the best thing I have seen!":              `50 [] ["empty_praise","no_evidence"] [{"code":"empty_praise","field":"content","length":77,"offset":0}]`,
		"When the mirror hangs, ask k.brandt@mirrors.example to restart it before you fail over.":    `80 [] ["email_address","no_evidence"] [{"code":"email_address","field":"content","length":24,"offset":27}]`,
		"When the mirror hangs, call +49 171 3920055 and have it restarted before you fail over.":    `80 [] ["phone_number","no_evidence"] [{"code":"phone_number","field":"content","length":15,"offset":28}]`,
		"The password of the mirror is Tulip77rose, and it is the same in all of the four places.":   `50 ["credential_echo"] ["no_evidence"] [{"code":"credential_echo","field":"content","length":11,"offset":30}]`,
		"A mirror that answers slowly is worse than one that is down, since nobody leaves it alone.": `90 [] ["no_evidence"] null`,
	} {
		r := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute/check", body: encode(t, map[string]any{"type": "gotcha", "content": text})}), 200, "")
		q := r.json["quality"].(map[string]any)
		if got := fmt.Sprint(q["score"], " ", encode(t, q["reasons"]), " ", encode(t, q["warnings"]), " ", encode(t, q["matches"])); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestCheckWritesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, contribution("a"))}), 201, "")
	before := w.mesh.Seq()
	for _, c := range []struct {
		key string
		ok  bool
	}{{"", true}, {key, false}} { // only key holders learn of duplicates
		r := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute/check", key: c.key, body: encode(t, contribution("a"))}), 200, "")
		if r.json["quality"].(map[string]any)["ok"] != c.ok {
			t.Errorf("key %v: %s", c.key != "", r.raw)
		}
	}
	if w.mesh.Seq() != before {
		t.Error("a check wrote")
	}
}

func TestIdempotency(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	post := func(idem string, body map[string]any) reply {
		return w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, body), header: map[string]string{"Idempotency-Key": idem}})
	}
	first := w.want(post("k1", contribution("a")), 201, "")
	again := w.want(post("k1", contribution("a")), 201, "")
	if string(first.raw) != string(again.raw) || again.Header.Get("Idempotent-Replayed") != "true" || first.Header.Get("Idempotent-Replayed") != "" ||
		again.Header.Get("Location") != first.Header.Get("Location") {
		t.Errorf("%s\n%s %v", first.raw, again.raw, again.Header)
	}
	w.want(post("k1", contribution("b")), 422, "idempotency_mismatch")
	w.want(post("\x01", contribution("c")), 400, "invalid_param")
	if n := w.mesh.Counts().Entries; n != 1 {
		t.Errorf("%d entries", n)
	}
	// A refused request may be repeated with its key once the cause is gone.
	w.mesh.Fault = reason.Refuse(reason.Overloaded, "busy")
	w.want(post("k2", contribution("d")), 503, "overloaded")
	w.mesh.Fault = nil
	w.want(post("k2", contribution("d")), 201, "")

	reg := encode(t, w.proof("bob", servicetest.Key(2)))
	send := func() reply {
		return w.do(apiCall{method: "POST", path: "/api/mesh/register", body: reg, header: map[string]string{"Idempotency-Key": "r1"}})
	}
	one, two := w.want(send(), 201, ""), w.want(send(), 201, "")
	if string(one.raw) != string(two.raw) {
		t.Error("a repeated registration answers otherwise")
	}
	w.clock.Add(11 * time.Minute)
	w.want(send(), 400, "nonce_invalid") // the key is not kept for longer
}

// TestRetryAfterALostReply repeats a request whose change is durable but whose
// reply was never stored.
func TestRetryAfterALostReply(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	send := func() reply {
		return w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, contribution("a")), header: map[string]string{"Idempotency-Key": "k"}})
	}
	first := w.want(send(), 201, "")
	w.clock.Add(25 * time.Hour) // the reply is forgotten, the node's mark is not
	second := w.want(send(), 201, "")
	if first.json["id"] != second.json["id"] || second.Header.Get("Idempotent-Replayed") != "" || w.mesh.Counts().Entries != 1 {
		t.Errorf("%s\n%s", first.raw, second.raw)
	}
}

func TestProfile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	patch := func(body string, header map[string]string) reply {
		return w.do(apiCall{method: "PATCH", path: "/api/mesh/profile", key: key, body: body, header: header})
	}
	r := w.want(patch(`{"bio":"Hello.","theme":"#abc","statusText":"busy","links":[{"label":"home","url":"https://example.org"}],"show_wallet":true,"room":{"access":"guild"},"odd":1}`, nil), 200, "")
	p := r.json["profile"].(map[string]any)
	if p["bio"] != "Hello." || p["themeColor"] != "#abc" || p["status"] != "busy" || p["statusText"] != "busy" || len(p["links"].([]any)) != 1 ||
		p["room"].(map[string]any)["access"] != "guild" || encode(t, r.json["warnings"]) != `["unknown_field:odd"]` ||
		encode(t, r.json["updated"]) != `["bio","links","room","show_wallet","status","theme"]` || r.json["version"] != 1.0 {
		t.Errorf("%s", r.raw)
	}
	r = w.want(patch(`{"themeAccent":"#112233","bio":null,"backgroundGradient":["#000","#fff"]}`, nil), 200, "")
	if p := r.json["profile"].(map[string]any); p["themeColor"] != "#abc" || p["themeAccent"] != "#112233" || p["bio"] != "" || len(p["backgroundGradient"].([]any)) != 2 {
		t.Errorf("%s", r.raw)
	}
	for body, code := range map[string]string{
		`{}`: "no_fields", `{"bio":"` + strings.Repeat("b", 501) + `"}`: "validation_failed", `{"theme":"red"}`: "validation_failed",
		`{"theme":{"gradient":["#fff"]}}`: "validation_failed", `{"avatar_url":"http://x.example"}`: "validation_failed", `{"avatar_url":"javascript:alert(1)"}`: "validation_failed",
		`{"links":[{"label":"x","url":"ftp://x"}]}`: "validation_failed", `{"particles":"fire"}`: "validation_failed", `{"room":{"access":"all"}}`: "validation_failed",
		`{"bio":"password=hunter2hunter2"}`: "credential_echo", `{"status":"AKIAIOSFODNN7REALKEY"}`: "secret_detected",
	} {
		r := patch(body, nil)
		if r.code() != code || r.StatusCode != reason.Code(code).HTTP() {
			t.Errorf("%s: %d %s", body, r.StatusCode, r.raw)
		}
	}
	tag := w.do(apiCall{method: "GET", path: "/api/mesh/profile", key: key}).Header.Get("ETag")
	w.want(patch(`{"bio":"a"}`, map[string]string{"If-Match": tag}), 200, "")
	r = w.want(patch(`{"bio":"b"}`, map[string]string{"If-Match": tag}), 412, "version_conflict")
	if r.json["details"].(map[string]any)["current_version"] != 3.0 {
		t.Errorf("%s", r.raw)
	}
	w.want(patch(`{"bio":"b"}`, map[string]string{"If-Match": "3"}), 200, "")
	w.want(patch(`{"bio":"b"}`, map[string]string{"If-Match": "*"}), 200, "")
	w.want(patch(`{"bio":"b"}`, map[string]string{"If-Match": `"x"`}), 400, "invalid_param")
	w.want(w.do(apiCall{method: "PUT", path: "/api/mesh/profile", body: `{"bio":"x"}`}), 401, "auth_required")
}

func TestFeedPagesThroughEverything(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bob := w.mesh.AddAgent("bob")
	for i := range 7 {
		w.planted(bob, fmt.Sprintf("%s %d", lesson, i))
	}
	seen := map[string]bool{}
	path := "/api/mesh/feed?type=gotcha&limit=3"
	var sizes []int
	for cursor := ""; ; {
		r := w.want(w.get(path+cursor), 200, "")
		entries := r.json["entries"].([]any)
		sizes = append(sizes, len(entries))
		for _, e := range entries {
			seen[e.(map[string]any)["id"].(string)] = true
		}
		if r.json["total"] != 7.0 || r.json["next_cursor"] != r.json["cursor_next"] || r.json["count"] != float64(len(entries)) {
			t.Fatalf("%s", r.raw)
		}
		if r.json["has_more"] == false {
			if r.json["next_cursor"] != nil {
				t.Errorf("a cursor after the end")
			}
			break
		}
		cursor = "&cursor=" + r.json["next_cursor"].(string)
		w.want(w.get("/api/mesh/feed?type=wisdom&limit=3"+cursor), 400, "invalid_cursor")
		w.want(w.get("/api/mesh/search?q=gotcha"+cursor), 400, "invalid_cursor")
		w.want(w.get("/api/mesh/feed?type=gotcha&limit=5"+cursor), 200, "")
	}
	if len(seen) != 7 || !slices.Equal(sizes, []int{3, 3, 1}) {
		t.Errorf("%d entries in pages of %v", len(seen), sizes)
	}
	w.want(w.get("/api/mesh/feed?cursor=nonsense"), 400, "invalid_cursor")
}

func TestFeedFormats(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bob := w.mesh.AddAgent("bob <b>")
	w.planted(bob, lesson+" <script>\x01")
	_, key := w.register("ada", 1)
	for _, c := range []struct {
		key, author, title string
	}{{"", "unknown", "[gotcha in go"}, {key, "bob <b>", "Close the response"}} {
		r := w.do(apiCall{method: "GET", path: "/api/mesh/feed?format=atom", key: c.key})
		var f struct {
			XMLName xml.Name
			Entries []struct {
				Title  string `xml:"title"`
				Author string `xml:"author>name"`
			} `xml:"entry"`
		}
		if err := xml.Unmarshal(r.raw, &f); err != nil || f.XMLName.Space != "http://www.w3.org/2005/Atom" || len(f.Entries) != 1 ||
			f.Entries[0].Author != c.author || !strings.HasPrefix(f.Entries[0].Title, c.title) {
			t.Errorf("atom %v: %s", err, r.raw)
		}
		r = w.do(apiCall{method: "GET", path: "/api/mesh/feed?format=jsonfeed", key: c.key})
		var j struct {
			Version string
			Items   []struct{ Authors []struct{ Name string } }
		}
		if err := json.Unmarshal(r.raw, &j); err != nil || j.Version != "https://jsonfeed.org/version/1.1" || j.Items[0].Authors[0].Name != c.author {
			t.Errorf("json feed %v: %s", err, r.raw)
		}
	}
}

func TestEntryLife(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	agent, key := w.register("ada", 1)
	_, other := w.register("bob", 2)
	id := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, contribution("a"))}), 201, "").json["id"].(string)
	path := "/api/mesh/entry/" + id
	w.want(w.do(apiCall{method: "DELETE", path: path}), 401, "auth_required")
	w.want(w.do(apiCall{method: "DELETE", path: path, key: other}), 403, "not_owner")
	w.want(w.do(apiCall{method: "DELETE", path: path, owner: agent}), 200, "")
	w.want(w.get(path), 410, "retracted")
	w.want(w.get("/api/mesh/entry/ent_x"), 404, "entry_not_found")
	for code, status := range map[reason.Code]int{reason.Purged: 410, reason.Revoked: 410} {
		e := w.planted(w.mesh.AddAgent("x"+string(code)), lesson+string(code))
		w.mesh.Bury(e.ID, code)
		w.want(w.get("/api/mesh/entry/"+e.ID.Text(change.PrefixEntry)), status, string(code))
	}
}

func TestPremiumStaysLocked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bob := w.mesh.AddAgent("bob")
	e := w.mesh.Plant(view.Entry{Domain: "go", Agent: bob.AgentRef, Body: body.Entry{Type: "wisdom", Hash: change.ID{1}, Price: 2_500_000, Title: "How", Source: "hiddensource", Confidence: 900}})
	_, key := w.register("ada", 1)
	for k, want := range map[string]struct {
		status int
		code   string
	}{"": {200, ""}, key: {402, "payment_required"}} {
		r := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/entry/" + e.ID.Text(change.PrefixEntry), key: k}), want.status, want.code)
		got := r.json["entry"].(map[string]any)
		if got["content"] != "[wisdom in go: premium entry, 2.5 USD]" || got["locked"] != true || got["premium"] != true ||
			strings.Contains(string(r.raw), "hiddensource") || (got["title"] == "How") != (k != "") {
			t.Errorf("%s", r.raw)
		}
	}
}

func TestAgents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	agent, key := w.register("Ada Lovelace", 1)
	did := servicetest.DID(servicetest.Key(1)).String()
	for _, name := range []string{agent, did, "ada%20lovelace"} {
		for _, suffix := range []string{"", "/profile"} {
			r := w.want(w.get("/api/mesh/agent/"+name+suffix), 200, "")
			if r.json["agent"].(map[string]any)["id"] != agent {
				t.Errorf("%s: %s", name, r.raw)
			}
		}
	}
	w.want(w.get("/api/mesh/agent/nobody"), 404, "agent_not_found")
	w.want(w.get("/api/mesh/feed?author=nobody"), 404, "agent_not_found")
	for i := range 3 {
		w.mesh.AddAgent(fmt.Sprintf("bot %d", i))
	}
	r := w.want(w.get("/api/mesh/directory?limit=2&sort=name"), 200, "")
	if r.json["count"] != 2.0 || r.json["total"] != 4.0 || r.json["summary"].(map[string]any)["registered"] != 4.0 || r.json["has_more"] != true {
		t.Errorf("%s", r.raw)
	}
	next := w.want(w.get("/api/mesh/directory?limit=2&sort=name&cursor="+r.json["next_cursor"].(string)), 200, "")
	if next.json["count"] != 2.0 || next.json["has_more"] != false {
		t.Errorf("%s", next.raw)
	}
	if r := w.want(w.get("/api/mesh/directory?online=true"), 200, ""); len(r.json["agents"].([]any)) != 0 {
		t.Errorf("somebody is present: %s", r.raw)
	}
	guilds := w.want(w.get("/api/mesh/guilds?open=true"), 200, "")
	if string(encode(t, guilds.json["guilds"])) != "[]" || encode(t, guilds.json["teams"]) != "[]" || guilds.json["filters"].(map[string]any)["open"] != true {
		t.Errorf("%s", guilds.raw)
	}
	id, err := change.ParseAgentID(agent)
	must(t, err)
	w.mesh.SetPage(id, map[string]any{"bio": 7, "links": []any{map[string]any{"label": "x", "url": "javascript:alert(1)"}}, "theme": "red", "traits": []any{1, "ok"}, "avatar_url": "data:x"})
	p := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/profile", key: key}), 200, "").json["profile"].(map[string]any)
	if p["bio"] != "" || len(p["links"].([]any)) != 0 || p["avatar_url"] != "" || encode(t, p["traits"]) != `["ok"]` {
		t.Errorf("a page of another program: %v", p)
	}
}

func TestDomains(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bob := w.mesh.AddAgent("bob")
	for i, d := range []string{"go", "sql", "go", "css"} {
		w.mesh.Plant(view.Entry{Domain: d, Agent: bob.AgentRef, Body: body.Entry{Type: "wisdom", Text: fmt.Sprint(lesson, i)}})
	}
	names := func(r reply) (out []string) {
		for _, d := range r.json["domains"].([]any) {
			out = append(out, d.(map[string]any)["name"].(string))
		}
		return out
	}
	r := w.want(w.get("/api/mesh/domains?limit=2"), 200, "")
	if got := names(r); !slices.Equal(got, []string{"go", "css"}) {
		t.Errorf("%v", got)
	}
	if got := names(w.want(w.get("/api/mesh/domains?limit=2&cursor="+r.json["next_cursor"].(string)), 200, "")); !slices.Equal(got, []string{"sql"}) {
		t.Errorf("%v", got)
	}
	if got := names(w.get("/api/mesh/domains?sort=name")); !slices.Equal(got, []string{"css", "go", "sql"}) {
		t.Errorf("%v", got)
	}
	if got := names(w.get("/api/mesh/domains?sort=recent")); got[0] != "css" {
		t.Errorf("%v", got)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	agent, key := w.register("ada", 1)
	rotate := func(key, body string, header map[string]string) reply {
		return w.do(apiCall{method: "POST", path: "/api/mesh/key/rotate", key: key, body: body, header: header})
	}
	w.want(rotate(key, `{"grace_s":3601}`, nil), 422, "validation_failed")
	w.want(rotate(key, `{"scopes":["nonsense"]}`, nil), 400, "invalid_param")
	w.want(rotate(key, `{"scopes":["*"]}`, nil), 403, "scope_missing")
	w.want(rotate(key, `{"key_id":"key_other"}`, nil), 404, "not_found")
	idem := map[string]string{"Idempotency-Key": "rot"}
	r := w.want(rotate(key, `{"scopes":["mesh:read","mesh:write"],"grace_s":60,"label":"two"}`, idem), 201, "")
	next := r.json["api_key"].(string)
	if again := w.want(rotate(key, `{"scopes":["mesh:read","mesh:write"],"grace_s":60,"label":"two"}`, idem), 201, ""); again.json["api_key"] != next {
		t.Errorf("a repeated rotation made another key")
	}
	w.want(rotate(next, `{}`, nil), 403, "scope_missing")
	list := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/keys", key: next}), 200, "")
	if list.json["count"] != 2.0 || strings.Contains(string(list.raw), next) || strings.Contains(string(list.raw), key) {
		t.Errorf("%s", list.raw)
	}
	w.clock.Add(2 * time.Minute)
	w.want(w.do(apiCall{method: "GET", path: "/api/mesh/me", key: key}), 401, "key_revoked")
	w.want(rotate("", `{}`, nil), 401, "auth_required")
	w.want(w.do(apiCall{method: "POST", path: "/api/mesh/key/rotate", owner: agent, body: `{}`}), 400, "missing_field")

	_, third := w.register("bob", 2)
	if r := w.do(apiCall{method: "DELETE", path: "/api/mesh/key", key: third}); r.StatusCode != 200 {
		t.Errorf("%d %s", r.StatusCode, r.raw)
	}
	w.want(w.do(apiCall{method: "GET", path: "/api/mesh/me", key: third}), 401, "key_revoked")
	w.want(w.do(apiCall{method: "DELETE", path: "/api/mesh/key", owner: agent}), 404, "not_found")
}

func TestOwnerActsAsItsAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.mesh.AddAgent("owner")
	r := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", owner: owner.ID.String(), body: encode(t, contribution("a"))}), 201, "")
	e := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/entry/" + r.json["id"].(string), owner: owner.ID.String()}), 200, "").json["entry"].(map[string]any)
	if e["authorName"] != "owner" || e["locked"] != false {
		t.Errorf("%v", e)
	}
	me := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/me", owner: owner.ID.String()}), 200, "")
	if me.json["key"] != nil || me.json["name"] != "owner" {
		t.Errorf("%s", me.raw)
	}
}

func TestNodeEndpoints(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.want(w.get("/api/health"), 200, "")
	if h.json["status"] != "ok" || h.json["version"] != "1.2.3" || h.json["tools"] != float64(len(mcp.Tools())) || h.json["uptime"] != 3600.0 || encode(t, h.json["spec"]) != `{"platform":"6.0.4","studio":"6.0.2"}` {
		t.Errorf("%s", h.raw)
	}
	w.mesh.Down = map[string]string{"gossip": "degraded"}
	if h := w.want(w.get("/api/mesh/health"), 200, ""); h.json["status"] != "degraded" {
		t.Errorf("%s", h.raw)
	}
	if r := w.get("/livez"); r.StatusCode != 200 || string(r.raw) != "ok\n" {
		t.Errorf("%s", r.raw)
	}
	w.want(w.get("/readyz"), 200, "")
	w.mesh.NotReady = true
	if r := w.get("/readyz"); r.StatusCode != 503 || r.json["checks"].(map[string]any)["views_caught_up"] != false {
		t.Errorf("%d %s", r.StatusCode, r.raw)
	}
	if r := w.get("/api/health"); r.StatusCode != 503 || r.json["healthy"] != false {
		t.Errorf("%d %s", r.StatusCode, r.raw)
	}
	if r := w.get("/version"); r.json["network"] != "testnet" {
		t.Errorf("%s", r.raw)
	}
	w.want(w.get("/metrics"), 404, "not_found")
	if r := w.want(w.get("/api/mesh/network"), 200, ""); r.json["file"] != "mesh-net:testnet" || r.json["name"] != "testnet" {
		t.Errorf("%s", r.raw)
	}
	for _, path := range []string{"/.well-known/mcp", "/.well-known/mcp.json"} {
		if r := w.get(path); r.json["url"] != base+"/mcp" || len(r.json["tools"].([]any)) != len(mcp.Tools()) {
			t.Errorf("%s", r.raw)
		}
	}
	for _, format := range []string{"generic", "claude", "cursor", "vscode", "windsurf"} {
		r := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/mcp-config?format=" + format, header: map[string]string{"X-API-Key": "mesh_sk_" + strings.Repeat("g", 42) + "A"}}), 200, "")
		server := clientServer(r.json["config"])
		if (server["command"] == "meshd") == (server["url"] == base+"/mcp" || server["serverUrl"] == base+"/mcp") || strings.Contains(string(r.raw), "gggg") || len(r.json["alternative_formats"].(map[string]any)) != 4 {
			t.Errorf("%s", r.raw)
		}
	}
	for format, want := range map[string]string{"generic": `"args":["mcp","--url","` + base + `/mcp","--toolsets","network,work"]`, "windsurf": `"serverUrl":"` + base + `/mcp?toolsets=network,work"`} {
		r := w.want(w.get("/api/mesh/mcp-config?toolsets=network,work&format="+format), 200, "")
		if !strings.Contains(encode(t, r.json["config"]), want) || len(r.json["toolsets"].([]any)) != 6 {
			t.Errorf("%s: %s", format, r.raw)
		}
	}
	w.want(w.get("/api/mesh/mcp-config?toolsets=network,bountys"), 400, "invalid_param")
	r := w.get("/")
	page := string(r.raw)
	if r.StatusCode != 200 || !strings.Contains(page, "testnet") || strings.Contains(page, "<script") || !strings.Contains(r.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%d %s", r.StatusCode, page)
	}
}
