package ucan_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/identity/ucan"
)

const page = "mesh://6e6574/guild/x"

func TestContains(t *testing.T) {
	t.Parallel()
	cases := []struct {
		outer, inner string
		want         bool
	}{
		{page, page, true},
		{page, page + "/board", true},
		{page, page + "/a/b", true},
		{page + "/board", page, false},
		{page, page + "y", false},
		{page, page + "/", false},
		{page, page + "//a", false},
		{page + "/", page + "/a", false},
		{page, page + "/../z", false},
		{page, page + "/./z", false},
		{page, page + "/%2e%2e/z", false},
		{page, page + "/a?b", false},
		{page, page + "/a#b", false},
		{page, page + `/a\b`, false},
		{page, page + "/a b", false},
		{page, page + "/\u00e9", false},
		{page, page + "/*", false},
		{page, page + "/..a", true},
		{page, strings.ToUpper(page), false},
		{"mesh://6e6574", page, true},
		{"mesh://", page, false},
		{"mesh:", page, false},
		{ucan.Everywhere, page, true},
		{ucan.Everywhere, ucan.Everywhere, true},
		{page, ucan.Everywhere, false},
		{ucan.Everywhere, "mem://zone/a", false},
		{ucan.Everywhere, page + "/../z", false},
		{"mesh://*/x", "mesh://*/x/y", false},
		{"mem://zone/a", "mem://zone/a/b", true},
		{"mem://zone/a", "mesh://zone/a/b", false},
		{"https://a/b", "https://a/b", true},
		{"https://a/b", "https://a/b/c", false},
		{"ucan:*", page, false},
		{"*", page, false},
		{"", "", true},
	}
	for _, c := range cases {
		if got := ucan.Contains(c.outer, c.inner); got != c.want {
			t.Errorf("Contains(%q, %q) = %v", c.outer, c.inner, got)
		}
	}
}

func TestCovers(t *testing.T) {
	t.Parallel()
	cases := []struct {
		resource, granted, asked string
		want                     bool
	}{
		{page, "entry/put", "entry/put", true},
		{page, "Entry/PUT", "eNTRY/put", true},
		{page, "entry/put", "entry/putx", false},
		{page, "*", "entry/put", true},
		{page, "*", "*", true},
		{page, "entry/put", "*", false},
		{page, "entry/*", "entry/put", true},
		{page, "entry/*", "entry/put/deep", true},
		{page, "entry/*", "entry", false},
		{page, "entry/*", "entryx/put", false},
		{page, "entry/put", "entry/*", false},
		{page, "/*", "/put", false},
		{page, "*/*", "entry/put", false},
		{page, "k/x", "\u212a/x", false},
		{"mailto:a", "entry/*", "entry/put", false},
		{"mailto:a", "entry/*", "entry/*", true},
		{"mailto:a", "*", "entry/put", true},
		{"mem://zone/a", "memory/*", "memory/read", true},
	}
	for _, c := range cases {
		if got := ucan.Covers(c.resource, c.granted, c.asked); got != c.want {
			t.Errorf("Covers(%q, %q, %q) = %v", c.resource, c.granted, c.asked, got)
		}
	}
}

func TestAbilitiesAreClosed(t *testing.T) {
	t.Parallel()
	all := ucan.Abilities()
	if !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != len(all) || all[0] != ucan.All {
		t.Errorf("%q is not a sorted set that begins with *", all)
	}
	for _, a := range append(all, "ENTRY/put", "entry/*") {
		if !ucan.Known(a) {
			t.Errorf("%q is not known", a)
		}
	}
	for _, a := range []string{"", "entry", "entry/pu", "/*", "nothing/*", "ucan/*", "profile/bind"} {
		if ucan.Known(a) {
			t.Errorf("%q is known", a)
		}
	}
	all[0] = "changed"
	if ucan.Abilities()[0] != ucan.All {
		t.Error("the list is shared")
	}
	for kind, want := range map[string]string{
		"entry.put": "entry/put", "entry.retract": "entry/retract", "doc.edit": "doc/edit", "vote": "vote/cast", "comment": "comment/add",
		"grant": "member/grant", "revoke": "member/grant", "endorse": "member/grant", "bounty.open": "bounty/act", "bounty.act": "bounty/act",
		"task.act": "task/act", "message": "message", "label": "label", "served": "served", "guild.open": "guild/open", "profile.bind": "profile/bind",
		"rotate": "rotate", "net.manifest": "net/manifest",
	} {
		if got := ucan.OfKind(kind); got != want {
			t.Errorf("ability of %s is %q, want %q", kind, got, want)
		}
	}
}

func TestPermits(t *testing.T) {
	t.Parallel()
	free := []map[string]any{{}}
	understood := ucan.Caveats{
		"doc":    func(v any, args map[string]any) bool { return v == args["doc"] },
		"broken": nil,
	}
	act := ucan.Act{Resource: page + "/board", Ability: "doc/edit", Args: map[string]any{"doc": "board"}}
	cases := []struct {
		name string
		a    ucan.Authority
		want bool
	}{
		{"exactly", ucan.Authority{Resource: page + "/board", Ability: "doc/edit", Constraints: free}, true},
		{"wider", ucan.Authority{Resource: page, Ability: "doc/*", Constraints: free}, true},
		{"widest", ucan.Authority{Resource: ucan.Everywhere, Ability: "*", Constraints: free}, true},
		{"narrower resource", ucan.Authority{Resource: page + "/board/x", Ability: "*", Constraints: free}, false},
		{"another ability", ucan.Authority{Resource: page, Ability: "entry/put", Constraints: free}, false},
		{"no constraint at all", ucan.Authority{Resource: page, Ability: "*"}, false},
		{"met", ucan.Authority{Resource: page, Ability: "*", Constraints: []map[string]any{{"doc": "board"}}}, true},
		{"not met", ucan.Authority{Resource: page, Ability: "*", Constraints: []map[string]any{{"doc": "other"}}}, false},
		{"one of two met", ucan.Authority{Resource: page, Ability: "*", Constraints: []map[string]any{{"doc": "other"}, {"doc": "board"}}}, true},
		{"not understood", ucan.Authority{Resource: page, Ability: "*", Constraints: []map[string]any{{"colour": "red"}}}, false},
		{"not understood, null", ucan.Authority{Resource: page, Ability: "*", Constraints: []map[string]any{{"colour": nil}}}, false},
		{"met, and not understood", ucan.Authority{Resource: page, Ability: "*", Constraints: []map[string]any{{"doc": "board", "colour": "red"}}}, false},
		{"another case", ucan.Authority{Resource: page, Ability: "*", Constraints: []map[string]any{{"Doc": "board"}}}, false},
		{"understood by nothing", ucan.Authority{Resource: page, Ability: "*", Constraints: []map[string]any{{"broken": 1}}}, false},
	}
	for _, c := range cases {
		if got, ok := ucan.Permits([]ucan.Authority{c.a}, act, understood); ok != c.want || ok != (got.Resource != "") {
			t.Errorf("%s: %v, %+v", c.name, ok, got)
		}
	}
	if _, ok := ucan.Permits(nil, act, understood); ok {
		t.Error("permitted by nothing")
	}
	first, second := ucan.Authority{Resource: page, Ability: "x", Constraints: free}, ucan.Authority{Resource: page, Ability: "*", Constraints: free}
	if got, ok := ucan.Permits([]ucan.Authority{first, second}, act, nil); !ok || got.Ability != "*" {
		t.Errorf("%v, %+v", ok, got)
	}
}

func TestActiveAt(t *testing.T) {
	t.Parallel()
	from, to := int64(10), int64(20)
	both := ucan.Authority{NotBefore: &from, Expires: &to}
	for now, want := range map[int64]bool{9: false, 10: true, 20: true, 21: false} {
		if both.ActiveAt(now) != want {
			t.Errorf("at %d: %v", now, !want)
		}
	}
	if !(ucan.Authority{}).ActiveAt(0) {
		t.Error("without bounds")
	}
}
