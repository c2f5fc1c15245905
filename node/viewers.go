package node

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/v0"
)

// messageFact marks the token of a message right.
const messageFact = "viewer_messages"

// A message right is what lets a viewer write messages where the policy of the
// team allows it: a grant of no role, beside the viewer's own, whose token holds
// one ability in the team's space. It makes nobody a member. Only who may grant
// everything can give it, so the home of the team does, for the founder.

// isMessageRight tells a message right from other grants of no role.
func (n *Node) isMessageRight(g fold.Grant) bool {
	if _, inGuild := g.Space.Guild(); !inGuild || g.Role != "" {
		return false
	}
	c, err := n.log.Member(g.ID)
	if err != nil || c == nil || c.Body == nil {
		return false
	}
	b, err := body.ParseGrant(c.Body)
	if err != nil {
		return false
	}
	t, _ := v0.Parse(b.Token)
	if t == nil || len(t.Caps) != 1 || t.Caps[0].Can != ucan.Message {
		return false
	}
	marked, _ := t.Facts[messageFact].(bool)
	return marked
}

// messageRights are the message rights of a guild that nothing has ended, oldest
// first.
func (n *Node) messageRights(guild change.ID) []fold.Grant {
	var out []fold.Grant
	for _, g := range n.views.GrantsIn(guild) {
		if g.Active && n.isMessageRight(g) {
			out = append(out, g)
		}
	}
	return out
}

// messageRightsOf are those of one agent.
func (n *Node) messageRightsOf(guild change.ID, agent change.AgentID) []fold.Grant {
	var out []fold.Grant
	for _, g := range n.views.GrantsIn(guild) {
		if g.Holder == agent && g.Active && n.isMessageRight(g) {
			out = append(out, g)
		}
	}
	return out
}

// rightToWrite is the right by which an agent writes a kind in a guild: the
// strongest it has, and for a viewer's messages the one beside its role. A viewer
// without that is refused with capability_missing.
func (n *Node) rightToWrite(agent change.AgentID, space change.Space, kind string) (right, error) {
	r, err := n.rightIn(agent, space)
	if err != nil || kind != change.KindMessage || r.role != role.Viewer {
		return r, err
	}
	guild, _ := space.Guild()
	for _, g := range n.messageRightsOf(guild, agent) {
		if n.inTerm(g) {
			return right{id: g.ID, home: r.home, grant: &g}, nil
		}
	}
	return right{}, reason.Refuse(reason.CapabilityMissing, "the home of the team has given this viewer no right to write messages yet").
		With(map[string]any{"missing": map[string]any{"ability": ucan.Message, "resource": space.Resource(n.judge.Net())}})
}

// SettleViewers gives and takes message rights, in the teams whose home is here,
// until they are what the policies say, and returns how many grants and
// revocations it wrote. The node calls it by itself; who moves a clock calls it
// after. What fails is logged and tried again the next time.
func (n *Node) SettleViewers(ctx context.Context) (written int) {
	for _, g := range n.views.Guilds() {
		if n.homes(g) {
			written += n.settleViewers(ctx, g, g.Founder)
		}
	}
	return written
}

// settleViewers is SettleViewers for one team after by changed something in it.
// Away from the home of the team it only takes back, and only what a policy that
// allows nothing leaves: the home knows best who is a viewer.
func (n *Node) settleViewers(ctx context.Context, g fold.Guild, by change.AgentID) (written int) {
	n.viewers.Lock()
	defer n.viewers.Unlock()
	written, err := n.fitMessageRights(ctx, g, by)
	if err != nil && ctx.Err() == nil {
		n.opt.Log.Warn("messages of viewers not settled", "guild", g.ID.Text(change.PrefixGuild), "err", err)
	}
	return written
}

func (n *Node) fitMessageRights(ctx context.Context, g fold.Guild, by change.AgentID) (written int, err error) {
	rights, viewers := n.messageRights(g.ID), n.viewersOf(g)
	if len(rights) == 0 && len(viewers) == 0 {
		return 0, nil
	}
	page, err := n.teamPage(ctx, g)
	if err != nil {
		return 0, err
	}
	home := n.homes(g)
	switch {
	case home:
		by = g.Founder
	case page.ViewersWrite():
		return 0, nil
	}
	if !page.ViewersWrite() {
		viewers = nil
	}
	var errs []error
	has := map[change.AgentID]bool{}
	for _, r := range rights {
		views := slices.ContainsFunc(viewers, func(held fold.Grant) bool { return held.Holder == r.Holder })
		if views && n.inTerm(r) {
			has[r.Holder] = true
			continue
		}
		if _, err := n.Revoke(ctx, by, r.ID, nil, "viewers write no messages"); err != nil {
			errs = append(errs, err)
			continue
		}
		written++
	}
	for _, held := range viewers {
		if has[held.Holder] {
			continue
		}
		if err := n.giveMessageRight(ctx, g, held); err != nil {
			errs = append(errs, err)
			continue
		}
		written++
	}
	return written, errors.Join(errs...)
}

// viewersOf are the grants by which agents are viewers of a guild.
func (n *Node) viewersOf(g fold.Guild) []fold.Grant {
	var out []fold.Grant
	for _, m := range n.members(g)[1:] {
		if held, ok := n.views.Grant(m.grant); ok && m.role == role.Viewer {
			out = append(out, held)
		}
	}
	return out
}

// giveMessageRight has the founder give the holder of a viewer's role a message
// right for as long as that lasts.
func (n *Node) giveMessageRight(ctx context.Context, g fold.Guild, held fold.Grant) error {
	rec, ok := n.views.Agent(held.Holder)
	if !ok {
		return reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	sp, err := n.speaker(g.Founder)
	if err != nil {
		return err
	}
	team := change.TeamSpace(g.ID).Resource(n.judge.Net())
	at, err := n.ground(g.Founder, sp, team)
	if err != nil {
		return err
	}
	_, err = n.writeGrant(ctx, sp, at, v0.Draft{
		Audience: rec.Key.String(), Expires: held.Expires, Proofs: at.cited, Facts: map[string]any{messageFact: true},
		Caps: []v0.Cap{{With: team, Can: ucan.Message, Caveats: []map[string]any{{}}}},
	}, body.Grant{})
	if err != nil {
		return fmt.Errorf("give a message right: %w", err)
	}
	return nil
}

// endMessageRights takes the message rights of an agent back.
func (n *Node) endMessageRights(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, why string) error {
	for _, g := range n.messageRightsOf(guild, agent) {
		if _, err := n.Revoke(ctx, by, g.ID, nil, why); err != nil {
			return err
		}
	}
	return nil
}
