package console

import (
	"encoding/json"
	"net/url"
	"path"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/board"
	"github.com/meshd/meshd/gateway/bounty"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/credit"
)

// working has the pages of boards, bounties and the account they pay into.
type working struct{ *Console }

func (c working) rows() []page {
	return []page{
		get("/guilds/{id}/board", "/guilds", c.board).as("GET /api/mesh/team/{id}/board"),
		post("/guilds/{id}/board", "/guilds", c.addTask).as("POST /api/mesh/team/{id}/board").repeated(),
		post("/guilds/{id}/board/{task}", "/guilds", c.taskAct).as("PATCH /api/mesh/team/{id}/board/{task}"),
		get("/bounties", "/bounties", c.bounties).as("GET /api/mesh/bounties"),
		post("/bounties", "/bounties", c.openBounty).as("POST /api/mesh/bounties").repeated(),
		get("/bounties/{id}", "/bounties", c.bounty).as("GET /api/mesh/bounties/{id}/lifecycle"),
		post("/bounties/{id}/step", "/bounties", c.bountyStep).as("POST /api/mesh/bounties/{id}/claim").repeated(),
		post("/bounties/{id}/submit", "/bounties", c.submitWork).as("POST /api/mesh/bounties/{id}/submit").repeated(),
		get("/credits", "/credits", c.credits).as("GET /api/credits"),
	}
}

// boardForm is what the page of a board can be asked for.
var boardForm = board.BoardForm.Pick("status", "q")

type boardView struct {
	*board.BoardReply
	States    []string
	Status, Q string
	Me        string
	Done      []board.Task
	Once      string
}

func (c working) board(v *visit) (answer, error) {
	values, err := readQuery(v, boardForm)
	if err != nil {
		return answer{}, err
	}
	r := board.BoardForm.Read(values)
	r.Limit = board.BoardForm.Defaults().Limit
	reply, err := c.Service.Boards.Board(v.Context(), v.caller, v.PathValue("id"), r)
	if err != nil {
		return answer{}, err
	}
	done := board.DoneForm.Defaults()
	done.Limit = newest
	finished, err := c.Service.Boards.BoardDone(v.Context(), v.caller, v.PathValue("id"), done)
	if err != nil {
		return answer{}, err
	}
	return draw("board", "Board of "+reply.Name, boardView{reply, board.BoardForm.Pick("status")[0].Enum, r.Status, r.Q, v.caller.AgentID, finished.Done, newNonce()}), nil
}

// addTask puts a task on a board.
func (c working) addTask(v *visit) (answer, error) {
	task := map[string]any{"title": strings.TrimSpace(v.PostForm.Get("title"))}
	if text := strings.TrimSpace(v.PostForm.Get("description")); text != "" {
		task["description"] = text
	}
	raw, err := json.Marshal([]any{task})
	if err != nil {
		return answer{}, err
	}
	id := v.PathValue("id")
	var reply board.AddedReply
	err = c.once(v, func(string) (any, error) {
		return c.Service.Boards.AddTasks(v.Context(), v.caller, id, board.AddTasksRequest{Tasks: raw, Dedup: "title"})
	}, &reply)
	if err != nil {
		return answer{}, err
	}
	if reply.Added == 0 {
		return answer{}, reason.Refuse(reason.Duplicate, "a task that is not done has this title")
	}
	return to("/guilds/"+url.PathEscape(id)+"/board", "tasked"), nil
}

// taskDone is what a page says after an action about a task.
var taskDone = map[string]string{"claim": "claimed", "release": "released", "done": "finished"}

func (c working) taskAct(v *visit) (answer, error) {
	values, err := readPosted(v, board.TaskActionForm.Pick("action", "summary", "commit", "verification_evidence"))
	if err != nil {
		return answer{}, err
	}
	r := board.TaskActionForm.Read(values)
	if taskDone[r.Action] == "" {
		return answer{}, reason.Refuse(reason.InvalidParam, "this page claims, releases and finishes tasks")
	}
	if _, err := c.Service.Boards.TaskAction(v.Context(), v.caller, v.PathValue("id"), v.PathValue("task"), r, -1); err != nil {
		return answer{}, err
	}
	return to("/guilds/"+url.PathEscape(v.PathValue("id"))+"/board", taskDone[r.Action]), nil
}

// bountiesForm is what the page of bounties can be asked for.
var bountiesForm = bounty.BountiesForm.Pick("teamId", "status", "q", "sort", "cursor")

type bountiesView struct {
	Bounties              []bounty.Bounty
	Paging                call.Paging
	States                []string
	Team, State, Q, Given string
	Sort                  string
	Later                 bool
	Orders                []link
}

func (c working) bounties(v *visit) (answer, error) {
	values, err := readQuery(v, bountiesForm)
	if err != nil {
		return answer{}, err
	}
	r := bounty.BountiesForm.Read(values)
	r.Limit = pageLength
	reply, err := c.Service.Bounties.Bounties(v.Context(), v.caller, r)
	if err != nil {
		return answer{}, err
	}
	return draw("bounties", "Bounties", bountiesView{reply.Bounties, reply.Paging, []string{"open", "claimed", "submitted", "accepted", "disputed", "paid"},
		r.TeamID, r.Status, r.Q, v.URL.Query().Get("sort"), r.Sort, r.Cursor != "", []link{{"Newest", "recent"}, {"Reward", "amount"}, {"Deadline", "deadline"}}}), nil
}

type bountyView struct {
	*bounty.LifecycleReply
	May   map[string]bool // steps that the owner's agent may take now
	Once  string
	Names map[string]string // of agents that moved it
}

func (c working) bounty(v *visit) (answer, error) {
	b, err := c.bountyOf(v)
	if err != nil {
		return answer{}, err
	}
	return draw("bounty", b.Bounty.Title, b), nil
}

func (c working) bountyOf(v *visit) (*bountyView, error) {
	reply, err := c.Service.Bounties.BountyLifecycle(v.Context(), v.caller, v.PathValue("id"))
	if err != nil {
		return nil, err
	}
	b := &bountyView{LifecycleReply: reply, May: map[string]bool{}, Once: newNonce()}
	for _, step := range reply.NextActions {
		b.May[path.Base(step)] = true
	}
	return b, nil
}

// openBounty offers a reward, which is reserved from the account of who asks.
func (c working) openBounty(v *visit) (answer, error) {
	values, err := readPosted(v, bounty.NewBountyForm.Pick("teamId", "title", "description", "amount"))
	if err != nil {
		return answer{}, err
	}
	r := bounty.NewBountyForm.Read(values)
	r.Currency = bounty.NewBountyForm.Defaults().Currency
	var reply bounty.NewBountyReply
	err = c.once(v, func(mark string) (any, error) {
		return c.Service.Bounties.OpenBounty(v.Context(), v.caller, r, mark)
	}, &reply)
	if err != nil {
		return answer{}, err
	}
	return to("/bounties/"+url.PathEscape(reply.Bounty.ID), "offered"), nil
}

// bountySteps are the steps of a bounty that a page takes, and what it says then. What else
// may be done with one, such as a dispute, wants more than a button: the page names the
// command.
var bountySteps = map[string]string{"claim": "claimed", "release": "released", "accept": "accepted", "payout": "paid", "cancel": "cancelled"}

func (c working) bountyStep(v *visit) (answer, error) {
	id, step := v.PathValue("id"), v.PostForm.Get("step")
	var reply json.RawMessage
	err := c.once(v, func(mark string) (any, error) {
		ctx, who, s := v.Context(), v.caller, c.Service.Bounties
		switch step {
		case "claim":
			return s.ClaimBounty(ctx, who, id, mark)
		case "release":
			return s.ReleaseBounty(ctx, who, id, mark)
		case "accept":
			return s.AcceptWork(ctx, who, id, bounty.WorkRequest{}, mark)
		case "payout":
			return s.PayBounty(ctx, who, id, bounty.WorkRequest{}, mark)
		case "cancel":
			return s.CancelBounty(ctx, who, id, mark)
		}
		return nil, reason.Refuse(reason.InvalidParam, "this page claims, releases, accepts, pays and takes back bounties")
	}, &reply)
	if err != nil {
		return answer{}, err
	}
	return to("/bounties/"+url.PathEscape(id), bountySteps[step]), nil
}

func (c working) submitWork(v *visit) (answer, error) {
	values, err := readPosted(v, bounty.SubmitForm.Pick("solution"))
	if err != nil {
		return answer{}, err
	}
	id := v.PathValue("id")
	var reply bounty.SubmissionReply
	err = c.once(v, func(mark string) (any, error) {
		return c.Service.Bounties.SubmitWork(v.Context(), v.caller, id, bounty.SubmitForm.Read(values), mark)
	}, &reply)
	if err != nil {
		return answer{}, err
	}
	return to("/bounties/"+url.PathEscape(id), "submitted"), nil
}

// creditsForm is what the page of credits can be asked for.
var creditsForm = credit.TransactionsForm.Pick("type", "cursor")

type creditsView struct {
	*credit.CreditsReply
	Lines  []credit.Transaction
	Paging call.Paging
	Types  []string
	Type   string
	Later  bool
}

func (c working) credits(v *visit) (answer, error) {
	values, err := readQuery(v, creditsForm)
	if err != nil {
		return answer{}, err
	}
	r := credit.TransactionsForm.Read(values)
	r.Limit = pageLength
	account, err := c.Service.Credits.Credits(v.Context(), v.caller)
	if err != nil {
		return answer{}, err
	}
	lines, err := c.Service.Credits.Transactions(v.Context(), v.caller, r)
	if err != nil {
		return answer{}, err
	}
	return draw("credits", "Credits", creditsView{account, lines.Transactions, lines.Paging, credit.TransactionsForm.Pick("type")[0].Enum, string(r.Type), r.Cursor != ""}), nil
}
