package rules

import (
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
)

// areas says where a kind may live (wire §8, column Space). A kind that is not
// listed is unknown and may live wherever its author may write, but not in the
// space of the network itself: there a root writes, and nobody else.
var areas = map[string][]change.Area{
	change.KindManifest:     {change.AreaNet},
	change.KindBind:         {change.AreaAgent},
	change.KindRotate:       {change.AreaAgent},
	change.KindGrant:        {change.AreaAgent, change.AreaGuild, change.AreaTeam},
	change.KindRevoke:       {change.AreaAgent, change.AreaGuild, change.AreaTeam},
	change.KindEndorse:      everywhere,
	change.KindGuildOpen:    {change.AreaGuild, change.AreaTeam},
	change.KindEntryPut:     {change.AreaCommons, change.AreaGuild, change.AreaTeam},
	change.KindEntryRetract: everywhere,
	change.KindVote:         everywhere,
	change.KindComment:      everywhere,
	change.KindLabel:        everywhere,
	change.KindDocEdit:      {change.AreaAgent, change.AreaGuild, change.AreaTeam},
	change.KindBountyOpen:   {change.AreaGuild, change.AreaTeam},
	change.KindBountyAct:    {change.AreaGuild, change.AreaTeam},
	change.KindTaskAct:      {change.AreaTeam},
	change.KindMessage:      {change.AreaTeam},
	change.KindServed:       {change.AreaAgent},
}

// everywhere is every area but that of the network.
var everywhere = []change.Area{change.AreaCommons, change.AreaAgent, change.AreaGuild, change.AreaTeam}

// authority checks that the author may write this kind in this space, with the
// rows and second signatures of control kinds.
func (w *walk) authority() error {
	h := w.c.Head
	allowed, known := areas[h.Kind]
	if !known {
		allowed = everywhere
	}
	if !slices.Contains(allowed, h.Space.Area()) {
		return reason.Refuse(reason.CapabilityMissing, "%s has no place in %s", h.Kind, h.Space)
	}
	switch h.Kind {
	case change.KindManifest:
		return w.manifest()
	case change.KindBind:
		return w.bind()
	case change.KindRotate:
		return w.rotate()
	case change.KindGrant:
		return w.grant()
	case change.KindGuildOpen:
		return w.guildOpen()
	case change.KindRevoke:
		return w.revoke()
	case change.KindEndorse:
		return w.endorse()
	}
	return w.content()
}

// content judges the head of a content kind, known or not.
func (w *walk) content() error {
	h := w.c.Head
	id, err := w.identity()
	if err != nil {
		return err
	}
	if h.Kind != change.KindComment && h.Kind != change.KindLabel {
		if err := w.ownSpace(id); err != nil {
			return err
		}
	}
	ability := ucan.OfKind(h.Kind)
	var understood caveats
	if h.Kind == change.KindDocEdit {
		understood = wellFormed(role.CaveatDoc) // which document is the row's to ask
	}
	if err := w.deviceMay(id, ability, understood); err != nil {
		return err
	}
	return w.hasRole(id, ability, understood, true)
}

// identity is the identity of the author, named by proof[0].
func (w *walk) identity() (Identity, error) {
	if len(w.proof) == 0 {
		return Identity{}, noIdentity("proof names no identity of the author")
	}
	return w.judge.identity(w.c.Head.Author, w.proof[0], w.past)
}

// ownSpace refuses a change in an agent's space that is not the author's.
func (w *walk) ownSpace(id Identity) error {
	if own, ok := w.c.Head.Space.Agent(); ok && own != id.Agent {
		return reason.Refuse(reason.CapabilityMissing, "the space belongs to another agent")
	}
	return nil
}

// manifest judges what a root says about the network. Where the genesis names second
// keys, both of the root sign, whatever the record of an agent with its key says: the
// body brings the ML-DSA-65 key, and the genesis its hash.
func (w *walk) manifest() error {
	h := w.c.Head
	root, ok := w.judge.genesis.Root(h.Author)
	if !ok {
		return reason.Refuse(reason.CapabilityMissing, "the author is no root of this network")
	}
	// A root may but need not be an agent: its right comes from the genesis.
	var line *Line
	if len(w.proof) > 0 {
		var err error
		if line, err = w.ownLine(); err != nil {
			return err
		}
	}
	hybrid := w.judge.genesis.Hybrid()
	switch {
	case hybrid && h.Sig2 == nil:
		return reason.Refuse(reason.BadChangeSignature, "a manifest of this network needs the second signature of its root")
	case !hybrid:
		var pq []byte
		if line != nil {
			pq = line.PQ
		}
		if err := signedTwice(w.c, pq); err != nil {
			return err
		}
	}
	if w.c.Body == nil {
		return bodyMissing(w.c)
	}
	v, err := body.ParseManifest(w.c.Body)
	if err != nil || !hybrid {
		return err
	}
	if v.PQ == nil || change.HashPQ(v.PQ) != w.judge.genesis.PQ[root] {
		return reason.Refuse(reason.BadChangeSignature, "the second key is not the one that the genesis names for this root")
	}
	return signedTwice(w.c, v.PQ)
}

// ownLine is the line of the author's key, which proof[0] must state: a key of the
// agent itself, and none of a device.
func (w *walk) ownLine() (*Line, error) {
	id, err := w.identity()
	if err != nil {
		return nil, err
	}
	if id.Device != nil {
		return nil, noIdentity("proof[0] is the grant of a device, and no binding")
	}
	return w.judge.Line(id.record, w.past)
}

func (w *walk) bind() error {
	if w.c.Body == nil {
		return bodyMissing(w.c)
	}
	if w.c.Head.Seq == 1 {
		return w.bindGenesis()
	}
	return w.bindLater()
}

func (w *walk) bindGenesis() error {
	h := w.c.Head
	own, _ := h.Space.Agent()
	if own != change.DeriveAgent(w.judge.net, h.Author) || len(h.Proof) > 0 {
		return reason.Refuse(reason.BindingInvalid, "the space does not derive from the key that signs its genesis")
	}
	v, err := body.ParseBind(w.c.Body, true)
	if err != nil {
		return err
	}
	if err := signedTwice(w.c, v.PQ); err != nil {
		return err
	}
	return v.CheckGenesis(w.judge.net, h.Author, w.judge.genesis.Bits)
}

func (w *walk) bindLater() error {
	h := w.c.Head
	id, err := w.identity()
	if err != nil {
		return err
	}
	if err := w.ownSpace(id); err != nil {
		return err
	}
	line, err := w.ownLine()
	if err != nil {
		return err
	}
	if err := signedTwice(w.c, line.PQ); err != nil {
		return err
	}
	v, err := body.ParseBind(w.c.Body, false)
	if err != nil {
		return err
	}
	return v.CheckProof(w.judge.net, h.Author, line.Controllers)
}

// signer is the identity of a control change in whose kind nothing else decides
// about the identity: it has its body and its second signature.
func (w *walk) signer() (Identity, error) {
	if w.c.Body == nil {
		return Identity{}, bodyMissing(w.c)
	}
	id, err := w.identity()
	if err != nil {
		return id, err
	}
	if err := w.ownSpace(id); err != nil {
		return id, err
	}
	line, err := w.judge.lineOf(id, w.past)
	if err != nil {
		return id, err
	}
	return id, signedTwice(w.c, id.pq(line))
}

// guildOpen judges the opening of a guild: its id derives from the key that signs.
func (w *walk) guildOpen() error {
	h := w.c.Head
	id, err := w.signer()
	if err != nil {
		return err
	}
	v, err := body.ParseGuildOpen(w.c.Body)
	if err != nil {
		return err
	}
	own, space := change.DeriveGuild(h.Net, h.Author, v.Salt), change.TeamSpace
	if v.Visibility == body.Public {
		space = change.GuildSpace
	}
	if h.Space != space(own) || h.Seq != 1 {
		return reason.Refuse(reason.BadEncoding, "a %s guild of this key and salt begins %s", v.Visibility, space(own))
	}
	return w.deviceMay(id, ucan.GuildOpen, nil)
}

// revoke judges the head of a revocation. Whether its author may end this grant is
// a matter of effect, which reads the whole set.
func (w *walk) revoke() error {
	id, err := w.signer()
	if err != nil {
		return err
	}
	v, err := body.ParseRevoke(w.c.Body)
	if err != nil {
		return err
	}
	if err := w.names(v.Grant); err != nil {
		return err
	}
	// Whoever gives a right up needs no other, even when its term is over.
	if id.Device == nil || id.Device.ID != v.Grant {
		if err := w.deviceMay(id, ucan.MemberGrant, wellFormed(role.CaveatRole)); err != nil {
			return err
		}
	}
	return w.hasRole(id, "", nil, false)
}

// endorse judges the head of an endorsement. Whether its author may endorse these
// changes is a matter of effect.
func (w *walk) endorse() error {
	id, err := w.signer()
	if err != nil {
		return err
	}
	if _, err := body.ParseEndorse(w.c.Body); err != nil {
		return err
	}
	if err := w.deviceMay(id, ucan.MemberGrant, wellFormed(role.CaveatRole)); err != nil {
		return err
	}
	return w.hasRole(id, "", nil, true)
}

// names refuses a control change that ends a grant unless its deps, for which prev
// stands too, contain that grant of the same space.
func (w *walk) names(grant change.ID) error {
	for _, m := range append([]*change.Change{w.prev}, w.deps...) {
		if m == nil || m.ID != grant {
			continue
		}
		if m.Head.Kind != change.KindGrant || m.Head.Space != w.c.Head.Space {
			return reason.Refuse(reason.BadEncoding, "what it ends is no grant of this space")
		}
		return nil
	}
	return reason.Refuse(reason.BadEncoding, "deps must hold the grant that it ends")
}

func bodyMissing(c *change.Change) error {
	return missing("the body of a control change is not here", c.ID)
}
