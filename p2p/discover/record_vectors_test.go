package discover

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/record"
	ma "github.com/multiformats/go-multiaddr"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/p2p/internal/vectorfile"
)

// recordIn is a message of the topic of peer records, or only what its envelope
// carries.
type recordIn struct {
	Envelope vectorfile.Hex `json:"envelope,omitempty"`
	Payload  vectorfile.Hex `json:"payload,omitempty"`
}

type recordOut struct {
	Peer string `json:"peer,omitempty"` // of an envelope: who signed it
	Good bool   `json:"good"`
}

type recordVector = vectorfile.Vector[recordIn, recordOut]

func readRecord(in recordIn) (out recordOut, err error) {
	if in.Envelope != nil {
		id, _, err := Open(in.Envelope)
		if err != nil {
			return out, err
		}
		return recordOut{id.String(), true}, nil
	}
	return recordOut{Good: true}, new(Record).UnmarshalRecord(in.Payload)
}

func recordVectors(t testing.TB) (out []recordVector) {
	t.Helper()
	net := builtin(t)
	base := cbor.Map{
		"net": net[:], "seq": 5, "ttl": 1800, "sets": []any{"auth", "open/0"}, "roles": []any{"gateway"},
		"addrs": []any{ma.StringCast("/ip4/5.6.7.8/tcp/4001").Bytes()},
	}
	add := func(key, name string, in recordIn, good bool) {
		v := recordVector{Name: name, In: in, Rule: strings.TrimSpace("19.1 " + key), Out: &recordOut{Good: true}}
		if !good {
			v.Out, v.Code = nil, reason.BadEncoding
		}
		out = append(out, v)
	}
	payload := func(key, name string, v any, good bool) {
		add(key, key+" "+name, recordIn{Payload: vectorfile.Raw(nil, vectorfile.With(base, key, v))}, good)
	}
	for _, c := range vectorfile.Forms(base) {
		add(c.Key, c.Name, recordIn{Payload: vectorfile.Raw(nil, c.Body)}, c.Good)
	}
	words := func(n int) []any {
		list := make([]any, n)
		for i := range list {
			list[i] = fmt.Sprintf("w%02d", i)
		}
		return list
	}
	payload("net", "of 15 bytes", make([]byte, 15), false)
	payload("net", "of 17 bytes", make([]byte, 17), false)
	payload("seq", "0", 0, false)
	payload("seq", "1", 1, true)
	payload("seq", "2^53-1", int64(cbor.MaxInt), true)
	payload("seq", "-1", -1, false)
	payload("ttl", "0", 0, false)
	payload("ttl", "1", 1, true)
	payload("ttl", "1801", 1801, false)
	for _, key := range []string{"sets", "roles"} {
		most := map[string]int{"sets": 64, "roles": 8}[key]
		payload(key, "none", []any{}, true)
		payload(key, "as many as may be", words(most), true)
		payload(key, "one more", words(most+1), false)
		payload(key, "out of order", []any{"b", "a"}, false)
		payload(key, "one twice", []any{"a", "a"}, false)
		payload(key, "of 16 bytes", []any{strings.Repeat("a", 16)}, true)
		payload(key, "of 17 bytes", []any{strings.Repeat("a", 17)}, false)
		payload(key, "an empty one", []any{""}, false)
		payload(key, "all that may stand", []any{"az/09"}, true)
		for _, w := range []string{"A", "a-b", "a_b", "a.b", "`", "{", ":", "é"} {
			payload(key, "with "+w, []any{w}, false)
		}
		payload(key, "an item of bytes", []any{[]byte("a")}, false)
	}
	addr := func(text string) []byte { return ma.StringCast(text).Bytes() }
	peerID := "12D3KooWD3eckifWpRn9wQpMG9R9hX3sD158z7EqHWmweQAJU5SA"
	many := func(n int) []any {
		list := make([]any, n)
		for i := range list {
			list[i] = addr("/ip4/5.6.7.8/tcp/4001")
		}
		return list
	}
	payload("addrs", "none", []any{}, true)
	payload("addrs", "16", many(16), true)
	payload("addrs", "17", many(17), false)
	payload("addrs", "with a peer id", []any{addr("/ip4/5.6.7.8/tcp/4001/p2p/" + peerID)}, false)
	payload("addrs", "by a relay", []any{addr("/ip4/5.6.7.8/tcp/4001/p2p/" + peerID + "/p2p-circuit")}, true)
	payload("addrs", "of 128 bytes", []any{addr("/dns4/" + strings.Repeat("a", 123) + "/tcp/1")}, true)
	payload("addrs", "of 129 bytes", []any{addr("/dns4/" + strings.Repeat("a", 124) + "/tcp/1")}, false)
	payload("addrs", "no address", []any{[]byte{0xff, 0xff}}, false)
	payload("addrs", "an empty one", []any{[]byte{}}, false)
	payload("addrs", "an item of text", []any{"/ip4/5.6.7.8/tcp/4001"}, false)
	payload("addrs", "code not in its shortest form", []any{[]byte{0x84, 0x00, 5, 6, 7, 8}}, false)
	raw := vectorfile.Raw(nil, base)
	add("", "a byte behind the payload", recordIn{Payload: append(bytes.Clone(raw), 0)}, false)
	add("", "a payload cut short", recordIn{Payload: raw[:len(raw)-1]}, false)
	add("", "a payload that is no map", recordIn{Payload: []byte{0x80}}, false)
	add("", "a payload with a key that is no text", recordIn{Payload: append([]byte{raw[0], 0x43}, raw[2:]...)}, false)
	add("", "a payload with keys out of order", recordIn{Payload: bytes.Replace(raw, []byte("cnet"), []byte("czet"), 1)}, false)
	sized := func(n int) []byte { // addresses to fill it
		list := []any{}
		for len(vectorfile.Raw(nil, vectorfile.With(base, "addrs", list))) < n-140 {
			list = append(list, addr("/dns4/"+strings.Repeat("a", 100)+"/tcp/1"))
		}
		rest := n - len(vectorfile.Raw(nil, vectorfile.With(base, "addrs", list))) - 7
		for _, try := range []int{rest, rest - 1, rest + 1} {
			b := vectorfile.Raw(nil, vectorfile.With(base, "addrs", append(list[:len(list):len(list)], addr("/dns4/"+strings.Repeat("a", try)+"/tcp/1"))))
			if len(b) == n {
				return b
			}
		}
		t.Fatal("no payload of that size")
		return nil
	}
	add("", "a payload of 1 KiB", recordIn{Payload: sized(1 << 10)}, true)
	add("", "a payload of 1 KiB and 1", recordIn{Payload: sized(1<<10 + 1)}, false)

	key := testKey(t, 7)
	rec := sample(t)
	sealed, err := rec.Seal(key)
	if err != nil {
		t.Fatal(err)
	}
	envelope := func(name string, b []byte, good bool) { add("", name, recordIn{Envelope: b}, good) }
	envelope("an envelope", sealed, true)
	id, _, err := Open(sealed)
	if err != nil {
		t.Fatal(err)
	}
	out[len(out)-1].Out.Peer = id.String()
	spoiled := bytes.Clone(sealed)
	spoiled[len(spoiled)-1] ^= 1
	envelope("an envelope with one bit of its signature", spoiled, false)
	envelope("an envelope cut short", sealed[:len(sealed)-1], false)
	envelope("an envelope of 1281 bytes", append(bytes.Clone(sealed), make([]byte, 1281-len(sealed))...), false)
	padded := func(size int) []byte { // by a field that the envelope does not have
		b := append(bytes.Clone(sealed), 0x7a)
		rest := size - len(b) - 2
		return append(append(b, byte(rest)|0x80, byte(rest>>7)), make([]byte, rest)...)
	}
	envelope("an envelope of 1280 bytes with a foreign field", padded(1280), true)
	out[len(out)-1].Out.Peer = id.String()
	envelope("an envelope of 1281 bytes with a foreign field", padded(1281), false)
	foreign := func(name string, r record.Record, k crypto.PrivKey) {
		e, err := record.Seal(r, k)
		if err != nil {
			t.Fatal(err)
		}
		b, err := e.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		envelope(name, b, false)
	}
	foreign("an envelope of another domain", &asIf{rec, "mesh-peer-v2", "/mesh/peer/1"}, key)
	foreign("an envelope of another type", &asIf{rec, domain, "/mesh/peer/2"}, key)
	return out
}

// asIf is a record under another domain or type.
type asIf struct {
	*Record
	domain, codec string
}

func (a *asIf) Domain() string { return a.domain }
func (a *asIf) Codec() []byte  { return []byte(a.codec) }

func TestRecordVectors(t *testing.T) {
	t.Parallel()
	for _, v := range vectorfile.Golden(t, "peer/records.json", recordVectors(t)) {
		got, err := readRecord(v.In)
		if (err == nil) != (v.Code == "") || err == nil && got != *v.Out {
			t.Errorf("%s: %+v, %v", v.Name, got, err)
		}
	}
}
