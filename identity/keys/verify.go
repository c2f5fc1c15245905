package keys

import (
	"github.com/hdevalence/ed25519consensus"

	"github.com/meshd/meshd/identity/did"
)

// Verify reports whether sig is key's signature of msg by the ZIP-215 rules
// (cofactored equation, S below the group order, any encoding of R). A key that
// fails Key.Check, or a sig that has not 64 bytes, is refused before. Verify
// retains nothing and is safe for concurrent use.
func Verify(key did.Key, msg, sig []byte) bool {
	return len(sig) == SignatureSize && key.Check() == nil &&
		ed25519consensus.Verify(key.Public(), msg, sig)
}

// Batch verifies many signatures at about half the price of one by one. Its
// answer is that of Verify for all of them together: the batch equation is the
// cofactored one, weighted by random numbers from crypto/rand, so a bad
// signature slips through with probability 2^-128 and a good one never fails.
// That is the one use of randomness in this package, and no answer depends on it.
//
// The zero Batch is ready. It is best used with many signatures; it collects 64
// at most, verifying as it fills, and may be reused after Verify. It is not
// safe for concurrent use.
type Batch struct {
	Pause   func() // called each time it was full and has verified; nil for nothing
	pending ed25519consensus.BatchVerifier
	count   int
	bad     bool
	checked map[did.Key]bool // keys that passed or failed Key.Check, since authors repeat
}

// Add puts one signature in the batch. It copies what it needs.
func (b *Batch) Add(key did.Key, msg, sig []byte) {
	if b.bad {
		return
	}
	if len(sig) != SignatureSize || !b.sound(key) {
		b.bad = true
		return
	}
	b.pending.Add(key.Public(), msg, sig)
	if b.count++; b.count == maxPending {
		b.flush()
		if b.Pause != nil {
			b.Pause()
		}
	}
}

// Verify reports whether every signature added since the last Verify is good,
// and empties the batch. An empty batch is good. On false the caller asks Verify
// for each one to learn which is bad.
func (b *Batch) Verify() bool {
	b.flush()
	good := !b.bad
	b.bad, b.checked = false, nil
	return good
}

func (b *Batch) flush() {
	if b.count > 0 && !b.bad && !b.pending.Verify() {
		b.bad = true
	}
	b.pending = ed25519consensus.NewBatchVerifier()
	b.count = 0
	clear(b.checked) // bounded like the signatures are
}

func (b *Batch) sound(key did.Key) bool {
	good, known := b.checked[key]
	if known {
		return good
	}
	if b.checked == nil {
		b.checked = make(map[did.Key]bool)
	}
	good = key.Check() == nil
	b.checked[key] = good
	return good
}
