package data

import (
	"cmp"
	"slices"
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
	Metadata           map[string]any  `json:"metadata"`
}

type skill struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
}

// AgentCard makes agent-card.json of the source's agents: the first one, or that
// of the option agent, with its tools and functions as skills.
func AgentCard(in *artefact.Input) (*artefact.Output, error) {
	s := in.Scene
	i := 0
	if want := in.Options.Text("agent"); want != "" {
		i = slices.IndexFunc(s.Agents, func(d scene.Domain) bool { return d.Name == want })
	}
	if i < 0 || i >= len(s.Agents) {
		return nil, artefact.Nothing(in.Target, "an agent: a node with @agent")
	}
	a := s.Agents[i]
	c := card{
		Name: cmp.Or(a.Name, "agent"), Description: cmp.Or(text(a.Data, "description"), text(a.Data, "personality"), "An agent of "+cmp.Or(s.Name, "a scene")+"."),
		URL: in.Options.Text("url"), Version: cmp.Or(text(s.Metadata, "version"), "1.0.0"), ProtocolVersion: "0.3.0",
		Capabilities:      map[string]bool{"streaming": false, "pushNotifications": false},
		DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"text/plain"}, Skills: []skill{},
		Metadata: map[string]any{"generated": in.Header(), "source": in.Source(a.Src), "node": a.Owner},
	}
	add := func(name, what string, tags ...string) {
		id := slug(name)
		if id == "" || slices.ContainsFunc(c.Skills, func(k skill) bool { return k.ID == id }) {
			return
		}
		c.Skills = append(c.Skills, skill{id, name, what, tags})
	}
	if tools, ok := scene.Get(a.Data, "tools"); ok {
		for _, t := range tools.List {
			add(t.Str, "Uses the tool "+t.Str+".", "tool")
		}
	}
	for _, o := range s.Behaviour.Owners {
		if o.Node == a.Owner && o.Node != "" {
			for _, f := range o.Functions {
				add(f.Name, "Runs "+f.Name+".", "function")
			}
		}
	}
	if goals, ok := scene.Get(a.Data, "goals"); ok {
		for _, g := range goals.List {
			add(g.Str, g.Str, "goal")
		}
	}
	if len(c.Skills) == 0 {
		add("converse", "Answers messages.", "conversation")
	}
	raw, err := artefact.JSON(c)
	if err != nil {
		return nil, err
	}
	return &artefact.Output{
		Files:  []artefact.File{{Path: "agent-card.json", MediaType: "application/json", Data: raw}},
		Places: []artefact.Place{{ID: a.Owner, Place: "/"}},
	}, nil
}

func text(v scene.Value, key string) string {
	f, ok := scene.Get(v, key)
	if !ok || f.Kind != trait.Text {
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
// this program, which has the tools of the language.
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
	raw, err := artefact.JSON(map[string]any{"mcpServers": servers, "_meta": map[string]any{"generated": in.Header()}})
	if err != nil {
		return nil, err
	}
	return &artefact.Output{Files: []artefact.File{{Path: "mcp.json", MediaType: "application/json", Data: raw}}}, nil
}
