package board_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	crdtboard "github.com/meshd/meshd/crdt/board"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/board"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// node keeps the board, the messages and the suggestions of one team.
type node struct {
	manages  map[change.AgentID]bool
	tasks    []view.Task
	messages []view.Message
	ideas    []view.Suggestion
	enough   int // of the last vote
}

var _ board.Node = (*node)(nil)

func (n *node) AddTasks(_ context.Context, agent change.AgentID, _ change.ID, ids []string, cards []view.Card, dedup bool) (added []view.Task, known []string, err error) {
	for i, c := range cards {
		if dedup && slices.ContainsFunc(n.tasks, func(t view.Task) bool { return t.Title == c.Title }) {
			known = append(known, c.Title)
			continue
		}
		c.CreatedBy = agent
		t := view.Task{ID: ids[i], Card: c, State: crdtboard.New()}
		n.tasks, added = append(n.tasks, t), append(added, t)
	}
	return added, known, nil
}

func (n *node) Board(context.Context, change.ID) (view.Board, error) {
	return view.Board{Tasks: slices.DeleteFunc(slices.Clone(n.tasks), func(t view.Task) bool { return t.Deleted })}, nil
}

func (n *node) at(id string) (*view.Task, error) {
	for i := range n.tasks {
		if n.tasks[i].ID == id && !n.tasks[i].Deleted {
			return &n.tasks[i], nil
		}
	}
	return nil, reason.Refuse(reason.TaskNotFound, "no such task")
}

func (n *node) Task(_ context.Context, _ change.ID, id string) (view.Task, error) {
	t, err := n.at(id)
	if err != nil {
		return view.Task{}, err
	}
	return *t, nil
}

func (*node) TaskHistory(context.Context, change.ID, string) ([]view.TaskStep, error) {
	return nil, nil
}

func (n *node) EditTask(_ context.Context, _ change.AgentID, _ change.ID, id string, _ int, set func(*view.Card) ([]string, error)) (view.Task, error) {
	t, err := n.at(id)
	if err != nil {
		return view.Task{}, err
	}
	card := t.Card
	changed, err := set(&card)
	if err == nil && len(changed) > 0 {
		card.Edits++
		t.Card = card
	}
	return *t, err
}

func (n *node) StepTask(_ context.Context, agent change.AgentID, _ change.ID, a view.TaskAct) (view.Task, error) {
	t, err := n.at(a.Task)
	if err != nil {
		return view.Task{}, err
	}
	next, err := crdtboard.Step{Agent: agent, Manages: n.manages[agent], Act: a.Act, To: a.To, ID: change.ID{1}}.Take(t.State)
	if err == nil {
		t.State, t.Said = next, a.Text
	}
	return *t, err
}

func (n *node) SendMessage(_ context.Context, from change.AgentID, _ change.ID, m view.NewMessage) (view.Message, error) {
	out := view.Message{ID: change.ID{byte(len(n.messages) + 1)}, HLC: uint64(len(n.messages) + 1), From: view.AgentRef{ID: from}, To: m.To, Type: m.Type, Text: m.Text, Reply: m.Reply}
	n.messages = append(n.messages, out)
	return out, nil
}

func (n *node) Messages(_ context.Context, _ change.ID, q view.MessageQuery) (view.MessagePage, error) {
	var page view.MessagePage
	for _, m := range slices.Backward(n.messages) {
		if (m.To.IsZero() || m.To == q.Reader || m.From.ID == q.Reader) && len(page.Messages) < q.Limit {
			page.Messages = append(page.Messages, m)
		}
	}
	return page, nil
}

func (n *node) MessagePlace(_ context.Context, _, id change.ID) (uint64, error) {
	for _, m := range n.messages {
		if m.ID == id {
			return m.HLC, nil
		}
	}
	return 0, reason.Refuse(reason.NotFound, "no such message")
}

func (n *node) Unread(_ context.Context, _ change.ID, reader change.AgentID, after uint64) (count int) {
	for _, m := range n.messages {
		if m.HLC > after && m.From.ID != reader {
			count++
		}
	}
	return count
}

func (n *node) Suggest(_ context.Context, agent change.AgentID, _ change.ID, _ string, s view.Suggestion) (view.Suggestion, error) {
	s.ID, s.By = change.ID{byte(len(n.ideas) + 1)}, agent
	n.ideas = append(n.ideas, s)
	return s, nil
}

func (n *node) Suggestions(context.Context, change.ID, change.AgentID) ([]view.Suggestion, error) {
	return n.ideas, nil
}

func (n *node) VoteSuggestion(_ context.Context, _ change.AgentID, _, id change.ID, value, enough int) (view.Suggestion, error) {
	n.enough = enough
	return view.Suggestion{ID: id, Mine: value}, nil
}

func (*node) TeamEntries(context.Context, change.ID, view.EntryQuery) (view.EntryPage, error) {
	return view.EntryPage{}, nil
}

var team = change.ID{4}

type bench struct {
	*accesstest.Bench
	*board.Service
	node *node
	id   string
	who  map[string]*view.Agent // by role
}

func newBench(t *testing.T, policy map[string]any) *bench {
	b := &bench{Bench: accesstest.New(t), id: team.Text(change.PrefixGuild), who: map[string]*view.Agent{}, node: &node{manages: map[change.AgentID]bool{}}}
	var members []view.Member
	for name, r := range map[string]string{"admin": role.Admin, "ada": role.Member, "bo": role.Member, "viewer": role.Viewer} {
		b.who[name] = b.AddAgent(name)
		members = append(members, view.Member{AgentRef: b.who[name].AgentRef, Role: r})
	}
	b.node.manages[b.who["admin"].ID] = true
	b.AddTeam(team, view.TeamPage{Policy: policy}, members...)
	b.Service = board.New(b.node, b.Access, b.State, b.Pages)
	return b
}

func (b *bench) as(name string) call.Caller { return accesstest.As(b.who[name].ID) }

// add puts a task of ada's on the board.
func (b *bench) add(t *testing.T, raw string) string {
	t.Helper()
	got, err := b.AddTasks(t.Context(), b.as("ada"), b.id, accesstest.Request(t, board.AddTasksForm, `{"tasks": [`+raw+`]}`))
	accesstest.Must(t, err)
	return got.Tasks[0].ID
}

func (b *bench) act(t *testing.T, name, task, raw string) (*board.TaskReply, error) {
	t.Helper()
	return b.TaskAction(t.Context(), b.as(name), b.id, task, accesstest.Request(t, board.TaskActionForm, raw), -1)
}

// A task goes from hand to hand: claimed, done with a summary for the team, reopened.
func TestTaskIsClaimedAndDone(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	first := b.add(t, `{"title": "Mend the roof", "priority": "high"}`)
	second := b.add(t, `{"title": "Paint it", "dependsOn": ["`+first+`"]}`)
	for _, c := range []struct {
		who, task, raw string
		want           reason.Code
		status         string
	}{
		{"viewer", first, `{"action": "claim"}`, reason.Forbidden, ""},
		{"ada", second, `{"action": "claim"}`, reason.BlockedByDependency, ""},
		{"ada", first, `{"action": "claim"}`, "", "claimed"},
		{"bo", first, `{"action": "claim"}`, reason.AlreadyClaimed, ""},
		{"bo", first, `{"action": "done", "summary": "I did it."}`, reason.NotClaimant, ""},
		{"bo", first, `{"action": "done"}`, reason.NotClaimant, ""}, // before what is missing
		{"ada", first, `{"action": "done"}`, reason.EvidenceRequired, ""},
		{"ada", first, `{"action": "done", "summary": "` + accesstest.Secret + `"}`, reason.SecretDetected, ""},
		{"ada", first, `{"action": "append_commit", "commit": "abc"}`, reason.BadTransition, ""},
		{"ada", first, `{"action": "done", "summary": "It holds.", "commit": "abc"}`, "", "done"},
		{"bo", second, `{"action": "claim"}`, "", "claimed"},
		{"bo", second, `{"action": "delegate", "toAgentId": "viewer"}`, reason.Forbidden, ""},
		{"bo", second, `{"action": "delegate", "toAgentId": "stranger"}`, reason.AgentNotFound, ""},
		{"bo", second, `{"action": "delegate", "toAgentId": "ada"}`, "", "claimed"},
		{"ada", second, `{"action": "update"}`, reason.NoFields, ""},
		{"ada", second, `{"action": "update", "parentTaskId": "` + second + `"}`, reason.ValidationFailed, ""},
		{"ada", second, `{}`, reason.MissingField, ""},
		{"ada", "tsk_none", `{"action": "claim"}`, reason.TaskNotFound, ""},
	} {
		got, err := b.act(t, c.who, c.task, c.raw)
		if reason.Of(err) != c.want || c.want == "" && got.Task.Status != c.status {
			t.Errorf("%s, %s: %+v, %v, want %q", c.who, c.raw, got, err, c.want)
		}
	}
	list, err := b.Board(t.Context(), b.as("viewer"), b.id, accesstest.Request(t, board.BoardForm, `{}`))
	if err != nil || list.DoneCount != 1 || list.Claimed != 1 || list.Count != 1 || *list.Tasks[0].ClaimedBy != b.who["ada"].ID.String() {
		t.Errorf("%+v, %v", list, err)
	}
	done, err := b.BoardDone(t.Context(), b.as("viewer"), b.id, accesstest.Request(t, board.DoneForm, `{}`))
	if err != nil || done.Count != 1 || *done.Done[0].CommitHash != "abc" || *done.Done[0].Summary != "It holds." {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestPolicyOfABoard(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]any{"claim_needs_heartbeat": true, "evidence_on_done": "commit"})
	task := b.add(t, `{"title": "Mend the roof"}`)
	_, err := b.act(t, "ada", task, `{"action": "claim"}`)
	accesstest.Refused(t, "to claim absent", err, reason.HeartbeatRequired)
	_, err = b.State.Arrive(t.Context(), state.Presence{Team: b.id, Agent: b.who["ada"].ID.String(), Status: "active"}, time.Minute, b.Now)
	accesstest.Must(t, err)
	_, err = b.act(t, "ada", task, `{"action": "claim"}`)
	accesstest.Must(t, err)
	_, err = b.act(t, "ada", task, `{"action": "done", "summary": "It holds."}`)
	accesstest.Refused(t, "done without a commit", err, reason.EvidenceRequired)
	if _, err = b.act(t, "ada", task, `{"action": "done", "commit": "abc"}`); err != nil {
		t.Error(err)
	}
}

// An admin deletes any task, others their own as long as nobody has taken it.
func TestWhoDeletesATask(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		who     string
		claimed bool
		want    reason.Code
	}{{"ada", false, ""}, {"ada", true, reason.Forbidden}, {"bo", false, reason.Forbidden}, {"admin", true, ""}} {
		b := newBench(t, nil)
		task := b.add(t, `{"title": "Mend the roof"}`)
		if c.claimed {
			_, err := b.act(t, "bo", task, `{"action": "claim"}`)
			accesstest.Must(t, err)
		}
		if _, err := b.act(t, c.who, task, `{"action": "delete"}`); reason.Of(err) != c.want || b.node.tasks[0].Deleted != (c.want == "") {
			t.Errorf("%s, claimed %t: %v, want %q", c.who, c.claimed, err, c.want)
		}
	}
}

func TestTasksAreBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	for raw, want := range map[string]reason.Code{
		``:                reason.MissingField,
		`{"title": "  "}`: reason.ValidationFailed,
		`{"title": "` + strings.Repeat("x", 201) + `"}`:                   reason.ValidationFailed,
		`{"title": "` + accesstest.Secret + `"}`:                          reason.SecretDetected,
		`{"title": "x", "priority": 10}`:                                  reason.ValidationFailed,
		strings.TrimSuffix(strings.Repeat(`{"title": "same"},`, 50), ","): "",
	} {
		got, err := b.AddTasks(t.Context(), b.as("ada"), b.id, accesstest.Request(t, board.AddTasksForm, `{"tasks": [`+raw+`]}`))
		if reason.Of(err) != want || want == "" && (got.Added != 1 || len(got.Skipped) != 49) {
			t.Errorf("%.60s: %+v, %v, want %q", raw, got, err, want)
		}
	}
	if _, err := board.AddTasksForm.FromJSON([]byte(`{"tasks": [` + strings.Repeat("{},", 50) + `{}]}`)); reason.Of(err) != reason.ValidationFailed {
		t.Errorf("51 tasks: %v", err)
	}
	task := b.node.tasks[0].ID
	_, err := b.act(t, "ada", task, `{"action": "claim"}`)
	accesstest.Must(t, err)
	_, err = b.act(t, "ada", task, `{"action": "done", "commit": "c0"}`)
	accesstest.Must(t, err)
	for i := range 20 {
		want := reason.Code("")
		if i == 19 {
			want = reason.LimitReached
		}
		if _, err := b.act(t, "ada", task, fmt.Sprintf(`{"action": "append_commit", "commit": "c%d"}`, i+1)); reason.Of(err) != want {
			t.Errorf("commit %d: %v", i+2, err)
		}
	}
}

// A message to one is read by two, and unread is what came after the mark.
func TestMessages(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	send := func(who, raw string) (*board.MessageReply, error) {
		return b.SendMessage(t.Context(), b.as(who), b.id, accesstest.Request(t, board.MessageForm, raw), "")
	}
	first, err := send("ada", `{"content": "Hello, all."}`)
	accesstest.Must(t, err)
	if _, err = send("ada", `{"content": "Only you.", "to": "bo"}`); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]int{"ada": {2, 0}, "bo": {2, 2}, "viewer": {1, 2}} {
		got, err := b.Messages(t.Context(), b.as(name), b.id, accesstest.Request(t, board.MessagesForm, `{}`))
		if err != nil || got.Count != want[0] || got.Unread != want[1] {
			t.Errorf("%s reads %d, %d unread, %v", name, got.Count, got.Unread, err)
		}
	}
	accesstest.Must(t, b.ReadMessages(t.Context(), b.as("bo"), b.id, accesstest.Request(t, board.ReadForm, `{"up_to": "`+first.Message.ID+`"}`)))
	if n, err := b.Unread(t.Context(), team, b.who["bo"].ID); n != 1 || err != nil {
		t.Errorf("%d unread after the first was read, %v", n, err)
	}
	for raw, want := range map[string]reason.Code{
		`{"content": "  "}`:                          reason.MissingField,
		`{"content": "` + accesstest.Secret + `"}`:   reason.SecretDetected,
		`{"content": "Hi.", "to": "nobody"}`:         reason.AgentNotFound,
		`{"content": "Hi.", "task_id": "tsk_none"}`:  reason.TaskNotFound,
		`{"content": "Hi.", "reply_to": "msg_none"}`: reason.UnknownReference,
	} {
		_, err := send("ada", raw)
		accesstest.Refused(t, raw, err, want)
	}
	_, err = send("viewer", `{"content": "Hi."}`)
	accesstest.Refused(t, "a viewer", err, reason.Forbidden)
	if !slices.Contains(body.MessageTypes(), first.Message.MessageType) || first.Message.To != "team" {
		t.Errorf("%+v", first.Message)
	}
}

func TestSuggestions(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	for i := range 3 {
		_, err := b.Suggest(t.Context(), b.as("ada"), b.id, accesstest.Request(t, board.TeamSuggestionForm, fmt.Sprintf(`{"title": "Idea %d"}`, i)))
		accesstest.Must(t, err)
	}
	_, err := b.Suggest(t.Context(), b.as("ada"), b.id, accesstest.Request(t, board.TeamSuggestionForm, `{"title": "x", "evidence": "`+accesstest.Secret+`"}`))
	accesstest.Refused(t, "a secret", err, reason.SecretDetected)
	page, err := b.Suggestions(t.Context(), b.as("viewer"), b.id, accesstest.Request(t, board.SuggestionsForm, `{"limit": 2}`))
	if err != nil || page.Count != 2 || page.Total != 3 || !page.HasMore {
		t.Fatalf("%+v, %v", page, err)
	}
	got, err := b.VoteSuggestion(t.Context(), b.as("bo"), b.id, page.Suggestions[0].ID, accesstest.Request(t, board.VoteSuggestionForm, `{"value": -1}`))
	if err != nil || got.Suggestion.MyVote != -1 || b.node.enough != 3 {
		t.Errorf("%+v, %v; %d make it a task", got, err, b.node.enough)
	}
	_, err = b.VoteSuggestion(t.Context(), b.as("viewer"), b.id, page.Suggestions[0].ID, accesstest.Request(t, board.VoteSuggestionForm, `{}`))
	accesstest.Refused(t, "a viewer votes", err, reason.Forbidden)
}
