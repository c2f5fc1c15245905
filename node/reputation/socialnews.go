package reputation

import (
	"cmp"
	"context"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/events"
)

// SocialNews are the events of a vote, a comment or a label. What others report is
// published to nobody but moderators, who ask for it; labels of those this node follows
// are published to everybody.
func (n *Ranks) SocialNews(d fold.Delta) []events.Event {
	if d.Space.Area() == change.AreaTeam {
		return nil
	}
	step := events.Step{By: d.Agent.String(), Fields: map[string]any{}}
	ev := events.Event{Kind: events.SocialStep, Space: string(d.Space), Object: d.Target.Text(change.PrefixEntry)}
	switch d.Act {
	case change.KindVote:
		up, down := n.core.Views.Votes(d.Target)
		step.Name, step.By = "entry.voted", "" // who voted how is nobody's business on a stream
		if _, ok := n.core.Views.Entry(d.Target); !ok {
			ev.Object = d.Target.Text(change.PrefixComment)
		}
		step.Fields = map[string]any{"id": ev.Object, "voteCount": up - down}
	case change.KindComment:
		if d.Space.Area() == change.AreaAgent {
			owner, _ := d.Space.Agent()
			if d.Gone {
				return nil
			}
			ev.Object = owner.String()
			step.Name, step.Fields = "guestbook.created", map[string]any{"id": owner.String(), "note": d.ID.Text(change.PrefixNote)}
			break
		}
		step.Name = "comment.created"
		if c, ok := n.core.Views.Comment(d.ID); d.Gone || !ok || c.Deleted {
			step.Name = "comment.deleted"
		}
		step.Fields = map[string]any{"id": d.ID.Text(change.PrefixComment), "entryId": ev.Object}
	case change.KindLabel:
		return n.labelNews(d, ev)
	default:
		return nil
	}
	ev.Data = step
	return []events.Event{ev}
}

// labelNews reports a label that this node follows, a comment that its owner
// dismissed, and an entry that is held back from now on.
func (n *Ranks) labelNews(d fold.Delta, ev events.Event) []events.Event {
	var out []events.Event
	report := func(name, by string, fields map[string]any) {
		e := ev
		e.Data = events.Step{Name: name, By: by, Fields: fields}
		out = append(out, e)
	}
	var author change.AgentID
	if e, ok := n.core.Views.Entry(d.Target); ok {
		author = e.Agent
	} else if c, ok := n.core.Views.Comment(d.Target); ok {
		ev.Object, author = d.Target.Text(change.PrefixComment), c.Agent
		if c.Deleted && c.Space.Area() != change.AreaAgent {
			report("comment.deleted", "", map[string]any{"id": ev.Object, "entryId": c.Target.Text(change.PrefixEntry)})
		}
	} else {
		return nil
	}
	if n.social.Moderator(d.Agent) && !d.Gone {
		value := body.LabelDismissed
		for _, l := range n.core.Views.Labels(d.Target) {
			if l.ID == d.ID {
				value = l.Value
			}
		}
		report("label.applied", d.Agent.String(), map[string]any{"target": ev.Object, "value": value, "by": d.Agent.String()})
	}
	if code := n.social.Moderated(d.Target, author).Code; code == reason.Quarantined || code == reason.LabelDenied {
		if _, ok := n.core.Views.Entry(d.Target); ok {
			report("entry.quarantined", "", map[string]any{"id": ev.Object, "reason": string(code)})
		}
	}
	return out
}

// Limits of what is published about tiers.
const (
	tierPause = 10 * time.Second // between two looks at who crossed a threshold: each rates every agent
	tierQuiet = time.Hour        // at most one event an agent and hour
)

// WatchTiers reports when the reputation of an agent crosses a threshold. A tier has
// no memory; only this report has, so that a score that wavers is not published at
// every turn.
func (n *Ranks) WatchTiers(ctx context.Context) {
	sub := n.core.Bus.SubscribeLossy(events.ChangeAppended|events.ChangePurged, 1)
	defer sub.Close()
	was := map[change.AgentID]string{}
	published := map[change.AgentID]time.Time{}
	n.publishTiers(was, published, false)
	for {
		select {
		case <-ctx.Done():
			return
		case _, open := <-sub.C():
			if !open {
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(tierPause):
		}
		n.publishTiers(was, published, true)
	}
}

// publishTiers compares with what was published last. was contains the agents above the lowest
// tier, so that a crowd that has earned nothing takes no memory.
func (n *Ranks) publishTiers(was map[change.AgentID]string, published map[change.AgentID]time.Time, loud bool) {
	lowest := fold.Tier(0)
	crossed := map[change.AgentID]fold.Reputation{}
	n.core.Views.EachReputation(func(id change.AgentID, rep fold.Reputation) {
		if cmp.Or(was[id], lowest) != rep.Tier {
			crossed[id] = rep
		}
	})
	now := n.core.Opt.Now()
	for id, rep := range crossed {
		before := cmp.Or(was[id], lowest)
		if loud {
			if at, ok := published[id]; ok && now.Sub(at) < tierQuiet {
				continue // looked at again with the next change
			}
			published[id] = now
		}
		if was[id] = rep.Tier; rep.Tier == lowest {
			delete(was, id)
		}
		if !loud {
			continue
		}
		n.core.Bus.Publish(events.Event{Kind: events.TierChanged, Object: id.String(), Data: events.Step{Name: "tier.changed", By: id.String(), Fields: map[string]any{
			"agent_id": id.String(), "from": before, "to": rep.Tier, "score": float64(rep.Score) / 100,
		}}})
	}
}
