package credit

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/state"
)

// Insufficient refuses a payment that an account does not cover.
func Insufficient(have, need int64) error {
	return hinted402(reason.Refuse(reason.InsufficientCredits, "the account has %s credits, %s are needed", state.Credits(have), state.Credits(need)).
		With(map[string]any{"balance": state.Credits(have), "required_credits": float64(need) / state.MicroPerCredit}))
}

func hinted402(r *reason.Refusal) error {
	r.Hint = "earn some by a bounty, or ask who runs this gateway"
	return r
}

// Balance is what an agent may spend, with its starting credits.
func (s *Service) Balance(ctx context.Context, agent string) (int64, error) {
	if grant := s.grant; grant > 0 {
		_, hosted, err := s.hosted(ctx, agent)
		if err != nil {
			return 0, err
		}
		if hosted {
			_, _, err := s.state.Post(ctx, state.Transfer{Op: state.OpStart, Key: agent, Object: agent, Memo: "starting credits",
				Postings: []state.Posting{{Account: state.Grants, Amount: -grant}, {Account: state.AgentAccount(agent), Amount: grant}}}, s.access.Now())
			if err != nil {
				return 0, err
			}
		}
	}
	return s.state.Balance(ctx, state.AgentAccount(agent))
}

// hosted reports whether an agent has its home here.
func (s *Service) hosted(ctx context.Context, agent string) (id change.AgentID, ok bool, err error) {
	id, err = change.ParseAgentID(agent)
	if err != nil {
		return id, false, fmt.Errorf("read an agent's id: %w", err)
	}
	a, err := s.mesh.Agent(ctx, id)
	if reason.Of(err) == reason.AgentNotFound {
		return id, false, nil
	}
	return id, a.Local, err
}

// CreditsReply is the caller's account.
type CreditsReply struct {
	Success     bool            `json:"success"`
	Balance     float64         `json:"balance" doc:"credits that may be spent"`
	Reserved    float64         `json:"reserved" doc:"credits in the escrow of bounties, or on their way to a wallet"`
	CreditLimit float64         `json:"credit_limit"`
	Tier        string          `json:"tier" enum:"free,pro,enterprise"`
	Lifetime    CreditsLifetime `json:"lifetime"`
}

// CreditsLifetime is what went through an account.
type CreditsLifetime struct {
	Spent     float64 `json:"spent"`
	Purchased float64 `json:"purchased"`
}

// Of is an amount of micro-USD in credits.
func Of(micro int64) float64 { return float64(micro) / state.MicroPerCredit }

// Credits returns the account of the caller.
func (s *Service) Credits(ctx context.Context, c call.Caller) (*CreditsReply, error) {
	if err := c.RequireKey(); err != nil {
		return nil, err
	}
	agent, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	have, err := s.Balance(ctx, agent.String())
	if err != nil {
		return nil, err
	}
	sums, err := s.state.AccountSums(ctx, agent.String())
	if err != nil {
		return nil, err
	}
	return &CreditsReply{
		Success: true, Balance: Of(have), Reserved: Of(sums.Reserved), Tier: "free",
		Lifetime: CreditsLifetime{Spent: Of(sums.Spent), Purchased: Of(sums.Purchased)},
	}, nil
}

// GrantRequest gives an agent credits.
type GrantRequest struct {
	call.Request
	AgentID string  `field:"agent_id"`
	Amount  float64 `field:"amount"`
	Reason  string  `field:"reason"`
}

// GrantForm reads a GrantRequest.
var GrantForm = call.Define[GrantRequest](call.Form{
	{Name: "agent_id", Max: call.MaxIDText, Required: true, Help: "The agent, by id, DID or name."},
	{Name: "amount", Kind: call.Number, Max: maxGrant, Required: true, Help: "Credits, over 0."},
	{Name: "reason", Min: 1, Max: call.MaxBountyReason, Required: true, Help: "Why; it is kept in the audit log."},
})

// GrantReply is an account after a grant.
type GrantReply struct {
	Success  bool    `json:"success"`
	AgentID  string  `json:"agent_id"`
	Amount   float64 `json:"amount"`
	Balance  float64 `json:"balance"`
	LedgerID string  `json:"ledger_id"`
}

// GrantCredits gives an agent credits out of nothing. Only who runs the gateway
// may; each grant is audited.
func (s *Service) GrantCredits(ctx context.Context, c call.Caller, r GrantRequest, mark string) (*GrantReply, error) {
	if !s.access.IsAdmin(c) {
		return nil, reason.Refuse(reason.NotFound, "no such path") // as of every path of admins
	}
	bad := r.Missing()
	micro := int64(math.Round(r.Amount * state.MicroPerCredit))
	if len(bad) == 0 && micro <= 0 {
		bad = append(bad, call.Fault("amount", "must be more than 0"))
	}
	if err := call.Invalid(bad...); err != nil {
		return nil, err
	}
	a, err := s.mesh.FindAgent(ctx, r.AgentID)
	if err != nil {
		return nil, err
	}
	id, now := a.ID.String(), s.access.Now()
	key := mark
	if key == "" {
		if key, err = s.state.NewID("", now); err != nil {
			return nil, err
		}
	}
	who := "node"
	if c.AgentID != "" {
		who = c.AgentID
	}
	why := call.Clip(strings.TrimSpace(r.Reason), maxMemo)
	t, fresh, err := s.state.Post(ctx, state.Transfer{Op: state.OpGrant, Key: key, Object: id, Memo: why,
		Postings: []state.Posting{{Account: state.Grants, Amount: -micro}, {Account: state.AgentAccount(id), Amount: micro}}}, now)
	if err != nil {
		return nil, err
	}
	if fresh {
		if _, err := s.state.AppendAudit(ctx, state.AuditEntry{At: now, Actor: who, Action: "credits.granted", Object: id,
			Detail: map[string]any{"credits": state.Credits(micro), "reason": why, "ledger_id": t.ID}}); err != nil {
			return nil, err
		}
	}
	have, err := s.Balance(ctx, id)
	if err != nil {
		return nil, err
	}
	return &GrantReply{true, id, Of(t.Of(state.AgentAccount(id))), Of(have), t.ID}, nil
}

// TransactionsRequest selects lines of the caller's account.
type TransactionsRequest struct {
	call.Request
	call.PageOf
	Type   string    `field:"type"`
	Since  time.Time `field:"since"`
	Until  time.Time `field:"until"`
	Format string    `field:"format"`
}

// TransactionsForm reads a TransactionsRequest.
var TransactionsForm = call.Define[TransactionsRequest](append(call.Form{
	{Name: "type", Enum: state.Ops(), Help: "Only this operation."},
	{Name: "since", Kind: call.Time, Help: "Only from this time on."},
	{Name: "until", Kind: call.Time, Help: "Only before this time."},
	{Name: "format", Enum: []string{"json", "csv"}, Default: "json", Help: "Form of the reply."},
}, call.PageFields(call.MaxPage)...))

// Transaction is one line of an account.
type Transaction struct {
	ID           string  `json:"id"`
	Type         string  `json:"type" enum:"grant,start,reserve,close,sale,topup,withdraw,withdraw_end"`
	Amount       float64 `json:"amount" doc:"credits that came, or went when negative"`
	Counterparty string  `json:"counterparty" doc:"the other account"`
	Object       string  `json:"object" doc:"bounty, entry or agent that it was about"`
	Memo         string  `json:"memo"`
	At           string  `json:"at"`
}

// TransactionsReply is a page of the caller's account, newest first.
type TransactionsReply struct {
	Success      bool          `json:"success"`
	Transactions []Transaction `json:"transactions"`
	call.Paging
}

// Transactions lists the caller's own lines.
func (s *Service) Transactions(ctx context.Context, c call.Caller, r TransactionsRequest) (*TransactionsReply, error) {
	if err := c.RequireKey(); err != nil {
		return nil, err
	}
	agent, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	if _, err := s.Balance(ctx, agent.String()); err != nil {
		return nil, err
	}
	account := state.AgentAccount(agent.String())
	f := state.TransferFilter{Op: r.Type, Since: r.Since, Until: r.Until}
	filter := r.Filter("transactions/" + agent.String())
	if text := r.Cursor; text != "" {
		place, err := s.pages.Place(text, filter)
		if err != nil {
			return nil, err
		}
		f.Before = place.ID
	}
	total, err := s.state.CountTransfers(ctx, account, f)
	if err != nil {
		return nil, err
	}
	most := r.Limit
	ts, err := s.state.Transfers(ctx, account, f, most)
	if err != nil {
		return nil, err
	}
	reply := &TransactionsReply{Success: true, Transactions: []Transaction{}, Paging: call.Paging{Count: len(ts), Total: total}}
	for _, t := range ts {
		reply.Transactions = append(reply.Transactions, Transaction{
			ID: t.ID, Type: t.Op, Amount: Of(t.Of(account)), Counterparty: t.Counterparty(account), Object: t.Object, Memo: t.Memo, At: call.Stamp(t.At),
		})
	}
	if len(ts) == most {
		f.Before = ts[most-1].ID
		more, err := s.state.Transfers(ctx, account, f, 1)
		if err != nil {
			return nil, err
		}
		if len(more) > 0 {
			return reply, s.pages.Next(&reply.Paging, filter, cursor.Place{Sort: "id", ID: ts[most-1].ID})
		}
	}
	return reply, nil
}

// CSV is the page as comma-separated lines with a head. Cells that a spreadsheet
// would take for a formula are quoted with an apostrophe.
func (r *TransactionsReply) CSV() ([]byte, error) {
	var b strings.Builder
	w := csv.NewWriter(&b)
	lines := [][]string{{"id", "type", "amount", "counterparty", "object", "memo", "at"}}
	for _, t := range r.Transactions {
		lines = append(lines, []string{
			t.ID, t.Type, strconv.FormatFloat(t.Amount, 'f', -1, 64), cell(t.Counterparty), cell(t.Object), cell(t.Memo), t.At,
		})
	}
	if err := w.WriteAll(lines); err != nil {
		return nil, fmt.Errorf("write CSV: %w", err)
	}
	return []byte(b.String()), nil
}

func cell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
