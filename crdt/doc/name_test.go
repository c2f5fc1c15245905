package doc

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
)

func TestParseName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in, base, next string
		generation     int
	}{
		{"page", "page", "page~2", 1},
		{"room~2", "room", "room~3", 2},
		{"board~10", "board", "board~11", 10},
		{"project/a", "project/a", "project/a~2", 1},
		{"project/src/main-1_x.holo~999999999", "project/src/main-1_x.holo", "project/src/main-1_x.holo~1000000000", 999999999},
		{"project/" + strings.Repeat("a", 80), "project/" + strings.Repeat("a", 80), "project/" + strings.Repeat("a", 80) + "~2", 1},
	} {
		n, err := ParseName(c.in)
		if err != nil || n.Base() != c.base || n.Generation() != c.generation || string(n.Next()) != c.next {
			t.Errorf("%s: %v %s %d %s", c.in, err, n.Base(), n.Generation(), n.Next())
		}
	}
	for _, in := range []string{
		"", "~2", "Page", "pages", "page~", "page~1", "page~0", "page~02", "page~+2", "page~2~3", "page~1000000000", "page~2x", "page ",
		"project", "project/", "project/A", "project/a b", "project/ä", "project/a~1", "project/" + strings.Repeat("a", 81), "/page", "page\x00",
	} {
		if n, err := ParseName(in); err == nil || reason.Of(err) != reason.BadEncoding || n != "" {
			t.Errorf("%q: got %q, %v", in, n, err)
		}
	}
	if g := Name("page~x").Generation(); g != 0 {
		t.Errorf("generation of no name: %d", g)
	}
}

func TestActor(t *testing.T) {
	t.Parallel()
	key, err := did.KeyFromPublic(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{0x11}, 32)).Public().(ed25519.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	space := "agent/ukldpcosev674qojzbr4ogvyh3vskqo7525qwdwwyljsaqu72mdq"
	a := Actor(key, space, "page")
	if hex.EncodeToString(a[:]) != "679c5ac2f33a7f24c486eb9d78081d40" {
		t.Errorf("got %x", a)
	}
	others := map[[16]byte]bool{a: true}
	for _, b := range [][16]byte{Actor(key, space, "room"), Actor(key, space, "page~2"), Actor(key, "team/x", "page"), Actor(did.Key{}, space, "page")} {
		if others[b] {
			t.Errorf("actor %x twice", b)
		}
		others[b] = true
	}
	if ID("a", "b") == ID("ab", "") {
		t.Error("ID does not distinguish space and name")
	}
}
