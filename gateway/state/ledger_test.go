package state

import (
	"fmt"
	"testing"
	"time"
)

// A transfer that fails at any statement leaves nothing, and the same transfer
// afterwards happens once.
func TestTransferFailsWhole(t *testing.T) {
	t.Parallel()
	at := time.UnixMilli(1_800_000_000_000)
	for _, when := range []string{"transfers", "postings WHEN NEW.place = 0", "postings WHEN NEW.place = 1"} {
		table, cond := when, ""
		if i := len("postings"); len(when) > i && when[:i] == "postings" {
			table, cond = when[:i], when[i:]
		}
		for _, event := range []string{"BEFORE", "AFTER"} {
			db, _ := openFaulty(t, fmt.Sprintf(`CREATE TRIGGER broken %s INSERT ON %s%s BEGIN SELECT RAISE(ROLLBACK, 'pulled the plug'); END`, event, table, cond))
			grant := Transfer{Op: OpGrant, Key: "1", Object: "ada", Postings: []Posting{{Grants, -100}, {AgentAccount("ada"), 100}}}
			if _, _, err := db.Post(t.Context(), grant, at); err == nil {
				t.Fatalf("%s %s: posted", event, when)
			}
			left := 0
			if err := db.engine.reader.QueryRowContext(t.Context(), `SELECT (SELECT COUNT(*) FROM transfers) + (SELECT COUNT(*) FROM postings)`).Scan(&left); err != nil || left != 0 {
				t.Fatalf("%s %s: %d rows are left, %v", event, when, left, err)
			}
			if _, err := db.engine.writer.ExecContext(t.Context(), `DROP TRIGGER broken`); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if _, _, err := db.Post(t.Context(), grant, at); err != nil {
					t.Fatal(err)
				}
			}
			if sum, err := db.Balance(t.Context(), AgentAccount("ada")); err != nil || sum != 100 {
				t.Fatalf("%s %s: %d, %v", event, when, sum, err)
			}
		}
	}
}

func TestCreditsAreWrittenShort(t *testing.T) {
	t.Parallel()
	for micro, want := range map[int64]string{0: "0", 1: "0.0001", 10_000: "1", 15_000: "1.5", -2_500: "-0.25", 1_000_000_000: "100000"} {
		if got := Credits(micro); got != want {
			t.Errorf("%d micro-USD are %s credits, want %s", micro, got, want)
		}
	}
}
