package sync

import (
	"errors"
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/meshd/meshd/crdt/change"
)

// codec packs and unpacks changes frames. It is safe for concurrent use.
type codec struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

func newCodec() (*codec, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithWindowSize(maxUnpacked), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("make compressor: %w", err)
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2),
		zstd.WithDecoderMaxMemory(maxUnpacked), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, fmt.Errorf("make decompressor: %w", err)
	}
	return &codec{enc: enc, dec: dec}, nil
}

func (c *codec) pack(raw []byte) []byte { return c.enc.EncodeAll(raw, make([]byte, 0, len(raw)/2)) }

// unpack appends the content of exactly one zstd frame to buf, maxUnpacked
// bytes at most.
func (c *codec) unpack(packed, buf []byte) ([]byte, error) {
	if err := oneFrame(packed); err != nil {
		return buf, refuse("changes: %v", err)
	}
	raw, err := c.dec.DecodeAll(packed, buf)
	if err != nil {
		return buf, refuse("changes: %v", err)
	}
	if len(raw)-len(buf) > maxUnpacked {
		return buf, refuse("changes: above %d bytes", maxUnpacked)
	}
	return raw, nil
}

var errZstd = errors.New("not exactly one zstd frame without dictionary")

// oneFrame walks the blocks of a frame (RFC 8878 §3.1.1). A decoder would take
// several frames in a row, and skip over foreign ones.
func oneFrame(b []byte) error {
	var h zstd.Header
	if err := h.Decode(b); err != nil || h.Skippable || h.DictionaryID != 0 {
		return errZstd
	}
	if h.HasFCS && h.FrameContentSize > maxUnpacked {
		return fmt.Errorf("%d bytes unpacked: %w", h.FrameContentSize, errLimit)
	}
	const (
		blockHeader = 3
		blockRLE    = 1
	)
	for off := h.HeaderSize; off+blockHeader <= len(b); {
		head := int(b[off]) | int(b[off+1])<<8 | int(b[off+2])<<16
		size := head >> 3
		if head>>1&3 == blockRLE {
			size = 1
		}
		off += blockHeader + size
		if head&1 == 0 {
			continue
		}
		if h.HasCheckSum {
			off += 4
		}
		if off != len(b) {
			break
		}
		return nil
	}
	return errZstd
}

// packer gathers runs into changes frames and writes them. Within a frame
// changes stand in order, and no run is split between frames.
type packer struct {
	w     *wire
	codec *codec

	runs []Run
	size int // bytes of runs

	sent int // changes
}

func (p *packer) add(runs []Run) error {
	for _, r := range runs {
		r = r.fitted()
		n := r.size()
		if p.size > 0 && p.size+n > packTarget {
			if err := p.flush(true); err != nil {
				return err
			}
		}
		p.runs = append(p.runs, r)
		p.size += n
	}
	return nil
}

// close writes the last frame, which may be empty.
func (p *packer) close() error { return p.flush(false) }

func (p *packer) flush(more bool) error {
	err := p.send(p.runs, more)
	p.runs, p.size = nil, 0
	return err
}

// send writes runs in one frame, or in several when they do not pack well.
func (p *packer) send(runs []Run, more bool) error {
	cs := merge(runs)
	packed := p.codec.pack(encodeChanges(cs, more))
	if len(packed) >= maxFrame && len(runs) > 1 {
		half := len(runs) / 2
		if err := p.send(runs[:half], true); err != nil {
			return err
		}
		return p.send(runs[half:], more)
	}
	p.sent += len(cs)
	return p.w.write(kindChanges, packed)
}

// merge returns the changes of runs in order, each once, and with its body
// where a copy has one.
func merge(runs []Run) []*change.Change {
	var cs []*change.Change
	for _, r := range runs {
		cs = append(cs, r...)
	}
	slices.SortStableFunc(cs, func(a, b *change.Change) int {
		if c := a.Compare(b); c != 0 {
			return c
		}
		switch {
		case a.IsStub() == b.IsStub():
			return 0
		case b.IsStub():
			return -1
		}
		return 1
	})
	return slices.CompactFunc(cs, func(a, b *change.Change) bool { return a.ID == b.ID })
}

// itemSpace bounds what CBOR adds to head and body.
const itemSpace = 16

func (r Run) size() int {
	n := 0
	for _, c := range r {
		n += len(c.RawHead) + len(c.Body) + itemSpace
	}
	return n
}

// fitted is r with as many bodies as fit a frame.
func (r Run) fitted() Run {
	if r.size() <= runBudget {
		return r
	}
	room := runBudget
	for _, c := range r {
		room -= len(c.RawHead) + itemSpace
	}
	fit := slices.Clone(r)
	for i, c := range fit {
		if len(c.Body) <= room {
			room -= len(c.Body)
		} else {
			fit[i] = c.Stub()
		}
	}
	return fit
}
