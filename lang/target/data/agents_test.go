package data_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
)

func compile(t *testing.T, source, id string, options map[string]any) []byte {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.hs", []byte(source), ast.HS), target.Request{Target: id, Options: options})
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return r.Files[0].Data
}

func into[T any](t *testing.T, doc []byte) T {
	t.Helper()
	var out T
	if err := json.Unmarshal(doc, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

type card struct {
	Name, Description, Version, URL string
	Provider                        struct{ Organization string }
	Skills                          []struct {
		ID, Description string
		Tags            []string
		InputModes      []string
	}
}

const guide = `
/// A way through the hills.
struct Trail { name: string  length: number }
agent "guide" {
  identity { name: "Trail Guide" version: "3.1" capability_tags: ["maps", "Weather Watch"] organization: "Hill Club" }
  description: "Knows the trails."
  state { asked: 0 }
  skill "plan" { description: "Plans a day." tags: ["planning"] }
  tool "lookup" { description: "Looks up a trail." input: { name: "string", limit: { type: "integer?", description: "How many." } } }
  // Finds a way.
  action find(from: string, trail: Trail, hours: number = 4) { return helper(from) }
  function helper(x) { return x }
  on "message"(m) { state.asked += 1 }
  on "walked"(t: Trail) { state.asked += 1 }
  on "click" { state.asked += 1 }
}
npc "porter" @agent(tools: [carry]) { identity { name: "Porter" } goals: ["be quick"] }
object "rack" { action carry(bags: integer) { } }
`

// TestIdentityIsTheCard: name, version and organization come from identity; skills
// from what the agent writes down, does, answers and is tagged with.
func TestIdentityIsTheCard(t *testing.T) {
	c := into[card](t, compile(t, guide, "a2a-agent-card", map[string]any{"agent": "Trail Guide"}))
	if c.Name != "Trail Guide" || c.Version != "3.1" || c.Description != "Knows the trails." || c.Provider.Organization != "Hill Club" {
		t.Errorf("%+v", c)
	}
	var got []string
	for _, s := range c.Skills {
		got = append(got, fmt.Sprintf("%s%v%d", s.ID, s.Tags, len(s.InputModes)))
	}
	want := "plan[planning]0 lookup[tool]1 find[function]1 message[message]0 walked[message]1 maps[maps]0 weather-watch[Weather Watch]0"
	if strings.Join(got, " ") != want {
		t.Errorf("skills are %s, not %s", strings.Join(got, " "), want)
	}
	for _, name := range []string{"porter", "Porter"} { // by the name of its block or of its identity
		if c := into[card](t, compile(t, guide, "a2a-agent-card", map[string]any{"agent": name})); c.Name != "Porter" || c.Skills[0].ID != "carry" {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// TestToolsSayWhatTheyTake: the input schemas of MCP stand alone.
func TestToolsSayWhatTheyTake(t *testing.T) {
	doc := into[struct {
		Meta struct {
			Agents []struct {
				Name  string
				Tools []struct {
					Name   string
					Schema json.RawMessage `json:"inputSchema"`
				}
			}
		} `json:"_meta"`
	}](t, compile(t, guide, "mcp-config", nil))
	got := map[string]string{}
	for _, a := range doc.Meta.Agents {
		for _, tool := range a.Tools {
			var tight any
			if err := json.Unmarshal(tool.Schema, &tight); err != nil {
				t.Fatal(err)
			}
			raw, _ := json.Marshal(tight)
			got[a.Name+"."+tool.Name] = string(raw)
		}
	}
	const trail = `"$defs":{"Trail":{"description":"A way through the hills.","properties":{"length":{"type":"number"},"name":{"type":"string"}},"required":["name","length"],"type":"object"}}`
	for name, want := range map[string]string{
		"Trail Guide.lookup":  `{"properties":{"limit":{"description":"How many.","type":"integer"},"name":{"type":"string"}},"required":["name"],"type":"object"}`,
		"Trail Guide.find":    `{` + trail + `,"properties":{"from":{"type":"string"},"hours":{"default":4,"type":"number"},"trail":{"$ref":"#/$defs/Trail"}},"required":["from","trail"],"type":"object"}`,
		"Trail Guide.walked":  `{` + trail + `,"allOf":[{"$ref":"#/$defs/Trail"}],"type":"object"}`,
		"Trail Guide.message": `{"type":"object"}`,
		"Porter.carry":        `{"properties":{"bags":{"type":"integer"}},"required":["bags"],"type":"object"}`,
	} {
		if got[name] != want {
			t.Errorf("%s takes %s, not %s", name, got[name], want)
		}
	}
	if len(got) != 5 {
		t.Errorf("tools are %v", got)
	}
}

// TestNoAgentIsRefusedByName: what is missing is said.
func TestNoAgentIsRefusedByName(t *testing.T) {
	for _, c := range []struct {
		source, id, want string
		options          map[string]any
	}{
		{`object "a" {}`, "a2a-agent-card", "an agent", nil},
		{`object "a" {}`, "mcp-config", "an agent or an MCP server", nil},
		{guide, "a2a-agent-card", `"nobody"`, map[string]any{"agent": "nobody"}},
	} {
		_, err := target.Compile(target.Load(nil, "main.hs", []byte(c.source), ast.HS), target.Request{Target: c.id, Options: c.options})
		if err == nil || !strings.Contains(err.Error(), "TGT004") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.id, err)
		}
	}
}

// TestACompositionMayBeAnAgent: with @agent and identity at its top.
func TestACompositionMayBeAnAgent(t *testing.T) {
	c := into[card](t, compile(t, `composition "Desk" @agent { identity { name: "Desk" version: "2" } action answer(q: string) { return q } }`, "a2a-agent-card", nil))
	if c.Name != "Desk" || c.Version != "2" || len(c.Skills) != 1 || c.Skills[0].ID != "answer" {
		t.Errorf("%+v", c)
	}
}
