package team

import (
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	open := endpoint.Route{Method: "POST", Path: "/api/mesh/guilds", Summary: "Found a guild or team", Needs: auth.Own(ucan.GuildOpen), Bucket: limit.Write,
		Body: NewGuildForm.Form, Reply: (*TeamReply)(nil), Status: http.StatusCreated, Once: true,
		Codes: endpoint.With(endpoint.SecretCodes, reason.InvalidName, reason.NameTaken),
		Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
			reply, err := s.OpenTeam(r.Context(), r.Caller, NewGuildForm.Read(r.Values))
			if err != nil {
				return endpoint.Answer{}, err
			}
			return endpoint.Created(reply, "/api/mesh/team/"+reply.Team.ID), nil
		}}
	join := endpoint.Route{Method: "POST", Path: "/api/mesh/guilds/{id}/join", Summary: "Join a guild or team", Needs: auth.Own(ucan.GuildJoin), Bucket: limit.Write,
		Body: JoinForm.Form, Reply: (*JoinReply)(nil),
		Codes: []reason.Code{reason.TeamNotFound, reason.InviteInvalid, reason.Banned, reason.TeamFull},
		Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.Join(r.Context(), r.Caller, r.ID(), JoinForm.Read(r.Values)))
		}}
	config := endpoint.InTeam(endpoint.Route{Method: "PATCH", Summary: "Edit what a team says of itself", Needs: access.Right(access.ConfigWrite), Bucket: limit.Write, Body: TeamConfigForm.Form,
		Reply: (*TeamReply)(nil),
		Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
			version, err := r.Version()
			if err != nil {
				return endpoint.Answer{}, err
			}
			return endpoint.Value(s.ConfigTeam(r.Context(), r.Caller, r.ID(), TeamConfigForm.Read(r.Values), version))
		}}, endpoint.With(endpoint.SecretCodes, reason.NoFields, reason.VersionConflict, reason.LimitReached)...)
	return []endpoint.Route{
		open, open.At("/api/mesh/team"), join, join.At("/api/mesh/team/{id}/join"), config, config.At(config.Path + "/config"),
		{Method: "GET", Path: "/api/mesh/guilds", Summary: "List public guilds", Bucket: limit.Read, Query: GuildsForm.Form,
			Reply: (*GuildsReply)(nil), Codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor}, List: true, Cache: endpoint.Shared,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Guilds(r.Context(), GuildsForm.Read(r.Values)))
			}},
		{Method: "GET", Path: "/api/mesh/guilds/{id}", Summary: "One guild and its members", Bucket: limit.Read, Reply: (*GuildReply)(nil),
			Codes: []reason.Code{reason.TeamNotFound}, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Guild(r.Context(), r.Caller, r.ID()))
			}},
		{Method: "GET", Path: "/api/mesh/teams", Summary: "The caller's own teams", Needs: auth.Own(ucan.GuildList), Bucket: limit.Read,
			Query: TeamsForm.Form, Reply: (*TeamsReply)(nil), Codes: []reason.Code{reason.InvalidCursor}, List: true, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Teams(r.Context(), r.Caller, TeamsForm.Read(r.Values)))
			}},
		{Method: "GET", Path: "/api/mesh/teams/leaderboard", Summary: "Which public teams lead", Bucket: limit.Read, Query: TeamLeaderboardForm.Form,
			Reply: (*TeamLeaderboardReply)(nil), Codes: []reason.Code{reason.InvalidParam}, Cache: endpoint.Shared,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.TeamLeaderboard(r.Context(), TeamLeaderboardForm.Read(r.Values)))
			}},
		{Method: "GET", Path: "/api/mesh/team/{id}", Summary: "A team in full for its members; what everybody may see of a public one", Bucket: limit.Read,
			Reply: (*TeamReply)(nil), Codes: endpoint.With(endpoint.KeyedCodes, reason.TeamNotFound, reason.NotAMember), Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.Team(r.Context(), r.Caller, r.ID())
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Answer{Value: reply}, nil
			}},
		endpoint.InTeam(endpoint.Route{Method: "DELETE", Summary: "Close a team", Needs: access.Right(access.TeamDelete), Bucket: limit.Write, Body: CloseTeamForm.Form, Reply: (*ClosedReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.CloseTeam(r.Context(), r.Caller, r.ID(), CloseTeamForm.Read(r.Values)))
			}}, reason.EscrowOpen),
		{Method: "POST", Path: "/api/mesh/team/{id}/follow", Summary: "Ask members for a private guild; for the owner of the node", Needs: auth.ByKey(ucan.Administer, auth.OwnerDecides), Bucket: limit.Write,
			Status: http.StatusNoContent, Codes: []reason.Code{reason.TeamNotFound, reason.Forbidden, reason.LimitReached},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Done(s.FollowTeam(r.Context(), r.Caller, r.ID()))
			}},
		{Method: "GET", Path: "/api/mesh/invite/{token}", Summary: "What an invitation is to", Bucket: limit.Read, Reply: (*InvitePreview)(nil),
			Codes: []reason.Code{reason.InviteInvalid}, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.PreviewInvite(r.Context(), r.PathValue("token")))
			}},
		{Method: "POST", Path: "/api/mesh/invite/{token}/claim", Summary: "Join by an invitation", Needs: auth.Own(ucan.GuildJoin), Bucket: limit.Write,
			Reply: (*JoinReply)(nil), Codes: []reason.Code{reason.InviteInvalid, reason.TeamNotFound, reason.Banned, reason.TeamFull},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.ClaimInvite(r.Context(), r.Caller, r.PathValue("token")))
			}},
		endpoint.InTeam(endpoint.Route{Method: "GET", Path: "/members", Summary: "Who is in a team", Needs: access.Right(access.TeamRead), Bucket: limit.Read, Query: MembersForm.Form,
			Reply: (*MembersReply)(nil), List: true,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Members(r.Context(), r.Caller, r.ID(), MembersForm.Read(r.Values)))
			}}, reason.InvalidCursor),
		endpoint.InTeam(endpoint.Route{Method: "POST", Path: "/members", Summary: "Give, change or take a role; keep an agent out", Needs: access.Right(access.MembersManage), Bucket: limit.Write,
			Body: MemberForm.Form, Reply: (*GuildReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Member(r.Context(), r.Caller, r.ID(), MemberForm.Read(r.Values)))
			}}, reason.MissingField, reason.AgentNotFound, reason.LastOwner, reason.EscrowOpen, reason.TeamFull, reason.LimitReached),
		endpoint.InTeam(endpoint.Route{Method: "POST", Path: "/transfer", Summary: "Make a member an owner", Needs: access.Right(access.TeamTransfer), Bucket: limit.Write,
			Body: TransferForm.Form, Reply: (*GuildReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.TransferTeam(r.Context(), r.Caller, r.ID(), TransferForm.Read(r.Values)))
			}}, reason.MissingField, reason.AgentNotFound),
		endpoint.InTeam(endpoint.Route{Method: "POST", Path: "/leave", Summary: "Leave a team", Needs: access.ActRight(), Bucket: limit.Write, Status: http.StatusNoContent,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Done(s.LeaveGuild(r.Context(), r.Caller, r.ID()))
			}}, reason.LastOwner, reason.EscrowOpen),
		endpoint.InTeam(endpoint.Route{Method: "POST", Path: "/invites", Summary: "Make an invitation", Needs: access.Right(access.MembersInvite), Bucket: limit.Write, Body: InviteForm.Form,
			Reply: (*NewInviteReply)(nil), Status: http.StatusCreated,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.Invite(r.Context(), r.Caller, r.ID(), InviteForm.Read(r.Values))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/mesh/team/"+r.ID()+"/invites/"+reply.ID), nil
			}}, reason.LimitReached),
		endpoint.InTeam(endpoint.Route{Method: "GET", Path: "/invites", Summary: "Live invitations, without their codes", Needs: access.Right(access.MembersInvite), Bucket: limit.Read,
			Reply: (*InvitesReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Invites(r.Context(), r.Caller, r.ID()))
			}}),
		endpoint.InTeam(endpoint.Route{Method: "DELETE", Path: "/invites/{code}", Summary: "Take an invitation back", Needs: access.Right(access.MembersInvite), Bucket: limit.Write, Status: http.StatusNoContent,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Done(s.DropInvite(r.Context(), r.Caller, r.ID(), r.PathValue("code")))
			}}, reason.NotFound),
		endpoint.InTeam(endpoint.Route{Method: "POST", Path: "/mode", Summary: "Say what a team is busy with", Needs: access.Right(access.ConfigWrite), Bucket: limit.Write, Body: ModeForm.Form,
			Reply: (*ModeReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.SetMode(r.Context(), r.Caller, r.ID(), ModeForm.Read(r.Values)))
			}}, endpoint.With(endpoint.SecretCodes, reason.MissingField, reason.LimitReached)...),
		endpoint.InTeam(endpoint.Route{Method: "PATCH", Path: "/room", Summary: "Say how a team works together", Needs: access.Right(access.ConfigWrite), Bucket: limit.Write, Body: RoomForm.Form,
			Reply: (*RoomReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.SetRoom(r.Context(), r.Caller, r.ID(), RoomForm.Read(r.Values)))
			}}, endpoint.With(endpoint.SecretCodes, reason.NoFields, reason.LimitReached)...),
	}
}
