package rest_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/oauth"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/identity/jose"
	"github.com/meshd/meshd/identity/ucan"
)

const accessIssuer, accessResource = "https://issuer.test", "https://mesh.test/mcp"

// withIssuer is a world that takes role tokens, capabilities and access tokens.
func withIssuer(t *testing.T) *refusalWorld {
	t.Helper()
	w := newRefusalWorld(t)
	x := base64.RawURLEncoding.EncodeToString(issuerKey.Public().(ed25519.PublicKey))
	set, err := jose.ParsePublished([]byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","x":"` + x + `"}]}`))
	must(t, err)
	v, err := oauth.New(oauth.Config{Issuers: []oauth.Issuer{{URL: accessIssuer, Keys: set}}}, func() string { return accessResource }, nil, nil)
	must(t, err)
	who, err := auth.New(w.world.state).AcceptTokens(auth.TokenConfig{Service: w.gateway.Key(), Network: w.network, Trust: w.node, Replays: w.world.state, Roles: rolesOf(t)})
	must(t, err)
	m, err := mcp.New(w.service, mcp.Config{Version: "1.2.3", OAuth: v})
	must(t, err)
	w.handler, err = rest.New(w.service, who.AcceptAccess(v, w.world.state), m, rest.Config{})
	must(t, err)
	return w
}

// accessToken is a token of the OAuth issuer.
func (w *refusalWorld) accessToken(agent, scope string) string {
	w.t.Helper()
	t := jwt.NewWithClaims(jwt.SigningMethodEdDSA, jwt.MapClaims{"iss": accessIssuer, "aud": accessResource, "sub": agent, "scope": scope, "exp": w.clock.Now().Add(time.Hour).Unix()})
	t.Header["typ"] = "at+jwt"
	s, err := t.SignedString(issuerKey)
	must(w.t, err)
	return s
}

// TestAccessTokenLeavesNothing: an access token does in a team what its agent may, and
// gives nobody what would outlive it; beside it the tokens of older systems go on.
func TestAccessTokenLeavesNothing(t *testing.T) {
	t.Parallel()
	w := withIssuer(t)
	made := w.private()
	team := "/api/mesh/team/" + made.team
	bo := w.accessToken(w.ids["bo"], "mesh:read mesh:write team bounty studio absorb pay keys *")
	if r := w.by(bo, "GET", team+"/board", nil, 200, ""); !strings.Contains(string(r.raw), privateWord) {
		t.Errorf("a member reads %.200s", r.raw)
	}
	w.by(bo, "POST", team+"/board", fields{"tasks": []fields{{"title": "Polish it"}}}, 201, "")
	w.by(w.accessToken(w.ids["dee"], "team"), "GET", team+"/board", nil, 403, "not_a_member")
	w.by(w.accessToken(w.ids["bo"], "mesh:write"), "GET", team+"/board", nil, 403, "scope_missing")
	w.by(w.accessToken("ada@example.org", "team"), "GET", team+"/board", nil, 403, "capability_denied")

	set := fields{"action": "set_role", "agent_id": w.ids["ada"], "role": "member"}
	invite := fields{"role": "member", "uses": 1, "expires_in": 3600}
	for _, r := range []struct {
		path string
		body fields
	}{
		{team + "/members", set}, {team + "/invites", invite}, {"/api/mesh/keys", fields{"scopes": []string{"mesh:read"}}},
		{"/api/mesh/capabilities", fields{"audience": w.holder.Key().String(), "can": []string{ucan.EntryPut}}}, {"/api/mesh/events/ticket", fields{}}, {"/api/mesh/key/rotate", fields{}},
	} {
		if got := w.by(bo, "POST", r.path, r.body, 403, "capability_denied"); !strings.Contains(string(got.raw), "this needs an API key") {
			t.Errorf("POST %s: %s", r.path, got.raw)
		}
	}
	w.by(w.keys["bo"], "POST", team+"/members", set, 200, "")
	if r := w.do(apiCall{method: "POST", path: team + "/invites", key: w.keys["bo"], body: encode(t, invite)}); r.StatusCode != 201 {
		t.Errorf("an invitation by key: %d %s", r.StatusCode, r.raw)
	}

	w.by(w.roleToken("someone-of-old", "member", made.team, nil), "GET", team+"/board", nil, 200, "")
	cid, with := w.inTeam("bo", made.team, "", ucan.TeamRead)
	w.by(w.bearer(cid, ucan.TeamRead, with), "GET", team+"/board", nil, 200, "")

	// A stopped account writes no more, whatever speaks for it.
	must(t, w.world.state.Suspend(t.Context(), w.ids["bo"], "test", "node", w.clock.Now()))
	w.by(bo, "POST", team+"/board", fields{"tasks": []fields{{"title": "Polish it again"}}}, 403, "suspended")

	w.clock.Add(time.Hour + 31*time.Second)
	w.by(bo, "GET", team+"/board", nil, 401, "token_expired")
}

// TestAdminByAccessToken: an issuer makes no admins, though it names an agent that is one.
func TestAdminByAccessToken(t *testing.T) {
	t.Parallel()
	w := withIssuer(t)
	cfg := w.node.Config()
	cfg.Moderation.Admins = []string{w.ids["ada"]}
	w.node.Reload(cfg)
	admin := w.accessToken(w.ids["ada"], "mesh:read mesh:write")
	w.by(w.keys["ada"], "GET", "/api/admin/agents", nil, 200, "")
	w.by(admin, "GET", "/api/admin/agents", nil, 404, "not_found")
}
