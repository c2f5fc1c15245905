package index

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/bits"
)

// manifest says which segment files are the index, and for which position of the owner's
// log. Replacing it is the moment at which a commit happens.
type manifest struct {
	position uint64
	next     uint64 // number of the next segment
	segments []manifestSegment
}

type manifestSegment struct {
	number uint64
	size   uint32
	sum    uint32
	dead   [][]uint32 // removed documents by part, in the order of the file
}

// Layout: manifestMagic, format varint, analyser version varint, then varint length and
// bytes of the print, position u64, next varint, varint number of segments, and for each
// its number, size and sum as varints, varint number of parts, and for each of those the
// removed documents as varint count and varint gaps. CRC-32C of all before at the end.
const (
	manifestMagic = "meshman1"
	segmentFormat = 1 // raise it when segment or manifest change
)

func encodeManifest(print string, position, next uint64, segments []*segment) []byte {
	b := []byte(manifestMagic)
	b = binary.AppendUvarint(b, segmentFormat)
	b = binary.AppendUvarint(b, analyserVersion)
	b = binary.AppendUvarint(b, uint64(len(print)))
	b = append(b, print...)
	b = binary.LittleEndian.AppendUint64(b, position)
	b = binary.AppendUvarint(b, next)
	b = binary.AppendUvarint(b, uint64(len(segments)))
	for _, s := range segments {
		b = binary.AppendUvarint(b, s.number)
		b = binary.AppendUvarint(b, uint64(s.size))
		b = binary.AppendUvarint(b, uint64(s.sum))
		b = binary.AppendUvarint(b, uint64(len(s.names)))
		for _, name := range s.names {
			b = appendMarks(b, s.parts[name])
		}
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func appendMarks(b []byte, p *part) []byte {
	b = binary.AppendUvarint(b, uint64(p.docs()-p.live))
	next := 0
	for w, word := range p.dead {
		for ; word != 0; word &= word - 1 {
			doc := 64*w + bits.TrailingZeros64(word)
			b = binary.AppendUvarint(b, uint64(doc-next))
			next = doc + 1
		}
	}
	return b
}

// decodeManifest reads a manifest made for the configuration with the given print.
func decodeManifest(b []byte, print string) (manifest, error) {
	if len(b) < len(manifestMagic)+4 || string(b[:len(manifestMagic)]) != manifestMagic {
		return manifest{}, fmt.Errorf("%w: not a manifest", ErrCorrupt)
	}
	end := len(b) - 4
	if crc32.Checksum(b[:end], castagnoli) != binary.LittleEndian.Uint32(b[end:]) {
		return manifest{}, fmt.Errorf("%w: checksum of the manifest differs", ErrCorrupt)
	}
	d := decoder{data: b[len(manifestMagic):end]}
	if format, version := d.varint(), d.varint(); format != segmentFormat || version != analyserVersion {
		return manifest{}, fmt.Errorf("%w: format %d, analyser %d; want %d, %d",
			ErrStale, format, version, segmentFormat, analyserVersion)
	}
	if made := string(d.bytes(d.varint())); !d.bad && made != print {
		return manifest{}, fmt.Errorf("%w: other fields", ErrStale)
	}
	m := manifest{position: d.uint64()}
	m.next = d.varint()
	for n := d.varint(); n > 0 && !d.bad; n-- {
		s := manifestSegment{number: d.varint()}
		size, sum := d.varint(), d.varint()
		if s.number >= m.next || size > maxFile || sum > maxFile {
			d.bad = true
		}
		s.size, s.sum = uint32(size), uint32(sum)
		for parts := d.varint(); parts > 0 && !d.bad; parts-- {
			s.dead = append(s.dead, d.marks())
		}
		m.segments = append(m.segments, s)
	}
	if d.bad || len(d.data) > 0 {
		return manifest{}, fmt.Errorf("%w: manifest is malformed", ErrCorrupt)
	}
	return m, nil
}

// marks reads what appendMarks wrote.
func (d *decoder) marks() []uint32 {
	var out []uint32
	next := uint64(0)
	for n := d.varint(); n > 0 && !d.bad; n-- {
		gap := d.varint()
		if next+gap >= gone || gap >= gone {
			d.bad = true
			break
		}
		out = append(out, uint32(next+gap))
		next += gap + 1
	}
	return out
}
