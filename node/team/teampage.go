package team

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
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/document"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// banPrefix begins the keys of the room that name agents kept out.
const banPrefix = "ban/"

// IsTeamHome reports whether the home of a team is this node: the one that speaks
// for its founder, keeps its invitations and ends its leases.
func (n *Teams) IsTeamHome(_ context.Context, guild change.ID) bool {
	g, ok := n.core.Views.Guild(guild)
	return ok && n.directory.Homes(g)
}

// TeamPage is what a guild says of itself. The part that lies in the team's space
// is empty on a node that does not have that.
func (n *Teams) TeamPage(ctx context.Context, guild change.ID) (view.TeamPage, error) {
	g, ok := n.core.Views.Guild(guild)
	if !ok {
		return view.TeamPage{}, reason.Refuse(reason.TeamNotFound, "no such guild")
	}
	return n.teamPage(ctx, g)
}

func (n *Teams) teamPage(ctx context.Context, g fold.Guild) (view.TeamPage, error) {
	page, err := n.document.Document(ctx, g.Space, document.PageName)
	if err != nil {
		return view.TeamPage{}, err
	}
	room, err := n.document.Document(ctx, change.TeamSpace(g.ID), core.RoomName)
	if err != nil {
		return view.TeamPage{}, err
	}
	f := page.Fields
	p := view.TeamPage{
		Name: gate.CleanName(core.ClipText(core.WholeText(f["name"]), body.MaxName)), Description: core.ClipText(core.WholeText(f["description"]), view.MaxTeamText),
		Visibility: core.WholeText(f["visibility"]), Domains: core.TextItems(f["domains"], view.MaxTeamDomains), Version: page.Version,
	}
	if slots, ok := f["max_slots"].(int64); ok {
		p.MaxSlots = int(min(max(slots, view.MinTeamSlots), view.MaxTeamSlots))
	}
	p.Policy, _ = f["policy"].(map[string]any)
	p.Deleted, _ = f["deleted"].(bool)
	readRoom(&p, room)
	return p, nil
}

func readRoom(p *view.TeamPage, room view.Document) {
	f := room.Fields
	p.RoomVersion = room.Version
	p.Mode, p.ModeReason = core.WholeText(f["mode"]), core.ClipText(core.WholeText(f["mode_reason"]), view.MaxTeamText)
	p.Objective, p.Style = core.ClipText(core.WholeText(f["objective"]), view.MaxTeamText), core.WholeText(f["communication_style"])
	p.ModeBy, _ = change.ParseAgentID(core.WholeText(f["mode_by"])) // an unreadable one is nobody
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
// max_slots, domains, policy, deleted. At the home of the team the policy about
// viewers is applied when it returns, unless that failed; then soon.
func (n *Teams) EditTeamPage(ctx context.Context, by change.AgentID, guild change.ID, set []doc.Field, ifVersion int) (view.TeamPage, error) {
	g, ok := n.core.Views.Guild(guild)
	if !ok {
		return view.TeamPage{}, reason.Refuse(reason.TeamNotFound, "no such guild")
	}
	err := n.document.Edit(ctx, by, g.Space, document.PageName, func(e *document.Editing) error {
		if ifVersion >= 0 && ifVersion != e.Now.Version {
			return core.VersionConflict("page", e.Now.Version)
		}
		return e.Keep(ctx, set)
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
func (n *Teams) EditTeamRoom(ctx context.Context, by change.AgentID, guild change.ID, set []doc.Field) (view.TeamPage, error) {
	g, ok := n.core.Views.Guild(guild)
	if !ok {
		return view.TeamPage{}, reason.Refuse(reason.TeamNotFound, "no such guild")
	}
	err := n.document.Edit(ctx, by, change.TeamSpace(guild), core.RoomName, func(e *document.Editing) error {
		return e.Keep(ctx, set)
	})
	if err != nil {
		return view.TeamPage{}, err
	}
	return n.teamPage(ctx, g)
}

// Ban keeps an agent out of a team, or lifts the ban. It ends no role.
func (n *Teams) Ban(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, out bool) error {
	return n.document.Edit(ctx, by, change.TeamSpace(guild), core.RoomName, func(e *document.Editing) error {
		key := banPrefix + agent.String()
		var value any
		if out {
			value = true
			count := 0
			for k := range e.Now.Fields {
				if strings.HasPrefix(k, banPrefix) {
					count++
				}
			}
			if count >= maxBanned {
				return reason.Refuse(reason.LimitReached, "a team keeps out %d agents at most", maxBanned)
			}
		}
		return e.Keep(ctx, []doc.Field{{Key: key, Value: value}})
	})
}
