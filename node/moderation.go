package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/view"
)

// judgement is what this node makes of the labels on something. It is an opinion:
// it decides what is shown and relayed here, and nothing else.
type judgement struct {
	code   reason.Code // why it is not shown: label_denied or quarantined, or ""
	blur   bool        // its text is shown on demand only
	labels []view.Label
}

// moderated judges an object by its labels. Labelers this node follows decide by
// the policy for the value they gave; their latest word counts, and dismissed
// takes theirs back. Where they are silent, three reports by agents that have
// earned a tier, or one by a moderator, put it into quarantine until a moderator
// decides. What was decided before a report does not decide about it.
func (n *Node) moderated(id change.ID, author change.AgentID) judgement {
	all := n.views.Labels(id)
	if len(all) == 0 {
		return judgement{}
	}
	cfg := n.Config().Moderation
	var out judgement
	standing := map[change.AgentID][]fold.Label{}
	var decided uint64 // hlc up to which a moderator said that it may stay
	for _, l := range all {
		if l.Forked || !n.moderator(cfg, l.Agent) {
			continue
		}
		switch l.Value {
		case body.LabelDismissed:
			delete(standing, l.Agent)
			decided = l.HLC
		default:
			standing[l.Agent] = append(standing[l.Agent], l)
		}
	}
	reporters := map[change.AgentID]bool{}
	for _, l := range all {
		if l.Forked || l.Value == body.LabelDismissed {
			continue
		}
		if ours := standing[l.Agent]; slices.ContainsFunc(ours, func(o fold.Label) bool { return o.ID == l.ID }) {
			out.labels = append(out.labels, n.label(l))
			switch policyOf(cfg, l.Value) {
			case config.ModerateHide, config.ModerateRefuse:
				out.code = reason.LabelDenied
			case config.ModerateBlur:
				out.blur = true
			}
			continue
		}
		if l.HLC > decided && l.Agent != author && l.Value != body.LabelUpheld && n.weighs(l.Agent) {
			reporters[l.Agent] = true
		}
	}
	if out.code == "" && len(reporters) >= quarantineReports {
		out.code = reason.Quarantined
	}
	return out
}

// moderator reports whether this node lets an agent decide about what it shows.
func (n *Node) moderator(cfg config.Moderation, id change.AgentID) bool {
	if key, ok := n.local.named(serviceKey); ok && id == change.DeriveAgent(n.judge.Net(), key) {
		return true
	}
	if slices.Contains(cfg.Admins, id.String()) {
		return true
	}
	a, ok := n.views.Agent(id)
	return ok && slices.ContainsFunc(a.Keys, func(k did.Key) bool { return slices.Contains(cfg.Labelers, k.String()) })
}

// Admin reports whether the configuration lets an agent use the admin interface.
func (n *Node) Admin(id change.AgentID) bool {
	return slices.Contains(n.Config().Moderation.Admins, id.String())
}

// Labels are all labels of a target, whoever gave them, oldest first.
func (n *Node) Labels(target change.ID) []view.Label {
	var out []view.Label
	for _, l := range n.views.Labels(target) {
		out = append(out, n.label(l))
	}
	return out
}

// weighs reports whether a report of an agent counts: it has earned a tier.
func (n *Node) weighs(id change.AgentID) bool {
	s, ok := n.agents.find(n, id)
	return ok && s.Reputation.Tier != fold.Tier(0)
}

// policyOf is what to do about a label of a labeler.
func policyOf(cfg config.Moderation, value string) string {
	switch value {
	case body.LabelSpam:
		return cfg.Spam
	case body.LabelSecret:
		return cfg.Secret
	case body.LabelFabricated:
		return cfg.Fabricated
	case body.LabelAbuse:
		return cfg.Abuse
	case body.LabelDuplicate:
		return cfg.Duplicate
	case body.LabelUpheld: // the reports were right
		return config.ModerateHide
	}
	return config.ModerateNone
}

// refused reports whether this node does not relay what has these labels.
func (n *Node) refused(id change.ID) bool {
	cfg := n.Config().Moderation
	for _, l := range n.views.Labels(id) {
		if policyOf(cfg, l.Value) == config.ModerateRefuse && n.moderator(cfg, l.Agent) {
			return true
		}
	}
	return false
}

func (n *Node) label(l fold.Label) view.Label {
	out := view.Label{Value: l.Value, At: time.UnixMilli(int64(l.HLC >> 10)).UTC()}
	if a, ok := n.agents.find(n, l.Agent); ok {
		out.By = n.ref(a)
	}
	return out
}

// Quarantine lists what this node holds back because of labels and reports, and
// what was reported but is still shown, newest report first.
func (n *Node) Quarantine(ctx context.Context) ([]view.Quarantined, error) {
	var ids []change.ID
	n.views.Labelled(func(id change.ID) bool {
		ids = append(ids, id)
		return true
	})
	cfg := n.Config().Moderation
	var out []view.Quarantined
	for _, id := range ids {
		q, ok, err := n.quarantined(ctx, cfg, id)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, q)
		}
	}
	slices.SortFunc(out, func(a, b view.Quarantined) int {
		if c := b.Reports[len(b.Reports)-1].At.Compare(a.Reports[len(a.Reports)-1].At); c != 0 {
			return c
		}
		return a.Target.Compare(b.Target)
	})
	return out, nil
}

func (n *Node) quarantined(ctx context.Context, cfg config.Moderation, id change.ID) (view.Quarantined, bool, error) {
	rec, err := n.log.Get(ctx, id)
	if errors.Is(err, crdtlog.ErrNotFound) {
		return view.Quarantined{}, false, nil
	}
	if err != nil {
		return view.Quarantined{}, false, fmt.Errorf("read what was labelled: %w", err)
	}
	m := rec.Change
	if m.Body == nil || m.Head.Space.Area() == change.AreaTeam {
		return view.Quarantined{}, false, nil
	}
	var author change.AgentID
	if e, ok := n.views.Entry(id); ok {
		author = e.Agent
	} else if c, ok := n.views.Comment(id); ok {
		author = c.Agent
	}
	q := view.Quarantined{Target: id, Comment: m.Head.Kind == change.KindComment, Code: n.moderated(id, author).code}
	if a, ok := n.agents.find(n, author); ok {
		q.Agent = n.ref(a)
	}
	var decided uint64
	labels := n.views.Labels(id)
	for _, l := range labels {
		if l.Value == body.LabelDismissed && n.moderator(cfg, l.Agent) {
			decided = l.HLC
		}
	}
	for _, l := range labels {
		if l.Value == body.LabelDismissed || q.Code == "" && l.HLC < decided {
			continue
		}
		shown := n.label(l)
		r := view.Report{ID: l.ID, Value: l.Value, By: shown.By, At: shown.At, Heavy: n.weighs(l.Agent) || n.moderator(cfg, l.Agent)}
		rec, err := n.log.Get(ctx, l.ID)
		if err != nil {
			return q, false, fmt.Errorf("read report: %w", err)
		}
		if b, err := body.ParseLabel(rec.Change.Body, rec.Change.Head.Parents()); err == nil && len(n.gate.Text("note", b.Why)) == 0 {
			r.Why = b.Why
		}
		q.Reports = append(q.Reports, r)
	}
	return q, len(q.Reports) > 0, nil
}
