package signed

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/wallet"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var (
	now    = time.Unix(1_800_000_000, 0)
	signer = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32))
	key    = must(did.KeyFromPublic(signer.Public().(ed25519.PublicKey)))
)

// TestBaseOfRFC9421 is the Ed25519 example of appendix B.2.6, on the request of B.2.
func TestBaseOfRFC9421(t *testing.T) {
	t.Parallel()
	label, c, err := input([]string{`sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"`})
	if err != nil || label != "sig-b26" {
		t.Fatal(label, err)
	}
	m := Message{Method: "POST", Target: "/foo?param=Value&Pet=dog", Header: http.Header{"Date": {"Tue, 20 Apr 2021 02:07:55 GMT"},
		"Content-Type": {"application/json"}, "Content-Length": {"18"},
		"Content-Digest": {"sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:"}}}
	base, err := c.base(m, Origin{"https", "example.com"})
	if err != nil {
		t.Fatal(err)
	}
	public := must(did.KeyFromPublic(must(base64.RawURLEncoding.DecodeString("JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"))))
	sig := must(base64.StdEncoding.DecodeString("wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=="))
	if r := (Request{bases: [][]byte{base}, sig: sig}); !r.By(public) || r.By(key) {
		t.Errorf("base\n%s", base)
	}
	if !digestMatches(m.Header["Content-Digest"], []byte(`{"hello": "world"}`)) || digestMatches(m.Header["Content-Digest"], []byte(`{}`)) {
		t.Error("digest of RFC 9421")
	}
}

// parts make a signed request; tests change them before or after it is signed.
type parts struct {
	covered, params, method, target, body, digest string
	origin                                        Origin
}

func honest() parts {
	body := `{"a":1}`
	sum := sha256.Sum256([]byte(body))
	return parts{`"@method" "@target-uri" "content-digest" "authorization"`, fmt.Sprintf(`;created=%d;nonce="n-1"`, now.Unix()), "POST", "/api/x?y=1", body,
		"sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":", Origin{"https", "mesh.example"}}
}

// sign writes the base by hand, as a client would.
func (p parts) sign() Message {
	m := Message{Method: p.method, Target: p.target, Body: []byte(p.body), Origins: []Origin{{"http", "10.0.0.1:8420"}, p.origin},
		Header: http.Header{"Authorization": {"Bearer k"}, "Content-Digest": {p.digest}}}
	values := map[string]string{"@method": p.method, "@target-uri": p.origin.Scheme + "://" + p.origin.Authority + p.target,
		"content-digest": p.digest, "authorization": "Bearer k"}
	var b strings.Builder
	for _, quoted := range strings.Fields(p.covered) {
		b.WriteString(quoted + ": " + values[strings.Trim(quoted, `"`)] + "\n")
	}
	b.WriteString(`"@signature-params": (` + p.covered + `)` + p.params)
	m.Header.Set("Signature-Input", "sig1=("+p.covered+")"+p.params)
	m.Header.Set("Signature", "sig1=:"+base64.StdEncoding.EncodeToString(ed25519.Sign(signer, []byte(b.String())))+":")
	return m
}

func TestRead(t *testing.T) {
	t.Parallel()
	r, err := Read(honest().sign(), now)
	if err != nil || !r.By(key) || r.Nonce != "n-1" || !r.Until.Equal(now.Add(Skew)) {
		t.Fatalf("%+v, %v", r, err)
	}
	at := func(s int64) string { return fmt.Sprintf(`;created=%d;nonce="n-1"`, now.Unix()+s) }
	for name, c := range map[string]struct {
		change func(*parts)
		after  func(*Message)
		ok     bool
	}{
		"at the edge, old":      {change: func(p *parts) { p.params = at(-300) }, ok: true},
		"at the edge, new":      {change: func(p *parts) { p.params = at(300) }, ok: true},
		"too old":               {change: func(p *parts) { p.params = at(-301) }},
		"too new":               {change: func(p *parts) { p.params = at(301) }},
		"all parameters":        {change: func(p *parts) { p.params += `;alg="ed25519";keyid="k";tag="x";expires=1800000001` }, ok: true},
		"expired":               {change: func(p *parts) { p.params += `;expires=1800000000` }},
		"another algorithm":     {change: func(p *parts) { p.params += `;alg="hmac-sha256"` }},
		"no nonce":              {change: func(p *parts) { p.params = fmt.Sprintf(";created=%d", now.Unix()) }},
		"no time":               {change: func(p *parts) { p.params = `;nonce="n-1"` }},
		"a time that is a text": {change: func(p *parts) { p.params = `;created="1800000000";nonce="n-1"` }},
		"an expiry of no time":  {change: func(p *parts) { p.params += `;expires="soon"` }},
		"a nonce that is none":  {change: func(p *parts) { p.params = fmt.Sprintf(";created=%d;nonce=n", now.Unix()) }},
		"a part of a component": {change: func(p *parts) { p.covered += ` "x";sf` }},
		"a name that is none":   {change: func(p *parts) { p.covered += ` x` }},
		"no method":             {change: func(p *parts) { p.covered = `"@target-uri" "content-digest" "authorization"` }},
		"no target":             {change: func(p *parts) { p.covered = `"@method" "content-digest" "authorization"` }},
		"no digest":             {change: func(p *parts) { p.covered = `"@method" "@target-uri" "authorization"` }},
		"no digest, no body":    {change: func(p *parts) { p.covered, p.body = `"@method" "@target-uri" "authorization"`, "" }, ok: true},
		"no credential":         {change: func(p *parts) { p.covered = `"@method" "@target-uri" "content-digest"` }},
		"covered twice":         {change: func(p *parts) { p.covered += ` "@method"` }},
		"a digest of another":   {change: func(p *parts) { p.body = `{"a":2}` }},
		"a digest of no known":  {change: func(p *parts) { p.digest = "md5=:AAAA:" }},
		"another body":          {after: func(m *Message) { m.Body = []byte(`{"a":2}`) }},
		"another method":        {after: func(m *Message) { m.Method = "PUT" }},
		"another target":        {after: func(m *Message) { m.Target = "/api/y" }},
		"another host":          {after: func(m *Message) { m.Origins = m.Origins[:1] }},
		"another credential":    {after: func(m *Message) { m.Header.Set("Authorization", "Bearer l") }},
		"another nonce": {after: func(m *Message) {
			m.Header.Set("Signature-Input", strings.Replace(m.Header.Get("Signature-Input"), "n-1", "n-2", 1))
		}},
		"input alone":     {after: func(m *Message) { m.Header.Del("Signature") }},
		"signature alone": {after: func(m *Message) { m.Header.Del("Signature-Input") }},
		"two signatures":  {after: func(m *Message) { m.Header.Add("Signature-Input", `b=("@method")`) }},
		"another label":   {after: func(m *Message) { m.Header.Set("Signature", "b"+m.Header.Get("Signature")) }},
	} {
		p := honest()
		if c.change != nil {
			c.change(&p)
		}
		m := p.sign()
		if c.after != nil {
			c.after(&m)
		}
		r, err := Read(m, now)
		if got := err == nil && r.By(key); got != c.ok || err != nil && !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func purse() *wallet.Key { return must(wallet.KeyFromSecret([32]byte{31: 9})) }

// seal makes an envelope as a client would.
func seal(body, nonce, timestamp string) map[string]any {
	text := must(jcs.Canonical(fmt.Appendf(nil, `{"timestamp":%s,"nonce":%q,"body":%s}`, timestamp, nonce, body)))
	sig := purse().SignText(string(text))
	return map[string]any{"body": json.RawMessage(body), "nonce": nonce, "timestamp": json.RawMessage(timestamp),
		"signer_address": purse().Address().String(), "signature": "0x" + hex.EncodeToString(sig[:])}
}

func TestReadEnvelope(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"1800000000", "1800000000000", `"2027-01-15T08:00:00Z"`} {
		raw := must(json.Marshal(seal(`{"b":1.0,"a":"ä"}`, "n", at)))
		e, err := ReadEnvelope(raw, now)
		if err != nil || !IsEnvelope(raw) || string(e.Body) != `{"b":1.0,"a":"ä"}` || e.Signer != purse().Address() || e.Nonce != "n" || !e.Until.Equal(now.Add(Skew)) {
			t.Errorf("%s: %+v, %v", at, e, err)
		}
	}
	for name, change := range map[string]func(map[string]any){
		"another body":     func(m map[string]any) { m["body"] = map[string]any{"b": 2} },
		"another nonce":    func(m map[string]any) { m["nonce"] = "o" },
		"no nonce":         func(m map[string]any) { m["nonce"] = "" },
		"another time":     func(m map[string]any) { m["timestamp"] = 1800000001 },
		"a time long ago":  func(m map[string]any) { m["timestamp"] = 1799999699 },
		"no time":          func(m map[string]any) { m["timestamp"] = true },
		"another signer":   func(m map[string]any) { m["signer_address"] = "0x" + strings.Repeat("1", 40) },
		"no signer":        func(m map[string]any) { m["signer_address"] = "me" },
		"no signature":     func(m map[string]any) { m["signature"] = "0x" },
		"a signature of 1": func(m map[string]any) { m["signature"] = 1 },
		"one more key":     func(m map[string]any) { m["more"] = 1 },
		"one key less":     func(m map[string]any) { delete(m, "nonce") },
	} {
		m := seal(`{"b":1}`, "n", "1800000000")
		change(m)
		raw := must(json.Marshal(m))
		if _, err := ReadEnvelope(raw, now); !errors.Is(err, ErrInvalid) || !IsEnvelope(raw) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, plain := range []string{``, `{}`, `[]`, `{"signature":"x"}`, `{"a":{"signer_address":1,"signature":2}}`} {
		if IsEnvelope([]byte(plain)) {
			t.Errorf("%s is an envelope", plain)
		}
	}
	twice := strings.Replace(string(must(json.Marshal(seal(`{"b":1}`, "n", "1800000000")))), `"nonce":"n"`, `"nonce":"o","nonce":"n"`, 1)
	if _, err := ReadEnvelope([]byte(twice), now); err == nil {
		t.Error("a key twice passes")
	}
}

// FuzzRead: no header makes it panic, and what it reads it writes again as it was
// canonical: a second reading of the parameters is the same.
func FuzzRead(f *testing.F) {
	m := honest().sign()
	f.Add(m.Header.Get("Signature-Input"), m.Header.Get("Signature"), m.Header.Get("Content-Digest"), m.Body)
	f.Add(`a=();x;y=?0;z=tok;n=-1;s="\"\\"`, `a=::`, `sha-512=::`, []byte(nil))
	f.Fuzz(func(t *testing.T, header, signature, digest string, body []byte) {
		m := Message{Method: "POST", Target: "/x", Origins: []Origin{{"http", "h"}}, Body: body,
			Header: http.Header{"Signature-Input": {header}, "Signature": {signature}, "Content-Digest": {digest}, "Authorization": {"Bearer k"}}}
		if r, err := Read(m, now); err == nil && (r.Nonce == "" || r.Until.IsZero() || len(r.bases) != 1) {
			t.Errorf("%+v", r)
		}
		if label, c, err := input([]string{header}); err == nil {
			if _, d, err := input([]string{label + "=" + c.String()}); err != nil || d.String() != c.String() {
				t.Errorf("%q is %q, then %q, %v", header, c, d, err)
			}
		}
		_, _ = ReadEnvelope(body, now)
		IsEnvelope(body)
	})
}
