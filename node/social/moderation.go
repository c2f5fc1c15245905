package social

import (
	"cmp"
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
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/ruling"
	"github.com/meshd/meshd/node/view"
)

// judgement is what this node makes of the labels on something. It is an opinion:
// it decides what is shown and relayed here, and nothing else.
type judgement struct {
	Code   reason.Code // why it is not shown: label_denied or quarantined, or ""
	blur   bool        // its text is shown on demand only
	labels []view.Label
}

// Moderated judges an object by its labels. What stands of the labels of those who
// decide here (package ruling) is done by the policy for its value. Besides, three
// reports by agents that have earned a tier put the object into quarantine until
// somebody who decides has looked at it.
func (n *Social) Moderated(id change.ID, author change.AgentID) judgement {
	var out judgement
	if n.shuns(author) {
		out.Code = reason.LabelDenied
	}
	all := n.labelsNow(id)
	if len(all) == 0 {
		return out
	}
	cfg := n.core.Config().Moderation
	ruled := ruling.Of(all, n.voices(cfg))
	for _, l := range ruled.Standing {
		out.labels = append(out.labels, n.label(l))
		switch policyOf(cfg, l.Value) {
		case config.ModerateHide, config.ModerateRefuse:
			out.Code = reason.LabelDenied
		case config.ModerateBlur:
			out.blur = true
		}
	}
	reporters := map[change.AgentID]bool{}
	for _, l := range ruled.Reports {
		if l.Agent != author && n.weighs(l.Agent) {
			reporters[l.Agent] = true
		}
	}
	if out.Code == "" && len(reporters) >= quarantineReports {
		out.Code = reason.Quarantined
	}
	return out
}

// labelsNow are the labels on an object whose time has come at this node, so that
// no label from a clock that is ahead outlives what answers it.
func (n *Social) labelsNow(id change.ID) []fold.Label {
	all := n.core.Views.Labels(id)
	limit := n.core.VisibleUntil()
	return slices.DeleteFunc(all, func(l fold.Label) bool { return l.HLC >= limit })
}

// voices says whose labels decide here, by one state of the configuration.
func (n *Social) voices(cfg config.Moderation) func(change.AgentID) ruling.Voice {
	var house change.AgentID
	key, own := n.core.Local.Named(core.ServiceKey)
	if own {
		house = change.DeriveAgent(n.core.Judge.Net(), key)
	}
	return func(id change.AgentID) ruling.Voice {
		if own && id == house || slices.Contains(cfg.Admins, id.String()) {
			return ruling.House
		}
		a, ok := n.core.Views.Agent(id)
		if ok && slices.ContainsFunc(a.Keys, func(k did.Key) bool {
			return slices.Contains(cfg.Labelers, k.String()) || n.BlockBook.Followed(k.String())
		}) {
			return ruling.Labeler
		}
		return ruling.Reporter
	}
}

// Moderator reports whether an agent's labels decide here.
func (n *Social) Moderator(id change.AgentID) bool {
	return n.voices(n.core.Config().Moderation)(id) != ruling.Reporter
}

// Admin reports whether the configuration lets an agent use the admin interface.
func (n *Social) Admin(id change.AgentID) bool {
	return slices.Contains(n.core.Config().Moderation.Admins, id.String())
}

// Labels are all labels of a target, whoever gave them, oldest first.
func (n *Social) Labels(target change.ID) []view.Label {
	var out []view.Label
	for _, l := range n.core.Views.Labels(target) {
		out = append(out, n.label(l))
	}
	return out
}

// weighs reports whether a report of an agent counts: it has earned a tier.
func (n *Social) weighs(id change.AgentID) bool {
	s, ok := n.directory.AgentCache.Find(n.directory, id)
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

// NotRelayed reports whether this node does not relay what has these labels.
func (n *Social) NotRelayed(id change.ID) bool {
	all := n.labelsNow(id)
	if len(all) == 0 {
		return false
	}
	cfg := n.core.Config().Moderation
	return slices.ContainsFunc(ruling.Of(all, n.voices(cfg)).Standing, func(l fold.Label) bool {
		return policyOf(cfg, l.Value) == config.ModerateRefuse
	})
}

func (n *Social) label(l fold.Label) view.Label {
	out := view.Label{Value: l.Value, At: time.UnixMilli(int64(l.HLC >> 10)).UTC()}
	if a, ok := n.directory.AgentCache.Find(n.directory, l.Agent); ok {
		out.By = n.core.Ref(a)
	}
	return out
}

// Quarantine lists what this node withholds because of labels and reports, and
// what was reported but is still shown, newest report first.
func (n *Social) Quarantine(ctx context.Context) ([]view.Quarantined, error) {
	var ids []change.ID
	n.core.Views.Labelled(func(id change.ID) bool {
		ids = append(ids, id)
		return true
	})
	var out []view.Quarantined
	for _, id := range ids {
		q, ok, err := n.quarantined(ctx, id)
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

func (n *Social) quarantined(ctx context.Context, id change.ID) (view.Quarantined, bool, error) {
	rec, err := n.core.Log.Get(ctx, id)
	if errors.Is(err, crdtlog.ErrNotFound) {
		return view.Quarantined{}, false, nil
	}
	if err != nil {
		return view.Quarantined{}, false, fmt.Errorf("read what was labelled: %w", err)
	}
	m := rec.Change
	if m.Body == nil || m.Head.Space.Area() == change.AreaTeam || change.LaneOf(m.Head.Kind) == change.Control {
		return view.Quarantined{}, false, nil
	}
	var author change.AgentID
	if e, ok := n.core.Views.Entry(id); ok {
		author = e.Agent
	} else if c, ok := n.core.Views.Comment(id); ok {
		author = c.Agent
	}
	q := view.Quarantined{Target: id, Comment: m.Head.Kind == change.KindComment, Code: n.Moderated(id, author).Code}
	if a, ok := n.directory.AgentCache.Find(n.directory, author); ok {
		q.Agent = n.core.Ref(a)
	}
	// What is shown and was looked at is out of the queue until somebody reports it anew.
	ruled := ruling.Of(n.labelsNow(id), n.voices(n.core.Config().Moderation))
	labels := slices.Concat(ruled.Standing, ruled.Reports)
	slices.SortFunc(labels, func(a, b fold.Label) int {
		return cmp.Or(cmp.Compare(a.HLC, b.HLC), a.ID.Compare(b.ID))
	})
	for _, l := range labels {
		shown := n.label(l)
		r := view.Report{ID: l.ID, Value: l.Value, By: shown.By, At: shown.At, Heavy: n.weighs(l.Agent) || n.Moderator(l.Agent)}
		rec, err := n.core.Log.Get(ctx, l.ID)
		if err != nil {
			return q, false, fmt.Errorf("read report: %w", err)
		}
		if b, err := body.ParseLabel(rec.Change.Body, rec.Change.Head.Parents()); err == nil && len(n.core.Gate.Text("note", b.Why)) == 0 {
			r.Why = b.Why
		}
		q.Reports = append(q.Reports, r)
	}
	return q, len(q.Reports) > 0, nil
}
