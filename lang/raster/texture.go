package raster

import (
	"math"

	"github.com/meshd/meshd/lang/raster/vec"
)

// pyramid is a texture with ever smaller copies of itself, each half the size of
// the one before, so that a far surface does not flicker.
type pyramid struct {
	levels []level
	clear  bool // some texel is not opaque
}

type level struct {
	width, height int
	pix           []byte
}

// newPyramid keeps the texels of t as its first level and does not change them.
func newPyramid(t *Texture) *pyramid {
	p := &pyramid{levels: []level{{t.Width, t.Height, t.Pix}}}
	for i := 3; i < len(t.Pix) && !p.clear; i += 4 {
		p.clear = t.Pix[i] != 255
	}
	for {
		last := &p.levels[len(p.levels)-1]
		if last.width == 1 && last.height == 1 {
			return p
		}
		p.levels = append(p.levels, last.half())
	}
}

// half averages as light, weighted by how opaque a texel is, so that the colour
// of what is clear does not bleed in.
func (l *level) half() level {
	out := level{width: max(l.width/2, 1), height: max(l.height/2, 1)}
	out.pix = make([]byte, 4*out.width*out.height)
	for y := range out.height {
		for x := range out.width {
			var sum vec.Vec
			weight := 0.0
			for k := range 4 {
				i := 4 * (min(2*y+k/2, l.height-1)*l.width + min(2*x+k%2, l.width-1))
				a := float64(l.pix[i+3])
				sum = sum.Add(vec.At(linear[l.pix[i]], linear[l.pix[i+1]], linear[l.pix[i+2]]).Scale(a))
				weight += a
			}
			if weight > 0 {
				sum = sum.Scale(1 / weight)
			}
			i := 4 * (y*out.width + x)
			out.pix[i], out.pix[i+1], out.pix[i+2] = encode(sum.X), encode(sum.Y), encode(sum.Z)
			out.pix[i+3] = byte(weight/4 + 0.5)
		}
	}
	return out
}

// at reads the texture at u, v, smoothly. Footprint is the square of how far a
// pixel reaches across it, in widths of the texture.
func (p *pyramid) at(u, v, footprint float64) (colour vec.Vec, alpha float64) {
	first := &p.levels[0]
	side := float64(max(first.width, first.height))
	texels := float64(float64(footprint*side) * side)
	n := 0
	for n < len(p.levels)-1 && texels > 2 { // the level whose texels are nearest to a pixel
		texels /= 4
		n++
	}
	return p.levels[n].at(u, v)
}

func (l *level) at(u, v float64) (colour vec.Vec, alpha float64) {
	x := float64((u-math.Floor(u))*float64(l.width)) - 0.5
	y := float64((1-(v-math.Floor(v)))*float64(l.height)) - 0.5
	fx, fy := math.Floor(x), math.Floor(y)
	x0, y0 := int(fx), int(fy)
	tx, ty := x-fx, y-fy
	for k := range 4 {
		wx, wy := 1-tx, 1-ty
		if k&1 == 1 {
			wx = tx
		}
		if k&2 == 2 {
			wy = ty
		}
		i := 4 * (wrap(y0+k/2, l.height)*l.width + wrap(x0+k%2, l.width))
		w := float64(float64(wx*wy) * float64(l.pix[i+3]))
		colour = colour.Add(vec.At(linear[l.pix[i]], linear[l.pix[i+1]], linear[l.pix[i+2]]).Scale(w))
		alpha += w
	}
	if alpha > 0 {
		colour = colour.Scale(1 / alpha)
	}
	return colour, alpha / 255
}

// wrap brings a texel of one step outside back in on the other side.
func wrap(i, n int) int {
	i %= n
	if i < 0 {
		i += n
	}
	return i
}
