package raster

import (
	"bytes"
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"golang.org/x/image/webp"
)

// TestWebPKeepsEveryPixel: what another program decodes is what was drawn.
func TestWebPKeepsEveryPixel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	paint := map[string]func(x, y int) color.NRGBA{
		"one colour": func(int, int) color.NRGBA { return color.NRGBA{20, 30, 40, 255} },
		"black":      func(int, int) color.NRGBA { return color.NRGBA{0, 0, 0, 255} },
		"clear":      func(x, y int) color.NRGBA { return color.NRGBA{uint8(x), uint8(y), 0, uint8(x * y)} },
		"gradient":   func(x, y int) color.NRGBA { return color.NRGBA{uint8(x * 2), uint8(y * 3), uint8(x + y), 255} },
		"two":        func(x, y int) color.NRGBA { return color.NRGBA{uint8(x / 7 % 2 * 255), 9, uint8(y / 5 % 2 * 255), 255} },
		"noise": func(int, int) color.NRGBA {
			return color.NRGBA{uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32())}
		},
		"rare": func(x, y int) color.NRGBA { // counts that ask for words longer than the format has
			n := uint8(0)
			for k := r.Uint64(); k&1 == 1; k >>= 1 {
				n++
			}
			return color.NRGBA{n * 5, n * 5, n * 5, 255}
		},
	}
	for name, of := range paint {
		for _, size := range [][2]int{{1, 1}, {1, 9}, {9, 1}, {64, 33}, {700, 530}} {
			img := image.NewNRGBA(image.Rect(0, 0, size[0], size[1]))
			for y := range size[1] {
				for x := range size[0] {
					img.SetNRGBA(x, y, of(x, y))
				}
			}
			data, err := EncodeWebP(img)
			if err != nil {
				t.Fatal(err)
			}
			got, err := webp.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatalf("%s %v: %v", name, size, err)
			}
			for y := range size[1] {
				for x := range size[0] {
					if a, b := img.NRGBAAt(x, y), color.NRGBAModel.Convert(got.At(x, y)).(color.NRGBA); a != b {
						t.Fatalf("%s %v: at %d, %d %v became %v", name, size, x, y, a, b)
					}
				}
			}
			if again, _ := EncodeWebP(img); !bytes.Equal(again, data) {
				t.Errorf("%s %v: the bytes differ", name, size)
			}
			if plain := size[0] * size[1] * 4; size[0] == 700 && name != "noise" && name != "rare" && name != "clear" && len(data) > plain/20 {
				t.Errorf("%s: %d bytes of %d", name, len(data), plain)
			}
		}
	}
	for _, size := range [][2]int{{0, 1}, {1, 0}, {MaxWebP + 1, 1}} {
		if _, err := EncodeWebP(image.NewNRGBA(image.Rect(0, 0, size[0], size[1]))); err == nil {
			t.Errorf("%v is written", size)
		}
	}
}
