package main

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/meshd/meshd/lang/picture"
	"github.com/meshd/meshd/lang/picture/label"
	"github.com/meshd/meshd/lang/picture/staging"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
)

// What a picture is judged by.
const (
	leastCover    = 0.05 // of the picture, by what is around the things that count
	mostOutside   = 0.15 // of what counts, outside of the picture
	leastContrast = 2.0  // between a text and what is behind it, as WCAG has it
	leastLetter   = 0.010
	mostDark      = 0.5  // of the pixels of what counts, with a luminance below 0.006
	mostBright    = 0.6  // of the pixels, above 0.97
	mostApart     = 20.0 // of 255, between the mean colours of both pictures; the library of the page mixes fog after encoding
)

// judge applies the rules to a scene and our picture of it.
func judge(s *scene.Scene, m image.Image) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	g := staging.Of(s)
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	drawn, _, err := picture.Of(s, picture.Standpoint{}, float64(w)/float64(h))
	if err != nil {
		return []string{err.Error()}
	}
	c := drawn.Camera
	up := c.Up
	if up == (vec.Vec{}) {
		up = vec.At(0, 1, 0)
	}
	right, above, back := vec.Basis(c.Target.Sub(c.Position), up)
	half := c.Ortho / 2
	if c.Ortho == 0 {
		half = vec.Tan(c.FOV / 2)
	}
	seen := func(p vec.Vec) (x, y float64, ok bool) {
		l, ok := label.Seen(p, c.Position, right, above, back, half, float64(w)/float64(h), c.Ortho > 0, 0, 0)
		return l.X, l.Y, ok
	}
	things, outside, astray := 0, 0, 0
	var spots [][4]float64 // the middles of things in the picture
	var lo, hi [2]float64
	lo, hi = [2]float64{1, 1}, [2]float64{-1, -1}
	for i := range g.Solids {
		o := &g.Solids[i]
		if o.Role == staging.Astray {
			astray++
		}
		if o.Role != staging.Thing {
			continue
		}
		things++
		x, y, ok := seen(o.Lo.Add(o.Hi).Scale(0.5))
		if !ok || math.Abs(x) > 1 || math.Abs(y) > 1 {
			outside++
			continue
		}
		if e := o.Hi.Sub(o.Lo); !o.Text && !o.Clear {
			if l, ok := label.Seen(o.Lo.Add(o.Hi).Scale(0.5), c.Position, right, above, back, half, float64(w)/float64(h), c.Ortho > 0, e.X, e.Y); ok {
				spots = append(spots, [4]float64{l.X, l.Y, 0.3 * l.Width, 0.3 * l.Height})
			}
		}
		for k := range 8 {
			p := o.Lo
			if k&1 == 1 {
				p.X = o.Hi.X
			}
			if k&2 == 2 {
				p.Y = o.Hi.Y
			}
			if k&4 == 4 {
				p.Z = o.Hi.Z
			}
			if x, y, ok := seen(p); ok {
				for k, v := range [2]float64{x, y} {
					lo[k], hi[k] = min(lo[k], max(v, -1)), max(hi[k], min(v, 1))
				}
			}
		}
	}
	if things > 0 {
		if cover := (hi[0] - lo[0]) * (hi[1] - lo[1]) / 4; cover < leastCover {
			say("framed: what counts covers %.0f %% of the picture", 100*cover)
		}
		if share := float64(outside) / float64(things); share > mostOutside {
			say("framed: %d of %d things are outside of the picture", outside, things)
		}
		if float64(astray) > float64(things)*0.1+1 {
			say("astray: %d things are far from all others", astray)
		}
	}
	// What counts must not be black; the sky may be.
	light := luminances(m)
	dark, bright, of := 0, 0, 0
	for i, l := range light {
		x, y := float64(i%w)/float64(w)*2-1, 1-float64(i/w)/float64(h)*2
		if slices.ContainsFunc(spots, func(s [4]float64) bool { return math.Abs(x-s[0]) < s[2] && math.Abs(y-s[1]) < s[3] }) {
			of++
			if l < 0.006 {
				dark++
			}
		}
		if l > 0.97 {
			bright++
		}
	}
	if share := float64(dark) / float64(max(of, 1)); share > mostDark {
		say("lit: %.0f %% of what counts is black", 100*share)
	}
	if share := float64(bright) / float64(len(light)); share > mostBright {
		say("lit: %.0f %% of the picture is white", 100*share)
	}
	small, pale, texts := 0, 0, 0
	for i := range g.Solids {
		o := &g.Solids[i]
		if !o.Text {
			continue
		}
		n := &s.Nodes[o.Node]
		size := float64(n.Text.Size * g.World[o.Node].Dir(vec.At(0, 1, 0)).Len())
		l, ok := label.Seen(o.Lo.Add(o.Hi).Scale(0.5), c.Position, right, above, back, half, float64(w)/float64(h), c.Ortho > 0, o.Hi.X-o.Lo.X, o.Hi.Y-o.Lo.Y)
		if !ok || math.Abs(l.X) > 1 || math.Abs(l.Y) > 1 {
			continue
		}
		texts++
		letter := l.Height / 2 * size / max(o.Hi.Y-o.Lo.Y, 1e-9)
		if g.Floating[o.Node] {
			letter = letter * label.Growth(letter)
		}
		if letter < leastLetter {
			small++
		}
		if contrast(m, &l) < leastContrast {
			pale++
		}
	}
	if small > texts/3 {
		say("legible: %d of %d texts are too small", small, texts)
	}
	if pale > texts/3 {
		say("legible: %d of %d texts hardly differ from what is behind them", pale, texts)
	}
	return out
}

func luminances(m image.Image) []float64 {
	b := m.Bounds()
	out := make([]float64, 0, b.Dx()*b.Dy())
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			out = append(out, luminance(m.At(x, y)))
		}
	}
	return out
}

func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	return 0.2126*scene.Linear(uint8(r>>8)) + 0.7152*scene.Linear(uint8(g>>8)) + 0.0722*scene.Linear(uint8(b>>8))
}

// contrast is that between the lightest and the darkest of the picture around a
// text, without outliers.
func contrast(m image.Image, l *label.Label) float64 {
	b := m.Bounds()
	x0, x1 := int((l.X-l.Width/2+1)/2*float64(b.Dx())), int((l.X+l.Width/2+1)/2*float64(b.Dx()))
	y0, y1 := int((1-l.Y-l.Height/2)/2*float64(b.Dy())), int((1-l.Y+l.Height/2)/2*float64(b.Dy()))
	var light []float64
	for y := max(y0, 0); y <= min(y1, b.Dy()-1); y++ {
		for x := max(x0, 0); x <= min(x1, b.Dx()-1); x++ {
			light = append(light, luminance(m.At(x, y)))
		}
	}
	if len(light) < 8 {
		return 1
	}
	slices.Sort(light)
	n := len(light)
	return (light[n-1-n/50] + 0.05) / (light[n/50] + 0.05)
}

// alike compares the two pictures of a scene.
func alike(a, b image.Image) []string {
	x, y := mean(a), mean(b)
	for k := range x {
		if math.Abs(x[k]-y[k]) > mostApart {
			return []string{fmt.Sprintf("alike: mean colours are %.0f and %.0f", x, y)}
		}
	}
	return nil
}

func mean(m image.Image) [3]float64 {
	b := m.Bounds()
	var sum [3]float64
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			for k, v := range []uint32{r, g, b} {
				sum[k] += float64(v) / 257
			}
		}
	}
	for k := range sum {
		sum[k] /= float64(b.Dx() * b.Dy())
	}
	return sum
}

// halved is a picture of half the size.
func halved(m image.Image) *image.RGBA {
	b := m.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, b.Dx()/2, b.Dy()/2))
	for y := range b.Dy() / 2 {
		for x := range b.Dx() / 2 {
			var sum [3]uint32
			for k := range 4 {
				r, g, b, _ := m.At(2*x+k&1, 2*y+k>>1).RGBA()
				sum[0], sum[1], sum[2] = sum[0]+r>>8, sum[1]+g>>8, sum[2]+b>>8
			}
			out.SetRGBA(x, y, color.RGBA{uint8(sum[0] / 4), uint8(sum[1] / 4), uint8(sum[2] / 4), 255})
		}
	}
	return out
}
