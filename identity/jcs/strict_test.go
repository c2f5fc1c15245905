package jcs_test

import (
	"errors"
	"testing"

	"github.com/meshd/meshd/identity/jcs"
)

type sample struct {
	Name  string   `json:"name"`
	Count uint32   `json:"count"`
	Note  string   `json:"note,omitempty"`
	List  []string `json:"list"`
}

func TestUnmarshalTakesOneReading(t *testing.T) {
	t.Parallel()
	var got sample
	const in = ` { "list": ["\u0061"], "count": 3, "name": "x" } `
	if err := jcs.Unmarshal([]byte(in), 1<<10, &got); err != nil {
		t.Fatal(err)
	}
	out, err := jcs.Marshal(got)
	if err != nil || string(out) != `{"count":3,"list":["a"],"name":"x"}` {
		t.Errorf("%s, %v", out, err)
	}
	for name, in := range map[string]string{
		"unknown member":   `{"count":3,"list":[],"name":"x","more":1}`,
		"another case":     `{"Count":3,"list":[],"name":"x"}`,
		"both cases":       `{"Count":4,"count":3,"list":[],"name":"x"}`,
		"twice":            `{"count":3,"count":3,"list":[],"name":"x"}`,
		"null":             `{"count":3,"list":null,"name":"x"}`,
		"null text":        `{"count":3,"list":[],"name":null}`,
		"missing":          `{"count":3,"list":[]}`,
		"empty optional":   `{"count":3,"list":[],"name":"x","note":""}`,
		"fraction":         `{"count":3.5,"list":[],"name":"x"}`,
		"number too large": `{"count":4294967296,"list":[],"name":"x"}`,
		"negative":         `{"count":-1,"list":[],"name":"x"}`,
		"wrong type":       `{"count":"3","list":[],"name":"x"}`,
		"no object":        `[]`,
		"null alone":       `null`,
		"trailing":         `{"count":3,"list":[],"name":"x"} {}`,
		"nothing":          ``,
	} {
		var v sample
		if err := jcs.Unmarshal([]byte(in), 1<<10, &v); !errors.Is(err, jcs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := jcs.Unmarshal([]byte(`{"count":3,"list":["null","\\"],"name":"\"n"}`), 1<<10, &got); err != nil {
		t.Errorf("null inside a text: %v", err)
	}
	if err := jcs.Unmarshal([]byte(in), len(in)-1, &got); !errors.Is(err, jcs.ErrInvalid) {
		t.Errorf("over the limit: %v", err)
	}
	if _, err := jcs.Marshal(make(chan int)); !errors.Is(err, jcs.ErrInvalid) {
		t.Errorf("a channel: %v", err)
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte(`{"count":3,"list":["a"],"name":"x"}`))
	f.Add([]byte(`{"Count":3,"list":null,"name":"\u00e9"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		var v sample
		if jcs.Unmarshal(in, 1<<16, &v) != nil {
			return
		}
		want, err := jcs.Canonical(in)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := jcs.Marshal(v); err != nil || string(got) != string(want) {
			t.Fatalf("%s read as %s, %v", want, got, err)
		}
	})
}
