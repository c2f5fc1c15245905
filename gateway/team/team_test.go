package team_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/capability"
	"github.com/meshd/meshd/gateway/escrow"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/team"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// node is the home of the teams of a bench. It has what the tests use alone.
type node struct {
	team.Node
	of        *accesstest.Mesh
	bounties  []view.Bounty
	done      map[change.ID]int // entries of each team, for its ranking
	elsewhere bool              // another node keeps the teams
	set       []doc.Field       // the fields the last edit named
}

func (n *node) FindAgent(ctx context.Context, text string) (view.Agent, error) {
	return n.of.FindAgent(ctx, text)
}
func (n *node) Guilds(ctx context.Context) []view.Guild { return n.of.Guilds(ctx) }

func (n *node) Board(context.Context, change.ID) (view.Board, error)  { return view.Board{}, nil }
func (n *node) Bounties(context.Context, change.ID) []view.Bounty     { return n.bounties }
func (*node) BountyCounts(context.Context, change.ID) (all, open int) { return 0, 0 }
func (n *node) TeamKnowledge(_ context.Context, id change.ID) int     { return n.done[id] }
func (n *node) IsTeamHome(context.Context, change.ID) bool            { return !n.elsewhere }
func (*node) HomeMark() string                                        { return "here" }

func (n *node) JoinElsewhere(context.Context, change.AgentID, change.ID, string) (string, error) {
	return "", reason.Refuse(reason.TeamNotFound, "nobody keeps it")
}

func (n *node) OpenGuild(ctx context.Context, agent change.AgentID, g view.NewGuild) (view.Guild, error) {
	a, err := n.of.Agent(ctx, agent)
	id := change.ID{byte(len(n.of.Guilds(ctx)) + 40)}
	return n.of.AddTeam(id, view.TeamPage{Name: g.Name, Visibility: g.Visibility}, view.Member{AgentRef: a.AgentRef, Role: role.Owner}), err
}

func (n *node) EditTeamPage(ctx context.Context, _ change.AgentID, guild change.ID, set []doc.Field, _ int) (view.TeamPage, error) {
	n.set = set
	return n.page(ctx, guild, func(p *view.TeamPage) {
		for _, f := range set {
			switch f.Key {
			case "max_slots":
				slots, _ := f.Value.(int64)
				p.MaxSlots = int(slots)
			case "policy":
				p.Policy, _ = f.Value.(map[string]any)
			}
		}
	})
}

func (n *node) page(ctx context.Context, guild change.ID, edit func(*view.TeamPage)) (view.TeamPage, error) {
	g, err := n.of.Guild(ctx, guild)
	if err != nil {
		return view.TeamPage{}, err
	}
	p, err := n.of.TeamPage(ctx, guild)
	edit(&p)
	n.of.AddTeam(guild, p, g.Members...)
	return p, err
}

func (n *node) Ban(ctx context.Context, _ change.AgentID, guild change.ID, _ change.AgentID, _ bool) error {
	return nil
}

func (n *node) SetRole(ctx context.Context, _ change.AgentID, guild change.ID, agent change.AgentID, name string) (view.Guild, error) {
	g, err := n.of.Guild(ctx, guild)
	if err != nil {
		return g, err
	}
	a, err := n.of.Agent(ctx, agent)
	if err != nil {
		return g, err
	}
	p, err := n.of.TeamPage(ctx, guild)
	members := slices.DeleteFunc(slices.Clone(g.Members), func(m view.Member) bool { return m.ID == agent })
	if name != "" {
		members = append(members, view.Member{AgentRef: a.AgentRef, Role: name})
	}
	return n.of.AddTeam(guild, p, members...), err
}

func (n *node) GiveRole(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, name string, _ view.Gift) (view.Guild, error) {
	return n.SetRole(ctx, by, guild, agent, name)
}

func (n *node) RemoveMember(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, _ string) error {
	_, err := n.SetRole(ctx, by, guild, agent, "")
	return err
}

// texts is what the room profile needs to judge a text.
type texts struct{ profile.Node }

func (texts) CheckText(field, text string) []gate.Finding {
	return accesstest.Detector{}.CheckText(field, text)
}

// rewards is what the room escrow needs.
type rewards struct {
	escrow.Node
	n *node
}

func (r rewards) Bounties(ctx context.Context, id change.ID) []view.Bounty {
	return r.n.Bounties(ctx, id)
}

type bench struct {
	*accesstest.Bench
	*team.Service
	node        *node
	ada, bo, cy *view.Agent // ada owns the team
	id          change.ID
	text        string
}

// newBench has a team of ada's.
func newBench(t *testing.T, page view.TeamPage) *bench {
	b := &bench{Bench: accesstest.New(t), id: change.ID{4}}
	b.node = &node{of: b.Mesh, done: map[change.ID]int{}}
	b.ada, b.bo, b.cy = b.AddAgent("ada"), b.AddAgent("bo"), b.AddAgent("cy")
	b.AddTeam(b.id, page, view.Member{AgentRef: b.ada.AgentRef, Role: role.Owner})
	b.text = b.id.Text(change.PrefixGuild)
	b.Service = team.New(b.node, b.Access, capability.New(nil, b.Access, b.State, nil), escrow.New(rewards{n: b.node}, b.Access, b.State),
		profile.New(texts{}, b.Access), b.State, b.Pages)
	return b
}

func (b *bench) invite(t *testing.T, raw string) string {
	t.Helper()
	got, err := b.Invite(t.Context(), accesstest.As(b.ada.ID), b.text, accesstest.Request(t, team.InviteForm, raw))
	accesstest.Must(t, err)
	return got.Code
}

func (b *bench) join(t *testing.T, who *view.Agent, code string) (*team.JoinReply, error) {
	t.Helper()
	return b.Join(t.Context(), accesstest.As(who.ID), b.text, accesstest.Request(t, team.JoinForm, `{"invite_code": "`+code+`"}`))
}

// A public team takes whoever asks; another one takes an invitation as often as it says,
// for as long as it lasts and whoever made it may invite.
func TestInvitations(t *testing.T) {
	t.Parallel()
	open := newBench(t, view.TeamPage{Name: "Open", Visibility: "public"})
	if got, err := open.join(t, open.bo, ""); err != nil || got.Role != role.Member || got.Members != 2 || got.AlreadyMember {
		t.Errorf("a public team: %+v, %v", got, err)
	}
	b := newBench(t, view.TeamPage{Name: "Closed", Visibility: "private"})
	_, err := b.join(t, b.bo, "")
	accesstest.Refused(t, "without a code", err, reason.InviteInvalid)
	code := b.invite(t, `{"role": "guest", "expires_in": 60}`)
	if !strings.HasSuffix(code, ".here") {
		t.Errorf("the code %q does not name its home", code)
	}
	if p, err := b.PreviewInvite(t.Context(), code); err != nil || p.Team.Name != "Closed" || p.Role != role.Viewer {
		t.Errorf("%+v, %v", p, err)
	}
	if got, err := b.join(t, b.bo, code); err != nil || got.Role != role.Viewer {
		t.Errorf("with it: %+v, %v", got, err)
	}
	if got, err := b.join(t, b.bo, ""); err != nil || !got.AlreadyMember {
		t.Errorf("again: %+v, %v", got, err)
	}
	_, err = b.join(t, b.cy, code)
	accesstest.Refused(t, "a used code", err, reason.InviteInvalid)
	code = b.invite(t, `{"expires_in": 60}`)
	b.Now = b.Now.Add(time.Minute)
	_, err = b.join(t, b.cy, code)
	accesstest.Refused(t, "a code past its end", err, reason.InviteInvalid)
	code = b.invite(t, `{}`)
	_, err = b.node.SetRole(t.Context(), b.ada.ID, b.id, b.ada.ID, role.Member)
	accesstest.Must(t, err)
	_, err = b.join(t, b.cy, code)
	accesstest.Refused(t, "of who may not invite any more", err, reason.InviteInvalid)
	_, err = b.Invite(t.Context(), accesstest.As(b.bo.ID), b.text, accesstest.Request(t, team.InviteForm, `{}`))
	accesstest.Refused(t, "a viewer invites", err, reason.Forbidden)
}

// A full team admits nobody, and shows who waits its place where it keeps a list.
func TestFullTeams(t *testing.T) {
	t.Parallel()
	b := newBench(t, view.TeamPage{Visibility: "public", MaxSlots: 1})
	_, err := b.join(t, b.bo, "")
	accesstest.Refused(t, "a full team", err, reason.TeamFull)
	w := newBench(t, view.TeamPage{Visibility: "public", MaxSlots: 1, Policy: map[string]any{"waitlist": true}})
	_, err = w.join(t, w.bo, "")
	accesstest.Refused(t, "a full team with a list", err, reason.TeamFull)
	w.AddTeam(w.id, view.TeamPage{Visibility: "public", MaxSlots: 2, Policy: map[string]any{"waitlist": true}}, view.Member{AgentRef: w.ada.AgentRef, Role: role.Owner})
	_, err = w.join(t, w.cy, "")
	accesstest.Refused(t, "before who waits", err, reason.TeamFull)
	if got, err := w.join(t, w.bo, ""); err != nil || got.Role != role.Member {
		t.Errorf("who waits: %+v, %v", got, err)
	}
	banned := newBench(t, view.TeamPage{Visibility: "public", Banned: []change.AgentID{{}}})
	banned.AddTeam(banned.id, view.TeamPage{Visibility: "public", Banned: []change.AgentID{banned.bo.ID}}, view.Member{AgentRef: banned.ada.AgentRef, Role: role.Owner})
	_, err = banned.join(t, banned.bo, "")
	accesstest.Refused(t, "who is kept out", err, reason.Banned)
	far := newBench(t, view.TeamPage{Visibility: "public"})
	far.node.elsewhere = true
	_, err = far.join(t, far.bo, "")
	accesstest.Refused(t, "where another node keeps the team", err, reason.Forbidden)
}

// An admin makes members and viewers, and touches neither owners nor admins.
func TestWhoGivesRoles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		by, raw string
		want    reason.Code
	}{
		{role.Owner, `{"agent_id": "cy", "role": "lead"}`, ""},
		{role.Admin, `{"agent_id": "cy", "role": "member"}`, ""},
		{role.Admin, `{"agent_id": "cy", "role": "lead"}`, reason.Forbidden},
		{role.Admin, `{"agent_id": "ada", "action": "remove"}`, reason.Forbidden},
		{role.Member, `{"agent_id": "cy", "role": "viewer"}`, reason.Forbidden},
		{role.Owner, `{"role": "member"}`, reason.MissingField},
		{role.Owner, `{"agent_id": "dee"}`, reason.AgentNotFound},
		{role.Owner, `{"agent_id": "ada", "action": "ban"}`, reason.Forbidden},
	} {
		b := newBench(t, view.TeamPage{})
		by := b.ada
		if c.by != role.Owner {
			by = b.bo
			_, err := b.node.SetRole(t.Context(), b.ada.ID, b.id, b.bo.ID, c.by)
			accesstest.Must(t, err)
		}
		who := accesstest.As(by.ID)
		who.KeyID = ""
		b.Home(t, by)
		_, err := b.Member(t.Context(), b.KeyOf(t, by, time.Time{}), b.text, accesstest.Request(t, team.MemberForm, c.raw))
		if reason.Of(err) != c.want {
			t.Errorf("%s, %s: %v, want %q", c.by, c.raw, err, c.want)
		}
	}
}

// Nobody leaves a private team with a bounty under way: nobody could end it.
func TestWhoHasARewardStays(t *testing.T) {
	t.Parallel()
	b := newBench(t, view.TeamPage{})
	_, err := b.node.SetRole(t.Context(), b.ada.ID, b.id, b.bo.ID, role.Member)
	accesstest.Must(t, err)
	b.node.bounties = []view.Bounty{{ID: change.ID{1}, State: bounty.State{Status: bounty.Open, Creator: b.bo.ID}}}
	b.InSpace(b.id, change.TeamSpace(b.id))
	accesstest.Refused(t, "to leave", b.LeaveGuild(t.Context(), accesstest.As(b.bo.ID), b.text), reason.EscrowOpen)
	b.node.bounties[0].Status = bounty.Paid
	if err := b.LeaveGuild(t.Context(), accesstest.As(b.bo.ID), b.text); err != nil {
		t.Errorf("after it was paid: %v", err)
	}
}

func TestTeamsAreFounded(t *testing.T) {
	t.Parallel()
	b := newBench(t, view.TeamPage{})
	for raw, want := range map[string]reason.Code{
		`{"name": "Roofers", "visibility": "private", "max_slots": 3, "policy": {"waitlist": true}}`: "",
		`{"name": " x "}`:                            reason.InvalidName,
		`{"name": "` + accesstest.Secret + `"}`:      reason.SecretDetected,
		`{"name": "Roofers", "policy": {"moon": 1}}`: reason.ValidationFailed,
	} {
		got, err := b.OpenTeam(t.Context(), accesstest.As(b.bo.ID), accesstest.Request(t, team.NewGuildForm, raw))
		if reason.Of(err) != want || want == "" && (got.Team.Role != role.Owner || got.Team.InviteCode == "" || got.Team.MaxSlots != 3 || !got.Team.Policy.Waitlist) {
			t.Errorf("%s: %+v, %v, want %q", raw, got, err, want)
		}
	}
	_, err := b.OpenTeam(t.Context(), call.Caller{}, accesstest.Request(t, team.NewGuildForm, `{"name": "Roofers"}`))
	accesstest.Refused(t, "nobody", err, reason.AuthRequired)
	for _, raw := range []string{`{"name": "Roofers", "max_slots": 201}`, `{"name": "Roofers", "max_slots": 1}`} {
		if _, err := team.NewGuildForm.FromJSON([]byte(raw)); reason.Of(err) != reason.ValidationFailed {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

// Teams are ranked by what was done in them; of equal ones the smaller comes first.
func TestLeadingTeams(t *testing.T) {
	t.Parallel()
	b := newBench(t, view.TeamPage{Name: "one"})
	for i, n := range []int{5, 9, 5} {
		id := change.ID{byte(10 + i)}
		b.AddTeam(id, view.TeamPage{Name: fmt.Sprint("team", i)}, slices.Repeat([]view.Member{{AgentRef: b.bo.AgentRef, Role: role.Owner}}, 3-i)...)
		b.node.done[id] = n
	}
	got, err := b.TeamLeaderboard(t.Context(), accesstest.Request(t, team.TeamLeaderboardForm, `{"metric": "knowledge", "limit": 3}`))
	accesstest.Must(t, err)
	var names []string
	for _, e := range got.Entries {
		names = append(names, e.TeamName)
	}
	if !slices.Equal(names, []string{"team1", "team2", "team0"}) || got.Total != 4 || got.Entries[0].Rank != 1 {
		t.Errorf("%v of %d", names, got.Total)
	}
}

// Guilds are listed page by page, those with most open bounties first where no order is
// asked for.
func TestGuildsAreListed(t *testing.T) {
	t.Parallel()
	b := newBench(t, view.TeamPage{Name: "one", Visibility: "public"})
	b.AddTeam(change.ID{5}, view.TeamPage{Name: "two", Visibility: "public"}, view.Member{AgentRef: b.bo.AgentRef, Role: role.Owner})
	r := team.GuildsRequest{PageOf: call.PageOf{Limit: 1}}
	first, err := b.Guilds(t.Context(), r)
	accesstest.Must(t, err)
	r.Cursor = *first.NextCursor
	rest, err := b.Guilds(t.Context(), r)
	if err != nil || first.Total != 2 || first.Guilds[0].Name != "one" || rest.Guilds[0].Name != "two" || rest.HasMore || rest.Filters.Open != nil {
		t.Errorf("%+v, then %+v, %v", first, rest, err)
	}
	r = accesstest.Request(t, team.GuildsForm, `{"open": null, "q": "TWO"}`)
	if got, err := b.Guilds(t.Context(), r); err != nil || got.Count != 1 || *got.Filters.Open {
		t.Errorf("%+v, %v", got, err)
	}
}

// What a team says of itself is changed field by field; null clears one.
func TestConfigOfATeam(t *testing.T) {
	t.Parallel()
	b := newBench(t, view.TeamPage{Name: "one", Visibility: "private", MaxSlots: 3})
	for raw, want := range map[string]reason.Code{
		`{}`:                       reason.NoFields,
		`{"name": "  "}`:           reason.ValidationFailed,
		`{"name": null}`:           reason.ValidationFailed,
		`{"visibility": "public"}`: reason.ValidationFailed,
		`{"visibility": "internal", "description": " ", "domains": null, "policy": null, "max_slots": null}`: "",
	} {
		b.node.set = nil
		_, err := b.ConfigTeam(t.Context(), accesstest.As(b.ada.ID), b.text, accesstest.Request(t, team.TeamConfigForm, raw), -1)
		if reason.Of(err) != want {
			t.Errorf("%s: %v, want %q", raw, err, want)
		}
		if fields := []doc.Field{{Key: "description"}, {Key: "max_slots"}, {Key: "domains"}, {Key: "policy"}, {Key: "visibility", Value: "internal"}}; want == "" && !reflect.DeepEqual(b.node.set, fields) {
			t.Errorf("set %+v", b.node.set)
		}
	}
}
