package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan/v0"
)

// firstSecond is when worlds begin.
const firstSecond = int64(1767225600)

// capsFor are abilities on a space without caveats.
func capsFor(net change.NetID, space change.Space, abilities ...string) []v0.Cap {
	var out []v0.Cap
	for _, can := range abilities {
		out = append(out, v0.Cap{With: space.Resource(net), Can: can, Caveats: free})
	}
	return out
}

func at(seconds int64) uint64 { return uint64(firstSecond+seconds) * 1000 << 10 }

// edit is a doc.edit by a with the proof it has.
func (s *scene) edit(a *worldtest.Author, space change.Space, name string) *change.Change {
	return a.Edit(space, name, worldtest.Chunk(a.Actor(space, name), 1, 1, nil, "k", "v"))
}

// devices are the grants in an agent's space.
func devices(t testing.TB) *scene {
	t.Helper()
	s := newScene(t)
	w := s.w
	ada, bo := w.Agent("ada"), w.Agent("bo")
	ada.Bind()
	bo.Bind()
	home, foreign, key := ada.ID.Space(), bo.ID.Space(), w.Key("aud").Key()
	caps := capsFor(w.Net, home, "entry/put")
	grant := func(a *worldtest.Author, d v0.Draft, o worldtest.Options) *change.Change {
		if d.Audience == "" {
			d.Audience = key.String()
		}
		if d.Caps == nil {
			d.Caps = caps
		}
		return s.token(a, home, d, body.Grant{}, o)
	}
	vote := func(a *worldtest.Author, target *change.Change) *change.Change {
		b, err := cbor.Encode(cbor.Map{"target": target.ID[:], "value": 1})
		if err != nil {
			t.Fatal(err)
		}
		return a.Change(change.KindVote, target.Head.Space, b, worldtest.Options{Deps: ids(target)})
	}

	fork := func() *worldtest.Author { return ada.Clone() } // keeps the pasts of the vectors short

	// Members.
	phone, c := fork().Device("phone")
	s.ok("the agent gives a device every ability", c)
	tablet, c := phone.Device("tablet", "entry/put", "vote/cast")
	s.ok("a device gives another some of its own", c)
	post := s.ok("an entry by a device", phone.Entry("go", "from the phone"))
	s.ok("an entry by a device of a device", tablet.Entry("go", "from the tablet"))
	s.ok("a vote by a device", vote(tablet, post))
	s.ok("an edit by a device", s.edit(phone, home, "page"))
	s.ok("a device opens a guild for its agent", phone.OpenGuild("phones", body.Public))
	s.ok("a device ends a grant", phone.Revoke(tablet.Binding, body.Cuts{tablet.Key.Key(): tablet.Cut()}))
	s.ok("a device without that ability gives itself up", tablet.Revoke(tablet.Binding, body.Cuts{}))
	s.ok("a device endorses", phone.Endorse(change.Commons("go"), body.Readmit, post))
	term := func(from, to int64) v0.Draft { return v0.Draft{NotBefore: &from, Expires: &to} }
	short, _ := fork().Device("short", "entry/put")
	d := term(firstSecond, firstSecond+60)
	d.Audience = short.Key.Key().String()
	short.Binding = s.ok("a grant with a term", grant(ada, d, worldtest.Options{HLC: at(1)}))
	put := func(a *worldtest.Author, hlc uint64) *change.Change {
		b, err := entry().Encode()
		if err != nil {
			t.Fatal(err)
		}
		return a.Change(change.KindEntryPut, change.Commons("go"), b, worldtest.Options{HLC: hlc})
	}
	s.ok("in the last millisecond of its term", put(short, at(61)-1))
	s.ok("a device gives itself up after its term", short.Change(change.KindRevoke, home, s.body(body.Revoke{Grant: short.Binding.ID, Cut: body.Cuts{}}), worldtest.Options{
		Deps: ids(short.Binding), HLC: at(500),
	}))
	s.ok("a renewal closes what it follows", ada.Grant(home, short.Key.Key(), worldtest.Grants{
		Caps: caps, Closes: &body.Closes{Grant: short.Binding.ID, Cut: worldtest.CutAt(post)},
	}))
	pages, _ := fork().Device("pages")
	pages.Binding = s.ok("a grant for some documents", grant(ada, v0.Draft{Audience: pages.Key.Key().String(), Caps: []v0.Cap{
		{With: home.Resource(w.Net), Can: "doc/edit", Caveats: []map[string]any{{role.CaveatDoc: []any{"page", "project/*"}}}},
		{With: home.Resource(w.Net), Can: "entry/put", Caveats: []map[string]any{{"domain": []any{"go"}}}},
	}}, worldtest.Options{}))
	s.ok("an edit of a document of the caveat", s.edit(pages, home, "page"))
	s.ok("an edit of a later generation of it", s.edit(pages, home, "page~2"))
	s.ok("an edit of a document below the caveat", s.edit(pages, home, "project/a/b"))
	lower, _ := fork().Device("lower")
	lower.Binding = s.ok("abilities in upper case and by namespace", grant(ada, v0.Draft{
		Audience: lower.Key.Key().String(), Caps: capsFor(w.Net, home, "ENTRY/*"),
	}, worldtest.Options{}))
	s.ok("an entry by namespace", lower.Entry("go", "by namespace"))
	next, _ := ada.Rotate("ada 2", nil, body.Rotate{Cut: ada.Cut()})
	s.ok("an entry by a device after a rotation of its agent", phone.Entry("go", "after the rotation"))
	heir, c := next.Device("heir")
	s.ok("the new key gives a device rights", c)
	s.ok("an entry by that device", heir.Entry("go", "from the heir"))

	// Refused.
	lost := reason.CapabilityMissing
	s.bad(lost, "an entry by a device that may only vote", func() *change.Change {
		a, _ := fork().Device("voter", "vote/cast")
		return a.Entry("go", "no")
	}())
	s.bad(lost, "a caveat that nobody understands", pages.Entry("go", "no"))
	s.bad(lost, "profile.bind by a device", phone.Clone().BindAs(body.Bind{Name: "phone"}))
	s.bad(lost, "a device writes as another agent", s.edit(phone, foreign, "page"))
	s.bad(lost, "the grant reaches beyond the agent", grant(ada, v0.Draft{Caps: capsFor(w.Net, change.Commons("go"), "entry/put")}, worldtest.Options{}))
	s.bad(lost, "the grant reaches another agent", grant(ada, v0.Draft{Caps: append(capsFor(w.Net, foreign, "entry/put"), caps...)}, worldtest.Options{}))
	s.bad(lost, "the grant reaches another network", grant(ada, v0.Draft{Caps: capsFor(change.NetID{1}, home, "entry/put")}, worldtest.Options{}))
	s.bad(lost, "the grant reaches everything", grant(ada, v0.Draft{Caps: []v0.Cap{{With: "mesh://*", Can: "*", Caveats: free}}}, worldtest.Options{}))
	s.bad(lost, "the grant passes on its proofs", grant(ada, v0.Draft{Caps: []v0.Cap{{With: "ucan:*", Can: "ucan/*", Caveats: free}}}, worldtest.Options{}))
	s.bad(lost, "the grant gives nothing", grant(ada, v0.Draft{Caps: []v0.Cap{}}, worldtest.Options{}))
	s.bad(lost, "a right on a part of the agent is none on the whole", func() *change.Change {
		a, _ := fork().Device("part")
		a.Binding = grant(ada, v0.Draft{Audience: a.Key.Key().String(), Caps: []v0.Cap{{With: home.Resource(w.Net) + "/page", Can: "*", Caveats: free}}}, worldtest.Options{})
		return a.Entry("go", "no")
	}())
	s.bad(lost, "a grant in the space of another agent", s.token(bo, home, v0.Draft{Audience: key.String(), Caps: caps}, body.Grant{}, worldtest.Options{}))
	s.bad(lost, "a grant by a device that may not", func() *change.Change {
		return grant(tablet, v0.Draft{Proofs: []string{s.cidOf(tablet.Binding)}}, worldtest.Options{})
	}())
	s.bad(lost, "a grant in the commons", ada.Change(change.KindGrant, change.Commons("go"), []byte{0xa0}, worldtest.Options{}))
	s.bad(lost, "a grant without a proof", grant(ada, v0.Draft{}, worldtest.Options{NoProof: true}))
	s.bad(lost, "a device ends another's grant without the ability", func() *change.Change {
		a, _ := fork().Device("ender", "entry/put")
		return a.Revoke(phone.Binding, body.Cuts{})
	}())
	s.bad(lost, "a device endorses without the ability", short.Clone().Endorse(change.Commons("go"), body.Readmit, post))
	s.bad(lost, "a revocation in the space of another agent", bo.Change(change.KindRevoke, home, s.body(body.Revoke{Grant: phone.Binding.ID, Cut: body.Cuts{}}), worldtest.Options{Deps: ids(phone.Binding)}))
	s.bad(lost, "a role as the identity", func() *change.Change {
		founder := fork()
		g := founder.Member(founder.OpenGuild("identity", body.Public), bo, role.Owner)
		a := w.Agent("nobody")
		return a.Change(change.KindEntryPut, change.Commons("go"), s.body(entry()), worldtest.Options{Proof: ids(g)})
	}())

	s.bad(reason.CapabilityExpired, "a second after its term", put(short, at(61)))
	s.bad(reason.CapabilityExpired, "before its term", func() *change.Change {
		a, _ := fork().Device("early")
		d := term(firstSecond+100, firstSecond+200)
		d.Audience = a.Key.Key().String()
		// The grant itself lies within the term, so the change that uses it cannot lie before both.
		a.Binding = grant(ada, d, worldtest.Options{HLC: at(50)})
		return a.Binding
	}())
	s.bad(reason.CapabilityExpired, "a grant after its own term", grant(ada, term(firstSecond, firstSecond+60), worldtest.Options{HLC: at(61)}))

	s.bad(reason.WrongAudience, "the grant of another key", w.Agent("thief").Change(change.KindEntryPut, change.Commons("go"), s.body(entry()), worldtest.Options{Proof: ids(phone.Binding)}))
	s.bad(reason.WrongAudience, "a grant for what is no key", grant(ada, v0.Draft{Audience: "did:web:mesh.example"}, worldtest.Options{}))
	s.bad(reason.WrongAudience, "a grant for a wallet", grant(ada, v0.Draft{Audience: worldtest.Account(w.Wallet("purse"))}, worldtest.Options{}))

	s.bad(reason.AttenuationViolation, "a device gives more than it has", func() *change.Change {
		a, g := fork().Device("narrow", "entry/put", "member/grant")
		return s.token(a, home, v0.Draft{Audience: key.String(), Caps: capsFor(w.Net, home, "entry/*"), Proofs: []string{s.cidOf(g)}}, body.Grant{}, worldtest.Options{})
	}())
	s.bad(reason.ChainInvalid, "a device gives for longer than it has", func() *change.Change {
		a, _ := fork().Device("brief")
		d := term(firstSecond, firstSecond+9000)
		d.Audience, d.Caps = a.Key.Key().String(), capsFor(w.Net, home, "*")
		a.Binding = grant(ada, d, worldtest.Options{})
		return s.token(a, home, v0.Draft{Audience: key.String(), Caps: caps, Proofs: []string{s.cidOf(a.Binding)}}, body.Grant{}, worldtest.Options{})
	}())
	s.bad(reason.ChainInvalid, "the token is issued by another key", func() *change.Change {
		raw, err := v0.Build(v0.Draft{Audience: key.String(), Caps: caps}, bo.Key, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s.token(ada, home, v0.Draft{}, body.Grant{Token: raw}, worldtest.Options{})
	}())
	valid := w.Token(ada.Key, key, caps, 0, ada.Binding.ID)
	head, _, _ := strings.Cut(valid, ".")
	s.bad(reason.ChainInvalid, "one character of the token's signature", s.token(ada, home, v0.Draft{}, body.Grant{Token: flip(valid, len(valid)-40)}, worldtest.Options{}))
	s.bad(reason.ChainInvalid, "proof names more than the identity", grant(ada, v0.Draft{}, worldtest.Options{Proof: ids(ada.Binding, phone.Binding)}))
	s.bad(reason.ChainInvalid, "a device's token that does not cite what it rests on", s.token(phone, home, v0.Draft{Audience: key.String(), Caps: caps}, body.Grant{}, worldtest.Options{}))
	s.bad(reason.ProofMissing, "the token cites what is not in proof", grant(ada, v0.Draft{Proofs: []string{s.cidOf(phone.Binding)}}, worldtest.Options{}))
	s.bad(reason.MissingDeps, "a grant without its body", phone.Binding.Stub())
	s.bad(reason.MissingDeps, "a revocation without its body", ada.Revoke(phone.Binding, body.Cuts{}).Stub())

	malformed := reason.BadEncoding
	s.bad(malformed, "a token of one part", s.token(ada, home, v0.Draft{}, body.Grant{Token: head}, worldtest.Options{}))
	s.bad(malformed, "a token with a padded signature", s.token(ada, home, v0.Draft{}, body.Grant{Token: valid + "="}, worldtest.Options{}))
	s.bad(malformed, "a role in an agent's space", s.token(ada, home, v0.Draft{Audience: key.String(), Caps: caps}, body.Grant{Role: role.Member}, worldtest.Options{}))
	s.bad(malformed, "a revocation whose deps do not hold the grant", ada.Clone().Change(change.KindRevoke, home, s.body(body.Revoke{Grant: phone.Binding.ID, Cut: body.Cuts{}}), worldtest.Options{}))
	s.bad(malformed, "a revocation of what is no grant", ada.Clone().Change(change.KindRevoke, home, s.body(body.Revoke{Grant: ada.Binding.ID, Cut: body.Cuts{}}), worldtest.Options{Deps: ids(ada.Binding)}))
	s.bad(malformed, "a revocation of a grant in another space", bo.Change(change.KindRevoke, foreign, s.body(body.Revoke{Grant: phone.Binding.ID, Cut: body.Cuts{}}), worldtest.Options{Deps: ids(phone.Binding)}))
	s.bad(malformed, "a renewal of what is no grant", ada.Clone().Grant(home, key, worldtest.Grants{Caps: caps, Closes: &body.Closes{Grant: ada.Binding.ID, Cut: body.Cuts{}}}))
	s.bad(malformed, "a renewal whose deps do not hold what it follows", s.token(ada, home, v0.Draft{Audience: key.String(), Caps: caps}, body.Grant{
		Closes: &body.Closes{Grant: short.Binding.ID, Cut: body.Cuts{}},
	}, worldtest.Options{}))
	s.bad(malformed, "an endorsement of another kind", ada.Clone().Change(change.KindEndorse, home, s.body(body.Endorse{As: "like"}), worldtest.Options{}))
	s.bad(lost, "an edit of a document outside the caveat: the body fails its row", s.edit(pages, home, "room"))
	s.bad(reason.BadChangeSignature, "sig2 of a device", func() *change.Change {
		return s.hybridly(phone, change.KindRevoke, home, s.body(body.Revoke{Grant: phone.Binding.ID, Cut: body.Cuts{}}), ids(phone.Binding))
	}())
	return s
}

// hybridly writes a control change with two signatures by a.
func (s *scene) hybridly(a *worldtest.Author, kind string, space change.Space, b []byte, deps []change.ID) *change.Change {
	s.t.Helper()
	c, err := change.SealHybrid(change.Draft{
		Net: s.w.Net, Space: space, Kind: kind, Body: b, HLC: at(100000), Seq: 1, Deps: deps, Proof: ids(a.Binding),
	}, keys.NewHybridSigner(a.Key, [32]byte{7}))
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// flip replaces one character of base64url by another.
func flip(s string, i int) string {
	b := []byte(s)
	if b[i] == 'A' {
		b[i] = 'B'
	} else {
		b[i] = 'A'
	}
	return string(b)
}

func TestDevices(t *testing.T) {
	t.Parallel()
	seen := devices(t).prove("grant/devices.json")
	wantCodes(t, seen, "", reason.CapabilityMissing, reason.CapabilityExpired, reason.WrongAudience, reason.AttenuationViolation,
		reason.ChainInvalid, reason.ProofMissing, reason.MissingDeps, reason.BadEncoding, reason.BadChangeSignature)
}

// An edit outside the caveat is a member whose body counts for nothing, and a
// body that comes later is judged alike.
func TestEditOutsideTheCaveatKeepsItsHead(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	ada, bo := s.w.Agent("ada"), s.w.Agent("bo")
	ada.Bind()
	bo.Bind()
	guild := ada.OpenGuild("a guild", body.Private)
	ada.Member(guild, bo, role.Member)
	for name, want := range map[string]reason.Code{"board": "", "board~3": "", "project/x": "", "page": reason.CapabilityMissing, "room~2": reason.CapabilityMissing} {
		c := s.edit(bo, guild.Head.Space, name)
		v, err := s.w.Judge.Check(c, rules.OwnSignature, s.w)
		if err != nil || v.Row() != want || v.Change().IsStub() != (want != "") {
			t.Errorf("%s: row %q, %v", name, v.Row(), err)
		}
		if err := s.w.Judge.Row(c, s.w); reason.Of(err) != want {
			t.Errorf("%s: a body that came later: %v", name, err)
		}
		if v, err := s.w.Judge.Check(c.Stub(), rules.OwnSignature, s.w); err != nil || v.Row() != "" {
			t.Errorf("%s: its stub: %v", name, err)
		}
		if _, err := doc.ParseName(name); err != nil {
			t.Error(err)
		}
	}
}

// A chain of grants may have ten links.
func TestChainOfGrantsIsBounded(t *testing.T) {
	t.Parallel()
	w := worldtest.New(1)
	a := w.Agent("ada")
	a.Bind()
	for i := range 13 {
		b, c := a.Device(fmt.Sprint("device ", i))
		_, err := w.Judge.Check(c, rules.OwnSignature, w)
		want := reason.Code("")
		if i > 10 {
			want = reason.ChainInvalid
		}
		if reason.Of(err) != want {
			t.Errorf("grant with %d links behind it: %v", i, err)
		}
		a = b
	}
}

// Grants whose parents multiply from level to level are refused before they cost
// much: at most 128 make one chain.
func TestWebOfGrantsIsBounded(t *testing.T) {
	t.Parallel()
	w := worldtest.New(1)
	ada := w.Agent("ada")
	ada.Bind()
	guild := ada.OpenGuild("web", body.Public)
	holder := w.Agent("holder 0")
	holder.Bind()
	var level []*change.Change
	for range 243 {
		level = append(level, ada.Grant(guild.Head.Space, holder.Key.Key(), worldtest.Grants{Role: role.Owner}))
	}
	size := 1
	for depth := 1; len(level) > 1; depth++ {
		next := w.Agent(fmt.Sprint("holder ", depth))
		next.Bind()
		var up []*change.Change
		for i := 0; i < len(level); i += 3 {
			up = append(up, holder.Grant(guild.Head.Space, next.Key.Key(), worldtest.Grants{Role: role.Owner, Parents: level[i : i+3]}))
		}
		level, holder, size = up, next, 3*size+1
		want := reason.Code("")
		if size > 128 {
			want = reason.ChainInvalid
		}
		if _, err := w.Judge.Check(level[0], rules.OwnSignature, w); reason.Of(err) != want {
			t.Errorf("a chain of %d grants: %v", size, err)
		}
	}
	if size != 364 {
		t.Errorf("the largest chain has %d grants", size)
	}
}
