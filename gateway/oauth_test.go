package gateway_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/golang-jwt/jwt/v5"
	sdkauth "github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/meshd/meshd/gateway"
	"github.com/meshd/meshd/gateway/oauth"
	"github.com/meshd/meshd/gateway/oauth/oauthtest"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/gateway/state"
)

func atStart() time.Time { return servicetest.Start }

const lesson = "Close the response body before retrying a request, because a leaked body keeps the connection out of the pool."

// protected is a gateway that takes the tokens of an issuer, with one agent.
type protected struct {
	world
	t      *testing.T
	issuer *oauthtest.Issuer
	server *httptest.Server
	agent  string
	key    string // the agent's API key
	aud    string
}

func newProtected(t *testing.T, set func(*gateway.Config)) *protected {
	t.Helper()
	p := &protected{t: t, issuer: oauthtest.New(t, atStart)}
	p.server = httptest.NewUnstartedServer(nil)
	base := "http://" + p.server.Listener.Addr().String()
	cfg := gateway.Config{Listen: "127.0.0.1:0", PublicURL: base, OAuth: oauth.Config{Issuers: []oauth.Issuer{{URL: p.issuer.URL, KeysURL: p.issuer.URL + "/keys"}}}}
	if set != nil {
		set(&cfg)
	}
	p.world = newWorld(t, cfg)
	p.server.Config.Handler = p.Handler()
	p.server.Start()
	t.Cleanup(p.server.Close)
	p.aud = base + "/mcp"
	p.agent, p.key = p.register("ada")
	p.issuer.Agent = p.agent
	return p
}

func (p *protected) register(name string) (id, key string) {
	p.t.Helper()
	got := p.do("POST", "/api/mesh/register", "", map[string]any{"name": name, "generate_wallet": true})
	if got.status != 201 {
		p.t.Fatalf("register: %d %s", got.status, got.raw)
	}
	agent := got.json["agent"].(map[string]any)
	return agent["id"].(string), agent["api_key"].(string)
}

// good is a token for this gateway, with other claims over it.
func (p *protected) good(more map[string]any) string {
	c := map[string]any{"aud": p.aud}
	for name, v := range more {
		c[name] = v
	}
	return p.issuer.Sign(c)
}

type answered struct {
	status int
	header http.Header
	raw    string
	json   map[string]any
}

func (a answered) code() string { code, _ := a.json["code"].(string); return code }

func (p *protected) do(method, path, token string, body any) answered {
	p.t.Helper()
	var sent io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		must(p.t, err)
		sent = bytes.NewReader(raw)
	}
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.server.URL+path, sent)
	must(p.t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(r)
	must(p.t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	must(p.t, err)
	a := answered{status: resp.StatusCode, header: resp.Header, raw: string(raw)}
	_ = json.Unmarshal(raw, &a.json)
	return a
}

// tool calls a tool; the code is that of its error object.
func (p *protected) tool(name, token string, args any) (answered, string) {
	p.t.Helper()
	a := p.do("POST", "/mcp", token, map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": name, "arguments": args}})
	result, _ := a.json["result"].(map[string]any)
	if result == nil {
		return a, a.code()
	}
	text := result["content"].([]any)[0].(map[string]any)["text"].(string)
	var body struct {
		Code string `json:"code"`
	}
	must(p.t, json.Unmarshal([]byte(text), &body))
	return a, body.Code
}

// socket opens a WebSocket by header or by frame, and says how it was refused.
func (p *protected) socket(token string, byFrame bool) (conn *websocket.Conn, status int, code string) {
	p.t.Helper()
	o := &websocket.DialOptions{Subprotocols: []string{"mesh.v1"}, HTTPHeader: http.Header{}}
	if !byFrame {
		o.HTTPHeader.Set("Authorization", "Bearer "+token)
	}
	conn, resp, err := websocket.Dial(p.t.Context(), p.server.URL+"/api/mesh/ws", o)
	if err != nil {
		var body struct {
			Code string `json:"code"`
		}
		raw, _ := io.ReadAll(resp.Body)
		_ = json.Unmarshal(raw, &body)
		return nil, resp.StatusCode, body.Code
	}
	p.t.Cleanup(func(open *websocket.Conn) func() { return func() { _ = open.CloseNow() } }(conn))
	if byFrame {
		p.say(conn, map[string]any{"type": "auth", "payload": map[string]any{"token": token}})
	}
	f := p.frame(conn)
	if f["type"] == "auth" {
		return conn, http.StatusSwitchingProtocols, ""
	}
	payload, _ := f["payload"].(map[string]any)
	code, _ = payload["code"].(string)
	_, _, err = conn.Read(p.t.Context())
	return nil, int(websocket.CloseStatus(err)), code
}

func (p *protected) say(conn *websocket.Conn, v any) {
	p.t.Helper()
	raw, err := json.Marshal(v)
	must(p.t, err)
	must(p.t, conn.Write(p.t.Context(), websocket.MessageText, raw))
}

func (p *protected) frame(conn *websocket.Conn) (f map[string]any) {
	p.t.Helper()
	_, raw, err := conn.Read(p.t.Context())
	must(p.t, err)
	must(p.t, json.Unmarshal(raw, &f))
	return f
}

// rpc calls an operation over a socket.
func (p *protected) rpc(conn *websocket.Conn, method string, params any) map[string]any {
	p.t.Helper()
	p.say(conn, map[string]any{"id": "r", "type": "rpc", "payload": map[string]any{"method": method, "params": params}})
	for {
		if f := p.frame(conn); f["type"] == "rpc" || f["type"] == "error" {
			return f["payload"].(map[string]any)
		}
	}
}

func contribution(about string) map[string]any {
	return map[string]any{"type": "wisdom", "domain": "http", "content": lesson + " This was seen " + about + "."}
}

// TestBadAccessTokens: every way in which an access token can be bad is refused with
// its code by HTTP, MCP and WebSocket, for reads and writes, and never is a fault.
func TestBadAccessTokens(t *testing.T) {
	t.Parallel()
	p := newProtected(t, nil)
	other := oauthtest.New(t, atStart) // which nobody trusts
	other.Agent = p.agent
	public, err := x509.MarshalPKIXPublicKey(&p.issuer.Key.PublicKey)
	must(t, err)
	stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	forHere := map[string]any{"aud": p.aud}
	start := atStart()
	parts := strings.Split(p.good(nil), ".")
	for name, c := range map[string]struct{ token, code string }{
		"forged":                    {p.issuer.SignAs(nil, stranger, forHere), "signature_invalid"},
		"changed":                   {parts[0] + "." + strings.Split(p.good(map[string]any{"scope": "mesh:write pay"}), ".")[1] + "." + parts[2], "signature_invalid"},
		"with a key of its own":     {p.issuer.SignAs(map[string]any{"jku": other.URL + "/keys", "kid": "two"}, other.Key, forHere), "signature_invalid"},
		"expired":                   {p.good(map[string]any{"exp": start.Add(-time.Minute).Unix()}), "token_expired"},
		"not yet valid":             {p.good(map[string]any{"nbf": start.Add(time.Minute).Unix()}), "token_not_yet_valid"},
		"without an end":            {p.good(map[string]any{"exp": nil}), "invalid_token"},
		"for another audience":      {p.good(map[string]any{"aud": "https://elsewhere.example.org/mcp"}), "invalid_token"},
		"for the root of this":      {p.good(map[string]any{"aud": strings.TrimSuffix(p.aud, "/mcp")}), "invalid_token"},
		"for nobody":                {p.good(map[string]any{"aud": nil}), "invalid_token"},
		"of another issuer":         {other.Sign(forHere), "invalid_token"},
		"in the name of the issuer": {other.Sign(map[string]any{"aud": p.aud, "iss": p.issuer.URL}), "signature_invalid"},
		"alg none":                  {p.issuer.SignAs(nil, jwt.UnsafeAllowNoneSignatureType, forHere), "signature_invalid"},
		"HS256 by the public key":   {p.issuer.SignAs(nil, public, forHere), "signature_invalid"},
		"an identity token":         {p.issuer.SignAs(map[string]any{"typ": "JWT"}, p.issuer.Key, forHere), "invalid_token"},
		"bound to a key":            {p.good(map[string]any{"cnf": map[string]any{"jkt": "x"}}), "invalid_token"},
		"without a subject":         {p.good(map[string]any{"sub": nil}), "invalid_token"},
		"with a list of scopes":     {p.good(map[string]any{"scope": []string{"mesh:write"}}), "invalid_token"},
		"with a number for a scope": {p.good(map[string]any{"scope": 7}), "invalid_token"},
		"too long":                  {p.good(map[string]any{"scope": strings.Repeat("x ", 5000)}), "invalid_token"},
		"opaque":                    {p.issuer.Opaque(), "invalid_token"},
		"encrypted":                 {"eyJhbGciOiJkaXIifQ..aaaa.bbbb.cccc", "invalid_token"},
		"a word":                    {"null", "invalid_token"},
	} {
		t.Run(name, func(t *testing.T) {
			// Who only reads what is public is warned, and shown what nobody's caller is.
			if a := p.do("GET", "/api/mesh/feed", c.token, nil); a.status != 200 || a.header.Get("X-Auth-Warning") != c.code {
				t.Errorf("feed: %d %q %s", a.status, a.header.Get("X-Auth-Warning"), a.raw)
			}
			where := fmt.Sprintf(`Bearer realm="mesh", error="invalid_token", error_description=%q, resource_metadata=%q`, c.code,
				p.server.URL+"/.well-known/oauth-protected-resource/mcp")
			for _, r := range []struct {
				method, path string
				body         any
			}{{"GET", "/api/mesh/me", nil}, {"POST", "/api/mesh/contribute", contribution("once")}, {"GET", "/api/mesh/keys", nil}} {
				if a := p.do(r.method, r.path, c.token, r.body); a.status != 401 || a.code() != c.code || a.header.Get("WWW-Authenticate") != where {
					t.Errorf("%s %s: %d %q %s", r.method, r.path, a.status, a.header.Get("WWW-Authenticate"), a.raw)
				}
			}
			for _, tool := range []string{"get_feed", "get_me", "contribute_knowledge"} {
				a, code := p.tool(tool, c.token, map[string]any{})
				if a.status != 401 || code != c.code || !strings.Contains(a.header.Get("WWW-Authenticate"), `error="invalid_token"`) || !strings.Contains(a.header.Get("WWW-Authenticate"), "resource_metadata=") {
					t.Errorf("%s: %d %q %s", tool, a.status, a.header.Get("WWW-Authenticate"), a.raw)
				}
			}
			if conn, status, code := p.socket(c.token, false); conn != nil || status != 401 || code != c.code {
				t.Errorf("socket: %d %s", status, code)
			}
			if conn, status, code := p.socket(c.token, true); conn != nil || status != 4401 || code != c.code {
				t.Errorf("socket by frame: %d %s", status, code)
			}
		})
	}
	if p.mesh.Counts().Entries != 0 {
		t.Error("a bad token wrote something")
	}
}

// TestAccessTokenActsAsItsAgent: by each protocol a good token is the agent that it
// names, for its scopes and no longer than its term.
func TestAccessTokenActsAsItsAgent(t *testing.T) {
	t.Parallel()
	p := newProtected(t, nil)
	token := p.good(nil)
	if a := p.do("GET", "/api/mesh/me", token, nil); a.status != 200 || !strings.Contains(a.raw, p.agent) {
		t.Errorf("me: %d %s", a.status, a.raw)
	}
	if a := p.do("POST", "/api/mesh/contribute", token, contribution("over HTTP")); a.status != 201 {
		t.Errorf("contribute: %d %s", a.status, a.raw)
	}
	if a, code := p.tool("contribute_knowledge", token, contribution("by a tool")); a.status != 200 || code != "" {
		t.Errorf("contribute by a tool: %d %s", a.status, a.raw)
	}
	conn, status, code := p.socket(token, true)
	if conn == nil {
		t.Fatalf("socket: %d %s", status, code)
	}
	if got := p.rpc(conn, "post-api-mesh-contribute", contribution("over a socket")); got["status"] != 201.0 {
		t.Errorf("contribute over a socket: %v", got)
	}
	if a := p.do("GET", "/api/mesh/feed", token, nil); strings.Count(a.raw, lesson) != 3 || !strings.Contains(a.raw, "ada") {
		t.Errorf("the feed is not shown in full: %s", a.raw)
	}

	// A scope that is missing is asked for, by each protocol.
	narrow := p.good(map[string]any{"scope": "openid mesh:read"})
	step := fmt.Sprintf(`Bearer error="insufficient_scope", resource_metadata=%q, scope="mesh:write"`, p.server.URL+"/.well-known/oauth-protected-resource/mcp")
	if a := p.do("POST", "/api/mesh/contribute", narrow, contribution("never")); a.status != 403 || a.code() != "scope_missing" || a.header.Get("WWW-Authenticate") != step {
		t.Errorf("narrow: %d %q %s", a.status, a.header.Get("WWW-Authenticate"), a.raw)
	}
	if a, code := p.tool("contribute_knowledge", narrow, contribution("never")); a.status != 403 || code != "scope_missing" || a.header.Get("WWW-Authenticate") != step {
		t.Errorf("narrow tool: %d %q %s", a.status, a.header.Get("WWW-Authenticate"), a.raw)
	}
	conn, _, _ = p.socket(narrow, false)
	if got := p.rpc(conn, "post-api-mesh-contribute", contribution("never")); fmt.Sprint(got["error"]) == "<nil>" || got["error"].(map[string]any)["code"] != "scope_missing" {
		t.Errorf("narrow over a socket: %v", got)
	}
	// No token gives keys or everything, and none makes what would outlive it.
	wide := p.good(map[string]any{"scope": "* keys mesh:read mesh:write team"})
	for path, body := range map[string]any{
		"/api/mesh/keys":          map[string]any{"scopes": []string{"mesh:read"}},
		"/api/mesh/key/rotate":    map[string]any{},
		"/api/mesh/events/ticket": map[string]any{},
		"/api/mesh/capabilities":  map[string]any{"audience": "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp", "can": []string{"entry/put"}},
	} {
		if a := p.do("POST", path, wide, body); a.status != 403 || a.code() != "capability_denied" || !strings.Contains(a.raw, "API key") {
			t.Errorf("POST %s: %d %s", path, a.status, a.raw)
		}
	}
	if a := p.do("POST", "/api/mesh/bounties", wide, map[string]any{}); a.code() != "scope_missing" {
		t.Errorf("bounties: %d %s", a.status, a.raw)
	}
	if a := p.do("GET", "/api/admin/suspensions", wide, nil); a.status != 404 {
		t.Errorf("admin: %d %s", a.status, a.raw)
	}
	// API keys go on as they were.
	if a := p.do("GET", "/api/mesh/me", p.key, nil); a.status != 200 {
		t.Errorf("by key: %d %s", a.status, a.raw)
	}
}

// TestAccessTokenOfNobodyReads: a token that names no agent of this gateway reads texts
// in full, and its refusals say why it does no more.
func TestAccessTokenOfNobodyReads(t *testing.T) {
	t.Parallel()
	p := newProtected(t, nil)
	if a := p.do("POST", "/api/mesh/contribute", p.key, contribution("by ada")); a.status != 201 {
		t.Fatalf("contribute: %d %s", a.status, a.raw)
	}
	for name, subject := range map[string]string{"a person": "auth0|5f7c", "an agent of elsewhere": "agt_" + strings.Repeat("a", 52), "the name of an agent": "ada"} {
		token := p.good(map[string]any{"sub": subject})
		if a := p.do("GET", "/api/mesh/feed", token, nil); a.status != 200 || !strings.Contains(a.raw, lesson) || a.header.Get("X-Auth-Warning") != "" {
			t.Errorf("%s, feed: %d %v %s", name, a.status, a.header, a.raw)
		}
		if a, code := p.tool("get_feed", token, map[string]any{}); a.status != 200 || code != "" || !strings.Contains(a.raw, "leaked body") {
			t.Errorf("%s, get_feed: %d %s", name, a.status, a.raw)
		}
		for _, r := range []struct {
			method, path string
			body         any
		}{{"GET", "/api/mesh/me", nil}, {"POST", "/api/mesh/contribute", contribution("never")}} {
			if a := p.do(r.method, r.path, token, r.body); a.status != 403 || a.code() != "capability_denied" || !strings.Contains(a.raw, "names no agent") || a.header.Get("WWW-Authenticate") != "" {
				t.Errorf("%s, %s: %d %s", name, r.path, a.status, a.raw)
			}
		}
		if a, code := p.tool("contribute_knowledge", token, contribution("never")); a.status != 200 || code != "capability_denied" {
			t.Errorf("%s, tool: %d %s", name, a.status, a.raw)
		}
		if conn, status, code := p.socket(token, false); conn != nil || status != 403 || code != "capability_denied" {
			t.Errorf("%s, socket: %d %s", name, status, code)
		}
		if conn, status, code := p.socket(token, true); conn != nil || status != 4403 || code != "capability_denied" {
			t.Errorf("%s, socket by frame: %d %s", name, status, code)
		}
	}
	if a := p.do("GET", "/api/mesh/feed", p.good(map[string]any{"sub": "x", "scope": "mesh:write"}), nil); strings.Contains(a.raw, lesson) {
		t.Errorf("a token without mesh:read is shown texts: %s", a.raw)
	}
}

// TestSettingsOfAccessTokens: audience, claim of the agent and scopes are those of the
// settings.
func TestSettingsOfAccessTokens(t *testing.T) {
	t.Parallel()
	p := newProtected(t, func(c *gateway.Config) {
		c.OAuth.Audience, c.OAuth.AgentClaim = "urn:mesh", "https://mesh.example.org/agent"
		c.OAuth.Scopes = map[string]state.Scope{"knowledge": "mesh:write", "read": "mesh:read"}
	})
	claims := map[string]any{"aud": "urn:mesh", "sub": "ada@example.org", "https://mesh.example.org/agent": p.agent, "scope": "read knowledge"}
	if a := p.do("POST", "/api/mesh/contribute", p.issuer.Sign(claims), contribution("mapped")); a.status != 201 {
		t.Errorf("%d %s", a.status, a.raw)
	}
	claims["scope"] = "mesh:write read"
	if a := p.do("POST", "/api/mesh/contribute", p.issuer.Sign(claims), contribution("by our names")); a.code() != "scope_missing" || !strings.Contains(a.header.Get("WWW-Authenticate"), `scope="knowledge"`) {
		t.Errorf("%d %v %s", a.status, a.header, a.raw)
	}
	claims["aud"] = p.aud
	if a := p.do("GET", "/api/mesh/me", p.issuer.Sign(claims), nil); a.code() != "invalid_token" || !strings.Contains(a.raw, "urn:mesh") {
		t.Errorf("%d %s", a.status, a.raw)
	}
	delete(claims, "https://mesh.example.org/agent")
	claims["aud"], claims["sub"] = "urn:mesh", p.agent
	if a := p.do("GET", "/api/mesh/me", p.issuer.Sign(claims), nil); a.code() != "capability_denied" {
		t.Errorf("the subject acts: %d %s", a.status, a.raw)
	}
}

// TestKeysThatCannotBeHad: while nobody can say whether a token is good, it is neither
// taken nor passed over, and an incident is reported to who runs the gateway.
func TestKeysThatCannotBeHad(t *testing.T) {
	t.Parallel()
	p := newProtected(t, nil)
	p.issuer.Down.Store(true)
	token := p.good(nil)
	for _, path := range []string{"/api/mesh/feed", "/api/mesh/me", "/mcp"} {
		method := map[bool]string{true: "POST", false: "GET"}[path == "/mcp"]
		if a := p.do(method, path, token, map[string]any{"jsonrpc": "2.0", "id": 1, "method": "ping"}); a.status != 503 || a.code() != "not_ready" || a.header.Get("Retry-After") != "60" {
			t.Errorf("%s: %d %v %s", path, a.status, a.header, a.raw)
		}
	}
	if conn, status, code := p.socket(token, false); conn != nil || status != 503 || code != "not_ready" {
		t.Errorf("socket: %d %s", status, code)
	}
	if conn, _, code := p.socket(token, true); conn != nil || code != "not_ready" {
		t.Errorf("socket by frame: %s", code)
	}
	if n := p.issuer.Asked.Load(); n != 1 {
		t.Errorf("the issuer was asked %d times within a minute", n)
	}
	open := p.mesh.Incidents().All()
	if len(open) != 1 || !open[0].Open() || open[0].Component != "oauth keys of "+p.issuer.URL || !strings.Contains(open[0].Cause, "502") {
		t.Errorf("incidents %+v", open)
	}
	if a := p.do("GET", "/api/mesh/me", p.key, nil); a.status != 200 {
		t.Errorf("by key: %d %s", a.status, a.raw)
	}
}

// TestOfficialClientSignsIn: the official Go client finds the issuer by the server's
// challenge, registers, signs in with PKCE for the server as resource, and calls a tool;
// when a scope is missing it asks for that too.
func TestOfficialClientSignsIn(t *testing.T) {
	t.Parallel()
	p := newProtected(t, nil)
	signIns := 0
	handler, err := sdkauth.NewAuthorizationCodeHandler(&sdkauth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &sdkauth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			RedirectURIs: []string{"http://127.0.0.1:1/back"}, ClientName: "test", GrantTypes: []string{"authorization_code"}, ResponseTypes: []string{"code"}}},
		AuthorizationCodeFetcher: func(ctx context.Context, args *sdkauth.AuthorizationArgs) (*sdkauth.AuthorizationResult, error) {
			signIns++
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, args.URL, nil)
			if err != nil {
				return nil, err
			}
			stay := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			resp, err := stay.Do(r)
			if err != nil {
				return nil, err
			}
			defer resp.Body.Close()
			back, err := url.Parse(resp.Header.Get("Location"))
			if err != nil {
				return nil, err
			}
			q := back.Query()
			return &sdkauth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
		},
	})
	must(t, err)
	for _, version := range []string{"2026-07-28", "2025-11-25"} {
		signIns = 0
		p.issuer.Given()
		c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
		s, err := c.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: p.aud, OAuthHandler: handler, MaxRetries: -1, DisableStandaloneSSE: true},
			&sdk.ClientSessionOptions{ProtocolVersion: version})
		must(t, err)
		t.Cleanup(func() { _ = s.Close() })
		for tool, args := range map[string]any{"get_me": map[string]any{}, "contribute_knowledge": contribution("by the official client of " + version)} {
			got, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
			must(t, err)
			if got.IsError {
				t.Errorf("%s: %s", tool, got.Content[0].(*sdk.TextContent).Text)
			}
		}
		if given := p.issuer.Given(); version == "2026-07-28" && (signIns == 0 || len(given) == 0 || !strings.Contains(given[len(given)-1], "mesh:write")) {
			t.Errorf("%d sign-ins for %q", signIns, given)
		}
	}
	if p.mesh.Counts().Entries != 2 {
		t.Errorf("%d entries", p.mesh.Counts().Entries)
	}
}
