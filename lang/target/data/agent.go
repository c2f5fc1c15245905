package data

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// card is an A2A agent card.
type card struct {
	Name               string          `json:"name"`
	Description        string          `json:"description"`
	URL                string          `json:"url"`
	Version            string          `json:"version"`
	ProtocolVersion    string          `json:"protocolVersion"`
	Capabilities       map[string]bool `json:"capabilities"`
	DefaultInputModes  []string        `json:"defaultInputModes"`
	DefaultOutputModes []string        `json:"defaultOutputModes"`
	Skills             []skill         `json:"skills"`
	Provider           *provider       `json:"provider,omitempty"`
	Metadata           map[string]any  `json:"metadata"`
}

type provider struct {
	Organization string `json:"organization"`
	URL          string `json:"url"`
}

type skill struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
	Examples    []string `json:"examples,omitempty"`
	InputModes  []string `json:"inputModes,omitempty"`
	OutputModes []string `json:"outputModes,omitempty"`
}

// AgentCard makes agent-card.json of the source's agents: the first one, or that
// of the option agent. Its skills are what the agent says of itself, its actions, the
// messages it answers, its tools and its goals.
func AgentCard(in *artefact.Input) (*artefact.Output, error) {
	list := agentsOf(in, "")
	i := 0
	if want := in.Options.Text("agent"); want != "" {
		i = slices.IndexFunc(list, func(a agent) bool { return a.name == want || a.block == want })
		if i < 0 && len(list) > 0 {
			return nil, artefact.Nothing(in.Target, "an agent of the name "+strconv.Quote(want))
		}
	}
	if i < 0 || i >= len(list) {
		return nil, artefact.Nothing(in.Target, "an agent: a node with @agent, or a block agent")
	}
	a := list[i]
	c := card{
		Name: a.name, Description: a.description, URL: cmp.Or(a.url, in.Options.Text("url")), Version: a.version, ProtocolVersion: "0.3.0",
		Capabilities:      map[string]bool{"streaming": false, "pushNotifications": false},
		DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"text/plain"}, Skills: a.skills(),
		Metadata: map[string]any{"generated": in.Header(), "source": in.Source(a.src), "node": a.node},
	}
	if in.Options.Text("url") != defaultURL { // what the caller says counts
		c.URL = in.Options.Text("url")
	}
	for key := range c.Capabilities {
		if v, ok := scene.Get(a.capabilities, key); ok && v.Kind == trait.Bool {
			c.Capabilities[key] = v.Bool
		}
	}
	if a.organization != "" {
		c.Provider = &provider{a.organization, c.URL}
	}
	raw, err := artefact.JSON(c)
	if err != nil {
		return nil, err
	}
	return &artefact.Output{
		Files:  []artefact.File{{Path: "agent-card.json", MediaType: "application/json", Data: raw}},
		Places: []artefact.Place{{ID: a.node, Place: "/"}},
	}, nil
}

// defaultURL is the address of a card whose option does not say another.
const defaultURL = "http://127.0.0.1:8420/a2a"

func text(v scene.Value, key string) string {
	f, ok := scene.Get(v, key)
	if !ok || f.Kind != trait.Text && f.Kind != trait.Word {
		return ""
	}
	return f.Str
}

func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 60 {
			break
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}

// MCPConfig makes mcp.json: the servers that the source names, and the one of
// this program, which has the tools of the language. In _meta stand the agents of
// the source with their tools and what those take.
func MCPConfig(in *artefact.Input) (*artefact.Output, error) {
	s := in.Scene
	servers := map[string]any{}
	add := func(name string, v scene.Value) {
		name = cmp.Or(slug(name), "server")
		entry := map[string]any{}
		for _, key := range []string{"command", "url"} {
			if t := text(v, key); t != "" && !strings.Contains(t, "${") {
				entry[key] = t
			}
		}
		if args, ok := scene.Get(v, "args"); ok && entry["command"] != nil {
			entry["args"] = args
		}
		// Values of the environment stay references; a secret never stands here.
		if env, ok := scene.Get(v, "env"); ok && env.Kind == trait.Map {
			refs := map[string]string{}
			for _, f := range env.Fields {
				refs[f.Key] = "${" + f.Key + "}"
			}
			entry["env"] = refs
		}
		if entry["command"] != nil || entry["url"] != nil {
			servers[name] = entry
		}
	}
	for _, d := range s.Domain {
		switch d.Kind {
		case "mcp", "mcp_server", "@mcp", "@mcp_server":
			add(d.Name, d.Data)
		}
	}
	for _, p := range s.Pipelines {
		stages, _ := scene.Get(p.Data, "stages")
		for _, st := range stages.List {
			if text(st, "type") == "mcp" {
				add(text(st, "name"), st)
			}
		}
	}
	if len(servers) == 0 && len(s.Agents) == 0 {
		return nil, artefact.Nothing(in.Target, "an agent or an MCP server")
	}
	servers["meshd"] = map[string]any{"command": "meshd", "args": []string{"mcp"}}
	meta := map[string]any{"generated": in.Header()}
	if list := agentsOf(in, "#/$defs/"); len(list) > 0 {
		var agents []any
		for _, a := range list {
			agents = append(agents, map[string]any{"name": a.name, "description": a.description, "version": a.version, "tools": a.mcpTools()})
		}
		meta["agents"] = agents
	}
	raw, err := artefact.JSON(map[string]any{"mcpServers": servers, "_meta": meta})
	if err != nil {
		return nil, err
	}
	return &artefact.Output{Files: []artefact.File{{Path: "mcp.json", MediaType: "application/json", Data: raw}}}, nil
}
