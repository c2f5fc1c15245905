package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// holdEnv makes the test binary a second process: it opens the home named by
// the variable, says how that went, and keeps it until its input ends.
const holdEnv = "STORE_TEST_HOLD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdEnv); dir != "" {
		lockDir(dir)
		return
	}
	os.Exit(m.Run())
}

func lockDir(dir string) {
	h, err := Open(dir, Options{Command: "holder --home x"})
	var locked *LockedError
	switch {
	case errors.As(err, &locked):
		fmt.Println("locked by", locked.Holder.PID, locked.Holder.Command)
		return
	case err != nil:
		fmt.Println("error", err)
		return
	}
	fmt.Println("open")
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := h.Close(); err != nil {
		fmt.Println("error", err)
	}
}

// holder starts the second process and returns what it says first.
func holder(t *testing.T, dir string) (cmd *exec.Cmd, input io.Closer, said string) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holdEnv+"="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("second process: %v", err)
	}
	return cmd, in, strings.TrimSpace(line)
}

func TestSecondProcessLearnsWhoHasTheHome(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd, input, said := holder(t, dir)
	if said != "open" {
		t.Fatalf("holder said %q", said)
	}
	before := time.Now().Add(time.Minute)
	_, err := Open(dir, Options{Command: "me"})
	var locked *LockedError
	if !errors.As(err, &locked) || locked.Holder.PID != cmd.Process.Pid || locked.Holder.Command != "holder --home x" || locked.Dir != dir {
		t.Fatalf("Open = %v, want a LockedError naming process %d", err, cmd.Process.Pid)
	}
	if s := locked.Holder.Started; s.IsZero() || s.After(before) {
		t.Errorf("started %v", s)
	}
	if err := errors.Join(input.Close(), cmd.Wait()); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, dir)

	if _, _, said := holder(t, dir); said != fmt.Sprintf("locked by %d test", os.Getpid()) {
		t.Errorf("the other side said %q", said)
	}
}

func TestKilledProcessLeavesNoLock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd, _, said := holder(t, dir)
	if said != "open" {
		t.Fatalf("holder said %q", said)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it reports the kill
	h, err := Inspect(dir)
	if err != nil {
		t.Fatal(err)
	}
	if who, held, err := h.Holder(); held || err != nil {
		t.Errorf("a dead process holds the home: %+v, %v", who, err)
	}
	mustOpen(t, dir)
}

func TestOneProcessOpensOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustOpen(t, dir)
	_, err := Open(dir, Options{})
	var locked *LockedError
	if !errors.As(err, &locked) || locked.Holder.PID != os.Getpid() {
		t.Fatalf("Open = %v", err)
	}
}

// TestLooksDoNotDisturb opens and closes a home while others look who has it;
// no opening may fail for that, and at no time do two succeed.
func TestLooksDoNotDisturb(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustOpen(t, dir).Close()
	var done atomic.Bool
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			h, err := Inspect(dir)
			if err != nil {
				t.Error(err)
				return
			}
			for !done.Load() {
				if _, _, err := h.Holder(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 200 {
		h, err := Open(dir, Options{Command: "c"})
		if err != nil {
			t.Errorf("Open = %v", err)
			break
		}
		if who, held, err := h.Holder(); !held || who.Command != "c" || err != nil {
			t.Errorf("holder %+v, %v, %v", who, held, err)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
	done.Store(true)
	wg.Wait()
}

func TestDamagedLockFileIsNoObstacle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := mustOpen(t, dir)
	if err := os.WriteFile(h.Path(LockFile), []byte("{\"pid\":"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(dir, Options{})
	var locked *LockedError
	if !errors.As(err, &locked) || locked.Holder != (Holder{}) {
		t.Fatalf("Open = %v", err)
	}
}

func TestLongCommandIsCut(t *testing.T) {
	t.Parallel()
	h, err := Open(t.TempDir(), Options{Command: strings.Repeat("é", 5000)})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	who, held, err := h.Holder()
	if !held || err != nil || len([]rune(who.Command)) != maxCommandRunes+1 {
		t.Errorf("%d characters, held %v, %v", len([]rune(who.Command)), held, err)
	}
}
