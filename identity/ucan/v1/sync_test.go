package v1_test

import (
	"errors"
	"io"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/meshd/meshd/identity/keys"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
)

const net = "00112233445566778899aabbccddeeff"

func syncProof(tb testing.TB, edit func(*v1.SyncProof)) ([]byte, *v1.Delegation) {
	tb.Helper()
	rand := &counter{}
	d := must[*v1.Delegation](tb)(v1.Delegate(ada, v1.Grant{Audience: bob.Key(), Command: v1.SyncCommand, Expires: at(now + 300)}, rand))
	p := v1.SyncProof{Agent: ada.Key(), Chain: []*v1.Delegation{d}, Net: net, Responder: gateway.Key(), Now: now, Expires: now + 60}
	edit(&p)
	return must[[]byte](tb)(v1.NodeInvocation(bob, p, rand)), d
}

func TestStreamProof(t *testing.T) {
	t.Parallel()
	proof, d := syncProof(t, func(*v1.SyncProof) {})
	if len(proof) > 1500 {
		t.Errorf("a proof has %d bytes", len(proof))
	}
	good := v1.SyncCheck{Now: now, Net: net, Node: bob.Key(), Responder: gateway.Key(), Memo: &v1.Memo{}}
	s, err := v1.VerifySync(proof, good)
	if err != nil || s.Agent != ada.Key() || s.Expires != now+60 || len(s.Chain) != 2 || s.Chain[1] != d.CID {
		t.Fatalf("%+v, %v", s, err)
	}
	for name, c := range map[string]struct {
		edit func(*v1.SyncCheck)
		code v1.Code
	}{
		"past":              {func(c *v1.SyncCheck) { c.Now = now + 61 }, v1.Expired},
		"too early":         {func(c *v1.SyncCheck) { c.Now = now + 60 - v1.MaxSyncTerm - 1 }, v1.IncorrectType},
		"another network":   {func(c *v1.SyncCheck) { c.Net = "ff" + net[2:] }, v1.InvalidDelegation},
		"another node":      {func(c *v1.SyncCheck) { c.Node = cyd.Key() }, v1.WrongAudience},
		"another responder": {func(c *v1.SyncCheck) { c.Responder = cyd.Key() }, v1.WrongAudience},
		"revoked":           {func(c *v1.SyncCheck) { c.Revoked = func(cid string) bool { return cid == d.CID } }, v1.Revoked},
	} {
		check := good
		c.edit(&check)
		if _, err := v1.VerifySync(proof, check); err == nil || findings(t, err).Code() != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
	if _, err := v1.VerifySync(make([]byte, v1.MaxSync+1), good); findings(t, err).Code() != v1.IncorrectType {
		t.Errorf("too large: %v", err)
	}
}

func TestStreamProofIsRefusedWhereItIsMade(t *testing.T) {
	t.Parallel()
	rand := &counter{}
	d := must[*v1.Delegation](t)(v1.Delegate(ada, v1.Grant{Audience: bob.Key(), Command: v1.SyncCommand, Expires: at(now + 300)}, rand))
	other := must[*v1.Delegation](t)(v1.Delegate(ada, v1.Grant{Audience: bob.Key(), Command: "/entry"}, rand))
	good := v1.SyncProof{Agent: ada.Key(), Chain: []*v1.Delegation{d}, Net: net, Responder: gateway.Key(), Now: now, Expires: now + 60}
	for name, edit := range map[string]func(*v1.SyncProof){
		"too long":             func(p *v1.SyncProof) { p.Expires = now + v1.MaxSyncTerm + 1 },
		"past":                 func(p *v1.SyncProof) { p.Expires = now - 1 },
		"no chain":             func(p *v1.SyncProof) { p.Chain = nil },
		"another command":      func(p *v1.SyncProof) { p.Chain = []*v1.Delegation{other} },
		"another agent":        func(p *v1.SyncProof) { p.Agent = cyd.Key() },
		"delegation past":      func(p *v1.SyncProof) { p.Now, p.Expires = now+301, now+302 },
		"too many bytes or so": func(p *v1.SyncProof) { p.Chain = slices.Repeat(p.Chain, 40) },
	} {
		p := good
		edit(&p)
		if _, err := v1.NodeInvocation(bob, p, rand); err == nil {
			t.Errorf("%s: made", name)
		}
	}
	if _, err := v1.NodeInvocation(cyd, good, rand); findings(t, err).First().Why != v1.WhyAlignment {
		t.Errorf("by another node: %v", err)
	}
	if _, err := v1.NodeInvocation(bob, good, iotest.ErrReader(io.ErrUnexpectedEOF)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("without randomness: %v", err)
	}
}

func TestRevocationByInvocation(t *testing.T) {
	t.Parallel()
	rand := &counter{}
	d := must[*v1.Delegation](t)(v1.Delegate(ada, v1.Grant{Audience: bob.Key(), Command: "/entry"}, rand))
	text := must[string](t)(v1.Revoke(ada, d, rand))
	r, err := must[*v1.Bundle](t)(v1.Read([]byte(text), nil)).Revocation(now)
	if err != nil || r.Issuer != ada.Key() || r.Token.CID != d.CID || r.Act == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	if _, err := v1.Revoke(bob, d, rand); findings(t, err).Code() != v1.NotRootOwner {
		t.Errorf("by another: %v", err)
	}
	// The subject is an ancestor of everything that is about it.
	below := must[*v1.Delegation](t)(v1.Delegate(bob, v1.Grant{Audience: cyd.Key(), Subject: ada.Key(), Command: "/entry/put"}, rand))
	for _, by := range []*keys.Private{ada, bob} {
		text := must[string](t)(v1.Revoke(by, below, rand))
		if r, err := must[*v1.Bundle](t)(v1.Read([]byte(text), nil)).Revocation(now); err != nil || r.Issuer != by.Key() {
			t.Errorf("by who stands above: %+v, %v", r, err)
		}
	}
	if _, err := v1.Revoke(cyd, below, rand); findings(t, err).Code() != v1.NotRootOwner {
		t.Errorf("by its holder: %v", err)
	}
	invoke := func(a v1.Act, by int) []byte {
		signer := ada
		if by == 1 {
			signer = bob
		}
		return must[*v1.Invocation](t)(v1.Invoke(signer, a, rand)).Sealed
	}
	link := map[string]any{"ucan": v1.Link(d.CID)}
	for name, c := range map[string]struct {
		sealed [][]byte
		code   v1.Code
	}{
		"by another":      {[][]byte{invoke(v1.Act{Command: v1.RevokeCommand, Args: link}, 1), d.Sealed}, v1.NotRootOwner},
		"for another":     {[][]byte{invoke(v1.Act{Command: v1.RevokeCommand, Subject: ada.Key(), Args: link}, 1), d.Sealed}, v1.InvalidDelegation},
		"another command": {[][]byte{invoke(v1.Act{Command: "/ucan/assert", Args: link}, 0), d.Sealed}, v1.InvalidDelegation},
		"without token":   {[][]byte{invoke(v1.Act{Command: v1.RevokeCommand, Args: link}, 0)}, v1.UnavailableProof},
		"without link":    {[][]byte{invoke(v1.Act{Command: v1.RevokeCommand}, 0), d.Sealed}, v1.MissingField},
		"a text":          {[][]byte{invoke(v1.Act{Command: v1.RevokeCommand, Args: map[string]any{"ucan": d.CID}}, 0), d.Sealed}, v1.MissingField},
		"past":            {[][]byte{invoke(v1.Act{Command: v1.RevokeCommand, Args: link, Expires: at(now - 1)}, 0), d.Sealed}, v1.Expired},
		"no act":          {[][]byte{d.Sealed}, v1.MissingField},
	} {
		_, err := must[*v1.Bundle](t)(v1.Read(pack(t, c.sealed...), nil)).Revocation(now)
		if err == nil || findings(t, err).Code() != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
}

func TestChainsAreJudgedWithoutAnAct(t *testing.T) {
	t.Parallel()
	rand := &counter{}
	on := func(resource string) []any {
		return must[[]any](t)(v1.PolicyOf(v1.Right{Resource: resource, Ability: "entry/put", Caveats: []map[string]any{{}}}))
	}
	root := must[*v1.Delegation](t)(v1.Delegate(ada, v1.Grant{Audience: bob.Key(), Command: "/entry", Policy: on(guild), Expires: at(now + 9)}, rand))
	leaf := must[*v1.Delegation](t)(v1.Delegate(bob, v1.Grant{Audience: cyd.Key(), Subject: ada.Key(), Command: "/entry/put"}, rand))
	other := must[*v1.Delegation](t)(v1.Delegate(ada, v1.Grant{Audience: gateway.Key(), Command: "/entry"}, rand))
	act := must[*v1.Invocation](t)(v1.Invoke(bob, v1.Act{Command: "/entry/put"}, rand))
	for name, c := range map[string]struct {
		sealed [][]byte
		want   []*v1.Delegation
	}{
		"one":               {[][]byte{root.Sealed}, []*v1.Delegation{root}},
		"two":               {[][]byte{root.Sealed, leaf.Sealed}, []*v1.Delegation{leaf, root}},
		"none":              {nil, nil},
		"two that are none": {[][]byte{root.Sealed, other.Sealed}, nil},
		"with an act":       {[][]byte{root.Sealed, act.Sealed}, nil},
	} {
		b := must[*v1.Bundle](t)(v1.Read(pack(t, c.sealed...), nil))
		got, err := b.Chain()
		if len(got) != len(c.want) || (err == nil) != (c.want != nil) || b.Acts() != (name == "with an act") {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		for i := range c.want {
			if got[i].CID != c.want[i].CID {
				t.Errorf("%s: link %d is %s", name, i, got[i])
			}
		}
	}
	chain := []*v1.Delegation{leaf, root}
	args := func(resource string) map[string]any { return map[string]any{v1.ResourceArg: resource} }
	a, err := v1.VerifyChain(chain, v1.Check{Now: now, Owner: owner})
	if err != nil || a.Subject != cyd.Key().String() || a.Issuer != bob.Key().String() || a.Resource != guild || a.Ability != "entry/put" || *a.Expires != now+9 || len(a.Chain) != 2 {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := v1.VerifyChain(chain, v1.Check{Now: now, Owner: owner, Command: "/entry/put", Args: args(guild + "/board")}); err != nil || a.Resource != guild+"/board" {
		t.Errorf("an act that it allows: %+v, %v", a, err)
	}
	for name, c := range map[string]struct {
		chain []*v1.Delegation
		check v1.Check
		code  v1.Code
		why   v1.Why
	}{
		"past":             {chain, v1.Check{Now: now + 10}, v1.Expired, ""},
		"revoked":          {chain, v1.Check{Now: now, Revoked: func(cid string) bool { return cid == root.CID }}, v1.Revoked, ""},
		"without its root": {chain[:1], v1.Check{Now: now}, v1.InvalidDelegation, v1.WhyRoot},
		"another command":  {chain, v1.Check{Now: now, Command: "/entry", Args: args(guild)}, v1.InvalidDelegation, v1.WhyCommand},
		"another resource": {chain, v1.Check{Now: now, Command: "/entry/put", Args: args("mesh://x/guild/y")}, v1.InvalidDelegation, v1.WhyPolicy},
		"nobody's":         {[]*v1.Delegation{other}, v1.Check{Now: now, Owner: owner}, v1.NotRootOwner, ""},
		"climbing":         {[]*v1.Delegation{other}, v1.Check{Now: now, Owner: owner, Command: "/entry/put", Args: args(guild + "/../x")}, v1.NotRootOwner, ""},
	} {
		_, err := v1.VerifyChain(c.chain, c.check)
		if err == nil || findings(t, err).Code() != c.code || findings(t, err).First().Why != c.why {
			t.Errorf("%s: %v", name, err)
		}
	}
}
