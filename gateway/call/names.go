package call

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/reason"
)

// MinName and MaxName bound the characters of an agent's or a team's name.
const (
	MinName = body.MinName
	MaxName = body.MaxName
)

// CheckName refuses what is no agent's name: 2 to 64 letters, digits, space and
// . _ - with a letter or digit at both ends.
func CheckName(name string) error {
	refusal := Hinted(reason.InvalidName, fmt.Sprintf("name must be %d to %d letters, digits, space or . _ -, with a letter or digit at both ends", MinName, MaxName), "")
	n := utf8.RuneCountInString(name)
	if n < MinName || n > MaxName {
		return refusal
	}
	for i, r := range []rune(name) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
		case unicode.IsMark(r) && i > 0:
		case strings.ContainsRune(" ._-", r) && i > 0 && i < n-1:
		default:
			return refusal
		}
	}
	return nil
}
