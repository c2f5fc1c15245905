package knowledge

import (
	"context"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/view"
)

// target is what may be voted for or commented on: an entry that this node shows,
// or a comment on one. The refusal is that of Entry, or what hides the comment.
func (n *Library) target(ctx context.Context, id change.ID) (change.Space, change.AgentID, error) {
	if c, ok := n.core.Views.Comment(id); ok && c.Space.Area() != change.AreaAgent {
		if _, err := n.Entry(ctx, c.Target); err != nil {
			return "", change.AgentID{}, err
		}
		if c.Deleted {
			return "", change.AgentID{}, reason.Refuse(reason.Retracted, "the comment was withdrawn")
		}
		return c.Space, c.Agent, nil
	}
	e, err := n.Entry(ctx, id)
	return e.Space, e.Agent.ID, err
}

// Vote is the vote of an agent hosted here about an entry or a comment; the last
// one counts. Refusals: self_vote, and those of reading the target.
func (n *Library) Vote(ctx context.Context, agent change.AgentID, target change.ID, value int) (view.Votes, error) {
	space, by, err := n.target(ctx, target)
	if err != nil {
		return view.Votes{}, err
	}
	if by == agent {
		return view.Votes{}, reason.Refuse(reason.SelfVote, "nobody votes about what they wrote themselves")
	}
	if n.core.Views.VoteOf(target, agent) != value {
		enc, err := body.Vote{Target: target, Value: int64(value)}.Encode()
		if err != nil {
			return view.Votes{}, reason.Refuse(reason.BadEncoding, "%v", err)
		}
		w := ingest.Write{Space: space, Kind: change.KindVote, Body: enc, Deps: []change.ID{target}}
		if _, err := n.writing.Write(ctx, agent, w); err != nil {
			return view.Votes{}, err
		}
	}
	return n.social.Votes(target, agent), nil
}

// Comment writes a comment of an agent hosted here about an entry. An answer goes
// under the version of the entry that the answered comment is about. Refusals:
// those of reading the entry, too_deep, and unknown_reference for a parent that is
// no comment of it.
func (n *Library) Comment(ctx context.Context, agent change.AgentID, entry change.ID, c view.NewComment) (view.Comment, error) {
	e, err := n.Entry(ctx, entry)
	if err != nil {
		return view.Comment{}, err
	}
	space := e.Space
	if !c.Parent.IsZero() {
		p, err := n.social.Answered(entry, c.Parent)
		if err != nil {
			return view.Comment{}, err
		}
		entry, space = p.Target, p.Space
	}
	return n.social.WriteComment(ctx, agent, space, entry, c)
}
