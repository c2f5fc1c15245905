package binding

import (
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/meshd/meshd/identity/did"
)

// Login is what a key or wallet signs to log an agent in at a gateway that does not host
// it. It names the gateway twice, by the address that the signer asked and by its key, so
// that a signature that one gateway was given opens nothing at another. It is for one use
// and never enters the log. Times have whole seconds.
type Login struct {
	Network [16]byte
	Agent   string  // its id, letters, digits and underscores
	Subject did.DID // who signs: the agent's acting key, or a wallet that controls it
	Gateway string  // address, such as https://mesh.example.org
	Service did.Key // of the gateway
	Nonce   string  // 8…64 letters, digits and hyphens; a UUID
	Issued  time.Time
	Expires time.Time
}

// loginOpening is the first line of a login, which no other text that is signed has.
const loginOpening = "Mesh login"

var loginLabels = []string{"", "network: ", "agent: ", "subject: ", "gateway: ", "service: ", "nonce: ", "issued: ", "expires: "}

// Text is the exact text to sign: nine lines joined by LF, none at the end. It returns
// ErrMalformed when a field could not be read back.
func (l Login) Text() (string, error) {
	text := l.text()
	if _, err := ParseLogin(text); err != nil {
		return "", err
	}
	return text, nil
}

func (l Login) text() string {
	lines := []string{loginOpening, hex.EncodeToString(l.Network[:]), l.Agent, l.Subject.String(), l.Gateway, l.Service.String(), l.Nonce,
		l.Issued.UTC().Format(timeForm), l.Expires.UTC().Format(timeForm)}
	for i, label := range loginLabels {
		lines[i] = label + lines[i]
	}
	return strings.Join(lines, "\n")
}

// ParseLogin reads the text of a login. It accepts exactly what Text makes; anything else
// is ErrMalformed.
func ParseLogin(text string) (Login, error) {
	if len(text) > maxText {
		return Login{}, fmt.Errorf("%w: text over %d bytes", ErrMalformed, maxText)
	}
	lines := strings.Split(text, "\n")
	if len(lines) != len(loginLabels) || lines[0] != loginOpening {
		return Login{}, fmt.Errorf("%w: no login of %d lines", ErrMalformed, len(loginLabels))
	}
	for i, label := range loginLabels {
		value, ok := strings.CutPrefix(lines[i], label)
		if !ok {
			return Login{}, fmt.Errorf("%w: line %d does not begin with %q", ErrMalformed, i+1, label)
		}
		lines[i] = value
	}
	var l Login
	network, err := hex.DecodeString(lines[1])
	if err != nil || len(network) != len(l.Network) {
		return Login{}, fmt.Errorf("%w: network is not 32 hex digits", ErrMalformed)
	}
	l.Network = [16]byte(network)
	if l.Agent = lines[2]; !isNonce(strings.ReplaceAll(l.Agent, "_", "-")) {
		return Login{}, fmt.Errorf("%w: agent is no id", ErrMalformed)
	}
	if l.Subject, err = did.ParseController(lines[3]); err != nil {
		return Login{}, fmt.Errorf("%w: subject: %w", ErrMalformed, err)
	}
	l.Gateway = lines[4]
	if u, err := url.Parse(l.Gateway); err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && u.Scheme != "http" {
		return Login{}, fmt.Errorf("%w: gateway is no address", ErrMalformed)
	}
	if l.Service, err = did.ParseKey(lines[5]); err != nil {
		return Login{}, fmt.Errorf("%w: service: %w", ErrMalformed, err)
	}
	if l.Nonce = lines[6]; !isNonce(l.Nonce) {
		return Login{}, fmt.Errorf("%w: nonce is not %d to %d letters, digits and hyphens", ErrMalformed, minNonce, maxNonce)
	}
	if l.Issued, err = time.Parse(timeForm, lines[7]); err != nil {
		return Login{}, fmt.Errorf("%w: issued is not a UTC time in seconds", ErrMalformed)
	}
	if l.Expires, err = time.Parse(timeForm, lines[8]); err != nil {
		return Login{}, fmt.Errorf("%w: expires is not a UTC time in seconds", ErrMalformed)
	}
	if l.text() != text {
		return Login{}, fmt.Errorf("%w: not in the exact form", ErrMalformed)
	}
	return l, nil
}
