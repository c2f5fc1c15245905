package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/meshd/meshd/cmd/meshd/instance"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/store"
)

// hosted registers an agent at a gateway and returns its id and its API key.
func (s *side) hosted(name string) (agent, key string) {
	s.t.Helper()
	code, out := s.send(http.DefaultClient, s.url, "", "POST", "/api/mesh/quickstart", map[string]any{"name": name})
	if code != http.StatusCreated {
		s.t.Fatalf("quickstart: %d %v", code, out)
	}
	return at(out, "agent", "id").(string), at(out, "agent", "api_key").(string)
}

// writers ask gateways to write for one agent until ctx ends, by so many clients at each.
type writers struct {
	t   *testing.T
	key string

	mu    sync.Mutex
	acked map[string]int // entries that were acknowledged, by how often
	codes map[string]int // what else was answered
	last  [2]atomic.Int64
	count [2]atomic.Int64
}

func (w *writers) run(ctx context.Context, n int, url string, clients int, seed uint64) {
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(100+n*100+c)))
			client := &http.Client{Timeout: 10 * time.Second}
			for i := 0; ctx.Err() == nil; i++ {
				a, err := ask(context.WithoutCancel(ctx), client, url, w.key, "POST", "/api/mesh/contribute", lessonOf(w.t, rng, nil), fmt.Sprint(n, "-", c, "-", i))
				var reply struct{ ID string }
				w.mu.Lock()
				switch {
				case err != nil:
					w.codes["no answer"]++
				case a.status != http.StatusCreated:
					w.codes[fmt.Sprint(a.status, " ", a.code())]++
				case json.Unmarshal(a.raw, &reply) != nil || reply.ID == "":
					w.t.Errorf("%s", a.raw)
				default:
					w.acked[reply.ID]++
					w.count[n].Add(1)
					w.last[n].Store(time.Now().UnixNano())
				}
				w.mu.Unlock()
				if err != nil {
					rest(ctx, 20*time.Millisecond)
				}
			}
		})
	}
	all.Wait()
}

// until waits until so many more writes were acknowledged at a gateway.
func (w *writers) until(ctx context.Context, n, more int) {
	w.t.Helper()
	for want := w.count[n].Load() + int64(more); w.count[n].Load() < want; {
		if ctx.Err() != nil {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.t.Fatalf("gateway %d acknowledges nothing: %v", n, w.codes)
		}
		rest(ctx, time.Millisecond)
	}
}

// chainsAt opens the log of a home whose node has ended, and returns the changes of an
// agent's chains in it, place by place, once each is known to have one alone.
func (s *side) chainsAt(agent string) map[string][]change.ID {
	s.t.Helper()
	home, err := store.Open(s.home, store.Options{Command: "test"})
	if err != nil {
		s.t.Fatal(err)
	}
	env := []string{"MESHD_LOOPBACK=1"}
	cfg, err := config.Load(config.Sources{Env: append(env, s.settings...)})
	if err != nil {
		s.t.Fatal(err)
	}
	in, err := instance.Open(s.t.Context(), home, cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		s.t.Fatal(err)
	}
	defer in.Close()
	id, err := change.ParseAgentID(agent)
	if err != nil {
		s.t.Fatal(err)
	}
	rec, ok := in.Node.Views.Agent(id)
	if !ok {
		s.t.Fatalf("%s does not know %s", s.home, agent)
	}
	if f := in.Node.Views.Forks(); len(f) > 0 {
		s.t.Errorf("forked chains at %s: %v", s.home, f)
	}
	out := map[string][]change.ID{}
	var chains []change.Chain
	for _, k := range append(in.Node.Views.KeysOf(id), rec.Key) {
		chains = append(chains, in.Node.Views.Chains(k)...)
	}
	for _, c := range chains {
		_, seq, _, _, err := in.Node.Log.Tip(s.t.Context(), c)
		if err != nil {
			s.t.Fatal(err)
		}
		name := fmt.Sprint(c.Author, " ", c.Space, " ", c.Lane)
		if out[name] != nil {
			continue
		}
		for n := uint64(1); n <= seq; n++ {
			ids, err := in.Node.Log.At(s.t.Context(), c, n)
			if err != nil || len(ids) != 1 {
				s.t.Fatalf("%s: place %d of %s has %d changes: %v", s.home, n, name, len(ids), err)
			}
			out[name] = append(out[name], ids[0])
		}
	}
	return out
}

// TestGatewaysSignInTurns: two gateways of one database write for one agent at once. One
// hangs for longer than a turn may, and later is killed. Every acknowledged write is at both, no
// chain has two changes at one place, and the other gateway goes on at once.
func TestGatewaysSignInTurns(t *testing.T) {
	t.Parallel()
	const seed = 15
	clients, some := either(4, 16), either(15, 300)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	g := startGateways(t, 2, 0)
	a, b := g.sides[0], g.sides[1]
	agent, key := a.hosted("Ada")
	// Registered at one, at home at the other at once.
	if r, err := ask(ctx, http.DefaultClient, b.url, key, "POST", "/api/mesh/contribute", lessonOf(t, rand.New(rand.NewPCG(seed, 8)), nil), ""); err != nil || r.status != http.StatusCreated {
		t.Fatalf("the other gateway writes: %d %s %v", r.status, r.raw, err)
	}
	w := &writers{t: t, key: key, acked: map[string]int{}, codes: map[string]int{}}
	load, ease := context.WithCancel(ctx)
	var offering sync.WaitGroup
	offering.Go(func() { w.run(load, 0, a.url, clients, seed) })
	offering.Go(func() { w.run(load, 1, b.url, clients, seed) })
	w.until(ctx, 0, some)
	w.until(ctx, 1, some)

	// One hangs, with a turn or without, for longer than a turn lasts, and comes back.
	var hung []time.Duration
	for range 3 {
		if err := a.node.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		stopped := time.Now()
		w.until(ctx, 1, 1)
		hung = append(hung, time.Since(stopped))
		for time.Since(stopped) < 1200*time.Millisecond { // the database has ended its session by then
			w.until(ctx, 1, 1)
		}
		if err := a.node.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		w.until(ctx, 0, some/3)
	}

	// The agent gets another key at one, while both write.
	a.meshd("id", "rotate", "--as", "Ada")
	w.until(ctx, 0, some)
	w.until(ctx, 1, some)

	a.end(syscall.SIGKILL)
	killed := time.Now()
	w.until(ctx, 1, 1)
	first := time.Since(killed)
	w.until(ctx, 1, some)
	ease()
	offering.Wait()

	// The killed one comes back with what it recorded, and writes again.
	a.start(g.peers())
	soon(t, "the gateway that was killed writes", func() bool {
		r, err := ask(ctx, http.DefaultClient, a.url, key, "POST", "/api/mesh/contribute", lessonOf(t, rand.New(rand.NewPCG(seed, 9)), nil), "again")
		return err == nil && r.status == http.StatusCreated
	})
	// A retry of what the other one acknowledged is answered with that.
	once := lessonOf(t, rand.New(rand.NewPCG(seed, 10)), nil)
	r1, err1 := ask(ctx, http.DefaultClient, a.url, key, "POST", "/api/mesh/contribute", once, "mark")
	r2, err2 := ask(ctx, http.DefaultClient, b.url, key, "POST", "/api/mesh/contribute", once, "mark")
	if err1 != nil || err2 != nil || r1.status != 201 || string(r1.raw) != string(r2.raw) {
		t.Errorf("one request at both: %d %s %v, %d %s %v", r1.status, r1.raw, err1, r2.status, r2.raw, err2)
	}
	for id := range w.acked {
		for _, s := range g.sides {
			soon(t, "both have "+id, func() bool {
				r, err := ask(ctx, http.DefaultClient, s.url, key, "GET", "/api/mesh/entry/"+id, "", "")
				return err == nil && r.status == http.StatusOK
			})
		}
	}
	a.end(syscall.SIGTERM)
	b.end(syscall.SIGTERM)
	left, right := a.chainsAt(agent), b.chainsAt(agent)
	if len(left) == 0 || fmt.Sprint(left) != fmt.Sprint(right) {
		t.Errorf("the logs differ:\n%v\n%v", left, right)
	}
	places := 0
	for _, ids := range left {
		places += len(ids)
	}
	if places < len(w.acked) {
		t.Errorf("%d acknowledged entries, %d places in the chains", len(w.acked), places)
	}
	t.Logf("two gateways, one agent: %d and %d writes acknowledged, %d changes in its chains, 0 forks, 0 lost; the other wrote %v after a kill and %v after it hung; else answered: %v (seed %d)",
		w.count[0].Load(), w.count[1].Load(), places, first.Round(time.Millisecond), hung, w.codes, seed)
}

// TestGatewayWithAnotherSecret: a gateway whose secret differs does not start, says why by
// its code, and changes nothing.
func TestGatewayWithAnotherSecret(t *testing.T) {
	t.Parallel()
	g := startGateways(t, 1, 0)
	a := g.sides[0]
	_, key := a.hosted("Ada")
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, []byte(strings.Repeat("another secret ", 4)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, settings := range [][]string{{"MESHD_STATE_SECRET_FILE=" + other}, {"MESHD_STATE_SECRET_FILE="}} {
		c := exec.CommandContext(t.Context(), a.program, "run", "--loopback", "--home", filepath.Join(t.TempDir(), "b"))
		c.Env = append([]string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "MESHD_GATEWAY_LISTEN=127.0.0.1:0", "MESHD_P2P_LISTEN=/ip4/127.0.0.1/tcp/0"},
			slices.DeleteFunc(slices.Clone(a.settings), func(s string) bool { return strings.HasPrefix(s, "MESHD_STATE_SECRET_FILE=") })...)
		c.Env = append(c.Env, settings...)
		out, err := c.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "secret_mismatch") || !strings.Contains(string(out), "state.secret_file") {
			t.Errorf("%v: %v\n%s", settings, err, out)
		}
	}
	if r, err := ask(t.Context(), http.DefaultClient, a.url, key, "POST", "/api/mesh/contribute", lessonOf(t, rand.New(rand.NewPCG(1, 1)), nil), ""); err != nil || r.status != http.StatusCreated {
		t.Errorf("the first gateway: %d %s %v", r.status, r.raw, err)
	}
}
