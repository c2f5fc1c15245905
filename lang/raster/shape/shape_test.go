package shape

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func vol(m *Mesh) float64 {
	sum := 0.0
	for i := 0; i < len(m.Indices); i += 3 {
		var p [3][3]float64
		for k := range 3 {
			for c := range 3 {
				p[k][c] = float64(m.Positions[m.Indices[i+k]][c])
			}
		}
		a, b, c := p[0], p[1], p[2]
		sum += a[0]*(b[1]*c[2]-b[2]*c[1]) + a[1]*(b[2]*c[0]-b[0]*c[2]) + a[2]*(b[0]*c[1]-b[1]*c[0])
	}
	return sum / 6
}

// check says what is wrong with a mesh; closed ones have every edge twice, once
// in each direction.
func check(t testing.TB, name string, m *Mesh, closed bool) {
	t.Helper()
	if len(m.Indices)%3 != 0 || len(m.Normals) != len(m.Positions) || len(m.UVs) != len(m.Positions) || len(m.Indices) == 0 {
		t.Fatalf("%s: %d indices, %d positions, %d normals, %d uvs", name, len(m.Indices), len(m.Positions), len(m.Normals), len(m.UVs))
	}
	for i, n := range m.Normals {
		l := math.Sqrt(float64(n[0]*n[0] + n[1]*n[1] + n[2]*n[2]))
		if math.Abs(l-1) > 1e-5 {
			t.Fatalf("%s: normal %d has length %v", name, i, l)
		}
	}
	edges := map[[2][3]float32]int{}
	for i := 0; i < len(m.Indices); i += 3 {
		var p, n [3][3]float32
		for k := range 3 {
			if int(m.Indices[i+k]) >= len(m.Positions) {
				t.Fatalf("%s: index %d of %d", name, m.Indices[i+k], len(m.Positions))
			}
			p[k], n[k] = m.Positions[m.Indices[i+k]], m.Normals[m.Indices[i+k]]
		}
		for k := range 3 {
			edges[[2][3]float32{p[k], p[(k+1)%3]}]++
		}
		g := cross(sub(p[1], p[0]), sub(p[2], p[0]))
		if g == [3]float64{} {
			t.Fatalf("%s: triangle %d has no area: %v", name, i/3, p)
		}
		for k := range 3 {
			if g[0]*float64(n[k][0])+g[1]*float64(n[k][1])+g[2]*float64(n[k][2]) <= 0 {
				t.Fatalf("%s: triangle %d %v faces away from its normal %v", name, i/3, p, n[k])
			}
		}
	}
	if !closed {
		return
	}
	for e, n := range edges {
		if back := edges[[2][3]float32{e[1], e[0]}]; n != back {
			t.Fatalf("%s: edge %v occurs %d times, its reverse %d times", name, e, n, back)
		}
	}
}

func sub(a, b [3]float32) [3]float64 {
	return [3]float64{float64(a[0]) - float64(b[0]), float64(a[1]) - float64(b[1]), float64(a[2]) - float64(b[2])}
}

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func TestSolids(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		mesh   *Mesh
		closed bool
		volume float64 // of the ideal solid
	}{
		{"box", Box(1, 2, 3), true, 6},
		{"sphere", Sphere(2, 128), true, 4 * math.Pi * 8 / 3},
		{"coarse sphere", Sphere(2, 3), true, 0},
		{"cylinder", Cylinder(1, 1, 3, 128), true, 3 * math.Pi},
		{"bucket", Cylinder(1, 2, 3, 128), true, math.Pi * (1 + 2 + 4)},
		{"cone", Cone(1, 3, 128), true, math.Pi},
		{"capsule", Capsule(1, 4, 128), true, 4*math.Pi/3 + 2*math.Pi},
		{"short capsule", Capsule(1, 0.5, 128), true, 4 * math.Pi / 3},
		{"torus", Torus(3, 1, 128, 64), true, 2 * math.Pi * math.Pi * 3},
		{"fat torus", Torus(1, 2, 16, 16), false, 0},
		{"plane", Plane(2, 3), false, 0},
		{"disc", Disc(2, 32), false, 0},
		{"ring", Ring(1, 2, 32), false, 0},
	}
	for _, c := range cases {
		check(t, c.name, c.mesh, c.closed)
		if v := vol(c.mesh); c.volume > 0 && (v > c.volume*1.0001 || v < c.volume*0.995) {
			t.Errorf("%s: volume %v, want nearly %v", c.name, v, c.volume)
		}
	}
	if n := Box(1, 1, 1).Triangles(); n != 12 {
		t.Errorf("a box of %d triangles", n)
	}
}

// Whatever the sizes, a builder gives a mesh that can be drawn.
func TestAnySizeGivesAMesh(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, -1, math.Inf(1), math.Inf(-1), math.NaN(), 1e-300, 1e300}))
		a, b, c := f.Draw(t, "a"), f.Draw(t, "b"), f.Draw(t, "c")
		n := rapid.IntRange(-5, 400).Draw(t, "n")
		for _, m := range []*Mesh{Box(a, b, c), Sphere(a, n), Cylinder(a, b, c, n), Capsule(a, b, n), Torus(a, b, n%20, n%20), Plane(a, b), Ring(a, b, n)} {
			for i, p := range m.Positions {
				for k, x := range p {
					if math.IsNaN(float64(x)) || math.Abs(float64(x)) > 2*MaxSize || math.IsNaN(float64(m.Normals[i][k])) {
						t.Fatalf("vertex %d is %v with normal %v", i, p, m.Normals[i])
					}
				}
			}
			if m.Triangles() == 0 || m.Triangles() > 2*MaxSegments*(MaxSegments+1) {
				t.Fatalf("%d triangles", m.Triangles())
			}
		}
	})
}

func TestText(t *testing.T) {
	t.Parallel()
	all := ""
	for r := '!'; r <= '~'; r++ {
		all += string(r)
	}
	m, unknown := Text(all, 0.5, 0.1, Center)
	if unknown != 0 {
		t.Errorf("%d characters of ASCII are unknown", unknown)
	}
	check(t, "solid text", m, false)
	flat, _ := Text(all, 0.5, 0, Left)
	check(t, "flat text", flat, false)
	if m.Triangles() != 6*flat.Triangles() {
		t.Errorf("%d triangles solid, %d flat", m.Triangles(), flat.Triangles())
	}
	for _, c := range []struct {
		text    string
		unknown int
	}{{"Åbo", 0}, {"日本", 2}, {"", 0}, {"e\u0301", 0}, {strings.Repeat("x", MaxText+3), 3}, {"a\x00b", 0}, {"\xff", 1}} {
		if _, n := Text(c.text, 1, 0, Center); n != c.unknown {
			t.Errorf("%.10q: %d unknown, want %d", c.text, n, c.unknown)
		}
	}
}

func TestTextAlignsAndFits(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"I", "Hall 7", "two\nlines", "gjpqy_"} {
		// The ends of slanted strokes reach out a little further.
		w, h := Extent(s, 0.6)
		for align, want := range map[Align][2]float64{Left: {-0.04, w - 0.04}, Center: {-w / 2, w / 2}, Right: {-w + 0.04, 0.04}} {
			m, _ := Text(s, 0.6, 0, align)
			lo, hi := bounds(m)
			if float64(lo[0]) < want[0]-0.018 || float64(hi[0]) > want[1]+0.018 {
				t.Errorf("%q aligned %d reaches from %v to %v, wanted within %v", s, align, lo[0], hi[0], want)
			}
			if float64(hi[1]) > h/2+0.018 {
				t.Errorf("%q is %v high, wanted %v", s, hi[1], h/2)
			}
		}
	}
}

func bounds(m *Mesh) (lo, hi [3]float32) {
	lo, hi = m.Positions[0], m.Positions[0]
	for _, p := range m.Positions {
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	}
	return lo, hi
}

// No two printable characters look the same, but for the quote and its kin.
func TestGlyphsDiffer(t *testing.T) {
	t.Parallel()
	if len(glyphs) != '~'-'!'+1 {
		t.Fatalf("%d glyphs", len(glyphs))
	}
	for i, g := range glyphs {
		if j := slices.Index(glyphs[:], g); j != i {
			t.Errorf("%c and %c look the same", '!'+rune(i), '!'+rune(j))
		}
		for poly := range strings.FieldsSeq(g) {
			if len(poly)%2 != 0 || len(poly) < 4 || strings.Trim(poly, "0123456789ab") != "" {
				t.Errorf("%c: polyline %q", '!'+rune(i), poly)
			}
		}
	}
}
