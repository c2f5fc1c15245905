package rest_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/market"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/view"
)

const base = "http://127.0.0.1:8420"

// lesson is an entry that passes the gate.
const lesson = "Close the response body before retrying a request, because a leaked body keeps the connection out of the pool."

// clock is the time of a world, moved by tests.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// world is a node in memory with its HTTP face.
type world struct {
	t       testing.TB
	mesh    *servicetest.Mesh
	state   *state.DB
	service *service.Service
	handler http.Handler
	clock   *clock
	dir     string // of the state
}

// options vary a world.
type options struct {
	rest   rest.Config
	limits limit.Config

	domains []string // of wallets
	market  market.Market
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldWith(t, options{limits: limit.Config{Disabled: true}})
}

func newWorldWith(t testing.TB, o options) *world {
	t.Helper()
	w := &world{t: t, mesh: servicetest.New(t), clock: &clock{now: servicetest.Start}}
	w.dir = t.TempDir()
	w.state = servicetest.OpenStateIn(t, w.dir)
	w.service = servicetest.NewServiceWith(t, w.mesh, w.state, o.limits,
		service.Config{Version: "1.2.3", Tools: mcp.Tools(), BaseURL: func() string { return base }, Wallets: account.Wallets{Domains: o.domains},
			NetworkFile: func() (string, error) { return "mesh-net:testnet", nil },
			Market:      o.market, Now: w.clock.Now})
	m, err := mcp.New(w.service, mcp.Config{Version: "1.2.3"})
	must(t, err)
	w.handler, err = rest.New(w.service, auth.New(w.state), m, o.rest)
	must(t, err)
	return w
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// apiCall is a request to a world.
type apiCall struct {
	method, path, body, key, owner string
	header                         map[string]string
}

// reply is what came back.
type reply struct {
	*http.Response
	raw  []byte
	json map[string]any
}

// code is the error code of a reply, "" for a success.
func (r reply) code() string { s, _ := r.json["code"].(string); return s }

func (w *world) do(c apiCall) reply {
	w.t.Helper()
	r := httptest.NewRequest(c.method, base+c.path, strings.NewReader(c.body))
	if c.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.key != "" {
		r.Header.Set("Authorization", "Bearer "+c.key)
	}
	for k, v := range c.header {
		if k == "Host" {
			r.Host = v
			continue
		}
		r.Header.Set(k, v)
	}
	if c.owner != "" {
		r = r.WithContext(auth.WithOwner(r.Context(), c.owner))
	}
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	out := reply{Response: rec.Result()}
	var err error
	out.raw, err = io.ReadAll(out.Body)
	must(w.t, err)
	if strings.HasPrefix(out.Header.Get("Content-Type"), "application/json") && out.Header.Get("Content-Encoding") == "" && len(out.raw) > 0 {
		if err := json.Unmarshal(out.raw, &out.json); err != nil {
			w.t.Fatalf("%s %s: %v in %q", c.method, c.path, err, out.raw)
		}
	}
	return out
}

func (w *world) get(path string) reply { w.t.Helper(); return w.do(apiCall{method: "GET", path: path}) }

// want checks status and code.
func (w *world) want(r reply, status int, code string) reply {
	w.t.Helper()
	if r.StatusCode != status || r.code() != code {
		w.t.Fatalf("got %d %q, want %d %q: %s", r.StatusCode, r.code(), status, code, r.raw)
	}
	if code != "" {
		if r.json["success"] != false || r.json["error"] == "" || r.json["request_id"] != r.Header.Get("X-Request-Id") {
			w.t.Fatalf("not an error object: %s", r.raw)
		}
	}
	return r
}

func encode(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	must(t, err)
	return string(raw)
}

// challenge asks for a text for a subject's key.
func (w *world) challenge(subject ed25519.PrivateKey) (nonce, text string) {
	w.t.Helper()
	r := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/register/challenge", body: encode(w.t, map[string]any{"did": servicetest.DID(subject).String()})}), 200, "")
	return r.json["nonce"].(string), r.json["challenge"].(map[string]any)["text"].(string)
}

// proof is a register body for a name.
func (w *world) proof(name string, subject ed25519.PrivateKey) map[string]any {
	w.t.Helper()
	nonce, text := w.challenge(subject)
	return map[string]any{"name": name, "did": servicetest.DID(subject).String(), "nonce": nonce,
		"signature": base64.RawURLEncoding.EncodeToString(ed25519.Sign(subject, []byte(text)))}
}

// register opens an agent and returns its id and key.
func (w *world) register(name string, seed byte) (agent, key string) {
	w.t.Helper()
	r := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/register", body: encode(w.t, w.proof(name, servicetest.Key(seed)))}), 201, "")
	a := r.json["agent"].(map[string]any)
	return a["id"].(string), a["api_key"].(string)
}

// contribution is a body that passes the gate; n makes it new, with words of its
// own, so that one author may write many of them.
func contribution(n string) map[string]any {
	own := ""
	for _, b := range sha256.Sum256([]byte(n)) {
		own += " " + strings.Repeat(string('a'+rune(b>>4)), 2) + string('a'+rune(b&15))
	}
	return map[string]any{"type": "gotcha", "content": lesson + " It was seen " + n + own + ".", "domain": "go", "tags": []string{"http"}, "evidence": "go test"}
}

// planted is an entry of somebody.
func (w *world) planted(by view.Agent, text string) view.Entry {
	return w.mesh.Plant(view.Entry{Domain: "go", Agent: by.AgentRef,
		Body: body.Entry{Type: body.Gotcha, Text: text, Confidence: 800, Tags: []string{"http"}}, Signature: view.Signature{Key: by.DID}})
}
