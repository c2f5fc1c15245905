package bounty

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// BountiesRequest selects bounties.
type BountiesRequest struct {
	call.Request
	call.PageOf
	TeamID    string  `field:"teamId"`
	Status    string  `field:"status"`
	Currency  string  `field:"currency"`
	MinAmount float64 `field:"min_amount"`
	Q         string  `field:"q"`
	Sort      string  `field:"sort"`
}

// BountiesForm reads a BountiesRequest.
var BountiesForm = call.Define[BountiesRequest](append(call.Form{
	{Name: "teamId", Aliases: []string{"team_id", "team"}, Max: call.MaxIDText, Help: "Only bounties of this guild."},
	{Name: "status", Enum: []string{"open", "claimed", "submitted", "accepted", "disputed", "paid", "cancelled", "expired", "refunded", "completed"},
		Help: "Only this state; completed is paid."},
	{Name: "currency", Enum: []string{body.Credits, body.USDC}, Help: "Only rewards in this currency."},
	{Name: "min_amount", Kind: call.Number, Max: maxReward, Help: "Only rewards of at least this."},
	{Name: "q", Max: call.MaxFilter, Help: "Only bounties whose title matches."},
	{Name: "sort", Enum: []string{"recent", "amount", "deadline"}, Default: "recent", Help: "Order."},
}, call.PageFields(call.MaxPage)...))

// Bounty is a bounty as everybody may see it.
type Bounty struct {
	ID             string       `json:"id"`
	TeamID         string       `json:"teamId"`
	TaskID         *string      `json:"taskId"`
	Title          string       `json:"title"`
	Description    string       `json:"description"`
	Reward         Reward       `json:"reward"`
	Status         string       `json:"status" enum:"open,claimed,submitted,accepted,disputed,paid,cancelled,expired,refunded"`
	CreatedBy      string       `json:"createdBy"`
	CreatedByName  string       `json:"createdByName"`
	ClaimedBy      *string      `json:"claimedBy" doc:"agent; unknown to callers without a key"`
	Deadline       *string      `json:"deadline"`
	ClaimExpiresAt *string      `json:"claim_expires_at"`
	CreatedAt      string       `json:"createdAt"`
	CompletedAt    *string      `json:"completedAt"`
	Home           string       `json:"home" doc:"DID of the gateway that keeps the reward and confirms each step"`
	Escrow         Escrow       `json:"escrow"`
	Events         []BountyMove `json:"events"`
}

// Reward is what a bounty pays.
type Reward struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency" enum:"credits,USDC"`
}

// Escrow is where the reward is, as far as this node knows: at another node than
// the home it follows from the state.
type Escrow struct {
	State    string  `json:"state" enum:"none,reserved,released,refunded"`
	LedgerID *string `json:"ledger_id" doc:"line of the ledger, for who pays or earns"`
}

// BountyMove is one move of the state machine.
type BountyMove struct {
	Seq       int    `json:"seq"`
	From      string `json:"from"`
	To        string `json:"to"`
	Actor     string `json:"actor"`
	At        string `json:"at"`
	Reason    string `json:"reason,omitempty"`
	ProofHash string `json:"proof_hash,omitempty"`
	ChangeID  string `json:"change_id,omitempty"`
}

// BountiesReply is a page of bounties.
type BountiesReply struct {
	Success  bool     `json:"success"`
	Bounties []Bounty `json:"bounties"`
	call.Paging
}

// rewardScale is how many micro-USD one of a currency is.
func rewardScale(currency string) int64 {
	if currency == body.USDC {
		return 1_000_000
	}
	return state.MicroPerCredit
}

func rewardOf(b *view.Bounty) Reward {
	return Reward{float64(b.Amount) / float64(rewardScale(b.Currency)), b.Currency}
}

// Bounties lists the bounties that the caller may see: of public guilds, and of
// its own teams.
func (s *Service) Bounties(ctx context.Context, c call.Caller, r BountiesRequest) (*BountiesReply, error) {
	guilds := s.mesh.AllGuilds(ctx)
	if text := r.TeamID; text != "" {
		id, err := s.access.IDFor(ctx, c, change.PrefixGuild, text, reason.Refuse(reason.TeamNotFound, "no such guild"))
		if err != nil {
			return nil, err
		}
		if g, err := s.mesh.Guild(ctx, id); err != nil || !s.seesGuild(c, g) {
			return nil, reason.Refuse(reason.TeamNotFound, "no such guild")
		}
		guilds = []change.ID{id}
	}
	var all []view.Bounty
	for _, id := range guilds {
		found := s.mesh.Bounties(ctx, id)
		if len(found) == 0 {
			continue
		}
		if g, err := s.mesh.Guild(ctx, id); err != nil || !s.seesGuild(c, g) {
			continue
		}
		for _, b := range found {
			if b.Status != "" && selectsBounty(r, &b) {
				all = append(all, b)
			}
		}
	}
	slices.SortFunc(all, func(a, b view.Bounty) int { return strings.Compare(bountyKey(r, &a), bountyKey(r, &b)) })
	filter := r.Filter("bounties")
	total := len(all)
	if text := r.Cursor; text != "" {
		place, err := s.pages.Place(text, filter)
		if err != nil {
			return nil, err
		}
		at, same := slices.BinarySearchFunc(all, place.Sort, func(b view.Bounty, key string) int { return strings.Compare(bountyKey(r, &b), key) })
		if same {
			at++
		}
		all = all[at:]
	}
	page := all[:min(r.Limit, len(all))]
	reply := &BountiesReply{Success: true, Bounties: []Bounty{}, Paging: call.Paging{Count: len(page), Total: total}}
	for i := range page {
		shown, err := s.showBounty(ctx, c, &page[i])
		if err != nil {
			return nil, err
		}
		reply.Bounties = append(reply.Bounties, shown)
	}
	if len(page) < len(all) {
		return reply, s.pages.Next(&reply.Paging, filter, cursor.Place{Sort: bountyKey(r, &page[len(page)-1])})
	}
	return reply, nil
}

func selectsBounty(r BountiesRequest, b *view.Bounty) bool {
	status := r.Status
	if status == "completed" {
		status = string(bounty.Paid)
	}
	return (status == "" || status == string(b.Status)) && (r.Currency == "" || r.Currency == b.Currency) &&
		rewardOf(b).Amount >= r.MinAmount && strings.Contains(strings.ToLower(b.Title), strings.ToLower(r.Q))
}

// bountyKey orders bounties as asked for, ties by id. Each key is of one width,
// so that texts compare as the numbers do.
func bountyKey(r BountiesRequest, b *view.Bounty) string {
	n := math.MaxInt64 - b.CreatedAt.UnixMilli()
	switch r.Sort {
	case "amount":
		n = math.MaxInt64 - b.Amount
	case "deadline":
		if n = math.MaxInt64; !b.Deadline.IsZero() {
			n = b.Deadline.UnixMilli()
		}
	}
	return call.SortKey(n) + b.ID.Text(change.PrefixBounty)
}

// seesGuild reports whether the caller may know of a guild.
func (s *Service) seesGuild(c call.Caller, g view.Guild) bool {
	return g.Space.Area() == change.AreaGuild || s.access.IsMember(c, g)
}

// FindBounty is a bounty that the caller may know of, or bounty_not_found.
func (s *Service) FindBounty(ctx context.Context, c call.Caller, text string) (view.Bounty, view.Guild, error) {
	none := reason.Refuse(reason.BountyNotFound, "no such bounty")
	id, err := s.access.IDFor(ctx, c, change.PrefixBounty, text, none)
	if err != nil {
		return view.Bounty{}, view.Guild{}, err
	}
	b, err := s.mesh.Bounty(ctx, id)
	if err != nil {
		return b, view.Guild{}, err
	}
	g, err := s.mesh.Guild(ctx, b.Guild)
	if err != nil || b.Status == "" || !s.seesGuild(c, g) {
		return b, g, none
	}
	return b, g, nil
}

// showBounty is a bounty as the caller may see it.
func (s *Service) showBounty(ctx context.Context, c call.Caller, b *view.Bounty) (Bounty, error) {
	text, err := s.mesh.BountyText(ctx, b.ID)
	if err != nil {
		return Bounty{}, err
	}
	out := Bounty{
		ID: b.ID.Text(change.PrefixBounty), TeamID: b.Guild.Text(change.PrefixGuild), Title: b.Title, Description: text, Reward: rewardOf(b),
		Status: string(b.Status), CreatedBy: b.Creator.ID.String(), CreatedByName: b.Creator.Handle, Deadline: call.StampOrNil(b.Deadline),
		CreatedAt: call.Stamp(b.CreatedAt), Home: b.Home, Events: []BountyMove{},
	}
	if b.Task != "" {
		out.TaskID = &b.Task
	}
	if !b.Claimant.IsZero() {
		claimant := b.Claimant.String()
		if c.Masked() {
			claimant = call.UnknownAuthor
		}
		out.ClaimedBy = &claimant
	}
	if b.Status == bounty.Claimed {
		out.ClaimExpiresAt = call.StampOrNil(time.UnixMilli(b.LeaseEnd))
	}
	if b.Status.Terminal() {
		out.CompletedAt = call.StampOrNil(time.UnixMilli(b.Entered))
	}
	if out.Escrow, err = s.escrowOf(ctx, c, b); err != nil {
		return Bounty{}, err
	}
	for i, e := range b.Events {
		m, err := s.showMove(ctx, c, b, &e)
		if err != nil {
			return Bounty{}, err
		}
		m.Seq = i + 1
		out.Events = append(out.Events, m)
	}
	return out, nil
}

// showMove is one move. Who moved it, why, and the change that did are for holders
// of a key.
func (s *Service) showMove(ctx context.Context, c call.Caller, b *view.Bounty, e *bounty.Event) (BountyMove, error) {
	m := BountyMove{From: string(e.From), To: string(e.To), Actor: call.UnknownAuthor, At: call.Stamp(time.UnixMilli(e.At))}
	if e.Agent == b.State.Creator {
		m.Actor = e.Agent.String()
	}
	if c.Masked() {
		return m, nil
	}
	m.Actor, m.ChangeID = e.Agent.String(), e.Change.Text(change.PrefixChange)
	if !e.Proof.IsZero() {
		m.ProofHash = e.Proof.String()
	}
	if e.Act == "" || e.Act == body.BountySubmit {
		return m, nil
	}
	step, err := s.mesh.BountyStep(ctx, e.Change)
	if err != nil {
		return m, err
	}
	m.Reason = step.Text
	return m, nil
}

// escrowOf is where the reward is. The line of the ledger is for the two sides.
func (s *Service) escrowOf(ctx context.Context, c call.Caller, b *view.Bounty) (Escrow, error) {
	if !b.HomeHere {
		switch {
		case b.Status == bounty.Paid:
			return Escrow{State: state.EscrowReleased}, nil
		case b.Status.Terminal():
			return Escrow{State: state.EscrowRefunded}, nil
		}
		return Escrow{State: state.EscrowReserved}, nil
	}
	e, err := s.state.EscrowOf(ctx, b.ID.Text(change.PrefixBounty))
	if err != nil {
		return Escrow{}, err
	}
	out := Escrow{State: e.State}
	if e.LedgerID != "" && c.AgentID != "" && (c.AgentID == b.State.Creator.String() || c.AgentID == b.Claimant.String()) {
		out.LedgerID = &e.LedgerID
	}
	return out, nil
}

// payerSide reports whether an agent acts for who pays.
func (s *Service) payerSide(ctx context.Context, b *view.Bounty, agent change.AgentID) bool {
	return agent == b.State.Creator || role.Rank(s.mesh.RoleIn(ctx, agent, b.Guild)) >= role.Rank(role.Admin)
}

// proofText is a proof as it was given: a text, or the JSON of an object.
func proofText(r SubmitRequest) []byte {
	switch proof := r.Proof.(type) {
	case json.RawMessage:
		return proof
	case string:
		if proof == "" {
			return nil
		}
		raw, err := json.Marshal(proof)
		if err != nil {
			return nil
		}
		return raw
	}
	return nil
}
