// Package cbor is the one encoding of the network (wire §2): DAG-CBOR in its
// canonical form, with nothing optional about it. Definite lengths, shortest
// integers, text keys sorted by length then bytes, no duplicate keys, no tags,
// no floats, no undefined; depth at most 8; text is valid UTF-8 in NFC without
// U+0000; integers lie in ±(2^53−1).
//
// Because the reader accepts the canonical form only, decode then encode gives
// the same bytes, and a hash over received bytes is a hash over their meaning.
// The package is pure and knows no kinds; start with Reader to read a known
// shape, or with Decode and Encode for maps.
package cbor

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// MaxDepth bounds nesting of arrays and maps.
const MaxDepth = 8

// MaxInt is the largest integer, exact in every language's double.
const MaxInt = 1<<53 - 1

// Map is a map with text keys. Order is that of the encoding, not of the Map.
type Map = map[string]any

const (
	majorUint  = 0 << 5
	majorNeg   = 1 << 5
	majorBytes = 2 << 5
	majorText  = 3 << 5
	majorArray = 4 << 5
	majorMap   = 5 << 5
	simpleNo   = 0xf4
	simpleYes  = 0xf5
	simpleNull = 0xf6
)

func appendHead(b []byte, major byte, n uint64) []byte {
	switch {
	case n < 24:
		return append(b, major|byte(n))
	case n <= 0xff:
		return append(b, major|24, byte(n))
	case n <= 0xffff:
		return binary.BigEndian.AppendUint16(append(b, major|25), uint16(n))
	case n <= 0xffffffff:
		return binary.BigEndian.AppendUint32(append(b, major|26), uint32(n))
	default:
		return binary.BigEndian.AppendUint64(append(b, major|27), n)
	}
}

// AppendUint appends a non-negative integer. The caller keeps n <= MaxInt.
func AppendUint(b []byte, n uint64) []byte { return appendHead(b, majorUint, n) }

// AppendInt appends an integer of either sign within ±MaxInt.
func AppendInt(b []byte, n int64) []byte {
	if n < 0 {
		return appendHead(b, majorNeg, uint64(-1-n))
	}
	return AppendUint(b, uint64(n))
}

// AppendBytes appends a byte string.
func AppendBytes(b, v []byte) []byte { return append(appendHead(b, majorBytes, uint64(len(v))), v...) }

// AppendText appends a text string. The caller sees to NFC.
func AppendText(b []byte, s string) []byte {
	return append(appendHead(b, majorText, uint64(len(s))), s...)
}

// AppendArray opens an array of n items, which the caller appends next.
func AppendArray(b []byte, n int) []byte { return appendHead(b, majorArray, uint64(n)) }

// AppendMap opens a map of n pairs; the caller appends keys in canonical order.
func AppendMap(b []byte, n int) []byte { return appendHead(b, majorMap, uint64(n)) }

// AppendNull appends null.
func AppendNull(b []byte) []byte { return append(b, simpleNull) }

// AppendBool appends true or false.
func AppendBool(b []byte, v bool) []byte {
	if v {
		return append(b, simpleYes)
	}
	return append(b, simpleNo)
}

// Encode returns the canonical bytes of v, built of Map, []any, string, []byte,
// bool, nil, int, int64 and uint64. Another type, text that is not NFC, an
// integer outside ±MaxInt or nesting beyond MaxDepth is an error.
func Encode(v any) ([]byte, error) { return appendValue(nil, v, 0) }

func appendValue(b []byte, v any, depth int) ([]byte, error) {
	switch x := v.(type) {
	case nil:
		return AppendNull(b), nil
	case bool:
		return AppendBool(b, x), nil
	case int:
		return appendChecked(b, int64(x))
	case int64:
		return appendChecked(b, x)
	case uint64:
		if x > MaxInt {
			return nil, fmt.Errorf("encode: integer %d out of range", x)
		}
		return AppendUint(b, x), nil
	case []byte:
		return AppendBytes(b, x), nil
	case string:
		if err := checkText([]byte(x)); err != nil {
			return nil, fmt.Errorf("encode: %w", err)
		}
		return AppendText(b, x), nil
	case []any:
		if depth >= MaxDepth {
			return nil, fmt.Errorf("encode: nesting beyond %d", MaxDepth)
		}
		b = AppendArray(b, len(x))
		for _, item := range x {
			var err error
			if b, err = appendValue(b, item, depth+1); err != nil {
				return nil, err
			}
		}
		return b, nil
	case Map:
		return appendMapValue(b, x, depth)
	default:
		return nil, fmt.Errorf("encode: unsupported type %T", v)
	}
}

func appendChecked(b []byte, n int64) ([]byte, error) {
	if n > MaxInt || n < -MaxInt {
		return nil, fmt.Errorf("encode: integer %d out of range", n)
	}
	return AppendInt(b, n), nil
}

func appendMapValue(b []byte, m Map, depth int) ([]byte, error) {
	if depth >= MaxDepth {
		return nil, fmt.Errorf("encode: nesting beyond %d", MaxDepth)
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, CompareKeys)
	b = AppendMap(b, len(keys))
	for _, k := range keys {
		if err := checkText([]byte(k)); err != nil {
			return nil, fmt.Errorf("encode key: %w", err)
		}
		var err error
		if b, err = appendValue(AppendText(b, k), m[k], depth+1); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// CompareKeys orders map keys canonically: by length, then by bytes.
func CompareKeys(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }
