package gateway_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/meshd/meshd/gateway"
	"github.com/meshd/meshd/gateway/service/servicetest"
)

// signedBy are the headers of a signature by RFC 9421 over a request to an address, as
// a client makes it.
func signedBy(k ed25519.PrivateKey, method, target, key, body, nonce string) []string {
	sum := sha256.Sum256([]byte(body))
	digest := "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
	input := fmt.Sprintf(`("@method" "@target-uri" "content-digest" "authorization");created=%d;nonce=%q;keyid=%q`, servicetest.Start.Unix(), nonce, servicetest.DID(k))
	text := `"@method": ` + method + "\n" + `"@target-uri": ` + target + "\n" + `"content-digest": ` + digest + "\n" +
		`"authorization": Bearer ` + key + "\n" + `"@signature-params": ` + input
	return []string{"Content-Digest", digest, "Signature-Input", "sig1=" + input, "Signature", "sig1=:" + base64.StdEncoding.EncodeToString(ed25519.Sign(k, []byte(text))) + ":"}
}

// registered opens an agent by the proof of a key and returns its API key.
func (w *twins) registered(name string, subject ed25519.PrivateKey) string {
	w.t.Helper()
	did := servicetest.DID(subject).String()
	_, _, c := w.do(0, "POST", "/api/mesh/register/challenge", "", fmt.Sprintf(`{"did":%q}`, did))
	sig := ed25519.Sign(subject, []byte(c["challenge"].(map[string]any)["text"].(string)))
	code, _, r := w.do(0, "POST", "/api/mesh/register", "", fmt.Sprintf(`{"name":%q,"did":%q,"nonce":%q,"signature":%q}`, name, did, c["nonce"],
		base64.RawURLEncoding.EncodeToString(sig)))
	if code != 201 {
		w.t.Fatalf("register: %d %v", code, r)
	}
	return r["agent"].(map[string]any)["api_key"].(string)
}

// TestNoncesAcrossGateways: what was signed once is let through once, by whichever of
// the gateways on one database it comes first, and not again by the other.
func TestNoncesAcrossGateways(t *testing.T) {
	t.Parallel()
	w := newTwins(t, &postgres)
	ada := servicetest.Key(1)
	key := w.registered("Ada", ada)
	const origin = "http://mesh.example.org"
	for i := range 2 {
		body := fmt.Sprintf(`{"label":"k%d","scopes":["mesh:read"]}`, i)
		header := signedBy(ada, "POST", origin+"/api/mesh/keys", key, body, fmt.Sprint("n-", i))
		if code, _, r := w.do(i, "POST", "/api/mesh/keys", key, body, header...); code != 201 {
			t.Fatalf("first at %d: %d %v", i, code, r)
		}
		for j := range 2 {
			if code, _, r := w.do(j, "POST", "/api/mesh/keys", key, body, header...); code != 401 || r["code"] != "signature_invalid" || !strings.Contains(r["error"].(string), "nonce") {
				t.Errorf("of %d again at %d: %d %v", i, j, code, r)
			}
		}
	}
	for n := range 5 {
		header := signedBy(ada, "GET", origin+"/api/mesh/me", key, "", fmt.Sprint("race-", n))
		var wg sync.WaitGroup
		codes := make([]int, 6)
		for i := range codes {
			wg.Go(func() { codes[i], _, _ = w.do(i%2, "GET", "/api/mesh/me", key, "", header...) })
		}
		wg.Wait()
		good := 0
		for _, c := range codes {
			if c == 200 {
				good++
			} else if c != 401 {
				t.Errorf("a status of %d", c)
			}
		}
		if good != 1 {
			t.Errorf("let through %d times at once: %v", good, codes)
		}
	}
	// The nonce of one agent is not that of another.
	bo := servicetest.Key(2)
	other := w.registered("Bo", bo)
	if code, _, r := w.do(1, "GET", "/api/mesh/me", other, "", signedBy(bo, "GET", origin+"/api/mesh/me", other, "", "n-0")...); code != 200 {
		t.Errorf("another agent's nonce: %d %v", code, r)
	}
}

// TestSignaturesThroughAProxy: a proxy ends TLS and speaks plainly to the gateway. What
// a client signs is the address that it used, whatever host the proxy asks for, when the
// gateway knows its public address or trusts the proxy to forward it; nobody else may.
func TestSignaturesThroughAProxy(t *testing.T) {
	t.Parallel()
	ada := servicetest.Key(1)
	for _, c := range []struct {
		name              string
		public, trust     bool // the gateway knows its public address; trusts the proxy
		forwards, rewrite bool // the proxy sends X-Forwarded-Proto and -Host; asks for the gateway's own host
		good              bool
	}{
		{"public address", true, true, false, false, true},
		{"public address, host of its own", true, true, false, true, true},
		{"forwarded by the proxy", false, true, true, false, true},
		{"forwarded by the proxy, host of its own", false, true, true, true, true},
		{"forwarded by who is not trusted", false, false, true, false, false},
		{"forwarded by nobody", false, true, false, false, false},
	} {
		var front *httptest.Server
		address := ""
		if c.public {
			front = httptest.NewUnstartedServer(nil)
			address = "https://" + front.Listener.Addr().String()
		}
		w := newTwinsWith(t, &postgres, func(cfg *gateway.Config) {
			cfg.PublicURL = address
			if c.trust {
				cfg.TrustedProxies = []string{"127.0.0.1/32"}
			}
		})
		back := httptest.NewServer(w.faces[0])
		t.Cleanup(back.Close)
		to, err := url.Parse(back.URL)
		must(t, err)
		proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			if !c.rewrite {
				r.Out.Host = r.In.Host
			}
			if c.forwards {
				r.SetXForwarded()
			}
		}}
		if front == nil {
			front = httptest.NewUnstartedServer(nil)
		}
		front.Config.Handler = proxy
		front.StartTLS()
		t.Cleanup(front.Close)
		key := w.registered("Ada", ada)
		ask := func(target, nonce string, more ...string) (int, map[string]any) {
			t.Helper()
			r, err := http.NewRequestWithContext(t.Context(), "GET", front.URL+"/api/mesh/me", nil)
			must(t, err)
			r.Header.Set("Authorization", "Bearer "+key)
			header := append(signedBy(ada, "GET", target, key, "", nonce), more...)
			for i := 0; i < len(header); i += 2 {
				r.Header.Set(header[i], header[i+1])
			}
			resp, err := front.Client().Do(r)
			must(t, err)
			defer resp.Body.Close()
			var out map[string]any
			must(t, json.NewDecoder(resp.Body).Decode(&out))
			return resp.StatusCode, out
		}
		want := map[bool]int{true: 200, false: 401}[c.good]
		if code, r := ask(front.URL+"/api/mesh/me", "n-1"); code != want {
			t.Errorf("%s: %d %v", c.name, code, r)
		}
		if code, _ := ask(front.URL+"/api/mesh/me", "n-1"); code != 401 {
			t.Errorf("%s: a replay: %d", c.name, code)
		}
		for i, wrong := range []string{"https://mesh.example.net/api/mesh/me", front.URL + "/api/mesh/teams", front.URL + "/api/mesh/me?x=1"} {
			if code, _ := ask(wrong, fmt.Sprint("w-", i)); code != 401 {
				t.Errorf("%s: signed for %s: %d", c.name, wrong, code)
			}
		}
	}
}
