// Command streams measures how fast a node sends its events to many readers: it
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
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/meshd/meshd/node/gate/lessons"
	"github.com/meshd/meshd/scripts/bench/internal/process"
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

// mb is a figure of the node's memory, for people.
func mb(n *process.Node, name string) string { return fmt.Sprintf("%d MB", n.Memory(name)>>20) }

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
	n, err := process.Start(s.meshd, filepath.Join(home, "home"))
	if n != nil {
		defer n.Stop()
	}
	if err != nil {
		return err
	}
	before := mb(n, "VmRSS")
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
	fmt.Printf("%d streams open after %v, the node has %s (before: %s)\n", s.readers, time.Since(began).Round(time.Millisecond), mb(n, "VmRSS"), before)
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
	fmt.Printf("the node has %s, at most %s\n", mb(n, "VmRSS"), mb(n, "VmHWM"))
	cancel()
	ended.Wait()
	if r.count() < want {
		return errors.New("events were lost")
	}
	return nil
}

// read is one reader; opened is called when its stream has begun or failed.
func (r *readers) read(ctx context.Context, n *process.Node, i int, opened func()) {
	defer opened()
	from := &net.TCPAddr{IP: net.IPv4(127, 0, byte(1+i/perAddress/250), byte(1+i/perAddress%250))}
	client := &http.Client{Transport: &http.Transport{DialContext: (&net.Dialer{LocalAddr: from}).DialContext}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, n.URL+"/api/mesh/events?kinds=entry.created", nil)
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
func contribute(n *process.Node, s settings) (written int, err error) {
	tick := time.NewTicker(time.Second / time.Duration(s.rate))
	defer tick.Stop()
	for end := time.Now().Add(s.length); time.Now().Before(end); {
		<-tick.C
		lesson := map[string]any{"type": "gotcha", "domain": "go", "content": lessons.Text(written)}
		status, err := n.Send(http.MethodPost, "/api/mesh/contribute", n.Key, lesson, nil)
		if err != nil {
			return written, err
		}
		if status != http.StatusCreated {
			return written, fmt.Errorf("contribute: %d", status)
		}
		written++
	}
	return written, nil
}
