package mail

import (
	"context"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/view"
)

// SendMessage writes a message of a member to its team, or sealed to one other
// member. The refusal of a recipient without a key to seal for is
// proof_required.
func (n *Mail) SendMessage(ctx context.Context, from change.AgentID, guild change.ID, m view.NewMessage) (view.Message, error) {
	space := change.TeamSpace(guild)
	b := body.Message{Type: m.Type, Text: m.Text, Subject: m.Subject, Task: m.Task, To: m.To, Reply: m.Reply}
	if !m.To.IsZero() {
		if !n.core.IsMember(guild, m.To) {
			return view.Message{}, reason.Refuse(reason.AgentNotFound, "the agent is no member of the team")
		}
		var err error
		if b.Sealed, err = n.seal(ctx, space, from, m.To, letter{m.Subject, m.Text}); err != nil {
			return view.Message{}, err
		}
		b.Text, b.Subject = "", ""
	}
	if !m.Reply.IsZero() {
		if a, ok := n.core.Views.Act(m.Reply); !ok || a.Kind != change.KindMessage || a.Space != space {
			return view.Message{}, reason.Refuse(reason.UnknownReference, "the message that is answered is not known here")
		}
	}
	enc, err := b.Encode()
	if err != nil {
		return view.Message{}, reason.Refuse(reason.BadEncoding, "%v", err)
	}
	w := ingest.Write{Space: space, Kind: change.KindMessage, Body: enc}
	if !m.Reply.IsZero() {
		w.Deps = []change.ID{m.Reply} // an answer stands after what it answers
	}
	if m.IdempotencyKey != "" {
		w.Mark = from.String() + "/" + m.IdempotencyKey
	}
	rec, err := n.writing.Write(ctx, from, w)
	if err != nil {
		return view.Message{}, err
	}
	a, ok := n.core.Views.Act(rec.Change.ID)
	if !ok {
		return view.Message{}, reason.Refuse(reason.Revoked, "the right to write here has just ended")
	}
	out, _ := n.message(ctx, a, from)
	return out, nil
}

// message reads the text of a message for an agent; ok is false when it is not
// for that agent or its body is not here.
func (n *Mail) message(ctx context.Context, a fold.Act, reader change.AgentID) (view.Message, bool) {
	rec, err := n.core.Log.Get(ctx, a.ID)
	if err != nil || rec.Change.Body == nil {
		return view.Message{}, false
	}
	b, err := body.ParseMessage(rec.Change.Body)
	if err != nil || !b.To.IsZero() && reader != b.To && reader != a.Agent {
		return view.Message{}, false
	}
	m := view.Message{
		ID: a.ID, HLC: a.HLC, From: n.directory.AgentRef(a.Agent), To: b.To, Type: b.Type, Subject: b.Subject, Text: b.Text, Task: b.Task, Reply: b.Reply,
		CreatedAt: core.TimeOf(a.HLC),
	}
	if b.Sealed != nil {
		l, ok := n.unseal(a.Space, a, b.To, reader, b.Sealed)
		m.Subject, m.Text, m.Locked = l.Subject, l.Text, !ok
	}
	return m, true
}

// Messages lists the messages of a team that an agent may read, newest first:
// those to the team, and those to it or from it.
func (n *Mail) Messages(ctx context.Context, guild change.ID, q view.MessageQuery) (view.MessagePage, error) {
	var page view.MessagePage
	var place fold.MessagePlace
	switch {
	case q.After != nil:
		place = fold.MessagePlace{HLC: q.After.HLC, ID: q.After.ID}
	case !q.Before.IsZero():
		place.HLC = uint64(max(1, q.Before.UnixMilli())) << 10
	}
	since, most := uint64(0), n.core.VisibleUntil()
	if !q.Since.IsZero() {
		since = uint64(max(0, q.Since.UnixMilli())) << 10
	}
	for {
		found := n.messagesBefore(guild, place, since, q.Reader)
		for _, a := range found {
			place = fold.MessagePlace{HLC: a.HLC, ID: a.ID}
			m, ok := n.message(ctx, a, q.Reader)
			if !ok || a.HLC >= most || q.Type != "" && m.Type != q.Type || q.Task != "" && m.Task != q.Task {
				continue
			}
			if len(page.Messages) == q.Limit {
				last := page.Messages[q.Limit-1]
				page.Next = &view.EntryPlace{HLC: last.HLC, ID: last.ID}
				return page, nil
			}
			page.Messages = append(page.Messages, m)
		}
		if len(found) < messageBatch || ctx.Err() != nil {
			return page, ctx.Err()
		}
	}
}

// messagesBefore are the next messages that a reader may see, without their
// texts.
func (n *Mail) messagesBefore(guild change.ID, place fold.MessagePlace, since uint64, reader change.AgentID) []fold.Act {
	var out []fold.Act
	n.core.Views.Messages(guild, place, func(a fold.Act, to change.AgentID) bool {
		if a.HLC < since {
			return false
		}
		if to.IsZero() || to == reader || a.Agent == reader {
			out = append(out, a)
		}
		return len(out) < messageBatch
	})
	return out
}

// Unread counts the messages of others that came after one, at most 1000.
func (n *Mail) Unread(_ context.Context, guild change.ID, reader change.AgentID, after uint64) (count int) {
	n.core.Views.Messages(guild, fold.MessagePlace{}, func(a fold.Act, to change.AgentID) bool {
		if a.HLC <= after || count >= maxUnread {
			return false
		}
		if a.Agent != reader && (to.IsZero() || to == reader) {
			count++
		}
		return true
	})
	return count
}

// MessagePlace is the logical time of a message of a team, or not_found.
func (n *Mail) MessagePlace(_ context.Context, guild, id change.ID) (uint64, error) {
	a, ok := n.core.Views.Act(id)
	if !ok || a.Kind != change.KindMessage || a.Space != change.TeamSpace(guild) {
		return 0, reason.Refuse(reason.NotFound, "no such message")
	}
	return a.HLC, nil
}
