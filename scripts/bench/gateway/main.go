// Gateway measures the public gateway from a second process: reads of the feed
// and the directory, without a key and with one, and durable contributions. In
// the same run it measures a bare net/http handler that returns the same bytes,
// which is what this machine and Go's server can do at all; the ratio of the two
// survives a machine that others use too.
//
//	go run ./scripts/bench/gateway -n 100000
//
// With -sizes 0,10000,50000 it measures memory, disk and processor time instead, and
// prints the table of docs/operations.md (sizing.go).
//
// It starts itself three times: to write the entries (memory of writing would
// count), to serve, and this process asks. One line of JSON for each measurement.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

type result struct {
	What      string  `json:"what"`
	Entries   int     `json:"entries"`
	Requests  int     `json:"requests"`
	PerSecond float64 `json:"per_s"`
	P50MS     float64 `json:"p50_ms"`
	P99MS     float64 `json:"p99_ms"`
	Bytes     int     `json:"reply_bytes"`
	Bare      float64 `json:"bare_per_s,omitempty"`   // a handler that returns the same bytes
	BareP99   float64 `json:"bare_p99_ms,omitempty"`  //
	Ratio     float64 `json:"ratio,omitempty"`        // of the two rates
	RSS       float64 `json:"server_mb"`              // of the serving process, at the end
	Peak      float64 `json:"server_peak_mb"`         // since it started
	Load      string  `json:"load_average,omitempty"` // of the machine, a minute
}

func main() {
	n := flag.Int("n", 100_000, "entries")
	agents := flag.Int("agents", 100, "agents that wrote them")
	conns := flag.Int("conns", 16, "connections that ask at once")
	dur := flag.Duration("for", 5*time.Second, "time of each measurement")
	dir := flag.String("home", "", "use and keep the home in this folder")
	seed := flag.Bool("seed", false, "only write the entries (started by itself)")
	serving := flag.Bool("serve", false, "only serve (started by itself)")
	prof := flag.String("cpuprofile", "", "write a CPU profile of the serving process to this file")
	sizes := flag.String("sizes", "", "measure what gateways of so many entries take, such as 0,10000,50000, and print a table")
	only := flag.String("only", "", "only measurements whose name contains this")
	flag.Parse()
	ctx := context.Background()
	var err error
	switch {
	case *seed:
		err = write(ctx, *dir, *n, *agents)
	case *serving:
		err = serve(ctx, *dir, *prof)
	case *sizes != "":
		err = sizing(ctx, *sizes, *agents, *conns, *dur)
	default:
		err = measure(ctx, *dir, *n, *agents, *conns, *dur, *prof, *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gateway:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, dir string, n, agents, conns int, dur time.Duration, prof, only string) (err error) {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "gateway-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	if _, err := os.Stat(dir + "/network"); errors.Is(err, os.ErrNotExist) {
		cmd := exec.CommandContext(ctx, exe, "-seed", "-home", dir, "-n", fmt.Sprint(n), "-agents", fmt.Sprint(agents))
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			return err
		}
	}
	server, at, stop, err := start(ctx, exe, dir, prof)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	print := json.NewEncoder(os.Stdout)
	for _, q := range []struct{ what, path, key string }{
		{"feed", "/api/mesh/feed?limit=20", ""},
		{"feed, with a key", "/api/mesh/feed?limit=20", at.Keys[0]},
		{"feed, other pages", "/api/mesh/feed?limit=20&domain=%s", at.Keys[0]},
		{"directory", "/api/mesh/directory?limit=20", ""},
		{"directory, with a key", "/api/mesh/directory?limit=20", at.Keys[0]},
		{"feed, not modified", "/api/mesh/feed?limit=20#304", ""},
	} {
		if !strings.Contains(q.what, only) {
			continue
		}
		r := result{What: q.what, Entries: n, Load: loadAverage()}
		asks, err := questions(at.Address, q.path, q.key)
		if err != nil {
			return err
		}
		// The bare handler before and after, so that a change of the machine's load
		// does not look like a difference.
		bareAsks, err := bare(at, asks)
		if err != nil {
			return err
		}
		before := load(at.Bare, bareAsks, conns, dur/2)
		got := load(at.Address, asks, conns, dur)
		after := load(at.Bare, bareAsks, conns, dur/2)
		if err := errors.Join(before.err, got.err, after.err); err != nil {
			return fmt.Errorf("%s: %w", q.what, err)
		}
		r.Requests, r.PerSecond, r.P50MS, r.P99MS, r.Bytes = got.n, got.rate(), got.at(50), got.at(99), got.bytes/max(got.n, 1)
		r.Bare = (before.rate() + after.rate()) / 2
		r.BareP99 = max(before.at(99), after.at(99))
		r.Ratio = r.PerSecond / r.Bare
		r.RSS, r.Peak = memory(server.Process.Pid, "VmRSS"), memory(server.Process.Pid, "VmHWM")
		if err := print.Encode(r); err != nil {
			return err
		}
	}
	if !strings.Contains("contribute", only) {
		return nil
	}
	r := result{What: "contribute, durable, one agent a connection", Entries: n, Load: loadAverage()}
	got := load(at.Address, contributions(at.Address, at.Keys), conns, dur)
	if got.err != nil {
		return fmt.Errorf("contribute: %w", got.err)
	}
	r.Requests, r.PerSecond, r.P50MS, r.P99MS, r.Bytes = got.n, got.rate(), got.at(50), got.at(99), got.bytes/max(got.n, 1)
	r.RSS, r.Peak = memory(server.Process.Pid, "VmRSS"), memory(server.Process.Pid, "VmHWM")
	return print.Encode(r)
}

// start runs the server as a process of its own, until stop is called.
func start(ctx context.Context, exe, dir, prof string) (server *exec.Cmd, at serving, stop func() error, err error) {
	server = exec.CommandContext(ctx, exe, "-serve", "-home", dir, "-cpuprofile", prof)
	server.Stderr = os.Stderr
	in, err := server.StdinPipe()
	if err != nil {
		return nil, at, nil, err
	}
	out, err := server.StdoutPipe()
	if err != nil {
		return nil, at, nil, err
	}
	if err := server.Start(); err != nil {
		return nil, at, nil, err
	}
	stop = func() error { return errors.Join(in.Close(), server.Wait()) }
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &at)
	}
	if err != nil {
		return nil, at, nil, errors.Join(fmt.Errorf("server said nothing: %w", err), stop())
	}
	return server, at, stop, nil
}

func loadAverage() string {
	b, _ := os.ReadFile("/proc/loadavg") // only where there is one
	first, _, _ := strings.Cut(string(b), " ")
	return first
}

// memory reads a figure of another process in MB.
func memory(pid int, name string) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb / 1024
		}
	}
	return 0
}
