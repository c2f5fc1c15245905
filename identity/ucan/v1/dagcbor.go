package v1

import (
	"encoding/binary"
	"errors"
	"math"
	"unicode/utf8"
)

// Errors of the form of DAG-CBOR. They are texts of an IncorrectType.
var (
	errShort     = errors.New("ends too early")
	errTrailing  = errors.New("has bytes after its end")
	errCanonical = errors.New("is not canonical DAG-CBOR")
	errNesting   = errors.New("is nested too deeply")
)

// CBOR major types (RFC 8949 §3.1).
const (
	majorUint byte = iota
	majorNegative
	majorBytes
	majorText
	majorList
	majorMap
	majorTag
	majorSimple
)

const linkTag = 42 // a CID, behind a zero byte

// cursor reads canonical DAG-CBOR without building anything from it.
type cursor struct {
	b   []byte
	pos int
}

// checkCanonical returns nil when b is exactly one item of canonical DAG-CBOR:
// shortest lengths, definite, keys of text that are ascending (shorter first)
// and so unique, links as the only tag, finite floats of 64 bits, nested no
// deeper than MaxNesting. It needs no memory that grows with b.
func checkCanonical(b []byte) error {
	c := cursor{b: b}
	if err := c.skip(0); err != nil {
		return err
	}
	if c.pos != len(b) {
		return errTrailing
	}
	return nil
}

// head reads the type and argument of the next item. The argument of a float is
// its bits.
func (c *cursor) head() (major byte, n uint64, err error) {
	if c.pos >= len(c.b) {
		return 0, 0, errShort
	}
	first := c.b[c.pos]
	c.pos++
	major, low := first>>5, first&0x1f
	if low < 24 {
		return major, uint64(low), nil
	}
	if low > 27 {
		return 0, 0, errCanonical // indefinite or reserved
	}
	size := 1 << (low - 24)
	if len(c.b)-c.pos < size {
		return 0, 0, errShort
	}
	raw := c.b[c.pos : c.pos+size]
	c.pos += size
	var least uint64
	switch size {
	case 1:
		n, least = uint64(raw[0]), 24
	case 2:
		n, least = uint64(binary.BigEndian.Uint16(raw)), 1<<8
	case 4:
		n, least = uint64(binary.BigEndian.Uint32(raw)), 1<<16
	default:
		n, least = binary.BigEndian.Uint64(raw), 1<<32
	}
	if major == majorSimple {
		if f := math.Float64frombits(n); size != 8 || math.IsNaN(f) || math.IsInf(f, 0) {
			return 0, 0, errCanonical
		}
		return major, n, nil
	}
	if n < least {
		return 0, 0, errCanonical
	}
	return major, n, nil
}

// take returns the next n bytes, which belong to c.
func (c *cursor) take(n uint64) ([]byte, error) {
	if n > uint64(len(c.b)-c.pos) {
		return nil, errShort
	}
	b := c.b[c.pos : c.pos+int(n)]
	c.pos += int(n)
	return b, nil
}

// text reads a text.
func (c *cursor) text() (string, error) {
	major, n, err := c.head()
	if err != nil {
		return "", err
	}
	if major != majorText {
		return "", errCanonical
	}
	b, err := c.take(n)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(b) {
		return "", errCanonical
	}
	return string(b), nil
}

// skip checks one item and steps over it.
func (c *cursor) skip(depth int) error {
	if depth > MaxNesting {
		return errNesting
	}
	start := c.pos
	major, n, err := c.head()
	if err != nil {
		return err
	}
	switch major {
	case majorUint, majorNegative:
		return nil
	case majorBytes:
		_, err := c.take(n)
		return err
	case majorText:
		c.pos = start
		_, err := c.text()
		return err
	case majorList:
		for ; n > 0; n-- {
			if err := c.skip(depth + 1); err != nil {
				return err
			}
		}
		return nil
	case majorMap:
		return c.fields(n, depth, nil)
	case majorTag:
		return c.link(n)
	}
	if c.pos-start == 1 && (n < 20 || n > 22) {
		return errCanonical // only false, true and null
	}
	return nil
}

func (c *cursor) link(tag uint64) error {
	if tag != linkTag {
		return errCanonical
	}
	major, n, err := c.head()
	if err != nil {
		return err
	}
	if major != majorBytes {
		return errCanonical
	}
	b, err := c.take(n)
	if err == nil && (len(b) == 0 || b[0] != 0) {
		err = errCanonical
	}
	return err
}

// fields steps over the n pairs of a map and hands each to visit, which may be
// nil and is given the encoded value.
func (c *cursor) fields(n uint64, depth int, visit func(key string, value []byte)) error {
	last := ""
	for i := uint64(0); i < n; i++ {
		key, err := c.text()
		if err != nil {
			return err
		}
		if i > 0 && !less(last, key) {
			return errCanonical
		}
		last = key
		start := c.pos
		if err := c.skip(depth + 1); err != nil {
			return err
		}
		if visit != nil {
			visit(key, c.b[start:c.pos])
		}
	}
	return nil
}

// less is the order of keys in DAG-CBOR.
func less(a, b string) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}

// topFields returns the encoded values of a map that has passed checkCanonical.
func topFields(b []byte) (map[string][]byte, error) {
	c := cursor{b: b}
	major, n, err := c.head()
	if err != nil {
		return nil, err
	}
	if major != majorMap {
		return nil, errors.New("is not a map")
	}
	out := make(map[string][]byte)
	err = c.fields(n, 0, func(key string, value []byte) { out[key] = value })
	return out, err
}
