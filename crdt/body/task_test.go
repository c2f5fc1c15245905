package body_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/reason"
)

const someTask = "tsk_019ca945-0a00-7006-8c98-b6bad2ed9eee"

func TestTaskActRow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		set  cbor.Map
		ok   bool
	}{
		{"claim", cbor.Map{}, true},
		{"a text of 2000", cbor.Map{"text": strings.Repeat("é", 2000)}, true},
		{"a text of 2001", cbor.Map{"text": strings.Repeat("é", 2001)}, false},
		{"an unknown act", cbor.Map{"act": "dance"}, false},
		{"no act", cbor.Map{"act": nil}, false},
		{"a task of another form", cbor.Map{"task": "tsk_019CA945-0a00-7006-8c98-b6bad2ed9eee"}, false},
		{"a task without dashes", cbor.Map{"task": "tsk_" + strings.Repeat("0", 36)}, false},
		{"a task too long", cbor.Map{"task": someTask + "0"}, false},
		{"a claim for somebody", cbor.Map{"to": filled(32)}, false},
		{"delegate", cbor.Map{"act": "delegate", "to": filled(32)}, true},
		{"delegate to nobody", cbor.Map{"act": "delegate"}, false},
		{"delegate to half an agent", cbor.Map{"act": "delegate", "to": filled(16)}, false},
		{"a key nobody knows", cbor.Map{"more": 1}, true},
	} {
		m := cbor.Map{"task": someTask, "act": "claim"}
		for k, v := range c.set {
			if m[k] = v; v == nil {
				delete(m, k)
			}
		}
		v, err := body.ParseTaskAct(encode(t, m))
		if (err == nil) != c.ok || err != nil && reason.Of(err) != reason.BadEncoding {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil {
			continue
		}
		enc, err := v.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := body.ParseTaskAct(enc); err != nil || again != v {
			t.Errorf("%s: %+v became %+v, %v", c.name, v, again, err)
		}
	}
}

func TestMessageRow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		set  cbor.Map
		ok   bool
	}{
		{"a text", cbor.Map{}, true},
		{"4000 characters", cbor.Map{"text": strings.Repeat("é", 4000)}, true},
		{"4001 characters", cbor.Map{"text": strings.Repeat("é", 4001)}, false},
		{"no text", cbor.Map{"text": nil}, false},
		{"an empty text", cbor.Map{"text": ""}, false},
		{"an unknown type", cbor.Map{"type": "song"}, false},
		{"sealed for somebody", cbor.Map{"text": nil, "sealed": filled(100), "to": filled(32)}, true},
		{"sealed for nobody", cbor.Map{"text": nil, "sealed": filled(100)}, false},
		{"both", cbor.Map{"sealed": filled(100), "to": filled(32)}, false},
		{"sealed, the largest", cbor.Map{"text": nil, "sealed": filled(body.MaxSealed), "to": filled(32)}, true},
		{"sealed too large", cbor.Map{"text": nil, "sealed": filled(body.MaxSealed + 1), "to": filled(32)}, false},
		{"a subject of 200", cbor.Map{"subject": strings.Repeat("é", 200)}, true},
		{"a subject of 201", cbor.Map{"subject": strings.Repeat("é", 201)}, false},
		{"about a task", cbor.Map{"task": someTask}, true},
		{"about no task", cbor.Map{"task": "tsk_1"}, false},
		{"an answer", cbor.Map{"reply": filled(32)}, true},
		{"an answer to half a message", cbor.Map{"reply": filled(31)}, false},
	} {
		m := cbor.Map{"type": "text", "text": "hello"}
		for k, v := range c.set {
			if m[k] = v; v == nil {
				delete(m, k)
			}
		}
		v, err := body.ParseMessage(encode(t, m))
		if (err == nil) != c.ok || err != nil && reason.Of(err) != reason.BadEncoding {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil {
			continue
		}
		enc, err := v.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := body.ParseMessage(enc); err != nil || !reflect.DeepEqual(again, v) {
			t.Errorf("%s: %+v became %+v, %v", c.name, v, again, err)
		}
	}
	if _, err := (body.Message{Type: "text"}).Encode(); err == nil {
		t.Error("a message without a text was encoded")
	}
}

// FuzzTeamRows: what a row accepts can be written and read again, what it refuses
// is bad_encoding.
func FuzzTeamRows(f *testing.F) {
	f.Add(encode(f, cbor.Map{"task": someTask, "act": "delegate", "to": filled(32), "text": "why"}))
	f.Add(encode(f, cbor.Map{"type": "alert", "text": "hello", "task": someTask, "reply": filled(32), "subject": "s"}))
	f.Add(encode(f, cbor.Map{"type": "text", "sealed": filled(40), "to": filled(32)}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if v, err := body.ParseTaskAct(b); err == nil {
			enc, err := v.Encode()
			if again, err2 := body.ParseTaskAct(enc); err != nil || err2 != nil || again != v {
				t.Fatalf("%+v: %v %v", v, err, err2)
			}
		} else if reason.Of(err) != reason.BadEncoding {
			t.Fatal(err)
		}
		if v, err := body.ParseMessage(b); err == nil {
			enc, err := v.Encode()
			if again, err2 := body.ParseMessage(enc); err != nil || err2 != nil || !reflect.DeepEqual(again, v) {
				t.Fatalf("%+v: %v %v", v, err, err2)
			}
		} else if reason.Of(err) != reason.BadEncoding {
			t.Fatal(err)
		}
	})
}
