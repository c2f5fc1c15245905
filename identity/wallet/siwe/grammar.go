package siwe

import (
	"errors"
	"strings"
	"time"
)

// ParseTime reads an RFC 3339 time in the one case and form that EIP-4361
// shows: four-digit year, "T", seconds, at most nine digits of fraction after a
// point, "Z" or an offset. It is narrower than time.Parse, which also takes a
// comma and a one-digit hour: what is a valid text must not depend on a library.
func ParseTime(s string) (time.Time, error) {
	const pattern = "0000-00-00T00:00:00"
	if len(s) <= len(pattern) {
		return time.Time{}, errTime
	}
	for i := range len(pattern) {
		if pattern[i] == '0' && !isDigit(s[i]) || pattern[i] != '0' && s[i] != pattern[i] {
			return time.Time{}, errTime
		}
	}
	rest := s[len(pattern):]
	if rest[0] == '.' {
		zone := strings.TrimLeft(rest[1:], "0123456789")
		if digits := len(rest) - 1 - len(zone); digits < 1 || digits > 9 {
			return time.Time{}, errTime
		}
		rest = zone
	}
	if rest != "Z" && !isOffset(rest) {
		return time.Time{}, errTime
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}, errTime
	}
	return t.UTC(), nil
}

var errTime = errors.New("not an RFC 3339 time")

// isOffset reports whether s has the form ±hh:mm.
func isOffset(s string) bool {
	return len(s) == 6 && (s[0] == '+' || s[0] == '-') && s[3] == ':' &&
		isDigit(s[1]) && isDigit(s[2]) && isDigit(s[4]) && isDigit(s[5])
}

// isURI reports whether s is a scheme, a colon and something of the characters
// that RFC 3986 allows in a URI. It does not take the URI apart.
func isURI(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || scheme == "" || rest == "" || !isLetter(scheme[0]) {
		return false
	}
	inScheme := func(c byte) bool { return isAlphanumeric(c) || c == '+' || c == '-' || c == '.' }
	return all(scheme, inScheme) && escaped(rest, func(c byte) bool { return isReserved(c) || isUnreserved(c) })
}

// isAuthority reports whether s is a host with an optional port. User info is
// refused: "bank.example@evil.example" misleads the person who signs.
func isAuthority(s string) bool {
	return s != "" && escaped(s, func(c byte) bool {
		return isUnreserved(c) || isSubDelimiter(c) || c == ':' || c == '[' || c == ']'
	})
}

// isPathSegment reports whether s consists of pchar of RFC 3986.
func isPathSegment(s string) bool {
	return escaped(s, func(c byte) bool { return isUnreserved(c) || isSubDelimiter(c) || c == ':' || c == '@' })
}

// escaped reports whether every byte of s is good or part of a %XX escape.
func escaped(s string, good func(byte) bool) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			if !good(s[i]) {
				return false
			}
			continue
		}
		if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
			return false
		}
		i += 2
	}
	return true
}

func all(s string, good func(byte) bool) bool {
	for i := range len(s) {
		if !good(s[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool        { return '0' <= c && c <= '9' }
func isLetter(c byte) bool       { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func isAlphanumeric(c byte) bool { return isDigit(c) || isLetter(c) }
func isHex(c byte) bool          { return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }
func isUnreserved(c byte) bool   { return isAlphanumeric(c) || strings.IndexByte("-._~", c) >= 0 }
func isSubDelimiter(c byte) bool { return strings.IndexByte("!$&'()*+,;=", c) >= 0 }
func isReserved(c byte) bool     { return isSubDelimiter(c) || strings.IndexByte(":/?#[]@", c) >= 0 }
