package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ipfs/go-datastore"
)

// result is the line that is printed.
type result struct {
	What    string `json:"what"`    // the library's name
	Version string `json:"version"` // its version, without the v
	Store   string `json:"store"`   // the storage engine beneath it
	Entries int    `json:"entries"`
	Batch   int    `json:"batch"`
	Spread  bool   `json:"spread"` // written on all three nodes, not on the first alone

	// ConvergeS is the time in seconds from the first write until all three
	// nodes have every key on disk. Hosts are connected and the GossipSub mesh
	// stands before.
	ConvergeS float64 `json:"converge_s"`

	// JoinS is the time in seconds from creating a fourth, empty node until it
	// has every key on disk: start, connections, mesh and transfer. The wait
	// for the next rebroadcast is left out, in the library's favour: the heads
	// are announced once the mesh has the newcomer.
	JoinS float64 `json:"join_s"`

	// BytesIn is what the three nodes together read from libp2p streams while
	// they converged, JoinBytesIn what the fourth read: payload with its
	// protocol framing, without encryption, multiplexing and TCP.
	BytesIn     int64 `json:"bytes_in"`
	JoinBytesIn int64 `json:"join_bytes_in"`

	// RSSMB is the peak resident memory of this process, all four nodes, in
	// megabytes of 10^6 bytes.
	RSSMB float64 `json:"rss_mb"`
}

// load is what is written, and how.
type load struct {
	entries int  // keys in all
	batch   int  // keys per commit
	spread  bool // over all nodes instead of the first
}

// measure runs one measurement with its stores below dir, which must be empty.
// It fails when ctx ends first, and when a node that reported all keys turns
// out not to have them.
func measure(ctx context.Context, dir string, l load) (res result, err error) {
	res = result{
		What: "go-ds-crdt", Version: moduleVersion("github.com/ipfs/go-ds-crdt"),
		Store:   "go-ds-pebble " + moduleVersion("github.com/ipfs/go-ds-pebble"),
		Entries: l.entries, Batch: l.batch, Spread: l.spread,
	}
	var nodes []*node
	defer func() {
		for _, n := range nodes {
			err = errors.Join(err, n.close())
		}
	}()
	join := func() (*node, error) {
		n, err := newNode(filepath.Join(dir, strconv.Itoa(len(nodes))), l.entries)
		if err != nil {
			return nil, fmt.Errorf("start node %d: %w", len(nodes)+1, err)
		}
		older := nodes
		nodes = append(nodes, n)
		return n, n.connect(ctx, older)
	}

	for range nodeCount {
		if _, err := join(); err != nil {
			return res, err
		}
	}
	for _, n := range nodes {
		if err := n.mesh.await(ctx, nodeCount-1); err != nil {
			return res, err
		}
	}
	if res.ConvergeS, res.BytesIn, err = converge(ctx, nodes, l); err != nil {
		return res, err
	}

	begin := time.Now()
	last, err := join()
	if err != nil {
		return res, err
	}
	if err := nodes[0].mesh.await(ctx, nodeCount); err != nil {
		return res, err
	}
	if err := nodes[0].announce(ctx); err != nil {
		return res, err
	}
	if err := last.awaitAll(ctx); err != nil {
		return res, fmt.Errorf("join: %w", err)
	}
	res.JoinS = seconds(time.Since(begin))
	res.JoinBytesIn = last.traffic.in.Load()

	for _, n := range nodes {
		if err := n.verify(ctx, l.entries); err != nil {
			return res, err
		}
	}
	res.RSSMB, err = peakMemory()
	return res, err
}

// converge writes the load and waits until every node has it. It returns the
// seconds that took and the bytes the nodes received meanwhile.
func converge(ctx context.Context, nodes []*node, l load) (float64, int64, error) {
	writers := nodes[:1]
	if l.spread {
		writers = nodes
	}
	var before int64
	for _, n := range nodes {
		before += n.traffic.in.Load()
	}

	begin := time.Now()
	errs := make([]error, len(writers))
	var wg sync.WaitGroup
	for i, n := range writers {
		wg.Go(func() { errs[i] = write(ctx, n, l, i, len(writers)) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return 0, 0, err
	}
	for i, n := range nodes {
		if err := n.awaitAll(ctx); err != nil {
			return 0, 0, fmt.Errorf("converge: node %d: %w", i+1, err)
		}
	}
	took := seconds(time.Since(begin))

	var after int64
	for _, n := range nodes {
		after += n.traffic.in.Load()
	}
	return took, after - before, nil
}

// write puts on n the keys first, first+step and so on, each commit synced
// before the next begins: an acknowledged write is a durable one.
func write(ctx context.Context, n *node, l load, first, step int) error {
	for at := first; at < l.entries; at += step * l.batch {
		if err := writeBatch(ctx, n, l, at, step); err != nil {
			return fmt.Errorf("write keys from %d: %w", at, err)
		}
		if err := n.crdt.Sync(ctx, datastore.NewKey("/")); err != nil {
			return fmt.Errorf("sync keys from %d: %w", at, err)
		}
	}
	return nil
}

// writeBatch writes the keys at, at+step and so on, as many as make a batch.
func writeBatch(ctx context.Context, n *node, l load, at, step int) error {
	if l.batch == 1 {
		return n.crdt.Put(ctx, key(at), value(at))
	}
	b, err := n.crdt.Batch(ctx)
	if err != nil {
		return err
	}
	for i := at; i < min(at+step*l.batch, l.entries); i += step {
		if err := b.Put(ctx, key(i), value(i)); err != nil {
			return err
		}
	}
	return b.Commit(ctx)
}

// key names the entry i.
func key(i int) datastore.Key { return datastore.NewKey("/entry/" + strconv.Itoa(i)) }

// value is the content of entry i: the same bytes in every run.
func value(i int) []byte {
	var seed [32]byte
	binary.BigEndian.PutUint64(seed[:], uint64(i))
	out := make([]byte, valueBytes)
	rand.NewChaCha8(seed).Read(out) // never fails
	return out
}

// seconds rounds to milliseconds, which is more than the figures are worth.
func seconds(d time.Duration) float64 { return math.Round(d.Seconds()*1e3) / 1e3 }

// moduleVersion says which version of a module this program was built with,
// without the v, or "unknown".
func moduleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range info.Deps {
		if m.Path == path {
			return strings.TrimPrefix(m.Version, "v")
		}
	}
	return "unknown"
}

// peakMemory reads the peak memory of this process, in megabytes, from
// the line VmHWM of proc(5).
func peakMemory() (float64, error) {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0, fmt.Errorf("read peak memory: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		rest, ok := strings.CutPrefix(lines.Text(), "VmHWM:")
		if !ok {
			continue
		}
		kib, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 64)
		if err != nil {
			return 0, fmt.Errorf("read peak memory: %w", err)
		}
		return math.Round(kib*1024/1e5) / 10, nil
	}
	return 0, errors.Join(errors.New("read peak memory: no line VmHWM"), lines.Err())
}
