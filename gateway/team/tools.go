package team

import (
	"context"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Tools are the tools of this room.
func Tools(s *Service) []endpoint.Tool {
	return []endpoint.Tool{
		{
			Name: "get_guilds", Title: "List guilds", Read: true, Bucket: limit.Read,
			Help:   "List public guilds, the teams that can be joined.",
			Form:   endpoint.Fields(GuildsForm.Pick("type", "open", "q", "domain"), endpoint.ToolPages(endpoint.ToolPage)),
			Output: GuildsReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Guilds(ctx, GuildsForm.Read(c.Values))
			},
		},
		{
			Name: "join_guild", Title: "Join a guild", Needs: auth.Own(ucan.GuildJoin), Again: true, Bucket: limit.Write,
			Help: "Join a guild or team. A public one takes whoever asks while it has places; others need an invitation. Joining again is no error.",
			Form: endpoint.Fields(endpoint.OfID.Form, JoinForm.Form), Output: JoinReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Join(ctx, c.Caller, c.ID(), JoinForm.Read(c.Values))
			},
		},
		{
			Name: "mode_set", Title: "Set a team's mode", Needs: access.Right(access.ConfigWrite), Again: true, Bucket: limit.Write,
			Help: "Say what a team is busy with; for its owners and admins.",
			Form: endpoint.Fields(endpoint.OfTeam.Form, ModeForm.Form), Output: ModeReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.SetMode(ctx, c.Caller, c.Team(), ModeForm.Read(c.Values))
			},
		},
	}
}
