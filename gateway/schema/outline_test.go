package schema_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/meshd/meshd/gateway/schema"
	"github.com/meshd/meshd/gateway/service"
)

func compiled(t *testing.T, raw json.RawMessage) *jsonschema.Schema {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("s.json", v); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("s.json")
	if err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	return s
}

type item struct {
	ID    string `json:"id" doc:"which one"`
	Place *place `json:"place"`
}

type place struct {
	Name string `json:"name"`
}

type page struct {
	Items  []item   `json:"items"`
	Others []item   `json:"others"`
	Place  *place   `json:"place"`
	Kind   string   `json:"kind" enum:"a,b"`
	Tags   []string `json:"tags,omitempty"`
	More   any      `json:"more,omitempty"`
}

type asked struct {
	Price int `json:"price"`
}

func TestOutline(t *testing.T) {
	t.Parallel()
	full, err := schema.Output(page{})
	if err != nil {
		t.Fatal(err)
	}
	short, err := schema.Outline(full, "items")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"$schema":"https://json-schema.org/draft/2020-12/schema","properties":{"items":{"items":{"properties":{"id":{"type":"string"},"place":{"type":["object","null"]}},"type":"object"},"type":"array"},` +
		`"kind":{"enum":["a","b"],"type":"string"},"more":{},"others":{"type":"array"},"place":{"type":["object","null"]},"tags":{"type":"array"}},"required":["items","others","place","kind"],"type":"object"}`
	if string(short) != want {
		t.Errorf("got  %s\nwant %s", short, want)
	}
	full, err = schema.Output(page{}, asked{})
	if err != nil {
		t.Fatal(err)
	}
	if short, err = schema.Outline(full); err != nil {
		t.Fatal(err)
	}
	either := compiled(t, short)
	for value, ok := range map[string]bool{
		`{"price": 1}`: true, `{"items": [], "others": [], "place": null, "kind": "a"}`: true, `{"items": [], "others": [], "place": null}`: false, `{"price": "1"}`: false, `[]`: false,
	} {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(value)))
		if err != nil {
			t.Fatal(err)
		}
		if err := either.Validate(v); (err == nil) != ok {
			t.Errorf("%s: %v", value, err)
		}
	}
	if _, err := schema.Outline(json.RawMessage(`[`)); err == nil {
		t.Error("what is no schema has an outline")
	}
}

// TestOutlinesAreTrue: the zero value of every reply that its schema takes, its outline
// takes too, and every outline is a schema.
func TestOutlinesAreTrue(t *testing.T) {
	t.Parallel()
	for _, tool := range new(service.Service).Tools() {
		full, err := schema.Output(tool.Output)
		if err != nil {
			t.Fatal(err)
		}
		short, err := schema.Outline(full)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(tool.Output)
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if taken, err := compiled(t, full).Validate(v), compiled(t, short).Validate(v); taken == nil && err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
	}
}
