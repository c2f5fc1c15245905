package attest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/meshd/meshd/identity/attest/merkle"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

// Replayer runs a program again. It must be deterministic: the same program,
// inputs and ticks give the same state and steps on every machine and in every
// run, without clock, randomness or network.
//
// Replay starts program in its initial state at tick from, gives it inputs[i]
// before tick from+i, and returns the hash of the state after the last tick and
// the steps done. Its error says that the program cannot be run, which is
// neither proof nor disproof. It retains none of its arguments. The runtime of
// the source language is meant to be one; a Replayer that gives up after a
// budget of steps returns an error.
type Replayer interface {
	Replay(program []byte, inputs [][]byte, from, to uint64) (state [sha256.Size]byte, steps uint64, err error)
}

// Claim is what a play amounts to: this program, given these inputs, ends in
// this state after that many steps.
type Claim struct {
	Program [sha256.Size]byte // SHA-256 of the scene or skill
	Inputs  merkle.Hash       // root over the inputs, one a tick
	Output  [sha256.Size]byte // hash of the state, as the Replayer has it
	Steps   uint64
}

// InputsRoot is the root of inputs, one a tick in order; a tick without input
// has an empty one.
func InputsRoot(inputs [][]byte) merkle.Hash { return merkle.Root(inputs) }

// message is what signs a bare claim:
// "mesh-play-v1\0" ‖ program ‖ inputs ‖ output ‖ steps (64 bits, big-endian).
func (c Claim) message() []byte {
	b := append([]byte("mesh-play-v1\x00"), c.Program[:]...)
	b = append(b, c.Inputs[:]...)
	b = append(b, c.Output[:]...)
	return binary.BigEndian.AppendUint64(b, c.Steps)
}

// Sign signs a bare claim, as a request carries it.
func (c Claim) Sign(signer keys.Signer) [keys.SignatureSize]byte { return signer.Sign(c.message()) }

// SignedBy reports whether sig is the key's signature of the bare claim.
func (c Claim) SignedBy(key did.Key, sig []byte) bool { return keys.Verify(key, c.message(), sig) }

// Check replays the claim from tick 0, one tick for each input. Nil says that it
// is true. ErrMismatch says what is false in it, or that program or inputs are
// not those claimed; ErrPlay that they are too many. Any other error is the
// Replayer's: the claim could not be judged.
func (c Claim) Check(program []byte, inputs [][]byte, r Replayer) error {
	return c.replay(program, inputs, 0, uint64(len(inputs)), r)
}

func (c Claim) replay(program []byte, inputs [][]byte, from, to uint64, r Replayer) error {
	if err := checkTicks(from, to); err != nil {
		return err
	}
	if sum := sha256.Sum256(program); sum != c.Program {
		return fmt.Errorf("%w: program has hash %x", ErrMismatch, sum)
	}
	if uint64(len(inputs)) != to-from {
		return fmt.Errorf("%w: %d inputs for %d ticks", ErrMismatch, len(inputs), to-from)
	}
	if root := InputsRoot(inputs); root != c.Inputs {
		return fmt.Errorf("%w: inputs have root %x", ErrMismatch, root)
	}
	state, steps, err := r.Replay(program, inputs, from, to)
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	if state != c.Output {
		return fmt.Errorf("%w: replay ends in state %x", ErrMismatch, state)
	}
	if steps != c.Steps {
		return fmt.Errorf("%w: replay takes %d steps, claimed %d", ErrMismatch, steps, c.Steps)
	}
	return nil
}

func checkTicks(from, to uint64) error {
	if from > to || to-from > MaxTicks || to > maxInteger {
		return fmt.Errorf("%w: ticks %d to %d, at most %d of them", ErrPlay, from, to, MaxTicks)
	}
	return nil
}

// Play is a claim about the ticks From up to but not including To of a run, by
// the one who played it.
type Play struct {
	Claim
	Player   did.Key
	Run      string // its id: 1 to MaxRunID bytes of visible ASCII
	From, To uint64
}

// playPredicate is the predicate of PredicatePlay. The subject is the program.
type playPredicate struct {
	Player string `json:"player"`
	Run    string `json:"run"`
	From   uint64 `json:"from_tick"`
	To     uint64 `json:"to_tick"`
	Inputs hash   `json:"inputs_root"`
	Output hash   `json:"output_sha256"`
	Steps  uint64 `json:"steps"`
}

const subjectPlay = "program"

// maxInteger is the largest integer that every JSON reader represents exactly.
const maxInteger = 1<<53 - 1

// SignPlay attests a play as the signer, who becomes the player. It returns
// ErrPlay for a run id or numbers that cannot be.
func SignPlay(p Play, signer keys.Signer) (Envelope, error) {
	if err := p.check(); err != nil {
		return Envelope{}, err
	}
	return seal(subjectPlay, p.Program, PredicatePlay, playPredicate{
		signer.Key().String(), p.Run, p.From, p.To, p.Claim.Inputs, p.Output, p.Steps,
	}, signer)
}

// OpenPlay reads a proof of play and checks its form and the signature of the
// player it names: ErrStatement, ErrPlay or ErrSignature. What it claims is not
// known to be true before Check.
func OpenPlay(e Envelope) (Play, error) {
	var j playPredicate
	sum, err := open(e, subjectPlay, PredicatePlay, &j)
	if err != nil {
		return Play{}, err
	}
	player, err := signedBy(e, j.Player)
	if err != nil {
		return Play{}, err
	}
	p := Play{Claim{[sha256.Size]byte(sum), merkle.Hash(j.Inputs), [sha256.Size]byte(j.Output), j.Steps}, player, j.Run, j.From, j.To}
	return p, p.check()
}

func (p Play) check() error {
	if len(p.Run) == 0 || len(p.Run) > MaxRunID {
		return fmt.Errorf("%w: run id of %d bytes, want 1 to %d", ErrPlay, len(p.Run), MaxRunID)
	}
	for _, c := range []byte(p.Run) {
		if c <= ' ' || c > '~' {
			return fmt.Errorf("%w: run id has a character that is not visible ASCII", ErrPlay)
		}
	}
	if p.Steps > maxInteger {
		return fmt.Errorf("%w: %d steps", ErrPlay, p.Steps)
	}
	return checkTicks(p.From, p.To)
}

// Check replays the play; its answers are those of Claim.Check.
func (p Play) Check(program []byte, inputs [][]byte, r Replayer) error {
	return p.replay(program, inputs, p.From, p.To, r)
}
