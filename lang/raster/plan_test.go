package raster

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
	"pgregory.net/rapid"
)

func planOf(t testing.TB, s *Scene) string {
	t.Helper()
	b, err := Plan(s, PlanOptions{Width: 400, Height: 300, Title: `A & "B" <c>`})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// elements counts the elements of a document by name and says whether it is XML.
func elements(data string) (map[string]int, error) {
	count := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(data))
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return count, nil
		}
		if err != nil {
			return nil, err
		}
		if e, ok := tok.(xml.StartElement); ok {
			count[e.Name.Local]++
		}
	}
}

func TestPlanShowsWhatStandsWhere(t *testing.T) {
	t.Parallel()
	s := &Scene{Camera: Camera{Position: vec.At(0, 1, 2), Target: vec.At(0, 0, -1)}, Lights: []Light{{Kind: Point, Position: vec.At(1, 3, 0)}, {Kind: Ambient}}}
	s.Objects = []Object{
		{Name: "Table", Mesh: shape.Box(2, 1, 1), Material: Paint(RGB(200, 10, 20)), Transform: at(-1, 0, 0)},
		{Name: "Floor", Mesh: shape.Plane(10, 10), Material: Paint(RGB(230, 230, 230)), Transform: at(0, -0.5, 0)},
	}
	s.Labels = []Label{{Text: "Exit", Position: vec.At(4, 2, -4)}}
	text := planOf(t, s)
	for _, want := range []string{`<title>A &amp; &quot;B&quot; &lt;c&gt;</title>`, "<title>Table</title>", ">Table</text>", ">Floor</text>", ">Exit</text>", "<title>camera</title>", "<title>light</title>", `fill="#c80a14"`, " m</text>"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if strings.Index(text, "<title>Floor") > strings.Index(text, "<title>Table") {
		t.Error("the lower object lies over the higher one")
	}
	// 10 m fill 252 pixels; the table's corner at -2, -0.5 lies 50.4 left and 12.6 above the middle.
	if !strings.Contains(text, `M149.6 137.4L200 137.4L200 162.6L149.6 162.6Z`) {
		t.Errorf("the table's outline: %s", text)
	}
	count, err := elements(text)
	if err != nil || count["circle"] != 1 || count["text"] != 4 {
		t.Errorf("%v %v", count, err)
	}
}

func TestPlanEscapesNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"</title><script>", "a\x00b", "\u202etxt", "]]>", "&amp;", "\xff\xfe", "\ufffe"})).Draw(t, "name")
		s := &Scene{Camera: front(3), Objects: []Object{{Name: name, Mesh: shape.Box(1, 1, 1)}}, Labels: []Label{{Text: name, Position: vec.At(2, 0, 0)}}}
		b, err := Plan(s, PlanOptions{Width: 300, Height: 200, Title: name})
		if err != nil {
			t.Fatal(err)
		}
		count, err := elements(string(b))
		if err != nil || count["script"] != 0 || count["path"] > 6 {
			t.Fatalf("%q: %v %v", name, count, err)
		}
		if bytes.ContainsRune(b, '\u202e') || bytes.ContainsRune(b, 0) {
			t.Fatalf("%q is not cleaned", name)
		}
	})
}

func TestPlanIsBounded(t *testing.T) {
	t.Parallel()
	s := &Scene{Camera: front(3)}
	disc := shape.Disc(3, 200)
	for i := range 2000 {
		s.Objects = append(s.Objects, Object{Name: strings.Repeat("n", 300), Mesh: disc, Transform: at(float64(i%50)*8, 0, float64(i/50)*8)})
	}
	b, err := Plan(s, PlanOptions{Width: 4000, Height: 2000})
	if err != nil {
		t.Fatal(err)
	}
	count, err := elements(string(b))
	if err != nil || count["text"] > MaxPlanLabels+1 || len(b) > 2000*(16*MaxOutline+400) {
		t.Errorf("%d bytes, %v, %v", len(b), count, err)
	}
	one := &Scene{Camera: front(3), Objects: []Object{{Name: strings.Repeat("é", 300), Mesh: shape.Disc(3, 256)}}}
	text := planOf(t, one)
	if strings.Count(text, "L") > MaxOutline+2 /* the camera */ || !strings.Contains(text, strings.Repeat("é", MaxPlanName)+"…</text>") {
		t.Errorf("%d points, %.300s", strings.Count(text, "L"), text)
	}
}

func TestHull(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64Range(-10, 10)
		var points [][2]float64
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			points = append(points, [2]float64{f.Draw(t, "x"), f.Draw(t, "y")})
		}
		h := hull(append([][2]float64{}, points...))
		if len(h) > len(points) || len(points) > 0 && len(h) == 0 {
			t.Fatalf("%d of %d points", len(h), len(points))
		}
		for i := range h {
			a, b := h[i], h[(i+1)%len(h)]
			for _, p := range points {
				if len(h) > 2 && (b[0]-a[0])*(p[1]-a[1])-(b[1]-a[1])*(p[0]-a[0]) < -1e-9 {
					t.Fatalf("%v is outside of %v", p, h)
				}
			}
		}
	})
}

func TestFixed(t *testing.T) {
	t.Parallel()
	for x, want := range map[float64]string{0: "0", -0.001: "0", 1.5: "1.5", 1.254: "1.25", 1.256: "1.26", -3.07: "-3.07", 12: "12", 0.1: "0.1"} {
		if got := fixed(x); got != want {
			t.Errorf("fixed(%v) = %s, want %s", x, got, want)
		}
	}
}
