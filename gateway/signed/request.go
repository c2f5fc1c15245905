// Package signed reads signatures over requests, which prove that more than a
// copied credential is behind them: HTTP message signatures (RFC 9421) by an
// Ed25519 key, and JSON envelopes signed by a wallet.
//
// It does what needs no store: Read and ReadEnvelope judge form, age and digest,
// and Request.By and Envelope say who signed. Whoever asks must know the keys of
// the caller, and must use up the nonce afterwards, until the time that Until
// names. All is pure and safe for concurrent use.
package signed

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

// ErrInvalid is wrapped by every error; the rest of its text says what is wrong
// and may be shown to the client.
var ErrInvalid = errors.New("invalid signature")

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, args...))
}

// Origin is how a client may have named this server.
type Origin struct {
	Scheme    string // http or https
	Authority string // host and, unless it is the scheme's, port
}

// Message is a request as it came.
type Message struct {
	Method  string
	Origins []Origin // at least one; the signature may name any of them
	Target  string   // path and query as they were sent
	Header  http.Header
	Body    []byte
}

// Request is a signature over a request, not yet verified.
type Request struct {
	KeyID string    // as the signer names its key, or ""
	Nonce string    // to be used once
	Until time.Time // when the signature is too old
	bases [][]byte
	sig   []byte
}

// Present reports whether a request claims to be signed.
func Present(h http.Header) bool { return len(h["Signature"]) > 0 || len(h["Signature-Input"]) > 0 }

// needed is what a signature must cover; content-digest only with a body.
var needed = []string{"@method", "@target-uri", "authorization"}

// Read reads the one signature of a request by RFC 9421. It must cover @method,
// @target-uri, authorization and, with a body, content-digest, which must be that
// of the body; have created, at most Skew from now, and a nonce; not have expired;
// and be of Ed25519. Other components may be covered if they are among those of
// Base.
func Read(m Message, now time.Time) (Request, error) {
	label, covered, err := input(m.Header.Values("Signature-Input"))
	if err != nil {
		return Request{}, err
	}
	sig, err := signature(m.Header.Values("Signature"), label)
	if err != nil {
		return Request{}, err
	}
	for _, name := range needed {
		if !slices.Contains(covered.names, name) {
			return Request{}, invalid("it must cover %s", name)
		}
	}
	digest := slices.Contains(covered.names, "content-digest")
	if len(m.Body) > 0 && !digest {
		return Request{}, invalid("it must cover content-digest")
	}
	if digest && !digestMatches(m.Header.Values("Content-Digest"), m.Body) {
		return Request{}, invalid("content-digest is not that of the body")
	}
	r := Request{sig: sig}
	created, ok, err := param[int64](covered, "created")
	if err != nil || !ok {
		return Request{}, invalid("it must have created, in seconds since 1970")
	}
	if r.Until, err = until(time.Unix(created, 0), now); err != nil {
		return Request{}, err
	}
	if r.KeyID, _, err = param[string](covered, "keyid"); err != nil {
		return Request{}, err
	}
	if r.Nonce, _, err = param[string](covered, "nonce"); err != nil || !isNonce(r.Nonce) {
		return Request{}, invalid("it must have a nonce of 1 to %d printable characters", maxNonce)
	}
	if at, ok, err := param[int64](covered, "expires"); err != nil || ok && !now.Before(time.Unix(at, 0)) {
		return Request{}, invalid("it has expired, or expires is no time")
	}
	if alg, ok, err := param[string](covered, "alg"); err != nil || ok && alg != "ed25519" {
		return Request{}, invalid("the algorithm must be ed25519")
	}
	for _, o := range m.Origins {
		base, err := covered.base(m, o)
		if err != nil {
			return Request{}, err
		}
		r.bases = append(r.bases, base)
	}
	return r, nil
}

// By reports whether a key made the signature.
func (r Request) By(key did.Key) bool {
	return slices.ContainsFunc(r.bases, func(base []byte) bool { return keys.Verify(key, base, r.sig) })
}

// until is when a signature made then is too old; it refuses one that is, or that
// is from the future.
func until(made, now time.Time) (time.Time, error) {
	if d := now.Sub(made); d > Skew || d < -Skew {
		return time.Time{}, invalid("its time is more than %d seconds away from the server's", int(Skew/time.Second))
	}
	return made.Add(Skew), nil
}

func isNonce(s string) bool {
	return s != "" && len(s) <= maxNonce && !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r > 0x7e })
}
