package console

import (
	"net/url"
	"path"

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
		post("/guilds/{id}/board/{task}", "/guilds", c.taskAct).as("PATCH /api/mesh/team/{id}/board/{task}"),
		get("/bounties", "/bounties", c.bounties).as("GET /api/mesh/bounties"),
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
	return draw("board", "Board of "+reply.Name, boardView{reply, board.BoardForm.Pick("status")[0].Enum, r.Status, r.Q, v.caller.AgentID, finished.Done}), nil
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

// bountyStep takes a step of a bounty. What else may be done with one, such as paying,
// moves money: the page names the command.
func (c working) bountyStep(v *visit) (answer, error) {
	id, done := v.PathValue("id"), ""
	var reply bounty.BountyReply
	err := c.once(v, func(mark string) (any, error) {
		switch v.PostForm.Get("step") {
		case "claim":
			done = "claimed"
			return c.Service.Bounties.ClaimBounty(v.Context(), v.caller, id, mark)
		case "release":
			done = "released"
			return c.Service.Bounties.ReleaseBounty(v.Context(), v.caller, id, mark)
		}
		return nil, reason.Refuse(reason.InvalidParam, "this page claims and releases bounties")
	}, &reply)
	if err != nil {
		return answer{}, err
	}
	return to("/bounties/"+url.PathEscape(id), done), nil
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
