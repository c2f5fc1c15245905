package board

import (
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
)

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	return []endpoint.Route{
		endpoint.InTeam(endpoint.Route{Method: "GET", Path: "/suggestions", Summary: "What members would have their team do", Needs: access.Right(access.BoardRead), Bucket: limit.Read, Query: SuggestionsForm.Form,
			Reply: (*SuggestionsReply)(nil), List: true,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Suggestions(r.Context(), r.Caller, r.ID(), SuggestionsForm.Read(r.Values)))
			}}, reason.InvalidCursor),
		endpoint.InTeam(endpoint.Route{Method: "POST", Path: "/suggestions", Summary: "Put a suggestion before a team", Needs: access.Right(access.BoardWrite), Bucket: limit.Write, Body: TeamSuggestionForm.Form,
			Reply: (*SuggestionReply)(nil), Status: http.StatusCreated, Once: true,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.Suggest(r.Context(), r.Caller, r.ID(), TeamSuggestionForm.Read(r.Values))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/mesh/team/"+r.ID()+"/suggestions"), nil
			}}, endpoint.With(endpoint.SecretCodes, reason.MissingField, reason.LimitReached)...),
		endpoint.InTeam(endpoint.Route{Method: "POST", Path: "/suggestions/{sid}/vote", Summary: "Vote about a suggestion; three more for it than against it make it a task", Needs: access.Right(access.BoardWrite), Bucket: limit.Vote,
			Body: VoteSuggestionForm.Form, Reply: (*SuggestionReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.VoteSuggestion(r.Context(), r.Caller, r.ID(), r.PathValue("sid"), VoteSuggestionForm.Read(r.Values)))
			}}, reason.NotFound, reason.SelfVote, reason.LimitReached),
		endpoint.InTeam(endpoint.Route{Method: "GET", Path: "/feed", Summary: "What happened in a team, newest first", Needs: access.Right(access.TeamRead), Bucket: limit.Read, Query: TeamFeedForm.Form,
			Reply: (*TeamFeedReply)(nil), List: true,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.TeamFeed(r.Context(), r.Caller, r.ID(), TeamFeedForm.Read(r.Values)))
			}}, reason.InvalidCursor),
		endpoint.InTeam(endpoint.Route{Method: "GET", Path: "/board", Summary: "Tasks that are not done", Needs: access.Right(access.BoardRead), Bucket: limit.Read, Query: BoardForm.Form,
			Reply: (*BoardReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Board(r.Context(), r.Caller, r.ID(), BoardForm.Read(r.Values)))
			}}, reason.AgentNotFound),
		endpoint.InTeam(endpoint.Route{Method: "POST", Path: "/board", Summary: "Add tasks", Needs: access.Right(access.BoardWrite), Bucket: limit.Write, Body: AddTasksForm.Form,
			Reply: (*AddedReply)(nil), Status: http.StatusCreated, Once: true,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.AddTasks(r.Context(), r.Caller, r.ID(), AddTasksForm.Read(r.Values))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/mesh/team/"+r.ID()+"/board"), nil
			}}, endpoint.With(endpoint.SecretCodes, reason.MissingField, reason.LimitReached)...),
		endpoint.InTeam(endpoint.Route{Method: "GET", Path: "/board/done", Summary: "Tasks that are done, newest first", Needs: access.Right(access.BoardRead), Bucket: limit.Read, Query: DoneForm.Form,
			Reply: (*DoneReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.BoardDone(r.Context(), r.Caller, r.ID(), DoneForm.Read(r.Values)))
			}}, reason.InvalidCursor),
		endpoint.InTeam(endpoint.Route{Method: "GET", Path: "/board/{task}", Summary: "One task and what was done about it", Needs: access.Right(access.BoardRead), Bucket: limit.Read,
			Reply: (*TaskReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Task(r.Context(), r.Caller, r.ID(), r.PathValue("task")))
			}}, reason.TaskNotFound),
		endpoint.InTeam(endpoint.Route{Method: "PATCH", Path: "/board/{task}", Summary: "Claim, release, finish, block, change or hand on a task", Needs: access.Right(access.BoardClaim), Bucket: limit.Write,
			Body: TaskActionForm.Form, Reply: (*TaskReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				version, err := r.Version()
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Value(s.TaskAction(r.Context(), r.Caller, r.ID(), r.PathValue("task"), TaskActionForm.Read(r.Values), version))
			}}, endpoint.With(endpoint.SecretCodes, reason.MissingField, reason.NoFields, reason.TaskNotFound, reason.AgentNotFound, reason.AlreadyClaimed, reason.NotClaimant,
			reason.BlockedByDependency, reason.HeartbeatRequired, reason.BadTransition, reason.EvidenceRequired, reason.VersionConflict, reason.LimitReached)...),
		endpoint.InTeam(endpoint.Route{Method: "POST", Path: "/message", Summary: "Write to a team or to one member", Needs: access.Right(access.MessagesWrite), Bucket: limit.Message, Body: MessageForm.Form,
			Reply: (*MessageReply)(nil), Status: http.StatusCreated, Once: true,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.SendMessage(r.Context(), r.Caller, r.ID(), MessageForm.Read(r.Values), r.Mark)
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/mesh/team/"+r.ID()+"/messages"), nil
			}}, endpoint.With(endpoint.SecretCodes, reason.MissingField, reason.AgentNotFound, reason.TaskNotFound, reason.UnknownReference, reason.ProofRequired)...),
		endpoint.InTeam(endpoint.Route{Method: "GET", Path: "/messages", Summary: "Messages, newest first", Needs: access.Right(access.MessagesRead), Bucket: limit.Read, Query: MessagesForm.Form,
			Reply: (*MessagesReply)(nil), List: true,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Messages(r.Context(), r.Caller, r.ID(), MessagesForm.Read(r.Values)))
			}}, reason.InvalidCursor),
		endpoint.InTeam(endpoint.Route{Method: "POST", Path: "/messages/read", Summary: "Say up to where messages were read", Needs: access.ActRight(), Bucket: limit.Write, Body: ReadForm.Form,
			Status: http.StatusNoContent,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Done(s.ReadMessages(r.Context(), r.Caller, r.ID(), ReadForm.Read(r.Values)))
			}}, reason.NotFound),
	}
}
