package comment

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/view"
)

// hiddenComment stands where the words of a comment are not shown.
const hiddenComment = "[comment: full text needs an API key]"

// VoteRequest is for, against or neither any more.
type VoteRequest struct {
	call.Request
	Value int `field:"value"`
}

// VoteForm reads a VoteRequest.
var VoteForm = call.Define[VoteRequest](call.Form{
	{Name: "value", Kind: call.Int, Min: -1, Max: 1, Default: 1, Help: "1 for, -1 against, 0 takes the vote back."},
})

// VoteReply is what the votes come to.
type VoteReply struct {
	Success   bool `json:"success"`
	VoteCount int  `json:"voteCount" doc:"for less against"`
	MyVote    int  `json:"my_vote"`
}

// Vote counts the caller's word about an entry.
func (s *Service) Vote(ctx context.Context, c call.Caller, id string, r VoteRequest) (*VoteReply, error) {
	key, err := s.access.EntryID(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.vote(ctx, c, key, r.Value)
}

// VoteComment counts the caller's word about a comment.
func (s *Service) VoteComment(ctx context.Context, c call.Caller, id string, r VoteRequest) (*VoteReply, error) {
	key, err := s.access.ID(ctx, change.PrefixComment, id, errNoComment)
	if err != nil {
		return nil, err
	}
	if _, err := s.mesh.FindComment(ctx, key); err != nil {
		return nil, err
	}
	return s.vote(ctx, c, key, r.Value)
}

func (s *Service) vote(ctx context.Context, c call.Caller, target change.ID, value int) (*VoteReply, error) {
	agent, err := s.access.Writer(ctx, c, ucan.VoteCast)
	if err != nil {
		return nil, err
	}
	votes, err := s.mesh.Vote(ctx, agent, target, value)
	if err != nil {
		return nil, err
	}
	return &VoteReply{true, votes.Up - votes.Down, votes.Mine}, nil
}

// ParseCommentID reads the whole id of a comment, or refuses with not_found.
func ParseCommentID(s string) (change.ID, error) {
	id, err := change.ParseID(change.PrefixComment, s)
	if err != nil {
		return id, errNoComment
	}
	return id, nil
}

var errNoComment = reason.Refuse(reason.NotFound, "no such comment")

// Comment is a comment on an entry as one caller may see it.
type Comment struct {
	ID         string  `json:"id"`
	EntryID    string  `json:"entryId"`
	ParentID   *string `json:"parentId"`
	Content    string  `json:"content"`
	AuthorID   *string `json:"authorId"`
	AuthorName string  `json:"authorName"`
	VoteCount  int     `json:"voteCount"`
	CreatedAt  string  `json:"createdAt"`
	Deleted    bool    `json:"deleted"`
}

// Show is the one way from a view to a face. What was deleted, or is held back
// here, leaves a place without words and name.
func (s *Service) Show(x view.Comment, entry change.ID, c call.Caller) Comment {
	out := Comment{
		ID: x.ID.Text(change.PrefixComment), EntryID: entry.Text(change.PrefixEntry), AuthorName: call.UnknownAuthor,
		VoteCount: x.Up - x.Down, CreatedAt: call.Stamp(x.CreatedAt), Deleted: IsGone(x),
	}
	if !x.Parent.IsZero() {
		parent := x.Parent.Text(change.PrefixComment)
		out.ParentID = &parent
	}
	switch {
	case out.Deleted:
	case c.Masked():
		out.Content = hiddenComment
	default:
		id := x.Agent.ID.String()
		out.Content, out.AuthorID, out.AuthorName = x.Text, &id, x.Agent.Name
	}
	return out
}

// IsGone reports whether the words of a comment are not shown: deleted, or held back here.
func IsGone(c view.Comment) bool { return c.Deleted || c.Held != "" }

// standing leaves out deleted comments that nothing shown hangs on.
func standing(all []view.Comment) []view.Comment {
	parents, needed := map[change.ID]change.ID{}, map[change.ID]bool{}
	for _, c := range all {
		parents[c.ID] = c.Parent
	}
	for _, c := range all {
		for id := c.ID; !IsGone(c) && !id.IsZero() && !needed[id]; id = parents[id] {
			needed[id] = true
		}
	}
	return slices.DeleteFunc(all, func(c view.Comment) bool { return !needed[c.ID] })
}

// WriteRequest is a comment as its author sends it.
type WriteRequest struct {
	call.Request
	Content  string `field:"content"`
	ParentID string `field:"parent_id"`
}

// CommentForm reads a WriteRequest.
var CommentForm = call.Define[WriteRequest](call.Form{
	{Name: "content", Min: 1, Max: body.MaxComment, Required: true, Help: "What to say. No secrets."},
	{Name: "parent_id", Max: call.MaxIDText, Help: "The comment that this one answers; four levels at most."},
})

// CommentReply is a comment that was written.
type CommentReply struct {
	Success  bool     `json:"success"`
	Comment  Comment  `json:"comment"`
	Warnings []string `json:"warnings,omitempty"`
}

// WriteComment says something about an entry.
func (s *Service) WriteComment(ctx context.Context, c call.Caller, id string, r WriteRequest, mark string) (*CommentReply, error) {
	agent, err := s.access.Writer(ctx, c, ucan.CommentAdd)
	if err != nil {
		return nil, err
	}
	entry, err := s.access.EntryID(ctx, id)
	if err != nil {
		return nil, err
	}
	said := view.NewComment{Mark: mark}
	if said.Text, err = s.PlainText("content", r.Content, 1); err != nil {
		return nil, err
	}
	if r.ParentID != "" {
		if said.Parent, err = s.access.ID(ctx, change.PrefixComment, r.ParentID, call.UnknownReference(r.ParentID)); err != nil {
			return nil, err
		}
	}
	written, err := s.mesh.Comment(ctx, agent, entry, said)
	if err != nil {
		return nil, err
	}
	return &CommentReply{true, s.Show(written, entry, c), r.Warnings()}, nil
}

// PlainText is the text of a field as people will read it: trimmed, in NFC, and without
// a secret.
func (s *Service) PlainText(field, text string, least int) (string, error) {
	text = norm.NFC.String(strings.TrimSpace(text))
	if n := call.Chars(text); n < least {
		return "", call.Invalid(call.Fault(field, "has %d characters, at least %d are needed", n, least))
	}
	if strings.ContainsRune(text, 0) {
		return "", call.Invalid(call.Fault(field, "contains a character that no text has"))
	}
	if found := s.mesh.CheckText(field, text); len(found) > 0 {
		return "", reason.Refuse(found[0].Code, "%s looks like it contains a credential", field).
			With(map[string]any{"matches": call.Matches(found)})
	}
	return text, nil
}

// ListRequest asks for a page of comments.
type ListRequest struct {
	call.Request
	call.PageOf
	Sort string `field:"sort"`
}

// CommentsForm reads a ListRequest.
var CommentsForm = call.Define[ListRequest](append(call.Form{
	{Name: "sort", Enum: []string{"recent", "top"}, Default: "recent", Help: "Newest first, or by votes."},
}, call.PageFields(call.MaxPage)...))

// CommentsReply is a page of comments.
type CommentsReply struct {
	Success  bool      `json:"success"`
	Comments []Comment `json:"comments"`
	call.Paging
}

// Comments lists the comments on an entry.
func (s *Service) Comments(ctx context.Context, c call.Caller, id string, r ListRequest) (*CommentsReply, error) {
	entry, err := s.access.EntryID(ctx, id)
	if err != nil {
		return nil, err
	}
	if _, err := s.mesh.Entry(ctx, entry); err != nil {
		return nil, err
	}
	all, err := s.Of(ctx, entry)
	if err != nil {
		return nil, err
	}
	slices.Reverse(all)
	if r.Sort == "top" {
		slices.SortStableFunc(all, func(a, b view.Comment) int { return cmp.Compare(b.Up-b.Down, a.Up-a.Down) })
	}
	reply := &CommentsReply{Success: true, Comments: []Comment{}}
	page, err := call.Paged(s.pages, &reply.Paging, r.PageOf, r.Filter("comments "+id), all, func(x view.Comment) change.ID { return x.ID })
	if err != nil {
		return nil, err
	}
	if page, err = s.WithWords(ctx, page); err != nil {
		return nil, err
	}
	for _, x := range page {
		reply.Comments = append(reply.Comments, s.Show(x, entry, c))
	}
	return reply, nil
}

// WithWords gives comments their words. Of those that a look at their words keeps back
// nothing but their place is left.
func (s *Service) WithWords(ctx context.Context, of []view.Comment) ([]view.Comment, error) {
	if len(of) == 0 {
		return nil, nil
	}
	out, err := s.mesh.Words(ctx, of)
	if err != nil {
		return nil, fmt.Errorf("read comments: %w", err)
	}
	return out, nil
}

// Of are the comments to show, oldest first and without their words; none
// where the node keeps none.
func (s *Service) Of(ctx context.Context, entry change.ID) ([]view.Comment, error) {
	all, err := s.mesh.Comments(ctx, entry)
	return standing(all), err
}

// DeletedReply says that something is gone.
type DeletedReply struct {
	Success bool `json:"success"`
	Deleted bool `json:"deleted"`
}

// DeleteComment takes a comment back, or hides it from one's own entry.
func (s *Service) DeleteComment(ctx context.Context, c call.Caller, id string) (*DeletedReply, error) {
	agent, err := s.access.Writer(ctx, c, ucan.EntryRetract)
	if err != nil {
		return nil, err
	}
	key, err := s.access.ID(ctx, change.PrefixComment, id, errNoComment)
	if err != nil {
		return nil, err
	}
	if err := s.mesh.DeleteComment(ctx, agent, key); err != nil {
		return nil, err
	}
	return &DeletedReply{true, true}, nil
}

// ReportRequest says what is wrong with an entry.
type ReportRequest struct {
	call.Request
	Reason string `field:"reason"`
	Note   string `field:"note"`
}

// ReportForm reads a ReportRequest.
var ReportForm = call.Define[ReportRequest](call.Form{
	{Name: "reason", Enum: []string{body.LabelSpam, body.LabelSecret, body.LabelFabricated, body.LabelAbuse, body.LabelDuplicate}, Required: true, Help: "What is wrong."},
	{Name: "note", Max: body.MaxLabelWhy, Help: "More about it, for moderators; it is public in the log. No secrets."},
})

// ReportReply acknowledges a report.
type ReportReply struct {
	Success bool   `json:"success"`
	Status  string `json:"status" enum:"received,quarantined" doc:"whether the entry is held back now"`
}

// Report points moderators to an entry. Repeating a report writes nothing.
func (s *Service) Report(ctx context.Context, c call.Caller, id string, r ReportRequest) (*ReportReply, error) {
	agent, err := s.access.Writer(ctx, c, ucan.OfKind(change.KindLabel))
	if err != nil {
		return nil, err
	}
	entry, err := s.access.EntryID(ctx, id)
	if err != nil {
		return nil, err
	}
	if r.Reason == "" {
		return nil, reason.Refuse(reason.MissingField, "reason is required").With(map[string]any{"field": "reason"})
	}
	why, err := s.PlainText("note", r.Note, 0)
	if err != nil {
		return nil, err
	}
	e, err := s.mesh.Entry(ctx, entry)
	if err != nil {
		return nil, err
	}
	if e.Agent.ID == agent {
		return nil, call.Hinted(reason.Forbidden, "nobody reports what they wrote themselves", "withdraw it: DELETE /api/mesh/entry/{id}")
	}
	if !slices.ContainsFunc(s.mesh.Labels(entry), func(l view.Label) bool { return l.By.ID == agent && l.Value == r.Reason }) {
		if err := s.mesh.Label(ctx, agent, entry, r.Reason, why); err != nil {
			return nil, err
		}
	}
	reply := &ReportReply{Success: true, Status: "received"}
	if _, err := s.mesh.Entry(ctx, entry); reason.Of(err) == reason.EntryNotFound {
		reply.Status = "quarantined"
	}
	return reply, nil
}
