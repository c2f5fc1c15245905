package call_test

import (
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
)

var form = call.Form{
	{Name: "text", Aliases: []string{"words"}, Min: 2, Max: 5},
	{Name: "enum", Enum: []string{"a", "b"}, Default: "a"},
	{Name: "int", Kind: call.Int, Min: 1, Max: 9, Default: 3},
	{Name: "number", Kind: call.Number, Max: 1},
	{Name: "bool", Kind: call.Bool},
	{Name: "time", Kind: call.Time},
	{Name: "texts", Kind: call.Texts, Items: 2, Max: 3},
	{Name: "either", Kind: call.TextOrList, Items: 2},
	{Name: "map", Kind: call.Object},
	{Name: "maps", Kind: call.Objects, Items: 1},
	{Name: "judged", Max: 1, Judged: true},
}

var typed = call.Define[request](form)

func TestFormReadsJSON(t *testing.T) {
	t.Parallel()
	v, err := form.FromJSON([]byte(`{"words":"abc","int":7,"number":0.5,"bool":true,"time":"2026-01-31T12:00:00+01:00","texts":"a, b",
		"either":"one, two","map":{"x":1},"judged":"long","enum":null,"new":1}`))
	if err != nil {
		t.Fatal(err)
	}
	r := typed.Read(v)
	if r.Text != "abc" || r.Int != 7 || r.Number.Value != 0.5 || !r.Bool.Value || r.Time.Hour() != 11 ||
		!reflect.DeepEqual(r.Texts, []string{"a", "b"}) || !reflect.DeepEqual(r.Either, []string{"one, two"}) ||
		string(r.Map) != `{"x":1}` || r.Judged.Value != "long" || !r.Enum.Null || r.Maps != nil || r.Enum.Value != "a" {
		t.Errorf("%+v", r)
	}
	if !reflect.DeepEqual(v.Warnings, []string{"unknown_field:new"}) || reason.Of(v.Strict()) != reason.ValidationFailed {
		t.Errorf("warnings %v, strict %v", v.Warnings, v.Strict())
	}
	empty, err := typed.ReadJSON(nil)
	if err != nil || empty.Int != 3 || empty.Enum.Value != "a" || empty.Enum.Given || !empty.Empty() {
		t.Errorf("%+v, %v", empty, err)
	}
}

func TestFormReportsEveryWrongField(t *testing.T) {
	t.Parallel()
	for body, fields := range map[string]int{
		`{"text":"a","int":10,"number":2,"bool":1,"time":"x","texts":["abcd"],"either":[1],"map":[],"maps":[{},{}],"enum":"c"}`:           10,
		`{"text":7,"int":"7","number":"x","bool":"true","time":7,"texts":{},"either":{},"map":"x","maps":{},"enum":["a"],"judged":1e400}`: 11,
		`{"texts":["a","b","c"]}`: 1, `{"int":1.5}`: 1, `{"text":"abcdef"}`: 1,
	} {
		_, err := form.FromJSON([]byte(body))
		if reason.Of(err) != reason.ValidationFailed {
			t.Errorf("%s: %v", body, err)
			continue
		}
		raw, _ := json.Marshal(knowledge.NewErrorBody(err, "r"))
		if got := strings.Count(string(raw), `"message"`); got != fields {
			t.Errorf("%s: %d fields in %s", body, got, raw)
		}
	}
}

// FuzzForm: a body either makes values or is refused with one of two codes, and
// what JSON calls equal is read as equal.
func FuzzForm(f *testing.F) {
	f.Add([]byte(`{"text":"abc","texts":["a"],"time":"2026-01-31T12:00:00Z"}`))
	f.Add([]byte(`{"a":{"b":[1,{"c":null}]},"a":1}`))
	f.Add([]byte(`{"int":1e2,"number":-0}`))
	f.Add([]byte("{\"text\":\"\\ud800\"} "))
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := form.FromJSON(body)
		if err != nil {
			if c := reason.Of(err); c != reason.InvalidJSON && c != reason.ValidationFailed {
				t.Fatalf("%q: %v", body, err)
			}
			return
		}
		if len(strings.TrimSpace(string(body))) > 0 && !json.Valid(body) {
			t.Fatalf("%q was taken", body)
		}
		r := typed.Read(v)
		if n := call.Chars(r.Text); r.Text != "" && (n < 2 || n > 5) {
			t.Fatalf("%q: text of %d", body, n)
		}
		if n := len(r.Texts); n > 2 {
			t.Fatalf("%q: %d texts", body, n)
		}
	})
}

// FuzzQuery: a query either makes values in range or is refused.
func FuzzQuery(f *testing.F) {
	f.Add("text=abc&int=3&texts=a,b")
	f.Add("int=NaN&bool=1")
	f.Add("time=2026-01-31T12:00:00%2B01:00&number=%2Binf")
	f.Fuzz(func(t *testing.T, query string) {
		q, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		v, err := form.FromQuery(q)
		if err != nil {
			if reason.Of(err) != reason.InvalidParam {
				t.Fatalf("%q: %v", query, err)
			}
			return
		}
		r := typed.Read(v)
		if r.Int < 1 || r.Int > 9 {
			t.Fatalf("%q: int %d", query, r.Int)
		}
		if n := r.Number.Value; !(n >= 0 && n <= 1) {
			t.Fatalf("%q: number %v", query, n)
		}
	})
}
