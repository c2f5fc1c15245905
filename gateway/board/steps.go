package board

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/meshd/meshd/crdt/board"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/node/view"
)

// TaskActions are what can be done about a task.
var TaskActions = []string{"claim", "release", "done", "block", "reopen", "update", "delegate", "append_commit", "delete", "remove", "archive"}

// TaskActionRequest does something about a task. Fields of TaskForm belong to update.
type TaskActionRequest struct {
	call.Request
	TaskFields
	Action               string   `field:"action"`
	Summary              string   `field:"summary"`
	Commit               string   `field:"commit"`
	VerificationEvidence string   `field:"verification_evidence"`
	Artifacts            []string `field:"artifacts"`
	Reason               string   `field:"reason"`
	ToAgentID            string   `field:"toAgentId"`
	ToTeamID             string   `field:"to_team_id"`
	Note                 string   `field:"note"`
}

// TaskActionForm reads a TaskActionRequest.
var TaskActionForm = call.Define[TaskActionRequest](append(call.Form{
	{Name: "action", Enum: TaskActions, Required: true, Help: "What to do; remove and archive are delete."},
	{Name: "summary", Max: body.MaxTaskText, Help: "done: what was done."},
	{Name: "commit", Aliases: []string{"commitHash", "commit_hash"}, Max: maxCommit, Help: "done, append_commit: the commit that did it."},
	{Name: "verification_evidence", Aliases: []string{"verificationEvidence"}, Max: view.MaxTaskEvidence, Help: "done: what shows that it works."},
	{Name: "artifacts", Kind: call.Texts, Items: view.MaxTaskArtifacts, Max: view.MaxTaskItem, Help: "done: what came out of it."},
	{Name: "reason", Max: maxTaskReason, Help: "block, reopen: why."},
	{Name: "toAgentId", Aliases: []string{"to_agent_id"}, Max: call.MaxIDText, Help: "delegate: the member who is to do it."},
	{Name: "to_team_id", Max: call.MaxIDText, Help: "delegate: move the task to this team."},
	{Name: "note", Max: maxTaskReason, Help: "append_commit: what the commit adds."},
}, TaskForm.Pick("title", "description", "priority", "tags", "role", "dependsOn", "source", "metadata", "parentTaskId")...))

// needOf is the permission that an action about a task needs.
func needOf(action string) access.Permission {
	switch action {
	case "claim", "release", "done", "append_commit":
		return access.BoardClaim
	}
	return access.BoardWrite
}

// TaskAction does something about a task of a team's board.
func (s *Service) TaskAction(ctx context.Context, c call.Caller, team, id string, r TaskActionRequest, ifVersion int) (*TaskReply, error) {
	action := r.Action
	if action == "" {
		return nil, reason.Refuse(reason.MissingField, "action is needed").With(map[string]any{"field": "action"})
	}
	m, err := s.access.InTeam(ctx, c, team, needOf(action))
	if err != nil {
		return nil, err
	}
	now, err := s.task(ctx, m, id)
	if err != nil {
		return nil, err
	}
	if ifVersion >= 0 && ifVersion != now.Task.Version {
		return nil, reason.Refuse(reason.VersionConflict, "the task changed since it was read").With(map[string]any{"current_version": now.Task.Version})
	}
	id = now.Task.ID
	act := view.TaskAct{Task: id, Act: action, IfVersion: ifVersion}
	switch action {
	case "claim":
		return s.claimTask(ctx, c, m, now.Task, act)
	case "done":
		return s.finishTask(ctx, m, now.Task, r, act)
	case "release":
		return s.stepTask(ctx, m, act)
	case "block", "reopen":
		act.Text = norm.NFC.String(strings.TrimSpace(r.Reason))
		if err := s.access.RefuseSecrets(map[string]string{"reason": act.Text}); err != nil {
			return nil, err
		}
		return s.stepTask(ctx, m, act)
	case "delegate":
		return s.delegateTask(ctx, c, m, now.Task, r, act)
	case "append_commit":
		return s.appendCommit(ctx, m, now.Task, r, ifVersion)
	case "update":
		return s.updateTask(ctx, m, id, r.TaskFields, ifVersion)
	}
	return s.deleteTask(ctx, m, now.Task, ifVersion)
}

func (s *Service) stepTask(ctx context.Context, m access.Member, a view.TaskAct) (*TaskReply, error) {
	if _, err := s.mesh.StepTask(ctx, m.Agent, m.Guild.ID, a); err != nil {
		return nil, err
	}
	return s.task(ctx, m, a.Task)
}

func (s *Service) claimTask(ctx context.Context, c call.Caller, m access.Member, t Task, a view.TaskAct) (*TaskReply, error) {
	if access.PolicyOf(m.Page.Policy).ClaimNeedsHeartbeat {
		present, err := s.access.Present(ctx, m.ID())
		if err != nil {
			return nil, err
		}
		if _, ok := present[m.Agent.String()]; !ok {
			return nil, call.Hinted(reason.HeartbeatRequired, "the team lets only agents claim that are present", "POST /api/mesh/team/"+m.ID()+"/presence first")
		}
	}
	b, err := s.board(ctx, m.Guild.ID)
	if err != nil {
		return nil, err
	}
	for _, id := range t.DependsOn {
		if d, ok := b.find(id); ok && d.State.Status != board.Done {
			return nil, reason.Refuse(reason.BlockedByDependency, "a task that this one depends on is not done").With(map[string]any{"dependsOn": id})
		}
	}
	reply, err := s.stepTask(ctx, m, a)
	if err == nil {
		reply.ClaimedAs, reply.Confirmed = m.Agent.String(), &reply.Task.Confirmed
	}
	return reply, err
}

// finishTask writes what was done into the card, then that it is done. A retry
// after a crash between the two finds the first in place.
func (s *Service) finishTask(ctx context.Context, m access.Member, t Task, r TaskActionRequest, a view.TaskAct) (*TaskReply, error) {
	summary, commit := norm.NFC.String(strings.TrimSpace(r.Summary)), strings.TrimSpace(r.Commit)
	evidence, artifacts := strings.TrimSpace(r.VerificationEvidence), r.Artifacts
	missing := ""
	switch access.PolicyOf(m.Page.Policy).EvidenceOnDone {
	case "summary":
		if summary == "" && commit == "" {
			missing = "summary"
		}
	case "commit":
		if commit == "" {
			missing = "commit"
		}
	case "evidence":
		if evidence == "" {
			missing = "verification_evidence"
		}
	}
	// Whoever may not finish it learns so before what is missing.
	step := board.Step{Agent: m.Agent, Manages: m.May(access.BoardManage), Act: body.TaskDone}
	if now, err := s.mesh.Task(ctx, m.Guild.ID, t.ID); err != nil {
		return nil, err
	} else if _, err := step.Take(now.State); err != nil {
		return nil, err
	}
	if missing != "" {
		return nil, reason.Refuse(reason.EvidenceRequired, "the team asks for a summary of what was done").With(map[string]any{"field": missing})
	}
	if err := s.access.RefuseSecrets(map[string]string{"summary": summary, "commit": commit, "verification_evidence": evidence, "artifacts": strings.Join(artifacts, "\n")}); err != nil {
		return nil, err
	}
	if commit != "" || evidence != "" || len(artifacts) > 0 {
		_, err := s.mesh.EditTask(ctx, m.Agent, m.Guild.ID, t.ID, -1, func(card *view.Card) ([]string, error) {
			var changed []string
			if commit != "" && !slices.Contains(card.Commits, commit) {
				card.Commits, changed = append([]string{commit}, card.Commits[:min(len(card.Commits), view.MaxTaskCommits-1)]...), append(changed, "commits")
			}
			if evidence != "" && evidence != card.Evidence {
				card.Evidence, changed = evidence, append(changed, "evidence")
			}
			if len(artifacts) > 0 {
				card.Artifacts, changed = artifacts, append(changed, "artifacts")
			}
			return changed, nil
		})
		if err != nil {
			return nil, err
		}
	}
	a.Text, a.IfVersion = summary, -1
	reply, err := s.stepTask(ctx, m, a)
	if err == nil {
		reply.CompletedAs = m.Agent.String()
	}
	return reply, err
}

func (s *Service) delegateTask(ctx context.Context, c call.Caller, m access.Member, t Task, r TaskActionRequest, a view.TaskAct) (*TaskReply, error) {
	if other := r.ToTeamID; other != "" && other != m.ID() {
		return s.moveTask(ctx, c, m, t, r, other)
	}
	to, err := s.delegate(ctx, m, r.ToAgentID)
	if err != nil {
		return nil, err
	}
	a.To = to
	return s.stepTask(ctx, m, a)
}

// delegate is the member that a task is assigned to.
func (s *Service) delegate(ctx context.Context, m access.Member, name string) (change.AgentID, error) {
	if name == "" {
		return change.AgentID{}, reason.Refuse(reason.MissingField, "toAgentId is needed").With(map[string]any{"field": "toAgentId"})
	}
	to, err := s.access.MemberNamed(ctx, m, name)
	if err != nil {
		return change.AgentID{}, err
	}
	if !access.Permits(access.RoleIn(m.Guild, to.ID), access.BoardClaim) {
		return change.AgentID{}, reason.Refuse(reason.Forbidden, "a viewer takes no tasks")
	}
	return to.ID, nil
}

// moveTask puts a copy of the card on the board of another team, then takes the
// task off its own.
func (s *Service) moveTask(ctx context.Context, c call.Caller, m access.Member, t Task, r TaskActionRequest, other string) (*TaskReply, error) {
	there, err := s.access.InTeam(ctx, c, other, access.BoardWrite)
	if err != nil {
		return nil, err
	}
	if t.ClaimedBy != nil && *t.ClaimedBy != m.Agent.String() && !m.May(access.BoardManage) {
		return nil, reason.Refuse(reason.NotClaimant, "only who works on the task, or an admin, can do this")
	}
	var to change.AgentID
	if r.ToAgentID != "" {
		if to, err = s.delegate(ctx, there, r.ToAgentID); err != nil {
			return nil, err
		}
	}
	full, err := s.mesh.Task(ctx, m.Guild.ID, t.ID)
	if err != nil {
		return nil, err
	}
	id, err := s.state.NewID("tsk_", s.access.Now())
	if err != nil {
		return nil, err
	}
	card := full.Card
	card.DependsOn, card.Parent = nil, "" // they stay behind
	if _, _, err := s.mesh.AddTasks(ctx, m.Agent, there.Guild.ID, []string{id}, []view.Card{card}, false); err != nil {
		return nil, err
	}
	if !to.IsZero() {
		if _, err := s.mesh.StepTask(ctx, m.Agent, there.Guild.ID, view.TaskAct{Task: id, Act: body.TaskDelegate, To: to, IfVersion: -1}); err != nil {
			return nil, err
		}
	}
	if _, err := s.removeCard(ctx, m, t.ID, -1); err != nil {
		return nil, err
	}
	return s.task(ctx, there, id)
}

func (s *Service) appendCommit(ctx context.Context, m access.Member, t Task, r TaskActionRequest, ifVersion int) (*TaskReply, error) {
	commit := strings.TrimSpace(r.Commit)
	if commit == "" {
		return nil, reason.Refuse(reason.MissingField, "commit is needed").With(map[string]any{"field": "commit"})
	}
	if t.Status != string(board.Done) {
		return nil, reason.Refuse(reason.BadTransition, "commits are added to a task that is done").With(map[string]any{"status": t.Status})
	}
	if note := strings.TrimSpace(r.Note); note != "" {
		commit += ": " + note
	}
	if err := s.access.RefuseSecrets(map[string]string{"commit": commit}); err != nil {
		return nil, err
	}
	_, err := s.mesh.EditTask(ctx, m.Agent, m.Guild.ID, t.ID, ifVersion, func(card *view.Card) ([]string, error) {
		if slices.Contains(card.Commits, commit) {
			return nil, nil
		}
		if len(card.Commits) >= view.MaxTaskCommits {
			return nil, reason.Refuse(reason.LimitReached, "a task has %d commits at most", view.MaxTaskCommits)
		}
		card.Commits = append(card.Commits, commit)
		return []string{"commits"}, nil
	})
	if err != nil {
		return nil, err
	}
	return s.task(ctx, m, t.ID)
}

func (s *Service) updateTask(ctx context.Context, m access.Member, id string, r TaskFields, ifVersion int) (*TaskReply, error) {
	changed := r.changed()
	if len(changed) == 0 {
		return nil, call.Hinted(reason.NoFields, "nothing to change", "send at least one field of the task, such as title")
	}
	b, err := s.board(ctx, m.Guild.ID)
	if err != nil {
		return nil, err
	}
	_, err = s.mesh.EditTask(ctx, m.Agent, m.Guild.ID, id, ifVersion, func(card *view.Card) ([]string, error) {
		next, err := s.cardIn(r, *card, b)
		if err != nil {
			return nil, err
		}
		if slices.Contains(next.DependsOn, id) || next.Parent == id {
			return nil, call.Invalid(call.Fault("dependsOn", "names the task itself"))
		}
		*card = next
		return changed, nil
	})
	if err != nil {
		return nil, err
	}
	return s.task(ctx, m, id)
}

// deleteTask takes a task off the board: an admin any, others their own as long as
// nobody has taken it.
func (s *Service) deleteTask(ctx context.Context, m access.Member, t Task, ifVersion int) (*TaskReply, error) {
	if !m.May(access.BoardManage) && (t.CreatedBy != m.Agent.String() || t.Status != string(board.Open)) {
		return nil, reason.Refuse(reason.Forbidden, "only an admin deletes a task, or who made it while it is open")
	}
	if _, err := s.removeCard(ctx, m, t.ID, ifVersion); err != nil {
		return nil, err
	}
	t.Status, t.ClaimedBy, t.ClaimedByName, t.LeaseExpiresAt, t.Confirmed = "deleted", nil, nil, nil, false
	return &TaskReply{Success: true, Task: t, DeletedAs: m.Agent.String()}, nil
}

func (s *Service) removeCard(ctx context.Context, m access.Member, id string, ifVersion int) (view.Task, error) {
	return s.mesh.EditTask(ctx, m.Agent, m.Guild.ID, id, ifVersion, func(card *view.Card) ([]string, error) {
		card.Deleted = true
		return []string{"deleted"}, nil
	})
}
