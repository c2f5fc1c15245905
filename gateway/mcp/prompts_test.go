package mcp_test

import (
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/node/view"
)

func promptText(t testing.TB, s *sdk.ClientSession, name string, args map[string]string) string {
	t.Helper()
	r, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(r.Messages) != 1 || r.Messages[0].Role != "user" {
		t.Fatalf("%s: %+v", name, r.Messages)
	}
	return r.Messages[0].Content.(*sdk.TextContent).Text
}

func TestPrompts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.mesh.Plant(view.Entry{Domain: "go", Agent: w.mesh.AddAgent("ada").AgentRef, Body: body.Entry{Type: "gotcha", Text: lesson}})
	id := e.ID.Text(change.PrefixEntry)
	_, key := register(t, w.dial(modern, ""), "bob", servicetest.Key(1))
	for _, version := range []string{modern, older} {
		for way, s := range map[string]*sdk.ClientSession{"http": w.dial(version, key), "stdio": w.stdio(version, owner(e.Agent.ID.String())), "bridge": w.bridge(version, key)} {
			list, err := s.ListPrompts(t.Context(), nil)
			must(t, err)
			var names []string
			for _, p := range list.Prompts {
				names = append(names, p.Name)
				if p.Title == "" || p.Description == "" || len(p.Arguments) == 0 {
					t.Errorf("%s lacks title, description or arguments", p.Name)
				}
			}
			if !slices.Equal(names, []string{"before_a_task", "build_scene", "contribute_well", "onboard", "review_bounty", "weigh_entry"}) {
				t.Errorf("%s: %v", way, names)
			}
			for _, c := range []struct {
				name  string
				args  map[string]string
				wants []string
			}{
				{"contribute_well", map[string]string{"draft": "short"}, []string{"too_short", "```draft\nshort\n```", "check_knowledge"}},
				{"contribute_well", map[string]string{"draft": lesson + " Said twice.", "type": "gotcha", "domain": "go"}, []string{"would take it"}},
				{"contribute_well", map[string]string{"draft": lesson, "type": "rumour"}, []string{"would refuse", "invalid_type"}},
				{"contribute_well", map[string]string{"draft": "a ``` b"}, []string{"````draft\na ``` b\n````"}},
				{"onboard", map[string]string{"name": "Grace H."[:7]}, []string{`"Grace H"`, "register_agent", "get_guilds"}},
				{"before_a_task", map[string]string{"task": "Upgrade postgres.", "domain": "postgres"}, []string{`"postgres"`, "query_knowledge", "```task\nUpgrade postgres.\n```"}},
				{"build_scene", map[string]string{"idea": "A pier at night.", "target": "three-js"}, []string{"to threejs (scene.js", "carries: nodes", "validate_source", "```idea\nA pier at night.\n```"}},
				{"weigh_entry", map[string]string{"id": id}, []string{id, "```untrusted\n" + lesson + "\n```"}},
			} {
				text := promptText(t, s, c.name, c.args)
				for _, want := range c.wants {
					if !strings.Contains(text, want) {
						t.Errorf("%s %s lacks %q: %s", way, c.name, want, text)
					}
				}
			}
		}
	}
	if text := promptText(t, w.dial(modern, ""), "weigh_entry", map[string]string{"id": id}); strings.Contains(text, "response body") || !strings.Contains(text, "API key") {
		t.Errorf("without a key: %s", text)
	}
}

func TestPromptRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, version := range []string{modern, older} {
		for _, s := range []*sdk.ClientSession{w.dial(version, ""), w.stdio(version, call.Caller{})} {
			for _, c := range []struct {
				name string
				args map[string]string
				code string
			}{
				{"contribute_well", nil, "missing_field"},
				{"contribute_well", map[string]string{"draft": "  "}, "missing_field"},
				{"contribute_well", map[string]string{"draft": strings.Repeat("ä", 8001)}, "invalid_param"},
				{"contribute_well", map[string]string{"draft": "x", "colour": "red"}, "invalid_param"},
				{"contribute_well", map[string]string{"draft": "x", "domain": strings.Repeat("a", 65)}, "invalid_param"},
				{"weigh_entry", map[string]string{"id": strings.Repeat("a", 201)}, "invalid_param"},
				{"onboard", map[string]string{"name": "-"}, "invalid_name"},
				{"weigh_entry", map[string]string{"id": "ent_x"}, "entry_not_found"},
				{"sing", nil, ""},
			} {
				_, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: c.name, Arguments: c.args})
				wantFault(t, err, -32602, c.code)
			}
		}
	}
}

func complete(t testing.TB, s *sdk.ClientSession, ref sdk.CompleteReference, name, value string) ([]string, int, error) {
	t.Helper()
	r, err := s.Complete(t.Context(), &sdk.CompleteParams{Ref: &ref, Argument: sdk.CompleteParamsArgument{Name: name, Value: value}})
	if err != nil {
		return nil, 0, err
	}
	if len(r.Completion.Values) > 100 || r.Completion.HasMore != (r.Completion.Total > len(r.Completion.Values)) {
		t.Errorf("%+v", r.Completion)
	}
	return r.Completion.Values, r.Completion.Total, nil
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.mesh.AddAgent("Ada Lovelace")
	var ids []string
	for i := range 130 {
		e := w.mesh.Plant(view.Entry{Domain: []string{"go", "golf", "rust"}[i%3], Agent: a.AgentRef, Body: body.Entry{Type: "wisdom", Text: lesson}})
		ids = append(ids, e.ID.Text(change.PrefixEntry))
	}
	template := func(uri string) sdk.CompleteReference { return sdk.CompleteReference{Type: "ref/resource", URI: uri} }
	prompt := func(name string) sdk.CompleteReference { return sdk.CompleteReference{Type: "ref/prompt", Name: name} }
	for _, version := range []string{modern, older} {
		s := w.dial(version, "")
		for _, c := range []struct {
			ref         sdk.CompleteReference
			name, begun string
			want        []string
		}{
			{template("mesh://feed/{domain}"), "domain", "go", []string{"go", "golf"}},
			{template("mesh://feed/{domain}"), "domain", "zz", []string{}},
			{template("mesh://entry/{id}"), "id", ids[7][:12], ids[7:8]},
			{template("mesh://agent/{id}"), "id", "Lovelace", []string{a.ID.String()}},
			{template("mesh://agent/{id}"), "id", a.ID.String()[:8], []string{a.ID.String()}},
			{template("mesh://agent/{id}"), "id", "agt_0", []string{}},
			{template("mesh://guild/{id}"), "id", "gld_", []string{}},
			{prompt("contribute_well"), "type", "g", []string{"gotcha"}},
			{prompt("contribute_well"), "draft", "x", []string{}},
			{prompt("before_a_task"), "domain", "ru", []string{"rust"}},
			{prompt("weigh_entry"), "id", ids[129][:12], ids[129:]},
			{template("mesh://entry/{id}"), "id", strings.Repeat("e", 5000), []string{}},
		} {
			got, _, err := complete(t, s, c.ref, c.name, c.begun)
			must(t, err)
			if !slices.Equal(got, c.want) && len(got)+len(c.want) > 0 {
				t.Errorf("%s %v %s: %v", version, c.ref, c.begun, got)
			}
		}
		if got, total, err := complete(t, s, template("mesh://entry/{id}"), "id", ""); err != nil || len(got) != 100 || total != 130 {
			t.Errorf("%d of %d, %v", len(got), total, err)
		}
		for _, bad := range []struct {
			ref  sdk.CompleteReference
			name string
		}{{template("mesh://entry/{id}"), "colour"}, {template("mesh://overview"), "id"}, {prompt("sing"), "x"}, {prompt("onboard"), "x"}, {prompt("test_simple_prompt"), "x"}} {
			_, _, err := complete(t, s, bad.ref, bad.name, "a")
			wantFault(t, err, -32602, "invalid_param")
		}
	}
}
