package log

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/recon"
)

// The checkpoint of a log contains its sets, so that Open need not read every
// member again:
//
//	magic ‖ uvarint shards ‖ uvarint last local sequence ‖ id of that member
//	‖ uvarint sets, for each: uvarint length ‖ name ‖ uvarint length ‖ recon checkpoint
//	‖ CRC-32C of all of the above (4 bytes, little-endian)
const checkpointMagic = "MESHLOG1\n"

// Checkpoint is a decoded checkpoint, to be given to Open once.
type Checkpoint struct {
	shards int
	seq    uint64
	last   change.ID
	sets   []namedSet
}

type namedSet struct {
	name string
	set  *recon.Set
}

// Seq is the local sequence that the checkpoint stands for.
func (c *Checkpoint) Seq() uint64 { return c.seq }

// AppendCheckpoint appends a checkpoint of the log as it is now to b, about 34
// bytes a member, and returns it with the local sequence it stands for. Writers
// wait meanwhile. The caller stores it as it likes; a torn or old one costs only
// time.
func (l *Log) AppendCheckpoint(b []byte) ([]byte, uint64) {
	names := l.Sets()
	l.mu.RLock()
	defer l.mu.RUnlock()
	start := len(b)
	b = append(b, checkpointMagic...)
	b = binary.AppendUvarint(b, uint64(l.shards))
	b = binary.AppendUvarint(b, l.state.seq)
	b = append(b, l.last[:]...)
	b = binary.AppendUvarint(b, uint64(len(names)))
	for _, name := range names {
		b = appendText(b, name)
		set, _ := l.sets[name].AppendBinary(nil) // it never fails
		b = binary.AppendUvarint(b, uint64(len(set)))
		b = append(b, set...)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[start:], castagnoli)), l.state.seq
}

var errCheckpoint = errors.New("not a checkpoint of this version")

// DecodeCheckpoint reads a checkpoint. Any bytes but those of AppendCheckpoint
// are an error; Open then does without.
func DecodeCheckpoint(data []byte) (*Checkpoint, error) {
	if len(data) < len(checkpointMagic)+4 || !bytes.HasPrefix(data, []byte(checkpointMagic)) {
		return nil, fmt.Errorf("decode checkpoint: %w", errCheckpoint)
	}
	content := data[:len(data)-4]
	if crc32.Checksum(content, castagnoli) != binary.LittleEndian.Uint32(data[len(content):]) {
		return nil, fmt.Errorf("decode checkpoint: %w", errChecksum)
	}
	c, err := decodeCheckpoint(content[len(checkpointMagic):])
	if err != nil {
		return nil, fmt.Errorf("decode checkpoint: %w", err)
	}
	return c, nil
}

// decodeCheckpoint reads what lies between the magic and the checksum.
func decodeCheckpoint(b []byte) (*Checkpoint, error) {
	f := fields{b: b}
	shards := f.uint()
	c := &Checkpoint{seq: f.uint(), last: f.id()}
	n := f.uint()
	members := uint64(0)
	for i := uint64(0); i < n && f.err == nil; i++ {
		name, data := f.text(), f.bytes(f.uint())
		if f.err != nil {
			break
		}
		if i > 0 && compareSets(c.sets[i-1].name, name) >= 0 {
			return nil, errors.New("sets are out of order")
		}
		set, err := recon.Load(data)
		if err != nil {
			return nil, fmt.Errorf("load set %q: %w", name, err)
		}
		members += uint64(set.Len())
		c.sets = append(c.sets, namedSet{name, set})
	}
	if err := f.done(); err != nil {
		return nil, err
	}
	if shards < 1 || shards > change.MaxShards || members != c.seq {
		return nil, errCheckpoint
	}
	c.shards = int(shards)
	return c, nil
}
