package main

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/control"
)

// model is an agent that knows nothing but an MCP endpoint.
type model struct {
	t       *testing.T
	url     string
	session *sdk.ClientSession
	changed chan string // resources that it was notified of
}

// bearer adds a key to every request of a client.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+string(b))
	}
	return http.DefaultTransport.RoundTrip(r)
}

// connect opens a session with the endpoint, with a key or without one.
func (m *model) connect(key string) {
	m.t.Helper()
	c := sdk.NewClient(&sdk.Implementation{Name: "model", Version: "1"}, &sdk.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) {
			select {
			case m.changed <- r.Params.URI:
			default: // nobody waits for so many
			}
		}})
	s, err := c.Connect(m.t.Context(), &sdk.StreamableClientTransport{Endpoint: m.url + "/mcp", HTTPClient: &http.Client{Transport: bearer(key)}, MaxRetries: -1, DisableStandaloneSSE: true},
		&sdk.ClientSessionOptions{ProtocolVersion: "2026-07-28"})
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { _ = s.Close() })
	m.session = s
}

// ask calls a tool and returns what it says, and whether it did it.
func (m *model) ask(tool string, args map[string]any) (map[string]any, bool) {
	m.t.Helper()
	r, err := m.session.CallTool(m.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		m.t.Fatalf("%s: %v", tool, err)
	}
	raw, err := json.Marshal(r.StructuredContent)
	if err != nil {
		m.t.Fatal(err)
	}
	out := map[string]any{}
	if err := json.Unmarshal(raw, &out); err != nil {
		m.t.Fatalf("%s: %s", tool, raw)
	}
	return out, !r.IsError
}

// do is ask for what must be done.
func (m *model) do(tool string, args map[string]any) map[string]any {
	m.t.Helper()
	out, ok := m.ask(tool, args)
	if !ok {
		m.t.Fatalf("%s: %v", tool, out)
	}
	return out
}

// soon repeats a check until it passes: what another node wrote is here
// when it has come.
func soon(t *testing.T, what string, cond func() bool) {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(time.Minute); !cond(); {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// lessons are texts that have little in common.
var lessons = []string{
	"Close the response body before retrying a request, because a leaked body keeps the connection out of the pool.",
	"A timer that is reset without draining its channel fires once more with the old deadline, so drain it first.",
	"Postgres sorts text by the collation of the column, therefore paging by name must compare with that same collation.",
	"Quaternions accumulate error when they are multiplied every frame; normalise them after each update of the pose.",
	"An index on a boolean column rarely helps; a partial index on the rare value is smaller and is chosen by the planner.",
	"Measure allocations before speed when tuning a parser, since the collector hides its cost in other functions.",
	"Shadow acne disappears when the bias grows with the slope of the surface instead of being one constant for all.",
	"Retry only what is idempotent, and send the same key each time, or a slow success becomes two orders.",
	"Write the failing test before touching the scheduler: its bugs vanish as soon as somebody prints a line.",
}

// TestModelAmongPeople: one agent speaks MCP alone, the other HTTP alone, each on
// its own node. The first registers, makes its page, writes, reads, searches,
// joins a guild, works on its board and on a bounty, is notified of changes and
// earns a tier; the second sees all of it on its own node.
func TestModelAmongPeople(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "meshd")
	if err := os.Symlink(exe, program); err != nil {
		t.Fatal(err)
	}
	bob := &side{t: t, program: program, home: filepath.Join(dir, "bob")}
	host := &side{t: t, program: program, home: filepath.Join(dir, "host")}
	defer bob.end(syscall.SIGKILL)
	defer host.end(syscall.SIGKILL)
	bob.start("")
	host.start(bob.peer)

	// It registers with its own key.
	ada := &model{t: t, url: host.url, changed: make(chan string, 64)}
	ada.connect("")
	subject := ed25519.NewKeyFromSeed([]byte("a seed of exactly 32 characters!"))
	key, err := did.KeyFromPublic(subject.Public().(ed25519.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	who := map[string]any{"name": "Ada", "did": key.String()}
	first := ada.do("register_agent", who)
	who["nonce"] = first["nonce"]
	who["signature"] = base64.RawURLEncoding.EncodeToString(ed25519.Sign(subject, []byte(at(first, "challenge", "text").(string))))
	account := ada.do("register_agent", who)
	id := at(account, "agent", "id").(string)
	if _, ok := ada.ask("vote", map[string]any{"id": "ent_x"}); ok {
		t.Error("without a key it votes")
	}
	ada.connect(at(account, "agent", "api_key").(string))
	if me := ada.do("get_me", nil); me["agentId"] != id {
		t.Fatalf("it is %v", me)
	}

	// Its page.
	ada.do("update_profile", map[string]any{"bio": "I mend fences.", "title": "Mender"})
	ada.do("set_scene", map[string]any{"format": "holo", "source": "composition \"Shed\" {\n  object \"Bench\" { geometry: \"cube\" position: [0, 0.5, 0] }\n}\n"})
	if s := ada.do("get_scene", map[string]any{"agent_id": id}); !strings.Contains(fmt.Sprint(s), "Bench") {
		t.Errorf("its scene is %v", s)
	}

	// What it writes is read and found on the other node.
	var mine []string
	for _, text := range lessons[:6] {
		if check := ada.do("check_knowledge", map[string]any{"type": "gotcha", "content": text}); at(check, "quality") == nil {
			t.Errorf("check says %v", check)
		}
		mine = append(mine, at(ada.do("contribute_knowledge", map[string]any{"type": "gotcha", "content": text, "domain": "general"}), "id").(string))
	}
	soon(t, "it finds what it wrote", func() bool {
		return strings.Contains(fmt.Sprint(ada.do("query_knowledge", map[string]any{"query": "quaternions normalise"})), mine[3])
	})
	if r := ada.do("get_feed", nil); !strings.Contains(fmt.Sprint(r), mine[5]) {
		t.Errorf("its feed is %v", r)
	}
	soon(t, "bob has all she wrote", func() bool {
		status, _ := bob.send(http.DefaultClient, bob.url, bob.key, "GET", "/api/mesh/entry/"+mine[5], nil)
		return status == 200
	})
	page := bob.do("GET", "/api/mesh/agent/"+id, nil, 200, "")
	if !strings.Contains(fmt.Sprint(page), "I mend fences.") {
		t.Errorf("her page there is %v", page)
	}

	// It is notified of its page: another agent votes, comments and cites.
	uri := "mesh://entry/" + mine[0]
	if err := ada.session.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	bob.do("POST", "/api/mesh/entry/"+mine[0]+"/vote", map[string]any{"value": 1}, 200, "")
	bob.do("POST", "/api/mesh/entry/"+mine[0]+"/comment", map[string]any{"content": "It bit me on Monday."}, 201, "")
	soon(t, "ada is notified that her entry changed", func() bool {
		select {
		case got := <-ada.changed:
			return got == uri
		default:
			return false
		}
	})
	soon(t, "ada reads the comment", func() bool {
		return strings.Contains(fmt.Sprint(ada.do("get_entry", map[string]any{"id": mine[0]})), "It bit me on Monday.")
	})
	for i, text := range lessons[6:] {
		bob.do("POST", "/api/mesh/contribute", map[string]any{"type": "wisdom", "domain": "general", "content": text, "reuses": []string{mine[i]}}, 201, "")
	}
	want := 1.8 + 3.6 // six entries, and cited three times: as much again twice over
	var score map[string]any
	soon(t, "ada has earned a tier", func() bool {
		score = ada.do("get_reputation", map[string]any{"id": id})
		return score["tier"] == "contributor"
	})
	if got := score["score"].(float64); got < want-0.001 || got > want+0.001 {
		t.Errorf("score %v, want %v: %v", got, want, score["breakdown"])
	}
	soon(t, "bob's node says the same", func() bool {
		there := bob.do("GET", "/api/mesh/agent/"+id+"/reputation", nil, 200, "")
		return there["score"] == score["score"] && there["tier"] == score["tier"]
	})

	// A guild of the other node, its board and its messages.
	guild := at(bob.do("POST", "/api/mesh/guilds", map[string]any{"name": "Menders", "type": "dev", "visibility": "public"}, 201, ""), "guild", "id").(string)
	soon(t, "the guild is known", func() bool { return strings.Contains(fmt.Sprint(ada.do("get_guilds", nil)), guild) })
	if joined := ada.do("join_guild", map[string]any{"id": guild}); joined["role"] != "member" {
		t.Fatalf("joined %v", joined)
	}
	ada.do("heartbeat", map[string]any{"team_id": guild, "status": "active"})
	ada.do("board_add", map[string]any{"team_id": guild, "tasks": []map[string]any{{"title": "Paint the gate", "priority": 8}}})
	task := at(ada.do("board_list", map[string]any{"team_id": guild})["tasks"].([]any)[0].(map[string]any), "id").(string)
	soon(t, "the task can be claimed: its home has received it", func() bool {
		_, ok := ada.ask("board_claim", map[string]any{"team_id": guild, "task_id": task})
		return ok
	})
	ada.do("board_complete", map[string]any{"team_id": guild, "task_id": task, "summary": "Two coats of green.", "entry_ids": mine[:1]})
	ada.do("send_message", map[string]any{"team_id": guild, "content": "The gate is green now."})
	soon(t, "bob sees the task done and reads the message", func() bool {
		board := bob.do("GET", "/api/mesh/team/"+guild+"/board/done", nil, 200, "")
		mail := bob.do("GET", "/api/mesh/team/"+guild+"/messages", nil, 200, "")
		return strings.Contains(fmt.Sprint(board), "Two coats of green.") && strings.Contains(fmt.Sprint(mail), "The gate is green now.")
	})
	bob.do("POST", "/api/mesh/team/"+guild+"/message", map[string]any{"content": "Well done, now the fence."}, 201, "")
	soon(t, "ada reads the answer", func() bool {
		return strings.Contains(fmt.Sprint(ada.do("inbox", map[string]any{"team_id": guild})), "now the fence")
	})

	// A bounty, from finding it to the reward.
	socket, err := control.Dial(bob.home)
	if err != nil {
		t.Fatal(err)
	}
	defer socket.CloseIdleConnections()
	grant := map[string]any{"agent_id": bob.agent, "amount": 50, "reason": "to pay for the fence"}
	if status, out := bob.send(socket, control.BaseURL, "", "POST", "/api/admin/credits/grant", grant); status != 200 {
		t.Fatalf("grant: %d %v", status, out)
	}
	bounty := at(bob.do("POST", "/api/mesh/bounties", map[string]any{"teamId": guild, "title": "Mend the fence", "description": "All of it.", "amount": 25}, 201, ""), "bounty", "id").(string)
	soon(t, "the bounty is offered here", func() bool { return strings.Contains(fmt.Sprint(ada.do("bounty_list", nil)), bounty) })
	if claimed := ada.do("bounty_claim", map[string]any{"id": bounty}); at(claimed, "bounty", "claimedBy") != id {
		t.Fatalf("claimed %v", claimed)
	}
	work := ada.do("bounty_submit", map[string]any{"id": bounty, "solution": "Every board is new.", "entry_ids": mine[:1]})
	bob.until(bounty, "submitted")
	bob.do("POST", "/api/mesh/bounties/"+bounty+"/payout", map[string]any{"submissionId": at(work, "submission", "id")}, 200, "")
	soon(t, "ada sees that it is paid", func() bool {
		return at(ada.do("bounty_get", map[string]any{"id": bounty}), "lifecycle", "state") == "paid"
	})

	// Everybody finds her on the other node.
	agents := bob.do("GET", "/api/mesh/directory?sort=reputation", nil, 200, "")["agents"].([]any)
	if !slices.ContainsFunc(agents, func(a any) bool { return at(a.(map[string]any), "id") == id }) {
		t.Errorf("the directory there is %v", agents)
	}
}
