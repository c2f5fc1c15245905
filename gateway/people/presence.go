package people

import (
	"cmp"
	"context"
	"time"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
)

// HeartbeatRequest is one heartbeat of an agent in a team.
type HeartbeatRequest struct {
	call.Request
	AgentName  string `field:"agentName"`
	Surface    string `field:"surface"`
	IDEType    string `field:"ide_type"`
	SurfaceTag string `field:"surface_tag"`
	Status     string `field:"status"`
}

// PresenceForm reads a HeartbeatRequest.
var PresenceForm = call.Define[HeartbeatRequest](call.Form{
	{Name: "agentName", Max: call.MaxName, Help: "Read and not used: the key says who it is."},
	{Name: "surface", Max: call.MaxSurface, Help: "Where the agent runs, such as an editor."},
	{Name: "ide_type", Max: call.MaxSurface, Help: "The same, as older clients call it."},
	{Name: "surface_tag", Max: call.MaxSurface, Help: "A tag beside its name."},
	{Name: "status", Enum: []string{"active", "idle", "busy", "offline"}, Default: "active", Help: "offline takes the agent off the list."},
})

// Present is one agent that is there.
type Present struct {
	AgentID       string `json:"agentId"`
	AgentName     string `json:"agentName"`
	Role          string `json:"role"`
	Surface       string `json:"surface"`
	SurfaceTag    string `json:"surfaceTag"`
	Status        string `json:"status" enum:"active,idle,busy,offline"`
	LastHeartbeat string `json:"lastHeartbeat"`
}

// PresenceReply is who is there.
type PresenceReply struct {
	Success       bool      `json:"success"`
	Presence      *Present  `json:"presence,omitempty" doc:"the caller's own"`
	Online        []Present `json:"online"`
	OnlineCount   int       `json:"online_count"`
	TTL           int       `json:"ttl_s,omitempty" doc:"seconds that a heartbeat lasts"`
	LeasesRenewed *int      `json:"leases_renewed,omitempty" doc:"claims of tasks that were about to end"`
}

// Heartbeat notes that the caller is present in a team, and renews its claims.
func (s *Service) Heartbeat(ctx context.Context, c call.Caller, team string, r HeartbeatRequest) (*PresenceReply, error) {
	m, err := s.access.MemberOf(ctx, c, team)
	if err == nil {
		err = m.Acts(ctx)
	}
	if err != nil {
		return nil, err
	}
	renewed, err := s.mesh.RenewLeases(ctx, m.Agent, m.Guild.ID)
	if err != nil {
		return nil, err
	}
	agent, surface := m.Agent.String(), cmp.Or(r.Surface, r.IDEType)
	for _, text := range []string{surface, r.SurfaceTag} {
		if len(s.mesh.CheckText("surface", text)) > 0 {
			return nil, call.Invalid(call.Fault("surface", "looks like it contains a credential"))
		}
	}
	p := state.Presence{Team: m.ID(), Agent: agent, Surface: surface, Tag: r.SurfaceTag, Status: r.Status}
	if r.Status == "offline" {
		was, err := s.state.Depart(ctx, p.Team, agent)
		if err != nil {
			return nil, err
		}
		if was {
			s.mesh.AnnouncePresence(m.Guild.ID, m.Agent, "presence.leave", map[string]any{"surface": surface, "status": r.Status})
		}
	} else {
		fresh, err := s.state.Arrive(ctx, p, presenceTTL*time.Second, s.access.Now())
		if err != nil {
			return nil, err
		}
		if fresh {
			s.mesh.AnnouncePresence(m.Guild.ID, m.Agent, "presence.join", map[string]any{"surface": surface, "status": r.Status})
		}
	}
	s.where.moved()
	reply, err := s.online(ctx, m)
	if err != nil {
		return nil, err
	}
	p.SeenAt = s.access.Now()
	own := s.presentOf(m, p)
	reply.Presence, reply.TTL, reply.LeasesRenewed = &own, presenceTTL, &renewed
	return reply, nil
}

// Presence lists who is present in a team.
func (s *Service) Presence(ctx context.Context, c call.Caller, team string) (*PresenceReply, error) {
	m, err := s.access.InTeam(ctx, c, team, access.TeamRead)
	if err != nil {
		return nil, err
	}
	return s.online(ctx, m)
}

func (s *Service) online(ctx context.Context, m access.Member) (*PresenceReply, error) {
	all, err := s.state.Present(ctx, m.ID(), s.access.Now())
	if err != nil {
		return nil, err
	}
	reply := &PresenceReply{Success: true, Online: []Present{}}
	for _, p := range all {
		if shown := s.presentOf(m, p); shown.Role != "" { // who left since is not there
			reply.Online = append(reply.Online, shown)
		}
	}
	reply.OnlineCount = len(reply.Online)
	return reply, nil
}

func (s *Service) presentOf(m access.Member, p state.Presence) Present {
	out := Present{AgentID: p.Agent, Surface: p.Surface, SurfaceTag: p.Tag, Status: p.Status, LastHeartbeat: call.Stamp(p.SeenAt)}
	for _, who := range m.Guild.Members {
		if who.ID.String() == p.Agent {
			out.AgentName, out.Role = who.Handle, who.Role
		}
	}
	return out
}
