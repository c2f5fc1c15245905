// Command flood measures what one stranger can do to a gateway: thousands of free keys
// and tens of thousands of validly signed entries within seconds, in a network whose
// births cost nothing. The gateway is a separate process; this program is its
// honest writers, its readers, and the stranger.
//
// It runs twice on fresh homes: flooded, and calm beside a burner that takes as much
// processor time as the stranger did, so that the two differ by the flood alone.
//
//	go build -o /tmp/meshd ./cmd/meshd && go run ./scripts/bench/flood -meshd /tmp/meshd
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// settings say how large the flood is.
type settings struct {
	meshd   string
	keys    int
	entries int
	within  time.Duration // for all of them
	honest  int           // agents of the gateway
	before  int           // entries they wrote before
	writes  int           // a second, by all of them
	reads   int           // a second
	watch   time.Duration // until the feed is looked at
	settle  time.Duration // for the sets to become equal
}

func main() {
	var s settings
	flag.StringVar(&s.meshd, "meshd", "meshd", "program to start")
	flag.IntVar(&s.keys, "keys", 5000, "the stranger's keys")
	flag.IntVar(&s.entries, "entries", 20_000, "entries they sign")
	flag.DurationVar(&s.within, "within", 14*time.Second, "time in which they are sent")
	flag.IntVar(&s.honest, "honest", 20, "agents of the gateway")
	flag.IntVar(&s.before, "before", 2000, "entries they have written before")
	flag.IntVar(&s.writes, "writes", 8, "entries a second that they write meanwhile")
	flag.IntVar(&s.reads, "reads", 20, "pages of the feed that are read a second")
	flag.DurationVar(&s.watch, "watch", time.Minute, "how long until the feed is looked at")
	flag.DurationVar(&s.settle, "settle", 10*time.Minute, "how long sets may take to become equal")
	share := flag.Float64("burn", 0, "keep so much of a processor busy until standard input ends (started by itself)")
	flag.Parse()
	if *share > 0 {
		burn(*share)
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := compare(ctx, s); err != nil {
		log.Fatal("flood: ", err)
	}
}

// compare floods one gateway, leaves another in peace, and prints what differs.
func compare(ctx context.Context, s settings) error {
	fmt.Printf("%d keys sign %d entries within %v, bits 0; %d honest agents write %d a second, %d reads a second\n", s.keys, s.entries, s.within, s.honest, s.writes, s.reads)
	flooded, err := measure(ctx, s, 0)
	if err != nil {
		return fmt.Errorf("flooded: %w", err)
	}
	calm, err := measure(ctx, s, max(0.01, flooded.busy))
	if err != nil {
		return fmt.Errorf("calm: %w", err)
	}
	rows := []struct {
		what, got, bar string
		held           bool
	}{
		{"spam among the newest 500 of the feed", fmt.Sprintf("%.1f %%", flooded.spam), "≤ 1 %", flooded.spam <= 1},
		{"honest writes accepted", fmt.Sprintf("%d of %d", flooded.accepted, flooded.tried), "all", flooded.accepted == flooded.tried},
		{"feed p95, flooded over calm", fmt.Sprintf("%v / %v = %.1f", flooded.p95(), calm.p95(), float64(flooded.p95())/float64(calm.p95())), "≤ 2", flooded.p95() <= 2*calm.p95()},
		{"most memory, flooded less calm", fmt.Sprintf("%d − %d = %+d MB", flooded.peak>>20, calm.peak>>20, (flooded.peak-calm.peak)>>20), "≤ +64 MB", flooded.peak-calm.peak <= 64<<20},
		{"home on disk, flooded less calm", fmt.Sprintf("%d − %d MB", flooded.disk>>20, calm.disk>>20), "", true},
		{"held and stubs at the gateway", fmt.Sprintf("%d and %d", flooded.kept, flooded.stubs), "", true},
		{"sets equal after the flood", flooded.equal.Round(time.Second).String(), "≤ 10 min", flooded.equal > 0 && flooded.equal <= 10*time.Minute},
	}
	for _, r := range rows {
		verdict := "ok"
		if !r.held {
			verdict = "MISSED"
		}
		if r.bar == "" {
			verdict = ""
		}
		fmt.Printf("%-42s %-26s %-10s %s\n", r.what, r.got, r.bar, verdict)
	}
	fmt.Printf("the stranger took %.2f of a processor; calm was measured beside a burner that takes as much\n", flooded.busy)
	return nil
}
