package oauth_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/meshd/meshd/gateway/oauth"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/jose"
)

var start = time.Unix(1_800_000_000, 0).UTC()

const resource = "https://mesh.test/mcp"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func keyOf(kid string) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed([]byte(fmt.Sprintf("%-32s", kid)))
}

func setOf(kids ...string) string {
	var out []string
	for _, kid := range kids {
		x := base64.RawURLEncoding.EncodeToString(keyOf(kid).Public().(ed25519.PublicKey))
		out = append(out, fmt.Sprintf(`{"kty":"OKP","crv":"Ed25519","x":%q,"kid":%q}`, x, kid))
	}
	return `{"keys":[` + strings.Join(out, ",") + `]}`
}

func tokenOf(t *testing.T, issuer, kid string, now time.Time, scope string) string {
	t.Helper()
	tok := &jwt.Token{Header: map[string]any{"alg": "EdDSA", "typ": "at+jwt", "kid": kid}, Method: jwt.SigningMethodEdDSA,
		Claims: jwt.MapClaims{"iss": issuer, "aud": resource, "sub": "ada", "scope": scope, "exp": now.Add(time.Minute).Unix()}}
	text, err := tok.SignedString(keyOf(kid))
	must(t, err)
	return text
}

// site serves a key set, and counts.
type site struct {
	*httptest.Server
	mu     sync.Mutex
	set    string
	status int
	asked  int
	wait   chan struct{} // nil: answers at once
	began  chan struct{} // gets one for each request that has to wait
}

func newSite(t *testing.T, kids ...string) *site {
	s := &site{set: setOf(kids...), status: 200, began: make(chan struct{}, 16)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked++
		status, set, wait := s.status, s.set, s.wait
		s.mu.Unlock()
		if wait != nil {
			s.began <- struct{}{}
			<-wait
		}
		if status == http.StatusFound {
			w.Header().Set("Location", "/elsewhere")
			if r.URL.Path == "/elsewhere" {
				status = 200
			}
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(set))
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) now(status int, set string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status, s.set = status, set
}

func (s *site) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// book notes incidents.
type book struct {
	mu   sync.Mutex
	open map[string]string
}

func (b *book) Fail(component, cause string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open[component] = cause
}

func (b *book) Recover(component string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.open, component)
}

func (b *book) causes() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.open)
}

func verifier(t *testing.T, s *site) (*oauth.Verifier, *book) {
	t.Helper()
	b := &book{open: map[string]string{}}
	v, err := oauth.New(oauth.Config{Issuers: []oauth.Issuer{{URL: s.URL, KeysURL: s.URL + "/keys"}}}, func() string { return resource }, b, nil)
	must(t, err)
	return v, b
}

// TestKeysAreFetchedAsNeeded: once for many tokens, again after an hour, and for a key
// that is not in the set, but not twice within a minute.
func TestKeysAreFetchedAsNeeded(t *testing.T) {
	t.Parallel()
	s := newSite(t, "one")
	v, b := verifier(t, s)
	check := func(what, kid string, now time.Time, want error, asked int) {
		t.Helper()
		got, err := v.Verify(t.Context(), tokenOf(t, s.URL, kid, now, "mesh:read"), now)
		if !errors.Is(err, want) || err == nil && (got.Subject != "ada" || got.Issuer != s.URL || !slices.Equal(got.Scopes, state.Scopes{state.ScopeRead})) {
			t.Errorf("%s: %+v, %v", what, got, err)
		}
		for range 200 { // who need not wait for a request does not
			if s.requests() >= asked {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if n := s.requests(); n != asked {
			t.Errorf("%s: %d requests, want %d", what, n, asked)
		}
	}
	check("first", "one", start, nil, 1)
	check("second", "one", start.Add(time.Minute), nil, 1)
	check("an unknown key", "two", start.Add(time.Minute), jose.ErrNoKey, 2)
	s.now(200, setOf("two"))
	check("at once again", "two", start.Add(time.Minute+59*time.Second), jose.ErrNoKey, 2)
	check("a minute later", "two", start.Add(2*time.Minute), nil, 3)
	check("the old key has ended", "one", start.Add(2*time.Minute), jose.ErrSignature, 3)
	s.now(500, "")
	hour := start.Add(62 * time.Minute)
	check("the issuer is down", "two", hour, nil, 4)
	for range 200 { // nobody waited for that attempt
		if b.causes() == 1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if b.causes() != 1 {
		t.Error("no incident")
	}
	check("and stays so", "two", hour.Add(23*time.Hour), oauth.ErrUnavailable, 5)
	s.now(200, setOf("two"))
	check("it is asked no more than once a minute", "two", hour.Add(23*time.Hour+59*time.Second), oauth.ErrUnavailable, 5)
	check("it is back", "two", hour.Add(23*time.Hour+time.Minute), nil, 6)
	if b.causes() != 0 {
		t.Errorf("incidents %v", b.open)
	}
}

// TestFetchingIsBounded: what is no key set, is too long, or leads elsewhere is not
// taken, and nothing but the address of the settings is asked.
func TestFetchingIsBounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		set    string
	}{
		"a page": {200, "<html>"}, "an error": {404, setOf("one")}, "a redirect": {302, setOf("one")}, "nothing": {200, ""},
		"too long": {200, setOf("one") + strings.Repeat(" ", jose.MaxKeySet)}, "a secret": {200, `{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}`},
	} {
		s := newSite(t, "one")
		s.now(c.status, c.set)
		v, b := verifier(t, s)
		if _, err := v.Verify(t.Context(), tokenOf(t, s.URL, "one", start, ""), start); !errors.Is(err, oauth.ErrUnavailable) || s.requests() != 1 || b.causes() != 1 {
			t.Errorf("%s: %v, %d requests, %v", name, err, s.requests(), b.open)
		}
	}
	s := newSite(t, "one")
	v, _ := verifier(t, s)
	evil := newSite(t, "one")
	for _, text := range []string{tokenOf(t, evil.URL, "one", start, ""), "no.to.ken", ""} {
		if _, err := v.Verify(t.Context(), text, start); err == nil || errors.Is(err, oauth.ErrUnavailable) {
			t.Errorf("%.20s: %v", text, err)
		}
	}
	if evil.requests() != 0 || s.requests() != 0 {
		t.Error("a token chose who is asked")
	}
}

// TestNobodyWaitsForNews: while a slow issuer is asked for a key that nobody knows, the
// tokens of known keys are judged; those who do need its answer share one request.
func TestNobodyWaitsForNews(t *testing.T) {
	t.Parallel()
	s := newSite(t, "one")
	v, _ := verifier(t, s)
	_, err := v.Verify(t.Context(), tokenOf(t, s.URL, "one", start, ""), start)
	must(t, err)
	s.mu.Lock()
	s.wait, s.set = make(chan struct{}), setOf("one", "two")
	s.mu.Unlock()
	later := start.Add(2 * time.Minute)
	var waiting sync.WaitGroup
	for range 8 {
		waiting.Go(func() {
			if _, err := v.Verify(t.Context(), tokenOf(t, s.URL, "two", later, ""), later); err != nil {
				t.Error(err)
			}
		})
	}
	<-s.began
	if _, err := v.Verify(t.Context(), tokenOf(t, s.URL, "one", later, ""), later); err != nil {
		t.Error(err)
	}
	// Keys that are to be fetched again by now stay valid meanwhile.
	soon, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	old := start.Add(61 * time.Minute)
	if _, err := v.Verify(soon, tokenOf(t, s.URL, "one", old, ""), old); err != nil || soon.Err() != nil {
		t.Errorf("it waited: %v, %v", err, soon.Err())
	}
	close(s.wait)
	waiting.Wait()
	if s.requests() != 2 {
		t.Errorf("%d requests", s.requests())
	}
}

// TestScopes: those of the issuer that mean one of ours, each once; never keys or "*".
func TestScopes(t *testing.T) {
	t.Parallel()
	set, err := jose.ParsePublished([]byte(setOf("one")))
	must(t, err)
	const issuer = "https://issuer.test"
	c := oauth.Config{Issuers: []oauth.Issuer{{URL: issuer, Keys: set}}}
	for _, x := range []struct {
		scopes      map[string]state.Scope
		given, want string
	}{
		{nil, "openid mesh:read mesh:read team * keys MESH:WRITE", "mesh:read team"},
		{nil, "", ""},
		{map[string]state.Scope{"r": state.ScopeRead, "read": state.ScopeRead, "w": state.ScopeWrite}, "w read r mesh:read team", "mesh:write mesh:read"},
	} {
		c.Scopes = x.scopes
		v, err := oauth.New(c, func() string { return resource }, nil, nil)
		must(t, err)
		got, err := v.Verify(t.Context(), tokenOf(t, issuer, "one", start, x.given), start)
		if err != nil || strings.Join(got.Scopes.Strings(), " ") != x.want {
			t.Errorf("%q gives %v, %v", x.given, got.Scopes, err)
		}
		if x.scopes != nil && (v.Name(state.ScopeRead) != "r" || v.Name(state.ScopeTeam) != "") || v.Name(state.ScopeKeys) != "" || v.Name(state.ScopeAll) != "" {
			t.Errorf("names %q %q", v.Name(state.ScopeRead), v.Name(state.ScopeTeam))
		}
	}
}

// TestConfig: what cannot be right is refused, with every fault.
func TestConfig(t *testing.T) {
	t.Parallel()
	good := oauth.Issuer{URL: "https://issuer.test/realm/", KeysURL: "http://127.0.0.1:9/keys"}
	if err := (oauth.Config{Issuers: []oauth.Issuer{good}}).Validate(); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"", "issuer.example.org", "http://issuer.example.org", "https://a.example/?x=1", "https://u@a.example", "https://a.example/#x", "ftp://a.example"} {
		if err := (oauth.Config{Issuers: []oauth.Issuer{{URL: bad, KeysURL: good.KeysURL}}}).Validate(); err == nil {
			t.Errorf("%q is an issuer", bad)
		}
		if err := (oauth.Config{Issuers: []oauth.Issuer{{URL: good.URL, KeysURL: bad}}}).Validate(); err == nil {
			t.Errorf("keys are at %q", bad)
		}
	}
	for name, c := range map[string]oauth.Config{
		"none": {}, "twice": {Issuers: []oauth.Issuer{good, good}}, "two places": {Issuers: []oauth.Issuer{{URL: good.URL, KeysURL: good.KeysURL, Keys: make([]jose.Key, 1)}}},
		"scope keys": {Issuers: []oauth.Issuer{good}, Scopes: map[string]state.Scope{"x": state.ScopeKeys}}, "scope *": {Issuers: []oauth.Issuer{good}, Scopes: map[string]state.Scope{"x": state.ScopeAll}},
		"two scopes": {Issuers: []oauth.Issuer{good}, Scopes: map[string]state.Scope{"x y": state.ScopeRead}},
	} {
		if _, err := oauth.New(c, func() string { return resource }, nil, nil); err == nil {
			t.Errorf("%s passes", name)
		}
	}
}
