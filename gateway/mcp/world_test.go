package mcp_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/gateway/state"
)

const (
	modern = "2026-07-28"
	older  = "2025-11-25"
	lesson = "Close the response body before retrying a request, because a leaked body keeps the connection out of the pool."
)

// world is a node in memory whose MCP server is reached over HTTP and pipes.
type world struct {
	t      *testing.T
	mesh   *servicetest.Mesh
	state  *state.DB
	server *mcp.Server
	http   *httptest.Server
	url    string

	service *service.Service
	client  *sdk.ClientOptions // of the next client that connects
}

func newWorld(t *testing.T) *world {
	return newWorldWith(t, limit.Config{Disabled: true}, rest.Config{})
}

func newWorldWith(t *testing.T, limits limit.Config, cfg rest.Config) *world {
	t.Helper()
	return newWorldOf(t, limits, cfg, mcp.Config{})
}

func newWorldOf(t *testing.T, limits limit.Config, cfg rest.Config, face mcp.Config) *world {
	t.Helper()
	w := &world{t: t, mesh: servicetest.New(t)}
	db := servicetest.OpenState(t)
	w.state = db
	s := servicetest.NewService(t, w.mesh, db, limits, "http://mesh.test", mcp.Tools(), func() time.Time { return servicetest.Start })
	var err error
	w.service = s
	face.Version = "1.2.3"
	if face.Toolsets == nil {
		face.Toolsets = []string{"all"} // TestToolsetsAreShort and those beside it are about the choice
	}
	w.server, err = mcp.New(s, face)
	must(t, err)
	h, err := rest.New(s, auth.New(db), w.server, cfg)
	must(t, err)
	w.http = httptest.NewServer(h)
	t.Cleanup(w.http.Close)
	w.url = w.http.URL + "/mcp"
	return w
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// keyed adds a key to every request.
type keyed struct{ key string }

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	if k.key != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+k.key)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// dial connects the independent client over HTTP.
func (w *world) dial(version, key string) *sdk.ClientSession {
	w.t.Helper()
	return w.connect(version, &sdk.StreamableClientTransport{Endpoint: w.url, HTTPClient: &http.Client{Transport: keyed{key}}, MaxRetries: -1, DisableStandaloneSSE: true})
}

func (w *world) connect(version string, transport sdk.Transport) *sdk.ClientSession {
	w.t.Helper()
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, w.client)
	s, err := c.Connect(w.t.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	must(w.t, err)
	w.t.Cleanup(func() { _ = s.Close() })
	return s
}

// pipes connects the independent client to something that answers lines.
func (w *world) pipes(version string, serve func(ctx context.Context, in io.Reader, out io.Writer) error) *sdk.ClientSession {
	w.t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.WithoutCancel(w.t.Context()))
	go func() {
		err := serve(ctx, inR, outW)
		_ = outW.Close()
		done <- err
	}()
	s := w.connect(version, &sdk.IOTransport{Reader: outR, Writer: inW})
	w.t.Cleanup(func() {
		_ = s.Close()
		_ = inW.Close()
		cancel()
		if err := <-done; err != nil && !errors.Is(err, io.ErrClosedPipe) {
			w.t.Errorf("serve: %v", err)
		}
	})
	return s
}

func (w *world) stdio(version string, c call.Caller) *sdk.ClientSession {
	w.t.Helper()
	return w.pipes(version, func(ctx context.Context, in io.Reader, out io.Writer) error {
		return w.server.ServeStdio(ctx, c, nil, in, out)
	})
}

func (w *world) bridge(version, key string) *sdk.ClientSession {
	w.t.Helper()
	return w.pipes(version, func(ctx context.Context, in io.Reader, out io.Writer) error {
		return mcp.Bridge(ctx, w.url, key, nil, in, out)
	})
}

func owner(agent string) call.Caller {
	return call.Caller{Principal: auth.Principal{Kind: auth.Owner, AgentID: agent, Scopes: state.Scopes{state.ScopeAll}}}
}

// callTool runs a tool and returns its structured result; the text must be the same
// JSON. A refusal is read from the text, which is all that clients show of one.
func callTool(t testing.TB, s *sdk.ClientSession, tool string, args any) (map[string]any, bool) {
	t.Helper()
	return callWith(t, s, &sdk.CallToolParams{Name: tool, Arguments: args})
}

func callWith(t testing.TB, s *sdk.ClientSession, p *sdk.CallToolParams) (map[string]any, bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), p)
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	text := r.Content[0].(*sdk.TextContent).Text
	var out, same map[string]any
	must(t, json.Unmarshal([]byte(text), &same))
	if r.IsError {
		if len(r.Content) != 1 || r.StructuredContent != nil || same["error"] == "" || same["success"] != false || same["request_id"] == "" {
			t.Fatalf("%s: error %q with %v", p.Name, text, r.StructuredContent)
		}
		return same, false
	}
	raw, err := json.Marshal(r.StructuredContent)
	must(t, err)
	must(t, json.Unmarshal(raw, &out))
	if a, b := encode(t, out), encode(t, same); a != b {
		t.Fatalf("%s: structured %s, text %s", p.Name, a, b)
	}
	return out, true
}

// refused runs a tool that must refuse with a code.
func refused(t testing.TB, s *sdk.ClientSession, tool string, args any, code string) map[string]any {
	t.Helper()
	out, ok := callTool(t, s, tool, args)
	if ok || out["code"] != code {
		t.Fatalf("%s: %v, want %s", tool, out, code)
	}
	return out
}

func encode(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	must(t, err)
	return string(raw)
}

// register opens an agent by two calls of the tool and returns its key.
func register(t testing.TB, s *sdk.ClientSession, name string, subject ed25519.PrivateKey) (id, key string) {
	t.Helper()
	did := servicetest.DID(subject).String()
	first, ok := callTool(t, s, "register_agent", map[string]any{"name": name, "did": did})
	if !ok || first["stage"] != "challenge" {
		t.Fatalf("first stage %v", first)
	}
	text := first["challenge"].(map[string]any)["text"].(string)
	second, ok := callTool(t, s, "register_agent", map[string]any{"name": name, "did": did, "nonce": first["nonce"],
		"signature": base64.RawURLEncoding.EncodeToString(ed25519.Sign(subject, []byte(text)))})
	if !ok || second["stage"] != "registered" {
		t.Fatalf("second stage %v", second)
	}
	a := second["agent"].(map[string]any)
	return a["id"].(string), a["api_key"].(string)
}

// post sends raw bytes to the endpoint.
func (w *world) post(body string, header map[string]string) (int, http.Header, string) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.url, strings.NewReader(body))
	must(w.t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range header {
		r.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(r)
	must(w.t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	must(w.t, err)
	return resp.StatusCode, resp.Header, string(raw)
}

// fetch reads an endpoint of the HTTP face.
func (w *world) fetch(path, key string) string {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.http.URL+path, nil)
	must(w.t, err)
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := http.DefaultClient.Do(r)
	must(w.t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	must(w.t, err)
	return string(raw)
}
