package rules_test

import (
	"fmt"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan/v0"
)

// A crew is a guild with an agent of each role.
type crew struct {
	guild                                 *change.Change
	space                                 change.Space
	founder, owner, admin, member, viewer *worldtest.Author
	ownerG, adminG, memberG, viewerG      *change.Change
}

func newCrew(w *worldtest.World, name, visibility string) crew {
	var c crew
	for i, a := range []**worldtest.Author{&c.founder, &c.owner, &c.admin, &c.member, &c.viewer} {
		*a = w.Agent(fmt.Sprint(name, " ", i))
		(*a).Bind()
	}
	c.guild = c.founder.OpenGuild(name, visibility)
	c.space = c.guild.Head.Space
	c.ownerG = c.founder.Member(c.guild, c.owner, role.Owner)
	c.adminG = c.owner.Member(c.guild, c.admin, role.Admin)
	c.memberG = c.admin.Member(c.guild, c.member, role.Member)
	c.viewerG = c.admin.Member(c.guild, c.viewer, role.Viewer)
	return c
}

func roles(t testing.TB) *scene {
	t.Helper()
	s := newScene(t)
	w := s.w
	open, closed := newCrew(w, "open", body.Public), newCrew(w, "closed", body.Private)
	stranger := w.Agent("stranger")
	stranger.Bind()
	aud := w.Key("aud").Key()
	plain := func(a *worldtest.Author, kind string, space change.Space) *change.Change {
		b, err := cbor.Encode(cbor.Map{})
		if err != nil {
			t.Fatal(err)
		}
		return a.Clone().Change(kind, space, b, worldtest.Options{}).Stub() // of a head alone roles decide
	}

	// Members.
	for _, c := range []struct {
		name string
		crew
	}{{"public guild", open}, {"private guild", closed}} {
		s.ok(c.name+": guild.open", c.guild)
		s.ok(c.name+": the founder grants an owner", c.ownerG)
		s.ok(c.name+": an owner grants an admin", c.adminG)
		s.ok(c.name+": an admin grants a member", c.memberG)
		s.ok(c.name+": an admin grants a viewer", c.viewerG)
		s.ok(c.name+": an owner grants another owner", c.owner.Clone().Grant(c.space, aud, worldtest.Grants{Role: role.Owner}))
		s.ok(c.name+": an owner grants less than a role", s.token(c.owner, c.space, v0.Draft{
			Audience: aud.String(), Caps: capsFor(w.Net, c.space, "entry/put"), Proofs: []string{s.cidOf(c.ownerG)},
		}, body.Grant{}, worldtest.Options{}))
		for _, a := range []*worldtest.Author{c.founder, c.owner, c.admin, c.member} {
			s.ok(c.name+": an entry by "+a.Name, s.entryIn(a, c.space))
		}
		s.ok(c.name+": the board by a member", s.edit(c.member, c.space, "board"))
		s.ok(c.name+": the page by an admin", s.edit(c.admin, c.space, "page"))
		s.ok(c.name+": a member leaves", c.member.Clone().Revoke(c.memberG, worldtest.CutAt(c.memberG)))
		s.ok(c.name+": an admin ends a membership", c.admin.Clone().Revoke(c.memberG, body.Cuts{}))
		s.ok(c.name+": a viewer ends the founder's grant: a member, without effect", c.viewer.Clone().Revoke(c.ownerG, body.Cuts{}))
		s.ok(c.name+": an endorsement", c.admin.Clone().Endorse(c.space, body.Confirm, c.memberG))
	}
	s.ok("a member writes in the team of a public guild", s.entryIn(open.member, teamOf(open)))
	s.ok("a message in a team", plain(closed.member, change.KindMessage, closed.space))
	s.ok("a task in a team", plain(closed.member, change.KindTaskAct, closed.space))
	s.ok("a bounty in a guild", plain(open.member, change.KindBountyOpen, open.space))
	s.ok("a label in a team", plain(closed.admin, change.KindLabel, closed.space))
	s.ok("an unknown kind in a team, by an owner", plain(closed.owner, "zeta.spin", closed.space))
	s.ok("a vote in a guild needs no role", plain(stranger, change.KindVote, open.space))
	s.ok("a revocation in a guild needs no role: a member, without effect", stranger.Clone().Revoke(open.memberG, body.Cuts{}))
	s.ok("a guild for the members of a house", stranger.Clone().OpenGuild("house", body.Internal))
	union := closed.owner.Clone()
	second := closed.founder.Clone().Grant(closed.space, closed.owner.Key.Key(), worldtest.Grants{Role: role.Admin})
	s.ok("a grant that rests on two", union.Grant(closed.space, aud, worldtest.Grants{Role: role.Member, Parents: []*change.Change{closed.ownerG, second}}))
	s.ok("a renewal closes what it follows", closed.admin.Clone().Grant(closed.space, closed.viewer.Key.Key(), worldtest.Grants{
		Role: role.Viewer, Closes: &body.Closes{Grant: closed.viewerG.ID, Cut: worldtest.CutAt(closed.viewerG)},
	}))
	phone, _ := closed.member.Clone().Device("phone", "entry/put", "member/grant")
	s.ok("a device writes by the role of its agent", s.entryIn(phone, closed.space))
	bell, _ := closed.admin.Clone().Device("bell", "member/grant")
	s.ok("a device grants by the role of its agent", bell.Grant(closed.space, aud, worldtest.Grants{Role: role.Viewer}))
	founding, _ := stranger.Clone().Device("founding", "guild/open", "member/grant")
	house := founding.OpenGuild("device's house", body.Private)
	s.ok("a guild opened by a device", house)
	s.ok("its agent grants as the founder", stranger.Clone().Grant(house.Head.Space, aud, worldtest.Grants{Role: role.Owner, Options: worldtest.Options{Proof: ids(stranger.Binding, house)}}))
	heir, _ := closed.admin.Clone().Rotate("heir", nil, body.Rotate{Cut: body.Cut{}})
	s.ok("a role follows its agent to another key", s.entryIn(heir, closed.space))
	heirs := heir.Grant(closed.space, closed.viewer.Key.Key(), worldtest.Grants{Role: role.Member})
	s.ok("the other key passes the role on", heirs)
	reader := closed.viewer.Clone()
	reader.UseRight(heirs)
	s.ok("who got it from the other key writes", s.entryIn(reader, closed.space))
	grand, _ := closed.founder.Clone().Rotate("grand", nil, body.Rotate{Cut: body.Cut{}})
	s.ok("the founder's other key grants", grand.Grant(closed.space, aud, worldtest.Grants{Role: role.Owner}))
	hy := keys.NewHybridSigner(w.Key("hybrid founder"), [32]byte{7})
	hyAgent := w.Agent("hybrid founder")
	bindDraft := change.Draft{Net: w.Net, Space: hyAgent.ID.Space(), Kind: change.KindBind, Body: s.body(body.Bind{Name: "hy", PQ: hy.Key().PQ}), HLC: at(1), Seq: 1}
	hyAgent.Binding = s.keep(bindDraft, hy)
	salted := body.GuildOpen{Name: "hybrid", Type: "research", Visibility: body.Public}
	s.ok("guild.open with two signatures", s.keep(change.Draft{
		Net: w.Net, Space: change.GuildSpace(change.DeriveGuild(w.Net, hy.Key().Key, salted.Salt)), Kind: change.KindGuildOpen, Body: s.body(salted),
		HLC: at(2), Seq: 1, Proof: ids(hyAgent.Binding),
	}, hy))

	s.ok("a role cited by another hash", s.token(closed.owner, closed.space, v0.Draft{
		Audience: aud.String(), Caps: worldtest.RoleCaps(w.Net, closed.space, role.Member), Proofs: []string{s.otherCID(closed.ownerG)},
	}, body.Grant{Role: role.Member}, worldtest.Options{}))
	brief := closed.admin.Clone().Grant(closed.space, closed.viewer.Key.Key(), worldtest.Grants{Role: role.Viewer, Expires: firstSecond + 60})
	late := worldtest.Options{Proof: ids(closed.viewer.Binding, brief), HLC: at(61)}
	gone := late
	gone.Deps = ids(brief)
	s.ok("a member leaves after the term of its role", closed.viewer.Clone().Change(change.KindRevoke, closed.space, s.body(body.Revoke{Grant: brief.ID, Cut: body.Cuts{}}), gone))
	clerk, _ := closed.admin.Clone().Device("clerk")
	clerk.Binding = s.token(closed.admin, closed.admin.ID.Space(), v0.Draft{Audience: clerk.Key.Key().String(), Caps: []v0.Cap{
		{With: closed.admin.ID.Space().Resource(w.Net), Can: "doc/edit", Caveats: []map[string]any{{role.CaveatDoc: []any{"board"}}}},
	}}, body.Grant{}, worldtest.Options{})
	s.ok("an edit by a device within its own caveat", s.edit(clerk, closed.space, "board"))
	grantDraft := change.Draft{
		Net: w.Net, Space: open.space, Kind: change.KindRevoke, Body: s.body(body.Revoke{Grant: open.memberG.ID, Cut: body.Cuts{}}), HLC: at(3), Seq: 1,
		Deps: ids(open.memberG), Proof: ids(hyAgent.Binding),
	}
	s.ok("a revocation with two signatures", s.keep(grantDraft, hy))
	device := change.Draft{
		Net: w.Net, Space: hyAgent.ID.Space(), Kind: change.KindGrant, HLC: at(4), Proof: ids(hyAgent.Binding), Seq: 2, Prev: hyAgent.Binding.ID,
		Body: s.body(body.Grant{Token: w.Token(w.Key("hybrid founder"), aud, capsFor(w.Net, hyAgent.ID.Space(), "*"), 0, hyAgent.Binding.ID)}),
	}
	s.ok("a grant with two signatures", s.keep(device, hy))

	// Refused.
	s.bad(reason.BadChangeSignature, "a revocation with one signature of two", change.Seal(grantDraft, w.Key("hybrid founder")))
	s.bad(reason.BadChangeSignature, "a grant with one signature of two", change.Seal(device, w.Key("hybrid founder")))
	s.bad(reason.CapabilityExpired, "an endorsement after the term of the role", closed.viewer.Clone().Change(change.KindEndorse, closed.space, s.body(body.Endorse{As: body.Confirm}), late))
	s.bad(reason.CapabilityMissing, "an edit by a device outside its own caveat: the body fails its row", s.edit(clerk, closed.space, "page"))
	elsewhere := stranger.Clone().OpenGuild("elsewhere", body.Public)
	s.bad(reason.CapabilityMissing, "the founder of another guild", s.entryIn(stranger, open.space, stranger.Binding, elsewhere))
	s.bad(reason.CapabilityMissing, "the founder of another guild revokes in a team", stranger.Clone().Change(change.KindRevoke, closed.space, s.body(body.Revoke{
		Grant: closed.memberG.ID, Cut: body.Cuts{},
	}), worldtest.Options{Deps: ids(closed.memberG), Proof: ids(stranger.Binding, elsewhere)}))
	s.bad(reason.CapabilityMissing, "a member of another guild revokes in a team", open.member.Clone().Change(change.KindRevoke, closed.space, s.body(body.Revoke{
		Grant: closed.memberG.ID, Cut: body.Cuts{},
	}), worldtest.Options{Deps: ids(closed.memberG), Proof: ids(open.member.Binding, open.memberG)}))
	s.bad(reason.CapabilityMissing, "the founder of another guild grants", stranger.Clone().Grant(open.space, aud, worldtest.Grants{
		Role: role.Owner, Options: worldtest.Options{Proof: ids(stranger.Binding, elsewhere)},
	}))
	s.bad(reason.AttenuationViolation, "a viewer with more on a part of the space", s.token(closed.founder, closed.space, v0.Draft{
		Audience: aud.String(),
		Caps:     append(worldtest.RoleCaps(w.Net, closed.space, role.Viewer), v0.Cap{With: closed.space.Resource(w.Net) + "/board", Can: "*", Caveats: free}),
	}, body.Grant{Role: role.Viewer}, worldtest.Options{}))
	lost := reason.CapabilityMissing
	s.bad(lost, "an entry in a guild without a role", s.entryIn(stranger, open.space))
	s.bad(lost, "an entry in a team without a role", s.entryIn(stranger, closed.space))
	s.bad(lost, "an entry by a viewer", s.entryIn(closed.viewer, closed.space))
	s.bad(lost, "a label by a member", plain(closed.member, change.KindLabel, closed.space))
	s.bad(lost, "an unknown kind in a team, by an admin", plain(closed.admin, "zeta.spin", closed.space))
	s.bad(lost, "a bounty by a viewer", plain(open.viewer, change.KindBountyOpen, open.space))
	s.bad(lost, "a role of another guild", s.entryIn(open.member, change.TeamSpace(change.ID{9}), open.member.Binding, open.memberG))
	s.bad(lost, "the opening of a guild by another agent", s.entryIn(stranger, open.space, stranger.Binding, open.guild))
	s.bad(lost, "a binding as the role", s.entryIn(stranger, open.space, stranger.Binding, stranger.Binding))
	s.bad(lost, "the role in the third place", s.entryIn(open.member, open.space, open.member.Binding, open.member.Binding, open.memberG))
	s.bad(lost, "a member grants a viewer", closed.member.Clone().Grant(closed.space, aud, worldtest.Grants{Role: role.Viewer}))
	s.bad(lost, "an admin grants an admin", closed.admin.Clone().Grant(closed.space, aud, worldtest.Grants{Role: role.Admin}))
	s.bad(lost, "an admin grants less than a role", s.token(closed.admin, closed.space, v0.Draft{
		Audience: aud.String(), Caps: capsFor(w.Net, closed.space, "entry/put"), Proofs: []string{s.cidOf(closed.adminG)},
	}, body.Grant{}, worldtest.Options{}))
	s.bad(lost, "a stranger grants", stranger.Clone().Grant(open.space, aud, worldtest.Grants{Role: role.Viewer}))
	s.bad(lost, "a stranger grants by the opening of another's guild", stranger.Clone().Grant(open.space, aud, worldtest.Grants{
		Role: role.Viewer, Options: worldtest.Options{Proof: ids(stranger.Binding, open.guild)},
	}))
	own := open.owner.Clone().Grant(open.space, open.founder.Key.Key(), worldtest.Grants{Role: role.Admin})
	s.bad(lost, "the opening of the guild beside a grant", open.founder.Clone().Grant(open.space, aud, worldtest.Grants{
		Role: role.Viewer, Options: worldtest.Options{Proof: ids(open.founder.Binding, own, open.guild)},
	}))
	s.bad(lost, "a grant that reaches another guild", s.token(open.founder, open.space, v0.Draft{
		Audience: aud.String(), Caps: capsFor(w.Net, change.GuildSpace(change.ID{9}), "entry/put"),
	}, body.Grant{}, worldtest.Options{}))
	s.bad(lost, "a right on a part of the guild is none on the whole", func() *change.Change {
		g := s.token(closed.owner, closed.space, v0.Draft{
			Audience: closed.viewer.Key.Key().String(), Caps: []v0.Cap{{With: closed.space.Resource(w.Net) + "/board", Can: "*", Caveats: free}},
			Proofs: []string{s.cidOf(closed.ownerG)},
		}, body.Grant{}, worldtest.Options{})
		return s.entryIn(closed.viewer, closed.space, closed.viewer.Binding, g)
	}())
	s.bad(lost, "a right on the guild is none on its team", func() *change.Change {
		g := s.token(open.owner, open.space, v0.Draft{
			Audience: open.viewer.Key.Key().String(), Caps: capsFor(w.Net, open.space, "entry/put"), Proofs: []string{s.cidOf(open.ownerG)},
		}, body.Grant{}, worldtest.Options{})
		return s.entryIn(open.viewer, teamOf(open), open.viewer.Binding, g)
	}())
	s.bad(lost, "a device of a member that may not", func() *change.Change {
		d, _ := closed.member.Clone().Device("voter", "vote/cast")
		return s.entryIn(d, closed.space)
	}())
	s.bad(lost, "a device opens a guild without the ability", phone.Clone().OpenGuild("mine", body.Public))
	s.bad(lost, "a device that may grant, of an agent that may not", phone.Clone().Grant(closed.space, aud, worldtest.Grants{Role: role.Viewer}))
	s.bad(lost, "a revocation in a team without a role", stranger.Clone().Change(change.KindRevoke, closed.space, s.body(body.Revoke{Grant: closed.memberG.ID, Cut: body.Cuts{}}), worldtest.Options{Deps: ids(closed.memberG)}))
	s.bad(lost, "an endorsement in a team without a role", stranger.Clone().Endorse(closed.space, body.Readmit))
	s.bad(lost, "a guild in an agent's space", stranger.Clone().Change(change.KindGuildOpen, stranger.ID.Space(), open.guild.Body, worldtest.Options{}))
	s.bad(lost, "a guild without an identity", w.Agent("nobody").Change(change.KindGuildOpen, open.space, open.guild.Body, worldtest.Options{}))
	s.bad(lost, "an edit of the page by a member: the body fails its row", s.edit(closed.member, closed.space, "page"))

	s.bad(reason.WrongAudience, "the grant of another member", s.entryIn(stranger, closed.space, stranger.Binding, closed.memberG))
	s.bad(reason.WrongAudience, "a grant that rests on that of another", closed.owner.Clone().Grant(closed.space, aud, worldtest.Grants{Role: role.Viewer, Parents: []*change.Change{closed.adminG}}))
	s.bad(reason.WrongAudience, "a role given to a device is not its agent's", func() *change.Change {
		g := closed.founder.Clone().Grant(closed.space, phone.Key.Key(), worldtest.Grants{Role: role.Member})
		return s.entryIn(phone, closed.space, phone.Binding, g)
	}())
	s.bad(reason.WrongAudience, "the key before does not know the key after", func() *change.Change {
		// The past of the old binding does not contain the rotation to the heir.
		g := closed.founder.Clone().Grant(closed.space, heir.Key.Key(), worldtest.Grants{Role: role.Member})
		return s.entryIn(closed.admin, closed.space, closed.admin.Binding, g)
	}())

	wide := reason.AttenuationViolation
	s.bad(wide, "a role in name only", s.token(closed.founder, closed.space, v0.Draft{Audience: aud.String(), Caps: capsFor(w.Net, closed.space, "*")}, body.Grant{Role: role.Owner}, worldtest.Options{}))
	s.bad(wide, "a viewer who may write", s.token(closed.founder, closed.space, v0.Draft{
		Audience: aud.String(), Caps: append(worldtest.RoleCaps(w.Net, closed.space, role.Viewer), capsFor(w.Net, closed.space, "entry/put")...),
	}, body.Grant{Role: role.Viewer}, worldtest.Options{}))
	s.bad(wide, "one role's rights by another's name", s.token(closed.founder, closed.space, v0.Draft{
		Audience: aud.String(), Caps: worldtest.RoleCaps(w.Net, closed.space, role.Admin),
	}, body.Grant{Role: role.Owner}, worldtest.Options{}))
	s.bad(wide, "a member with a wider caveat", func() *change.Change {
		caps := worldtest.RoleCaps(w.Net, closed.space, role.Member)
		for i := range caps {
			if caps[i].Can == "doc/edit" {
				caps[i].Caveats = free
			}
		}
		return s.token(closed.founder, closed.space, v0.Draft{Audience: aud.String(), Caps: caps}, body.Grant{Role: role.Member}, worldtest.Options{})
	}())
	s.bad(wide, "more than the parent has", func() *change.Change {
		g := s.token(closed.owner, closed.space, v0.Draft{
			Audience: closed.viewer.Key.Key().String(), Caps: capsFor(w.Net, closed.space, "member/grant", "vote/cast"), Proofs: []string{s.cidOf(closed.ownerG)},
		}, body.Grant{}, worldtest.Options{})
		return closed.viewer.Clone().Grant(closed.space, aud, worldtest.Grants{Role: role.Member, Parents: []*change.Change{g}})
	}())

	broken := reason.ChainInvalid
	own2 := closed.owner.Clone().Grant(closed.space, closed.founder.Key.Key(), worldtest.Grants{Role: role.Admin})
	s.bad(broken, "proof names a parent twice", closed.owner.Clone().Grant(closed.space, aud, worldtest.Grants{Role: role.Viewer, Parents: []*change.Change{closed.ownerG, closed.ownerG}}))
	s.bad(broken, "the token cites one of two parents", s.token(closed.owner, closed.space, v0.Draft{
		Audience: aud.String(), Caps: worldtest.RoleCaps(w.Net, closed.space, role.Member), Proofs: []string{s.cidOf(closed.ownerG)},
	}, body.Grant{Role: role.Member}, worldtest.Options{Proof: ids(closed.owner.Binding, closed.ownerG, second)}))
	s.bad(broken, "a founder's grant beside other rights", open.founder.Clone().Grant(open.space, aud, worldtest.Grants{
		Role: role.Viewer, Options: worldtest.Options{Proof: ids(open.founder.Binding, open.guild, open.memberG)},
	}))
	s.bad(broken, "the founder's other key by the opening and a grant", s.token(grand, closed.space, v0.Draft{
		Audience: aud.String(), Caps: worldtest.RoleCaps(w.Net, closed.space, role.Viewer), Proofs: []string{s.cidOf(own2)},
	}, body.Grant{Role: role.Viewer}, worldtest.Options{Proof: ids(grand.Binding, closed.guild, own2)}))
	s.bad(broken, "the founder by a grant of its own", func() *change.Change {
		g := closed.owner.Clone().Grant(closed.space, closed.founder.Key.Key(), worldtest.Grants{Role: role.Admin})
		return closed.founder.Clone().Grant(closed.space, aud, worldtest.Grants{Role: role.Member, Parents: []*change.Change{g}})
	}())
	s.bad(broken, "for longer than the parent", func() *change.Change {
		g := closed.owner.Clone().Grant(closed.space, closed.viewer.Key.Key(), worldtest.Grants{Role: role.Admin, Expires: firstSecond + 9000})
		return closed.viewer.Clone().Grant(closed.space, aud, worldtest.Grants{Role: role.Viewer, Parents: []*change.Change{g}, Expires: firstSecond + 9001})
	}())
	s.bad(reason.CapabilityExpired, "an entry after the term of the role", func() *change.Change {
		g := closed.owner.Clone().Grant(closed.space, closed.viewer.Key.Key(), worldtest.Grants{Role: role.Member, Expires: firstSecond + 60})
		return closed.viewer.Clone().Change(change.KindEntryPut, closed.space, s.body(entry()), worldtest.Options{Proof: ids(closed.viewer.Binding, g), HLC: at(61)})
	}())
	s.bad(reason.CapabilityExpired, "a grant after the term of what it rests on", func() *change.Change {
		g := closed.owner.Clone().Grant(closed.space, closed.viewer.Key.Key(), worldtest.Grants{Role: role.Admin, Expires: firstSecond + 60})
		return closed.viewer.Clone().Grant(closed.space, aud, worldtest.Grants{Role: role.Viewer, Parents: []*change.Change{g}, Expires: firstSecond + 60, Options: worldtest.Options{HLC: at(61)}})
	}())

	malformed := reason.BadEncoding
	s.bad(malformed, "a public guild in a team", stranger.Clone().Change(change.KindGuildOpen, teamOf(open), open.guild.Body, worldtest.Options{}))
	v, err := body.ParseGuildOpen(open.guild.Body)
	if err != nil {
		t.Fatal(err)
	}
	v.Visibility = body.Private
	s.bad(malformed, "a private guild in public", open.founder.Clone().Change(change.KindGuildOpen, open.space, s.body(v), worldtest.Options{}))
	s.bad(malformed, "a guild of another key", stranger.Clone().Change(change.KindGuildOpen, open.space, open.guild.Body, worldtest.Options{}))
	v.Visibility = body.Public
	s.bad(malformed, "a guild opened a second time", open.founder.Clone().Change(change.KindGuildOpen, open.space, s.body(v), worldtest.Options{}))
	s.bad(malformed, "a role of another name", s.token(open.founder, open.space, v0.Draft{Audience: aud.String(), Caps: capsFor(w.Net, open.space, "*")}, body.Grant{Role: "boss"}, worldtest.Options{}))
	s.bad(reason.BadSequence, "a role of a team in its public space", s.entryIn(closed.member, publicOf(closed), closed.member.Binding, closed.memberG))
	return s
}

func teamOf(c crew) change.Space {
	id, _ := c.space.Guild()
	return change.TeamSpace(id)
}

func publicOf(c crew) change.Space {
	id, _ := c.space.Guild()
	return change.GuildSpace(id)
}

func TestRoles(t *testing.T) {
	t.Parallel()
	seen := roles(t).prove("grant/roles.json")
	wantCodes(t, seen, "", reason.CapabilityMissing, reason.CapabilityExpired, reason.WrongAudience, reason.AttenuationViolation,
		reason.ChainInvalid, reason.BadEncoding, reason.BadSequence)
}
