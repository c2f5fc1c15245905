package node

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/view"
)

// roomName is the document of a team's space that holds what only members see:
// mode, objective, and who is kept out.
const roomName doc.Name = "room"

// banPrefix begins the keys of the room that name agents kept out.
const banPrefix = "ban/"

var errNotHome = reason.Refuse(reason.Forbidden, "the home of the team is another node")

// IsTeamHome reports whether the home of a team is this node: the one that speaks
// for its founder, keeps its invitations and ends its leases.
func (n *Node) IsTeamHome(_ context.Context, guild change.ID) bool {
	g, ok := n.views.Guild(guild)
	return ok && n.homes(g)
}

// TeamPage is what a guild says of itself. The part that lies in the team's space
// is empty on a node that does not hold that.
func (n *Node) TeamPage(ctx context.Context, guild change.ID) (view.TeamPage, error) {
	g, ok := n.views.Guild(guild)
	if !ok {
		return view.TeamPage{}, reason.Refuse(reason.TeamNotFound, "no such guild")
	}
	return n.teamPage(ctx, g)
}

func (n *Node) teamPage(ctx context.Context, g fold.Guild) (view.TeamPage, error) {
	page, err := n.document(ctx, g.Space, pageName)
	if err != nil {
		return view.TeamPage{}, err
	}
	room, err := n.document(ctx, change.TeamSpace(g.ID), roomName)
	if err != nil {
		return view.TeamPage{}, err
	}
	f := page.Fields
	p := view.TeamPage{
		Name: clipText(wholeText(f["name"]), body.MaxName), Description: clipText(wholeText(f["description"]), maxTeamText),
		Visibility: wholeText(f["visibility"]), Domains: textItems(f["domains"], maxTeamDomains), Version: page.Version,
	}
	if slots, ok := f["max_slots"].(int64); ok {
		p.MaxSlots = int(min(max(slots, minTeamSlots), maxTeamSlots))
	}
	p.Policy, _ = f["policy"].(map[string]any)
	p.Deleted, _ = f["deleted"].(bool)
	readRoom(&p, room)
	return p, nil
}

func readRoom(p *view.TeamPage, room view.Document) {
	f := room.Fields
	p.RoomVersion = room.Version
	p.Mode, p.ModeReason = wholeText(f["mode"]), clipText(wholeText(f["mode_reason"]), maxTeamText)
	p.Objective, p.Style = clipText(wholeText(f["objective"]), maxTeamText), wholeText(f["communication_style"])
	p.ModeBy, _ = change.ParseAgentID(wholeText(f["mode_by"])) // an unreadable one is nobody
	if at, ok := f["mode_at"].(int64); ok {
		p.ModeAt = time.UnixMilli(at).UTC()
	}
	for key, value := range f {
		text, ban := strings.CutPrefix(key, banPrefix)
		if on, _ := value.(bool); !ban || !on {
			continue
		}
		if id, err := change.ParseAgentID(text); err == nil {
			p.Banned = append(p.Banned, id)
		}
	}
}

// EditTeamPage sets fields of a guild's page: name, description, visibility,
// max_slots, domains, policy, deleted. At the home of the team what the policy says
// of viewers holds when it returns, unless that failed; then soon.
func (n *Node) EditTeamPage(ctx context.Context, by change.AgentID, guild change.ID, set []doc.Field, ifVersion int) (view.TeamPage, error) {
	g, ok := n.views.Guild(guild)
	if !ok {
		return view.TeamPage{}, reason.Refuse(reason.TeamNotFound, "no such guild")
	}
	err := n.edit(ctx, by, g.Space, pageName, func(e *editing) error {
		if ifVersion >= 0 && ifVersion != e.now.Version {
			return versionConflict("page", e.now.Version)
		}
		return e.keep(ctx, set)
	})
	if err != nil {
		return view.TeamPage{}, err
	}
	if slices.ContainsFunc(set, func(f doc.Field) bool { return f.Key == "policy" || f.Key == "deleted" }) {
		n.settleViewers(ctx, g, by)
	}
	return n.teamPage(ctx, g)
}

// EditTeamRoom sets fields of what members see: mode, mode_reason, mode_by,
// mode_at, objective, communication_style.
func (n *Node) EditTeamRoom(ctx context.Context, by change.AgentID, guild change.ID, set []doc.Field) (view.TeamPage, error) {
	g, ok := n.views.Guild(guild)
	if !ok {
		return view.TeamPage{}, reason.Refuse(reason.TeamNotFound, "no such guild")
	}
	err := n.edit(ctx, by, change.TeamSpace(guild), roomName, func(e *editing) error {
		return e.keep(ctx, set)
	})
	if err != nil {
		return view.TeamPage{}, err
	}
	return n.teamPage(ctx, g)
}

// Ban keeps an agent out of a team, or lets it in again. It ends no role.
func (n *Node) Ban(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, out bool) error {
	return n.edit(ctx, by, change.TeamSpace(guild), roomName, func(e *editing) error {
		key := banPrefix + agent.String()
		var value any
		if out {
			value = true
			count := 0
			for k := range e.now.Fields {
				if strings.HasPrefix(k, banPrefix) {
					count++
				}
			}
			if count >= maxBanned {
				return reason.Refuse(reason.LimitReached, "a team keeps out %d agents at most", maxBanned)
			}
		}
		return e.keep(ctx, []doc.Field{{Key: key, Value: value}})
	})
}
