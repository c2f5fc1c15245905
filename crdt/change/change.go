// Package change is the unit of the log (wire §2-6): a signed head and the
// body it names by hash. It reads and writes bytes, derives ids, spaces, lanes
// and sets, and knows nothing of who may write what (package rules) or of what
// a body means (package body).
//
// Start with Decode for bytes that came from somewhere, and with Seal to make
// a change. Everything here is pure and safe for concurrent use.
package change

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

// Change is a decoded change. RawHead are the exact bytes of Head with the
// signatures this copy came with; Body is nil for a stub. It is immutable.
type Change struct {
	ID      ID
	Head    *Head
	RawHead []byte
	Body    []byte
}

// IsStub reports whether the body is not here.
func (c *Change) IsStub() bool { return c.Body == nil }

// Compare orders changes by (hlc, id), the order of everything (wire §4).
func (c *Change) Compare(o *Change) int {
	if c.Head.HLC != o.Head.HLC {
		if c.Head.HLC < o.Head.HLC {
			return -1
		}
		return 1
	}
	return c.ID.Compare(o.ID)
}

// Decode reads a change; body nil makes a stub. It keeps both slices. The
// refusal is bad_encoding, change_too_large, or blob_mismatch when the body is
// not the one that the head names; in that last case the Change is returned
// too, as a stub, since its head may still be good.
func Decode(head, body []byte) (*Change, error) {
	h, err := DecodeHead(head)
	if err != nil {
		return nil, err
	}
	c := &Change{ID: h.Digest(), Head: h, RawHead: head}
	if body == nil {
		return c, nil
	}
	if len(body) > MaxBody {
		return nil, reason.Refuse(reason.ChangeTooLarge, "body of %d bytes, limit %d", len(body), MaxBody)
	}
	if err := c.CheckBody(body); err != nil {
		return c, err
	}
	c.Body = body
	return c, nil
}

// CheckBody refuses a body that is not the one c's head names.
func (c *Change) CheckBody(body []byte) error {
	if len(body) != c.Head.Size || sha256.Sum256(body) != c.Head.BodyHash {
		return reason.Refuse(reason.BlobMismatch, "body does not match the hash or size in the head")
	}
	return nil
}

// Stub is c without its body.
func (c *Change) Stub() *Change {
	s := *c
	s.Body = nil
	return &s
}

// Preimage is what sig covers when the author has no second key:
// "mesh-change-v1\0" and the id.
func (id ID) Preimage() []byte { return append([]byte("mesh-change-v1\x00"), id[:]...) }

// Draft is a change before it is signed. Seal fills in the rest.
type Draft struct {
	Net   NetID
	Space Space
	Kind  string
	Body  []byte // canonical bytes of the kind's map
	HLC   uint64
	Seq   uint64
	Prev  ID
	Deps  []ID // any order; Seal sorts, and leaves out Prev, which is a parent already
	Proof []ID
}

// Seal signs d. It does not judge it: what rules refuse is refused at Check.
func Seal(d Draft, s keys.Signer) *Change {
	h := d.head(s.Key())
	id := h.Digest()
	h.Sig = s.Sign(id.Preimage())
	return &Change{ID: id, Head: h, RawHead: h.Encode(), Body: d.Body}
}

// HybridPurpose is the purpose a change's two signatures are made for.
const HybridPurpose = "change"

// SealHybrid signs a control change of an author whose key record names a
// post-quantum key: both signatures cover the hybrid message (wire §3).
func SealHybrid(d Draft, s *keys.HybridSigner) (*Change, error) {
	h := d.head(s.Key().Key)
	payload := h.Unsigned()
	var err error
	if h.Sig, h.Sig2, err = s.Sign(HybridPurpose, payload); err != nil {
		return nil, fmt.Errorf("seal change: %w", err)
	}
	return &Change{ID: sha256.Sum256(payload), Head: h, RawHead: h.Encode(), Body: d.Body}, nil
}

func (d Draft) head(author did.Key) *Head {
	deps := slices.DeleteFunc(slices.Clone(d.Deps), func(id ID) bool { return id == d.Prev })
	slices.SortFunc(deps, ID.Compare)
	return &Head{
		BodyHash: sha256.Sum256(d.Body), HLC: d.HLC, Net: d.Net, Seq: d.Seq, Deps: slices.Compact(deps), Kind: d.Kind,
		Prev: d.Prev, Size: len(d.Body), Proof: d.Proof, Space: d.Space, Author: author,
	}
}
