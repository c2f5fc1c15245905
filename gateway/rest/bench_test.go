package rest_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
)

// BenchmarkFeedByCredential reads the feed with an API key and with a capability for
// the commons on a chain of two, by turns, with replies kept as a public gateway does.
func BenchmarkFeedByCredential(b *testing.B) {
	w := newWorldWith(b, options{limits: limit.Config{Disabled: true}})
	root, holder, gateway := keys.FromSeed([32]byte{1, 'o'}), keys.FromSeed([32]byte{1, 'h'}), keys.FromSeed([32]byte{1, 'd'})
	_, net := w.mesh.Network()
	a, err := auth.New(w.state).AcceptTokens(auth.TokenConfig{Service: gateway.Key(), Network: net, Trust: openTrust{root.Key()}, Replays: w.state})
	must(b, err)
	w.handler, err = rest.New(w.service, a, http.NotFoundHandler(), rest.Config{Public: true, Keep: true})
	must(b, err)
	_, key := w.register("Ada", 1)
	for range 20 {
		w.planted(w.mesh.AddAgent("bob"), lesson)
	}
	end := w.clock.Now().Unix() + 3600
	caps := []v0.Cap{{With: "mesh://" + net.String() + "/commons", Can: ucan.EntryRead, Caveats: []map[string]any{{}}}}
	proof, err := v0.Build(v0.Draft{Audience: holder.Key().String(), Expires: &end, Caps: caps, Nonce: "1"}, root, nil)
	must(b, err)
	token, err := v0.Build(v0.Draft{Audience: gateway.Key().String(), Expires: &end, Caps: caps, Nonce: "2", Proofs: []string{ucan.CID(proof)}}, holder, nil)
	must(b, err)
	for _, by := range []struct{ name, key string }{{"key", key}, {"capability", token}, {"key again", key}, {"capability again", token}} {
		b.Run(by.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequest(http.MethodGet, base+"/api/mesh/feed", nil)
				r.Header.Set("Authorization", "Bearer "+by.key)
				r.Header.Set("Ucans", proof)
				rec := httptest.NewRecorder()
				w.handler.ServeHTTP(rec, r)
				if rec.Code != 200 || rec.Header().Get("X-Auth-Warning") != "" {
					b.Fatal(rec.Code, rec.Body)
				}
			}
		})
	}
}
