package journal

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/meshd/meshd/gateway/state"
)

// Event is an event of the stream. All readers share it: it is encoded once for
// those with a right to its audience and once for those without a key.
type Event struct {
	state.Event
	forms [2]form
}

type form struct {
	once   sync.Once
	object []byte
	frame  []byte
}

// JSON is the event as one object, as a caller without a key sees it when masked.
func (e *Event) JSON(masked bool) []byte { return e.form(masked).object }

// Frame is the event as server-sent events carry it.
func (e *Event) Frame(masked bool) []byte { return e.form(masked).frame }

func (e *Event) form(masked bool) *form {
	f := &e.forms[0]
	if masked {
		f = &e.forms[1]
	}
	f.once.Do(func() {
		f.object = e.encode(masked)
		f.frame = Frame(strconv.FormatUint(e.Seq, 10), e.Kind, f.object)
	})
	return f
}

// Frame is one server-sent event; data must be one line. Without an id the
// client's place in the stream stays.
func Frame(id, kind string, data []byte) []byte {
	var b bytes.Buffer
	if id != "" {
		b.WriteString("id: ")
		b.WriteString(id)
		b.WriteByte('\n')
	}
	b.WriteString("event: ")
	b.WriteString(kind)
	b.WriteString("\ndata: ")
	b.Write(data)
	b.WriteString("\n\n")
	return b.Bytes()
}

// shown is the object of api §7.2.
type shown struct {
	ID       string          `json:"id"`
	Seq      uint64          `json:"seq"`
	Kind     string          `json:"kind"`
	TS       string          `json:"ts"`
	Team     string          `json:"team,omitempty"`
	Agent    string          `json:"agent,omitempty"`
	Object   string          `json:"object,omitempty"`
	Data     json.RawMessage `json:"data"`
	ChangeID string          `json:"change_id,omitempty"`
}

func (e *Event) encode(masked bool) []byte {
	s := shown{ID: e.ID, Seq: e.Seq, Kind: e.Kind, TS: e.At.UTC().Format("2006-01-02T15:04:05.000Z07:00"), Object: e.Object,
		Data: json.RawMessage(e.Body), Agent: e.Agent, ChangeID: e.Cause}
	s.Team, _ = strings.CutPrefix(e.Audience, teamPrefix)
	if s.Team == e.Audience {
		s.Team = ""
	}
	if masked {
		s.Data, s.Agent = json.RawMessage(e.Open), ""
		if !plain(s.Object) {
			s.Object = ""
		}
	}
	raw, err := json.Marshal(s)
	if err != nil { // data that is no JSON was never stored by translate
		s.Data = json.RawMessage("{}")
		raw, _ = json.Marshal(s)
	}
	return raw
}

// size is what the event weighs in a reader's buffer.
func (e *Event) size(masked bool) int { return len(e.Frame(masked)) }

// moment is a time of the bus.
func moment(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
