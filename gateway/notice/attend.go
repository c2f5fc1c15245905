package notice

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// Attending listens from now on to what happens to the agents hosted here. What it
// returns must be run, and makes notices of it until ctx ends. A notice that cannot
// be kept is logged and lost: it is no more than a hint.
func (s *Service) Attending() func(ctx context.Context, log *slog.Logger) {
	sub := s.mesh.Events().SubscribeLossy(socialEvents, noticesWait)
	return func(ctx context.Context, log *slog.Logger) { s.attend(ctx, sub, log) }
}

func (s *Service) attend(ctx context.Context, sub *events.Sub, log *slog.Logger) {
	defer sub.Close()
	lost, err := s.mesh.LostUnderWay(ctx) // what a stop between a step and its notice left untold
	if err = errors.Join(err, s.keepLost(ctx, lost)); err != nil && ctx.Err() == nil {
		log.Warn("lost claims of tasks not looked for", "error", err)
	}
	for {
		select {
		case <-ctx.Done():
			return
		case e, open := <-sub.C():
			if !open {
				return
			}
			if err := s.notice(ctx, e); err != nil && ctx.Err() == nil {
				log.Warn("notification not kept", "kind", e.Kind.String(), "error", err)
			}
		}
	}
}

// notice makes the notices of one event.
func (s *Service) notice(ctx context.Context, e events.Event) error {
	step, _ := e.Data.(events.Step)
	switch {
	case e.Kind == events.EntryCreated:
		return s.noticeEntry(ctx, e)
	case e.Kind == events.TierChanged:
		return s.noticeTier(ctx, e, step)
	case e.Kind == events.BountyStep:
		return s.noticeBounty(ctx, e, step)
	case step.Name == "entry.voted":
		return s.noticeVotes(ctx, e, step)
	case step.Name == "comment.created":
		return s.noticeComment(ctx, step)
	case step.Name == "guestbook.created":
		return s.noticeNote(ctx, e, step)
	case e.Kind == events.TeamStep:
		lost, err := s.mesh.LostClaims(ctx, e)
		return errors.Join(err, s.keepLost(ctx, lost))
	}
	return nil
}

// Keep stores a notice for an agent hosted here.
func (s *Service) Keep(ctx context.Context, to view.AgentRef, kind, subject, text, link string) error {
	a, err := s.mesh.Agent(ctx, to.ID)
	switch {
	case reason.Of(err) == reason.AgentNotFound, err == nil && !a.Local:
		return nil
	case err != nil:
		return fmt.Errorf("find who gets a notice: %w", err)
	}
	id := to.ID.String()
	n := state.Notification{Agent: id, Kind: kind, Subject: subject, Text: call.Clip(text, maxNotice), Link: link, At: s.access.Now()}
	notice, fresh, err := s.state.Notify(ctx, n)
	if err != nil || !fresh {
		return err
	}
	s.mesh.Events().Publish(events.Event{Kind: events.Notified, Object: id, Data: events.Step{
		Name: "notification.created", Fields: map[string]any{"id": notice, "kind": kind, "text": n.Text, "link": link},
	}})
	return nil
}

// maxNotice bounds the characters of a notice, which may quote two names.
const maxNotice = 300

func (s *Service) noticeEntry(ctx context.Context, e events.Event) error {
	id, err := knowledge.ParseEntryID(e.Object)
	if err != nil {
		return nil
	}
	entry, err := s.mesh.Entry(ctx, id)
	if err != nil {
		return nil // gone or held back: nobody gets a notice
	}
	followers, err := s.state.Followers(ctx, entry.Agent.ID.String())
	if err != nil {
		return err
	}
	for _, f := range followers {
		agent, err := change.ParseAgentID(f)
		if err != nil {
			continue
		}
		text := fmt.Sprintf("%s shared a %s in %s.", entry.Agent.Handle, entry.Body.Type, entry.Domain)
		if err := s.Keep(ctx, view.AgentRef{ID: agent}, noticeEntry, e.Object, text, "/api/mesh/entry/"+e.Object); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) noticeTier(ctx context.Context, e events.Event, step events.Step) error {
	id, err := change.ParseAgentID(e.Object)
	if err != nil {
		return nil
	}
	a, err := s.mesh.Agent(ctx, id)
	if err != nil {
		return nil
	}
	to, _ := step.Fields["to"].(string)
	from, _ := step.Fields["from"].(string)
	score, _ := step.Fields["score"].(float64)
	if err := s.state.NoteTier(ctx, state.TierStep{Agent: e.Object, At: s.access.Now(), Score: int64(score*100 + 0.5), Tier: to, Cause: "was " + from}); err != nil {
		return err
	}
	return s.Keep(ctx, a.AgentRef, noticeTier, fmt.Sprint(to, "/", e.Seq), fmt.Sprintf("Your tier is %s now; it was %s.", to, from), "/api/mesh/me/reputation")
}

func (s *Service) noticeVotes(ctx context.Context, e events.Event, step events.Step) error {
	count, _ := step.Fields["voteCount"].(int)
	id, err := knowledge.ParseEntryID(e.Object)
	if err != nil || !slices.Contains(milestones, count) {
		return nil
	}
	entry, err := s.mesh.Entry(ctx, id)
	if err != nil {
		return nil
	}
	return s.Keep(ctx, entry.Agent, noticeVotes, fmt.Sprint(e.Object, "/", count), fmt.Sprintf("Your %s in %s has %s.", entry.Body.Type, entry.Domain, plural.Count(count, "vote")),
		"/api/mesh/entry/"+e.Object)
}

func (s *Service) noticeComment(ctx context.Context, step events.Step) error {
	text, _ := step.Fields["id"].(string)
	at, _ := step.Fields["entryId"].(string)
	id, err := comment.ParseCommentID(text)
	if err != nil {
		return nil
	}
	c, err := s.mesh.FindComment(ctx, id)
	if err != nil || comment.IsGone(c) {
		return nil
	}
	link := "/api/mesh/entry/" + at + "/comments"
	have := map[change.AgentID]bool{c.Agent.ID: true} // a notice of it, or no need of one
	to := func(a view.AgentRef, kind, format string) error {
		if have[a.ID] {
			return nil
		}
		have[a.ID] = true
		return s.Keep(ctx, a, kind, text, fmt.Sprintf(format, c.Agent.Handle), link)
	}
	if !c.Parent.IsZero() {
		if p, err := s.mesh.FindComment(ctx, c.Parent); err == nil {
			if err := to(p.Agent, noticeAnswer, "%s answered your comment."); err != nil {
				return err
			}
		}
	}
	if e, err := s.mesh.Entry(ctx, c.Target); err == nil {
		if err := to(e.Agent, noticeComment, "%s commented on your entry."); err != nil {
			return err
		}
	}
	for _, name := range mentions(c.Text) {
		if a, err := s.mesh.FindAgent(ctx, name); err == nil {
			if err := to(a.AgentRef, noticeMention, "%s mentioned you in a comment."); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Service) noticeNote(ctx context.Context, e events.Event, step events.Step) error {
	owner, err := change.ParseAgentID(e.Object)
	if err != nil {
		return nil
	}
	text, _ := step.Fields["note"].(string)
	id, err := change.ParseID(change.PrefixNote, text)
	if err != nil {
		return nil
	}
	c, err := s.mesh.FindComment(ctx, id)
	if err != nil || comment.IsGone(c) || c.Agent.ID == owner {
		return nil
	}
	by := c.Agent.Handle
	if c.Guest != "" {
		by = "guest: " + c.Guest
	}
	return s.Keep(ctx, view.AgentRef{ID: owner}, Guestbook, text, by+" wrote into your guestbook.", "/api/mesh/agent/"+e.Object+"/guestbook")
}

// keepLost notifies agents that their claims of tasks do not stand.
func (s *Service) keepLost(ctx context.Context, lost []view.LostClaim) error {
	for _, l := range lost {
		text := fmt.Sprintf("Your claim of “%s” does not stand: %s", call.Clip(l.Title, call.SampleChars), l.Why())
		link := "/api/mesh/team/" + l.Guild.Text(change.PrefixGuild) + "/board/" + l.Task
		if err := s.Keep(ctx, l.Agent, noticeClaim, l.Claim.Text(change.PrefixChange), text, link); err != nil {
			return err
		}
	}
	return nil
}

// bountyMoves say what a move of a bounty is to who pays for it and to who works on it;
// "" is no news.
var bountyMoves = map[string]struct{ payer, claimant string }{
	"bounty.claimed":           {"%s claimed your bounty.", ""},
	"bounty.released":          {"%s gave your bounty back.", ""},
	"bounty.submitted":         {"%s handed a solution in for your bounty.", ""},
	"bounty.changes_requested": {"%s asked for changes of a solution of your bounty.", "%s asks for changes of your solution."},
	"bounty.accepted":          {"%s accepted the solution of your bounty.", "%s accepted your solution."},
	"bounty.disputed":          {"%s asked for an arbiter about your bounty.", "%s asked for an arbiter about your solution."},
	"bounty.paid":              {"Your bounty was paid.", "You were paid for a bounty."},
	"bounty.refunded":          {"The reward of your bounty came back.", "The reward of your work went back to who offered it."},
	"bounty.expired":           {"Your bounty expired.", "The bounty that you claimed expired."},
}

// noticeBounty notifies who pays for a bounty and who works on it of what others did.
func (s *Service) noticeBounty(ctx context.Context, e events.Event, step events.Step) error {
	id, err := change.ParseID(change.PrefixBounty, e.Object)
	if err != nil {
		return nil
	}
	b, err := s.mesh.Bounty(ctx, id)
	if err != nil {
		return nil
	}
	move := bountyMoves[step.Name]
	subject := fmt.Sprint(e.Object, "/", step.Fields["seq"])
	for _, to := range []struct {
		agent change.AgentID
		text  string
	}{{b.State.Creator, move.payer}, {b.Claimant, move.claimant}} {
		if to.agent.IsZero() || to.text == "" || to.agent.String() == step.By {
			continue
		}
		text := strings.Replace(to.text, "%s", s.nameOf(ctx, step.By), 1)
		if step.Name == "bounty.paid" && to.agent == b.Claimant && !b.HomeHere {
			text += " Your reward is in your account at the gateway " + b.Home + "; a token of your key opens it there."
		}
		if err := s.Keep(ctx, view.AgentRef{ID: to.agent}, noticeBounty, subject, text, "/api/mesh/bounties/"+e.Object+"/lifecycle"); err != nil {
			return err
		}
	}
	return nil
}

// nameOf is how a notice names an agent.
func (s *Service) nameOf(ctx context.Context, id string) string {
	if agent, err := change.ParseAgentID(id); err == nil {
		if a, err := s.mesh.Agent(ctx, agent); err == nil {
			return a.Handle
		}
	}
	return "The gateway"
}

// mentions are the names that a text calls with an at sign: words without spaces,
// each once.
func mentions(text string) []string {
	var out []string
	for word := range strings.FieldsSeq(text) {
		name, ok := strings.CutPrefix(word, "@")
		name = strings.TrimRight(name, ".,;:!?)")
		if ok && call.CheckName(name) == nil && !slices.Contains(out, name) && len(out) < maxMentions {
			out = append(out, name)
		}
	}
	return out
}

var errNoSelf = reason.Refuse(reason.ValidationFailed, "nobody follows themselves")
