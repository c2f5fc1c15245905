package v0_test

import (
	"slices"
	"testing"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/v0"
)

const mine, friends = "mesh://6e6574/agent/mine", "mesh://6e6574/guild/friends"

// owners says that root owns mine and friend owns friends.
func owners(d did.DID, resource string) bool {
	switch {
	case ucan.Contains(mine, resource):
		return d == did.OfKey(root.Key())
	case ucan.Contains(friends, resource):
		return d == did.OfKey(friend.Key())
	}
	return false
}

func redelegation(with string, caveats ...map[string]any) v0.Cap {
	return right(with, "ucan/*", caveats...)
}

type story struct {
	name string
	raw  string
	want string
}

func (s story) run(t *testing.T, proofs v0.Proofs, revoked ...string) v0.Result {
	t.Helper()
	r := v0.Verify(s.raw, v0.Check{Proofs: proofs.Find, Owner: owners, Revoked: func(cid string) bool { return slices.Contains(revoked, cid) }})
	if got := codes(r); got != s.want {
		t.Errorf("%s: found %q, want %q: %v", s.name, got, s.want, r.Findings)
	}
	return r
}

// The two-device story: root lets a phone do all that root can prove, later
// delegations included; a friend gives root x; the phone acts on x.
func TestTwoDevices(t *testing.T) {
	t.Parallel()
	phone, tablet := bob, carol
	toPhone := give(t, root, phone, rights([]v0.Cap{redelegation("ucan:*")}))
	toRoot := give(t, friend, root, rights([]v0.Cap{right(friends, "doc/edit"), right(friends, "entry/put", m{"d": "1"})}))
	toTablet := give(t, phone, tablet, rights([]v0.Cap{redelegation("ucan:*")}, ucan.CID(toPhone)))
	toOther := give(t, friend, dan, rights([]v0.Cap{right(friends, "doc/edit")}))
	limited := give(t, root, phone, rights([]v0.Cap{redelegation("ucan:*", m{"d": "1"})}))
	proofs := bag(toPhone, toRoot, toTablet, toOther, limited)

	act := func(by *keys.Private, k v0.Cap, proofs ...string) string {
		links := []string{}
		for _, p := range proofs {
			links = append(links, ucan.CID(p))
		}
		return give(t, by, dan, rights([]v0.Cap{k}, links...))
	}
	edit := right(friends, "doc/edit")
	for _, s := range []story{
		{"the phone on what root was given", act(phone, edit, toPhone, toRoot), ""},
		{"in the other order", act(phone, edit, toRoot, toPhone), ""},
		{"the phone on what root owns", act(phone, right(mine, "profile/edit"), toPhone), ""},
		{"the tablet through the phone", act(tablet, edit, toTablet, toPhone, toRoot), ""},
		{"the tablet through the phone, by its own proof", act(tablet, right(mine, "profile/edit"), toTablet), ""},
		{"narrower", act(phone, right(friends+"/board", "doc/edit", m{"d": "2"}), toPhone, toRoot), ""},

		{"without the friend's token", act(phone, edit, toPhone), "invalidDelegation/coverage"},
		{"without root's token", act(phone, edit, toRoot), "invalidDelegation/alignment"},
		{"what the friend did not give", act(phone, right(friends, "vote/cast"), toPhone, toRoot), "invalidDelegation/coverage"},
		{"wider than the friend gave", act(phone, right(friends, "entry/put"), toPhone, toRoot), "invalidDelegation/coverage"},
		{"what the friend gave to another", act(phone, edit, toPhone, toOther), "invalidDelegation/alignment"},
		{"what nobody owns", act(phone, right("mesh://other/guild/z", "doc/edit"), toPhone, toRoot), "invalidDelegation/coverage"},
		{"a stranger with root's token", act(dan, edit, toPhone, toRoot), "invalidDelegation/alignment invalidDelegation/alignment"},

		{"inside a limit", act(phone, right(friends, "doc/edit", m{"d": "1"}), limited, toRoot), ""},
		{"outside a limit", act(phone, edit, limited, toRoot), "invalidDelegation/coverage"},
		{"outside a limit on what root owns", act(phone, right(mine, "doc/edit"), limited), "invalidDelegation/coverage"},
		{"a limit and none", act(phone, edit, limited, toPhone, toRoot), ""},
		{"a limit is not lost by selecting", give(t, dan, bob, rights([]v0.Cap{edit}, proofs.Add(
			give(t, phone, dan, rights([]v0.Cap{redelegation("ucan:./*")}, ucan.CID(limited), ucan.CID(toRoot)))))), "invalidDelegation/coverage"},
	} {
		s.run(t, proofs)
	}

	// What comes by way of root is listed only as far as root's token goes.
	for _, by := range []struct {
		proof, revoked string
		listed         int
	}{{toPhone, "", 3}, {toPhone, ucan.CID(toPhone), 1}, {limited, "", 1}} {
		raw := give(t, phone, dan, rights([]v0.Cap{redelegation("ucan:./*")}, ucan.CID(by.proof), ucan.CID(toRoot)))
		r := story{"listed", raw, ""}.run(t, proofs, by.revoked)
		count := 0
		for _, a := range r.Authorities {
			if a.Resource != "ucan:*" {
				count++
			}
		}
		if count != by.listed {
			t.Errorf("lists %d, want %d: %+v", count, by.listed, r.Authorities)
		}
	}

	s := story{"revoked device", act(phone, edit, toPhone, toRoot), "revoked"}
	s.run(t, proofs, ucan.CID(toPhone))
	story{"revoked device beside another way", act(phone, right(friends, "doc/edit", m{"d": "1"}), toPhone, limited, toRoot), ""}.run(t, proofs, ucan.CID(toPhone))
	s.want = ""
	if r := s.run(t, proofs); len(r.Authorities) != 1 || !slices.Equal(r.Authorities[0].Chain, []string{ucan.CID(s.raw), ucan.CID(toPhone), ucan.CID(toRoot)}) {
		t.Errorf("%+v", r.Authorities)
	}
}

// ucan:<cid> and ucan:./* pass on what the named proofs grant, and list it.
func TestSelectedProofs(t *testing.T) {
	t.Parallel()
	a := give(t, friend, bob, rights([]v0.Cap{right(friends, "doc/edit"), right(friends, "entry/put", m{"d": "1"})}))
	b := give(t, root, bob, rights([]v0.Cap{right(mine, "*")}))
	one := give(t, bob, carol, rights([]v0.Cap{redelegation("ucan:" + ucan.CID(a))}, ucan.CID(a), ucan.CID(b)))
	all := give(t, bob, carol, rights([]v0.Cap{redelegation("ucan:./*")}, ucan.CID(a), ucan.CID(b)))
	less := give(t, bob, carol, rights([]v0.Cap{redelegation("ucan:./*", m{"d": "1"})}, ucan.CID(a), ucan.CID(b)))
	again := give(t, carol, dan, rights([]v0.Cap{redelegation("ucan:./*")}, ucan.CID(all)))
	other := give(t, bob, carol, rights([]v0.Cap{right("ucan:./*", "doc/edit")}, ucan.CID(b)))
	proofs := bag(a, b, one, all, less, again, other)
	use := func(by *keys.Private, proof string, k v0.Cap) string {
		return give(t, by, friend, rights([]v0.Cap{k}, ucan.CID(proof)))
	}
	for _, s := range []story{
		{"the selected", use(carol, one, right(friends, "doc/edit")), ""},
		{"the other", use(carol, one, right(mine, "doc/edit")), "invalidDelegation/coverage"},
		{"all, first", use(carol, all, right(friends, "entry/put", m{"d": "1"})), ""},
		{"all, second", use(carol, all, right(mine, "doc/edit")), ""},
		{"all, wider", use(carol, all, right(friends, "entry/put")), "invalidDelegation/coverage"},
		{"all, but not what the issuer could prove otherwise", use(carol, all, right("mesh://other/guild/z", "*")), "invalidDelegation/coverage"},
		{"through two", use(dan, again, right(mine, "doc/edit")), ""},
		{"restricted", use(carol, less, right(mine, "doc/edit", m{"d": "1"})), ""},
		{"restricted, unrestricted", use(carol, less, right(mine, "doc/edit")), "invalidDelegation/coverage"},
		{"redelegated by name", use(carol, all, redelegation("ucan:"+ucan.CID(all))), ""},
		{"a proof of the proof", use(carol, all, redelegation("ucan:"+ucan.CID(a))), "invalidDelegation/coverage"},
		{"no content id", use(carol, all, redelegation("ucan:x")), "invalidDelegation/coverage"},
		{"another ability selects nothing", use(carol, other, right(mine, "doc/edit")), "invalidDelegation/coverage invalidDelegation/coverage"},
	} {
		s.run(t, proofs)
	}

	r := story{"listed", again, ""}.run(t, proofs)
	got := []string{}
	for _, x := range r.Authorities {
		got = append(got, x.Resource+" "+x.Ability)
	}
	if want := []string{"ucan:./* ucan/*", friends + " doc/edit", friends + " entry/put", mine + " *"}; !slices.Equal(sortedFrom(got, 1), sortedFrom(want, 1)) {
		t.Errorf("lists %q, want %q", got, want)
	}
	for _, x := range r.Authorities[1:] {
		if len(x.Chain) != 3 || x.Chain[0] != ucan.CID(again) || x.Chain[1] != ucan.CID(all) || x.Subject != dan.Key().String() {
			t.Errorf("%+v", x)
		}
	}
	if r := (story{"restricted lists itself only", less, ""}).run(t, proofs); len(r.Authorities) != 1 {
		t.Errorf("%+v", r.Authorities)
	}
	if r := (story{"a revoked proof is not listed", all, ""}).run(t, proofs, ucan.CID(a)); len(r.Authorities) != 2 {
		t.Errorf("%+v", r.Authorities)
	}
	story{"needs all", give(t, bob, carol, rights([]v0.Cap{redelegation("ucan:./*")}, ucan.CID(a), ucan.CID("gone"))), "unavailableProof"}.run(t, proofs)
	story{"needs the named", give(t, bob, carol, rights([]v0.Cap{redelegation("ucan:" + ucan.CID("gone"))}, ucan.CID(a), ucan.CID("gone"))), "unavailableProof"}.run(t, proofs)
	// What is missing may lie behind a selection that is otherwise sound.
	hidden := give(t, bob, carol, rights([]v0.Cap{redelegation("ucan:*")}, ucan.CID("gone")))
	proofs.Add(hidden)
	if r := (story{"behind", use(carol, hidden, right(mine, "doc/edit")), "unavailableProof"}).run(t, proofs); len(r.Missing) != 1 || r.Missing[0] != ucan.CID("gone") {
		t.Errorf("missing %v", r.Missing)
	}
}

// ucan://<did>/… is what a DID owns, and nobody else can pass that on.
func TestOwnedResources(t *testing.T) {
	t.Parallel()
	everything, meshOnly := "ucan://"+root.Key().String()+"/*", "ucan://"+root.Key().String()+"/mesh"
	all := give(t, root, bob, rights([]v0.Cap{redelegation(everything)}))
	mesh := give(t, root, bob, rights([]v0.Cap{redelegation(meshOnly)}))
	mail := give(t, root, bob, rights([]v0.Cap{redelegation("ucan://" + root.Key().String() + "/mailto")}))
	fraud := give(t, dan, bob, rights([]v0.Cap{redelegation(everything)}))
	proofs := bag(all, mesh, mail, fraud)
	use := func(proof string, k v0.Cap) string { return give(t, bob, carol, rights([]v0.Cap{k}, ucan.CID(proof))) }
	for _, s := range []story{
		{"owned", use(all, right(mine, "doc/edit")), ""},
		{"owned, of the scheme", use(mesh, right(mine, "doc/edit")), ""},
		{"owned, of another scheme", use(mail, right(mine, "doc/edit")), "invalidDelegation/coverage"},
		{"not owned", use(all, right(friends, "doc/edit")), "invalidDelegation/coverage"},
		{"passed on", use(all, redelegation(everything)), ""},
		{"narrowed to a scheme", use(all, redelegation(meshOnly)), ""},
		{"widened to all schemes", use(mesh, redelegation(everything)), "invalidDelegation/coverage"},
		{"by somebody else", fraud, "notRootOwner"},
		{"through somebody else", use(fraud, right(mine, "doc/edit")), "notRootOwner"},
		{"of somebody else", use(all, redelegation("ucan://"+dan.Key().String()+"/*")), "invalidDelegation/coverage"},
		{"no DID", give(t, bob, carol, rights([]v0.Cap{redelegation("ucan://x/*")})), "notRootOwner"},
	} {
		s.run(t, proofs)
	}
}

func sortedFrom(list []string, i int) []string {
	slices.Sort(list[i:])
	return list
}
