package stream

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/journal"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/view"
)

// EventsRequest selects what a stream of events delivers and where it begins.
type EventsRequest struct {
	call.Request
	Kinds       []string      `field:"kinds"`
	Domain      string        `field:"domain"`
	Since       string        `field:"since"`
	LastEventID string        `field:"last_event_id"`
	Tail        call.Opt[int] `field:"tail"`
	Ticket      string        `field:"ticket"`
}

// EventsForm reads an EventsRequest.
var EventsForm = call.Define[EventsRequest](call.Form{
	{Name: "kinds", Kind: call.Texts, Items: journal.MaxKinds, Min: 1, Max: journal.MaxKind, Help: "Only these kinds; entry.* means all of an area."},
	{Name: "domain", Max: body.MaxDomain, Help: "Only events about entries of this domain."},
	{Name: "since", Max: maxPlace, Help: "Go on after this place of the stream; 0 for all that is kept."},
	{Name: "last_event_id", Max: maxPlace, Help: "As the header Last-Event-ID, which comes first."},
	{Name: "tail", Kind: call.Int, Min: 0, Max: journal.MaxTail, Help: "How many older events come first, without a place to go on from."},
	{Name: "ticket", Max: MaxTicket, Help: "A ticket instead of a key, for clients that cannot send headers."},
})

// teamTail is how many older events the stream of a team begins with.
const teamTail = 50

// TicketReply is a ticket for one stream.
type TicketReply struct {
	Success   bool   `json:"success"`
	Ticket    string `json:"ticket" doc:"opens one stream, as ?ticket="`
	ExpiresAt string `json:"expires_at"`
}

// Channel is what a caller asked to receive, with the right to it.
type Channel struct {
	s      *Service
	caller call.Caller
	view   journal.View
	team   change.ID                   // zero without one
	admin  bool                        // it has what is for admins
	domain string                      // that it is bound to, or ""
	again  func(context.Context) error // checks the right to a document in a zone; nil without one
	Resync string                      // what to read after events were missed
}

// PublicChannel is what everybody may receive; of callers without a key ids and counts
// alone.
func (s *Service) PublicChannel(c call.Caller) *Channel {
	return &Channel{s: s, caller: c, Resync: "GET /api/mesh/feed", view: journal.View{Audiences: []string{journal.Public}, Masked: c.Masked()}}
}

// OwnChannel is what the caller's agent alone may receive, and of an admin the
// incidents.
func (s *Service) OwnChannel(ctx context.Context, c call.Caller) (*Channel, error) {
	c, err := s.access.Authorize(ctx, c, auth.Own(ucan.EventRead))
	if err != nil {
		return nil, err
	}
	agent, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	ch := &Channel{s: s, caller: c, Resync: "GET /api/mesh/notifications", view: journal.View{Audiences: []string{journal.Own(agent.String())}}}
	if ch.admin = s.access.RunsThis(c); ch.admin {
		ch.view.Audiences = append(ch.view.Audiences, journal.Admins)
	}
	return ch, nil
}

// TeamChannel is what the members of a team may receive. Refusals: team_not_found,
// not_a_member.
func (s *Service) TeamChannel(ctx context.Context, c call.Caller, team string) (*Channel, error) {
	g, err := s.reads(ctx, c, team)
	if err != nil {
		return nil, err
	}
	id := g.ID.Text(change.PrefixGuild)
	return &Channel{s: s, caller: c, team: g.ID, Resync: "GET /api/mesh/team/" + id + "/feed", view: journal.View{Audiences: []string{journal.Team(id)}}}, nil
}

// reads is a team whose events the caller may receive.
func (s *Service) reads(ctx context.Context, c call.Caller, team string) (view.Guild, error) {
	if c.ByToken() {
		m, err := s.access.MemberOf(ctx, c, team)
		return m.Guild, err
	}
	if err := c.RequireScope(state.ScopeTeam); err != nil {
		return view.Guild{}, err
	}
	g, err := s.access.FindGuild(ctx, c, team)
	if err != nil {
		return g, err
	}
	if !s.access.IsMember(c, g) {
		return g, reason.Refuse(reason.NotAMember, "Not a member of this team")
	}
	return g, nil
}

// Join is a channel with what both deliver, for a reader of several.
func (ch *Channel) Join(other *Channel) *Channel {
	both := *ch
	both.view.Audiences = slices.Concat(ch.view.Audiences, other.view.Audiences)
	if !other.team.IsZero() {
		both.team = other.team
	}
	both.admin = ch.admin || other.admin
	return &both
}

// Open begins the stream that r describes; place is where the client says it is,
// before what r says.
func (ch *Channel) Open(ctx context.Context, face journal.Face, r EventsRequest, place string) (*journal.Stream, error) {
	from := journal.From{Tail: r.Tail.Value}
	if !r.Tail.Given && !ch.team.IsZero() && face == journal.SSE {
		from.Tail = teamTail
	}
	for _, text := range []string{place, r.LastEventID, r.Since} {
		if text != "" {
			from = placeOf(text)
			break
		}
	}
	if r.Since != "" {
		if _, err := strconv.ParseUint(r.Since, 10, 63); err != nil {
			return nil, call.BadParam("since", "must be a place of the stream, a number")
		}
	}
	view := ch.view
	view.Domain = cmp.Or(ch.domain, r.Domain)
	var err error
	if view.Kinds, err = EventKinds(r.Kinds); err != nil {
		return nil, err
	}
	return ch.s.journal.Open(ctx, ch.reader(face), view, from)
}

func (ch *Channel) reader(face journal.Face) journal.Reader {
	r := journal.Reader{Face: face, Agent: ch.caller.AgentID, Addr: ch.caller.Addr.Unmap()}
	if ch.caller.Kind == auth.Owner {
		r.Agent, r.Addr = "", netip.Addr{}
	}
	return r
}

// placeOf reads a place in the stream. What is no number is a place of another
// stream.
func placeOf(text string) journal.From {
	seq, err := strconv.ParseUint(text, 10, 63)
	return journal.From{Given: true, Seq: seq, Known: err == nil, Text: call.Clip(text, 32)}
}

// EventKinds checks the kinds of a filter.
func EventKinds(kinds []string) ([]string, error) {
	var out []string
	for _, k := range kinds {
		if k = strings.TrimSpace(k); !journal.IsKind(k) {
			return nil, call.BadParam("kinds", "must be kinds of events, or areas such as entry.*")
		}
		out = append(out, k)
	}
	return out, nil
}

// Check checks the right to the channel again. A refusal ends the stream.
func (ch *Channel) Check(ctx context.Context) error {
	if err := ch.s.StillValid(ctx, ch.caller); err != nil {
		return err
	}
	if ch.admin && !ch.s.access.RunsThis(ch.caller) {
		return reason.Refuse(reason.Forbidden, "this agent is no admin any more")
	}
	if ch.again != nil {
		return ch.again(ctx)
	}
	if ch.team.IsZero() {
		return nil
	}
	g, err := ch.s.mesh.Guild(ctx, ch.team)
	if err != nil {
		return err
	}
	if !ch.s.access.IsMember(ch.caller, g) {
		return reason.Refuse(reason.NotAMember, "Not a member of this team")
	}
	return nil
}

// StillValid refuses when the credential a caller came with is dead by now, or a key
// lost a scope.
func (s *Service) StillValid(ctx context.Context, c call.Caller) error {
	if c.Kind != auth.Key {
		return c.StillValid(s.access.Now())
	}
	k, err := s.state.LiveKey(ctx, c.KeyID, s.access.Now())
	if err != nil {
		return err
	}
	for _, scope := range c.Scopes {
		if !k.Scopes.Has(scope) {
			return reason.Refuse(reason.ScopeMissing, "the API key has lost the scope %s", scope)
		}
	}
	return nil
}

// Ticket makes a ticket for who has an API key.
func (s *Service) Ticket(ctx context.Context, c call.Caller) (*TicketReply, error) {
	if err := c.RequireKey(); err != nil {
		return nil, err
	}
	if c.Kind != auth.Key {
		return nil, reason.Refuse(reason.Forbidden, "a ticket stands for an API key, and this caller has none")
	}
	ticket, expires, err := s.state.NewTicket(ctx, c.KeyID, s.access.Now())
	if err != nil {
		return nil, err
	}
	return &TicketReply{Success: true, Ticket: ticket, ExpiresAt: call.Stamp(expires)}, nil
}

// ByTicket is the caller that a ticket stands for. The ticket is used up.
func (s *Service) ByTicket(ctx context.Context, c call.Caller, ticket string) (call.Caller, error) {
	if c.Kind != auth.Anonymous {
		return c, reason.Refuse(reason.AmbiguousCredentials, "the request carries a credential and a ticket")
	}
	k, err := s.state.TakeTicket(ctx, ticket, s.access.Now())
	if err != nil {
		return c, err
	}
	c.Principal = auth.Principal{Kind: auth.Key, AgentID: k.AgentID, KeyID: k.ID, Scopes: k.Scopes, Since: k.AgentSince}
	return c, nil
}

// Journal is the stream of events behind the channels.
func (s *Service) Journal() *journal.Journal { return s.journal }
