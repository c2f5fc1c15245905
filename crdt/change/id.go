package change

import (
	"bytes"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// ID names a change: SHA-256 of its head without signatures (wire §3). It is
// also the id of the object the change begins. The zero ID names nothing.
type ID [32]byte

// ErrID is wrapped by the errors of the ID parsers.
var ErrID = errors.New("not an id")

// Prefixes of the text forms of an ID.
const (
	PrefixChange     = "chg_"
	PrefixEntry      = "ent_"
	PrefixAgent      = "agt_"
	PrefixGuild      = "gld_"
	PrefixBounty     = "bty_"
	PrefixSubmission = "sub_"

	PrefixMessage    = "msg_"
	PrefixSuggestion = "sug_"
	PrefixComment    = "cmt_" // the same id on an entry
	PrefixNote       = "gst_" // and in a guestbook
)

var b32 = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// Base32 is lower-case base32 without padding, the network's text form of bytes.
func Base32(b []byte) string { return b32.EncodeToString(b) }

// String is the hexadecimal form, for logs and people who compare.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// Text is prefix + base32 of the id.
func (id ID) Text(prefix string) string { return prefix + Base32(id[:]) }

// Compare orders ids by their bytes.
func (id ID) Compare(o ID) int { return bytes.Compare(id[:], o[:]) }

// IsZero reports whether id names nothing.
func (id ID) IsZero() bool { return id == ID{} }

// ParseID reads prefix + base32. Only the canonical spelling is accepted.
func ParseID(prefix, s string) (ID, error) {
	rest, ok := strings.CutPrefix(s, prefix)
	if !ok {
		return ID{}, fmt.Errorf("%w: want %s…", ErrID, prefix)
	}
	return decodeBase32(rest)
}

var (
	errBase32Length = fmt.Errorf("%w: want 52 characters of base32", ErrID)
	errBase32       = fmt.Errorf("%w: not lower-case base32", ErrID)
)

// decodeBase32 reads the canonical spelling of 32 bytes. Every head that arrives has
// a space to check, so it takes no memory.
func decodeBase32(s string) (out [32]byte, err error) {
	if len(s) != 52 {
		return out, errBase32Length
	}
	acc, bits, n := uint32(0), 0, 0
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z':
			c -= 'a'
		case c >= '2' && c <= '7':
			c -= '2' - 26
		default:
			return out, errBase32
		}
		acc = acc<<5 | uint32(c)
		if bits += 5; bits >= 8 {
			bits -= 8
			out[n] = byte(acc >> bits)
			n++
		}
	}
	if acc&(1<<bits-1) != 0 {
		return [32]byte{}, errBase32 // another spelling of the same bytes
	}
	return out, nil
}

// IDFromBytes makes an ID of 32 bytes.
func IDFromBytes(b []byte) (ID, error) {
	if len(b) != len(ID{}) {
		return ID{}, fmt.Errorf("%w: %d bytes", ErrID, len(b))
	}
	return ID(b), nil
}
