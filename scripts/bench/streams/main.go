// Command streams measures how fast a node tells its events to many readers: it
// starts a node, opens streams of server-sent events from another process, this
// one, contributes entries at a steady rate, and prints how long after the commit
// readers had each event, and what the node weighs.
//
//	go build -o /tmp/meshd ./cmd/meshd && go run ./scripts/bench/streams -meshd /tmp/meshd
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/meshd/meshd/node/gate/lessons"
)

// perAddress is how many streams an address may have; readers come from as many
// addresses of this machine as it takes.
const perAddress = 20

type settings struct {
	meshd   string
	readers int
	rate    int
	length  time.Duration
}

func main() {
	var s settings
	flag.StringVar(&s.meshd, "meshd", "meshd", "program to start")
	flag.IntVar(&s.readers, "readers", 1000, "streams")
	flag.IntVar(&s.rate, "rate", 20, "entries a second")
	flag.DurationVar(&s.length, "for", 10*time.Second, "how long entries are contributed")
	flag.Parse()
	if err := run(s); err != nil {
		log.Fatal(err)
	}
}

// node is a running meshd.
type node struct {
	cmd      *exec.Cmd
	url, key string
}

func start(program, home string) (*node, error) {
	n := &node{cmd: exec.Command(program, "run", "--loopback", "--home", home)}
	n.cmd.Env = append(os.Environ(), "MESHD_LOOPBACK=1", "MESHD_GATEWAY_LISTEN=127.0.0.1:0", "MESHD_P2P_LISTEN=/ip4/127.0.0.1/tcp/0")
	out, err := n.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := n.cmd.Start(); err != nil {
		return nil, err
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		f := strings.Fields(lines.Text())
		switch {
		case len(f) > 1 && f[0] == "api" && strings.HasPrefix(f[1], "http"):
			n.url = f[1]
		case len(f) > 2 && f[0] == "api" && f[1] == "key":
			raw, err := os.ReadFile(f[2])
			if err != nil {
				return n, err
			}
			n.key = strings.TrimSpace(string(raw))
		case lines.Text() == "ready":
			return n, nil
		}
	}
	return n, errors.New("the node ended before it was ready")
}

// memory is a line of the node's /proc/PID/status.
func (n *node) memory(name string) string {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", n.cmd.Process.Pid))
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return "unknown"
}

// readers are the streams and what they measured.
type readers struct {
	mu   sync.Mutex
	took []time.Duration
}

func run(s settings) error {
	home, err := os.MkdirTemp("", "streams")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	n, err := start(s.meshd, filepath.Join(home, "home"))
	if n != nil {
		defer func() {
			_ = n.cmd.Process.Signal(syscall.SIGTERM)
			_ = n.cmd.Wait()
		}()
	}
	if err != nil {
		return err
	}
	before := n.memory("VmRSS")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r := &readers{}
	var open, ended sync.WaitGroup
	began := time.Now()
	for i := range s.readers {
		open.Add(1)
		ended.Go(func() { r.read(ctx, n, i, sync.OnceFunc(open.Done)) })
		if i%50 == 49 {
			open.Wait() // not all at once
		}
	}
	open.Wait()
	fmt.Printf("%d streams open after %v, the node has %s (before: %s)\n", s.readers, time.Since(began).Round(time.Millisecond), n.memory("VmRSS"), before)
	written, err := contribute(n, s)
	if err != nil {
		return err
	}
	want := written * s.readers
	for deadline := time.Now().Add(10 * time.Second); r.count() < want && time.Now().Before(deadline); {
		time.Sleep(50 * time.Millisecond)
	}
	fmt.Printf("%d entries at %d/s to %d streams: %d of %d deliveries\n", written, s.rate, s.readers, r.count(), want)
	r.report()
	fmt.Printf("the node has %s, at most %s\n", n.memory("VmRSS"), n.memory("VmHWM"))
	cancel()
	ended.Wait()
	if r.count() < want {
		return errors.New("events were lost")
	}
	return nil
}

// read is one reader; opened is called when its stream has begun or failed.
func (r *readers) read(ctx context.Context, n *node, i int, opened func()) {
	defer opened()
	from := &net.TCPAddr{IP: net.IPv4(127, 0, byte(1+i/perAddress/250), byte(1+i/perAddress%250))}
	client := &http.Client{Transport: &http.Transport{DialContext: (&net.Dialer{LocalAddr: from}).DialContext}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, n.url+"/api/mesh/events?kinds=entry.created", nil)
	if err != nil {
		log.Print(err)
		return
	}
	resp, err := client.Do(req)
	if err != nil {
		log.Print(err)
		return
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		log.Printf("stream %d: %s", i, resp.Status)
		return
	}
	lines := bufio.NewReaderSize(resp.Body, 1024)
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return
		}
		opened()
		_, rest, ok := bytes.Cut(line, []byte(`"ts":"`))
		if !ok {
			continue
		}
		at, err := time.Parse(time.RFC3339, string(rest[:bytes.IndexByte(rest, '"')]))
		if err != nil {
			log.Print(err)
			return
		}
		took := time.Since(at)
		r.mu.Lock()
		r.took = append(r.took, took)
		r.mu.Unlock()
	}
}

func (r *readers) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.took)
}

func (r *readers) report() {
	r.mu.Lock()
	defer r.mu.Unlock()
	slices.Sort(r.took)
	if len(r.took) == 0 {
		return
	}
	at := func(q float64) time.Duration {
		return r.took[int(q*float64(len(r.took)-1))].Round(time.Millisecond)
	}
	fmt.Printf("from commit to reader: p50 %v  p90 %v  p99 %v  max %v\n", at(0.5), at(0.9), at(0.99), at(1))
}

// contribute writes entries at the rate for the length of the run.
func contribute(n *node, s settings) (written int, err error) {
	tick := time.NewTicker(time.Second / time.Duration(s.rate))
	defer tick.Stop()
	for end := time.Now().Add(s.length); time.Now().Before(end); {
		<-tick.C
		body, err := json.Marshal(map[string]any{"type": "gotcha", "domain": "go", "content": lessons.Text(written)})
		if err != nil {
			return written, err
		}
		req, err := http.NewRequest(http.MethodPost, n.url+"/api/mesh/contribute", bytes.NewReader(body))
		if err != nil {
			return written, err
		}
		req.Header.Set("Authorization", "Bearer "+n.key)
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return written, err
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusCreated {
			return written, fmt.Errorf("contribute: %s", resp.Status)
		}
		written++
	}
	return written, nil
}
