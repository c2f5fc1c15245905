// Package world runs whole nodes among faults and liars and checks the rules of
// the network on every one of them: real nodes with real stores on disks that
// fail, on a network in memory, in virtual time.
//
// A world is made of three parts that know nothing of each other: generate draws
// what people do, nemesis what breaks and liars what strangers send; check compares
// every node with what was acknowledged to the people and with the other
// nodes, each time after all faults have ended. Everything drawn comes from one
// seed, so a Spec, which is one line of text, runs the same world again. The order
// in which goroutines run is not part of it: a failure that hangs on that may need
// a few runs to show again.
//
// Rule R7, of money, is not among those that are checked here: ledgers lie in the
// gateway, above this package. TestRule7MoneyIsNeitherMadeNorLost of gateway/rest runs
// random bounties against it.
//
// Run is called inside a synctest bubble. When a world fails, Shrink looks for a
// smaller one that fails by the same rule.
package world

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
	"github.com/meshd/meshd/p2p/simnet"
)

// World is one run of a plan. Its parts point to each other, so that it must not be
// copied.
type World struct {
	chronicle
	timetable
	fleet
	cables
	strangers
	teamwork
	checker

	Plan    Plan
	genesis change.Genesis
	netID   change.NetID
	gate    *gate.Gate
	model   *model
	acting  sync.WaitGroup
	calm    atomic.Bool // while a world heals
}

// Result is what became of a world.
type Result struct {
	Plan       Plan
	Violations []Violation
	Counts     map[string]int  // acts, answers and faults by kind
	Healed     []time.Duration // virtual, from the last fault to agreement, one a round
	Virtual    time.Duration
	Story      []string // what was done to the nodes, and which rules were kept
}

// Failed reports whether a rule was broken.
func (r Result) Failed() bool { return len(r.Violations) > 0 }

// Rule is the first rule that was broken, "" for none.
func (r Result) Rule() string {
	if len(r.Violations) == 0 {
		return ""
	}
	return r.Violations[0].Rule
}

// home is where worlds keep their files: in memory where the machine has such a
// place, since disks of a world are synced thousands of times.
func home() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return os.TempDir()
}

// Run runs a world inside a synctest bubble, to its end or to the first round after
// which a rule is broken.
func Run(t testing.TB, s Spec) Result {
	t.Helper()
	return RunPlan(t, NewPlan(s))
}

// RunPlan runs a plan that was changed by hand.
func RunPlan(t testing.TB, p Plan) Result {
	t.Helper()
	w, dir := newWorld(t, p)
	defer func() {
		w.end()
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	}()
	if err := w.build(dir); err != nil {
		w.violated("R1", 0, "the world does not form: %v", err)
		return w.result()
	}
	if err := w.assemble(context.Background()); err != nil {
		w.violated("R1", 0, "the world does not form: %v", err)
		return w.result()
	}
	for r := range p.rounds {
		w.round(r)
		if len(w.found) > 0 {
			break
		}
	}
	return w.result()
}

// newWorld is a world of a plan in which nobody lives yet, and the folder for its
// homes. Whoever makes it ends it and removes the folder.
func newWorld(t testing.TB, p Plan) (w *World, dir string) {
	t.Helper()
	g, err := gate.New(gate.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if dir, err = os.MkdirTemp(home(), "world"); err != nil {
		t.Fatal(err)
	}
	w = &World{
		Plan: p, gate: g, model: newModel(), genesis: change.Genesis{Name: "world", Shards: 1 + int(p.Seed%2), Start: 1767225600000},
		chronicle: chronicle{began: time.Now(), counts: map[string]int{}},
		fleet: fleet{
			gone: map[int]bool{}, scars: map[int]bool{}, trouble: map[int]int{},
			net: simnet.NewWorld(t, p.Seed, 0, simnet.Config{MinLatency: 20 * time.Millisecond, MaxLatency: p.Latency, Loss: p.Loss}),
		},
	}
	w.timetable.chronicle = &w.chronicle
	w.cables = cables{fleet: &w.fleet, cuts: map[int]func(){}}
	w.teamwork = teamwork{chronicle: &w.chronicle, fleet: &w.fleet, model: w.model}
	w.checker = checker{
		chronicle: &w.chronicle, fleet: &w.fleet, strangers: &w.strangers, teamwork: &w.teamwork,
		plan: &w.Plan, model: w.model, rng: simnet.Rand(p.Seed, "checker"), good: map[view.Signature]bool{},
	}
	if w.netID, err = w.genesis.ID(); err != nil {
		t.Fatal(err)
	}
	return w, dir
}

// build opens the machines that are there from the beginning, and the liars.
func (w *World) build(dir string) error {
	links := simnet.Rand(w.Plan.Seed, "bootstrap")
	for i := range w.Plan.Nodes {
		m := w.add(dir)
		m.skew.Store(int64(w.Plan.Clocks[i]))
		if slices.Contains(w.Plan.Off, i) {
			w.gone[i] = true
			continue
		}
		if w.Plan.Late[i] == 0 {
			if err := w.join(m, links); err != nil {
				return err
			}
		}
	}
	for i, lie := range w.Plan.Lies {
		l, err := w.newLiar(i, lie)
		if err != nil {
			return err
		}
		w.liars = append(w.liars, l)
	}
	return nil
}

// add sets up one more machine that has never run, with its home in a folder.
func (w *World) add(dir string) *machine {
	i := len(w.machines)
	m := &machine{world: w, index: i, dir: filepath.Join(dir, fmt.Sprint(i)), place: w.net.NewPlace()}
	w.machines = append(w.machines, m)
	w.taken++
	return m
}

// join starts a machine for the first time, with a few others as its bootstrap
// list, and gives it an agent.
func (w *World) join(m *machine, links *rand.Rand) error {
	all := w.present()
	for range min(len(all), 3) {
		if a := all[links.IntN(len(all))].addr(); a != "" && !slices.Contains(m.boot, a) {
			m.boot = append(m.boot, a)
		}
	}
	if err := m.start(); err != nil {
		return err
	}
	m.joined = true
	if err := m.birth(context.Background()); err != nil {
		return fmt.Errorf("agent of %d: %w", m.index, err)
	}
	w.model.mu.Lock()
	defer w.model.mu.Unlock()
	w.model.wrote(m.agent.ID, true)
	return nil
}

// round lets people act and things break for a while, mends all, and checks.
func (w *World) round(r int) {
	begin, end := time.Duration(r)*w.Plan.length, time.Duration(r+1)*w.Plan.length
	w.paused = time.Since(w.began) - begin
	w.calm.Store(false)
	w.record("round %d", r+1)
	for i, m := range w.machines {
		if w.Plan.Late[i] == r && r > 0 && !w.gone[i] {
			w.record("machine %d joins", i)
			if err := w.join(m, simnet.Rand(w.Plan.Seed, fmt.Sprint("late/", i))); err != nil {
				w.violated("R1", i, "a newcomer does not start: %v", err)
				return
			}
		}
	}
	mends := map[int]func() error{}
	for _, f := range w.Plan.Broken {
		if f.At < begin || f.At >= end {
			continue
		}
		w.later(f.At, func() { w.begin(f, mends) })
		w.later(f.At+f.For, func() { w.mend(f, mends) })
	}
	for _, a := range w.Plan.Acts {
		if a.At >= begin && a.At < end {
			w.later(a.At, func() { w.acting.Go(func() { w.do(a) }) })
		}
	}
	for {
		e, ok := w.next(end)
		if !ok {
			break
		}
		if wait := e.at - w.now(); wait > 0 {
			time.Sleep(wait)
		}
		e.do()
	}
	if wait := end - w.now(); wait > 0 {
		time.Sleep(wait)
	}
	w.calm.Store(true)
	w.heal(mends)
	w.acting.Wait()
	if len(w.found) == 0 {
		w.check(context.Background())
	}
}

func (w *World) begin(f Fault, mends map[int]func() error) {
	for _, i := range f.On {
		w.troubles(i, 1)
	}
	mend, err := w.breaks(f)
	if err != nil {
		w.violated("R1", f.On[0], "%v: %v", f, err)
	}
	if mend != nil {
		mends[f.Number] = mend
	}
}

func (w *World) mend(f Fault, mends map[int]func() error) {
	mend := mends[f.Number]
	delete(mends, f.Number)
	if mend == nil {
		return
	}
	w.record("    #%d ends", f.Number)
	if err := mend(); err != nil {
		w.violated("R1", f.On[0], "after %v: %v", f, err)
	}
}

// heal ends every fault that goes on, and starts what is down.
func (w *World) heal(mends map[int]func() error) {
	w.drop()
	for _, f := range w.Plan.Broken {
		w.mend(f, mends)
	}
	for _, m := range w.machines {
		m.skew.Store(0)
		if m.joined && !w.gone[m.index] {
			if err := m.start(); err != nil {
				w.violated("R1", m.index, "it does not start: %v", err)
			}
		}
	}
	w.untroubled()
	w.uncutAll()
}

// end stops everything.
func (w *World) end() {
	for _, l := range w.liars {
		l.stop()
	}
	w.acting.Wait()
	var errs []error
	for _, m := range w.machines {
		errs = append(errs, m.stop())
	}
	if err := errors.Join(errs...); err != nil {
		w.record("stopping: %v", err)
	}
	time.Sleep(lastRetry)
}

// lastRetry is longer than goroutines of gossip sleep before they see that their
// node has ended; nothing ends them earlier, and no bubble allows them to stay.
const lastRetry = 2 * time.Second

func (w *World) result() Result {
	w.mu.Lock()
	defer w.mu.Unlock()
	return Result{Plan: w.Plan, Violations: w.found, Counts: w.counts, Healed: w.healed, Virtual: time.Since(w.began), Story: w.story}
}

// Summary is one line about a result.
func (r Result) Summary() string {
	var worst time.Duration
	for _, h := range r.Healed {
		worst = max(worst, h)
	}
	kinds := map[string]bool{}
	acts := 0
	for k, n := range r.Counts {
		if f, ok := strings.CutPrefix(k, "fault "); ok {
			kinds[f] = true
		}
		for _, d := range deeds {
			if d.kind == k {
				acts += n
			}
		}
	}
	return fmt.Sprintf("%d acts, %d kinds of faults, %d liars, agreed within %v, %v virtual", acts, len(kinds), len(r.Plan.Lies), worst.Round(100*time.Millisecond), r.Virtual.Round(time.Second))
}
