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
func (s *Service) cardIn(r TaskFields, card view.Card, b wholeBoard) (view.Card, error) {
	var bad []call.Problem
	if r.Title.Given {
		if card.Title = strings.TrimSpace(r.Title.Value); card.Title == "" {
			bad = append(bad, call.Fault("title", "is needed"))
		}
	}
	if r.Description.Given {
		card.Description = strings.TrimSpace(r.Description.Value)
	}
	if r.Priority.Set() {
		n, err := readPriority(r.Priority.Value)
		if err != nil {
			bad = append(bad, call.Fault("priority", "%s", err))
		}
		card.Priority = n
	}
	if r.Tags.Given {
		card.Tags = nil
		for _, t := range r.Tags.Value {
			if slug := gate.Slug(t); slug != "" && !slices.Contains(card.Tags, slug) {
				card.Tags = append(card.Tags, slug)
			}
		}
	}
	if r.Role.Given {
		card.Role = r.Role.Value
	}
	if r.DependsOn.Given {
		before := card.DependsOn
		card.DependsOn = nil
		for _, text := range r.DependsOn.Value {
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
	if r.Source.Given {
		card.Source = strings.TrimSpace(r.Source.Value)
	}
	if r.ParentTaskID.Given {
		text := r.ParentTaskID.Value
		id, ok, err := b.named(text)
		if err != nil {
			return card, err
		}
		if text != "" && !ok && id != card.Parent {
			bad = append(bad, call.Fault("parentTaskId", "names no task of this board: %s", call.Clip(text, body.MaxTask)))
		}
		card.Parent = id
	}
	if r.Metadata.Given {
		card.Metadata = nil
		if raw := r.Metadata.Value; raw != nil {
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

func readPriority(given any) (int, error) {
	if word, ok := given.(string); ok {
		if n, known := priorities[word]; known {
			return n, nil
		}
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 || n > view.MaxPriority {
			return 0, fmt.Errorf("must be 0 to %d, or critical, high, medium or low", view.MaxPriority)
		}
		return n, nil
	}
	n, _ := given.(float64)
	return int(n), nil
}

// priorities are the words for priorities.
var priorities = map[string]int{"critical": 9, "high": 7, "medium": 5, "low": 2}
