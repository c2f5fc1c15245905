package people

import (
	"context"
	"sync"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
)

// whereabouts is which public teams agents are in and who is online, looked up
// for whole lists at once. A snapshot is kept for a moment, since a directory is
// asked far more often than anybody moves.
type whereabouts struct {
	mu   sync.Mutex
	at   time.Time
	seq  uint64
	last *snapshot
}

type snapshot struct {
	teams  map[change.AgentID][]TeamRef
	public map[string]bool           // ids of public teams
	online map[string]state.Presence // by agent, where it was seen last
}

// moved makes the next list look again.
func (w *whereabouts) moved() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last = nil
}

func (s *Service) snapshot(ctx context.Context) (*snapshot, error) {
	w := &s.where
	w.mu.Lock()
	defer w.mu.Unlock()
	now, seq := s.access.Now(), s.mesh.Seq()
	if w.last != nil && w.seq == seq && now.Sub(w.at) < snapshotLife && !now.Before(w.at) {
		return w.last, nil
	}
	rows, err := s.state.Online(ctx, now)
	if err != nil {
		return nil, err
	}
	snap := &snapshot{map[change.AgentID][]TeamRef{}, map[string]bool{}, map[string]state.Presence{}}
	for _, p := range rows {
		if _, seen := snap.online[p.Agent]; !seen {
			snap.online[p.Agent] = p
		}
	}
	for _, g := range s.mesh.Guilds(ctx) {
		g, _, err := s.access.GuildAlive(ctx, g.ID)
		if err != nil {
			continue // closed, or not readable now
		}
		id := g.ID.Text(change.PrefixGuild)
		snap.public[id] = true
		for _, m := range g.Members {
			snap.teams[m.ID] = append(snap.teams[m.ID], TeamRef{ID: id, Name: g.Name, Type: g.Type, Role: m.Role})
		}
	}
	w.at, w.seq, w.last = now, seq, snap
	return snap, nil
}

// place adds to a record where its agent is, as far as that is public.
func (snap *snapshot) place(r *AgentRecord, id change.AgentID) {
	if teams := snap.teams[id]; teams != nil {
		r.Teams = teams
	}
	if p, ok := snap.online[r.ID]; ok {
		r.Online, r.LastHeartbeat = true, call.StampOrNil(p.SeenAt)
		if snap.public[p.Team] {
			r.ActiveTeamID = call.TextOrNil(p.Team)
		}
	}
}

// among are the agents that a list is of: those in a team, and of them, or of all,
// those that are online or those that are not; online is nil when that is not
// asked. only is nil for everybody, and except is left out of that.
func (s *Service) among(ctx context.Context, snap *snapshot, online *bool, team string) (only, except map[change.AgentID]bool, err error) {
	if team == "" {
		switch {
		case online == nil:
			return nil, nil, nil
		case *online:
			return snap.present(), nil, nil
		}
		return nil, snap.present(), nil
	}
	only = map[change.AgentID]bool{}
	id, err := s.access.ID(ctx, change.PrefixGuild, team, access.ErrNoTeam)
	if !snap.public[id.Text(change.PrefixGuild)] && (err == nil || reason.Of(err) == reason.TeamNotFound) {
		return only, nil, nil // nobody learns who is in a private team
	}
	if err != nil {
		return nil, nil, err
	}
	g, err := s.mesh.Guild(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range g.Members {
		if _, here := snap.online[m.ID.String()]; online == nil || here == *online {
			only[m.ID] = true
		}
	}
	return only, nil, nil
}

// present are the agents that are online.
func (snap *snapshot) present() map[change.AgentID]bool {
	out := map[change.AgentID]bool{}
	for text := range snap.online {
		if id, err := change.ParseAgentID(text); err == nil {
			out[id] = true
		}
	}
	return out
}

// ActiveTask is a task that an agent works on.
type ActiveTask struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	TeamID   string `json:"teamId"`
	TeamName string `json:"teamName"`
	Priority int    `json:"priority"`
}

// shared are the teams of an agent that the caller is in too, with what the agent
// works on there.
func (s *Service) shared(ctx context.Context, c call.Caller, agent change.AgentID) (teams []TeamRef, tasks []ActiveTask) {
	if c.RequireKey() != nil {
		return nil, nil
	}
	me, err := access.Actor(c)
	if err != nil {
		return nil, nil
	}
	for _, g := range s.mesh.GuildsOf(ctx, me) {
		name := access.RoleIn(g, agent)
		g, _, err := s.access.GuildAlive(ctx, g.ID)
		if name == "" || err != nil {
			continue
		}
		id := g.ID.Text(change.PrefixGuild)
		teams = append(teams, TeamRef{ID: id, Name: g.Name, Type: g.Type, Role: name})
		b, err := s.mesh.Board(ctx, g.ID)
		if err != nil {
			continue
		}
		for _, t := range b.Tasks {
			if t.State.Claimer == agent && !t.LeaseEnds.IsZero() {
				tasks = append(tasks, ActiveTask{t.ID, t.Title, id, g.Name, t.Priority})
			}
		}
	}
	return teams, tasks
}

// MyTeam is a team that the caller is in.
type MyTeam struct {
	TeamID      string   `json:"teamId"`
	TeamName    string   `json:"teamName"`
	Role        string   `json:"role"`
	Permissions []string `json:"permissions"`
}

// myTeams are the teams of an agent with what waits for it there.
func (s *Service) myTeams(ctx context.Context, agent change.AgentID) (teams []MyTeam, unread int, err error) {
	teams = []MyTeam{}
	for _, g := range s.mesh.GuildsOf(ctx, agent) {
		g, page, err := s.access.GuildAlive(ctx, g.ID)
		if err != nil {
			continue // closed, or not readable now
		}
		t := MyTeam{TeamID: g.ID.Text(change.PrefixGuild), TeamName: g.Name, Role: access.RoleIn(g, agent), Permissions: []string{}}
		for _, p := range access.PermissionsIn(t.Role, page) {
			t.Permissions = append(t.Permissions, string(p))
		}
		teams = append(teams, t)
		n, err := s.board.Unread(ctx, g.ID, agent)
		if err != nil {
			return nil, 0, err
		}
		unread += n
	}
	return teams, unread, nil
}
