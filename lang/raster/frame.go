package raster

import (
	"math"

	"github.com/meshd/meshd/lang/raster/vec"
)

// Frame is a camera that shows all objects and labels, from in front, a little
// from the right and above. Aspect is width over height; fov is vertical, in
// radians, 0 being 60°. Objects that are flat and very large, such as a ground,
// count only as far as others stand on them. A scene with nothing in it is seen
// from five metres away.
func Frame(s *Scene, aspect, fov float64) Camera {
	if fov == 0 {
		fov = 60 * degree
	}
	b := emptyBox()
	boxes := make([]box, 0, len(s.Objects))
	for i := range s.Objects {
		o := &s.Objects[i]
		if o.Mesh == nil {
			continue
		}
		one := emptyBox()
		m := o.matrix()
		for _, p := range o.Mesh.Positions {
			if w := m.Point(wide(p)); w.Finite() {
				one.add(w)
			}
		}
		if !one.empty() {
			boxes = append(boxes, one)
		}
	}
	things := emptyBox()
	for _, one := range boxes {
		if !one.flat() {
			things.add(one.lo)
			things.add(one.hi)
		}
	}
	for i := range s.Labels {
		things.add(s.Labels[i].Position)
	}
	for _, one := range boxes {
		// A ground that reaches far beyond the things on it is seen in part.
		if one.flat() && !things.empty() && one.hi.Sub(one.lo).Len() > float64(1.5*things.hi.Sub(things.lo).Len()) {
			continue
		}
		b.add(one.lo)
		b.add(one.hi)
	}
	if !things.empty() {
		b.add(things.lo)
		b.add(things.hi)
	}
	if b.empty() {
		b.add(vec.At(-1, -1, -1))
		b.add(vec.At(1, 1, 1))
	}
	centre := b.lo.Lerp(b.hi, 0.5)
	from := vec.At(0.55, 0.5, 1).Unit()
	right, up, back := vec.Basis(from.Scale(-1), vec.At(0, 1, 0))
	half := vec.Tan(min(max(fov, degree), 170*degree) / 2)
	// Every corner of the box must fit: |x| ≤ half·aspect·depth, |y| ≤ half·depth.
	distance := 0.1
	for k := range 8 {
		p := b.lo
		if k&1 == 1 {
			p.X = b.hi.X
		}
		if k&2 == 2 {
			p.Y = b.hi.Y
		}
		if k&4 == 4 {
			p.Z = b.hi.Z
		}
		d := p.Sub(centre)
		wide, tall := math.Abs(d.Dot(right))/float64(half*max(aspect, 0.1)), math.Abs(d.Dot(up))/half
		distance = max(distance, d.Dot(back)+max(wide, tall))
	}
	distance = float64(distance * 1.08)
	size := b.hi.Sub(b.lo).Len()
	return Camera{
		Position: centre.Add(from.Scale(distance)), Target: centre, FOV: fov,
		Near: max(float64(distance*0.01), 1e-3), Far: max(float64((distance+size)*50), 100),
	}
}

// flat says whether a box is much wider than high.
func (b *box) flat() bool {
	d := b.hi.Sub(b.lo)
	return d.Y < float64(0.02*max(d.X, d.Z))
}
