package discover

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/record"
	ma "github.com/multiformats/go-multiaddr"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
)

// domain keeps a signature over a record from meaning anything else.
const domain = "mesh-peer-v1"

// codec is the envelope's payload type.
var codec = []byte("/mesh/peer/1")

// ErrRecord is wrapped by every error about the bytes of a peer record.
var ErrRecord = errors.New("not a valid peer record")

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrRecord, fmt.Sprintf(format, args...))
}

// Record is what a node says of itself (wire §17). Roles and Sets are sorted.
type Record struct {
	Addrs []ma.Multiaddr // without the peer id
	Net   change.NetID
	Roles []string
	Seq   uint64        // a later record has a larger one
	Sets  []string      // followed; none means all public ones
	TTL   time.Duration // whole seconds, up to MaxTTL
}

var _ record.Record = (*Record)(nil)

// Domain separates the signature from those of other uses.
func (r *Record) Domain() string { return domain }

// Codec names the payload inside the envelope.
func (r *Record) Codec() []byte { return codec }

// MarshalRecord is the canonical payload.
func (r *Record) MarshalRecord() ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	b := cbor.AppendMap(nil, 6)
	b = cbor.AppendBytes(cbor.AppendText(b, "net"), r.Net[:])
	b = cbor.AppendUint(cbor.AppendText(b, "seq"), r.Seq)
	b = cbor.AppendUint(cbor.AppendText(b, "ttl"), uint64(r.TTL/time.Second))
	b = appendWords(cbor.AppendText(b, "sets"), r.Sets)
	b = cbor.AppendArray(cbor.AppendText(b, "addrs"), len(r.Addrs))
	for _, a := range r.Addrs {
		b = cbor.AppendBytes(b, a.Bytes())
	}
	b = appendWords(cbor.AppendText(b, "roles"), r.Roles)
	if len(b) > MaxRecord {
		return nil, bad("%d bytes, limit %d", len(b), MaxRecord)
	}
	return b, nil
}

func appendWords(b []byte, words []string) []byte {
	b = cbor.AppendArray(b, len(words))
	for _, w := range words {
		b = cbor.AppendText(b, w)
	}
	return b
}

// UnmarshalRecord reads the canonical payload and nothing else.
func (r *Record) UnmarshalRecord(b []byte) error {
	if len(b) > MaxRecord {
		return bad("%d bytes, limit %d", len(b), MaxRecord)
	}
	var got Record
	rd := cbor.NewReader(b)
	n, err := rd.Map()
	if err != nil {
		return bad("%v", err)
	}
	if n != 6 {
		return bad("%d keys, want 6", n)
	}
	// Six known keys, none twice: all are there.
	keys := rd.Keys()
	for range n {
		k, err := keys.Next()
		if err != nil {
			return bad("%v", err)
		}
		if err := got.field(rd, k); err != nil {
			return bad("%s: %v", k, err)
		}
	}
	rd.End()
	if err := rd.Done(); err != nil {
		return bad("%v", err)
	}
	if err := got.check(); err != nil {
		return err
	}
	*r = got
	return nil
}

func (r *Record) field(rd *cbor.Reader, key string) (err error) {
	switch key {
	case "net":
		var b []byte
		if b, err = rd.Bytes(); err == nil && len(b) != len(r.Net) {
			return fmt.Errorf("%d bytes", len(b))
		}
		copy(r.Net[:], b)
	case "seq":
		r.Seq, err = rd.Uint()
	case "ttl":
		var s uint64
		if s, err = rd.Uint(); err == nil && s > uint64(MaxTTL/time.Second) {
			return fmt.Errorf("%d s, limit %v", s, MaxTTL)
		}
		r.TTL = time.Duration(s) * time.Second
	case "sets":
		r.Sets, err = readWords(rd, maxSets)
	case "roles":
		r.Roles, err = readWords(rd, maxRoles)
	case "addrs":
		r.Addrs, err = readAddrs(rd)
	default:
		err = errors.New("unknown key")
	}
	return err
}

func readWords(rd *cbor.Reader, limit int) ([]string, error) {
	n, err := rd.Array()
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, fmt.Errorf("%d items, limit %d", n, limit)
	}
	var words []string
	for range n {
		w, err := rd.Text()
		if err != nil {
			return nil, err
		}
		words = append(words, w)
	}
	rd.End()
	return words, nil
}

func readAddrs(rd *cbor.Reader) ([]ma.Multiaddr, error) {
	n, err := rd.Array()
	if err != nil {
		return nil, err
	}
	if n > maxAddrs {
		return nil, fmt.Errorf("%d items, limit %d", n, maxAddrs)
	}
	var addrs []ma.Multiaddr
	for range n {
		b, err := rd.Bytes()
		if err != nil {
			return nil, err
		}
		a, err := ma.NewMultiaddrBytes(b)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(a.Bytes(), b) {
			return nil, errors.New("address not in its shortest form")
		}
		addrs = append(addrs, a)
	}
	rd.End()
	return addrs, nil
}

// check applies to records sent and received.
func (r *Record) check() error {
	switch {
	case r.Seq == 0 || r.Seq > cbor.MaxInt:
		return bad("seq %d", r.Seq)
	case r.TTL < time.Second || r.TTL > MaxTTL || r.TTL%time.Second != 0:
		return bad("ttl %v", r.TTL)
	case len(r.Addrs) > maxAddrs || len(r.Roles) > maxRoles || len(r.Sets) > maxSets:
		return bad("too many items")
	}
	for _, a := range r.Addrs {
		if len(a.Bytes()) > maxAddr {
			return bad("address of %d bytes", len(a.Bytes()))
		}
		if _, err := a.ValueForProtocol(ma.P_P2P); err == nil && !relayed(a) {
			return bad("address with a peer id")
		}
	}
	for _, list := range [][]string{r.Roles, r.Sets} {
		if !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
			return bad("words not sorted and unique")
		}
		for _, w := range list {
			if !word(w) {
				return bad("word %q", w)
			}
		}
	}
	return nil
}

// relayed reports whether a leads through another peer, which it then names.
func relayed(a ma.Multiaddr) bool {
	_, err := a.ValueForProtocol(ma.P_CIRCUIT)
	return err == nil
}

func word(w string) bool {
	for _, c := range []byte(w) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '/' {
			return false
		}
	}
	return len(w) > 0 && len(w) <= maxWord
}

// Seal signs r with the node's key.
func (r *Record) Seal(key crypto.PrivKey) ([]byte, error) {
	e, err := record.Seal(r, key)
	if err != nil {
		return nil, fmt.Errorf("seal peer record: %w", err)
	}
	return e.Marshal()
}

// Open checks an envelope and returns who signed it and what it says. Only
// Ed25519 keys are taken: a node has no other, and others are slow to verify.
func Open(b []byte) (peer.ID, *Record, error) {
	if len(b) > maxEnvelope {
		return "", nil, bad("envelope of %d bytes, limit %d", len(b), maxEnvelope)
	}
	e, err := record.UnmarshalEnvelope(b)
	if err != nil {
		return "", nil, bad("envelope: %v", err)
	}
	if e.PublicKey.Type() != crypto.Ed25519 || string(e.PayloadType) != string(codec) {
		return "", nil, bad("envelope of another kind")
	}
	r := new(Record)
	if _, err := record.ConsumeTypedEnvelope(b, r); err != nil {
		return "", nil, bad("envelope: %v", err)
	}
	id, err := peer.IDFromPublicKey(e.PublicKey)
	if err != nil {
		return "", nil, bad("key: %v", err)
	}
	return id, r, nil
}
