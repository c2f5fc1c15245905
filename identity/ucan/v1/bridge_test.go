package v1_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
)

func TestAbilitiesAndCommands(t *testing.T) {
	t.Parallel()
	for ability, command := range map[string]string{
		"*": "/", "entry/put": "/entry/put", "Entry/PUT": "/entry/put", "entry/*": "/entry", "message": "/message", "kv/read": "/kv/read",
	} {
		got, err := v1.Command(ability)
		if err != nil || got != command {
			t.Errorf("%s: %s, %v", ability, got, err)
		}
		back, err := v1.Ability(command)
		if err != nil || !strings.EqualFold(back, ability) {
			t.Errorf("%s: back to %s, %v", command, back, err)
		}
	}
	for _, ability := range []string{"", "/", "entry", "nobody/knows", "message/*", "ucan/*", "entry/put/*", "*/*", "entry/**"} {
		if c, err := v1.Command(ability); !errors.Is(err, v1.ErrNoEquivalent) {
			t.Errorf("ability %q became %q, %v", ability, c, err)
		}
	}
	for _, command := range []string{"", "/nobody", "/entry/*", "/*", "/mesh/sync", "/entry/put/x"} {
		if a, err := v1.Ability(command); !errors.Is(err, v1.ErrNoEquivalent) {
			t.Errorf("command %q became %q, %v", command, a, err)
		}
	}
	// A command covers what lies below it, so no ability may lie below another.
	for _, a := range ucan.Abilities() {
		for _, b := range ucan.Abilities() {
			if a != b && strings.HasPrefix(b, a+"/") {
				t.Errorf("%s lies below %s", b, a)
			}
			if ns, _, _ := strings.Cut(b, "/"); a != b && a == ns {
				t.Errorf("%s is a namespace and an ability", a)
			}
		}
	}
}

func TestCaveatsBecomePolicyAndBack(t *testing.T) {
	t.Parallel()
	rights := []v1.Right{
		{guild, "entry/put", []map[string]any{{}}},
		{guild + "/board", "*", []map[string]any{{"type": "gotcha"}}},
		{guild, "entry/*", []map[string]any{{"type": "gotcha", "max": json.Number("7")}, {"draft": true}}},
		{guild, "entry/put", []map[string]any{{"tag": []any{"a", "b"}}}},
	}
	for _, r := range rights {
		policy, err := v1.PolicyOf(r)
		if err != nil {
			t.Errorf("%+v: %v", r, err)
			continue
		}
		command := must[string](t)(v1.Command(r.Ability))
		back, err := v1.RightOf(command, policyOf(t, policy))
		if err != nil || !reflect.DeepEqual(back, r) {
			t.Errorf("%+v came back as %+v, %v", r, back, err)
		}
	}
	for name, r := range map[string]v1.Right{
		"another scheme":       {"https://example.com/a", "entry/put", []map[string]any{{}}},
		"everywhere":           {"mesh://*", "entry/put", []map[string]any{{}}},
		"no reading":           {guild + "/../x", "entry/put", []map[string]any{{}}},
		"never":                {guild, "entry/put", nil},
		"an empty array":       {guild, "entry/put", []map[string]any{{"tag": []any{}}}},
		"a fraction":           {guild, "entry/put", []map[string]any{{"max": json.Number("1.5")}}},
		"a map":                {guild, "entry/put", []map[string]any{{"max": map[string]any{"a": "b"}}}},
		"an odd name":          {guild, "entry/put", []map[string]any{{`a"]b`: "x"}}},
		"the resource's field": {guild, "entry/put", []map[string]any{{"resource": "x"}}},
	} {
		if p, err := v1.PolicyOf(r); !errors.Is(err, v1.ErrNoEquivalent) {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
	for name, p := range map[string][]any{
		"none":            {},
		"a comparison":    {[]any{"==", ".resource", guild}},
		"a wider pattern": {[]any{"or", []any{[]any{"==", ".resource", guild}, []any{"like", ".resource", "*"}}}},
		"a negation": {[]any{"or", []any{[]any{"==", ".resource", guild}, []any{"like", ".resource", guild + "/*"}}},
			[]any{"not", []any{"==", ".a", 1}}},
		"an inequality": {[]any{"or", []any{[]any{"==", ".resource", guild}, []any{"like", ".resource", guild + "/*"}}},
			[]any{"or", []any{[]any{"and", []any{[]any{"<=", ".a", 1}}}}}},
		"an optional": {[]any{"or", []any{[]any{"==", ".resource", guild}, []any{"like", ".resource", guild + "/*"}}},
			[]any{"or", []any{[]any{"and", []any{[]any{"==", ".a?", 1}}}}}},
		"three statements": {[]any{"or", []any{[]any{"==", ".resource", guild}, []any{"like", ".resource", guild + "/*"}}},
			[]any{"or", []any{[]any{"and", []any{[]any{"==", ".a", 1}}}}}, []any{"==", ".b", 1}},
	} {
		if r, err := v1.RightOf("/entry/put", policyOf(t, p)); !errors.Is(err, v1.ErrNoEquivalent) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// meets is 0.10's reading of caveats as equalities, written again and plainly.
func meets(caveats []map[string]any, args map[string]any) bool {
	for _, c := range caveats {
		ok := true
		for k, want := range c {
			got, there := args[k]
			if list, isList := want.([]any); isList {
				in := false
				for _, w := range list {
					in = in || there && got == w
				}
				ok = ok && in
			} else {
				ok = ok && there && got == want
			}
		}
		if ok {
			return true
		}
	}
	return false
}

func TestMappedPolicyAllowsWhatTheCaveatsDo(t *testing.T) {
	t.Parallel()
	values := rapid.SampledFrom([]any{"a", "b", true})
	fields := rapid.SampledFrom([]string{"x", "y"})
	value := rapid.OneOf(values, rapid.Map(rapid.SliceOfN(values, 1, 2), func(v []any) any { return v }))
	caveats := rapid.SliceOfN(rapid.MapOfN(fields, value, 0, 2), 1, 3)
	resources := rapid.SampledFrom([]string{guild, guild + "/board", guild + "x", guild + "/board/2", "mesh://other/guild/a"})
	rapid.Check(t, func(rt *rapid.T) {
		r := v1.Right{Resource: guild, Ability: "entry/put", Caveats: caveats.Draw(rt, "caveats")}
		policy, err := v1.PolicyOf(r)
		if err != nil {
			rt.Fatal(err)
		}
		args := rapid.MapOfN(fields, values, 0, 2).Draw(rt, "args")
		resource := resources.Draw(rt, "resource")
		want := ucan.Contains(guild, resource) && meets(r.Caveats, args)
		args["resource"] = resource
		if got := policyOf(t, policy).Satisfied(args); got != want {
			rt.Fatalf("%v over %v: %v, want %v", r.Caveats, args, got, want)
		}
	})
}

func bridge(rand *counter) v1.Bridge { return v1.Bridge{Signer: ada, Owner: owner, Rand: rand} }

func ownerV0(issuer did.DID, resource string) bool {
	k, ok := issuer.Key()
	return ok && owner(k, resource)
}

func TestBridgeFromV0(t *testing.T) {
	t.Parallel()
	rand := &counter{}
	draft := v0.Draft{Audience: bob.Key().String(), Expires: at(now + 100), NotBefore: at(now - 5), Caps: []v0.Cap{
		{With: guild + "/board", Can: "entry/put", Caveats: []map[string]any{{"type": "gotcha"}}},
	}}
	raw := must[string](t)(v0.Build(draft, ada, rand))
	check := v0.Check{Now: now, Owner: ownerV0}
	got, err := bridge(rand).ToV1(raw, check)
	if err != nil || len(got) != 1 {
		t.Fatalf("%v, %v", got, err)
	}
	d := got[0]
	if d.Issuer != ada.Key() || d.Subject != ada.Key() || d.Audience != bob.Key() || d.Command != "/entry/put" ||
		*d.Expires != now+100 || *d.NotBefore != now-5 || d.Source != ucan.CID(raw) {
		t.Errorf("delegation %+v", d)
	}
	for args, want := range map[string]bool{"gotcha": true, "wisdom": false} {
		if d.Policy.Satisfied(map[string]any{"resource": guild + "/board", "type": args}) != want {
			t.Errorf("%s: not %v", args, want)
		}
	}
	if d.Policy.Satisfied(map[string]any{"resource": guild, "type": "gotcha"}) {
		t.Error("the right was widened to the whole guild")
	}
	// It is usable: Bob acts by it.
	inv := must[*v1.Invocation](t)(v1.Invoke(bob, v1.Act{Audience: gateway.Key(), Subject: ada.Key(), Command: "/entry/put", Proofs: []string{d.CID},
		Args: map[string]any{"resource": guild + "/board", "type": "gotcha"}}, rand))
	if _, err := must[*v1.Bundle](t)(v1.Read(pack(t, inv.Sealed, d.Sealed), nil)).Verify(v1.Check{Now: now, Audience: gateway.Key(), Owner: owner}); err != nil {
		t.Error(err)
	}

	late := check
	late.Now = now + 101
	var v0Findings v0.Findings
	if _, err := bridge(rand).ToV1(raw, late); !errors.As(err, &v0Findings) || !v0Findings.Has(v0.Expired) {
		t.Errorf("expired: %v", err)
	}
	if _, err := bridge(rand).ToV1("x.y.z", check); !errors.As(err, &v0Findings) {
		t.Errorf("broken: %v", err)
	}
	other := v1.Bridge{Signer: bob, Owner: owner, Rand: rand}
	if _, err := other.ToV1(raw, check); err == nil || findings(t, err).Code() != v1.NotRootOwner {
		t.Errorf("by another: %v", err)
	}
	draft.Caps = []v0.Cap{{With: guild, Can: "nobody/knows", Caveats: []map[string]any{{}}}}
	raw = must[string](t)(v0.Build(draft, ada, rand))
	if _, err := bridge(rand).ToV1(raw, check); !errors.Is(err, v1.ErrNoEquivalent) {
		t.Errorf("unknown ability: %v", err)
	}
}

func TestBridgeFromV1(t *testing.T) {
	t.Parallel()
	rand := &counter{}
	policy := func(r v1.Right) []any { return must[[]any](t)(v1.PolicyOf(r)) }
	free := []map[string]any{{}}
	root := must[*v1.Delegation](t)(v1.Delegate(ada, v1.Grant{Audience: bob.Key(), Command: "/entry", Expires: at(now + 100),
		Policy: policy(v1.Right{Resource: guild, Caveats: []map[string]any{{"type": "gotcha"}}})}, rand))
	leafGrant := v1.Grant{Audience: cyd.Key(), Subject: ada.Key(), Command: "/entry/put", NotBefore: at(now),
		Policy: policy(v1.Right{Resource: guild + "/board", Caveats: free})}
	leaf := must[*v1.Delegation](t)(v1.Delegate(bob, leafGrant, rand))
	raw, err := bridge(rand).ToV0([]*v1.Delegation{leaf, root}, now, nil)
	if err != nil {
		t.Fatal(err)
	}
	result := v0.Verify(raw, v0.Check{Now: now, Owner: ownerV0})
	if !result.Valid() || len(result.Authorities) != 1 {
		t.Fatalf("%v", result.Findings)
	}
	a := result.Authorities[0]
	if a.Subject != cyd.Key().String() || a.Resource != guild+"/board" || a.Ability != "entry/put" || *a.Expires != now+100 || *a.NotBefore != now ||
		!reflect.DeepEqual(a.Constraints, []map[string]any{{"type": "gotcha"}}) {
		t.Errorf("authority %+v", a)
	}
	token, _ := v0.Parse(raw)
	if token.Facts["source"] != leaf.CID {
		t.Errorf("facts %v", token.Facts)
	}

	apart, caveated, wide := leafGrant, leafGrant, leafGrant
	apart.Policy = policy(v1.Right{Resource: "mesh://x/guild/b", Caveats: free})
	caveated.Policy = policy(v1.Right{Resource: guild, Caveats: []map[string]any{{"max": json.Number("1")}}})
	wide.Command = "/"
	make1 := func(g v1.Grant) []*v1.Delegation {
		return []*v1.Delegation{must[*v1.Delegation](t)(v1.Delegate(bob, g, rand)), root}
	}
	power := respell(t, root.Sealed, func(m map[string]ipldNode) { delete(m, "sub") }, ada, nil)
	powerline, _ := must[*v1.Bundle](t)(v1.Read(pack(t, power), nil)).Delegation(v1.CIDOf(power))
	for name, c := range map[string]struct {
		chain []*v1.Delegation
		now   int64
		code  v1.Code // "" means ErrNoEquivalent
	}{
		"no chain":            {nil, now, v1.MissingField},
		"past":                {[]*v1.Delegation{leaf, root}, now + 101, v1.Expired},
		"before":              {[]*v1.Delegation{leaf, root}, now - 1, v1.NotReady},
		"without root":        {[]*v1.Delegation{leaf}, now, v1.InvalidDelegation},
		"wider than its root": {make1(wide), now, v1.InvalidDelegation},
		"about every subject": {[]*v1.Delegation{powerline}, now, v1.InvalidDelegation},
		"resources apart":     {make1(apart), now, ""},
		"two lists":           {make1(caveated), now, ""},
	} {
		raw, err := bridge(rand).ToV0(c.chain, c.now, nil)
		if c.code == "" && !errors.Is(err, v1.ErrNoEquivalent) || c.code != "" && (err == nil || findings(t, err).Code() != c.code) {
			t.Errorf("%s: %q, %v", name, raw, err)
		}
	}
	revoked := func(cid string) bool { return cid == root.CID }
	if _, err := bridge(rand).ToV0([]*v1.Delegation{leaf, root}, now, revoked); err == nil || findings(t, err).Code() != v1.Revoked {
		t.Errorf("revoked: %v", err)
	}
	other := v1.Bridge{Signer: bob, Owner: owner, Rand: rand}
	if _, err := other.ToV0([]*v1.Delegation{leaf, root}, now, nil); err == nil || findings(t, err).Code() != v1.NotRootOwner {
		t.Errorf("by another: %v", err)
	}
}
