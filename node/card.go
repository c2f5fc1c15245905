package node

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

// boardName is the document that the cards of a team's tasks lie in.
//
// Each field of a card is a key of its own at the root, the task's id and the
// field's name, so that two members who edit different fields of one card both
// have their way.
const boardName doc.Name = "board"

// The fields of a card.
const (
	cardTitle     = "title"
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
	cardDeleted   = "deleted"
	cardCommits   = "commits"
	cardEvidence  = "evidence"
	cardArtifacts = "artifacts"
	cardEdits     = "edits"
)

// cardFields are the root keys that a card is written as. Empty fields of a new
// card are left out; only names the fields of an edit, nil all.
func cardFields(task string, c view.Card, only []string) []doc.Field {
	values := map[string]any{
		cardTitle: c.Title, cardText: pieces(c.Description), cardPriority: int64(c.Priority), cardTags: items(c.Tags), cardRole: nilIfEmpty(c.Role),
		cardDepends: items(c.DependsOn), cardSource: nilIfEmpty(c.Source), cardMetadata: nilIfEmpty(string(c.Metadata)), cardParent: nilIfEmpty(c.Parent),
		cardBy: c.CreatedBy.String(), cardAt: c.CreatedAt.UnixMilli(), cardDeleted: nil, cardCommits: items(c.Commits),
		cardEvidence: pieces(c.Evidence), cardArtifacts: items(c.Artifacts), cardEdits: int64(c.Edits),
	}
	if c.Deleted {
		values[cardDeleted] = true
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

// pieces is a text as the document holds it: in one value, or in a list of
// several where it is longer than a value may be.
func pieces(s string) any {
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

// cardsOf reads the cards of a board. Members write the document, perhaps with
// other programs, so every value is taken only in its own type and what is no
// card is left out.
func cardsOf(root map[string]any) map[string]*view.Card {
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
	case cardTitle:
		c.Title = clipText(wholeText(value), maxTaskTitle)
	case cardText:
		c.Description = clipText(wholeText(value), maxTaskDescription)
	case cardPriority:
		n, _ := value.(int64)
		c.Priority = int(min(max(n, 0), maxPriority))
	case cardTags:
		c.Tags = textItems(value, maxTaskTags)
	case cardRole:
		c.Role = clipText(wholeText(value), maxTaskWord)
	case cardDepends:
		for _, id := range textItems(value, maxTaskDepends) {
			if body.ValidTask(id) {
				c.DependsOn = append(c.DependsOn, id)
			}
		}
	case cardSource:
		c.Source = clipText(wholeText(value), maxTaskSource)
	case cardMetadata:
		if raw := []byte(wholeText(value)); len(raw) > 0 && raw[0] == '{' && json.Valid(raw) {
			c.Metadata = raw
		}
	case cardParent:
		if id := wholeText(value); body.ValidTask(id) {
			c.Parent = id
		}
	case cardBy:
		c.CreatedBy, _ = change.ParseAgentID(wholeText(value)) // an unreadable one is nobody
	case cardAt:
		if n, ok := value.(int64); ok {
			c.CreatedAt = time.UnixMilli(n).UTC()
		}
	case cardDeleted:
		c.Deleted, _ = value.(bool)
	case cardCommits:
		c.Commits = textItems(value, maxTaskCommits)
	case cardEvidence:
		c.Evidence = clipText(wholeText(value), maxTaskEvidence)
	case cardArtifacts:
		c.Artifacts = textItems(value, maxTaskArtifacts)
	case cardEdits:
		n, _ := value.(int64)
		c.Edits = int(min(max(n, 0), doc.MaxEdits))
	}
}

// wholeText joins a text that lies in pieces.
func wholeText(value any) string {
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

func textItems(value any, most int) []string {
	list, _ := value.([]any)
	var out []string
	for _, item := range list[:min(len(list), most)] {
		if s, ok := item.(string); ok && s != "" {
			out = append(out, clipText(s, maxTaskItem))
		}
	}
	return out
}

func clipText(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most])
}
