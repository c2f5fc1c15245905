package world

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/meshd/meshd/p2p/simnet"
)

// Spec says which world to run. Its text (String, ParseSpec) is one line from which
// anybody runs the same world again.
type Spec struct {
	Seed  uint64
	Nodes int           // honest ones, 2 at least
	Span  time.Duration // virtual, of all rounds together, without the healing
	Liars int

	// What a shrunk world leaves out of the plan that the fields above make.
	Off    []int // machines
	Faults []int // the only ones that happen; nil: all
	Thin   int   // only every so manyth act is done; 0 or 1: all
	Rounds int   // only the first so many rounds are run; 0: all
}

// String is the line that runs the world again.
func (s Spec) String() string {
	out := fmt.Sprintf("%d/nodes=%d/span=%v/liars=%d", s.Seed, s.Nodes, s.Span, s.Liars)
	if len(s.Off) > 0 {
		out += "/off=" + join(s.Off)
	}
	if s.Faults != nil {
		out += "/faults=" + join(s.Faults)
	}
	if s.Thin > 1 {
		out += fmt.Sprintf("/thin=%d", s.Thin)
	}
	if s.Rounds > 0 {
		out += fmt.Sprintf("/rounds=%d", s.Rounds)
	}
	return out
}

func join(ns []int) string {
	var out []string
	for _, n := range ns {
		out = append(out, strconv.Itoa(n))
	}
	return strings.Join(out, ".")
}

func split(s string) (out []int, err error) {
	out = []int{}
	for _, f := range strings.Split(s, ".") {
		if f == "" {
			continue
		}
		n, err := strconv.Atoi(f)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// ParseSpec reads the text of a Spec. A bare number is a seed of the small
// everyday world.
func ParseSpec(text string) (Spec, error) {
	fields := strings.Split(text, "/")
	s := Everyday
	var err error
	if s.Seed, err = strconv.ParseUint(fields[0], 10, 64); err != nil {
		return s, fmt.Errorf("seed %q: not a number", fields[0])
	}
	for _, f := range fields[1:] {
		name, value, _ := strings.Cut(f, "=")
		switch name {
		case "nodes":
			s.Nodes, err = strconv.Atoi(value)
		case "span":
			s.Span, err = time.ParseDuration(value)
		case "liars":
			s.Liars, err = strconv.Atoi(value)
		case "off":
			s.Off, err = split(value)
		case "faults":
			s.Faults, err = split(value)
		case "thin":
			s.Thin, err = strconv.Atoi(value)
		case "rounds":
			s.Rounds, err = strconv.Atoi(value)
		default:
			err = errors.New("no such field")
		}
		if err != nil {
			return s, fmt.Errorf("%q: %w", f, err)
		}
	}
	if s.Nodes < 2 || s.Nodes > 200 || s.Span < time.Second || s.Liars < 0 {
		return s, fmt.Errorf("%s: a world has 2 to 200 nodes and runs for a second at least", text)
	}
	return s, nil
}

// Everyday is the world that runs with the other tests, Full the one that the
// nightly run and the figures are made of.
var (
	Everyday = Spec{Nodes: 5, Span: time.Minute, Liars: 1}
	Full     = Spec{Nodes: 20, Span: 5 * time.Minute, Liars: 1}
)

// round is how long writers and faults go on before all faults end and every node
// is checked.
const round = 75 * time.Second

// Plan is everything that will be done to a world and in it. It follows from its
// Spec alone.
type Plan struct {
	Spec
	Gossip  bool
	Latency time.Duration // the longest, one way
	Loss    float64
	Late    map[int]int           // machines that join only in that round
	Clocks  map[int]time.Duration // by how much clocks are ahead from the start, until the first healing
	Acts    []Act
	Broken  []Fault
	Lies    []Lie
	// Settle is how long the world waits after agreement before it is checked.
	Settle time.Duration
	length time.Duration // of a round
	rounds int
}

// Act is something that an honest person does at a machine.
type Act struct {
	At      time.Duration // since the beginning, healing not counted
	Machine int
	Kind    string
	N       uint64 // what else it takes
}

// Fault is something that breaks, and is mended after For.
type Fault struct {
	Number int // among all of the plan, for Spec.Faults
	At     time.Duration
	For    time.Duration
	Kind   string
	On     []int // machines
	N      uint64
}

func (f Fault) String() string {
	return fmt.Sprintf("#%d %v %s %v for %v", f.Number, f.At.Round(100*time.Millisecond), f.Kind, f.On, f.For.Round(100*time.Millisecond))
}

// Lie is what one liar does all the time.
type Lie struct {
	Kind string
	N    uint64
}

// NewPlan draws the plan of a spec and leaves out what the spec leaves out.
func NewPlan(s Spec) Plan {
	p := Plan{Spec: s, Late: map[int]int{}}
	p.rounds = max(2, int(s.Span/round)) // stores are damaged from the second on
	p.length = s.Span / time.Duration(p.rounds)
	rng := simnet.Rand(s.Seed, "world")
	p.Gossip = rng.IntN(5) > 0
	p.Latency = time.Duration(40+rng.IntN(160)) * time.Millisecond
	if rng.IntN(2) == 0 {
		p.Loss = 0.01
	}
	for i := 2; i < s.Nodes; i++ {
		if r := rng.IntN(8); r == 0 && p.rounds > 1 {
			p.Late[i] = 1 + rng.IntN(p.rounds-1)
		}
	}
	p.Acts = generate(s, p.rounds, p.length)
	p.Broken = nemesis(s, p.rounds, p.length)
	for i := range s.Liars {
		r := simnet.Rand(s.Seed, fmt.Sprintf("lie/%d", i))
		p.Lies = append(p.Lies, Lie{Kind: lies[r.IntN(len(lies))], N: r.Uint64()})
	}
	off := func(i int) bool { return slices.Contains(s.Off, i) }
	acts := p.Acts[:0]
	for i, a := range p.Acts {
		if !off(a.Machine) && (s.Thin < 2 || i%s.Thin == 0) {
			acts = append(acts, a)
		}
	}
	p.Acts = acts
	broken := p.Broken[:0]
	for _, f := range p.Broken {
		f.On = slices.DeleteFunc(f.On, off)
		// What a newcomer has written is nowhere else yet.
		fresh := len(f.On) > 0 && slices.Contains(atTheStart, f.Kind) && p.Late[f.On[0]] == int(f.At/p.length)
		if len(f.On) > 0 && !fresh && (s.Faults == nil || slices.Contains(s.Faults, f.Number)) {
			broken = append(broken, f)
		}
	}
	p.Broken = broken
	if s.Rounds > 0 {
		p.rounds = min(p.rounds, s.Rounds)
	}
	return p
}
