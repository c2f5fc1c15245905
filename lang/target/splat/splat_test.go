package splat_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
)

func made(t *testing.T, source string, options map[string]any) *target.Result {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "3dgs", Options: options})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// splatsOf are the splats of a PLY file: x y z, normal, colour, opacity, scale and
// rotation, as they stand.
func splatsOf(t *testing.T, raw []byte) [][17]float64 {
	t.Helper()
	_, body, ok := bytes.Cut(raw, []byte("end_header\n"))
	if !ok || len(body)%68 != 0 {
		t.Fatalf("%d bytes of splats", len(body))
	}
	out := make([][17]float64, len(body)/68)
	for i := range out {
		for k := range out[i] {
			out[i][k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(body[i*68+k*4:])))
		}
	}
	return out
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-3*max(1, math.Abs(b)) }

// TestASquareIsAGrid: the splats of a plane are the middles of the cells of a
// grid, each once, though its two triangles share an edge.
func TestASquareIsAGrid(t *testing.T) {
	list := splatsOf(t, made(t, `object "a" { geometry: "box" size: [4, 1, 4] color: #ff8000 opacity: 0.5 }`, map[string]any{"quality": "draft"}).Files[0].Data)
	// 48 m² and 15,000 splats: cells of √(48/15000) m.
	cell := math.Sqrt(48.0 / 15000)
	seen := map[string]bool{}
	top := 0
	for _, s := range list {
		key := fmt.Sprintf("%.5f %.5f %.5f", s[0], s[1], s[2])
		if seen[key] {
			t.Fatalf("two splats at %s", key)
		}
		seen[key] = true
		if s[4] < 0.99 {
			continue
		}
		top++
		column := s[0]/cell - 0.5
		if !near(s[1], 0.5) || math.Abs(column-math.Round(column)) > 1e-3 {
			t.Fatalf("a splat at %s", key)
		}
		for k, want := range []float64{(1 - 0.5) / 0.28209479, (128.0/255 - 0.5) / 0.28209479, -0.5 / 0.28209479, math.Log(128.0 / 127), math.Log(cell * 0.6), math.Log(cell * 0.6), math.Log(cell * 0.02)} {
			if !near(s[6+k], want) {
				t.Fatalf("property %d is %g, not %g", 6+k, s[6+k], want)
			}
		}
	}
	side := math.Round(4 / cell)
	if float64(top) < (side-1)*(side-1) || float64(top) > (side+1)*(side+1) {
		t.Errorf("%d splats on a square of %v cells", top, side)
	}
}

// TestASlopeIsCovered: seen from above, cells are as dense on a slope; along it
// the ellipses are as much longer.
func TestASlopeIsCovered(t *testing.T) {
	for _, s := range splatsOf(t, made(t, `object "a" { geometry: "plane" rotation: [30, 0, 0] }`, nil).Files[0].Data) {
		if n := math.Max(math.Abs(s[4]), math.Abs(s[5])); !near(math.Exp(s[11]-s[10]), 1/n) {
			t.Fatalf("%g times as long on a slope of %v", math.Exp(s[11]-s[10]), s[3:6])
		}
		// The second axis goes up the slope, on the surface: it has no part across.
		w, x, y, z := s[13], s[14], s[15], s[16]
		up := [3]float64{2 * (x*y - w*z), 1 - 2*(x*x+z*z), 2 * (y*z + w*x)}
		if !near(up[0], 0) || !near(up[0]*s[3]+up[1]*s[4]+up[2]*s[5], 0) {
			t.Fatalf("the second axis is %v", up)
		}
	}
}

func TestEverySolidHasSplats(t *testing.T) {
	r := made(t, `object "huge" { geometry: "plane" scale: 1000 }
object "tiny" { geometry: "sphere" scale: 0.001 position: [0, 1, 0] }
object "mirrored" { geometry: "cone" scale: [-1, 1, 1] position: [0, 3, 0] }
object "pole" { geometry: "box" scale: [10, 0.02, 0.02] position: [0, 5, 0] }
object "needle" { geometry: "box" scale: [1000, 0.0001, 0.0001] position: [0, 9, 0] }
object "flat" { geometry: "box" scale: [1, 0, 1] position: [0, 7, 0] }
object "point" { geometry: "box" scale: 0 }
object "lost" { geometry: "box" position: [2000000000, 0, 0] }`, nil)
	counts := map[int]int{}
	for _, s := range splatsOf(t, r.Files[0].Data) {
		if i := int(math.Round(s[1])); i == 3 || math.Abs(s[1]-math.Round(s[1])) < 0.01 {
			counts[i]++
		}
		if s[1] > 2.6 && s[1] < 3.4 && s[0]*s[3]+s[2]*s[5] < -0.01 {
			t.Fatalf("the normal of a mirrored cone points inwards: %v", s)
		}
	}
	if counts[9] != 12 { // one a triangle: the grid is too coarse for it
		t.Errorf("%d splats on a needle", counts[9])
	}
	for _, y := range []int{0, 1, 3, 5, 7} {
		if counts[y] < 32 {
			t.Errorf("%d splats at %d m", counts[y], y)
		}
	}
	lost := 0
	for _, l := range r.Losses {
		if strings.Contains(l.Reason, "without an area") {
			lost += l.Count
		}
	}
	if lost != 2 {
		t.Errorf("%d solids are reported as lost: %+v", lost, r.Losses)
	}
	var bad *target.SourceError
	if _, err := target.Compile(target.Load(nil, "main.holo", nil, ast.Holo), target.Request{Target: "3dgs"}); !errors.As(err, &bad) || !strings.Contains(err.Error(), "TGT004") {
		t.Errorf("an empty scene: %v", err)
	}
}

// TestSplatsAreBounded: many solids have few splats each, too many are refused.
func TestSplatsAreBounded(t *testing.T) {
	many := target.Load(nil, "main.holo", []byte(`@for i in 0..40000 { object "a" { geometry: "box" position: [i, 0, 0] } }`), ast.Holo)
	var bad *target.SourceError
	if _, err := target.Compile(many, target.Request{Target: "3dgs"}); !errors.As(err, &bad) || !strings.Contains(err.Error(), "LIM006") {
		t.Errorf("%v", err)
	}
}

func TestGLTF(t *testing.T) {
	const source = `object "a" { geometry: "sphere" color: #804020 }`
	list := splatsOf(t, made(t, source, nil).Files[0].Data)
	r := made(t, source, map[string]any{"format": "gltf"})
	var doc struct {
		ExtensionsUsed []string
		Meshes         []struct {
			Primitives []struct {
				Mode       int
				Attributes map[string]int
				Extensions map[string]map[string]string
			}
		}
		Accessors   []struct{ Count, BufferView int }
		BufferViews []struct{ ByteOffset, ByteLength int }
	}
	if err := json.Unmarshal(r.Files[0].Data, &doc); err != nil {
		t.Fatal(err)
	}
	p := doc.Meshes[0].Primitives[0]
	if p.Mode != 0 || p.Extensions["KHR_gaussian_splatting"]["kernel"] != "ellipse" || len(doc.ExtensionsUsed) != 1 {
		t.Errorf("%+v", doc)
	}
	at := func(name string, i, width, k int) float64 {
		v := doc.BufferViews[doc.Accessors[p.Attributes[name]].BufferView]
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(r.Files[1].Data[v.ByteOffset+(i*width+k)*4:])))
	}
	for i, s := range list {
		for k := range 3 {
			if at("POSITION", i, 3, k) != s[k] || !near(at("KHR_gaussian_splatting:SCALE", i, 3, k), math.Exp(s[10+k])) || at("KHR_gaussian_splatting:SH_DEGREE_0_COEF_0", i, 3, k) != s[6+k] ||
				at("KHR_gaussian_splatting:ROTATION", i, 4, k) != s[14+k] {
				t.Fatalf("splat %d is another one", i)
			}
		}
		if at("KHR_gaussian_splatting:ROTATION", i, 4, 3) != s[13] || !near(at("KHR_gaussian_splatting:OPACITY", i, 1, 0), 1/(1+math.Exp(-s[9]))) {
			t.Fatalf("splat %d is another one", i)
		}
	}
}
