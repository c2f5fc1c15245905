package ucan_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
)

var (
	ada = keys.FromSeed([32]byte{1})
	bob = keys.FromSeed([32]byte{2})
)

func jwt(header, payload string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + ".c2ln"
}

func TestSniff(t *testing.T) {
	t.Parallel()
	const header = `{"alg":"EdDSA","typ":"JWT"}`
	body := "\xa1\x66ctn-v1\x80"
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write([]byte(body))
	_ = z.Close()
	cases := map[string]struct {
		credential string
		want       ucan.Kind
	}{
		"API key":                  {"mesh_sk_abc", ucan.APIKey},
		"API key in upper case":    {"MESH_SK_abc", ucan.Unknown},
		"0.10":                     {jwt(header, `{"ucv":"0.10.0"}`), ucan.V0},
		"0.10, escaped":            {jwt(header, `{"\u0075cv":null}`), ucan.V0},
		"role":                     {jwt(header, `{"role":"admin"}`), ucan.RoleJWT},
		"role, ucv deeper":         {jwt(header, `{"role":{"ucv":"0.10.0"}}`), ucan.RoleJWT},
		"role, UCV":                {jwt(header, `{"UCV":"0.10.0"}`), ucan.RoleJWT},
		"payload is a list":        {jwt(header, `[]`), ucan.Unknown},
		"payload is broken":        {jwt(header, `{"role":"admin"`), ucan.Unknown},
		"payload names role twice": {jwt(header, `{"role":"a","role":"b"}`), ucan.Unknown},
		"payload is padded":        {"eyJh.eyJh=." + "c2ln", ucan.Unknown},
		"one dot":                  {"eyJh.e30", ucan.Unknown},
		"three dots":               {jwt(header, "{}") + ".", ucan.Unknown},
		"another header":           {jwt(` {}`, "{}"), ucan.Unknown},
		"1.x raw":                  {"@" + body, ucan.V1},
		"1.x base64":               {"B" + base64.StdEncoding.EncodeToString([]byte(body)), ucan.V1},
		"1.x base64url":            {"C" + base64.RawURLEncoding.EncodeToString([]byte(body)), ucan.V1},
		"1.x gzip":                 {"M" + zipped.String(), ucan.V1},
		"1.x gzip base64":          {"O" + base64.StdEncoding.EncodeToString(zipped.Bytes()), ucan.V1},
		"1.x gzip base64url":       {"P" + base64.RawURLEncoding.EncodeToString(zipped.Bytes()), ucan.V1},
		"1.x of another tag":       {"@\xa1\x66ctn-v2\x80", ucan.Unknown},
		"1.x cut":                  {"@\xa1\x66ctn", ucan.Unknown},
		"B and no container":       {"Bearer", ucan.Unknown},
		"P and no container":       {"Password", ucan.Unknown},
		"empty":                    {"", ucan.Unknown},
		"too long":                 {"mesh_sk_" + strings.Repeat("a", ucan.MaxCredential), ucan.Unknown},
		"as long as may be":        {"mesh_sk_" + strings.Repeat("a", ucan.MaxCredential-8), ucan.APIKey},
	}
	for name, c := range cases {
		if got := ucan.Sniff(c.credential); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestContentIDs(t *testing.T) {
	t.Parallel()
	// The hashes of nothing are e3b0c442… (FIPS 180) and af1349b9… (BLAKE3 test vectors).
	empty := map[ucan.Hasher]string{
		ucan.SHA256: "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku",
		ucan.BLAKE3: "bafkr4ifpcne3t5pzugtkaqcn5i3nzskjtpfslsnnyejlpte2spfoihzsmi",
	}
	for h, want := range empty {
		got, err := ucan.CIDWith(h, "")
		if err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", h, got, err, want)
		}
		if ucan.CheckLink(got) != nil || !ucan.Names(got, "") || ucan.Names(got, "x") {
			t.Errorf("%s does not name its text", h)
		}
		if canonical := ucan.CheckCanonical(got) == nil; canonical != (h == ucan.SHA256) {
			t.Errorf("%s: canonical %v", h, canonical)
		}
	}
	sound := ucan.CID("x")
	dag := "bafyrei" + sound[7:]
	if ucan.CheckCanonical(dag) != nil || !errors.Is(ucan.CheckLink(dag), ucan.ErrCID) || ucan.Names(dag, "x") {
		t.Error("a DAG-CBOR id is revocable and no link")
	}
	for name, cid := range map[string]string{
		"empty": "", "prefix": "b", "upper case": strings.ToUpper(sound), "a letter more": sound + "a", "a letter less": sound[:len(sound)-1],
		"a line end": sound[:9] + "\n" + sound[9:], "base58": "zb2rhe5P4gXftAwvA4eXQ5HJwsER2owDyS9sKaQRRVQPn93bA", "version 0": "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG",
		"padding": sound + "=", "long": "b" + strings.Repeat("a", 200), "stray bits": sound[:len(sound)-1] + flip(sound[len(sound)-1]),
		"identity hash": "bafkqaaa", "space": " " + sound,
	} {
		if err := ucan.CheckLink(cid); !errors.Is(err, ucan.ErrCID) {
			t.Errorf("%s: link %v", name, err)
		}
		if err := ucan.CheckCanonical(cid); !errors.Is(err, ucan.ErrCID) {
			t.Errorf("%s: canonical %v", name, err)
		}
	}
	if _, err := ucan.CIDWith("sha2-256", ""); !errors.Is(err, ucan.ErrHasher) {
		t.Error(err)
	}
}

// flip changes the last bit of a letter of base32.
func flip(c byte) string {
	const letters = "abcdefghijklmnopqrstuvwxyz234567"
	return string(letters[strings.IndexByte(letters, c)^1])
}

func TestRevocation(t *testing.T) {
	t.Parallel()
	cid := ucan.CID("token")
	r, err := ucan.Revoke(ada, cid)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ucan.ParseRevocation(data)
	if err != nil || read != r || read.Issuer() != ada.Key().String() || read.Token() != cid {
		t.Fatalf("%+v, %v", read, err)
	}
	if !r.AllowedBy([]string{bob.Key().String(), ada.Key().String()}) || r.AllowedBy([]string{bob.Key().String()}) || (ucan.Revocation{}).AllowedBy([]string{""}) {
		t.Error("allowed by the wrong ones")
	}

	sig := ada.Sign([]byte("REVOKE:" + cid))
	text := func(iss, revoke, challenge string) string {
		return `{"iss":"` + iss + `","revoke":"` + revoke + `","challenge":"` + challenge + `"}`
	}
	me := ada.Key().String()
	url := base64.RawURLEncoding.EncodeToString(sig[:])
	for name, challenge := range map[string]string{
		"url": url, "url, padded": base64.URLEncoding.EncodeToString(sig[:]),
		"standard": base64.RawStdEncoding.EncodeToString(sig[:]), "standard, padded": base64.StdEncoding.EncodeToString(sig[:]),
	} {
		if got, err := ucan.ParseRevocation([]byte(text(me, cid, challenge))); err != nil || got != r {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := ucan.ParseRevocation([]byte(text(me+"#key", cid, url))); err != nil || got != r {
		t.Errorf("with a fragment: %v", err)
	}
	other := ada.Sign([]byte(cid))
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"no JSON":              {"{", ucan.ErrRevocation},
		"a list":               {"[]", ucan.ErrRevocation},
		"a member twice":       {`{"iss":"a",` + text(me, cid, url)[1:], ucan.ErrRevocation},
		"a member more":        {`{"x":"a",` + text(me, cid, url)[1:], ucan.ErrRevocation},
		"a member less":        {`{"iss":"` + me + `","revoke":"` + cid + `"}`, ucan.ErrRevocation},
		"no text":              {`{"iss":1,"revoke":"` + cid + `","challenge":"` + url + `"}`, ucan.ErrRevocation},
		"another hash":         {text(me, mustCID(t, ucan.BLAKE3), url), ucan.ErrRevocation},
		"no content id":        {text(me, "x", url), ucan.ErrRevocation},
		"no base64":            {text(me, cid, url[:80]+"!"), ucan.ErrRevocation},
		"both alphabets":       {text(me, cid, strings.Repeat("+_", 43)), ucan.ErrRevocation},
		"padding inside":       {text(me, cid, url[:42]+"=="+url[44:]), ucan.ErrRevocation},
		"too much padding":     {text(me, cid, url+"==="), ucan.ErrRevocation},
		"too long":             {text(me, cid, url) + strings.Repeat(" ", ucan.MaxRevocation), ucan.ErrRevocation},
		"another token":        {text(me, ucan.CID("other"), url), ucan.ErrChallenge},
		"another issuer":       {text(bob.Key().String(), cid, url), ucan.ErrChallenge},
		"an issuer elsewhere":  {text("did:web:x", cid, url), ucan.ErrChallenge},
		"without the word":     {text(me, cid, base64.RawURLEncoding.EncodeToString(other[:])), ucan.ErrChallenge},
		"half a signature":     {text(me, cid, url[:43]), ucan.ErrRevocation},
		"no signature":         {text(me, cid, ""), ucan.ErrChallenge},
		"an empty issuer":      {text("", cid, url), ucan.ErrChallenge},
		"signature of nothing": {text(me, cid, strings.Repeat("A", 86)), ucan.ErrChallenge},
	} {
		if got, err := ucan.ParseRevocation([]byte(c.text)); !errors.Is(err, c.want) || got != (ucan.Revocation{}) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, err := ucan.Revoke(ada, "x"); !errors.Is(err, ucan.ErrCID) {
		t.Error(err)
	}
	if _, err := json.Marshal(ucan.Revocation{}); err == nil {
		t.Error("wrote nothing")
	}
}

func mustCID(t *testing.T, h ucan.Hasher) string {
	t.Helper()
	cid, err := ucan.CIDWith(h, "x")
	if err != nil {
		t.Fatal(err)
	}
	return cid
}

func TestReplayKeysDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, k := range []string{
		ucan.ReplayKey("did:a:b", "n", "c"), ucan.ReplayKey("did:a:b", "n2", "c"), ucan.ReplayKey("did:a:c", "n", "c"),
		ucan.ReplayKey("did:a:b", "", "c"), ucan.ReplayKey("did:a:b", "c", "c"), ucan.ReplayKey("did:a:b", " n", "c"),
	} {
		if seen[k] {
			t.Errorf("%q stands for two acts", k)
		}
		seen[k] = true
	}
	if ucan.ReplayKey("did:a:b", "n", "c") != ucan.ReplayKey("did:a:b", "n", "d") {
		t.Error("the same nonce in another token is the same act")
	}
}

// What parses is written and read the same.
func FuzzParseRevocation(f *testing.F) {
	r, err := ucan.Revoke(ada, ucan.CID("token"))
	if err != nil {
		f.Fatal(err)
	}
	seed, err := json.Marshal(r)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ucan.ParseRevocation(data)
		if err != nil {
			return
		}
		out, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ucan.ParseRevocation(out); err != nil || again != r {
			t.Fatalf("%+v, %v", again, err)
		}
	})
}

// Sniffing never fails, and what it calls a token is in form a JWT.
func FuzzSniff(f *testing.F) {
	f.Add("mesh_sk_x")
	f.Add(jwt("{}", `{"ucv":"0.10.0"}`))
	f.Add("@\xa1\x66ctn-v1\x80")
	f.Fuzz(func(t *testing.T, credential string) {
		switch k := ucan.Sniff(credential); k {
		case ucan.V0, ucan.RoleJWT:
			if strings.Count(credential, ".") != 2 {
				t.Fatal(k)
			}
		case ucan.Unknown, ucan.APIKey, ucan.V1:
		default:
			t.Fatal(k)
		}
	})
}

// A content id that is accepted is canonical: no other text means the same.
func FuzzCheckLink(f *testing.F) {
	f.Add(ucan.CID("x"))
	f.Fuzz(func(t *testing.T, cid string) {
		if ucan.CheckLink(cid) == nil && (cid != strings.ToLower(cid) || strings.TrimSpace(cid) != cid || len(cid) < 59) {
			t.Fatalf("%q", cid)
		}
	})
}
