// Peer measures go-ds-crdt, a replicated key-value store for libp2p, in the
// conditions of our own benchmark, so that the two can be compared in one run.
//
// It starts three nodes in this process, each with its own libp2p host on
// 127.0.0.1 and its own Pebble store in a temporary folder, writes the keys,
// waits until all three have them on disk, lets an empty fourth node join, and
// prints one line of JSON (see result for the meaning of each field):
//
//	go run . -n 10000 -batch 100
//	go run . -n 1000 -batch 1 -spread
//
// The library is set up as its own documentation shows: GossipSub announces
// heads, Bitswap fetches blocks, go-ds-pebble stores both. Nothing leaves the
// machine: no discovery, routing, relay or port mapping is configured.
// It is a separate module because meshd must not depend on what it is
// compared with. Run one measurement per process: the memory figure is a peak.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(0)
	case errors.Is(err, errUsage):
		fmt.Fprintln(os.Stderr, "peer:", err)
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "peer:", err)
		os.Exit(1)
	}
}

// errUsage marks what the person at the keyboard has to correct.
var errUsage = errors.New("wrong usage")

// run takes the arguments without the program's name, writes the line of JSON
// to out and the help to help, and leaves no file behind.
func run(ctx context.Context, args []string, out, help io.Writer) (err error) {
	l, timeout, err := parse(args, help)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "peer-bench-")
	if err != nil {
		return fmt.Errorf("make data folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	res, err := measure(ctx, dir, l)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(out).Encode(res); err != nil {
		return fmt.Errorf("print result: %w", err)
	}
	return nil
}

// parse reads the flags. Its errors wrap errUsage or flag.ErrHelp.
func parse(args []string, help io.Writer) (load, time.Duration, error) {
	var l load
	var timeout time.Duration
	f := flag.NewFlagSet("peer", flag.ContinueOnError)
	f.SetOutput(help)
	f.IntVar(&l.entries, "n", 10_000, "keys to write")
	f.IntVar(&l.batch, "batch", 100, "keys per commit; 1 writes each with a plain Put")
	f.BoolVar(&l.spread, "spread", false, "spread the writes over the three nodes instead of the first")
	f.DurationVar(&timeout, "timeout", 10*time.Minute, "give up after this long")
	switch err := f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return l, 0, err
	case err != nil:
		return l, 0, fmt.Errorf("%w: %w", errUsage, err)
	case f.NArg() > 0:
		return l, 0, fmt.Errorf("%w: unexpected argument %q", errUsage, f.Arg(0))
	case l.entries < 1 || l.entries > maxEntries:
		return l, 0, fmt.Errorf("%w: -n must be between 1 and %d", errUsage, maxEntries)
	case l.batch < 1 || l.batch > maxBatch:
		return l, 0, fmt.Errorf("%w: -batch must be between 1 and %d", errUsage, maxBatch)
	case timeout <= 0:
		return l, 0, fmt.Errorf("%w: -timeout must be positive", errUsage)
	}
	return l, timeout, nil
}
