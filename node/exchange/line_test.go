package exchange_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/exchange"
)

// lineOf is a change as Append writes it, without the newline.
func lineOf(t testing.TB, c *change.Change, stub bool) []byte {
	t.Helper()
	one := *c
	if stub {
		one.Body = nil
	}
	b, err := exchange.Append(nil, &one)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(b, []byte("\n"))
}

func sampleEntry(t testing.TB) *change.Change {
	t.Helper()
	text := "Read the whole line before you believe the first value in it."
	enc, err := body.Entry{Type: body.Gotcha, Text: text, Confidence: body.DefaultConfidence}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return change.Seal(change.Draft{
		Net: change.NetID{1}, Space: change.Commons("go"), Kind: change.KindEntryPut, Body: enc, HLC: 1767225600000 << 10, Seq: 1,
		Proof: []change.ID{{2}},
	}, keys.FromSeed([32]byte{3}))
}

func TestRead(t *testing.T) {
	t.Parallel()
	c := sampleEntry(t)
	line := string(lineOf(t, c, false))
	for _, tc := range []struct {
		name, line string
		ok, body   bool
	}{
		{"whole", line, true, true},
		{"stub", string(lineOf(t, c, true)), true, false},
		{"space around", " " + line + "\t", true, true},
		{"another id", strings.Replace(line, c.ID.Text(change.PrefixChange), change.ID{1}.Text(change.PrefixChange), 1), false, false},
		{"id of another kind", strings.Replace(line, `"chg_`, `"ent_`, 1), false, false},
		{"one field more", strings.Replace(line, "{", `{"more":1,`, 1), false, false},
		{"two changes", line + line, false, false},
		{"something behind", line + "x", false, false},
		{"cut", line[:len(line)-1], false, false},
		{"not an object", "[" + line + "]", false, false},
		{"null", "null", false, false},
		{"empty", "{}", false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, err := exchange.Read([]byte(tc.line))
			if (err == nil) != tc.ok {
				t.Fatalf("error %v", err)
			}
			if tc.ok && (got.ID != c.ID || (got.Body != nil) != tc.body) {
				t.Errorf("read %v with body %v", got.ID, got.Body != nil)
			}
		})
	}
}

// FuzzRead: what is taken is a change with the id that the line names, and
// is written again as a line that gives the same change.
func FuzzRead(f *testing.F) {
	c := sampleEntry(f)
	f.Add(lineOf(f, c, false))
	f.Add(lineOf(f, c, true))
	f.Fuzz(func(t *testing.T, line []byte) {
		c, err := exchange.Read(line)
		if err != nil {
			return
		}
		if !bytes.Contains(line, []byte("chg_")) {
			t.Fatalf("%q was taken", line)
		}
		again, err := exchange.Read(lineOf(t, c, false))
		if err != nil || again.ID != c.ID || !bytes.Equal(again.Body, c.Body) || !bytes.Equal(again.RawHead, c.RawHead) {
			t.Fatalf("%q is read as %+v, written and read again as %+v, %v", line, c, again, err)
		}
	})
}
