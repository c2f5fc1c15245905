package rest_test

import (
	"encoding/binary"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/market"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/service/servicetest"
)

// moment is a state that a crash leaves: the database up to one of its commits, and
// what the chain has seen by then.
type moment struct {
	wal     int // bytes of the write-ahead log
	settled map[string]string
}

// commits are the ends of the transactions in a write-ahead log of SQLite.
func commits(t *testing.T, wal []byte) (ends []int) {
	t.Helper()
	const head, frame = 32, 24
	if len(wal) < head {
		t.Fatal("no write-ahead log")
	}
	page := int(binary.BigEndian.Uint32(wal[8:]))
	for at := head; at+frame+page <= len(wal); at += frame + page {
		if binary.BigEndian.Uint32(wal[at+4:]) != 0 { // the last page of a transaction
			ends = append(ends, at+frame+page)
		}
	}
	return ends
}

// restart is the gateway as a new process finds it: the database of a moment, and a
// facilitator that keeps to the terms of a transfer and to what the chain has seen.
func (s *shop) restart(t *testing.T, f *facilitator, main []byte, wal []byte) *shop {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "state.db"), main, 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "state.db-wal"), wal, 0o600))
	db := servicetest.OpenStateIn(t, dir)
	svc := servicetest.NewServiceWith(t, s.mesh, db, limit.Config{Disabled: true},
		service.Config{Version: "1.2.3", Tools: mcp.Tools(), BaseURL: func() string { return base }, Market: s.marketOf(t, f), Now: s.clock.Now})
	m, err := mcp.New(svc, mcp.Config{Version: "1.2.3"})
	must(t, err)
	h, err := rest.New(svc, auth.New(db), m, rest.Config{})
	must(t, err)
	again := *s
	again.world = &world{t: t, mesh: s.mesh, state: db, service: svc, handler: h, clock: s.clock, dir: dir}
	return &again
}

// TestScenario26Payment: a purchase over the chain is cut off at every commit of the
// database, before and after the transfer is sent, at 100000 units; the same below
// the threshold, at 99999. The next process, with the buyer coming again or not,
// delivers what was paid for, or has taken nothing: never both, never two transfers, and
// the nonce is worth nothing a second time.
func TestScenario26Payment(t *testing.T) {
	t.Parallel()
	crashes, served, refunded := 0, 0, 0
	for _, units := range []uint64{99_999, 100_000} {
		for _, way := range []string{"sent", "answer lost", "refused"} {
			if units < 100_000 && way != "sent" {
				continue // no facilitator takes part
			}
			for _, comes := range []bool{true, false} {
				if testing.Short() && comes != (way == "sent" && units == 100_000) {
					continue // half of them under the race detector
				}
				t.Run(fmt.Sprintf("%d units, %s, comes again %v", units, way, comes), func(t *testing.T) {
					n, s, r := cutPayment(t, units, way, comes)
					crashes, served, refunded = crashes+n, served+s, refunded+r
				})
			}
		}
	}
	t.Logf("scenario 26: %d crashes between reserve, send and serve at 99999 and 100000 units: %d paid once and served, %d nothing taken, 0 both, 0 paid twice, 0 nonces spent twice (bar: 0, 0, 0)", crashes, served, refunded)
	if served == 0 || refunded == 0 {
		t.Errorf("%d were served, %d refunded: one of them was never seen", served, refunded)
	}
}

func cutPayment(t *testing.T, units uint64, way string, comes bool) (crashes, served, refunded int) {
	f := honest()
	s := newShop(t, f)
	s.grant("bo", 100)
	path := s.sells(float64(units)/1e6, nil)
	file := filepath.Join(s.dir, "state.db")
	read := func(name string) []byte {
		b, err := os.ReadFile(name)
		must(t, err)
		return b
	}
	main, begun := read(file), len(read(file+"-wal"))
	seen := []moment{{begun, map[string]string{}}} // each time the chain is asked to move money
	f.settle = func(w http.ResponseWriter, asked map[string]any) {
		switch way {
		case "refused":
			say(w, map[string]any{"success": false, "errorReason": "insufficient_funds"})
			return
		case "answer lost":
			f.send(asked)
			seen = append(seen, moment{len(read(file + "-wal")), maps.Clone(f.settled)})
			w.WriteHeader(http.StatusGatewayTimeout)
			return
		}
		m := f.send(asked)
		seen = append(seen, moment{len(read(file + "-wal")), maps.Clone(f.settled)})
		say(w, m)
	}
	wallet := s.wallets["bo"]
	header := s.header1(wallet, s.transfer(wallet, units))
	status, code := 200, ""
	switch way {
	case "refused":
		status, code = 402, "settlement_failed"
	case "answer lost":
		status, code = 504, "settlement_unknown"
	}
	s.want(s.as("bo", "POST", path+"/buy", nil, header), status, code)
	wal := read(file + "-wal")
	if string(read(file)) != string(main) {
		t.Fatal("the log was moved into the file, so what was synced when is not known")
	}
	var moments []moment
	for _, end := range append([]int{begun}, commits(t, wal)...) {
		if end < begun {
			continue
		}
		for i, m := range seen { // after what the chain saw at that place; at the place itself also before it
			if m.wal <= end && (i+1 == len(seen) || end <= seen[i+1].wal) {
				moments = append(moments, moment{end, m.settled})
			}
		}
	}
	if len(moments) < 2 {
		t.Fatalf("%d moments of a purchase", len(moments))
	}
	for i, m := range moments {
		ok, back := s.goOn(t, fmt.Sprintf("moment %d of %d", i+1, len(moments)), m, main, wal[:m.wal], way, path, header, units, comes)
		if ok {
			served++
		}
		if back {
			refunded++
		}
	}
	return len(moments), served, refunded
}

// goOn restarts the gateway at a moment, lets time pass, and checks what became of
// the purchase.
func (s *shop) goOn(t *testing.T, name string, m moment, main, wal []byte, way, path string, header map[string]string, units uint64, comes bool) (served, refunded bool) {
	t.Helper()
	f := honest()
	f.settled = maps.Clone(m.settled)
	sent := len(f.settled)
	start := s.clock.Now()
	defer s.clock.Add(start.Sub(s.clock.Now()))
	f.settle = func(w http.ResponseWriter, asked map[string]any) {
		sending := asked["paymentPayload"].(map[string]any)["payload"].(map[string]any)["authorization"].(map[string]any)
		switch nonce := sending["nonce"].(string); {
		case f.settled[nonce] != "": // the chain shows what became of it
			need := asked["paymentRequirements"].(map[string]any)
			say(w, map[string]any{"success": true, "transaction": f.settled[nonce], "network": need["network"], "payer": sending["from"]})
		case way == "refused" || s.clock.Now().Sub(start) > time.Minute:
			say(w, map[string]any{"success": false, "errorReason": "invalid_exact_evm_payload_authorization_valid_before"})
		default:
			say(w, f.send(asked))
		}
	}
	g := s.restart(t, f, main, wal)
	if comes {
		g.as("bo", "POST", path+"/buy", nil, header)
	}
	// Whatever is left open is asked about, and ended by the owner where nobody knows.
	s.clock.Add(100 * time.Second)
	must(t, g.service.Market.ReconcilePayments(t.Context(), slog.New(slog.DiscardHandler)))
	if comes {
		g.as("bo", "POST", path+"/buy", nil, header)
	}
	s.clock.Add(15 * time.Minute)
	for _, p := range g.underWay() {
		if len(f.settled) > sent || sent > 0 {
			t.Errorf("%s: a transfer that was sent is still open: %+v", name, p)
		}
		g.end(market.PaymentOrder{ID: p.ID, Outcome: "failed", Reason: foundOut}, "")
	}

	paid := len(f.settled)
	if units < 100_000 {
		paid = 0
		if r := g.want(g.as("bo", "GET", "/api/credits", nil, nil), 200, ""); r.json["balance"] != 100.0 {
			paid = 1
			if r.json["balance"] != 90.0001 {
				t.Errorf("%s: bo holds %v", name, r.json["balance"])
			}
		}
	}
	got := g.as("bo", "GET", path, nil, nil)
	served = got.StatusCode == 200 && strings.Contains(string(got.raw), "canarytext")
	earned := g.want(g.as("ada", "GET", "/api/credits", nil, nil), 200, "").json["balance"] != 0.0
	if paid > 1 || served != (paid == 1) || served != earned {
		t.Errorf("%s: %d transfers, served %v, the author earned %v", name, paid, served, earned)
	}
	refunded = paid == 0
	// The authorisation is worth nothing again: for another entry, for another buyer,
	// and in yet another process.
	other := g.sells(float64(units)/1e6, map[string]any{"content": secretLesson + " Another, " + strings.NewReplacer(" ", "x", ",", "y").Replace(t.Name()) + name})
	if served {
		raw, err := os.ReadFile(filepath.Join(g.dir, "state.db-wal"))
		must(t, err)
		file, err := os.ReadFile(filepath.Join(g.dir, "state.db"))
		must(t, err)
		later := g.restart(t, f, file, raw)
		for _, shop := range []*shop{g, later} {
			if c := shop.as("bo", "POST", other+"/buy", nil, header).code(); c != string(reason.PaymentReplayed) && c != string(reason.PaymentExpired) {
				t.Errorf("%s: the authorisation pays for another entry: %q", name, c)
			}
			if c := shop.as("cy", "POST", path+"/buy", nil, header).code(); c == "" {
				t.Errorf("%s: the authorisation pays for another buyer", name)
			}
		}
	}
	if problems, err := g.state.Verify(t.Context(), true); err != nil || len(problems) > 0 {
		t.Errorf("%s: the ledger: %q, %v", name, problems, err)
	}
	if len(f.settled) > 1 {
		t.Errorf("%s: %d transfers", name, len(f.settled))
	}
	return served, refunded
}
