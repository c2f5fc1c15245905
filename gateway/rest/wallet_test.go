package rest_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"

	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/identity/wallet/siwe"
)

// walletOf is a wallet made of a number.
func walletOf(t testing.TB, n byte) *wallet.Key {
	t.Helper()
	k, err := wallet.KeyFromSecret([32]byte(bytes.Repeat([]byte{n}, 32)))
	must(t, err)
	return k
}

func hexed(sig [wallet.SignatureSize]byte) string { return "0x" + hex.EncodeToString(sig[:]) }

// post sends a JSON body without a key.
func (w *world) post(path string, body map[string]any) reply {
	w.t.Helper()
	return w.do(apiCall{method: "POST", path: path, body: encode(w.t, body)})
}

// offered asks for a challenge for a wallet.
func (w *world) offered(path string, k *wallet.Key) (nonce string, challenge map[string]any) {
	w.t.Helper()
	r := w.want(w.post(path, map[string]any{"wallet_address": k.Address().String()}), 200, "")
	return r.json["nonce"].(string), r.json["challenge"].(map[string]any)
}

// The forms in which a wallet signs a challenge.
var forms = map[string]func(k *wallet.Key, p wallet.Purpose, domain string, c map[string]any) string{
	"text": func(k *wallet.Key, _ wallet.Purpose, _ string, c map[string]any) string {
		return hexed(k.SignText(c["text"].(string)))
	},
	"siwe": func(k *wallet.Key, _ wallet.Purpose, _ string, c map[string]any) string {
		return hexed(k.SignText(c["siwe"].(string)))
	},
	"typed": func(k *wallet.Key, p wallet.Purpose, domain string, c map[string]any) string {
		return hexed(k.SignDigest(wallet.NewTypedData(p, domain, c["message"].(map[string]any)["nonce"].(string)).Digest()))
	},
}

// registerWallet opens an agent by one form of proof.
func (w *world) registerWallet(name string, k *wallet.Key, form string) map[string]any {
	w.t.Helper()
	nonce, c := w.offered("/api/mesh/register/challenge", k)
	return w.want(w.post("/api/mesh/register", map[string]any{"name": name, "wallet_address": k.Address().String(), "nonce": nonce,
		"signature": forms[form](k, wallet.Registration, "Mesh", c)}), 201, "").json
}

func TestRegisterByWallet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i, c := range []struct {
		form     string
		portable bool
	}{{"text", true}, {"siwe", true}, {"typed", false}} {
		k := walletOf(t, byte(i+1))
		r := w.registerWallet("agent "+c.form, k, c.form)
		a, held := r["agent"].(map[string]any), r["wallet"].(map[string]any)
		did := "did:pkh:eip155:8453:" + k.Address().String()
		if a["wallet_address"] != k.Address().String() || a["custody"] != "gateway" || a["portable"] != c.portable || encode(t, a["controllers"]) != encode(t, []string{did}) {
			t.Errorf("%s: agent %v", c.form, a)
		}
		if held["source"] != "client" || held["private_key"] != nil || held["portable"] != c.portable || r["recovery"].(map[string]any)["recover"] != "POST /api/mesh/key/recover" {
			t.Errorf("%s: wallet %v", c.form, held)
		}
		if next := encode(t, r["next_actions"]); strings.Contains(next, "identity/bind") == c.portable {
			t.Errorf("%s: next %s", c.form, next)
		}
		agent, err := w.mesh.FindAgent(t.Context(), a["id"].(string))
		must(t, err)
		if (len(agent.Proven) == 1) != c.portable || !slices.Equal(agent.Controllers, []string{did}) {
			t.Errorf("%s: the genesis names %v, proven %v", c.form, agent.Controllers, agent.Proven)
		}
		// Never a second identity, in whatever spelling.
		for _, spelt := range []string{k.Address().String(), strings.ToLower(k.Address().String()), "0x" + strings.ToUpper(k.Address().String()[2:])} {
			w.want(w.post("/api/mesh/register/challenge", map[string]any{"wallet_address": spelt}), 409, "wallet_taken")
		}
	}
}

func TestChallengeOfAWallet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	k := walletOf(t, 1)
	nonce, c := w.offered("/api/mesh/register/challenge", k)
	lines := strings.Split(c["text"].(string), "\n")
	if len(lines) != 7 || lines[0] != "Mesh registration" || lines[2] != "subject: did:pkh:eip155:8453:"+k.Address().String() || lines[3] != "nonce: "+nonce {
		t.Errorf("text %q", lines)
	}
	if encode(t, c["domain"]) != `{"name":"Mesh","version":"1"}` || encode(t, c["message"]) != `{"nonce":"`+nonce+`"}` || c["walletAddress"] != k.Address().String() {
		t.Errorf("challenge %v", c)
	}
	typed := c["typed_data"].(map[string]any)
	if typed["primaryType"] != "Registration" || encode(t, typed["domain"]) != encode(t, c["domain"]) || encode(t, typed["message"]) != encode(t, c["message"]) {
		t.Errorf("typed data %v", typed)
	}
	siwe, err := siwe.Parse(c["siwe"].(string))
	must(t, err)
	if siwe.Domain != "127.0.0.1:8420" || siwe.URI != base || siwe.Nonce != strings.ReplaceAll(nonce, "-", "") || len(siwe.Resources) != 2 || "key: "+siwe.Resources[0] != lines[4] {
		t.Errorf("siwe %+v", siwe)
	}
	for _, address := range []string{
		"0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2a", // wrong checksum
		"0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2",  // short
		"0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2ab",
		"19e7e376e7c213b7e7e7e46cc70a5dd086daff2a",
		"0X19E7E376E7C213B7E7E7E46CC70A5DD086DAFF2A",
		"0xg9e7e376e7c213b7e7e7e46cc70a5dd086daff2a",
		"did:pkh:eip155:8453:0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A",
		strings.Repeat("0", 5000),
	} {
		for _, path := range []string{"/api/mesh/register/challenge", "/api/mesh/key/challenge", "/api/mesh/register", "/api/mesh/key/recover"} {
			r := w.want(w.post(path, map[string]any{"name": "ada", "wallet_address": address, "nonce": "n", "signature": "s"}), 400, "invalid_wallet")
			if strings.Contains(string(r.raw), "00000000000") {
				t.Errorf("the answer repeats the address")
			}
		}
	}
}

// spoilt are signatures that must not pass, made from a good one.
func spoilt(t testing.TB, good string) map[string]string {
	t.Helper()
	raw, err := hex.DecodeString(good[2:])
	must(t, err)
	edit := func(f func(sig []byte) []byte) string { return "0x" + hex.EncodeToString(f(slices.Clone(raw))) }
	var s secp256k1.ModNScalar
	s.SetByteSlice(raw[32:64])
	high := s.Negate().Bytes()
	return map[string]string{
		"high s":     edit(func(sig []byte) []byte { copy(sig[32:64], high[:]); sig[64] ^= 1; return sig }),
		"v 29":       edit(func(sig []byte) []byte { sig[64] = 29; return sig }),
		"v 2":        edit(func(sig []byte) []byte { sig[64] = 2; return sig }),
		"v flipped":  edit(func(sig []byte) []byte { sig[64] = 55 - sig[64]; return sig }),
		"64 bytes":   edit(func(sig []byte) []byte { return sig[:64] }),
		"66 bytes":   edit(func(sig []byte) []byte { return append(sig, 0) }),
		"zero r":     edit(func(sig []byte) []byte { clear(sig[:32]); return sig }),
		"zero s":     edit(func(sig []byte) []byte { clear(sig[32:64]); return sig }),
		"all zero":   edit(func(sig []byte) []byte { clear(sig); return sig }),
		"one bit":    edit(func(sig []byte) []byte { sig[5] ^= 1; return sig }),
		"no hex":     "0x" + strings.Repeat("zz", 65),
		"not hex":    "hello",
		"a novel":    strings.Repeat("00", 5000),
		"eip-6492":   good + strings.Repeat("6492", 16),
		"compact":    edit(func(sig []byte) []byte { return sig[:64] }),
		"in a frame": " " + good,
	}
}

func TestWalletProofsThatFail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	k, other := walletOf(t, 1), walletOf(t, 2)
	try := func(name string, nonce, signature string) {
		t.Helper()
		body := map[string]any{"name": "ada", "wallet_address": k.Address().String(), "nonce": nonce, "signature": signature}
		if r := w.post("/api/mesh/register", body); r.StatusCode != 401 || r.code() != "signature_invalid" {
			t.Errorf("%s: %d %s", name, r.StatusCode, r.raw)
		}
		// Whatever was wrong, the nonce is gone.
		w.want(w.post("/api/mesh/register", body), 400, "nonce_invalid")
	}
	names := 0
	for name := range spoilt(t, hexed(k.SignText("x"))) {
		names++
		nonce, c := w.offered("/api/mesh/register/challenge", k)
		try(name, nonce, spoilt(t, forms["text"](k, wallet.Registration, "", c))[name])
	}
	for name, sign := range map[string]func(nonce string, c map[string]any) string{
		"other wallet":        func(_ string, c map[string]any) string { return forms["text"](other, "", "", c) },
		"other wallet, typed": func(_ string, c map[string]any) string { return forms["typed"](other, wallet.Registration, "Mesh", c) },
		"foreign name":        func(_ string, c map[string]any) string { return forms["typed"](k, wallet.Registration, "Mash", c) },
		"other primary type":  func(_ string, c map[string]any) string { return forms["typed"](k, wallet.Recovery, "Mesh", c) },
		"foreign domain": func(_ string, c map[string]any) string {
			return hexed(k.SignText(strings.Replace(c["siwe"].(string), "127.0.0.1:8420 wants", "evil.example wants", 1)))
		},
		"foreign URI": func(_ string, c map[string]any) string {
			return hexed(k.SignText(strings.Replace(c["siwe"].(string), "URI: "+base, "URI: http://evil.example", 1)))
		},
		"other chain": func(_ string, c map[string]any) string {
			return hexed(k.SignText(strings.Replace(c["siwe"].(string), "Chain ID: 8453", "Chain ID: 1", 1)))
		},
		"longer window": func(_ string, c map[string]any) string {
			return hexed(k.SignText(strings.Replace(c["siwe"].(string), "12:05:00Z", "23:05:00Z", 1)))
		},
		"a line end":   func(_ string, c map[string]any) string { return hexed(k.SignText(c["text"].(string) + "\n")) },
		"another text": func(nonce string, _ map[string]any) string { return hexed(k.SignText(nonce)) },
		"another nonce": func(string, map[string]any) string {
			_, c := w.offered("/api/mesh/register/challenge", k)
			return forms["typed"](k, wallet.Registration, "Mesh", c)
		},
		"bare digest": func(_ string, c map[string]any) string {
			return hexed(k.SignDigest(wallet.Keccak256([]byte(c["text"].(string)))))
		},
	} {
		nonce, c := w.offered("/api/mesh/register/challenge", k)
		try(name, nonce, sign(nonce, c))
		names++
	}
	if len(w.mesh.Dropped) != names {
		t.Errorf("%d acting keys of %d failed proofs were dropped", len(w.mesh.Dropped), names)
	}
	// The other spellings of a good signature do pass: v of 0 and 1, no 0x, base64url.
	for i, spell := range []func(sig [65]byte) string{
		func(sig [65]byte) string { sig[64] -= 27; return hexed(sig) },
		func(sig [65]byte) string { return strings.ToUpper(hexed(sig)[2:]) },
		func(sig [65]byte) string { return base64.RawURLEncoding.EncodeToString(sig[:]) },
	} {
		k := walletOf(t, byte(10+i))
		nonce, c := w.offered("/api/mesh/register/challenge", k)
		w.want(w.post("/api/mesh/register", map[string]any{"name": "spelt " + itoa(i), "wallet_address": strings.ToLower(k.Address().String()), "nonce": nonce,
			"signature": spell(k.SignText(c["text"].(string)))}), 201, "")
	}
}

func TestNonceIsOfOneSubjectPurposeAndTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	k, other := walletOf(t, 1), walletOf(t, 2)
	nonce, c := w.offered("/api/mesh/register/challenge", k)
	sig := forms["text"](k, "", "", c)
	with := func(k *wallet.Key, nonce, sig string) map[string]any {
		return map[string]any{"name": "ada", "wallet_address": k.Address().String(), "nonce": nonce, "signature": sig}
	}
	w.want(w.post("/api/mesh/register", with(other, nonce, forms["text"](other, "", "", c))), 400, "nonce_invalid")
	w.want(w.post("/api/mesh/key/recover", with(k, nonce, sig)), 400, "nonce_invalid")
	w.want(w.post("/api/mesh/register", map[string]any{"name": "ada", "did": servicetest.DID(servicetest.Key(1)).String(), "nonce": nonce, "signature": sig}), 400, "nonce_invalid")
	recovery, rc := w.offered("/api/mesh/key/challenge", k)
	w.want(w.post("/api/mesh/register", with(k, recovery, forms["text"](k, "", "", rc))), 400, "nonce_invalid")
	// None of these used it up.
	w.want(w.post("/api/mesh/register", with(k, nonce, sig)), 201, "")
	w.want(w.post("/api/mesh/register", with(k, nonce, sig)), 400, "nonce_invalid")

	nonce, c = w.offered("/api/mesh/register/challenge", other)
	w.clock.Add(300 * time.Second)
	w.want(w.post("/api/mesh/register", with(other, nonce, forms["text"](other, "", "", c))), 400, "nonce_invalid")

	// It ends when its text says so, which has whole seconds.
	w.clock.Add(700 * time.Millisecond)
	nonce, c = w.offered("/api/mesh/register/challenge", other)
	w.clock.Add(299*time.Second + 300*time.Millisecond)
	w.want(w.post("/api/mesh/register", with(other, nonce, forms["text"](other, "", "", c))), 400, "nonce_invalid")
}

func TestOneNonceHasOneWinner(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	k := walletOf(t, 1)
	nonce, c := w.offered("/api/mesh/register/challenge", k)
	sig := forms["siwe"](k, "", "", c)
	var mu sync.Mutex
	codes := map[string]int{}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			r := w.post("/api/mesh/register", map[string]any{"name": "ada " + itoa(i), "wallet_address": k.Address().String(), "nonce": nonce, "signature": sig})
			mu.Lock()
			defer mu.Unlock()
			codes[r.code()]++
		})
	}
	wg.Wait()
	if codes[""] != 1 || codes["nonce_invalid"] != 7 {
		t.Errorf("codes %v", codes)
	}
}

func TestEveryConfiguredNameIsTaken(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, options{limits: limit.Config{Disabled: true}, domains: []string{"New Mesh", "Mesh"}})
	for i, name := range []string{"New Mesh", "Mesh"} {
		k := walletOf(t, byte(i+1))
		nonce, c := w.offered("/api/mesh/register/challenge", k)
		if encode(t, c["domain"]) != `{"name":"New Mesh","version":"1"}` {
			t.Errorf("offered %v", c["domain"])
		}
		w.want(w.post("/api/mesh/register", map[string]any{"name": "ada " + name, "wallet_address": k.Address().String(), "nonce": nonce,
			"signature": forms["typed"](k, wallet.Registration, name, c)}), 201, "")
	}
}

func TestGeneratedWallet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	body := encode(t, map[string]any{"name": "ada", "generate_wallet": true})
	header := map[string]string{"Idempotency-Key": "once"}
	first := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/register", body: body, header: header}), 201, "")
	held, a := first.json["wallet"].(map[string]any), first.json["agent"].(map[string]any)
	text := held["private_key"].(string)
	raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	must(t, err)
	k, err := wallet.KeyFromSecret([32]byte(raw))
	must(t, err)
	if held["source"] != "generated" || held["address"] != k.Address().String() || a["wallet_address"] != held["address"] || a["portable"] != true {
		t.Errorf("wallet %v, agent %v", held, a)
	}
	// A retry gets the API key again, the private key never; no file contains it.
	again := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/register", body: body, header: header}), 201, "")
	if again.Header.Get("Idempotent-Replayed") != "true" || again.json["agent"].(map[string]any)["api_key"] != a["api_key"] || strings.Contains(string(again.raw), text[2:]) ||
		again.json["wallet"].(map[string]any)["private_key"] != nil {
		t.Errorf("repeated: %s", again.raw)
	}
	files, err := filepath.Glob(filepath.Join(w.dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("files %v, %v", files, err)
	}
	for _, f := range files {
		content, err := os.ReadFile(f)
		must(t, err)
		if bytes.Contains(content, raw) || bytes.Contains(content, []byte(text[2:])) {
			t.Errorf("%s holds the private key", filepath.Base(f))
		}
	}
	// It is a wallet like any other: it recovers the agent.
	nonce, c := w.offered("/api/mesh/key/challenge", k)
	r := w.want(w.post("/api/mesh/key/recover", map[string]any{"wallet_address": k.Address().String(), "nonce": nonce, "signature": forms["text"](k, "", "", c)}), 200, "")
	if r.json["agent"].(map[string]any)["id"] != a["id"] {
		t.Errorf("recovered %s", r.raw)
	}
}

func TestBindMakesAWalletPortable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	k := walletOf(t, 1)
	nonce, c := w.offered("/api/mesh/register/challenge", k)
	a := w.want(w.post("/api/mesh/register", map[string]any{"name": "ada", "wallet_address": k.Address().String(), "nonce": nonce,
		"signature": forms["typed"](k, wallet.Registration, "Mesh", c)}), 201, "").json["agent"].(map[string]any)
	key := a["api_key"].(string)
	bind := func(key, sig string) reply {
		return w.do(apiCall{method: "POST", path: "/api/mesh/identity/bind", key: key, body: encode(t, map[string]any{"signature": sig})})
	}
	w.want(bind("", "x"), 401, "auth_required")
	w.want(bind(key, ""), 400, "missing_field")
	for name, sig := range spoilt(t, forms["text"](k, "", "", c)) {
		if r := bind(key, sig); r.code() != "signature_invalid" {
			t.Errorf("%s: %s", name, r.raw)
		}
	}
	w.want(bind(key, forms["text"](walletOf(t, 2), "", "", c)), 401, "signature_invalid")
	w.want(bind(key, forms["typed"](k, wallet.Registration, "Mesh", c)), 401, "signature_invalid") // names no key
	// The texts are those of the challenge it registered with, also long after.
	w.clock.Add(48 * time.Hour)
	got := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/identity/bind", key: key}), 200, "")
	if got.json["portable"] != false || got.json["challenge"].(map[string]any)["text"] != c["text"] || got.json["challenge"].(map[string]any)["siwe"] != c["siwe"] {
		t.Errorf("got %s", got.raw)
	}
	narrow := w.extraKey(key, "mesh:read")
	w.want(bind(narrow, forms["siwe"](k, "", "", c)), 403, "scope_missing")
	for range 2 { // the second changes nothing
		r := w.want(bind(key, forms["siwe"](k, "", "", c)), 200, "")
		if r.json["portable"] != true || r.json["wallet_address"] != k.Address().String() {
			t.Errorf("bound %s", r.raw)
		}
	}
	if w.mesh.Bound != 1 {
		t.Errorf("%d bindings were written", w.mesh.Bound)
	}
	if got := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/identity/bind", key: key}), 200, ""); got.json["portable"] != true {
		t.Errorf("got %s", got.raw)
	}
	_, bobs := w.register("bob", 9)
	w.want(bind(bobs, forms["text"](k, "", "", c)), 400, "invalid_wallet")
	w.want(w.do(apiCall{method: "GET", path: "/api/mesh/identity/bind", key: bobs}), 400, "invalid_wallet")
}

func TestWalletIsShownWhenItsAgentSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	k := walletOf(t, 1)
	a := w.registerWallet("ada", k, "typed")["agent"].(map[string]any)
	key, path := a["api_key"].(string), "/api/mesh/agent/"+a["id"].(string)
	if me := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/me", key: key}), 200, ""); me.json["wallet"] != k.Address().String() {
		t.Errorf("me %s", me.raw)
	}
	record := func() map[string]any { return w.want(w.get(path), 200, "").json["agent"].(map[string]any) }
	if r := record(); r["walletAddress"] != nil || r["portable"] != false {
		t.Errorf("record %v", r)
	}
	w.want(w.do(apiCall{method: "PATCH", path: "/api/mesh/profile", key: key, body: `{"show_wallet":true}`}), 200, "")
	if r := record(); r["walletAddress"] != k.Address().String() {
		t.Errorf("record %v", r)
	}
	_, bobs := w.register("bob", 2)
	w.want(w.do(apiCall{method: "PATCH", path: "/api/mesh/profile", key: bobs, body: `{"show_wallet":true}`}), 200, "")
	if r := w.want(w.get("/api/mesh/agent/bob"), 200, "").json["agent"].(map[string]any); r["walletAddress"] != nil || r["portable"] != true {
		t.Errorf("record %v", r)
	}
}
