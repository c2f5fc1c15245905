package core

import (
	"sync"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/view"
)

// maxSignatures is how many verdicts on signatures are remembered, 100 bytes each.
const maxSignatures = 1 << 14

// Signatures are verdicts on those of entries that were shown. A signature is no part
// of the id: anybody on the way can break that of a copy, and such a member is vouched
// for by what its author wrote after it (wire §3). The log has not verified it, and
// what a reader is shown as verifiable is.
type Signatures struct {
	mu    sync.Mutex
	sound map[change.ID]bool
}

// Of is the signature of a member for a reader to verify; Sig is zero when the copy
// of it that is here is broken.
func (s *Signatures) Of(rec crdtlog.Record) view.Signature {
	c := rec.Change
	out := view.Signature{Key: c.Head.Author, ID: c.ID}
	if rec.Own || s.verify(c) {
		out.Sig = c.Head.Sig
	}
	return out
}

func (s *Signatures) verify(c *change.Change) bool {
	s.mu.Lock()
	sound, known := s.sound[c.ID]
	s.mu.Unlock()
	if known {
		return sound
	}
	sound = keys.Verify(c.Head.Author, c.ID.Preimage(), c.Head.Sig[:])
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sound == nil || len(s.sound) >= maxSignatures {
		s.sound = map[change.ID]bool{}
	}
	s.sound[c.ID] = sound
	return sound
}
