package fold

import (
	"crypto/sha256"
	"slices"

	"github.com/meshd/meshd/crdt/board"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/role"
)

// step is what the views keep of a task.act.
type step struct {
	act uint8 // place in stepActs
	to  change.AgentID
}

var stepActs = []string{body.TaskClaim, body.TaskRelease, body.TaskDone, body.TaskBlock, body.TaskReopen, body.TaskDelegate}

func (s step) pack(w *writer) {
	w.uint(uint64(s.act))
	w.id(s.to)
}

func unpackStep(r *reader) said {
	s := step{act: uint8(min(r.uint(), uint64(len(stepActs)))), to: change.AgentID(r.id())}
	if int(s.act) == len(stepActs) {
		r.fail()
		return step{}
	}
	return s
}

// TaskTarget is what the acts about a task are about: H("mesh-task-v1\0" ‖ space ‖
// \0 ‖ task). A task has no change of its own; its id is given by its creator.
func TaskTarget(space change.Space, task string) change.ID {
	return change.ID(sha256.Sum256([]byte("mesh-task-v1\x00" + string(space) + "\x00" + task)))
}

func readTask(c *change.Change) (change.ID, said, error) {
	b, err := body.ParseTaskAct(c.Body)
	return TaskTarget(c.Head.Space, b.Task), step{uint8(max(0, slices.Index(stepActs, b.Act))), b.To}, err
}

// TaskSteps are the steps of a task that have effect, in (hlc, id) order. Steps
// on a fork that no cut has settled are left out.
func (v *actQueries) TaskSteps(space change.Space, task string) []board.Step {
	v.mu.Lock()
	defer v.mu.Unlock()
	var out []board.Step
	v.on(TaskTarget(space, task), change.KindTaskAct, func(a *act) {
		if a.retracted || v.describeAct(a).Forked {
			return
		}
		s := a.said.(step)
		out = append(out, board.Step{
			ID: a.id, HLC: a.hlc, Agent: a.agent.id, Manages: role.Rank(v.roleOf(a)) >= role.Rank(role.Admin), Act: stepActs[s.act], To: s.to,
		})
	})
	return out
}

// roleOf is the role that an act in a guild or team was written with, "" for a
// right that is no role's bundle.
func (v *actFold) roleOf(a *act) string {
	if guild, ok := a.space.Guild(); ok {
		if g, ok := v.rights.Guild(guild); ok && g.Opened == a.authority.right {
			return role.Owner
		}
	}
	g, _, _ := v.rights.Grant(a.authority.right)
	return g.Role
}
