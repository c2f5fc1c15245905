package raster

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
)

var update = flag.Bool("update", false, "write the golden files")

// The pixels of known scenes and the bytes of a plan, by their hash. They are
// the same on every machine: run this with GOAMD64=v3, too, where products may
// be fused with additions. After a change that is meant to show, look at the
// pictures before -update.
func TestGoldenPictures(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	hash := func(name string, data []byte) {
		sum := sha256.Sum256(data)
		fmt.Fprintf(&out, "%s %s\n", name, hex.EncodeToString(sum[:]))
	}
	ortho := solidsScene()
	ortho.Camera.Ortho = 6
	for _, c := range []struct {
		name    string
		scene   *Scene
		samples int
	}{{"solids", solidsScene(), 4}, {"night", nightScene(), 4}, {"fence", fenceScene(), 4}, {"solids, one sample", solidsScene(), 1}, {"solids without perspective", ortho, 4}} {
		img, _, err := Render(c.scene, Options{Width: 160, Height: 100, Samples: c.samples})
		if err != nil {
			t.Fatal(err)
		}
		hash(c.name, img.Pix)
	}
	plan, err := Plan(solidsScene(), PlanOptions{Width: 320, Height: 200, Title: "Solids"})
	if err != nil {
		t.Fatal(err)
	}
	hash("plan of solids", plan)
	const file = "testdata/golden.txt"
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// thousand is a field of a thousand boxes with a sun.
func thousand(shadow bool) *Scene {
	s := &Scene{Lights: sun(shadow), Sky: Sky{Top: RGB(90, 140, 220), Bottom: RGB(225, 230, 235)}}
	box := shape.Box(0.7, 0.7, 0.7)
	for i := range 1000 {
		s.Objects = append(s.Objects, Object{Mesh: box, Material: Paint(RGB(uint8(60+i%7*28), uint8(60+i%11*17), 120)), Transform: at(float64(i%40), float64(i*7%5)/5, float64(i/40))})
	}
	s.Camera = Camera{Position: vec.At(20, 14, 38), Target: vec.At(20, 0, 10)}
	return s
}

func BenchmarkThousandBoxes(b *testing.B) {
	for _, c := range []struct {
		name   string
		shadow bool
	}{{"plain", false}, {"shadow", true}} {
		b.Run(c.name, func(b *testing.B) {
			s := thousand(c.shadow)
			b.ReportAllocs()
			for b.Loop() {
				draw(b, s, 640, 480)
			}
		})
	}
}

func BenchmarkPNG(b *testing.B) {
	img := draw(b, thousand(true), 640, 480)
	for b.Loop() {
		if _, err := EncodePNG(img); err != nil {
			b.Fatal(err)
		}
	}
}

// What a unit of work takes, for the kinds of work there are. MaxWork times the
// worst of them has to stay well below the 20 s that a picture may take.
func BenchmarkUnitOfWork(b *testing.B) {
	glass, clear := Paint(Color{255, 255, 255, 10}), unlit(Color{255, 255, 255, 10})
	textured := glass
	textured.Texture = checker(256, 8, RGB(1, 2, 3), Color{4, 5, 6, 10})
	points, spots := make([]Light, 32), make([]Light, 4)
	for i := range points {
		points[i] = Light{Kind: Point, Intensity: 1, Position: vec.At(float64(i), 1, 2), Color: RGB(255, 255, 255)}
	}
	for i := range spots {
		spots[i] = Light{Kind: Spot, Intensity: 1, Position: vec.At(0, 0, 4), Direction: vec.At(0, 0, -1), Angle: 1, Color: RGB(255, 255, 255), Shadow: true}
	}
	pane, ball := shape.Box(9, 9, 0.001), shape.Sphere(0.5, 200)
	for _, c := range []struct {
		name     string
		mesh     *shape.Mesh
		material Material
		lights   []Light
		objects  int
	}{
		{"unlit", pane, clear, nil, 20}, {"sun", pane, glass, sun(false), 10}, {"texture", pane, textured, sun(false), 10}, {"points", pane, glass, points, 2},
		{"spots", pane, glass, spots, 4}, {"hidden", pane, unlit(RGB(1, 2, 3)), nil, 40}, {"small triangles", ball, Paint(RGB(1, 2, 3)), nil, 6},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := &Scene{Camera: front(3), Lights: c.lights}
			for i := range c.objects {
				s.Objects = append(s.Objects, Object{Mesh: c.mesh, Material: c.material, Transform: at(0, 0, -float64(i)/1000)})
			}
			units := 0
			for b.Loop() {
				if _, _, err := Render(s, Options{Width: 500, Height: 500, Step: func() error { units += stepWork; return nil }}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(units), "ns/unit")
		})
	}
}
