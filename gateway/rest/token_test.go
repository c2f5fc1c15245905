package rest_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
)

// openTrust lets one key own everything.
type openTrust struct{ owner did.Key }

func (o openTrust) OwnsResource(issuer did.DID, _ string) bool { return issuer == did.OfKey(o.owner) }
func (openTrust) SameParty(audience, issuer string) bool       { return audience == issuer }
func (openTrust) RevokedToken(string) bool                     { return false }
func (openTrust) TokenOf(string) (string, bool)                { return "", false }

func TestTokensAtTheHTTPFace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pair := func(letter string) *keys.Private {
		return keys.FromSeed([keys.SeedSize]byte([]byte(strings.Repeat(letter, keys.SeedSize))))
	}
	owner, holder, gateway := pair("o"), pair("h"), pair("d")
	a, err := auth.New(w.state).AcceptTokens(auth.TokenConfig{
		Service: gateway.Key(), Network: change.NetID{1}, Trust: openTrust{owner.Key()}, Replays: w.state,
	})
	must(t, err)
	w.handler, err = rest.New(w.service, a, http.NotFoundHandler(), rest.Config{})
	must(t, err)

	end := w.clock.Now().Unix() + 60
	caps := []v0.Cap{{With: "mesh://x/guild/a", Can: "entry/put", Caveats: []map[string]any{{}}}}
	root, err := v0.Build(v0.Draft{Audience: holder.Key().String(), Expires: &end, Caps: caps, Nonce: "1"}, owner, nil)
	must(t, err)
	draft := v0.Draft{Audience: gateway.Key().String(), Expires: &end, Caps: caps, Nonce: "2", Proofs: []string{ucan.CID(root)}}
	act, err := v0.Build(draft, holder, nil)
	must(t, err)
	past := end - 61
	draft.Expires = &past
	late, err := v0.Build(draft, holder, nil)
	must(t, err)

	// A proof that was not sent: asked for by name, on every protected route.
	r := w.do(apiCall{method: "GET", path: "/api/mesh/keys", key: act})
	prf, _ := r.json["prf"].([]any)
	if r.StatusCode != http.StatusNotExtended || r.code() != "proof_missing" || len(prf) != 1 || prf[0] != ucan.CID(root) ||
		r.Header.Get("ucan-cache-expiry") != strconv.FormatInt(w.clock.Now().Unix(), 10) {
		t.Errorf("%d %v %v", r.StatusCode, r.json, r.Header)
	}
	// With it: known, and refused where only keys are accepted.
	with := map[string]string{"ucans": root}
	if r := w.do(apiCall{method: "GET", path: "/api/mesh/keys", key: act, header: with}); r.StatusCode != http.StatusForbidden || r.code() != "capability_denied" || r.json["prf"] != nil {
		t.Errorf("%d %v", r.StatusCode, r.json)
	}
	if r := w.do(apiCall{method: "GET", path: "/api/mesh/keys", key: late, header: with}); r.StatusCode != http.StatusUnauthorized || r.code() != "token_expired" ||
		!strings.Contains(r.Header.Get("WWW-Authenticate"), "token_expired") {
		t.Errorf("%d %v", r.StatusCode, r.json)
	}
	// On a public route an invalid token is only a warning.
	if r := w.do(apiCall{method: "GET", path: "/api/mesh/feed", key: act}); r.StatusCode != http.StatusOK || r.Header.Get("X-Auth-Warning") != "proof_missing" {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
	if r := w.do(apiCall{method: "GET", path: "/api/mesh/feed", key: act, header: with}); r.StatusCode != http.StatusOK || r.Header.Get("X-Auth-Warning") != "" {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
}
