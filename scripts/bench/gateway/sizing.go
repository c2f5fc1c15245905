package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ticks is how many a second the times in /proc/PID/stat count, on every Linux that Go
// runs on.
const ticks = 100

// rounds of each load, whose median is printed.
const rounds = 3

// size is what a gateway with so many entries takes.
type size struct {
	entries    int
	disk       int64   // bytes of its home
	idle, busy float64 // MB resident, after the start and at most
	cost       []time.Duration
}

// sized are the requests whose cost is measured.
var sized = []struct {
	what, path string
	keyed      bool
}{
	{"feed", "/api/mesh/feed?limit=20", false},
	{"feed, key", "/api/mesh/feed?limit=20&domain=%s", true},
	{"search, key", "/api/mesh/search?q=map+%s", true},
	{"contribute", "", true},
}

// sizing measures gateways of several sizes, one after the other. Processor time of the
// serving process is counted, user and system, which other processes on the machine
// change little; the rates that it allows are computed from it.
func sizing(ctx context.Context, list string, agents, conns int, dur time.Duration) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	var all []size
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		one, err := sizeOf(ctx, exe, n, agents, conns, dur)
		if err != nil {
			return fmt.Errorf("%d entries: %w", n, err)
		}
		all = append(all, one)
	}
	fmt.Printf("%d cores, %s, %s/%s, %s; medians of %d rounds of %v on %d connections, load average %s.\n\n", runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH,
		time.Now().UTC().Format(time.DateOnly), rounds, dur, conns, loadAverage())
	fmt.Print("| entries | disk | memory, idle | memory, at most |")
	for _, q := range sized {
		fmt.Printf(" %s |", q.what)
	}
	fmt.Println("\n|---|---|---|---|" + strings.Repeat("---|", len(sized)))
	for _, s := range all {
		fmt.Printf("| %d | %d MB | %.0f MB | %.0f MB |", s.entries, s.disk>>20, s.idle, s.busy)
		for _, c := range s.cost {
			fmt.Printf(" %v, %.0f/s |", c.Round(time.Microsecond), float64(time.Second)/float64(c))
		}
		fmt.Println()
	}
	return nil
}

func sizeOf(ctx context.Context, exe string, n, agents, conns int, dur time.Duration) (s size, err error) {
	s.entries = n
	dir, err := os.MkdirTemp("", "gateway-size-")
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	seed := exec.CommandContext(ctx, exe, "-seed", "-home", dir, "-n", fmt.Sprint(n), "-agents", fmt.Sprint(agents))
	seed.Stdout, seed.Stderr = os.Stdout, os.Stderr
	if err := seed.Run(); err != nil {
		return s, err
	}
	server, at, stop, err := start(ctx, exe, dir, "")
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	if s.disk, err = bytesIn(dir); err != nil {
		return s, err
	}
	s.idle = memory(server.Process.Pid, "VmRSS")
	for _, q := range sized {
		key := ""
		if q.keyed {
			key = at.Keys[0]
		}
		var costs []time.Duration
		for range rounds {
			asks := contributions(at.Address, at.Keys) // others each time
			if q.path != "" {
				if asks, err = questions(at.Address, q.path, key); err != nil {
					return s, err
				}
			}
			before, err := processorTime(server.Process.Pid)
			if err != nil {
				return s, err
			}
			got := load(at.Address, asks, conns, dur)
			after, err := processorTime(server.Process.Pid)
			if err := errors.Join(err, got.err); err != nil {
				return s, fmt.Errorf("%s: %w", q.what, err)
			}
			costs = append(costs, (after-before)/time.Duration(max(got.n, 1)))
		}
		slices.Sort(costs)
		s.cost = append(s.cost, costs[len(costs)/2])
	}
	s.busy = memory(server.Process.Pid, "VmHWM")
	return s, nil
}

// processorTime is what a process has used, user and system.
func processorTime(pid int) (time.Duration, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(raw), ") ") // after the name
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	user, err := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / ticks, errors.Join(err, err2)
}

// bytesIn is what the files of a folder have.
func bytesIn(dir string) (total int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}
