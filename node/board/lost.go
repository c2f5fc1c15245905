package board

import (
	"context"

	"github.com/meshd/meshd/crdt/board"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// LostClaims are the claims of a task that did not stand when their turn came; step is an
// event about the task. A node signs none that does not fit the task as it knows it, so
// each was made beside a step elsewhere that came first.
func (n *Boards) LostClaims(ctx context.Context, step events.Event) ([]view.LostClaim, error) {
	s, _ := step.Data.(events.Step)
	task, _ := s.Fields["task"].(string)
	guild, ok := change.Space(step.Space).Guild()
	if !ok || task == "" {
		return nil, nil
	}
	lost := n.lost(guild, task)
	if len(lost) == 0 {
		return nil, nil
	}
	t, err := n.Task(ctx, guild, task)
	if reason.Of(err) == reason.TaskNotFound {
		return nil, nil // deleted: nobody has it
	}
	for i := range lost {
		lost[i].Title = t.Title
	}
	return lost, err
}

// LostUnderWay are the lost claims of all tasks that somebody works on or that are blocked,
// in the teams that this node follows.
func (n *Boards) LostUnderWay(ctx context.Context) (out []view.LostClaim, err error) {
	for _, set := range n.core.TeamSets() {
		guild, ok := change.Space(set).Guild()
		if !ok {
			continue
		}
		b, err := n.Board(ctx, guild)
		if err != nil {
			return nil, err
		}
		for _, t := range b.Tasks {
			if t.State.Status != board.Claimed && t.State.Status != board.Blocked {
				continue
			}
			for _, l := range n.lost(guild, t.ID) {
				l.Title = t.Title
				out = append(out, l)
			}
		}
	}
	return out, nil
}

// lost are the lost claims of a task without its title. Of those that one agent lost before
// the task was open again, renewals of the first, that first one alone is listed.
func (n *Boards) lost(guild change.ID, task string) (out []view.LostClaim) {
	listed := map[change.AgentID]bool{}
	s := board.New()
	for _, st := range n.core.Views.TaskSteps(change.TeamSpace(guild), task) {
		next, err := st.Take(s)
		if err == nil {
			if s = next; s.Status == board.Open {
				clear(listed)
			}
			continue
		}
		holder := s.Claimer
		if s.Status == board.Done {
			holder = s.Closer
		}
		if st.Act != body.TaskClaim || holder == st.Agent || listed[st.Agent] {
			continue
		}
		listed[st.Agent] = true
		l := view.LostClaim{Guild: guild, Task: task, Claim: st.ID, Agent: n.directory.AgentRef(st.Agent), Status: s.Status}
		if !holder.IsZero() {
			l.Holder = n.directory.AgentRef(holder)
		}
		out = append(out, l)
	}
	return out
}
