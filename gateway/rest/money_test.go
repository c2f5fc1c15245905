package rest_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/service/servicetest"
)

// ledger looks into the file of a gateway's state with statements of its own, from
// outside: rule R7 of the checker.
type ledger struct{ db *sql.DB }

func openLedger(t testing.TB, dir string) ledger {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "state.db")+"?_pragma=busy_timeout(10000)")
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return ledger{db}
}

// faults are the breaches of R7: every transfer and all lines together add up to
// zero, nobody has less than nothing, an escrow keeps what was reserved until it
// ends, ends at most once, and what it reserved goes to its payer and one claimant. With
// ended each has ended.
func (l ledger) faults(ended bool) (out []string, err error) {
	const escrows = `WITH e AS (SELECT r.key, r.id,
		(SELECT SUM(amount) FROM postings WHERE transfer = r.id AND account = 'escrow:' || r.key) AS held,
		(SELECT account FROM postings WHERE transfer = r.id AND account <> 'escrow:' || r.key) AS payer,
		(SELECT COUNT(*) FROM transfers c WHERE c.op = 'close' AND c.object = r.object) AS ends,
		(SELECT COALESCE(SUM(amount), 0) FROM postings WHERE account = 'escrow:' || r.key) AS rest
		FROM transfers r WHERE r.op = 'reserve') `
	rules := []struct{ name, find string }{
		{"all lines add up to zero", `SELECT 'all', SUM(amount) FROM postings HAVING SUM(amount) <> 0`},
		{"a transfer adds up to zero", `SELECT transfer, SUM(amount) FROM postings GROUP BY transfer HAVING SUM(amount) <> 0`},
		{"nobody has less than nothing", `SELECT account, SUM(amount) FROM postings WHERE account <> 'grants' GROUP BY account HAVING SUM(amount) < 0`},
		{"an escrow is filled once", `SELECT object, COUNT(*) FROM transfers WHERE op = 'reserve' GROUP BY object HAVING COUNT(*) <> 1`},
		{"an escrow ends at most once", escrows + `SELECT key, ends FROM e WHERE ends > 1`},
		{"an open escrow holds all, an ended one nothing", escrows + `SELECT key, rest FROM e WHERE rest <> CASE ends WHEN 0 THEN held ELSE 0 END`},
		{"what ends was filled", `SELECT key, 0 FROM transfers c WHERE op = 'close' AND NOT EXISTS (SELECT 1 FROM transfers r WHERE r.op = 'reserve' AND r.key = c.key)`},
		{"one claimant beside the payer", escrows + `SELECT e.key, COUNT(*) FROM e JOIN transfers c ON c.op = 'close' AND c.key = e.key JOIN postings p ON p.transfer = c.id
			WHERE p.amount > 0 AND p.account <> e.payer GROUP BY e.key HAVING COUNT(*) > 1`},
	}
	if ended {
		rules = append(rules, struct{ name, find string }{"every escrow ends", escrows + `SELECT key, ends FROM e WHERE ends <> 1`})
	}
	for _, r := range rules {
		rows, err := l.db.Query(r.find)
		if err != nil {
			return out, fmt.Errorf("%s: %w", r.name, err)
		}
		for rows.Next() {
			var what string
			var n int64
			if err := rows.Scan(&what, &n); err != nil {
				return out, errors.Join(err, rows.Close())
			}
			out = append(out, fmt.Sprintf("R7, %s: %s has %d", r.name, what, n))
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return out, err
		}
	}
	return out, nil
}

// killed goes on as a gateway does whose process was killed: with the files of the
// state as they lay on disk, and nothing else but the node's log.
func (w *bountyWorld) killed() {
	w.t.Helper()
	dir := w.t.TempDir()
	for _, name := range []string{"state.db", "state.db-wal"} {
		b, err := os.ReadFile(filepath.Join(w.dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		must(w.t, err)
		must(w.t, os.WriteFile(filepath.Join(dir, name), b, 0o600))
	}
	l := openLedger(w.t, dir)
	_, err := l.db.Exec(`DROP TRIGGER IF EXISTS broken`)
	must(w.t, err)
	w.dir = dir
	w.world.state = servicetest.OpenStateIn(w.t, dir)
	cursors, err := cursor.New(bytes.Repeat([]byte{3}, 32))
	must(w.t, err)
	limits, err := limit.New(limit.Config{Disabled: true})
	must(w.t, err)
	w.service, err = service.New(w.node, w.world.state, cursors, limits, service.Config{Version: "1.2.3", Tools: mcp.Tools(), BaseURL: func() string { return base }, Now: w.clock.Now})
	must(w.t, err)
	m, err := mcp.New(w.service, mcp.Config{Version: "1.2.3"})
	must(w.t, err)
	w.handler, err = rest.New(w.service, auth.New(w.world.state), m, rest.Config{})
	must(w.t, err)
}

// TestRule7MoneyIsNeitherMadeNorLost: bounties are opened, claimed, submitted, paid,
// given back, disputed and judged by whoever comes, some of it at once; the ledger
// fails in the middle of a transfer; the gateway is killed and goes on from its
// files. After every step R7 is true of the file of the state, and in the end each
// escrow has ended exactly once.
func TestRule7MoneyIsNeitherMadeNorLost(t *testing.T) {
	t.Parallel()
	seeds, steps := uint64(3), 80
	switch {
	case os.Getenv("MESHD_NIGHTLY") == "1":
		seeds, steps = 60, 200
	case testing.Short():
		seeds = 1
	}
	first := uint64(time.Now().UnixNano())
	if text := os.Getenv("MESHD_SEED"); text != "" {
		_, err := fmt.Sscan(text, &first)
		must(t, err)
		seeds = 1
	}
	total := map[string]int{}
	for seed := first; seed < first+seeds; seed++ {
		for k, n := range moneyRun(t, seed, steps) {
			total[k] += n
		}
	}
	t.Logf("R7: %d seeds from %d: %v", seeds, first, total)
	total["given back"] = total["refunded"] + total["cancelled"] + total["expired"]
	for _, k := range []string{"opened", "paid", "given back", "failed", "killed", "at once"} {
		if total[k] == 0 && !testing.Short() {
			t.Errorf("nothing was %s: the test shows nothing (MESHD_SEED=%d)", k, first)
		}
	}
}

func moneyRun(t *testing.T, seed uint64, steps int) map[string]int {
	random := rand.New(rand.NewPCG(seed, 7))
	w := newBountyWorld(t)
	w.as("ada", "PATCH", "/api/mesh/team/"+w.team, fields{"policy": fields{"arbiters": []string{w.ids["dee"]}}}, 200, "")
	did := map[string]int{}
	broken := false
	var open []string
	// try does something that may be refused, and fails only while the ledger does.
	try := func(who, path string, body fields) (status int, reply map[string]any) {
		w.settle()
		c := apiCall{method: "POST", path: path, key: w.keys[who]}
		if body != nil {
			c.body = encode(t, body)
		}
		r := w.do(c)
		if r.StatusCode >= 500 {
			did["failed"]++
			if !broken {
				t.Errorf("seed %d: %s by %s: %d %s", seed, path, who, r.StatusCode, r.raw)
			}
		}
		return r.StatusCode, r.json
	}
	check := func(what string, ended bool) {
		t.Helper()
		l := openLedger(t, w.dir)
		bad, err := l.faults(ended)
		if err != nil || len(bad) > 0 {
			t.Fatalf("after %s: %v, %v (MESHD_SEED=%d)", what, strings.Join(bad, "; "), err, seed)
		}
		must(t, l.db.Close())
	}
	acts := []struct {
		name string
		body fields
	}{
		{"claim", nil}, {"submit", solution}, {"submit", solution}, {"payout", nil}, {"payout", nil}, {"accept", nil}, {"release", nil}, {"cancel", nil},
		{"request-changes", fields{"reason": "more"}}, {"dispute", fields{"reason": "no"}},
		{"resolve", fields{"verdict": "pay", "reason": "good"}}, {"resolve", fields{"verdict": "refund", "reason": "bad"}},
		{"resolve", fields{"verdict": "split", "split_pct": 33, "reason": "half"}},
	}
	people := []string{"ada", "ada", "bo", "bo", "cy", "dee", "eve"}
	// fits are the steps that lead on from a state, each by who may take it.
	fits := map[string][][2]string{
		"open": {{"bo", "submit"}, {"eve", "submit"}, {"dee", "claim"}}, "claimed": {{"bo", "submit"}, {"eve", "submit"}, {"dee", "submit"}},
		"submitted": {{"ada", "payout"}, {"ada", "accept"}, {"bo", "dispute"}, {"eve", "dispute"}}, "accepted": {{"ada", "payout"}}, "disputed": {{"dee", "resolve"}},
	}
	step := func() (who, path string, body fields) {
		a := acts[random.IntN(len(acts))]
		if random.IntN(2) == 0 {
			path := open[random.IntN(len(open))]
			life := w.as("ada", "GET", path+"/lifecycle", nil, 200, "")["lifecycle"].(map[string]any)
			if of := fits[fmt.Sprint(life["state"])]; len(of) > 0 {
				next := of[random.IntN(len(of))]
				for a.name != next[1] {
					a = acts[random.IntN(len(acts))]
				}
				return next[0], path + "/" + a.name, a.body
			}
		}
		return people[random.IntN(len(people))], open[random.IntN(len(open))] + "/" + a.name, a.body
	}
	for range steps {
		what := ""
		switch n := random.IntN(20); {
		case len(open) == 0 || n < 4:
			amount := []float64{10, 0.0001, 0.0033, 7.7777, 900, 5000}[random.IntN(6)]
			body := fields{"teamId": w.team, "title": "Mend", "description": "All of it", "amount": amount}
			if random.IntN(3) == 0 {
				body["deadline"] = w.clock.Now().Add(time.Duration(1+random.IntN(48)) * time.Hour).UnixMilli()
			}
			what = fmt.Sprint("open ", amount)
			if status, reply := try("ada", "/api/mesh/bounties", body); status == 201 {
				did["opened"]++
				open = append(open, "/api/mesh/bounties/"+reply["bounty"].(map[string]any)["id"].(string))
			}
		case n == 4:
			what = "time"
			w.pass(time.Duration(random.IntN(72)) * time.Hour)
			if err := w.service.Escrows.TendBounties(t.Context()); err != nil && !broken {
				t.Errorf("seed %d: tend: %v", seed, err)
			}
		case n == 5 && !broken:
			table := []string{"transfers", "postings", "postings WHEN NEW.place = 1", "step_refusals"}[random.IntN(4)]
			name, cond, _ := strings.Cut(table, " ")
			what = "a ledger that fails in " + table
			l := openLedger(t, w.dir)
			_, err := l.db.Exec(fmt.Sprintf(`CREATE TRIGGER broken BEFORE INSERT ON %s %s BEGIN SELECT RAISE(ROLLBACK, 'pulled the plug'); END`, name, cond))
			must(t, errors.Join(err, l.db.Close()))
			broken = true
		case n == 6 || n == 7 && broken:
			what = "kill"
			w.killed()
			did["killed"]++
			broken = false
		case n == 8: // the same, or its opposite, twice at once
			what = "two at once"
			who, path, body := step()
			other, opposite := who, path
			if random.IntN(2) == 0 {
				other, opposite = "ada", path[:strings.LastIndex(path, "/")]+"/cancel"
			}
			calls := []apiCall{{method: "POST", path: path, key: w.keys[who]}, {method: "POST", path: opposite, key: w.keys[other]}}
			if body != nil {
				calls[0].body = encode(t, body)
			}
			if opposite == path {
				calls[1].body = calls[0].body
			}
			if random.IntN(3) == 0 { // who has a thousand promises it twice
				big := encode(t, fields{"teamId": w.team, "title": "Mend", "description": "All of it", "amount": 900})
				twice := apiCall{method: "POST", path: "/api/mesh/bounties", key: w.keys["ada"], body: big}
				calls = []apiCall{twice, twice}
			}
			w.settle()
			replies := make([]reply, len(calls))
			var wg sync.WaitGroup
			for i, c := range calls {
				wg.Go(func() { replies[i] = w.do(c) })
			}
			wg.Wait()
			for _, r := range replies {
				if made, ok := r.json["bounty"].(map[string]any); ok && r.StatusCode == 201 && calls[0].path == "/api/mesh/bounties" {
					open = append(open, "/api/mesh/bounties/"+made["id"].(string))
				}
			}
			did["at once"]++
		default:
			who, path, body := step()
			status, _ := try(who, path, body)
			what = fmt.Sprintf("%s by %s: %d", path[strings.LastIndex(path, "/"):], who, status)
		}
		check(what, false)
	}
	w.killed()
	for range 4 { // no bounty lasts longer than all of its terms together
		w.pass(31 * 24 * time.Hour)
		must(t, w.service.Escrows.TendBounties(t.Context()))
		w.settle()
	}
	for _, path := range open { // what nobody claimed has no term
		try("ada", path+"/cancel", nil)
	}
	check("the end", true)
	for _, path := range open {
		life := w.as("ada", "GET", path+"/lifecycle", nil, 200, "")["lifecycle"].(map[string]any)
		id := path[strings.LastIndex(path, "/")+1:]
		escrow, err := w.world.state.EscrowOf(t.Context(), id)
		must(t, err)
		did[fmt.Sprint(life["state"])]++
		want := map[string]string{"paid": "released", "refunded": "refunded", "cancelled": "refunded", "expired": "refunded"}[fmt.Sprint(life["state"])]
		if escrow.State != want && !(life["state"] == "refunded" && escrow.State == "released") {
			t.Errorf("seed %d: %s is %v and its escrow %s", seed, path, life["state"], escrow.State)
		}
	}
	return did
}
