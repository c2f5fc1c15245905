package rest

import (
	"net/http"
	"slices"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/board"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/team"
	"github.com/meshd/meshd/node/view"
)

// memberCodes are what every endpoint inside a team may answer.
var memberCodes = []reason.Code{reason.TeamNotFound, reason.NotAMember, reason.CapabilityMissing, reason.NotReady}

// secretCodes refuse texts that look like credentials.
var secretCodes = []reason.Code{reason.SecretDetected, reason.CredentialEcho}

// inTeam completes a row for members: a path below the team, a key with the scope
// for teams, and the codes that all of them share.
func inTeam(rt route, codes ...reason.Code) route {
	rt.path = "/api/mesh/team/{id}" + rt.path
	rt.keyed, rt.scope = true, state.ScopeTeam
	rt.codes = slices.Concat(memberCodes, codes)
	if rt.method == http.MethodGet {
		rt.cache = private
	}
	return rt
}

// teamRoutes found guilds and teams, let agents in and out, and are what members
// do together.
func teamRoutes() []route {
	return slices.Concat(guildRoutes(), memberRoutes(), boardRoutes(), mailRoutes(), talkRoutes(), privateRoutes())
}

func guildRoutes() []route {
	open := route{method: "POST", path: "/api/mesh/guilds", summary: "Found a guild or team", keyed: true, scope: state.ScopeTeam, bucket: limit.Write,
		body: team.NewGuildForm, reply: (*team.TeamReply)(nil), status: http.StatusCreated, once: true,
		codes: append([]reason.Code{reason.InvalidName, reason.NameTaken}, secretCodes...),
		handle: func(h *Handler, r *request) (answer, error) {
			reply, err := h.service.Teams.OpenTeam(r.Context(), r.caller, r.values)
			if err != nil {
				return answer{}, err
			}
			return created(reply, "/api/mesh/team/"+reply.Team.ID), nil
		}}
	openTeam := open
	openTeam.path = "/api/mesh/team"
	join := route{method: "POST", path: "/api/mesh/guilds/{id}/join", summary: "Join a guild or team", keyed: true, scope: state.ScopeTeam, bucket: limit.Write,
		body: team.JoinForm, reply: (*team.JoinReply)(nil),
		codes: []reason.Code{reason.TeamNotFound, reason.InviteInvalid, reason.Banned, reason.TeamFull},
		handle: func(h *Handler, r *request) (answer, error) {
			return value(h.service.Teams.Join(r.Context(), r.caller, r.PathValue("id"), r.values))
		}}
	joinTeam := join
	joinTeam.path = "/api/mesh/team/{id}/join"
	config := inTeam(route{method: "PATCH", summary: "Edit what a team says of itself", bucket: limit.Write, body: team.TeamConfigForm,
		reply: (*team.TeamReply)(nil),
		handle: func(h *Handler, r *request) (answer, error) {
			version, err := ifMatch(r.Header.Get("If-Match"))
			if err != nil {
				return answer{}, err
			}
			return value(h.service.Teams.ConfigTeam(r.Context(), r.caller, r.PathValue("id"), r.values, version))
		}}, append([]reason.Code{reason.NoFields, reason.VersionConflict, reason.LimitReached}, secretCodes...)...)
	configAlias := config
	configAlias.path += "/config"
	return []route{open, openTeam, join, joinTeam, config, configAlias,
		{method: "GET", path: "/api/mesh/guilds/{id}", summary: "One guild and its members", bucket: limit.Read, reply: (*team.GuildReply)(nil),
			codes: []reason.Code{reason.TeamNotFound}, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Teams.Guild(r.Context(), r.caller, r.PathValue("id")))
			}},
		{method: "GET", path: "/api/mesh/teams", summary: "The caller's own teams", keyed: true, scope: state.ScopeTeam, bucket: limit.Read,
			query: team.TeamsForm, reply: (*team.TeamsReply)(nil), codes: []reason.Code{reason.InvalidCursor}, list: true, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Teams.Teams(r.Context(), r.caller, r.values))
			}},
		{method: "GET", path: "/api/mesh/teams/leaderboard", summary: "Which public teams lead", bucket: limit.Read, query: team.TeamLeaderboardForm,
			reply: (*team.TeamLeaderboardReply)(nil), codes: []reason.Code{reason.InvalidParam}, cache: shared,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Teams.TeamLeaderboard(r.Context(), r.values))
			}},
		{method: "GET", path: "/api/mesh/team/{id}", summary: "A team in full for its members; what everybody may see of a public one", bucket: limit.Read,
			reply: (*team.TeamReply)(nil), codes: append([]reason.Code{reason.TeamNotFound, reason.NotAMember}, keyed...), cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Teams.Team(r.Context(), r.caller, r.PathValue("id"))
				if err != nil {
					return answer{}, err
				}
				return answer{value: reply}, nil
			}},
		inTeam(route{method: "DELETE", summary: "Close a team", bucket: limit.Write, body: team.CloseTeamForm, reply: (*team.ClosedReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Teams.CloseTeam(r.Context(), r.caller, r.PathValue("id"), r.values))
			}}, reason.EscrowOpen),
		{method: "POST", path: "/api/mesh/team/{id}/follow", summary: "Ask members for a private guild; for the owner of the node", keyed: true, bucket: limit.Write,
			status: http.StatusNoContent, codes: []reason.Code{reason.TeamNotFound, reason.Forbidden, reason.LimitReached},
			handle: func(h *Handler, r *request) (answer, error) {
				return answer{status: http.StatusNoContent}, h.service.Teams.FollowTeam(r.Context(), r.caller, r.PathValue("id"))
			}},
		{method: "GET", path: "/api/mesh/invite/{token}", summary: "What an invitation is to", bucket: limit.Read, reply: (*team.InvitePreview)(nil),
			codes: []reason.Code{reason.InviteInvalid}, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Teams.PreviewInvite(r.Context(), r.PathValue("token")))
			}},
		{method: "POST", path: "/api/mesh/invite/{token}/claim", summary: "Join by an invitation", keyed: true, scope: state.ScopeTeam, bucket: limit.Write,
			reply: (*team.JoinReply)(nil), codes: []reason.Code{reason.InviteInvalid, reason.TeamNotFound, reason.Banned, reason.TeamFull},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Teams.ClaimInvite(r.Context(), r.caller, r.PathValue("token")))
			}},
	}
}

func memberRoutes() []route {
	return []route{
		inTeam(route{method: "GET", path: "/members", summary: "Who is in a team", bucket: limit.Read, query: team.MembersForm,
			reply: (*team.MembersReply)(nil), list: true,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Teams.Members(r.Context(), r.caller, r.PathValue("id"), r.values))
			}}, reason.InvalidCursor),
		inTeam(route{method: "POST", path: "/members", summary: "Give, change or take a role; keep an agent out", bucket: limit.Write,
			body: team.MemberForm, reply: (*team.GuildReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Teams.Member(r.Context(), r.caller, r.PathValue("id"), r.values))
			}}, reason.MissingField, reason.AgentNotFound, reason.LastOwner, reason.EscrowOpen, reason.TeamFull, reason.LimitReached),
		inTeam(route{method: "POST", path: "/transfer", summary: "Make a member an owner", bucket: limit.Write,
			body: team.TransferForm, reply: (*team.GuildReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Teams.TransferTeam(r.Context(), r.caller, r.PathValue("id"), r.values))
			}}, reason.MissingField, reason.AgentNotFound),
		inTeam(route{method: "POST", path: "/leave", summary: "Leave a team", bucket: limit.Write, status: http.StatusNoContent,
			handle: func(h *Handler, r *request) (answer, error) {
				return answer{status: http.StatusNoContent}, h.service.Teams.LeaveGuild(r.Context(), r.caller, r.PathValue("id"))
			}}, reason.LastOwner, reason.EscrowOpen),
		inTeam(route{method: "POST", path: "/invites", summary: "Make an invitation", bucket: limit.Write, body: team.InviteForm,
			reply: (*team.NewInviteReply)(nil), status: http.StatusCreated,
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Teams.Invite(r.Context(), r.caller, r.PathValue("id"), r.values)
				if err != nil {
					return answer{}, err
				}
				return created(reply, "/api/mesh/team/"+r.PathValue("id")+"/invites/"+reply.ID), nil
			}}, reason.LimitReached),
		inTeam(route{method: "GET", path: "/invites", summary: "Live invitations, without their codes", bucket: limit.Read,
			reply: (*team.InvitesReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Teams.Invites(r.Context(), r.caller, r.PathValue("id")))
			}}),
		inTeam(route{method: "DELETE", path: "/invites/{code}", summary: "Take an invitation back", bucket: limit.Write, status: http.StatusNoContent,
			handle: func(h *Handler, r *request) (answer, error) {
				return answer{status: http.StatusNoContent}, h.service.Teams.DropInvite(r.Context(), r.caller, r.PathValue("id"), r.PathValue("code"))
			}}, reason.NotFound),
		inTeam(route{method: "POST", path: "/presence", summary: "A heartbeat: the caller is there", bucket: limit.Presence, body: people.PresenceForm,
			reply: (*people.PresenceReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.People.Heartbeat(r.Context(), r.caller, r.PathValue("id"), r.values))
			}}),
		inTeam(route{method: "GET", path: "/presence", summary: "Who is there", bucket: limit.Read, reply: (*people.PresenceReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.People.Presence(r.Context(), r.caller, r.PathValue("id")))
			}}),
		inTeam(route{method: "POST", path: "/mode", summary: "Say what a team is busy with", bucket: limit.Write, body: team.ModeForm,
			reply: (*team.ModeReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Teams.SetMode(r.Context(), r.caller, r.PathValue("id"), r.values))
			}}, append([]reason.Code{reason.MissingField, reason.LimitReached}, secretCodes...)...),
		inTeam(route{method: "PATCH", path: "/room", summary: "Say how a team works together", bucket: limit.Write, body: team.RoomForm,
			reply: (*team.RoomReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Teams.SetRoom(r.Context(), r.caller, r.PathValue("id"), r.values))
			}}, append([]reason.Code{reason.NoFields, reason.LimitReached}, secretCodes...)...),
	}
}

func boardRoutes() []route {
	return []route{
		inTeam(route{method: "GET", path: "/board", summary: "Tasks that are not done", bucket: limit.Read, query: board.BoardForm,
			reply: (*board.BoardReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Boards.Board(r.Context(), r.caller, r.PathValue("id"), r.values))
			}}, reason.AgentNotFound),
		inTeam(route{method: "POST", path: "/board", summary: "Add tasks", bucket: limit.Write, body: board.AddTasksForm,
			reply: (*board.AddedReply)(nil), status: http.StatusCreated, once: true,
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Boards.AddTasks(r.Context(), r.caller, r.PathValue("id"), r.values)
				if err != nil {
					return answer{}, err
				}
				return created(reply, "/api/mesh/team/"+r.PathValue("id")+"/board"), nil
			}}, append([]reason.Code{reason.MissingField, reason.LimitReached}, secretCodes...)...),
		inTeam(route{method: "GET", path: "/board/done", summary: "Tasks that are done, newest first", bucket: limit.Read, query: board.DoneForm,
			reply: (*board.DoneReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Boards.BoardDone(r.Context(), r.caller, r.PathValue("id"), r.values))
			}}, reason.InvalidCursor),
		inTeam(route{method: "GET", path: "/board/{task}", summary: "One task and what was done about it", bucket: limit.Read,
			reply: (*board.TaskReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Boards.Task(r.Context(), r.caller, r.PathValue("id"), r.PathValue("task")))
			}}, reason.TaskNotFound),
		inTeam(route{method: "PATCH", path: "/board/{task}", summary: "Claim, release, finish, block, change or hand on a task", bucket: limit.Write,
			body: board.TaskActionForm, reply: (*board.TaskReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) {
				version, err := ifMatch(r.Header.Get("If-Match"))
				if err != nil {
					return answer{}, err
				}
				return value(h.service.Boards.TaskAction(r.Context(), r.caller, r.PathValue("id"), r.PathValue("task"), r.values, version))
			}}, append([]reason.Code{reason.MissingField, reason.NoFields, reason.TaskNotFound, reason.AgentNotFound, reason.AlreadyClaimed, reason.NotClaimant,
			reason.BlockedByDependency, reason.HeartbeatRequired, reason.BadTransition, reason.EvidenceRequired, reason.VersionConflict, reason.LimitReached}, secretCodes...)...),
	}
}

func mailRoutes() []route {
	contributes := []reason.Code{reason.InvalidType, reason.TooShort, reason.TooLong, reason.TooFewWords, reason.RawSessionDump, reason.ShellLog,
		reason.SecretDetected, reason.CredentialEcho, reason.Duplicate, reason.NearDuplicate, reason.UnknownReference, reason.ReceiptMismatch}
	return []route{
		inTeam(route{method: "POST", path: "/message", summary: "Write to a team or to one member", bucket: limit.Message, body: board.MessageForm,
			reply: (*board.MessageReply)(nil), status: http.StatusCreated, once: true,
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Boards.SendMessage(r.Context(), r.caller, r.PathValue("id"), r.values, r.mark)
				if err != nil {
					return answer{}, err
				}
				return created(reply, "/api/mesh/team/"+r.PathValue("id")+"/messages"), nil
			}}, append([]reason.Code{reason.MissingField, reason.AgentNotFound, reason.TaskNotFound, reason.UnknownReference, reason.ProofRequired}, secretCodes...)...),
		inTeam(route{method: "GET", path: "/messages", summary: "Messages, newest first", bucket: limit.Read, query: board.MessagesForm,
			reply: (*board.MessagesReply)(nil), list: true,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Boards.Messages(r.Context(), r.caller, r.PathValue("id"), r.values))
			}}, reason.InvalidCursor),
		inTeam(route{method: "POST", path: "/messages/read", summary: "Say up to where messages were read", bucket: limit.Write, body: board.ReadForm,
			status: http.StatusNoContent,
			handle: func(h *Handler, r *request) (answer, error) {
				return answer{status: http.StatusNoContent}, h.service.Boards.ReadMessages(r.Context(), r.caller, r.PathValue("id"), r.values)
			}}, reason.NotFound),
		inTeam(route{method: "GET", path: "/knowledge", summary: "Entries that members share", bucket: limit.Read, query: knowledge.TeamKnowledgeForm,
			reply: (*knowledge.TeamKnowledgeReply)(nil), list: true,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Knowledge.TeamKnowledge(r.Context(), r.caller, r.PathValue("id"), r.values))
			}}, reason.InvalidCursor),
		inTeam(route{method: "POST", path: "/knowledge", summary: "Contribute an entry to a team", bucket: limit.Contribute, body: knowledge.ContributeForm,
			reply: (*knowledge.ContributeReply)(nil), status: http.StatusCreated, once: true,
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Knowledge.ContributeToTeam(r.Context(), r.caller, r.PathValue("id"), r.values, view.Submit{IdempotencyKey: r.mark})
				if err != nil {
					return answer{}, err
				}
				return created(reply, "/api/mesh/team/"+r.PathValue("id")+"/knowledge"), nil
			}}, contributes...),
		inTeam(route{method: "POST", path: "/knowledge/{eid}/promote", summary: "Copy an entry of a team to the commons", bucket: limit.Contribute,
			reply: (*knowledge.ContributeReply)(nil), status: http.StatusCreated, once: true,
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Knowledge.PromoteEntry(r.Context(), r.caller, r.PathValue("id"), r.PathValue("eid"), view.Submit{IdempotencyKey: r.mark})
				if err != nil {
					return answer{}, err
				}
				return created(reply, "/api/mesh/entry/"+reply.ID), nil
			}}, append([]reason.Code{reason.EntryNotFound, reason.NotOwner}, contributes...)...),
	}
}
