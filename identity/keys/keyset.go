package keys

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/meshd/meshd/identity/jcs"
)

// Grace is how long a key stays valid beside its successor, so that signers who
// have not received a rotation, and changes on their way, are not refused.
const Grace = 10 * time.Minute

// purposeKeySet is the hybrid purpose under which versions are signed. Nothing
// else may be.
const purposeKeySet = "keyset"

// KeySet is the history of the keys of one name, such as a service: versions
// numbered from 1, each a hybrid key, each signed by itself and by the one before
// it. The roots of a network have none: they are bare Ed25519 keys in its
// genesis. It is immutable and safe for concurrent use; Rotate makes the next one.
//
// A verifier picks the key by a position in the log, never by the time at which
// it checks, so its answer stays the same for ever.
//
// A set cannot say which of two continuations is the right one: the
// holder of an old secret can make another. Whoever keeps sets takes a newer one
// only when it Continues the one kept, and in a network the log orders them.
type KeySet struct {
	name     string
	versions []KeyVersion
}

// KeyVersion is one key of a set.
type KeyVersion struct {
	Seq  uint64 // 1, 2, 3…
	Key  HybridKey
	From int64 // first position at which it signs, in ms since 1970

	own, prev Signatures        // by this key and by the one before; prev is zero in the first
	digest    [sha256.Size]byte // of the statement
}

// NewKeySet makes the set of one key that signs from a position in ms since
// 1970. The name, 1 to MaxKeySetName bytes of visible ASCII, says whose keys
// these are; it is signed, so a set cannot pass for one of another name.
func NewKeySet(name string, first *HybridSigner, from int64) (*KeySet, error) {
	if err := checkSetName(name); err != nil {
		return nil, err
	}
	v := KeyVersion{Seq: 1, Key: first.Key(), From: from}
	if err := v.sign(name, nil, first, nil); err != nil {
		return nil, err
	}
	if err := v.check(name, nil); err != nil {
		return nil, err
	}
	return &KeySet{name: name, versions: []KeyVersion{v}}, nil
}

// Rotate returns the set with one more key, which signs from the position from
// on; now must be the newest key of the set. The old one stays valid until
// from + Grace. Two rotations are at least Grace apart, so that never more than
// two keys are valid; ErrKeySet says what does not fit.
func (s *KeySet) Rotate(now, next *HybridSigner, from int64) (*KeySet, error) {
	last := s.versions[len(s.versions)-1]
	if !now.Key().Equal(last.Key) {
		return nil, fmt.Errorf("%w: only the newest key signs its successor", ErrKeySet)
	}
	v := KeyVersion{Seq: last.Seq + 1, Key: next.Key(), From: from}
	if err := v.sign(s.name, s.versions, next, now); err != nil {
		return nil, err
	}
	if err := v.check(s.name, s.versions); err != nil {
		return nil, err
	}
	return &KeySet{name: s.name, versions: append(s.versions[:len(s.versions):len(s.versions)], v)}, nil
}

// Name says whose keys these are.
func (s *KeySet) Name() string { return s.name }

// Seq is the number of the newest version.
func (s *KeySet) Seq() uint64 { return s.versions[len(s.versions)-1].Seq }

// At is the key that signs at a position: the newest that has begun. ok is false
// before the first.
func (s *KeySet) At(ms int64) (_ KeyVersion, ok bool) {
	for i := len(s.versions) - 1; i >= 0; i-- {
		if s.versions[i].From <= ms {
			return s.versions[i].clone(), true
		}
	}
	return KeyVersion{}, false
}

// ValidAt are the keys whose signatures count at a position, the newest first:
// none, one, or two during the Grace after a rotation.
func (s *KeySet) ValidAt(ms int64) []KeyVersion {
	var valid []KeyVersion
	for i := len(s.versions) - 1; i >= 0; i-- {
		if s.validAt(i, ms) {
			valid = append(valid, s.versions[i].clone())
		}
	}
	return valid
}

func (s *KeySet) validAt(i int, ms int64) bool {
	if ms < s.versions[i].From {
		return false
	}
	return i+1 == len(s.versions) || ms < s.versions[i+1].From+Grace.Milliseconds()
}

// Verify returns nil when sigs are those of a key of the set over payload, for
// this purpose, and that key is valid at the position ms.
//
// It returns ErrKeyUnknown when the set has no such key: a caller may fetch a
// newer set and try again. ErrKeyTime and ErrSignature are final.
func (s *KeySet) Verify(ms int64, purpose string, payload []byte, sigs Signatures) error {
	for i, v := range s.versions {
		if v.Key.ID() != sigs.Key {
			continue
		}
		if !s.validAt(i, ms) {
			return fmt.Errorf("%w: version %d at %d", ErrKeyTime, v.Seq, ms)
		}
		return sigs.check(v.Key, purpose, payload)
	}
	return fmt.Errorf("%w: %.43q", ErrKeyUnknown, string(sigs.Key))
}

// Continues returns nil when s is known or a continuation of it: the same name,
// the same versions, and more. Otherwise it is ErrRollback, for an older set as
// for a fork.
func (s *KeySet) Continues(known *KeySet) error {
	if s.name != known.name || len(s.versions) < len(known.versions) {
		return fmt.Errorf("%w: %d versions after %d", ErrRollback, len(s.versions), len(known.versions))
	}
	n := len(known.versions)
	if s.versions[n-1].digest != known.versions[n-1].digest {
		return fmt.Errorf("%w: another history", ErrRollback)
	}
	return nil
}

// statement is what both keys sign: the version and the hash of the statement
// before it, so that the last one covers the whole history.
func (v KeyVersion) statement(name string, before []KeyVersion) ([]byte, error) {
	var prev [sha256.Size]byte
	if n := len(before); n > 0 {
		prev = before[n-1].digest
	}
	return jcs.Marshal(struct {
		Name string `json:"name"`
		Ed   string `json:"ed"`
		PQ   string `json:"pq"`
		From int64  `json:"from"`
		Prev string `json:"prev"`
		Seq  uint64 `json:"seq"`
	}{name, v.Key.Key.String(), base64.RawURLEncoding.EncodeToString(v.Key.PQ), v.From, hex.EncodeToString(prev[:]), v.Seq})
}

func (v *KeyVersion) sign(name string, before []KeyVersion, own, prev *HybridSigner) error {
	statement, err := v.statement(name, before)
	if err != nil {
		return err
	}
	v.digest = sha256.Sum256(statement)
	if v.own, err = own.SignEnvelope(purposeKeySet, statement); err != nil {
		return err
	}
	if prev != nil {
		v.prev, err = prev.SignEnvelope(purposeKeySet, statement)
	}
	return err
}

// check judges a version after those before it, which are sound.
// It sets the digest.
func (v *KeyVersion) check(name string, before []KeyVersion) error {
	n := len(before)
	if n >= MaxKeyVersions {
		return fmt.Errorf("%w: more than %d versions", ErrKeySet, MaxKeyVersions)
	}
	if v.Seq != uint64(n)+1 {
		return fmt.Errorf("%w: version %d stands at place %d", ErrKeySet, v.Seq, n+1)
	}
	if v.From < 0 || v.From > maxPosition {
		return fmt.Errorf("%w: version %d begins at %d ms", ErrKeySet, v.Seq, v.From)
	}
	if err := v.Key.Key.Check(); err != nil || len(v.Key.PQ) != PQKeySize {
		return fmt.Errorf("%w: version %d has no sound key", ErrKeySet, v.Seq)
	}
	for _, old := range before { // a half that comes back would let an old secret sign for a new key
		if old.Key.Key == v.Key.Key || string(old.Key.PQ) == string(v.Key.PQ) {
			return fmt.Errorf("%w: version %d uses a key of version %d again", ErrKeySet, v.Seq, old.Seq)
		}
	}
	statement, err := v.statement(name, before)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrKeySet, err)
	}
	v.digest = sha256.Sum256(statement)
	if err := v.own.check(v.Key, purposeKeySet, statement); err != nil {
		return fmt.Errorf("%w: version %d does not sign itself: %w", ErrKeySet, v.Seq, err)
	}
	if n == 0 {
		return nil
	}
	last := before[n-1]
	if v.From-last.From < Grace.Milliseconds() {
		return fmt.Errorf("%w: versions %d and %d are less than %v apart", ErrKeySet, last.Seq, v.Seq, Grace)
	}
	if err := v.prev.check(last.Key, purposeKeySet, statement); err != nil {
		return fmt.Errorf("%w: version %d is not signed by the one before: %w", ErrKeySet, v.Seq, err)
	}
	return nil
}

func (v KeyVersion) clone() KeyVersion {
	v.Key.PQ = append([]byte(nil), v.Key.PQ...)
	return v
}

func checkSetName(name string) error {
	if len(name) == 0 || len(name) > MaxKeySetName {
		return fmt.Errorf("%w: name of %d bytes, want 1 to %d", ErrKeySet, len(name), MaxKeySetName)
	}
	for _, c := range []byte(name) {
		if c <= ' ' || c > '~' {
			return fmt.Errorf("%w: name has a character that is not visible ASCII", ErrKeySet)
		}
	}
	return nil
}
