package board

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/board"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/node/view"
)

// Task is a task as members see it.
type Task struct {
	ID                   string          `json:"id"`
	Title                string          `json:"title"`
	Description          string          `json:"description"`
	Status               string          `json:"status" enum:"open,claimed,blocked,done,deleted"`
	Priority             int             `json:"priority" doc:"0 to 9, the highest first"`
	Role                 string          `json:"role"`
	Tags                 []string        `json:"tags"`
	ClaimedBy            *string         `json:"claimedBy"`
	ClaimedByName        *string         `json:"claimedByName"`
	LeaseExpiresAt       *string         `json:"lease_expires_at"`
	Confirmed            bool            `json:"confirmed" doc:"of a claimed task: no claim made elsewhere can come before this one any more, since this node has, of every other member it knows that may claim, all that they wrote in the team up to its time. False while one of them may have claimed first on another node, and of a task that nobody works on"`
	CompletedBy          *string         `json:"completedBy"`
	CommitHash           *string         `json:"commitHash"`
	Commits              []string        `json:"commits"`
	VerificationEvidence *string         `json:"verificationEvidence"`
	Summary              *string         `json:"summary"`
	BlockedReason        *string         `json:"blockedReason"`
	CreatedBy            string          `json:"createdBy"`
	CreatedAt            string          `json:"createdAt"`
	CompletedAt          *string         `json:"completedAt"`
	DependsOn            []string        `json:"dependsOn"`
	Unblocks             []string        `json:"unblocks"`
	Source               string          `json:"source"`
	ParentTaskID         *string         `json:"parentTaskId"`
	ChildTaskIDs         []string        `json:"childTaskIds"`
	Artifacts            []string        `json:"artifacts"`
	Metadata             json.RawMessage `json:"metadata"`
	Version              int             `json:"version"`
}

// BoardRequest selects tasks that are not done.
type BoardRequest struct {
	call.Request
	Status   string `field:"status"`
	Tag      string `field:"tag"`
	Assignee string `field:"assignee"`
	Q        string `field:"q"`
	Limit    int    `field:"limit"`
}

// BoardForm reads a BoardRequest.
var BoardForm = call.Define[BoardRequest](call.Form{
	{Name: "status", Enum: []string{"open", "claimed", "blocked"}, Help: "Only tasks in this state."},
	{Name: "tag", Max: call.MaxTrait, Help: "Only tasks with this tag."},
	{Name: "assignee", Max: call.MaxIDText, Help: "Only tasks that this agent works on: id, DID or name."},
	{Name: "q", Max: call.MaxFilter, Help: "Only tasks with this text."},
	{Name: "limit", Kind: call.Int, Min: 1, Max: maxBoardPage, Default: boardPage, Help: "Tasks in the reply."},
})

// BoardReply is the tasks of a team that are not done.
type BoardReply struct {
	Success            bool   `json:"success"`
	TeamID             string `json:"teamId"`
	Name               string `json:"name"`
	Tasks              []Task `json:"tasks"`
	Count              int    `json:"count"`
	Open               int    `json:"open"`
	Claimed            int    `json:"claimed"`
	Blocked            int    `json:"blocked"`
	DoneCount          int    `json:"done_count"`
	Mode               string `json:"mode"`
	Objective          string `json:"objective"`
	CommunicationStyle string `json:"communicationStyle"`
	Version            int    `json:"version"`
}

// wholeBoard is a board with what its tasks are to each other.
type wholeBoard struct {
	view.Board
	unblocks, children map[string][]string
}

func (s *Service) board(ctx context.Context, guild change.ID) (wholeBoard, error) {
	b, err := s.mesh.Board(ctx, guild)
	if err != nil {
		return wholeBoard{}, err
	}
	w := wholeBoard{b, map[string][]string{}, map[string][]string{}}
	for _, t := range b.Tasks {
		for _, d := range t.DependsOn {
			w.unblocks[d] = append(w.unblocks[d], t.ID)
		}
		if t.Parent != "" {
			w.children[t.Parent] = append(w.children[t.Parent], t.ID)
		}
	}
	return w, nil
}

// find is a task of the board.
func (w wholeBoard) find(id string) (view.Task, bool) {
	i := slices.IndexFunc(w.Tasks, func(t view.Task) bool { return t.ID == id })
	if i < 0 {
		return view.Task{}, false
	}
	return w.Tasks[i], true
}

func (w wholeBoard) show(t view.Task) Task {
	out := Task{ID: t.ID, Title: t.Title, Description: t.Description, Status: string(t.State.Status), Priority: t.Priority, Role: t.Card.Role,
		Tags: call.ListOf(t.Tags), LeaseExpiresAt: call.StampOrNil(t.LeaseEnds), Confirmed: t.Confirmed, Commits: call.ListOf(t.Commits), VerificationEvidence: call.TextOrNil(t.Evidence),
		CreatedBy: t.CreatedBy.String(), CreatedAt: call.Stamp(t.CreatedAt), CompletedAt: call.StampOrNil(t.ClosedAt), DependsOn: call.ListOf(t.DependsOn),
		Unblocks: call.ListOf(w.unblocks[t.ID]), Source: t.Source, ParentTaskID: call.TextOrNil(t.Parent), ChildTaskIDs: call.ListOf(w.children[t.ID]),
		Artifacts: call.ListOf(t.Artifacts), Metadata: t.Metadata, Version: t.Version()}
	if out.Metadata == nil {
		out.Metadata = json.RawMessage("{}")
	}
	if !t.State.Claimer.IsZero() {
		out.ClaimedBy, out.ClaimedByName = call.TextOrNil(t.State.Claimer.String()), call.TextOrNil(t.Claimer.Handle)
	}
	if len(t.Commits) > 0 {
		out.CommitHash = &t.Commits[0]
	}
	switch t.State.Status {
	case board.Done:
		out.CompletedBy, out.Summary = call.TextOrNil(t.State.Closer.String()), call.TextOrNil(t.Said)
	case board.Blocked:
		out.BlockedReason = call.TextOrNil(t.Said)
	}
	return out
}

// Board lists the tasks of a team that are not done.
func (s *Service) Board(ctx context.Context, c call.Caller, team string, r BoardRequest) (*BoardReply, error) {
	m, err := s.access.InTeam(ctx, c, team, access.BoardRead)
	if err != nil {
		return nil, err
	}
	var who change.AgentID
	if name := r.Assignee; name != "" {
		a, err := s.access.FindAgent(ctx, name)
		if err != nil {
			return nil, err
		}
		who = a.ID
	}
	b, err := s.board(ctx, m.Guild.ID)
	if err != nil {
		return nil, err
	}
	reply := &BoardReply{Success: true, TeamID: m.ID(), Name: m.Guild.Name, Tasks: []Task{}, Mode: access.ModeOf(m.Page), Objective: m.Page.Objective,
		CommunicationStyle: access.StyleOf(m.Page), Version: b.Version}
	status, tag, text := r.Status, r.Tag, strings.ToLower(r.Q)
	for _, t := range b.Tasks {
		switch t.State.Status {
		case board.Open:
			reply.Open++
		case board.Claimed:
			reply.Claimed++
		case board.Blocked:
			reply.Blocked++
		case board.Done:
			reply.DoneCount++
			continue
		}
		reply.Version += t.State.Steps
		if len(reply.Tasks) < r.Limit && (status == "" || string(t.State.Status) == status) && (tag == "" || slices.Contains(t.Tags, tag)) &&
			(who.IsZero() || t.State.Claimer == who) && strings.Contains(strings.ToLower(t.Title+"\n"+t.Description), text) {
			reply.Tasks = append(reply.Tasks, b.show(t))
		}
	}
	reply.Count = len(reply.Tasks)
	return reply, nil
}

// DoneRequest pages through finished tasks.
type DoneRequest struct {
	call.Request
	call.PageOf
	Offset int `field:"offset"`
}

// DoneForm reads a DoneRequest.
var DoneForm = call.Define[DoneRequest](call.Form{
	{Name: "limit", Kind: call.Int, Min: 1, Max: maxDonePage, Default: donePage, Help: "Tasks in a page."},
	{Name: "offset", Kind: call.Int, Min: 0, Max: maxOffset, Default: 0, Help: "Tasks to leave out."},
	{Name: "cursor", Max: cursor.MaxText, Help: "next_cursor of the page before, instead of offset."},
})

// DoneReply is a page of finished tasks, newest first.
type DoneReply struct {
	Success    bool    `json:"success"`
	Done       []Task  `json:"done"`
	Count      int     `json:"count" doc:"all of them"`
	Returned   int     `json:"returned"`
	Offset     int     `json:"offset"`
	Limit      int     `json:"limit"`
	HasMore    bool    `json:"hasMore"`
	More       bool    `json:"has_more"`
	Total      int     `json:"total"`
	NextCursor *string `json:"next_cursor"`
	CursorNext *string `json:"cursor_next"`
}

// BoardDone lists finished tasks.
func (s *Service) BoardDone(ctx context.Context, c call.Caller, team string, r DoneRequest) (*DoneReply, error) {
	m, err := s.access.InTeam(ctx, c, team, access.BoardRead)
	if err != nil {
		return nil, err
	}
	b, err := s.board(ctx, m.Guild.ID)
	if err != nil {
		return nil, err
	}
	done := slices.DeleteFunc(slices.Clone(b.Tasks), func(t view.Task) bool { return t.State.Status != board.Done })
	slices.SortFunc(done, func(x, y view.Task) int {
		if d := y.ClosedAt.Compare(x.ClosedAt); d != 0 {
			return d
		}
		return strings.Compare(x.ID, y.ID)
	})
	filter := call.Values{}.Filter("done/" + m.ID())
	at := r.Offset
	if r.Cursor != "" {
		if at, err = s.pages.Offset(r.Cursor, filter); err != nil {
			return nil, err
		}
	}
	reply := &DoneReply{Success: true, Done: []Task{}, Count: len(done), Total: len(done), Offset: at, Limit: r.Limit}
	for i := at; i < len(done) && len(reply.Done) < reply.Limit; i++ {
		t, err := s.mesh.Task(ctx, m.Guild.ID, done[i].ID) // with its summary
		if err != nil {
			return nil, err
		}
		reply.Done = append(reply.Done, b.show(t))
	}
	reply.Returned = len(reply.Done)
	p := call.Paging{Count: reply.Returned, Total: reply.Total}
	err = s.pages.NextOffset(&p, filter, at)
	reply.HasMore, reply.More, reply.NextCursor, reply.CursorNext = p.HasMore, p.HasMore, p.NextCursor, p.CursorNext
	return reply, err
}

// TaskReply is one task.
type TaskReply struct {
	Success     bool           `json:"success"`
	Task        Task           `json:"task"`
	History     []TaskStepView `json:"history,omitempty" doc:"what was done about it, oldest first"`
	ClaimedAs   string         `json:"claimedAs,omitempty"`
	Confirmed   *bool          `json:"confirmed,omitempty" doc:"of a claim: it stands, as in task.confirmed; while false, another one made elsewhere may still come first"`
	CompletedAs string         `json:"completedAs,omitempty"`
	DeletedAs   string         `json:"deletedAs,omitempty"`
}

// TaskStepView is one step of a task.
type TaskStepView struct {
	Action string  `json:"action"`
	By     string  `json:"by"`
	ByName string  `json:"byName"`
	At     string  `json:"at"`
	To     *string `json:"to"`
	Text   string  `json:"text"`
	Change string  `json:"changeId"`
}

// Task shows one task and what was done about it.
func (s *Service) Task(ctx context.Context, c call.Caller, team, id string) (*TaskReply, error) {
	m, err := s.access.InTeam(ctx, c, team, access.BoardRead)
	if err != nil {
		return nil, err
	}
	reply, err := s.task(ctx, m, id)
	if err != nil {
		return nil, err
	}
	steps, err := s.mesh.TaskHistory(ctx, m.Guild.ID, reply.Task.ID)
	if err != nil {
		return nil, err
	}
	for _, st := range steps {
		one := TaskStepView{Action: st.Act, By: st.By.ID.String(), ByName: st.By.Handle, At: call.Stamp(st.At), Text: st.Text, Change: st.ID.Text(change.PrefixChange)}
		if !st.To.ID.IsZero() {
			one.To = call.TextOrNil(st.To.ID.String())
		}
		reply.History = append(reply.History, one)
	}
	return reply, nil
}

func (s *Service) task(ctx context.Context, m access.Member, text string) (*TaskReply, error) {
	id, err := s.TaskID(ctx, m.Guild.ID, text)
	if err != nil {
		return nil, err
	}
	t, err := s.mesh.Task(ctx, m.Guild.ID, id)
	if err != nil {
		return nil, err
	}
	b, err := s.board(ctx, m.Guild.ID)
	if err != nil {
		return nil, err
	}
	return &TaskReply{Success: true, Task: b.show(t)}, nil
}

var errTaskNotFound = reason.Refuse(reason.TaskNotFound, "the board has no such task")

// AddTasksRequest puts tasks on a board.
type AddTasksRequest struct {
	call.Request
	Tasks json.RawMessage `field:"tasks"`
	Dedup string          `field:"dedup"`
}

// AddTasksForm reads an AddTasksRequest.
var AddTasksForm = call.Define[AddTasksRequest](call.Form{
	{Name: "tasks", Kind: call.Objects, Items: maxTasks, Required: true, Help: "A list of {title, description?, priority?, tags?, role?, dependsOn?, source?, metadata?, parentTaskId?}."},
	{Name: "dedup", Enum: []string{"title", "none"}, Default: "title", Help: "title leaves out a task whose title an unfinished one has."},
})

// TaskFields are what members write on the card of a task.
type TaskFields struct {
	Title        call.Opt[string]          `field:"title"`
	Description  call.Opt[string]          `field:"description"`
	Priority     call.Opt[any]             `field:"priority"`
	Tags         call.Opt[[]string]        `field:"tags"`
	Role         call.Opt[string]          `field:"role"`
	DependsOn    call.Opt[[]string]        `field:"dependsOn"`
	Source       call.Opt[string]          `field:"source"`
	Metadata     call.Opt[json.RawMessage] `field:"metadata"`
	ParentTaskID call.Opt[string]          `field:"parentTaskId"`
}

// changed are the fields that were given, by their names on a card.
func (t TaskFields) changed() []string {
	var out []string
	for _, f := range []struct {
		given bool
		name  string
	}{
		{t.Title.Given, "title"}, {t.Description.Given, "description"}, {t.Priority.Given, "priority"}, {t.Tags.Given, "tags"}, {t.Role.Given, "role"},
		{t.DependsOn.Given, "dependsOn"}, {t.Source.Given, "source"}, {t.Metadata.Given, "metadata"}, {t.ParentTaskID.Given, "parent"},
	} {
		if f.given {
			out = append(out, f.name)
		}
	}
	return out
}

// TaskRequest is one task of an AddTasksRequest.
type TaskRequest struct {
	call.Request
	TaskFields
}

// TaskForm reads a TaskRequest.
var TaskForm = call.Define[TaskRequest](call.Form{
	{Name: "title", Min: 1, Max: view.MaxTaskTitle, Required: true, Help: "What is to be done, in one line."},
	{Name: "description", Max: view.MaxTaskText, Help: "What is to be done."},
	{Name: "priority", Kind: call.TextOrNumber, Min: 0, Max: view.MaxPriority, Help: "A number, the highest first; or critical, high, medium, low."},
	{Name: "tags", Kind: call.Texts, Items: view.MaxTaskTags, Max: call.MaxTrait, Help: "Words to find it by."},
	{Name: "role", Enum: []string{"coder", "tester", "researcher", "reviewer", "flex"}, Help: "Who should do it."},
	{Name: "dependsOn", Aliases: []string{"depends_on"}, Kind: call.Texts, Items: view.MaxTaskDepends, Max: body.MaxTask, Help: "Ids of tasks that must be done first."},
	{Name: "source", Max: view.MaxTaskSource, Help: "Where the task comes from."},
	{Name: "metadata", Kind: call.Object, Help: "Further facts, an object of a few KiB."},
	{Name: "parentTaskId", Aliases: []string{"parent_task_id"}, Max: body.MaxTask, Help: "The task that this one is a part of."},
})

// AddedReply says which tasks were added.
type AddedReply struct {
	Success   bool          `json:"success"`
	Added     int           `json:"added"`
	Tasks     []Task        `json:"tasks"`
	Skipped   []SkippedTask `json:"skipped"`
	Warnings  []string      `json:"warnings"`
	DedupMode string        `json:"dedupMode" enum:"title,none"`
}

// SkippedTask is a task that was left out.
type SkippedTask struct {
	Title  string `json:"title"`
	Reason string `json:"reason"`
}

// AddTasks puts tasks on the board of a team.
func (s *Service) AddTasks(ctx context.Context, c call.Caller, team string, r AddTasksRequest) (*AddedReply, error) {
	m, err := s.access.InTeam(ctx, c, team, access.BoardWrite)
	if err != nil {
		return nil, err
	}
	var raws []json.RawMessage
	if raw := r.Tasks; raw == nil || json.Unmarshal(raw, &raws) != nil || len(raws) == 0 {
		return nil, reason.Refuse(reason.MissingField, "tasks must be a list of at least one task").With(map[string]any{"field": "tasks"})
	}
	b, err := s.board(ctx, m.Guild.ID)
	if err != nil {
		return nil, err
	}
	reply := &AddedReply{Success: true, Tasks: []Task{}, Skipped: []SkippedTask{}, Warnings: call.ListOf(r.Warnings()), DedupMode: r.Dedup}
	cards, ids := make([]view.Card, len(raws)), make([]string, len(raws))
	for i, raw := range raws {
		fields, err := TaskForm.ReadJSON(raw)
		if err != nil {
			return nil, inItem(err, i)
		}
		if cards[i], err = s.cardIn(fields.TaskFields, view.Card{Priority: call.DefaultPriority}, b); err != nil {
			return nil, inItem(err, i)
		}
		if cards[i].Title == "" {
			return nil, inItem(call.Invalid(call.Fault("title", "is needed")), i)
		}
		if ids[i], err = s.state.NewID("tsk_", s.access.Now()); err != nil {
			return nil, err
		}
		for _, w := range fields.Warnings() {
			if !slices.Contains(reply.Warnings, w) {
				reply.Warnings = append(reply.Warnings, w)
			}
		}
	}
	added, known, err := s.mesh.AddTasks(ctx, m.Agent, m.Guild.ID, ids, cards, reply.DedupMode == "title")
	if err != nil {
		return nil, err
	}
	if b, err = s.board(ctx, m.Guild.ID); err != nil {
		return nil, err
	}
	for _, t := range added {
		reply.Tasks = append(reply.Tasks, b.show(t))
	}
	for _, title := range known {
		reply.Skipped = append(reply.Skipped, SkippedTask{title, "duplicate_title"})
	}
	reply.Added = len(added)
	return reply, nil
}
