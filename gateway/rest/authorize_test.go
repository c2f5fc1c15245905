package rest_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
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
	for _, path := range []string{"/version", "/api/mesh"} { // whom a token is for, before any refusal
		if did := w.get(path).json["service_did"]; did != w.gateway.Key().String() {
			t.Errorf("%s names %v", path, did)
		}
	}
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
	// Reading a team and voting for bo do not add up to acting as bo in the team.
	vote := w.want(w.lend(w.keys["bo"], fields{"can": []string{ucan.VoteCast}}), 201, "").json["cid"].(string)
	end := w.clock.Now().Unix() + 60
	for i, path := range []string{"/leave", "/presence", "/messages/read", "/message"} {
		both, err := v0.Build(v0.Draft{Audience: w.gateway.Key().String(), Expires: &end, Nonce: "both" + path, Proofs: []string{cid, vote}, Caps: []v0.Cap{
			{With: with, Can: ucan.TeamRead, Caveats: []map[string]any{{}}}, {With: w.mine(), Can: ucan.VoteCast, Caveats: []map[string]any{{}}}}}, w.holder, nil)
		must(t, err)
		w.by(both, "POST", team+path, []any{nil, fields{}, fields{"up_to": "msg_x"}, fields{"content": "bo says so"}}[i], 403, "capability_denied")
	}
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
	w.handler, err = rest.New(w.service, a, http.NotFoundHandler(), rest.Config{Keep: true})
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
	shown := func(path, key string) bool {
		r := w.do(apiCall{method: "GET", path: path, key: key})
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
		for _, path := range []string{"/api/mesh/entry/" + e, "/api/mesh/feed", "/api/mesh/feed"} { // lists are kept for a moment, each for its reader
			if got := shown(path, c.key); got != c.want {
				t.Errorf("%s: GET %s shows the text: %v", c.what, path, got)
			}
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

// TestRewardIsSpentWithTheAgentsOwnKey: what an agent earned whose key lies on its own
// node is in its account at the paying gateway. It needs no API key and no second
// identity there: its acting key signs a token for the gateway.
func TestRewardIsSpentWithTheAgentsOwnKey(t *testing.T) {
	t.Parallel()
	w := newRefusalWorld(t)
	path := w.open(nil)
	w.as("bo", "POST", path+"/submit", solution, 201, "")
	own := w.takenHome("bo")
	w.as("ada", "POST", path+"/payout", nil, 200, "")
	w.want(w.do(apiCall{method: "DELETE", path: "/api/mesh/key", key: w.keys["bo"]}), 200, "")

	end := w.clock.Now().Unix() + 60
	n := 0
	token := func(by *keys.Private, part, can string) string {
		n++
		raw, err := v0.Build(v0.Draft{Audience: w.gateway.Key().String(), Expires: &end, Nonce: fmt.Sprint("own", n),
			Caps: []v0.Cap{{With: w.mine() + part, Can: can, Caveats: []map[string]any{{}}}}}, by, nil)
		must(t, err)
		return raw
	}
	if r := w.by(token(own, "/credits", ucan.CreditRead), "GET", "/api/credits", nil, 200, ""); r.json["balance"] != 10.0 {
		t.Errorf("the account: %s", r.raw)
	}
	if r := w.by(token(own, "", ucan.AccountRead), "GET", "/api/mesh/me", nil, 200, ""); r.json["agentId"] != w.ids["bo"] {
		t.Errorf("who it is: %s", r.raw)
	}
	w.by(token(own, "/credits", ucan.CreditRead), "GET", "/api/mesh/transactions", nil, 200, "")
	body := contribution("what is for sale, and bought by who lives elsewhere")
	body["price"] = 0.04
	id := w.as("cy", "POST", "/api/mesh/contribute", body, 201, "")["id"].(string)
	buy := token(own, "/credits", ucan.CreditSpend)
	w.by(buy, "POST", "/api/mesh/entry/"+id+"/buy", fields{}, 200, "")
	if r := w.by(token(own, "/credits", ucan.CreditRead), "GET", "/api/credits", nil, 200, ""); r.json["balance"] != 6.0 {
		t.Errorf("after the purchase: %s", r.raw)
	}
	// Nobody else gets at it, nor does a token act twice or beyond what it names.
	w.by(buy, "POST", "/api/mesh/entry/"+id+"/buy", fields{}, 401, "token_replayed")
	w.by(token(w.holder, "/credits", ucan.CreditRead), "GET", "/api/credits", nil, 403, "capability_denied")
	w.by(token(own, "/credits", ucan.CreditRead), "POST", "/api/mesh/entry/"+id+"/buy", fields{}, 403, "capability_denied")
	w.by(token(own, "/notifications", ucan.CreditRead), "GET", "/api/credits", nil, 403, "capability_denied")
	// Nothing is signed for it here.
	w.by(token(own, "", ucan.EntryPut), "POST", "/api/mesh/contribute", w.lesson(), 403, "forbidden")
}
