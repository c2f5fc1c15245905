package discover

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/record"
	ma "github.com/multiformats/go-multiaddr"
	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
)

func testKey(t interface{ Fatal(...any) }, n byte) crypto.PrivKey {
	k, _, err := crypto.GenerateEd25519Key(bytes.NewReader(bytes.Repeat([]byte{n}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func builtin(t interface{ Fatal(...any) }) change.NetID {
	id, err := change.Builtin().ID()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func sample(t interface{ Fatal(...any) }) *Record {
	return &Record{
		Addrs: []ma.Multiaddr{ma.StringCast("/ip4/5.6.7.8/tcp/4001"), ma.StringCast("/ip4/5.6.7.8/udp/4001/quic-v1")},
		Net:   builtin(t), Roles: []string{"gateway", "super"}, Seq: 1767225600001, Sets: []string{"auth", "open/0"}, TTL: 30 * time.Minute,
	}
}

// golden is the payload of sample, written by hand from wire §17.
const golden = "a6" +
	"636e6574" + "50c42617aef2f96d8df3c932896279f57b" +
	"63736571" + "1b0000019b76daa801" +
	"6374746c" + "190708" +
	"6473657473" + "82" + "6461757468" + "666f70656e2f30" +
	"656164647273" + "82" + "48" + "0405060708060fa1" + "4b" + "040506070891020fa1cd03" +
	"65726f6c6573" + "82" + "6767617465776179" + "657375706572"

func TestRecordIsGolden(t *testing.T) {
	t.Parallel()
	b, err := sample(t).MarshalRecord()
	if err != nil || hex.EncodeToString(b) != golden {
		t.Fatalf("%x, %v\nwant %s", b, err, golden)
	}
	var r Record
	if err := r.UnmarshalRecord(b); err != nil {
		t.Fatal(err)
	}
	again, err := r.MarshalRecord()
	if err != nil || !bytes.Equal(again, b) {
		t.Fatalf("%x, %v after reading", again, err)
	}
}

func TestEnvelopeNamesTheSigner(t *testing.T) {
	t.Parallel()
	key := testKey(t, 1)
	b, err := sample(t).Seal(key)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) > maxEnvelope {
		t.Fatalf("envelope of %d bytes", len(b))
	}
	id, r, err := Open(b)
	want, _ := peer.IDFromPrivateKey(key)
	if err != nil || id != want || r.Seq != sample(t).Seq {
		t.Fatalf("%s, %+v, %v", id, r, err)
	}
}

func TestLargestRecordFitsItsEnvelope(t *testing.T) {
	t.Parallel()
	r := sample(t)
	r.Addrs, r.Sets = nil, nil
	for i := 0; ; i++ {
		next := *r
		next.Addrs = append(next.Addrs[:len(next.Addrs):len(next.Addrs)], ma.StringCast("/dns4/"+strings.Repeat("a", 50)+"/tcp/1"))
		if _, err := next.MarshalRecord(); err != nil {
			break
		}
		*r = next
	}
	b, err := r.Seal(testKey(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Open(b); err != nil {
		t.Fatal(err)
	}
}

// payload is a record as a free map, to be spoiled.
func payload(t *testing.T, edit func(m cbor.Map)) []byte {
	t.Helper()
	good, err := sample(t).MarshalRecord()
	if err != nil {
		t.Fatal(err)
	}
	m, err := cbor.DecodeMap(good)
	if err != nil {
		t.Fatal(err)
	}
	edit(m)
	b, err := cbor.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func many(n int, item any) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = item
	}
	return list
}

func TestRecordRefuses(t *testing.T) {
	t.Parallel()
	addr := ma.StringCast("/ip4/1.2.3.4/tcp/1").Bytes()
	withID := ma.StringCast("/ip4/1.2.3.4/tcp/1/p2p/12D3KooWAQSJgj5PmMUj84eb16qXqrL4vrH1vqUjZvhTpfoJSJN5").Bytes()
	for name, edit := range map[string]func(cbor.Map){
		"a key too few":        func(m cbor.Map) { delete(m, "ttl") },
		"a key too many":       func(m cbor.Map) { m["extra"] = 1 },
		"another key":          func(m cbor.Map) { delete(m, "ttl"); m["tt"] = 1 },
		"short net":            func(m cbor.Map) { m["net"] = []byte{1} },
		"no seq":               func(m cbor.Map) { m["seq"] = 0 },
		"negative seq":         func(m cbor.Map) { m["seq"] = -1 },
		"no ttl":               func(m cbor.Map) { m["ttl"] = 0 },
		"long ttl":             func(m cbor.Map) { m["ttl"] = 1801 },
		"huge ttl":             func(m cbor.Map) { m["ttl"] = int64(cbor.MaxInt) },
		"text ttl":             func(m cbor.Map) { m["ttl"] = "1800" },
		"many roles":           func(m cbor.Map) { m["roles"] = many(9, "a") },
		"role twice":           func(m cbor.Map) { m["roles"] = []any{"a", "a"} },
		"roles unsorted":       func(m cbor.Map) { m["roles"] = []any{"b", "a"} },
		"upper case role":      func(m cbor.Map) { m["roles"] = []any{"Super"} },
		"empty role":           func(m cbor.Map) { m["roles"] = []any{""} },
		"long set":             func(m cbor.Map) { m["sets"] = []any{strings.Repeat("a", 17)} },
		"many sets":            func(m cbor.Map) { m["sets"] = many(65, "a") },
		"many addresses":       func(m cbor.Map) { m["addrs"] = many(17, addr) },
		"broken address":       func(m cbor.Map) { m["addrs"] = []any{[]byte{4, 1, 2}} },
		"text address":         func(m cbor.Map) { m["addrs"] = []any{"/ip4/1.2.3.4/tcp/1"} },
		"address with peer id": func(m cbor.Map) { m["addrs"] = []any{withID} },
		"long address":         func(m cbor.Map) { m["addrs"] = []any{ma.StringCast("/dns4/" + strings.Repeat("a", 200)).Bytes()} },
		"wide address":         func(m cbor.Map) { m["addrs"] = []any{[]byte{4, 1, 2, 3, 4, 0x86, 0x00, 0, 1}} },
		"above 1 KiB":          func(m cbor.Map) { m["addrs"] = many(10, ma.StringCast("/dns4/"+strings.Repeat("a", 110)).Bytes()) },
	} {
		var r Record
		if err := r.UnmarshalRecord(payload(t, edit)); !errors.Is(err, ErrRecord) {
			t.Errorf("%s: %v", name, err)
		}
	}
	good, _ := sample(t).MarshalRecord()
	var r Record
	for name, b := range map[string][]byte{"nothing": nil, "trailing byte": append(bytes.Clone(good), 0), "cut": good[:len(good)-1], "array": {0x80}} {
		if err := r.UnmarshalRecord(b); !errors.Is(err, ErrRecord) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// foreign is a record in another domain, or of another type.
type foreign struct {
	Record
	d string
	c []byte
}

func (f *foreign) Domain() string { return f.d }
func (f *foreign) Codec() []byte  { return f.c }

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	good, err := sample(t).Seal(testKey(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	sealed := func(r record.Record, k crypto.PrivKey) []byte {
		e, err := record.Seal(r, k)
		if err != nil {
			t.Fatal(err)
		}
		b, err := e.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	other, _, err := crypto.GenerateSecp256k1Key(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{
		"nothing":        nil,
		"too long":       make([]byte, maxEnvelope+1),
		"another domain": sealed(&foreign{*sample(t), "libp2p-peer-record", codec}, testKey(t, 1)),
		"another type":   sealed(&foreign{*sample(t), domain, []byte{3, 1}}, testKey(t, 1)),
		"another key":    sealed(sample(t), other),
		"changed":        bytes.Replace(good, []byte("super"), []byte("supes"), 1),
	} {
		if _, _, err := Open(b); !errors.Is(err, ErrRecord) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0x20
		if _, _, err := Open(bad); err == nil {
			t.Errorf("a flip at %d passes", i)
		}
	}
}

func TestRecordsRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := Record{
			Seq: rapid.Uint64Range(1, cbor.MaxInt).Draw(t, "seq"),
			TTL: time.Duration(rapid.IntRange(1, 1800).Draw(t, "ttl")) * time.Second,
		}
		copy(r.Net[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "net"))
		r.Roles = sorted(rapid.SliceOfN(rapid.StringMatching(`[a-z0-9/]{1,16}`), 0, 8).Draw(t, "roles"))
		r.Sets = sorted(rapid.SliceOfN(rapid.StringMatching(`[a-z0-9/]{1,16}`), 0, 20).Draw(t, "sets"))
		b, err := r.MarshalRecord()
		if err != nil {
			t.Fatal(err)
		}
		var got Record
		if err := got.UnmarshalRecord(b); err != nil {
			t.Fatal(err)
		}
		again, err := got.MarshalRecord()
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%x, then %x, %v", b, again, err)
		}
	})
}

func FuzzRecord(f *testing.F) {
	b, err := sample(f).MarshalRecord()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte{0xa0})
	f.Fuzz(func(t *testing.T, b []byte) {
		var r Record
		if err := r.UnmarshalRecord(b); err != nil {
			if !errors.Is(err, ErrRecord) {
				t.Fatalf("another error: %v", err)
			}
			return
		}
		again, err := r.MarshalRecord()
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%x became %x, %v", b, again, err)
		}
	})
}

func FuzzOpen(f *testing.F) {
	b, err := sample(f).Seal(testKey(f, 1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		id, r, err := Open(b)
		if err != nil {
			return
		}
		if err := id.Validate(); err != nil || r.check() != nil {
			t.Fatalf("opened a record of %q: %v, %v", id, err, r.check())
		}
	})
}
