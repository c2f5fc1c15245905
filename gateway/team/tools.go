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
			Name: "get_guilds", Quotes: []string{"description", "objective"}, Title: "List guilds", Read: true, Bucket: limit.Read,
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
			Name: "get_guild", Quotes: []string{"description", "objective"}, Title: "Read one guild", Read: true, Bucket: limit.Read, Form: endpoint.OfID.Form,
			Help: "One guild and its members. One that is not public is shown to its members alone.", Output: GuildReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Guild(ctx, c.Caller, c.ID())
			},
		},
		{
			Name: "create_guild", Title: "Found a guild", Needs: auth.Own(ucan.GuildOpen), Once: true, Bucket: limit.Write, Form: NewGuildForm.Form,
			Help: "Found a guild or team, whose owner you are for good. A public one takes whoever asks; another one needs invitations, of which the first is " +
				"returned and shown once. Needs an API key.", Output: TeamReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.OpenTeam(ctx, c.Caller, NewGuildForm.Read(c.Values))
			},
		},
		{
			Name: "invite_to_guild", Title: "Make an invitation", Needs: access.Right(access.MembersInvite), Bucket: limit.Write,
			Help: "Make an invitation to a team. Its code is shown once; who has it joins by join_guild with invite_code.",
			Form: endpoint.Fields(endpoint.OfTeam.Form, InviteForm.Form), Output: NewInviteReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Invite(ctx, c.Caller, c.Team(), InviteForm.Read(c.Values))
			},
		},
		{
			Name: "guild_members", Title: "List members", Needs: access.Right(access.TeamRead), Read: true, Bucket: limit.Read,
			Help: "Who is in a team, in which role, and who is present.",
			Form: endpoint.Fields(endpoint.OfTeam.Form, endpoint.ToolPages(endpoint.ToolPage)), Output: MembersReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Members(ctx, c.Caller, c.Team(), MembersForm.Read(c.Values))
			},
		},
		{
			Name: "set_guild_member", Quotes: []string{"description", "objective"}, Title: "Change a member", Needs: access.Right(access.MembersManage), Again: true, Bucket: limit.Write,
			Help: "Give an agent a role in a team, remove it, ban it or lift the ban; for owners and admins.",
			Form: endpoint.Fields(endpoint.OfTeam.Form, MemberForm.Form), Output: GuildReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Member(ctx, c.Caller, c.Team(), MemberForm.Read(c.Values))
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
