package service_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
)

func compile(t testing.TB, source, id string) *target.Result {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.hs", []byte(source), ast.HS), target.Request{Target: id})
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return r
}

type found struct {
	ID, Method, Path string
	Body             []struct{ Name, Type string }
}

// table reads the routes out of a server.
func table(t testing.TB, r *target.Result) []found {
	t.Helper()
	return read[[]found](t, r, "routes")
}

// read takes a literal out of a server as the language would.
func read[T any](t testing.TB, r *target.Result, name string) T {
	t.Helper()
	_, rest, ok := strings.Cut(string(r.Files[0].Data), "export const "+name+" = JSON.parse(String.raw`")
	doc, _, end := strings.Cut(rest, "`);")
	if !ok || !end {
		t.Fatalf("no %s in %s", name, r.Files[0].Data)
	}
	var out T
	if err := json.Unmarshal([]byte(doc), &out); err != nil {
		t.Fatalf("%v in %s", err, doc)
	}
	return out
}

const books = `
object "list" @route("/books") { query: { author: "string?" } }
object "one" @http(path: "/books/:isbn", method: "GET") {}
object "again" @http(path: "/books/{number}") {}
object "lend" @http(path: "/books/{isbn}/loans", method: "POST") { body: { reader: "string", days: "integer?" } }
object "bad" @http(path: "/a{b}") {}
object "odd" @http(path: "/a", method: "BREW") {}
`

// TestServerAndDocumentAgree: the server has the routes of the document, with
// the same ids, and no others.
func TestServerAndDocumentAgree(t *testing.T) {
	var doc struct {
		Paths map[string]map[string]struct {
			ID   string `json:"operationId"`
			Body struct {
				Required bool
				Content  map[string]struct {
					Schema struct {
						Required   []string
						Properties map[string]struct{ Type string }
					}
				}
			} `json:"requestBody"`
		}
	}
	if err := json.Unmarshal(compile(t, books, "openapi").Files[0].Data, &doc); err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for path, item := range doc.Paths {
		for method, op := range item {
			want = append(want, fmt.Sprint(op.ID, " ", method, " ", path))
		}
	}
	for _, r := range table(t, compile(t, books, "node-service")) {
		got = append(got, fmt.Sprint(r.ID, " ", r.Method, " ", r.Path))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Errorf("the document has %v, the server %v", want, got)
	}
	expected := []string{"get-a get /a", "get-books get /books", "get-books-isbn get /books/{isbn}", "post-books-isbn-loans post /books/{isbn}/loans"}
	if !slices.Equal(got, expected) {
		t.Errorf("%v", got)
	}
	lend := doc.Paths["/books/{isbn}/loans"]["post"].Body
	schema := lend.Content["application/json"].Schema
	if !lend.Required || !slices.Equal(schema.Required, []string{"reader"}) || schema.Properties["days"].Type != "integer" {
		t.Errorf("%+v", lend)
	}
}

func TestStateIsHandedOver(t *testing.T) {
	r := compile(t, `object "shelf" { state { books: [1, "two"] open: true } } object "list" @route("/books") {}`, "node-service")
	got := read[map[string]map[string]any](t, r, "initialState")
	if fmt.Sprint(got) != "map[shelf:map[books:[1 two] open:true]]" {
		t.Errorf("%v", got)
	}
	if !strings.Contains(string(r.Files[2].Data), `"main": "server.mjs"`) {
		t.Errorf("%s", r.Files[2].Data)
	}
}

func TestNothingToServe(t *testing.T) {
	for _, id := range []string{"openapi", "node-service"} {
		_, err := target.Compile(target.Load(nil, "main.hs", []byte(`object "a" {}`), ast.HS), target.Request{Target: id})
		if err == nil || !strings.Contains(err.Error(), "TGT004") {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// TestLossesSayWhatIsNotServed: a source with a pipeline, an agent and state
// loses them with their lines.
func TestLossesSayWhatIsNotServed(t *testing.T) {
	source := books + `
pipeline "p" { source S { type: "list" items: [1] } sink T { type: "stdout" } }
object "m" { state { a: 1 } }`
	for id, want := range map[string]int{"openapi": 10, "node-service": 2} { // the state, and the first route without an action
		r := compile(t, source, id)
		lines := map[string]int{}
		for _, l := range r.Losses {
			lines[l.Feature] = l.Nodes[0].Line
		}
		if lines[string(artefact.Pipelines)] != 9 || lines[string(artefact.Behaviour)] != want {
			t.Errorf("%s: %+v", id, r.Losses)
		}
	}
}

// FuzzLiterals: no name, path or value ends the text that the table stands in.
func FuzzLiterals(f *testing.F) {
	for _, s := range []string{"`", "${process.exit()}", `\`, "</script>", "\u202e\u2028", "__proto__", "\x00", "😀", `"`, "\n`);process.exit()//"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		q := func(s string) string {
			b, _ := json.Marshal(s)
			return string(b)
		}
		source := fmt.Sprintf("object %s @http(path: %s, description: %s) { state { a: %s } }\nobject \"z\" @route(\"/z\") {}", q(name), q("/"+value), q(value), q(value))
		r, err := target.Compile(target.Load(nil, "main.hs", []byte(source), ast.HS), target.Request{Target: "node-service"})
		if err != nil {
			return // no text of the language
		}
		routes := table(t, r)
		read[map[string]any](t, r, "initialState")
		if len(routes) == 0 || routes[len(routes)-1].Path != "/z" {
			t.Fatalf("%q: %v", name, routes)
		}
		for _, line := range strings.Split(string(r.Files[0].Data), "\n") {
			for _, c := range line {
				if c > 0x7e || c < ' ' && c != '\t' {
					t.Fatalf("%q leaves %q in the server", value, c)
				}
			}
		}
	})
}
