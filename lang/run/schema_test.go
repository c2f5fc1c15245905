package run_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/meshd/meshd/lang/run"
)

// TestSchema checks program.schema.json against the types, the programs of all traces
// against the schema, and that the schema refuses what is no program.
func TestSchema(t *testing.T) {
	made, err := run.Schema()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("program.schema.json", made, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile("program.schema.json")
	if err != nil || !bytes.Equal(kept, made) {
		t.Fatalf("program.schema.json is not what the types say; run with -update (%v)", err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(made))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("program.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("program.json")
	if err != nil {
		t.Fatal(err)
	}
	judge := func(text string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(v)
	}
	for name, k := range stored(t) {
		if err := judge(string(k.Program)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"newer", "strange key", "inner key", "list constant", "tree", "wrong kind"} {
		if judge(broken[name]) == nil {
			t.Errorf("the schema takes what is broken: %s", name)
		}
	}
}
