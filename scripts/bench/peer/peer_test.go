package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ipfs/go-datastore"
)

// measure itself reads every replica back, so a line of figures means that all
// four nodes had all values.
func TestRunMeasuresFiftyKeys(t *testing.T) {
	for name, args := range map[string][]string{
		"single puts": {"-n", "50", "-batch", "1"},
		"batches":     {"-n", "50", "-batch", "20"},
		"spread":      {"-n", "50", "-batch", "20", "-spread"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if err := run(t.Context(), append(args, "-timeout", "2m"), &out, io.Discard); err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(out.String(), "\n"); n != 1 {
				t.Fatalf("printed %d lines, want 1: %q", n, out.String())
			}
			var got result
			if err := json.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if got.What != "go-ds-crdt" || got.Entries != 50 || got.Spread != (name == "spread") {
				t.Errorf("measured something else: %+v", got)
			}
			if got.ConvergeS <= 0 || got.JoinS <= 0 || got.RSSMB <= 0 {
				t.Errorf("a figure is missing: %+v", got)
			}
			// Two nodes learn 50 values when one writes, and three learn two
			// thirds of them when all write: the same sum.
			if least := int64(2 * 50 * valueBytes); got.BytesIn < least {
				t.Errorf("bytes_in = %d, less than the %d bytes of the values", got.BytesIn, least)
			}
			if least := int64(50 * valueBytes); got.JoinBytesIn < least {
				t.Errorf("join_bytes_in = %d, less than the %d bytes of the values", got.JoinBytesIn, least)
			}
		})
	}
}

func TestRunStopsAtTimeoutAndLeavesNoFile(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	var out bytes.Buffer
	err := run(t.Context(), []string{"-n", "100000", "-timeout", "300ms"}, &out, io.Discard)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("run = %v, want deadline exceeded", err)
	}
	if out.Len() > 0 {
		t.Errorf("printed figures of an unfinished run: %s", out.String())
	}
	left, err := os.ReadDir(tmp)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) > 0 {
		t.Errorf("left %s behind", left[0].Name())
	}
}

func TestVerifyFindsMissingForeignAndSurplusValues(t *testing.T) {
	t.Parallel()
	n, err := newNode(filepath.Join(t.TempDir(), "store"), 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.close(); err != nil {
			t.Error(err)
		}
	})
	put := func(k datastore.Key, v []byte) {
		t.Helper()
		if err := n.crdt.Put(t.Context(), k, v); err != nil {
			t.Fatal(err)
		}
	}
	put(key(0), value(0))
	if err := n.verify(t.Context(), 2); err == nil {
		t.Error("verify accepted one key of two")
	}
	put(key(1), value(0))
	if err := n.verify(t.Context(), 2); err == nil {
		t.Error("verify accepted another entry's value")
	}
	put(key(1), value(1))
	if err := n.verify(t.Context(), 2); err != nil {
		t.Error(err)
	}
	if err := n.verify(t.Context(), 1); err == nil {
		t.Error("verify accepted two keys for one")
	}
}

func TestHostListensOnLoopbackAlone(t *testing.T) {
	t.Parallel()
	h, err := newHost(newTraffic())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	addrs := h.Network().ListenAddresses()
	if len(addrs) == 0 {
		t.Fatal("listens nowhere")
	}
	for _, a := range addrs {
		if !strings.HasPrefix(a.String(), "/ip4/127.0.0.1/tcp/") {
			t.Errorf("listens on %s", a)
		}
	}
}

func TestParseRefusesWhatCannotBeMeasured(t *testing.T) {
	t.Parallel()
	for _, args := range []string{
		"-n 0", "-n -1", "-n 10000001", "-batch 0", "-batch 4001", "-timeout 0", "-n many", "-nosuch", "surplus",
	} {
		if _, _, err := parse(strings.Fields(args), io.Discard); !errors.Is(err, errUsage) {
			t.Errorf("parse(%q) = %v, want a usage error", args, err)
		}
	}
	if _, _, err := parse([]string{"-h"}, io.Discard); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("parse(-h) = %v, want flag.ErrHelp", err)
	}
	l, timeout, err := parse(nil, io.Discard)
	if err != nil || l != (load{entries: 10_000, batch: 100}) || timeout <= 0 {
		t.Errorf("parse() = %+v, %v, %v", l, timeout, err)
	}
}

// A batch that outgrows the library's own limit would be committed in parts.
func TestLargestBatchIsOneCommit(t *testing.T) {
	t.Parallel()
	longest := len(key(maxEntries - 1).String())
	if size := maxBatch * (longest + valueBytes + 16); size > 1<<20 {
		t.Errorf("a batch of %d keys takes %d bytes, over 1 MiB", maxBatch, size)
	}
}
