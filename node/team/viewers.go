package team

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
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	"github.com/meshd/meshd/node/core"
)

// messageRights are the message rights of a guild that nothing has ended, oldest
// first.
func (n *Teams) messageRights(guild change.ID) []fold.Grant {
	var out []fold.Grant
	for _, g := range n.core.Views.GrantsIn(guild) {
		if g.Active && n.core.IsMessageRight(g) {
			out = append(out, g)
		}
	}
	return out
}

// SettleViewers gives and takes message rights, in the teams whose home is here,
// until they are what the policies say, and returns how many grants and
// revocations it wrote. The node calls it by itself; who moves a clock calls it
// after. What fails is logged and tried again the next time.
func (n *Teams) SettleViewers(ctx context.Context) (written int) {
	for _, g := range n.core.Views.Guilds() {
		if n.directory.Tends(g) {
			written += n.settleViewers(ctx, g, g.Founder)
		}
	}
	return written
}

// settleViewers is SettleViewers for one team after by changed something in it.
// Away from the home of the team it only takes back, and only what a policy that
// allows nothing leaves: the home knows best who is a viewer.
func (n *Teams) settleViewers(ctx context.Context, g fold.Guild, by change.AgentID) (written int) {
	n.viewers.Lock()
	defer n.viewers.Unlock()
	written, err := n.fitMessageRights(ctx, g, by)
	if err != nil && ctx.Err() == nil {
		n.core.Opt.Log.Warn("messages of viewers not settled", "guild", g.ID.Text(change.PrefixGuild), "err", err)
	}
	return written
}

func (n *Teams) fitMessageRights(ctx context.Context, g fold.Guild, by change.AgentID) (written int, err error) {
	rights, viewers := n.messageRights(g.ID), n.viewersOf(g)
	if len(rights) == 0 && len(viewers) == 0 {
		return 0, nil
	}
	page, err := n.teamPage(ctx, g)
	if err != nil {
		return 0, err
	}
	home := n.directory.Homes(g)
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
		if views && n.core.InTerm(r) {
			has[r.Holder] = true
			continue
		}
		if _, err := n.account.Revoke(ctx, by, r.ID, nil, "viewers write no messages"); err != nil {
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
func (n *Teams) viewersOf(g fold.Guild) []fold.Grant {
	var out []fold.Grant
	for _, m := range n.Members(g)[1:] {
		if held, ok := n.core.Views.Grant(m.Grant); ok && m.Role == role.Viewer {
			out = append(out, held)
		}
	}
	return out
}

// giveMessageRight has the founder give the holder of a viewer's role a message
// right for as long as that lasts.
func (n *Teams) giveMessageRight(ctx context.Context, g fold.Guild, held fold.Grant) error {
	rec, ok := n.core.Views.Agent(held.Holder)
	if !ok {
		return reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	n.core.Speech.RLock()
	defer n.core.Speech.RUnlock()
	sp, err := n.core.Author(g.Founder)
	if err != nil {
		return err
	}
	team := change.TeamSpace(g.ID).Resource(n.core.Judge.Net())
	at, err := n.account.Ground(g.Founder, sp, team)
	if err != nil {
		return err
	}
	_, err = n.account.WriteGrant(ctx, sp, at, v0.Draft{
		Audience: rec.Key.String(), Expires: held.Expires, Proofs: at.Cited, Facts: map[string]any{core.MessageFact: true},
		Caps: []v0.Cap{{With: team, Can: ucan.Message, Caveats: []map[string]any{{}}}},
	}, body.Grant{})
	if err != nil {
		return fmt.Errorf("give a message right: %w", err)
	}
	return nil
}

// endMessageRights takes the message rights of an agent back.
func (n *Teams) endMessageRights(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, why string) error {
	for _, g := range n.right.MessageRightsOf(guild, agent) {
		if _, err := n.account.Revoke(ctx, by, g.ID, nil, why); err != nil {
			return err
		}
	}
	return nil
}
