package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestLanguageTools: nobody needs a key to read, check and ask about sources.
func TestLanguageTools(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(modern, "")
	scene := `composition "Pier" { template "T" { @buoyancy(fluid_density: 1) } object "A" using "T" @grabable { color: "red" } }`

	out, ok := callTool(t, s, "parse_holo", map[string]any{"code": scene})
	if !ok || out["success"] != true || out["composition"].(map[string]any)["name"] != "Pier" {
		t.Errorf("parse_holo: %v", out)
	}
	out, ok = callTool(t, s, "parse_holo", map[string]any{"code": "# by hand\nobject a { }"})
	if !ok || out["success"] != true || out["composition"] != nil || len(out["warnings"].([]any)) != 1 {
		t.Errorf("parse_holo with a warning: %v", out)
	}
	if out, ok = callTool(t, s, "parse_holo", map[string]any{"code": "# by hand\nobject a { }", "strict": true}); !ok || out["success"] != false {
		t.Errorf("parse_holo strict: %v", out)
	}
	out, ok = callTool(t, s, "parse_hs", map[string]any{"code": "object a {\n x: }\n", "include_source_map": true})
	if !ok || out["success"] != false || encode(t, out["source_map"]) != `{"file":"main.hs","lines":[0,11,17]}` {
		t.Errorf("parse_hs: %v", out)
	}
	first := out["errors"].([]any)[0].(map[string]any)
	if first["code"] != "SYN008" || first["line"] != 2.0 || out["ast"].(map[string]any)["v"] != "ast/1" {
		t.Errorf("parse_hs: %v", out)
	}

	out, ok = callTool(t, s, "validate_source", map[string]any{"content": scene})
	if !ok || out["valid"] != true || out["format"] != "holo" || encode(t, out["summary"]) != `{"errors":0,"nodes":2,"traits":2,"warnings":1}` {
		t.Errorf("validate_source: %v", out)
	}
	warning := out["warnings"].([]any)[0].(map[string]any)
	if warning["code"] != "TRT001" || warning["suggestion"] != "@grabbable" || len(warning["fixes"].([]any)) != 1 {
		t.Errorf("validate_source: %v", warning)
	}
	out, ok = callTool(t, s, "validate_source", map[string]any{"code": scene, "include_suggestions": false})
	if warning := out["warnings"].([]any)[0].(map[string]any); !ok || warning["suggestion"] != nil || warning["fixes"] != nil {
		t.Errorf("validate_source without suggestions: %v", warning)
	}
	out, ok = callTool(t, s, "validate_source", map[string]any{"code": scene, "include_warnings": false})
	if !ok || len(out["warnings"].([]any)) != 0 || out["summary"].(map[string]any)["warnings"] != 1.0 {
		t.Errorf("validate_source without warnings: %v", out)
	}
	text := "object a {\n  // @nosuchtrait in a comment\n  label: \"mail ada@example.org or say @nosuch\"\n}"
	if out, ok = callTool(t, s, "validate_source", map[string]any{"code": text}); !ok || strings.Contains(encode(t, out), "TRT001") {
		t.Errorf("a trait in a text: %v", out)
	}
	refused(t, s, "validate_source", map[string]any{"code": strings.Repeat("é", 262_145)}, "body_too_large")
	if out, ok = callTool(t, s, "validate_source", map[string]any{"code": strings.Repeat("é", 262_144)}); !ok {
		t.Errorf("the longest source: %.300s", encode(t, out))
	}

	out, ok = callTool(t, s, "list_traits", map[string]any{"inline": true})
	var listed struct {
		Total int
		List  []struct {
			Name   string
			Params []struct{ Name, Type string }
		}
	}
	if err := json.Unmarshal([]byte(encode(t, out)), &listed); err != nil || !ok || listed.Total != len(listed.List) || listed.Total < 400 {
		t.Errorf("list_traits: %v %d %d", err, listed.Total, len(listed.List))
	}
	out, ok = callTool(t, s, "list_traits", map[string]any{"category": "physics"})
	if !ok || out["category"] != "physics" || out["count"] != float64(len(out["traits"].([]any))) {
		t.Errorf("list_traits of physics: %v", out)
	}
	refusal := refused(t, s, "list_traits", map[string]any{"category": "physix"}, "unknown_category")
	if !strings.Contains(encode(t, refusal), `"nearest":["physics"`) {
		t.Errorf("%v", refusal)
	}
	out, ok = callTool(t, s, "suggest_traits", map[string]any{"description": "a cup that can be picked up and thrown"})
	if !ok || !strings.Contains(encode(t, out["traits"]), "grabbable") {
		t.Errorf("suggest_traits: %v", out)
	}
	out, ok = callTool(t, s, "explain_trait", map[string]any{"name": "@grabbable"})
	if !ok || out["name"] != "grabbable" || out["core"] != true || !strings.HasPrefix(out["example"].(string), "@grabbable") {
		t.Errorf("explain_trait: %v", out)
	}
	out, ok = callTool(t, s, "generate_scene", map[string]any{"prompt": "a red ball on a shiny table", "seed": 7})
	if g, _ := out["generator"].(map[string]any); !ok || g["kind"] != "rules" || g["name"] == "" || g["version"] == "" {
		t.Errorf("generate_scene: %v", out)
	}
	if words, _ := out["not_understood"].([]any); len(words) != 1 || words[0] != "shiny" {
		t.Errorf("generate_scene does not name the word: %v", out["not_understood"])
	}
	made, _ := out["code"].(string)
	out, ok = callTool(t, s, "generate_scene", map[string]any{"prompt": "make the ball bigger", "code": made})
	if after, _ := out["code"].(string); !ok || !strings.Contains(after, "scale: [1.5, 1.5, 1.5]") || !strings.Contains(after, "no AI model") {
		t.Errorf("generate_scene does not change the scene: %v", out)
	}
	out, ok = callTool(t, s, "generate_object", map[string]any{"prompt": "a wooden chair"})
	if source, _ := out["code"].(string); !ok || strings.Contains(source, "camera") || !strings.Contains(source, "Wooden Chair") {
		t.Errorf("generate_object: %v", out)
	}
	for prompt, code := range map[string]string{"hello there": "validation_failed", "delete the chair": "object_not_found", "201 cubes": "validation_failed"} {
		if refusal := refused(t, s, "generate_scene", map[string]any{"prompt": prompt}, code); !strings.Contains(encode(t, refusal), `"kind":"rules"`) {
			t.Errorf("%s: %v", prompt, refusal)
		}
	}
	refused(t, s, "generate_scene", map[string]any{"prompt": "a ball", "code": "composition {"}, "source_invalid")
	refused(t, s, "explain_trait", map[string]any{"name": "grabable"}, "not_found")
}
