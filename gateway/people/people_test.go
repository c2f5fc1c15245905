package people_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// node has agents, teams and what agents have earned. It has what the tests use alone.
type node struct {
	people.Node
	accesstest.Detector
	of        *accesstest.Mesh
	announced []string
	seq       uint64
}

func (n *node) CheckText(field, text string) []gate.Finding { return n.Detector.CheckText(field, text) }

func (n *node) Agents(_ context.Context, q view.AgentQuery) (view.AgentPage, error) {
	var page view.AgentPage
	for _, a := range n.of.All() {
		if (q.Only == nil || q.Only[a.ID]) && !q.Except[a.ID] {
			page.Agents = append(page.Agents, a)
		}
	}
	page.Total = len(page.Agents)
	return page, nil
}

func (n *node) Seq() uint64       { return n.seq }
func (*node) Counts() view.Counts { return view.Counts{} }
func (n *node) Guilds(ctx context.Context) (out []view.Guild) {
	return slices.DeleteFunc(n.of.Guilds(ctx), func(g view.Guild) bool { return g.Visibility != "public" })
}
func (n *node) Guild(ctx context.Context, id change.ID) (view.Guild, error) {
	return n.of.Guild(ctx, id)
}

func (n *node) RenewLeases(ctx context.Context, a change.AgentID, g change.ID) (int, error) {
	_, err := n.of.RenewLeases(ctx, a, g)
	return 2, err
}

func (n *node) AnnouncePresence(_ change.ID, _ change.AgentID, name string, _ map[string]any) {
	n.announced = append(n.announced, name)
}

func (n *node) Reputation(context.Context, change.AgentID) (view.Reputation, error) {
	return view.Reputation{Score: 3050, Tier: "expert", Contributions: 4, Reuses: 1, Next: "authority", Missing: 6950}, nil
}

// blank is a room profile of empty pages.
type blank struct{ profile.Node }

func (blank) Page(context.Context, change.AgentID) (view.Page, error) { return view.Page{}, nil }

var public, private = change.ID{4}, change.ID{5}

type bench struct {
	*accesstest.Bench
	*people.Service
	node        *node
	ada, bo, cy *view.Agent
}

// newBench has ada and bo in a public and ada and cy in a private team.
func newBench(t *testing.T) *bench {
	b := &bench{Bench: accesstest.New(t)}
	b.node = &node{of: b.Mesh}
	b.ada, b.bo, b.cy = b.AddAgent("ada"), b.AddAgent("bo"), b.AddAgent("cy")
	b.AddTeam(public, view.TeamPage{Visibility: "public"}, view.Member{AgentRef: b.ada.AgentRef, Role: role.Owner}, view.Member{AgentRef: b.bo.AgentRef, Role: role.Viewer})
	b.AddTeam(private, view.TeamPage{Visibility: "private"}, view.Member{AgentRef: b.ada.AgentRef, Role: role.Owner}, view.Member{AgentRef: b.cy.AgentRef, Role: role.Member})
	b.Service = people.New(b.node, b.Access, nil, nil, nil, profile.New(blank{}, b.Access), nil, b.State, b.Pages, "1.2.3")
	return b
}

func (b *bench) beat(t *testing.T, who *view.Agent, team change.ID, raw string) (*people.PresenceReply, error) {
	t.Helper()
	return b.Heartbeat(t.Context(), accesstest.As(who.ID), team.Text(change.PrefixGuild), accesstest.Request(t, people.PresenceForm, raw))
}

// Who beats is there for as long as a heartbeat lasts; a team receives once that one came.
func TestPresence(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for range 2 {
		got, err := b.beat(t, b.ada, public, `{"ide_type": "vim", "agentName": "somebody else"}`)
		if err != nil || got.OnlineCount != 1 || got.Online[0].AgentName != "ada" || got.Presence.Surface != "vim" || *got.LeasesRenewed != 2 {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	if !slices.Equal(b.node.announced, []string{"presence.join"}) {
		t.Errorf("announced %v", b.node.announced)
	}
	got, err := b.beat(t, b.bo, public, `{}`)
	accesstest.Must(t, err)
	ttl := time.Duration(got.TTL) * time.Second
	b.Now = b.Now.Add(ttl - time.Second)
	_, err = b.beat(t, b.bo, public, `{}`)
	accesstest.Must(t, err)
	b.Now = b.Now.Add(time.Second)
	if got, err := b.Presence(t.Context(), accesstest.As(b.ada.ID), public.Text(change.PrefixGuild)); err != nil || got.OnlineCount != 1 || got.Online[0].AgentName != "bo" {
		t.Errorf("after %v: %+v, %v", ttl, got, err)
	}
	if got, err := b.beat(t, b.bo, public, `{"status": "offline"}`); err != nil || got.OnlineCount != 0 {
		t.Errorf("offline: %+v, %v", got, err)
	}
	_, err = b.beat(t, b.cy, public, `{}`)
	accesstest.Refused(t, "who is no member", err, reason.NotAMember)
	_, err = b.beat(t, b.ada, public, `{"surface": "`+accesstest.Secret+`"}`)
	accesstest.Refused(t, "a secret", err, reason.ValidationFailed)
}

// The directory shows who is online and in which public team, and of a private one nothing.
func TestDirectoryKeepsPrivateTeams(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	before, err := b.Directory(t.Context(), accesstest.Request(t, people.DirectoryForm, `{"online": true}`))
	if err != nil || before.Count != 0 {
		t.Errorf("before anybody came %+v, %v", before, err)
	}
	_, err = b.beat(t, b.cy, private, `{}`) // a list that was just made is made anew
	accesstest.Must(t, err)
	for raw, want := range map[string][]string{
		`{}`:                {"ada", "bo", "cy"},
		`{"online": true}`:  {"cy"},
		`{"online": false}`: {"ada", "bo"},
		`{"team": "` + public.Text(change.PrefixGuild) + `"}`:                 {"ada", "bo"},
		`{"team": "` + public.Text(change.PrefixGuild) + `", "online": true}`: {},
		`{"team": "` + private.Text(change.PrefixGuild) + `"}`:                {},
	} {
		got, err := b.Directory(t.Context(), accesstest.Request(t, people.DirectoryForm, raw))
		accesstest.Must(t, err)
		names := []string{}
		for _, a := range got.Agents {
			names = append(names, a.Name)
			if a.Name == "cy" && (a.ActiveTeamID != nil || len(a.Teams) != 0 || !a.Online) {
				t.Errorf("%s: of cy it says %+v", raw, a)
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: %v, want %v", raw, names, want)
		}
	}
}

func TestReputation(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	accesstest.Must(t, b.State.NoteTier(t.Context(), state.TierStep{Agent: b.ada.ID.String(), At: b.Now, Score: 3000, Tier: "expert"}))
	got, err := b.Reputation(t.Context(), accesstest.As(b.ada.ID), "self")
	if err != nil || got.Score != 30.5 || got.NextTier.Missing != 69.5 || got.Breakdown.ReuseRate != 0.25 || got.TierEffects.RelayBudget != 1.5 || got.TierSince == nil || len(got.History) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = b.Reputation(t.Context(), call.Caller{}, "self")
	accesstest.Refused(t, "of nobody", err, reason.AuthRequired)
	_, err = b.Reputation(t.Context(), call.Caller{}, "dee")
	accesstest.Refused(t, "of no agent", err, reason.AgentNotFound)
}
