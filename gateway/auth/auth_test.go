package auth_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/state"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fakeKeys is a store of keys by their text.
type fakeKeys map[string]func() (state.Key, error)

func (f fakeKeys) KeyBySecret(_ context.Context, s state.Secret, at time.Time) (state.Key, error) {
	if !at.Equal(now) {
		return state.Key{}, errors.New("the time was not handed on")
	}
	if k, ok := f[s.Reveal()]; ok {
		return k()
	}
	return state.Key{}, reason.Refuse(reason.InvalidToken, "unknown")
}

// testKey is a well-formed key made of one letter.
func testKey(letter string) string {
	return state.NewSecret([state.RandomSize]byte(bytes.Repeat([]byte(letter), state.RandomSize))).Reveal()
}

var (
	good, other, revoked, expired, broken = testKey("g"), testKey("o"), testKey("r"), testKey("e"), testKey("b")

	ada = state.Key{ID: "key_1", AgentID: "agt_ada", Scopes: state.Scopes{state.ScopeRead, state.ScopeWrite}, AgentSince: now.Add(-time.Hour)}
	bob = state.Key{ID: "key_2", AgentID: "agt_bob", Scopes: state.Scopes{state.ScopeAll}}

	errStore = errors.New("disk on fire")

	keys = fakeKeys{
		good:  func() (state.Key, error) { return ada, nil },
		other: func() (state.Key, error) { return bob, nil },
		revoked: func() (state.Key, error) {
			return state.Key{}, fmt.Errorf("find key: %w", reason.Refuse(reason.KeyRevoked, "x"))
		},
		expired: func() (state.Key, error) { return state.Key{}, reason.Refuse(reason.TokenExpired, "x") },
		broken:  func() (state.Key, error) { return state.Key{}, errStore },
	}
)

func request(header ...string) *http.Request {
	r := httptest.NewRequest("GET", "/api/mesh/feed", nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	return r
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	jwt := "eyJ" + "hbGciOiJub25lIn0.eyJzdWIiOiJhIn0."
	box := "B" + base64.StdEncoding.EncodeToString([]byte("\xa1\x66ctn-v1\x81\x41x"))
	zipped := "P" + base64.RawURLEncoding.EncodeToString([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x00"))
	cases := []struct {
		name   string
		header []string
		agent  string      // "" for an anonymous principal
		code   reason.Code // its warning
		hint   string      // a part of the hint
	}{
		{"nothing", nil, "", "", ""},
		{"bearer", []string{"Authorization", "Bearer " + good}, "agt_ada", "", ""},
		{"scheme in lower case", []string{"Authorization", "bearer " + good}, "agt_ada", "", ""},
		{"spaces", []string{"Authorization", "  Bearer   " + good + "  "}, "agt_ada", "", ""},
		{"x-api-key", []string{"X-API-Key", good}, "agt_ada", "", ""},
		{"x-mcp-api-key", []string{"x-mcp-api-key", good}, "agt_ada", "", ""},
		{"all three", []string{"Authorization", "Bearer " + good, "X-API-Key", good, "X-MCP-API-Key", good}, "agt_ada", "", ""},
		{"twice the same", []string{"Authorization", "Bearer " + good, "Authorization", "Bearer " + good}, "agt_ada", "", ""},
		{"empty beside full", []string{"Authorization", "", "X-API-Key", good, "X-MCP-API-Key", " "}, "agt_ada", "", ""},
		{"empty", []string{"X-API-Key", ""}, "", "", ""},

		{"unknown", []string{"X-API-Key", testKey("u")}, "", reason.InvalidToken, ""},
		{"revoked", []string{"X-API-Key", revoked}, "", reason.KeyRevoked, ""},
		{"expired", []string{"X-API-Key", expired}, "", reason.TokenExpired, ""},
		{"mistyped", []string{"X-API-Key", good[1:]}, "", reason.InvalidToken, ""},
		{"another spelling of the same bytes", []string{"X-API-Key", good[:len(good)-1] + "B"}, "", reason.InvalidToken, ""},
		{"bearer without token", []string{"Authorization", "Bearer"}, "", reason.InvalidToken, ""},
		{"bearer with two tokens", []string{"Authorization", "Bearer " + good + " " + good}, "", reason.InvalidToken, ""},
		{"basic", []string{"Authorization", "Basic " + good}, "", reason.InvalidToken, "Bearer"},
		{"bare key", []string{"Authorization", good}, "", reason.InvalidToken, "Bearer"},
		{"jwt", []string{"Authorization", "Bearer " + jwt}, "", reason.InvalidToken, "accepts API keys"},
		{"container", []string{"Authorization", "Bearer " + box}, "", reason.InvalidToken, "accepts API keys"},
		{"zipped container", []string{"Authorization", "Bearer " + zipped}, "", reason.InvalidToken, "accepts API keys"},
		{"word", []string{"Authorization", "Bearer Bob"}, "", reason.InvalidToken, ""},
		{"huge", []string{"Authorization", "Bearer eyJ" + strings.Repeat("a", 8<<10) + ".."}, "", reason.InvalidToken, ""},

		{"two keys", []string{"Authorization", "Bearer " + good, "X-API-Key", other}, "", reason.AmbiguousCredentials, "one of"},
		{"two alias keys", []string{"X-MCP-API-Key", good, "X-API-Key", other}, "", reason.AmbiguousCredentials, "one of"},
		{"two of a header", []string{"X-API-Key", good, "X-API-Key", other}, "", reason.AmbiguousCredentials, "one of"},
		{"two schemes", []string{"Authorization", "Basic " + good, "Authorization", "Bearer " + good}, "", reason.AmbiguousCredentials, "one of"},
	}
	a := auth.New(keys)
	for _, c := range cases {
		p, err := a.Authenticate(request(c.header...), now)
		if c.code == reason.AmbiguousCredentials {
			var r *reason.Refusal
			if !errors.As(err, &r) || r.Code != c.code || !strings.Contains(r.Hint, c.hint) {
				t.Errorf("%s: %+v, %v", c.name, p, err)
			}
			continue
		}
		if err != nil || p.AgentID != c.agent || p.Warning != c.code {
			t.Errorf("%s: %+v, %v", c.name, p, err)
			continue
		}
		if wantKind := map[bool]auth.Kind{true: auth.Key, false: auth.Anonymous}[c.agent != ""]; p.Kind != wantKind {
			t.Errorf("%s: kind %v", c.name, p.Kind)
		}
		var r *reason.Refusal
		if c.code != "" && (!errors.As(p.RequireKey(), &r) || r.Code != c.code || (r.Hint == "") != (c.hint == "") || !strings.Contains(r.Hint, c.hint)) {
			t.Errorf("%s: refusal %+v", c.name, r)
		}
	}
}

func TestKeyMakesPrincipal(t *testing.T) {
	t.Parallel()
	p, err := auth.New(keys).Authenticate(request("X-API-Key", good), now)
	want := auth.Principal{Kind: auth.Key, AgentID: "agt_ada", KeyID: "key_1", Scopes: ada.Scopes, Since: ada.AgentSince}
	if err != nil || !reflect.DeepEqual(p, want) {
		t.Fatalf("principal %+v, %v", p, err)
	}
}

func TestStoreFaultIsNoVerdict(t *testing.T) {
	t.Parallel()
	p, err := auth.New(keys).Authenticate(request("X-API-Key", broken), now)
	if !errors.Is(err, errStore) || reason.Of(err) != reason.Internal {
		t.Fatalf("principal %+v, %v", p, err)
	}
}

func TestKeyInQueryIsRefused(t *testing.T) {
	t.Parallel()
	escaped := strings.ReplaceAll(url.QueryEscape(good), "_", "%5f")
	var all strings.Builder
	for _, b := range []byte(good) {
		fmt.Fprintf(&all, "%%%02X", b)
	}
	cases := map[string]bool{
		"":                                     false,
		"q=go":                                 false,
		"q=what+is+mesh_sk_":                   false,
		"q=" + good[:len(good)-1]:              false,
		"q=" + good[:20] + "!" + good[20:]:     false,
		"api_key=" + good:                      true,
		good:                                   true,
		"x=" + good + "tail":                   true,
		"x=mesh_sk_&y=" + good:                 true,
		"x=mesh_sk_" + good:                    true,
		"x=" + escaped:                         true,
		"x=%zz&y=" + escaped:                   true,
		"x=%" + "&y=" + all.String():           true,
		"x=" + all.String() + "%":              true,
		"token=" + strings.ToUpper(good) + "x": false,
	}
	for query, want := range cases {
		for _, ctx := range []context.Context{t.Context(), auth.WithOwner(t.Context(), "agt_me")} {
			r := request("X-API-Key", other)
			r.URL.RawQuery = query
			_, err := auth.New(keys).Authenticate(r.WithContext(ctx), now)
			owner := ctx != t.Context()
			if got := reason.Of(err) == reason.CredentialInURL; got != (want && !owner) {
				t.Errorf("query %q, owner %v: %v", query, owner, err)
			}
			if err != nil && strings.Contains(err.Error(), good[8:]) {
				t.Errorf("the refusal repeats the key")
			}
		}
	}
}

func TestOwnerIsMarkedByContextOnly(t *testing.T) {
	t.Parallel()
	a := auth.New(keys)
	r := request("X-API-Key", good, "Authorization", "Bearer "+other)
	p, err := a.Authenticate(r.WithContext(auth.WithOwner(r.Context(), "agt_me")), now)
	if err != nil || p.Kind != auth.Owner || p.AgentID != "agt_me" || p.KeyID != "" {
		t.Fatalf("principal %+v, %v", p, err)
	}
	if err := p.RequireScope(state.ScopePay); err != nil {
		t.Errorf("the owner lacks a scope: %v", err)
	}
	// A request from elsewhere cannot carry the mark.
	for _, header := range []string{"X-Owner", "Owner", "X-Mesh-Owner"} {
		if p, _ := a.Authenticate(request(header, "agt_me"), now); p.Kind != auth.Anonymous {
			t.Errorf("%s made %+v", header, p)
		}
	}
}

func TestClasses(t *testing.T) {
	t.Parallel()
	a := auth.New(keys)
	who := func(header ...string) auth.Principal {
		p, err := a.Authenticate(request(header...), now)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	nobody, stale, adas, bobs := who(), who("X-API-Key", revoked), who("X-API-Key", good), who("X-API-Key", other)
	cases := []struct {
		name string
		got  error
		want reason.Code
	}{
		{"K: nobody", nobody.RequireKey(), reason.AuthRequired},
		{"K: stale", stale.RequireKey(), reason.KeyRevoked},
		{"K: key", adas.RequireKey(), ""},
		{"scope: nobody", nobody.RequireScope(state.ScopeRead), reason.AuthRequired},
		{"scope: stale", stale.RequireScope(state.ScopeRead), reason.KeyRevoked},
		{"scope: held", adas.RequireScope(state.ScopeWrite), ""},
		{"scope: missing", adas.RequireScope(state.ScopeKeys), reason.ScopeMissing},
		{"scope: all", bobs.RequireScope(state.ScopeKeys), ""},
		{"O: nobody", nobody.RequireOwner("agt_ada"), reason.AuthRequired},
		{"O: nobody of nothing", nobody.RequireOwner(""), reason.AuthRequired},
		{"O: own", adas.RequireOwner("agt_ada"), ""},
		{"O: foreign", bobs.RequireOwner("agt_ada"), reason.NotOwner},
		{"O: nobody's object", auth.Principal{Kind: auth.Owner}.RequireOwner(""), reason.NotOwner},
	}
	for _, c := range cases {
		if got := reason.Of(c.got); got != c.want {
			t.Errorf("%s: %v, want %q", c.name, c.got, c.want)
		}
	}
	var r *reason.Refusal
	if !errors.As(adas.RequireScope(state.ScopeKeys), &r) || r.Details["need"] != "keys" {
		t.Errorf("details %v", r.Details)
	}

	h := http.Header{}
	nobody.Warn(h)
	adas.Warn(h)
	if len(h) != 0 {
		t.Errorf("headers %v", h)
	}
	stale.Warn(h)
	if h.Get("X-Auth-Warning") != "key_revoked" {
		t.Errorf("headers %v", h)
	}
	for code, want := range map[reason.Code]string{
		reason.AuthRequired: `Bearer realm="mesh"`,
		reason.KeyRevoked:   `Bearer realm="mesh", error="invalid_token", error_description="key_revoked"`,
	} {
		if got := auth.Challenge(code); got != want {
			t.Errorf("%s: %s", code, got)
		}
	}
}

func TestPrincipalShowsNoCredential(t *testing.T) {
	t.Parallel()
	for _, k := range []string{good, revoked, testKey("u"), "eyJ" + "secret.secret.secret", "hunter2"} {
		p, err := auth.New(keys).Authenticate(request("Authorization", "Bearer "+k), now)
		shown := fmt.Sprintf("%+v %#v %v %v", p, p, err, p.RequireKey())
		if strings.Contains(shown, k) || strings.Contains(shown, "secret.secret") {
			t.Errorf("shown: %s", shown)
		}
	}
}

func FuzzAuthenticate(f *testing.F) {
	f.Add("Bearer "+good, "", "", "")
	f.Add("", good, other, "q=x")
	f.Add("Basic x", "", "", "x="+good)
	f.Add("Bearer eyJ..", "B", "CoWZjdG4tdjE", "%")
	f.Add("bearer", "O\x00", "P", "mesh_sk_%")
	f.Fuzz(func(t *testing.T, authorization, apiKey, mcpKey, query string) {
		r := &http.Request{URL: &url.URL{RawQuery: query}, Header: http.Header{
			"Authorization": {authorization}, "X-Api-Key": {apiKey}, "X-Mcp-Api-Key": {mcpKey}}}
		p, err := auth.New(keys).Authenticate(r, now)
		if err != nil {
			switch reason.Of(err) {
			case reason.AmbiguousCredentials, reason.CredentialInURL:
			default:
				if !errors.Is(err, errStore) {
					t.Fatalf("unexpected %v", err)
				}
			}
			return
		}
		sent := authorization + " " + apiKey + " " + mcpKey
		switch p.Kind {
		case auth.Key:
			if !strings.Contains(sent, good) && !strings.Contains(sent, other) {
				t.Fatalf("%q made %+v", sent, p)
			}
		case auth.Owner:
			t.Fatalf("%q made the owner", sent)
		default:
			if p.AgentID != "" || p.Scopes != nil || (p.Warning == "") != (strings.TrimSpace(authorization+apiKey+mcpKey) == "") {
				t.Fatalf("%q made %+v", sent, p)
			}
		}
	})
}
