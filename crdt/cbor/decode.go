package cbor

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// ErrEncoding is wrapped by every error of the reader: the bytes are not the
// canonical form of anything, or not of the shape asked for.
var ErrEncoding = errors.New("not canonical CBOR")

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrEncoding, fmt.Sprintf(format, args...))
}

// Reader reads canonical CBOR item by item. Slices it returns alias the input.
// The zero Reader reads nothing; it is not safe for concurrent use.
type Reader struct {
	b     []byte
	off   int
	depth int
}

// NewReader reads from b, which the caller must not change meanwhile.
func NewReader(b []byte) *Reader { return &Reader{b: b} }

// Done returns an error when bytes are left.
func (r *Reader) Done() error {
	if r.off != len(r.b) {
		return bad("%d trailing bytes", len(r.b)-r.off)
	}
	return nil
}

// Offset is the number of bytes read so far.
func (r *Reader) Offset() int { return r.off }

func (r *Reader) head() (major byte, n uint64, err error) {
	if r.off >= len(r.b) {
		return 0, 0, bad("unexpected end")
	}
	first := r.b[r.off]
	major, info := first&0xe0, first&0x1f
	rest := r.b[r.off+1:]
	var size int
	switch {
	case info < 24:
		r.off++
		return major, uint64(info), nil
	case info > 27:
		return 0, 0, bad("indefinite or reserved length")
	default:
		size = 1 << (info - 24)
	}
	if len(rest) < size {
		return 0, 0, bad("unexpected end")
	}
	var least uint64
	switch size {
	case 1:
		n, least = uint64(rest[0]), 24
	case 2:
		n, least = uint64(binary.BigEndian.Uint16(rest)), 1<<8
	case 4:
		n, least = uint64(binary.BigEndian.Uint32(rest)), 1<<16
	default:
		n, least = binary.BigEndian.Uint64(rest), 1<<32
	}
	if major == 7<<5 {
		return 0, 0, bad("float or unknown simple value")
	}
	if n < least {
		return 0, 0, bad("integer not in its shortest form")
	}
	r.off += 1 + size
	return major, n, nil
}

func (r *Reader) want(major byte, name string) (uint64, error) {
	start := r.off
	m, n, err := r.head()
	if err != nil {
		return 0, err
	}
	if m != major {
		r.off = start
		return 0, bad("want %s", name)
	}
	return n, nil
}

// Uint reads an integer 0…MaxInt.
func (r *Reader) Uint() (uint64, error) {
	n, err := r.want(majorUint, "an unsigned integer")
	if err == nil && n > MaxInt {
		return 0, bad("integer beyond 2^53-1")
	}
	return n, err
}

// Bytes reads a byte string.
func (r *Reader) Bytes() ([]byte, error) {
	n, err := r.want(majorBytes, "a byte string")
	if err != nil {
		return nil, err
	}
	return r.take(n)
}

// BytesOrNull reads a byte string, or null as a nil slice.
func (r *Reader) BytesOrNull() ([]byte, error) {
	if r.off < len(r.b) && r.b[r.off] == simpleNull {
		r.off++
		return nil, nil
	}
	return r.Bytes()
}

// Bool reads true or false.
func (r *Reader) Bool() (bool, error) {
	if r.off < len(r.b) {
		switch r.b[r.off] {
		case simpleNo, simpleYes:
			r.off++
			return r.b[r.off-1] == simpleYes, nil
		}
	}
	return false, bad("want a boolean")
}

// Text reads a text string and checks UTF-8, NFC and the absence of U+0000.
func (r *Reader) Text() (string, error) {
	n, err := r.want(majorText, "a text string")
	if err != nil {
		return "", err
	}
	b, err := r.take(n)
	if err != nil {
		return "", err
	}
	if err := checkText(b); err != nil {
		return "", err
	}
	return string(b), nil
}

// Array reads the head of an array; the caller then reads its n items and
// calls End.
func (r *Reader) Array() (n int, err error) { return r.open(majorArray, "an array", 1) }

// Map reads the head of a map of n pairs; the caller reads each key by a
// KeyReader, then its value, and calls End.
func (r *Reader) Map() (n int, err error) { return r.open(majorMap, "a map", 2) }

func (r *Reader) open(major byte, name string, least uint64) (int, error) {
	n, err := r.want(major, name)
	if err != nil {
		return 0, err
	}
	// Each item takes a byte at least, so a huge count cannot be honest.
	if n > uint64(len(r.b)-r.off)/least {
		return 0, bad("count beyond the end")
	}
	if r.depth >= MaxDepth {
		return 0, bad("nesting beyond %d", MaxDepth)
	}
	r.depth++
	return int(n), nil
}

// End closes what Array or Map opened.
func (r *Reader) End() { r.depth-- }

// KeyReader checks that the keys of one map come in canonical order, once each.
type KeyReader struct {
	r    *Reader
	last string
	any  bool
}

// Keys returns a KeyReader for the map just opened.
func (r *Reader) Keys() KeyReader { return KeyReader{r: r} }

// Next reads the next key.
func (k *KeyReader) Next() (string, error) {
	s, err := k.r.Text()
	if err != nil {
		return "", err
	}
	if k.any && CompareKeys(k.last, s) >= 0 {
		return "", bad("keys out of order or twice")
	}
	k.last, k.any = s, true
	return s, nil
}

func (r *Reader) take(n uint64) ([]byte, error) {
	if n > uint64(len(r.b)-r.off) {
		return nil, bad("length beyond the end")
	}
	b := r.b[r.off : r.off+int(n) : r.off+int(n)]
	r.off += int(n)
	return b, nil
}

func checkText(b []byte) error {
	ascii := true
	for _, c := range b {
		if c == 0 {
			return bad("text with U+0000")
		}
		if c >= 0x80 {
			ascii = false
		}
	}
	if ascii {
		return nil
	}
	if !utf8.Valid(b) {
		return bad("text is not UTF-8")
	}
	if !norm.NFC.IsNormal(b) {
		return bad("text is not in NFC")
	}
	return nil
}

// Value reads any item: int64, []byte (aliasing the input), string, bool, nil,
// []any or Map.
func (r *Reader) Value() (any, error) {
	if r.off >= len(r.b) {
		return nil, bad("unexpected end")
	}
	switch r.b[r.off] & 0xe0 {
	case majorUint:
		n, err := r.Uint()
		return int64(n), err
	case majorNeg:
		n, err := r.want(majorNeg, "a negative integer")
		if err == nil && n >= MaxInt {
			return nil, bad("integer beyond 2^53-1")
		}
		return -1 - int64(n), err
	case majorBytes:
		return r.Bytes()
	case majorText:
		return r.Text()
	case majorArray:
		return r.array()
	case majorMap:
		return r.mapValue()
	}
	switch c := r.b[r.off]; c {
	case simpleNo, simpleYes:
		r.off++
		return c == simpleYes, nil
	case simpleNull:
		r.off++
		return nil, nil
	}
	return nil, bad("tag, float or unknown simple value")
}

func (r *Reader) array() (any, error) {
	n, err := r.Array()
	if err != nil {
		return nil, err
	}
	items := make([]any, 0, min(n, 64))
	for range n {
		v, err := r.Value()
		if err != nil {
			return nil, err
		}
		items = append(items, v)
	}
	r.End()
	return items, nil
}

func (r *Reader) mapValue() (any, error) {
	n, err := r.Map()
	if err != nil {
		return nil, err
	}
	m := make(Map, min(n, 64))
	keys := r.Keys()
	for range n {
		k, err := keys.Next()
		if err != nil {
			return nil, err
		}
		if m[k], err = r.Value(); err != nil {
			return nil, err
		}
	}
	r.End()
	return m, nil
}

// Decode reads one whole canonical item; trailing bytes are an error. Byte
// strings in the result alias b.
func Decode(b []byte) (any, error) {
	r := NewReader(b)
	v, err := r.Value()
	if err != nil {
		return nil, err
	}
	return v, r.Done()
}

// DecodeMap is Decode for an item that must be a map.
func DecodeMap(b []byte) (Map, error) {
	v, err := Decode(b)
	if err != nil {
		return nil, err
	}
	m, ok := v.(Map)
	if !ok {
		return nil, bad("want a map")
	}
	return m, nil
}
