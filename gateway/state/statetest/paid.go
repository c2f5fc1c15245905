package statetest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
)

const price = 250_000

// sold keeps a text of ada's and is its sale to somebody.
func sold(t testing.TB, db *state.DB, text, buyer string) state.Sale {
	t.Helper()
	hash := state.PremiumHash(text)
	must(t, db.KeepPremium(t.Context(), "ada", hash, [32]byte{}, []byte(text), Start))
	p, ok, err := db.Premium(t.Context(), "ada", hash, buyer)
	must(t, err)
	if !ok {
		t.Fatal("what was kept is not there")
	}
	return state.Sale{Buyer: buyer, Series: p.Series, Entry: "ent_1", Seller: "ada", Amount: price, Fee: price * 15 / 100}
}

func testPremium(t *testing.T, db *state.DB) {
	first, second := state.PremiumHash("one"), state.PremiumHash("two")
	must(t, db.KeepPremium(t.Context(), "ada", first, [32]byte{}, []byte("first"), Start))
	must(t, db.KeepPremium(t.Context(), "ada", first, [32]byte{}, []byte("other"), Start)) // changes nothing
	must(t, db.KeepPremium(t.Context(), "ada", second, first, []byte("second"), Start))
	a, ok, err := db.Premium(t.Context(), "ada", first, "bo")
	must(t, err)
	b, _, err := db.Premium(t.Context(), "ada", second, "bo")
	must(t, err)
	if !ok || !bytes.Equal(a.Body, []byte("first")) || !bytes.Equal(b.Body, []byte("second")) || a.Series != b.Series || a.Owned {
		t.Fatalf("kept %+v and %+v", a, b)
	}
	if _, ok, err := db.Premium(t.Context(), "bo", first, "bo"); ok || err != nil {
		t.Errorf("of another author: %t, %v", ok, err)
	}
	grant(t, db, "bo", price)
	_, _, err = db.Buy(t.Context(), state.Sale{Buyer: "bo", Series: a.Series, Entry: "ent_1", Seller: "ada", Amount: price}, Start)
	must(t, err)
	if b, _, err = db.Premium(t.Context(), "ada", second, "bo"); err != nil || !b.Owned {
		t.Errorf("who bought the first version has not the next: %+v, %v", b, err)
	}
	if n, err := db.CountSales(t.Context(), "ada", second); err != nil || n != 1 {
		t.Errorf("%d sales, %v", n, err)
	}
	must(t, db.DropPremium(t.Context(), "ada", first))
	if _, ok, err := db.Premium(t.Context(), "ada", first, "bo"); ok || err != nil {
		t.Errorf("what was dropped is there: %t, %v", ok, err)
	}
	if ok, err := db.HasPremium(t.Context(), "ada", second); !ok || err != nil {
		t.Errorf("the next version went too: %v", err)
	}
}

// Whoever asks and how often: one charge, one purchase, and nobody spends what is
// not there.
func testBuyRace(t *testing.T, db *state.DB) {
	sale := sold(t, db, "text", "bo")
	grant(t, db, "bo", 3*price)
	fresh := make([]bool, 16)
	codes := race(16, func(i int) error {
		_, f, err := db.Buy(t.Context(), sale, Start)
		fresh[i] = f
		return err
	})
	n := 0
	for _, f := range fresh {
		if f {
			n++
		}
	}
	if codes[""] != 16 || n != 1 {
		t.Fatalf("codes %v, %d fresh", codes, n)
	}
	wantBalance(t, db, state.AgentAccount("bo"), 2*price)
	wantBalance(t, db, state.AgentAccount("ada"), price*85/100)
	wantBalance(t, db, state.Fees, price*15/100)

	// Five buyers at once with money for two between them.
	grant(t, db, "cy", 2*price)
	codes = race(5, func(i int) error {
		other := sold(t, db, fmt.Sprint("text ", i), "cy")
		_, _, err := db.Buy(t.Context(), other, Start)
		return err
	})
	if codes[""] != 2 || codes[reason.InsufficientCredits] != 3 {
		t.Errorf("codes %v", codes)
	}
	wantBalance(t, db, state.AgentAccount("cy"), 0)
}

func paying(sale state.Sale, nonce string) state.Payment {
	return state.Payment{Asset: "usdc", Payer: "0xbo", Nonce: nonce, Resource: "/e/1", Buyer: sale.Buyer, Object: sale.Series, Amount: sale.Amount,
		Mode: state.ModeOnChain, Payload: []byte("{}"), Purpose: state.Purchase{Network: "base", Sale: &sale}}
}

func testPayment(t *testing.T, db *state.DB) {
	sale := sold(t, db, "text", "bo")
	p, fresh, _, err := db.StartPayment(t.Context(), paying(sale, "n1"), nil, Start)
	must(t, err)
	if !fresh || !strings.HasPrefix(p.ID, "pay_") || p.Sent() {
		t.Fatalf("started %+v", p)
	}
	_, _, _, err = db.StartPayment(t.Context(), paying(sale, "n1"), nil, Start)
	refused(t, err, reason.IdempotencyInProgress) // the first is at it
	_, _, _, err = db.StartPayment(t.Context(), paying(sale, "n2"), nil, Start)
	refused(t, err, reason.IdempotencyInProgress) // never two for one thing
	_, _, err = db.Buy(t.Context(), sale, Start)
	refused(t, err, reason.IdempotencyInProgress)
	other := paying(sale, "n1")
	other.Resource = "/e/2"
	_, _, _, err = db.StartPayment(t.Context(), other, nil, Start)
	refused(t, err, reason.PaymentReplayed)
	other = paying(sale, "n1")
	other.Buyer = "cy"
	_, _, _, err = db.StartPayment(t.Context(), other, nil, Start)
	refused(t, err, reason.PaymentReplayed)

	// The process ends. Later the same payment is taken up where it was.
	later := Start.Add(time.Hour)
	open, err := db.OpenPayments(t.Context(), later, 10)
	must(t, err)
	if len(open) != 1 || open[0].ID != p.ID {
		t.Fatalf("open %+v", open)
	}
	_, fresh, again, err := db.StartPayment(t.Context(), paying(sale, "n1"), nil, later)
	must(t, err)
	if fresh || !again {
		t.Errorf("taken up: fresh %t, again %t", fresh, again)
	}
	must(t, db.SendPayment(t.Context(), p.ID))
	for range 2 { // the answer comes twice
		done, err := db.SettlePayment(t.Context(), p.ID, "0xaa", later)
		must(t, err)
		if done.State != state.PaymentSettled || done.Transaction != "0xaa" {
			t.Errorf("settled %+v", done)
		}
	}
	must(t, db.FailPayment(t.Context(), p.ID, "x", later)) // too late
	found, fresh, again, err := db.StartPayment(t.Context(), paying(sale, "n1"), nil, later)
	must(t, err)
	if fresh || again || found.State != state.PaymentSettled {
		t.Errorf("the receipt does not come again: %+v", found)
	}
	if _, _, _, err = db.StartPayment(t.Context(), paying(sale, "n3"), nil, later); !errors.Is(err, state.ErrOwned) {
		t.Errorf("paid for what is there: %v", err)
	}
	wantBalance(t, db, state.AgentAccount("ada"), price*85/100)
	wantBalance(t, db, state.ChainAccount("base"), -price)

	// A transaction settles one payment.
	second := sold(t, db, "another", "bo")
	p, _, _, err = db.StartPayment(t.Context(), paying(second, "n4"), nil, later)
	must(t, err)
	_, err = db.SettlePayment(t.Context(), p.ID, "0xaa", later)
	refused(t, err, reason.SettlementUnknown)
	must(t, db.FailPayment(t.Context(), p.ID, "settlement_failed", later))
	_, _, _, err = db.StartPayment(t.Context(), paying(second, "n4"), nil, later)
	refused(t, err, reason.PaymentReplayed) // its nonce stays used
	wantBalance(t, db, state.ChainAccount("base"), -price)
}

func testPayout(t *testing.T, db *state.DB) {
	grant(t, db, "ada", 100)
	out := func(nonce string, micro int64) (state.Payment, error) {
		p := state.Payment{Asset: "usdc", Payer: "0xus", Nonce: nonce, Resource: "/w", Buyer: "ada", Object: "withdraw", Amount: micro, Mode: state.ModeOnChain,
			Payload: []byte("{}"), Purpose: state.Purchase{Network: "base", Withdraw: micro}}
		reserve := &state.Transfer{Op: state.OpWithdraw, Key: nonce, Postings: []state.Posting{{Account: state.AgentAccount("ada"), Amount: -micro},
			{Account: state.ReservedAccount("ada"), Amount: micro}}}
		p, _, _, err := db.StartPayment(t.Context(), p, reserve, Start)
		return p, err
	}
	_, err := out("n1", 101)
	refused(t, err, reason.InsufficientCredits)
	p, err := out("n1", 60)
	must(t, err)
	_, err = out("n2", 10)
	refused(t, err, reason.IdempotencyInProgress)
	wantBalance(t, db, state.AgentAccount("ada"), 40)
	sums, err := db.AccountSums(t.Context(), "ada")
	must(t, err)
	if sums.Reserved != 60 || sums.Withdrawn != 60 || sums.Spent != 0 {
		t.Errorf("on its way: %+v", sums)
	}
	must(t, db.FailPayment(t.Context(), p.ID, "settlement_failed", Start))
	wantBalance(t, db, state.AgentAccount("ada"), 100)
	p, err = out("n3", 60)
	must(t, err)
	_, err = db.SettlePayment(t.Context(), p.ID, "0xbb", Start)
	must(t, err)
	must(t, db.FailPayment(t.Context(), p.ID, "settlement_failed", Start)) // too late
	wantBalance(t, db, state.AgentAccount("ada"), 40)
	wantBalance(t, db, state.ReservedAccount("ada"), 0)
	wantBalance(t, db, state.ChainAccount("base"), 60)
	if sums, err = db.AccountSums(t.Context(), "ada"); err != nil || sums.Reserved != 0 || sums.Withdrawn != 60 || sums.Spent != 0 {
		t.Errorf("paid out: %+v, %v", sums, err)
	}
}
