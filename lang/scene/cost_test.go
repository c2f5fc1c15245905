package scene

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/raster/shape"
)

// TestCountedWithoutMaking: what is counted of a solid before it is made is what it
// then has, for every kind and count of segments.
func TestCountedWithoutMaking(t *testing.T) {
	for _, kind := range []string{"box", "plane", "sphere", "cylinder", "cone", "capsule", "torus", "ring", "disc", "pyramid", "crystal", "gem", "wedge", "arrow", "gear", "heart", "star", "unheard"} {
		for _, around := range []int{-1, 0, 1, 2, 3, 4, 5, 7, 16, 33, 64, 255, 256, 400} {
			for _, height := range []float64{0.2, 1, 3} {
				g := Geometry{Kind: kind, Radius: 0.5, Tube: 0.2, Height: height, Segments: []int{around, around / 2}}
				m := g.Mesh()
				triangles, vertices := g.Triangles(), g.Vertices()
				if kind == "capsule" && height <= 1 { // a sphere: one ring less than counted
					if triangles < m.Triangles() || vertices < len(m.Positions) {
						t.Errorf("%s %d %v: %d triangles were counted, %d made", kind, around, height, triangles, m.Triangles())
					}
					continue
				}
				if triangles != m.Triangles() || vertices != len(m.Positions) {
					t.Errorf("%s %d %v: %d triangles and %d corners were counted, %d and %d made", kind, around, height, triangles, vertices, m.Triangles(), len(m.Positions))
				}
			}
		}
	}
	for _, text := range []string{"", "A", "Hello, world", "two\nlines", "ü ß é ☃ \u0301\u200b", strings.Repeat("W", shape.MaxText+50)} {
		m, _ := shape.Text(text, 1, 0, shape.Center)
		if n := shape.TextTriangles(text); n != m.Triangles() || 2*n != len(m.Positions) {
			t.Errorf("%.20q: %d triangles were counted, %d made", text, n, m.Triangles())
		}
	}
}

// TestSizesOfTheCount: reserve counts what the types take.
func TestSizesOfTheCount(t *testing.T) {
	for name, c := range map[string][2]int{
		"Value": {int(reflect.TypeFor[Value]().Size()), valueBytes}, "field": {int(reflect.TypeFor[field]().Size()), fieldBytes},
		"prop": {int(reflect.TypeFor[prop]().Size()) + 64, propBytes}, "use": {int(reflect.TypeFor[use]().Size()), traitBytes},
		"Slot": {int(reflect.TypeFor[Slot]().Size()), codeBytes + valueBytes}, "Domain": {int(reflect.TypeFor[Domain]().Size()), blockBytes},
		"Widget": {int(reflect.TypeFor[Widget]().Size()), blockBytes + fieldBytes}, "Step": {int(reflect.TypeFor[Step]().Size()), blockBytes},
		"decl and Node": {int(reflect.TypeFor[decl]().Size() + reflect.TypeFor[Node]().Size()), nodeBytes},
	} {
		if c[0] > c[1] {
			t.Errorf("%s takes %d bytes and counts as %d", name, c[0], c[1])
		}
	}
}

// TestBuildingIsEnded: whatever a source asks for, Step is called again before
// more than a little was done, and its error ends the work.
func TestBuildingIsEnded(t *testing.T) {
	for name, text := range map[string]string{
		"ranges":  `@for i in 0..90000 { object "a" { note: 0..90000 } }`,
		"members": `config { a: 1 } @for i in 0..90000 { object "a" { @for k in 0..90000 { x: k } } }`,
		"joints":  `@for i in 0..20000 { object "a" { @joint(to: "a") } }`,
		"texts":   `@for i in 0..90000 { object "a" { note: "` + strings.Repeat("x", 100_000) + "${i}" + `" } }`,
		"consts":  `const big = 0..90000 @for i in 0..90000 { const b = big }`,
		"aliases": `const big = 0..90000 @for i in 0..90000 { object "a" { note: big material: { hue: big } } }`,
		"packed":  `template "T" { geometry: "box" material: "` + strings.Repeat("a: 1; ", 30_000) + `" } @for i in 0..90000 { object "a" using "T" { x: i } }`,
		"trees":   `const big = 0..90000 @for i in 0..90000 { object "a" { particles: { count: big } grabbable: { hand: big } } }`,
		"merges":  `object "a" { @for i in 0..90000 { m: { k: i } } }`,
	} {
		f, _ := parse.File("main.holo", []byte(text), ast.Holo)
		asked := 0
		b := Options{Step: func() error {
			if asked++; asked > 3 {
				return errors.New("enough")
			}
			return nil
		}}
		s, _ := Build(f, nil, b)
		if asked < 4 || asked > 6 || len(s.Nodes) > 3*stepWork {
			t.Errorf("%s: asked %d times, %d nodes were made", name, asked, len(s.Nodes))
		}
	}
}
