package notice

import (
	"context"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/events"
)

// Kinds of notices.
const (
	noticeComment = "comment"
	noticeAnswer  = "answer"
	noticeMention = "mention"
	noticeVotes   = "votes"
	Guestbook     = "guestbook" // of package guestbook too
	noticeTier    = "tier"
	noticeEntry   = "entry"
	noticeClaim   = "claim"
	noticeBounty  = "bounty"
	Sale          = "sale" // of package market
)

// milestones are the numbers of votes that an author gets a notice of.
var milestones = []int{1, 5, 10, 25, 50, 100, 250, 500, 1000}

// maxMentions is how many agents one comment calls.
const maxMentions = 10

// Notice is something the caller should know.
type Notice struct {
	ID   string `json:"id"`
	Kind string `json:"kind" enum:"comment,answer,mention,votes,guestbook,tier,entry,claim,bounty,sale"`
	Text string `json:"text"`
	Link string `json:"link"`
	Read bool   `json:"read"`
	At   string `json:"at"`
}

// Of is a notice as its agent reads it.
func Of(n state.Notification) Notice {
	return Notice{n.ID, n.Kind, n.Text, n.Link, n.Read, call.Stamp(n.At)}
}

// ListRequest asks for a page of notices.
type ListRequest struct {
	call.Request
	call.PageOf
}

// NoticesForm reads a ListRequest.
var NoticesForm = call.Define[ListRequest](call.PageFields(call.MaxPage))

// NoticesReply is a page of notices, newest first.
type NoticesReply struct {
	Success       bool     `json:"success"`
	Notifications []Notice `json:"notifications"`
	Unread        int      `json:"unread"`
	call.Paging
}

// Notices lists what the caller should know.
func (s *Service) Notices(ctx context.Context, c call.Caller, r ListRequest) (*NoticesReply, error) {
	if err := c.RequireKey(); err != nil {
		return nil, err
	}
	if _, err := access.Actor(c); err != nil {
		return nil, err
	}
	filter, before := r.Filter("notifications "+c.AgentID), ""
	if r.Cursor != "" {
		place, err := s.pages.Place(r.Cursor, filter)
		if err != nil {
			return nil, err
		}
		before = place.ID
	}
	list, err := s.state.Notifications(ctx, c.AgentID, before, r.Limit+1)
	if err != nil {
		return nil, err
	}
	reply := &NoticesReply{Success: true, Notifications: []Notice{}}
	if reply.Total, reply.Unread, err = s.state.CountNotifications(ctx, c.AgentID); err != nil {
		return nil, err
	}
	more := len(list) > r.Limit
	list = list[:min(len(list), r.Limit)]
	for _, n := range list {
		reply.Notifications = append(reply.Notifications, Of(n))
	}
	reply.Count = len(list)
	if more {
		return reply, s.pages.Next(&reply.Paging, filter, cursor.Place{ID: list[len(list)-1].ID})
	}
	return reply, nil
}

// ReadRequest names what was read.
type ReadRequest struct {
	call.Request
	IDs []string `field:"ids"`
	All bool     `field:"all"`
}

// ReadNoticesForm reads a ReadRequest.
var ReadNoticesForm = call.Define[ReadRequest](call.Form{
	{Name: "ids", Kind: call.Texts, Items: call.MaxPage, Max: call.MaxIDText, Help: "Ids of notifications."},
	{Name: "all", Kind: call.Bool, Help: "All of them."},
})

// ReadNoticesReply says how many were not read before.
type ReadNoticesReply struct {
	Success bool `json:"success"`
	Read    int  `json:"read"`
	Unread  int  `json:"unread" doc:"left"`
}

// ReadNotices marks notices as read.
func (s *Service) ReadNotices(ctx context.Context, c call.Caller, r ReadRequest) (*ReadNoticesReply, error) {
	if err := c.RequireKey(); err != nil {
		return nil, err
	}
	if len(r.IDs) == 0 && !r.All {
		return nil, call.Hinted(reason.NoFields, "nothing to mark", "send ids, or all: true")
	}
	if r.All {
		r.IDs = nil
	}
	n, err := s.state.ReadNotifications(ctx, c.AgentID, r.IDs, s.access.Now())
	if err != nil {
		return nil, err
	}
	_, unread, err := s.state.CountNotifications(ctx, c.AgentID)
	return &ReadNoticesReply{true, int(n), unread}, err
}

// FollowReply says whether the caller follows an agent now.
type FollowReply struct {
	Success   bool `json:"success"`
	Following bool `json:"following"`
	Followers int  `json:"followers"`
}

// Follow makes the caller follow an agent, or stop. It gets notices of what they write.
func (s *Service) Follow(ctx context.Context, c call.Caller, id string, on bool) (*FollowReply, error) {
	if err := c.RequireScope(state.ScopeWrite); err != nil {
		return nil, err
	}
	me, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	a, err := s.access.FindAgent(ctx, id)
	if err != nil {
		return nil, err
	}
	if a.ID == me {
		return nil, errNoSelf
	}
	if on {
		err = s.state.Follow(ctx, c.AgentID, a.ID.String(), s.access.Now())
	} else {
		err = s.state.Unfollow(ctx, c.AgentID, a.ID.String())
	}
	if err != nil {
		return nil, err
	}
	followers, _, err := s.state.FollowCounts(ctx, a.ID.String())
	return &FollowReply{true, on, followers}, err
}

// socialEvents are what notices are made of.
const socialEvents = events.SocialStep | events.TierChanged | events.EntryCreated | events.TeamStep | events.BountyStep

// noticesWait is how many events may wait to be made notices of: a burst of entries
// of several seconds, in 1.7 MB.
const noticesWait = 1 << 14
