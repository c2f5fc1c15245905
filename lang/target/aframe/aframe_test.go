package aframe_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

func compile(t testing.TB, source string, options map[string]any) (string, *target.Result) {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "aframe", Options: options, Version: "0.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	return string(r.Files[0].Data), r
}

// TestEntities: places in degrees, solids, surfaces, lights and the camera are
// components, each entity below what it is part of.
func TestEntities(t *testing.T) {
	doc, r := compile(t, `composition "Yard" {
  environment { skybox: { top: "#102030" bottom: "#405060" } fog: { color: "#ffffff" density: 0.1 } exposure: 2 tone_mapping: "aces" }
  post_processing { bloom: { intensity: 0.5 } }
  object "table" @clickable { geometry: "box" size: [1, 2, 3] position: [1, 2, 3] rotation: [0, 90, 0] color: "#ff0000" label: "A table"
    object "cup" { geometry: "cylinder" radius: 0.1 height: 0.2 material: { color: "#00ff0080" metalness: 1 emissive: "#0000ff" emissive_intensity: 2 ior: 1.2 } } }
  object "knot" { geometry: "torus" scale: [1, -1, 1] visible: false material: { color: "#ffffff" unlit: true double_sided: true } }
  text "sign" { text: "Open; now: \"here\"" size: 0.5 }
  directional_light "sun" { intensity: 2 shadow: true }
  spot_light "lamp" { range: 5 angle: 30 }
  camera "eye" { fov: 90 }
}`, nil)
	last := 0
	for _, want := range []string{
		`src="https://cdn.jsdelivr.net/npm/aframe@1.8.0/dist/aframe-v1.8.0.min.js" integrity="sha384-`,
		`fog="type: exponential; color: #ffffff; density: 0.1" renderer="toneMapping: ACESFilmic; exposure: 2; `,
		`<a-entity light="type: hemisphere; color: #dbeaff; groundColor: #d2d7da; intensity: 1.1309733">`, `<a-entity rig="node: n`, `camera="fov: 90; near: 0.05; far: 1000" look-controls=""`,
		`data-name="table" data-label="A table" position="1 2 3" rotation="0 90 0" geometry="primitive: box; width: 1; height: 2; depth: 3" material="shader: surface; color: #ff0000;`,
		`data-path="table/cup"`, `geometry="primitive: cylinder; radius: 0.1; height: 0.2; segmentsRadial: 32; segmentsHeight: 1"`,
		`color: #00ff00; metalness: 1; roughness: 0.5; emissive: #0000ff; emissiveIntensity: 2; ior: 1.2; opacity: 0.5019608; transparent: true; depthWrite: false"`,
		`</a-entity>`, `</a-entity>`, `scale="1 -1 1" visible="false" geometry="primitive: solid; kind: torus;`, `unlit: true; side: double"`,
		`lettering="size: 0.5; ink: #`, `data-text="Open; now: &#34;here&#34;"`, `light="type: directional; color: #ffffff; intensity: 6.2831855; castShadow: true;`, `ahead=""`,
		`light="type: spot; color: #ffffff; intensity: 3.1415927; angle: 30; penumbra: `,
	} {
		at := strings.Index(doc[last:], want)
		if at < 0 {
			t.Errorf("no %s in its place", want)
			continue
		}
		last += at
	}
	if strings.Contains(doc, `position="3 6 4"`) {
		t.Error("a scene with lights has a sun of its own")
	}
	if t.Failed() {
		t.Log(doc[strings.Index(doc, "<a-scene"):])
	}
	lost := map[string]string{}
	for _, l := range r.Losses {
		lost[l.Feature] = l.Code
	}
	if lost["effects"] != "TGT002" || lost["environment"] != "TGT003" || strings.Contains(doc, `"post":[`) {
		t.Errorf("%v", lost)
	}
}

// TestTurnsAreDegrees: what the library makes of the three angles is the turn
// that was meant, also straight up and down.
func TestTurnsAreDegrees(t *testing.T) {
	for _, angles := range [][3]float64{{0, 0, 0}, {30, 0, 0}, {10, 20, 30}, {90, 0, 0}, {-90, 40, 0}, {0, 180, 0}, {170, -80, 100}, {89.99, 0, 5}, {0, 90, 90}} {
		doc, _ := compile(t, fmt.Sprintf(`object "a" { geometry: "box" rotation: [%g, %g, %g] }`, angles[0], angles[1], angles[2]), nil)
		var got [3]float64
		own := strings.Index(doc, `data-name="a"`)
		if at := strings.Index(doc[own:], ` rotation="`); at >= 0 {
			at += own + 1
			if _, err := fmt.Sscanf(doc[at:], `rotation="%g %g %g"`, &got[0], &got[1], &got[2]); err != nil {
				t.Fatal(err)
			}
		}
		model, err := target.Compile(target.Load(nil, "main.holo", []byte(fmt.Sprintf(`object "a" { geometry: "box" rotation: [%g, %g, %g] }`, angles[0], angles[1], angles[2])), ast.Holo), target.Request{Target: "scene-json"})
		if err != nil {
			t.Fatal(err)
		}
		s, err := scene.Read(model.Files[0].Data)
		if err != nil {
			t.Fatal(err)
		}
		// Ry·Rx·Rz as quaternions.
		turn := func(axis int, deg float64) [4]float64 {
			q := [4]float64{3: math.Cos(deg * math.Pi / 360)}
			q[axis] = math.Sin(deg * math.Pi / 360)
			return q
		}
		times := func(a, b [4]float64) [4]float64 {
			return [4]float64{
				a[3]*b[0] + a[0]*b[3] + a[1]*b[2] - a[2]*b[1], a[3]*b[1] - a[0]*b[2] + a[1]*b[3] + a[2]*b[0],
				a[3]*b[2] + a[0]*b[1] - a[1]*b[0] + a[2]*b[3], a[3]*b[3] - a[0]*b[0] - a[1]*b[1] - a[2]*b[2],
			}
		}
		q, want := times(times(turn(1, got[1]), turn(0, got[0])), turn(2, got[2])), s.Nodes[0].R
		long := math.Sqrt(want[0]*want[0] + want[1]*want[1] + want[2]*want[2] + want[3]*want[3])
		if dot := math.Abs(q[0]*want[0]+q[1]*want[1]+q[2]*want[2]+q[3]*want[3]) / long; dot < 1-1e-12 {
			t.Errorf("%v is written as %v, which is %v and not %v", angles, got, q, want)
		}
	}
}

// TestPagesNameTheirLibrary: another address is asked without a digest, and no
// address breaks out of the page or its policy.
func TestPagesNameTheirLibrary(t *testing.T) {
	for address, want := range map[string]string{
		"aframe.js": `'self'`, "https://lib.example:8443/a.js?x=1": `https://lib.example:8443`, `"><script>alert(1)</script>`: `'self'`,
		"https://a.example;script-src */x": `'self'`, "javascript:alert(1)": `'self'`,
	} {
		doc, _ := compile(t, ``, map[string]any{"library": address})
		plain := html.UnescapeString(doc)
		policy, _, _ := strings.Cut(plain[strings.Index(plain, "script-src 'sha256-"):], "; style-src")
		if policy = policy[strings.Index(policy, " '")+2:]; policy[strings.Index(policy, "' ")+2:] != want {
			t.Errorf("%s: the policy lets in %s", address, policy)
		}
		if strings.Contains(doc, "integrity=") || strings.Count(doc, "<script") != 3 {
			t.Errorf("%s: %d scripts", address, strings.Count(doc, "<script"))
		}
	}
	doc, _ := compile(t, ``, nil)
	if !strings.Contains(doc, "This scene is empty.") || !strings.Contains(doc, `rig=""`) || !strings.Contains(doc, `<title>Scene</title>`) {
		t.Error("an empty scene says nothing")
	}
	keys, _ := compile(t, `object "a" { geometry: "box" state { n: 0 } on "key_down" -> (e) { state.n += 1 } }`, nil)
	if !strings.Contains(keys, `wasd-controls="enabled: false"`) || !strings.Contains(doc, `wasd-controls="enabled: true"`) {
		t.Error("keys that a scene hears move the camera")
	}
}

// FuzzText: whatever things are called, the tree of entities is the same.
func FuzzText(f *testing.F) {
	for _, s := range []string{`</script>`, `"`, `'`, `\`, "-->", "--!>", "</a-scene><img src=x>", "; primitive: box", "\u202e\u2028", "a\x01", "&quot;"} {
		f.Add(s)
	}
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`)
	f.Fuzz(func(t *testing.T, name string) {
		q := `"` + quote.Replace(name) + `"`
		source := fmt.Sprintf(`composition %s { object %s @clickable { geometry: "cube" label: %s alt: %s state { a: %s } on_click() { a = 1 } } text "t" { text: %s } ui "u" { button %s { } } }`, q, q, q, q, q, q, q)
		r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "aframe", Version: "0.0.0"})
		if err != nil {
			return // no text of the language
		}
		page := r.Files[0].Data
		if n := bytes.Count(page, []byte("<script")); n != 3 {
			t.Fatalf("%q: %d scripts", name, n)
		}
		tree := page[bytes.LastIndex(page, []byte("<a-scene")):bytes.LastIndex(page, []byte("</body>"))]
		d := xml.NewDecoder(bytes.NewReader(tree))
		entities := 0
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%q: %v", name, err)
			}
			e, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			if e.Name.Local != "a-scene" && e.Name.Local != "a-entity" {
				t.Fatalf("%q makes a %s", name, e.Name.Local)
			}
			entities++
			for _, a := range e.Attr {
				if a.Name.Local == "geometry" && a.Value != "primitive: box; width: 1; height: 1; depth: 1" {
					t.Fatalf("%q makes the solid %s", name, a.Value)
				}
				if strings.ContainsAny(a.Value, "\u202e\u2028") && a.Name.Local != "data-text" {
					t.Fatalf("%q turns %s", name, a.Name.Local)
				}
			}
		}
		if entities > 7 {
			t.Fatalf("%q: %d entities", name, entities)
		}
	})
}
