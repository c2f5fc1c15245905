// Package cursor makes the opaque cursors of lists. A cursor contains the place
// after which the next page begins, and a hash of the list and its filters; it
// is authenticated, so a handler may trust what Decode returns as its own words.
// Cursors are not encrypted: put nothing in a sort key that the reader of the
// page may not see.
//
// Bind the list and its query once with [Bind], then use [Codec.Encode] for the
// last item of a page and [Codec.Decode] for what a client sends back.
package cursor

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// Codec encodes and decodes cursors under one key. It is safe for concurrent
// use. Gateways that share a key read each other's cursors.
type Codec struct{ key []byte }

// New returns a codec. The key has at least 32 bytes; it may serve other
// purposes too, since what is authenticated here begins with its own label.
func New(key []byte) (*Codec, error) {
	if len(key) < keySize {
		return nil, fmt.Errorf("cursor key has %d bytes, want %d", len(key), keySize)
	}
	return &Codec{slices.Clone(key)}, nil
}

// Place is where a page ended: the sort key and the id of its last item.
type Place struct {
	Sort string // at most 256 bytes, any bytes
	ID   string // at most 80 bytes
}

// Filter stands for a list and its filters.
type Filter [16]byte

// Bind returns the filter of a list under a query. Every parameter counts,
// whatever its position, except cursor and limit: a reader may change the size
// of the page on the way.
func Bind(list string, query url.Values) Filter {
	h := sha256.New()
	write := func(s string) {
		var n [4]byte
		binary.BigEndian.PutUint32(n[:], uint32(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	write(list)
	names := make([]string, 0, len(query))
	for name := range query {
		if name != "cursor" && name != "limit" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range query[name] {
			write(name)
			write(value)
		}
	}
	return Filter(h.Sum(nil))
}

// The bytes of a cursor, base64url without padding:
//
//	version 1 | issued (8, Unix ms) | filter 16 | length of sort (2) | sort | id | mac 16
const (
	version = 1
	header  = 1 + 8 + len(Filter{}) + 2
)

// Encode returns the cursor for the page after p, at most 512 characters. It
// fails only when p is longer than a Place may be. Of the time only the hour
// counts, so that the same page has the same bytes, and one entity tag, for that
// long.
func (c *Codec) Encode(f Filter, p Place, now time.Time) (string, error) {
	if len(p.Sort) > maxSort || len(p.ID) > maxID {
		return "", errors.New("encode cursor: place is too long")
	}
	b := make([]byte, 0, header+len(p.Sort)+len(p.ID)+macSize)
	b = append(b, version)
	b = binary.BigEndian.AppendUint64(b, uint64(now.Truncate(issuedStep).UnixMilli()))
	b = append(b, f[:]...)
	b = binary.BigEndian.AppendUint16(b, uint16(len(p.Sort)))
	b = append(b, p.Sort...)
	b = append(b, p.ID...)
	return base64.RawURLEncoding.EncodeToString(append(b, c.mac(b)...)), nil
}

// Decode returns the place of a cursor. A cursor that this key did not make,
// that belongs to another list or other filters, or that is older than 48 hours
// is refused with invalid_cursor.
func (c *Codec) Decode(text string, f Filter, now time.Time) (Place, error) {
	if len(text) > MaxText {
		return Place{}, refuse("the cursor is too long")
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	// The decoder skips line breaks; a cursor has one spelling only.
	if err != nil || base64.RawURLEncoding.EncodedLen(len(b)) != len(text) || len(b) < header+macSize {
		return Place{}, refuse("the cursor is damaged")
	}
	b, mac := b[:len(b)-macSize], b[len(b)-macSize:]
	if b[0] != version || !hmac.Equal(mac, c.mac(b)) {
		return Place{}, refuse("the cursor was not made by this node")
	}
	issued := time.UnixMilli(int64(binary.BigEndian.Uint64(b[1:])))
	if now.Sub(issued) > maxAge {
		return Place{}, refuse("the cursor is too old")
	}
	if Filter(b[9:9+len(f)]) != f {
		return Place{}, refuse("the cursor belongs to another list or other filters")
	}
	n := int(binary.BigEndian.Uint16(b[header-2:]))
	if n > len(b)-header {
		return Place{}, refuse("the cursor is damaged")
	}
	return Place{Sort: string(b[header : header+n]), ID: string(b[header+n:])}, nil
}

func (c *Codec) mac(b []byte) []byte {
	m := hmac.New(sha256.New, c.key)
	m.Write([]byte("mesh-cursor-v1\x00"))
	m.Write(b)
	return m.Sum(nil)[:macSize]
}

func refuse(text string) error {
	r := reason.Refuse(reason.InvalidCursor, "%s", text)
	r.Hint = "start again without a cursor"
	return r
}
