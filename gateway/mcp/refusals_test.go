package mcp_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/view"
)

// overNodes are the tools whose refusals are met in gateway/rest, over whole nodes:
// the node of these tests keeps no votes and notes.
var overNodes = []string{"vote", "comment", "get_reputation", "verify_entry", "get_guestbook", "post_guestbook", "bounty_list", "bounty_get", "bounty_claim", "bounty_submit",
	"bounty_open", "bounty_release", "bounty_request_changes", "bounty_accept", "bounty_payout", "bounty_cancel", "bounty_dispute", "bounty_resolve", "bounty_propose",
	"bounty_vote", "get_notifications", "read_notifications", "get_guild", "create_guild", "invite_to_guild", "guild_members", "set_guild_member",
	"list_documents", "read_document", "edit_document", "delete_document", "get_zones", "set_zones", "zone_at"}

// twins are the endpoints of HTTP that do what a tool does.
var twins = map[string]struct{ method, path string }{
	"register_agent":       {"POST", "/api/mesh/register"},
	"contribute_knowledge": {"POST", "/api/mesh/contribute"},
	"check_knowledge":      {"POST", "/api/mesh/contribute/check"},
	"query_knowledge":      {"GET", "/api/mesh/search"},
	"get_feed":             {"GET", "/api/mesh/feed"},
	"get_directory":        {"GET", "/api/mesh/directory"},
	"get_guilds":           {"GET", "/api/mesh/guilds"},
	"get_overview":         {"GET", "/api/mesh"},
	"get_entry":            {"GET", "/api/mesh/entry/{id}"},
	"get_agent":            {"GET", "/api/mesh/agent/{id}"},
	"get_me":               {"GET", "/api/mesh/me"},
	"update_profile":       {"PATCH", "/api/mesh/profile"},
	"join_guild":           {"POST", "/api/mesh/guilds/{id}/join"},
	"heartbeat":            {"POST", "/api/mesh/team/{id}/presence"},
	"board_list":           {"GET", "/api/mesh/team/{id}/board"},
	"board_add":            {"POST", "/api/mesh/team/{id}/board"},
	"board_claim":          {"PATCH", "/api/mesh/team/{id}/board/{task}"},
	"board_release":        {"PATCH", "/api/mesh/team/{id}/board/{task}"},
	"board_complete":       {"PATCH", "/api/mesh/team/{id}/board/{task}"},
	"board_block":          {"PATCH", "/api/mesh/team/{id}/board/{task}"},
	"board_update":         {"PATCH", "/api/mesh/team/{id}/board/{task}"},
	"send_message":         {"POST", "/api/mesh/team/{id}/message"},
	"inbox":                {"GET", "/api/mesh/team/{id}/messages"},
	"knowledge_read":       {"GET", "/api/mesh/team/{id}/knowledge"},
	"mode_set":             {"POST", "/api/mesh/team/{id}/mode"},
	"set_scene":            {"PUT", "/api/mesh/agent/ada/scene"},
	"get_scene":            {"GET", "/api/mesh/agent/{id}/scene"},
	"compile_source":       {"POST", "/api/compile"},
	"list_targets":         {"GET", "/api/targets"},
	"render_scene":         {"POST", "/api/render"},
	"parse_hs":             {"POST", "/api/parse"},
	"parse_holo":           {"POST", "/api/parse"},
	"validate_source":      {"POST", "/api/validate"},
	"list_traits":          {"GET", "/api/traits"},
	"suggest_traits":       {"GET", "/api/traits"},
	"explain_trait":        {"GET", "/api/traits"},
	"generate_scene":       {"POST", "/api/validate"}, // no twin; what is read bears the same refusals
	"generate_object":      {"POST", "/api/validate"},

	"format_source":          {"POST", "/api/validate"}, // these five have none either
	"convert_format":         {"POST", "/api/validate"},
	"get_syntax_reference":   {"GET", "/api/traits"},
	"get_examples":           {"GET", "/api/traits"},
	"get_compilation_status": {"GET", "/api/traits"},
}

// inTeams are tools that need a whole node; TestTeamToolsAreTheTwins of gateway/rest drives them.
var inTeams = []string{"join_guild", "heartbeat", "board_list", "board_add", "board_claim", "board_release", "board_complete", "board_block", "board_update",
	"send_message", "inbox", "knowledge_read", "mode_set"}

// codesOf are the refusals that the API's document promises of an endpoint.
func (w *world) codesOf(method, path string) []string {
	w.t.Helper()
	var doc struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Description string `json:"description"`
			} `json:"responses"`
		} `json:"paths"`
	}
	must(w.t, json.Unmarshal([]byte(w.fetch("/openapi.json", "")), &doc))
	var out []string
	for _, r := range doc.Paths[path][strings.ToLower(method)].Responses {
		if list, ok := strings.CutPrefix(r.Description, "Refused: "); ok {
			out = append(out, strings.Split(list, ", ")...)
		}
	}
	if len(out) == 0 {
		w.t.Fatalf("no refusals of %s %s are described", method, path)
	}
	return out
}

// overHTTP sends what a tool is given to its twin and returns the code.
func (w *world) overHTTP(tool string, args map[string]any, header map[string]string) string {
	w.t.Helper()
	args = maps.Clone(args)
	twin := twins[tool]
	path, payload := twin.path, io.Reader(nil)
	if id, ok := args["id"].(string); ok && strings.Contains(path, "{id}") {
		path = strings.Replace(path, "{id}", url.PathEscape(id), 1)
		delete(args, "id")
	}
	if id, ok := args["agent_id"].(string); ok && strings.Contains(path, "/agent/{id}") {
		path = strings.Replace(path, "{id}", url.PathEscape(id), 1)
		delete(args, "agent_id")
	}
	if twin.method == http.MethodGet {
		q := url.Values{}
		for name, v := range args {
			switch name {
			case "query":
				name = "q"
			case "tags":
				name = "tag"
			}
			q.Set(name, fmt.Sprint(v))
		}
		if len(q) > 0 {
			path += "?" + q.Encode()
		}
	} else {
		payload = strings.NewReader(encode(w.t, args))
	}
	r, err := http.NewRequestWithContext(w.t.Context(), twin.method, w.http.URL+path, payload)
	must(w.t, err)
	r.Header.Set("Content-Type", "application/json")
	for k, v := range header {
		r.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(r)
	must(w.t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	must(w.t, err)
	return codeIn(w.t, string(raw))
}

// overMCP calls the tool and returns the code, of its error or of the HTTP face
// that did not let the message through.
func (w *world) overMCP(tool string, args map[string]any, header map[string]string) string {
	w.t.Helper()
	params := map[string]any{"name": tool, "arguments": args}
	header = maps.Clone(header)
	if key := header["Idempotency-Key"]; key != "" {
		delete(header, "Idempotency-Key")
		params["_meta"] = map[string]any{"idempotencyKey": key}
	}
	_, _, raw := w.post(encode(w.t, map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}), header)
	var m struct {
		Result *struct {
			IsError    bool                    `json:"isError"`
			Content    []struct{ Text string } `json:"content"`
			Structured json.RawMessage         `json:"structuredContent"`
		} `json:"result"`
	}
	must(w.t, json.Unmarshal([]byte(raw), &m))
	if m.Result == nil {
		return codeIn(w.t, raw)
	}
	if code := codeIn(w.t, m.Result.Content[0].Text); m.Result.IsError == (code != "") && m.Result.IsError == (m.Result.Structured == nil) {
		return code
	}
	w.t.Errorf("%s: isError does not fit %s", tool, raw)
	return ""
}

func codeIn(t testing.TB, raw string) string {
	t.Helper()
	var o struct {
		Code string `json:"code"`
	}
	if err := json.Unmarshal([]byte(raw), &o); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return o.Code
}

// otherwise are promised refusals that no call of a tool can meet, each with why.
var otherwise = map[string]string{
	"unsupported_media_type":  "of the whole POST; MCP answers it itself",
	"body_too_large":          "of the whole POST, whose limit is another; TestWholeMessageIsRefused",
	"forbidden":               "of the whole POST, by Host and Origin; TestWholeMessageIsRefused",
	"credential_in_url":       "of the whole POST; TestWholeMessageIsRefused",
	"view_behind":             "of ?min_seq=, which no tool has",
	"version_conflict":        "of If-Match, which no tool has",
	"idempotency_in_progress": "of two calls at once; the face has no part in it",
	"token_expired":           "keys of this test do not age; auth tests it",
	"key_revoked":             "auth tests it",
	"token_not_yet_valid":     "of tokens, as those below: TestEveryRefusalIsProvoked of gateway/rest",
	"token_replayed":          "of tokens",
	"capability_denied":       "of tokens",
	"chain_invalid":           "of tokens",
	"proof_missing":           "of tokens",
	"attenuation_violation":   "of tokens",
	"wrong_audience":          "of tokens",
	"suspended":               "of a node that knows admins: TestEveryRefusalIsProvoked of gateway/rest",
	"payment_required":        "of a gateway that sells: TestEveryRefusalIsProvoked of gateway/rest, as those below",
	"payment_malformed":       "of payments",
	"payment_unsupported":     "of payments",
	"payment_amount":          "of payments",
	"payment_expired":         "of payments",
	"payment_signature":       "of payments",
	"payment_replayed":        "of payments",
	"insufficient_credits":    "of payments",
	"insufficient_funds":      "of payments",
	"settlement_failed":       "of payments",
	"settlement_unknown":      "of payments",
	"settlement_unavailable":  "of payments",
	"compile_timeout":         "of time; service tests it",
	"render_timeout":          "of time; service tests it",
	"artifact_too_large":      "of a very large scene; service tests it",
}

// TestRefusalsAreTheTwins calls every tool and its twin in every way that one of
// them refuses, and compares the codes; and every code that the API's document
// promises of the twin must have been met.
func TestRefusalsAreTheTwins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, key := register(t, w.dial(modern, ""), "ada", servicetest.Key(1))
	_, narrow, err := w.state.CreateKey(t.Context(), state.NewKey{AgentID: id, Scopes: state.Scopes{state.ScopeRead}, ExpiresAt: servicetest.Start.Add(time.Hour)}, servicetest.Start)
	must(t, err)
	buried := map[reason.Code]string{}
	for _, code := range []reason.Code{reason.Retracted, reason.Revoked, reason.Purged} {
		e := w.mesh.Plant(view.Entry{Body: body.Entry{Type: "wisdom", Text: lesson}})
		w.mesh.Bury(e.ID, code)
		buried[code] = e.ID.Text(change.PrefixEntry)
	}
	as := func(key string) map[string]string { return map[string]string{"Authorization": "Bearer " + key} }
	good, nobody := as(key), map[string]string{}
	with := func(pairs ...any) map[string]any {
		out := lessonArgs("z")
		for i := 0; i < len(pairs); i += 2 {
			out[pairs[i].(string)] = pairs[i+1]
		}
		return out
	}
	deep := any(1)
	for range 40 {
		deep = []any{deep}
	}
	walletTaken := walletOf(t, 9)
	met := map[string]map[string]bool{}
	check := func(name, tool string, args map[string]any, header map[string]string, want string) {
		t.Helper()
		a, b := w.overHTTP(tool, args, header), w.overMCP(tool, args, header)
		if a == "invalid_param" && b == "validation_failed" && twins[tool].method == http.MethodGet {
			// A field of a query string has one code, a field of a JSON object the
			// other; the arguments of a tool are a JSON object.
			a = b
		}
		if a != b || a != want {
			t.Errorf("%s of %s: HTTP says %q, MCP %q, want %q", name, tool, a, b, want)
		}
		if met[tool] == nil {
			met[tool] = map[string]bool{}
		}
		met[tool][want] = true
	}

	// Of who calls.
	for _, tool := range []string{"contribute_knowledge", "update_profile", "set_scene", "get_me"} {
		args := map[string]map[string]any{"set_scene": {"source": "object a{}"}, "contribute_knowledge": lessonArgs("z"), "update_profile": {"bio": "x"}, "get_me": {}}[tool]
		check("nobody", tool, args, nobody, "auth_required")
		check("a dead key", tool, args, as(servicetest.Mistyped(key)), "invalid_token")
		if tool != "get_me" {
			check("a narrow key", tool, args, as(narrow.Reveal()), "scope_missing")
		} else {
			met[tool]["scope_missing"] = true // requires no scope
		}
	}
	for tool := range twins {
		args := map[string]any{}
		if tool == "query_knowledge" {
			args["query"] = "abc"
		}
		if tool == "get_scene" {
			args["agent_id"] = "ada"
		}
		check("two keys", tool, args, map[string]string{"Authorization": "Bearer " + key, "X-API-Key": narrow.Reveal()}, "ambiguous_credentials")
	}

	// Of what is asked.
	for _, c := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"contribute_knowledge", with("type", "rumour"), "invalid_type"},
		{"contribute_knowledge", with("content", "Too short."), "too_short"},
		{"contribute_knowledge", with("content", strings.Repeat("word ", 900)), "too_long"},
		{"contribute_knowledge", with("content", strings.Repeat("abcdefghij", 5)+" two three."), "too_few_words"},
		{"contribute_knowledge", with("content", "User: how do I do this?\nAssistant: like this, of course.\nUser: thanks a lot for that.\nAssistant: you are welcome, any time."), "raw_session_dump"},
		{"contribute_knowledge", with("content", "$ cd /srv/app && git pull\n$ make build\n$ systemctl restart app\n$ tail -f /var/log/app.log\n$ curl -s localhost:8080/health"), "shell_log"},
		{"contribute_knowledge", with("title", "AKIAIOSFODNN7REALKEY"), "secret_detected"},
		{"contribute_knowledge", with("content", lesson+" password=hunter2hunter2"), "credential_echo"},
		{"contribute_knowledge", with("receipt_sha256", strings.Repeat("0", 64), "receipt", map[string]any{"a": 1}), "receipt_mismatch"},
		{"contribute_knowledge", with("reuses", []string{"ent_nothing"}), "unknown_reference"},
		{"check_knowledge", with("reuses", []string{"ent_nothing"}), "unknown_reference"},
		{"contribute_knowledge", with("domain", strings.Repeat("a", 65)), "validation_failed"},
		{"contribute_knowledge", with("metadata", deep), "invalid_json"},
		{"contribute_knowledge", with("price", 1001), "validation_failed"},
		{"check_knowledge", with("domain", strings.Repeat("a", 65)), "validation_failed"},
		{"check_knowledge", with("metadata", deep), "invalid_json"},
		{"query_knowledge", map[string]any{}, "invalid_param"},
		{"query_knowledge", map[string]any{"query": "a"}, "validation_failed"},
		{"query_knowledge", map[string]any{"query": "abc", "cursor": "x"}, "invalid_cursor"},
		{"query_knowledge", map[string]any{"query": "abc", "author": "nobody"}, "agent_not_found"},
		{"get_feed", map[string]any{"limit": 0}, "validation_failed"},
		{"get_feed", map[string]any{"cursor": "x"}, "invalid_cursor"},
		{"get_feed", map[string]any{"sort": "relevance"}, "invalid_param"},
		{"get_directory", map[string]any{"tier": "king"}, "validation_failed"},
		{"get_directory", map[string]any{"cursor": "x"}, "invalid_cursor"},
		{"get_guilds", map[string]any{"type": "king"}, "validation_failed"},
		{"get_guilds", map[string]any{"cursor": "x"}, "invalid_cursor"},
		{"contribute_knowledge", with("team_id", "gld_x"), "team_not_found"},
		{"get_entry", map[string]any{"id": "ent_x"}, "entry_not_found"},
		{"get_entry", map[string]any{"id": buried[reason.Retracted]}, "retracted"},
		{"get_entry", map[string]any{"id": buried[reason.Revoked]}, "revoked"},
		{"get_entry", map[string]any{"id": buried[reason.Purged]}, "purged"},
		{"get_agent", map[string]any{"id": "nobody"}, "agent_not_found"},
		{"get_scene", map[string]any{"agent_id": "nobody"}, "agent_not_found"},
		{"get_scene", map[string]any{"agent_id": "ada"}, "scene_not_found"},
		{"set_scene", map[string]any{}, "missing_field"},
		{"set_scene", map[string]any{"source": "object \"a {"}, "source_invalid"},
		{"set_scene", map[string]any{"source": "// " + strings.Repeat("x", 256<<10)}, "body_too_large"},
		{"set_scene", map[string]any{"scene": map[string]any{"v": 2}}, "scene_invalid"},
		{"set_scene", map[string]any{"source": "// AKIAIOSFODNN7REALKEY"}, "secret_detected"},
		{"set_scene", map[string]any{"source": "// password=hunter2hunter2"}, "credential_echo"},
		{"set_scene", map[string]any{"source": "object a{}", "room": deep}, "invalid_json"},
		{"set_scene", map[string]any{"source": "object a{}", "format": "doc"}, "validation_failed"},
		{"parse_hs", map[string]any{}, "missing_field"},
		{"parse_hs", map[string]any{"code": deep}, "invalid_json"},
		{"parse_holo", map[string]any{}, "missing_field"},
		{"parse_holo", map[string]any{"code": deep}, "invalid_json"},
		{"validate_source", map[string]any{}, "missing_field"},
		{"validate_source", map[string]any{"code": deep}, "invalid_json"},
		{"validate_source", map[string]any{"code": strings.Repeat("x", 262_145)}, "body_too_large"},
		{"validate_source", map[string]any{"code": "a { }", "format": "doc"}, "validation_failed"},
		{"list_traits", map[string]any{"category": "physix"}, "unknown_category"},
		{"generate_scene", map[string]any{}, "missing_field"},
		{"generate_scene", map[string]any{"prompt": "a ball", "code": strings.Repeat("x", 262_145)}, "body_too_large"},
		{"generate_object", map[string]any{}, "missing_field"},
		{"format_source", map[string]any{}, "missing_field"},
		{"format_source", map[string]any{"code": strings.Repeat("x", 262_145)}, "body_too_large"},
		{"format_source", map[string]any{"code": deep}, "invalid_json"},
		{"convert_format", map[string]any{}, "missing_field"},
		{"convert_format", map[string]any{"to": "hs", "code": strings.Repeat("x", 262_145)}, "body_too_large"},
		{"convert_format", map[string]any{"code": deep}, "invalid_json"},
		{"generate_object", map[string]any{"prompt": "a ball", "code": strings.Repeat("x", 262_145)}, "body_too_large"},
		{"update_profile", map[string]any{}, "no_fields"},
		{"update_profile", map[string]any{"bio": strings.Repeat("b", 501)}, "validation_failed"},
		{"update_profile", map[string]any{"bio": "password=hunter2hunter2"}, "credential_echo"},
		{"update_profile", map[string]any{"status": "AKIAIOSFODNN7REALKEY"}, "secret_detected"},
		{"update_profile", map[string]any{"bio": deep}, "invalid_json"},
		{"update_profile", map[string]any{"bio": strings.Repeat("b", 300<<10)}, "body_too_large"},
		{"compile_source", map[string]any{"code": strings.Repeat("b", 1700<<10), "target": "glb"}, "body_too_large"},
		{"register_agent", map[string]any{"name": "-"}, "invalid_name"},
		{"register_agent", map[string]any{"name": "bob"}, "proof_required"},
		{"register_agent", map[string]any{"name": "bob", "did": "did:web:a", "nonce": "n", "signature": "s"}, "invalid_did"},
		{"register_agent", map[string]any{"name": "bob", "wallet_address": "0x", "nonce": "n", "signature": "s"}, "invalid_wallet"},
		{"register_agent", map[string]any{"name": "bob", "wallet_address": walletTaken.Address().String(), "nonce": "n", "signature": "s"}, "nonce_invalid"},
		{"register_agent", map[string]any{"name": "bob", "generate_wallet": true, "did": "did:key:z"}, "invalid_param"},
		{"register_agent", map[string]any{"name": "bob", "description": strings.Repeat("b", 501), "generate_wallet": true}, "validation_failed"},
		{"register_agent", map[string]any{"name": "bob", "description": deep}, "invalid_json"},
		{"register_agent", map[string]any{"name": "bob", "description": "AKIAIOSFODNN7REALKEY", "generate_wallet": true}, "secret_detected"},
		{"register_agent", map[string]any{"name": "ADA", "generate_wallet": true}, "name_taken"},
	} {
		check("arguments", c.tool, c.args, good, c.want)
	}

	// Of proofs: each way burns a nonce of its own.
	proof := func(k ed25519.PrivateKey, sign func(text string) []byte) map[string]any {
		did := servicetest.DID(k).String()
		first, ok := callTool(t, w.dial(modern, ""), "register_agent", map[string]any{"name": "bob", "did": did})
		if !ok {
			t.Fatalf("%v", first)
		}
		return map[string]any{"name": "bob", "did": did, "nonce": first["nonce"],
			"signature": base64.RawURLEncoding.EncodeToString(sign(first["challenge"].(map[string]any)["text"].(string)))}
	}
	k := servicetest.Key(2)
	wrong := func() map[string]any {
		return proof(k, func(string) []byte { return make([]byte, ed25519.SignatureSize) })
	}
	if a, b := w.overHTTP("register_agent", wrong(), nobody), w.overMCP("register_agent", wrong(), nobody); a != b || a != "signature_invalid" {
		t.Errorf("a bad signature: %s %s", a, b)
	}
	met["register_agent"]["signature_invalid"] = true
	waiting := []map[string]any{}
	for range 3 { // challenges from before the key had an agent
		waiting = append(waiting, proof(k, func(text string) []byte { return ed25519.Sign(k, []byte(text)) }))
	}
	waiting[0]["name"], waiting[1]["name"], waiting[2]["name"] = "bob", "eve", "eve"
	if got := w.overHTTP("register_agent", waiting[0], nobody); got != "" {
		t.Fatalf("bob is refused: %s", got)
	}
	if a, b := w.overHTTP("register_agent", waiting[1], nobody), w.overMCP("register_agent", waiting[2], nobody); a != b || a != "wallet_taken" {
		t.Errorf("a subject with an agent: %s %s", a, b)
	}
	met["register_agent"]["wallet_taken"] = true

	// Of the node.
	if got := w.overHTTP("contribute_knowledge", lessonArgs("dup"), good); got != "" {
		t.Fatalf("the first is refused: %s", got)
	}
	check("a duplicate", "contribute_knowledge", lessonArgs("dup"), good, "duplicate")
	once := map[string]string{"Authorization": "Bearer " + key, "Idempotency-Key": "one"}
	if a, b := w.overHTTP("contribute_knowledge", lessonArgs("once"), once), w.overMCP("contribute_knowledge", lessonArgs("tool"), once); a != "" || b != "" {
		t.Fatalf("%s %s", a, b)
	}
	check("another request of that key", "contribute_knowledge", lessonArgs("other"), once, "idempotency_mismatch")
	must(t, func() error {
		_, ok := callTool(t, w.dial(modern, ""), "register_agent", map[string]any{"name": "carl", "generate_wallet": true})
		if !ok {
			return errors.New("carl is refused")
		}
		return nil
	}())
	for _, fault := range []error{reason.Refuse(reason.NearDuplicate, "near"), reason.Refuse(reason.NotOwner, "not yours"), state.ErrFull, state.ErrBusy,
		context.DeadlineExceeded, errors.New("secret cause")} {
		want := "internal"
		switch {
		case errors.Is(fault, state.ErrFull):
			want = "read_only"
		case errors.Is(fault, state.ErrBusy):
			want = "overloaded"
		case errors.Is(fault, context.DeadlineExceeded):
			want = "timeout"
		case reason.Of(fault) == reason.NearDuplicate, reason.Of(fault) == reason.NotOwner:
			want = string(reason.Of(fault))
		}
		w.mesh.Fault = fault
		check("a fault", "contribute_knowledge", lessonArgs("fault"), good, want)
		if want != "near_duplicate" && want != "not_owner" {
			check("a fault", "update_profile", map[string]any{"bio": "x"}, good, want)
			check("a fault", "set_scene", map[string]any{"source": "object a{}"}, good, want)
			check("a fault", "register_agent", map[string]any{"name": "dora", "generate_wallet": true}, nobody, want)
		}
	}
	w.mesh.Fault = nil

	const room = `object "a" { geometry: "box" }`
	for _, tool := range []string{"compile_source", "render_scene"} {
		with := func(fields map[string]any) map[string]any {
			args := map[string]any{"code": room}
			if tool == "compile_source" {
				args["target"] = "glb"
			}
			maps.Copy(args, fields)
			return args
		}
		check("good", tool, with(nil), nobody, "")
		check("no source", tool, with(map[string]any{"code": ""}), nobody, "missing_field")
		check("a broken source", tool, with(map[string]any{"code": "object {"}), nobody, "source_invalid")
		check("a strange format", tool, with(map[string]any{"quality": "best", "format": "tar", "options": 1}), nobody, map[string]string{"compile_source": "validation_failed", "render_scene": "validation_failed"}[tool])
	}
	check("an unknown target", "compile_source", map[string]any{"code": room, "target": "gbl"}, nobody, "unknown_target")
	check("an unknown option", "compile_source", map[string]any{"code": room, "target": "glb", "options": map[string]any{"x": 1}}, nobody, "options_invalid")
	check("a strict compile", "compile_source", map[string]any{"code": `object "a" @clickable { geometry: "box" }`, "target": "glb", "options": map[string]any{"strict": true}}, nobody, "unsupported_construct")
	check("a scene of another version", "render_scene", map[string]any{"scene": map[string]any{"v": 2}}, nobody, "scene_invalid")
	check("a film", "render_scene", map[string]any{"code": room, "format": "mp4"}, nobody, "unsupported_format")

	missing := []string{}
	for tool, twin := range twins {
		for _, code := range w.codesOf(twin.method, strings.Replace(twin.path, "/agent/ada/", "/agent/{id}/", 1)) {
			reads := twin.method == http.MethodGet
			switch {
			case met[tool][code] || otherwise[code] != "":
			case slices.Contains(inTeams, tool):
			case tool == "contribute_knowledge" && code == "not_a_member": // with those
			case tool != "register_agent" && code == "signature_invalid": // of tokens, too
			case code == "rate_limited": // TestToolsDrawFromTheBucketsOfTheirTwins
			case reads && slices.Contains([]string{"internal", "overloaded", "read_only", "timeout"}, code): // faults come out of writes here
			case reads && code == "invalid_json": // a query string is none
			case (tool == "compile_source" || tool == "render_scene") && slices.Contains([]string{"internal", "overloaded", "read_only", "timeout", "invalid_json"}, code): // write nothing, and other rows meet a broken message
			case code == "invalid_param" || code == "validation_failed": // where the twin has no such field
			case tool == "check_knowledge" && slices.Contains([]string{"internal", "overloaded", "read_only", "timeout"}, code): // writes nothing
			case slices.Contains([]string{"parse_hs", "parse_holo", "validate_source", "generate_scene", "generate_object", "format_source", "convert_format"}, tool) &&
				slices.Contains([]string{"internal", "overloaded", "read_only", "timeout"}, code): // reads nothing but its arguments
			case tool != "list_traits" && code == "unknown_category": // the twin lists
			case strings.HasPrefix(tool, "generate_") && code == "invalid_json": // there is no body but the message
			case tool == "get_me" && code == "scope_missing":
			case tool == "set_scene" && (code == "agent_not_found" || code == "not_owner"): // the tool writes the caller's own
			case code == "not_ready": // of an access token that nobody can judge now, before the message is read (gateway TestKeysThatCannotBeHad); of a node without documents
			case tool == "get_scene" && code == "source_invalid": // of the room as a page, which the tool does not give
			case tool == "get_feed" && code == "agent_not_found": // the tool has no author
			case tool == "register_agent" && code == "idempotency_mismatch": // as of contribute_knowledge: one way for all
			default:
				missing = append(missing, tool+" "+code)
			}
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("promised over HTTP and not met: %v", missing)
	}
	if len(twins)+len(overNodes) != len(mcp.Tools()) {
		t.Errorf("%d tools, %d twins, %d tested over whole nodes", len(mcp.Tools()), len(twins), len(overNodes))
	}
}

// TestWholeMessageIsRefused: what the HTTP face refuses before MCP sees it has
// the code it has everywhere.
func TestWholeMessageIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for name, c := range map[string]struct {
		path, body string
		header     map[string]string
		status     int
		code       string
	}{
		"origin": {"", ping, map[string]string{"Origin": "https://evil.example"}, 403, "forbidden"},
		"url":    {"?key=mesh_sk_" + strings.Repeat("a", 43), ping, nil, 400, "credential_in_url"},
		"large":  {"", `{"jsonrpc":"2.0","id":1,"x":"` + strings.Repeat("a", 4<<20) + `"}`, nil, 413, "body_too_large"},
	} {
		saved := w.url
		w.url += c.path
		status, _, raw := w.post(c.body, c.header)
		w.url = saved
		if status != c.status || codeIn(t, raw) != c.code {
			t.Errorf("%s: %d %s", name, status, raw)
		}
	}
}
