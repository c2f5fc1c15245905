package body

import (
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
)

// What a member can do about a task of its team's board.
const (
	TaskClaim    = "claim" // also renews a claim of the same agent
	TaskRelease  = "release"
	TaskDone     = "done"
	TaskBlock    = "block"
	TaskReopen   = "reopen"
	TaskDelegate = "delegate"
)

var taskActs = []string{TaskClaim, TaskRelease, TaskDone, TaskBlock, TaskReopen, TaskDelegate}

// TaskAct is the body of task.act: one step of a task. The card of the task lies
// in the document board; this says who works on it.
type TaskAct struct {
	Task string // id of the task, ValidTask
	Act  string
	To   change.AgentID // of delegate, and only of it
	Text string         // summary or reason, ≤ MaxTaskText characters
}

// ParseTaskAct is the row of task.act.
func ParseTaskAct(b []byte) (TaskAct, error) {
	r := parse(b)
	v := TaskAct{
		Task: r.task("task", required), Act: r.word("act", required, taskActs...), Text: r.text("text", optional, 0, MaxTaskText),
	}
	if v.Act == TaskDelegate {
		v.To = change.AgentID(r.id("to", required))
	} else {
		r.nowhere("to")
	}
	return v, r.refusal()
}

// Encode returns the canonical body.
func (v TaskAct) Encode() ([]byte, error) {
	m := cbor.Map{"task": v.Task, "act": v.Act}
	putID(m, "to", change.ID(v.To))
	putText(m, "text", v.Text)
	return encode(m)
}

// ValidTask reports whether s has the form of a task's id: tsk_ and a UUID in
// lower-case hex. The id is given by whoever makes the card.
func ValidTask(s string) bool {
	const form = "tsk_00000000-0000-0000-0000-000000000000"
	if len(s) != len(form) || s[:4] != form[:4] {
		return false
	}
	for i := 4; i < len(s); i++ {
		hex := s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'f'
		if form[i] == '-' && s[i] != '-' || form[i] == '0' && !hex {
			return false
		}
	}
	return true
}
