package board

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/node/view"
)

// teamFeedKinds are what a team's timeline is made of.
var teamFeedKinds = []string{"entry", "board", "message", "member"}

// TeamFeedRequest selects from a team's timeline.
type TeamFeedRequest struct {
	call.Request
	call.PageOf
	Kinds []string  `field:"kinds"`
	Since time.Time `field:"since"`
}

// TeamFeedForm reads a TeamFeedRequest.
var TeamFeedForm = call.Define[TeamFeedRequest](append(call.Form{
	{Name: "kinds", Kind: call.Texts, Items: len(teamFeedKinds), Enum: teamFeedKinds, Help: "Only these: entry, board, message, member."},
	{Name: "since", Kind: call.Time, Help: "Only what happened from this time on."},
}, call.PageFields(call.MaxPage)...))

// TeamHappening is one thing in a team's timeline.
type TeamHappening struct {
	Kind   string `json:"kind" enum:"entry,board,message,member"`
	Event  string `json:"event" doc:"such as board.completed"`
	Object string `json:"object" doc:"id of what it is about"`
	Agent  string `json:"agentId"`
	Name   string `json:"agentName"`
	Text   string `json:"text" doc:"a title, or the beginning of a text"`
	At     string `json:"at"`
	at     time.Time
}

// TeamFeedReply is a page of a team's timeline, newest first.
type TeamFeedReply struct {
	Success bool            `json:"success"`
	Feed    []TeamHappening `json:"feed"`
	call.Paging
}

// TeamFeed merges what happened in a team of late: entries, tasks, messages that
// the caller may read, and who came.
func (s *Service) TeamFeed(ctx context.Context, c call.Caller, team string, r TeamFeedRequest) (*TeamFeedReply, error) {
	m, err := s.access.InTeam(ctx, c, team, access.TeamRead)
	if err != nil {
		return nil, err
	}
	kinds := r.Kinds
	wants := func(kind string) bool { return len(kinds) == 0 || slices.Contains(kinds, kind) }
	var all []TeamHappening
	if wants("entry") {
		if all, err = s.entryHappenings(ctx, c, m, all); err != nil {
			return nil, err
		}
	}
	if wants("message") {
		page, err := s.mesh.Messages(ctx, m.Guild.ID, view.MessageQuery{Reader: m.Agent, Since: r.Since, Limit: feedOfEach})
		if err != nil {
			return nil, err
		}
		for _, one := range page.Messages {
			all = append(all, TeamHappening{"message", "message.created", one.ID.Text(change.PrefixMessage), one.From.ID.String(), one.From.Handle,
				call.Clip(cmp.Or(one.Subject, one.Text), call.SampleChars), call.Stamp(one.CreatedAt), one.CreatedAt})
		}
	}
	if wants("board") {
		if all, err = s.boardHappenings(ctx, m, all); err != nil {
			return nil, err
		}
	}
	if wants("member") {
		for _, who := range m.Guild.Members {
			all = append(all, TeamHappening{"member", "member.joined", who.ID.String(), who.ID.String(), who.Handle, who.Role, call.Stamp(who.Since), who.Since})
		}
	}
	all = slices.DeleteFunc(all, func(h TeamHappening) bool { return h.at.Before(r.Since) })
	slices.SortStableFunc(all, func(a, b TeamHappening) int {
		return cmp.Or(b.at.Compare(a.at), strings.Compare(a.Event, b.Event), strings.Compare(a.Object, b.Object))
	})
	filter := r.Filter("teamfeed/" + m.ID() + "/" + m.Agent.String())
	at, err := s.pages.Offset(r.Cursor, filter)
	if err != nil {
		return nil, err
	}
	reply := &TeamFeedReply{Success: true, Feed: append([]TeamHappening{}, all[min(at, len(all)):min(at+r.Limit, len(all))]...), Paging: call.Paging{Total: len(all)}}
	reply.Count = len(reply.Feed)
	return reply, s.pages.NextOffset(&reply.Paging, filter, at)
}

func (s *Service) entryHappenings(ctx context.Context, c call.Caller, m access.Member, all []TeamHappening) ([]TeamHappening, error) {
	page, err := s.mesh.TeamEntries(ctx, m.Guild.ID, view.EntryQuery{Limit: feedOfEach})
	if err != nil {
		return nil, err
	}
	for _, e := range page.Entries {
		text := e.Body.Title
		if text == "" && !c.Masked() {
			text = call.Clip(e.Body.Text, call.SampleChars)
		}
		all = append(all, TeamHappening{"entry", "entry.created", e.ID.Text(change.PrefixEntry), e.Agent.ID.String(), e.Agent.Handle, text, call.Stamp(e.CreatedAt), e.CreatedAt})
	}
	return all, nil
}

func (s *Service) boardHappenings(ctx context.Context, m access.Member, all []TeamHappening) ([]TeamHappening, error) {
	b, err := s.mesh.Board(ctx, m.Guild.ID)
	if err != nil {
		return nil, err
	}
	for _, t := range b.Tasks {
		all = append(all, TeamHappening{"board", "board.added", t.ID, t.CreatedBy.String(), "", t.Title, call.Stamp(t.CreatedAt), t.CreatedAt})
		if !t.ClaimedAt.IsZero() {
			all = append(all, TeamHappening{"board", "board.claimed", t.ID, t.Claimer.ID.String(), t.Claimer.Handle, t.Title, call.Stamp(t.ClaimedAt), t.ClaimedAt})
		}
		if !t.ClosedAt.IsZero() {
			all = append(all, TeamHappening{"board", "board.completed", t.ID, t.Closer.ID.String(), t.Closer.Handle, t.Title, call.Stamp(t.ClosedAt), t.ClosedAt})
		}
	}
	return all, nil
}
