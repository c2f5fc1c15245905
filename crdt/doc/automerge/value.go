package automerge

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/doc"
)

// Values cross the pipe as a tag and, where needed, a number or bytes with
// their length; lists and maps as a count and their items, keys ascending.
const (
	tagNull  = 'n'
	tagFalse = 'f'
	tagTrue  = 't'
	tagInt   = 'i'
	tagText  = 's'
	tagLive  = 'x'
	tagBytes = 'b'
	tagList  = 'l'
	tagMap   = 'm'
)

var (
	errDepth = errors.New("nested too deep")
	errUTF8  = errors.New("text is not UTF-8")
)

// appendKey writes a key of a map.
func appendKey(b []byte, k string) ([]byte, error) {
	if len(k) < 1 || len(k) > doc.MaxKey {
		return nil, fmt.Errorf("key of %d bytes, 1 to %d are allowed", len(k), doc.MaxKey)
	}
	return appendText(b, k)
}

func appendText(b []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return nil, errUTF8
	}
	return appendBytes(b, s), nil
}

// appendValue writes v, which must be one of the types doc.Field names.
func appendValue(b []byte, v any, depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	var err error
	switch v := v.(type) {
	case nil:
		return append(b, tagNull), nil
	case bool:
		if v {
			return append(b, tagTrue), nil
		}
		return append(b, tagFalse), nil
	case int:
		return binary.AppendVarint(append(b, tagInt), int64(v)), nil
	case int64:
		return binary.AppendVarint(append(b, tagInt), v), nil
	case string:
		return appendText(append(b, tagText), v)
	case doc.Text:
		return appendText(append(b, tagLive), string(v))
	case []byte:
		return appendBytes(append(b, tagBytes), v), nil
	case []any:
		b = binary.AppendUvarint(append(b, tagList), uint64(len(v)))
		for _, item := range v {
			if b, err = appendValue(b, item, depth+1); err != nil {
				return nil, err
			}
		}
		return b, nil
	case map[string]any:
		b = binary.AppendUvarint(append(b, tagMap), uint64(len(v)))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if b, err = appendKey(b, k); err != nil {
				return nil, err
			}
			if b, err = appendValue(b, v[k], depth+1); err != nil {
				return nil, err
			}
		}
		return b, nil
	}
	return nil, fmt.Errorf("a document holds no %T", v)
}

// decoder reads messages. After the first error every read gives zero values;
// end returns the error.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
	d.b = nil
}

// end returns the first error; bytes left over are one.
func (d *decoder) end() error {
	if d.err == nil && len(d.b) != 0 {
		d.fail(errors.New("trailing bytes"))
	}
	return d.err
}

func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.fail(errors.New("message ends early"))
		return nil
	}
	head := d.b[:n:n]
	d.b = d.b[n:]
	return head
}

func (d *decoder) byte() byte {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail(errors.New("bad number"))
		return 0
	}
	d.b = d.b[n:]
	return v
}

// count reads a number of items, each of at least one byte.
func (d *decoder) count() uint64 {
	n := d.uvarint()
	if n > uint64(len(d.b)) {
		d.fail(errors.New("message ends early"))
		return 0
	}
	return n
}

func (d *decoder) bytes() []byte { return d.take(d.uvarint()) }

func (d *decoder) heads() [][32]byte {
	heads := [][32]byte{}
	for range d.count() {
		h := d.take(32)
		if h == nil {
			return nil
		}
		heads = append(heads, [32]byte(h))
	}
	return heads
}

func (d *decoder) value(depth int) any {
	if depth > maxDepth {
		d.fail(errDepth)
	}
	switch d.byte() {
	case tagNull:
		return nil
	case tagFalse:
		return false
	case tagTrue:
		return true
	case tagInt:
		v, n := binary.Varint(d.b)
		if n <= 0 {
			d.fail(errors.New("bad number"))
			return nil
		}
		d.b = d.b[n:]
		return v
	case tagText:
		return string(d.bytes())
	case tagLive:
		return doc.Text(d.bytes())
	case tagBytes:
		return slices.Clone(d.bytes())
	case tagList:
		list := []any{}
		for range d.count() {
			list = append(list, d.value(depth+1))
			if d.err != nil {
				return nil
			}
		}
		return list
	case tagMap:
		m := map[string]any{}
		for range d.count() {
			key := string(d.bytes())
			m[key] = d.value(depth + 1)
			if d.err != nil {
				return nil
			}
		}
		return m
	}
	d.fail(errors.New("unknown value"))
	return nil
}
