package social

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/view"
)

// CountsOf are the figures of a list of entries, in its order.
func (n *Social) CountsOf(es []fold.Entry) []fold.EntryCounts {
	ids := make([]change.ID, len(es))
	for i := range es {
		ids[i] = es[i].ID
	}
	return n.core.Views.EntryCounts(ids...)
}

// AddCounts adds what others made of an entry.
func (n *Social) AddCounts(e *view.Entry) {
	e.Counts = n.core.Views.EntryCounts(e.ID)[0]
	v := n.Moderated(e.ID, e.Agent.ID)
	e.Labels, e.Blurred = v.labels, v.blur
}

// Votes are the votes about a target as an agent sees them.
func (n *Social) Votes(target change.ID, agent change.AgentID) view.Votes {
	up, down := n.core.Views.Votes(target)
	return view.Votes{Up: up, Down: down, Mine: n.core.Views.VoteOf(target, agent)}
}

// Answered is the comment that an answer is to, among those about an entry.
func (n *Social) Answered(entry, parent change.ID) (fold.Comment, error) {
	for _, p := range n.core.Views.Comments(entry) {
		switch {
		case p.ID != parent:
		case p.Depth == body.MaxCommentDepth:
			return p, reason.Refuse(reason.TooDeep, "comments go %d levels deep", body.MaxCommentDepth).
				With(map[string]any{"max": body.MaxCommentDepth})
		case p.Deleted:
			return p, reason.Refuse(reason.Retracted, "the comment to answer was withdrawn")
		default:
			return p, nil
		}
	}
	return fold.Comment{}, reason.Refuse(reason.UnknownReference, "no such comment on this entry").
		With(map[string]any{"id": parent.Text(change.PrefixComment)})
}

// WriteComment signs and stores a comment of an agent hosted here on a target of a space. It
// does not look whether the target stands.
func (n *Social) WriteComment(ctx context.Context, agent change.AgentID, space change.Space, target change.ID, c view.NewComment) (view.Comment, error) {
	enc, err := body.Comment{Target: target, Parent: c.Parent, Text: c.Text, Mood: c.Mood, Guest: c.Guest}.Encode()
	if err != nil {
		return view.Comment{}, reason.Refuse(reason.BadEncoding, "%v", err)
	}
	w := ingest.Write{Space: space, Kind: change.KindComment, Body: enc, Deps: []change.ID{target}}
	if !c.Parent.IsZero() {
		w.Deps = append(w.Deps, c.Parent) // so that an answer stands above what it answers in time
	}
	if c.Mark != "" {
		w.Mark = agent.String() + "/" + c.Mark
	}
	rec, err := n.writing.Write(ctx, agent, w)
	if err != nil {
		return view.Comment{}, err
	}
	n.Judged.Put(rec.Change.ID, "") // written here, the detectors came first
	return n.FindComment(ctx, rec.Change.ID)
}

// FindComment returns a comment or guestbook note that stands, or not_found.
func (n *Social) FindComment(ctx context.Context, id change.ID) (view.Comment, error) {
	c, ok := n.core.Views.Comment(id)
	if !ok {
		rec, err := n.core.Log.Get(ctx, id)
		if err == nil && rec.Change.Head.Kind == change.KindComment && rec.State == crdtlog.Purged {
			return view.Comment{}, reason.Refuse(reason.Purged, "the comment was removed from this node for good")
		}
		return view.Comment{}, reason.Refuse(reason.NotFound, "no such comment")
	}
	return n.ShowComment(ctx, c)
}

// Comments are those about an entry or in the guestbook of an agent, whose genesis
// is then the target: oldest first, all without their words, so that a long list
// costs what its index costs. Words gives those of the ones that are shown.
func (n *Social) Comments(_ context.Context, target change.ID) ([]view.Comment, error) {
	all := n.core.Views.Comments(target)
	out := make([]view.Comment, 0, len(all))
	for _, c := range all {
		shown := n.describeComment(c)
		shown.Held = n.heldUnread(c)
		out = append(out, shown)
	}
	return out, nil
}

// Words returns comments with their text, those that are deleted or held back
// without it.
func (n *Social) Words(ctx context.Context, of []view.Comment) ([]view.Comment, error) {
	out := make([]view.Comment, 0, len(of))
	for _, x := range of {
		c, ok := n.core.Views.Comment(x.ID)
		if !ok { // it was taken back a moment ago
			x.Deleted = true
			out = append(out, x)
			continue
		}
		shown, err := n.ShowComment(ctx, c)
		if err != nil {
			return nil, err
		}
		out = append(out, shown)
	}
	return out, nil
}

func (n *Social) describeComment(c fold.Comment) view.Comment {
	out := view.Comment{
		ID: c.ID, Target: c.Target, Parent: c.Parent, Depth: c.Depth, CreatedAt: time.UnixMilli(int64(c.HLC >> 10)).UTC(),
		Deleted: c.Deleted, Approved: c.Approved, Up: c.Up, Down: c.Down,
	}
	if a, ok := n.directory.AgentCache.Find(n.directory, c.Agent); ok {
		out.Agent = n.core.Ref(a)
	}
	return out
}

// ShowComment is a comment with its text, or without it where it is deleted, or held
// back for the reason in Held.
func (n *Social) ShowComment(ctx context.Context, c fold.Comment) (view.Comment, error) {
	out := n.describeComment(c)
	rec, err := n.core.Log.Get(ctx, c.ID)
	if err != nil {
		return out, fmt.Errorf("read comment: %w", err)
	}
	if rec.Change.Body == nil { // it was purged a moment ago
		out.Deleted = true
		return out, nil
	}
	b, err := body.ParseComment(rec.Change.Body, c.Space, rec.Change.Head.Parents())
	if err != nil {
		return out, fmt.Errorf("read comment: %w", err)
	}
	out.Guest = b.Guest
	if out.Held = n.heldComment(c, b); out.Held == "" && !c.Deleted {
		out.Text, out.Mood = b.Text, b.Mood
	}
	return out, nil
}

// heldUnread is the code for which a comment is not shown, as far as that is known
// without its words.
func (n *Social) heldUnread(c fold.Comment) reason.Code {
	if c.HLC >= n.core.VisibleUntil() {
		return reason.ClockAhead
	}
	if n.core.Admits.Waits(c.ID) {
		return reason.AdmissionRate
	}
	if code, _ := n.Judged.Get(c.ID); code != "" {
		return code
	}
	return n.Moderated(c.ID, c.Agent).Code
}

// heldComment is the code for which this node does not show a comment, or "".
func (n *Social) heldComment(c fold.Comment, b body.Comment) reason.Code {
	if _, looked := n.Judged.Get(c.ID); !looked {
		var code reason.Code
		for _, f := range slices.Concat(n.core.Gate.Text("content", b.Text), n.core.Gate.Text("mood", b.Mood), n.core.Gate.Text("author_name", b.Guest)) {
			code = f.Code
			break
		}
		n.Judged.Put(c.ID, code)
	}
	return n.heldUnread(c)
}

// DeleteComment takes a comment back: its author's by a retract, which in
// another's guestbook and for who owns the thread is a label. Others get
// not_owner.
func (n *Social) DeleteComment(ctx context.Context, agent change.AgentID, id change.ID) error {
	c, ok := n.core.Views.Comment(id)
	if !ok {
		return reason.Refuse(reason.NotFound, "no such comment")
	}
	owner := n.ownerOf(c.Target)
	switch {
	case c.Agent != agent && owner != agent:
		return reason.Refuse(reason.NotOwner, "the comment is another agent's")
	case c.Deleted:
		return reason.Refuse(reason.Retracted, "the comment was withdrawn before")
	case c.Agent != agent || c.Space.Area() == change.AreaAgent && owner != agent:
		return n.Label(ctx, agent, id, body.LabelDismissed, "")
	}
	enc, err := body.Retract{Target: id}.Encode()
	if err != nil {
		return reason.Refuse(reason.BadEncoding, "%v", err)
	}
	_, err = n.writing.Write(ctx, agent, ingest.Write{Space: c.Space, Kind: change.KindEntryRetract, Body: enc, Deps: []change.ID{id}})
	return err
}

// ownerOf is the agent whose entry or guestbook a thread is about.
func (n *Social) ownerOf(target change.ID) change.AgentID {
	if e, ok := n.core.Views.Entry(target); ok {
		return e.Agent
	}
	m, err := n.core.Log.Member(target)
	if err != nil || m == nil {
		return change.AgentID{}
	}
	id, _ := m.Head.Space.Agent()
	return id
}

// Label puts a label of an agent hosted here on an entry, a comment or a note.
func (n *Social) Label(ctx context.Context, agent change.AgentID, target change.ID, value, why string) error {
	m, err := n.core.Log.Member(target)
	if err != nil {
		return fmt.Errorf("read the target: %w", err)
	}
	if m == nil || m.Head.Kind != change.KindEntryPut && m.Head.Kind != change.KindComment || m.Head.Space.Area() == change.AreaTeam {
		return reason.Refuse(reason.NotFound, "nothing of that id can be labelled")
	}
	return n.labelAs(ctx, agent, target, value, why)
}

// labelAs labels an entry, a comment or the beginning of an agent.
func (n *Social) labelAs(ctx context.Context, agent change.AgentID, target change.ID, value, why string) error {
	m, err := n.core.Log.Member(target)
	if err != nil {
		return fmt.Errorf("read the target: %w", err)
	}
	if m == nil {
		return reason.Refuse(reason.NotFound, "nothing of that id can be labelled")
	}
	enc, err := body.Label{Target: target, Value: value, Why: why}.Encode()
	if err != nil {
		return reason.Refuse(reason.BadEncoding, "%v", err)
	}
	_, err = n.writing.Write(ctx, agent, ingest.Write{Space: m.Head.Space, Kind: change.KindLabel, Body: enc, Deps: n.labelParents(target)})
	return err
}

// labelParents are the parents of a label: its target and the latest labels on it, so
// that what it takes back or confirms comes before it in every order, also when
// their author's clock is ahead of ours.
func (n *Social) labelParents(target change.ID) []change.ID {
	deps := []change.ID{target}
	labels := n.labelsNow(target)
	for _, l := range labels[max(0, len(labels)-change.MaxDeps+1):] {
		deps = append(deps, l.ID)
	}
	slices.SortFunc(deps, change.ID.Compare)
	return deps
}

// Genesis is the change that an agent began with: the target of the notes in its
// guestbook.
func (n *Social) Genesis(id change.AgentID) (change.ID, error) {
	a, ok := n.core.Views.Agent(id)
	if !ok {
		return change.ID{}, reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	return n.core.Views.Genesis(a.ID), nil
}

// WriteNote writes into the guestbook of an agent.
func (n *Social) WriteNote(ctx context.Context, by, owner change.AgentID, c view.NewComment) (view.Comment, error) {
	genesis, err := n.Genesis(owner)
	if err != nil {
		return view.Comment{}, err
	}
	return n.WriteComment(ctx, by, owner.Space(), genesis, c)
}

// ApproveNotes has the owner of a guestbook show notes.
func (n *Social) ApproveNotes(ctx context.Context, owner change.AgentID, ids []change.ID) error {
	enc, err := body.Endorse{As: body.Approve, IDs: ids}.Encode()
	if err != nil {
		return reason.Refuse(reason.BadEncoding, "%v", err)
	}
	_, err = n.writing.Write(ctx, owner, ingest.Write{Space: owner.Space(), Kind: change.KindEndorse, Body: enc})
	return err
}

// serviceName is what the agent of a node's own is called.
const serviceName = "gateway"

// ServiceAgent is the agent that this node's gateway writes as: for guests, and
// what it served. It is opened at the first call.
func (n *Social) ServiceAgent(ctx context.Context) (change.AgentID, error) {
	n.core.Service.Lock() // or two first calls open it twice
	defer n.core.Service.Unlock()
	key, ok := n.core.Local.Named(core.ServiceKey)
	if !ok {
		var err error
		if _, key, err = n.core.Local.Create(core.ServiceKey, vault.Agent, n.core.Opt.Rand); err != nil {
			return change.AgentID{}, err
		}
	}
	id := change.DeriveAgent(n.core.Judge.Net(), key)
	if _, ok := n.core.Views.Agent(id); ok {
		return id, nil
	}
	_, _, err := n.writing.OpenAgent(ctx, view.Genesis{KeyName: core.ServiceKey, Name: serviceName, Custody: "self"})
	return id, err
}

// HeldAct is the code for which this node does not relay a comment; other acts
// carry no words that people read at once.
func (n *Social) HeldAct(c *change.Change) reason.Code {
	f, ok := n.core.Views.Comment(c.ID)
	if !ok || c.Body == nil {
		return ""
	}
	b, err := body.ParseComment(c.Body, c.Head.Space, c.Head.Parents())
	if err != nil {
		return ""
	}
	return n.heldComment(f, b)
}
