package mcp

import (
	"os"
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway/scene"
)

// TestDocumentNamesEverything compares docs/mcp.md with the tables.
func TestDocumentNamesEverything(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	want := func(name string) {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("docs/mcp.md does not name %s", name)
		}
	}
	for i := range described {
		want(described[i].Name)
	}
	for i := range resources {
		if resources[i].app {
			want(scene.PreviewPrefix + "{sha256}")
			continue
		}
		want(resources[i].pattern())
	}
	for i := range prompts {
		want(prompts[i].name)
		for _, a := range prompts[i].args {
			if a.required {
				want(a.name)
			} else {
				want(a.name + "?")
			}
		}
	}
}
