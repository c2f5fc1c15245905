package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/gateway/welcome"
)

func newServer(t testing.TB, cfg Config) *Server {
	t.Helper()
	s := servicetest.NewService(t, servicetest.New(t), servicetest.OpenState(t), limit.Config{Disabled: true}, "http://mesh.test", Tools(),
		func() time.Time { return servicetest.Start })
	m, err := New(s, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const hasty = "hasty"

// addHasty adds a tool that sends three notices and answers at once: what gets
// lost where an answer may overtake them.
func (m *Server) addHasty() {
	for _, face := range []audience{m.open, m.known} {
		face.rpc.AddTool(mcp.NewTool(hasty), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			for i := range 3 {
				if err := exchangeOf(ctx).notifyProgress(ctx, i+1, 3, "step"); err != nil {
					return nil, err
				}
			}
			return mcp.NewToolResultText("done"), nil
		})
	}
}

func hastyCall(id int, modern bool) string {
	meta := `"progressToken":9007199254740993`
	if modern {
		meta += `,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{},"_meta":{%s}}}`, id, hasty, meta)
}

// messages of a stream of events, or the one of a plain answer.
func messages(kind, raw string) []string {
	if !strings.HasPrefix(kind, eventStream) {
		return []string{strings.TrimSpace(raw)}
	}
	var out []string
	for _, line := range strings.Split(raw, "\n") {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			out = append(out, data)
		}
	}
	return out
}

// wantSteps is three notices in order and then the answer, with the token as it
// was sent.
func wantSteps(t *testing.T, got []string) {
	t.Helper()
	if len(got) != 4 {
		t.Fatalf("%d messages: %v", len(got), got)
	}
	for i, line := range got[:3] {
		want := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"message":"step","progress":%d,"progressToken":9007199254740993,"total":3}}`, i+1)
		if line != want {
			t.Fatalf("notice %d is %s", i, line)
		}
	}
	if !strings.Contains(got[3], `"done"`) {
		t.Fatalf("answer %s", got[3])
	}
}

func postHasty(t *testing.T, url string, id int, modern bool) []string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(hastyCall(id, modern)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if modern {
		r.Header.Set(mcp.HeaderProtocolVersion, "2026-07-28")
		r.Header.Set("Mcp-Method", "tools/call")
		r.Header.Set("Mcp-Name", hasty)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return messages(resp.Header.Get("Content-Type"), string(raw))
}

// TestNoNoticeIsLost repeats a call that answers right after its notices, on one
// processor and on eight, in both generations, by every transport. Not parallel:
// the number of processors is of the whole process.
func TestNoNoticeIsLost(t *testing.T) {
	m := newServer(t, Config{})
	m.addHasty()
	web := httptest.NewServer(m)
	defer web.Close()
	for _, processors := range []int{1, 8} {
		t.Run(fmt.Sprint(processors), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			for i := range 100 {
				for _, modern := range []bool{true, false} {
					wantSteps(t, postHasty(t, web.URL, i, modern))
					var out strings.Builder
					if err := m.ServeStdio(t.Context(), call.Caller{}, nil, strings.NewReader(hastyCall(i, modern)), &out); err != nil {
						t.Fatal(err)
					}
					wantSteps(t, strings.Split(strings.TrimSpace(out.String()), "\n"))
				}
			}
			var out strings.Builder
			if err := Bridge(t.Context(), web.URL, "", nil, strings.NewReader(hastyCall(1, true)), &out); err != nil {
				t.Fatal(err)
			}
			wantSteps(t, strings.Split(strings.TrimSpace(out.String()), "\n"))
		})
	}
}

// TestNothingIsSentUnasked: without a token, or with one of another type, the
// tool learns that nobody listens, and the answer stays plain.
func TestNothingIsSentUnasked(t *testing.T) {
	t.Parallel()
	m := newServer(t, Config{})
	for _, token := range []string{"", `,"progressToken":null`, `,"progressToken":{}`, `,"progressToken":"` + strings.Repeat("a", 300) + `"`} {
		if x := readExchange([]byte(`{"method":"tools/call","params":{"_meta":{"a":1` + token + `}}}`)); len(x.token) > 0 {
			t.Errorf("token %s", x.token)
		}
	}
	end := m.progress(withExchange(t.Context(), &exchange{send: func(context.Context, string, map[string]any) error {
		t.Error("a notice without a token")
		return nil
	}}))
	end()
}

// TestLongCallsReportProgress: while a call goes on, its client is informed, with
// growing numbers; nothing comes after the end.
func TestLongCallsReportProgress(t *testing.T) {
	t.Parallel()
	m := newServer(t, Config{})
	m.pace = time.Millisecond
	var told atomic.Int64
	enough := make(chan struct{})
	x := &exchange{token: json.RawMessage(`"t"`)}
	x.send = func(_ context.Context, method string, params map[string]any) error {
		n := told.Add(1)
		if method != "notifications/progress" || fmt.Sprint(params["progress"]) != fmt.Sprint(n) || params["total"] != nil {
			t.Errorf("notice %d: %s %v", n, method, params)
		}
		if n == 3 {
			close(enough)
		}
		return nil
	}
	end := m.progress(withExchange(t.Context(), x))
	<-enough
	end()
	before := told.Load()
	if runtime.Gosched(); told.Load() != before || before < 3 {
		t.Errorf("%d notices, then %d", before, told.Load())
	}
	x.send = func(context.Context, string, map[string]any) error { return errors.New("gone") }
	m.progress(withExchange(t.Context(), x))() // ends although nobody listens

	// The end waits for a notice that is being written.
	begun, release := make(chan struct{}), make(chan struct{})
	var written atomic.Bool
	x.send = func(context.Context, string, map[string]any) error {
		close(begun)
		<-release
		written.Store(true)
		return errors.New("enough")
	}
	end = m.progress(withExchange(t.Context(), x))
	<-begun
	go close(release)
	if end(); !written.Load() {
		t.Error("the call ended before its last notice")
	}
}

// TestLostAcknowledgementIsWritten gives the response what the library gives it
// when it has lost the notice, and what it gives when it has not.
func TestLostAcknowledgementIsWritten(t *testing.T) {
	t.Parallel()
	const ack, result = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\"}\n\n", "event: message\ndata: {\"result\":{}}\n\n"
	for _, c := range []struct {
		method mcp.MCPMethod
		events []string
		want   int
	}{
		{mcp.MethodSubscriptionsListen, []string{result}, 2},
		{mcp.MethodSubscriptionsListen, []string{ack, result}, 2},
		{mcp.MethodToolsCall, []string{result}, 1},
	} {
		r := httptest.NewRecorder()
		w := newAnswerWriter(r, &exchange{method: c.method, id: json.RawMessage(`7`)})
		w.Header().Set("Content-Type", eventStream)
		w.WriteHeader(http.StatusOK)
		for _, e := range c.events {
			if n, err := io.WriteString(w, e); err != nil || n != len(e) {
				t.Errorf("%d %v", n, err)
			}
			w.Flush()
		}
		got := messages(eventStream, r.Body.String())
		if len(got) != c.want || c.want == 2 && !strings.Contains(got[0], "acknowledged") || !strings.Contains(got[c.want-1], "result") {
			t.Errorf("%v gave %v", c.events, got)
		}
	}
}

// TestSubscriptionIsAcknowledgedFirst: the library answers at once where nothing
// can be subscribed to, and the acknowledgement must still come, and first.
func TestSubscriptionIsAcknowledgedFirst(t *testing.T) {
	t.Parallel()
	m := newServer(t, Config{})
	web := httptest.NewServer(m)
	defer web.Close()
	const body = `{"jsonrpc":"2.0","id":"s-1","method":"subscriptions/listen","params":{"notifications":{"promptsListChanged":true},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	for range 100 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, web.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			mcp.HeaderProtocolVersion: "2026-07-28", "Mcp-Method": "subscriptions/listen"} {
			r.Header.Set(k, v)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		got := messages(resp.Header.Get("Content-Type"), string(raw))
		if err != nil || len(got) != 2 || !strings.Contains(got[0], "subscriptions/acknowledged") || !strings.Contains(got[0], `"s-1"`) || !strings.Contains(got[1], `"result"`) {
			t.Fatalf("%v %v", err, got)
		}
	}
	var out strings.Builder
	if err := m.ServeStdio(t.Context(), call.Caller{}, nil, strings.NewReader(body), &out); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); len(lines) != 2 || !strings.Contains(lines[0], "acknowledged") {
		t.Errorf("%v", lines)
	}
}

// TestStrangersEndNoRequests: the library finds a request to cancel by its id
// alone; another client's must go on.
func TestStrangersEndNoRequests(t *testing.T) {
	t.Parallel()
	m := newServer(t, Config{})
	begun, goOn := make(chan struct{}), make(chan struct{})
	m.open.rpc.AddTool(mcp.NewTool("slow"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(begun)
		select {
		case <-goOn:
			return mcp.NewToolResultText("done"), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	web := httptest.NewServer(m)
	defer web.Close()
	post := func(body string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, web.URL, strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		r.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		defer resp.Body.Close()
		raw, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Error(err)
		}
		return resp.StatusCode, string(raw)
	}
	answer := make(chan string, 1)
	go func() {
		_, raw := post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{}}}`)
		answer <- raw
	}()
	<-begun
	if status, raw := post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`); status != http.StatusAccepted || raw != "" {
		t.Errorf("%d %s", status, raw)
	}
	close(goOn)
	if raw := <-answer; !strings.Contains(raw, "done") {
		t.Errorf("a stranger ended the call: %s", raw)
	}
	// An answer to a request that nobody sent is refused without the library.
	if status, raw := post(`{"jsonrpc":"2.0","id":1,"result":{"a":1}}`); status != http.StatusBadRequest || !strings.Contains(raw, "-32600") {
		t.Errorf("%d %s", status, raw)
	}
}

// TestPanicsAreFaultsOfOneMessage: a broken tool, resource, prompt or completion
// is reported as internal, without its cause.
func TestPanicsAreFaultsOfOneMessage(t *testing.T) {
	t.Parallel()
	m := newServer(t, Config{})
	broken := endpoint.Tool{Name: "broken", Run: func(context.Context, *endpoint.Call) (any, error) {
		panic("secret cause")
	}}
	x := &exchange{}
	ctx := withExchange(t.Context(), x)
	got := string(mustEncode(m.call(ctx, &broken, mcp.CallToolRequest{})))
	_, errR := m.readResource(ctx, &resource{read: func(context.Context, *service.Service, call.Caller, string) (any, error) {
		panic("secret cause")
	}}, "x")
	fault1 := string(x.answer(nil))
	x.fault = nil
	_, errP := m.getPrompt(ctx, &prompt{run: func(context.Context, *service.Service, call.Caller, map[string]string) (string, error) {
		panic("secret cause")
	}}, nil)
	fault2 := string(x.answer(nil))
	x.fault = nil
	_, errC := m.complete(ctx, func(context.Context, *service.Service, string) (welcome.Suggestions, error) { panic("secret cause") }, "")
	fault3 := string(x.answer(nil))
	for i, text := range []string{got, fault1, fault2, fault3, fmt.Sprint(errR, errP, errC)} {
		if !strings.Contains(text, "internal") || strings.Contains(text, "secret") {
			t.Errorf("%d: %s", i, text)
		}
	}
}

// TestFixturesAreNoPartOfARelease lists what a server offers with and without
// the conformance suite's things.
func TestFixturesAreNoPartOfARelease(t *testing.T) {
	t.Parallel()
	for _, conformance := range []bool{false, true} {
		m := newServer(t, Config{Conformance: conformance})
		var in, out strings.Builder
		for i, method := range []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"} {
			fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{}}`+"\n", i, method)
		}
		fmt.Fprintln(&in, `{"jsonrpc":"2.0","id":9,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`)
		if err := m.ServeStdio(t.Context(), call.Caller{}, nil, strings.NewReader(in.String()), &out); err != nil {
			t.Fatal(err)
		}
		lines := 0
		s := bufio.NewScanner(strings.NewReader(out.String()))
		for s.Buffer(nil, 4<<20); s.Scan(); lines++ {
			if (strings.Contains(s.Text(), `"test_`) || strings.Contains(s.Text(), "test://")) != conformance && !strings.Contains(s.Text(), `"id":9`) {
				t.Errorf("conformance %v: %s", conformance, s.Text())
			}
			if strings.Contains(s.Text(), `"id":9`) && strings.Contains(s.Text(), `"logging"`) != conformance {
				t.Errorf("conformance %v offers %s", conformance, s.Text())
			}
		}
		if lines != 5 {
			t.Errorf("%d answers", lines)
		}
	}
}

// TestStatesAreSigned: a state of another caller, tool or argument list, one that
// is too old and one that was touched are none.
func TestStatesAreSigned(t *testing.T) {
	t.Parallel()
	s, c := newStates(), call.Caller{}
	c.AgentID = "agt_a"
	bound := bindState(c, "tool", []byte(`{"a":1}`))
	text := s.seal(2, bound, servicetest.Start)
	var round int
	if err := s.open(text, bound, servicetest.Start.Add(stateLife), &round); err != nil || round != 2 {
		t.Fatalf("%v, round %d", err, round)
	}
	other := c
	other.AgentID = "agt_b"
	for name, err := range map[string]error{
		"caller":  s.open(text, bindState(other, "tool", []byte(`{"a":1}`)), servicetest.Start, &round),
		"tool":    s.open(text, bindState(c, "loot", []byte(`{"a":1}`)), servicetest.Start, &round),
		"args":    s.open(text, bindState(c, "tool", []byte(`{"a":2}`)), servicetest.Start, &round),
		"time":    s.open(text, bound, servicetest.Start.Add(stateLife+time.Second), &round),
		"process": newStates().open(text, bound, servicetest.Start, &round),
		"touched": s.open(servicetest.Mistyped(text), bound, servicetest.Start, &round),
		"longer":  s.open(text+"AA", bound, servicetest.Start, &round),
		"empty":   s.open("", bound, servicetest.Start, &round),
		"long":    s.open(strings.Repeat("A", 10_000), bound, servicetest.Start, &round),
	} {
		if err == nil {
			t.Errorf("another %s is taken", name)
		}
	}
}

var _ server.PromptCompletionProvider = (*Server)(nil)
var _ server.ResourceCompletionProvider = (*Server)(nil)
