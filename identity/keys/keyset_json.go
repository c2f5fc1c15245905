package keys

import (
	"encoding/base64"
	"fmt"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
)

// keySetJSON is the text of a set.
type keySetJSON struct {
	Name     string           `json:"name"`
	Versions []keyVersionJSON `json:"versions"`
}

type keyVersionJSON struct {
	Seq  uint64      `json:"seq"`
	Ed   string      `json:"ed"` // did:key
	PQ   string      `json:"pq"` // unpadded base64url
	From int64       `json:"from"`
	Own  Signatures  `json:"own"`
	Prev *Signatures `json:"prev,omitempty"`
}

// Encode writes the set as canonical JSON (RFC 8785), about 12 kB a version.
func (s *KeySet) Encode() ([]byte, error) {
	text := keySetJSON{Name: s.name, Versions: []keyVersionJSON{}}
	for i, v := range s.versions {
		j := keyVersionJSON{v.Seq, v.Key.Key.String(), base64.RawURLEncoding.EncodeToString(v.Key.PQ), v.From, v.own, nil}
		if i > 0 {
			j.Prev = &v.prev
		}
		text.Versions = append(text.Versions, j)
	}
	return jcs.Marshal(text)
}

// ParseKeySet reads a set of at most MaxKeySet bytes and checks all of it: form,
// numbers, order, both signatures of each version. Its errors wrap ErrKeySet. A
// parsed set is sound in itself; that it is the one meant is for Name and
// Continues to say. It takes about a millisecond a version.
func ParseKeySet(data []byte) (*KeySet, error) {
	var text keySetJSON
	if err := jcs.Unmarshal(data, MaxKeySet, &text); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKeySet, err)
	}
	if err := checkSetName(text.Name); err != nil {
		return nil, err
	}
	if len(text.Versions) == 0 || len(text.Versions) > MaxKeyVersions {
		return nil, fmt.Errorf("%w: %d versions, want 1 to %d", ErrKeySet, len(text.Versions), MaxKeyVersions)
	}
	s := &KeySet{name: text.Name}
	for i, j := range text.Versions {
		if (j.Prev == nil) != (i == 0) {
			return nil, fmt.Errorf("%w: version %d: every one but the first has a signature of the one before", ErrKeySet, i+1)
		}
		v := KeyVersion{Seq: j.Seq, From: j.From, own: j.Own}
		var err error
		if v.Key.Key, err = did.ParseKey(j.Ed); err != nil {
			return nil, fmt.Errorf("%w: version %d: %w", ErrKeySet, i+1, err)
		}
		if v.Key.PQ, err = rawURL(j.PQ, PQKeySize); err != nil {
			return nil, fmt.Errorf("%w: version %d: ML-DSA-65 key: %w", ErrKeySet, i+1, err)
		}
		if j.Prev != nil {
			v.prev = *j.Prev
		}
		if err := v.check(s.name, s.versions); err != nil {
			return nil, err
		}
		s.versions = append(s.versions, v)
	}
	return s, nil
}
