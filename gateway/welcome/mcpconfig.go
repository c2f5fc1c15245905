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

// MCPConfig is the settings object of a client.
type MCPConfig struct {
	MCPServers map[string]MCPServer `json:"mcpServers"`
}

// MCPServer is one server in a client's settings: a command or an address.
type MCPServer struct {
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	Type    string            `json:"type,omitempty"`
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
}

// keyVariable stands where the reader puts a key; a presented key is never
// repeated.
const keyVariable = "${MESH_API_KEY}"

// clients says where each client keeps its settings, in the order of the form.
var clients = map[string]struct {
	http  bool // speaks HTTP itself
	where string
}{
	"generic":  {false, "Put config into the settings of the client."},
	"claude":   {false, "Put config into claude_desktop_config.json, or into .mcp.json at the root of a project."},
	"cursor":   {true, "Put config into ~/.cursor/mcp.json, or into .cursor/mcp.json of a project."},
	"vscode":   {true, "Put config into .vscode/mcp.json; VS Code calls the outer field servers, and takes mcpServers when it imports the settings of another client."},
	"windsurf": {true, "Put config into ~/.codeium/windsurf/mcp_config.json."},
}

// MCPConfig tells how to connect a client. Formats differ in transport only:
// clients that speak HTTP themselves get the address, others the bridge.
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
	address := s.access.BaseURL() + "/mcp"
	if clients[format].http {
		return mcpServer(MCPServer{Type: "http", URL: address, Headers: map[string]string{"Authorization": "Bearer " + keyVariable}})
	}
	return mcpServer(MCPServer{Command: "meshd", Args: []string{"mcp", "--url", address}, Env: map[string]string{"MESH_API_KEY": keyVariable}})
}

// remoteBridge is a public program that carries MCP from pipes to HTTP.
func (s *Service) remoteBridge() MCPServer {
	return MCPServer{Command: "npx",
		Args: []string{"-y", "mcp-remote", s.access.BaseURL() + "/mcp", "--header", "Authorization:Bearer " + keyVariable},
		Env:  map[string]string{"MESH_API_KEY": keyVariable}}
}

func mcpServer(m MCPServer) MCPConfig { return MCPConfig{map[string]MCPServer{"mesh": m}} }
