package target

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/meshd/meshd/lang/ast"
)

// budget is the memory of a request, and budgetTime the time after which Step ends
// the work.
const (
	budget     = 512 << 20
	budgetTime = 20 * time.Second
	budgetSeed = "MESHD_TEST_BUDGET_SEED"
)

// limitMemory makes the kernel refuse this process more than the budget beyond what
// it has mapped now: what needs more dies of it, whatever the collector would have
// freed later. It limits addresses, as not every kernel enforces RLIMIT_DATA.
func limitMemory(t testing.TB) {
	t.Helper()
	debug.SetMemoryLimit(budget / 4 * 3)
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.ParseUint(strings.Fields(string(raw))[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	most := pages*uint64(os.Getpagesize()) + budget
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
		t.Fatal(err)
	}
}

// within compiles as a server does, until the time of a request is over.
func within(source, id string) error {
	ctx, cancel := context.WithTimeout(context.Background(), budgetTime)
	defer cancel()
	req := onServer(id)
	req.Step = ctx.Err
	_, err := Compile(Load(nil, "main.holo", []byte(source), ast.Holo), req)
	var bad *SourceError
	var left *Unsupported
	switch {
	case err == nil, errors.As(err, &left), errors.Is(err, context.DeadlineExceeded):
		return nil
	case errors.As(err, &bad):
		if strings.Contains(err.Error(), "INT001") {
			return err
		}
		return nil
	}
	return err
}

// hostile is a random source within the length of a request that costs much.
func hostile(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	count := func() int { return []int{1, 3, 30, 300, 3_000, 20_000, 99_999, 100_001}[r.IntN(8)] }
	var node func(depth int) string
	property := func() string {
		n := []int{1, 10, 200, 3_000}[r.IntN(4)]
		switch r.IntN(12) {
		case 0:
			return "text: \"" + strings.Repeat(pick("W", "ü", "&", `\n`), n) + "\" "
		case 1:
			return fmt.Sprintf("note%d: [%s] ", r.IntN(9), strings.Repeat("1,", n))
		case 2:
			return fmt.Sprintf("note%d: 0..%d ", r.IntN(9), count())
		case 3:
			return "m: { k" + strconv.Itoa(r.IntN(99)) + ": 1 b: \"" + strings.Repeat("<", n) + "\" } "
		case 4:
			return strings.Repeat(pick("@clickable ", "@grabbable ", "@physics ", "@unheard(a: 1) ", "@animated "), min(n, 400))
		case 5:
			return "on_click: { " + strings.Repeat("state.n = state.n + 1; ", n) + "} "
		case 6:
			return "state { n: 0 list: [1, 2, 3] } "
		case 7:
			return "@collidable(shape: \"mesh\") @rigidbody "
		case 8:
			return "scale: [1, i + 1, 2] position: [i, 0, 0] "
		case 9:
			return "animation { property: \"position\" from: [0, 0, 0] to: [1, i, 1] duration: 2s loop: true } "
		case 10:
			return fmt.Sprintf("color: \"#%06x\" roughness: i / 7 ", r.IntN(1<<24))
		}
		return "label: \"" + strings.Repeat("x", n) + "${i}\" "
	}
	node = func(depth int) string {
		var b strings.Builder
		name := pick("a", "thing ${i}", strings.Repeat("n", 1+r.IntN(3_000)))
		quote := "\""
		if strings.Contains(name, "$") {
			quote = "`"
		}
		fmt.Fprintf(&b, "object %s%s%s { ", quote, name, quote)
		if r.IntN(3) > 0 {
			fmt.Fprintf(&b, "geometry: %q segments: %d radius: %s ", pick("sphere", "torus", "capsule", "cylinder", "box", "gear", "ring"), []int{3, 32, 256}[r.IntN(3)], pick("1", "i + 1", "i * 0.5 + 1"))
		}
		for range r.IntN(4) {
			b.WriteString(property())
		}
		if depth < 3 && r.IntN(3) == 0 {
			fmt.Fprintf(&b, "@for i in 0..%d { %s } ", []int{2, 10, 50}[r.IntN(3)], node(depth+1))
		}
		b.WriteString("}\n")
		return b.String()
	}
	var b strings.Builder
	b.WriteString("template \"T\" { state { n: 0 } " + property() + property() + "}\n")
	for range 1 + r.IntN(3) {
		body := node(0)
		switch r.IntN(4) {
		case 0:
			body = "object \"x\" using \"T\" { " + property() + "}\n"
		case 1:
			body += pick("foo \"x\" { a: 1 }\n", "button \"b\" { label: \"x\" }\n", "state { s: 1 }\n")
		}
		fmt.Fprintf(&b, "@for i in 0..%d { %s}\n", count(), body)
	}
	text := b.String()
	return text[:min(len(text), 262_144)]
}

// TestRequestsStayInTheirBudget compiles random sources and those that are known to
// be dear in a process that the kernel gives no more than 512 MiB, each until its
// time is over. A process that dies says which source it was at.
func TestRequestsStayInTheirBudget(t *testing.T) {
	if text := os.Getenv(budgetSeed); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		limitMemory(t)
		r := rand.New(rand.NewPCG(seed, 1))
		ids := IDs()
		sources := make([]string, 0, 40)
		for _, c := range dear {
			sources = append(sources, c.source)
		}
		for range 16 {
			sources = append(sources, hostile(r))
		}
		for i, source := range sources {
			id := ids[r.IntN(len(ids))]
			fmt.Fprintf(os.Stderr, "at source %d to %s: %.300s\n", i, id, source)
			if err := within(source, id); err != nil {
				t.Fatal(err)
			}
			runtime.GC()
		}
		return
	}
	seed := strconv.FormatUint(rand.Uint64(), 10)
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRequestsStayInTheirBudget$")
	child.Env = append(os.Environ(), budgetSeed+"="+seed)
	out, err := child.CombinedOutput()
	if err != nil {
		at := string(out)
		if i := strings.LastIndex(at, "at source "); i >= 0 {
			at = at[i:]
		}
		t.Fatalf("%s=%s: %v\n%.3000s", budgetSeed, seed, err, at)
	}
}

// TestTheBudgetIsHard: the limit of the test above kills what goes over it.
func TestTheBudgetIsHard(t *testing.T) {
	const over = "MESHD_TEST_OVER_BUDGET"
	if os.Getenv(over) != "" {
		limitMemory(t)
		b := make([]byte, budget+1<<20)
		for i := range b {
			b[i] = 1
		}
		fmt.Println(len(b))
		return
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTheBudgetIsHard$")
	child.Env = append(os.Environ(), over+"=1")
	if out, err := child.CombinedOutput(); err == nil || !strings.Contains(string(out), "out of memory") {
		t.Errorf("%v %.300s", err, out)
	}
}

// FuzzBudget compiles any text to any target. Under go test -fuzz each worker has
// the memory of one request and dies of more.
func FuzzBudget(f *testing.F) {
	worker := flag.Lookup("test.fuzzworker")
	var limited sync.Once // when the worker has mapped what it shares
	r := rand.New(rand.NewPCG(7, 7))
	f.Add(uint8(0), `object "a" { geometry: "sphere" segments: 256 }`)
	f.Add(uint8(5), `@for i in 0..100001 { object "a" { note: 0..1000 } }`)
	f.Add(uint8(9), `@for i in 0..20000 { object "a" { geometry: "torus" segments: 256 radius: i + 1 text: "W" } }`)
	for i := range 3 {
		f.Add(uint8(i*11), hostile(r))
	}
	ids := IDs()
	f.Fuzz(func(t *testing.T, target uint8, source string) {
		if worker != nil && worker.Value.String() == "true" {
			limited.Do(func() { limitMemory(t) })
		}
		if len(source) > 262_144 {
			return
		}
		if err := within(source, ids[int(target)%len(ids)]); err != nil {
			t.Fatal(err)
		}
	})
}
