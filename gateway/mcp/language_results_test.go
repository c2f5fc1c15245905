package mcp_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/format"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
)

// asked is a call of a tool as a model makes it that waits to the end, however busy the
// machine: the result, checked against the schema of the tool, and all texts of it together.
func asked(t *testing.T, s *sdk.ClientSession, tool string, args map[string]any) (*sdk.CallToolResult, map[string]any, int) {
	t.Helper()
	params := &sdk.CallToolParams{Name: tool, Arguments: args}
	params.SetProgressToken(tool)
	r, err := s.CallTool(t.Context(), params)
	must(t, err)
	text, out := 0, map[string]any{}
	for i, c := range r.Content {
		if c, ok := c.(*sdk.TextContent); ok {
			text += len(c.Text)
			if i == 0 {
				must(t, json.Unmarshal([]byte(c.Text), &out))
			}
		}
	}
	if r.IsError {
		return r, out, text
	}
	for page := (&sdk.ListToolsParams{}); ; {
		list, err := s.ListTools(t.Context(), page)
		must(t, err)
		for _, one := range list.Tools {
			if one.Name == tool {
				compiler := jsonschema.NewCompiler()
				raw, err := jsonschema.UnmarshalJSON(strings.NewReader(encode(t, one.OutputSchema)))
				must(t, err)
				must(t, compiler.AddResource("out.json", raw))
				schema, err := compiler.Compile("out.json")
				must(t, err)
				if err := schema.Validate(any(out)); err != nil {
					t.Errorf("%s does not fit its schema: %v", tool, err)
				}
				return r, out, text
			}
		}
		if list.NextCursor == "" {
			t.Fatalf("%s is not listed", tool)
		}
		page.Cursor = list.NextCursor
	}
}

// links are the resource links of a result by their names.
func links(r *sdk.CallToolResult) map[string]*sdk.ResourceLink {
	out := map[string]*sdk.ResourceLink{}
	for _, c := range r.Content {
		if l, ok := c.(*sdk.ResourceLink); ok {
			out[l.Name] = l
		}
	}
	return out
}

// fetched are the bytes behind a link, whose hash, size and type must be as it says.
func fetched(t *testing.T, s *sdk.ClientSession, l *sdk.ResourceLink) []byte {
	t.Helper()
	if l == nil {
		t.Fatal("no such link")
	}
	r, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: l.URI})
	must(t, err)
	c := r.Contents[0]
	data := c.Blob
	if data == nil {
		data = []byte(c.Text)
	}
	sum := sha256.Sum256(data)
	if !strings.HasSuffix(l.URI, hex.EncodeToString(sum[:])) || l.Size == nil || int(*l.Size) != len(data) || c.MIMEType != l.MIMEType || c.URI != l.URI {
		t.Errorf("%+v is %d bytes of %s", l, len(data), c.MIMEType)
	}
	return data
}

const most = 25_000 // bytes of text in a result

// many is a source of some 250 kB that is right, with a name for each thing.
func many() string {
	var b strings.Builder
	for i := range 1999 {
		fmt.Fprintf(&b, "object \"thing number %04d of a large hall\" @clickable { geometry: \"box\" position: [%d, 0, %d] color: \"#336699\" }\n", i, i%50, i/50)
	}
	return b.String()
}

// TestArtefactsAreLinks: what was compiled comes as links with hash, size and first
// lines, readable without a key on both generations of the protocol, and whole when it
// is asked for inline.
func TestArtefactsAreLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const box = `object "a" @clickable { geometry: "box" }`
	for _, version := range []string{modern, older} {
		s := w.dial(version, "")
		r, out, text := asked(t, s, "compile_source", map[string]any{"code": box, "target": "html"})
		page := fetched(t, s, links(r)["index.html"])
		file := out["files"].([]any)[0].(map[string]any)
		if text > most || !bytes.HasPrefix(page, []byte("<!DOCTYPE html>")) || out["output"] != nil || file["content"] != nil {
			t.Errorf("%d bytes of text, %v", text, out)
		}
		begun, _ := file["first_lines"].(string)
		if begun == "" || len(begun) > 1100 || !bytes.HasPrefix(page, []byte(begun)) || file["bytes"] != float64(len(page)) || !strings.HasSuffix(file["uri"].(string), file["sha256"].(string)) {
			t.Errorf("%v", file)
		}
		_, out, _ = asked(t, s, "compile_source", map[string]any{"code": box, "target": "html", "inline": true})
		if out["output"] != string(page) || out["files"].([]any)[0].(map[string]any)["content"] != string(page) {
			t.Error("inline is not the page")
		}
		r, out, _ = asked(t, s, "compile_source", map[string]any{"code": box, "target": "glb"})
		if file := out["files"].([]any)[0].(map[string]any); !bytes.HasPrefix(fetched(t, s, links(r)["scene.glb"]), []byte("glTF")) || file["first_lines"] != nil || file["encoding"] != "base64" {
			t.Errorf("glb: %v", file)
		}
		r, out, _ = asked(t, s, "compile_source", map[string]any{"code": box, "target": "source"})
		if short := fetched(t, s, links(r)["main.holo"]); out["output"] != string(short) {
			t.Errorf("a short text is not whole: %v", out)
		}
	}
}

// TestResultsAreShort: no language tool fills a model's memory unless it is asked to,
// and all that was left out is behind a link.
func TestResultsAreShort(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(modern, "")
	large := many()
	slips := strings.ReplaceAll(large[:200_000], "@clickable", "@clickabel")
	for _, c := range []struct {
		tool string
		args map[string]any
		link string // to what has all
		has  string
	}{
		{"compile_source", map[string]any{"code": large, "target": "glb"}, "report.json", `1998"`},
		{"compile_source", map[string]any{"code": large, "target": "obj"}, "scene.obj", "\nf "},
		{"compile_source", map[string]any{"code": large[:strings.LastIndex(large[:90_000], "\n")], "target": "unity"}, "", ""},
		{"parse_holo", map[string]any{"code": `composition "Hall" {` + "\n" + large[:strings.LastIndex(large, "\n")] + "}"}, "reply.json", "thing number 1500"},
		{"parse_hs", map[string]any{"code": large, "include_source_map": true}, "reply.json", `"v":"ast/1"`},
		{"validate_source", map[string]any{"code": slips}, "reply.json", `"line":90,`},
		{"format_source", map[string]any{"code": large}, "main.holo", "thing number 1998"},
		{"convert_format", map[string]any{"code": large, "to": "hs"}, "main.hs", "thing number 1998"},
		{"generate_scene", map[string]any{"prompt": "100 red cubes and 100 blue spheres and 90 green cones"}, "scene.holo", "sphere"},
		{"generate_object", map[string]any{"prompt": "make the ball bigger", "code": large[:strings.LastIndex(large[:200_000], "\n")] + "\nobject \"Ball\" { geometry: \"sphere\" }"}, "scene.holo", "scale"},
		{"render_scene", map[string]any{"code": large, "format": "svg"}, "picture.svg", "<svg"},
		{"list_traits", map[string]any{}, "", ""},
		{"list_traits", map[string]any{"category": "ai-agent"}, "", ""},
		{"list_traits", map[string]any{"q": "a"}, "", ""},
		{"list_targets", map[string]any{}, "", ""},
		{"list_targets", map[string]any{"target": "html"}, "", ""},
		{"explain_trait", map[string]any{"name": "physics"}, "", ""},
		{"explain_trait", map[string]any{"name": "particle"}, "", ""},
		{"get_syntax_reference", map[string]any{}, "language.md", ""},
		{"get_syntax_reference", map[string]any{"topic": "findings"}, "language.md", ""},
		{"get_examples", map[string]any{}, "", ""},
		{"get_examples", map[string]any{"topic": "harbour_town.holo"}, "harbour_town.holo", ""},
	} {
		r, out, text := asked(t, s, c.tool, c.args)
		if r.IsError {
			t.Errorf("%s: %v", c.tool, out)
			continue
		}
		if text > most {
			t.Errorf("%s gives %d bytes", c.tool, text)
		}
		if c.has != "" {
			if data := fetched(t, s, links(r)[c.link]); !bytes.Contains(data, []byte(c.has)) {
				t.Errorf("%s: %s has no %q", c.tool, c.link, c.has)
			}
		} else if c.link != "" && links(r)[c.link] == nil {
			t.Errorf("%s has no link %s", c.tool, c.link)
		}
	}
	for _, c := range []struct {
		tool string
		args map[string]any
	}{
		{"compile_source", map[string]any{"code": strings.Repeat("object a { x: }\n", 3000), "target": "glb"}},
		{"convert_format", map[string]any{"code": strings.Repeat("object a { x: }\n", 3000), "to": "hs"}},
		{"render_scene", map[string]any{"code": strings.Repeat("object a { x: }\n", 3000)}},
	} {
		r, out, text := asked(t, s, c.tool, c.args)
		details, _ := out["details"].(map[string]any)
		if found, _ := details["diagnostics"].([]any); !r.IsError || text > most || len(found) == 0 {
			t.Errorf("a refusal of %s has %d bytes: %.200v", c.tool, text, out)
		}
	}
	_, out, text := asked(t, s, "parse_hs", map[string]any{"code": large[:60_000], "inline": true})
	if out["ast"] == nil || text < most {
		t.Error("inline has no tree")
	}
}

// TestPicturesAreSeen: a picture is in the result as an image, a plan is not.
func TestPicturesAreSeen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(modern, "")
	args := map[string]any{"code": `object "a" { geometry: "box" }`, "resolution": []int{64, 48}}
	r, out, text := asked(t, s, "render_scene", args)
	i := slices.IndexFunc(r.Content, func(c sdk.Content) bool { _, ok := c.(*sdk.ImageContent); return ok })
	if i < 0 || text > most || out["image"] != nil {
		t.Fatalf("%v", out)
	}
	seen := r.Content[i].(*sdk.ImageContent)
	if p, err := png.Decode(bytes.NewReader(seen.Data)); err != nil || p.Bounds().Dx() != 64 || seen.MIMEType != "image/png" {
		t.Errorf("%v %s", err, seen.MIMEType)
	}
	if !bytes.Equal(fetched(t, s, links(r)["picture.png"]), seen.Data) {
		t.Error("the link is not the picture")
	}
	args["inline"] = true
	if _, out, _ = asked(t, s, "render_scene", args); len(out["image"].(string)) < len(seen.Data) {
		t.Error("inline has no picture")
	}
	r, out, _ = asked(t, s, "render_scene", map[string]any{"code": `object "a" { geometry: "box" }`, "format": "svg"})
	if slices.ContainsFunc(r.Content, func(c sdk.Content) bool { _, ok := c.(*sdk.ImageContent); return ok }) || !strings.Contains(out["first_lines"].(string), "<svg") {
		t.Errorf("svg: %v", out)
	}
}

// TestArtefactsGo: what is not kept is not found, with what to do.
func TestArtefactsGo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for version, code := range map[string]int64{modern: -32602, older: -32002} {
		_, err := w.dial(version, "").ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "lang://artefact/" + strings.Repeat("0", 64)})
		var fault *jsonrpc.Error
		if !errors.As(err, &fault) || fault.Code != code || !strings.Contains(string(fault.Data), "compile_source") || !strings.Contains(fault.Message, "not found") {
			t.Errorf("%s: %v", version, err)
		}
	}
	s := w.dial(modern, "")
	for _, uri := range []string{"lang://example/none", "lang://reference/none"} {
		if _, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s is there", uri)
		}
	}
}

// TestExplainTraitFollowsTheMatrix: what is said of a target is its row.
func TestExplainTraitFollowsTheMatrix(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(modern, "")
	_, out, _ := asked(t, s, "explain_trait", map[string]any{"name": "clickable"})
	support := out["support"].([]any)
	if len(support) != len(target.All()) {
		t.Fatalf("%d targets", len(support))
	}
	proven := out["targets"].(map[string]any)
	for i, tgt := range target.All() {
		one := support[i].(map[string]any)
		want := map[artefact.Level]string{artefact.Full: "full", artefact.Part: "partial", artefact.None: "data", artefact.Beside: "beside"}[tgt.Features[artefact.Events]]
		if one["target"] != tgt.ID || one["level"] != want || one["verified"] != tgt.Verified.Level {
			t.Errorf("%s: %v, want %s", tgt.ID, one, want)
		}
		if listed := proven[tgt.ID] != nil; listed != ((want == "full" || want == "partial") && tgt.Verified.Level != "none") {
			t.Errorf("%s: proven %v", tgt.ID, proven[tgt.ID])
		}
	}
	_, made, _ := asked(t, s, "compile_source", map[string]any{"code": `object "a" @clickable { geometry: "box" }`, "target": "x3d"})
	at := slices.IndexFunc(target.All(), func(t *target.Target) bool { return t.ID == "x3d" })
	said := support[at].(map[string]any)["parts"].([]any)[0].(map[string]any)
	lost := made["losses"].([]any)[0].(map[string]any)
	if said["code"] != lost["code"] || said["reason"] != lost["reason"] || said["feature"] != lost["feature"] {
		t.Errorf("said %v, lost %v", said, lost)
	}
	if _, out, _ = asked(t, s, "explain_trait", map[string]any{"name": "quest"}); len(out["targets"].(map[string]any)) != 0 && encode(t, out["lowers"]) == "[]" {
		for id := range out["targets"].(map[string]any) {
			if tgt, _ := target.Find(id); !tgt.Features.Whole() {
				t.Errorf("%s carries data", id)
			}
		}
	}
}

// TestFormatAndConvert: the tools print what the library prints.
func TestFormatAndConvert(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(modern, "")
	const wild = "object   \"a\"   {geometry:\"box\",color:\"red\"} // kept\n"
	want, _ := format.Source("main.holo", []byte(wild), ast.Holo)
	r, out, _ := asked(t, s, "format_source", map[string]any{"code": wild})
	if out["code"] != want || out["lossless"] != true || out["changed"] != true || string(fetched(t, s, links(r)["main.holo"])) != want {
		t.Errorf("%v", out)
	}
	if _, out, _ = asked(t, s, "format_source", map[string]any{"code": want}); out["changed"] != false {
		t.Errorf("%v", out)
	}
	_, out, _ = asked(t, s, "format_source", map[string]any{"code": wild + "object {\n"})
	if len(out["warnings"].([]any)) == 0 || !strings.HasPrefix(out["code"].(string), want) {
		t.Errorf("around damage: %v", out)
	}
	_, out, _ = asked(t, s, "convert_format", map[string]any{"code": wild, "to": "hsplus"})
	if out["code"] != want || out["lossless"] != true || out["format"] != "hsplus" {
		t.Errorf("%v", out)
	}
	_, out, _ = asked(t, s, "convert_format", map[string]any{"code": `let x: number = "up"`, "to": "hsplus"})
	if out["lossless"] != false || !strings.Contains(encode(t, out["warnings"]), "TYP001") {
		t.Errorf("what .hsplus does not take: %v", out)
	}
	_, out, _ = asked(t, s, "convert_format", map[string]any{"code": `{"v": 1, "metadata": {"name": "Hall"}, "nodes": [{"id": "a", "name": "Box", "type": "mesh", "primitive": "box"}]}`, "to": "holo"})
	if code, _ := out["code"].(string); !strings.Contains(code, `composition "Hall"`) || out["lossless"] != true {
		t.Errorf("a description: %v", out)
	}
	refused(t, s, "convert_format", map[string]any{"code": "object {", "to": "hs"}, "source_invalid")
	refused(t, s, "convert_format", map[string]any{"code": `{"v": 2}`, "format": "description", "to": "holo"}, "scene_invalid")
	refused(t, s, "convert_format", map[string]any{"code": wild}, "missing_field")
}

// TestReferenceAndExamples: the tools and the resources return the same pages, and
// every source among the examples compiles.
func TestReferenceAndExamples(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(modern, "")
	text := func(uri string) string {
		t.Helper()
		r, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		must(t, err)
		return r.Contents[0].Text
	}
	page := text("lang://reference")
	_, out, _ := asked(t, s, "get_syntax_reference", map[string]any{})
	topics := out["topics"].([]any)
	if len(topics) < 20 || !strings.Contains(page, strings.TrimSpace(strings.Split(out["text"].(string), "\n\n###")[0])) {
		t.Errorf("%d topics", len(topics))
	}
	for _, one := range topics {
		topic := one.(map[string]any)
		_, part, _ := asked(t, s, "get_syntax_reference", map[string]any{"topic": topic["topic"]})
		if part["text"] != text(topic["uri"].(string)) || float64(len(part["text"].(string))) != topic["bytes"] || !strings.Contains(part["text"].(string), topic["title"].(string)) {
			t.Errorf("%v", topic)
		}
	}
	if none := refused(t, s, "get_syntax_reference", map[string]any{"topic": "machine"}, "not_found"); !strings.Contains(encode(t, none), `"nearest":["machines"]`) {
		t.Errorf("%v", none)
	}

	_, out, _ = asked(t, s, "get_examples", map[string]any{})
	list := out["examples"].([]any)
	if len(list) < 60 {
		t.Errorf("%d examples", len(list))
	}
	for _, one := range list {
		e := one.(map[string]any)
		if e["summary"] == "" || text(e["uri"].(string)) == "" {
			t.Errorf("%v", e)
		}
	}
	_, out, _ = asked(t, s, "get_examples", map[string]any{"topic": "hello"})
	if out["count"] != 1.0 || out["code"] != text("lang://example/hello.holo") || !strings.Contains(out["code"].(string), "composition \"Hello\"") {
		t.Errorf("%v", out)
	}
	_, out, _ = asked(t, s, "get_examples", map[string]any{"topic": "Robot"})
	if n := out["count"].(float64); n < 2 || n > 10 || out["code"] != nil {
		t.Errorf("%v", out)
	}
	refused(t, s, "get_examples", map[string]any{"topic": "lighthous.holo"}, "not_found")
	if code := text("lang://example/observatory/main.holo"); !strings.Contains(code, "optics") {
		t.Error(code)
	}
	if !strings.Contains(text("lang://traits"), `"grabbable"`) || !strings.Contains(text("lang://targets"), `"options_schema"`) {
		t.Error("the lists are not whole")
	}
	values, err := s.Complete(t.Context(), &sdk.CompleteParams{Ref: &sdk.CompleteReference{Type: "ref/resource", URI: "lang://example/{name}"},
		Argument: sdk.CompleteParamsArgument{Name: "name", Value: "lift"}})
	must(t, err)
	if !slices.Equal(values.Completion.Values, []string{"lift.hsplus"}) {
		t.Errorf("%v", values.Completion)
	}
}

// TestFilesOfOneCompile: files import each other and nothing else, over both faces.
func TestFilesOfOneCompile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(modern, "")
	files := map[string]any{
		"main.holo":       "import { Lamp } from \"./parts/lamp.holo\"\nimport names from \"./names.json\"\nobject \"L\" using \"Lamp\" { }",
		"parts/lamp.holo": "export template \"Lamp\" {\n  geometry: \"cone\"\n}",
		"names.json":      `{"a": 1}`,
	}
	_, out, _ := asked(t, s, "compile_source", map[string]any{"files": files, "entry": "main.holo", "target": "scene-json", "inline": true})
	if code, _ := out["output"].(string); !strings.Contains(code, "cone") {
		t.Fatalf("the template does not come: %v", out)
	}
	with := func(pairs ...string) map[string]any {
		all := map[string]any{}
		for k, v := range files {
			all[k] = v
		}
		for i := 0; i < len(pairs); i += 2 {
			all[pairs[i]] = pairs[i+1]
		}
		return map[string]any{"files": all, "entry": "main.holo", "target": "glb"}
	}
	without := func(args map[string]any, name string) map[string]any { delete(args, name); return args }
	for name, c := range map[string]struct {
		args map[string]any
		code string
		says string
	}{
		"no entry":        {without(with(), "entry"), "missing_field", "entry"},
		"another entry":   {map[string]any{"files": files, "entry": "lamp.holo", "target": "glb"}, "validation_failed", "parts/lamp.holo"},
		"data as entry":   {map[string]any{"files": files, "entry": "names.json", "target": "glb"}, "validation_failed", ".holo"},
		"beside code":     {map[string]any{"files": files, "code": "object a {}", "target": "glb"}, "validation_failed", "code"},
		"a number":        {map[string]any{"files": map[string]any{"a.holo": 1}, "target": "glb"}, "validation_failed", "files"},
		"out of it":       {with("../main.holo", "x"), "validation_failed", "../main.holo"},
		"from the root":   {with("/etc/passwd", "x"), "validation_failed", "/etc/passwd"},
		"another slash":   {with("a\\b.holo", "x"), "validation_failed", "no path"},
		"too long":        {with("long.txt", strings.Repeat("é", 262_144)), "body_too_large", "files"},
		"a module's slip": {with("parts/lamp.holo", "export template \"Lamp\" {\n  geometry:\n}"), "source_invalid", "parts/lamp.holo"},
		"not given":       {with("main.holo", "import { X } from \"./other.holo\"\nobject a { }"), "source_invalid", "main.holo"},
		"a file outside":  {with("main.holo", "import { X } from \"../go.mod\"\nobject a { }"), "source_invalid", "main.holo"},
		"an address":      {with("main.holo", "import { X } from \"https://a.example/x.holo\"\nobject a { }"), "source_invalid", "main.holo"},
	} {
		out := refused(t, s, "compile_source", c.args, c.code)
		if !strings.Contains(encode(t, out), c.says) {
			t.Errorf("%s: %v", name, out)
		}
		if code := w.overHTTP("compile_source", c.args, nil); code != c.code {
			t.Errorf("%s over HTTP: %s", name, code)
		}
	}
	if code := w.overHTTP("compile_source", with(), nil); code != "" {
		t.Errorf("over HTTP: %s", code)
	}
	// Drawing and parsing take the same files, and refuse the same.
	for _, tool := range []string{"render_scene", "parse_holo", "validate_source"} {
		args := with()
		delete(args, "target")
		if tool == "parse_holo" {
			args["inline"] = true
		}
		_, out, _ := asked(t, s, tool, args)
		if tool == "parse_holo" && (out["success"] != true || out["composition"] != nil) {
			t.Errorf("%s: %v", tool, out)
		}
		if out["code"] != nil {
			t.Errorf("%s: %v", tool, out)
		}
		for entry, code := range map[string]string{"lamp.holo": "validation_failed", "names.json": "validation_failed", "": "missing_field"} {
			args["entry"] = entry
			if entry == "" {
				delete(args, "entry")
			}
			refused(t, s, tool, args, code)
			delete(args, "inline")
			if got := w.overHTTP(tool, args, nil); got != code {
				t.Errorf("%s with entry %q over HTTP: %s", tool, entry, got)
			}
		}
	}
	red := map[string]any{"files": map[string]any{"a.holo": "import { P } from \"./b.holo\"\nobject \"L\" using \"P\" { }", "b.holo": "export template \"P\" { geometry: \"box\" }"}, "entry": "a.holo", "format": "svg"}
	_, one, _ := asked(t, s, "render_scene", red)
	red["files"].(map[string]any)["b.holo"] = "export template \"P\" { geometry: \"sphere\" }"
	if _, two, _ := asked(t, s, "render_scene", red); one["sha256"] == two["sha256"] {
		t.Error("what is drawn does not depend on the file that is imported")
	}
	hs := map[string]any{"files": map[string]any{"a.hs": "object b { }", "b.hs": "object b { x: }"}, "entry": "a.hs"}
	if _, out, _ := asked(t, s, "parse_hs", hs); out["success"] != false || !strings.Contains(encode(t, out["errors"]), `"b.hs"`) || out["format"] != "hs" {
		t.Errorf("the slip of another file: %v", out)
	}
	hs["files"].(map[string]any)["b.hs"] = "object b { }"
	if _, out, _ := asked(t, s, "parse_hs", hs); out["success"] != true || out["ast"] == nil {
		t.Errorf("two files: %v", out)
	}
	refused(t, s, "parse_hs", map[string]any{"files": map[string]any{"a.holo": "object a { }"}}, "validation_failed")
	refused(t, s, "parse_holo", map[string]any{"files": map[string]any{"a.hs": "object a { }"}}, "validation_failed")

	many := map[string]any{}
	for i := range 65 {
		many[fmt.Sprintf("f%d.holo", i)] = "object a { }"
	}
	refused(t, s, "compile_source", map[string]any{"files": many, "entry": "f0.holo", "target": "glb"}, "validation_failed")

	ask := with("parts/lamp.holo", "export template \"Lamp\" @grabable {\n  geometry: \"cone\"\n}", "alone.hs", "object b { x: }")
	delete(ask, "target")
	_, out, _ = asked(t, s, "validate_source", ask)
	found := map[string]string{}
	for _, list := range []string{"errors", "warnings"} {
		for _, d := range out[list].([]any) {
			found[d.(map[string]any)["file"].(string)] = d.(map[string]any)["code"].(string)
		}
	}
	if out["valid"] != false || out["format"] != "holo" || found["parts/lamp.holo"] != "TRT001" || found["alone.hs"] != "SYN008" {
		t.Errorf("%v in %v", found, out)
	}
	good := with()
	delete(good, "target")
	if _, out, _ = asked(t, s, "validate_source", good); out["valid"] != true || len(out["errors"].([]any)) != 0 {
		t.Errorf("%v", out)
	}
}

// TestCompilationStatus: a compile is known by its job to who began it, and to nobody
// else.
func TestCompilationStatus(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	guest := w.dial(modern, "")
	_, key := register(t, guest, "ada", servicetest.Key(1))
	_, other := register(t, guest, "bob", servicetest.Key(2))
	ada, bob := w.dial(modern, key), w.dial(modern, other)
	const box = `object "a" { geometry: "box" }`
	r, out, _ := asked(t, ada, "compile_source", map[string]any{"code": box, "target": "glb"})
	job, _ := out["job_id"].(string)
	if len(job) < 20 || out["status"] != "done" {
		t.Fatalf("%v", out)
	}
	again, status, _ := asked(t, ada, "get_compilation_status", map[string]any{"job_id": job})
	if status["status"] != "done" || encode(t, status["result"]) != encode(t, out) || links(again)["scene.glb"].URI != links(r)["scene.glb"].URI {
		t.Errorf("%v", status)
	}
	for _, s := range []*sdk.ClientSession{bob, guest} {
		if out := refused(t, s, "get_compilation_status", map[string]any{"job_id": job}, "job_not_found"); !strings.Contains(out["hint"].(string), "compile_source") {
			t.Errorf("%v", out)
		}
	}
	const name = "a-name-nobody-guesses"
	refused(t, guest, "compile_source", map[string]any{"code": "object {", "target": "glb", "job_id": name}, "source_invalid")
	_, status, _ = asked(t, guest, "get_compilation_status", map[string]any{"job_id": name})
	if fault, _ := status["error"].(map[string]any); status["status"] != "failed" || fault["code"] != "source_invalid" || fault["details"] == nil {
		t.Errorf("%v", status)
	}
	refused(t, guest, "compile_source", map[string]any{"code": box, "target": "glb", "job_id": "short"}, "validation_failed")
	refused(t, guest, "get_compilation_status", map[string]any{}, "missing_field")
}
