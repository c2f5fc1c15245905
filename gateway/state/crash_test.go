package state_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/state"
)

// TestScenario06CrashOfTheState: the power fails at every write of state.db, with
// nothing, half and all of what was not synced: SQLite syncs its log once for each
// write, so what a write adds to the log is what may be missing, in part or whole.
// Every acknowledged write is there, the one under way as a whole or not at all.
func TestScenario06CrashOfTheState(t *testing.T) {
	t.Parallel()
	writes := 40
	if os.Getenv("MESHD_NIGHTLY") == "1" {
		writes = 400
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "state.db")
	pepper := bytes.Repeat([]byte{7}, 32)
	openAt := func(path string) *state.DB {
		db, err := state.Open(t.Context(), path, state.Config{Pepper: pepper, Random: rand.Reader})
		if err != nil {
			t.Fatalf("after a crash: %v", err)
		}
		return db
	}
	read := func(name string) []byte {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	post := func(db *state.DB, i int) {
		_, _, err := db.Post(t.Context(), state.Transfer{Op: state.OpGrant, Key: fmt.Sprint(i), Postings: []state.Posting{
			{Account: state.Grants, Amount: -5}, {Account: state.AgentAccount("agt_a"), Amount: 5},
		}}, time.UnixMilli(1_800_000_000_000))
		if err != nil {
			t.Fatal(err)
		}
	}
	db := openAt(path)
	main, wal := read(path), read(path+"-wal")
	crashes, slowest := 0, time.Duration(0)
	for i := range writes {
		post(db, i)
		after := read(path + "-wal")
		grown := len(after) - len(wal)
		if grown <= 0 || !bytes.Equal(read(path), main) {
			t.Fatalf("write %d: the log grew by %d bytes, so this test does not know what was synced", i, grown)
		}
		for _, kept := range []int{0, 50, 100} {
			crashed := filepath.Join(dir, "crashed.db")
			for name, content := range map[string][]byte{crashed: main, crashed + "-wal": after[:len(wal)+grown*kept/100]} {
				if err := os.WriteFile(name, content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			start := time.Now()
			again := openAt(crashed)
			slowest = max(slowest, time.Since(start))
			sum, err := again.Balance(t.Context(), state.AgentAccount("agt_a"))
			want := int64(5 * i) // acknowledged before this write
			if kept == 100 {
				want += 5
			}
			if err != nil || sum != want {
				t.Errorf("write %d, %d %% kept: %d, %v, want %d", i, kept, sum, err, want)
			}
			if problems, err := again.Verify(t.Context(), true); err != nil || len(problems) > 0 {
				t.Errorf("write %d, %d %% kept: %q, %v", i, kept, problems, err)
			}
			post(again, i) // again, or for the first time: once in the end
			if sum, err := again.Balance(t.Context(), state.AgentAccount("agt_a")); err != nil || sum != int64(5*i+5) {
				t.Errorf("write %d, %d %% kept, done again: %d, %v", i, kept, sum, err)
			}
			if err := again.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, end := range []string{"", "-wal", "-shm"} {
				if err := os.Remove(crashed + end); err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
			}
			crashes++
		}
		if i%100 == 99 { // before SQLite moves its log into the file by itself
			if err := db.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			db = openAt(path)
			main, after = read(path), read(path+"-wal")
		}
		wal = after
	}
	if err := db.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("scenario 06: state.db: %d crashes with 0, 50 and 100 %% of unsynced data: all opened, 0 acknowledged writes lost, 0 half writes, slowest start %v (bar: 0, 0)", crashes, slowest.Round(time.Millisecond))
}
