package board

import (
	"context"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/node/view"
)

// TeamSuggestionRequest is what a member would have its team do.
type TeamSuggestionRequest struct {
	call.Request
	Title       string `field:"title"`
	Description string `field:"description"`
	Category    string `field:"category"`
	Evidence    string `field:"evidence"`
}

// TeamSuggestionForm reads a TeamSuggestionRequest.
var TeamSuggestionForm = call.Define[TeamSuggestionRequest](call.Form{
	{Name: "title", Min: 1, Max: view.MaxTaskTitle, Required: true, Help: "What should be done, in one line."},
	{Name: "description", Max: view.MaxTaskEvidence, Help: "What should be done, and why."},
	{Name: "category", Max: maxTaskRole, Help: "A word for what kind it is."},
	{Name: "evidence", Max: view.MaxTaskEvidence, Help: "What speaks for it."},
})

// VoteSuggestionRequest is a vote about a suggestion.
type VoteSuggestionRequest struct {
	call.Request
	Value int `field:"value"`
}

// VoteSuggestionForm reads a VoteSuggestionRequest.
var VoteSuggestionForm = call.Define[VoteSuggestionRequest](call.Form{{Name: "value", Kind: call.Int, Min: -1, Max: 1, Default: 1, Help: "1 for, -1 against, 0 neither."}})

// Suggestion is what a member would have its team do.
type Suggestion struct {
	ID          string  `json:"id"`
	Title       string  `json:"title"`
	Description string  `json:"description"`
	Category    string  `json:"category"`
	Evidence    string  `json:"evidence"`
	CreatedBy   string  `json:"createdBy"`
	CreatedAt   string  `json:"createdAt"`
	Up          int     `json:"up"`
	Down        int     `json:"down"`
	Net         int     `json:"net"`
	MyVote      int     `json:"my_vote"`
	TaskID      *string `json:"taskId" doc:"the task that it became"`
}

// SuggestionReply is one suggestion.
type SuggestionReply struct {
	Success    bool       `json:"success"`
	Suggestion Suggestion `json:"suggestion"`
}

// SuggestionsReply is a page of suggestions, newest first.
type SuggestionsReply struct {
	Success     bool         `json:"success"`
	Suggestions []Suggestion `json:"suggestions"`
	call.Paging
}

// SuggestionsRequest pages through suggestions.
type SuggestionsRequest struct {
	call.Request
	call.PageOf
}

// SuggestionsForm reads a SuggestionsRequest.
var SuggestionsForm = call.Define[SuggestionsRequest](call.PageFields(call.MaxPage))

func suggestionOf(s view.Suggestion) Suggestion {
	return Suggestion{ID: s.ID.Text(change.PrefixSuggestion), Title: s.Title, Description: s.Description, Category: s.Category, Evidence: s.Evidence,
		CreatedBy: s.By.String(), CreatedAt: call.Stamp(s.CreatedAt), Up: s.Up, Down: s.Down, Net: s.Up - s.Down, MyVote: s.Mine, TaskID: call.TextOrNil(s.Task)}
}

// Suggest puts a suggestion before a team.
func (s *Service) Suggest(ctx context.Context, c call.Caller, team string, r TeamSuggestionRequest) (*SuggestionReply, error) {
	m, err := s.access.InTeam(ctx, c, team, access.BoardWrite)
	if err != nil {
		return nil, err
	}
	in := view.Suggestion{Title: strings.TrimSpace(r.Title), Description: strings.TrimSpace(r.Description),
		Category: strings.TrimSpace(r.Category), Evidence: strings.TrimSpace(r.Evidence)}
	if in.Title == "" {
		return nil, reason.Refuse(reason.MissingField, "title is needed").With(map[string]any{"field": "title"})
	}
	if err := s.access.RefuseSecrets(map[string]string{"title": in.Title, "description": in.Description, "category": in.Category, "evidence": in.Evidence}); err != nil {
		return nil, err
	}
	key, err := s.state.NewID("sug_", s.access.Now())
	if err != nil {
		return nil, err
	}
	out, err := s.mesh.Suggest(ctx, m.Agent, m.Guild.ID, key, in)
	if err != nil {
		return nil, err
	}
	return &SuggestionReply{true, suggestionOf(out)}, nil
}

// Suggestions lists what members would have their team do.
func (s *Service) Suggestions(ctx context.Context, c call.Caller, team string, r SuggestionsRequest) (*SuggestionsReply, error) {
	m, err := s.access.InTeam(ctx, c, team, access.BoardRead)
	if err != nil {
		return nil, err
	}
	all, err := s.mesh.Suggestions(ctx, m.Guild.ID, m.Agent)
	if err != nil {
		return nil, err
	}
	filter := r.Filter("suggestions/" + m.ID())
	at, err := s.pages.Offset(r.Cursor, filter)
	if err != nil {
		return nil, err
	}
	reply := &SuggestionsReply{Success: true, Suggestions: []Suggestion{}, Paging: call.Paging{Total: len(all)}}
	for i := at; i < len(all) && len(reply.Suggestions) < r.Limit; i++ {
		reply.Suggestions = append(reply.Suggestions, suggestionOf(all[i]))
	}
	reply.Count = len(reply.Suggestions)
	return reply, s.pages.NextOffset(&reply.Paging, filter, at)
}

// VoteSuggestion is a member's vote; one with enough of them becomes a task.
func (s *Service) VoteSuggestion(ctx context.Context, c call.Caller, team, text string, r VoteSuggestionRequest) (*SuggestionReply, error) {
	m, err := s.access.InTeam(ctx, c, team, access.BoardWrite)
	if err != nil {
		return nil, err
	}
	id, err := s.access.IDIn(ctx, m, change.PrefixSuggestion, text, reason.Refuse(reason.NotFound, "the team has no such suggestion"))
	if err != nil {
		return nil, err
	}
	out, err := s.mesh.VoteSuggestion(ctx, m.Agent, m.Guild.ID, id, r.Value, suggestionAim)
	if err != nil {
		return nil, err
	}
	return &SuggestionReply{true, suggestionOf(out)}, nil
}
