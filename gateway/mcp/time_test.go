package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/node/view"
)

// stalled is a node whose entries do not come before the reader's time is over.
// It then answers what the test sets, nil for the end's own error.
type stalled struct {
	*servicetest.Mesh
	fault error
}

func (s stalled) wait(ctx context.Context) error {
	<-ctx.Done()
	if s.fault != nil {
		return s.fault
	}
	return fmt.Errorf("read: %w", ctx.Err())
}

func (s stalled) Entry(ctx context.Context, _ change.ID) (view.Entry, error) {
	return view.Entry{}, s.wait(ctx)
}

func (s stalled) Entries(ctx context.Context, _ view.EntryQuery) (view.EntryPage, error) {
	return view.EntryPage{}, s.wait(ctx)
}

// newHurried is a server over a stalled node that gives each message a millisecond.
func newHurried(t *testing.T, fault error) *Server {
	t.Helper()
	cursors, err1 := cursor.New(bytes.Repeat([]byte{3}, 32))
	rates, err2 := limit.New(limit.Config{Disabled: true})
	s, err3 := service.New(stalled{servicetest.New(t), fault}, servicetest.OpenState(t), cursors, rates,
		service.Config{Version: "1.2.3", Tools: Tools(), BaseURL: func() string { return "http://mesh.test" }, Now: func() time.Time { return servicetest.Start }})
	m, err4 := New(s, Config{})
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	m.within = time.Millisecond
	return m
}

// said is what both kinds of an error have in them.
type said struct {
	Code      reason.Code
	RequestID string `json:"request_id"`
}

// saidIn reads the error object in the text of a tool's refusal.
func saidIn(t *testing.T, text string) (s said) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatalf("%v in %.300q", err, text)
	}
	return s
}

// ask sends a message as a client of one generation and returns the last message
// of the answer.
func (m *Server) ask(t *testing.T, message string, header map[string]string) (status int, result struct {
	Result *struct {
		IsError bool
		Content []struct{ Text string }
	}
	Error *struct {
		Code int
		Data said
	}
}) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", strings.NewReader(message))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range header {
		r.Header.Set(k, v)
	}
	r = r.WithContext(call.WithCaller(r.Context(), call.Caller{RequestID: "req_late"}))
	rec := httptest.NewRecorder()
	m.ServeHTTP(rec, r)
	all := messages(rec.Result().Header.Get("Content-Type"), rec.Body.String())
	if len(all) == 0 {
		t.Fatalf("no message in %q", rec.Body)
	}
	if err := json.Unmarshal([]byte(all[len(all)-1]), &result); err != nil {
		t.Fatalf("%v in %.300q", err, rec.Body)
	}
	return rec.Code, result
}

// TestTimeoutIsReported: a message whose time is over is answered with that, as a result
// of a tool and as an error of everything else, in every generation, and also
// where the answer has become a stream or the end's own error was lost below.
func TestTimeoutIsReported(t *testing.T) {
	t.Parallel()
	id := change.ID{1}.Text(change.PrefixEntry)
	for name, fault := range map[string]error{"the end": nil, "a fault after the end": errors.New("interrupted")} {
		m := newHurried(t, fault)
		for _, c := range []struct{ method, name, params string }{
			{"tools/call", "get_entry", `"name":"get_entry","arguments":{"id":"` + id + `"}`},
			{"tools/call", "get_feed", `"name":"get_feed","arguments":{}`},
			{"resources/read", "mesh://entry/" + id, `"uri":"mesh://entry/` + id + `"`},
			{"prompts/get", "weigh_entry", `"name":"weigh_entry","arguments":{"id":"` + id + `"}`},
			{"completion/complete", "", `"ref":{"type":"ref/resource","uri":"mesh://entry/{id}"},"argument":{"name":"id","value":"e"}`},
		} {
			for _, generation := range []string{"older", "older with progress", "modern"} {
				meta, header := "", map[string]string{}
				switch generation {
				case "older with progress":
					meta = `"progressToken":1`
					m.pace = 100 * time.Microsecond
				case "modern":
					meta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`
					header = map[string]string{mcp.HeaderProtocolVersion: "2026-07-28", "Mcp-Method": c.method, "Mcp-Name": c.name}
				}
				_, got := m.ask(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s,"_meta":{%s}}}`, c.method, c.params, meta), header)
				var s said
				switch {
				case c.method == "tools/call" && got.Result != nil && got.Result.IsError && len(got.Result.Content) == 1:
					s = saidIn(t, got.Result.Content[0].Text)
				case c.method != "tools/call" && got.Error != nil && got.Error.Code == mcp.INTERNAL_ERROR:
					s = got.Error.Data
				}
				if s.Code != reason.Timeout || s.RequestID != "req_late" {
					t.Errorf("%s, %s %s, %s: %+v", name, c.method, c.name, generation, got)
				}
			}
		}
	}
}

// TestLateAnswerIsSent: what a handler has to say after the time is over is still
// the answer, a refusal as well as a success.
func TestLateAnswerIsSent(t *testing.T) {
	t.Parallel()
	id := change.ID{1}.Text(change.PrefixEntry)
	late := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_entry","arguments":{"id":"` + id + `"}}}`
	m := newHurried(t, reason.Refuse(reason.EntryNotFound, "no such entry"))
	if _, got := m.ask(t, late, nil); got.Result == nil || saidIn(t, got.Result.Content[0].Text).Code != reason.EntryNotFound {
		t.Errorf("a refusal became %+v", got)
	}
	slow := endpoint.Tool{Name: "slow", Form: call.Form{}, Output: struct{}{}, Read: true, Bucket: limit.Read,
		Run: func(ctx context.Context, _ *endpoint.Call) (any, error) {
			<-ctx.Done()
			return struct{}{}, nil
		}}
	m.open.rpc.AddTool(mcp.NewTool(slow.Name), func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return m.call(ctx, &slow, req), nil
	})
	if _, got := m.ask(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}`, nil); got.Result == nil || got.Result.IsError {
		t.Errorf("a success became %+v", got)
	}
}

// TestHandlersEndWithTheClient: a client that hangs up ends the work for it, and
// that is no timeout; a tool may have more time than a message.
func TestHandlersEndWithTheClient(t *testing.T) {
	t.Parallel()
	client, hangUp := context.WithCancel(t.Context())
	x := &exchange{client: client, within: time.Nanosecond}
	type mark struct{}
	ctx, cancel := x.limit(context.WithValue(context.WithoutCancel(client), mark{}, "kept"), time.Hour)
	defer cancel()
	if end, _ := ctx.Deadline(); time.Until(end) < time.Minute || ctx.Err() != nil || ctx.Value(mark{}) != "kept" {
		t.Fatalf("ends at %v, %v, holds %v", end, ctx.Err(), ctx.Value(mark{}))
	}
	hangUp()
	<-ctx.Done()
	if err := late(ctx, errors.New("interrupted")); knowledge.Explain(err).Code != reason.Internal {
		t.Errorf("told as %v", err)
	}
}
