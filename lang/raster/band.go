package raster

import (
	"image"

	"github.com/meshd/meshd/lang/raster/vec"
)

// band is a strip of the picture, sample by sample.
type band struct {
	width, rows, top int
	samples          int
	keys             []float32    // the nearest opaque surface so far
	ids              []int32      // its triangle, from 1 on; 0 is the sky
	light            [][3]float32 // what the sample shows
}

func newBand(width, rows, samples int) *band {
	n := width * rows * samples
	return &band{width: width, samples: samples, keys: make([]float32, n), ids: make([]int32, n), light: make([][3]float32, n)}
}

func (r *renderer) drawBand(b *band, img *image.NRGBA) error {
	n := b.width * b.rows * b.samples
	for i := range n {
		b.keys[i], b.ids[i] = never, 0
	}
	for i := range r.places.n {
		if p := r.places.at(i); r.surfaces[p.object].alpha != Blend {
			if err := r.cover(b, p, func(at int, mask uint, key *[4]float32, x, y int) int { return r.keep(b, p, i, at, mask, key, x, y) }); err != nil {
				return err
			}
		}
	}
	for y := range b.rows {
		if err := r.light(b, y); err != nil {
			return err
		}
	}
	cost := r.shadeWork()
	for _, s := range r.clear {
		p := r.places.at(int(s.index))
		err := r.cover(b, p, func(at int, mask uint, _ *[4]float32, x, y int) int { return r.lay(b, p, at, mask, x, y, cost) })
		if err != nil {
			return err
		}
	}
	for y := range b.rows {
		r.resolve(b, y, img)
		if err := r.pause(); err != nil {
			return err
		}
	}
	return nil
}

// cover calls visit for every pixel of the band that a triangle covers: at is
// the pixel's first sample, mask the covered samples, key their depths. Visit
// returns the work it did.
func (r *renderer) cover(b *band, p *place, visit func(at int, mask uint, key *[4]float32, x, y int) int) error {
	top, bottom := p.rows()
	top, bottom = max(top, b.top), min(bottom, b.top+b.rows-1)
	if top > bottom {
		return nil
	}
	var e edges
	e.prepare(p, p.area())
	var shift [4][3]int64 // of each sample, from the pixel's corner
	var keyShift [4]float64
	for s, at := range r.samples {
		for i := range 3 {
			shift[s][i] = e.dx[i]*at[0] + e.dy[i]*at[1]
		}
		keyShift[s] = float64(e.keyX*(float64(at[0])/gridUnit)) + float64(e.keyY*(float64(at[1])/gridUnit))
	}
	var key [4]float32
	for y := top; y <= bottom; y++ {
		first, last := e.span(y, b.width, r.samples)
		work := workPixel
		if first <= last {
			work += int(last-first) * workPixel
		}
		w0, w1, w2 := e.at(0, first, y), e.at(1, first, y), e.at(2, first, y)
		rowKey := e.key0 + float64(e.keyY*float64(y))
		at := ((y-b.top)*b.width + int(first)) * b.samples
		for x := first; x <= last; x++ {
			mask := uint(0)
			pixelKey := rowKey + float64(e.keyX*float64(x))
			for s := range r.samples {
				if d := &shift[s]; (w0+d[0])|(w1+d[1])|(w2+d[2]) >= 0 {
					if k := float32(pixelKey + keyShift[s]); k > b.keys[at+s] {
						mask |= 1 << s
						key[s] = k
					}
				}
			}
			if mask != 0 {
				work += visit(at, mask, &key, int(x), y)
			}
			w0 += e.dx[0] << gridBits
			w1 += e.dx[1] << gridBits
			w2 += e.dx[2] << gridBits
			at += b.samples
		}
		if err := r.spend(work); err != nil {
			return err
		}
	}
	return nil
}

// middle is the place between the samples of a mask, in grid units.
func (r *renderer) middle(mask uint, x, y int) (gx, gy float64) {
	var sx, sy, n int64
	for s, at := range r.samples {
		if mask&(1<<s) != 0 {
			sx, sy, n = sx+at[0], sy+at[1], n+1
		}
	}
	return float64(int64(x)<<gridBits) + float64(sx)/float64(n), float64(int64(y)<<gridBits) + float64(sy)/float64(n)
}

// keep notes an opaque triangle as the nearest so far.
func (r *renderer) keep(b *band, p *place, index, at int, mask uint, key *[4]float32, x, y int) int {
	work := 0
	if sf := &r.surfaces[p.object]; sf.alpha == Mask {
		gx, gy := r.middle(mask, x, y)
		if _, opacity := sf.skin(p, gx, gy, p.share(gx, gy)); opacity < 0.5 {
			return workShade + workTexture
		}
		work = workShade + workTexture
	}
	for s := range r.samples {
		if mask&(1<<s) != 0 {
			b.keys[at+s], b.ids[at+s] = key[s], int32(index+1)
		}
	}
	return work
}

// shadeWork is what lighting one pixel costs.
func (r *renderer) shadeWork() int {
	n := workShade
	for i := range r.lamps {
		n += workLight
		if r.lamps[i].shadow != nil {
			n += workShadow
		}
	}
	return n
}

func (r *renderer) textureWork(p *place) int {
	if r.surfaces[p.object].texture == nil {
		return 0
	}
	return workTexture
}

// light fills a row with what its opaque triangles show, each lit once a pixel.
func (r *renderer) light(b *band, y int) error {
	cost := r.shadeWork()
	work := b.width
	for x := range b.width {
		at := (y*b.width + x) * b.samples
		done := uint(0)
		for s := range b.samples {
			if done&(1<<s) != 0 {
				continue
			}
			id := b.ids[at+s]
			mask := uint(0)
			for k := s; k < b.samples; k++ {
				if b.ids[at+k] == id {
					mask |= 1 << k
				}
			}
			done |= mask
			var c vec.Vec
			if id == 0 {
				c = r.skyAt(x, y+b.top)
				work += workPixel
			} else {
				gx, gy := r.middle(mask, x, y+b.top)
				p := r.places.at(int(id - 1))
				c, _ = r.shade(p, gx, gy)
				work += cost + r.textureWork(p)
			}
			small := narrow(c)
			for k := s; k < b.samples; k++ {
				if mask&(1<<k) != 0 {
					b.light[at+k] = small
				}
			}
		}
	}
	return r.spend(work)
}

// lay puts a blended triangle over what is there.
func (r *renderer) lay(b *band, p *place, at int, mask uint, x, y, cost int) int {
	gx, gy := r.middle(mask, x, y)
	c, opacity := r.shade(p, gx, gy)
	adds := r.surfaces[p.object].adds
	for s := range r.samples {
		if mask&(1<<s) == 0 {
			continue
		}
		l := &b.light[at+s]
		if adds {
			*l = narrow(wide(*l).Add(c.Scale(opacity)))
			continue
		}
		*l = narrow(wide(*l).Lerp(c, opacity))
	}
	return cost + r.textureWork(p)
}

func narrow(v vec.Vec) [3]float32 { return [3]float32{float32(v.X), float32(v.Y), float32(v.Z)} }

// resolve averages the samples of a row, as light, and encodes them.
func (r *renderer) resolve(b *band, y int, img *image.NRGBA) {
	out := img.Pix[img.PixOffset(0, y+b.top):]
	share := 1 / float64(b.samples)
	for x := range b.width {
		at := (y*b.width + x) * b.samples
		for c := range 3 {
			sum := 0.0
			for s := range b.samples {
				sum += r.screen(float64(b.light[at+s][c]))
			}
			out[4*x+c] = encode(float64(sum * share))
		}
		out[4*x+3] = 255
	}
}
