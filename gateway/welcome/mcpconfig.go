package welcome

import (
	"strings"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/clients"
	"github.com/meshd/meshd/gateway/endpoint"
)

// MCPConfigRequest chooses a client, and the toolsets that it is shown.
type MCPConfigRequest struct {
	call.Request
	Format   string   `field:"format"`
	Toolsets []string `field:"toolsets"`
}

// MCPConfigForm reads an MCPConfigRequest.
var MCPConfigForm = call.Define[MCPConfigRequest](call.Form{
	{Name: "format", Enum: formats(), Default: clients.Generic.ID, Help: "For which client."},
	{Name: "toolsets", Kind: call.Texts, Items: maxToolsets, Enum: endpoint.ToolsetNames(), Help: "Toolsets whose tools the client lists, separated by commas; those that the gateway lists when absent."},
})

// maxToolsets is how many names a choice of toolsets has.
const maxToolsets = 8

// formats are the ids of the clients that have a block here.
func formats() (out []string) {
	for _, c := range clients.Listed() {
		out = append(out, c.ID)
	}
	return out
}

// MCPConfigReply is what a client's settings need.
type MCPConfigReply struct {
	Success            bool                         `json:"success"`
	Format             string                       `json:"format"`
	Config             clients.MCPConfig            `json:"config"`
	Instructions       string                       `json:"instructions"`
	AvailableTools     []string                     `json:"available_tools"`
	Toolsets           []MCPToolset                 `json:"toolsets" doc:"sets of tools that a client can list"`
	QuickStart         MCPSteps                     `json:"quick_start"`
	AlternativeFormats map[string]clients.MCPConfig `json:"alternative_formats"`
	Alternatives       MCPAlternatives              `json:"alternatives"`
}

// MCPToolset is a set of tools that a client can list.
type MCPToolset struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// MCPSteps are the three steps of connecting a client.
type MCPSteps struct {
	Step1 string `json:"step_1"`
	Step2 string `json:"step_2"`
	Step3 string `json:"step_3"`
}

// MCPAlternatives are ways to connect besides the chosen one.
type MCPAlternatives struct {
	NPX clients.MCPConfig `json:"npx" doc:"for clients that start programs, on machines without meshd"`
}

// Where the reader puts a key, by the two ways in which clients name a variable of
// their environment; a presented key is never repeated.
const (
	keyVariable    = "${MESH_API_KEY}"
	keyEnvVariable = "${env:MESH_API_KEY}"
)

// where says of each client of the form where its block goes.
var where = map[string]string{
	"generic":  "Put config into the settings of the client.",
	"claude":   "Put config into claude_desktop_config.json, or into .mcp.json at the root of a project.",
	"cursor":   "Put config into ~/.cursor/mcp.json, or into .cursor/mcp.json of a project.",
	"vscode":   "Put config into .vscode/mcp.json.",
	"windsurf": "Put config into ~/.codeium/windsurf/mcp_config.json.",
}

// MCPConfig says how to connect a client: one that speaks HTTP itself gets the address,
// others the bridge.
func (s *Service) MCPConfig(r MCPConfigRequest) *MCPConfigReply {
	format := r.Format
	reply := &MCPConfigReply{
		Success: true, Format: format, Config: s.mcpConfig(format, r.Toolsets), AvailableTools: call.ListOf(s.cfg.Tools),
		Instructions: where[format] + " Set MESH_API_KEY where the client runs. Reading works without a key; writing needs one.",
		QuickStart: MCPSteps{
			"Register: POST /api/mesh/quickstart, or the tool register_agent",
			"Set MESH_API_KEY to the key you got",
			"Ask query_knowledge before a task and contribute_knowledge after it",
		},
		AlternativeFormats: map[string]clients.MCPConfig{},
		Alternatives:       MCPAlternatives{clients.Generic.Config(s.remoteBridge(r.Toolsets))},
	}
	reply.Instructions += " To list other tools than the usual ones, add " + waysToChoose[clientOf(format).HTTP] + "."
	for _, row := range endpoint.Toolsets() {
		reply.Toolsets = append(reply.Toolsets, MCPToolset{string(row.Name), row.Help})
	}
	for _, f := range MCPConfigForm.Form[0].Enum {
		if f != format {
			reply.AlternativeFormats[f] = s.mcpConfig(f, r.Toolsets)
		}
	}
	return reply
}

// waysToChoose say how a client that speaks HTTP, or none, chooses toolsets.
var waysToChoose = map[bool]string{
	true:  "?toolsets=default,work to the address",
	false: `"--toolsets", "default,work" to args`,
}

// clientOf is a client of the form.
func clientOf(format string) clients.Client {
	c, _ := clients.Find(format) // the form has refused others
	return c
}

func (s *Service) mcpConfig(format string, toolsets []string) clients.MCPConfig {
	c := clientOf(format)
	if c.HTTP {
		return c.Config(c.Address(s.mcpAddress(toolsets), map[string]string{"Authorization": "Bearer " + keyEnvVariable}))
	}
	args := []string{"mcp", "--url", s.mcpAddress(nil)}
	if len(toolsets) > 0 {
		args = append(args, "--toolsets", strings.Join(toolsets, ","))
	}
	return c.Config(c.Stdio("meshd", args, map[string]string{"MESH_API_KEY": keyVariable}))
}

// mcpAddress is the address of the MCP server for a client that is shown these toolsets.
func (s *Service) mcpAddress(toolsets []string) string {
	address := s.access.BaseURL() + "/mcp"
	if len(toolsets) > 0 {
		address += "?toolsets=" + strings.Join(toolsets, ",") // names need no escapes
	}
	return address
}

// remoteBridge is a public program that carries MCP from pipes to HTTP.
func (s *Service) remoteBridge(toolsets []string) clients.MCPServer {
	return clients.MCPServer{Command: "npx",
		Args: []string{"-y", "mcp-remote", s.mcpAddress(toolsets), "--header", "Authorization:Bearer " + keyVariable},
		Env:  map[string]string{"MESH_API_KEY": keyVariable}}
}
