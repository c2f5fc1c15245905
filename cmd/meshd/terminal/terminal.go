// Package terminal has what commands know of terminals: whether a stream is one, and
// how foreign text is made safe for one.
package terminal

import (
	"os"
	"strings"
)

// Is reports whether a stream is a terminal.
func Is(f any) bool {
	file, ok := f.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// OneLine makes text safe for one line of a terminal: no control characters,
// which could move the cursor or forge other lines, and at most n characters.
func OneLine(s string, n int) string {
	out := []rune(Plain(strings.Join(strings.Fields(s), " ")))
	if len(out) > n {
		out = append(out[:n-1], '…')
	}
	return string(out)
}

// Plain drops control characters but line ends and tabs.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, s)
}
