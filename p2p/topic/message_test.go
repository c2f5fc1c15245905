package topic

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	pb "github.com/libp2p/go-libp2p-pubsub/pb"
	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/keys"
)

// entry is a change in commons/go whose body has size bytes.
func entry(t interface {
	Helper()
	Fatal(...any)
}, size int, edit ...func(*change.Draft)) *change.Change {
	t.Helper()
	net, err := change.Builtin().ID()
	if err != nil {
		t.Fatal(err)
	}
	d := change.Draft{
		Net: net, Space: "commons/go", Kind: change.KindEntryPut, Body: bytes.Repeat([]byte{7}, size),
		HLC: 1767225600000 << 10, Seq: 1,
	}
	for _, e := range edit {
		e(&d)
	}
	return change.Seal(d, keys.FromSeed([32]byte{1}))
}

func TestMessageRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := entry(t, rapid.IntRange(0, 20_000).Draw(t, "size"))
		b := Encode(c)
		if len(b) > MaxMessage {
			t.Fatalf("message of %d bytes", len(b))
		}
		got, err := Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		if got.ID != c.ID || !bytes.Equal(got.RawHead, c.RawHead) {
			t.Fatal("another change came out")
		}
		if !got.IsStub() && !bytes.Equal(got.Body, c.Body) {
			t.Fatal("another body came out")
		}
		if !bytes.Equal(Encode(got), b) {
			t.Fatal("not the same bytes again")
		}
	})
}

func TestLargeChangeBecomesStub(t *testing.T) {
	t.Parallel()
	small := entry(t, 100)
	room := MaxMessage - (len(Encode(small)) - 100) - 4 // a longer body has a longer prefix, and size in the head
	last := 0
	for size := room - 8; size < room+8; size++ {
		c := entry(t, size)
		got, err := Decode(Encode(c))
		if err != nil {
			t.Fatal(err)
		}
		if !got.IsStub() {
			last = size
		}
	}
	full := Encode(entry(t, last))
	if len(full) != MaxMessage {
		t.Errorf("the largest whole message has %d bytes, want %d", len(full), MaxMessage)
	}
	if _, err := Decode(Encode(entry(t, change.MaxBody))); err != nil {
		t.Errorf("stub of the largest change: %v", err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	c := entry(t, 10)
	good := Encode(c)
	other := cbor.AppendBytes(cbor.AppendBytes(cbor.AppendArray(nil, 2), c.RawHead), []byte("another body"))
	for _, tc := range []struct {
		name string
		in   []byte
		want reason.Code
	}{
		{"nothing", nil, reason.BadEncoding},
		{"half", good[:len(good)/2], reason.BadEncoding},
		{"trailing byte", append(bytes.Clone(good), 0), reason.BadEncoding},
		{"three items", append([]byte{0x83}, append(bytes.Clone(good[1:]), 0xf6)...), reason.BadEncoding},
		{"one item", append([]byte{0x81}, good[1:len(good)-11]...), reason.BadEncoding},
		{"a map", []byte{0xa0}, reason.BadEncoding},
		{"no head", []byte{0x82, 0xf6, 0xf6}, reason.BadEncoding},
		{"empty head", []byte{0x82, 0x40, 0xf6}, reason.BadEncoding},
		{"body of another type", append(bytes.Clone(good[:len(good)-11]), 0x60), reason.BadEncoding},
		{"indefinite", []byte{0x9f, 0x40, 0xf6, 0xff}, reason.BadEncoding},
		{"body of another hash", other, reason.BlobMismatch},
		{"too long", make([]byte, MaxMessage+1), reason.ChangeTooLarge},
	} {
		_, err := Decode(tc.in)
		var r *reason.Refusal
		if !errors.As(err, &r) || r.Code != tc.want {
			t.Errorf("%s: %v, want %s", tc.name, err, tc.want)
		}
	}
}

func TestMessageIDIsOfTheBytes(t *testing.T) {
	t.Parallel()
	a, b := entry(t, 10), entry(t, 10)
	forged := bytes.Clone(Encode(b))
	// One bit of the signature: the same change by id, another message.
	forged[bytes.Index(forged, b.Head.Sig[:])] ^= 1
	if messageID(&pb.Message{Data: Encode(a)}) != messageID(&pb.Message{Data: Encode(b)}) {
		t.Error("the same bytes have two ids")
	}
	if messageID(&pb.Message{Data: forged}) == messageID(&pb.Message{Data: Encode(b)}) {
		t.Error("a forged copy hides the good one")
	}
	if n := len(messageID(&pb.Message{})); n != 16 {
		t.Errorf("id of %d bytes", n)
	}
}

func TestTopicNames(t *testing.T) {
	t.Parallel()
	net, err := change.Builtin().ID()
	if err != nil {
		t.Fatal(err)
	}
	if got := Name(net, "open/0"); got != "mesh/1/c42617aef2f96d8df3c932896279f57b/open/0" {
		t.Errorf("topic %q", got)
	}
}

func TestConfigReportsAllProblems(t *testing.T) {
	t.Parallel()
	err := Config{Sets: []string{"auth", "auth", "team/x", "open/"}}.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"shards: 0", `"auth": twice`, `"team/x": not a public`, `"open/": not a public`, "judge, fetcher and guard"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
	if err := (Config{Shards: 1}).Validate(); err == nil || !strings.Contains(err.Error(), "none to follow") {
		t.Errorf("no sets: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(Encode(entry(f, 10)))
	f.Add(Encode(entry(f, MaxMessage)))
	f.Add([]byte{0x82, 0x40, 0xf6})
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := Decode(b)
		if err != nil {
			if reason.Of(err).Gossip() != reason.Reject {
				t.Fatalf("refused with %s, which is no rejection", reason.Of(err))
			}
			return
		}
		if !bytes.Equal(Encode(c), b) {
			t.Fatal("decoded what encodes otherwise")
		}
	})
}
