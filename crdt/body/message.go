package body

import (
	"slices"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

// The types of a message.
const (
	MessageText    = "text"
	MessageStatus  = "status"
	MessageRequest = "request"
	MessageHandoff = "handoff"
	MessageAlert   = "alert"
)

var messageTypes = []string{MessageText, MessageStatus, MessageRequest, MessageHandoff, MessageAlert}

// MessageTypes are the types a message may have. The slice is new.
func MessageTypes() []string { return slices.Clone(messageTypes) }

// Message is the body of message: a text to a team, or bytes that only one of
// its members can open.
type Message struct {
	Type    string
	Text    string         // 1…MaxMessage characters, unless Sealed
	Sealed  []byte         // ≤ MaxSealed bytes, only with To
	To      change.AgentID // zero: the team
	Subject string         // ≤ MaxSubject characters; of a sealed message it lies inside
	Task    string         // id of a task it is about, or ""
	Reply   change.ID      // message it answers, or zero
}

// ParseMessage is the row of message.
func ParseMessage(b []byte) (Message, error) {
	r := parse(b)
	v := Message{
		Type: r.word("type", required, messageTypes...), Text: r.text("text", optional, 1, MaxMessage),
		Sealed: r.bytes("sealed", optional, 1, MaxSealed), To: change.AgentID(r.id("to", optional)),
		Subject: r.text("subject", optional, 0, MaxSubject), Task: r.task("task", optional), Reply: r.id("reply", optional),
	}
	switch {
	case r.has("text") == r.has("sealed"):
		r.fail("text", "a message has either a text or sealed bytes")
	case r.has("sealed") && !r.has("to"):
		r.fail("to", "sealed bytes are for somebody")
	}
	return v, r.refusal()
}

// Encode returns the canonical body.
func (v Message) Encode() ([]byte, error) {
	if (v.Text == "") == (len(v.Sealed) == 0) {
		return nil, reason.Refuse(reason.BadEncoding, "a message has either a text or sealed bytes")
	}
	m := cbor.Map{"type": v.Type}
	putText(m, "text", v.Text)
	putBytes(m, "sealed", v.Sealed)
	putID(m, "to", change.ID(v.To))
	putText(m, "subject", v.Subject)
	putText(m, "task", v.Task)
	putID(m, "reply", v.Reply)
	return encode(m)
}
