package engine

import (
	"context"
	"errors"
	"strings"
)

// Gap is a range of keys, From ≤ key < To, that an engine cannot give.
type Gap struct{ From, To string }

// Has reports whether a key lies in the gap.
func (g Gap) Has(key string) bool { return g.From <= key && key < g.To }

// scanner is the part of an Engine that ScanSound needs.
type scanner interface {
	Scan(ctx context.Context, from, to string, visit func(key string, value []byte) error) error
}

// ScanSound is Scan that leaves out what the engine cannot give and reports it
// as gaps. What lies in none was visited.
func ScanSound(ctx context.Context, e scanner, from, to string, visit func(key string, value []byte) error, skipped func(Gap)) error {
	for from < to {
		last := ""
		var stop error
		err := e.Scan(ctx, from, to, func(key string, value []byte) error {
			last, stop = key, visit(key, value)
			return stop
		})
		if err == nil || stop != nil || !IsCorrupt(err) {
			return err
		}
		bad := from
		if last != "" {
			bad = last + "\x00"
		}
		next, err := resume(ctx, e, bad, to)
		if err != nil {
			return err
		}
		skipped(Gap{bad, next})
		from = next
	}
	return nil
}

var errStop = errors.New("found")

// keyChars are the characters of keys, in order, with one above them all.
const keyChars = "/0123456789abcdefghijklmnopqrstuvwxyz\x7f"

// resume finds where, above bad, at which the engine cannot begin to read, it can
// again: nearly the smallest such key, and to when there is none. It goes from
// character to character, since an engine may take milliseconds for each damaged
// block that it meets.
func resume(ctx context.Context, e scanner, bad, to string) (string, error) {
	high := to
	reads := func(x string) (bool, error) {
		if x <= bad || x >= high {
			return x > bad, nil
		}
		err := e.Scan(ctx, x, to, func(string, []byte) error { return errStop })
		switch {
		case err == nil || errors.Is(err, errStop):
			high = x
			return true, nil
		case IsCorrupt(err):
			return false, nil
		}
		return false, err
	}
	prefix, apart := "", 0
	for len(prefix) < maxKey && apart < resumeChars {
		// The largest character with which it cannot read; the next one ends that.
		low, end := -1, len(keyChars)
		if i := len(prefix); i < len(bad) && prefix == bad[:i] {
			if at := strings.IndexByte(keyChars, bad[i]); at >= 0 && at+1 < len(keyChars) {
				ok, err := reads(prefix + keyChars[at+1:at+2])
				if err != nil {
					return "", err
				}
				if low = at; ok {
					end = at + 1
				}
			}
		}
		for low+1 < end {
			mid := (low + end) / 2
			ok, err := reads(prefix + keyChars[mid:mid+1])
			if err != nil {
				return "", err
			}
			if ok {
				end = mid
			} else {
				low = mid
			}
		}
		if low < 0 {
			break // with any character it reads
		}
		if prefix += keyChars[low : low+1]; !strings.HasPrefix(bad, prefix) {
			apart++
		}
	}
	return high, nil
}
