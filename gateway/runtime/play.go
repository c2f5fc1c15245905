package runtime

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/scene"
	"github.com/meshd/meshd/identity/attest"
	"github.com/meshd/meshd/lang/run"
)

// Outcome is what running a play again came to.
type Outcome string

// The outcomes.
const (
	Proven   Outcome = "proven"    // it ends as claimed
	Refuted  Outcome = "refuted"   // it ends otherwise
	TooLarge Outcome = "too_large" // it has more program, input, ticks, work or state than is run here
)

// Replay runs the play of a claim again, at a bench like any hosted run: program is a
// source or a program/1 document, input has one line for each tick, which is empty
// or a list of events as a step of a hosted run takes them. why says what is not
// as claimed, or what was too large.
//
// It refuses with attestation_mismatch a program or input that is not the one the
// claim names, with source_invalid or validation_failed what cannot be run, and
// with overloaded when no bench is free.
func (s *Service) Replay(ctx context.Context, claim attest.Claim, program, input string) (o Outcome, why string, err error) {
	inputs, err := ticksOf(input)
	switch {
	case sha256.Sum256([]byte(program)) != claim.Program:
		return "", "", mismatch("the program is not the one that the claim names")
	case err == nil && attest.InputsRoot(inputs) != claim.Inputs:
		return "", "", mismatch("the input is not the one that the claim names")
	case err != nil:
		return TooLarge, err.Error(), nil
	case utf8.RuneCountInString(program) > scene.MaxCode:
		return TooLarge, "the program is longer than is run here", nil
	}
	r := new(replay)
	err = s.runs.work(ctx, &r.hostedRun, func() error { return claim.Check([]byte(program), inputs, r) })
	switch {
	case err == nil:
		return Proven, "", nil
	case errors.Is(err, attest.ErrMismatch):
		return Refuted, call.Clip(err.Error(), 200), nil
	case errors.Is(err, run.ErrLongValue):
		return TooLarge, run.ErrLongValue.Error(), nil
	case reason.Of(err) == reason.Timeout && ctx.Err() == nil:
		return TooLarge, "running it again takes longer than it may", nil
	}
	return "", "", err
}

func mismatch(text string) error { return reason.Refuse(reason.AttestationMismatch, "%s", text) }

var errPlayLarge = errors.New("the input is longer than is run here")

// ticksOf are the inputs of a play, a line each.
func ticksOf(input string) ([][]byte, error) {
	n := strings.Count(input, "\n")
	if !strings.HasSuffix(input, "\n") && input != "" {
		n++
	}
	if len(input) > MaxPlayInput || n > maxPlayTicks {
		return nil, errPlayLarge
	}
	out := make([][]byte, 0, n)
	for line := range strings.Lines(input) {
		out = append(out, []byte(strings.TrimSuffix(line, "\n")))
	}
	return out, nil
}

// replay is the Replayer of plays: a hosted run that nobody keeps.
type replay struct{ hostedRun }

// Replay runs a program from its first state. Errors are refusals.
func (r *replay) Replay(program []byte, inputs [][]byte, _, _ uint64) (state [sha256.Size]byte, steps uint64, err error) {
	asked := VMRunRequest{Format: "auto"}
	if strings.HasPrefix(strings.TrimSpace(string(program)), "{") {
		asked.Bytecode = program
	} else {
		asked.Code = call.Opt[string]{Value: string(program), Given: true}
	}
	compiled, err := programOf(asked, r.over)
	if err != nil {
		return state, 0, err
	}
	r.find = compiled.Owner
	m, err := run.New(compiled.Program, run.Options{Nodes: compiled.Nodes, Hosted: true, Interrupted: r.interrupted})
	if err != nil {
		return state, 0, scene.SourceFault(err)
	}
	m.Start()
	for _, line := range inputs {
		if len(line) > 0 {
			events, err := r.events(line)
			if err == nil && len(events) > maxStepEvents {
				err = call.Invalid(call.Fault("input", "has more than %d events in a tick", maxStepEvents))
			}
			if err != nil {
				return state, 0, err
			}
			for _, e := range events {
				m.Inject(e)
			}
		}
		m.Step()
		if err := r.over(); err != nil {
			return state, 0, err
		}
	}
	if m.Stopped() { // for want of memory that has come back since
		return state, 0, reason.Refuse(reason.Overloaded, "there is not enough memory for this now; try again").With(map[string]any{"retry_after": 2})
	}
	state, err = m.StateHash(func(int) error { return r.over() })
	return state, uint64(m.Steps()), err
}
