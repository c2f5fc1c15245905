package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/journal"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// alive is a world whose events are published.
func alive(t *testing.T, limits limit.Config, face mcp.Config) *world {
	t.Helper()
	w := newWorldOf(t, limits, rest.Config{}, face)
	j := w.service.Streams.Journal()
	must(t, j.Load(t.Context()))
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- j.Serve(ctx) }()
	t.Cleanup(func() {
		j.Drain()
		cancel()
		must(t, <-done)
	})
	return w
}

// ear is one stream of changes, read by hand.
type ear struct {
	t    *testing.T
	resp *http.Response
	in   *bufio.Scanner
	stop context.CancelFunc
}

type said struct {
	Method string `json:"method"`
	Params struct {
		Meta          map[string]any `json:"_meta"`
		URI           string         `json:"uri"`
		Notifications struct {
			Tools     bool     `json:"toolsListChanged"`
			Prompts   bool     `json:"promptsListChanged"`
			Resources []string `json:"resourceSubscriptions"`
		} `json:"notifications"`
	} `json:"params"`
	Result map[string]any `json:"result"`
	Error  *struct {
		Code int            `json:"code"`
		Data map[string]any `json:"data"`
	} `json:"error"`
	comment bool
}

func listenBody(tools bool, uris ...string) string {
	raw, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": "ear", "method": "subscriptions/listen", "params": map[string]any{
		"notifications": map[string]any{"toolsListChanged": tools, "promptsListChanged": true, "resourceSubscriptions": uris},
		"_meta":         map[string]any{"io.modelcontextprotocol/protocolVersion": modern, "io.modelcontextprotocol/clientCapabilities": map[string]any{}}}})
	return string(raw)
}

func (w *world) listen(key string, tools bool, uris ...string) *ear {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	w.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, strings.NewReader(listenBody(tools, uris...)))
	must(w.t, err)
	for k, v := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": modern, "Mcp-Method": "subscriptions/listen"} {
		r.Header.Set(k, v)
	}
	resp, err := (&http.Client{Transport: keyed{key}}).Do(r)
	must(w.t, err)
	w.t.Cleanup(func() { _ = resp.Body.Close() })
	return &ear{w.t, resp, bufio.NewScanner(resp.Body), cancel}
}

// next is what was said next, a comment without anything.
func (e *ear) next() said {
	e.t.Helper()
	for e.in.Scan() {
		line := e.in.Text()
		if strings.HasPrefix(line, ":") {
			return said{comment: true}
		}
		if !strings.HasPrefix(e.resp.Header.Get("Content-Type"), "text/event-stream") {
			line = "data: " + line
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			var s said
			must(e.t, json.Unmarshal([]byte(data), &s))
			if s.Method != "" && s.Params.Meta["io.modelcontextprotocol/subscriptionId"] != "ear" {
				e.t.Fatalf("not of this stream: %s", data)
			}
			return s
		}
	}
	e.t.Fatalf("the stream broke off: %v", e.in.Err())
	return said{}
}

func (e *ear) want(method string) said {
	e.t.Helper()
	s := e.next()
	for s.comment {
		s = e.next()
	}
	if s.Method != method {
		e.t.Fatalf("heard %+v, want %s", s, method)
	}
	return s
}

const (
	acknowledged = "notifications/subscriptions/acknowledged"
	updated      = "notifications/resources/updated"
	toolsChanged = "notifications/tools/list_changed"
)

// granted are the resources that the acknowledgement names.
func (e *ear) granted() []string {
	e.t.Helper()
	return e.want(acknowledged).Params.Notifications.Resources
}

// lessonBy is an entry of an agent.
func lessonBy(a view.Agent, text string) view.Entry {
	return view.Entry{Agent: a.AgentRef, Body: body.Entry{Type: "gotcha", Text: text}}
}

func entryURI(id change.ID) string { return "mesh://entry/" + id.Text(change.PrefixEntry) }

func TestChangesOfResourcesAreHeard(t *testing.T) {
	t.Parallel()
	w := alive(t, limit.Config{Disabled: true}, mcp.Config{})
	before := w.service.Streams.Journal().Head()
	ada := w.mesh.AddAgent("Ada")
	mine, other := w.mesh.Plant(lessonBy(ada, lesson)), w.mesh.Plant(lessonBy(w.mesh.AddAgent("Bob"), lesson+" Twice."))
	gone := w.mesh.Plant(lessonBy(ada, lesson+" Gone."))
	agent := "mesh://agent/" + ada.ID.String()
	w.told(before + 3)
	w.mesh.Bury(gone.ID, reason.Revoked) // only now: what is gone when its turn comes is not sent

	e := w.listen("", false, entryURI(mine.ID), entryURI(mine.ID), agent, entryURI(gone.ID), "mesh://entry/none", "mesh://entry/", "mesh://overview",
		"mesh://guild/gld_none", "mesh://agent/%zz", "file:///etc/passwd", "mesh://entry/"+strings.Repeat("x", 300))
	if got := e.granted(); !slices.Equal(got, []string{agent, entryURI(mine.ID)}) {
		t.Fatalf("granted %v", got)
	}
	publish := func(kind events.Kind, name, object string) {
		w.mesh.Events().Publish(events.Event{Kind: kind, Space: string(change.Commons("general")), Object: object, Data: events.Step{Name: name, Fields: map[string]any{"reason": "retracted"}}})
	}
	// Of another entry nothing is said; the first words are of the second event.
	publish(events.SocialStep, "entry.voted", other.ID.Text(change.PrefixEntry))
	publish(events.SocialStep, "entry.voted", mine.ID.Text(change.PrefixEntry))
	if s := e.want(updated); s.Params.URI != entryURI(mine.ID) {
		t.Errorf("%+v", s)
	}
	publish(events.ProfileUpdated, "", ada.ID.String())
	if s := e.want(updated); s.Params.URI != agent {
		t.Errorf("%+v", s)
	}
	publish(events.EntryRetracted, "entry.retracted", mine.ID.Text(change.PrefixEntry))
	if s := e.want(updated); s.Params.URI != entryURI(mine.ID) {
		t.Errorf("%+v", s)
	}
	// A new entry changes the page of its author.
	w.mesh.Plant(lessonBy(ada, lesson+" New."))
	if s := e.want(updated); s.Params.URI != agent {
		t.Errorf("%+v", s)
	}
	w.service.Streams.Journal().Drain()
	if s := e.want(""); s.Result == nil || s.Result["_meta"].(map[string]any)["io.modelcontextprotocol/subscriptionId"] != "ear" {
		t.Errorf("end %+v", s)
	}
}

func TestListeningEndsWithTheKey(t *testing.T) {
	t.Parallel()
	w := alive(t, limit.Config{Disabled: true}, mcp.Config{})
	_, key := register(t, w.dial(modern, ""), "Ada", servicetest.Key(1))
	e := w.listen(key, true)
	if s := e.want(acknowledged); !s.Params.Notifications.Tools || s.Params.Notifications.Prompts {
		t.Fatalf("%+v", s)
	}
	var me struct {
		Key struct{ ID string } `json:"key"`
	}
	must(t, json.Unmarshal([]byte(w.fetch("/api/mesh/me", key)), &me))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, w.http.URL+"/api/mesh/keys/"+me.Key.ID, nil)
	must(t, err)
	resp, err := (&http.Client{Transport: keyed{key}}).Do(r)
	must(t, err)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status)
	}
	if s := e.want(""); s.Error == nil || s.Error.Data["code"] != "key_revoked" {
		t.Errorf("%+v", s)
	}
}

func TestListeningIsLimited(t *testing.T) {
	t.Parallel()
	w := alive(t, limit.Config{Disabled: true}, mcp.Config{})
	_, key := register(t, w.dial(modern, ""), "Ada", servicetest.Key(1))
	var first *ear
	for range journal.MaxPerAgent {
		e := w.listen(key, true)
		e.want(acknowledged)
		first = e
	}
	if s := w.listen(key, true).want(""); s.Error == nil || s.Error.Data["code"] != "rate_limited" {
		t.Errorf("%+v", s)
	}
	first.stop() // a client that hangs up frees its place
	deadline := time.Now().Add(2 * time.Minute)
	for w.service.Streams.Journal().Streams() >= journal.MaxPerAgent {
		if time.Now().After(deadline) {
			t.Fatal("the place was not freed")
		}
		if s := w.listen(key, true).next(); s.Method == acknowledged {
			break
		}
	}
	var many []string
	for i := range 51 {
		many = append(many, fmt.Sprintf("mesh://entry/%d", i))
	}
	e := w.listen(key, true, many...)
	if s := e.next(); s.Error == nil || s.Error.Data["code"] != "limit_reached" || strings.HasPrefix(e.resp.Header.Get("Content-Type"), "text/event-stream") {
		t.Errorf("%+v", s)
	}
}

func TestQuietStreamGivesSignsOfLife(t *testing.T) {
	t.Parallel()
	w := alive(t, limit.Config{Disabled: true}, mcp.Config{})
	e := w.listen("", true)
	e.want(acknowledged)
	for begun := time.Now(); ; {
		if s := e.next(); s.comment {
			break
		} else if time.Since(begun) > 2*journal.Heartbeat {
			t.Fatalf("%+v", s)
		}
	}
}

func TestOnlyStatelessClientsMayListen(t *testing.T) {
	t.Parallel()
	w := alive(t, limit.Config{Disabled: true}, mcp.Config{})
	for version, want := range map[string]bool{modern: true, older: false} {
		c := w.dial(version, "").InitializeResult().Capabilities
		if c.Tools.ListChanged != want || c.Resources.Subscribe != want || c.Resources.ListChanged {
			t.Errorf("%s: %+v %+v", version, c.Tools, c.Resources)
		}
	}
	body := strings.Replace(listenBody(true), modern, older, 1)
	if _, _, got := w.post(body, map[string]string{"Mcp-Protocol-Version": older}); !strings.Contains(got, "-32601") {
		t.Errorf("an older client: %s", got)
	}
}

// TestIndependentClientListens has the official client subscribe, over HTTP, over
// the pipe of the owner and through the bridge.
func TestIndependentClientListens(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"http", "stdio", "bridge"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			w := alive(t, limit.Config{Disabled: true}, mcp.Config{})
			entry := w.mesh.Plant(lessonBy(w.mesh.AddAgent("Ada"), lesson))
			heard := make(chan string, 8)
			w.client = &sdk.ClientOptions{ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { heard <- r.Params.URI }}
			var s *sdk.ClientSession
			switch way {
			case "http":
				s = w.dial(modern, "")
			case "stdio":
				s = w.stdio(modern, owner(""))
			case "bridge":
				s = w.bridge(modern, "")
			}
			uri := entryURI(entry.ID)
			must(t, s.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}))
			w.streams(1)
			w.mesh.Events().Publish(events.Event{Kind: events.SocialStep, Space: string(change.Commons("general")), Object: entry.ID.Text(change.PrefixEntry), Data: events.Step{Name: "entry.voted"}})
			select {
			case got := <-heard:
				if got != uri {
					t.Errorf("heard of %s", got)
				}
			case <-time.After(2 * time.Minute):
				t.Fatal("heard nothing")
			}
			must(t, s.Unsubscribe(t.Context(), &sdk.UnsubscribeParams{URI: uri}))
			w.streams(0)
		})
	}
}

// streams waits until so many are open.
func (w *world) streams(n int) {
	w.t.Helper()
	w.until("so many streams are open", func() bool { return w.service.Streams.Journal().Streams() == n })
}

// told waits until the journal has published everything up to a place.
func (w *world) told(place uint64) {
	w.t.Helper()
	w.until("everything was told", func() bool { return w.service.Streams.Journal().Head() >= place })
}

// until asks again and again, for half a minute or so.
func (w *world) until(what string, holds func() bool) {
	w.t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for range 30_000 {
		if holds() {
			return
		}
		<-tick.C
	}
	w.t.Fatalf("gave up waiting until %s: %d streams, told up to %d", what, w.service.Streams.Journal().Streams(), w.service.Streams.Journal().Head())
}

// TestPipeEndsItsStreams: what listens is answered when the input ends, and one
// pipe carries a few streams beside its calls.
func TestPipeEndsItsStreams(t *testing.T) {
	t.Parallel()
	w := alive(t, limit.Config{Disabled: true}, mcp.Config{})
	in, feed := io.Pipe()
	out, told := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := w.server.ServeStdio(t.Context(), owner(""), nil, in, told)
		_ = told.Close()
		done <- err
	}()
	go func() {
		for i := range 6 {
			_, _ = io.WriteString(feed, strings.Replace(listenBody(true), `"ear"`, fmt.Sprint(i), 1)+"\n")
		}
	}()
	counts := map[string]int{}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var s said
		must(t, json.Unmarshal(lines.Bytes(), &s))
		switch {
		case s.Error != nil:
			counts[s.Error.Data["code"].(string)]++
		case s.Result != nil:
			counts["result"]++
		default:
			counts[s.Method]++
		}
		if counts[acknowledged] == 4 && counts["limit_reached"] == 2 && counts["result"] == 0 {
			_ = feed.Close()
		}
	}
	must(t, <-done)
	if fmt.Sprint(counts) != fmt.Sprint(map[string]int{acknowledged: 4, "limit_reached": 2, "result": 4}) {
		t.Errorf("%v", counts)
	}
}

func TestListOfToolsChangesForTheSuite(t *testing.T) {
	t.Parallel()
	w := alive(t, limit.Config{Disabled: true}, mcp.Config{Conformance: true})
	e := w.listen("", true, "test://watched-resource")
	if got := e.granted(); len(got) != 0 {
		t.Errorf("granted %v", got)
	}
	s := w.dial(modern, "")
	for range 2 {
		_, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "test_trigger_tool_change", Arguments: map[string]any{}})
		must(t, err)
		e.want(toolsChanged)
	}
}
