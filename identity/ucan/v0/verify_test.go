package v0_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/v0"
)

type m = map[string]any

func list(v ...any) []any { return append([]any{}, v...) }

// The table of attenuation, and what it says about abilities and resources.
func TestAttenuation(t *testing.T) {
	t.Parallel()
	x, y, z := m{"x": "1"}, m{"y": "1"}, m{"z": "1"}
	mail := "mailto:a@example.com"
	cases := []struct {
		name         string
		proof, child v0.Cap
		ok           bool
	}{
		{"all to all", right(mail, "email/send"), right(mail, "email/send"), true},
		{"all to some", right(mail, "email/send"), right(mail, "email/send", x), true},
		{"same", right(mail, "email/send", x), right(mail, "email/send", x), true},
		{"some to all", right(mail, "email/send", x), right(mail, "email/send"), false},
		{"some to all beside some", right(mail, "email/send", x), right(mail, "email/send", x, m{}), false},
		{"swap", right(mail, "email/send", x), right(mail, "email/send", y), false},
		{"drop one", right(mail, "email/send", x, y), right(mail, "email/send", x), true},
		{"restrict one further", right(mail, "email/send", x, y), right(mail, "email/send", x, m{"y": "1", "z": "1"}), true},
		{"add one", right(mail, "email/send", x, y), right(mail, "email/send", x, y, z), false},
		{"no arithmetic", right(mail, "email/send", m{"max": 5}), right(mail, "email/send", m{"max": 4}), false},
		{"other value", right(mail, "email/send", x), right(mail, "email/send", m{"x": "2"}), false},
		{"array shrinks", right(mail, "email/send", m{"t": list("a", "b")}), right(mail, "email/send", m{"t": list("b")}), true},
		{"array in other order", right(mail, "email/send", m{"t": list("a", "b")}), right(mail, "email/send", m{"t": list("b", "a")}), true},
		{"array grows", right(mail, "email/send", m{"t": list("a")}), right(mail, "email/send", m{"t": list("a", "b")}), false},
		{"array to element", right(mail, "email/send", m{"t": list("a")}), right(mail, "email/send", m{"t": "a"}), false},
		{"element to array", right(mail, "email/send", m{"t": "a"}), right(mail, "email/send", m{"t": list("a")}), false},
		{"array elements are whole", right(mail, "email/send", m{"t": list(m{"k": "1"})}), right(mail, "email/send", m{"t": list(m{})}), false},
		{"object may not grow", right(mail, "email/send", m{"o": m{"k": "1"}}), right(mail, "email/send", m{"o": m{"k": "1", "l": "2"}}), false},
		{"number and text differ", right(mail, "email/send", m{"n": 1}), right(mail, "email/send", m{"n": "1"}), false},
		{"null is a value", right(mail, "email/send", m{"n": nil}), right(mail, "email/send"), false},
		{"field renamed by case", right(mail, "email/send", m{"n": "1"}), right(mail, "email/send", m{"N": "1"}), false},

		{"ability without case", right(mail, "email/Send"), right(mail, "EMAIL/send"), true},
		{"other ability", right(mail, "email/send"), right(mail, "email/read"), false},
		{"star covers", right(mail, "*"), right(mail, "email/send"), true},
		{"nothing covers star", right(mail, "email/send"), right(mail, "*"), false},
		{"namespace is ours only", right(mail, "email/*"), right(mail, "email/send"), false},
		{"namespace of ours", right(page, "entry/*"), right(page, "entry/put"), true},
		{"namespace in any case", right(page, "Entry/*"), right(page, "eNtry/Put"), true},
		{"namespace is a whole word", right(page, "ent/*"), right(page, "entry/put"), false},
		{"narrow to namespace", right(page, "entry/put"), right(page, "entry/*"), false},
		{"Kelvin is not k", right(mail, "k/x"), right(mail, "\u212a/x"), false},

		{"other resource", right(mail, "email/send"), right("mailto:b@example.com", "email/send"), false},
		{"foreign path", right("https://example.com/a", "x/y"), right("https://example.com/a/b", "x/y"), false},
		{"path below", right(page, "doc/edit"), right(page+"/board", "doc/edit"), true},
		{"path above", right(page+"/board", "doc/edit"), right(page, "doc/edit"), false},
		{"path not at a slash", right(page, "doc/edit"), right(page+"y", "doc/edit"), false},
		{"dots", right(page, "doc/edit"), right(page+"/../y", "doc/edit"), false},
		{"escaped dots", right(page, "doc/edit"), right(page+"/%2e%2e/y", "doc/edit"), false},
		{"everything of ours", right("mesh://*", "*"), right(page, "doc/edit"), true},
		{"everything of ours only", right("mesh://*", "*"), right(mail, "email/send"), false},
		{"unknown reserved resource", right("ucan:x", "ucan/*"), right(mail, "email/send"), false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			proof := give(t, root, bob, rights([]v0.Cap{c.proof}))
			child := give(t, bob, carol, rights([]v0.Cap{c.child}, ucan.CID(proof)))
			r := verify(child, proof)
			if strings.HasPrefix(c.proof.With, "ucan:") { // names a proof that is none
				if r.Valid() {
					t.Fatal("accepted")
				}
				return
			}
			if r.Valid() != c.ok {
				t.Fatalf("valid %v, want %v: %v", r.Valid(), c.ok, r.Findings)
			}
			if !c.ok && codes(r) != "invalidDelegation/coverage" {
				t.Errorf("found %s", codes(r))
			}
			if c.ok && (len(r.Authorities) != 1 || r.Authorities[0].Subject != carol.Key().String() || len(r.Authorities[0].Chain) != 2) {
				t.Errorf("authorities %+v", r.Authorities)
			}
		})
	}
}

// Each caveat may come from another proof, and each capability too.
func TestUnionOfProofs(t *testing.T) {
	t.Parallel()
	a := give(t, root, bob, rights([]v0.Cap{right(page, "doc/edit", m{"d": "1"}), right(page, "entry/put")}))
	b := give(t, carol, bob, rights([]v0.Cap{right(page, "doc/edit", m{"d": "2"})}))
	child := give(t, bob, dan, rights([]v0.Cap{right(page, "doc/edit", m{"d": "1"}, m{"d": "2"}), right(page, "entry/put")}, ucan.CID(a), ucan.CID(b)))
	r := verify(child, a, b)
	if !r.Valid() || len(r.Authorities) != 2 {
		t.Fatalf("%+v", r)
	}
	if got := len(r.Authorities[0].Chain); got != 3 {
		t.Errorf("chain of %d tokens, want the child and both proofs", got)
	}
	if want := sortedTexts(root, bob, carol); fmt.Sprint(r.Issuers) != fmt.Sprint(want) {
		t.Errorf("issuers %v, want %v", r.Issuers, want)
	}
	// No field of one proof with a field of the other: that is neither.
	both := give(t, bob, dan, rights([]v0.Cap{right(page, "doc/edit", m{})}, ucan.CID(a), ucan.CID(b)))
	if r := verify(both, a, b); codes(r) != "invalidDelegation/coverage" {
		t.Errorf("found %s", codes(r))
	}
}

// chain is a straight chain of n links, leaf last.
func chain(t testing.TB, n int) []string {
	t.Helper()
	out := []string{give(t, who(100), who(101), rights([]v0.Cap{right(page, "*")}))}
	for i := range n {
		from, to := who(byte(101+i)), who(byte(102+i))
		out = append(out, give(t, from, to, rights([]v0.Cap{right(page, "*")}, ucan.CID(out[i]))))
	}
	return out
}

func last(raws []string) string { return raws[len(raws)-1] }

// Every way to be refused has its own finding.
func TestRefusals(t *testing.T) {
	t.Parallel()
	caps := []v0.Cap{right(page, "doc/edit")}
	proof := give(t, root, bob, v0.Draft{Caps: caps, Expires: at(now + 10), NotBefore: at(now - 10)})
	cid := ucan.CID(proof)
	child := func(d v0.Draft) string { return give(t, bob, carol, d) }
	bounded := v0.Draft{Caps: caps, Expires: at(now + 10), NotBefore: at(now - 10), Proofs: []string{cid}}
	changed := func(change func(*v0.Draft)) string {
		d := bounded
		change(&d)
		return child(d)
	}
	good := child(bounded)
	old := give(t, root, bob, v0.Draft{Version: "0.10.1", Caps: caps})
	deep := chain(t, 11)
	endless := chain(t, 64)
	ours := func(d did.DID, _ string) bool { return d == did.OfKey(root.Key()) }
	blake, err := v0.CIDWith(ucan.BLAKE3, proof)
	if err != nil {
		t.Fatal(err)
	}
	sha512, err := v0.CIDWith(ucan.SHA512, proof)
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name  string
		raw   string
		check v0.Check
		want  string
	}{
		{"sound", good, v0.Check{Now: now}, ""},
		{"sound at the first moment", good, v0.Check{Now: now - 10}, ""},
		{"sound at the last moment", good, v0.Check{Now: now + 10}, ""},
		{"expired", good, v0.Check{Now: now + 11}, "expired expired"},
		{"not ready", good, v0.Check{Now: now - 11}, "notReady notReady"},
		{"outlives its proof", changed(func(d *v0.Draft) { d.Expires = at(now + 11) }), v0.Check{Now: now}, "timeBoundsViolation"},
		{"never ends", changed(func(d *v0.Draft) { d.Expires = nil }), v0.Check{Now: now}, "timeBoundsViolation"},
		{"begins before its proof", changed(func(d *v0.Draft) { d.NotBefore = at(now - 11) }), v0.Check{Now: now}, "timeBoundsViolation"},
		{"has no beginning", changed(func(d *v0.Draft) { d.NotBefore = nil }), v0.Check{Now: now}, "timeBoundsViolation"},
		{"given to somebody else", give(t, dan, carol, bounded), v0.Check{Now: now}, "invalidDelegation/alignment"},
		{"widened", changed(func(d *v0.Draft) { d.Caps = []v0.Cap{right(page, "*")} }), v0.Check{Now: now}, "invalidDelegation/coverage"},
		{"older than its proof", give(t, bob, carol, rights(caps, ucan.CID(old))), v0.Check{Now: now, Proofs: bag(old).Find}, "invalidDelegation/version"},
		{"newer than its proof", changed(func(d *v0.Draft) { d.Version = "0.10.7+build" }), v0.Check{Now: now}, ""},
		{"ten links", deep[10], v0.Check{Now: now, Proofs: bag(deep...).Find}, ""},
		{"eleven links", deep[11], v0.Check{Now: now, Proofs: bag(deep...).Find}, "invalidDelegation/depth"},
		{"two links of one", deep[2], v0.Check{Now: now, Proofs: bag(deep...).Find, MaxDepth: 1}, "invalidDelegation/depth"},
		{"sixty-four links", last(endless), v0.Check{Now: now, Proofs: bag(endless...).Find}, "invalidDelegation/depth"},
		{"proof not at hand", good, v0.Check{Now: now, Proofs: bag().Find}, "unavailableProof"},
		{"no way to find proofs", good, v0.Check{Now: now, Proofs: func(string) (string, bool) { return "", false }}, "unavailableProof"},
		{"unneeded proof not at hand", changed(func(d *v0.Draft) { d.Caps = nil }), v0.Check{Now: now, Proofs: bag().Find}, ""},
		{"proof is another token", good, v0.Check{Now: now, Proofs: func(string) (string, bool) { return old, true }}, "incorrectProofs"},
		{"names itself", good, v0.Check{Now: now, Proofs: func(string) (string, bool) { return good, true }}, "incorrectProofs"},
		{"proof is too large", good, v0.Check{Now: now, Proofs: func(string) (string, bool) { return strings.Repeat("x", v0.MaxToken+1), true }}, "incorrectProofs"},
		{"proof by BLAKE3", changed(func(d *v0.Draft) { d.Proofs = []string{blake} }), v0.Check{Now: now}, ""},
		{"proof by SHA-512", changed(func(d *v0.Draft) { d.Proofs = []string{sha512} }), v0.Check{Now: now}, ""},
		{"root", good, v0.Check{Now: now, Owner: ours}, ""},
		{"not the root", good, v0.Check{Now: now, Owner: ownedBy(dan)}, "notRootOwner"},
		{"owner needs no proof", good, v0.Check{Now: now, Owner: func(did.DID, string) bool { return true }, Proofs: bag().Find}, ""},
		{"revoked", good, v0.Check{Now: now, Revoked: func(c string) bool { return c == ucan.CID(good) }}, "revoked"},
		{"proof revoked", good, v0.Check{Now: now, Revoked: func(c string) bool { return c == cid }}, "revoked"},
		{"not signed", good[:len(good)-86] + proof[len(proof)-86:], v0.Check{Now: now}, "invalidSignature"},
		{"signed by another", handSigned(dan, jwtHeader, `{"ucv":"0.10.0","iss":"`+bob.Key().String()+`","aud":"did:web:x","exp":null,"cap":{}}`), v0.Check{Now: now}, "invalidSignature"},
		{"issuer without a key in its name", handSigned(dan, jwtHeader, `{"ucv":"0.10.0","iss":"did:web:example.com","aud":"did:web:x","exp":null,"cap":{}}`), v0.Check{Now: now}, "invalidSignature"},
		{"key of another kind", handSigned(dan, jwtHeader, `{"ucv":"0.10.0","iss":"did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme","aud":"did:web:x","exp":null,"cap":{}}`), v0.Check{Now: now}, "invalidSignature"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.check.Proofs == nil {
				c.check.Proofs = bag(proof).Find
			}
			r := v0.Verify(c.raw, c.check)
			if got := codes(r); got != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
			if (len(r.Authorities) != 0) != (c.want == "" && len(r.Token.Caps) > 0) {
				t.Errorf("authorities %+v with findings %v", r.Authorities, r.Findings)
			}
			if r.Findings.Has(v0.UnavailableProof) && (len(r.Missing) != 1 || r.Missing[0] != cid) {
				t.Errorf("missing %v", r.Missing)
			}
			if tok, found := v0.Parse(c.raw); len(found) == 0 {
				if again := tok.Verify(c.check); codes(again) != c.want {
					t.Errorf("the parsed token: %s", codes(again))
				}
			}
		})
	}
}

// All causes are found together: none hides another.
func TestEveryCheckRuns(t *testing.T) {
	t.Parallel()
	proof := give(t, root, bob, v0.Draft{Caps: []v0.Cap{right(page, "doc/edit")}, Expires: at(now - 5), NotBefore: at(5)})
	raw := handSigned(carol, `{"typ":"JWT"}`, `{"ucv":"0.10.0","iss":"`+dan.Key().String()+`","aud":"x","exp":null,"nbf":`+
		fmt.Sprint(now+1)+`,"cap":{"mailto:a":{"x/y":[{}]},"mailto:b":{"x/y":[]}},"prf":["`+ucan.CID(proof)+`","nonsense"]}`)
	want := "missingField incorrectType incorrectType incorrectProofs expired notReady timeBoundsViolation invalidDelegation/alignment invalidDelegation/coverage invalidSignature"
	if r := verify(raw, proof); codes(r) != want {
		t.Errorf("found\n%s, want\n%s", codes(r), want)
	}
}

// A fragment of iss chooses a key; it is no part of the name.
func TestFragmentsDoNotNameOthers(t *testing.T) {
	t.Parallel()
	proof := give(t, root, bob, v0.Draft{Fragment: "key-1", Caps: []v0.Cap{right(page, "doc/edit")}})
	d := rights([]v0.Cap{right(page, "doc/edit")}, ucan.CID(proof))
	d.Fragment = "phone"
	child := give(t, bob, carol, d)
	r := v0.Verify(child, v0.Check{Proofs: bag(proof).Find, Owner: ownedBy(root)})
	if !r.Valid() || r.Token.Issuer != bob.Key().String() || r.Token.Fragment != "phone" {
		t.Errorf("%+v", r)
	}
}

// The log lets a key stand in for the key it replaced.
func TestAlignedStandsIn(t *testing.T) {
	t.Parallel()
	proof := give(t, root, bob, rights([]v0.Cap{right(page, "doc/edit")}))
	child := give(t, carol, dan, rights([]v0.Cap{right(page, "doc/edit")}, ucan.CID(proof)))
	check := v0.Check{Proofs: bag(proof).Find, Aligned: func(audience, issuer string) bool {
		return audience == bob.Key().String() && issuer == carol.Key().String()
	}}
	if r := v0.Verify(child, check); !r.Valid() {
		t.Error(r.Findings)
	}
	check.Aligned = func(string, string) bool { return false }
	if r := v0.Verify(child, check); codes(r) != "invalidDelegation/alignment" {
		t.Error(codes(r))
	}
}

// Only the paths through a revoked token die.
func TestRevocationLeavesOtherPaths(t *testing.T) {
	t.Parallel()
	caps := []v0.Cap{right(page, "doc/edit")}
	a, b := give(t, root, bob, rights(caps)), give(t, carol, bob, rights(append(caps, right(page, "entry/put"))))
	child := give(t, bob, dan, rights([]v0.Cap{right(page, "doc/edit"), right(page, "entry/put")}, ucan.CID(a), ucan.CID(b)))
	leaf := give(t, dan, friend, rights(caps, ucan.CID(child)))
	revoke := func(raw string, gone ...string) v0.Result {
		return v0.Verify(raw, v0.Check{Proofs: bag(a, b, child).Find, Revoked: func(cid string) bool {
			for _, g := range gone {
				if ucan.CID(g) == cid {
					return true
				}
			}
			return false
		}})
	}
	if r := revoke(leaf, a); !r.Valid() || len(r.Authorities) != 1 || r.Authorities[0].Chain[2] != ucan.CID(b) {
		t.Errorf("with another path: %+v", r)
	}
	if r := revoke(leaf, b); !r.Valid() {
		t.Errorf("what is not needed: %v", r.Findings)
	}
	if r := revoke(leaf, a, b); codes(r) != "revoked" || len(r.Authorities) != 0 {
		t.Errorf("with no path: %+v", r)
	}
	if r := revoke(leaf, child); codes(r) != "revoked" {
		t.Errorf("in the middle: %v", r.Findings)
	}
	r := revoke(child, b)
	if codes(r) != "revoked" || len(r.Authorities) != 1 || r.Authorities[0].Ability != "doc/edit" {
		t.Errorf("half of it: %+v", r)
	}
	bare := give(t, bob, dan, rights(nil, ucan.CID(a)))
	if r := revoke(bare, a); codes(r) != "revoked" {
		t.Errorf("a token that only hands on: %v", r.Findings)
	}
	// Taking something away never makes a bad token good.
	wide := give(t, bob, dan, v0.Draft{Caps: []v0.Cap{right(page, "*")}, Proofs: []string{ucan.CID(a)}})
	if r := revoke(wide, a); !r.Findings.HasWhy(v0.WhyCoverage) {
		t.Errorf("a widened token: %v", r.Findings)
	}
}

// Eight wide and ten deep, every token with all the rights of the level above:
// as many paths as 8^10, and 81 tokens.
func TestDiamondIsNotExponential(t *testing.T) {
	t.Parallel()
	for _, with := range []string{page, "ucan:./*", "ucan:*"} {
		t.Run(with, func(t *testing.T) {
			t.Parallel()
			cap := right(with, "*")
			level := []string{}
			for i := range 8 {
				level = append(level, give(t, who(byte(10+i)), bob, v0.Draft{Caps: []v0.Cap{right(page, "*")}, Nonce: fmt.Sprint(i)}))
			}
			proofs := bag(level...)
			for depth := range 9 {
				links := []string{}
				for _, raw := range level {
					links = append(links, ucan.CID(raw))
				}
				for i := range level {
					level[i] = give(t, bob, bob, v0.Draft{Caps: []v0.Cap{cap}, Proofs: links, Nonce: fmt.Sprint(depth, i)})
					proofs.Add(level[i])
				}
			}
			links := []string{}
			for _, raw := range level {
				links = append(links, ucan.CID(raw))
			}
			top := give(t, bob, carol, v0.Draft{Caps: []v0.Cap{right(page, "doc/edit"), right("ucan:./*", "ucan/*")}, Proofs: links})
			wide := give(t, bob, carol, v0.Draft{Caps: []v0.Cap{right("mailto:a", "x/y")}, Proofs: links})
			for _, c := range []struct {
				raw, want string
				check     v0.Check
			}{
				{top, "", v0.Check{Proofs: proofs.Find}},
				{wide, "invalidDelegation/coverage", v0.Check{Proofs: proofs.Find, Owner: func(_ did.DID, r string) bool { return r == page }}},
			} {
				r, tokens, loads, steps := v0.Work(c.raw, c.check)
				if codes(r) != c.want {
					t.Errorf("found %q, want %q", codes(r), c.want)
				}
				if tokens != 81 || loads != 80 || steps > v0.MaxSteps/4 {
					t.Errorf("took %d tokens, %d loads and %d steps", tokens, loads, steps)
				}
				t.Logf("%d tokens, %d loads, %d steps", tokens, loads, steps)
			}
		})
	}
}

func sortedTexts(of ...*keys.Private) []string {
	out := []string{}
	for _, k := range of {
		out = append(out, k.Key().String())
	}
	for i := range out {
		for j := i; j > 0 && out[j] < out[j-1]; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}
