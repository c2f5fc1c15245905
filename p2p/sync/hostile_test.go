package sync

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
)

// A sketch whose symbols lie makes ranges follow, and they set things right.
func TestLyingSketchForcesRanges(t *testing.T) {
	t.Parallel()
	const symbol = 16 + 8 + 2 // item, check and count of a symbol, for about a thousand items
	lies := map[string]func(a *sketchAnswer){
		"garbage items":     func(a *sketchAnswer) { a.syms[3] ^= 0xff },
		"garbage checks":    func(a *sketchAnswer) { a.syms[20] ^= 0xff },
		"wrong fingerprint": func(a *sketchAnswer) { a.fp[0] ^= 1 },
		"wrong count":       func(a *sketchAnswer) { a.count += 7 },
		"an item that is nowhere": func(a *sketchAnswer) {
			// The first symbol contains every item: a flipped one no longer peels.
			for i := range prefixSize {
				a.syms[symbol+i] ^= byte(i + 1)
			}
		},
	}
	for name, lie := range lies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newFake(open0).put(open0, span(0, 1000)...)
			b := newFake(open0).put(open0, span(5, 1005)...)
			ours, theirs := tap(t, func(k kind, payload []byte) (kind, []byte) {
				if k != kindSketch {
					return k, payload
				}
				s, err := decodeSketchAnswer(payload)
				if err != nil {
					t.Error(err)
				}
				s.syms = slices.Clone(s.syms)
				lie(&s)
				return k, s.encode()
			})
			r, _ := over(t, endpointOf(t, a), endpointOf(t, b), ours, theirs)
			if s := r.Sets[0]; r.Err != nil || s.Mode != ModeRange || !s.Fallback || !s.Equal {
				t.Fatalf("report: %+v", r)
			}
			mustEqual(t, a, b)
		})
	}
}

// A hello that lies about counts costs bytes, never the result.
func TestWrongCountsInHello(t *testing.T) {
	t.Parallel()
	for _, count := range []uint64{0, 1, 990, 5000, 1 << 40, 1<<53 - 1} {
		t.Run(fmt.Sprint(count), func(t *testing.T) {
			t.Parallel()
			a := newFake(open0).put(open0, span(0, 1000)...)
			b := newFake(open0).put(open0, span(5, 1005)...)
			ours, theirs := tap(t, func(k kind, payload []byte) (kind, []byte) {
				if k != kindHello {
					return k, payload
				}
				h, err := decodeHello(payload)
				if err != nil {
					t.Error(err)
				}
				h.sets[0].count = count
				return k, h.encode()
			})
			r, _ := over(t, endpointOf(t, a), endpointOf(t, b), ours, theirs)
			if r.Err != nil {
				t.Fatalf("report: %+v", r)
			}
			if count*pullRatio >= 1000 {
				mustEqual(t, a, b)
			}
		})
	}
}

// pack is raw as a changes payload.
func pack(t testing.TB, raw []byte) []byte { t.Helper(); return endpointOf(t, nil).codec.pack(raw) }

func frame(k kind, payload []byte) []byte {
	b := append(binary.AppendUvarint(nil, uint64(len(payload)+1)), byte(k))
	return append(b, payload...)
}

// respond plays a responder that answers each frame with raw bytes, one after
// another, after an honest hello of n changes. It stops when answers are out.
func respond(t testing.TB, theirs net.Conn, count uint64, answers func(k kind, payload []byte) []byte) {
	w := newWire(t.Context(), theirs, time.Hour)
	defer theirs.Close()
	defer w.stop()
	for {
		k, payload, err := w.read()
		if err != nil {
			return
		}
		var b []byte
		if k == kindHello {
			b = frame(kindHello, hello{net: testNet, sets: []setState{{open0, count, [16]byte{1}}}}.encode())
		} else {
			b = answers(k, payload)
		}
		if b == nil {
			return
		}
		if _, err := theirs.Write(b); err != nil {
			return
		}
	}
}

// What breaks the protocol ends the session, is scored, and takes nothing in.
func TestHostileResponder(t *testing.T) {
	t.Parallel()
	one := fabricate(100_000)
	bomb := pack(t, make([]byte, 64<<20))
	honest := pack(t, encodeChanges([]*change.Change{one}, false))
	disorder := []*change.Change{fabricate(100_001), one}
	var withDictionary bytes.Buffer
	enc, err := zstd.NewWriter(&withDictionary, zstd.WithEncoderDictRaw(77, bytes.Repeat([]byte("mesh"), 100)))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = enc.Write(encodeChanges([]*change.Change{one}, false))
	if err := enc.Close(); err != nil {
		t.Fatal(err)
	}
	var unsized bytes.Buffer
	if enc, err = zstd.NewWriter(&unsized); err != nil {
		t.Fatal(err)
	}
	for range 64 {
		_, _ = enc.Write(make([]byte, 1<<20))
	}
	if err := enc.Close(); err != nil {
		t.Fatal(err)
	}
	const long = 5000 // the peer claims: pulled
	for name, tc := range map[string]struct {
		count  uint64
		answer func(k kind, payload []byte) []byte
		want   string
	}{
		"unknown type":       {long, func(kind, []byte) []byte { return frame(13, nil) }, "type 13 where changes is due"},
		"hello again":        {long, func(kind, []byte) []byte { return frame(kindHello, nil) }, "hello where"},
		"no type":            {long, func(kind, []byte) []byte { return []byte{0} }, "length is zero"},
		"length too long":    {long, func(kind, []byte) []byte { return []byte{0x81, 0x00, 1} }, "shortest form"},
		"length too large":   {long, func(kind, []byte) []byte { return []byte{0xff, 0xff, 0x7f, 5} }, "limit 262144"},
		"length without end": {long, func(kind, []byte) []byte { return bytes.Repeat([]byte{0xff}, 20) }, "frame above"},
		"bomb":               {long, func(kind, []byte) []byte { return frame(kindChanges, bomb) }, "over its limit"},
		"two zstd frames":    {long, func(kind, []byte) []byte { return frame(kindChanges, slices.Concat(honest, honest)) }, "exactly one"},
		"skippable frame":    {long, func(kind, []byte) []byte { return frame(kindChanges, []byte{0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0}) }, "exactly one"},
		"a dictionary":       {long, func(kind, []byte) []byte { return frame(kindChanges, withDictionary.Bytes()) }, "exactly one"},
		"not zstd":           {long, func(kind, []byte) []byte { return frame(kindChanges, []byte("hello")) }, "exactly one"},
		"not in order":       {long, func(kind, []byte) []byte { return frame(kindChanges, pack(t, encodeChanges(disorder, false))) }, "not in order"},
		"twice in a frame": {long, func(kind, []byte) []byte {
			return frame(kindChanges, pack(t, encodeChanges([]*change.Change{one, one}, false)))
		}, "not in order"},
		"empty, more to come": {long, func(kind, []byte) []byte { return frame(kindChanges, pack(t, encodeChanges(nil, true))) }, "more to come"},
		"gone twice": {long, func(kind, []byte) []byte {
			g := frame(kindGone, gone{[][]byte{one.ID[:]}}.encode())
			return slices.Concat(g, g)
		}, "gone where"},
		"above a MiB unpacked": {long, func(kind, []byte) []byte {
			return frame(kindChanges, pack(t, encodeChanges(span(100_000, 100_000+maxPull), false)))
		}, "over its limit"},
		"bomb of unknown size": {long, func(kind, []byte) []byte { return frame(kindChanges, unsized.Bytes()) }, "changes: "},
		"other symbols": {12, func(k kind, payload []byte) []byte {
			return frame(kindSketch, sketchAnswer{set: open0, from: 32, syms: make([]byte, 25)}.encode())
		}, "other symbols"},
		"symbols cut short": {12, func(k kind, payload []byte) []byte {
			return frame(kindSketch, sketchAnswer{set: open0, from: 0, syms: make([]byte, 24)}.encode())
		}, "sketch: "},
		"range of another set": {6000, func(k kind, payload []byte) []byte {
			return frame(kindRange, rangeMsg{set: "auth", msg: []byte{0x61}}.encode())
		}, "another set"},
		"range garbage": {6000, func(k kind, payload []byte) []byte {
			return frame(kindRange, rangeMsg{set: open0, msg: []byte{0x61, 0xff, 0xff}}.encode())
		}, "range: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newFake(open0).put(open0, span(0, 10)...)
			if tc.count == 6000 {
				a.put(open0, span(10, 1700)...)
			}
			before := len(a.ids())
			ours, theirs := net.Pipe()
			go respond(t, theirs, tc.count, tc.answer)
			r := endpointOf(t, a).asker(t.Context(), ours, "b", newCursors()).run()
			ours.Close()
			var refusal *reason.Refusal
			if !errors.As(r.Err, &refusal) || !strings.Contains(r.Err.Error(), tc.want) {
				t.Fatalf("error: %v, want a refusal with %q", r.Err, tc.want)
			}
			if got := a.blamed(); len(got) != 1 || got[0] != reason.BadEncoding {
				t.Errorf("scored for %v", got)
			}
			if r.Complete || r.Equal() || len(a.ids()) != before {
				t.Errorf("report %+v, %d changes", r, len(a.ids()))
			}
		})
	}
}

// A pull whose answers repeat themselves ends; so does one that never does.
func TestPullThatDoesNotEnd(t *testing.T) {
	t.Parallel()
	t.Run("stands still", func(t *testing.T) {
		t.Parallel()
		a := newFake(open0)
		var full []byte
		cs := span(0, maxPull)
		for i := 0; i < len(cs); i += 1024 {
			full = append(full, frame(kindChanges, pack(t, encodeChanges(cs[i:i+1024], i+1024 < len(cs))))...)
		}
		ours, theirs := net.Pipe()
		go respond(t, theirs, 100_000, func(kind, []byte) []byte { return full })
		r := endpointOf(t, a).asker(t.Context(), ours, "b", newCursors()).run()
		ours.Close()
		if !strings.Contains(fmt.Sprint(r.Err), "nothing beyond") {
			t.Errorf("error: %v", r.Err)
		}
	})
	t.Run("goes on for ever", func(t *testing.T) {
		t.Parallel()
		a := newFake(open0)
		n := 0
		ours, theirs := net.Pipe()
		go respond(t, theirs, 1, func(kind, []byte) []byte {
			var full []byte
			for i := range 4 {
				full = append(full, frame(kindChanges, pack(t, encodeChanges(span(n, n+1024), i < 3)))...)
				n += 1024
			}
			return full
		})
		r := endpointOf(t, a).asker(t.Context(), ours, "b", newCursors()).run()
		ours.Close()
		if !strings.Contains(fmt.Sprint(r.Err), "no end") || n > 4*maxPull {
			t.Errorf("error after %d: %v", n, r.Err)
		}
	})
	t.Run("frames without end", func(t *testing.T) {
		t.Parallel()
		a := newFake(open0)
		one := frame(kindChanges, pack(t, encodeChanges(span(0, 900), true)))
		ours, theirs := net.Pipe()
		go respond(t, theirs, 100_000, func(kind, []byte) []byte { return bytes.Repeat(one, 2000) })
		ask := endpointOf(t, a).asker(t.Context(), ours, "b", newCursors())
		err := ask.greet()
		if err == nil {
			ask.current = &SetReport{}
			_, err = ask.want(open0, [][]byte{make([]byte, idSize)}, func([]*change.Change) error { return nil })
		}
		ours.Close()
		if !strings.Contains(fmt.Sprint(err), "where 1 were asked") {
			t.Errorf("error: %v", err)
		}
	})
}

// Changes never asked for are judged like any others, and a fetch by id does
// not return them.
func TestUnaskedChanges(t *testing.T) {
	t.Parallel()
	a := newFake(open0).put(open0, span(0, 1000)...)
	b := newFake(open0).put(open0, span(1, 1000)...).put(open0, fabricate(5000))
	stray := fabricate(6000)
	a.deny = func(c *change.Change) reason.Code {
		if c.ID == stray.ID {
			return reason.BadChangeSignature
		}
		return ""
	}
	ours, theirs := tap(t, func(k kind, payload []byte) (kind, []byte) {
		if k == kindChanges {
			return k, pack(t, encodeChanges([]*change.Change{fabricate(5000), stray}, false))
		}
		return k, payload
	})
	r, _ := over(t, endpointOf(t, a), endpointOf(t, b), ours, theirs)
	s := r.Sets[0]
	if r.Err != nil || !s.Equal || s.Got != 1 || s.Refused[reason.BadChangeSignature] != 1 {
		t.Fatalf("report: %+v", r)
	}
	mustEqual(t, a, b)
}

// One change that does not decode is scored and does not spoil the others; a
// good head with a wrong body comes as a stub.
func TestBadChangeInGoodFrame(t *testing.T) {
	t.Parallel()
	good, other := fabricate(5000), fabricate(5001)
	bad := *fabricate(4999)
	bad.RawHead = slices.Clone(bad.RawHead[1:])
	swapped := *other
	swapped.Body = good.Body
	a := newFake(open0).put(open0, span(0, 100)...)
	b := newFake(open0).put(open0, span(0, 100)...).put(open0, good, other)
	ours, theirs := tap(t, func(k kind, payload []byte) (kind, []byte) {
		if k == kindChanges {
			return k, pack(t, encodeChanges([]*change.Change{&bad, good, &swapped}, false))
		}
		return k, payload
	})
	r, _ := over(t, endpointOf(t, a), endpointOf(t, b), ours, theirs)
	if r.Err != nil || !r.Equal() {
		t.Fatalf("report: %+v", r)
	}
	if got := a.blamed(); !slices.Equal(got, []reason.Code{reason.BadEncoding, reason.BlobMismatch}) {
		t.Errorf("scored for %v", got)
	}
	if !a.changes[other.ID].IsStub() || a.changes[good.ID].IsStub() {
		t.Error("bodies are not those that came")
	}
}

// What an initiator may not do ends its session with an error frame.
func TestHostileInitiator(t *testing.T) {
	t.Parallel()
	start := recon.NewInitiator(recon.NewSet(), maxRange).Start()
	rangeAsk := frame(kindRange, rangeMsg{open0, start}.encode())
	push := frame(kindChanges, pack(t, encodeChanges(span(50, 60), false)))
	sketch := func(from, n uint64) []byte { return frame(kindSketch, sketchAsk{open0, from, n}.encode()) }
	filterAsk := frame(kindFilter, filter{spaces: []change.Space{change.Commons("go")}}.encode())
	for name, tc := range map[string]struct {
		asks []byte
		code reason.Code
	}{
		"unknown type":                  {frame(99, nil), reason.BadEncoding},
		"hello again":                   {frame(kindHello, hello{net: testNet}.encode()), reason.BadEncoding},
		"busy":                          {frame(kindBusy, busy{time.Second}.encode()), reason.BadEncoding},
		"want of a set not followed":    {frame(kindWant, want{"team/x", nil}.encode()), reason.UnknownSpace},
		"pull of a set not followed":    {frame(kindPull, pull{set: "team/x", max: 1}.encode()), reason.UnknownSpace},
		"have of a set not followed":    {frame(kindHave, have{"team/x", nil}.encode()), reason.UnknownSpace},
		"have of a part of an id":       {frame(kindHave, have{open0, [][]byte{make([]byte, 16)}}.encode()), reason.BadEncoding},
		"done of a set not followed":    {frame(kindDone, done{setState{name: "team/x"}}.encode()), reason.UnknownSpace},
		"push before anything":          {push, reason.BadEncoding},
		"push after done":               {slices.Concat(sketch(0, 32), frame(kindDone, done{setState{name: open0}}.encode()), push), reason.BadEncoding},
		"a range too many":              {bytes.Repeat(rangeAsk, maxRounds+1), reason.BadEncoding},
		"range garbage":                 {frame(kindRange, rangeMsg{open0, []byte{0x61, 9, 9}}.encode()), reason.BadEncoding},
		"symbols beyond the last":       {sketch(8000, 193), reason.BadEncoding},
		"no symbols":                    {sketch(0, 0), reason.BadEncoding},
		"a second sketch of a set":      {slices.Concat(sketch(0, 32), frame(kindDone, done{setState{name: open0}}.encode()), sketch(0, 32)), reason.BadEncoding},
		"filter twice":                  {slices.Concat(filterAsk, filterAsk), reason.BadEncoding},
		"filter after a comparison":     {slices.Concat(rangeAsk, filterAsk), reason.BadEncoding},
		"pull of nothing":               {frame(kindPull, pull{set: open0}.encode()), reason.BadEncoding},
		"pull of too much":              {frame(kindPull, pull{set: open0, max: maxPull + 1}.encode()), reason.BadEncoding},
		"trailing bytes in an ask":      {frame(kindPull, append(pull{set: open0, max: 1}.encode(), 0)), reason.BadEncoding},
		"a key that is no such frame's": {frame(kindPull, want{open0, nil}.encode()), reason.BadEncoding},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newFake(open0).put(open0, span(0, 40)...)
			ours, theirs := net.Pipe()
			ans := endpointOf(t, b).answerer(t.Context(), theirs, "a", anyTime)
			ended := make(chan error, 1)
			go func() { err := ans.run(); theirs.Close(); ended <- err }()
			w := newWire(t.Context(), ours, time.Hour)
			defer w.stop()
			go func() {
				_, _ = ours.Write(slices.Concat(frame(kindHello, hello{net: testNet}.encode()), tc.asks))
			}()
			last, code := kind(0), reason.Code("")
			for {
				k, payload, err := w.read()
				if err != nil {
					break
				}
				if last = k; k == kindError {
					f, err := decodeFailure(payload)
					if err != nil {
						t.Error(err)
					}
					code = f.code
				}
			}
			if err := <-ended; reason.Of(err) != tc.code {
				t.Errorf("ended with %v", err)
			}
			if last != kindError || code != tc.code {
				t.Errorf("last frame %v, code %q", last, code)
			}
			if got := b.blamed(); len(got) != 1 || got[0] != tc.code {
				t.Errorf("scored for %v", got)
			}
			if len(b.ids()) != 40 {
				t.Error("something was taken in")
			}
		})
	}
}

func TestOtherNetworkIsLeftWithoutAWord(t *testing.T) {
	t.Parallel()
	a, b := endpointOf(t, newFake(open0)), endpointOf(t, newFake(open0))
	b.cfg.Net[0]++
	ours, theirs := net.Pipe()
	ans := b.answerer(t.Context(), theirs, "a", anyTime)
	ended := make(chan error, 1)
	go func() { err := ans.run(); theirs.Close(); ended <- err }()
	r := a.asker(t.Context(), ours, "b", newCursors()).run()
	ours.Close()
	if err := <-ended; !errors.Is(err, ErrNetwork) {
		t.Errorf("answerer: %v", err)
	}
	if r.Err == nil || r.BytesIn != 0 {
		t.Errorf("asker: %+v", r)
	}
}

// A peer that stops, or drips, is cut when its frame's time is over.
func TestStalledPeerIsCut(t *testing.T) {
	t.Parallel()
	stall := map[string]func(theirs net.Conn){
		"says nothing": func(net.Conn) {},
		"half a frame": func(theirs net.Conn) { _, _ = theirs.Write([]byte{100, 1, 2, 3}) },
		"drips": func(theirs net.Conn) {
			_, _ = theirs.Write([]byte{200, 1, 1})
			for range 190 {
				time.Sleep(time.Second)
				if _, err := theirs.Write([]byte{0}); err != nil {
					return
				}
			}
		},
	}
	for name, play := range stall {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ours, theirs := net.Pipe()
				played := make(chan struct{})
				go func() {
					defer close(played)
					b := make([]byte, 1024)
					_, _ = theirs.Read(b)
					play(theirs)
				}()
				start := time.Now()
				r := endpointOf(t, newFake(open0)).asker(t.Context(), ours, "b", newCursors()).run()
				ours.Close()
				theirs.Close()
				if !errors.Is(r.Err, os.ErrDeadlineExceeded) || time.Since(start) != frameTime {
					t.Errorf("after %v: %v", time.Since(start), r.Err)
				}
				<-played
			})
			synctest.Test(t, func(t *testing.T) {
				ours, theirs := net.Pipe()
				played := make(chan struct{})
				go func() { defer close(played); play(theirs) }()
				start := time.Now()
				err := endpointOf(t, newFake(open0)).answerer(t.Context(), ours, "b", anyTime).run()
				ours.Close()
				theirs.Close()
				if !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) != frameTime {
					t.Errorf("answerer after %v: %v", time.Since(start), err)
				}
				<-played
			})
		})
	}
	t.Run("asks for ever", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			ours, theirs := net.Pipe()
			played := make(chan struct{})
			go func() {
				defer close(played)
				w := newWire(context.Background(), theirs, time.Hour)
				_ = w.write(kindHello, hello{net: testNet}.encode())
				for range 1000 {
					if _, _, err := w.read(); err != nil {
						return
					}
					time.Sleep(10 * time.Second)
					_ = w.write(kindWant, want{open0, nil}.encode())
				}
			}()
			start := time.Now()
			err := endpointOf(t, newFake(open0)).answerer(t.Context(), ours, "b", anyTime).run()
			ours.Close()
			theirs.Close()
			if !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) != defaultTime+graceTime {
				t.Errorf("after %v: %v", time.Since(start), err)
			}
			<-played
		})
	})
}

// A session that is cut in a push loses nothing: the next one finishes.
func TestPeerDisappearsMidPush(t *testing.T) {
	t.Parallel()
	a := newFake(open0).put(open0, span(0, 9000)...)
	b := newFake(open0).put(open0, span(3500, 9000)...)
	frames := 0
	ours, theirs := tapBoth(t, nil, func(k kind, payload []byte) (kind, []byte) {
		if k == kindChanges {
			if frames++; frames == 2 {
				return 0, nil
			}
		}
		return k, payload
	})
	r, _ := over(t, endpointOf(t, a), endpointOf(t, b), ours, theirs)
	if r.Err == nil || r.Equal() {
		t.Fatalf("report: %+v", r)
	}
	had := len(b.ids())
	if had <= 5500 || had >= 9000 {
		t.Fatalf("%d changes after the cut", had)
	}
	if r, _ := meet(t, a, b); !r.Equal() || r.Sets[0].Pushed != 9000-had {
		t.Fatalf("second report: %+v", r)
	}
	mustEqual(t, a, b)
}

// A pull that a cut breaks off goes on where it was.
func TestPullGoesOnAfterCut(t *testing.T) {
	t.Parallel()
	a := newFake(open0)
	b := newFake(open0).put(open0, span(0, 10_000)...)
	pulls := 0
	ours, theirs := tapBoth(t, nil, func(k kind, payload []byte) (kind, []byte) {
		if k == kindPull {
			if pulls++; pulls == 3 { // the first is for the latest
				return 0, nil
			}
		}
		return k, payload
	})
	cur := newCursors()
	ans := endpointOf(t, b).answerer(t.Context(), theirs, "a", anyTime)
	over := make(chan struct{})
	go func() { defer close(over); _ = ans.run(); theirs.Close() }()
	r := endpointOf(t, a).asker(t.Context(), ours, "b", cur).run()
	ours.Close()
	<-over
	if r.Err == nil || len(a.ids()) != maxPull {
		t.Fatalf("%d changes, report: %+v", len(a.ids()), r)
	}
	ours, theirs = net.Pipe()
	ans = endpointOf(t, b).answerer(t.Context(), theirs, "a", anyTime)
	over = make(chan struct{})
	go func() { defer close(over); _ = ans.run(); theirs.Close() }()
	r = endpointOf(t, a).asker(t.Context(), ours, "b", cur).run()
	ours.Close()
	<-over
	if s := r.Sets[0]; !r.Equal() || s.Mode != ModePull || s.Got != 10_000-maxPull || s.Known != 0 || s.Rounds != 3 {
		t.Fatalf("report: %+v", r)
	}
}

// The end of the caller's context ends a session at once, also before its
// first frame.
func TestContextEndsSession(t *testing.T) {
	t.Parallel()
	for _, after := range []time.Duration{0, 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			ours, theirs := net.Pipe()
			if after == 0 {
				cancel()
			}
			time.AfterFunc(after, cancel)
			start := time.Now()
			r := endpointOf(t, newFake(open0)).asker(ctx, ours, "b", newCursors()).run()
			if r.Err == nil || time.Since(start) != after {
				t.Errorf("after %v: %v", time.Since(start), r.Err)
			}
			ours.Close()
			theirs.Close()
		})
	}
}
