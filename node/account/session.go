package account

import (
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/right"
	"github.com/meshd/meshd/node/view"
)

// Tokens for sessions are signed here and never enter the log: they open what a gateway
// serves and prove no change (wire §9).

// Lending signs tokens for sessions. It is safe for concurrent use.
type Lending struct {
	core     *core.Core
	accounts *Accounts
	right    *right.Rights
}

// NewLending returns the Lending of a node.
func NewLending(c *core.Core, a *Accounts, r *right.Rights) *Lending {
	return &Lending{core: c, accounts: a, right: r}
}

// Lend gives a key one right of an agent that this node speaks for, by a UCAN 1.0
// delegation with which a chain begins. It refuses what Delegate refuses, roles and
// renewals as invalid_param, a right that 1.0 cannot say with v1.ErrNoEquivalent, and
// with capability_denied where the agent's acting key does not own the resource.
func (n *Lending) Lend(agent change.AgentID, d view.Delegation) (view.Lent, error) {
	signer, err := n.originator(agent)
	if err != nil {
		return view.Lent{}, err
	}
	switch {
	case d.Role != "" || d.Renew:
		return view.Lent{}, reason.Refuse(reason.InvalidParam, "roles and renewals rest on the log, which holds UCAN 0.10 alone").With(map[string]any{"param": "format"})
	case len(d.Can) != 1:
		return view.Lent{}, reason.Refuse(reason.InvalidParam, "a UCAN 1.0 delegation has one command: ask for each ability by itself").With(map[string]any{"param": "can"})
	}
	if d.With == "" {
		d.With = agent.Space().Resource(n.core.Judge.Net())
	}
	space, err := n.accounts.spaceOf(d.With)
	if err != nil {
		return view.Lent{}, err
	}
	if err := n.accounts.checkTerm(space, d); err != nil {
		return view.Lent{}, err
	}
	if !n.owns(signer.Key(), d.With) {
		return view.Lent{}, reason.Refuse(reason.CapabilityDenied, "a UCAN 1.0 chain begins with the owner of the resource, and this agent does not own %s", d.With)
	}
	caps, err := n.accounts.caps(ground{space: space, with: d.With}, d)
	if err != nil {
		return view.Lent{}, err
	}
	command, err := v1.Command(caps[0].Can)
	if err != nil {
		return view.Lent{}, err
	}
	policy, err := v1.PolicyOf(v1.Right{Resource: caps[0].With, Ability: caps[0].Can, Caveats: caps[0].Caveats})
	if err != nil {
		return view.Lent{}, err
	}
	made, err := v1.Delegate(signer, v1.Grant{
		Audience: d.Audience, Command: command, Policy: policy, NotBefore: seconds(d.NotBefore), Expires: seconds(d.Expires),
	}, n.core.Opt.Rand)
	if err != nil {
		return view.Lent{}, err
	}
	return lent1(made)
}

// originator is the acting key of an agent, when it lies here: the key with which chains
// of its rights begin.
func (n *Lending) originator(agent change.AgentID) (keys.Signer, error) {
	sp, err := n.core.Author(agent)
	if err != nil {
		return nil, err
	}
	if sp.Device != nil {
		return nil, reason.Refuse(reason.CapabilityDenied, "this node has a device of the agent; tokens beside the log are signed by its acting key, on the agent's own node")
	}
	return sp.Signer, nil
}

func (n *Lending) owns(k did.Key, resource string) bool {
	return n.right.OwnsResource(did.OfKey(k), resource)
}

func lent1(d *v1.Delegation) (view.Lent, error) {
	text, err := v1.PackBearer(d.Sealed)
	if err != nil {
		return view.Lent{}, err
	}
	r, err := v1.RightOf(d.Command, d.Policy)
	if err != nil {
		return view.Lent{}, err
	}
	return view.Lent{
		CID: d.CID, Token: text, Issuer: d.Issuer, Audience: d.Audience, Source: d.Source, Expires: moment(d.Expires),
		Caps: []view.Cap{{With: r.Resource, Can: r.Ability, Caveats: r.Caveats}},
	}, nil
}

// ReadLent reads a token for sessions of either version, which Lend or Reissue made.
func (n *Lending) ReadLent(token string) (view.Lent, error) {
	if ucan.Sniff(token) == ucan.V1 {
		chain, err := chainOf(token)
		if err != nil {
			return view.Lent{}, err
		}
		return lent1(chain[0])
	}
	t, findings := v0.Parse(token)
	if err := findings.Err(); err != nil {
		return view.Lent{}, err
	}
	return lent0(token, t)
}

func lent0(raw string, t *v0.Token) (view.Lent, error) {
	issuer, err := did.ParseKey(t.Issuer)
	if err != nil {
		return view.Lent{}, err
	}
	audience, err := did.ParseKey(t.Audience)
	if err != nil {
		return view.Lent{}, err
	}
	l := view.Lent{CID: t.CID(), Token: raw, Issuer: issuer, Audience: audience, Expires: moment(t.Expires)}
	l.Source, _ = t.Facts[v1.SourceFact].(string)
	for _, c := range t.Caps {
		l.Caps = append(l.Caps, view.Cap{With: c.With, Can: c.Can, Caveats: c.Caveats})
	}
	return l, nil
}

func chainOf(token string) ([]*v1.Delegation, error) {
	b, err := v1.Read([]byte(token), nil)
	if err != nil {
		return nil, err
	}
	return b.Chain()
}

// Reissue makes tokens of the other version of UCAN from one that an agent of this node
// issued: delegations of 1.0, one for each of its rights, from a token of 0.10, and a
// token of 0.10 from a chain of 1.0. They begin chains of their own, end no later and
// reach no further, and are for sessions alone. A token of another issuer is refused as
// capability_missing; the error is that of the version for one that is not valid, and
// v1.ErrNoEquivalent for a right that the other version cannot say.
func (n *Lending) Reissue(agent change.AgentID, token string, c v0.Check) ([]view.Lent, error) {
	signer, err := n.originator(agent)
	if err != nil {
		return nil, err
	}
	b := v1.Bridge{Signer: signer, Owner: n.owns, Rand: n.core.Opt.Rand}
	if ucan.Sniff(token) == ucan.V1 {
		chain, err := chainOf(token)
		if err != nil {
			return nil, err
		}
		if chain[0].Issuer != signer.Key() {
			return nil, issuedByOthers()
		}
		raw, err := b.ToV0(chain, c.Now, c.Revoked)
		if err != nil {
			return nil, err
		}
		l, err := n.ReadLent(raw)
		return []view.Lent{l}, err
	}
	t, findings := v0.Parse(token)
	if err := findings.Err(); err != nil {
		return nil, err
	}
	if t.Issuer != signer.Key().String() {
		return nil, issuedByOthers()
	}
	made, err := b.ToV1(token, c)
	if err != nil {
		return nil, err
	}
	var out []view.Lent
	for _, d := range made {
		l, err := lent1(d)
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

func issuedByOthers() error {
	return reason.Refuse(reason.CapabilityMissing, "the capability was issued by another key; its issuer does this")
}

// SignRevocation signs that an agent of this node takes a token back: the record of UCAN
// 0.10 as JSON, or the container of an invocation of 1.0. Whether the agent may is for
// who reads it to say, but for a delegation of 1.0 that the agent neither issued nor is
// the subject of.
func (n *Lending) SignRevocation(agent change.AgentID, token string) (string, error) {
	sp, err := n.core.Author(agent)
	if err != nil {
		return "", err
	}
	if ucan.Sniff(token) == ucan.V1 {
		chain, err := chainOf(token)
		if err != nil {
			return "", err
		}
		return v1.Revoke(sp.Signer, chain[0], n.core.Opt.Rand)
	}
	r, err := ucan.Revoke(sp.Signer, ucan.CID(token))
	if err != nil {
		return "", err
	}
	data, err := r.MarshalJSON()
	return string(data), err
}
