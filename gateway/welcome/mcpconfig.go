package welcome

import "github.com/meshd/meshd/gateway/call"

// MCPConfigRequest chooses a client.
type MCPConfigRequest struct {
	call.Request
	Format string `field:"format"`
}

// MCPConfigForm reads an MCPConfigRequest.
var MCPConfigForm = call.Define[MCPConfigRequest](call.Form{
	{Name: "format", Enum: []string{"generic", "claude", "cursor", "vscode", "windsurf"}, Default: "generic", Help: "For which client."},
})

// MCPConfigReply is what a client's settings need.
type MCPConfigReply struct {
	Success            bool                 `json:"success"`
	Format             string               `json:"format"`
	Config             MCPConfig            `json:"config"`
	Instructions       string               `json:"instructions"`
	AvailableTools     []string             `json:"available_tools"`
	QuickStart         MCPSteps             `json:"quick_start"`
	AlternativeFormats map[string]MCPConfig `json:"alternative_formats"`
	Alternatives       MCPAlternatives      `json:"alternatives"`
}

// MCPSteps are the three steps of connecting a client.
type MCPSteps struct {
	Step1 string `json:"step_1"`
	Step2 string `json:"step_2"`
	Step3 string `json:"step_3"`
}

// MCPAlternatives are ways to connect besides the chosen one.
type MCPAlternatives struct {
	NPX MCPConfig `json:"npx" doc:"for clients that start programs, on machines without meshd"`
}

// MCPConfig is the settings object of a client, which has one of the two.
type MCPConfig struct {
	MCPServers map[string]MCPServer `json:"mcpServers,omitempty"`
	Servers    map[string]MCPServer `json:"servers,omitempty" doc:"what VS Code calls them"`
}

// MCPServer is one server in a client's settings: a command or an address.
type MCPServer struct {
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	Type    string            `json:"type,omitempty"`
	URL     string            `json:"url,omitempty"`
	Remote  string            `json:"serverUrl,omitempty" doc:"what Windsurf calls the address"`
	Headers map[string]string `json:"headers,omitempty"`
}

// Where the reader puts a key, by the two ways in which clients name a variable of
// their environment; a presented key is never repeated.
const (
	keyVariable    = "${MESH_API_KEY}"
	keyEnvVariable = "${env:MESH_API_KEY}"
)

// client is how one client of MCP is set up.
type client struct {
	http    bool // speaks HTTP itself
	servers bool // calls the outer field servers
	remote  bool // calls the address serverUrl
	where   string
}

// clients are those of the form, each with the shape that its documentation has.
var clients = map[string]client{
	"generic":  {where: "Put config into the settings of the client."},
	"claude":   {where: "Put config into claude_desktop_config.json, or into .mcp.json at the root of a project."},
	"cursor":   {http: true, where: "Put config into ~/.cursor/mcp.json, or into .cursor/mcp.json of a project."},
	"vscode":   {http: true, servers: true, where: "Put config into .vscode/mcp.json."},
	"windsurf": {http: true, remote: true, where: "Put config into ~/.codeium/windsurf/mcp_config.json."},
}

// MCPConfig says how to connect a client: one that speaks HTTP itself gets the address,
// others the bridge.
func (s *Service) MCPConfig(r MCPConfigRequest) *MCPConfigReply {
	format := r.Format
	reply := &MCPConfigReply{
		Success: true, Format: format, Config: s.mcpConfig(format), AvailableTools: call.ListOf(s.cfg.Tools),
		Instructions: clients[format].where + " Set MESH_API_KEY where the client runs. Reading works without a key; writing needs one.",
		QuickStart: MCPSteps{
			"Register: POST /api/mesh/quickstart, or the tool register_agent",
			"Set MESH_API_KEY to the key you got",
			"Ask query_knowledge before a task and contribute_knowledge after it",
		},
		AlternativeFormats: map[string]MCPConfig{},
		Alternatives:       MCPAlternatives{mcpServer(s.remoteBridge())},
	}
	for _, f := range MCPConfigForm.Form[0].Enum {
		if f != format {
			reply.AlternativeFormats[f] = s.mcpConfig(f)
		}
	}
	return reply
}

func (s *Service) mcpConfig(format string) MCPConfig {
	address, c := s.access.BaseURL()+"/mcp", clients[format]
	if c.http {
		m := MCPServer{Type: "http", URL: address, Headers: map[string]string{"Authorization": "Bearer " + keyEnvVariable}}
		if c.remote {
			m.Type, m.URL, m.Remote = "", "", address
		}
		if c.servers {
			return MCPConfig{Servers: map[string]MCPServer{"mesh": m}}
		}
		return mcpServer(m)
	}
	return mcpServer(MCPServer{Command: "meshd", Args: []string{"mcp", "--url", address}, Env: map[string]string{"MESH_API_KEY": keyVariable}})
}

// remoteBridge is a public program that carries MCP from pipes to HTTP.
func (s *Service) remoteBridge() MCPServer {
	return MCPServer{Command: "npx",
		Args: []string{"-y", "mcp-remote", s.access.BaseURL() + "/mcp", "--header", "Authorization:Bearer " + keyVariable},
		Env:  map[string]string{"MESH_API_KEY": keyVariable}}
}

func mcpServer(m MCPServer) MCPConfig { return MCPConfig{MCPServers: map[string]MCPServer{"mesh": m}} }
