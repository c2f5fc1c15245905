package sync

import (
	"bytes"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
)

// canonical is the property of every decoder: what it takes encodes to the
// same bytes, and what it does not take is a refusal.
func canonical[T any](decode func([]byte) (T, error), encode func(T) []byte) func(t *testing.T, payload []byte) {
	return func(t *testing.T, payload []byte) {
		v, err := decode(payload)
		if err != nil {
			if reason.Of(err) != reason.BadEncoding {
				t.Fatalf("error without its code: %v", err)
			}
			return
		}
		if again := encode(v); !bytes.Equal(again, payload) {
			t.Fatalf("decoded %x, encoded %x", payload, again)
		}
	}
}

var (
	someID     = bytes.Repeat([]byte{7}, idSize)
	somePrefix = bytes.Repeat([]byte{8}, prefixSize)
	someIDs    = [][]byte{someID, somePrefix}
	someState  = setState{open0, 3, [16]byte{9}}
)

func FuzzHello(f *testing.F) {
	f.Add(hello{net: testNet, now: 5, sets: []setState{someState}, agent: "meshd"}.encode())
	f.Add(hello{net: testNet, proof: []byte{}}.encode())
	f.Fuzz(canonical(decodeHello, hello.encode))
}

func FuzzRange(f *testing.F) {
	f.Add(rangeMsg{open0, []byte{0x61}}.encode())
	f.Fuzz(canonical(decodeRange, rangeMsg.encode))
}

func FuzzSketchAsk(f *testing.F) {
	f.Add(sketchAsk{open0, 32, 64}.encode())
	f.Fuzz(canonical(decodeSketchAsk, sketchAsk.encode))
}

func FuzzSketchAnswer(f *testing.F) {
	f.Add(sketchAnswer{open0, 32, []byte{1, 2, 3}, 9, [16]byte{4}}.encode())
	f.Fuzz(canonical(decodeSketchAnswer, sketchAnswer.encode))
}

func FuzzWant(f *testing.F) {
	f.Add(want{open0, someIDs}.encode())
	f.Fuzz(canonical(decodeWant, want.encode))
}

func FuzzPull(f *testing.F) {
	f.Add(pull{open0, recon.Item{HLC: 1 << 50, ID: [32]byte{1}}, maxPull}.encode())
	f.Fuzz(canonical(decodePull, pull.encode))
}

func FuzzGone(f *testing.F) {
	f.Add(gone{someIDs}.encode())
	f.Fuzz(canonical(decodeGone, gone.encode))
}

func FuzzHave(f *testing.F) {
	f.Add(have{open0, someIDs}.encode())
	f.Fuzz(canonical(decodeHave, have.encode))
}

func FuzzDone(f *testing.F) {
	f.Add(done{someState}.encode())
	f.Fuzz(canonical(decodeDone, done.encode))
}

func FuzzBusy(f *testing.F) {
	f.Add(busy{time.Second}.encode())
	f.Fuzz(func(t *testing.T, payload []byte) {
		y, err := decodeBusy(payload)
		if err == nil && (y.retry < 0 || y.retry > maxRetry) {
			t.Fatalf("retry in %v", y.retry)
		}
		if err != nil && reason.Of(err) != reason.BadEncoding {
			t.Fatalf("error without its code: %v", err)
		}
	})
}

func FuzzError(f *testing.F) {
	f.Add(failure{reason.BadEncoding}.encode())
	f.Fuzz(canonical(decodeFailure, failure.encode))
}

func FuzzFilter(f *testing.F) {
	f.Add(filter{spaces: []change.Space{"commons/go", "net"}, since: 9}.encode())
	f.Add(filter{spaces: []change.Space{"commons/go"}}.encode())
	f.Fuzz(func(t *testing.T, payload []byte) {
		v, err := decodeFilter(payload)
		if err != nil {
			return
		}
		if len(v.spaces) == 0 || len(v.spaces) > maxSpaces {
			t.Fatalf("%d spaces", len(v.spaces))
		}
		// An explicit zero is the same as none.
		if again := v.encode(); v.since > 0 && !bytes.Equal(again, payload) {
			t.Fatalf("decoded %x, encoded %x", payload, again)
		}
	})
}

func FuzzChanges(f *testing.F) {
	cs := []*change.Change{fabricate(1), fabricate(2).Stub()}
	f.Add(encodeChanges(cs, true))
	f.Add(encodeChanges(nil, false))
	f.Fuzz(canonical(decodeChanges, func(c changes) []byte {
		var cs []*change.Change
		for _, it := range c.items {
			cs = append(cs, &change.Change{RawHead: it.head, Body: it.body})
		}
		return encodeChanges(cs, c.more)
	}))
}

func FuzzUnpack(f *testing.F) {
	c := endpointOf(f, nil).codec
	f.Add(c.pack(encodeChanges([]*change.Change{fabricate(1)}, false)))
	f.Add(c.pack(make([]byte, 300_000)))
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd})
	f.Fuzz(func(t *testing.T, packed []byte) {
		raw, err := c.unpack(packed, nil)
		if err != nil {
			if reason.Of(err) != reason.BadEncoding {
				t.Fatalf("error without its code: %v", err)
			}
			return
		}
		if len(raw) > maxUnpacked {
			t.Fatalf("%d bytes unpacked", len(raw))
		}
	})
}

// reader is a stream of given bytes.
type reader struct{ bytes.Reader }

func (*reader) Write(b []byte) (int, error)      { return len(b), nil }
func (*reader) SetReadDeadline(time.Time) error  { return nil }
func (*reader) SetWriteDeadline(time.Time) error { return nil }

func FuzzFrames(f *testing.F) {
	f.Add(frame(kindHello, hello{net: testNet}.encode()))
	f.Add([]byte{0xff, 0xff, 0x0f, 1})
	f.Fuzz(func(t *testing.T, stream []byte) {
		w := newWire(t.Context(), &reader{*bytes.NewReader(stream)}, time.Hour)
		defer w.stop()
		var again []byte
		for {
			k, payload, err := w.read()
			if err != nil {
				break
			}
			again = append(again, frame(k, payload)...)
		}
		if !bytes.HasPrefix(stream, again) {
			t.Fatalf("read %x, frames %x", stream, again)
		}
	})
}

// FuzzAnswerer sends any bytes to a responder after the hello.
func FuzzAnswerer(f *testing.F) {
	b := newFake(open0).put(open0, span(0, 40)...)
	e := endpointOf(f, b)
	f.Add(frame(kindSketch, sketchAsk{open0, 0, 32}.encode()))
	f.Add(frame(kindPull, pull{set: open0, max: 5}.encode()))
	f.Add(frame(kindWant, want{open0, someIDs}.encode()))
	f.Add(frame(kindRange, rangeMsg{open0, recon.NewInitiator(recon.NewSet(), maxRange).Start()}.encode()))
	greeting := frame(kindHello, hello{net: testNet}.encode())
	f.Fuzz(func(t *testing.T, asks []byte) {
		s := &reader{*bytes.NewReader(append(bytes.Clone(greeting), asks...))}
		_ = e.answerer(t.Context(), s, "a", anyTime).run()
		// Nothing can be pushed before it was compared, and garbage is no change.
		if len(b.ids()) < 40 {
			t.Fatal("something was lost")
		}
	})
}
