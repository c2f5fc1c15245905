package recon

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// The checkpoint form of a set:
//
//	magic ‖ uvarint count ‖ sum (32 bytes)
//	‖ for each item in order: uvarint (hlc less that of the item before) ‖ id (32 bytes)
//	‖ the symbols of the kept sketch, if count is at least sketchFrom
//	‖ CRC-32C of all of the above (4 bytes, little-endian)
//
// It saves a restart from reading every change again: the sums of the tree are
// rebuilt in the same pass, the sketch, which would cost over a microsecond an
// item, is stored. It is for a node's own disk, not for the wire.
const checkpointMagic = "MESHRECON1\n"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendBinary appends the checkpoint form of the set to b, about 34 bytes an
// item. It never fails; the error is there for encoding.BinaryAppender. Writers
// wait meanwhile.
func (s *Set) AppendBinary(b []byte) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	start := len(b)
	b = append(b, checkpointMagic...)
	b = binary.AppendUvarint(b, uint64(s.tree.root.count))
	b = append(b, s.tree.root.sum[:]...)
	var last uint64
	s.tree.ascend(0, func(it *Item) bool {
		b = binary.AppendUvarint(b, it.HLC-last)
		b = append(b, it.ID[:]...)
		last = it.HLC
		return true
	})
	if s.kept != nil {
		b = appendSymbols(b, s.kept[:])
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[start:], castagnoli)), nil
}

var errCheckpoint = errors.New("checkpoint is cut short")

// Load makes a set from its checkpoint form and nothing else: any other bytes are
// an error, and the caller builds the set from its store. It does not retain data.
func Load(data []byte) (*Set, error) {
	if len(data) < len(checkpointMagic)+4 {
		return nil, errCheckpoint
	}
	if string(data[:len(checkpointMagic)]) != checkpointMagic {
		return nil, errors.New("not a checkpoint of this version")
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return nil, errors.New("checkpoint fails its checksum")
	}
	return decodeCheckpoint(body[len(checkpointMagic):])
}

// decodeCheckpoint reads what lies between the magic and the checksum.
func decodeCheckpoint(b []byte) (*Set, error) {
	count, b, err := readUvarint(b)
	if err != nil {
		return nil, fmt.Errorf("read count: %w", err)
	}
	if len(b) < 32 || count > uint64(len(b)-32)/33 {
		return nil, errCheckpoint
	}
	want := Sum(b)
	b = b[32:]
	s := NewSet()
	b, err = s.loadItems(b, int(count))
	if err != nil {
		return nil, err
	}
	if s.tree.root.sum != want {
		return nil, errors.New("items do not give the sum of the checkpoint")
	}
	if count >= sketchFrom {
		s.kept = new([MaxSymbols]cell)
		if b, err = decodeSymbols(b, s.kept[:]); err != nil {
			return nil, fmt.Errorf("read sketch: %w", err)
		}
		if s.kept[0].count != int64(count) {
			return nil, errors.New("sketch is of another set")
		}
	}
	if len(b) > 0 {
		return nil, fmt.Errorf("%d bytes follow the checkpoint", len(b))
	}
	return s, nil
}

// loadItems reads count items into the empty tree and returns the rest of b.
func (s *Set) loadItems(b []byte, count int) ([]byte, error) {
	run := make([]Item, 0, leafItems)
	var last uint64
	for i := range count {
		delta, rest, err := readUvarint(b)
		if err != nil {
			return nil, fmt.Errorf("read item %d: %w", i, err)
		}
		if len(rest) < 32 {
			return nil, errCheckpoint
		}
		last += delta // one that overflows is out of order
		run = append(run, Item{HLC: last, ID: [32]byte(rest)})
		b = rest[32:]
		if len(run) == leafItems || i == count-1 {
			if s.tree.runLength(run) != len(run) {
				return nil, fmt.Errorf("items up to %d are out of order", i)
			}
			s.tree.appendRun(run)
			run = run[:0]
		}
	}
	return b, nil
}
