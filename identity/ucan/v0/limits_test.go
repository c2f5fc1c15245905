package v0_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/v0"
)

// Each limit bites one past its value and not before.
func TestLimits(t *testing.T) {
	t.Parallel()
	sized := func(n int) string {
		raw := handSigned(root, jwtHeader, payload("nnc", `"`+strings.Repeat("n", n)+`"`))
		return raw
	}
	most := 0
	for len(sized(most+1)) <= v0.MaxToken {
		most++
	}
	cases := []struct {
		name     string
		in, over func() bool // whether it is accepted
	}{
		{"MaxToken",
			func() bool { tok, _ := v0.Parse(sized(most)); return tok != nil },
			func() bool { tok, _ := v0.Parse(sized(most + 1)); return tok != nil }},
		{"MaxTokens", func() bool { return wideChain(t, v0.MaxTokens-1).Valid() }, func() bool { return wideChain(t, v0.MaxTokens).Valid() }},
		{"MaxCollection",
			func() bool { return collectionOf(t, v0.MaxCollection) == nil },
			func() bool { return collectionOf(t, v0.MaxCollection+1) == nil }},
		{"MaxCollection of a header",
			func() bool {
				_, err := v0.ParseUcansHeader(strings.Repeat(" ", v0.MaxCollection-5) + "a.b.c")
				return err == nil
			},
			func() bool {
				_, err := v0.ParseUcansHeader(strings.Repeat(" ", v0.MaxCollection-4) + "a.b.c")
				return err == nil
			}},
		{"MaxTokens of a header", func() bool { return headerOf(v0.MaxTokens) == nil }, func() bool { return headerOf(v0.MaxTokens+1) == nil }},
		{"MaxTokens of a collection", func() bool { return countedCollection(t, v0.MaxTokens-1) == nil }, func() bool { return countedCollection(t, v0.MaxTokens) == nil }},
		{"version", func() bool { return parses(payload("ucv", `"0.10.0+`+strings.Repeat("b", 64-8)+`"`)) },
			func() bool { return parses(payload("ucv", `"0.10.0+`+strings.Repeat("b", 64-7)+`"`)) }},
		{"DID", func() bool { return parses(payload("aud", `"did:web:`+strings.Repeat("b", 2<<10-8)+`"`)) },
			func() bool { return parses(payload("aud", `"did:web:`+strings.Repeat("b", 2<<10-7)+`"`)) }},
		{"resource", func() bool { return parses(payload("cap", capOf("a:"+strings.Repeat("b", 2<<10-2), `{"x":[{}]}`))) },
			func() bool { return parses(payload("cap", capOf("a:"+strings.Repeat("b", 2<<10-1), `{"x":[{}]}`))) }},
		{"ability", func() bool { return parses(payload("cap", capOf("a:b", `{"`+strings.Repeat("x", 2<<10)+`":[{}]}`))) },
			func() bool { return parses(payload("cap", capOf("a:b", `{"`+strings.Repeat("x", 2<<10+1)+`":[{}]}`))) }},
		{"time before 1970", func() bool { return parses(payload("nbf", "-9007199254740991")) },
			func() bool { return parses(payload("nbf", "-9007199254740992")) }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if !c.in() {
				t.Error("refused at the limit")
			}
			if c.over() {
				t.Error("accepted over the limit")
			}
		})
	}
}

func parses(payload string) bool {
	tok, _ := v0.Parse(handSigned(root, jwtHeader, payload))
	return tok != nil
}

// wideChain verifies a token that rests on n others, two links deep.
func wideChain(t *testing.T, n int) v0.Result {
	t.Helper()
	proofs := v0.Proofs{}
	var middle []string
	for left := n; left > 0; {
		var leaves []string
		for range min(left-1, v0.MaxProofs) {
			leaves = append(leaves, proofs.Add(give(t, root, bob, v0.Draft{Nonce: fmt.Sprint(len(proofs))})))
		}
		left -= len(leaves) + 1
		middle = append(middle, proofs.Add(give(t, bob, bob, v0.Draft{Nonce: fmt.Sprint("m", len(proofs)), Proofs: leaves})))
	}
	for len(middle) > v0.MaxProofs { // one more level costs one more token for each: take it from the leaves
		t.Helper()
		var above []string
		for len(middle) > 0 {
			k := min(len(middle), v0.MaxProofs)
			cid := proofs.Add(give(t, bob, bob, v0.Draft{Nonce: fmt.Sprint("a", len(proofs)), Proofs: middle[:k]}))
			above, middle = append(above, cid), middle[k:]
		}
		middle = above
	}
	extra := len(proofs) - n
	top := give(t, bob, carol, v0.Draft{Proofs: middle})
	// Leave out the tokens that the upper level added; nothing needs them.
	return v0.Verify(top, v0.Check{Now: now, Proofs: func(cid string) (string, bool) {
		raw, ok := proofs[cid]
		if ok && extra > 0 {
			if tok, _ := v0.Parse(raw); tok != nil && len(tok.Proofs) == 0 {
				extra--
				return "", false
			}
		}
		return raw, ok
	}})
}

func collectionOf(t *testing.T, size int) error {
	t.Helper()
	b, err := v0.Collection{Root: "a.b.c"}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	_, err = v0.ParseCollection(append(b, bytes.Repeat([]byte(" "), size-len(b))...))
	return err
}

func headerOf(n int) error {
	parts := []string{}
	for i := range n {
		parts = append(parts, fmt.Sprintf("a.b.c%d", i))
	}
	_, err := v0.ParseUcansHeader(strings.Join(parts, ","))
	return err
}

func countedCollection(t *testing.T, proofs int) error {
	t.Helper()
	c := v0.Collection{Root: "a.b.c", Proofs: v0.Proofs{}}
	for i := range proofs {
		c.Proofs.Add(fmt.Sprint("a.b.", i))
	}
	_, err := c.Encode()
	return err
}

// A web of tokens that is made to multiply costs no more than its share, and is
// refused for that.
func TestWorkIsBounded(t *testing.T) {
	t.Parallel()
	// Each of ten levels claims two hundred rights under a caveat that the level
	// below has as the last of its kind.
	caps := func(last string) []v0.Cap {
		var out []v0.Cap
		for i := range 100 {
			out = append(out, right(fmt.Sprintf("a:%d", i), "x", m{"a": last}))
		}
		for i := range 12 {
			out = append(out, right("a:z", fmt.Sprint("ucan/", i), m{"a": fmt.Sprint(i)}, m{"a": last}))
		}
		return append(out, redelegation("ucan:*", m{"b": "0"}, m{"b": "1"}, m{"b": "2"}))
	}
	proofs := v0.Proofs{}
	var links []string
	for level := range 10 {
		var next []string
		for i := range 8 {
			raw := give(t, bob, bob, v0.Draft{Caps: caps("v"), Proofs: links, Nonce: fmt.Sprint(level, i)})
			next = append(next, proofs.Add(raw))
		}
		links = next
	}
	var wanted []v0.Cap
	for i := range 100 {
		wanted = append(wanted, right(fmt.Sprintf("b:%d", i), "x", m{"b": "0"}))
	}
	top := give(t, bob, carol, v0.Draft{Caps: wanted, Proofs: links})
	none := v0.Check{Proofs: proofs.Find, Owner: ownedBy(dan)}
	first := v0.Verify(top, none)
	if !first.Findings.HasWhy(v0.WhySize) || len(first.Authorities) != 0 {
		t.Errorf("found %v", first.Findings.Codes())
	}
	if again := v0.Verify(top, none); fmt.Sprint(again.Findings, again.Issuers) != fmt.Sprint(first.Findings, first.Issuers) {
		t.Error("another answer the second time")
	}
}

// So do caveats alone, in one link.
func TestWorkOnCaveatsIsBounded(t *testing.T) {
	t.Parallel()
	many := func(field string) []map[string]any {
		var out []map[string]any
		for i := range 250 {
			out = append(out, m{field: i})
		}
		return out
	}
	proofs := v0.Proofs{}
	var links []string
	for i := range 8 {
		links = append(links, proofs.Add(give(t, root, bob, v0.Draft{Caps: []v0.Cap{right(page, "x", many("a")...)}, Nonce: fmt.Sprint(i)})))
	}
	top := give(t, bob, carol, rights([]v0.Cap{right(page, "x", many("b")...)}, links...))
	if r := v0.Verify(top, v0.Check{Proofs: proofs.Find}); codes(r) != "invalidDelegation/coverage invalidDelegation/size" {
		t.Errorf("found %s", codes(r))
	}
}

// What reserved resources list is bounded, what they prove is not.
func TestListingIsBounded(t *testing.T) {
	t.Parallel()
	proofs := v0.Proofs{}
	var links []string
	for i := range 8 {
		var caps []v0.Cap
		for j := range 150 {
			caps = append(caps, right(fmt.Sprintf("a:%d.%d", i, j), "x"))
		}
		links = append(links, proofs.Add(give(t, root, bob, rights(caps))))
	}
	top := give(t, bob, carol, rights([]v0.Cap{redelegation("ucan:./*")}, links...))
	r := v0.Verify(top, v0.Check{Proofs: proofs.Find})
	if !r.Valid() || len(r.Authorities) != 1024 {
		t.Fatalf("%d authorities: %v", len(r.Authorities), r.Findings)
	}
	use := give(t, carol, dan, rights([]v0.Cap{right("a:7.149", "x")}, proofs.Add(top)))
	if r := v0.Verify(use, v0.Check{Proofs: proofs.Find}); !r.Valid() || !ucanPermits(r, "a:7.149") {
		t.Error(r.Findings)
	}
}

func ucanPermits(r v0.Result, resource string) bool {
	_, ok := ucan.Permits(r.Authorities, ucan.Act{Resource: resource, Ability: "x"}, nil)
	return ok
}
