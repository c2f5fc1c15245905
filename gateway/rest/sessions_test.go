package rest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
)

// sessionWorld is a refusalWorld for tokens beside the log.
type sessionWorld struct {
	*refusalWorld
	rand  constant
	space string // ada's
}

func newSessionWorld(t *testing.T) *sessionWorld {
	w := &sessionWorld{refusalWorld: newRefusalWorld(t)}
	id, err := change.ParseAgentID(w.ids["ada"])
	must(t, err)
	w.space = id.Space().Resource(w.network)
	return w
}

const capsPath = "/api/mesh/capabilities"

// lent is a 1.0 delegation of ada to the holder.
func (w *sessionWorld) lent(more fields) (token, cid string) {
	w.t.Helper()
	with := fields{"format": "ucan-1.0"}
	for k, v := range more {
		with[k] = v
	}
	r := w.want(w.lend(w.keys["ada"], with), 201, "")
	return r.json["token"].(string), r.json["cid"].(string)
}

// chain are the delegations of a container.
func (w *sessionWorld) chain(token string) []*v1.Delegation {
	w.t.Helper()
	b, err := v1.Read([]byte(token), nil)
	must(w.t, err)
	chain, err := b.Chain()
	must(w.t, err)
	return chain
}

// invoked is an act of the holder on delegations, leaf first.
func (w *sessionWorld) invoked(chain []*v1.Delegation, command, resource string) string {
	w.t.Helper()
	end := w.clock.Now().Unix() + 60
	act := v1.Act{Audience: w.gateway.Key(), Subject: chain[len(chain)-1].Subject, Command: command, Args: map[string]any{"resource": resource}, Expires: &end}
	var sealed [][]byte
	for _, d := range chain {
		act.Proofs, sealed = append(act.Proofs, d.CID), append(sealed, d.Sealed)
	}
	inv, err := v1.Invoke(w.holder, act, &w.rand)
	must(w.t, err)
	text, err := v1.PackBearer(append(sealed, inv.Sealed)...)
	must(w.t, err)
	return text
}

// contributes writes as ada with a credential.
func (w *sessionWorld) contributes(credential string, status int, code string) {
	w.t.Helper()
	w.by(credential, "POST", "/api/mesh/contribute", w.lesson(), status, code)
}

// acts writes as ada by a delegation.
func (w *sessionWorld) acts(token string, status int, code string) {
	w.t.Helper()
	w.contributes(w.invoked(w.chain(token), "/entry/put", w.space), status, code)
}

// reopen is the gateway after a restart: another authenticator and face over the same
// state.
func (w *sessionWorld) reopen() {
	w.t.Helper()
	who, err := auth.New(w.world.state).AcceptTokens(auth.TokenConfig{Service: w.gateway.Key(), Network: w.network, Trust: w.node, Replays: w.world.state})
	must(w.t, err)
	m, err := mcp.New(w.service, mcp.Config{Version: "1.2.3"})
	must(w.t, err)
	w.handler, err = rest.New(w.service, who, m, rest.Config{})
	must(w.t, err)
}

// listed is the record of a capability as its issuer sees it.
func (w *sessionWorld) record(cid string) map[string]any {
	w.t.Helper()
	for _, x := range w.by(w.keys["ada"], "GET", capsPath, nil, 200, "").json["issued"].([]any) {
		if x := x.(map[string]any); x["cid"] == cid {
			return x
		}
	}
	w.t.Fatalf("%s is not listed", cid)
	return nil
}

// TestDelegationOfV1OpensASession: a 1.0 delegation is issued, invoked by its holder and
// opens what it names and nothing else; it is listed, verified, and refused once revoked.
func TestDelegationOfV1OpensASession(t *testing.T) {
	t.Parallel()
	w := newSessionWorld(t)
	token, cid := w.lent(nil)
	w.acts(token, 201, "")
	once := w.invoked(w.chain(token), "/entry/put", w.space)
	w.contributes(once, 201, "")
	w.contributes(once, 401, "token_replayed")
	w.contributes(w.invoked(w.chain(token), "/entry/retract", w.space), 403, "attenuation_violation")
	w.contributes(w.invoked(w.chain(token), "/entry/put", "mesh://"+w.network.String()+"/agent/x"), 403, "attenuation_violation")
	w.by(token, "POST", "/api/mesh/contribute", w.lesson(), 401, "invalid_token") // nobody invokes it

	// Delegated, it reaches as far as what it rests on.
	next, err := v1.Delegate(w.holder, v1.Grant{Audience: w.holder.Key(), Subject: w.chain(token)[0].Subject, Command: "/entry"}, &w.rand)
	must(t, err)
	w.contributes(w.invoked([]*v1.Delegation{next, w.chain(token)[0]}, "/entry/put", w.space), 403, "attenuation_violation")

	for name, c := range map[string]struct {
		with   fields
		status int
		code   string
	}{
		"a role":               {fields{"role": "member", "can": nil}, 400, "invalid_param"},
		"two abilities":        {fields{"can": []string{"entry/put", "vote/cast"}}, 400, "invalid_param"},
		"no ability":           {fields{"can": []string{"nobody/knows"}}, 400, "invalid_param"},
		"renewed":              {fields{"renew": true}, 400, "invalid_param"},
		"another's space":      {fields{"with": "mesh://" + w.network.String() + "/agent/" + strings.TrimPrefix(w.ids["bo"], "agt_")}, 403, "capability_denied"},
		"for ever":             {fields{"expires_in": 31 * 86400}, 422, "validation_failed"},
		"a caveat of its own":  {fields{"nb": fields{"max": 1.5}}, 422, "unsupported_construct"},
		"a caveat that it has": {fields{"nb": fields{"domain": "go"}}, 201, ""},
	} {
		with := fields{"format": "ucan-1.0"}
		for k, v := range c.with {
			with[k] = v
		}
		if r := w.lend(w.keys["ada"], with); r.StatusCode != c.status || c.code != "" && r.code() != c.code {
			t.Errorf("%s: %d %s", name, r.StatusCode, r.raw)
		}
	}

	if r := w.record(cid); r["format"] != "ucan-1.0" || r["state"] != "active" || r["change_id"] != nil || r["token"] != token || r["key_id"] == nil ||
		fmt.Sprint(r["capabilities"]) != fmt.Sprintf("[map[can:entry/put nb:[map[]] with:%s]]", w.space) {
		t.Errorf("listed as %v", r)
	}
	verdict := func(more fields) string {
		body := fields{"token": token}
		for k, v := range more {
			body[k] = v
		}
		r := w.by("", "POST", capsPath+"/verify", body, 200, "").json
		return fmt.Sprint(r["allowed"], r["reason"], r["errors"])
	}
	for _, c := range []struct {
		with fields
		want string
	}{
		{fields{}, "true<nil>[]"},
		{fields{"action": "entry/put", "resource": w.space}, "true<nil>[]"},
		{fields{"action": "entry/put"}, "falsecapability_denied[]"},
		{fields{"action": "entry/retract", "resource": w.space}, "falsecapability_denied[]"},
		{fields{"action": "entry/put", "resource": "mesh://x/agent/y"}, "falsecapability_denied[]"},
		{fields{"token": w.invoked(w.chain(token), "/entry/put", w.space), "action": "entry/put", "resource": w.space}, "true<nil>[]"},
		{fields{"token": w.invoked(w.chain(token), "/entry/put", w.space), "action": "vote/cast", "resource": w.space}, "falsecapability_denied[]"},
		{fields{"token": w.invoked(w.chain(token), "/vote/cast", w.space)}, "falseinvalidDelegation[invalidDelegation]"},
		{fields{"token": "Cnonsense"}, "falseincorrectType[incorrectType]"},
	} {
		if got := strings.ReplaceAll(verdict(c.with), " ", ""); got != c.want {
			t.Errorf("%v: %s", c.with, got)
		}
	}
	w.by(w.keys["bo"], "POST", capsPath+"/"+cid+"/revoke", fields{}, 403, "capability_missing")
	r := w.by(w.keys["ada"], "POST", capsPath+"/"+cid+"/revoke", fields{}, 200, "").json
	if r["cid"] != cid || r["change_id"] != nil || r["revocation"].(map[string]any)["container"] == nil {
		t.Errorf("revoked: %v", r)
	}
	w.acts(token, 401, "key_revoked")
	w.reopen()
	w.acts(token, 401, "key_revoked")
	if got := w.record(cid)["state"]; got != "revoked" {
		t.Errorf("listed as %v", got)
	}
	if got := strings.ReplaceAll(verdict(nil), " ", ""); got != "falserevoked[revoked]" {
		t.Error(got)
	}
}

// TestLentTokensEndWithTheirKey: what an API key lends gives no more than its scopes, and
// ends with it.
func TestLentTokensEndWithTheirKey(t *testing.T) {
	t.Parallel()
	w := newSessionWorld(t)
	made := w.by(w.keys["ada"], "POST", "/api/mesh/keys", fields{"label": "lends", "scopes": []string{"keys", "mesh:write"}}, 201, "").json
	id, key := "", made["api_key"].(string)
	for _, x := range w.by(key, "GET", "/api/mesh/keys", nil, 200, "").json["keys"].([]any) {
		if x := x.(map[string]any); fmt.Sprint(x["scopes"]) == "[keys mesh:write]" || fmt.Sprint(x["scopes"]) == "[mesh:write keys]" {
			id = x["id"].(string)
		}
	}
	w.want(w.lend(key, fields{"format": "ucan-1.0", "can": []string{"bounty/act"}}), 403, "scope_missing")
	r := w.want(w.lend(key, fields{"format": "ucan-1.0"}), 201, "")
	token, cid := r.json["token"].(string), r.json["cid"].(string)
	w.acts(token, 201, "")
	if got := w.record(cid)["key_id"]; got != id {
		t.Errorf("issued by %v, not %s", got, id)
	}
	ended := w.by(w.keys["ada"], "DELETE", "/api/mesh/keys/"+id, nil, 200, "").json
	if !strings.Contains(fmt.Sprint(ended), cid) {
		t.Errorf("ended: %v", ended)
	}
	w.acts(token, 401, "key_revoked")
}

// reissued says a token in the other version.
func (w *sessionWorld) reissued(who, token string, status int, code string) reply {
	w.t.Helper()
	return w.by(w.keys[who], "POST", capsPath+"/reissue", fields{"token": token}, status, code)
}

// TestCapabilitiesAreReissued: a capability is said in the other version, in both
// directions, by who issued it, no wider and no longer; and ends with its source.
func TestCapabilitiesAreReissued(t *testing.T) {
	t.Parallel()
	w := newSessionWorld(t)
	old := w.want(w.lend(w.keys["ada"], fields{"can": []string{"entry/put", "vote/cast"}}), 201, "").json
	cid := old["cid"].(string)
	r := w.reissued("ada", cid, 201, "").json
	tokens := r["tokens"].([]any)
	if r["source"] != cid || r["format"] != "ucan-1.0" || len(tokens) != 2 {
		t.Fatalf("%v", r)
	}
	var put, putCID string
	for _, x := range tokens {
		x := x.(map[string]any)
		if x["exp"] != old["exp"] {
			t.Errorf("it ends at %v, its source at %v", x["exp"], old["exp"])
		}
		if d := w.chain(x["token"].(string))[0]; d.Command == "/entry/put" {
			put, putCID = x["token"].(string), d.CID
		}
	}
	w.acts(put, 201, "")
	w.contributes(w.invoked(w.chain(put), "/vote/cast", w.space), 403, "attenuation_violation")
	if got := w.record(putCID); got["source"] != cid || got["state"] != "active" {
		t.Errorf("listed as %v", got)
	}

	// And back, for a 1.0 delegation that did not come of 0.10.
	token, from := w.lent(fields{"nb": fields{"domain": "go"}})
	back := w.reissued("ada", token, 201, "").json
	raw := back["tokens"].([]any)[0].(map[string]any)["token"].(string)
	got, findings := v0.Parse(raw)
	if len(findings) != 0 || back["format"] != "ucan-0.10" || back["source"] != from || got.Facts["source"] != from || len(got.Proofs) != 0 ||
		fmt.Sprint(got.Caps) != fmt.Sprintf("[{%s entry/put [map[domain:go]]}]", w.space) {
		t.Errorf("%v, %v, %v", back, got, findings)
	}
	free, _ := w.lent(nil)
	raw = w.reissued("ada", free, 201, "").json["tokens"].([]any)[0].(map[string]any)["token"].(string)
	act := func(status int, code string) {
		t.Helper()
		w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: w.bearer(ucan.CID(raw), "entry/put", w.space), body: encode(t, w.lesson()), header: map[string]string{"ucans": raw}}), status, code)
	}
	act(201, "")

	// What is refused.
	w.reissued("bo", cid, 403, "capability_missing")
	w.reissued("bo", token, 403, "capability_missing")
	w.reissued("ada", ucan.CID("nothing"), 404, "not_found")
	w.reissued("ada", "Cnonsense", 401, "invalid_token")
	w.reissued("ada", w.invoked(w.chain(token), "/entry/put", w.space), 401, "invalid_token")
	nested := w.want(w.lend(w.keys["ada"], fields{"nb": fields{"area": fields{"a": "b"}}}), 201, "").json["cid"].(string)
	w.reissued("ada", nested, 422, "unsupported_construct")

	// The source takes what was made from it with it.
	ended := w.by(w.keys["ada"], "POST", capsPath+"/"+cid+"/revoke", fields{}, 200, "").json
	if list := ended["reissued"].([]any); len(list) != 2 || !slices.Contains(list, any(putCID)) {
		t.Errorf("ended with it: %v", list)
	}
	w.acts(put, 401, "key_revoked")
	w.reissued("ada", cid, 401, "key_revoked")
	w.by(w.keys["ada"], "POST", capsPath+"/"+w.chain(free)[0].CID+"/revoke", fields{}, 200, "")
	act(401, "key_revoked")
}

// TestRevocationsAreShown: the record of 0.10 and the invocation of 1.x, by an issuer or
// one above it, end a token at this gateway for good, after a restart too; all others are
// refused with their codes.
func TestRevocationsAreShown(t *testing.T) {
	t.Parallel()
	w := newSessionWorld(t)
	show := func(body fields, status int, code string) reply {
		t.Helper()
		return w.by("", "POST", capsPath+"/revocations", body, status, code)
	}
	record := func(by keys.Signer, cid string) json.RawMessage {
		t.Helper()
		r, err := ucan.Revoke(by, cid)
		must(t, err)
		data, err := json.Marshal(r)
		must(t, err)
		return data
	}
	end := w.clock.Now().Unix() + 600
	// The holder delegates what ada gave it, to a friend, who is unknown here.
	friend := keys.FromSeed([32]byte{1, 'f'})
	root := w.want(w.lend(w.keys["ada"], nil), 201, "").json["cid"].(string)
	below := func(nonce string) string {
		t.Helper()
		raw, err := v0.Build(v0.Draft{Audience: friend.Key().String(), Expires: &end, Nonce: nonce, Proofs: []string{root},
			Caps: []v0.Cap{{With: w.space, Can: "entry/put", Caveats: []map[string]any{{}}}}}, w.holder, nil)
		must(t, err)
		return raw
	}
	nonces := 0
	act := func(on string, status int, code string) {
		t.Helper()
		nonces++
		end := w.clock.Now().Unix() + 60
		raw, err := v0.Build(v0.Draft{Audience: w.gateway.Key().String(), Expires: &end, Nonce: fmt.Sprint("friend", nonces), Proofs: []string{ucan.CID(on)},
			Caps: []v0.Cap{{With: w.space, Can: "entry/put", Caveats: []map[string]any{{}}}}}, friend, nil)
		must(t, err)
		w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: raw, body: encode(t, w.lesson()), header: map[string]string{"ucans": on}}), status, code)
	}
	one, two := below("1"), below("2")
	act(one, 201, "")

	forged := strings.Replace(string(record(w.holder, ucan.CID(one))), ucan.CID(one), ucan.CID(two), 1)
	for name, c := range map[string]struct {
		body   fields
		status int
		code   string
	}{
		"nothing":         {fields{}, 400, "missing_field"},
		"both":            {fields{"record": record(w.holder, ucan.CID(one)), "container": "C"}, 400, "invalid_param"},
		"no record":       {fields{"record": fields{"iss": "x"}}, 400, "invalid_param"},
		"forged":          {fields{"record": json.RawMessage(forged), "token": two}, 401, "signature_invalid"},
		"by a stranger":   {fields{"record": record(friend, ucan.CID(one)), "token": one}, 403, "capability_missing"},
		"another token":   {fields{"record": record(w.holder, ucan.CID(one)), "token": two}, 400, "invalid_param"},
		"an unknown one":  {fields{"record": record(w.holder, ucan.CID(one))}, 404, "not_found"},
		"no container":    {fields{"container": "Cnonsense"}, 401, "invalid_token"},
		"nobody's rights": {fields{"record": record(friend, ucan.CID(ownToken(t, w, friend, end))), "token": ownToken(t, w, friend, end)}, 403, "capability_denied"},
	} {
		if r := w.do(apiCall{method: "POST", path: capsPath + "/revocations", body: encode(t, c.body)}); r.StatusCode != c.status || r.code() != c.code {
			t.Errorf("%s: %d %s", name, r.StatusCode, r.raw)
		}
	}
	act(one, 201, "")

	// By its issuer, and once.
	if r := show(fields{"record": record(w.holder, ucan.CID(one)), "token": one}, 200, "").json; r["issuer"] != w.holder.Key().String() || r["cid"] != ucan.CID(one) {
		t.Errorf("%v", r)
	}
	show(fields{"record": record(w.holder, ucan.CID(one)), "token": one}, 401, "token_replayed")
	act(one, 401, "key_revoked")
	act(two, 201, "")

	// By who stands above it: ada, whose key lies in this node and signs by the API.
	above := w.by(w.keys["ada"], "POST", capsPath+"/"+root+"/revoke", fields{}, 200, "").json["revocation"].(map[string]any)
	show(fields{"record": above["record"]}, 401, "token_replayed")
	act(two, 401, "key_revoked")
	w.reopen()
	act(one, 401, "key_revoked")

	// Of 1.x: by the issuer of a link, by the subject of all of them, by nobody else.
	token, cid := w.lent(nil)
	link := func() *v1.Delegation {
		t.Helper()
		d, err := v1.Delegate(w.holder, v1.Grant{Audience: w.holder.Key(), Subject: w.chain(token)[0].Subject, Command: "/entry/put", Expires: &end}, &w.rand)
		must(t, err)
		return d
	}
	on := func(d *v1.Delegation, status int, code string) {
		t.Helper()
		w.contributes(w.invoked([]*v1.Delegation{d, w.chain(token)[0]}, "/entry/put", w.space), status, code)
	}
	revoke := func(by keys.Signer, d *v1.Delegation) fields {
		t.Helper()
		inv, err := v1.Invoke(by, v1.Act{Command: v1.RevokeCommand, Args: map[string]any{"ucan": v1.Link(d.CID)}}, &w.rand)
		must(t, err)
		text, err := v1.PackBearer(inv.Sealed, d.Sealed)
		must(t, err)
		return fields{"container": text}
	}
	a, b := link(), link()
	on(a, 201, "")
	show(revoke(friend, a), 403, "capability_missing")
	on(a, 201, "")
	show(revoke(w.holder, a), 200, "")
	show(revoke(w.holder, a), 401, "token_replayed")
	on(a, 401, "key_revoked")
	on(b, 201, "")
	elsewhere, err := v1.Delegate(friend, v1.Grant{Audience: w.holder.Key(), Command: "/entry/put", Expires: &end}, &w.rand)
	must(t, err)
	show(revoke(friend, elsewhere), 403, "capability_denied")
	past := w.clock.Now().Unix() - 1
	late, err := v1.Delegate(w.holder, v1.Grant{Audience: w.holder.Key(), Subject: w.chain(token)[0].Subject, Command: "/entry/put", Expires: &past}, &w.rand)
	must(t, err)
	show(revoke(w.holder, late), 401, "token_expired")
	// A record of 0.10 says nothing of a token of 1.x.
	show(fields{"record": record(w.holder, cid)}, 400, "invalid_param")
	shown := w.by(w.keys["ada"], "POST", capsPath+"/"+cid+"/revoke", fields{}, 200, "").json["revocation"].(map[string]any)
	show(fields{"container": shown["container"]}, 401, "token_replayed")
	on(b, 401, "key_revoked")
	w.reopen()
	on(a, 401, "key_revoked")
}

// ownToken is what somebody originates who owns nothing.
func ownToken(t *testing.T, w *sessionWorld, by keys.Signer, end int64) string {
	t.Helper()
	raw, err := v0.Build(v0.Draft{Audience: w.holder.Key().String(), Expires: &end, Nonce: "own",
		Caps: []v0.Cap{{With: w.space, Can: "entry/put", Caveats: []map[string]any{{}}}}}, by, nil)
	must(t, err)
	return raw
}

// TestIdsInResourcesWithTheirPrefix: agt_ and gld_ may stand before the ids in resources
// wherever a person writes one; what is signed is without.
func TestIdsInResourcesWithTheirPrefix(t *testing.T) {
	t.Parallel()
	w := newSessionWorld(t)
	agent := "mesh://" + w.network.String() + "/agent/" + w.ids["ada"]
	for _, format := range []string{"ucan-0.10", "ucan-1.0"} {
		for _, part := range []string{"", "/credits"} {
			r := w.want(w.lend(w.keys["ada"], fields{"format": format, "with": agent + part}), 201, "").json
			with := fmt.Sprint(w.record(r["cid"].(string))["capabilities"])
			if !strings.Contains(with, "with:"+w.space+part+"]") {
				t.Errorf("%s: %s is signed as %s", format, agent+part, with)
			}
			for _, as := range []string{agent + part, w.space + part} {
				if v := w.by("", "POST", capsPath+"/verify", fields{"token": r["token"], "action": "entry/put", "resource": as}, 200, "").json; v["allowed"] != true {
					t.Errorf("%s: of %s is said %v", format, as, v)
				}
			}
		}
	}
	team := w.found("bo", fields{"name": "Prefixed", "visibility": "private"})
	id := team[strings.LastIndex(team, "/")+1:]
	for _, area := range []string{"guild", "team"} {
		r := w.lend(w.keys["bo"], fields{"with": "mesh://" + w.network.String() + "/" + area + "/" + id, "can": []string{"entry/put"}})
		if got := string(w.want(r, 201, "").raw); got == "" {
			t.Error(area)
		}
	}
	w.want(w.lend(w.keys["ada"], fields{"with": "mesh://" + w.network.String() + "/guild/" + w.ids["ada"]}), 400, "invalid_param")
}
