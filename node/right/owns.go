package right

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
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
