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
	s.Camera = Camera{Position: vec.Vec{20, 14, 38}, Target: vec.Vec{20, 0, 10}}
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
