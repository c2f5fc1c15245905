package news

import (
	"context"
	"fmt"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/node/board"
	"github.com/meshd/meshd/node/bounty"
	"github.com/meshd/meshd/node/document"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/scene"
)

// Announce publishes what a change led to. seq is the local sequence that the
// log has reached.
func (n *Reporter) Announce(d fold.Delta, cause change.ID, seq uint64) {
	// What is in the log is published, whoever asked for it and however long that takes.
	for _, e := range n.newsOf(context.Background(), d) {
		e.Cause, e.Log = cause.Text(change.PrefixChange), seq
		n.core.Bus.Publish(e)
	}
}

// newsOf are the events of one delta, as the views stand now. It is the one place
// where what the log led to becomes events, so that a reader who asks News for
// what it has missed gets the same as one who listened.
func (n *Reporter) newsOf(ctx context.Context, d fold.Delta) []events.Event {
	if news, ok := board.MemoryNews(d); ok {
		return news
	}
	if news, ok := n.bounty.BountyNews(d); ok {
		return news
	}
	if news, ok := n.team.TeamNews(ctx, d); ok {
		return news
	}
	ev := events.Event{Space: string(d.Space), Object: d.Agent.String()}
	switch d.Kind {
	case fold.AgentNew:
		ev.Kind = events.AgentRegistered
	case fold.AgentChanged:
		ev.Kind, ev.Data = events.IdentityStep, events.Step{Name: "agent.rotated", By: ev.Object}
	case fold.DocChanged:
		_, inGuild := d.Space.Guild()
		switch base := doc.Name(doc.Name(d.Doc).Base()); {
		case inGuild && base == document.PageName:
			ev.Kind, ev.Object = events.GuildUpdated, guildText(d.Space)
		case d.Space.Area() != change.AreaAgent:
			return nil
		case base == document.PageName:
			ev.Kind = events.ProfileUpdated
		case base == scene.SceneName:
			ev.Kind = events.SceneUpdated
		default: // of a part of a scene, or of a project: its own document says what is new
			return nil
		}
	case fold.EntryNew:
		ev.Kind, ev.Object = events.EntryCreated, d.ID.Text(change.PrefixEntry)
	case fold.EntryHidden:
		ev.Kind, ev.Object = events.EntryRetracted, d.ID.Text(change.PrefixEntry)
		ev.Data = n.whyHidden(d.ID)
	case fold.Acted:
		return n.reputation.SocialNews(d)
	case fold.RightsChanged:
		return n.account.RightsNews(ctx, d)
	default:
		return nil
	}
	return []events.Event{ev}
}

func guildText(s change.Space) string {
	id, ok := s.Guild()
	if !ok {
		return ""
	}
	return id.Text(change.PrefixGuild)
}

// whyHidden names how an entry left the view.
func (n *Reporter) whyHidden(id change.ID) events.Step {
	name, why := "entry.retracted", "retracted"
	switch e, ok := n.core.Views.Entry(id); {
	case !ok:
		why = "purged"
	case e.State == fold.Excluded:
		name, why = "entry.revoked", "revoked"
	case e.State == fold.Superseded:
		why = "superseded"
	}
	return events.Step{Name: name, Fields: map[string]any{"reason": why}}
}

// News retells what the changes that follow a local sequence led to, for a
// listener that was away: up to most changes, in order of arrival, as events that
// the bus would have carried, but without numbers. reached is the local sequence
// up to which they are complete; it is after when there is nothing new.
//
// It reports what is true now. An entry that was shown and is withdrawn since
// is published as withdrawn alone; a change to somebody's rights publishes again how all
// entries it may concern stand. So nothing is missing that is still true, and some
// is published twice: listeners know it again by its kind, object and cause.
func (n *Reporter) News(ctx context.Context, after uint64, most int) (news []events.Event, reached uint64, err error) {
	recs, err := n.core.Log.Since(ctx, after, most)
	if err != nil {
		return nil, after, fmt.Errorf("read the log: %w", err)
	}
	reached = after
	for _, r := range recs {
		reached = r.Seq
		for _, d := range n.DeltasOf(r) {
			for _, e := range n.newsOf(ctx, d) {
				e.At, e.Cause, e.Log = int64(r.Change.Head.HLC>>10), r.Change.ID.Text(change.PrefixChange), r.Seq
				news = append(news, e)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, after, err // what could not be read in time is not taken for nothing
	}
	return news, reached, nil
}

// DeltasOf are the deltas that a change may have made when it was folded.
func (n *Reporter) DeltasOf(r crdtlog.Record) []fold.Delta {
	c := r.Change
	if c.Body == nil {
		return nil // without effect until its body comes
	}
	agent, _ := c.Head.Space.Agent()
	switch c.Head.Kind {
	case change.KindEntryPut:
		ds := n.entryDeltas(c.ID)
		if b, err := body.ParseEntry(c.Body, c.Head.Space); err == nil && !b.Supersedes.IsZero() {
			ds = append(ds, n.entryDeltas(b.Supersedes)...)
		}
		return ds
	case change.KindEntryRetract:
		if b, err := body.ParseRetract(c.Body, c.Head.Parents()); err == nil {
			return append(n.entryDeltas(b.Target), n.actDeltas(b.Target)...)
		}
	case change.KindDocEdit:
		if name, ok := body.EditedDoc(c.Body); ok {
			return []fold.Delta{{Kind: fold.DocChanged, ID: c.ID, Agent: agent, Space: c.Head.Space, Doc: name}}
		}
	case change.KindBind:
		return []fold.Delta{{Kind: fold.AgentNew, ID: c.ID, Agent: agent, Space: c.Head.Space}}
	case change.KindRotate, change.KindGrant, change.KindRevoke, change.KindEndorse, change.KindGuildOpen:
		ds := []fold.Delta{{Kind: fold.RightsChanged, ID: c.ID, Agent: agent, Space: c.Head.Space}}
		if c.Head.Kind == change.KindRotate {
			ds = append(ds, fold.Delta{Kind: fold.AgentChanged, ID: c.ID, Agent: agent, Space: c.Head.Space})
		}
		if c.Head.Kind == change.KindEndorse {
			ds = append(ds, bounty.Confirmations(c)...)
		}
		for _, e := range n.core.Views.Concerned(c.Head.Space) {
			ds = append(ds, n.entryDeltas(e.ID)...)
		}
		return ds
	default:
		return n.actDeltas(c.ID)
	}
	return nil
}

// actDeltas say how an act stands.
func (n *Reporter) actDeltas(id change.ID) []fold.Delta {
	a, ok := n.core.Views.Act(id)
	if !ok {
		return nil
	}
	return []fold.Delta{{Kind: fold.Acted, ID: id, Agent: a.Agent, Space: a.Space, Target: a.Target, Act: a.Kind, Gone: a.Retracted}}
}

// entryDeltas say how an entry stands.
func (n *Reporter) entryDeltas(id change.ID) []fold.Delta {
	e, ok := n.core.Views.Entry(id)
	if !ok {
		return nil
	}
	kind := fold.EntryHidden
	if e.State == fold.Live {
		kind = fold.EntryNew
	}
	return []fold.Delta{{Kind: kind, ID: id, Agent: e.Agent, Space: e.Space}}
}

// EntryStands reports whether an entry, by its public id, is shown in the views.
// Unlike Entry it asks no detector.
func (n *Reporter) EntryStands(id string) bool {
	cid, err := change.ParseID(change.PrefixEntry, id)
	if err != nil {
		return false
	}
	e, ok := n.core.Views.Entry(cid)
	return ok && e.State == fold.Live
}
