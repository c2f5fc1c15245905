package auth_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/oauth"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/jose"
)

// registered are the agents of a gateway; one is there, one breaks the store.
type registered struct{ since time.Time }

func (h registered) AgentByID(_ context.Context, id string) (state.Agent, error) {
	switch id {
	case "agt_ada":
		return state.Agent{ID: id, CreatedAt: h.since}, nil
	case "agt_broken":
		return state.Agent{}, errors.New("disk")
	}
	return state.Agent{}, reason.Refuse(reason.AgentNotFound, "no such agent")
}

// TestAccessTokenIsAPrincipal: what a good access token makes of its bearer, for how
// long, and where it may stand.
func TestAccessTokenIsAPrincipal(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0).UTC()
	key := ed25519.NewKeyFromSeed([]byte(strings.Repeat("i", 32)))
	set, err := jose.ParsePublished([]byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","x":"` + base64.RawURLEncoding.EncodeToString(key.Public().(ed25519.PublicKey)) + `"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	v, err := oauth.New(oauth.Config{Issuers: []oauth.Issuer{{URL: "https://issuer.test", Keys: set}}}, func() string { return "https://mesh.test/mcp" }, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := auth.New(nil).AcceptAccess(v, registered{now.Add(-time.Hour)})
	token := func(sub string) string {
		tok := jwt.NewWithClaims(jwt.SigningMethodEdDSA, jwt.MapClaims{"iss": "https://issuer.test", "aud": "https://mesh.test/mcp", "sub": sub, "scope": "mesh:write", "exp": now.Unix() + 60})
		tok.Header["typ"] = "at+jwt"
		text, err := tok.SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	ask := func(header, text string) (auth.Principal, error) {
		r := httptest.NewRequest(http.MethodGet, "/api/mesh", nil)
		r.Header.Set(header, text)
		return a.Authenticate(r, now)
	}
	p, err := ask("Authorization", "bearer "+token("agt_ada"))
	if err != nil || p.Kind != auth.Access || p.Kind.String() != "access" || p.AgentID != "agt_ada" || !p.Since.Equal(now.Add(-time.Hour)) || p.ByToken() || p.PlatformAdmin() {
		t.Fatalf("%+v, %v", p, err)
	}
	if p.RequireKey() != nil || p.RequireScope(state.ScopeWrite) != nil || reason.Of(p.RequireScope(state.ScopeTeam)) != reason.ScopeMissing || p.RequireOwner("agt_ada") != nil {
		t.Error("its classes")
	}
	if p.May("mesh://x/agent/ada", "entry/put", nil, now) != nil {
		t.Error("it may nothing")
	}
	if err := p.StillValid(now.Add(89 * time.Second)); err != nil {
		t.Error(err)
	}
	if err := p.StillValid(now.Add(90 * time.Second)); reason.Of(err) != reason.TokenExpired {
		t.Errorf("after its end: %v", err)
	}
	bob, err := ask("Authorization", "Bearer "+token("bob"))
	if err != nil || bob.Kind != auth.Access || bob.AgentID != "" || bob.Acts() != "" || bob.Presenter() != "https://issuer.test bob" {
		t.Errorf("%+v, %v", bob, err)
	}
	for what, err := range map[string]error{"key": bob.RequireKey(), "scope": bob.RequireScope(state.ScopeWrite), "owner": bob.RequireOwner("agt_ada"), "act": bob.May("mesh://x/agent/ada", "entry/put", nil, now)} {
		if reason.Of(err) != reason.CapabilityDenied {
			t.Errorf("%s of nobody: %v", what, err)
		}
	}
	if _, err := ask("Authorization", "Bearer "+token("agt_broken")); err == nil || reason.Of(err) == reason.AgentNotFound {
		t.Errorf("a fault of the store: %v", err)
	}
	// A token stands behind Bearer alone.
	for header, text := range map[string]string{"X-Api-Key": token("agt_ada"), "Authorization": "DPoP " + token("agt_ada")} {
		if p, err := ask(header, text); err != nil || p.Warning != reason.InvalidToken || p.Kind != auth.Anonymous {
			t.Errorf("%s: %+v, %v", header, p, err)
		}
	}
}
