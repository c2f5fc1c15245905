// Package role defines the roles of a guild or team: their names,
// their order, and the fixed bundle of abilities that a capability token carries
// for each of them (wire §9).
//
// Start with Bundle to issue a role and with Is to recognise one. Everything
// here is a table: pure, and safe for concurrent use.
package role

import (
	"maps"
	"reflect"
	"slices"

	"github.com/meshd/meshd/identity/ucan"
)

// The roles, highest first.
const (
	Owner  = "owner"
	Admin  = "admin"
	Member = "member"
	Viewer = "viewer"
)

// Read is the ability to see what is shown to members. It writes nothing; it is
// what the token of a viewer is made of.
const Read = ucan.TeamRead

// The caveats that bundles use, each a list of texts.
const (
	CaveatDoc  = "doc"  // documents that may be edited, by name; "project/*" for all projects
	CaveatRole = "role" // roles that may be granted
)

// Names are the roles, highest first. The slice is new.
func Names() []string { return []string{Owner, Admin, Member, Viewer} }

// Rank orders roles: 4 for an owner down to 1 for a viewer, and 0 for what is no
// role. Whoever ranks strictly higher may end the grant of who ranks lower.
func Rank(name string) int {
	if i := slices.Index(Names(), name); i >= 0 {
		return 4 - i
	}
	return 0
}

// Valid reports whether name is one of the four.
func Valid(name string) bool { return Rank(name) > 0 }

// Ability is one ability of a bundle with its caveats, of which any one must be
// met.
type Ability struct {
	Can     string
	Caveats []map[string]any
}

// Bundle is what a role may do, sorted by ability; nil for what is no role. Each
// bundle covers the ones below it. The answer is new and may be changed.
func Bundle(name string) []Ability {
	with := map[string][]map[string]any{}
	allow := func(can string, caveat map[string]any) { with[can] = []map[string]any{caveat} }
	switch name {
	case Owner:
		allow(ucan.All, map[string]any{})
	case Admin, Member:
		for _, can := range []string{
			Read, ucan.EntryPut, ucan.EntryRetract, ucan.CommentAdd, ucan.VoteCast, ucan.Message, ucan.TaskAct, ucan.BountyAct,
		} {
			allow(can, map[string]any{})
		}
		allow(ucan.DocEdit, map[string]any{CaveatDoc: []any{"board", "project/*"}})
		if name == Admin {
			allow(ucan.DocEdit, map[string]any{})
			allow(ucan.Label, map[string]any{})
			allow(ucan.MemberGrant, map[string]any{CaveatRole: []any{Member, Viewer}})
		}
	case Viewer:
		allow(Read, map[string]any{})
	default:
		return nil
	}
	out := make([]Ability, 0, len(with))
	for _, can := range slices.Sorted(maps.Keys(with)) {
		out = append(out, Ability{can, with[can]})
	}
	return out
}

// Is reports whether abilities, in any order, are exactly the bundle of the role.
// Lists within caveats are compared in their order, and values as decoded JSON.
func Is(name string, abilities []Ability) bool {
	want := Bundle(name)
	if want == nil || len(abilities) != len(want) {
		return false
	}
	got := slices.Clone(abilities)
	slices.SortFunc(got, func(a, b Ability) int {
		if a.Can < b.Can {
			return -1
		}
		if a.Can > b.Can {
			return 1
		}
		return 0
	})
	return reflect.DeepEqual(got, want)
}
