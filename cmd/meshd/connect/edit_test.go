package connect

import (
	"bytes"
	"testing"

	"github.com/meshd/meshd/gateway/clients"
)

func find(t testing.TB, id string) clients.Client {
	t.Helper()
	c, ok := clients.Find(id)
	if !ok {
		t.Fatal(id)
	}
	return c
}

// TestEdits: what else is in a file stays byte by byte, with comments, order, indentation
// and large numbers; doing it again changes nothing; taking it out leaves what was there.
func TestEdits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ id, before, after, without string }{
		{"cursor", "", "{\n  \"mcpServers\": {\n    \"mesh\": {\n      \"command\": \"/bin/meshd\",\n      \"args\": [\n        \"mcp\"\n      ]\n    }\n  }\n}\n", "{\n  \"mcpServers\": {\n  }\n}\n"},
		{"cursor", "{}\n", "{\n  \"mcpServers\": {\n    \"mesh\": {\n      \"command\": \"/bin/meshd\",\n      \"args\": [\n        \"mcp\"\n      ]\n    }\n  }\n}\n", "{\n  \"mcpServers\": {\n  }\n}\n"},
		{"vscode", "{\n\t// of the team\n\t\"servers\": {\n\t\t\"other\": {\"url\": \"https://x\"}, // keep\n\t},\n\t\"n\": 12345678901234567890,\n}\n",
			"{\n\t// of the team\n\t\"servers\": {\n\t\t\"other\": {\"url\": \"https://x\"}, // keep\n\t\t\"mesh\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \"/bin/meshd\",\n\t\t\t\"args\": [\n\t\t\t\t\"mcp\"\n\t\t\t]\n\t\t}\n\t},\n\t\"n\": 12345678901234567890,\n}\n",
			"{\n\t// of the team\n\t\"servers\": {\n\t\t\"other\": {\"url\": \"https://x\"} // keep\n\t},\n\t\"n\": 12345678901234567890,\n}\n"},
		{"claude", "{\n  \"mcpServers\": {\n    \"mesh\": {\"command\": \"old\"}\n  },\n  \"theme\": \"dark\"\n}\n",
			"{\n  \"mcpServers\": {\n    \"mesh\": {\n      \"command\": \"/bin/meshd\",\n      \"args\": [\n        \"mcp\"\n      ]\n    }\n  },\n  \"theme\": \"dark\"\n}\n",
			"{\n  \"mcpServers\": {\n  },\n  \"theme\": \"dark\"\n}\n"},
		{"codex", "", "[mcp_servers.mesh]\ncommand = \"/bin/meshd\"\nargs = [\"mcp\"]\n", ""},
		{"codex", "model = \"x\" # mine\n\n[mcp_servers.mesh] # old\ncommand = \"old\"\n[mcp_servers.mesh.env]\nA = \"b\"\n\n[mcp_servers.other]\nurl = \"https://x\"\n",
			"model = \"x\" # mine\n\n[mcp_servers.other]\nurl = \"https://x\"\n\n[mcp_servers.mesh]\ncommand = \"/bin/meshd\"\nargs = [\"mcp\"]\n",
			"model = \"x\" # mine\n\n[mcp_servers.other]\nurl = \"https://x\"\n\n"},
	} {
		client := find(t, c.id)
		server := client.Stdio("/bin/meshd", []string{"mcp"}, nil)
		got, err := with(client, []byte(c.before), server)
		if err != nil || string(got) != c.after {
			t.Errorf("%s %q: %v\n%s\nwant\n%s", c.id, c.before, err, got, c.after)
			continue
		}
		if again, err := with(client, got, server); err != nil || !bytes.Equal(again, got) {
			t.Errorf("%s again: %v\n%s", c.id, err, again)
		}
		if gone, err := without(client, got); err != nil || string(gone) != c.without {
			t.Errorf("%s taken out: %v\n%s\nwant\n%s", c.id, err, gone, c.without)
		}
	}
}

// TestEditsRefused: what is not settings, or of a form that an edit would break.
func TestEditsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ id, text string }{
		{"cursor", "[]"}, {"cursor", "null"}, {"cursor", "{"}, {"cursor", "nonsense"}, {"cursor", `{"mcpServers": []}`}, {"cursor", `{"mcpServers": 1}`},
		{"codex", "= 1"}, {"codex", "mcp_servers = 1"}, {"codex", "[mcp_servers]\nmesh = {command = \"old\"}\n"}, {"codex", "mcp_servers.mesh.command = \"old\"\n"},
	} {
		client := find(t, c.id)
		if out, err := with(client, []byte(c.text), client.Stdio("m", nil, nil)); err == nil {
			t.Errorf("%s %q became %q", c.id, c.text, out)
		}
	}
}

// FuzzEdits: no settings make it panic, and what it accepts keeps its other settings.
func FuzzEdits(f *testing.F) {
	f.Add(true, []byte("[mcp_servers.mesh]\ncommand = \"old\"\n"))
	f.Add(false, []byte("{\"mcpServers\": {/* a */ \"mesh\": {},},}"))
	f.Add(false, []byte("{\"mcpServers\": {\"mesh\": 1, \"mesh\": 2}}"))
	f.Fuzz(func(t *testing.T, toml bool, text []byte) {
		client := find(t, "cursor")
		if toml {
			client = find(t, "codex")
		}
		server := client.Stdio("/bin/m \"\\\u0001é", []string{"mcp", "a\nb"}, nil)
		got, err := with(client, text, server)
		if err != nil {
			return
		}
		if ok, err := has(client, got); err != nil || !ok {
			t.Fatalf("%q became %q: %v", text, got, err)
		}
		if again, err := with(client, got, server); err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%q, again %q: %v", got, again, err)
		}
	})
}
