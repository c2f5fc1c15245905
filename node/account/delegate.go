package account

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/view"
)

// The facts in a token that its issuer's node reads again.
const (
	renewFact = "renew" // it is renewed while it is used
	keyFact   = "key"   // the API key that it was issued by
	untilFact = "until" // no renewal goes beyond this time, RFC 3339
)

func factsOf(d view.Delegation) map[string]any {
	facts := map[string]any{}
	if d.Renew {
		facts[renewFact] = true
	}
	if d.Key != "" {
		facts[keyFact] = d.Key
	}
	if d.Until != nil {
		facts[untilFact] = d.Until.UTC().Format(time.RFC3339)
	}
	if len(facts) == 0 {
		return nil
	}
	return facts
}

// Delegate gives a key rights of an agent that this node speaks for: it signs a
// UCAN 0.10 token and writes it into the log, where it takes effect everywhere.
// A right that the agent does not have itself is refused as attenuation_violation or
// capability_missing, a term that is too long as invalid_param.
func (n *Accounts) Delegate(ctx context.Context, agent change.AgentID, d view.Delegation) (view.Capability, error) {
	if d.Closes != nil {
		n.core.Speech.Lock()
		defer n.core.Speech.Unlock()
	} else {
		n.core.Speech.RLock()
		defer n.core.Speech.RUnlock()
	}
	sp, err := n.core.Author(agent)
	if err != nil {
		return view.Capability{}, err
	}
	at, err := n.Ground(agent, sp, d.With)
	if err != nil {
		return view.Capability{}, err
	}
	if err := n.checkTerm(at.space, d); err != nil {
		return view.Capability{}, err
	}
	draft := v0.Draft{Audience: d.Audience.String(), Expires: seconds(d.Expires), NotBefore: seconds(d.NotBefore), Proofs: at.Cited}
	draft.Facts = factsOf(d)
	if draft.Caps, err = n.caps(at, d); err != nil {
		return view.Capability{}, err
	}
	g := body.Grant{Role: d.Role}
	if d.Closes != nil {
		old, ok := n.core.Views.Grant(*d.Closes)
		if !ok || old.Space != at.space {
			return view.Capability{}, reason.Refuse(reason.NotFound, "the capability to close is not in %s", at.space)
		}
		if !old.Active {
			return view.Capability{}, reason.Refuse(reason.Revoked, "the capability to renew was taken back")
		}
		cut, err := n.cutOf(ctx, old)
		if err != nil {
			return view.Capability{}, err
		}
		g.Closes = &body.Closes{Grant: old.ID, Cut: cut}
	}
	id, err := n.WriteGrant(ctx, sp, at, draft, g)
	if err != nil {
		return view.Capability{}, err
	}
	return n.Capability(ctx, id)
}

// WriteGrant signs the token of a draft and writes it as the grant g, which says
// everything else.
func (n *Accounts) WriteGrant(ctx context.Context, sp core.Author, at ground, draft v0.Draft, g body.Grant) (change.ID, error) {
	var err error
	if g.Token, err = v0.Build(draft, sp.Signer, n.core.Opt.Rand); err != nil {
		return change.ID{}, reason.Refuse(reason.InvalidParam, "%v", err)
	}
	w := ingest.Write{Space: at.space, Kind: change.KindGrant, Proof: at.proof}
	if g.Closes != nil {
		w.Deps = []change.ID{g.Closes.Grant}
	}
	if w.Body, err = g.Encode(); err != nil {
		return change.ID{}, reason.Refuse(reason.BadEncoding, "%v", err)
	}
	rec, err := n.writing.Sign(ctx, sp, w)
	if err != nil {
		return change.ID{}, err
	}
	return rec.Change.ID, nil
}

// ground is what a grant by an agent rests on: the space it is written in, the
// proof of its head and the tokens that its own cites.
type ground struct {
	space change.Space
	with  string
	proof []change.ID
	Cited []string
}

// Ground finds what lets an agent grant rights on a resource. Without one it is
// the agent's own space.
func (n *Accounts) Ground(agent change.AgentID, sp core.Author, with string) (ground, error) {
	g := ground{with: with, proof: []change.ID{sp.Record}}
	if with == "" {
		g.with = agent.Space().Resource(n.core.Judge.Net())
	}
	space, err := n.spaceOf(g.with)
	if err != nil {
		return ground{}, err
	}
	if id, ok := space.Agent(); ok {
		if id != agent {
			return ground{}, reason.Refuse(reason.CapabilityMissing, "the resource belongs to another agent").
				With(map[string]any{"missing": map[string]any{"resource": g.with, "ability": ucan.MemberGrant}})
		}
		if g.space = space; sp.Device != nil {
			g.Cited = []string{sp.Device.CID}
		}
		return g, nil
	}
	right, err := n.core.RightIn(agent, space)
	if err != nil {
		return ground{}, err
	}
	g.space, g.proof = right.Home, append(g.proof, right.ID)
	if right.Grant != nil {
		g.Cited = []string{right.Grant.CID}
	}
	return g, nil
}

// spaceOf is the space that a capability's resource lies in. Only spaces whose
// owner may write there are grounds for a grant in the log.
func (n *Accounts) spaceOf(with string) (change.Space, error) {
	path, ok := strings.CutPrefix(with, "mesh://"+n.core.Judge.Net().String()+"/")
	if !ok || !ucan.Contains(with, with+"/x") {
		return "", reason.Refuse(reason.InvalidParam, "the resource is not one of this network: %s", with)
	}
	area, rest, _ := strings.Cut(path, "/")
	id, _, _ := strings.Cut(rest, "/")
	space, err := change.ParseSpace(area + "/" + id)
	if err != nil {
		return "", reason.Refuse(reason.InvalidParam, "the resource names no space: %s", with)
	}
	switch space.Area() {
	case change.AreaAgent, change.AreaGuild, change.AreaTeam:
		return space, nil
	}
	return "", reason.Refuse(reason.CapabilityDenied, "rights on %s come from a root of the network", space)
}

// checkTerm bounds how long a capability may last. A role lasts until it is
// taken back; a gateway, which is another agent, gets a day.
func (n *Accounts) checkTerm(space change.Space, d view.Delegation) error {
	if d.Role != "" && d.Expires == nil {
		return nil
	}
	most := maxCapability
	if _, isAgent := n.core.Views.AgentByKey(d.Audience); isAgent && space.Area() == change.AreaAgent {
		most = maxGatewayCapability
	}
	now := n.core.Opt.Now()
	switch {
	case d.Expires == nil:
		return reason.Refuse(reason.InvalidParam, "a capability needs a term of at most %s", most)
	case !d.Expires.After(now):
		return reason.Refuse(reason.InvalidParam, "the term has ended already")
	case d.Expires.Sub(now) > most+time.Second:
		return reason.Refuse(reason.InvalidParam, "the term is longer than %s", most)
	}
	return nil
}

// caps are the capabilities of a delegation: the bundle of its role on both
// spaces of the guild, or each ability it names on its resource.
func (n *Accounts) caps(at ground, d view.Delegation) ([]v0.Cap, error) {
	var out []v0.Cap
	if d.Role != "" {
		guild, ok := at.space.Guild()
		if !ok || !role.Valid(d.Role) || len(d.Can) > 0 {
			return nil, reason.Refuse(reason.InvalidParam, "a role is one of owner, admin, member and viewer of a guild, and has its own abilities")
		}
		for _, s := range []change.Space{change.GuildSpace(guild), change.TeamSpace(guild)} {
			for _, a := range role.Bundle(d.Role) {
				out = append(out, v0.Cap{With: s.Resource(n.core.Judge.Net()), Can: a.Can, Caveats: a.Caveats})
			}
		}
		return out, nil
	}
	if len(d.Can) == 0 {
		return nil, reason.Refuse(reason.MissingField, "name at least one ability").With(map[string]any{"field": "can"})
	}
	caveats := d.Caveats
	if len(caveats) == 0 {
		caveats = []map[string]any{{}}
	}
	for _, can := range slices.Compact(slices.Sorted(slices.Values(d.Can))) {
		if !ucan.Known(can) {
			return nil, reason.Refuse(reason.InvalidParam, "no such ability: %s", can).With(map[string]any{"param": "can"})
		}
		out = append(out, v0.Cap{With: at.with, Can: can, Caveats: caveats})
	}
	return out, nil
}

func seconds(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	s := t.Unix()
	return &s
}

// Capability describes a grant in the log, or refuses with not_found.
func (n *Accounts) Capability(ctx context.Context, id change.ID) (view.Capability, error) {
	g, ok := n.core.Views.Grant(id)
	if !ok {
		return view.Capability{}, reason.Refuse(reason.NotFound, "no such capability")
	}
	return n.capability(ctx, g)
}

// FindCapability finds a grant by the content id of its token.
func (n *Accounts) FindCapability(ctx context.Context, cid string) (view.Capability, error) {
	g, ok := n.core.Views.GrantByCID(cid)
	if !ok {
		return view.Capability{}, reason.Refuse(reason.NotFound, "no such capability")
	}
	return n.capability(ctx, g)
}

func (n *Accounts) capability(_ context.Context, g fold.Grant) (view.Capability, error) {
	c := view.Capability{
		ID: g.ID, CID: g.CID, Space: g.Space, Issuer: g.Issuer, Agent: g.Agent, Audience: g.Audience, Holder: g.Holder, Role: g.Role,
		Expires: moment(g.Expires), NotBefore: moment(g.NotBefore), CreatedAt: time.UnixMilli(int64(g.HLC >> 10)).UTC(), State: view.Active,
		EndedBy: g.EndedBy,
	}
	switch {
	case !g.Active:
		c.State = view.Revoked
	case !n.core.InTerm(g):
		c.State = view.Expired
	}
	m, err := n.core.Log.Member(g.ID)
	if err != nil {
		return c, fmt.Errorf("read capability: %w", err)
	}
	if m == nil || m.Body == nil {
		return c, nil
	}
	b, err := body.ParseGrant(m.Body)
	if err != nil {
		return c, fmt.Errorf("read capability: %w", err)
	}
	c.Token = b.Token
	if t, _ := v0.Parse(b.Token); t != nil {
		for _, cap := range t.Caps {
			c.Caps = append(c.Caps, view.Cap{With: cap.With, Can: cap.Can, Caveats: cap.Caveats})
		}
		c.Renew, _ = t.Facts[renewFact].(bool)
		c.Key, _ = t.Facts[keyFact].(string)
		if text, ok := t.Facts[untilFact].(string); ok {
			if at, err := time.Parse(time.RFC3339, text); err == nil {
				c.Until = &at
			}
		}
	}
	return c, nil
}

func moment(s *int64) *time.Time {
	if s == nil {
		return nil
	}
	t := time.Unix(*s, 0).UTC()
	return &t
}

// Capabilities lists what an agent has given and what it was given, newest first.
func (n *Accounts) Capabilities(ctx context.Context, agent change.AgentID) (issued, received []view.Capability, err error) {
	for _, g := range n.core.Views.GrantsOf(agent) {
		c, err := n.capability(ctx, g)
		if err != nil {
			return nil, nil, err
		}
		if g.Agent == agent {
			issued = append(issued, c)
		}
		if g.Holder == agent || g.Space == agent.Space() && g.Agent != agent {
			received = append(received, c)
		}
	}
	slices.Reverse(issued) // newest first: two of one millisecond too
	slices.Reverse(received)
	return issued, received, nil
}
