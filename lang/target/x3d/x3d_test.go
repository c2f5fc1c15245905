package x3d_test

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
)

func compile(t testing.TB, source string) (string, *target.Result) {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "x3d"})
	if err != nil {
		t.Fatal(err)
	}
	return string(r.Files[0].Data), r
}

// TestNodesAndMotion: places, turns and surfaces stand in their fields, an
// endless animation runs by itself and one that ends is started.
func TestNodesAndMotion(t *testing.T) {
	doc, r := compile(t, `composition "Yard" {
  object "box" @clickable { geometry: "box" size: [1, 2, 3] position: [1, 2, 3] rotation: [0, 90, 0] color: "#ff0000" label: "A box"
    animation { property: "rotation.y" from: 0 to: 180 duration: 2 loop: infinite } }
  object "ball" { geometry: "sphere" radius: 0.5 animation { property: "opacity" from: 1 to: 0 duration: 1 } }
  object "knot" { geometry: "torus" scale: [1, -1, 1] visible: false }
  point_light "lamp" { intensity: 2 range: 5 }
  ambient_light "glow" { }
  camera "eye" { fov: 90 }
  timeline "t" { 0: log("a") }
}`)
	for _, want := range []string{
		`translation="1 2 3" rotation="0 1 0 1.570796"`, `<Box size="1 2 3" solid="true"/>`, `baseColor="1 0 0"`, `<Sphere radius="0.5"`,
		`<TouchSensor description="A box"/>`, `<IndexedTriangleSet solid="false" index="`, `<Switch whichChoice="-1">`, `attenuation="0 0 1" radius="5"`,
		`fieldOfView="1.5707964"`, `headlight="false"`, `cycleInterval="2" loop="true"`, `cycleInterval="1" loop="false"`,
		`fromNode="entered" fromField="enterTime" toNode="clock_1" toField="startTime"`, `toField="set_transparency"`, `toField="set_rotation"`,
	} {
		if !strings.Contains(doc, want) {
			t.Errorf("no %s", want)
		}
	}
	if t.Failed() {
		t.Log(doc)
	}
	var reasons []string
	for _, l := range r.Losses {
		reasons = append(reasons, l.Reason)
	}
	if !slices.Contains(reasons, "light from everywhere is left out") || !slices.Contains(reasons, "timelines are left out") {
		t.Errorf("%q", reasons)
	}
}

// FuzzText: whatever things are called, the document is XML whose texts say what
// was said, and quotes in a field of several strings are closed.
func FuzzText(f *testing.F) {
	for _, s := range []string{`"`, `\`, `\"`, "-->", "]]>", "<a b='", "\u202e", "&#0;", "a\tb", "--"} {
		f.Add(s)
	}
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`)
	f.Fuzz(func(t *testing.T, name string) {
		q := `"` + quote.Replace(name) + `"`
		source := "composition " + q + " { object " + q + " @clickable { geometry: \"cube\" text: " + q + " label: " + q + " } }"
		r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "x3d"})
		if err != nil {
			return // no text of the language
		}
		d := xml.NewDecoder(strings.NewReader(string(r.Files[0].Data)))
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%q: %v", name, err)
			}
			e, ok := token.(xml.StartElement)
			if !ok || e.Name.Local != "MetadataString" {
				continue
			}
			for _, a := range e.Attr {
				if a.Name.Local == "value" && !closed(a.Value) {
					t.Fatalf("%q leaves %s", name, a.Value)
				}
			}
		}
	})
}

// closed says whether a text is one string in quotes.
func closed(s string) bool {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return false
	}
	for i := 1; i < len(s)-1; i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return false
		}
	}
	return !strings.HasSuffix(s, `\"`) || strings.HasSuffix(strings.ReplaceAll(s, `\\`, ""), `"`) && !strings.HasSuffix(strings.ReplaceAll(s, `\\`, ""), `\"`)
}
