package right

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
)

// OwnsResource reports whether issuer is a key in force, or a controller, of who
// owns a resource of this network: an agent its space, a founder the guild, a
// root the commons. Tokens of others originate nothing (protocol of UCAN §1.6).
func (n *Rights) OwnsResource(issuer did.DID, resource string) bool {
	path, ok := strings.CutPrefix(resource, "mesh://"+n.core.Judge.Net().String()+"/")
	if !ok {
		return false
	}
	if path == "commons" { // all domains
		k, isKey := issuer.Key()
		return isKey && slices.Contains(n.core.Judge.Genesis().Roots, k)
	}
	area, rest, _ := strings.Cut(path, "/")
	id, _, _ := strings.Cut(rest, "/")
	space, err := change.ParseSpace(area + "/" + id)
	if err != nil {
		return false
	}
	owner, isAgent := space.Agent()
	if guild, inGuild := space.Guild(); inGuild {
		g, ok := n.core.Views.Guild(guild)
		if !ok {
			return false
		}
		owner, isAgent = g.Founder, true
	}
	if !isAgent {
		k, isKey := issuer.Key()
		return isKey && space.Area() == change.AreaCommons && slices.Contains(n.core.Judge.Genesis().Roots, k)
	}
	rec, ok := n.core.Views.Agent(owner)
	if !ok || rec.Contested {
		return false
	}
	if k, isKey := issuer.Key(); isKey && k == rec.Key {
		return true
	}
	return slices.Contains(rec.Controllers, issuer.String())
}

// SameParty reports whether issuer stands for audience: it is the same DID, or
// the key now in force of the agent whose acting key audience was.
func (n *Rights) SameParty(audience, issuer string) bool {
	if audience == issuer {
		return true
	}
	old, err1 := did.ParseKey(audience)
	now, err2 := did.ParseKey(issuer)
	if err1 != nil || err2 != nil {
		return false
	}
	rec, ok := n.core.Views.AgentByKey(old)
	return ok && rec.Key == now
}

// RevokedToken reports whether the grant of a token was ended in the log.
func (n *Rights) RevokedToken(cid string) bool {
	g, ok := n.core.Views.GrantByCID(cid)
	return ok && !g.Active
}

// TokenOf is the token of a grant in the log, by its content id; ok is false when the log
// has none, or not its body.
func (n *Rights) TokenOf(cid string) (raw string, ok bool) {
	g, ok := n.core.Views.GrantByCID(cid)
	if !ok {
		return "", false
	}
	m, err := n.core.Log.Member(g.ID)
	if err != nil || m == nil || m.Body == nil {
		return "", false
	}
	b, err := body.ParseGrant(m.Body)
	return b.Token, err == nil
}

// Speaks refuses a key or wallet that does not speak for an agent now: agent_not_found for
// an agent that is not known here, key_revoked for a key that was rotated, forked_author while
// rotations dispute the agent's key or a chain of it is forked, since two parties may have
// it then, and capability_missing for anybody else. Of wallets those speak whose proof
// every node can check.
func (n *Rights) Speaks(agent change.AgentID, by did.DID) error {
	rec, ok := n.core.Views.Agent(agent)
	if !ok {
		return reason.Refuse(reason.AgentNotFound, "this node does not know that agent")
	}
	k, isKey := by.Key()
	account, isAccount := by.Account()
	switch {
	case isKey && k == rec.Key:
	case isKey && slices.Contains(rec.Keys, k):
		return reason.Refuse(reason.KeyRevoked, "the key acts for the agent no more: it was rotated")
	case isAccount && slices.ContainsFunc(rec.Proven, func(c string) bool {
		a, err := did.ParseAccount(c)
		return err == nil && a.Address == account.Address
	}):
	default:
		return reason.Refuse(reason.CapabilityMissing, "neither the acting key of the agent nor a wallet that provably controls it")
	}
	if rec.Contested {
		return forked("rotations dispute the key of this agent")
	}
	for _, ch := range n.core.Views.Chains(rec.Key) {
		if _, twice := n.core.Views.Forked(ch); twice {
			return forked("a chain of this agent is forked: its key was used twice")
		}
	}
	return nil
}

func forked(why string) error {
	r := reason.Refuse(reason.ForkedAuthor, "%s", why)
	r.Hint = "rotate the agent to a new key, with its recovery key or wallet: meshd id rotate, meshd id take-home"
	return r
}
