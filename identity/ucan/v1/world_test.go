package v1_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
)

const (
	now   = int64(1_750_000_000)
	guild = "mesh://00112233445566778899aabbccddeeff/guild/gld_a"
)

// key is the key pair of a letter, the same in every run.
func key(letter byte) *keys.Private {
	var seed [keys.SeedSize]byte
	for i := range seed {
		seed[i] = letter
	}
	return keys.FromSeed(seed)
}

var (
	ada, bob, cyd, gateway = key('a'), key('b'), key('c'), key('g')
	stranger               = key('s')
)

// counter is randomness that never repeats and is the same in every run.
type counter struct{ n byte }

func (c *counter) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = c.n
	}
	c.n++
	return len(b), nil
}

func at(t int64) *int64 { return &t }

// owner says that Ada owns the guild.
func owner(k did.Key, resource string) bool {
	return k == ada.Key() && len(resource) >= len(guild) && resource[:len(guild)] == guild
}

func must[T any](tb testing.TB) func(T, error) T {
	return func(v T, err error) T {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
		return v
	}
}

// story is Ada's guild: she lets Bob do what concerns entries, he lets Cyd put
// some, Cyd puts one through the gateway. Each edit changes one step.
type story struct {
	root, leaf v1.Grant
	act        v1.Act
	rootBy     *keys.Private
	leafBy     *keys.Private
	actBy      *keys.Private
	leave      []int // delegations that are left out of the container, 0 is the leaf
	repeat     bool  // the leaf stands twice in prf
	check      v1.Check
}

func newStory() *story {
	return &story{
		root: v1.Grant{Audience: bob.Key(), Subject: ada.Key(), Command: "/entry", Expires: at(now + 1000),
			Policy: []any{[]any{"like", ".resource", guild + "/*"}}},
		leaf: v1.Grant{Audience: cyd.Key(), Subject: ada.Key(), Command: "/entry/put", NotBefore: at(now - 10), Expires: at(now + 500),
			Policy: []any{[]any{"<=", ".size", 4000}}},
		act: v1.Act{Audience: gateway.Key(), Subject: ada.Key(), Command: "/entry/put", Expires: at(now + 60),
			Args: map[string]any{"resource": guild + "/board", "size": 100}},
		rootBy: ada, leafBy: bob, actBy: cyd,
		check: v1.Check{Now: now, Audience: gateway.Key(), Owner: owner},
	}
}

// build makes the container and the CIDs of invocation, leaf and root.
func (s *story) build(tb testing.TB) (container []byte, cids []string) {
	tb.Helper()
	rand := &counter{}
	root := must[*v1.Delegation](tb)(v1.Delegate(s.rootBy, s.root, rand))
	leaf := must[*v1.Delegation](tb)(v1.Delegate(s.leafBy, s.leaf, rand))
	if s.act.Proofs == nil {
		s.act.Proofs = []string{leaf.CID, root.CID}
	}
	if s.repeat {
		s.act.Proofs = []string{leaf.CID, leaf.CID, root.CID}
	}
	inv := must[*v1.Invocation](tb)(v1.Invoke(s.actBy, s.act, rand))
	sealed := [][]byte{inv.Sealed}
	for i, d := range []*v1.Delegation{leaf, root} {
		if !slices.Contains(s.leave, i) {
			sealed = append(sealed, d.Sealed)
		}
	}
	return must[[]byte](tb)(v1.Pack(sealed...)), []string{inv.CID, leaf.CID, root.CID}
}

func (s *story) verify(tb testing.TB) (v1.Verified, error) {
	tb.Helper()
	container, _ := s.build(tb)
	return must[*v1.Bundle](tb)(v1.Read(container, nil)).Verify(s.check)
}

func findings(tb testing.TB, err error) v1.Findings {
	tb.Helper()
	var f v1.Findings
	if !errors.As(err, &f) || len(f) == 0 {
		tb.Fatalf("no findings: %v", err)
	}
	return f
}

func read(b []byte) error {
	_, err := v1.Read(b, nil)
	return err
}

func pack(tb testing.TB, sealed ...[]byte) []byte {
	return must[[]byte](tb)(v1.Pack(sealed...))
}
