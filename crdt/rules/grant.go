package rules

import (
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/v0"
)

// maxChain bounds how many different grants stand behind one, itself included.
const maxChain = v0.MaxTokens

// Grant is what a grant says, judged by its past alone. It is immutable.
type Grant struct {
	ID       change.ID
	Space    change.Space
	Token    *v0.Token
	Role     string         // "" when the token is not a role's bundle
	Closes   *body.Closes   // the grant it follows, or nil
	Issuer   did.Key        // its author, who signed the token
	Agent    change.AgentID // for whom the issuer writes
	Record   change.ID      // the binding or rotation that says so
	Audience did.Key        // who may use it
	// Parents are the grants whose tokens its own rests on, in the order of
	// proof. Empty, the issuer owns the space: it is the agent, or the founder.
	Parents []change.ID
}

// Grant reads the member c, a grant. The error is a fault of past, or says that
// c is no member.
func (r *Reader) Grant(c *change.Change, past Past) (*Grant, error) {
	if g, ok := r.grants.get(c.ID); ok {
		return g, nil
	}
	proof := make([]*change.Change, len(c.Head.Proof))
	for i, id := range c.Head.Proof {
		var err error
		if proof[i], err = member(past, id); err != nil {
			return nil, err
		}
	}
	g, _, err := r.readGrant(c, proof, past)
	if err == nil {
		r.grants.put(c.ID, g)
	}
	return g, err
}

// readGrant reads a grant with the changes that its proof names, and the identity
// of its author.
func (r *Reader) readGrant(c *change.Change, proof []*change.Change, past Past) (*Grant, Identity, error) {
	var none Identity
	if len(proof) == 0 {
		return nil, none, noIdentity("proof names no identity of the author")
	}
	id, err := r.identity(c.Head.Author, proof[0], past)
	if err != nil {
		return nil, none, err
	}
	if c.Body == nil {
		return nil, none, bodyMissing(c)
	}
	v, err := body.ParseGrant(c.Body)
	if err != nil {
		return nil, none, err
	}
	t, findings := v0.Parse(v.Token)
	if t == nil {
		return nil, none, reason.Refuse(reason.BadEncoding, "token: %v", findings)
	}
	g := &Grant{
		ID: c.ID, Space: c.Head.Space, Token: t, Role: v.Role, Closes: v.Closes, Issuer: c.Head.Author, Agent: id.Agent, Record: id.Record,
	}
	if g.Audience, err = did.ParseKey(t.Audience); err != nil {
		return nil, none, reason.Refuse(reason.WrongAudience, "the token is for something that is no key: %v", err)
	}
	rights := proof[1:]
	if c.Head.Space.Area() == change.AreaAgent {
		if rights = nil; id.Device != nil {
			rights = proof[:1]
		}
	}
	for _, p := range rights {
		if p.Head.Kind == change.KindGrant {
			g.Parents = append(g.Parents, p.ID)
		}
	}
	return g, id, nil
}

// grant judges a grant.
func (w *walk) grant() error {
	g, id, err := w.judge.readGrant(w.c, w.proof, w.past)
	if err != nil {
		return err
	}
	if err := w.ownSpace(id); err != nil {
		return err
	}
	line, err := w.judge.lineOf(id, w.past)
	if err != nil {
		return err
	}
	if err := signedTwice(w.c, id.pq(line)); err != nil {
		return err
	}
	if err := w.deviceMay(id, ucan.MemberGrant, grantsRole(g.Role)); err != nil {
		return err
	}
	if w.c.Head.Space.Area() == change.AreaAgent {
		err = w.agentGrant(g)
	} else {
		err = w.roleGrant(g, id, line)
	}
	if err != nil {
		return err
	}
	if err := w.token(g); err != nil {
		return err
	}
	if c := g.Closes; c != nil {
		if err := w.names(c.Grant); err != nil {
			return err
		}
	}
	w.judge.grants.put(g.ID, g)
	return nil
}

// agentGrant judges what a grant of a device's key rests on: the agent's own key,
// or a device that may pass its right on.
func (w *walk) agentGrant(g *Grant) error {
	switch {
	case g.Role != "":
		return reason.Refuse(reason.BadEncoding, "roles are given in guilds and teams")
	case len(w.proof) > 1:
		return reason.Refuse(reason.ChainInvalid, "a grant in an agent's space rests on the identity of its author alone")
	}
	return nil
}

// roleGrant judges what a grant in a guild or team rests on: the guild.open of its
// author's agent, or grants to that agent that let it pass its rights on.
func (w *walk) roleGrant(g *Grant, id Identity, line *Line) error {
	if len(w.proof) < 2 {
		return reason.Refuse(reason.CapabilityMissing, "proof names no right to grant here")
	}
	if w.proof[1].Head.Kind == change.KindGuildOpen {
		if len(w.proof) > 2 {
			return reason.Refuse(reason.ChainInvalid, "a founder's grant rests on the opening of the guild alone")
		}
		return w.right(id, line, w.proof[1], "", nil, false)
	}
	may := false
	for _, p := range w.proof[1:] {
		if p.Head.Kind != change.KindGrant {
			return reason.Refuse(reason.CapabilityMissing, "a grant cannot rest on a %s beside grants", p.Head.Kind)
		}
		if err := w.right(id, line, p, "", nil, false); err != nil {
			return err
		}
		parent, err := w.judge.Grant(p, w.past)
		if err != nil {
			return err
		}
		may = may || parent.allows(p.Head.Space.Resource(w.judge.net), ucan.MemberGrant, grantsRole(g.Role))
	}
	if !may {
		return reason.Refuse(reason.CapabilityMissing, "no grant in proof lets its holder give this role")
	}
	return nil
}

// token judges the token of a grant whose proofs are in order.
func (w *walk) token(g *Grant) error {
	h := w.c.Head
	t := g.Token
	if t.Issuer != h.Author.String() {
		return reason.Refuse(reason.ChainInvalid, "the token is issued by another key than the author")
	}
	bases := resources(h.Space, h.Net)
	for _, c := range t.Caps {
		if !slices.ContainsFunc(bases, func(base string) bool { return ucan.Contains(base, c.With) }) {
			return reason.Refuse(reason.CapabilityMissing, "the token reaches beyond %s", h.Space)
		}
	}
	if len(t.Caps) == 0 {
		return reason.Refuse(reason.CapabilityMissing, "the token grants nothing")
	}
	if g.Role != "" && !isBundle(t, g.Role, bases) {
		return reason.Refuse(reason.AttenuationViolation, "the token's rights are not those of the role %s", g.Role)
	}
	chain, err := w.chain(g)
	if err != nil {
		return err
	}
	result := t.Verify(v0.Check{
		Now: h.Millis() / 1000, Proofs: chain.proof, Owner: chain.owns, Aligned: chain.aligned, MaxDepth: maxProofDepth, Memo: w.judge.tokens,
	})
	return refuseFindings(result.Findings)
}

// resources are the URIs of a space, both of them for a guild's.
func resources(s change.Space, net change.NetID) []string {
	if guild, ok := s.Guild(); ok {
		return []string{change.GuildSpace(guild).Resource(net), change.TeamSpace(guild).Resource(net)}
	}
	return []string{s.Resource(net)}
}

// isBundle reports whether a token grants, for each of the resources, exactly the
// bundle of a role.
func isBundle(t *v0.Token, name string, bases []string) bool {
	for _, base := range bases {
		var have []role.Ability
		for _, c := range t.Caps {
			if c.With == base {
				have = append(have, role.Ability{Can: c.Can, Caveats: c.Caveats})
			}
		}
		if !role.Is(name, have) {
			return false
		}
	}
	return len(t.Caps) == len(bases)*len(role.Bundle(name))
}

// tokens are a grant's ancestors, whose tokens were verified when they became
// members.
type tokens struct {
	raw    map[string]string // by the content ids that tokens cite
	issuer map[string]bool   // of those that own the space
	passed map[[2]string]bool
}

func (t *tokens) proof(cid string) (string, bool) { raw, ok := t.raw[cid]; return raw, ok }

func (t *tokens) owns(issuer did.DID, _ string) bool { return t.issuer[issuer.String()] }

// aligned reports whether issuer may use what audience was given: it was judged
// for each link by the keys that the issuer's agent had.
func (t *tokens) aligned(audience, issuer string) bool { return t.passed[[2]string{audience, issuer}] }

// chain gathers the grants behind g.
func (w *walk) chain(g *Grant) (*tokens, error) {
	t := &tokens{raw: map[string]string{}, issuer: map[string]bool{}, passed: map[[2]string]bool{}}
	seen := map[change.ID]bool{g.ID: true}
	for queue := []*Grant{g}; len(queue) > 0; queue = queue[1:] {
		child := queue[0]
		var parents []*Grant
		for _, id := range child.Parents {
			c, err := member(w.past, id)
			if err != nil {
				return nil, err
			}
			p, err := w.judge.Grant(c, w.past)
			if err != nil {
				return nil, err
			}
			parents = append(parents, p)
			t.passed[[2]string{p.Token.Audience, child.Token.Issuer}] = true
			if !seen[id] {
				if seen[id] = true; len(seen) > maxChain {
					return nil, reason.Refuse(reason.ChainInvalid, "more than %d grants stand behind it", maxChain)
				}
				queue = append(queue, p)
			}
		}
		if len(parents) == 0 {
			t.issuer[child.Token.Issuer] = true
		}
		if err := t.cite(child, parents); err != nil {
			return nil, err
		}
	}
	if len(g.Parents) > 0 && t.issuer[g.Token.Issuer] {
		// Who owns the space would prove by ownership what the grants do not give.
		return nil, reason.Refuse(reason.ChainInvalid, "the author owns the space and needs no grant")
	}
	return t, nil
}

// cite maps what a token cites to the tokens of its parents, which it must cite
// and nothing else.
func (t *tokens) cite(child *Grant, parents []*Grant) error {
	cited := map[change.ID]bool{}
	for _, cid := range child.Token.Proofs {
		i := slices.IndexFunc(parents, func(p *Grant) bool { return cid == p.Token.CID() || ucan.Names(cid, p.Token.Raw) })
		if i < 0 {
			return reason.Refuse(reason.ProofMissing, "the token cites %s, which no grant in proof holds", cid)
		}
		t.raw[cid] = parents[i].Token.Raw
		cited[parents[i].ID] = true
	}
	if len(cited) != len(parents) {
		return reason.Refuse(reason.ChainInvalid, "the token does not cite every grant in proof, or proof names one twice")
	}
	return nil
}

// refuseFindings turns what is wrong with a token into a refusal: the first of
// the findings, whose order is fixed.
func refuseFindings(f v0.Findings) error {
	if len(f) == 0 {
		return nil
	}
	code := reason.ChainInvalid
	switch f[0].Code {
	case v0.MissingField, v0.IncorrectType, v0.IncorrectProofs:
		code = reason.BadEncoding
	case v0.Expired, v0.NotReady:
		code = reason.CapabilityExpired
	case v0.UnavailableProof:
		code = reason.ProofMissing
	case v0.InvalidDelegation:
		if f[0].Why == v0.WhyCoverage {
			code = reason.AttenuationViolation
		}
	case v0.NotRootOwner:
		code = reason.CapabilityMissing
	}
	return reason.Refuse(code, "token: %v", f)
}
