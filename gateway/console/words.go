package console

import (
	"fmt"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/reason"
)

// onlyLoopback reports whether a node listens for peers of this machine alone.
func onlyLoopback(listen []string) bool {
	for _, addr := range listen {
		parts := strings.Split(addr, "/")
		if len(parts) < 3 {
			return false
		}
		ip, err := netip.ParseAddr(parts[2])
		if err != nil || !ip.IsLoopback() {
			return false
		}
	}
	return len(listen) > 0
}

// words are what codes of the gate say to whoever is writing; the table of reasons has
// what they mean to programs.
var words = map[reason.Code]string{
	reason.InvalidType:        "Choose what kind of lesson it is.",
	reason.TooShort:           fmt.Sprintf("It is too short: a lesson has at least %d characters.", body.MinEntry),
	reason.TooLong:            fmt.Sprintf("It is too long: a lesson has at most %d characters.", body.MaxEntry),
	reason.TooFewWords:        "It has too few words: write whole sentences.",
	reason.RawSessionDump:     "It looks like the record of a session: say what was learned in it.",
	reason.ShellLog:           "It looks like the output of a terminal: say what it shows.",
	reason.SecretDetected:     "It looks like it contains a secret. Nothing of it may be shared.",
	reason.CredentialEcho:     "It contains a credential with its value. Nothing of it may be shared.",
	reason.Duplicate:          "This very text is known already.",
	reason.NearDuplicate:      "You have written almost the same before.",
	reason.NoEvidence:         "It names no evidence; others trust it more with a test, a link or a measurement.",
	reason.MetadataKeyDropped: "A fact of it is left out, which looks like a secret.",
}

// meaning is what a code says, in words.
func meaning(code string) string {
	if text, ok := words[reason.Code(code)]; ok {
		return text
	}
	info, ok := reason.Lookup(reason.Code(code))
	if !ok {
		return strings.ReplaceAll(code, "_", " ")
	}
	return sentence(info.Meaning)
}

// sentence is a text that begins and ends like one.
func sentence(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + strings.TrimRight(text[size:], ".") + "."
}
