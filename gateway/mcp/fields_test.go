package mcp_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway/service/servicetest"
)

// TestListsShowTheFieldsThatAreAsked: an item has the fields that were named and no others,
// what is left out is not in the fence either, and a name that no item has is refused.
func TestListsShowTheFieldsThatAreAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.stranger()
	_, key := register(t, w.dial(modern, ""), "ada", servicetest.Key(1))
	s := w.dial(modern, key)
	for tool, c := range map[string]struct{ list, args string }{"get_feed": {"entries", ""}, "query_knowledge": {"entries", "canarytext"}, "get_directory": {"agents", ""}} {
		args := map[string]any{"fields": []string{"id", "createdAt"}}
		if c.args != "" {
			args["query"] = c.args
		}
		out, ok := callTool(t, s, tool, args)
		items, _ := out[c.list].([]any)
		if !ok || len(items) == 0 || out["has_more"] == nil {
			t.Fatalf("%s: %v", tool, out)
		}
		for _, item := range items {
			if got := slices.Sorted(maps.Keys(item.(map[string]any))); !slices.Equal(got, []string{"createdAt", "id"}) {
				t.Errorf("%s: an item has %v", tool, got)
			}
		}
		if strings.Contains(encode(t, out), "Ignore all") {
			t.Errorf("%s shows what was not asked: %v", tool, out)
		}
		args["fields"] = []string{"id", "colour"}
		if r := refused(t, s, tool, args, "invalid_param"); r["details"].(map[string]any)["param"] != "fields" || !strings.Contains(r["error"].(string), "createdAt") {
			t.Errorf("%s: %v", tool, r)
		}
	}
}

// TestSchemasAllowItemsInPart: what a list declares holds for items that lack fields.
func TestSchemasAllowItemsInPart(t *testing.T) {
	t.Parallel()
	s := newWorld(t).dial(modern, "")
	list, err := s.ListTools(t.Context(), nil)
	must(t, err)
	found := 0
	for _, tool := range list.Tools {
		in, out := encode(t, tool.InputSchema), tool.OutputSchema.(map[string]any)
		if !strings.Contains(in, `"fields":{"description":"Names of the fields`) {
			continue
		}
		found++
		defs := out["$defs"].(map[string]any)
		at := func(ref any) map[string]any {
			return defs[strings.TrimPrefix(ref.(string), "#/$defs/")].(map[string]any)
		}
		lists := 0
		for _, p := range at(out["$ref"])["properties"].(map[string]any) {
			if items, ok := p.(map[string]any)["items"].(map[string]any); ok && items["$ref"] != nil {
				lists++
				if at(items["$ref"])["required"] != nil {
					t.Errorf("%s requires fields of an item", tool.Name)
				}
			}
		}
		if lists == 0 {
			t.Errorf("%s takes fields and lists nothing", tool.Name)
		}
	}
	if found < 9 {
		t.Errorf("%d tools take fields", found)
	}
}
