package team

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/view"
)

// OpenGuild founds a guild for an agent that this node speaks for. The founder
// is its owner for good.
func (n *Teams) OpenGuild(ctx context.Context, agent change.AgentID, g view.NewGuild) (view.Guild, error) {
	n.core.Speech.RLock()
	defer n.core.Speech.RUnlock()
	sp, err := n.core.Author(agent)
	if err != nil {
		return view.Guild{}, err
	}
	for _, other := range n.core.Views.Guilds() {
		if strings.EqualFold(other.Name, g.Name) && n.directory.Homes(other) {
			return view.Guild{}, reason.Refuse(reason.NameTaken, "a guild of that name has its home here")
		}
	}
	v := body.GuildOpen{Name: g.Name, Type: g.Type, Visibility: g.Visibility}
	if _, err := io.ReadFull(n.core.Opt.Rand, v.Salt[:]); err != nil {
		return view.Guild{}, fmt.Errorf("make the salt of a guild: %w", err)
	}
	enc, err := v.Encode()
	if err != nil {
		return view.Guild{}, reason.Refuse(reason.InvalidName, "%v", err)
	}
	id := change.DeriveGuild(n.core.Judge.Net(), sp.Signer.Key(), v.Salt)
	space := change.TeamSpace(id)
	if g.Visibility == body.Public {
		space = change.GuildSpace(id)
	}
	if _, err := n.writing.Sign(ctx, sp, ingest.Write{Space: space, Kind: change.KindGuildOpen, Body: enc, Proof: []change.ID{sp.Record}}); err != nil {
		return view.Guild{}, err
	}
	return n.Guild(ctx, id)
}

// Guild describes a guild with its members, or refuses with team_not_found.
func (n *Teams) Guild(_ context.Context, id change.ID) (view.Guild, error) {
	g, ok := n.core.Views.Guild(id)
	if !ok {
		return view.Guild{}, reason.Refuse(reason.TeamNotFound, "no such guild")
	}
	return n.guild(g), nil
}

// Guilds are the public guilds that this node knows, newest first.
func (n *Teams) Guilds(context.Context) []view.Guild {
	var out []view.Guild
	for _, g := range n.core.Views.Guilds() {
		if g.Space.Area() == change.AreaGuild {
			out = append(out, n.guild(g))
		}
	}
	slices.SortFunc(out, newestGuild)
	return out
}

// GuildsOf are the guilds and teams that an agent is in, newest first.
func (n *Teams) GuildsOf(_ context.Context, agent change.AgentID) []view.Guild {
	var out []view.Guild
	for _, g := range n.core.Views.Guilds() {
		if n.core.IsMember(g.ID, agent) {
			out = append(out, n.guild(g))
		}
	}
	slices.SortFunc(out, newestGuild)
	return out
}

// newestGuild orders guilds; those of one millisecond by id, so that pages of a
// list neither repeat nor skip one.
func newestGuild(a, b view.Guild) int {
	return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), bytes.Compare(a.ID[:], b.ID[:]))
}

func (n *Teams) guild(g fold.Guild) view.Guild {
	out := view.Guild{
		ID: g.ID, Space: g.Space, Name: gate.CleanName(g.Name), Type: g.Type, Visibility: g.Visibility, Founder: n.directory.AgentRef(g.Founder),
		CreatedAt: time.UnixMilli(int64(g.HLC >> 10)).UTC(),
	}
	for _, m := range n.Members(g) {
		out.Members = append(out.Members, view.Member{AgentRef: n.directory.AgentRef(m.Agent), Role: m.Role, Grant: m.Grant, Since: core.TimeOf(m.since)})
	}
	return out
}

// Member is one agent of a guild with its strongest role.
type Member struct {
	Agent change.AgentID
	Role  string
	Grant change.ID // zero for the founder
	since uint64    // logical time of what made it one
}

// Members are those of a guild, the founder first, then by role and id.
func (n *Teams) Members(g fold.Guild) []Member {
	best := map[change.AgentID]Member{}
	for _, gr := range n.core.Views.GrantsIn(g.ID) {
		if gr.Holder.IsZero() || gr.Holder == g.Founder || !gr.Active || !n.core.InTerm(gr) || !role.Valid(gr.Role) {
			continue
		}
		if m, ok := best[gr.Holder]; !ok || role.Rank(gr.Role) > role.Rank(m.Role) {
			best[gr.Holder] = Member{gr.Holder, gr.Role, gr.ID, gr.HLC}
		}
	}
	out := []Member{{Agent: g.Founder, Role: role.Owner, since: g.HLC}}
	for _, m := range best {
		out = append(out, m)
	}
	slices.SortFunc(out[1:], func(a, b Member) int {
		if d := role.Rank(b.Role) - role.Rank(a.Role); d != 0 {
			return d
		}
		return change.ID(a.Agent).Compare(change.ID(b.Agent))
	})
	return out
}

// SetRole gives an agent a role in a guild, instead of the one it has. An
// admin makes members and viewers, an owner anything.
func (n *Teams) SetRole(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, name string) (view.Guild, error) {
	return n.GiveRole(ctx, by, guild, agent, name, view.Gift{})
}

// GiveRole is SetRole by an API key: the grant names the key, so that it can end with
// it, and ends when the key does. A role that the agent has already stays as it is.
func (n *Teams) GiveRole(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, name string, gift view.Gift) (view.Guild, error) {
	if !role.Valid(name) {
		return view.Guild{}, reason.Refuse(reason.InvalidParam, "a role is one of owner, admin, member and viewer").With(map[string]any{"param": "role"})
	}
	g, ok := n.core.Views.Guild(guild)
	if !ok {
		return view.Guild{}, reason.Refuse(reason.TeamNotFound, "no such guild")
	}
	rec, ok := n.core.Views.Agent(agent)
	if !ok {
		return view.Guild{}, reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	if agent == g.Founder {
		return view.Guild{}, reason.Refuse(reason.Forbidden, "the founder is an owner for good")
	}
	held := n.RolesOf(guild, agent)
	if len(held) == 1 && held[0].Role == name {
		if name == role.Viewer {
			n.settleViewers(ctx, g, by)
		}
		return n.Guild(ctx, guild)
	}
	if err := n.mayManage(by, g, held, name); err != nil {
		return view.Guild{}, err
	}
	d := view.Delegation{Audience: rec.Key, With: g.Space.Resource(n.core.Judge.Net()), Role: name, Key: gift.Key, Until: gift.Until, Expires: gift.Until}
	if len(held) > 0 {
		d.Closes = &held[0].ID
	}
	if _, err := n.account.Delegate(ctx, by, d); err != nil {
		return view.Guild{}, err
	}
	for _, old := range held[min(1, len(held)):] {
		if _, err := n.account.Revoke(ctx, by, old.ID, nil, ""); err != nil {
			return view.Guild{}, err
		}
	}
	if name == role.Viewer {
		n.settleViewers(ctx, g, by)
	} else if err := n.endMessageRights(ctx, by, guild, agent, "no viewer any more"); err != nil {
		return view.Guild{}, err
	}
	return n.Guild(ctx, guild)
}

// RemoveMember ends every role of an agent in a guild. An agent removes itself
// to leave. The founder stays.
func (n *Teams) RemoveMember(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, why string) error {
	g, ok := n.core.Views.Guild(guild)
	if !ok {
		return reason.Refuse(reason.TeamNotFound, "no such guild")
	}
	if agent == g.Founder {
		return n.keepsFounder(g)
	}
	held := n.RolesOf(guild, agent)
	if len(held) == 0 && len(n.right.MessageRightsOf(guild, agent)) == 0 {
		return reason.Refuse(reason.NotAMember, "Not a member of this team")
	}
	if by != agent {
		if err := n.mayManage(by, g, held, ""); err != nil {
			return err
		}
	}
	for _, old := range held {
		if _, err := n.account.Revoke(ctx, by, old.ID, nil, why); err != nil {
			return err
		}
	}
	return n.endMessageRights(ctx, by, guild, agent, why)
}

// keepsFounder says why a founder cannot go.
func (n *Teams) keepsFounder(g fold.Guild) error {
	for _, m := range n.Members(g)[1:] {
		if m.Role == role.Owner {
			return reason.Refuse(reason.Forbidden, "the founder is an owner for good; other owners can lead the guild without it")
		}
	}
	return reason.Refuse(reason.LastOwner, "a guild needs an owner")
}

// RolesOf are the grants by which an agent is in a guild, strongest first. The
// message right of a viewer is none of them.
func (n *Teams) RolesOf(guild change.ID, agent change.AgentID) []fold.Grant {
	var out []fold.Grant
	for _, g := range n.core.Views.GrantsIn(guild) {
		if g.Holder == agent && g.Active && !n.core.IsMessageRight(g) {
			out = append(out, g)
		}
	}
	slices.SortFunc(out, func(a, b fold.Grant) int {
		if d := role.Rank(b.Role) - role.Rank(a.Role); d != 0 {
			return d
		}
		return a.ID.Compare(b.ID)
	})
	return out
}

// mayManage refuses a change of roles that by does not stand above: an admin
// neither makes nor touches owners and admins.
func (n *Teams) mayManage(by change.AgentID, g fold.Guild, held []fold.Grant, next string) error {
	r, err := n.core.RightIn(by, g.Space)
	if err != nil {
		return err
	}
	if role.Rank(r.Role) < role.Rank(role.Admin) {
		return reason.Refuse(reason.CapabilityMissing, "managing members needs the role of an owner or admin").
			With(map[string]any{"missing": map[string]any{"ability": "member/grant", "resource": g.Space.Resource(n.core.Judge.Net())}})
	}
	if r.Role == role.Admin && role.Rank(next) >= role.Rank(role.Admin) {
		return reason.Refuse(reason.CapabilityMissing, "an admin makes members and viewers")
	}
	for _, h := range held {
		if !n.account.MayEnd(by, h) {
			return reason.Refuse(reason.CapabilityMissing, "%s was made by somebody of your rank or above", h.Role)
		}
	}
	return nil
}
