package raster

import (
	"math"

	"github.com/meshd/meshd/lang/raster/vec"
)

// depthMap is what a light sees: the key of the nearest surface at each texel.
type depthMap struct {
	view  view
	size  int
	keys  []float32
	texel float64 // metres a texel, at one metre when the light is a spot
}

// box is a range of points along three axes.
type box struct{ lo, hi vec.Vec }

func emptyBox() box {
	inf := math.Inf(1)
	return box{vec.At(inf, inf, inf), vec.At(-inf, -inf, -inf)}
}

func (b *box) add(p vec.Vec) {
	b.lo, b.hi = b.lo.Min(p), b.hi.Max(p)
}

func (b *box) empty() bool { return b.lo.X > b.hi.X }

// eachThrower calls visit for every vertex of what throws shadows.
func (r *renderer) eachThrower(visit func(p vec.Vec)) {
	for i := range r.surfaces {
		sf := &r.surfaces[i]
		if !sf.throws {
			continue
		}
		for _, p := range sf.mesh.Positions {
			visit(sf.place.Point(wide(p)))
		}
	}
}

// shadows makes the depth maps of the lights that want one.
func (r *renderer) shadows(s *Scene, size int) error {
	count := 0
	for i := range s.Lights {
		l := &s.Lights[i]
		if !l.Shadow || l.Intensity == 0 || l.Kind != Directional && l.Kind != Spot {
			if l.Shadow && l.Kind == Point {
				r.warn("shadow_left_out", "light %d: point lights throw no shadow", i)
			}
			continue
		}
		if count == MaxShadows {
			r.warn("shadow_left_out", "light %d: only %d lights throw shadows", i, MaxShadows)
			continue
		}
		m := r.aim(l, size)
		if m == nil {
			continue // nothing in its view
		}
		count++
		if err := r.expose(m); err != nil {
			return err
		}
		r.lamps[i].shadow = m
	}
	return nil
}

// aim turns a light's view to what matters, or returns nil when nothing throws a
// shadow there.
func (r *renderer) aim(l *Light, size int) *depthMap {
	dir := l.Direction.Unit()
	if dir == (vec.Vec{}) {
		dir = vec.At(0, -1, 0)
	}
	m := &depthMap{size: size}
	v := &m.view
	v.position = l.Position
	v.ortho = l.Kind == Directional
	if v.ortho {
		v.position = vec.Vec{}
	}
	v.right, v.up, v.back = vec.Basis(dir, vec.At(0, 1, 0))
	inLight := func(p vec.Vec) vec.Vec {
		d := p.Sub(v.position)
		return vec.At(d.Dot(v.right), d.Dot(v.up), -d.Dot(v.back))
	}
	throwers := emptyBox()
	r.eachThrower(func(p vec.Vec) { throwers.add(inLight(p)) })
	if throwers.empty() {
		return nil
	}
	if !v.ortho {
		v.far = float64(max(throwers.hi.Z, 0.02) * 1.001)
		if l.Range > 0 {
			v.far = min(v.far, l.Range)
		}
		v.near = max(min(0.05, v.far/2), 1e-4)
		half := vec.Tan(min(l.angle(), 80*degree))
		v.frame(-half, half, -half, half, size, size)
		m.texel = v.pixelAngle
		return m
	}
	// Only what the camera sees can show a shadow, and only throwers make one.
	seen := emptyBox()
	for _, p := range r.frustum() {
		seen.add(inLight(p))
	}
	lo, hi := throwers.lo.Max(seen.lo), throwers.hi.Min(seen.hi)
	if lo.X > hi.X || lo.Y > hi.Y {
		return nil
	}
	lo.Z, hi.Z = throwers.lo.Z, throwers.hi.Z // in depth all of them count
	margin := float64(max(hi.X-lo.X, hi.Y-lo.Y, 1e-3) * 0.02)
	v.near, v.far = lo.Z-margin, hi.Z+margin
	side := max(hi.X-lo.X, hi.Y-lo.Y) + margin + margin
	cx, cy := float64((lo.X+hi.X)*0.5), float64((lo.Y+hi.Y)*0.5)
	v.frame(cx-side/2, cx+side/2, cy-side/2, cy+side/2, size, size)
	m.texel = v.pixelAngle
	return m
}

// frustum are the corners of what the camera sees, cut off behind the last object.
func (r *renderer) frustum() []vec.Vec {
	v := r.view
	far := v.near
	for i := range r.surfaces {
		sf := &r.surfaces[i]
		for _, p := range sf.mesh.Positions {
			far = max(far, -sf.place.Point(wide(p)).Sub(v.position).Dot(v.back))
		}
	}
	far = min(far, v.far)
	var out []vec.Vec
	for _, depth := range []float64{v.near, far} {
		for k := range 4 {
			reach := depth
			if v.ortho {
				reach = 1
			}
			x := float64(float64(k&1*2-1) * float64(v.invScaleX*reach))
			y := float64(float64(k&2-1) * float64(v.invSY*reach))
			out = append(out, v.position.Add(v.right.Scale(x)).Add(v.up.Scale(y)).Sub(v.back.Scale(depth)))
		}
	}
	return out
}

// expose draws the depth map.
func (r *renderer) expose(m *depthMap) error {
	m.keys = make([]float32, m.size*m.size)
	for i := range m.keys {
		m.keys[i] = float32(math.Inf(-1))
	}
	cut := newCutter(&m.view)
	var e edges
	for i := range r.surfaces {
		sf := &r.surfaces[i]
		if !sf.throws {
			continue
		}
		for first := 0; first < len(sf.mesh.Indices); first += 3 {
			work := workTriangle
			places := cut.setUp(sf, first, false)
			for k := range places {
				p := &places[k]
				e.prepare(p, p.area())
				top, bottom := p.rows()
				for y := max(top, 0); y <= min(bottom, m.size-1); y++ {
					work += m.row(&e, y)
				}
			}
			if err := r.spend(work); err != nil {
				return err
			}
		}
	}
	return nil
}

// row draws one row of a triangle and returns the work.
func (m *depthMap) row(e *edges, y int) int {
	first, last := e.span(y, m.size, oneSample)
	if first > last {
		return workPixel
	}
	centre := oneSample[0]
	w := [3]int64{}
	for i := range 3 {
		w[i] = e.at(i, first, y) + e.dx[i]*centre[0] + e.dy[i]*centre[1]
	}
	key := e.key0 + float64(e.keyY*(float64(y)+0.5))
	keys := m.keys[y*m.size:]
	for x := first; x <= last; x++ {
		if w[0]|w[1]|w[2] >= 0 {
			if k := float32(key + float64(e.keyX*(float64(x)+0.5))); k > keys[x] {
				keys[x] = k
			}
		}
		for i := range 3 {
			w[i] += e.dx[i] << gridBits
		}
	}
	return int(last-first+1) * workPixel
}

// free is how much of the light reaches a point, 0 to 1: sixteen texels around it
// are asked, those at the rim in part.
func (m *depthMap) free(at, normal vec.Vec) float64 {
	v := &m.view
	texel := m.texel
	if !v.ortho {
		texel = float64(texel * max(-at.Sub(v.position).Dot(v.back), v.near))
	}
	// The point is lifted off its surface by what the surface rises over the
	// texels asked, so that it does not shade itself.
	along := normal.Dot(v.back)
	slant := math.Sqrt(max(0, 1-float64(along*along)))
	c := v.corner(at.Add(normal.Scale(float64(texel * (0.3 + float64(2.8*slant))))))
	if c.depth < v.near || c.depth > v.far {
		return 1
	}
	key := -c.depth
	if !v.ortho {
		key = 1 / c.depth
	}
	px := float64((c.x/c.w+1)*v.halfW) - 0.5
	py := float64((1-c.y/c.w)*v.halfH) - 0.5
	if px < -2 || py < -2 || px > v.widthF+1 || py > v.heightF+1 {
		return 1
	}
	fx, fy := math.Floor(px), math.Floor(py)
	x0, y0 := int(fx)-1, int(fy)-1
	tx, ty := px-fx, py-fy
	wx, wy := [4]float64{1 - tx, 1, 1, tx}, [4]float64{1 - ty, 1, 1, ty}
	sum := 0.0
	for j := range 4 {
		for i := range 4 {
			x, y := x0+i, y0+j
			if x < 0 || y < 0 || x >= m.size || y >= m.size || key >= float64(m.keys[y*m.size+x]) {
				sum += float64(wx[i] * wy[j])
			}
		}
	}
	return sum / 9
}
