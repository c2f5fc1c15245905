package stream_test

import (
	"context"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/journal"
	"github.com/meshd/meshd/gateway/memory"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/stream"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// node has one entry, and the teams of a bench.
type node struct{ of *accesstest.Mesh }

var _ stream.Node = node{}

var entry = change.ID{9}

func (node) Entry(_ context.Context, id change.ID) (view.Entry, error) {
	if id != entry {
		return view.Entry{}, reason.Refuse(reason.EntryNotFound, "no such entry")
	}
	return view.Entry{ID: id}, nil
}

func (n node) Guild(ctx context.Context, id change.ID) (view.Guild, error) {
	return n.of.Guild(ctx, id)
}

func (node) Memory(context.Context, change.Space, string) (view.Memory, error) {
	return view.Memory{}, nil
}

type bench struct {
	*accesstest.Bench
	*stream.Service
	ada, bo *view.Agent
	team    string
	id      change.ID
}

// newBench has a team that ada is in.
func newBench(t *testing.T) *bench {
	b := &bench{Bench: accesstest.New(t), id: change.ID{4}}
	b.ada, b.bo = b.AddAgent("ada"), b.AddAgent("bo")
	b.Home(t, b.ada)
	b.AddTeam(b.id, view.TeamPage{}, view.Member{AgentRef: b.ada.AgentRef, Role: role.Viewer})
	b.team = b.id.Text(change.PrefixGuild)
	b.Service = stream.New(node{b.Mesh}, b.Access, nil, memory.New(nil, b.Access, nil, b.Pages), nil, b.State, nil)
	return b
}

// What members receive ends for who is no member any more, and for a dead key.
func TestRightToAChannel(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for what, c := range map[string]struct {
		who  call.Caller
		team string
		want reason.Code
	}{
		"a stranger":              {accesstest.As(b.bo.ID), b.team, reason.NotAMember},
		"nobody":                  {call.Caller{}, b.team, reason.AuthRequired},
		"a key without the scope": {accesstest.As(b.ada.ID, state.ScopeRead), b.team, reason.ScopeMissing},
		"no such team":            {accesstest.As(b.ada.ID), change.ID{5}.Text(change.PrefixGuild), reason.TeamNotFound},
	} {
		_, err := b.TeamChannel(t.Context(), c.who, c.team)
		accesstest.Refused(t, what, err, c.want)
	}
	key := b.KeyOf(t, b.ada, b.Now.Add(time.Hour))
	ch, err := b.TeamChannel(t.Context(), key, b.team)
	accesstest.Must(t, err)
	accesstest.Must(t, ch.Check(t.Context()))
	documents, err := b.MemoryChannel(t.Context(), key, b.team+".notes")
	accesstest.Must(t, err)
	b.AddTeam(b.id, view.TeamPage{}, view.Member{AgentRef: b.bo.AgentRef, Role: role.Owner})
	accesstest.Refused(t, "who left", ch.Check(t.Context()), reason.NotAMember)
	accesstest.Refused(t, "who left, of a document", documents.Check(t.Context()), reason.NotAMember)
	own, err := b.OwnChannel(t.Context(), key)
	accesstest.Must(t, err)
	accesstest.Must(t, own.Check(t.Context()))
	b.Now = b.Now.Add(time.Hour)
	accesstest.Refused(t, "a key past its end", own.Check(t.Context()), reason.TokenExpired)
	_, err = b.OwnChannel(t.Context(), call.Caller{})
	accesstest.Refused(t, "nobody's own", err, reason.AuthRequired)
}

// An admin receives incidents as long as it is one.
func TestAdminsChannel(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.Admins = []change.AgentID{b.ada.ID}
	ch, err := b.OwnChannel(t.Context(), b.KeyOf(t, b.ada, time.Time{}))
	accesstest.Must(t, err)
	accesstest.Must(t, ch.Check(t.Context()))
	b.Admins = nil
	accesstest.Refused(t, "no admin any more", ch.Check(t.Context()), reason.Forbidden)
}

// A ticket stands for a key, opens one stream, and goes with no other credential.
func TestTickets(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	key := b.KeyOf(t, b.ada, time.Time{}, state.ScopeRead)
	_, err := b.Ticket(t.Context(), call.Caller{})
	accesstest.Refused(t, "nobody", err, reason.AuthRequired)
	_, err = b.Ticket(t.Context(), accesstest.Owner())
	accesstest.Refused(t, "who has no key", err, reason.Forbidden)
	got, err := b.Ticket(t.Context(), key)
	accesstest.Must(t, err)
	_, err = b.ByTicket(t.Context(), key, got.Ticket)
	accesstest.Refused(t, "beside a key", err, reason.AmbiguousCredentials)
	who, err := b.ByTicket(t.Context(), call.Caller{}, got.Ticket)
	if err != nil || who.AgentID != b.ada.ID.String() || who.KeyID != key.KeyID || who.Scopes.Has(state.ScopeWrite) {
		t.Errorf("%+v, %v", who, err)
	}
	_, err = b.ByTicket(t.Context(), call.Caller{}, got.Ticket)
	accesstest.Refused(t, "twice", err, reason.InvalidToken)
}

// Who is shown an entry receives that it changed, and of nothing else.
func TestWatches(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.WatchEntry(t.Context(), change.ID{8}.Text(change.PrefixEntry))
	accesstest.Refused(t, "an entry that is not shown", err, reason.EntryNotFound)
	text := entry.Text(change.PrefixEntry)
	w, err := b.WatchEntry(t.Context(), text)
	accesstest.Must(t, err)
	a, err := b.WatchAgent(t.Context(), "ada")
	accesstest.Must(t, err)
	ada := b.ada.ID.String()
	for what, c := range map[string]struct {
		event        state.Event
		entry, agent bool
	}{
		"of the entry":              {state.Event{Kind: "comment.created", Audience: journal.Public, Object: text}, true, false},
		"of it, to a team":          {state.Event{Kind: "comment.created", Audience: journal.Team(b.team), Object: text}, false, false},
		"of another":                {state.Event{Kind: "entry.created", Audience: journal.Public, Object: "ent_x"}, false, false},
		"an entry of the agent's":   {state.Event{Kind: "entry.created", Audience: journal.Public, Object: "ent_x", Agent: ada}, false, true},
		"a vote of the agent's":     {state.Event{Kind: "comment.created", Audience: journal.Public, Object: "ent_x", Agent: ada}, false, false},
		"the page of the agent":     {state.Event{Kind: "profile.updated", Audience: journal.Public, Object: ada}, false, true},
		"what the agent alone sees": {state.Event{Kind: "profile.updated", Audience: journal.Own(ada), Object: ada}, false, false},
	} {
		e := &journal.Event{Event: c.event}
		if w.Changed(t.Context(), call.Caller{}, e) != c.entry || a.Changed(t.Context(), call.Caller{}, e) != c.agent {
			t.Errorf("%s: the entry changed %t, the agent %t", what, !c.entry, !c.agent)
		}
	}
	if _, err := stream.EventKinds([]string{"entry.*", " vote.created"}); reason.Of(err) != reason.InvalidParam {
		t.Errorf("a kind that is none: %v", err)
	}
	if got, err := stream.EventKinds([]string{"entry.*", " comment.created"}); err != nil || got[1] != "comment.created" {
		t.Errorf("%v, %v", got, err)
	}
}
