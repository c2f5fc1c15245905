package call_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/call"
)

// request has a member for each field of form.
type request struct {
	call.Request
	numbers
	Text   string           `field:"text"`
	Enum   call.Opt[string] `field:"enum"`
	Bool   call.Opt[bool]   `field:"bool"`
	Time   time.Time        `field:"time"`
	Texts  []string         `field:"texts"`
	Either []string         `field:"either"`
	Map    json.RawMessage  `field:"map"`
	Maps   json.RawMessage  `field:"maps"`
	Judged call.Opt[string] `field:"judged"`
}

type numbers struct {
	Int    int               `field:"int"`
	Number call.Opt[float64] `field:"number"`
}

func TestRequestIsReadByItsForm(t *testing.T) {
	t.Parallel()
	typed := call.Define[request](form)
	r, err := typed.ReadJSON([]byte(`{"words":"abc","number":0.5,"bool":false,"time":"2026-01-31T12:00:00+01:00","texts":"a, b",
		"either":"one, two","map":{"x":1},"enum":null,"new":1}`))
	if err != nil {
		t.Fatal(err)
	}
	want := request{Request: r.Request, numbers: numbers{3, call.Opt[float64]{Value: 0.5, Given: true}}, Text: "abc", Enum: call.Opt[string]{Value: "a", Given: true, Null: true},
		Bool: call.Opt[bool]{Given: true}, Time: time.Date(2026, 1, 31, 11, 0, 0, 0, time.UTC), Texts: []string{"a", "b"}, Either: []string{"one, two"},
		Map: json.RawMessage(`{"x":1}`)}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("got  %+v\nwant %+v", r, want)
	}
	if r.Enum.Set() || !r.Bool.Set() || r.Judged.Given {
		t.Errorf("what was given: %+v", r)
	}
	if w := r.Warnings(); !reflect.DeepEqual(w, []string{"unknown_field:new"}) || r.Empty() {
		t.Errorf("warnings %v, empty %v", w, r.Empty())
	}
	if got := call.Define[part](form.Pick("int", "text")).From(r.Request); got.Int != 3 || got.Text != "abc" {
		t.Errorf("a part of the request: %+v", got)
	}
	again, err := typed.ReadJSON([]byte(`{"text":"abc","number":0.5,"bool":false}`))
	if err != nil || again.Filter("list") == r.Filter("list") {
		t.Errorf("another request has the same filter (%v)", err)
	}
}

type part struct {
	call.Request
	Text string `field:"text"`
	Int  int    `field:"int"`
}

// TestPartOfARequest: a face may take some fields of a form, and defaults of its own.
func TestPartOfARequest(t *testing.T) {
	t.Parallel()
	some := form.Pick("int", "text")
	some[0].Default = 5
	v, err := some.FromJSON([]byte(`{"text":"abc"}`))
	if err != nil {
		t.Fatal(err)
	}
	if r := call.Define[request](form).Read(v); r.Int != 5 || r.Text != "abc" || r.Enum.Value != "" {
		t.Errorf("%+v", r)
	}
}

func TestDefineRefusesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	two := call.Form{{Name: "a"}, {Name: "n", Kind: call.Int}}
	type whole struct {
		call.Request
		A string `field:"a"`
		N int    `field:"n"`
	}
	type misspelt struct {
		call.Request
		A string `field:"aa"`
		N int    `field:"n"`
	}
	type lacking struct {
		call.Request
		A string `field:"a"`
	}
	type mistyped struct {
		call.Request
		A string `field:"a"`
		N string `field:"n"`
	}
	type untagged struct {
		call.Request
		A string `field:"a"`
		N int    `field:"n"`
		X int
	}
	type bare struct {
		A string `field:"a"`
		N int    `field:"n"`
	}
	for want, define := range map[string]func(){
		"":                   func() { call.Define[whole](two) },
		"no field aa":        func() { call.Define[misspelt](two) },
		"no member for n":    func() { call.Define[lacking](two) },
		"needs int":          func() { call.Define[mistyped](two) },
		"X has no field":     func() { call.Define[untagged](two) },
		"embed call.Request": func() { call.Define[bare](two) },
	} {
		got := func() (text string) {
			defer func() { text, _ = recover().(string) }()
			define()
			return ""
		}()
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
