package native2d_test

import (
	"bytes"
	"compress/gzip"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

func compile(t testing.TB, source string) (string, *target.Result) {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "ui"})
	if err != nil {
		t.Fatal(err)
	}
	return string(r.Files[0].Data), r
}

// node is the start of the element of a node and of its face.
func node(t *testing.T, page string, r *target.Result, path string) string {
	t.Helper()
	for _, n := range r.Scene.Nodes {
		if n.Path == path {
			at := strings.Index(page, `<div class="node" id="`+n.ID+`"`)
			if at < 0 {
				t.Fatalf("%s has no element", path)
			}
			return strings.Join(strings.SplitN(page[at:], "\n", 3)[:2], "\n")
		}
	}
	t.Fatalf("no node %s", path)
	return ""
}

// TestThingsAreElements: a metre is a hundred pixels and y points down, turns are
// negated, what can be used is a button with its name, and what is seen from its
// end is round.
func TestThingsAreElements(t *testing.T) {
	page, r := compile(t, `composition "Yard" {
  environment { skybox: "#204060" }
  group "Shelf" { position: [1, 2, -3] scale: [2, 0.5, 1]
    object "Book" @clickable { geometry: "box" size: [1, 1, 1] position: [1, 2, 0.5] rotation: [0, 0, 90] color: "#ff0000" alt: "A red book" } }
  object "Coin" { geometry: "cylinder" radius: 0.5 height: 0.1 rotation: [90, 0, 0] color: "#ffffff" }
  object "Floor" { geometry: "plane" size: [500, 1, 500] visible: false }
  object "Sign" { geometry: "box" text: "Open" label: "The sign" }
  object "Glow" { geometry: "sphere" color: "#200000" emissive: "#008000" emissive_intensity: 1 opacity: 0.5 }
  object { geometry: "box" }
  text "Words" { value: "Hello" size: 0.14 color: "#000080" }
  point_light "Lamp" { }
  ui "Desk" { button "Go" -> () { } slider "How far" { value: 3 } }
}`)
	for path, want := range map[string][]string{
		"Shelf":      {"matrix(2,0,0,0.5,100,-200);z-index:-300"},
		"Shelf/Book": {"matrix(0,-1,1,0,100,-200);z-index:50", "<button ", `width:200px;height:50px;scale:0.5 2`, ">Book</span>", ">: A red book</span>", "#ff0000ff"},
		"Coin":       {`class="face round" role="img" aria-label="Coin"`, "width:100px;height:100px"},
		"Floor":      {" hidden>", "width:50000px;height:0.1px"},
		"Sign":       {`role="group" aria-label="The sign"`, `<p class="say"`, ">Open</p>"},
		"Glow":       {"background:#20800080"},
		"Words":      {`<p class="face"`, "font-size:20px", "background:#ffffff;color:#000080", ">Hello</span>"},
	} {
		got := node(t, page, r, path)
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s has no %s: %s", path, w, got)
			}
		}
	}
	if strings.Contains(node(t, page, r, "Lamp"), "face") || !strings.Contains(page, `aria-hidden="true"`) {
		t.Error("a light is seen, or a thing without a name is read out")
	}
	for _, want := range []string{`<html lang="en">`, "<h1>Yard</h1>", "background:#204060", `tabindex="0" aria-label="Scene"`, "<li>How far</li>", "default-src 'none'; script-src 'sha256-"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Index(page, ">Book<") > strings.Index(page, `aria-label="Coin"`) {
		t.Error("the order of focus is not that of the source")
	}
	if w := regexp.MustCompile(`class="stage" style="width:(\d+)px`).FindStringSubmatch(page); w == nil || len(w[1]) > 4 {
		t.Errorf("a floor of 500 m makes the sheet %v wide", w)
	}
	if len(r.Places) != len(r.Scene.Nodes) {
		t.Errorf("%d places of %d nodes", len(r.Places), len(r.Scene.Nodes))
	}
	if !slices.ContainsFunc(r.Losses, func(l scene.Loss) bool { return l.Feature == "nodes" && l.Code == "TGT003" }) {
		t.Errorf("depth is left out in silence: %+v", r.Losses)
	}
}

// TestHostileWords: what an author writes is text, wherever it stands.
func TestHostileWords(t *testing.T) {
	for _, name := range []string{`</script><script>alert(1)</script>`, `" onclick="alert(1)`, `<img src=x onerror=alert(1)>`, "\u202etxt", `--><b>`, `</style>`} {
		q := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
		page, _ := compile(t, "composition "+q+" { object "+q+" @clickable { geometry: \"box\" text: "+q+" label: "+q+" alt: "+q+" } object \"b\" { geometry: \"box\" alt: "+q+" } ui "+q+" { button "+q+" { } } }")
		markup := page[:strings.Index(page, `<script type="application/json"`)]
		for _, bad := range []string{"<script", `"" onclick`, `" onclick="`, "<img", "\u202e", "<b>"} {
			if strings.Contains(markup, bad) {
				t.Errorf("%q: %s stands in the page", name, bad)
			}
		}
		if n := strings.Count(page, "</script>"); n != 2 {
			t.Errorf("%q: %d scripts end", name, n)
		}
	}
}

// TestEmptyAndDeep: an empty scene says so, a deep one has a place for each node,
// and a page is small before its scene.
func TestEmptyAndDeep(t *testing.T) {
	page, _ := compile(t, "")
	if !strings.Contains(page, "This scene is empty.") || !strings.Contains(page, `style="background:#dfe5ec" hidden>`) {
		t.Error("an empty scene says nothing")
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write([]byte(page))
	_ = z.Close()
	if len(page) > 121_000 || zipped.Len() > 45_000 {
		t.Errorf("an empty page has %d bytes, %d compressed", len(page), zipped.Len())
	}
	const depth = 100
	page, r := compile(t, strings.Repeat(`group "g" { position: [0.1, 0, 0] scale: 0.99 `, depth)+`object "o" { geometry: "box" }`+strings.Repeat(" }", depth))
	if n := strings.Count(page, `<div class="node"`); n != depth+1 || len(r.Places) != n {
		t.Errorf("%d elements, %d places", n, len(r.Places))
	}
	if strings.Count(page, "<div") != strings.Count(page, "</div>") {
		t.Error("an element is not closed")
	}
}

// FuzzScene: no source makes a page with broken numbers or open elements.
func FuzzScene(f *testing.F) {
	f.Add(`object "a" { geometry: "torus" radius: -1 scale: [0, 1e300, 2] rotation: [1e9, 0, 90] position: [1e30, 0, 1e9] }`)
	f.Add(`text "t" { value: "x" size: 1e12 scale: 0 animation { property: "position" to: [1e9, 0, 0] duration: 1 } }`)
	f.Fuzz(func(t *testing.T, source string) {
		r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "native-2d", Limits: scene.Limits{Nodes: 100, Work: 50_000}})
		if err != nil {
			return
		}
		page := string(r.Files[0].Data)
		markup := page[strings.Index(page, "<body>"):strings.Index(page, `<script type="application/json"`)]
		for _, style := range regexp.MustCompile(`style="[^"]*"`).FindAllString(markup, -1) {
			if strings.Contains(style, "NaN") || strings.Contains(style, "Inf") {
				t.Fatalf("%s", style)
			}
		}
		if strings.Count(markup, "<div") != strings.Count(markup, "</div>") {
			t.Fatal("an element is not closed")
		}
	})
}
