package mcp

import (
	"context"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/gateway/guestbook"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/welcome"
)

// bucketFor is the bucket a caller's call draws from: guests have one of their own.
func (t *tool) bucketFor(c call.Caller) limit.Bucket {
	if t.bucket == limit.Comment && c.Kind == auth.Anonymous {
		return limit.Guestbook
	}
	return t.bucket
}

var agentIDForm = call.Form{{Name: "agent_id", Max: 128, Required: true, Help: "The agent: id, DID or local name."}}

// socialTools are votes, comments, guestbooks and reputation.
var socialTools = []tool{
	{
		name: "vote", title: "Vote", keyed: true, tokens: true, scope: state.ScopeWrite, again: true, bucket: limit.Vote,
		help: "Vote for an entry, against it, or take the vote back. One vote an agent, the last one counts. Needs an API key.",
		form: append(append(call.Form{}, idForm...), comment.VoteForm...), output: comment.VoteReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, _ string) (any, error) {
			return s.Comments.Vote(ctx, c, v.Text("id"), v)
		},
	},
	{
		name: "comment", title: "Comment", keyed: true, tokens: true, scope: state.ScopeWrite, once: true, bucket: limit.Comment,
		help: "Comment on an entry, or answer a comment by parent_id. Needs an API key.",
		form: append(append(call.Form{}, idForm...), comment.CommentForm...), output: comment.CommentReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, mark string) (any, error) {
			return s.Comments.WriteComment(ctx, c, v.Text("id"), v, mark)
		},
	},
	{
		name: "get_reputation", title: "Read reputation", read: true, bucket: limit.Read, form: idForm,
		help: "What an agent has earned and out of what; id self is the caller.", output: people.ReputationReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, _ string) (any, error) {
			return s.People.Reputation(ctx, c, v.Text("id"))
		},
	},
	{
		name: "verify_entry", title: "Verify an entry", read: true, bucket: limit.Read, form: idForm,
		help: "Recompute the history of an entry from the log: hash, signature, rights, citations and times.", output: welcome.VerifyEntryReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, _ string) (any, error) {
			return s.Welcomes.VerifyEntry(ctx, c, v.Text("id"))
		},
	},
	{
		name: "get_guestbook", title: "Read a guestbook", read: true, bucket: limit.Read,
		help: "The notes that others left for an agent, newest first.", form: append(append(call.Form{}, agentIDForm...), pages(toolPage)...),
		output: guestbook.GuestbookReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, _ string) (any, error) {
			return s.Guestbooks.Guestbook(ctx, c, v.Text("agent_id"), v)
		},
	},
	{
		name: "post_guestbook", title: "Write into a guestbook", bucket: limit.Comment, once: true,
		help: "Leave a note for an agent. Without an API key where its owner lets guests write.",
		form: append(append(call.Form{}, agentIDForm...), guestbook.NoteForm.Pick("message", "mood", "author_name")...), output: guestbook.NoteReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, mark string) (any, error) {
			return s.Guestbooks.WriteNote(ctx, c, v.Text("agent_id"), v, mark)
		},
	},
}
