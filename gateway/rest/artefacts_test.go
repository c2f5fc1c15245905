package rest_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/identity/attest"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/passport"
	"github.com/meshd/meshd/identity/passport/agentcard"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/node/view"
)

// noPages is the document engine of a node whose agents write no pages.
type noPages struct{}

func (noPages) Materialise(context.Context, [][]byte) (doc.State, error) {
	return doc.State{}, errors.New("no documents here")
}
func (noPages) Edit(context.Context, doc.EditRequest) ([]byte, error) {
	return nil, errors.New("no documents here")
}
func (noPages) Close() error { return nil }

// openNode is a whole node alone in a small network, with its log in memory.
func openNode(t *testing.T) *node.Node {
	t.Helper()
	home, err := store.Open(t.TempDir(), store.Options{Command: "test"})
	must(t, err)
	cfg := config.Default()
	cfg.P2P.Loopback, cfg.P2P.MDNS, cfg.P2P.PortMapping, cfg.P2P.Listen = true, false, false, []string{"/ip4/127.0.0.1/tcp/0"}
	cfg.Network.File = home.Path("network")
	text, err := change.NetworkFile{Genesis: change.Genesis{Name: "test", Shards: 1, Start: 1767225600000}}.Encode()
	must(t, err)
	must(t, os.WriteFile(cfg.Network.File, []byte(text), 0o600))
	n, err := node.Open(t.Context(), core.Options{Home: home, Config: cfg, Version: "1.2.3", Engine: crdtlog.NewMemory(), Documents: noPages{}})
	must(t, err)
	t.Cleanup(func() { must(t, errors.Join(n.Close(), home.Close())) })
	return n
}

// overNode is the HTTP face of a whole node under an address.
func overNode(t *testing.T, n *node.Node, address string) *world {
	t.Helper()
	return overNodeWith(t, n, service.Config{Version: "1.2.3", Tools: mcp.Tools(), BaseURL: func() string { return address },
		NetworkFile: func() (string, error) { return "mesh-net:testnet", nil }})
}

// overNodeWith is overNode as cfg says.
func overNodeWith(t *testing.T, n *node.Node, cfg service.Config) *world {
	t.Helper()
	return facing(t, n, cfg, rest.Config{})
}

// facing is overNodeWith with a face as hcfg says.
func facing(t *testing.T, n *node.Node, cfg service.Config, hcfg rest.Config) *world {
	t.Helper()
	w := &world{t: t, state: servicetest.OpenState(t)}
	cursors, err := cursor.New(bytes.Repeat([]byte{3}, 32))
	must(t, err)
	limits, err := limit.New(limit.Config{Disabled: true})
	must(t, err)
	w.service, err = service.New(n, w.state, cursors, limits, cfg)
	must(t, err)
	m, err := mcp.New(w.service, mcp.Config{Version: "1.2.3"})
	must(t, err)
	w.handler, err = rest.New(w.service, auth.New(w.state), m, hcfg)
	must(t, err)
	return w
}

func TestPassportInEveryForm(t *testing.T) {
	t.Parallel()
	w := overNode(t, openNode(t), base)
	ada, key := w.register("ada", 1)
	_, other := w.register("bo", 2)
	entry := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, contribution("today"))}), 201, "").json["id"].(string)
	path := "/api/mesh/agent/" + ada + "/passport"
	for accept, read := range map[string]func(raw []byte) (passport.Passport, error){
		"":                                   func(raw []byte) (passport.Passport, error) { return passport.Read(raw, nil) },
		"text/html, application/json;q=0.5":  func(raw []byte) (passport.Passport, error) { return passport.Read(raw, nil) },
		"application/vc+json":                func(raw []byte) (passport.Passport, error) { return passport.ReadCredential(raw, nil) },
		"application/vc+jwt, */*;q=0.1":      func(raw []byte) (passport.Passport, error) { return passport.ReadToken(string(raw), nil) },
		"application/octet-stream":           func(raw []byte) (passport.Passport, error) { return passport.ReadBinary(raw, nil) },
		"application/vc;q=0, bad//type, */*": func(raw []byte) (passport.Passport, error) { return passport.Read(raw, nil) },
	} {
		r := w.want(w.do(apiCall{method: "GET", path: path, header: map[string]string{"Accept": accept}}), 200, "")
		p, err := read(r.raw)
		if err != nil {
			t.Fatalf("%q: %v in %s", accept, err, r.raw)
		}
		sum := sha256.Sum256([]byte(entry + "\n"))
		if p.Memory.Gotcha != 1 || p.Memory.Count() != 1 || p.State.SHA256 != sum || p.Issuer != p.Subject.String() {
			t.Errorf("%q: %+v", accept, p)
		}
		if kind := r.Header.Get("Content-Type"); accept != "" && !strings.HasPrefix(accept, kind) && kind != "application/json" {
			t.Errorf("%q: answered with %s", accept, kind)
		}
		if r.Header.Get("Vary") != "Accept" || r.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%q: %v", accept, r.Header)
		}
	}
	// The reply is the object that the API describes, member by member.
	d := json.NewDecoder(bytes.NewReader(w.get(path).raw))
	d.DisallowUnknownFields()
	var described people.PassportReply
	if err := d.Decode(&described); err != nil || described.Version != 1 || described.Memory.Gotcha != 1 || described.Signature == "" {
		t.Errorf("%+v, %v", described, err)
	}
	w.want(w.get("/api/mesh/agent/nobody/passport"), 404, "agent_not_found")

	// Only the agent itself sees what it was given.
	bo := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/me", key: other}), 200, "").json
	granted := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/capabilities", key: key,
		body: encode(t, map[string]any{"audience": bo["did"], "can": []string{"entry/put"}, "expires_in": 3600})}), 201, "").json["cid"]
	path = "/api/mesh/agent/" + bo["agentId"].(string) + "/passport"
	for who, want := range map[string]int{"": 0, key: 0, other: 1} {
		chain := w.want(w.do(apiCall{method: "GET", path: path, key: who}), 200, "").json["delegation_chain"].([]any)
		if len(chain) != want || want == 1 && chain[0] != granted {
			t.Errorf("key %.12q sees %v", who, chain)
		}
	}
}

// checked posts a passport to be verified, with other fields beside it.
func (w *world) checked(p any, more map[string]any) (verdict map[string]any, states map[string]string) {
	w.t.Helper()
	b := map[string]any{"passport": p}
	for k, v := range more {
		b[k] = v
	}
	verdict = w.want(w.do(apiCall{method: "POST", path: "/api/mesh/passport/verify", body: encode(w.t, b)}), 200, "").json
	states = map[string]string{}
	for _, x := range verdict["checks"].([]any) {
		c := x.(map[string]any)
		states[c["name"].(string)] = c["state"].(string)
		if c["ok"] != (c["state"] == "holds") || c["detail"] == "" {
			w.t.Errorf("%v", c)
		}
	}
	return verdict, states
}

func TestPassportVerify(t *testing.T) {
	t.Parallel()
	w := overNode(t, openNode(t), base)
	ada, key := w.register("ada", 1)
	entry := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, contribution("today"))}), 201, "").json["id"].(string)
	path := "/api/mesh/agent/" + ada + "/passport"
	issued := func(accept string) []byte {
		return w.want(w.do(apiCall{method: "GET", path: path, header: map[string]string{"Accept": accept}}), 200, "").raw
	}
	subject := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/me", key: key}), 200, "").json["did"]
	binary := base64.RawURLEncoding.EncodeToString(issued("application/octet-stream"))
	for form, p := range map[string]any{
		"json": json.RawMessage(issued("application/json")), "credential": json.RawMessage(issued("application/vc+json")),
		"token": string(issued("application/vc+jwt")), "binary": binary,
	} {
		for _, given := range []any{p, text(p)} {
			v, states := w.checked(given, nil)
			if v["valid"] != true || v["form"] != form || v["agent"] != subject || v["agent_id"] != ada || v["issuer"] != subject || len(states) != 8 ||
				v["expires_at"] == nil || v["place"] != nil {
				t.Errorf("%s: %v", form, v)
			}
		}
	}
	var edited map[string]any
	must(t, json.Unmarshal(issued("application/json"), &edited))
	edited["memory"].(map[string]any)["gotcha"] = 2
	if v, states := w.checked(edited, nil); v["valid"] != false || v["agent"] != nil || v["issuer"] != nil || states["signature"] != "contradicted" || len(states) != 2 {
		t.Errorf("edited: %v", v)
	}
	for _, bad := range []any{"a.b.c", "{}", map[string]any{}, "AAAA"} {
		if v, states := w.checked(bad, nil); v["valid"] != false || states["form"] != "contradicted" || len(states) != 1 {
			t.Errorf("%v: %v", bad, v)
		}
	}

	// An entry is found by the log, and at its place without it.
	v, states := w.checked(binary, map[string]any{"entry": entry})
	if states["entry"] != "holds" || v["valid"] != true {
		t.Fatalf("%v", v)
	}
	place := v["place"]
	if v, states := w.checked(binary, map[string]any{"entry": entry, "place": place}); states["entry"] != "holds" || v["valid"] != true {
		t.Errorf("%v", v)
	}
	other := change.ID{1}.Text(change.PrefixEntry)
	if v, states := w.checked(binary, map[string]any{"entry": other, "place": place}); states["entry"] != "contradicted" || v["valid"] != false {
		t.Errorf("another entry: %v", v)
	}
	if v, states := w.checked(binary, map[string]any{"entry": other}); states["entry"] != "open" || v["valid"] != true {
		t.Errorf("an entry that is not here: %v", v)
	}

	for what, c := range map[string]struct {
		body   map[string]any
		status int
		code   string
	}{
		"nothing":             {map[string]any{}, 400, "missing_field"},
		"no base64":           {map[string]any{"passport": "%%"}, 400, "invalid_param"},
		"padded base64":       {map[string]any{"passport": "AA=="}, 400, "invalid_param"},
		"a place of nothing":  {map[string]any{"passport": binary, "place": map[string]any{}}, 400, "invalid_param"},
		"a place below":       {map[string]any{"passport": binary, "place": map[string]any{"index": -1}}, 400, "invalid_param"},
		"a proof of no hash":  {map[string]any{"passport": binary, "place": map[string]any{"index": 0, "proof": []string{"ab"}}}, 400, "invalid_param"},
		"a document of none":  {map[string]any{"passport": binary, "did_document": map[string]any{}}, 400, "invalid_param"},
		"a number":            {map[string]any{"passport": 1}, 422, "validation_failed"},
		"more than there are": {map[string]any{"passport": strings.Repeat("A", 1398103)}, 422, "validation_failed"},
	} {
		if r := w.do(apiCall{method: "POST", path: "/api/mesh/passport/verify", body: encode(t, c.body)}); r.StatusCode != c.status || r.code() != c.code {
			t.Errorf("%s: %d %s", what, r.StatusCode, r.raw)
		}
	}
}

// text is a passport as a text of JSON.
func text(p any) string {
	if raw, ok := p.(json.RawMessage); ok {
		return string(raw)
	}
	return p.(string)
}

// A gateway with a public name issues as its did:web. Another one believes that by
// the document that it gets, and requests it from nobody.
func TestPassportOfAHost(t *testing.T) {
	t.Parallel()
	n := openNode(t)
	home := overNode(t, n, "https://mesh.example.org")
	ada, _ := home.register("ada", 1)
	passportOf := func() json.RawMessage { return home.want(home.get("/api/mesh/agent/"+ada+"/passport"), 200, "").raw }
	if v, states := home.checked(passportOf(), nil); v["valid"] != true || v["issuer"] != v["agent"] || states["issuer"] != "holds" {
		t.Errorf("without an owner: %v", v)
	}
	_, err := n.OwnerActingKey(t.Context())
	must(t, err)
	_, _, err = n.OpenAgent(t.Context(), view.Genesis{KeyName: core.OwnerKey, Name: "owner", Custody: "self"})
	must(t, err)
	issued := passportOf()
	document := json.RawMessage(home.want(home.get("/.well-known/did.json"), 200, "").raw)
	v, states := home.checked(issued, nil)
	if v["valid"] != true || v["issuer"] != "did:web:mesh.example.org" || v["agent_id"] != ada || states["issuer"] != "holds" {
		t.Errorf("at home: %v", v)
	}

	away := overNode(t, openNode(t), base)
	if v, states := away.checked(issued, nil); v["valid"] != false || v["issuer"] != nil || states["signature"] != "open" || len(states) != 2 {
		t.Errorf("without the document: %v", v)
	}
	v, states = away.checked(issued, map[string]any{"did_document": document})
	if v["valid"] != true || v["issuer"] != "did:web:mesh.example.org" || v["agent_id"] != nil || states["agent"] != "open" || states["memory"] != "open" {
		t.Errorf("with the document: %v", v)
	}
	forged := bytes.ReplaceAll(document, []byte("mesh.example.org"), []byte("else.example.org"))
	if v, states := away.checked(issued, map[string]any{"did_document": json.RawMessage(forged)}); v["valid"] != false || states["signature"] != "open" {
		t.Errorf("with another host's document: %v", v)
	}
	stranger := keys.FromSeed([32]byte{7})
	by, err := passport.WebSigner("did:web:mesh.example.org", "owner", stranger)
	must(t, err)
	good, err := passport.ReadAny(issued, func(string) (did.Key, error) { return n.OwnerActingKey(t.Context()) })
	must(t, err)
	fake, err := good.Sign(by)
	must(t, err)
	own := strings.TrimPrefix(stranger.Key().String(), "did:key:")
	his := strings.ReplaceAll(string(document), document64(t, document), own)
	if v, states := home.checked(json.RawMessage(fake), map[string]any{"did_document": json.RawMessage(his)}); v["valid"] != false || states["signature"] != "contradicted" {
		t.Errorf("a host's own document is not to be replaced: %v", v)
	}
	good.IssuedAt, good.ExpiresAt = 1, 2
	old, err := good.Sign(passport.KeySigner(stranger))
	must(t, err)
	if v, states := away.checked(json.RawMessage(old), nil); v["valid"] != false || states["term"] != "contradicted" || states["issuer"] != "contradicted" {
		t.Errorf("an old one, signed by nobody known: %v", v)
	}
}

// document64 is the key of a DID document, in its text.
func document64(t *testing.T, document []byte) string {
	t.Helper()
	var d people.WebDocument
	must(t, json.Unmarshal(document, &d))
	return d.Methods[0].Multibase
}

// A node in memory makes no statements; it says so instead of failing.
func TestArtefactsOfANodeThatMakesNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.mesh.AddAgent("ada")
	for _, path := range []string{"/api/mesh/agent/" + a.ID.String() + "/passport", "/api/mesh/agent/" + a.ID.String() + "/card",
		"/.well-known/agent-card.json", "/.well-known/did.json"} {
		w.want(w.get(path), 404, "not_found")
	}
	w.want(w.get("/api/mesh/entry/x/verify"), 404, "entry_not_found")
}

func TestCardAndWebDocument(t *testing.T) {
	t.Parallel()
	n := openNode(t)
	public := overNode(t, n, "https://mesh.example.org")
	public.want(public.get("/.well-known/agent-card.json"), 404, "not_found")
	public.want(public.get("/.well-known/did.json"), 404, "not_found")
	_, err := n.OwnerActingKey(t.Context())
	must(t, err)
	owner, _, err := n.OpenAgent(t.Context(), view.Genesis{KeyName: core.OwnerKey, Name: "ada", Custody: "self"})
	must(t, err)
	kid := owner.DID.String() + "#" + strings.TrimPrefix(owner.DID.String(), "did:key:")
	for _, path := range []string{"/.well-known/agent-card.json", "/api/mesh/agent/" + owner.ID.String() + "/card"} {
		card, err := agentcard.Parse(public.want(public.get(path), 200, "").raw)
		if err != nil {
			t.Fatal(err)
		}
		if err := card.SignedBy(kid, owner.DID); err != nil || card.Name != "ada" || card.Interfaces[0].URL != "https://mesh.example.org/api/mesh" {
			t.Errorf("%s: %v %+v", path, err, card)
		}
	}
	public.want(public.get("/api/mesh/agent/nobody/card"), 404, "agent_not_found")
	d := public.want(public.get("/.well-known/did.json"), 200, "").json
	method := d["verificationMethod"].([]any)[0].(map[string]any)
	if d["id"] != "did:web:mesh.example.org" || "did:key:"+method["publicKeyMultibase"].(string) != owner.DID.String() ||
		method["controller"] != d["id"] || d["assertionMethod"].([]any)[0] != method["id"] {
		t.Errorf("document %v", d)
	}
	for address, id := range map[string]string{
		"http://mesh.example.org": "", "https://127.0.0.1:8420": "", "https://[::1]": "", "https://localhost": "", "https://a.localhost": "",
		"https://mesh.example.org/below": "", "https://u@mesh.example.org": "", "https://mesh_.example.org": "", "": "",
		"https://Mesh.Example.org:8443": "did:web:mesh.example.org%3A8443", "https://mesh.example.org:443/": "did:web:mesh.example.org",
	} {
		w := overNode(t, n, address)
		if id == "" {
			w.want(w.get("/.well-known/did.json"), 404, "not_found")
			continue
		}
		got := w.want(w.get("/.well-known/did.json"), 200, "").json["id"].(string)
		if got != id {
			t.Errorf("%s: %s, want %s", address, got, id)
		}
		if _, err := passport.WebSigner(got, "owner", keys.FromSeed([32]byte{1})); err != nil {
			t.Errorf("%s is no issuer: %v", got, err)
		}
	}
	none := overNode(t, n, "")
	none.want(none.get("/.well-known/agent-card.json"), 404, "not_found")
}

func TestEntryHistoryOverHTTP(t *testing.T) {
	t.Parallel()
	w := overNode(t, openNode(t), base)
	_, key := w.register("ada", 1)
	c := contribution("today")
	c["receipt_sha256"] = strings.Repeat("ab", 32)
	open := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, c)}), 201, "").json["id"].(string)
	whole := w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, map[string]any{"type": "pattern", "domain": "go",
		"content": "Name the retry budget of every client beside its timeout, since one of them without the other hides an outage.", "reuses": []string{open}})}),
		201, "").json["id"].(string)
	r := w.want(w.get("/api/mesh/entry/"+whole+"/verify"), 200, "").json
	if r["valid"] != true || r["verdict"] != "valid" || len(r["checks"].([]any)) != 9 {
		t.Errorf("%v", r)
	}
	for who, shown := range map[string]bool{"": false, key: true} {
		r := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/entry/" + open + "/verify", key: who}), 200, "").json
		if r["valid"] != false || r["verdict"] != "unverifiable" {
			t.Errorf("%v", r)
		}
		for _, x := range r["checks"].([]any) {
			check := x.(map[string]any)
			if check["name"] == "receipt" {
				if check["ok"] != false || check["state"] != "open" || check["code"] != "receipt_mismatch" || (check["detail"] != nil) != shown {
					t.Errorf("key %.12q: %v", who, check)
				}
			} else if check["ok"] != true || check["state"] != "holds" || check["code"] != nil || check["detail"] != nil {
				t.Errorf("key %.12q: %v", who, check)
			}
		}
	}
	w.want(w.get("/api/mesh/entry/nonsense/verify"), 404, "entry_not_found")
	w.want(w.get("/api/mesh/entry/"+change.ID{1}.Text(change.PrefixEntry)+"/verify"), 404, "entry_not_found")
}

func TestChangesetVerify(t *testing.T) {
	t.Parallel()
	w := overNode(t, openNode(t), base)
	signer := keys.FromSeed([32]byte{9})
	empty := sha256.Sum256(nil)
	files := []attest.File{{Path: "b.go", Change: attest.Modified, SHA256: [32]byte{1}}, {Path: "a.go", Change: attest.Deleted, SHA256: empty}}
	trailers, err := attest.SignTrailers(files, signer)
	must(t, err)
	file := func(f attest.File) map[string]any {
		return map[string]any{"path": f.Path, "change": f.Change, "sha256": hex.EncodeToString(f.SHA256[:])}
	}
	good := func() map[string]any {
		return map[string]any{"digest": hex.EncodeToString(trailers.Digest[:]), "files": []any{file(files[0]), file(files[1])},
			"trailers": "subject\n\nbody\n\n" + trailers.String()}
	}
	post := func(b map[string]any) reply {
		return w.do(apiCall{method: "POST", path: "/api/mesh/changeset/verify", body: encode(t, b)})
	}
	r := w.want(post(good()), 200, "").json
	if r["valid"] != true || r["signer"] != signer.Key().String() || r["agent_id"] != nil || r["reason"] != nil {
		t.Errorf("%v", r)
	}
	other := trailers
	other.Signature[0] ^= 1
	for what, want := range map[string]struct {
		edit   func(b map[string]any)
		reason string
		signed bool
	}{
		"another file":      {func(b map[string]any) { b["files"] = []any{file(files[0])} }, "attestation_mismatch", true},
		"no file":           {func(b map[string]any) { b["files"] = []any{} }, "attestation_mismatch", true},
		"another digest":    {func(b map[string]any) { b["digest"] = strings.Repeat("0", 64) }, "attestation_mismatch", true},
		"another signature": {func(b map[string]any) { b["trailers"] = other.String() }, "signature_invalid", false},
		"digest spelled":    {func(b map[string]any) { b["digest"] = "sha256:" + b["digest"].(string) }, "", true},
	} {
		b := good()
		want.edit(b)
		r := w.want(post(b), 200, "").json
		if reason, _ := r["reason"].(string); reason != want.reason || r["valid"] != (reason == "") || (r["signer"] != nil) != want.signed {
			t.Errorf("%s: %v", what, r)
		}
	}
	many := make([]any, 2001)
	for i := range many {
		many[i] = map[string]any{}
	}
	for what, want := range map[string]struct {
		field  string
		value  any
		status int
		code   string
	}{
		"no digest":       {"digest", nil, 400, "missing_field"},
		"no files":        {"files", nil, 400, "missing_field"},
		"no trailers":     {"trailers", nil, 400, "missing_field"},
		"short digest":    {"digest", "ab", 400, "invalid_param"},
		"loud digest":     {"digest", strings.Repeat("AB", 32), 400, "invalid_param"},
		"foreign member":  {"files", []any{map[string]any{"path": "a", "change": "added", "sha256": strings.Repeat("0", 64), "mode": 1}}, 400, "invalid_param"},
		"path upwards":    {"files", []any{map[string]any{"path": "../a", "change": "added", "sha256": strings.Repeat("0", 64)}}, 400, "invalid_param"},
		"file without":    {"files", []any{map[string]any{"path": "a", "change": "added"}}, 400, "invalid_param"},
		"plain message":   {"trailers", "fix it", 400, "invalid_param"},
		"too many files":  {"files", many, 422, "validation_failed"},
		"files of a text": {"files", "a.go", 422, "validation_failed"},
	} {
		b := good()
		b[want.field] = want.value
		if r := post(b); r.StatusCode != want.status || r.code() != want.code {
			t.Errorf("%s: %d %s", what, r.StatusCode, r.raw)
		}
	}
}

func TestAttestGivesAReceipt(t *testing.T) {
	t.Parallel()
	w := overNode(t, openNode(t), base)
	ada, key := w.register("ada", 1)
	subject := servicetest.Key(1)
	claim := attest.Claim{Program: [32]byte{1}, Inputs: attest.InputsRoot([][]byte{[]byte("up")}), Output: [32]byte{3}, Steps: 77}
	good := func() map[string]any {
		sig := claim.Sign(keys.FromSeed([32]byte(subject.Seed())))
		return map[string]any{"program_sha256": hex.EncodeToString(claim.Program[:]), "input_sha256": hex.EncodeToString(claim.Inputs[:]),
			"output_sha256": hex.EncodeToString(claim.Output[:]), "steps": claim.Steps, "signature": base64.RawURLEncoding.EncodeToString(sig[:])}
	}
	post := func(b map[string]any, key string) reply {
		return w.do(apiCall{method: "POST", path: "/api/mesh/attest", key: key, body: encode(t, b), header: map[string]string{"Idempotency-Key": "play-0001-0001-0001"}})
	}
	w.want(post(good(), ""), 401, "auth_required")
	r := w.want(post(good(), key), 201, "").json["receipt"].(map[string]any)
	if r["agent_id"] != ada || r["signer"] != servicetest.DID(subject).String() || r["re_execution"] != "not_given" || r["steps"] != float64(77) {
		t.Errorf("%v", r)
	}
	id, hash := r["id"], r["hash"]
	delete(r, "id")
	delete(r, "hash")
	raw, err := jcs.Marshal(r)
	must(t, err)
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != hash {
		t.Errorf("hash %v is not that of %s", hash, raw)
	}
	if again := w.want(post(good(), key), 201, ""); again.json["receipt"].(map[string]any)["id"] != id || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("again: %s", again.raw)
	}
	kept, err := w.state.Audit(t.Context(), ada, "", 10)
	must(t, err)
	var found int
	for _, e := range kept {
		if e.Action == "play.attested" {
			found++
			if e.ID != id || e.Object != hash || time.Since(e.At) > time.Minute {
				t.Errorf("kept %+v", e)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d records of one play", found)
	}
	for what, want := range map[string]struct {
		field  string
		value  any
		status int
		code   string
	}{
		"other steps":      {"steps", 78, 401, "signature_invalid"},
		"other output":     {"output_sha256", strings.Repeat("0", 64), 401, "signature_invalid"},
		"no output":        {"output_sha256", nil, 400, "missing_field"},
		"no steps":         {"steps", nil, 400, "missing_field"},
		"no signature":     {"signature", nil, 400, "missing_field"},
		"negative steps":   {"steps", -1, 422, "validation_failed"},
		"too many steps":   {"steps", 1e16, 422, "validation_failed"},
		"half a step":      {"steps", 1.5, 422, "validation_failed"},
		"loud hash":        {"program_sha256", strings.Repeat("AB", 32), 400, "invalid_param"},
		"short hash":       {"input_sha256", "ab", 400, "invalid_param"},
		"padded signature": {"signature", strings.Repeat("A", 84) + "==", 400, "invalid_param"},
	} {
		b := good()
		b[want.field] = want.value
		if r := w.do(apiCall{method: "POST", path: "/api/mesh/attest", key: key, body: encode(t, b)}); r.StatusCode != want.status || r.code() != want.code {
			t.Errorf("%s: %d %s", what, r.StatusCode, r.raw)
		}
	}
	_, other := w.register("bo", 2)
	if r := w.do(apiCall{method: "POST", path: "/api/mesh/attest", key: other, body: encode(t, good())}); r.code() != "signature_invalid" {
		t.Errorf("somebody else's play: %s", r.raw)
	}
}

// A play whose program is sent is run again, and what it comes to is recorded.
func TestAttestRunsAPlayAgain(t *testing.T) {
	t.Parallel()
	w := overNode(t, openNode(t), base)
	ada, key := w.register("ada", 1)
	signer := keys.FromSeed([32]byte(servicetest.Key(1).Seed()))
	const program = `object "A" { state { n: 0, at: "" } on "update" { state.n += 1 } on "tap" { state.at = "n" + state.n } }`
	const event = `[{"name":"tap"}]`
	post := func(path string, b map[string]any) reply {
		return w.do(apiCall{method: "POST", path: path, key: key, body: encode(t, b)})
	}
	// The hosted run is where a player gets the numbers from: 2 steps, a tap, 4 steps.
	id := w.want(post("/api/vm/runs", map[string]any{"code": program}), 201, "").json["id"].(string)
	w.want(post("/api/vm/runs/"+id+"/step", map[string]any{"ms": 34}), 200, "")
	played := w.want(post("/api/vm/runs/"+id+"/step", map[string]any{"ms": 67, "events": json.RawMessage(event)}), 200, "").json
	if played["steps"] != float64(6) {
		t.Fatalf("%v", played)
	}
	input := "\n\n" + event + "\n\n\n\n"
	rows := ""
	for _, x := range played["state"].([]any) {
		k := x.(map[string]any)
		rows += string(encode(t, []any{k["owner"], k["key"], k["value"]})) + "\n"
	}
	if sum := sha256.Sum256([]byte(rows)); played["state_sha256"] != hex.EncodeToString(sum[:]) {
		t.Fatalf("hash %v is not that of %s", played["state_sha256"], rows)
	}
	claimed := func(program, input, output string, steps uint64) map[string]any {
		out, err := hex.DecodeString(output)
		must(t, err)
		var lines [][]byte
		for line := range strings.Lines(input) {
			lines = append(lines, []byte(strings.TrimSuffix(line, "\n")))
		}
		c := attest.Claim{Program: sha256.Sum256([]byte(program)), Inputs: attest.InputsRoot(lines), Output: [32]byte(out), Steps: steps}
		sig := c.Sign(signer)
		return map[string]any{"program_sha256": hex.EncodeToString(c.Program[:]), "input_sha256": hex.EncodeToString(c.Inputs[:]), "output_sha256": output,
			"steps": steps, "signature": base64.RawURLEncoding.EncodeToString(sig[:]), "program": program, "input": input}
	}
	output := played["state_sha256"].(string)
	proven := w.want(post("/api/mesh/attest", claimed(program, input, output, 6)), 201, "").json["receipt"].(map[string]any)
	if proven["re_execution"] != "proven" {
		t.Errorf("%v", proven)
	}
	idle := strings.Repeat("\n", 6)
	for what, b := range map[string]map[string]any{
		"another end":   claimed(program, input, strings.Repeat("ab", 32), 6),
		"another input": claimed(program, idle, output, 6),
		"other steps":   claimed(program, input, output, 7),
	} {
		r := w.want(post("/api/mesh/attest", b), 422, "attestation_mismatch")
		if d := r.json["details"].(map[string]any); d["re_execution"] != "refuted" || d["record"] == nil {
			t.Errorf("%s: %s", what, r.raw)
		}
	}
	hostile := `object "A" { state { n: 0 } on "update" { while (true) { state.n += 1 } } }`
	huge := program + strings.Repeat(" ", 500_001)
	for what, b := range map[string]map[string]any{
		"too much work":  claimed(hostile, strings.Repeat("\n", 36_000), output, 36_000),
		"too many ticks": claimed(program, strings.Repeat("\n", 36_001), output, 36_001),
		"much program":   claimed(huge, idle, output, 6),
		"much input":     claimed(program, strings.Repeat(" ", 256<<10)+"\n", output, 1),
	} {
		began := time.Now()
		r := w.want(post("/api/mesh/attest", b), 201, "").json["receipt"].(map[string]any)
		if r["re_execution"] != "too_large" || time.Since(began) > 15*time.Second {
			t.Errorf("%s: %v after %s", what, r, time.Since(began))
		}
	}
	with := func(b map[string]any, field string, v any) map[string]any {
		b[field] = v
		return b
	}
	for what, c := range map[string]struct {
		body   map[string]any
		status int
		code   string
	}{
		"another program":    {with(claimed(program, input, output, 6), "program", program+" "), 422, "attestation_mismatch"},
		"another input sent": {with(claimed(program, input, output, 6), "input", idle), 422, "attestation_mismatch"},
		"no program":         {with(claimed(program, input, output, 6), "program", nil), 400, "missing_field"},
		"no source":          {claimed("object {{", "", output, 0), 422, "source_invalid"},
		"no document":        {claimed(`{"v":"program/9"}`, "", output, 0), 422, "source_invalid"},
		"no events":          {claimed(program, "{}\n", output, 1), 422, "validation_failed"},
		"an unknown node":    {claimed(program, `[{"name":"tap","node":"B"}]`+"\n", output, 1), 422, "validation_failed"},
	} {
		if r := post("/api/mesh/attest", c.body); r.StatusCode != c.status || r.code() != c.code {
			t.Errorf("%s: %d %s", what, r.StatusCode, r.raw)
		}
	}
	kept, err := w.state.Audit(t.Context(), ada, "", 20)
	must(t, err)
	found := map[any]int{}
	for _, e := range kept {
		if e.Action == "play.attested" {
			found[e.Detail["re_execution"]]++
		}
	}
	if found["proven"] != 1 || found["refuted"] != 3 || found["too_large"] != 4 || len(found) != 3 {
		t.Errorf("recorded %v", found)
	}
}
