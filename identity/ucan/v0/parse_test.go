package v0_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/v0"
)

var (
	issText = `"iss":"` + root.Key().String() + `"`
	audText = `"aud":"` + bob.Key().String() + `"`
)

// payload is a sound payload with members replaced, added ("" with a name that
// is not there) or, for the value "-", left out.
func payload(changes ...string) string {
	members := []string{"ucv", `"0.10.0"`, "iss", issText[6:], "aud", audText[6:], "exp", "null", "cap", "{}"}
	for i := 0; i < len(changes); i += 2 {
		found := false
		for j := 0; j < len(members); j += 2 {
			if members[j] == changes[i] {
				members[j+1], found = changes[i+1], true
			}
		}
		if !found {
			members = append(members, changes[i], changes[i+1])
		}
	}
	parts := []string{}
	for j := 0; j < len(members); j += 2 {
		if members[j+1] != "-" {
			parts = append(parts, `"`+members[j]+`":`+members[j+1])
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func capOf(resource, abilities string) string { return `{"` + resource + `":` + abilities + `}` }

const anyCID = "bafkreie3bfwr2pxtzphzpspb3plvdrh3obq5yiyibfuuiqj2m3kcrrexpu"

// Every fault of form has a code and a place, whoever signed it.
func TestFaultsOfForm(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, header, payload, want string // want: code at, …
	}{
		{"sound", "", payload(), ""},
		{"another order, white space", "{ \"typ\" : \"JWT\",\n\"alg\":\"EdDSA\" }", "\t" + payload() + " ", ""},
		{"a claim nobody knows", "", payload("xyz", `[{"a":null}]`), ""},
		{"escaped names and values", `{"\u0061lg":"Ed\u0044SA","typ":"JWT"}`, strings.Replace(payload(), `"iss"`, `"i\u0073s"`, 1), ""},
		{"a header nobody knows", `{"alg":"EdDSA","typ":"JWT","kid":"x"}`, payload(), ""},
		{"everything", "", payload("nbf", "1", "nnc", `"n"`, "fct", `{"a":[1.5e3]}`, "prf", `["`+anyCID+`"]`, "cap", capOf("mailto:a", `{"x":[{}]}`)), ""},

		{"no header", "[]", payload(), "incorrectType /header"},
		{"header is no JSON", "{", payload(), "incorrectType /header"},
		{"header named twice", `{"alg":"EdDSA","typ":"JWT","alg":"EdDSA"}`, payload(), "incorrectType /header"},
		{"no alg", `{"typ":"JWT"}`, payload(), "missingField /header/alg"},
		{"no typ", `{"alg":"EdDSA"}`, payload(), "missingField /header/typ"},
		{"alg null", `{"alg":null,"typ":"JWT"}`, payload(), "incorrectType /header/alg"},
		{"alg none", `{"alg":"none","typ":"JWT"}`, payload(), "incorrectType /header/alg"},
		{"alg in other case", `{"alg":"eddsa","typ":"JWT"}`, payload(), "incorrectType /header/alg"},
		{"alg of another curve", `{"alg":"ES256","typ":"JWT"}`, payload(), "incorrectType /header/alg"},
		{"typ in other case", `{"alg":"EdDSA","typ":"jwt"}`, payload(), "incorrectType /header/typ"},
		{"critical extension", `{"alg":"EdDSA","typ":"JWT","crit":["b64"],"b64":false}`, payload(), "incorrectType /header/crit"},

		{"payload is an array", "", "[]", "incorrectType /payload"},
		{"payload with more behind", "", payload() + "{}", "incorrectType /payload"},
		{"payload is not UTF-8", "", payload("nnc", "\"\xff\""), "incorrectType /payload"},
		{"a lone surrogate", "", payload("nnc", `"\ud800"`), "incorrectType /payload"},
		{"a surrogate and no other", "", payload("nnc", `"\ud800\u0041"`), "incorrectType /payload"},
		{"a control character", "", payload("nnc", "\"\n\""), "incorrectType /payload"},
		{"named twice", "", payload()[:len(payload())-1] + `,"exp":1}`, "incorrectType /payload"},
		{"named twice, once escaped", "", payload()[:len(payload())-1] + `,"e\u0078p":1}`, "incorrectType /payload"},
		{"named twice inside", "", payload("fct", `{"a":1,"a":2}`), "incorrectType /payload"},
		{"too deep", "", payload("fct", `{"a":`+strings.Repeat("[", 31)+strings.Repeat("]", 31)+`}`), "incorrectType /payload"},
		{"as deep as may be", "", payload("fct", `{"a":`+strings.Repeat("[", 30)+strings.Repeat("]", 30)+`}`), ""},

		{"no ucv", "", payload("ucv", "-"), "missingField /payload/ucv"},
		{"ucv number", "", payload("ucv", "0.10"), "incorrectType /payload/ucv"},
		{"ucv short", "", payload("ucv", `"0.10"`), "incorrectType /payload/ucv"},
		{"ucv long", "", payload("ucv", `"0.10.0.0"`), "incorrectType /payload/ucv"},
		{"ucv with v", "", payload("ucv", `"v0.10.0"`), "incorrectType /payload/ucv"},
		{"ucv with zeros", "", payload("ucv", `"0.010.0"`), "incorrectType /payload/ucv"},
		{"ucv before", "", payload("ucv", `"0.9.1"`), "incorrectType /payload/ucv"},
		{"ucv after", "", payload("ucv", `"1.0.0"`), "incorrectType /payload/ucv"},
		{"ucv canary", "", payload("ucv", `"0.10.0-canary"`), "incorrectType /payload/ucv"},

		{"no iss", "", payload("iss", "-"), "missingField /payload/iss"},
		{"iss null", "", payload("iss", "null"), "incorrectType /payload/iss"},
		{"iss is no DID", "", payload("iss", `"z6Mk"`), "incorrectType /payload/iss"},
		{"no aud", "", payload("aud", "-"), "missingField /payload/aud"},
		{"aud list", "", payload("aud", `["did:web:x"]`), "incorrectType /payload/aud"},
		{"aud is no DID", "", payload("aud", `"did:web"`), "incorrectType /payload/aud"},
		{"aud without a name", "", payload("aud", `"did:web:"`), "incorrectType /payload/aud"},
		{"aud ends with a colon", "", payload("aud", `"did:web:x:"`), "incorrectType /payload/aud"},
		{"aud method in upper case", "", payload("aud", `"did:WEB:x"`), "incorrectType /payload/aud"},
		{"aud with a path", "", payload("aud", `"did:web:x/y"`), "incorrectType /payload/aud"},
		{"aud with a query", "", payload("aud", `"did:web:x?y"`), "incorrectType /payload/aud"},
		{"aud with a space", "", payload("aud", `"did:web:x y"`), "incorrectType /payload/aud"},
		{"aud with half an escape", "", payload("aud", `"did:web:x%4"`), "incorrectType /payload/aud"},
		{"aud with an escape", "", payload("aud", `"did:web:x%3A80"`), ""},
		{"aud not ASCII", "", payload("aud", `"did:web:é"`), "incorrectType /payload/aud"},
		{"aud with a fragment", "", payload("aud", `"did:web:x#k"`), ""},
		{"aud with a bad fragment", "", payload("aud", `"did:web:x#k k"`), "incorrectType /payload/aud"},

		{"no exp", "", payload("exp", "-"), "missingField /payload/exp"},
		{"exp text", "", payload("exp", `"1"`), "incorrectType /payload/exp"},
		{"exp fraction", "", payload("exp", "9246211200.5"), "incorrectType /payload/exp"},
		{"exp whole fraction", "", payload("exp", "9246211200.0"), "incorrectType /payload/exp"},
		{"exp exponent", "", payload("exp", "1e10"), "incorrectType /payload/exp"},
		{"exp with zeros", "", payload("exp", "01"), "incorrectType /payload"},
		{"exp minus zero", "", payload("exp", "-0"), "incorrectType /payload/exp"},
		{"exp too large", "", payload("exp", "9007199254740992"), "incorrectType /payload/exp"},
		{"exp as large as may be", "", payload("exp", "9007199254740991"), ""},
		{"exp far too large", "", payload("exp", "92462112009246211200"), "incorrectType /payload/exp"},
		{"exp false", "", payload("exp", "false"), "incorrectType /payload/exp"},
		{"nbf null", "", payload("nbf", "null"), "incorrectType /payload/nbf"},
		{"nbf text", "", payload("nbf", `"1"`), "incorrectType /payload/nbf"},
		{"nnc null", "", payload("nnc", "null"), "incorrectType /payload/nnc"},
		{"nnc number", "", payload("nnc", "1"), "incorrectType /payload/nnc"},
		{"fct null", "", payload("fct", "null"), "incorrectType /payload/fct"},
		{"fct list", "", payload("fct", "[{}]"), "incorrectType /payload/fct"},

		{"no cap", "", payload("cap", "-"), "missingField /payload/cap"},
		{"cap null", "", payload("cap", "null"), "incorrectType /payload/cap"},
		{"cap list", "", payload("cap", "[]"), "incorrectType /payload/cap"},
		{"cap without abilities", "", payload("cap", capOf("mailto:a", "{}")), "incorrectType /payload/cap/mailto:a"},
		{"cap abilities null", "", payload("cap", capOf("mailto:a", "null")), "incorrectType /payload/cap/mailto:a"},
		{"cap is no URI", "", payload("cap", capOf("mailto", `{"x/y":[{}]}`)), "incorrectType /payload/cap/mailto"},
		{"cap of no scheme", "", payload("cap", capOf("1:x", `{"x/y":[{}]}`)), "incorrectType /payload/cap/1:x"},
		{"cap with a space", "", payload("cap", capOf("mailto:a b", `{"x/y":[{}]}`)), "incorrectType /payload/cap/mailto:a b"},
		{"cap of an unknown scheme", "", payload("cap", capOf("zzz+1:é", `{"x/y":[{}]}`)), ""},
		{"cap without ability", "", payload("cap", capOf("mailto:a", `{"":[{}]}`)), "incorrectType /payload/cap/mailto:a/"},
		{"cap caveats null", "", payload("cap", capOf("mailto:a", `{"x/y":null}`)), "incorrectType /payload/cap/mailto:a/x~1y"},
		{"cap caveats object", "", payload("cap", capOf("mailto:a", `{"x/y":{}}`)), "incorrectType /payload/cap/mailto:a/x~1y"},
		{"cap never", "", payload("cap", capOf("mailto:a", `{"x/y":[]}`)), "incorrectType /payload/cap/mailto:a/x~1y"},
		{"cap caveat null", "", payload("cap", capOf("mailto:a", `{"x/y":[{},null]}`)), "incorrectType /payload/cap/mailto:a/x~1y"},
		{"cap caveat text", "", payload("cap", capOf("mailto:a", `{"x/y":["a"]}`)), "incorrectType /payload/cap/mailto:a/x~1y"},

		{"prf null", "", payload("prf", "null"), "incorrectType /payload/prf, incorrectProofs /payload/prf"},
		{"prf object", "", payload("prf", "{}"), "incorrectType /payload/prf, incorrectProofs /payload/prf"},
		{"prf text", "", payload("prf", `"`+anyCID+`"`), "incorrectType /payload/prf, incorrectProofs /payload/prf"},
		{"prf number", "", payload("prf", "[1]"), "incorrectType /payload/prf/0, incorrectProofs /payload/prf/0"},
		{"prf no content id", "", payload("prf", `["we","`+anyCID+`"]`), "incorrectProofs /payload/prf/0"},
		{"prf token", "", payload("prf", `["`+handSigned(root, jwtHeader, payload())+`"]`), "incorrectProofs /payload/prf/0"},
		{"prf in upper case", "", payload("prf", `["`+strings.ToUpper(anyCID)+`"]`), "incorrectProofs /payload/prf/0"},
		{"prf of another codec", "", payload("prf", `["bafyreie3bfwr2pxtzphzpspb3plvdrh3obq5yiyibfuuiqj2m3kcrrexpu"]`), "incorrectProofs /payload/prf/0"},
		{"prf version 0", "", payload("prf", `["QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG"]`), "incorrectProofs /payload/prf/0"},
		{"prf too many", "", payload("prf", `["`+anyCID+strings.Repeat(`","`+anyCID, 8)+`"]`), "incorrectProofs /payload/prf"},
		{"prf as many as may be", "", payload("prf", `["`+anyCID+strings.Repeat(`","`+anyCID, 7)+`"]`), ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.header == "" {
				c.header = jwtHeader
			}
			raw := handSigned(root, c.header, c.payload)
			tok, found := v0.Parse(raw)
			if (tok == nil) == (len(found) == 0) {
				t.Fatalf("token %v and findings %v", tok, found)
			}
			got := []string{}
			for _, f := range found {
				got = append(got, string(f.Code)+" "+f.At)
				if f.In != ucan.CID(raw) {
					t.Errorf("found in %q", f.In)
				}
			}
			if s := strings.Join(got, ", "); s != c.want {
				t.Errorf("found %q, want %q", s, c.want)
			}
			if r := v0.Verify(raw, v0.Check{Now: 1}); c.want != "" && (r.Valid() || r.Token != nil || len(r.Authorities) != 0) {
				t.Errorf("verified: %+v", r)
			}
		})
	}
}

// Texts that are not three parts in the strict alphabet.
func TestFaultsOfEncoding(t *testing.T) {
	t.Parallel()
	good := handSigned(root, jwtHeader, payload())
	parts := strings.Split(good, ".")
	padded := base64.URLEncoding.EncodeToString([]byte(jwtHeader + " "))
	stray := parts[2][:85] + string(nextLetter(parts[2][85]))
	cases := map[string]string{
		"empty":               "",
		"one part":            parts[0],
		"two parts":           parts[0] + "." + parts[1],
		"four parts":          good + ".",
		"a space before":      " " + good,
		"a line end behind":   good + "\n",
		"a line end inside":   parts[0][:4] + "\n" + parts[0][4:] + "." + parts[1] + "." + parts[2],
		"padding":             padded + "." + parts[1] + "." + parts[2],
		"standard alphabet":   strings.NewReplacer("-", "+", "_", "/").Replace(parts[0]) + "." + parts[1] + "." + strings.Repeat("+", 86),
		"stray bits":          parts[0] + "." + parts[1] + "." + stray,
		"no signature":        parts[0] + "." + parts[1] + ".",
		"half a signature":    parts[0] + "." + parts[1] + "." + parts[2][:43],
		"one and a half":      good + parts[2][:43],
		"empty header":        "." + parts[1] + "." + parts[2],
		"empty payload":       parts[0] + ".." + parts[2],
		"header and payload":  parts[1] + "." + parts[0] + "." + parts[2],
		"invisible character": good + "\u200b",
		"too long":            handSigned(root, jwtHeader, payload("nnc", `"`+strings.Repeat("n", v0.MaxToken)+`"`)),
	}
	for name, raw := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tok, found := v0.Parse(raw); tok != nil || len(found) == 0 {
				t.Errorf("parsed %+v", tok)
			}
			if r := v0.Verify(raw, v0.Check{}); r.Valid() {
				t.Error("verified")
			}
		})
	}
}

// nextLetter differs from a letter of base64url in the last bit only.
func nextLetter(c byte) byte {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return letters[strings.IndexByte(letters, c)^1]
}

// No byte of a valid token can be another.
func TestEveryByteCounts(t *testing.T) {
	t.Parallel()
	proof := give(t, root, bob, v0.Draft{Caps: []v0.Cap{right(page, "*")}, Expires: at(now + 9), NotBefore: at(1), Nonce: "n", Facts: m{"a": "b"}})
	child := give(t, bob, carol, v0.Draft{Caps: []v0.Cap{right(page, "doc/edit", m{"t": list("a")})}, Expires: at(now + 9), NotBefore: at(1), Proofs: []string{ucan.CID(proof)}})
	check := v0.Check{Now: now, Proofs: bag(proof).Find}
	for _, raw := range []string{proof, child} {
		if r := v0.Verify(raw, check); !r.Valid() {
			t.Fatal(r.Findings)
		}
		for i := range len(raw) {
			for bit := range 8 {
				b := []byte(raw)
				b[i] ^= 1 << bit
				if r := v0.Verify(string(b), check); r.Valid() || len(r.Authorities) != 0 {
					t.Errorf("byte %d, bit %d: accepted", i, bit)
				}
			}
			if r := v0.Verify(raw[:i], check); r.Valid() {
				t.Errorf("cut at %d: accepted", i)
			}
		}
	}
}

func TestParseGivesTheMeaning(t *testing.T) {
	t.Parallel()
	raw := give(t, root, bob, v0.Draft{
		Fragment: "k", Expires: at(9), NotBefore: at(-3), Nonce: "n", Facts: m{"f": list("x", nil)}, Proofs: []string{anyCID},
		Caps: []v0.Cap{right("z:z", "b"), right("a:a", "c", m{"x": "1"}), right("a:a", "B")},
	})
	tok, found := v0.Parse(raw)
	if len(found) != 0 {
		t.Fatal(found)
	}
	got := fmt.Sprintln(tok.Version, tok.Issuer == root.Key().String(), tok.Fragment, tok.Audience == bob.Key().String(), tok.IssuerDID.String() == tok.Issuer,
		tok.AudienceDID.String() == tok.Audience, *tok.Expires, *tok.NotBefore, tok.Nonce, tok.Facts, tok.Caps, tok.Proofs, tok.Raw == raw, tok.CID() == ucan.CID(raw))
	want := "0.10.0 true k true true true 9 -3 n map[f:[x <nil>]] [{a:a B [map[]]} {a:a c [map[x:1]]} {z:z b [map[]]}] [" + anyCID + "] true true"
	if strings.Join(strings.Fields(got), " ") != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if tok.ReplayKey() != ucan.ReplayKey(tok.Issuer, "n", "") {
		t.Error("replay key does not rest on the nonce")
	}
}
