package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/gate/lessons"
	"github.com/meshd/meshd/scripts/bench/internal/process"
)

// figures are what became of one gateway.
type figures struct {
	mu              sync.Mutex
	took            []time.Duration // of reads of the feed
	tried, accepted int             // honest writes
	refusals        map[int]int     // statuses of those that were not

	spam        float64 // percent of the newest entries
	peak        int64   // bytes of memory, the most while it was watched
	disk        int64   // bytes of the home at the end
	kept, stubs int
	equal       time.Duration // from the end of the flood, 0: not in time
	busy        float64       // processors that the stranger took while it wrote
}

func (f *figures) p95() time.Duration {
	slices.Sort(f.took)
	if len(f.took) == 0 {
		return 0
	}
	return f.took[len(f.took)*95/100].Round(100 * time.Microsecond)
}

// network is where floods happen: births cost nothing in it.
var network = change.Genesis{Name: "flood", Shards: 1, Start: 1767225600000}

// measure watches a gateway, flooded, or with burning above zero beside a burner.
func measure(ctx context.Context, s settings, burning float64) (_ *figures, err error) {
	dir, err := os.MkdirTemp("", "flood")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	text, err := change.NetworkFile{Genesis: network}.Encode()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "network")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, err
	}
	n, err := process.Start(s.meshd, filepath.Join(dir, "home"), "MESHD_NETWORK_FILE="+file, "MESHD_NODE_PROFILE=gateway", "MESHD_LIMITS_MODE=off")
	if n != nil {
		defer n.Stop()
	}
	if err != nil {
		return nil, err
	}
	keys, err := settle(n, s)
	if err != nil {
		return nil, err
	}
	f := &figures{refusals: map[int]int{}}
	watching, done := context.WithCancel(ctx)
	defer done()
	var wg sync.WaitGroup
	wg.Go(func() { f.read(watching, n, keys[0], s.reads) })
	wg.Go(func() { f.write(watching, n, keys, s) })
	wg.Go(func() { f.weigh(watching, n) })
	begin, after := time.Now(), time.Duration(0)
	var m *mallory
	if burning == 0 {
		if m, err = newMallory(ctx, n, s); err != nil {
			return nil, err
		}
		defer m.stop()
		m.flood(ctx, s.within)
		after = time.Since(begin)
	} else if err := burnBeside(ctx, burning, s.watch, func() { wait(ctx, s.watch) }); err != nil {
		return nil, err
	}
	wait(ctx, s.watch-time.Since(begin))
	if m != nil {
		f.busy = (processor() - m.since).Seconds() / time.Since(m.began).Seconds()
	}
	if err := f.look(n, keys[0]); err != nil {
		return nil, err
	}
	done()
	wg.Wait()
	if m != nil {
		var st nodeStatus
		for f.equal == 0 && time.Since(begin)-after < s.settle && ctx.Err() == nil {
			if st, err = status(n, s); err != nil {
				return nil, err
			}
			f.kept, f.stubs = st.Held, st.Stubbed
			if m.equals(st) {
				f.equal = max(time.Since(begin)-after, 1)
			}
			wait(ctx, time.Second)
		}
		if f.equal == 0 {
			fmt.Println(m.explain(st))
		}
		if again := m.met.Load() - 1; again > 0 {
			fmt.Printf("the stranger lost its connection and came again %d times\n", again)
		}
		if len(f.refusals) > 0 {
			fmt.Printf("refused writes by status: %v\n", f.refusals)
		}
	}
	f.disk, err = size(n.Home)
	return f, errors.Join(err, ctx.Err())
}

// settle brings the honest agents in and lets them write what there is before.
func settle(n *process.Node, s settings) ([]string, error) {
	keys := make([]string, s.honest)
	for i := range keys {
		var r struct {
			Agent struct {
				Key string `json:"api_key"`
			}
		}
		status, err := n.Send(http.MethodPost, "/api/mesh/quickstart", "", map[string]any{"name": fmt.Sprintf("honest-%d", i), "entry": lesson(i)}, &r)
		if err != nil || r.Agent.Key == "" {
			return nil, fmt.Errorf("quickstart: status %d, %w", status, err)
		}
		keys[i] = r.Agent.Key
	}
	errs := make([]error, len(keys))
	var wg sync.WaitGroup
	for i, key := range keys {
		wg.Go(func() {
			for k := len(keys) + i; k < s.before && errs[i] == nil; k += len(keys) {
				status, err := n.Send(http.MethodPost, "/api/mesh/contribute", key, lesson(k), nil)
				if err != nil || status != http.StatusCreated {
					errs[i] = fmt.Errorf("contribute: status %d, %w", status, err)
				}
			}
		})
	}
	wg.Wait()
	return keys, errors.Join(errs...)
}

func lesson(k int) map[string]any {
	return map[string]any{"type": "gotcha", "domain": lessons.Domains[k%len(lessons.Domains)], "content": lessons.Text(k)}
}

// read reads the first page of the feed, so many times a second.
func (f *figures) read(ctx context.Context, n *process.Node, key string, rate int) {
	each(ctx, rate, func(int) {
		begin := time.Now()
		status, err := n.Send(http.MethodGet, "/api/mesh/feed?limit=20", key, nil, nil)
		took := time.Since(begin)
		if err != nil || status != http.StatusOK {
			took = time.Minute // as good as never
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.took = append(f.took, took)
	})
}

// write contributes honest entries, so many a second.
func (f *figures) write(ctx context.Context, n *process.Node, keys []string, s settings) {
	each(ctx, s.writes, func(i int) {
		status, err := n.Send(http.MethodPost, "/api/mesh/contribute", keys[i%len(keys)], lesson(s.before+i), nil)
		f.mu.Lock()
		defer f.mu.Unlock()
		f.tried++
		if err == nil && status == http.StatusCreated {
			f.accepted++
		} else {
			f.refusals[status]++
		}
	})
}

// each does something so many times a second until ctx ends, without waiting for
// the last time, and waits for all.
func each(ctx context.Context, rate int, do func(i int)) {
	tick := time.NewTicker(time.Second / time.Duration(rate))
	defer tick.Stop()
	var wg sync.WaitGroup
	defer wg.Wait()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			wg.Go(func() { do(i) })
		}
	}
}

// weigh notes the most memory that the gateway had.
func (f *figures) weigh(ctx context.Context, n *process.Node) {
	each(ctx, 4, func(int) {
		now := n.Memory("VmRSS")
		f.mu.Lock()
		defer f.mu.Unlock()
		f.peak = max(f.peak, now)
	})
}

// newest is how much of the feed is looked at.
const newest = 500

// look counts spam among the newest entries of the feed.
func (f *figures) look(n *process.Node, key string) error {
	cursor, seen, spam := "", 0, 0
	for seen < newest {
		var page struct {
			Entries []struct {
				Author string `json:"authorName"`
			}
			Next string `json:"next_cursor"`
		}
		status, err := n.Send(http.MethodGet, "/api/mesh/feed?limit=100&cursor="+cursor, key, nil, &page)
		if err != nil || status != http.StatusOK {
			return fmt.Errorf("feed: status %d, %w", status, err)
		}
		for _, e := range page.Entries {
			if e.Author == spammer {
				spam++
			}
		}
		seen += len(page.Entries)
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	f.spam = 100 * float64(spam) / float64(max(seen, 1))
	return nil
}

// nodeStatus is what is read of a node's status.
type nodeStatus struct {
	Held    int `json:"held"`
	Stubbed int `json:"stubbed"`
	Sets    []struct {
		Name  string `json:"name"`
		Count uint64 `json:"count"`
		FP    string `json:"fp"`
	} `json:"sets"`
}

func status(n *process.Node, s settings) (st nodeStatus, err error) {
	raw, err := exec.Command(s.meshd, "status", "--json", "--home", n.Home).Output()
	if err != nil {
		return st, fmt.Errorf("status: %w", err)
	}
	return st, json.Unmarshal(raw, &st)
}

// size is what the files of a folder take on disk.
func size(dir string) (sum int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // a file that was removed meanwhile
		}
		if info, err := d.Info(); err == nil {
			if st, ok := info.Sys().(*syscall.Stat_t); ok {
				sum += st.Blocks * 512
			}
		}
		return nil
	})
	return sum, err
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// processor is the time of processors that this process has taken.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// burnBeside does something while another process keeps so much of a processor busy.
func burnBeside(ctx context.Context, share float64, most time.Duration, do func()) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, most+time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, exe, "-burn", strconv.FormatFloat(share, 'f', 3, 64))
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	do()
	return errors.Join(in.Close(), c.Wait())
}

// burn keeps share of a processor busy until standard input ends.
func burn(share float64) {
	over := make(chan struct{})
	go func() {
		defer close(over)
		var b [1]byte
		for {
			if _, err := os.Stdin.Read(b[:]); err != nil {
				return
			}
		}
	}()
	const slice = 20 * time.Millisecond
	for share > 0 {
		part := min(share, 1)
		share -= part
		go func() {
			for sum := 0; ; {
				for end := time.Now().Add(time.Duration(part * float64(slice))); time.Now().Before(end); {
					sum++
				}
				time.Sleep(time.Duration((1 - part) * float64(slice)))
			}
		}()
	}
	<-over
}
