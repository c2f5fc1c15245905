// Package clients knows the programs that speak MCP: how their settings are written and
// where they lie. The pages, the endpoint mcp-config and `meshd connect` read one table.
package clients

import (
	"path/filepath"
	"slices"
)

// Name is what the settings of a client call the server.
const Name = "mesh"

// Client is one program, with the form that its documentation gives its settings.
type Client struct {
	ID   string
	Name string // as people call it
	// Key is the field or table of the settings that has the servers.
	Key string
	// TOML says that the settings are TOML, else they are JSON, with comments or without.
	TOML bool
	// HTTP says that it speaks HTTP itself; Remote is its name for an address.
	HTTP   bool
	Remote string
	// Typed says that each server names its transport in a field type.
	Typed bool
	// Project is the file of a project, below its root; "": it has none.
	Project string

	linux, mac []string // path of the user's own file below the home folder
	listed     bool     // among the formats of mcp-config
}

// All are the clients in the order in which they are listed.
var All = []Client{
	{ID: "claude", Name: "Claude", Key: "mcpServers", listed: true,
		linux: []string{".config", "Claude", "claude_desktop_config.json"}, mac: []string{"Library", "Application Support", "Claude", "claude_desktop_config.json"}},
	{ID: "claude-code", Name: "Claude Code", Key: "mcpServers", Typed: true, Project: ".mcp.json", linux: []string{".claude.json"}},
	{ID: "cursor", Name: "Cursor", Key: "mcpServers", HTTP: true, Remote: "url", Project: filepath.Join(".cursor", "mcp.json"), listed: true, linux: []string{".cursor", "mcp.json"}},
	{ID: "vscode", Name: "VS Code", Key: "servers", HTTP: true, Remote: "url", Typed: true, Project: filepath.Join(".vscode", "mcp.json"), listed: true,
		linux: []string{".config", "Code", "User", "mcp.json"}, mac: []string{"Library", "Application Support", "Code", "User", "mcp.json"}},
	{ID: "windsurf", Name: "Windsurf", Key: "mcpServers", HTTP: true, Remote: "serverUrl", listed: true, linux: []string{".codeium", "windsurf", "mcp_config.json"}},
	{ID: "codex", Name: "Codex", Key: "mcp_servers", TOML: true, Project: filepath.Join(".codex", "config.toml"), linux: []string{".codex", "config.toml"}},
	{ID: "gemini", Name: "Gemini CLI", Key: "mcpServers", Project: filepath.Join(".gemini", "settings.json"), linux: []string{".gemini", "settings.json"}},
}

// Generic is a client of which nothing is known.
var Generic = Client{ID: "generic", Name: "Any client", Key: "mcpServers", listed: true}

// Find is the client of an id.
func Find(id string) (Client, bool) {
	i := slices.IndexFunc(All, func(c Client) bool { return c.ID == id })
	if i < 0 {
		return Generic, id == Generic.ID
	}
	return All[i], true
}

// IDs are the ids of all clients but Generic.
func IDs() (out []string) {
	for _, c := range All {
		out = append(out, c.ID)
	}
	return out
}

// Listed are the clients whose blocks pages and the endpoint show, Generic first.
func Listed() []Client {
	out := []Client{Generic}
	for _, c := range All {
		if c.listed {
			out = append(out, c)
		}
	}
	return out
}

// File is the path of the user's own settings below the home folder, on a system of Go's
// name; "" for Generic.
func (c Client) File(system string) string {
	if system == "darwin" && c.mac != nil {
		return filepath.Join(c.mac...)
	}
	return filepath.Join(c.linux...)
}
