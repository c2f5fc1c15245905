package board

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/board"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/document"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/view"
)

// Board is all tasks of a team that are not deleted: by priority, the highest
// first, then the oldest first.
func (n *Boards) Board(ctx context.Context, guild change.ID) (view.Board, error) {
	space := change.TeamSpace(guild)
	d, err := n.document.Document(ctx, space, core.BoardName)
	if err != nil {
		return view.Board{}, err
	}
	b := view.Board{Version: d.Version}
	for id, c := range core.CardsOf(d.Fields) {
		if !c.Deleted {
			b.Tasks = append(b.Tasks, n.task(space, id, *c))
		}
	}
	if err := n.confirm(ctx, guild, b.Tasks); err != nil {
		return view.Board{}, err
	}
	slices.SortFunc(b.Tasks, func(x, y view.Task) int {
		if x.Priority != y.Priority {
			return y.Priority - x.Priority
		}
		if d := x.CreatedAt.Compare(y.CreatedAt); d != 0 {
			return d
		}
		return strings.Compare(x.ID, y.ID)
	})
	return b, nil
}

// Task is one task with what members wrote about it, or task_not_found.
func (n *Boards) Task(ctx context.Context, guild change.ID, id string) (view.Task, error) {
	space := change.TeamSpace(guild)
	d, err := n.document.Document(ctx, space, core.BoardName)
	if err != nil {
		return view.Task{}, err
	}
	c := core.CardsOf(d.Fields)[id]
	if c == nil || c.Deleted {
		return view.Task{}, errNoTask
	}
	t := []view.Task{n.task(space, id, *c)}
	t[0].Said = n.said(ctx, t[0].State.Said)
	return t[0], n.confirm(ctx, guild, t)
}

var errNoTask = reason.Refuse(reason.TaskNotFound, "the board has no such task")

func (n *Boards) task(space change.Space, id string, c view.Card) view.Task {
	t := view.Task{ID: id, Card: c, State: board.Fold(n.core.Views.TaskSteps(space, id))}
	if !t.State.Claimer.IsZero() {
		t.Claimer = n.directory.AgentRef(t.State.Claimer)
		t.ClaimedAt = core.TimeOf(t.State.First)
	}
	if t.State.Status == board.Claimed {
		t.LeaseEnds = core.TimeOf(t.State.Since).Add(taskLease)
	}
	if t.State.Status == board.Done {
		t.Closer, t.ClosedAt = n.directory.AgentRef(t.State.Closer), core.TimeOf(t.State.Closed)
	}
	return t
}

// said is the text of a step, "" when its body is not here.
func (n *Boards) said(ctx context.Context, id change.ID) string {
	if id.IsZero() {
		return ""
	}
	rec, err := n.core.Log.Get(ctx, id)
	if err != nil || rec.Change.Body == nil {
		return ""
	}
	b, err := body.ParseTaskAct(rec.Change.Body)
	if err != nil {
		return ""
	}
	return b.Text
}

// TaskHistory are the steps that changed a task, oldest first.
func (n *Boards) TaskHistory(ctx context.Context, guild change.ID, id string) ([]view.TaskStep, error) {
	var out []view.TaskStep
	s := board.New()
	for _, st := range n.core.Views.TaskSteps(change.TeamSpace(guild), id) {
		next, err := st.Take(s)
		if err != nil {
			continue
		}
		s = next
		step := view.TaskStep{ID: st.ID, At: core.TimeOf(st.HLC), By: n.directory.AgentRef(st.Agent), Act: st.Act, Text: n.said(ctx, st.ID)}
		if !st.To.IsZero() {
			step.To = n.directory.AgentRef(st.To)
		}
		out = append(out, step)
	}
	return out, nil
}

// AddTasks puts cards on a team's board, under ids made by the caller. With dedup
// a card whose title an unfinished task has already, without regard to case, is
// left out; known are their titles.
func (n *Boards) AddTasks(ctx context.Context, agent change.AgentID, guild change.ID, ids []string, cards []view.Card, dedup bool) (added []view.Task, known []string, err error) {
	space := change.TeamSpace(guild)
	err = n.document.Edit(ctx, agent, space, core.BoardName, func(e *document.Editing) error {
		titles := map[string]bool{}
		if dedup {
			for id, c := range core.CardsOf(e.Now.Fields) {
				if !c.Deleted && n.task(space, id, *c).State.Status != board.Done {
					titles[strings.ToLower(c.Title)] = true
				}
			}
		}
		w := cardWriter{e: e}
		for i, c := range cards {
			key := strings.ToLower(c.Title)
			if dedup && titles[key] {
				known = append(known, c.Title)
				continue
			}
			titles[key] = true
			c.CreatedBy, c.CreatedAt, c.Edits = agent, n.core.Opt.Now().UTC().Truncate(time.Millisecond), 1
			if err := w.add(ctx, ids[i], c, nil); err != nil {
				return err
			}
			added = append(added, view.Task{ID: ids[i], Card: c, State: board.New()})
		}
		return w.flush(ctx)
	})
	if err != nil {
		return nil, nil, err
	}
	return added, known, nil
}

// EditTask changes fields of a card. set receives the card as it stands; it
// returns the names of the fields that it changed, as they are in the API.
func (n *Boards) EditTask(ctx context.Context, agent change.AgentID, guild change.ID, id string, ifVersion int, set func(*view.Card) ([]string, error)) (view.Task, error) {
	space := change.TeamSpace(guild)
	err := n.document.Edit(ctx, agent, space, core.BoardName, func(e *document.Editing) error {
		c := core.CardsOf(e.Now.Fields)[id]
		if c == nil || c.Deleted {
			return errNoTask
		}
		if t := n.task(space, id, *c); ifVersion >= 0 && ifVersion != t.Version() {
			return core.VersionConflict("task", t.Version())
		}
		fields, err := set(c)
		if err != nil || len(fields) == 0 {
			return err
		}
		c.Edits++
		w := cardWriter{e: e}
		if err := w.add(ctx, id, *c, fields); err != nil {
			return err
		}
		return w.flush(ctx)
	})
	if err != nil {
		return view.Task{}, err
	}
	t, err := n.Task(ctx, guild, id)
	if reason.Of(err) == reason.TaskNotFound { // it was deleted just now
		return view.Task{ID: id}, nil
	}
	return t, err
}

// StepTask writes one act about a task, or refuses as board.Step.Take does, with
// details.claimedBy of a task that another agent has.
func (n *Boards) StepTask(ctx context.Context, agent change.AgentID, guild change.ID, a view.TaskAct) (view.Task, error) {
	n.steps.Lock()
	defer n.steps.Unlock()
	t, err := n.Task(ctx, guild, a.Task)
	if err != nil {
		return view.Task{}, err
	}
	if a.IfVersion >= 0 && a.IfVersion != t.Version() {
		return view.Task{}, core.VersionConflict("task", t.Version())
	}
	space := change.TeamSpace(guild)
	r, err := n.core.RightIn(agent, space)
	if err != nil {
		return view.Task{}, err
	}
	if n.leaseOver(t) && n.endLease(ctx, guild, t) == nil {
		if t, err = n.Task(ctx, guild, a.Task); err != nil {
			return view.Task{}, err
		}
	}
	step := board.Step{ID: change.ID{1}, Agent: agent, Manages: role.Rank(r.Role) >= role.Rank(role.Admin), Act: a.Act, To: a.To}
	if _, err := step.Take(t.State); err != nil {
		return view.Task{}, n.taskRefusal(err, t)
	}
	if err := n.writeStep(ctx, agent, space, t, body.TaskAct{Task: a.Task, Act: a.Act, To: a.To, Text: a.Text}); err != nil {
		return view.Task{}, err
	}
	return n.Task(ctx, guild, a.Task)
}

// taskRefusal adds to a refusal who has the task.
func (n *Boards) taskRefusal(err error, t view.Task) error {
	var r *reason.Refusal
	if !errors.As(err, &r) {
		return err
	}
	details := map[string]any{"status": string(t.State.Status)}
	if !t.State.Claimer.IsZero() {
		details["claimedBy"] = t.State.Claimer.String()
	}
	return reason.Refuse(r.Code, "%s", r.Text).With(details)
}

// writeStep writes a step that builds on the task as it is: naming the last step
// that counts puts it after that one, whatever the clocks of the two writers say.
func (n *Boards) writeStep(ctx context.Context, agent change.AgentID, space change.Space, on view.Task, a body.TaskAct) error {
	enc, err := a.Encode()
	if err != nil {
		return reason.Refuse(reason.BadEncoding, "%v", err)
	}
	w := ingest.Write{Space: space, Kind: change.KindTaskAct, Body: enc}
	if last := on.State.Last; !last.IsZero() {
		w.Deps = []change.ID{last}
	}
	_, err = n.writing.Write(ctx, agent, w)
	return err
}

// cardWriter gathers the fields of cards into edits that are not too large.
type cardWriter struct {
	e    *document.Editing
	set  []doc.Field
	size int
}

func (w *cardWriter) add(ctx context.Context, id string, c view.Card, only []string) error {
	fields := core.CardFields(id, c, only)
	size := 0
	for _, f := range fields {
		size += len(f.Key) + core.SizeOf(f.Value)
	}
	if w.size+size > core.MaxBoardEdit {
		if err := w.flush(ctx); err != nil {
			return err
		}
	}
	w.set, w.size = append(w.set, fields...), w.size+size
	return nil
}

func (w *cardWriter) flush(ctx context.Context) error {
	if len(w.set) == 0 {
		return nil
	}
	err := w.e.Keep(ctx, w.set)
	w.set, w.size = nil, 0
	return err
}
