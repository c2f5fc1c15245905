package rest_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/identity/jose"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
)

// issuerKey signs role tokens.
var issuerKey = ed25519.NewKeyFromSeed([]byte(strings.Repeat("i", 32)))

func rolesOf(t *testing.T) *role.Verifier {
	t.Helper()
	x := base64.RawURLEncoding.EncodeToString(issuerKey.Public().(ed25519.PublicKey))
	set, err := jose.ParseKeys([]byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","x":"` + x + `"}]}`))
	must(t, err)
	v, err := role.NewVerifier(role.Settings{Issuer: "iss", Audience: "mesh", Keys: set})
	must(t, err)
	return v
}

// roleToken is a token of the issuer of an older system.
func (w *refusalWorld) roleToken(sub, name, team string, more jwt.MapClaims) string {
	w.t.Helper()
	c := jwt.MapClaims{"iss": "iss", "aud": "mesh", "sub": sub, "role": name, "team": team, "exp": w.clock.Now().Add(time.Hour).Unix()}
	for k, v := range more {
		c[k] = v
	}
	s, err := jwt.NewWithClaims(jwt.SigningMethodEdDSA, c).SignedString(issuerKey)
	must(w.t, err)
	return s
}

// by is a request with a credential.
func (w *refusalWorld) by(credential, method, path string, body any, status int, code string) reply {
	w.t.Helper()
	w.settle()
	text := ""
	if body != nil {
		text = encode(w.t, body)
	}
	return w.want(w.do(apiCall{method: method, path: path, key: credential, body: text}), status, code)
}

// inTeam is a capability of a team that its founder gives to the holder.
func (w *refusalWorld) inTeam(founder, team, part string, can ...string) (cid, resource string) {
	w.t.Helper()
	id, err := change.ParseID(change.PrefixGuild, team)
	must(w.t, err)
	resource = change.TeamSpace(id).Resource(w.network) + part
	return w.want(w.lend(w.keys[founder], fields{"with": resource, "can": can}), 201, "").json["cid"].(string), resource
}

// TestTeamIsReadByCapability: who presents a capability for reading a team reads the
// board, the messages and the stream of a private one, and nothing more.
func TestTeamIsReadByCapability(t *testing.T) {
	t.Parallel()
	w := newRefusalWorld(t)
	made := w.private()
	team := "/api/mesh/team/" + made.team
	cid, with := w.inTeam("bo", made.team, "", ucan.TeamRead)
	token := func() string { return w.bearer(cid, ucan.TeamRead, with) }
	for _, path := range []string{team, team + "/board", team + "/board/" + made.task, team + "/messages", team + "/feed", team + "/members"} {
		w.by("", "GET", path, nil, 401, "auth_required")
		if r := w.by(token(), "GET", path, nil, 200, ""); !strings.Contains(string(r.raw), privateWord) && !strings.HasSuffix(path, "/members") {
			t.Errorf("GET %s reads %.300s", path, r.raw)
		}
	}
	r := w.by(token(), "POST", team+"/board", fields{"tasks": []fields{{"title": "Mend it all"}}}, 403, "capability_denied")
	denial, _ := r.json["details"].(map[string]any)["denial"].(map[string]any)
	if denial["denied_action"] != ucan.TaskAct || denial["requested_resource"] != with || denial["denied_by"] != w.gateway.Key().String() || denial["audit_id"] != r.json["request_id"] {
		t.Errorf("denial %v of request %v", denial, r.json["request_id"])
	}
	other := w.found("ada", fields{"name": "Elsewhere", "visibility": "private"})
	w.by(token(), "GET", other+"/board", nil, 403, "capability_denied")
	// By MCP the same.
	if raw := w.called(ask{key: token(), tool: "board_list", args: fields{"team_id": made.team}}); !strings.Contains(raw, privateWord) {
		t.Errorf("board_list reads %.300s", raw)
	}
}

// TestCommonsAreReadByCapability: reading the commons shows texts in full, and
// reading a domain those of that domain.
func TestCommonsAreReadByCapability(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root, gateway := keys.FromSeed([32]byte{1, 'o'}), keys.FromSeed([32]byte{1, 'd'})
	_, net := w.mesh.Network()
	a, err := auth.New(w.state).AcceptTokens(auth.TokenConfig{Service: gateway.Key(), Network: net, Trust: openTrust{root.Key()}, Replays: w.state})
	must(t, err)
	w.handler, err = rest.New(w.service, a, http.NotFoundHandler(), rest.Config{})
	must(t, err)
	end := w.clock.Now().Unix() + 60
	token := func(part, can string) string {
		raw, err := v0.Build(v0.Draft{Audience: gateway.Key().String(), Expires: &end, Nonce: part + can,
			Caps: []v0.Cap{{With: "mesh://" + net.String() + "/commons" + part, Can: can, Caveats: []map[string]any{{}}}}}, root, nil)
		must(t, err)
		return raw
	}
	ada, _ := w.register("ada", 'a')
	id, err := change.ParseAgentID(ada)
	must(t, err)
	by, err := w.mesh.Agent(t.Context(), id)
	must(t, err)
	planted := w.planted(by, "A text that only readers of the commons are shown in full.")
	e := planted.ID.Text(change.PrefixEntry)
	shown := func(key string) bool {
		r := w.do(apiCall{method: "GET", path: "/api/mesh/entry/" + e, key: key})
		if r.StatusCode != 200 || r.Header.Get("X-Auth-Warning") != "" {
			t.Fatalf("%d %s %v", r.StatusCode, r.raw, r.Header)
		}
		return strings.Contains(string(r.raw), "only readers of the commons")
	}
	for _, c := range []struct {
		what, key string
		want      bool
	}{
		{"nobody", "", false}, {"the commons", token("", ucan.EntryRead), true}, {"its domain", token("/"+planted.Body.Domain, ucan.EntryRead), true},
		{"another domain", token("/elsewhere", ucan.EntryRead), false}, {"another ability", token("", ucan.EntryPut), false},
	} {
		if got := shown(c.key); got != c.want {
			t.Errorf("%s shows the text: %v", c.what, got)
		}
	}
}

// TestRoleTokensActInTheirTeam: a role token of an older system does on its team what a
// member with this role may do, as the agent that it names, and without one it reads.
func TestRoleTokensActInTheirTeam(t *testing.T) {
	t.Parallel()
	w := newRefusalWorld(t)
	made := w.private()
	team := "/api/mesh/team/" + made.team
	w.by(w.keys["bo"], "POST", team+"/members", fields{"action": "set_role", "agent_id": w.ids["ada"], "role": "member"}, 200, "")
	task := fields{"tasks": []fields{{"title": "Polish the " + privateWord}}}

	reader := w.roleToken("someone-of-old", "member", made.team, nil)
	if r := w.by(reader, "GET", team+"/board", nil, 200, ""); !strings.Contains(string(r.raw), privateWord) {
		t.Errorf("a role without an agent reads %.200s", r.raw)
	}
	w.by(reader, "POST", team+"/board", task, 403, "capability_denied")

	member := w.roleToken(w.ids["ada"], "member", made.team, nil)
	r := w.by(member, "POST", team+"/board", task, 201, "")
	if !strings.Contains(string(r.raw), w.ids["ada"]) {
		t.Errorf("a member writes as %.300s", r.raw)
	}
	w.by(w.roleToken(w.ids["ada"], "viewer", made.team, nil), "POST", team+"/board", task, 403, "capability_denied")
	w.by(w.roleToken(w.ids["dee"], "member", made.team, nil), "POST", team+"/board", task, 403, "not_a_member")
	w.by(member, "PATCH", team, fields{"description": "Ours now."}, 403, "capability_denied")
	w.by(member, "GET", "/api/mesh/me", nil, 403, "capability_denied")
	w.by(w.roleToken(w.ids["ada"], "member", "", nil), "GET", team+"/board", nil, 403, "capability_denied")
	other := w.found("ada", fields{"name": "Elsewhere", "visibility": "private"})
	w.by(member, "GET", other+"/board", nil, 403, "capability_denied")
	// Whom the issuer calls so administers the gateway.
	w.by(member, "GET", "/api/admin/agents", nil, 404, "not_found")
	w.by(w.roleToken("root-of-old", "owner", "", jwt.MapClaims{"platform_admin": true}), "GET", "/api/admin/agents", nil, 200, "")
}
