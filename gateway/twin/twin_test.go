package twin_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/twin"
)

// toolsAlone have no endpoint that does the same.
var toolsAlone = []string{"convert_format", "format_source", "generate_scene", "generate_object", "get_compilation_status", "get_examples", "get_syntax_reference"}

// TestTwinsAreAlike: what a tool requires of its caller is what its endpoint requires, a repeated
// call is kept as a repeated request is, and every tool has a twin or is known to have none.
func TestTwinsAreAlike(t *testing.T) {
	t.Parallel()
	s := new(service.Service)
	routes, tools := map[string]endpoint.Route{}, map[string]endpoint.Tool{}
	for _, r := range s.Routes() {
		routes[r.Method+" "+r.Path] = r
	}
	for _, tool := range s.Tools() {
		tools[tool.Name] = tool
	}
	lone := slices.Sorted(maps.Keys(tools))
	for _, row := range twin.Twins() {
		place := row.Method + " " + row.Path
		route, known := routes[place]
		tool, ok := tools[row.Tool]
		if !known || !ok {
			t.Errorf("%s and %s: there is an endpoint: %v, a tool: %v", place, row.Tool, known, ok)
			continue
		}
		lone = slices.DeleteFunc(lone, func(name string) bool { return name == tool.Name })
		if route.Path == "/api/mesh/quickstart" || strings.HasSuffix(route.Path, "/register/challenge") {
			continue // parts of what register_agent does
		}
		if route.Needs != tool.Needs {
			t.Errorf("%s needs %+v, %s %+v", place, route.Needs, tool.Name, tool.Needs)
		}
		if route.Once != tool.Once || route.Bucket != tool.Bucket {
			t.Errorf("%s: once %v, bucket %s; %s: %v, %s", place, route.Once, route.Bucket, tool.Name, tool.Once, tool.Bucket)
		}
		if said := twin.NameTools("ask " + strings.ReplaceAll(place, "{id}", "abc_1") + "."); !strings.Contains(said, tool.Name) || strings.Contains(said, "/api") {
			t.Errorf("%s is named %q", place, said)
		}
	}
	if want := slices.Sorted(slices.Values(toolsAlone)); !slices.Equal(lone, want) {
		t.Errorf("without a twin: %v, want %v", lone, want)
	}
}

// TestTextsNameTools collects the endpoints that texts in the sources name, hints above
// all: each becomes the name of a tool, or words for what no tool does.
func TestTextsNameTools(t *testing.T) {
	t.Parallel()
	found := map[string]string{}
	for _, root := range []string{"..", "../../crdt", "../../identity", "../../node"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			if strings.HasPrefix(path, "../apidoc") || strings.HasPrefix(path, "../console") {
				return nil // examples for HTTP, and pages for people, which name the endpoints they are judged as
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			for text := range texts(file) {
				for _, named := range twin.EndpointInText.FindAllString(text, -1) {
					named, _, _ = strings.Cut(named, "?")
					found[named] = path
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found["POST /api/mesh/team/{}/presence"] == "" || len(found) < 20 {
		t.Fatalf("found %v", found)
	}
	routes := new(service.Service).Routes()
	for named, path := range found {
		if !strings.HasSuffix(named, "/") {
			continue
		}
		delete(found, named) // the beginning of several
		for _, r := range routes {
			if place := r.Method + " " + r.Path; strings.HasPrefix(place, strings.ReplaceAll(named, "{}", "{id}")) {
				found[place] = path
			}
		}
	}
	for named, path := range found {
		if said := twin.NameTools(named); strings.Contains(said, "/api/") {
			t.Errorf("%s: %s has neither a tool nor words", path, named)
		}
	}
	for _, lone := range twin.Alone() {
		place, used := lone.Method+" "+lone.Path, false
		for named := range found {
			used = used || twin.NameTools(named) == lone.Tool
		}
		if !used {
			t.Errorf("%s is in no text, or has a tool", place)
		}
	}
}

// TestLinksNameTools: every address that notices lead to has a tool, which takes what
// names it by the argument that is said.
func TestLinksNameTools(t *testing.T) {
	t.Parallel()
	for address, want := range map[string][3]string{
		"/api/mesh/entry/ent_a":                 {"get_entry", "id", "ent_a"},
		"/api/mesh/entry/ent_a/comments":        {"get_entry", "id", "ent_a"},
		"/api/mesh/agent/agt_a/guestbook":       {"get_guestbook", "agent_id", "agt_a"},
		"/api/mesh/bounties/bty_a/lifecycle":    {"bounty_get", "id", "bty_a"},
		"/api/mesh/team/gld_a/board/tsk_b":      {"board_list", "team_id", "gld_a"},
		"/api/mesh/me/reputation":               {"get_reputation", "", ""},
		"/api/mesh/team/gld_a/board/tsk_b/more": {},
	} {
		tool, argument, id, ok := twin.CallOf(address)
		if got := [3]string{tool, argument, id}; got != want || ok == (want[0] == "") {
			t.Errorf("%s: %v, want %v", address, got, want)
		}
	}
	tools := map[string]endpoint.Tool{}
	for _, tool := range new(service.Service).Tools() {
		tools[tool.Name] = tool
	}
	// What the sources keep as the link of a notice.
	for _, name := range []string{"../notice/attend.go", "../guestbook/guests.go", "../market/buy.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for text := range texts(file) {
			if !strings.HasPrefix(text, "/api/mesh/") || strings.HasSuffix(text, "/") {
				continue
			}
			found++
			tool, argument, _, ok := twin.CallOf(text)
			if !ok || argument != "" && !slices.ContainsFunc(tools[tool].Form, func(f call.Field) bool { return f.Name == argument }) {
				t.Errorf("%s: %s is shown by the tool %q with %q", name, text, tool, argument)
			}
		}
		if found == 0 {
			t.Errorf("%s has no link", name)
		}
	}
}

// texts are the texts of a file: literals, and sums of them in which {} stands for
// what is computed.
func texts(file *ast.File) map[string]bool {
	out := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if text, ok := sumOf(n); ok {
				out[text] = true
				return false
			}
		case *ast.BasicLit:
			if text, ok := sumOf(n); ok {
				out[text] = true
			}
		}
		return true
	})
	return out
}

// sumOf is a text or a sum of texts; ok is false of one without a literal.
func sumOf(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, a := sumOf(e.X)
		right, b := sumOf(e.Y)
		if e.Op != token.ADD || !a && !b {
			return "", false
		}
		if !a {
			left = "{}"
		}
		if !b {
			right = "{}"
		}
		return left + right, true
	}
	return "", false
}
