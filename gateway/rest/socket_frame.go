package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/room"
)

// frame is one message of a socket, in either direction (api §7.4).
type frame struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	Payload   json.RawMessage `json:"payload,omitempty"`
	SenderID  string          `json:"senderId"`
	TargetID  targets         `json:"targetId,omitempty"`
	Timestamp int64           `json:"timestamp"`
	Channel   string          `json:"channel,omitempty"`
	Delivery  string          `json:"delivery"`
}

// targets are whom a frame is for: one text, or a list.
type targets []string

// UnmarshalJSON reads a text or a list of at most maxTargets.
func (t *targets) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = targets{one}
		return nil
	}
	var list []string
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	if len(list) > maxTargets {
		return errors.New("too many targets")
	}
	*t = list
	return nil
}

// MarshalJSON writes one target as a text.
func (t targets) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

var errFrame = errors.New("not a frame")

// server is the sender of what no peer has said.
const server = "server"

// readFrame reads a client's frame: one JSON object with the fields of a frame,
// of known kinds, and nothing after it. Unknown fields are ignored.
func readFrame(raw []byte) (f frame, err error) {
	if len(raw) > maxFrame || !utf8.Valid(raw) || deep(raw, maxFrameDepth) {
		return f, errFrame
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if err := d.Decode(&f); err != nil {
		return f, errFrame
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return f, errFrame
	}
	for _, text := range append([]string{f.ID, f.Type, f.SenderID, f.Channel}, f.TargetID...) {
		if len(text) > maxFrameText {
			return f, errFrame
		}
	}
	if f.Delivery == "" {
		f.Delivery = "reliable"
	}
	if f.Type == "" || !slices.Contains([]string{"reliable", "unreliable", "ordered"}, f.Delivery) {
		return f, errFrame
	}
	if len(f.TargetID) == 0 {
		f.TargetID = targets{room.Others}
	}
	return f, nil
}

// deep reports whether a JSON text nests deeper than most.
func deep(raw []byte, most int) bool {
	depth, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > most {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// ownFrame is a frame of the gateway itself.
func ownFrame(id, typ string, payload any, now time.Time) []byte {
	raw, err := json.Marshal(payload)
	if err == nil {
		raw, err = json.Marshal(frame{ID: id, Type: typ, Payload: raw, SenderID: server, Timestamp: now.UnixMilli(), Delivery: "ordered"})
	}
	if err != nil {
		return []byte(`{"id":"","type":"error","payload":{"code":"internal"},"senderId":"server","timestamp":0,"delivery":"ordered"}`)
	}
	return raw
}

// fault is the error object of a refusal, as the payload of an error frame.
func fault(err error, requestID string) any { return knowledge.NewErrorBody(err, requestID) }

// closeCode is how a socket ends for a reason.
func closeCode(code reason.Code) int {
	switch code.HTTP() {
	case 401:
		return closeAuth
	case 403, 404:
		return closeForbidden
	case 429:
		return closeRate
	case 503:
		return closeShutdown
	case 400, 413, 415, 422:
		return closeBadFrame
	}
	if code == reason.SlowConsumer {
		return closeRate
	}
	return closeInternal
}

// Close codes of api §7.4, beside those of RFC 6455.
const (
	closeBadFrame  = 4400
	closeAuth      = 4401
	closeForbidden = 4403
	closeHeartbeat = 4408
	closeRate      = 4429
	closeShutdown  = 4503
	closeInternal  = 1011
)
