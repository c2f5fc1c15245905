package role_test

import (
	"slices"
	"testing"

	"github.com/meshd/meshd/identity/role"
)

func TestRanksFollowTheNames(t *testing.T) {
	t.Parallel()
	for i, name := range role.Names() {
		if role.Rank(name) != 4-i || !role.Valid(name) {
			t.Errorf("%s has rank %d", name, role.Rank(name))
		}
	}
	for _, name := range []string{"", "Owner", "lead", "guest"} {
		if role.Rank(name) != 0 || role.Valid(name) || role.Bundle(name) != nil || role.Is(name, nil) {
			t.Errorf("%q counts as a role", name)
		}
	}
}

func TestBundles(t *testing.T) {
	t.Parallel()
	cans := func(name string) (out []string) {
		for _, a := range role.Bundle(name) {
			if len(a.Caveats) != 1 {
				t.Errorf("%s: %s has %d caveats", name, a.Can, len(a.Caveats))
			}
			out = append(out, a.Can)
		}
		return out
	}
	member := []string{"bounty/act", "comment/add", "doc/edit", "entry/put", "entry/retract", "message", "task/act", "team/read", "vote/cast"}
	admin := slices.Sorted(slices.Values(append([]string{"label", "member/grant"}, member...)))
	for name, want := range map[string][]string{"owner": {"*"}, "admin": admin, "member": member, "viewer": {"team/read"}} {
		if got := cans(name); !slices.Equal(got, want) {
			t.Errorf("%s may %v", name, got)
		}
	}
}

func TestIsWantsTheBundleAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, name := range role.Names() {
		for _, other := range role.Names() {
			if got := role.Is(name, role.Bundle(other)); got != (name == other) {
				t.Errorf("the bundle of %s is that of %s: %t", other, name, got)
			}
		}
		b := role.Bundle(name)
		slices.Reverse(b)
		if !role.Is(name, b) {
			t.Errorf("%s: the order of abilities matters", name)
		}
		if role.Is(name, b[1:]) || role.Is(name, append(slices.Clone(b), role.Ability{Can: "x/y"})) || role.Is(name, append(slices.Clone(b[1:]), b[1%len(b)])) && len(b) > 1 {
			t.Errorf("%s: another bundle passes", name)
		}
	}
	b := role.Bundle(role.Member)
	b[2].Caveats[0]["doc"] = []any{"board", "project/*", "page"}
	if role.Is(role.Member, b) {
		t.Error("a wider caveat passes")
	}
	if !role.Is(role.Member, role.Bundle(role.Member)) {
		t.Error("a caller can spoil the table")
	}
}
