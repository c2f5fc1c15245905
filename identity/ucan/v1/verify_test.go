package v1_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/meshd/meshd/identity/keys"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
)

func TestChainGivesAuthority(t *testing.T) {
	t.Parallel()
	s := newStory()
	container, cids := s.build(t)
	got, err := must[*v1.Bundle](t)(v1.Read(container, nil)).Verify(s.check)
	if err != nil {
		t.Fatal(err)
	}
	a := got.Authority
	if a.Subject != cyd.Key().String() || a.Resource != guild+"/board" || a.Ability != "entry/put" {
		t.Errorf("authority %+v", a)
	}
	if !reflect.DeepEqual(a.Constraints, []map[string]any{{"size": int64(100)}}) {
		t.Errorf("constraints %v", a.Constraints)
	}
	if *a.NotBefore != now-10 || *a.Expires != now+60 { // the narrowest of all
		t.Errorf("term %d…%d", *a.NotBefore, *a.Expires)
	}
	if !slices.Equal(a.Chain, cids) {
		t.Errorf("chain %v, want %v", a.Chain, cids)
	}
}

func TestEveryRefusalHasItsCode(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		edit func(*story)
		code v1.Code // "" means it passes
		why  v1.Why
	}{
		{"nothing changed", func(*story) {}, "", ""},
		{"at its very end", func(s *story) { s.check.Now = now + 60 }, "", ""},
		{"at its very start", func(s *story) { s.check.Now = now - 10 }, "", ""},
		{"by the subject itself", func(s *story) { s.actBy, s.act.Proofs = ada, []string{} }, "", ""},
		{"as expected", func(s *story) {
			s.check.Subject, s.check.Command, s.check.Args = ada.Key(), "/entry/put", map[string]any{"size": 100}
		}, "", ""},

		{"invocation past its end", func(s *story) { s.act.Expires = at(now - 1) }, v1.Expired, ""},
		{"leaf past its end", func(s *story) { s.leaf.Expires = at(now - 1) }, v1.Expired, ""},
		{"root past its end", func(s *story) { s.root.Expires = at(now - 1) }, v1.Expired, ""},
		{"leaf before its start", func(s *story) { s.leaf.NotBefore = at(now + 1) }, v1.NotReady, ""},
		{"root before its start", func(s *story) { s.root.NotBefore = at(now + 1) }, v1.NotReady, ""},
		{"leaf missing", func(s *story) { s.leave = []int{0} }, v1.UnavailableProof, ""},
		{"root missing", func(s *story) { s.leave = []int{1} }, v1.UnavailableProof, ""},
		{"for another gateway", func(s *story) { s.act.Audience = stranger.Key() }, v1.WrongAudience, ""},
		{"for the subject", func(s *story) { s.act.Audience = ada.Key() }, v1.WrongAudience, ""},
		{"leaf given to another", func(s *story) { s.leaf.Audience = stranger.Key() }, v1.InvalidDelegation, v1.WhyAlignment},
		{"invoked by another", func(s *story) { s.actBy = stranger }, v1.InvalidDelegation, v1.WhyAlignment},
		{"leaf by another", func(s *story) { s.leafBy = stranger }, v1.InvalidDelegation, v1.WhyAlignment},
		{"root by another", func(s *story) { s.rootBy = stranger }, v1.InvalidDelegation, v1.WhyRoot},
		{"no proofs at all", func(s *story) { s.act.Proofs = []string{} }, v1.InvalidDelegation, v1.WhyRoot},
		{"leaf about another", func(s *story) { s.leaf.Subject = bob.Key() }, v1.InvalidDelegation, v1.WhySubject},
		{"root about another", func(s *story) { s.root.Subject = stranger.Key() }, v1.InvalidDelegation, v1.WhySubject},
		{"subject not expected", func(s *story) { s.check.Subject = bob.Key() }, v1.InvalidDelegation, v1.WhySubject},
		{"command wider than the leaf", func(s *story) { s.act.Command = "/entry" }, v1.InvalidDelegation, v1.WhyCommand},
		{"command beside the leaf", func(s *story) { s.act.Command = "/entry/putt" }, v1.InvalidDelegation, v1.WhyCommand},
		{"leaf wider than the root", func(s *story) { s.leaf.Command = "/" }, v1.InvalidDelegation, v1.WhyCommand},
		{"leaf beside the root", func(s *story) { s.leaf.Command, s.act.Command = "/vote", "/vote/cast" }, v1.InvalidDelegation, v1.WhyCommand},
		{"argument against the leaf", func(s *story) { s.act.Args["size"] = 4001 }, v1.InvalidDelegation, v1.WhyPolicy},
		{"argument missing", func(s *story) { delete(s.act.Args, "size") }, v1.InvalidDelegation, v1.WhyPolicy},
		{"argument against the root", func(s *story) { s.root.Policy = []any{[]any{"==", ".resource", "x"}} }, v1.InvalidDelegation, v1.WhyPolicy},
		{"another command expected", func(s *story) { s.check.Command = "/entry/retract" }, v1.InvalidDelegation, v1.WhyArgs},
		{"another argument expected", func(s *story) { s.check.Args = map[string]any{"size": 99} }, v1.InvalidDelegation, v1.WhyArgs},
		{"an argument expected that is not there", func(s *story) { s.check.Args = map[string]any{"tag": nil} }, v1.InvalidDelegation, v1.WhyArgs},
		{"one proof twice", func(s *story) { s.repeat = true }, v1.InvalidDelegation, v1.WhyCycle},
		{"deeper than asked for", func(s *story) { s.check.MaxDepth = 1 }, v1.InvalidDelegation, v1.WhyDepth},
		{"not the owner's", func(s *story) { s.act.Args["resource"] = "mesh://00/guild/b"; s.root.Policy = nil }, v1.NotRootOwner, ""},
		{"no resource", func(s *story) { delete(s.act.Args, "resource"); s.root.Policy = nil }, v1.MissingField, ""},
		{"resource of two readings", func(s *story) { s.act.Args["resource"] = guild + "/../b" }, v1.IncorrectType, ""},
		{"everywhere", func(s *story) { s.act.Args["resource"] = "mesh://*"; s.root.Policy = nil }, v1.IncorrectType, ""},
		{"resource is no text", func(s *story) { s.act.Args["resource"] = 7; s.root.Policy = nil }, v1.MissingField, ""},
	}
	for _, c := range cases {
		s := newStory()
		c.edit(s)
		_, err := s.verify(t)
		if c.code == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: passed", c.name)
			continue
		}
		f := findings(t, err)
		if !slices.ContainsFunc(f, func(x v1.Finding) bool { return x.Code == c.code && x.Why == c.why }) {
			t.Errorf("%s: %v, want %s (%s)", c.name, f, c.code, c.why)
		}
	}
}

// TestPowerline: a delegation about every subject is refused unless it is asked
// for, and never begins a chain.
func TestPowerline(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		leaf, root   bool // without a subject
		accept, pass bool
	}{
		{"leaf", true, false, false, false},
		{"leaf, accepted", true, false, true, true},
		{"root", false, true, false, false},
		{"root, accepted", false, true, true, false},
	} {
		s := newStory()
		rand := &counter{}
		bare := func(by *keys.Private, g v1.Grant, drop bool) []byte {
			sealed := must[*v1.Delegation](t)(v1.Delegate(by, g, rand)).Sealed
			if drop {
				sealed = respell(t, sealed, func(m map[string]ipldNode) { delete(m, "sub") }, by, nil)
			}
			return sealed
		}
		root, leaf := bare(ada, s.root, c.root), bare(bob, s.leaf, c.leaf)
		s.act.Proofs = []string{v1.CIDOf(leaf), v1.CIDOf(root)}
		inv := must[*v1.Invocation](t)(v1.Invoke(cyd, s.act, rand))
		s.check.Powerline = c.accept
		_, err := must[*v1.Bundle](t)(v1.Read(pack(t, inv.Sealed, leaf, root), nil)).Verify(s.check)
		if (err == nil) != c.pass || err != nil && findings(t, err).First().Why != v1.WhyPowerline {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestTermIsThatOfTheWholeChain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ root, leaf, want int64 }{{now - 5, now - 10, now - 5}, {now - 10, now - 5, now - 5}} {
		s := newStory()
		s.root.NotBefore, s.leaf.NotBefore = at(c.root), at(c.leaf)
		s.root.Expires, s.leaf.Expires, s.act.Expires = at(-c.root+2*now), at(-c.leaf+2*now), nil
		got, err := s.verify(t)
		if err != nil || *got.Authority.NotBefore != c.want || *got.Authority.Expires != now+5 {
			t.Errorf("%+v: %+v, %v", c, got.Authority, err)
		}
	}
}

func TestFirstFindingIsShown(t *testing.T) {
	t.Parallel()
	s := newStory()
	s.act.Expires, s.act.Audience, s.leave = at(now-1), stranger.Key(), []int{0, 1}
	_, err := s.verify(t)
	f := findings(t, err)
	if f.Code() != v1.Expired || !f.Has(v1.WrongAudience) || !f.Has(v1.UnavailableProof) || f.Has(v1.NotRootOwner) {
		t.Errorf("%v", f)
	}
	if missing := f.Missing(); !slices.Equal(missing, s.act.Proofs) {
		t.Errorf("missing %v, want %v", missing, s.act.Proofs)
	}
}

func TestRevokedTokenEndsWhatRestsOnIt(t *testing.T) {
	t.Parallel()
	for i := range 3 {
		s := newStory()
		container, cids := s.build(t)
		s.check.Revoked = func(cid string) bool { return cid == cids[i] }
		_, err := must[*v1.Bundle](t)(v1.Read(container, nil)).Verify(s.check)
		if f := findings(t, err); f.Code() != v1.Revoked || f.First().At != cids[i] {
			t.Errorf("token %d: %v", i, f)
		}
	}
}

func TestDepthIsLimited(t *testing.T) {
	t.Parallel()
	for _, links := range []int{v1.MaxChain, v1.MaxChain + 1} {
		rand := &counter{}
		holder := ada
		var sealed [][]byte
		var proofs []string
		for i := range links {
			next := key(byte(i + 1))
			d := must[*v1.Delegation](t)(v1.Delegate(holder, v1.Grant{Audience: next.Key(), Subject: ada.Key(), Command: "/entry"}, rand))
			sealed, proofs = append(sealed, d.Sealed), append([]string{d.CID}, proofs...)
			holder = next
		}
		inv := must[*v1.Invocation](t)(v1.Invoke(holder, v1.Act{Audience: gateway.Key(), Subject: ada.Key(), Command: "/entry/put",
			Args: map[string]any{"resource": guild}, Proofs: proofs}, rand))
		b := must[*v1.Bundle](t)(v1.Read(pack(t, append(sealed, inv.Sealed)...), nil))
		_, err := b.Verify(v1.Check{Now: now, Audience: gateway.Key(), Owner: owner})
		if links <= v1.MaxChain {
			if err != nil {
				t.Errorf("%d links: %v", links, err)
			}
		} else if f := findings(t, err); f.First().Why != v1.WhyDepth {
			t.Errorf("%d links: %v", links, f)
		}
	}
}

func TestContainerHoldsOneInvocation(t *testing.T) {
	t.Parallel()
	rand := &counter{}
	var sealed [][]byte
	for range 2 {
		inv := must[*v1.Invocation](t)(v1.Invoke(ada, v1.Act{Command: "/entry/put"}, rand))
		sealed = append(sealed, inv.Sealed)
	}
	for n, want := range map[int]v1.Code{0: v1.MissingField, 2: v1.IncorrectType} {
		_, err := must[*v1.Bundle](t)(v1.Read(pack(t, sealed[:n]...), nil)).Verify(v1.Check{})
		if f := findings(t, err); f.Code() != want {
			t.Errorf("%d invocations: %v", n, f)
		}
	}
	if err := read(pack(t, sealed[0], sealed[0])); err == nil || findings(t, err).Code() != v1.IncorrectType {
		t.Errorf("one token twice: %v", err)
	}
}

func TestReplayKeyNamesAct(t *testing.T) {
	t.Parallel()
	rand := &counter{}
	one := must[*v1.Invocation](t)(v1.Invoke(ada, v1.Act{Command: "/entry/put"}, rand))
	two := must[*v1.Invocation](t)(v1.Invoke(ada, v1.Act{Command: "/entry/put"}, rand))
	if one.ReplayKey() == two.ReplayKey() || one.ReplayKey() == "" {
		t.Errorf("keys %q and %q", one.ReplayKey(), two.ReplayKey())
	}
}

func BenchmarkVerifyChain(b *testing.B) {
	s := newStory()
	container, _ := s.build(b)
	for _, c := range []struct {
		name string
		memo *v1.Memo
	}{{"cold", nil}, {"cached", &v1.Memo{}}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bundle, err := v1.Read(container, c.memo)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := bundle.Verify(s.check); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
