package attest

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/identity/attest/merkle"
)

// automaton is a cellular automaton on a ring of 64 cells. The program is the
// number of its rule (Wolfram's), each input is XORed into the cells before a
// tick, and a step is a cell that changed. It is small, deterministic and hard
// to foretell without running it.
type automaton struct{ budget uint64 }

var errBudget = errors.New("out of steps")

func (a automaton) Replay(program []byte, inputs [][]byte, from, to uint64) ([sha256.Size]byte, uint64, error) {
	if len(program) != 1 {
		return [sha256.Size]byte{}, 0, errors.New("not a rule")
	}
	rule, cells, steps := program[0], from^1<<32, uint64(0)
	for tick := range to - from {
		for i, b := range inputs[tick] {
			cells ^= uint64(b) << (8 * (i % 8))
		}
		var next uint64
		for i := range 64 {
			neighbours := cells>>((i+63)%64)&1<<2 | cells>>i&1<<1 | cells>>((i+1)%64)&1
			bit := uint64(rule) >> neighbours & 1
			next |= bit << i
			if bit != cells>>i&1 {
				steps++
			}
		}
		if cells = next; steps > a.budget {
			return [sha256.Size]byte{}, 0, errBudget
		}
	}
	return sha256.Sum256(binary.BigEndian.AppendUint64(nil, cells)), steps, nil
}

var (
	rule110 = []byte{110}
	large   = automaton{1 << 40}
)

func inputs(n int) [][]byte {
	out := make([][]byte, n)
	for i := range out {
		out[i] = []byte{byte(i), byte(i * i)}
	}
	return out
}

// played is an honest play of n ticks from tick 7.
func played(t testing.TB, n int) Play {
	t.Helper()
	state, steps, err := large.Replay(rule110, inputs(n), 7, 7+uint64(n))
	if err != nil {
		t.Fatal(err)
	}
	return Play{
		Claim: Claim{sha256.Sum256(rule110), InputsRoot(inputs(n)), state, steps},
		Run:   "run-1", From: 7, To: 7 + uint64(n),
	}
}

func TestPlay(t *testing.T) {
	t.Parallel()
	e, err := SignPlay(played(t, 50), signer(1))
	if err != nil {
		t.Fatal(err)
	}
	text, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if e, err = ParseEnvelope(text); err != nil {
		t.Fatal(err)
	}
	p, err := OpenPlay(e)
	if err != nil || p.Player != signer(1).Key() || p.Run != "run-1" || p.From != 7 || p.To != 57 {
		t.Fatalf("%+v, %v", p, err)
	}
	if err := p.Check(rule110, inputs(50), large); err != nil {
		t.Errorf("an honest play: %v", err)
	}
	changed := inputs(50)
	changed[20] = []byte{9}
	swapped := inputs(50)
	swapped[3], swapped[4] = swapped[4], swapped[3]
	cases := map[string]struct {
		edit    func(*Play)
		program []byte
		inputs  [][]byte
		want    error
	}{
		"other program":   {func(*Play) {}, []byte{30}, inputs(50), ErrMismatch},
		"other input":     {func(*Play) {}, rule110, changed, ErrMismatch},
		"inputs swapped":  {func(*Play) {}, rule110, swapped, ErrMismatch},
		"fewer inputs":    {func(*Play) {}, rule110, inputs(49), ErrMismatch},
		"false output":    {func(p *Play) { p.Output[0] ^= 1 }, rule110, inputs(50), ErrMismatch},
		"false steps":     {func(p *Play) { p.Steps++ }, rule110, inputs(50), ErrMismatch},
		"other ticks":     {func(p *Play) { p.From, p.To = 8, 58 }, rule110, inputs(50), ErrMismatch},
		"rule that is no": {func(p *Play) { p.Program = sha256.Sum256(nil) }, nil, inputs(50), nil},
	}
	for name, c := range cases {
		claimed := p
		c.edit(&claimed)
		err := claimed.Check(c.program, c.inputs, large)
		if c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if c.want == nil && (err == nil || errors.Is(err, ErrMismatch)) {
			t.Errorf("%s: a program that cannot run is not proof of anything: %v", name, err)
		}
	}
	if err := p.Check(rule110, inputs(50), automaton{10}); !errors.Is(err, errBudget) || errors.Is(err, ErrMismatch) {
		t.Errorf("a replayer that gives up: %v", err)
	}
}

// Whoever did not run the program cannot say how it ends.
func TestOnlyTheTrueClaimHolds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "ticks")
		program := []byte{rapid.Byte().Draw(t, "rule")}
		in := make([][]byte, n)
		for i := range in {
			in[i] = rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(t, "input")
		}
		state, steps, err := large.Replay(program, in, 0, uint64(n))
		if err != nil {
			t.Fatal(err)
		}
		c := Claim{sha256.Sum256(program), InputsRoot(in), state, steps}
		if err := c.Check(program, in, large); err != nil {
			t.Fatalf("the true claim: %v", err)
		}
		sig := c.Sign(signer(1))
		if !c.SignedBy(signer(1).Key(), sig[:]) {
			t.Fatal("the signature does not hold")
		}
		lie := c
		switch rapid.IntRange(0, 3).Draw(t, "lie") {
		case 0:
			lie.Program[rapid.IntRange(0, 31).Draw(t, "byte")] ^= 1
		case 1:
			lie.Inputs[rapid.IntRange(0, 31).Draw(t, "byte")] ^= 1
		case 2:
			lie.Output[rapid.IntRange(0, 31).Draw(t, "byte")] ^= 1
		case 3:
			lie.Steps += rapid.Uint64Range(1, 1<<60).Draw(t, "steps")
		}
		if err := lie.Check(program, in, large); !errors.Is(err, ErrMismatch) {
			t.Fatalf("a lie: %v", err)
		}
		if lie.SignedBy(signer(1).Key(), sig[:]) {
			t.Fatal("the signature holds for a lie")
		}
	})
}

func TestPlayHasLimits(t *testing.T) {
	t.Parallel()
	good := played(t, 2)
	cases := map[string]struct {
		edit func(*Play)
		ok   bool
	}{
		"as it is":         {func(*Play) {}, true},
		"longest run id":   {func(p *Play) { p.Run = strings.Repeat("r", MaxRunID) }, true},
		"longer run id":    {func(p *Play) { p.Run = strings.Repeat("r", MaxRunID+1) }, false},
		"no run id":        {func(p *Play) { p.Run = "" }, false},
		"run id of spaces": {func(p *Play) { p.Run = "a b" }, false},
		"backwards":        {func(p *Play) { p.From, p.To = 9, 7 }, false},
		"no ticks":         {func(p *Play) { p.From, p.To = 9, 9 }, true},
		"most ticks":       {func(p *Play) { p.From, p.To = 9, 9+MaxTicks }, true},
		"more ticks":       {func(p *Play) { p.From, p.To = 9, 10+MaxTicks }, false},
		"last tick":        {func(p *Play) { p.From, p.To = maxInteger, maxInteger }, true},
		"beyond JSON":      {func(p *Play) { p.From, p.To = maxInteger, maxInteger+1 }, false},
		"most steps":       {func(p *Play) { p.Steps = maxInteger }, true},
		"more steps":       {func(p *Play) { p.Steps = maxInteger + 1 }, false},
	}
	for name, c := range cases {
		p := good
		c.edit(&p)
		e, err := SignPlay(p, signer(1))
		if c.ok != (err == nil) || !c.ok && !errors.Is(err, ErrPlay) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !c.ok { // as a stranger would sign it
			if e, err = seal(subjectPlay, p.Program, PredicatePlay, playPredicate{
				signer(1).Key().String(), p.Run, p.From, p.To, p.Claim.Inputs, p.Output, p.Steps,
			}, signer(1)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := OpenPlay(e); c.ok != (err == nil) {
			t.Errorf("%s, opened: %v", name, err)
		}
	}
	if err := (Claim{}).Check(nil, make([][]byte, MaxTicks+1), large); !errors.Is(err, ErrPlay) {
		t.Errorf("a claim of too many ticks: %v", err)
	}
}

func TestOpenPlayRefuses(t *testing.T) {
	t.Parallel()
	p := played(t, 2)
	e, err := SignPlay(p, signer(1))
	if err != nil {
		t.Fatal(err)
	}
	stolen := Seal(e.PayloadType, e.Payload, signer(2))
	if _, err := OpenPlay(stolen); !errors.Is(err, ErrSignature) {
		t.Errorf("signed by another: %v", err)
	}
	code, err := SignCode(Code{Files: files("a")}, signer(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenPlay(code); !errors.Is(err, ErrStatement) {
		t.Errorf("an attestation of code: %v", err)
	}
	if _, err := OpenCode(e); !errors.Is(err, ErrStatement) {
		t.Errorf("a play as code: %v", err)
	}
	if p.Claim.Inputs != merkle.Root(inputs(2)) {
		t.Error("inputs have another root")
	}
}
