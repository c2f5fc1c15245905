package change

import (
	"crypto/sha256"
	"slices"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
)

// Head is the signed part of a change. Decoded heads never change; their
// slices are shared and must not be written to.
type Head struct {
	BodyHash ID
	HLC      uint64 // milliseconds since 1970 × 1024 + counter
	Net      NetID
	Seq      uint64 // place in its chain, from 1
	Sig      [64]byte
	Deps     []ID // sorted, unique, without Prev
	Kind     string
	Prev     ID     // zero exactly when Seq is 1
	Sig2     []byte // ML-DSA-65, or nil
	Size     int    // bytes of the body
	Proof    []ID   // what lets the author write here; order matters
	Space    Space
	Author   did.Key
}

// Chain is the (author, space, lane) a head belongs to.
type Chain struct {
	Author did.Key
	Space  Space
	Lane   Lane
}

// Chain is the chain of h.
func (h *Head) Chain() Chain { return Chain{h.Author, h.Space, LaneOf(h.Kind)} }

// Millis is the wall-clock part of h's logical time, in ms since 1970.
func (h *Head) Millis() int64 { return int64(h.HLC >> 10) }

// Parents are the changes that h stands on by causality: Prev, unless it is the
// first of its chain, and Deps. The slice is new.
func (h *Head) Parents() []ID {
	if h.Seq == 1 {
		return slices.Clone(h.Deps)
	}
	return append([]ID{h.Prev}, h.Deps...)
}

// the 12 keys every head has; sig and sig2 stand beside them
const unsignedKeys = 12

// Encode returns the canonical bytes of h with its signatures.
func (h *Head) Encode() []byte { return h.append(h.room(), true) }

// Unsigned returns the canonical bytes without signatures: D of wire §3.
func (h *Head) Unsigned() []byte { return h.append(h.room(), false) }

// Digest returns the id: SHA-256 of Unsigned.
func (h *Head) Digest() ID {
	var most [1024]byte // on the stack, enough for all but heads of many deps
	return sha256.Sum256(h.append(most[:0], false))
}

// room is a buffer for the bytes of h.
func (h *Head) room() []byte {
	return make([]byte, 0, 512+len(h.Sig2)+32*(len(h.Deps)+len(h.Proof)))
}

func (h *Head) append(b []byte, signed bool) []byte {
	n := unsignedKeys
	if signed {
		n++
		if h.Sig2 != nil {
			n++
		}
	}
	b = cbor.AppendMap(b, n)
	b = cbor.AppendUint(cbor.AppendText(b, "v"), 1)
	b = cbor.AppendBytes(cbor.AppendText(b, "bh"), h.BodyHash[:])
	b = cbor.AppendUint(cbor.AppendText(b, "hlc"), h.HLC)
	b = cbor.AppendBytes(cbor.AppendText(b, "net"), h.Net[:])
	b = cbor.AppendUint(cbor.AppendText(b, "seq"), h.Seq)
	if signed {
		b = cbor.AppendBytes(cbor.AppendText(b, "sig"), h.Sig[:])
	}
	b = appendIDs(cbor.AppendText(b, "deps"), h.Deps)
	b = cbor.AppendText(cbor.AppendText(b, "kind"), h.Kind)
	b = cbor.AppendText(b, "prev")
	if h.Prev.IsZero() {
		b = cbor.AppendBytes(b, nil)
	} else {
		b = cbor.AppendBytes(b, h.Prev[:])
	}
	if signed && h.Sig2 != nil {
		b = cbor.AppendBytes(cbor.AppendText(b, "sig2"), h.Sig2)
	}
	b = cbor.AppendUint(cbor.AppendText(b, "size"), uint64(h.Size))
	b = appendIDs(cbor.AppendText(b, "proof"), h.Proof)
	b = cbor.AppendText(cbor.AppendText(b, "space"), string(h.Space))
	return cbor.AppendBytes(cbor.AppendText(b, "author"), h.Author[:])
}

func appendIDs(b []byte, ids []ID) []byte {
	b = cbor.AppendArray(b, len(ids))
	for _, id := range ids {
		b = cbor.AppendBytes(b, id[:])
	}
	return b
}

// DecodeHead reads a head and checks everything that needs nothing but its
// bytes: form, sizes and the rules of wire §3's table. The refusal is
// bad_encoding or change_too_large.
func DecodeHead(b []byte) (*Head, error) {
	if len(b) > MaxHead {
		return nil, reason.Refuse(reason.ChangeTooLarge, "head of %d bytes, limit %d", len(b), MaxHead)
	}
	h := new(Head)
	if err := h.decode(b); err != nil {
		return nil, reason.Refuse(reason.BadEncoding, "head: %v", err)
	}
	if h.Size > MaxBody {
		return nil, reason.Refuse(reason.ChangeTooLarge, "body of %d bytes, limit %d", h.Size, MaxBody)
	}
	return h, nil
}

func (h *Head) decode(b []byte) error {
	r := cbor.NewReader(b)
	n, err := r.Map()
	if err != nil {
		return err
	}
	keys := r.Keys()
	seen := 0
	for range n {
		k, err := keys.Next()
		if err != nil {
			return err
		}
		if err := h.field(r, k); err != nil {
			return keyError{k, err}
		}
		seen++
	}
	r.End()
	if err := r.Done(); err != nil {
		return err
	}
	// Keys come once each and every key is known, so the count shows whether
	// one is missing.
	if want := unsignedKeys + 1; seen != want && (seen != want+1 || h.Sig2 == nil) || seen == want && h.Sig2 != nil {
		return errMissingKey
	}
	return h.check()
}

func (h *Head) field(r *cbor.Reader, key string) (err error) {
	switch key {
	case "v":
		var v uint64
		if v, err = r.Uint(); err == nil && v != 1 {
			err = errVersion
		}
	case "bh":
		err = fixed(r, h.BodyHash[:])
	case "hlc":
		h.HLC, err = r.Uint()
	case "net":
		err = fixed(r, h.Net[:])
	case "seq":
		h.Seq, err = r.Uint()
	case "sig":
		err = fixed(r, h.Sig[:])
	case "deps":
		h.Deps, err = readIDs(r, MaxDeps)
	case "kind":
		if h.Kind, err = r.Text(); err == nil && !validKind(h.Kind) {
			err = errKind
		}
	case "prev":
		var b []byte
		if b, err = r.Bytes(); err != nil {
			return err
		}
		if len(b) != 0 && len(b) != len(ID{}) {
			return errLength
		}
		copy(h.Prev[:], b)
		if len(b) != 0 && h.Prev.IsZero() {
			return errLength
		}
	case "sig2":
		h.Sig2 = make([]byte, Sig2Size)
		err = fixed(r, h.Sig2)
	case "size":
		var n uint64
		n, err = r.Uint()
		h.Size = int(min(n, MaxBody+1)) // what is larger is refused, whatever the width of int
	case "proof":
		h.Proof, err = readIDs(r, MaxProof)
	case "space":
		var s string
		if s, err = r.Text(); err == nil {
			h.Space, err = ParseSpace(s)
		}
	case "author":
		// Only the form: whether it is a sound point costs 20 µs, and is asked
		// once per author where signatures are verified.
		if err = fixed(r, h.Author[:]); err == nil && (h.Author[0] != 0xed || h.Author[1] != 0x01) {
			err = did.ErrMethod
		}
	default:
		err = errUnknownKey
	}
	return err
}

func (h *Head) check() error {
	switch {
	case h.Seq == 0:
		return errSeq
	case (h.Seq == 1) != h.Prev.IsZero():
		return errPrev
	case h.Sig2 != nil && LaneOf(h.Kind) != Control:
		return errSig2
	}
	for i, d := range h.Deps {
		if i > 0 && h.Deps[i-1].Compare(d) >= 0 || d == h.Prev {
			return errDeps
		}
	}
	return nil
}

func fixed(r *cbor.Reader, dst []byte) error {
	b, err := r.Bytes()
	if err != nil {
		return err
	}
	if len(b) != len(dst) {
		return errLength
	}
	copy(dst, b)
	return nil
}

func readIDs(r *cbor.Reader, most int) ([]ID, error) {
	n, err := r.Array()
	if err != nil {
		return nil, err
	}
	if n > most {
		return nil, errTooMany
	}
	if n == 0 {
		r.End()
		return nil, nil
	}
	ids := make([]ID, n)
	for i := range ids {
		if err := fixed(r, ids[i][:]); err != nil {
			return nil, err
		}
	}
	r.End()
	return ids, nil
}
