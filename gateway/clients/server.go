package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// MCPConfig is the settings object of a client, which has one of the two.
type MCPConfig struct {
	MCPServers map[string]MCPServer `json:"mcpServers,omitempty"`
	Servers    map[string]MCPServer `json:"servers,omitempty" doc:"what VS Code calls them"`
}

// MCPServer is one server in a client's settings: a command or an address.
type MCPServer struct {
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	URL     string            `json:"url,omitempty"`
	Remote  string            `json:"serverUrl,omitempty" doc:"what Windsurf calls the address"`
	Headers map[string]string `json:"headers,omitempty"`
}

// Stdio is a server that the client starts.
func (c Client) Stdio(command string, args []string, env map[string]string) MCPServer {
	s := MCPServer{Command: command, Args: args, Env: env}
	if c.Typed {
		s.Type = "stdio"
	}
	return s
}

// Address is a server that a client with HTTP asks at an address.
func (c Client) Address(address string, headers map[string]string) MCPServer {
	if c.Remote == "serverUrl" {
		return MCPServer{Remote: address, Headers: headers}
	}
	return MCPServer{Type: "http", URL: address, Headers: headers}
}

// Config is the settings object with one server. A client with TOML has none.
func (c Client) Config(s MCPServer) MCPConfig {
	if c.Key == "servers" {
		return MCPConfig{Servers: map[string]MCPServer{Name: s}}
	}
	return MCPConfig{MCPServers: map[string]MCPServer{Name: s}}
}

// Block is what stands in the settings of a client for a server that it starts.
func (c Client) Block(s MCPServer) (string, error) {
	if c.TOML {
		return c.table(s), nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(c.Config(s)); err != nil {
		return "", fmt.Errorf("encode settings: %w", err)
	}
	return b.String(), nil
}

// table is the server as a table of TOML.
func (c Client) table(s MCPServer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s.%s]\ncommand = %s\n", c.Key, Name, text(s.Command))
	b.WriteString("args = [")
	for i, a := range s.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(text(a))
	}
	b.WriteString("]\n")
	return b.String()
}

// text is a basic string of TOML 1.0: what JSON would quote is quoted the same.
func text(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
