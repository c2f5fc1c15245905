package statetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
)

func grant(t testing.TB, db *state.DB, agent string, micro int64) {
	t.Helper()
	_, _, err := db.Post(t.Context(), state.Transfer{Op: state.OpGrant, Key: fmt.Sprint(agent, micro), Object: agent,
		Postings: []state.Posting{{Account: state.Grants, Amount: -micro}, {Account: state.AgentAccount(agent), Amount: micro}}}, Start)
	must(t, err)
}

func wantBalance(t testing.TB, db *state.DB, account string, want int64) {
	t.Helper()
	got, err := db.Balance(t.Context(), account)
	must(t, err)
	if got != want {
		t.Errorf("%s holds %d, want %d", account, got, want)
	}
}

func testTransferOnce(t *testing.T, db *state.DB) {
	grant(t, db, "ada", 1000)
	ada, bo := state.AgentAccount("ada"), state.AgentAccount("bo")
	pay := state.Transfer{Op: state.OpSale, Key: "1", Object: "ent_1", Memo: "first", Postings: []state.Posting{{Account: ada, Amount: -600}, {Account: bo, Amount: 510}, {Account: state.Fees, Amount: 90}}}
	first, fresh, err := db.Post(t.Context(), pay, Start)
	must(t, err)
	if !fresh || first.ID == "" || !first.At.Equal(Start) {
		t.Fatalf("posted %+v, fresh %t", first, fresh)
	}
	other := pay
	other.Postings = []state.Posting{{Account: ada, Amount: -1}, {Account: bo, Amount: 1}}
	again, fresh, err := db.Post(t.Context(), other, Start.Add(time.Hour))
	must(t, err)
	if fresh || again.ID != first.ID || again.Of(ada) != -600 || again.Counterparty(ada) != bo || again.Memo != "first" {
		t.Fatalf("posted again %+v, fresh %t", again, fresh)
	}
	pay.Key = "2"
	_, _, err = db.Post(t.Context(), pay, Start)
	refused(t, err, reason.InsufficientCredits)
	wantBalance(t, db, ada, 400)
	wantBalance(t, db, bo, 510)
	wantBalance(t, db, state.Fees, 90)
	wantBalance(t, db, state.Grants, -1000)
	if _, ok, err := db.TransferOf(t.Context(), state.OpSale, "2"); ok || err != nil {
		t.Errorf("the refused transfer is there: %t, %v", ok, err)
	}
}

func testTransferRules(t *testing.T, db *state.DB) {
	for name, ps := range map[string][]state.Posting{
		"unbalanced": {{Account: state.Grants, Amount: -2}, {Account: "a", Amount: 1}},
		"one":        {{Account: "a", Amount: 0}},
		"empty":      {},
		"no account": {{Account: state.Grants, Amount: -1}, {Account: "", Amount: 1}},
		"zero":       {{Account: state.Grants, Amount: -1}, {Account: "a", Amount: 1}, {Account: "b", Amount: 0}},
		"huge":       {{Account: state.Grants, Amount: -1<<53 - 1}, {Account: "a", Amount: 1<<53 + 1}},
	} {
		if _, _, err := db.Post(t.Context(), state.Transfer{Op: "x", Key: name, Postings: ps}, Start); err == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	ok := []state.Posting{{Account: state.Grants, Amount: -1}, {Account: "a", Amount: 1}}
	for _, tr := range []state.Transfer{{Key: "k", Postings: ok}, {Op: "x", Postings: ok}} {
		if _, _, err := db.Post(t.Context(), tr, Start); err == nil {
			t.Errorf("%+v was posted", tr)
		}
	}
}

func testTransferList(t *testing.T, db *state.DB) {
	ada := state.AgentAccount("ada")
	for i := range 5 {
		_, _, err := db.Post(t.Context(), state.Transfer{Op: state.OpGrant, Key: fmt.Sprint(i),
			Postings: []state.Posting{{Account: state.Grants, Amount: -10}, {Account: ada, Amount: 10}}}, Start.Add(time.Duration(i)*time.Hour))
		must(t, err)
	}
	must(t, db.Reserve(t.Context(), "bty_1", "ada", 20, Start.Add(5*time.Hour)))
	all, err := db.Transfers(t.Context(), ada, state.TransferFilter{}, 100)
	must(t, err)
	if len(all) != 6 || all[0].Op != state.OpReserve || all[5].Key != "0" {
		t.Fatalf("listed %+v", all)
	}
	for name, c := range map[string]struct {
		f    state.TransferFilter
		want int
	}{
		"op":     {state.TransferFilter{Op: state.OpGrant}, 5},
		"since":  {state.TransferFilter{Since: Start.Add(4 * time.Hour)}, 2},
		"until":  {state.TransferFilter{Until: Start.Add(4 * time.Hour)}, 4},
		"before": {state.TransferFilter{Before: all[3].ID}, 2},
	} {
		got, err := db.Transfers(t.Context(), ada, c.f, 100)
		must(t, err)
		if len(got) != c.want {
			t.Errorf("%s: %d transfers, want %d", name, len(got), c.want)
		}
		n, err := db.CountTransfers(t.Context(), ada, c.f)
		must(t, err)
		if name != "before" && n != c.want {
			t.Errorf("%s: counted %d, want %d", name, n, c.want)
		}
	}
	if none, err := db.Transfers(t.Context(), state.AgentAccount("bo"), state.TransferFilter{}, 100); err != nil || len(none) != 0 {
		t.Errorf("of a stranger: %v, %v", none, err)
	}
}

func testEscrow(t *testing.T, db *state.DB) {
	grant(t, db, "ada", 1001)
	escrow := func(want string) {
		t.Helper()
		e, err := db.EscrowOf(t.Context(), "bty_1")
		must(t, err)
		if e.State != want || (e.LedgerID == "") != (want == state.EscrowNone) {
			t.Errorf("escrow %+v, want %s", e, want)
		}
	}
	escrow(state.EscrowNone)
	if _, err := db.CloseEscrow(t.Context(), "bty_1", "bo", 100, Start); err == nil {
		t.Error("an escrow was closed that never was")
	}
	refused(t, db.Reserve(t.Context(), "bty_1", "ada", 1002, Start), reason.InsufficientCredits)
	escrow(state.EscrowNone)
	must(t, db.Reserve(t.Context(), "bty_1", "ada", 101, Start))
	must(t, db.Reserve(t.Context(), "bty_1", "ada", 101, Start))
	escrow(state.EscrowReserved)
	wantBalance(t, db, state.AgentAccount("ada"), 900)
	wantBalance(t, db, state.EscrowAccount("bty_1"), 101)
	for _, share := range []int{40, 100, 0} { // only the first counts
		_, err := db.CloseEscrow(t.Context(), "bty_1", "bo", share, Start)
		must(t, err)
		wantBalance(t, db, state.AgentAccount("bo"), 40)
		wantBalance(t, db, state.AgentAccount("ada"), 961)
		wantBalance(t, db, state.EscrowAccount("bty_1"), 0)
		escrow(state.EscrowReleased)
	}
	must(t, db.Reserve(t.Context(), "bty_2", "ada", 961, Start))
	_, err := db.CloseEscrow(t.Context(), "bty_2", "", 0, Start)
	must(t, err)
	wantBalance(t, db, state.AgentAccount("ada"), 961)
	if e, err := db.EscrowOf(t.Context(), "bty_2"); err != nil || e.State != state.EscrowRefunded {
		t.Errorf("escrow %+v, %v", e, err)
	}
	for _, share := range []int{-1, 101} {
		if _, err := db.CloseEscrow(t.Context(), "bty_2", "bo", share, Start); err == nil {
			t.Errorf("%d percent were paid", share)
		}
	}
}

// Whoever asks first and how many ask: a reward is paid or goes back, once, and
// no account spends what it does not have.
func testEscrowRace(t *testing.T, db *state.DB) {
	grant(t, db, "ada", 550)
	codes := race(16, func(i int) error { return db.Reserve(t.Context(), fmt.Sprint("bty_", i), "ada", 100, Start) })
	if codes[""] != 5 || codes[reason.InsufficientCredits] != 11 {
		t.Fatalf("codes %v", codes)
	}
	var held string
	for i := range 16 {
		if e, err := db.EscrowOf(t.Context(), fmt.Sprint("bty_", i)); err == nil && e.State == state.EscrowReserved {
			held = fmt.Sprint("bty_", i)
		}
	}
	codes = race(16, func(i int) error {
		_, err := db.CloseEscrow(t.Context(), held, "bo", 100*(i%2), Start)
		return err
	})
	if codes[""] != 16 {
		t.Fatalf("codes %v", codes)
	}
	ada, err := db.Balance(t.Context(), state.AgentAccount("ada"))
	must(t, err)
	bo, err := db.Balance(t.Context(), state.AgentAccount("bo"))
	must(t, err)
	if ada+bo != 150 || bo != 0 && bo != 100 {
		t.Errorf("ada %d, bo %d", ada, bo)
	}
}

func testStepRefusals(t *testing.T, db *state.DB) {
	if code, err := db.StepRefused(t.Context(), "chg_1"); code != "" || err != nil {
		t.Fatalf("%q, %v", code, err)
	}
	must(t, db.RefuseStep(t.Context(), "chg_1", "self_deal", Start))
	must(t, db.RefuseStep(t.Context(), "chg_1", "forbidden", Start))
	if code, err := db.StepRefused(t.Context(), "chg_1"); code != "self_deal" || err != nil {
		t.Fatalf("%q, %v", code, err)
	}
}
