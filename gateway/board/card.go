package board

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// inItem says in which item of a list a field is wrong.
func inItem(err error, i int) error {
	r := knowledge.Explain(err)
	list, ok := r.Details["fields"].([]call.Problem)
	if !ok {
		return err
	}
	for j := range list {
		list[j].Field = "tasks[" + strconv.Itoa(i) + "]." + list[j].Field
	}
	return call.Invalid(list...)
}

// cardIn puts the given fields of a request into a card of a board. It may go on
// naming tasks that are gone, but names no new ones.
func (s *Service) cardIn(v call.Values, card view.Card, b wholeBoard) (view.Card, error) {
	var bad []call.Problem
	if v.Has("title") {
		if card.Title = strings.TrimSpace(v.Text("title")); card.Title == "" {
			bad = append(bad, call.Fault("title", "is needed"))
		}
	}
	if v.Has("description") {
		card.Description = strings.TrimSpace(v.Text("description"))
	}
	if v.Has("priority") && !v.Null("priority") {
		n, err := readPriority(v)
		if err != nil {
			bad = append(bad, call.Fault("priority", "%s", err))
		}
		card.Priority = n
	}
	if v.Has("tags") {
		card.Tags = nil
		for _, t := range v.Texts("tags") {
			if slug := gate.Slug(t); slug != "" && !slices.Contains(card.Tags, slug) {
				card.Tags = append(card.Tags, slug)
			}
		}
	}
	if v.Has("role") {
		card.Role = v.Text("role")
	}
	if v.Has("dependsOn") {
		before := card.DependsOn
		card.DependsOn = nil
		for _, text := range v.Texts("dependsOn") {
			id, ok, err := b.named(text)
			if err != nil {
				return card, err
			}
			if !ok && !slices.Contains(before, id) {
				bad = append(bad, call.Fault("dependsOn", "names no task of this board: %s", call.Clip(text, body.MaxTask)))
				break
			}
			card.DependsOn = append(card.DependsOn, id)
		}
	}
	if v.Has("source") {
		card.Source = strings.TrimSpace(v.Text("source"))
	}
	if v.Has("parentTaskId") {
		text := v.Text("parentTaskId")
		id, ok, err := b.named(text)
		if err != nil {
			return card, err
		}
		if text != "" && !ok && id != card.Parent {
			bad = append(bad, call.Fault("parentTaskId", "names no task of this board: %s", call.Clip(text, body.MaxTask)))
		}
		card.Parent = id
	}
	if v.Has("metadata") {
		card.Metadata = nil
		if raw := v.Raw("metadata"); raw != nil {
			canonical, _, err := jcs.CanonicalObject(raw)
			if err != nil || len(canonical) > maxTaskMetadata {
				bad = append(bad, call.Fault("metadata", "must be a JSON object of at most %d bytes", maxTaskMetadata))
			}
			card.Metadata = canonical
		}
	}
	if err := call.Invalid(bad...); err != nil {
		return card, err
	}
	return card, s.access.RefuseSecrets(map[string]string{"title": card.Title, "description": card.Description, "source": card.Source, "metadata": string(card.Metadata),
		"tags": strings.Join(card.Tags, "\n")})
}

func readPriority(v call.Values) (int, error) {
	if word, ok := v.Given("priority").(string); ok {
		if n, known := priorities[word]; known {
			return n, nil
		}
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 || n > 9 {
			return 0, fmt.Errorf("must be 0 to 9, or critical, high, medium or low")
		}
		return n, nil
	}
	return v.Int("priority"), nil
}

// priorities are the words for priorities.
var priorities = map[string]int{"critical": 9, "high": 7, "medium": 5, "low": 2}
