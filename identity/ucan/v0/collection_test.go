package v0_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/v0"
)

// The order in which a collection lists its tokens means nothing.
func TestCollectionInAnyOrder(t *testing.T) {
	t.Parallel()
	raws := chain(t, 4)
	blake, err := v0.CIDWith(ucan.BLAKE3, raws[0])
	if err != nil {
		t.Fatal(err)
	}
	members := []string{fmt.Sprintf(`"/":%q`, last(raws)), fmt.Sprintf(`%q:%q`, blake, raws[0])}
	for _, raw := range raws[1:4] {
		members = append(members, fmt.Sprintf(`%q:%q`, ucan.CID(raw), raw))
	}
	var want []byte
	rapid.Check(t, func(t *rapid.T) {
		shuffled := rapid.Permutation(members).Draw(t, "members")
		c, err := v0.ParseCollection([]byte("{" + strings.Join(shuffled, ", ") + "}"))
		if err != nil {
			t.Fatal(err)
		}
		if r := v0.Verify(c.Root, v0.Check{Proofs: c.Proofs.Find}); !r.Valid() || len(r.Authorities[0].Chain) != 5 {
			t.Fatal(r.Findings)
		}
		got, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if string(got) != string(want) {
			t.Fatal("another order is written in another way")
		}
	})
}

func TestCollectionRefusals(t *testing.T) {
	t.Parallel()
	raws := chain(t, 1)
	named := fmt.Sprintf(`%q:%q`, ucan.CID(raws[0]), raws[0])
	rooted := fmt.Sprintf(`"/":%q`, raws[1])
	for name, text := range map[string]string{
		"no JSON":              "{" + rooted,
		"a list":               "[" + raws[0] + "]",
		"no root":              "{" + named + "}",
		"empty root":           `{"/":""}`,
		"root is no text":      `{"/":null}`,
		"proof is no text":     "{" + rooted + fmt.Sprintf(`,%q:1}`, ucan.CID(raws[0])),
		"name of another":      "{" + rooted + fmt.Sprintf(`,%q:%q}`, ucan.CID(raws[1]), raws[0]),
		"name is no id":        "{" + rooted + fmt.Sprintf(`,"x":%q}`, raws[0]),
		"named twice":          "{" + rooted + "," + named + "," + named + "}",
		"root twice":           "{" + rooted + "," + rooted + "}",
		"a token that is long": `{"/":"` + strings.Repeat("x", v0.MaxToken+1) + `"}`,
	} {
		if _, err := v0.ParseCollection([]byte(text)); !errors.Is(err, v0.ErrCollection) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (v0.Collection{Root: raws[1], Proofs: v0.Proofs{"x": raws[0]}}).Encode(); !errors.Is(err, v0.ErrCollection) {
		t.Errorf("encoded a wrong name: %v", err)
	}
	if _, err := (v0.Collection{}).Encode(); !errors.Is(err, v0.ErrCollection) {
		t.Errorf("encoded nothing: %v", err)
	}
}

func TestUcansHeader(t *testing.T) {
	t.Parallel()
	raws := chain(t, 3)
	want := bag(raws...)
	for name, value := range map[string]string{
		"spaced":       strings.Join(raws, ", "),
		"bare":         strings.Join(raws, ","),
		"tabs, spaces": "\t" + strings.Join(raws, " ,\t ") + " ",
		"holes":        ",, " + strings.Join(raws, ",,") + ",",
		"twice":        strings.Join(append(raws, raws...), ", "),
		"written":      v0.UcansHeader(want),
	} {
		got, err := v0.ParseUcansHeader(value)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %d proofs, %v", name, len(got), err)
		}
	}
	if got, err := v0.ParseUcansHeader(""); err != nil || len(got) != 0 {
		t.Errorf("nothing: %v, %v", got, err)
	}
	for _, value := range []string{"[" + raws[0] + "]", `"` + raws[0] + `"`, raws[0] + " " + raws[1], raws[0] + ";q=1", "a.b", "a.b.c.d", "a.b.c\u00a0", anyCID,
		"a.b." + strings.Repeat("c", v0.MaxToken)} {
		if _, err := v0.ParseUcansHeader(value); !errors.Is(err, v0.ErrCollection) {
			t.Errorf("%.40q: %v", value, err)
		}
	}
}

func TestProofsAreFoundByAnyHash(t *testing.T) {
	t.Parallel()
	raws := chain(t, 1)
	p := bag(raws...)
	for _, h := range []ucan.Hasher{ucan.SHA256, ucan.SHA512, ucan.BLAKE3} {
		cid, err := v0.CIDWith(h, raws[0])
		if err != nil {
			t.Fatal(err)
		}
		if raw, ok := p.Find(cid); !ok || raw != raws[0] {
			t.Errorf("%s not found", h)
		}
	}
	for _, cid := range []string{anyCID, "x", ""} {
		if _, ok := p.Find(cid); ok {
			t.Errorf("found %q", cid)
		}
	}
	if _, err := v0.CIDWith("MD5", raws[0]); !errors.Is(err, ucan.ErrHasher) {
		t.Error(err)
	}
}
