// Package binding judges how an agent's acting key is tied to what controls it:
// the proof in a genesis by which a wallet or another key authorises the acting
// key, the consent to a rotation, and the proof-of-work ticket that every
// genesis carries.
//
// A gateway makes a Challenge, lets the subject sign its Text (or its SIWE), and
// puts the result into the genesis as a Proof; every node then asks
// Proof.Verify. Grind makes a ticket, TicketBits judges one. Nothing here reads
// a clock: a proof is judged the same for ever, so its times are form only. Do
// not use a Proof as a login: it is public and can be replayed by anyone who has
// read the log.
package binding

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/identity/wallet/siwe"
)

// Errors of this package, wrapped with what was found.
var (
	ErrMalformed = errors.New("not a well-formed binding")
	ErrMismatch  = errors.New("binding is for something else")
	ErrSignature = errors.New("binding signature does not verify")
	ErrNoTicket  = errors.New("no ticket found")
)

// Challenge is what a subject signs to authorise a key. Times have whole
// seconds; they say how long the maker of the challenge accepts an answer and
// are judged by nobody else.
type Challenge struct {
	Purpose wallet.Purpose // Registration or Recovery
	Network [16]byte
	Subject did.DID // who signs: a wallet account or a key
	Nonce   string  // 8…64 letters, digits and hyphens; a UUID
	Key     did.Key // the acting key that is authorised
	Issued  time.Time
	Expires time.Time
}

// timeForm is the one spelling of a time in a challenge: RFC 3339, UTC, seconds.
const timeForm = "2006-01-02T15:04:05Z"

var openings = map[wallet.Purpose]string{
	wallet.Registration: "Mesh registration",
	wallet.Recovery:     "Mesh recovery",
}

// Text is the exact text to sign: seven lines joined by LF, none at the end. It
// returns ErrMalformed when a field could not be read back.
func (c Challenge) Text() (string, error) {
	text := c.text()
	if _, err := ParseChallenge(text); err != nil {
		return "", err
	}
	return text, nil
}

func (c Challenge) text() string {
	return strings.Join([]string{
		openings[c.Purpose],
		"network: " + hex.EncodeToString(c.Network[:]),
		"subject: " + c.Subject.String(),
		"nonce: " + c.Nonce,
		"key: " + c.Key.String(),
		"issued: " + c.Issued.UTC().Format(timeForm),
		"expires: " + c.Expires.UTC().Format(timeForm),
	}, "\n")
}

// ParseChallenge reads the text of a challenge. It accepts exactly what Text
// makes; anything else is ErrMalformed.
func ParseChallenge(text string) (Challenge, error) {
	if len(text) > maxText {
		return Challenge{}, fmt.Errorf("%w: text over %d bytes", ErrMalformed, maxText)
	}
	lines := strings.Split(text, "\n")
	labels := []string{"", "network: ", "subject: ", "nonce: ", "key: ", "issued: ", "expires: "}
	if len(lines) != len(labels) {
		return Challenge{}, fmt.Errorf("%w: %d lines, want %d", ErrMalformed, len(lines), len(labels))
	}
	for i, label := range labels {
		value, ok := strings.CutPrefix(lines[i], label)
		if !ok {
			return Challenge{}, fmt.Errorf("%w: line %d does not begin with %q", ErrMalformed, i+1, label)
		}
		lines[i] = value
	}

	var c Challenge
	for p, opening := range openings {
		if lines[0] == opening {
			c.Purpose = p
		}
	}
	if c.Purpose == "" {
		return Challenge{}, fmt.Errorf("%w: unknown first line", ErrMalformed)
	}
	network, err := hex.DecodeString(lines[1])
	if err != nil || len(network) != len(c.Network) {
		return Challenge{}, fmt.Errorf("%w: network is not 32 hex digits", ErrMalformed)
	}
	c.Network = [16]byte(network)
	if c.Subject, err = did.ParseController(lines[2]); err != nil {
		return Challenge{}, fmt.Errorf("%w: subject: %w", ErrMalformed, err)
	}
	if c.Nonce = lines[3]; !isNonce(c.Nonce) {
		return Challenge{}, fmt.Errorf("%w: nonce is not %d to %d letters, digits and hyphens", ErrMalformed, minNonce, maxNonce)
	}
	if c.Key, err = did.ParseKey(lines[4]); err != nil {
		return Challenge{}, fmt.Errorf("%w: key: %w", ErrMalformed, err)
	}
	if c.Issued, err = time.Parse(timeForm, lines[5]); err != nil {
		return Challenge{}, fmt.Errorf("%w: issued is not a UTC time in seconds", ErrMalformed)
	}
	if c.Expires, err = time.Parse(timeForm, lines[6]); err != nil {
		return Challenge{}, fmt.Errorf("%w: expires is not a UTC time in seconds", ErrMalformed)
	}
	if c.text() != text {
		return Challenge{}, fmt.Errorf("%w: not in the exact form", ErrMalformed)
	}
	return c, nil
}

// SIWE is the same challenge as a sign-in text for wallets that offer no plain
// message: the key and the network stand in its resources, the nonce without
// hyphens, which EIP-4361 forbids. Domain and uri are those of the page that
// asks. It returns ErrMalformed when the subject is not a wallet.
func (c Challenge) SIWE(domain, uri string) (siwe.Message, error) {
	account, ok := c.Subject.Account()
	if !ok {
		return siwe.Message{}, fmt.Errorf("%w: subject is not a wallet", ErrMalformed)
	}
	return siwe.Message{
		Domain:         domain,
		Address:        account.Address,
		Statement:      openings[c.Purpose],
		URI:            uri,
		Chain:          account.Chain,
		Nonce:          strings.ReplaceAll(c.Nonce, "-", ""),
		IssuedAt:       c.Issued.UTC().Format(timeForm),
		ExpirationTime: c.Expires.UTC().Format(timeForm),
		Resources:      []string{c.Key.String(), networkResource(c.Network)},
	}, nil
}

// networkResource names a network in a sign-in text.
func networkResource(network [16]byte) string {
	return "mesh:network:" + hex.EncodeToString(network[:])
}

func isNonce(s string) bool {
	if len(s) < minNonce || len(s) > maxNonce {
		return false
	}
	for _, c := range []byte(s) {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '-') {
			return false
		}
	}
	return true
}
