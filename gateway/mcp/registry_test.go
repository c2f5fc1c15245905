package mcp_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// serverSchema is a copy of the registry's schema of 2025-12-11, as in
// github.com/modelcontextprotocol/registry v1.8.7 (MIT and Apache-2.0).
const serverSchema = "testdata/server.schema.json"

func readJSON(t testing.TB, path string) any {
	t.Helper()
	raw, err := os.ReadFile(path)
	must(t, err)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	must(t, err)
	return v
}

func TestServerJSON(t *testing.T) {
	t.Parallel()
	compiler := jsonschema.NewCompiler()
	must(t, compiler.AddResource("server.json", readJSON(t, serverSchema)))
	schema, err := compiler.Compile("server.json")
	must(t, err)
	must(t, schema.Validate(readJSON(t, "../../server.json")))

	raw, err := os.ReadFile("../../server.json")
	must(t, err)
	var s struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Version     string `json:"version"`
		Remotes     []struct {
			Type string `json:"type"`
			URL  string `json:"url"`
		} `json:"remotes"`
	}
	must(t, json.Unmarshal(raw, &s))
	// What the registry requires beyond its schema.
	if strings.Count(s.Name, "/") != 1 || len(s.Description) > 100 || strings.ContainsAny(s.Version, "^~*x<>| ") {
		t.Errorf("%+v", s)
	}
	if len(s.Remotes) != 1 || s.Remotes[0].Type != "streamable-http" || !strings.HasSuffix(s.Remotes[0].URL, "/mcp") {
		t.Errorf("remotes %+v", s.Remotes)
	}
	broken := readJSON(t, "../../server.json").(map[string]any)
	broken["name"] = "no slash"
	if schema.Validate(broken) == nil {
		t.Error("the schema takes any name")
	}
}
