package clients

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// TestBlocks: every block is read back as the command it was made of, whatever stands in it.
func TestBlocks(t *testing.T) {
	t.Parallel()
	args := []string{"mcp", "--home", "/home/a \"b\"\\c\x01\x7fé<&>"}
	for _, c := range All {
		text, err := c.Block(c.Stdio("/opt/meshd", args, nil))
		if err != nil {
			t.Fatal(err)
		}
		var all map[string]map[string]MCPServer
		if c.TOML {
			var plain map[string]map[string]struct {
				Command string
				Args    []string
			}
			err = toml.Unmarshal([]byte(text), &plain)
			all = map[string]map[string]MCPServer{c.Key: {Name: {Command: plain[c.Key][Name].Command, Args: plain[c.Key][Name].Args}}}
		} else {
			err = json.Unmarshal([]byte(text), &all)
		}
		got := all[c.Key][Name]
		if err != nil || got.Command != "/opt/meshd" || !slices.Equal(got.Args, args) || (got.Type == "stdio") != c.Typed {
			t.Errorf("%s: %v %+v\n%s", c.ID, err, got, text)
		}
	}
}

// TestFiles: every client but Generic has a file of its own on both systems.
func TestFiles(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, system := range []string{"linux", "darwin"} {
		clear(seen)
		for _, c := range All {
			f := c.File(system)
			if f == "" || seen[f] != "" {
				t.Errorf("%s on %s: %q, as %s", c.ID, system, f, seen[f])
			}
			seen[f] = c.ID
		}
	}
	if Generic.File("linux") != "" || len(Listed()) != 5 {
		t.Errorf("%q %d", Generic.File("linux"), len(Listed()))
	}
}
