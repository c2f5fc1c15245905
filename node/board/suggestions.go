package board

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/document"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/view"
)

// suggestionsName is the document that the suggestions of a team lie in, each
// under its own root key. A suggestion is named by the change that made it,
// which is what votes are about.
const suggestionsName doc.Name = "project/suggestions"

// Suggest writes a suggestion of a member. key is new and names its place.
func (n *Boards) Suggest(ctx context.Context, agent change.AgentID, guild change.ID, key string, s view.Suggestion) (view.Suggestion, error) {
	value := map[string]any{"title": s.Title, "by": agent.String(), "at": n.core.Opt.Now().UnixMilli()}
	for name, text := range map[string]string{"description": s.Description, "category": s.Category, "evidence": s.Evidence} {
		if text != "" {
			value[name] = core.Pieces(text)
		}
	}
	var id change.ID
	err := n.document.Edit(ctx, agent, change.TeamSpace(guild), suggestionsName, func(e *document.Editing) (err error) {
		id, err = e.Put(ctx, []doc.Field{{Key: key, Value: value}})
		return err
	})
	if err != nil {
		return view.Suggestion{}, err
	}
	return n.suggestion(ctx, guild, id, agent)
}

// Suggestions are those of a team, newest first, with their votes and that of one
// agent.
func (n *Boards) Suggestions(ctx context.Context, guild change.ID, reader change.AgentID) ([]view.Suggestion, error) {
	space := change.TeamSpace(guild)
	d, ok := n.core.Views.Document(space, suggestionsName)
	if !ok {
		return nil, nil
	}
	state, err := n.document.Document(ctx, space, suggestionsName)
	if err != nil {
		return nil, err
	}
	b, err := n.document.Document(ctx, space, core.BoardName)
	if err != nil {
		return nil, err
	}
	cards := core.CardsOf(b.Fields)
	seen := map[string]bool{}
	var out []view.Suggestion
	for _, e := range d.Edits {
		e.Chunk.RootKeys(func(k doc.Touched) bool {
			fields, ok := state.Fields[k.Key].(map[string]any)
			if !ok || seen[k.Key] {
				return true
			}
			seen[k.Key] = true
			s := suggestionOf(e.ID, fields)
			s.CreatedAt = core.TimeOf(e.HLC)
			s.Up, s.Down = n.core.Views.Votes(e.ID)
			s.Mine = n.core.Views.VoteOf(e.ID, reader)
			if task := taskOf(e.ID); cards[task] != nil {
				s.Task = task
			}
			if s.Title != "" {
				out = append(out, s)
			}
			return true
		})
	}
	slices.Reverse(out)
	return out, nil
}

func suggestionOf(id change.ID, f map[string]any) view.Suggestion {
	by, _ := change.ParseAgentID(core.WholeText(f["by"])) // an unreadable one is nobody
	return view.Suggestion{ID: id, By: by, Title: core.ClipText(core.WholeText(f["title"]), view.MaxTaskTitle), Description: core.ClipText(core.WholeText(f["description"]), view.MaxTaskEvidence),
		Category: core.ClipText(core.WholeText(f["category"]), view.MaxTaskRole), Evidence: core.ClipText(core.WholeText(f["evidence"]), view.MaxTaskEvidence)}
}

// taskOf is the id of the task that a suggestion becomes: the same on every node,
// so that two that promote it at once make one task.
func taskOf(id change.ID) string {
	b := [16]byte(id[:16])
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80 // a UUID of version 8
	h := hex.EncodeToString(b[:])
	return "tsk_" + strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}

// suggestion is one of a team, or not_found.
func (n *Boards) suggestion(ctx context.Context, guild, id change.ID, reader change.AgentID) (view.Suggestion, error) {
	all, err := n.Suggestions(ctx, guild, reader)
	if err != nil {
		return view.Suggestion{}, err
	}
	if i := slices.IndexFunc(all, func(s view.Suggestion) bool { return s.ID == id }); i >= 0 {
		return all[i], nil
	}
	return view.Suggestion{}, reason.Refuse(reason.NotFound, "the team has no such suggestion")
}

// VoteSuggestion is the vote of a member. A suggestion with enough votes becomes
// a task, once.
func (n *Boards) VoteSuggestion(ctx context.Context, agent change.AgentID, guild, id change.ID, value, enough int) (view.Suggestion, error) {
	s, err := n.suggestion(ctx, guild, id, agent)
	if err != nil {
		return s, err
	}
	if s.By == agent {
		return s, reason.Refuse(reason.SelfVote, "a suggestion of your own")
	}
	if s.Mine != value {
		enc, err := body.Vote{Target: id, Value: int64(value)}.Encode()
		if err != nil {
			return s, reason.Refuse(reason.BadEncoding, "%v", err)
		}
		if _, err := n.writing.Write(ctx, agent, ingest.Write{Space: change.TeamSpace(guild), Kind: change.KindVote, Body: enc, Deps: []change.ID{id}}); err != nil {
			return s, err
		}
		if s, err = n.suggestion(ctx, guild, id, agent); err != nil {
			return s, err
		}
	}
	if s.Up-s.Down < enough || s.Task != "" {
		return s, nil
	}
	card := view.Card{Title: s.Title, Description: s.Description, Priority: 5, Source: "suggestion " + id.Text(change.PrefixSuggestion)}
	if _, _, err := n.AddTasks(ctx, agent, guild, []string{taskOf(id)}, []view.Card{card}, false); err != nil {
		return s, err
	}
	return n.suggestion(ctx, guild, id, agent)
}
