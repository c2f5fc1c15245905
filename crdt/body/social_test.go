package body_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

func TestCommentRow(t *testing.T) {
	t.Parallel()
	target := change.ID(filled(32))
	parents := []change.ID{{9}, target}
	base := cbor.Map{"target": target[:], "text": "True here too."}
	shared := []limitCase{
		{"base", nil, ""}, {"no target", cbor.Map{"target": absent}, bad}, {"target of 31", cbor.Map{"target": filled(31)}, bad},
		{"another target", cbor.Map{"target": make([]byte, 32)}, bad},
		{"no text", cbor.Map{"text": absent}, bad}, {"empty text", cbor.Map{"text": ""}, bad}, {"text is bytes", cbor.Map{"text": []byte("x")}, bad},
		{"text of 500", cbor.Map{"text": strings.Repeat("é", 500)}, ""},
		{"parent", cbor.Map{"parent": filled(32)}, ""}, {"parent of 33", cbor.Map{"parent": filled(33)}, bad},
		{"mood of 32", cbor.Map{"mood": strings.Repeat("é", 32)}, ""}, {"mood of 33", cbor.Map{"mood": strings.Repeat("é", 33)}, bad},
		{"guest of 40", cbor.Map{"guest": strings.Repeat("é", 40)}, ""}, {"guest of 41", cbor.Map{"guest": strings.Repeat("é", 41)}, bad}, {"empty guest", cbor.Map{"guest": ""}, bad},
		{"unknown key", cbor.Map{"zzz": 1}, ""},
	}
	about := func(space change.Space) func([]byte) error {
		return func(b []byte) error { _, err := body.ParseComment(b, space, parents); return err }
	}
	runRows(t, base, append(shared,
		limitCase{"text of 2000", cbor.Map{"text": strings.Repeat("é", 2000)}, ""},
		limitCase{"text of 2001", cbor.Map{"text": strings.Repeat("é", 2001)}, bad}), about(commons))
	runRows(t, base, append(shared,
		limitCase{"note of 501", cbor.Map{"text": strings.Repeat("é", 501)}, bad}), about(change.AgentID{1}.Space()))
}

func TestLabelRow(t *testing.T) {
	t.Parallel()
	target := change.ID(filled(32))
	cases := []limitCase{
		{"base", nil, ""}, {"no target", cbor.Map{"target": absent}, bad}, {"another target", cbor.Map{"target": make([]byte, 32)}, bad},
		{"no value", cbor.Map{"value": absent}, bad}, {"another value", cbor.Map{"value": "ugly"}, bad}, {"value in upper case", cbor.Map{"value": "Spam"}, bad}, {"value is a number", cbor.Map{"value": 1}, bad},
		{"why of 500", cbor.Map{"why": strings.Repeat("é", 500)}, ""}, {"why of 501", cbor.Map{"why": strings.Repeat("é", 501)}, bad},
	}
	for _, value := range body.Labels() {
		cases = append(cases, limitCase{value, cbor.Map{"value": value}, ""})
	}
	runRows(t, cbor.Map{"target": target[:], "value": "spam"}, cases,
		func(b []byte) error { _, err := body.ParseLabel(b, []change.ID{target}); return err })
}

func TestServedRow(t *testing.T) {
	t.Parallel()
	rows := func(n int) []any {
		out := make([]any, n)
		for i := range out {
			out[i] = []any{filled(32), 1}
		}
		return out
	}
	one := func(v ...any) cbor.Map { return cbor.Map{"rows": []any{v}} }
	runRows(t, cbor.Map{"day": 20000, "rows": rows(1)}, []limitCase{
		{"base", nil, ""}, {"no day", cbor.Map{"day": absent}, bad}, {"day -1", cbor.Map{"day": -1}, bad}, {"last day", cbor.Map{"day": body.MaxDay}, ""}, {"day after", cbor.Map{"day": body.MaxDay + 1}, bad},
		{"no rows", cbor.Map{"rows": absent}, bad}, {"empty rows", cbor.Map{"rows": []any{}}, ""},
		{"1000 rows", cbor.Map{"rows": rows(1000)}, ""}, {"1001 rows", cbor.Map{"rows": rows(1001)}, bad},
		{"count 0", one(filled(32), 0), bad}, {"count -1", one(filled(32), -1), bad}, {"count of text", one(filled(32), "1"), bad},
		{"id of 31", one(filled(31), 1), bad}, {"id of text", one("x", 1), bad}, {"three items", one(filled(32), 1, 1), bad}, {"row is a map", cbor.Map{"rows": []any{cbor.Map{}}}, bad},
	}, func(b []byte) error { _, err := body.ParseServed(b); return err })
}

func TestSocialRoundTrips(t *testing.T) {
	t.Parallel()
	target := change.ID(filled(32))
	parents := []change.ID{target}
	c := body.Comment{Target: target, Parent: change.ID{2}, Text: "Seen.", Mood: "glad", Guest: "Eve"}
	if got, err := body.ParseComment(must(t, c), commons, parents); err != nil || got != c {
		t.Errorf("%+v, %v", got, err)
	}
	l := body.Label{Target: target, Value: body.LabelAbuse, Why: "names a person"}
	if got, err := body.ParseLabel(must(t, l), parents); err != nil || got != l {
		t.Errorf("%+v, %v", got, err)
	}
	s := body.Served{Day: 20000, Rows: []body.ServedRow{{target, 3}, {change.ID{4}, 1}}}
	if got, err := body.ParseServed(must(t, s)); err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("%+v, %v", got, err)
	}
}

func must(t testing.TB, v interface{ Encode() ([]byte, error) }) []byte {
	t.Helper()
	b, err := v.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// FuzzSocial runs the rows of comment, label and served over the same bytes. What
// one accepts is written and read again as the same; what it refuses is
// bad_encoding.
func FuzzSocial(f *testing.F) {
	target := change.ID(filled(32))
	parents := []change.ID{target}
	f.Add(must(f, body.Comment{Target: target, Parent: change.ID{2}, Text: "Seen.", Mood: "glad", Guest: "Eve"}))
	f.Add(must(f, body.Label{Target: target, Value: body.LabelSpam, Why: "bought"}))
	f.Add(must(f, body.Served{Day: 20000, Rows: []body.ServedRow{{target, 3}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		fit := func(err error) bool {
			if err != nil && reason.Of(err) != reason.BadEncoding {
				t.Fatalf("refused with %v", err)
			}
			return err == nil
		}
		for _, space := range []change.Space{commons, change.AgentID{1}.Space()} {
			if v, err := body.ParseComment(b, space, parents); fit(err) {
				if got, err := body.ParseComment(must(t, v), space, parents); err != nil || got != v {
					t.Fatalf("%+v, %v", got, err)
				}
			}
		}
		if v, err := body.ParseLabel(b, parents); fit(err) {
			if got, err := body.ParseLabel(must(t, v), parents); err != nil || got != v {
				t.Fatalf("%+v, %v", got, err)
			}
		}
		if v, err := body.ParseServed(b); fit(err) {
			if got, err := body.ParseServed(must(t, v)); err != nil || !reflect.DeepEqual(got, v) {
				t.Fatalf("%+v, %v", got, err)
			}
		}
	})
}
