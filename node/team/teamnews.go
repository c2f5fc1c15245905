package team

import (
	"context"
	"strings"

	"github.com/meshd/meshd/crdt/board"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/document"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// TeamNews are the events of a delta in a team, for its members alone; ok is
// false when the delta is no matter of teams.
func (n *Teams) TeamNews(ctx context.Context, d fold.Delta) (news []events.Event, ok bool) {
	guild, inGuild := d.Space.Guild()
	if !inGuild {
		return nil, false
	}
	switch {
	case d.Kind == fold.Acted && d.Act == change.KindTaskAct:
		return n.stepNews(ctx, d), true
	case d.Kind == fold.Acted && d.Act == change.KindMessage:
		return n.messageNews(ctx, d), true
	case d.Kind == fold.DocChanged && d.Space.Area() == change.AreaTeam:
		switch name := doc.Name(d.Doc); name.Base() {
		case string(core.BoardName), string(core.RoomName):
			return n.editNews(ctx, d, doc.Name(name.Base())), true
		}
	case d.Kind == fold.RightsChanged:
		return n.memberNews(ctx, d, guild), true
	}
	return nil, false
}

// inTeam is one happening in a team. fields say who did it.
func inTeam(space change.Space, object, name string, by change.AgentID, fields map[string]any) events.Event {
	guild, _ := space.Guild()
	s := events.Step{Name: name, Fields: fields}
	if !by.IsZero() {
		s.By = by.String()
		fields["by"] = s.By
	}
	return events.Event{Kind: events.TeamStep, Space: string(change.TeamSpace(guild)), Object: object, Data: s}
}

// stepNames are the happenings that steps of tasks are published as.
var stepNames = map[string]string{
	body.TaskClaim: "board.claimed", body.TaskRelease: "board.reopened", body.TaskDone: "board.completed", body.TaskBlock: "board.blocked",
	body.TaskReopen: "board.reopened", body.TaskDelegate: "board.delegated",
}

// stepNews reports a step that changed its task.
func (n *Teams) stepNews(ctx context.Context, d fold.Delta) []events.Event {
	rec, err := n.core.Log.Get(ctx, d.ID)
	if err != nil || rec.Change.Body == nil || d.Gone {
		return nil
	}
	b, err := body.ParseTaskAct(rec.Change.Body)
	if err != nil {
		return nil
	}
	s := board.New()
	for _, st := range n.core.Views.TaskSteps(d.Space, b.Task) {
		next, err := st.Take(s)
		if st.ID != d.ID {
			s = next
			continue
		}
		if err != nil {
			return nil
		}
		name, fields := stepNames[b.Act], map[string]any{"task": b.Task}
		if b.Act == body.TaskClaim && s.Status == board.Claimed {
			name = "board.renewed"
		}
		if b.Act == body.TaskRelease {
			fields["reason"] = "released"
		}
		if b.Text != "" && b.Act != body.TaskDone {
			fields["reason"] = b.Text
		}
		if !b.To.IsZero() {
			fields["to"] = b.To.String()
		}
		return []events.Event{inTeam(d.Space, b.Task, name, d.Agent, fields)}
	}
	return nil
}

// messageNews publishes a message to the members of its team. Of a direct message its recipient
// is published, without the text.
func (n *Teams) messageNews(ctx context.Context, d fold.Delta) []events.Event {
	rec, err := n.core.Log.Get(ctx, d.ID)
	if err != nil || rec.Change.Body == nil || d.Gone {
		return nil
	}
	b, err := body.ParseMessage(rec.Change.Body)
	if err != nil {
		return nil
	}
	id := d.ID.Text(change.PrefixMessage)
	from := n.directory.AgentRef(d.Agent)
	fields := map[string]any{"id": id, "fromAgentId": from.ID.String(), "fromAgentName": from.Handle, "messageType": b.Type}
	if b.Task != "" {
		fields["taskId"] = b.Task
	}
	if !b.To.IsZero() {
		guild, _ := d.Space.Guild()
		fields["to"], fields["team"] = b.To.String(), guild.Text(change.PrefixGuild)
		return []events.Event{{Kind: events.Notified, Object: b.To.String(), Data: events.Step{Name: "message.created", By: d.Agent.String(), Fields: fields}}}
	}
	fields["to"], fields["subject"], fields["content"] = "team", b.Subject, b.Text
	return []events.Event{inTeam(d.Space, id, "message.created", d.Agent, fields)}
}

// editNews reports which tasks an edit of the board concerns, or what changed in
// the room.
func (n *Teams) editNews(ctx context.Context, d fold.Delta, name doc.Name) []events.Event {
	rec, err := n.core.Log.Get(ctx, d.ID)
	if err != nil || rec.Change.Body == nil {
		return nil
	}
	chunk, err := editedChunk(rec.Change)
	if err != nil {
		return nil
	}
	if document.Carries(chunk) {
		return nil
	}
	by := d.Agent
	if by.IsZero() {
		if a, ok := n.core.Views.AgentByKey(rec.Change.Head.Author); ok {
			by = a.ID
		}
	}
	if name == core.RoomName {
		return n.roomNews(d, by, chunk)
	}
	var order []string
	what := map[string]string{}
	chunk.RootKeys(func(k doc.Touched) bool {
		task, field, ok := strings.Cut(k.Key, "/")
		if !ok || !body.ValidTask(task) {
			return true
		}
		if _, seen := what[task]; !seen {
			order, what[task] = append(order, task), "board.updated"
		}
		switch {
		case field == core.CardTitle && k.Fresh:
			what[task] = "board.added"
		case field == core.CardDeleted:
			what[task] = "board.deleted"
		case field == core.CardCommits && what[task] == "board.updated":
			what[task] = "board.commit_appended"
		}
		return true
	})
	var out []events.Event
	for _, task := range order {
		out = append(out, inTeam(d.Space, task, what[task], by, map[string]any{"task": task}))
	}
	return out
}

// roomNews reports what an edit sets of the mode and the objective; what it leaves
// alone is absent.
func (n *Teams) roomNews(d fold.Delta, by change.AgentID, chunk *doc.Chunk) []events.Event {
	event, fields := "", map[string]any{}
	chunk.RootKeys(func(k doc.Touched) bool {
		switch k.Key {
		case "mode":
			event = "mode.changed"
			fields["mode"] = k.Text
		case "objective", "communication_style":
			if event == "" {
				event = "room.updated"
			}
			fields[k.Key] = core.ClipText(k.Text, view.MaxTeamText)
		}
		return true
	})
	if event == "" {
		return nil
	}
	guild, _ := d.Space.Guild()
	return []events.Event{inTeam(d.Space, guild.Text(change.PrefixGuild), event, by, fields)}
}

// editedChunk is the chunk of an edit that is in the log.
func editedChunk(c *change.Change) (*doc.Chunk, error) {
	b, err := body.ParseEdit(c.Body, func(name string) [16]byte { return doc.Actor(c.Head.Author, string(c.Head.Space), name) })
	return b.Chunk, err
}

// memberNews reports who came, went or has another role.
func (n *Teams) memberNews(ctx context.Context, d fold.Delta, guild change.ID) []events.Event {
	rec, err := n.core.Log.Get(ctx, d.ID)
	if err != nil || rec.Change.Body == nil {
		return nil
	}
	grant, name := d.ID, "member.joined"
	switch rec.Change.Head.Kind {
	case change.KindGrant:
		if b, err := body.ParseGrant(rec.Change.Body); err != nil || !role.Valid(b.Role) {
			return nil
		} else if b.Closes != nil {
			name = "member.role"
		}
	case change.KindRevoke:
		b, err := body.ParseRevoke(rec.Change.Body)
		if err != nil {
			return nil
		}
		grant, name = b.Grant, "member.left"
	default:
		return nil
	}
	g, ok := n.core.Views.Grant(grant)
	if !ok || g.Holder.IsZero() || !role.Valid(g.Role) || name != "member.left" && !g.Active {
		return nil
	}
	agent := g.Holder.String()
	e := inTeam(d.Space, agent, name, change.AgentID{}, map[string]any{"agent": agent, "role": g.Role, "team": guild.Text(change.PrefixGuild)})
	return []events.Event{e}
}

// AnnouncePresence notifies the members of a team that one of them came or went.
func (n *Teams) AnnouncePresence(guild change.ID, agent change.AgentID, name string, fields map[string]any) {
	fields["agent"] = agent.String()
	n.core.Bus.Publish(inTeam(change.TeamSpace(guild), agent.String(), name, agent, fields))
}
