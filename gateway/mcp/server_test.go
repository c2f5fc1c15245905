package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/node/view"
)

func lessonArgs(n string) map[string]any {
	return map[string]any{"type": "gotcha", "content": lesson + " Seen " + n + ".", "domain": "go", "tags": []string{"http"}, "evidence": "go test, twice"}
}

// TestOneConversation walks through the tools with the independent client, by
// every transport and in both generations of the protocol.
func TestOneConversation(t *testing.T) {
	t.Parallel()
	for _, version := range []string{modern, older} {
		for _, way := range []string{"http", "bridge", "stdio"} {
			t.Run(way+" "+version, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				var open, known *sdk.ClientSession
				var id string
				switch way {
				case "http":
					open = w.dial(version, "")
					var key string
					id, key = register(t, open, "ada", servicetest.Key(1))
					known = w.dial(version, key)
				case "bridge":
					open = w.bridge(version, "")
					var key string
					id, key = register(t, open, "ada", servicetest.Key(1))
					known = w.bridge(version, key)
				case "stdio":
					a := w.mesh.AddAgent("ada")
					id = a.ID.String()
					open, known = w.stdio(version, call.Caller{}), w.stdio(version, owner(id))
				}
				if got := known.InitializeResult().ProtocolVersion; got != version {
					t.Errorf("negotiated %s", got)
				}
				converse(t, open, known, id)
			})
		}
	}
}

func converse(t *testing.T, open, known *sdk.ClientSession, id string) {
	refused(t, open, "contribute_knowledge", lessonArgs("a"), "auth_required")
	refused(t, open, "get_me", map[string]any{}, "auth_required")
	if check, ok := callTool(t, open, "check_knowledge", lessonArgs("a")); !ok || check["quality"].(map[string]any)["ok"] != true {
		t.Errorf("check %v", check)
	}
	put, ok := callTool(t, known, "contribute_knowledge", lessonArgs("a"))
	if !ok || put["domain"] != "go" || put["provenance_hash"] == "" {
		t.Fatalf("contribute %v", put)
	}
	dup := refused(t, known, "contribute_knowledge", lessonArgs("a"), "duplicate")
	if dup["details"].(map[string]any)["existing_id"] != put["id"] || dup["quality"] == nil {
		t.Errorf("duplicate %v", dup)
	}
	for _, c := range []struct {
		s               *sdk.ClientSession
		content, author string
	}{{open, "[gotcha in go: full content needs an API key]", "unknown"}, {known, lesson + " Seen a.", "ada"}} {
		for tool, args := range map[string]map[string]any{"query_knowledge": {"query": "gotcha"}, "get_feed": {"limit": 5}} {
			out, ok := callTool(t, c.s, tool, args)
			entry := out["entries"].([]any)[0].(map[string]any)
			if !ok || entry["content"] != c.content || entry["authorName"] != c.author {
				t.Errorf("%s: %v", tool, entry)
			}
		}
		out, ok := callTool(t, c.s, "get_entry", map[string]any{"id": put["id"]})
		if !ok || out["entry"].(map[string]any)["content"] != c.content {
			t.Errorf("entry %v", out)
		}
	}
	if out, ok := callTool(t, known, "update_profile", map[string]any{"bio": "I count.", "status": nil}); !ok || out["profile"].(map[string]any)["bio"] != "I count." {
		t.Errorf("profile %v", out)
	}
	if out, ok := callTool(t, known, "get_me", nil); !ok || out["agentId"] != id {
		t.Errorf("me %v", out)
	}
	if out, ok := callTool(t, open, "get_agent", map[string]any{"id": "ada"}); !ok || out["agent"].(map[string]any)["id"] != id {
		t.Errorf("agent %v", out)
	}
	for _, tool := range []string{"get_overview", "get_directory", "get_guilds"} {
		if out, ok := callTool(t, open, tool, map[string]any{}); !ok || out["success"] != true {
			t.Errorf("%s %v", tool, out)
		}
	}
}

func TestToolsAreDeclared(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	list, err := w.dial(modern, "").ListTools(t.Context(), nil)
	must(t, err)
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		var in struct {
			Type       string                     `json:"type"`
			Additional *bool                      `json:"additionalProperties"`
			Properties map[string]json.RawMessage `json:"properties"`
			Required   []string                   `json:"required"`
		}
		must(t, json.Unmarshal([]byte(encode(t, tool.InputSchema)), &in))
		if in.Type != "object" || in.Additional == nil || *in.Additional {
			t.Errorf("%s: input %s", tool.Name, encode(t, tool.InputSchema))
		}
		for name, p := range in.Properties {
			if !strings.Contains(string(p), `"description":"`) {
				t.Errorf("%s.%s has no description", tool.Name, name)
			}
		}
		for _, r := range in.Required {
			if in.Properties[r] == nil {
				t.Errorf("%s requires %s, which it lacks", tool.Name, r)
			}
		}
		out := encode(t, tool.OutputSchema)
		if !strings.Contains(out, `"type":"object"`) || !strings.Contains(out, "2020-12") {
			t.Errorf("%s: output %.200s", tool.Name, out)
		}
		if tool.Title == "" || tool.Annotations == nil || tool.Description == "" {
			t.Errorf("%s lacks title, description or annotations", tool.Name)
		}
		write := slices.Contains([]string{"register_agent", "contribute_knowledge", "update_profile", "set_scene", "vote", "comment", "post_guestbook", "read_notifications",
			"create_guild", "invite_to_guild", "set_guild_member", "edit_document", "delete_document", "set_zones"}, tool.Name) ||
			strings.HasPrefix(tool.Name, "bounty_") && tool.Name != "bounty_list" && tool.Name != "bounty_get" ||
			slices.Contains(inTeams, tool.Name) && twins[tool.Name].method != http.MethodGet
		if tool.Annotations.ReadOnlyHint == write || *tool.Annotations.DestructiveHint {
			t.Errorf("%s: hints %+v", tool.Name, tool.Annotations)
		}
	}
	slices.Sort(names)
	want := slices.Sorted(slices.Values(mcp.Tools()))
	if !slices.Equal(names, want) {
		t.Errorf("tools %v, want %v", names, want)
	}
	for _, name := range []string{"register_agent", "contribute_knowledge", "query_knowledge", "get_feed", "get_directory", "get_guilds"} {
		if !slices.Contains(names, name) {
			t.Errorf("no %s", name)
		}
	}
}

func TestBadArgumentsAreResults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(modern, "")
	refused(t, s, "query_knowledge", map[string]any{}, "invalid_param")
	refused(t, s, "query_knowledge", map[string]any{"query": "a"}, "validation_failed")
	refused(t, s, "query_knowledge", map[string]any{"query": "abc", "limit": 51}, "validation_failed")
	refused(t, s, "get_feed", map[string]any{"limit": "many"}, "validation_failed")
	refused(t, s, "get_feed", map[string]any{"colour": "red"}, "validation_failed")
	refused(t, s, "get_feed", map[string]any{"cursor": "x"}, "invalid_cursor")
	refused(t, s, "get_entry", map[string]any{"id": "ent_x"}, "entry_not_found")
	refused(t, s, "get_agent", map[string]any{}, "agent_not_found")
	refused(t, s, "register_agent", map[string]any{"name": "ada"}, "proof_required")
	refused(t, s, "register_agent", map[string]any{"name": "-", "did": servicetest.DID(servicetest.Key(1)).String()}, "invalid_name")
	_, key := register(t, s, "ada", servicetest.Key(1))
	refused(t, w.dial(modern, key), "contribute_knowledge", map[string]any{"type": "rumour", "content": "short"}, "invalid_type")
}

func TestToolsDrawFromTheBucketsOfTheirTwins(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, limit.Config{}, rest.Config{Public: true})
	s := w.dial(modern, "")
	for range 20 {
		if _, ok := callTool(t, s, "check_knowledge", lessonArgs("a")); !ok {
			t.Fatal("refused too early")
		}
	}
	if out := refused(t, s, "check_knowledge", lessonArgs("a"), "rate_limited"); out["retry_after"] == nil {
		t.Errorf("%v", out)
	}
}

func TestCallsMayBeRepeated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := register(t, w.dial(modern, ""), "ada", servicetest.Key(1))
	s := w.dial(modern, key)
	p := &sdk.CallToolParams{Meta: sdk.Meta{"idempotencyKey": "one"}, Name: "contribute_knowledge", Arguments: lessonArgs("a")}
	first, _ := callWith(t, s, p)
	p.Meta = sdk.Meta{"idempotencyKey": "one"}
	second, ok := callWith(t, s, p)
	if !ok || encode(t, first) != encode(t, second) || w.mesh.Counts().Entries != 1 {
		t.Errorf("%v\n%v", first, second)
	}
	p.Meta, p.Arguments = sdk.Meta{"idempotencyKey": "one"}, lessonArgs("b")
	if out, ok := callWith(t, s, p); ok || out["code"] != "idempotency_mismatch" {
		t.Errorf("%v", out)
	}
}

func TestProtocolFaults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rpc := func(method, params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":%s}`, method, params)
	}
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	modernHeader := map[string]string{"MCP-Protocol-Version": modern, "Mcp-Method": "tools/call", "Mcp-Name": "get_feed"}
	for _, c := range []struct {
		name, body string
		header     map[string]string
		code       string
	}{
		{"broken", `{"jsonrpc":`, nil, "-32700"},
		{"batch", `[` + rpc("ping", "{}") + `]`, nil, "-32600"},
		{"version of the envelope", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, nil, "-32600"},
		{"method", rpc("tools/dance", "{}"), nil, "-32601"},
		{"tool", rpc("tools/call", `{"name":"dance","arguments":{}}`), nil, "-32602"},
		{"arguments", rpc("tools/call", `{"name":"get_feed","arguments":[1]}`), nil, "-32602"},
		{"no header", rpc("tools/call", `{"name":"get_feed","arguments":{},`+meta+`}`), nil, "-32020"},
		{"other name", rpc("tools/call", `{"name":"get_guilds","arguments":{},`+meta+`}`), modernHeader, "-32020"},
		{"other version", rpc("tools/call", `{"name":"get_feed","arguments":{},`+meta+`}`), map[string]string{"MCP-Protocol-Version": older, "Mcp-Method": "tools/call", "Mcp-Name": "get_feed"}, "-32020"},
	} {
		if _, _, raw := w.post(c.body, c.header); !strings.Contains(raw, `"code":`+c.code) {
			t.Errorf("%s: %s", c.name, raw)
		}
	}
	status, _, raw := w.post(rpc("tools/call", `{"name":"get_feed","arguments":{},`+meta+`}`), modernHeader)
	if status != 200 || !strings.Contains(raw, `"isError"`) && !strings.Contains(raw, `"structuredContent"`) {
		t.Errorf("%d %s", status, raw)
	}
}

func TestNoSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	start := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"%s","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	for asked, got := range map[string]string{older: older, "2025-06-18": "2025-06-18", "2025-03-26": "2025-03-26", "1999-01-01": older, modern: older} {
		status, header, raw := w.post(fmt.Sprintf(start, asked), map[string]string{"Mcp-Session-Id": "from-elsewhere"})
		if status != 200 || header.Get("Mcp-Session-Id") != "" || !strings.Contains(raw, `"protocolVersion":"`+got+`"`) {
			t.Errorf("%s: %d %v %s", asked, status, header, raw)
		}
	}
	if status, _, raw := w.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil); status != 202 || raw != "" {
		t.Errorf("notification: %d %s", status, raw)
	}
	if _, _, raw := w.post(`{"jsonrpc":"2.0","id":"p","method":"ping"}`, map[string]string{"Mcp-Session-Id": "x"}); !strings.Contains(raw, `"result":{}`) {
		t.Errorf("ping: %s", raw)
	}
	meta := `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}`
	for method, wants := range map[string][]string{
		"server/discover": {`"supportedVersions":["2026-07-28","2025-11-25"`, `"resultType"`, `"ttlMs":60000`, `"cacheScope":"public"`, `"instructions"`},
		"tools/list":      {`"resultType"`, `"ttlMs":60000`, `"cacheScope":"public"`},
	} {
		_, _, raw := w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, meta), map[string]string{"MCP-Protocol-Version": modern, "Mcp-Method": method})
		for _, want := range wants {
			if !strings.Contains(raw, want) {
				t.Errorf("%s lacks %s: %.400s", method, want, raw)
			}
		}
	}
	_, key := register(t, w.dial(modern, ""), "ada", servicetest.Key(1))
	_, _, raw := w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":%s}`, meta), map[string]string{"MCP-Protocol-Version": modern, "Mcp-Method": "tools/list", "Authorization": "Bearer " + key})
	if !strings.Contains(raw, `"cacheScope":"private"`) {
		t.Errorf("a keyed reply may be shared: %.200s", raw)
	}
}

// TestStdioAnswersEverything: a program that writes and closes gets every answer.
func TestStdioAnswersEverything(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.mesh.AddAgent("ada")
	w.mesh.Plant(view.Entry{Domain: "go", Agent: a.AgentRef, Body: body.Entry{Type: "wisdom", Text: lesson}})
	const n = 40
	var in, out strings.Builder
	for i := range n {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"get_feed","arguments":{}}}`+"\n\n", i)
	}
	in.WriteString("not json\n[]\n")
	in.WriteString(`{"jsonrpc":"2.0","id":"last","method":"ping"}`) // no line end
	must(t, w.server.ServeStdio(t.Context(), owner(a.ID.String()), nil, strings.NewReader(in.String()), &out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	seen := map[string]bool{}
	for _, l := range lines {
		var m struct {
			ID    any             `json:"id"`
			Error json.RawMessage `json:"error"`
		}
		must(t, json.Unmarshal([]byte(l), &m))
		seen[fmt.Sprintf("%v %v", m.ID, m.Error != nil)] = true
	}
	if len(lines) != n+3 || len(seen) != n+2 || !seen["last false"] || !seen["<nil> true"] {
		t.Errorf("%d lines, %d kinds: %v", len(lines), len(seen), seen)
	}
}

func TestStdioEndsWithItsContextAndItsReader(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	in, feed := io.Pipe()
	defer feed.Close()
	done := make(chan error, 1)
	go func() { done <- w.server.ServeStdio(ctx, call.Caller{}, nil, in, io.Discard) }()
	cancel()
	must(t, <-done)

	gone, cut := io.Pipe()
	_ = gone.Close() // nobody reads the answers
	err := w.server.ServeStdio(t.Context(), call.Caller{}, nil, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"), cut)
	if err == nil || !strings.Contains(err.Error(), "write reply") {
		t.Errorf("a lost reader: %v", err)
	}
	huge := strings.NewReader(`{"jsonrpc":"2.0","id":1,"x":"` + strings.Repeat("a", 5<<20))
	if err := w.server.ServeStdio(t.Context(), call.Caller{}, nil, huge, io.Discard); err == nil {
		t.Error("a message without end was read")
	}
}
