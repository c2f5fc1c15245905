package mcp

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"

	"github.com/meshd/meshd/gateway/call"
)

// states signs what a call that asks back has to remember between its rounds. It
// travels through the client, so it is bound to who called what with which
// arguments, and it ends. The key is of this process: a state does not outlive it.
type states struct{ key [32]byte }

func newStates() *states {
	var s states
	_, _ = rand.Read(s.key[:]) // never fails
	return &s
}

var errState = errors.New("a state that was not made here, or for another call, or too long ago")

// sealed is what a state contains.
type sealed struct {
	Round int       `json:"r"`
	Until time.Time `json:"u"`
}

// bindState names a call: its principal, tool and arguments.
func bindState(c call.Caller, tool string, args []byte) []byte {
	h := sha256.New()
	for _, part := range []string{c.Kind.String(), c.Acts(), c.KeyID, c.Presenter(), tool, string(args)} {
		sum := sha256.Sum256([]byte(part)) // of equal length, so that parts cannot run into each other
		h.Write(sum[:])
	}
	return h.Sum(nil)
}

func (s *states) tag(body, bound []byte) []byte {
	mac := hmac.New(sha256.New, s.key[:])
	mac.Write(bound) // of fixed length
	mac.Write(body)
	return mac.Sum(nil)
}

func (s *states) seal(round int, bound []byte, now time.Time) string {
	body := mustEncode(sealed{round, now.Add(stateLife).UTC()})
	return base64.RawURLEncoding.EncodeToString(append(s.tag(body, bound), body...))
}

// open reads a state of this call into round.
func (s *states) open(text string, bound []byte, now time.Time, round *int) error {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) <= sha256.Size || len(raw) > maxState {
		return errState
	}
	tag, body := raw[:sha256.Size], raw[sha256.Size:]
	var v sealed
	if !hmac.Equal(tag, s.tag(body, bound)) || json.Unmarshal(body, &v) != nil || now.After(v.Until) || v.Round < 0 {
		return errState
	}
	*round = v.Round
	return nil
}
