package sync

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/p2p/internal/vectorfile"
)

// frameIn is the payload of a frame. Of a changes frame it is what stands in the
// zstd frame, unless packed is set.
type frameIn struct {
	Type    byte           `json:"type"`
	Answer  bool           `json:"answer,omitempty"` // of the two frames of type 12, the responder's
	Packed  bool           `json:"packed,omitempty"`
	Payload vectorfile.Hex `json:"payload"`
}

type frameOut struct {
	Good bool `json:"good"`
}

type frameVector = vectorfile.Vector[frameIn, frameOut]

// decodeFrame reads a payload as the side does that receives it.
func decodeFrame(in frameIn) (err error) {
	b := []byte(in.Payload)
	switch kind(in.Type) {
	case kindHello:
		_, err = decodeHello(b)
	case kindRange:
		_, err = decodeRange(b)
	case kindWant:
		_, err = decodeWant(b)
	case kindPull:
		_, err = decodePull(b)
	case kindChanges:
		if in.Packed {
			c, err := newCodec()
			if err != nil {
				return err
			}
			if b, err = c.unpack(b, nil); err != nil {
				return err
			}
		}
		_, err = decodeChanges(b)
	case kindGone:
		_, err = decodeGone(b)
	case kindHave:
		_, err = decodeHave(b)
	case kindDone:
		_, err = decodeDone(b)
	case kindBusy:
		_, err = decodeBusy(b)
	case kindError:
		_, err = decodeFailure(b)
	case kindFilter:
		_, err = decodeFilter(b)
	case kindSketch:
		if in.Answer {
			_, err = decodeSketchAnswer(b)
		} else {
			_, err = decodeSketchAsk(b)
		}
	default:
		err = refuse("no such frame")
	}
	return err
}

func frameVectors() (out []frameVector) {
	add := func(k kind, answer bool, name string, payload []byte, good bool) {
		v := frameVector{Name: k.String() + ", " + name, In: frameIn{Type: byte(k), Answer: answer, Payload: payload}, Rule: "18.3 " + k.String()}
		if answer {
			v.Name = k.String() + " answer, " + name
		}
		if v.Out = (&frameOut{true}); !good {
			v.Out, v.Code = nil, reason.BadEncoding
		}
		out = append(out, v)
	}
	n := func(size int) []byte { return bytes.Repeat([]byte{1}, size) }
	many := func(count int, v any) []any {
		items := make([]any, count)
		for i := range items {
			items[i] = v
		}
		return items
	}
	sets := func(count int) []any {
		items := make([]any, count)
		for i := range items {
			items[i] = cbor.Map{"fp": n(16), "name": fmt.Sprintf("open/%d", i), "count": i}
		}
		return items
	}
	const top = int64(cbor.MaxInt)
	id := []any{n(32)}
	type limit struct {
		name string
		key  string
		v    any
		good bool
	}
	set := []limit{{"set of 80 bytes", "set", strings.Repeat("s", 80), true}, {"set of 81 bytes", "set", strings.Repeat("s", 81), false}, {"set of 1 byte", "set", "s", true}, {"empty set", "set", "", false}}
	fp := []limit{{"fp of 15 bytes", "fp", n(15), false}, {"fp of 17 bytes", "fp", n(17), false}}
	count := []limit{{"count of 2^53-1", "count", top, true}, {"count of -1", "count", -1, false}}
	ids := func(most int, cut bool) []limit {
		return []limit{{"as many ids as may be", "ids", many(most, n(32)), true}, {"one id more", "ids", many(most+1, n(32)), false}, {"an id of 31 bytes", "ids", []any{n(31)}, false}, {"an id of 33 bytes", "ids", []any{n(33)}, false},
			{"an id of 16 bytes", "ids", []any{n(16)}, cut}, {"an id of 15 bytes", "ids", []any{n(15)}, false}, {"an id of 17 bytes", "ids", []any{n(17)}, false}, {"an id of text", "ids", []any{"x"}, false}}
	}
	table := []struct {
		k        kind
		answer   bool
		base     cbor.Map
		optional []string
		limits   [][]limit
	}{
		{kindHello, false, cbor.Map{"v": 1, "net": n(16), "now": 5, "sets": sets(1), "agent": "second/1", "proof": n(3)}, []string{"proof"}, [][]limit{{
			{"version 0", "v", 0, false}, {"version 2", "v", 2, false}, {"net of 15 bytes", "net", n(15), false}, {"net of 17 bytes", "net", n(17), false}, {"now of -1", "now", -1, false}, {"now of 2^53-1", "now", top, true},
			{"no sets", "sets", []any{}, true}, {"256 sets", "sets", sets(256), true}, {"257 sets", "sets", sets(257), false}, {"a set twice", "sets", many(2, sets(1)[0]), false},
			{"a set of text", "sets", []any{"auth"}, false}, {"a set without fp", "sets", []any{cbor.Map{"name": "auth", "count": 1}}, false}, {"a set without a name", "sets", []any{cbor.Map{"fp": n(16), "count": 1}}, false},
			{"a set without a count", "sets", []any{cbor.Map{"fp": n(16), "name": "auth"}}, false}, {"a set with another key", "sets", []any{cbor.Map{"fp": n(16), "name": "auth", "count": 1, "zzzzzz": 1}}, false},
			{"a set with an empty name", "sets", []any{cbor.Map{"fp": n(16), "name": "", "count": 1}}, false}, {"a set with a name of 80 bytes", "sets", []any{cbor.Map{"fp": n(16), "name": strings.Repeat("s", 80), "count": 1}}, true},
			{"a set with a name of 81 bytes", "sets", []any{cbor.Map{"fp": n(16), "name": strings.Repeat("s", 81), "count": 1}}, false}, {"a set with a name of bytes", "sets", []any{cbor.Map{"fp": n(16), "name": n(4), "count": 1}}, false},
			{"a set with fp of 15 bytes", "sets", []any{cbor.Map{"fp": n(15), "name": "auth", "count": 1}}, false}, {"a set with a count of -1", "sets", []any{cbor.Map{"fp": n(16), "name": "auth", "count": -1}}, false},
			{"agent of 64 characters", "agent", strings.Repeat("é", 64), true}, {"agent of 65 characters", "agent", strings.Repeat("é", 65), false}, {"empty agent", "agent", "", true},
			{"proof of 16 KiB", "proof", n(16 << 10), true}, {"proof of 16 KiB and 1", "proof", n(16<<10 + 1), false}, {"empty proof", "proof", []byte{}, true},
		}}},
		{kindRange, false, cbor.Map{"msg": []byte{0x61}, "set": "auth"}, nil, [][]limit{set, {{"msg of 64 KiB", "msg", n(64 << 10), true}, {"msg of 64 KiB and 1", "msg", n(64<<10 + 1), false}, {"empty msg", "msg", []byte{}, true}}}},
		{kindWant, false, cbor.Map{"ids": id, "set": "auth"}, nil, [][]limit{set, ids(1000, true), {{"no ids", "ids", []any{}, true}}}},
		{kindPull, false, cbor.Map{"max": 1, "set": "auth", "after": []any{0, make([]byte, 32)}}, nil, [][]limit{set, {
			{"max of 0", "max", 0, false}, {"max of 4096", "max", 4096, true}, {"max of 4097", "max", 4097, false}, {"after of one part", "after", []any{1}, false}, {"after of three parts", "after", []any{1, n(32), 1}, false},
			{"after with an id of 31 bytes", "after", []any{1, n(31)}, false}, {"after with an id of text", "after", []any{1, "x"}, false}, {"after with an hlc of -1", "after", []any{-1, n(32)}, false}, {"after with an hlc of text", "after", []any{"x", n(32)}, false}, {"after with an hlc of 2^53-1", "after", []any{top, n(32)}, true},
		}}},
		{kindChanges, false, cbor.Map{"more": false, "items": []any{[]any{n(5), nil}}}, nil, [][]limit{{
			{"8192 items", "items", many(8192, []any{n(1), nil}), true}, {"8193 items", "items", many(8193, []any{n(1), nil}), false}, {"an item with a body", "items", []any{[]any{n(5), n(5)}}, true}, {"an item with an empty body", "items", []any{[]any{n(5), []byte{}}}, true},
			{"an item of one part", "items", []any{[]any{n(5)}}, false}, {"an item of three parts", "items", []any{[]any{n(5), nil, nil}}, false}, {"an item with a head of text", "items", []any{[]any{"x", nil}}, false}, {"an item with a body of text", "items", []any{[]any{n(5), "x"}}, false},
			{"an item with no head", "items", []any{[]any{nil, n(5)}}, false}, {"an item of bytes", "items", []any{n(5)}, false}, {"more of true", "more", true, true},
		}}},
		{kindGone, false, cbor.Map{"ids": id}, nil, [][]limit{ids(1000, true), {{"no ids", "ids", []any{}, false}}}},
		{kindHave, false, cbor.Map{"ids": id, "set": "auth"}, nil, [][]limit{set, ids(100, true)}},
		{kindDone, false, cbor.Map{"fp": n(16), "set": "auth", "count": 1}, nil, [][]limit{set, fp, count}},
		{kindBusy, false, cbor.Map{"retry_ms": 5000}, nil, [][]limit{{{"retry_ms of 0", "retry_ms", 0, true}, {"retry_ms of 2^53-1", "retry_ms", top, true}, {"retry_ms of -1", "retry_ms", -1, false}}}},
		{kindError, false, cbor.Map{"code": "bad_encoding"}, nil, [][]limit{{{"code of 64 bytes", "code", strings.Repeat("c", 64), true}, {"code of 65 bytes", "code", strings.Repeat("c", 65), false}, {"empty code", "code", "", true}, {"a code of nobody", "code", "zeta", true}}}},
		{kindFilter, false, cbor.Map{"since": 5, "spaces": []any{"commons/go"}}, []string{"since"}, [][]limit{{
			{"no spaces", "spaces", []any{}, false}, {"64 spaces", "spaces", many(64, "net"), true}, {"65 spaces", "spaces", many(65, "net"), false}, {"a space of bytes", "spaces", []any{n(3)}, false}, {"a space that is none", "spaces", []any{"attic"}, false},
			{"since of -1", "since", -1, false}, {"since of 2^53-1", "since", top, true},
		}}},
		{kindSketch, false, cbor.Map{"n": 32, "set": "auth", "from": 0}, nil, [][]limit{set, {{"n of 0", "n", 0, false}, {"n of 8192", "n", 8192, true}, {"n of 8193", "n", 8193, false}, {"n of -1", "n", -1, false}, {"from of -1", "from", -1, false}, {"from of 8160", "from", 8160, true}, {"from of 8161", "from", 8161, false}, {"from of 8193", "from", 8193, false}}}},
		{kindSketch, true, cbor.Map{"fp": n(16), "set": "auth", "from": 0, "syms": n(25), "count": 1}, nil, [][]limit{set, fp, count, {{"no syms", "syms", []byte{}, false}, {"from of 8192", "from", 8192, true}, {"from of 8193", "from", 8193, false}}}},
	}
	for _, f := range table {
		for _, c := range vectorfile.Forms(f.base, f.optional...) {
			add(f.k, f.answer, c.Name, vectorfile.Raw(nil, c.Body), c.Good)
		}
		for _, limits := range f.limits {
			for _, l := range limits {
				add(f.k, f.answer, l.name, vectorfile.Raw(nil, vectorfile.With(f.base, l.key, l.v)), l.good)
			}
		}
		raw := vectorfile.Raw(nil, f.base)
		add(f.k, f.answer, "a byte behind it", append(bytes.Clone(raw), 0), false)
		add(f.k, f.answer, "cut short", raw[:len(raw)-1], false)
		add(f.k, f.answer, "empty", []byte{}, false)
		add(f.k, f.answer, "a list", []byte{0x80}, false)
	}
	packed := func(name string, payload []byte, good bool) {
		add(kindChanges, false, name, payload, good)
		v := &out[len(out)-1]
		v.In.Packed, v.Rule = true, "18.4"
	}
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	sum, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false))
	if err != nil {
		panic(err)
	}
	raw := vectorfile.Raw(nil, cbor.Map{"more": false, "items": []any{}})
	one := enc.EncodeAll(raw, nil)
	fill := func(size int) []byte { // a map of exactly size bytes
		m := cbor.Map{"more": false, "items": []any{[]any{[]byte{}, nil}}}
		m["items"] = []any{[]any{make([]byte, size-len(vectorfile.Raw(nil, m))-4), nil}}
		return vectorfile.Raw(nil, m)
	}
	packed("one frame with a checksum", one, true)
	packed("one frame without a checksum", sum.EncodeAll(raw, nil), true)
	packed("two frames", append(bytes.Clone(one), one...), false)
	packed("a skippable frame before it", append([]byte{0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 9}, one...), false)
	packed("a skippable frame behind it", append(bytes.Clone(one), 0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 9), false)
	packed("a byte behind it", append(bytes.Clone(one), 0), false)
	packed("cut short", one[:len(one)-1], false)
	packed("not packed", raw, false)
	packed("a wrong checksum", append(bytes.Clone(one[:len(one)-1]), one[len(one)-1]^1), false)
	packed("1 MiB unpacked", enc.EncodeAll(fill(1<<20), nil), true)
	packed("1 MiB and 1 unpacked", enc.EncodeAll(fill(1<<20+1), nil), false)
	return out
}

func TestFrameVectors(t *testing.T) {
	t.Parallel()
	for _, v := range vectorfile.Golden(t, "session/frames.json", frameVectors()) {
		if err := decodeFrame(v.In); reason.Of(err) != v.Code {
			t.Errorf("%s: %v, want %q", v.Name, err, v.Code)
		}
	}
}

// streamIn are the first bytes of a stream.
type streamIn struct {
	Stream vectorfile.Hex `json:"stream"`
}

type streamOut struct {
	Type    byte           `json:"type"`
	Payload vectorfile.Hex `json:"payload"`
}

// reading is a stream that can only be read.
type reading struct {
	bytes.Reader
}

func (*reading) Write([]byte) (int, error)        { return 0, io.ErrClosedPipe }
func (*reading) SetReadDeadline(time.Time) error  { return nil }
func (*reading) SetWriteDeadline(time.Time) error { return nil }

// readStream reads one frame. The code of a stream that ends before is "".
func readStream(t context.Context, in streamIn) (streamOut, error) {
	r := &reading{*bytes.NewReader(in.Stream)}
	w := newWire(t, r, time.Minute)
	defer w.stop()
	k, payload, err := w.read()
	return streamOut{byte(k), payload}, err
}

// TestStreamVectors: how a frame stands in a stream.
func TestStreamVectors(t *testing.T) {
	t.Parallel()
	type vector = vectorfile.Vector[streamIn, streamOut]
	var made []vector
	add := func(name, stream string, out *streamOut) {
		v := vector{Name: name, In: streamIn{[]byte(stream)}, Out: out, Rule: "18.3"}
		if out == nil {
			v.Code = reason.BadEncoding
		}
		made = append(made, v)
	}
	add("a type alone", "\x01\x09", &streamOut{9, []byte{}})
	add("a type and a payload", "\x02\x09\xa0", &streamOut{9, []byte{0xa0}})
	add("a length of two bytes", "\x80\x01\x09"+strings.Repeat("x", 127), &streamOut{9, []byte(strings.Repeat("x", 127))})
	add("a length of 0", "\x00", nil)
	add("a length not in its shortest form", "\x82\x00\x09\xa0", nil)
	add("a length of 262145", "\x81\x80\x10\x09", nil)
	add("a length of four bytes", "\x80\x80\x80\x01", nil)
	for _, v := range vectorfile.Golden(t, "session/streams.json", made) {
		got, err := readStream(t.Context(), v.In)
		if reason.Of(err) != v.Code || err == nil && (got.Type != v.Out.Type || !bytes.Equal(got.Payload, v.Out.Payload)) {
			t.Errorf("%s: %+v, %v", v.Name, got, err)
		}
	}
}
