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

var b32 = base32.StdEncoding.WithPadding(base32.NoPadding)

// Base32 is lower-case base32 without padding, the network's text form of bytes.
func Base32(b []byte) string { return strings.ToLower(b32.EncodeToString(b)) }

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
	var id ID
	rest, ok := strings.CutPrefix(s, prefix)
	if !ok {
		return id, fmt.Errorf("%w: want %s…", ErrID, prefix)
	}
	b, err := decodeBase32(rest)
	if err != nil {
		return id, err
	}
	copy(id[:], b)
	return id, nil
}

func decodeBase32(s string) ([]byte, error) {
	if len(s) != 52 {
		return nil, fmt.Errorf("%w: want 52 characters of base32", ErrID)
	}
	b, err := b32.DecodeString(strings.ToUpper(s))
	if err != nil || Base32(b) != s {
		return nil, fmt.Errorf("%w: not lower-case base32", ErrID)
	}
	return b, nil
}

// IDFromBytes makes an ID of 32 bytes.
func IDFromBytes(b []byte) (ID, error) {
	if len(b) != len(ID{}) {
		return ID{}, fmt.Errorf("%w: %d bytes", ErrID, len(b))
	}
	return ID(b), nil
}
