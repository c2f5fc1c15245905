package gateway_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/meshd/meshd/gateway/service/servicetest"
)

// issuer is an OAuth 2.1 authorization server with a key made for it: metadata (RFC
// 8414), registration of clients, codes with PKCE, and tokens for a resource. It lets
// everybody in, as the agent that it was told.
type issuer struct {
	t      *testing.T
	server *httptest.Server
	url    string
	key    *ecdsa.PrivateKey
	agent  string // the subject of tokens
	down   atomic.Bool
	asked  atomic.Int64 // requests for the keys

	mu    sync.Mutex // guards the rest
	codes map[string]url.Values
	given []string // scopes of tokens, in order
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	i := &issuer{t: t, codes: map[string]url.Values{}}
	var err error
	i.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/oauth-authorization-server", i.metadata)
	mux.HandleFunc("GET /keys", i.keys)
	mux.HandleFunc("POST /register", i.register)
	mux.HandleFunc("GET /authorize", i.authorize)
	mux.HandleFunc("POST /token", i.token)
	i.server = httptest.NewServer(mux)
	t.Cleanup(i.server.Close)
	i.url = i.server.URL
	return i
}

func (i *issuer) metadata(w http.ResponseWriter, _ *http.Request) {
	i.json(w, http.StatusOK, map[string]any{
		"issuer": i.url, "authorization_endpoint": i.url + "/authorize", "token_endpoint": i.url + "/token", "registration_endpoint": i.url + "/register",
		"jwks_uri": i.url + "/keys", "response_types_supported": []string{"code"}, "grant_types_supported": []string{"authorization_code"},
		"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"},
		"authorization_response_iss_parameter_supported": true,
	})
}

func (i *issuer) json(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func (i *issuer) keys(w http.ResponseWriter, _ *http.Request) {
	i.asked.Add(1)
	if i.down.Load() {
		http.Error(w, "out of order", http.StatusBadGateway)
		return
	}
	p, err := i.key.PublicKey.Bytes()
	if err != nil {
		i.t.Error(err)
	}
	b64 := base64.RawURLEncoding.EncodeToString
	i.json(w, http.StatusOK, map[string]any{"keys": []any{map[string]any{"kty": "EC", "crv": "P-256", "x": b64(p[1:33]), "y": b64(p[33:]), "kid": "one", "use": "sig"}}})
}

func (i *issuer) register(w http.ResponseWriter, r *http.Request) {
	var c map[string]any
	if json.NewDecoder(r.Body).Decode(&c) != nil {
		i.json(w, http.StatusBadRequest, map[string]any{"error": "invalid_client_metadata"})
		return
	}
	c["client_id"], c["token_endpoint_auth_method"] = "client-1", "none"
	i.json(w, http.StatusCreated, c)
}

func (i *issuer) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("code_challenge_method") != "S256" || q.Get("resource") == "" || q.Get("client_id") != "client-1" {
		http.Error(w, "no PKCE, resource or client", http.StatusBadRequest)
		return
	}
	i.mu.Lock()
	code := rand.Text()
	i.codes[code] = q
	i.mu.Unlock()
	back := url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {i.url}}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (i *issuer) token(w http.ResponseWriter, r *http.Request) {
	must(i.t, r.ParseForm())
	i.mu.Lock()
	q := i.codes[r.Form.Get("code")]
	delete(i.codes, r.Form.Get("code"))
	i.mu.Unlock()
	sum := sha256.Sum256([]byte(r.Form.Get("code_verifier")))
	if q == nil || base64.RawURLEncoding.EncodeToString(sum[:]) != q.Get("code_challenge") || r.Form.Get("resource") != q.Get("resource") {
		i.json(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
		return
	}
	scope := q.Get("scope")
	i.mu.Lock()
	i.given = append(i.given, scope)
	i.mu.Unlock()
	i.json(w, http.StatusOK, map[string]any{"token_type": "Bearer", "expires_in": 3600, "scope": scope,
		"access_token": i.sign(map[string]any{"aud": q.Get("resource"), "scope": scope})})
}

// claims are those of a good token, with others over them; nil takes one away.
func (i *issuer) claims(more map[string]any) jwt.MapClaims {
	c := jwt.MapClaims{"iss": i.url, "sub": i.agent, "client_id": "client-1", "jti": rand.Text(), "scope": "mesh:read mesh:write",
		"iat": servicetest.Start.Unix(), "exp": servicetest.Start.Add(time.Hour).Unix()}
	for name, v := range more {
		if c[name] = v; v == nil {
			delete(c, name)
		}
	}
	return c
}

// sign makes a token as the issuer does.
func (i *issuer) sign(more map[string]any) string { return i.signAs(nil, i.key, more) }

// signAs makes one with another header or key.
func (i *issuer) signAs(header map[string]any, key any, more map[string]any) string {
	i.t.Helper()
	var method jwt.SigningMethod = jwt.SigningMethodES256
	switch key.(type) {
	case []byte:
		method = jwt.SigningMethodHS256
	case *ecdsa.PrivateKey:
	default:
		method = jwt.SigningMethodNone
	}
	t := &jwt.Token{Header: map[string]any{"alg": method.Alg(), "typ": "at+jwt", "kid": "one"}, Claims: i.claims(more), Method: method}
	for name, v := range header {
		t.Header[name] = v
	}
	text, err := t.SignedString(key)
	must(i.t, err)
	return text
}

// opaque is a token that says nothing by itself.
func (i *issuer) opaque() string { return strings.Repeat("o", 43) }
