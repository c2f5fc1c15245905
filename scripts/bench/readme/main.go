// Readme measures the figures of README.md and prints its table: once with the
// machine as it is found, which ought to be idle, and once beside a burner that
// keeps every core busy. It starts and ends all it measures.
//
//	go run ./scripts/bench/readme            prints the table
//	go run ./scripts/bench/readme -write     puts it into README.md too
//
// It takes some twenty minutes on two cores.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// settings say how much is measured.
type settings struct {
	few, many int           // entries: on three nodes, on one
	turns     int           // of which the median counts
	readers   int           // of events
	length    time.Duration // of each load
	only      *regexp.Regexp
}

func main() {
	var s settings
	flag.IntVar(&s.few, "few", 10_000, "entries on three nodes")
	flag.IntVar(&s.many, "many", 100_000, "entries on one node")
	flag.IntVar(&s.turns, "turns", 3, "runs of which the median counts")
	flag.IntVar(&s.readers, "readers", 1000, "streams of events")
	flag.DurationVar(&s.length, "for", 5*time.Second, "length of each load")
	only := flag.String("only", "", "measure only what matches this expression")
	write := flag.Bool("write", false, "put the table into README.md")
	burner := flag.Bool("burn", false, "burn a core until standard input ends (started by itself)")
	flag.Parse()
	if *burner {
		burn()
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := func() (err error) {
		if s.only, err = regexp.Compile(*only); err != nil {
			return err
		}
		table, err := figures(ctx, s, os.Stderr)
		if err != nil {
			return err
		}
		fmt.Print(table)
		if *write {
			return replace("README.md", table)
		}
		return nil
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "readme:", err)
		os.Exit(1)
	}
}

// figures measures every row, idle and then busy, and returns the table.
func figures(ctx context.Context, s settings, log io.Writer) (_ string, err error) {
	dir, err := os.MkdirTemp("", "readme-bench-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	b := &bench{settings: s, dir: dir, log: log, said: map[string]string{}}
	var chosen []row
	for _, r := range rows(s) {
		if s.only.MatchString(r.what) {
			chosen = append(chosen, r)
		}
	}
	load := loadAverage()
	idle, err := b.all(ctx, chosen, false)
	if err != nil {
		return "", err
	}
	end, err := startBurner(ctx)
	if err != nil {
		return "", err
	}
	b.said = map[string]string{}
	busy, err := b.all(ctx, chosen, true)
	if err := errors.Join(err, end()); err != nil {
		return "", err
	}
	var t strings.Builder
	fmt.Fprintf(&t, "Commit %s, %s, %d cores, %s. Load when the idle runs began: %s; the busy ones stood beside %d processes that do nothing but count.\n\n",
		commit(ctx), time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), runtime.Version(), load, runtime.NumCPU())
	t.WriteString("| what | idle | every core busy | command |\n|---|---|---|---|\n")
	for i, r := range chosen {
		fmt.Fprintf(&t, "| %s | %s | %s | `%s` |\n", r.what, idle[i], busy[i], r.command)
	}
	return t.String(), nil
}

// bench runs the programs. What one said is kept, since rows share runs.
type bench struct {
	settings
	dir  string // of built programs
	log  io.Writer
	said map[string]string
}

func (b *bench) all(ctx context.Context, rows []row, busy bool) ([]string, error) {
	out := make([]string, len(rows))
	for i, r := range rows {
		if busy && r.still {
			out[i] = "the same"
			continue
		}
		fmt.Fprintf(b.log, "measuring (busy %t): %s\n", busy, r.what)
		var err error
		if out[i], err = r.measure(ctx, b); err != nil {
			return nil, fmt.Errorf("%s: %w", r.what, err)
		}
	}
	return out, nil
}

// program builds a program once; dir is where its module is.
func (b *bench) program(ctx context.Context, dir, pkg string) (string, error) {
	exe := filepath.Join(b.dir, filepath.Base(filepath.Join(dir, pkg)))
	if _, err := os.Stat(exe); err == nil {
		return exe, nil
	}
	_, err := b.output(ctx, dir, "go", "build", "-o", exe, pkg)
	return exe, err
}

// output runs a command and returns what it printed, as it did the first time.
// An error carries what it said of it.
func (b *bench) output(ctx context.Context, dir string, name string, args ...string) (string, error) {
	line := strings.Join(append([]string{dir, name}, args...), " ")
	if said, ok := b.said[line]; ok {
		return said, nil
	}
	return b.again(ctx, dir, name, args...)
}

func (b *bench) again(ctx context.Context, dir, name string, args ...string) (string, error) {
	var out, bad bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &bad
	cmd.Env = append(os.Environ(), "MESHD_LOOPBACK=1")
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, out.String(), bad.String())
	}
	b.said[strings.Join(append([]string{dir, name}, args...), " ")] = out.String()
	return out.String(), nil
}

// startBurner keeps every core busy from other processes until end is called, or
// this process is gone.
func startBurner(ctx context.Context) (end func() error, err error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var ends []func() error
	end = func() (err error) {
		for _, f := range ends {
			err = errors.Join(err, f())
		}
		return err
	}
	for range runtime.NumCPU() {
		cmd := exec.CommandContext(ctx, exe, "-burn")
		cmd.Env = append(os.Environ(), "README_BENCH=main", "GOMAXPROCS=2")
		in, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			return nil, errors.Join(err, end())
		}
		ends = append(ends, func() error { return errors.Join(in.Close(), cmd.Wait()) })
	}
	return end, nil
}

// burn counts until standard input ends, which it does with the process that
// started it.
func burn() {
	var turns atomic.Uint64
	go func() {
		for {
			turns.Add(1)
		}
	}()
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func loadAverage() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(b), " ")
	return first
}

func commit(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	name := strings.TrimSpace(string(out))
	if changed, err := exec.CommandContext(ctx, "git", "status", "--porcelain", "--", ".", ":!README.md").Output(); err != nil || len(changed) > 0 {
		name += " with changes"
	}
	return name
}

const (
	beginMark = "<!-- figures: go run ./scripts/bench/readme -write -->\n"
	endMark   = "<!-- end of figures -->\n"
)

// replace puts the table between the marks of a file.
func replace(name, table string) error {
	raw, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(raw), beginMark)
	_, after, ok2 := strings.Cut(rest, endMark)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no place for figures", name)
	}
	return os.WriteFile(name, []byte(before+beginMark+table+endMark+after), 0o644)
}
