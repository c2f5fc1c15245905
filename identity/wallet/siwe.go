package wallet

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/meshd/meshd/identity/did"
)

// SIWE is a sign-in text of EIP-4361. Text writes it and ParseSIWE reads it;
// each accepts exactly what the other makes, so a text has one meaning.
//
// Times are RFC 3339 and kept as written, because their bytes are signed;
// ParseTime reads them. Nobody's clock is asked here.
type SIWE struct {
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
	siweOpening = " wants you to sign in with your Ethereum account:"
	siweVersion = "1"
)

// Text is the exact text to sign: lines joined by LF, none at the end. It
// returns ErrSIWE when a field could not be read back.
func (m SIWE) Text() (string, error) {
	if err := m.check(); err != nil {
		return "", err
	}
	return m.text(), nil
}

func (m SIWE) text() string {
	lines := []string{m.Domain + siweOpening, m.Address.String(), ""}
	if m.Statement != "" {
		lines = append(lines, m.Statement)
	}
	lines = append(lines, "",
		"URI: "+m.URI,
		"Version: "+siweVersion,
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

// ParseSIWE reads a sign-in text. Any deviation from EIP-4361 is ErrSIWE: a
// scheme before the domain, an address without its checksum, an empty optional
// line, fields out of order, CR, a final LF.
func ParseSIWE(text string) (SIWE, error) {
	if len(text) > maxText {
		return SIWE{}, fmt.Errorf("%w: over %d bytes", ErrSIWE, maxText)
	}
	m, err := readSIWE(strings.Split(text, "\n"))
	if err != nil {
		return SIWE{}, err
	}
	if err := m.check(); err != nil {
		return SIWE{}, err
	}
	if m.text() != text {
		return SIWE{}, fmt.Errorf("%w: not in the exact form", ErrSIWE)
	}
	return m, nil
}

// readSIWE takes the fields out of the lines without judging them, except where
// a line decides what the next one is.
func readSIWE(lines []string) (SIWE, error) {
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

	var m SIWE
	m.Domain = strings.TrimSuffix(line(), siweOpening)
	address, err := did.ParseChecksummed(line())
	if err != nil {
		return SIWE{}, fmt.Errorf("%w: %v", ErrSIWE, err)
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
		return SIWE{}, fmt.Errorf("%w: no line %q in its place", ErrSIWE, missing)
	}
	if version != siweVersion {
		return SIWE{}, fmt.Errorf("%w: version is not 1", ErrSIWE)
	}
	if m.Chain, err = did.ParseChain(chain); err != nil {
		return SIWE{}, fmt.Errorf("%w: %v", ErrSIWE, err)
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
func (m SIWE) check() error {
	switch {
	case !isAuthority(m.Domain):
		return fmt.Errorf("%w: domain is no host", ErrSIWE)
	case !all(m.Statement, func(c byte) bool { return c == ' ' || isReserved(c) || isUnreserved(c) }):
		return fmt.Errorf("%w: statement has a character that is not allowed", ErrSIWE)
	case !isURI(m.URI):
		return fmt.Errorf("%w: URI is no URI", ErrSIWE)
	case m.Chain == 0 || m.Chain > did.MaxChain:
		return fmt.Errorf("%w: chain id out of range", ErrSIWE)
	case len(m.Nonce) < minNonce || len(m.Nonce) > maxNonce || !all(m.Nonce, isAlphanumeric):
		return fmt.Errorf("%w: nonce is not 8 or more letters and digits", ErrSIWE)
	case !isPathSegment(m.RequestID):
		return fmt.Errorf("%w: request id has a character that is not allowed", ErrSIWE)
	case len(m.Resources) > maxResources:
		return fmt.Errorf("%w: over %d resources", ErrSIWE, maxResources)
	}
	if _, err := ParseTime(m.IssuedAt); err != nil {
		return fmt.Errorf("%w: issued at: %v", ErrSIWE, err)
	}
	for _, t := range []string{m.ExpirationTime, m.NotBefore} {
		if t == "" {
			continue
		}
		if _, err := ParseTime(t); err != nil {
			return fmt.Errorf("%w: %v", ErrSIWE, err)
		}
	}
	for i, r := range m.Resources {
		if !isURI(r) {
			return fmt.Errorf("%w: resource %d is no URI", ErrSIWE, i)
		}
	}
	return nil
}
