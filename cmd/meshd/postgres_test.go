package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/cmd/meshd/instance"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/state/pgtest"
)

// TestStateInPostgresIsNotForgotten: a home whose state lies in Postgres does not
// begin an empty one on SQLite when the connection string is missing, and doctor
// says so, and when Postgres is down, with a node and without.
func TestStateInPostgresIsNotForgotten(t *testing.T) {
	t.Parallel()
	var postgres pgtest.Server
	t.Cleanup(postgres.Stop)
	dsn := "MESHD_STATE_POSTGRES=" + postgres.Database(t)
	_, program := serveNodeWith(t, []string{"MESHD_STATE_POSTGRES=" + postgres.Database(t)})
	still, running := filepath.Join(t.TempDir(), "home"), filepath.Join(filepath.Dir(program), "home")

	run := func(home, setting string, args ...string) (code int, said string) {
		t.Helper()
		c := exec.CommandContext(t.Context(), program, append(args, "--home", home, "--loopback")...)
		c.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "MESHD_P2P_LISTEN=/ip4/127.0.0.1/tcp/0", setting}
		out, err := c.CombinedOutput()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			code = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		return code, string(out)
	}
	meshd := func(code int, home, setting string, want string, args ...string) {
		t.Helper()
		if got, out := run(home, setting, args...); got != code || !strings.Contains(out, want) {
			t.Errorf("meshd %s: exit %d, want %d and %q:\n%s", strings.Join(args, " "), got, code, want, out)
		}
	}
	entry := []string{"contribute", "--type", "gotcha", "--domain", "go", "A deferred Close in a loop runs only when the function returns, so a loop runs out of file descriptors."}

	meshd(0, still, dsn, "", "init")
	meshd(2, still, "", "state.postgres: is not set, but the state of this home lies in Postgres at", entry...)
	if _, err := os.Stat(filepath.Join(still, "state.db")); err == nil {
		t.Error("an empty state was begun on SQLite")
	}
	meshd(3, still, "", "set MESHD_STATE_POSTGRES", "doctor")
	meshd(0, still, dsn, "answers", "doctor")
	meshd(0, running, "", "the database of the gateway answers", "doctor")
	meshd(0, running, "", "no peer was met since the node started", "doctor")

	restart := postgres.Interrupt(t)
	meshd(3, still, dsn, "does not answer", "doctor")
	for end := time.Now().Add(time.Minute); ; { // a node remembers for a second that it did
		if code, out := run(running, "", "doctor"); code == session.ExitDegraded && strings.Contains(out, "the database of the gateway does not answer") {
			break
		} else if time.Now().After(end) {
			t.Fatalf("doctor passes while Postgres is down: exit %d\n%s", code, out)
		}
	}
	restart()
	meshd(0, still, dsn, "answers", "doctor")
	meshd(0, still, dsn, "", entry...)

	if err := os.Remove(filepath.Join(still, instance.StatePlaceFile)); err != nil {
		t.Fatal(err)
	}
	meshd(0, still, "", "SQLite in the home", "doctor")
	meshd(0, still, "", "", "feed") // the owner's word: begin anew
}
