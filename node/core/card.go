package core

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/node/view"
)

// BoardName is the document that the cards of a team's tasks lie in.
//
// Each field of a card is a separate key at the root, the task's id and the
// field's name, so that two members who edit different fields of one card both
// succeed.
const BoardName doc.Name = "board"

// RoomName is the document of a team's space with what only members see and only owners
// and admins edit: mode, objective, who is kept out, and the zones of its scenes.
const RoomName doc.Name = "room"

// The fields of a card.
const (
	CardTitle     = "title"
	cardText      = "description"
	cardPriority  = "priority"
	cardTags      = "tags"
	cardRole      = "role"
	cardDepends   = "dependsOn"
	cardSource    = "source"
	cardMetadata  = "metadata"
	cardParent    = "parent"
	cardBy        = "createdBy"
	cardAt        = "createdAt"
	CardDeleted   = "deleted"
	CardCommits   = "commits"
	cardEvidence  = "evidence"
	cardArtifacts = "artifacts"
	cardEdits     = "edits"
)

// CardFields are the root keys that a card is written as. Empty fields of a new
// card are left out; only names the fields of an edit, nil all.
func CardFields(task string, c view.Card, only []string) []doc.Field {
	values := map[string]any{
		CardTitle: c.Title, cardText: Pieces(c.Description), cardPriority: int64(c.Priority), cardTags: items(c.Tags), cardRole: nilIfEmpty(c.Role),
		cardDepends: items(c.DependsOn), cardSource: nilIfEmpty(c.Source), cardMetadata: nilIfEmpty(string(c.Metadata)), cardParent: nilIfEmpty(c.Parent),
		cardBy: c.CreatedBy.String(), cardAt: c.CreatedAt.UnixMilli(), CardDeleted: nil, CardCommits: items(c.Commits),
		cardEvidence: Pieces(c.Evidence), cardArtifacts: items(c.Artifacts), cardEdits: int64(c.Edits),
	}
	if c.Deleted {
		values[CardDeleted] = true
	}
	var out []doc.Field
	if only != nil {
		for _, name := range append(only, cardEdits) {
			out = append(out, doc.Field{Key: task + "/" + name, Value: values[name]})
		}
		return out
	}
	for name, value := range values {
		if value != nil {
			out = append(out, doc.Field{Key: task + "/" + name, Value: value})
		}
	}
	return out
}

func nilIfEmpty(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func items(list []string) any {
	if len(list) == 0 {
		return nil
	}
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// Pieces is a text as the document stores it: in one value, or in a list of
// several where it is longer than a value may be.
func Pieces(s string) any {
	if len(s) <= doc.MaxScalar {
		return nilIfEmpty(s)
	}
	var out []any
	for len(s) > doc.MaxScalar {
		end := doc.MaxScalar
		for !utf8.RuneStart(s[end]) {
			end--
		}
		out = append(out, s[:end])
		s = s[end:]
	}
	return append(out, s)
}

// CardsOf reads the cards of a board. Members write the document, perhaps with
// other programs, so every value is taken only in its own type and what is no
// card is left out.
func CardsOf(root map[string]any) map[string]*view.Card {
	out := map[string]*view.Card{}
	for key, value := range root {
		task, field, ok := strings.Cut(key, "/")
		if !ok || !body.ValidTask(task) {
			continue
		}
		c := out[task]
		if c == nil {
			c = &view.Card{}
			out[task] = c
		}
		readCard(c, field, value)
	}
	for task, c := range out {
		if c.Title == "" {
			delete(out, task)
		}
	}
	return out
}

func readCard(c *view.Card, field string, value any) {
	switch field {
	case CardTitle:
		c.Title = ClipText(WholeText(value), view.MaxTaskTitle)
	case cardText:
		c.Description = ClipText(WholeText(value), view.MaxTaskText)
	case cardPriority:
		n, _ := value.(int64)
		c.Priority = int(min(max(n, 0), view.MaxPriority))
	case cardTags:
		c.Tags = TextItems(value, view.MaxTaskTags)
	case cardRole:
		c.Role = ClipText(WholeText(value), view.MaxTaskRole)
	case cardDepends:
		for _, id := range TextItems(value, view.MaxTaskDepends) {
			if body.ValidTask(id) {
				c.DependsOn = append(c.DependsOn, id)
			}
		}
	case cardSource:
		c.Source = ClipText(WholeText(value), view.MaxTaskSource)
	case cardMetadata:
		if raw := []byte(WholeText(value)); len(raw) > 0 && raw[0] == '{' && json.Valid(raw) {
			c.Metadata = raw
		}
	case cardParent:
		if id := WholeText(value); body.ValidTask(id) {
			c.Parent = id
		}
	case cardBy:
		c.CreatedBy, _ = change.ParseAgentID(WholeText(value)) // an unreadable one is nobody
	case cardAt:
		if n, ok := value.(int64); ok {
			c.CreatedAt = time.UnixMilli(n).UTC()
		}
	case CardDeleted:
		c.Deleted, _ = value.(bool)
	case CardCommits:
		c.Commits = TextItems(value, view.MaxTaskCommits)
	case cardEvidence:
		c.Evidence = ClipText(WholeText(value), view.MaxTaskEvidence)
	case cardArtifacts:
		c.Artifacts = TextItems(value, view.MaxTaskArtifacts)
	case cardEdits:
		n, _ := value.(int64)
		c.Edits = int(min(max(n, 0), doc.MaxEdits))
	}
}

// WholeText joins a text that Pieces has cut; what is none is "".
func WholeText(value any) string {
	switch x := value.(type) {
	case string:
		return x
	case []any:
		var b strings.Builder
		for _, item := range x {
			s, _ := item.(string)
			b.WriteString(s)
		}
		return b.String()
	}
	return ""
}

// TextItems reads a list of texts: the first most items, each cut to 500 characters. What
// is no text, or is empty, is left out.
func TextItems(value any, most int) []string {
	list, _ := value.([]any)
	var out []string
	for _, item := range list[:min(len(list), most)] {
		if s, ok := item.(string); ok && s != "" {
			out = append(out, ClipText(s, view.MaxTaskItem))
		}
	}
	return out
}

// ClipText cuts a text to most characters.
func ClipText(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most])
}
