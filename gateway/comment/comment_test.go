package comment_test

import (
	"context"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/view"
)

// node has entries and what was said of them.
type node struct {
	accesstest.Detector
	entries  map[change.ID]view.Entry
	comments []view.Comment
	votes    map[change.ID]int
	labels   []view.Label
	held     map[change.ID]bool // entries that the next label hides
}

var _ comment.Node = (*node)(nil)

func (n *node) Entry(_ context.Context, id change.ID) (view.Entry, error) {
	if e, ok := n.entries[id]; ok && (!n.held[id] || len(n.labels) == 0) {
		return e, nil
	}
	return view.Entry{}, reason.Refuse(reason.EntryNotFound, "no such entry")
}

func (n *node) Comment(_ context.Context, agent change.AgentID, entry change.ID, c view.NewComment) (view.Comment, error) {
	x := view.Comment{ID: change.ID{byte(len(n.comments) + 1)}, Target: entry, Parent: c.Parent, Agent: view.AgentRef{ID: agent, Name: "ada"}, Text: c.Text}
	n.comments = append(n.comments, x)
	return x, nil
}

func (n *node) Comments(context.Context, change.ID) ([]view.Comment, error) {
	out := make([]view.Comment, len(n.comments))
	for i, c := range n.comments {
		c.Text = ""
		out[i] = c
	}
	return out, nil
}

func (n *node) Words(_ context.Context, of []view.Comment) ([]view.Comment, error) {
	for i, c := range of {
		of[i].Text = n.comments[c.ID[0]-1].Text
	}
	return of, nil
}

func (n *node) FindComment(_ context.Context, id change.ID) (view.Comment, error) {
	for _, c := range n.comments {
		if c.ID == id {
			return c, nil
		}
	}
	return view.Comment{}, reason.Refuse(reason.NotFound, "no such comment")
}

func (n *node) DeleteComment(ctx context.Context, agent change.AgentID, id change.ID) error {
	c, err := n.FindComment(ctx, id)
	if err != nil {
		return err
	}
	if c.Agent.ID != agent {
		return reason.Refuse(reason.NotOwner, "it is another's")
	}
	n.comments[id[0]-1].Deleted = true
	return nil
}

func (n *node) Vote(_ context.Context, _ change.AgentID, target change.ID, value int) (view.Votes, error) {
	n.votes[target] = value
	return view.Votes{Up: 3, Down: 1, Mine: value}, nil
}

func (n *node) Label(_ context.Context, agent change.AgentID, _ change.ID, value, _ string) error {
	n.labels = append(n.labels, view.Label{Value: value, By: view.AgentRef{ID: agent}})
	return nil
}

func (n *node) Labels(change.ID) []view.Label { return n.labels }

type bench struct {
	*accesstest.Bench
	*comment.Service
	node    *node
	ada, bo call.Caller
	entry   string // by bo
}

func newBench(t *testing.T) *bench {
	b := &bench{Bench: accesstest.New(t), node: &node{entries: map[change.ID]view.Entry{}, votes: map[change.ID]int{}, held: map[change.ID]bool{}}}
	b.Service = comment.New(b.node, b.Access, b.Pages)
	b.ada = accesstest.As(b.AddAgent("ada").ID)
	bo := b.AddAgent("bo")
	b.bo = accesstest.As(bo.ID)
	id := change.ID{99}
	b.node.entries[id] = view.Entry{ID: id, Agent: bo.AgentRef}
	b.entry = id.Text(change.PrefixEntry)
	return b
}

func (b *bench) say(t *testing.T, raw string) (*comment.CommentReply, error) {
	t.Helper()
	return b.WriteComment(t.Context(), b.ada, b.entry, accesstest.Request(t, comment.CommentForm, raw), "")
}

func (b *bench) list(t *testing.T, who call.Caller) []comment.Comment {
	t.Helper()
	got, err := b.Comments(t.Context(), who, b.entry, accesstest.Request(t, comment.CommentsForm, `{}`))
	accesstest.Must(t, err)
	return got.Comments
}

// Who has no key sees that something was said, and neither what nor by whom.
func TestWordsNeedAKey(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if _, err := b.say(t, `{"content": "  It holds.  "}`); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		who         call.Caller
		words, name string
	}{
		"a key":                 {b.bo, "It holds.", "ada"},
		"nobody":                {call.Caller{}, "[comment: full text needs an API key]", call.UnknownAuthor},
		"a key that only pays":  {accesstest.As(b.AddAgent("cy").ID, state.ScopePay), "[comment: full text needs an API key]", call.UnknownAuthor},
		"the owner of the node": {accesstest.Owner(), "It holds.", "ada"},
	} {
		got := b.list(t, c.who)
		if len(got) != 1 || got[0].Content != c.words || got[0].AuthorName != c.name || (got[0].AuthorID != nil) != (c.name == "ada") {
			t.Errorf("%s sees %+v", what, got)
		}
	}
}

// What was deleted keeps its place without words while an answer hangs on it, and goes with it.
func TestDeletedCommentsKeepTheirPlace(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first, err := b.say(t, `{"content": "First."}`)
	accesstest.Must(t, err)
	second, err := b.say(t, `{"content": "Second.", "parent_id": "`+first.Comment.ID+`"}`)
	accesstest.Must(t, err)
	if _, err := b.DeleteComment(t.Context(), b.ada, first.Comment.ID); err != nil {
		t.Fatal(err)
	}
	got := b.list(t, b.bo)
	if len(got) != 2 || !got[1].Deleted || got[1].Content != "" || got[1].AuthorID != nil || got[0].Content != "Second." {
		t.Errorf("with an answer: %+v", got)
	}
	if _, err := b.DeleteComment(t.Context(), b.ada, second.Comment.ID); err != nil {
		t.Fatal(err)
	}
	if got := b.list(t, b.bo); len(got) != 0 {
		t.Errorf("without one: %+v", got)
	}
}

func TestCommentsAreJudged(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for raw, want := range map[string]reason.Code{
		`{"content": "` + strings.Repeat("ü", 2000) + `"}`: "",
		`{"content": "   "}`:                              reason.ValidationFailed,
		`{"content": "It is ` + accesstest.Secret + `."}`: reason.SecretDetected,
		`{"content": "Yes.", "parent_id": "cmt_none"}`:    reason.UnknownReference,
	} {
		if _, err := b.say(t, raw); reason.Of(err) != want {
			t.Errorf("%.40s: %v, want %q", raw, err, want)
		}
	}
	if _, err := comment.CommentForm.FromJSON([]byte(`{"content": "` + strings.Repeat("ü", 2001) + `"}`)); reason.Of(err) != reason.ValidationFailed {
		t.Errorf("2001 characters: %v", err)
	}
	for what, who := range map[reason.Code]call.Caller{reason.AuthRequired: {}, reason.ScopeMissing: accesstest.As(b.AddAgent("cy").ID, state.ScopeRead)} {
		_, err := b.WriteComment(t.Context(), who, b.entry, accesstest.Request(t, comment.CommentForm, `{"content": "Yes."}`), "")
		accesstest.Refused(t, "a comment", err, what)
		_, err = b.Vote(t.Context(), who, b.entry, accesstest.Request(t, comment.VoteForm, `{}`))
		accesstest.Refused(t, "a vote", err, what)
	}
}

func TestVotes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	said, err := b.say(t, `{"content": "First."}`)
	accesstest.Must(t, err)
	for raw, want := range map[string]int{`{}`: 1, `{"value": -1}`: -1, `{"value": 0}`: 0} {
		got, err := b.Vote(t.Context(), b.ada, b.entry, accesstest.Request(t, comment.VoteForm, raw))
		if err != nil || got.MyVote != want || got.VoteCount != 2 {
			t.Errorf("%s: %+v, %v", raw, got, err)
		}
	}
	if _, err := b.VoteComment(t.Context(), b.bo, said.Comment.ID, accesstest.Request(t, comment.VoteForm, `{}`)); err != nil {
		t.Error(err)
	}
	_, err = b.VoteComment(t.Context(), b.bo, change.ID{8}.Text(change.PrefixComment), accesstest.Request(t, comment.VoteForm, `{}`))
	accesstest.Refused(t, "no such comment", err, reason.NotFound)
}

// A report is written once, says whether the entry is held back now, and is never of one's own.
func TestReports(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.node.held[change.ID{99}] = true
	_, err := b.Report(t.Context(), b.bo, b.entry, accesstest.Request(t, comment.ReportForm, `{"reason": "spam"}`))
	accesstest.Refused(t, "one's own", err, reason.Forbidden)
	_, err = b.Report(t.Context(), b.ada, b.entry, accesstest.Request(t, comment.ReportForm, `{}`))
	accesstest.Refused(t, "without a reason", err, reason.MissingField)
	got, err := b.Report(t.Context(), b.ada, b.entry, accesstest.Request(t, comment.ReportForm, `{"reason": "spam"}`))
	if err != nil || got.Status != "quarantined" || len(b.node.labels) != 1 {
		t.Errorf("that holds it back: %+v, %v, labels %v", got, err, b.node.labels)
	}
	b.node.held[change.ID{99}] = false
	got, err = b.Report(t.Context(), b.ada, b.entry, accesstest.Request(t, comment.ReportForm, `{"reason": "spam"}`))
	if err != nil || got.Status != "received" || len(b.node.labels) != 1 {
		t.Errorf("again: %+v, %v, labels %v", got, err, b.node.labels)
	}
}
