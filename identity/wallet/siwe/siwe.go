// Package siwe reads and writes the sign-in texts of wallets, EIP-4361 ("Sign-In with
// Ethereum"): Message.Text and Parse accept exactly what the other makes. It is pure,
// and asks nobody's clock.
package siwe

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/meshd/meshd/identity/did"
)

// ErrMalformed is wrapped with what is wrong with a text.
var ErrMalformed = errors.New("not a valid sign-in text")

// Message is a sign-in text of EIP-4361. Text writes it and Parse reads it;
// each accepts exactly what the other makes, so a text has one meaning.
//
// Times are RFC 3339 and kept as written, because their bytes are signed;
// ParseTime reads them. Nobody's clock is asked here.
type Message struct {
	Domain         string // RFC 3986 authority without user info: host, or host:port
	Address        did.Address
	Statement      string // one line of URI characters and spaces, or ""
	URI            string
	Chain          uint64 // 1…did.MaxChain
	Nonce          string // 8…128 letters and digits
	IssuedAt       string
	ExpirationTime string   // or ""
	NotBefore      string   // or ""
	RequestID      string   // or ""
	Resources      []string // URIs, none when nil
}

const (
	opening     = " wants you to sign in with your Ethereum account:"
	textVersion = "1"
)

// Text is the exact text to sign: lines joined by LF, none at the end. It
// returns ErrMalformed when a field could not be read back.
func (m Message) Text() (string, error) {
	if err := m.check(); err != nil {
		return "", err
	}
	return m.text(), nil
}

func (m Message) text() string {
	lines := []string{m.Domain + opening, m.Address.String(), ""}
	if m.Statement != "" {
		lines = append(lines, m.Statement)
	}
	lines = append(lines, "",
		"URI: "+m.URI,
		"Version: "+textVersion,
		"Chain ID: "+strconv.FormatUint(m.Chain, 10),
		"Nonce: "+m.Nonce,
		"Issued At: "+m.IssuedAt)
	if m.ExpirationTime != "" {
		lines = append(lines, "Expiration Time: "+m.ExpirationTime)
	}
	if m.NotBefore != "" {
		lines = append(lines, "Not Before: "+m.NotBefore)
	}
	if m.RequestID != "" {
		lines = append(lines, "Request ID: "+m.RequestID)
	}
	if len(m.Resources) > 0 {
		lines = append(lines, "Resources:")
		for _, r := range m.Resources {
			lines = append(lines, "- "+r)
		}
	}
	return strings.Join(lines, "\n")
}

// Parse reads a sign-in text. Any deviation from EIP-4361 is ErrMalformed: a
// scheme before the domain, an address without its checksum, an empty optional
// line, fields out of order, CR, a final LF.
func Parse(text string) (Message, error) {
	if len(text) > maxText {
		return Message{}, fmt.Errorf("%w: over %d bytes", ErrMalformed, maxText)
	}
	m, err := read(strings.Split(text, "\n"))
	if err != nil {
		return Message{}, err
	}
	if err := m.check(); err != nil {
		return Message{}, err
	}
	if m.text() != text {
		return Message{}, fmt.Errorf("%w: not in the exact form", ErrMalformed)
	}
	return m, nil
}

// read takes the fields out of the lines without judging them, except where
// a line decides what the next one is.
func read(lines []string) (Message, error) {
	next := 0
	line := func() string {
		if next == len(lines) {
			return ""
		}
		next++
		return lines[next-1]
	}
	optional := func(label string) string {
		if next < len(lines) && strings.HasPrefix(lines[next], label) {
			return line()[len(label):]
		}
		return ""
	}
	var missing string
	required := func(label string) string {
		value, ok := strings.CutPrefix(line(), label)
		if !ok && missing == "" {
			missing = label
		}
		return value
	}

	var m Message
	m.Domain = strings.TrimSuffix(line(), opening)
	address, err := did.ParseChecksummed(line())
	if err != nil {
		return Message{}, fmt.Errorf("%w: %v", ErrMalformed, err)
	}
	m.Address = address
	line() // the empty line before the statement
	if m.Statement = line(); m.Statement != "" {
		line() // the empty line after it
	}
	m.URI = required("URI: ")
	version := required("Version: ")
	chain := required("Chain ID: ")
	m.Nonce = required("Nonce: ")
	m.IssuedAt = required("Issued At: ")
	if missing != "" {
		return Message{}, fmt.Errorf("%w: no line %q in its place", ErrMalformed, missing)
	}
	if version != textVersion {
		return Message{}, fmt.Errorf("%w: version is not 1", ErrMalformed)
	}
	if m.Chain, err = did.ParseChain(chain); err != nil {
		return Message{}, fmt.Errorf("%w: %v", ErrMalformed, err)
	}
	m.ExpirationTime = optional("Expiration Time: ")
	m.NotBefore = optional("Not Before: ")
	m.RequestID = optional("Request ID: ")
	if next < len(lines) && lines[next] == "Resources:" {
		next++
		for next < len(lines) && strings.HasPrefix(lines[next], "- ") {
			m.Resources = append(m.Resources, line()[2:])
		}
	}
	return m, nil
}

// check judges every field. The forms are those of EIP-4361 and RFC 3986.
func (m Message) check() error {
	switch {
	case !isAuthority(m.Domain):
		return fmt.Errorf("%w: domain is no host", ErrMalformed)
	case !all(m.Statement, func(c byte) bool { return c == ' ' || isReserved(c) || isUnreserved(c) }):
		return fmt.Errorf("%w: statement has a character that is not allowed", ErrMalformed)
	case !isURI(m.URI):
		return fmt.Errorf("%w: URI is no URI", ErrMalformed)
	case m.Chain == 0 || m.Chain > did.MaxChain:
		return fmt.Errorf("%w: chain id out of range", ErrMalformed)
	case len(m.Nonce) < minNonce || len(m.Nonce) > maxNonce || !all(m.Nonce, isAlphanumeric):
		return fmt.Errorf("%w: nonce is not 8 or more letters and digits", ErrMalformed)
	case !isPathSegment(m.RequestID):
		return fmt.Errorf("%w: request id has a character that is not allowed", ErrMalformed)
	case len(m.Resources) > maxResources:
		return fmt.Errorf("%w: over %d resources", ErrMalformed, maxResources)
	}
	if _, err := ParseTime(m.IssuedAt); err != nil {
		return fmt.Errorf("%w: issued at: %v", ErrMalformed, err)
	}
	for _, t := range []string{m.ExpirationTime, m.NotBefore} {
		if t == "" {
			continue
		}
		if _, err := ParseTime(t); err != nil {
			return fmt.Errorf("%w: %v", ErrMalformed, err)
		}
	}
	for i, r := range m.Resources {
		if !isURI(r) {
			return fmt.Errorf("%w: resource %d is no URI", ErrMalformed, i)
		}
	}
	return nil
}
