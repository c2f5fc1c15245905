package main

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	secondProgram = "../../scripts/second"
	vectors       = "../../crdt/testdata/vectors"
)

var buildSecondOnce sync.Once

// buildSecond compiles the second program, once for all tests. It looks at all
// its files here, so that a kept result of a test ends with a change of them.
func buildSecond(ctx context.Context, t *testing.T) {
	t.Helper()
	needPrograms(t, "node", "npm")
	lookAt(t, filepath.Join(secondProgram, "src"))
	buildSecondOnce.Do(func() {
		installLibraries(ctx, t, secondProgram)
		tsc := exec.CommandContext(ctx, "node", "node_modules/typescript/bin/tsc", "-p", ".")
		tsc.Dir = secondProgram
		if out, err := tsc.CombinedOutput(); err != nil {
			t.Fatalf("tsc: %v\n%s", err, out)
		}
	})
}

// lookAt reads every file of a folder.
func lookAt(t *testing.T, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			_, err = os.ReadFile(name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// second is a command of the second program.
func second(ctx context.Context, t *testing.T, script string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(ctx, "node", append([]string{filepath.Join(secondProgram, "build", script)}, args...)...)
	cmd.WaitDelay = time.Second // for what it leaves behind when it is cut
	return cmd
}

// TestSecondVectors runs all published vectors through the second program, which
// was written from SPEC alone.
func TestSecondVectors(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	buildSecond(ctx, t)
	lookAt(t, vectors)
	out, err := second(ctx, t, "vectors.js", vectors).CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), " 0 failed\n") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
