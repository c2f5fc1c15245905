package board

import (
	"context"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

// TaskID completes the id of a task, or refuses with task_not_found.
func (s *Service) TaskID(ctx context.Context, guild change.ID, text string) (string, error) {
	if body.ValidTask(text) {
		return text, nil
	}
	b, err := s.mesh.Board(ctx, guild)
	if err != nil {
		return "", err
	}
	id, ok, err := wholeBoard{Board: b}.named(text)
	if err == nil && !ok {
		err = errTaskNotFound
	}
	return id, err
}

// named completes the id of a task of the board as id does those of changes: ok is
// false, and the text comes back, when no task has it.
func (w wholeBoard) named(text string) (id string, ok bool, err error) {
	if _, ok := w.find(text); ok {
		return text, true, nil
	}
	if !strings.HasPrefix(text, "tsk_") || len(text) < len("tsk_")+minTaskID || body.ValidTask(text) {
		return text, false, nil
	}
	var fit []string
	for _, t := range w.Tasks {
		if strings.HasPrefix(t.ID, text) {
			fit = append(fit, t.ID)
		}
	}
	switch len(fit) {
	case 0:
		return text, false, nil
	case 1:
		return fit[0], true, nil
	}
	return text, false, reason.Ambiguous(text, fit)
}

const minTaskID = 4 // characters of the beginning of a task's id that are looked up
