package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// row is a figure of the table.
type row struct {
	what, command string
	still         bool // bytes or virtual time: load does not change it
	measure       func(context.Context, *bench) (string, error)
}

const peerDir = "scripts/bench/peer"

// rows are the table, in its order.
func rows(s settings) []row {
	few, many := grouped(s.few), grouped(s.many)
	mesh, peer := "go run ./scripts/bench/mesh -n "+strconv.Itoa(s.few), "; (cd "+peerDir+" && go run . -n "+strconv.Itoa(s.few)+" -batch 100)"
	gateway := "go run ./scripts/bench/gateway -n " + strconv.Itoa(s.many)
	return []row{
		{few + " entries, three nodes in one process: written until all are equal; ours signed, authorised and synced, go-ds-crdt 0.6.8 unsigned in batches of 100", mesh + peer, false,
			versus(func(m map[string]float64) string { return fmt.Sprintf("%.2f s", m["converge_s"]) }, "converge_s")},
		{"an empty fourth node joins them", mesh + peer, false,
			versus(func(m map[string]float64) string {
				return fmt.Sprintf("%.2f s, %.1f MB", m["join_s"], m["join_bytes_in"]/1e6)
			}, "join_s")},
		{"peak memory of that process", mesh + peer, false,
			versus(func(m map[string]float64) string { return fmt.Sprintf("%.0f MB", m["rss_mb"]) }, "rss_mb")},
		{"the gate, a text of those, both cores together; not in the time above", mesh, false, func(ctx context.Context, b *bench) (string, error) {
			m, err := b.median(ctx, ".", "./scripts/bench/mesh", "gate_s", "-n", strconv.Itoa(b.few))
			return fmt.Sprintf("%.2f ms", 1000*m["gate_s"]/float64(b.few)), err
		}},
		{"a pass of two equal nodes", mesh, true, func(ctx context.Context, b *bench) (string, error) {
			m, err := b.median(ctx, ".", "./scripts/bench/mesh", "idle_bytes", "-n", strconv.Itoa(b.few))
			return fmt.Sprintf("%.0f B in all", m["idle_bytes"]), err
		}},
		{many + " entries, one node, reopened (store, views, index; no listener, no peers)", "go run ./scripts/bench/mesh -single -n " + strconv.Itoa(s.many), false, func(ctx context.Context, b *bench) (string, error) {
			m, err := b.one(ctx, ".", "./scripts/bench/mesh", "-single", "-n", strconv.Itoa(b.many))
			return fmt.Sprintf("%.2f s to ready, %.0f MB resident, feed p95 %.1f ms, query p95 %.1f ms", m["open_s"], m["rss_mb"], m["feed_p95_ms"], m["query_p95_ms"]), err
		}},
		{"a public gateway over " + many + " entries, the feed, asked by a second process", gateway, false, load("feed")},
		{"its directory", gateway, false, load("directory")},
		{"durable contributions to it, each with an idempotency key", gateway, false, load("contribute")},
		{fmt.Sprintf("events from commit to %s streams", grouped(s.readers)), "go build -o /tmp/meshd ./cmd/meshd && go run ./scripts/bench/streams -meshd /tmp/meshd", false, streams},
		{fmt.Sprintf("a stranger with %s keys floods a public gateway with %s entries in %v", grouped(s.few/2), grouped(2*s.few), 3*s.length), "go build -o /tmp/meshd ./cmd/meshd && go run ./scripts/bench/flood -meshd /tmp/meshd", false, flood},
		{"the sketch that finds 10, 100 and 1,000 scattered differences in a million", "go test -run '^$' -bench SketchSession -benchtime 100x ./crdt/recon", true,
			gobench("./crdt/recon", "SketchSession", "100x", "%s of symbols", `SketchSession/(?:10|100|1000)-.* ([\d.]+) bytes`, kilobytes)},
		{"the same with every frame of both directions, half missing on either side", "go test -run '^$' -bench 'Session/ids=1000000' -benchtime 50x ./p2p/sync", true,
			gobench("./p2p/sync", "Session/ids=1000000", "50x", "%s", `ids=1000000/differences=(?:10|100|1000)-.* ([\d.]+) find-B`, kilobytes)},
		{"a chain of three UCAN 0.10 delegations, cold, and remembered", "go test -run '^$' -bench Verify -benchtime 200x ./identity/ucan/v0", false,
			gobench("./identity/ucan/v0", "Verify", "200x", "%s", `Verify.* ([\d.]+) ns/op`, microseconds)},
		{"a change under a chain of three grants, beside its signature: each case of the benchmark", "go test -run '^$' -bench Right -benchtime 200x ./crdt/rules", false,
			gobench("./crdt/rules", "Right", "200x", "%s", `Right.* ([\d.]+) ns/op`, microseconds)},
		{"evidence for 10,000 entries by 100 authors", "go test -run '^$' -bench AuthenticateRuns -benchtime 3x ./crdt/rules", false,
			gobench("./crdt/rules", "AuthenticateRuns", "3x", "%s µs an entry", `Authenticate.* ([\d.]+) µs/change`, plain)},
		{"almost the same text looked for among 1,000, 10,000 and 100,000 of one author", "go test -run '^$' -bench Find ./node/near", false,
			gobench("./node/near", "Find", "1s", "%s", `Find.* ([\d.]+) ns/op`, microseconds)},
		{"a revocation reaches all of 50 simulated nodes after a partition heals (virtual time)", "go test ./node -run RevocationCrosses -v", true,
			gotest(`nodes agreed (\S+) after`, "%s", "./node", "-run", "RevocationCrosses")},
		{"gossip among 1,000 simulated nodes (virtual time)", "go test ./p2p/simnet -run 'TestPropagation$' -nodes=1000 -messages=20 -v -timeout 30m", true,
			gotest(`(p50=\S+ p99=\S+ max=\S+ delivered=\S+)`, "%s", "./p2p/simnet", "-run", "TestPropagation$", "-nodes=1000", "-messages=20", "-seed=1", "-timeout", "30m")},
	}
}

// one runs a program that prints one line of JSON.
func (b *bench) one(ctx context.Context, dir, pkg string, args ...string) (map[string]float64, error) {
	out, err := b.run(ctx, false, dir, pkg, args...)
	if err != nil {
		return nil, err
	}
	return numbersOf(out)
}

func (b *bench) run(ctx context.Context, again bool, dir, pkg string, args ...string) (string, error) {
	exe, err := b.program(ctx, dir, pkg)
	if err != nil {
		return "", err
	}
	if again {
		return b.again(ctx, ".", exe, args...)
	}
	return b.output(ctx, ".", exe, args...)
}

// numbersOf reads the numbers of a line of JSON.
func numbersOf(line string) (map[string]float64, error) {
	var all map[string]any
	if err := json.Unmarshal([]byte(line), &all); err != nil {
		return nil, fmt.Errorf("read %q: %w", line, err)
	}
	out := map[string]float64{}
	for k, v := range all {
		if f, ok := v.(float64); ok {
			out[k] = f
		}
	}
	return out, nil
}

// median runs a program as often as there are turns, once for all rows, and
// returns the run that is the median in a figure.
func (b *bench) median(ctx context.Context, dir, pkg, by string, args ...string) (map[string]float64, error) {
	key := strings.Join(append([]string{"median", dir, pkg}, args...), " ")
	if _, ok := b.said[key]; !ok {
		var lines []string
		for range b.turns {
			out, err := b.run(ctx, true, dir, pkg, args...)
			if err != nil {
				return nil, err
			}
			lines = append(lines, strings.TrimSpace(out))
		}
		b.said[key] = strings.Join(lines, "\n")
	}
	var runs []map[string]float64
	for line := range strings.Lines(b.said[key]) {
		m, err := numbersOf(line)
		if err != nil {
			return nil, err
		}
		if _, ok := m[by]; !ok {
			return nil, fmt.Errorf("no %s in %s", by, line)
		}
		runs = append(runs, m)
	}
	slices.SortFunc(runs, func(a, c map[string]float64) int { return int(1e6 * (a[by] - c[by])) })
	return runs[len(runs)/2], nil
}

// versus compares our nodes with the peer's by one figure.
func versus(show func(map[string]float64) string, by string) func(context.Context, *bench) (string, error) {
	return func(ctx context.Context, b *bench) (string, error) {
		ours, err := b.median(ctx, ".", "./scripts/bench/mesh", by, "-n", strconv.Itoa(b.few))
		if err != nil {
			return "", err
		}
		theirs, err := b.median(ctx, peerDir, ".", by, "-n", strconv.Itoa(b.few), "-batch", "100")
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s against %s (%.2f)", show(ours), show(theirs), ours[by]/theirs[by]), nil
	}
}

// load is one measurement of the gateway.
func load(what string) func(context.Context, *bench) (string, error) {
	return func(ctx context.Context, b *bench) (string, error) {
		out, err := b.run(ctx, false, ".", "./scripts/bench/gateway", "-n", strconv.Itoa(b.many), "-for", b.length.String())
		if err != nil {
			return "", err
		}
		for line := range strings.Lines(out) {
			var named struct{ What string }
			if err := json.Unmarshal([]byte(line), &named); err != nil {
				return "", err
			}
			if named.What != what && !strings.HasPrefix(named.What, what+", durable") {
				continue
			}
			m, err := numbersOf(line)
			if err != nil {
				return "", err
			}
			text := fmt.Sprintf("%s/s, p99 %.1f ms, server %.0f MB", grouped(int(m["per_s"])), m["p99_ms"], m["server_mb"])
			if m["ratio"] > 0 {
				text += fmt.Sprintf("; %.2f of a bare handler", m["ratio"])
			}
			return text, nil
		}
		return "", fmt.Errorf("no measurement of %s in:\n%s", what, out)
	}
}

func streams(ctx context.Context, b *bench) (string, error) {
	meshd, err := b.program(ctx, ".", "./cmd/meshd")
	if err != nil {
		return "", err
	}
	out, err := b.run(ctx, false, ".", "./scripts/bench/streams", "-meshd", meshd, "-readers", strconv.Itoa(b.readers), "-for", b.length.String())
	if err != nil {
		return "", err
	}
	got := regexp.MustCompile(`(\d+) of (\d+) deliveries\nfrom commit to reader: (p50 \S+)  p90 \S+  (p99 \S+)`).FindStringSubmatch(out)
	if got == nil {
		return "", fmt.Errorf("no figures in:\n%s", out)
	}
	return fmt.Sprintf("%s, %s, %s of %s delivered", got[3], got[4], got[1], got[2]), nil
}

// flood is what a stranger does to a gateway: its bars stand beside its figures where
// it runs alone.
func flood(ctx context.Context, b *bench) (string, error) {
	meshd, err := b.program(ctx, ".", "./cmd/meshd")
	if err != nil {
		return "", err
	}
	out, err := b.run(ctx, false, ".", "./scripts/bench/flood", "-meshd", meshd, "-keys", strconv.Itoa(b.few/2), "-entries", strconv.Itoa(2*b.few),
		"-before", strconv.Itoa(b.few/5), "-within", (3 * b.length).String(), "-watch", (12 * b.length).String())
	if err != nil {
		return "", err
	}
	var got []string
	for _, what := range []struct{ re, format string }{
		{`spam among the newest \d+ of the feed +(\S+ %)`, "%s of the newest are spam"},
		{`honest writes accepted +(\d+ of \d+)`, "%s honest writes accepted"},
		{`feed p95.* = (\S+)`, "feed p95 %s of calm"},
		{`most memory.* = (\S+ MB)`, "memory %s"},
		{`sets equal after the flood +(\S+)`, "sets equal after %s"},
	} {
		m := regexp.MustCompile(what.re).FindStringSubmatch(out)
		if m == nil {
			return "", fmt.Errorf("no %s in:\n%s", what.re, out)
		}
		got = append(got, fmt.Sprintf(what.format, m[1]))
	}
	return strings.Join(got, ", "), nil
}

// gobench shows what an expression finds in the output of Go benchmarks.
func gobench(pkg, name, times, format, find string, show func(float64) string) func(context.Context, *bench) (string, error) {
	re := regexp.MustCompile(`(?m)^Benchmark.*` + find)
	return func(ctx context.Context, b *bench) (string, error) {
		out, err := b.output(ctx, ".", "go", "test", "-run", "^$", "-bench", name, "-benchtime", times, pkg)
		if err != nil {
			return "", err
		}
		var all []string
		for _, m := range re.FindAllStringSubmatch(out, -1) {
			f, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				return "", err
			}
			all = append(all, show(f))
		}
		if all == nil {
			return "", fmt.Errorf("no figures in:\n%s", out)
		}
		return fmt.Sprintf(format, strings.Join(all, " / ")), nil
	}
}

// gotest shows what an expression finds in the output of a test.
func gotest(find, format string, args ...string) func(context.Context, *bench) (string, error) {
	re := regexp.MustCompile(find)
	return func(ctx context.Context, b *bench) (string, error) {
		out, err := b.output(ctx, ".", "go", append([]string{"test", "-count=1", "-v"}, args...)...)
		if err != nil {
			return "", err
		}
		m := re.FindStringSubmatch(out)
		if m == nil {
			return "", fmt.Errorf("no figure in:\n%s", out)
		}
		return fmt.Sprintf(format, m[1]), nil
	}
}

func kilobytes(b float64) string     { return fmt.Sprintf("%.2f kB", b/1000) }
func microseconds(ns float64) string { return fmt.Sprintf("%.1f µs", ns/1000) }
func plain(f float64) string         { return fmt.Sprintf("%.2f", f) }

// grouped writes 12,345.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
