package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// quickTools are the tools of --quick: the validator of glTF, the one of URDF, a
// browser for a few pages, and schemas and a parser of our own.
var quickTools = []string{"gltf-validator", "check_urdf", "chromium", "ajv", "lang/parse"}

// quickPages is how many pages the browser opens then.
const quickPages = 10

// quickBudget is what --quick may take of all processors together: five minutes
// on one. Time on the clock would say more about what else the machine does.
const quickBudget = 5 * time.Minute

// withinBudget fails when this run took more than its budget, and names the
// targets that took longest to compile.
func withinBudget(rows []*row) error {
	took := time.Duration(0)
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			return fmt.Errorf("ask for the time used: %w", err)
		}
		took += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	fmt.Printf("took %v of %v of the processors\n", took.Round(time.Second), quickBudget)
	if took <= quickBudget {
		return nil
	}
	slow := slices.Clone(rows)
	slices.SortFunc(slow, func(a, b *row) int { return int(b.took - a.took) })
	var names []string
	for _, r := range slow[:min(len(slow), 5)] {
		names = append(names, fmt.Sprintf("%s %v", r.target.ID, r.took.Round(time.Millisecond)))
	}
	return fmt.Errorf("the quick run took %v of the processors, %v are allowed; slowest to compile: %s", took.Round(time.Second), quickBudget, strings.Join(names, ", "))
}

// install runs npm ci in a folder whose packages are missing or those of another
// lock file.
func install(ctx context.Context, dir string) error {
	lock, err := os.Stat(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return err
	}
	if made, err := os.Stat(filepath.Join(dir, "node_modules", ".package-lock.json")); err == nil && !made.ModTime().Before(lock.ModTime()) {
		return nil
	}
	c := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	c.Dir = dir
	if said, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci in %s: %w: %s", dir, err, said)
	}
	return nil
}
