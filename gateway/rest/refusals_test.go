package rest_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/identity/keys"
)

// refusalWorld is a whole node in which every refusal can be provoked: with
// teams, money, tokens, and a disk that fails on demand.
type refusalWorld struct {
	*bountyWorld
	gateway, holder *keys.Private // whom tokens are made for, and who has rights
	network         change.NetID
	disk            *disk
	nonces          int
	chain           *facilitator
	listed          map[string]map[string][]string // codes by "METHOD path" and status

	overHTTP, overMCP map[reason.Code]bool // met
}

func newRefusalWorld(t *testing.T) *refusalWorld {
	t.Helper()
	d := &disk{Engine: crdtlog.NewMemory()}
	w := &refusalWorld{bountyWorld: newBountyWorldIn(newTeamWorldOn(t, d)), disk: d, listed: map[string]map[string][]string{},
		overHTTP: map[reason.Code]bool{}, overMCP: map[reason.Code]bool{}}
	w.gateway, w.holder = keys.FromSeed([32]byte{1, 'd'}), keys.FromSeed([32]byte{1, 'h'})
	_, w.network = w.node.Network()
	w.sells()
	who, err := auth.New(w.world.state).AcceptTokens(auth.TokenConfig{Service: w.gateway.Key(), Network: w.network, Trust: w.node, Replays: w.world.state, Roles: rolesOf(t)})
	must(t, err)
	m, err := mcp.New(w.service, mcp.Config{Version: "1.2.3"})
	must(t, err)
	w.handler, err = rest.New(w.service, who, m, rest.Config{})
	must(t, err)
	var doc struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct{ Description string }
		}
	}
	must(t, json.Unmarshal(w.get("/openapi.json").raw, &doc))
	for path, item := range doc.Paths {
		for method, op := range item {
			of := map[string][]string{}
			for status, r := range op.Responses {
				if list, ok := strings.CutPrefix(r.Description, "Refused: "); ok {
					of[status] = strings.Split(list, ", ")
				}
			}
			w.listed[strings.ToUpper(method)+" "+path] = of
		}
	}
	return w
}

// ask is a request that is refused, over HTTP and as a call of a tool.
type ask struct {
	who    string // whose key is sent, "" for nobody
	key    string // or this one
	owner  bool   // it comes in by the control socket
	method string
	path   string
	body   any // a string is sent as it is
	header map[string]string
	within context.Context // of the request; nil for that of the test

	tool string
	args fields

	payment fields // by x402 version 1, with both
}

// statusOf is the status of a code at an endpoint; two codes have two.
func statusOf(c reason.Code, a ask) int {
	switch {
	case c == reason.Revoked && a.method == http.MethodGet:
		return http.StatusGone
	case c == reason.ProofMissing:
		return http.StatusNotExtended
	}
	return c.HTTP()
}

func (w *refusalWorld) send(a ask, method, path, text string) *httptest.ResponseRecorder {
	w.t.Helper()
	w.settle()
	r := httptest.NewRequest(method, base+path, strings.NewReader(text))
	if a.within != nil {
		r = r.WithContext(a.within)
	}
	if text != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	if key := a.key + w.keys[a.who]; key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for k, v := range a.header {
		r.Header.Set(k, v)
	}
	if a.payment != nil && path != "/mcp" {
		r.Header.Set("X-PAYMENT", pack(w.t, a.payment))
	}
	if a.owner {
		r = r.WithContext(auth.WithOwner(r.Context(), w.ids["eve"]))
	}
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	return rec
}

// http sends the request and checks everything a refusal promises: status, code,
// the shape of the error, silence about secrets, and a place in the description.
func (w *refusalWorld) http(code reason.Code, a ask) {
	w.t.Helper()
	text, isText := a.body.(string)
	if a.body != nil && !isText {
		text = encode(w.t, a.body)
	}
	rec := w.send(a, a.method, a.path, text)
	raw := rec.Body.String()
	var said struct {
		Success   bool
		Error     string
		Code      reason.Code
		RequestID string `json:"request_id"`
	}
	if err := json.Unmarshal(rec.Body.Bytes(), &said); err != nil {
		w.t.Fatalf("%s: %s %s: %v in %.300q", code, a.method, a.path, err, raw)
	}
	if want := statusOf(code, a); rec.Code != want || said.Code != code || said.Success || said.Error == "" || said.RequestID == "" {
		w.t.Errorf("%s: %s %s answers %d %.400s, want %d", code, a.method, a.path, rec.Code, raw, want)
	}
	if info, _ := reason.Lookup(code); info.HTTP == http.StatusTooManyRequests && rec.Header().Get("Retry-After") == "" {
		w.t.Errorf("%s: no Retry-After", code)
	}
	w.silent(code, raw)
	if code != reason.MethodNotAllowed { // there is no operation to list it
		if of, known := w.operation(a.method, a.path); known && !slices.Contains(of[strconv.Itoa(statusOf(code, a))], string(code)) {
			w.t.Errorf("%s: not listed for %s %s", code, a.method, a.path)
		} else if !known {
			w.t.Errorf("%s: %s %s is not described", code, a.method, a.path)
		}
	}
	w.overHTTP[code] = true
}

// called calls the tool and returns its whole answer.
func (w *refusalWorld) called(a ask) (raw string) {
	w.t.Helper()
	params := fields{"name": a.tool, "arguments": a.args}
	if a.args == nil {
		params["arguments"] = fields{}
	}
	if key := a.header["Idempotency-Key"]; key != "" {
		params["_meta"] = fields{"idempotencyKey": key}
	}
	if a.payment != nil {
		params["_meta"] = fields{"x402/payment": a.payment}
	}
	raw = w.send(a, http.MethodPost, "/mcp", encode(w.t, fields{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})).Body.String()
	if _, data, ok := strings.Cut(raw, "data: "); ok {
		return data
	}
	return raw
}

// refusalIn reads the error object in the text of a tool's refusal; of a success
// it is empty but for what has the same names.
func refusalIn(t testing.TB, text string) (body struct{ Code, Error string }) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &body); err != nil {
		t.Fatalf("%v in %.300q", err, text)
	}
	return body
}

// mcp calls the tool and checks that the refusal is a result with the code.
func (w *refusalWorld) mcp(code reason.Code, a ask) {
	w.t.Helper()
	raw := w.called(a)
	var said struct {
		Result struct {
			IsError           bool
			Content           []struct{ Text string }
			StructuredContent json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(raw), &said); err != nil {
		w.t.Fatalf("%s: tool %s: %v in %.300q", code, a.tool, err, raw)
	}
	got := said.Result
	if !got.IsError || len(got.Content) != 1 && !(len(got.Content) == 2 && strings.Contains(got.Content[1].Text, "untrusted")) {
		w.t.Fatalf("%s: tool %s answers %.400s", code, a.tool, raw)
	}
	// What stands in a refusal beside its text, clients check against the schema of a success.
	body := refusalIn(w.t, got.Content[0].Text)
	if body.Code != string(code) || body.Error == "" || got.StructuredContent != nil && !asksPayment(code, got.Content[0].Text) {
		w.t.Errorf("%s: tool %s answers %.400s", code, a.tool, raw)
	}
	text, _, _ := strings.Cut(got.Content[0].Text, `"entry":`) // what is sold, as it is listed
	if strings.Contains(text, "/api/") {
		w.t.Errorf("%s: tool %s names an address of HTTP: %.600s", code, a.tool, got.Content[0].Text)
	}
	w.silent(code, raw)
	w.overMCP[code] = true
}

// both is for a request that can be refused twice.
func (w *refusalWorld) both(code reason.Code, a ask) {
	w.t.Helper()
	w.http(code, a)
	w.mcp(code, a)
}

// silent looks for what no refusal may repeat.
func (w *refusalWorld) silent(code reason.Code, raw string) {
	w.t.Helper()
	words := []string{leaked, echoed, w.dir, "SQL", "sqlite", "no such table", "goroutine", ".go:", deepCause}
	for _, word := range slices.Concat(words, slices.Collect(maps.Values(w.keys))) {
		if strings.Contains(raw, word) {
			w.t.Errorf("%s: the refusal says %q: %.400s", code, word, raw)
		}
	}
}

// operation finds what the description lists for a request.
func (w *refusalWorld) operation(method, path string) (map[string][]string, bool) {
	path, _, _ = strings.Cut(path, "?")
	if of, known := w.listed[method+" "+path]; known {
		return of, true
	}
	parts := strings.Split(path, "/")
	for name, of := range w.listed {
		m, template, _ := strings.Cut(name, " ")
		places := strings.Split(template, "/")
		if m != method || len(places) != len(parts) {
			continue
		}
		fits := true
		for i, p := range places {
			fits = fits && (p == parts[i] || strings.HasPrefix(p, "{"))
		}
		if fits {
			return of, true
		}
	}
	return nil, false
}

// case of a code: how it is provoked, and why no tool can meet it.
type refusalCase struct {
	code    reason.Code
	provoke func(w *refusalWorld)
	noTool  string
}

// TestEveryRefusalIsProvoked compares the table of codes with the API: each code
// is met over HTTP and, where a tool can meet it, over MCP, or stands in atNoEndpoint.
func TestEveryRefusalIsProvoked(t *testing.T) {
	t.Parallel()
	w := newRefusalWorld(t)
	for _, c := range slices.Concat(refusalsOfCallers, refusalsOfEntries, refusalsOfObjects, refusalsOfTeams, refusalsOfBounties, refusalsOfPayments, refusalsOfTokens, refusalsOfRotations, refusalsOfFaults) {
		before, beforeTool := w.overHTTP[c.code], w.overMCP[c.code]
		if before || beforeTool {
			t.Errorf("%s has two cases", c.code)
		}
		c.provoke(w)
		if !w.overHTTP[c.code] {
			t.Errorf("%s was not met over HTTP", c.code)
		}
		if w.overMCP[c.code] == (c.noTool != "") {
			t.Errorf("%s: met over MCP: %t, but the case says %q", c.code, w.overMCP[c.code], c.noTool)
		}
	}
	for _, i := range reason.All() {
		switch why := atNoEndpoint[i.Code]; {
		case w.overHTTP[i.Code] && why != "":
			t.Errorf("%s is met at the API and listed as %q", i.Code, why)
		case !w.overHTTP[i.Code] && why == "":
			t.Errorf("%s has neither a case nor a reason to have none", i.Code)
		}
	}
	for code := range atNoEndpoint {
		if _, known := reason.Lookup(code); !known {
			t.Errorf("%s is no code", code)
		}
	}
}
