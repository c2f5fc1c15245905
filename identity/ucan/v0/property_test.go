package v0_test

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/v0"
)

var casesFlag = flag.Int("ucan.cases", 10_000, "random chains of TestScenario14LatticesNeverWiden; 10⁷ at night")

// The universe of the random chains is small, so that chance meets often.
var (
	someResources = []string{"mesh://n/guild/g", "mesh://n/guild/g/board", "mesh://n/guild/gg", "mesh://n/team/t", "mailto:a", "mailto:a/b"}
	someAbilities = []string{"*", "doc/*", "doc/edit", "DOC/edit", "doc/read", "document/x"}
	someCaveats   = []m{
		{}, {"x": "1"}, {"x": "2"}, {"y": "1"}, {"x": "1", "y": "1"},
		{"t": list("a", "b")}, {"t": list("a")}, {"t": list("b", "a")}, {"t": list("a", "c")}, {"t": list()}, {"x": "1", "t": list("b")},
	}
)

func drawCap(t *rapid.T) v0.Cap {
	k := v0.Cap{
		With: rapid.SampledFrom(someResources).Draw(t, "resource"),
		Can:  rapid.SampledFrom(someAbilities).Draw(t, "ability"),
	}
	for range rapid.IntRange(1, 3).Draw(t, "caveats") {
		k.Caveats = append(k.Caveats, rapid.SampledFrom(someCaveats).Draw(t, "caveat"))
	}
	return k
}

// drawCaps draws capabilities: anything, or what one that is given allows.
func drawCaps(t *rapid.T, above []v0.Cap) []v0.Cap {
	var out []v0.Cap
	seen := map[string]bool{}
	for range rapid.IntRange(1, 3).Draw(t, "capabilities") {
		k := drawCap(t)
		if len(above) > 0 && rapid.IntRange(0, 9).Draw(t, "keep") > 0 {
			from := rapid.SampledFrom(above).Draw(t, "from")
			if rapid.Bool().Draw(t, "same") {
				k.With, k.Can = from.With, from.Can
			}
			k.Caveats = nil
			for _, c := range from.Caveats {
				if c := grow(t, c); rapid.IntRange(0, 3).Draw(t, "drop") > 0 || len(k.Caveats) == 0 {
					k.Caveats = append(k.Caveats, c)
				}
			}
		}
		if !seen[k.With+" "+k.Can] {
			seen[k.With+" "+k.Can] = true
			out = append(out, k)
		}
	}
	return out
}

// grow adds a field to a caveat, or leaves it.
func grow(t *rapid.T, c m) m {
	out := m{}
	for name, v := range c {
		out[name] = v
	}
	if rapid.IntRange(0, 2).Draw(t, "grow") == 0 {
		out[rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "field")] = rapid.SampledFrom([]string{"1", "2"}).Draw(t, "value")
	}
	return out
}

// The reference: the rules once more, by brute force and without a thought for
// cost, on Go values instead of prepared texts.

func refAbility(resource, p, c string) bool {
	p, c = strings.ToLower(p), strings.ToLower(c)
	if p == "*" || p == c {
		return true
	}
	return strings.HasPrefix(resource, "mesh:") && strings.HasSuffix(p, "/*") && strings.HasPrefix(c, strings.TrimSuffix(p, "*"))
}

func refResource(p, c string) bool {
	return p == c || strings.HasPrefix(p, "mesh:") && strings.HasPrefix(c, p+"/")
}

func refNarrows(p, c m) bool {
	for name, pv := range p {
		cv, ok := c[name]
		if !ok {
			return false
		}
		if fmt.Sprint(cv) == fmt.Sprint(pv) {
			continue
		}
		pl, a := pv.([]any)
		cl, b := cv.([]any)
		if !a || !b {
			return false
		}
		for _, e := range cl {
			found := false
			for _, f := range pl {
				found = found || e == f
			}
			if !found {
				return false
			}
		}
	}
	return true
}

func refCovered(child v0.Cap, proofs [][]v0.Cap) bool {
	for _, c := range child.Caveats {
		found := false
		for _, caps := range proofs {
			for _, k := range caps {
				for _, p := range k.Caveats {
					found = found || refResource(k.With, child.With) && refAbility(k.With, k.Can, child.Can) && refNarrows(p, c)
				}
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// refMeets says whether an act with these arguments meets a caveat.
func refMeets(c, args m) bool {
	for name, v := range c {
		arg, ok := args[name]
		if !ok {
			return false
		}
		if l, isList := v.([]any); isList {
			in := false
			for _, e := range l {
				in = in || e == arg
			}
			if !in {
				return false
			}
		} else if v != arg {
			return false
		}
	}
	return true
}

// someActs are what the authorities are asked for.
var someActs = func() (out []ucan.Act) {
	for _, r := range append(someResources, "mesh://n/guild/g/board/x", "mailto:b") {
		for _, can := range []string{"doc/edit", "doc/read", "document/x", "mail/send"} {
			for _, x := range []string{"", "1", "2"} {
				for _, y := range []string{"", "1"} {
					for _, tag := range []string{"", "a", "b", "c"} {
						args := m{"z": "1"}
						for name, v := range map[string]string{"x": x, "y": y, "t": tag} {
							if v != "" {
								args[name] = v
							}
						}
						out = append(out, ucan.Act{Resource: r, Ability: can, Args: args})
					}
				}
			}
		}
	}
	return out
}()

var refCaveats = func() ucan.Caveats {
	out := ucan.Caveats{}
	for _, name := range []string{"x", "y", "z", "t"} {
		out[name] = func(v any, args map[string]any) bool { return refMeets(m{name: v}, args) }
	}
	return out
}()

func refPermits(caps []v0.Cap, act ucan.Act) bool {
	for _, k := range caps {
		for _, c := range k.Caveats {
			if refResource(k.With, act.Resource) && refAbility(k.With, k.Can, act.Ability) && refMeets(c, act.Args) {
				return true
			}
		}
	}
	return false
}

// Random chains with random attenuation, most of them honest at most links: they
// are valid exactly when the reference says so, and then no act is permitted at the
// leaf that is not permitted at every link above.
//
// TestScenario14LatticesNeverWiden is the part of scenario 14 about generated lattices.
func TestScenario14LatticesNeverWiden(t *testing.T) {
	if os.Getenv("MESHD_NIGHTLY") == "1" && *casesFlag == 10_000 {
		*casesFlag = 10_000_000
	}
	previous := flag.Lookup("rapid.checks").Value.String()
	if err := flag.Set("rapid.checks", strconv.Itoa(*casesFlag)); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = flag.Set("rapid.checks", previous) }()
	people := []*keys.Private{who(50), who(51), who(52), who(53), who(54)}
	valid, ran := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		ran++
		links := rapid.IntRange(1, 4).Draw(t, "links")
		proofs, sound := v0.Proofs{}, true
		var held [][]v0.Cap // of the proofs of the next token
		var cids []string
		var levels [][]v0.Cap
		var leaf string
		for i := range links + 1 {
			width := 1
			if i < links {
				width = rapid.IntRange(1, 2).Draw(t, "width")
			}
			var nextHeld [][]v0.Cap
			var nextCIDs []string
			var level []v0.Cap
			for j := range width {
				var above []v0.Cap
				for _, h := range held {
					above = append(above, h...)
				}
				caps := drawCaps(t, above)
				if i > 0 {
					for _, k := range caps {
						sound = sound && refCovered(k, held)
					}
				}
				d := v0.Draft{Caps: caps, Proofs: cids, Nonce: fmt.Sprint(i, j)}
				d.Audience = people[min(i+1, 4)].Key().String()
				raw, err := v0.Build(d, people[min(i, 4)], nil)
				if err != nil {
					t.Fatal(err)
				}
				leaf = raw
				level = append(level, caps...)
				nextHeld, nextCIDs = append(nextHeld, caps), append(nextCIDs, proofs.Add(raw))
			}
			held, cids = nextHeld, nextCIDs
			levels = append(levels, level)
		}
		r := v0.Verify(leaf, v0.Check{Proofs: proofs.Find})
		if r.Valid() != sound {
			t.Fatalf("valid %v, by the reference %v: %v", r.Valid(), sound, r.Findings)
		}
		if !sound {
			if len(r.Authorities) != 0 || !r.Findings.Has(v0.InvalidDelegation) {
				t.Fatalf("%+v", r)
			}
			return
		}
		valid++
		leafCaps := levels[len(levels)-1]
		for _, act := range someActs {
			_, permitted := ucan.Permits(r.Authorities, act, refCaveats)
			if permitted != refPermits(leafCaps, act) {
				t.Fatalf("%+v: permitted %v by %+v", act, permitted, r.Authorities)
			}
			for i, level := range levels {
				if permitted && !refPermits(level, act) {
					t.Fatalf("%+v is permitted at the leaf and not at level %d", act, i)
				}
			}
		}
	})
	if valid < ran/50 {
		t.Errorf("only %d of %d chains were sound: the property says little", valid, ran)
	}
	t.Logf("scenario 14: UCAN 0.10: %d random lattices, %d of them sound: 0 widened (bar: 0; 10⁷ at night)", ran, valid)
}
