package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/node/view"
)

// choosing is a world whose gateway lists some toolsets to clients that choose none.
func choosing(t *testing.T, names ...string) *world {
	t.Helper()
	return newWorldOf(t, limit.Config{Disabled: true}, rest.Config{}, mcp.Config{Toolsets: append([]string{}, names...)})
}

const listMessage = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

// listing is the result of tools/list as it comes over HTTP, and the names in it.
func (w *world) listing(query, header string) (result json.RawMessage, names []string) {
	w.t.Helper()
	headers := map[string]string{}
	if header != "" {
		headers["X-MCP-Toolsets"] = header
	}
	saved := w.url
	w.url += query
	status, _, raw := w.post(listMessage, headers)
	w.url = saved
	var m struct {
		Result json.RawMessage `json:"result"`
	}
	must(w.t, json.Unmarshal([]byte(raw), &m))
	var l struct {
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	if status != http.StatusOK || m.Result == nil {
		w.t.Fatalf("%s %s: %d %s", query, header, status, raw)
	}
	must(w.t, json.Unmarshal(m.Result, &l))
	for _, tool := range l.Tools {
		names = append(names, tool.Name)
	}
	return m.Result, names
}

// networkFirst are the tools that begin the list of a client that chooses nothing.
var networkFirst = []string{"register_agent", "contribute_knowledge", "query_knowledge", "get_feed", "get_directory", "get_guilds"}

// TestToolsetsAreShort: what a client reads before it can do anything is at most 40 kB, and
// so is each toolset; the six tools of every network come first.
func TestToolsetsAreShort(t *testing.T) {
	t.Parallel()
	const most = 40_000
	w := choosing(t)
	result, names := w.listing("", "")
	t.Logf("%-10s %6d bytes, %2d tools", "default", len(result), len(names))
	if len(result) > most {
		t.Errorf("the list of who chooses nothing has %d bytes, at most %d are allowed", len(result), most)
	}
	if !slices.Equal(names[:len(networkFirst)], networkFirst) {
		t.Errorf("the list begins with %v", names[:len(networkFirst)])
	}
	seen := map[string]string{}
	for _, row := range endpoint.Toolsets() {
		result, names := w.listing("", string(row.Name))
		t.Logf("%-10s %6d bytes, %2d tools", row.Name, len(result), len(names))
		if len(result) > most {
			t.Errorf("the toolset %s has %d bytes, at most %d are allowed", row.Name, len(result), most)
		}
		if len(names) == 0 {
			t.Errorf("the toolset %s has no tools", row.Name)
		}
		for _, name := range names {
			if seen[name] != "" {
				t.Errorf("%s is in %s and in %s", name, seen[name], row.Name)
			}
			seen[name] = string(row.Name)
		}
	}
	all, names := w.listing("", "all")
	t.Logf("%-10s %6d bytes, %2d tools", "all", len(all), len(names))
	if len(seen) != len(names) || !slices.Equal(names, mcp.Tools()) {
		t.Errorf("%d tools in sets, %d in all, of %d", len(seen), len(names), len(mcp.Tools()))
	}
	for _, name := range names {
		if seen[name] == "" {
			t.Errorf("%s is in no toolset", name)
		}
	}
}

// TestToolsetsAreChosen: by the header, else by the address, else by the setting; a choice
// is about the list alone.
func TestToolsetsAreChosen(t *testing.T) {
	t.Parallel()
	plain, set := choosing(t), choosing(t, "work")
	_, usual := plain.listing("", "")
	for _, c := range []struct {
		w             *world
		query, header string
		has, lacks    []string
	}{
		{plain, "", "", []string{"query_knowledge", "get_me", "list_toolsets"}, []string{"board_list", "bounty_list", "compile_source", "list_documents", "enable_toolset"}},
		{plain, "?toolsets=work", "", []string{"board_list"}, []string{"query_knowledge", "get_me", "bounty_list"}},
		{plain, "?toolsets=work&toolsets=bounties", "", []string{"board_list", "bounty_list"}, []string{"get_me"}},
		{plain, "?toolsets=work", "bounties", []string{"bounty_list"}, []string{"board_list"}},
		{plain, "", " Language , ,network", []string{"query_knowledge", "compile_source"}, []string{"get_me"}},
		{plain, "", "default,documents", []string{"query_knowledge", "get_me", "list_documents"}, []string{"board_list"}},
		{plain, "?toolsets=", "", usual, nil},
		{plain, "", "all", []string{"get_me", "board_list", "bounty_list", "compile_source", "list_documents"}, []string{"enable_toolset"}},
		{set, "", "", []string{"board_list"}, []string{"query_knowledge", "get_me"}},
		{set, "?toolsets=default,account", "", []string{"board_list", "get_me"}, []string{"query_knowledge"}},
		{set, "", "network", []string{"query_knowledge"}, []string{"board_list"}},
	} {
		_, names := c.w.listing(c.query, c.header)
		for _, name := range c.has {
			if !slices.Contains(names, name) {
				t.Errorf("%q %q: %s is not in %v", c.query, c.header, name, names)
			}
		}
		for _, name := range c.lacks {
			if slices.Contains(names, name) {
				t.Errorf("%q %q: %s is in %v", c.query, c.header, name, names)
			}
		}
	}
	if out, ok := callTool(t, plain.dial(modern, ""), "list_traits", map[string]any{}); !ok || out["total"] == nil {
		t.Errorf("a tool that is not listed: %v", out)
	}
	refused(t, plain.dial(modern, ""), "board_list", map[string]any{"team_id": "gld_x"}, "auth_required")
}

// TestUnknownToolsetsAreRefused, whatever the message, with the names that there are.
func TestUnknownToolsetsAreRefused(t *testing.T) {
	t.Parallel()
	w := choosing(t)
	start := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + older + `","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	for _, message := range []string{start, listMessage, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_feed","arguments":{}}}`} {
		for _, way := range []struct{ param, query, header string }{{"X-MCP-Toolsets", "", "network,bountys"}, {"toolsets", "?toolsets=bountys", ""}} {
			headers := map[string]string{}
			if way.header != "" {
				headers[way.param] = way.header
			}
			saved := w.url
			w.url += way.query
			status, _, raw := w.post(message, headers)
			w.url = saved
			var m struct {
				ID    int `json:"id"`
				Error struct {
					Code int `json:"code"`
					Data struct {
						Code    string `json:"code"`
						Error   string `json:"error"`
						Details struct {
							Param   string   `json:"param"`
							Allowed []string `json:"allowed"`
						} `json:"details"`
					} `json:"data"`
				} `json:"error"`
			}
			must(t, json.Unmarshal([]byte(raw), &m))
			d := m.Error.Data
			if status != http.StatusBadRequest || m.ID != 1 || m.Error.Code != -32602 || d.Code != "invalid_param" || d.Details.Param != way.param ||
				!slices.Equal(d.Details.Allowed, endpoint.ToolsetNames()) || !strings.Contains(d.Error, `"bountys"`) {
				t.Errorf("%d %s", status, raw)
			}
		}
	}
	if _, err := mcp.New(w.service, mcp.Config{Toolsets: []string{"bountys"}}); err == nil {
		t.Error("a server lists a toolset that there is not")
	}
	if err := w.server.ServeStdio(t.Context(), owner(""), []string{"bountys"}, strings.NewReader(""), new(strings.Builder)); err == nil {
		t.Error("a pipe lists a toolset that there is not")
	}
	long := strings.Repeat("é", 5000)
	if _, err := endpoint.ChooseToolsets([]string{long}, nil, "x"); err == nil || len(err.Error()) > 400 {
		t.Errorf("%d bytes of a refusal", len(err.Error()))
	}
}

// TestListsByHeaderAreNotShared: a list that another request for the same address would
// not get is not for a cache that many share.
func TestListsByHeaderAreNotShared(t *testing.T) {
	t.Parallel()
	w := choosing(t)
	message := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern + `","io.modelcontextprotocol/clientCapabilities":{}}}}`
	for header, want := range map[string]string{"": `"cacheScope":"public"`, "work": `"cacheScope":"private"`} {
		headers := map[string]string{"MCP-Protocol-Version": modern, "Mcp-Method": "tools/list"}
		if header != "" {
			headers["X-MCP-Toolsets"] = header
		}
		if status, _, raw := w.post(message, headers); status != http.StatusOK || !strings.Contains(raw, want) {
			t.Errorf("%q: %d %.100s … %.200s", header, status, raw, raw[max(0, len(raw)-200):])
		}
	}
}

// TestToolsetsAreTold: a client finds what it is not shown, and how to have it.
func TestToolsetsAreTold(t *testing.T) {
	t.Parallel()
	w := choosing(t)
	s := w.dial(modern, "")
	out, ok := callTool(t, s, "list_toolsets", map[string]any{})
	if !ok || !strings.Contains(out["choose"].(string), "X-MCP-Toolsets") || !strings.Contains(out["choose"].(string), "--toolsets") {
		t.Fatalf("%v", out)
	}
	told := []string{}
	for i, row := range endpoint.Toolsets() {
		shown := out["toolsets"].([]any)[i].(map[string]any)
		if shown["name"] != string(row.Name) || shown["about"] != row.Help || shown["tools"] != nil || shown["listed"] != (row.Name == "network" || row.Name == "account") {
			t.Errorf("%v", shown)
		}
		for _, name := range shown["names"].([]any) {
			told = append(told, name.(string))
		}
		one, ok := callTool(t, s, "list_toolsets", map[string]any{"toolset": string(row.Name)})
		raw := encode(t, one)
		sets := one["toolsets"].([]any)
		if !ok || len(sets) != 1 || len(raw) > 40_000 {
			t.Fatalf("%s: %d bytes, %.200s", row.Name, len(raw), raw)
		}
		for i, tool := range sets[0].(map[string]any)["tools"].([]any) {
			tool := tool.(map[string]any)
			if tool["name"] != shown["names"].([]any)[i] || tool["description"] == "" || tool["inputSchema"].(map[string]any)["type"] != "object" {
				t.Errorf("%v", tool)
			}
		}
	}
	if !slices.Equal(told, mcp.Tools()) {
		t.Errorf("told of %v", told)
	}
	refused(t, s, "list_toolsets", map[string]any{"toolset": "bountys"}, "validation_failed")
	refused(t, s, "enable_toolset", map[string]any{"toolset": "work"}, "method_not_allowed")
	r, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "build_scene", Arguments: map[string]string{"idea": "a room", "target": "glb"}})
	must(t, err)
	if text := r.Messages[0].Content.(*sdk.TextContent).Text; !strings.HasPrefix(text, "The tools of the toolset language") || !strings.Contains(text, "X-MCP-Toolsets") {
		t.Errorf("a prompt whose tools are not listed: %.200s", text)
	}
}

// TestFromNothingToAnEntry: a client that knows the address alone reads in the answer to
// its first message what to call, and finds an entry by the second; the list of tools
// says the same.
func TestFromNothingToAnEntry(t *testing.T) {
	t.Parallel()
	w := choosing(t)
	ada := w.mesh.AddAgent("ada").AgentRef
	planted := w.mesh.Plant(view.Entry{Domain: "go", Agent: ada, Body: body.Entry{Type: "gotcha", Title: "Bodies leak", Text: lesson}})
	asked := 0
	counted := &http.Client{Transport: counter{&asked}}
	s := w.connect(older, &sdk.StreamableClientTransport{Endpoint: w.url, HTTPClient: counted, MaxRetries: -1, DisableStandaloneSSE: true})
	told := s.InitializeResult().Instructions
	name, rest, _ := strings.Cut(told[strings.Index(told, "Ask ")+len("Ask "):], " ")
	form, _, _ := strings.Cut(rest, "}")
	var args map[string]any
	must(t, json.Unmarshal([]byte(strings.ReplaceAll(form+"}", "…", "go")), &args))
	out, ok := callTool(t, s, name, args)
	entries, _ := out["entries"].([]any)
	if !ok || len(entries) != 1 || entries[0].(map[string]any)["id"] != planted.ID.Text(change.PrefixEntry) {
		t.Fatalf("%s %v: %v", name, args, out)
	}
	if asked != 2 {
		t.Errorf("%d requests", asked)
	}
	for _, row := range endpoint.Toolsets() {
		if !strings.Contains(told, string(row.Name)) {
			t.Errorf("the instructions do not name %s: %s", row.Name, told)
		}
	}
	if !strings.Contains(told, "list_toolsets") {
		t.Error(told)
	}
	list, err := s.ListTools(t.Context(), nil)
	must(t, err)
	if i := slices.IndexFunc(list.Tools, func(tool *sdk.Tool) bool { return tool.Name == name }); i < 0 || i >= len(networkFirst) {
		t.Errorf("%s is number %d of the list", name, i)
	}
}

// counter counts the requests that ask something.
type counter struct{ n *int }

func (c counter) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && resp.StatusCode != http.StatusAccepted { // a notification asks nothing
		*c.n++
	}
	return resp, err
}

// TestToolsetsAreEnabled: over a pipe a client adds a toolset to its list, and is notified
// that the list has changed, in every generation of the protocol.
func TestToolsetsAreEnabled(t *testing.T) {
	t.Parallel()
	for _, version := range []string{modern, older} {
		for _, way := range []string{"bridge", "stdio"} {
			t.Run(way+" "+version, func(t *testing.T) {
				t.Parallel()
				w := alive(t, limit.Config{Disabled: true}, mcp.Config{Toolsets: []string{"default"}})
				changed := make(chan struct{}, 8)
				w.client = &sdk.ClientOptions{ToolListChangedHandler: func(_ context.Context, _ *sdk.ToolListChangedRequest) { changed <- struct{}{} }}
				var s *sdk.ClientSession
				if way == "bridge" {
					s = w.bridge(version, "")
				} else {
					s = w.stdio(version, call.Caller{})
				}
				if version == modern {
					w.streams(1)
				}
				listed := func() (names []string) {
					list, err := s.ListTools(t.Context(), nil)
					must(t, err)
					for _, tool := range list.Tools {
						names = append(names, tool.Name)
					}
					return names
				}
				if names := listed(); slices.Contains(names, "bounty_list") || !slices.Contains(names, "enable_toolset") || !slices.Equal(names[:6], networkFirst) {
					t.Fatalf("%v", names)
				}
				prompt := func() string {
					r, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "build_scene", Arguments: map[string]string{"idea": "a room", "target": "glb"}})
					must(t, err)
					return r.Messages[0].Content.(*sdk.TextContent).Text
				}
				if text := prompt(); !strings.HasPrefix(text, "First call enable_toolset with the toolset language") {
					t.Errorf("a prompt whose tools are not listed: %.200s", text)
				}
				refused(t, s, "enable_toolset", map[string]any{"toolset": "bountys"}, "validation_failed")
				out, ok := callTool(t, s, "enable_toolset", map[string]any{"toolset": "bounties"})
				if !ok || encode(t, out["toolsets"]) != `["network","account","bounties"]` || len(out["added"].([]any)) != 14 {
					t.Fatalf("%v", out)
				}
				<-changed
				if names := listed(); !slices.Contains(names, "bounty_list") || slices.Contains(names, "board_list") || !slices.Equal(names[:6], networkFirst) {
					t.Errorf("%v", names)
				}
				if out, ok := callTool(t, s, "enable_toolset", map[string]any{"toolset": "bounties"}); !ok || len(out["added"].([]any)) != 0 {
					t.Errorf("again: %v", out)
				}
				if _, ok := callTool(t, s, "enable_toolset", map[string]any{"toolset": "documents"}); !ok {
					t.Error("a second one")
				}
				<-changed
				if names := listed(); !slices.Contains(names, "bounty_list") || !slices.Contains(names, "list_documents") {
					t.Errorf("%v", names)
				}
				if _, ok := callTool(t, s, "enable_toolset", map[string]any{"toolset": "language"}); !ok || !strings.HasPrefix(prompt(), "Build a scene") {
					t.Errorf("a prompt whose tools are listed: %.200s", prompt())
				}
				<-changed
				if len(changed) > 0 {
					t.Error("notified of a list that has not changed")
				}
			})
		}
	}
}
