// Package oauthtest is an OAuth authorization server for tests.
package oauthtest

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
)

// Client and Secret are of the one client that may ask for tokens of its own.
const (
	Client = "client-2"
	Secret = "the secret of client-2"
)

// Issuer is an OAuth 2.1 authorization server with a key made for it: metadata (RFC
// 8414), registration of clients, codes with PKCE, credentials of a client, and tokens
// for a resource. It signs everybody in, as the agent that was set.
type Issuer struct {
	URL   string
	Key   *ecdsa.PrivateKey
	Agent string // the subject of tokens
	Down  atomic.Bool
	Asked atomic.Int64 // requests for the keys

	t     testing.TB
	now   func() time.Time
	mu    sync.Mutex // guards the rest
	codes map[string]url.Values
	given []string
}

// New starts an issuer that ends with the test. now is the time of its tokens.
func New(t testing.TB, now func() time.Time) *Issuer {
	t.Helper()
	i := &Issuer{t: t, now: now, codes: map[string]url.Values{}}
	var err error
	i.Key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/oauth-authorization-server", i.metadata)
	mux.HandleFunc("GET /keys", i.keys)
	mux.HandleFunc("POST /register", i.register)
	mux.HandleFunc("GET /authorize", i.authorize)
	mux.HandleFunc("POST /token", i.token)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	i.URL = server.URL
	return i
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Given are the scopes of the tokens that were given since it was last asked, in order.
func (i *Issuer) Given() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	out := i.given
	i.given = nil
	return out
}

func (i *Issuer) metadata(w http.ResponseWriter, _ *http.Request) {
	i.json(w, http.StatusOK, map[string]any{
		"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token", "registration_endpoint": i.URL + "/register",
		"jwks_uri": i.URL + "/keys", "response_types_supported": []string{"code"}, "grant_types_supported": []string{"authorization_code", "client_credentials"},
		"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none", "client_secret_basic"},
		"authorization_response_iss_parameter_supported": true,
	})
}

func (i *Issuer) json(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func (i *Issuer) keys(w http.ResponseWriter, _ *http.Request) {
	i.Asked.Add(1)
	if i.Down.Load() {
		http.Error(w, "out of order", http.StatusBadGateway)
		return
	}
	p, err := i.Key.PublicKey.Bytes()
	if err != nil {
		i.t.Error(err)
	}
	b64 := base64.RawURLEncoding.EncodeToString
	i.json(w, http.StatusOK, map[string]any{"keys": []any{map[string]any{"kty": "EC", "crv": "P-256", "x": b64(p[1:33]), "y": b64(p[33:]), "kid": "one", "use": "sig"}}})
}

func (i *Issuer) register(w http.ResponseWriter, r *http.Request) {
	var c map[string]any
	if json.NewDecoder(r.Body).Decode(&c) != nil {
		i.json(w, http.StatusBadRequest, map[string]any{"error": "invalid_client_metadata"})
		return
	}
	c["client_id"], c["token_endpoint_auth_method"] = "client-1", "none"
	i.json(w, http.StatusCreated, c)
}

func (i *Issuer) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("code_challenge_method") != "S256" || q.Get("resource") == "" || q.Get("client_id") != "client-1" {
		http.Error(w, "no PKCE, resource or client", http.StatusBadRequest)
		return
	}
	i.mu.Lock()
	code := rand.Text()
	i.codes[code] = q
	i.mu.Unlock()
	back := url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {i.URL}}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (i *Issuer) token(w http.ResponseWriter, r *http.Request) {
	if r.ParseForm() != nil {
		i.json(w, http.StatusBadRequest, map[string]any{"error": "invalid_request"})
		return
	}
	if r.Form.Get("grant_type") == "client_credentials" {
		// RFC 6749 §2.3.1 has both in form encoding.
		id, secret, _ := r.BasicAuth()
		if plain, err := url.QueryUnescape(secret); id != Client || err != nil || plain != Secret && secret != Secret || r.Form.Get("resource") == "" {
			i.json(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
			return
		}
		i.give(w, r.Form)
		return
	}
	i.mu.Lock()
	q := i.codes[r.Form.Get("code")]
	delete(i.codes, r.Form.Get("code"))
	i.mu.Unlock()
	sum := sha256.Sum256([]byte(r.Form.Get("code_verifier")))
	if q == nil || base64.RawURLEncoding.EncodeToString(sum[:]) != q.Get("code_challenge") || r.Form.Get("resource") != q.Get("resource") {
		i.json(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
		return
	}
	i.give(w, q)
}

// give answers with a token for the resource and the scope that were asked for.
func (i *Issuer) give(w http.ResponseWriter, asked url.Values) {
	scope := asked.Get("scope")
	i.mu.Lock()
	i.given = append(i.given, scope)
	i.mu.Unlock()
	i.json(w, http.StatusOK, map[string]any{"token_type": "Bearer", "expires_in": 3600, "scope": scope,
		"access_token": i.Sign(map[string]any{"aud": asked.Get("resource"), "scope": scope})})
}

// claims are those of a good token, with others over them; nil takes one away.
func (i *Issuer) claims(more map[string]any) jwt.MapClaims {
	c := jwt.MapClaims{"iss": i.URL, "sub": i.Agent, "client_id": "client-1", "jti": rand.Text(), "scope": "mesh:read mesh:write",
		"iat": i.now().Unix(), "exp": i.now().Add(time.Hour).Unix()}
	for name, v := range more {
		if c[name] = v; v == nil {
			delete(c, name)
		}
	}
	return c
}

// Sign makes a token as the issuer does.
func (i *Issuer) Sign(more map[string]any) string { return i.SignAs(nil, i.Key, more) }

// SignAs makes one with another header or key.
func (i *Issuer) SignAs(header map[string]any, key any, more map[string]any) string {
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

// Opaque is a token that says nothing by itself.
func (i *Issuer) Opaque() string { return strings.Repeat("o", 43) }
