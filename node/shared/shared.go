// Package shared is what gateways share that sign for the same agents: acting keys, the
// turn to sign with one, and what was signed.
//
// Two processes that have one key must never sign two changes for one place of a
// chain. So a process signs in a turn alone: it has everything that was signed with
// the key before, nobody else signs with it meanwhile, and what it signs is recorded
// in the [Book] before it is kept, shown or sent anywhere. A process whose turn was
// taken away cannot record, and what is not recorded it throws away.
package shared

import (
	"context"
	"errors"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// ErrOpen: whether a Record took effect is not known. Who met it has to look at the heads
// of the next turn.
var ErrOpen = errors.New("whether the changes were recorded is not known")

// Key is an acting key in a book.
type Key struct {
	Place  int64 // in the order in which keys were added
	Name   string
	Public did.Key
}

// Secret is what signs: the seed of an Ed25519 key and, where the key has one, that of its
// ML-DSA-65 half.
type Secret struct {
	Seed   [32]byte
	Second *[32]byte
}

// Head is where a chain of a key ends.
type Head struct {
	Chain change.Chain
	Seq   uint64
	ID    change.ID
}

// Signed is a change that was signed in a turn.
type Signed struct {
	Place  int64 // in the order of the book; later turns have greater ones
	Change *change.Change
	Mark   string // of the request that it answers, or ""
}

// Turn is the right to sign with one key. It is used by one goroutine, and ends with
// the function that it was given to.
type Turn interface {
	// Heads are the ends of the chains of the key.
	Heads() []Head
	// Stay extends the turn, and reports that it is lost.
	Stay(ctx context.Context) error
	// Record writes down what was signed and ends the turn: all of it, or with an error
	// none. An error that is ErrOpen leaves open which.
	Record(ctx context.Context, signed []Signed) error
}

// Book is where processes share keys. It is safe for concurrent use, by many processes.
type Book interface {
	// Keys are the keys added after a place, in order.
	Keys(ctx context.Context, after int64) ([]Key, error)
	// Secret opens the secret of a key; ok is false when there is no such key.
	Secret(ctx context.Context, k did.Key) (s Secret, ok bool, err error)
	// AddKey seals a key, with the ends of the chains that were signed with it so far. One
	// that is there already stays as it is.
	AddKey(ctx context.Context, name string, k did.Key, s Secret, heads []Head) error
	// DropKey forgets a key with which nothing was signed; any other stays.
	DropKey(ctx context.Context, k did.Key) error
	// Turn calls sign when it is this process's turn to sign with a key. It waits for
	// whoever has the turn, but for one that does not move at most a second.
	Turn(ctx context.Context, k did.Key, sign func(Turn) error) error
	// After are recorded changes after a place, in order, of the keys of every process.
	After(ctx context.Context, place int64, most int) ([]Signed, error)
	// Chain are the recorded changes of a chain beyond a place in it, in order.
	Chain(ctx context.Context, c change.Chain, beyond uint64, most int) ([]*change.Change, error)
	// Marked is the change that a mark was recorded with.
	Marked(ctx context.Context, mark string) (id change.ID, ok bool, err error)
}

// Keeper is a Book that names one of its processes, which does for all what has to be done
// once. When that one ends, another is named.
type Keeper interface {
	// Keeps reports whether it is this process now.
	Keeps(ctx context.Context) bool
}
