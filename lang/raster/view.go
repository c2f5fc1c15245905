package raster

import (
	"math"

	"github.com/meshd/meshd/lang/raster/vec"
)

// view turns places of the world into places of a picture, for the camera and
// for the lights that throw shadows.
type view struct {
	position         vec.Vec
	right, up, back  vec.Vec
	scaleX, scaleY   float64 // camera space to clip space
	shiftX, shiftY   float64 // of an orthographic view, in clip space
	near, far        float64 // depth in front of the camera
	ortho            bool
	width, height    int
	pixelAngle       float64 // perspective: metres a pixel at one metre; ortho: metres a pixel
	halfW, halfH     float64
	widthF, heightF  float64
	invScaleX, invSY float64
}

// guard is how many pictures wide the band around the picture is that triangles
// may reach into before they are cut: coordinates stay small enough for the
// integers of the edges, and few triangles need cutting.
const guard = 6

func newView(c Camera, width, height int) *view {
	v := &view{position: c.Position, near: c.Near, far: c.Far, ortho: c.Ortho > 0}
	v.right, v.up, v.back = vec.Basis(c.Target.Sub(c.Position), c.Up)
	aspect := float64(width) / float64(height)
	half := c.Ortho / 2
	if !v.ortho {
		half = vec.Tan(c.FOV / 2)
	}
	v.frame(-float64(half*aspect), float64(half*aspect), -half, half, width, height)
	return v
}

// frame sets the picture to show camera space from left to right and from
// bottom to top, at one metre when there is perspective.
func (v *view) frame(left, right, bottom, top float64, width, height int) {
	v.width, v.height = width, height
	v.widthF, v.heightF = float64(width), float64(height)
	v.halfW, v.halfH = v.widthF/2, v.heightF/2
	v.scaleX, v.scaleY = 2/(right-left), 2/(top-bottom)
	v.shiftX, v.shiftY = -(right+left)/(right-left), -(top+bottom)/(top-bottom)
	v.invScaleX, v.invSY = 1/v.scaleX, 1/v.scaleY
	v.pixelAngle = (top - bottom) / v.heightF
}

// corner is a point on its way to the picture: clip coordinates, its depth in
// front of the camera, and what it is of its triangle.
type corner struct {
	x, y, w float64 // visible when -w ≤ x, y ≤ w; w is 1 without perspective
	depth   float64
	b1, b2  float64 // barycentric share of the triangle's second and third corner
}

func (v *view) corner(p vec.Vec) corner {
	d := p.Sub(v.position)
	c := corner{x: float64(d.Dot(v.right) * v.scaleX), y: float64(d.Dot(v.up) * v.scaleY), w: 1, depth: -d.Dot(v.back)}
	if v.ortho {
		c.x += v.shiftX
		c.y += v.shiftY
	} else {
		c.w = c.depth
	}
	return c
}

// ray is the direction of sight through a place of the picture, of length 1.
func (v *view) ray(x, y float64) vec.Vec {
	if v.ortho {
		return v.back.Scale(-1)
	}
	cx := float64((x/v.halfW - 1) * v.invScaleX)
	cy := float64((1 - y/v.halfH) * v.invSY)
	return v.right.Scale(cx).Add(v.up.Scale(cy)).Sub(v.back).Unit()
}

// plane is a half-space that a polygon is cut at: distance ≥ 0 is inside.
type plane func(c *corner) float64

func (v *view) planes() [6]plane {
	return [6]plane{
		func(c *corner) float64 { return c.depth - v.near },
		func(c *corner) float64 { return v.far - c.depth },
		func(c *corner) float64 { return float64(guard*c.w) - c.x },
		func(c *corner) float64 { return float64(guard*c.w) + c.x },
		func(c *corner) float64 { return float64(guard*c.w) - c.y },
		func(c *corner) float64 { return float64(guard*c.w) + c.y },
	}
}

// outside says whether all three corners are beyond one side of the picture.
func (v *view) outside(t *[3]corner) bool {
	a, b, c := &t[0], &t[1], &t[2]
	return a.depth < v.near && b.depth < v.near && c.depth < v.near ||
		a.depth > v.far && b.depth > v.far && c.depth > v.far ||
		a.x > a.w && b.x > b.w && c.x > c.w || a.x < -a.w && b.x < -b.w && c.x < -c.w ||
		a.y > a.w && b.y > b.w && c.y > c.w || a.y < -a.w && b.y < -b.w && c.y < -c.w
}

// clip cuts a triangle to the view. The result lives in buf until the next call.
func (v *view) clip(t *[3]corner, planes *[6]plane, buf *[2][9]corner) []corner {
	poly := append(buf[0][:0], t[0], t[1], t[2])
	spare := buf[1][:0]
	for _, distance := range planes {
		whole := true
		for i := range poly {
			whole = whole && distance(&poly[i]) >= 0
		}
		if whole {
			continue
		}
		out := spare[:0]
		for i := range poly {
			a, b := &poly[i], &poly[(i+1)%len(poly)]
			da, db := distance(a), distance(b)
			if da >= 0 {
				out = append(out, *a)
			}
			if da >= 0 != (db >= 0) {
				// Always from the inner to the outer one, so that the neighbour
				// that shares this edge is cut at the same place.
				if da < 0 {
					a, b, da, db = b, a, db, da
				}
				out = append(out, between(a, b, da/(da-db)))
			}
		}
		if len(out) < 3 {
			return nil
		}
		spare, poly = poly, out
	}
	return poly
}

func between(a, b *corner, t float64) corner {
	mix := func(p, q float64) float64 { return p + float64((q-p)*t) }
	return corner{mix(a.x, b.x), mix(a.y, b.y), mix(a.w, b.w), mix(a.depth, b.depth), mix(a.b1, b.b1), mix(a.b2, b.b2)}
}

// Grid of the picture: coordinates are multiples of 1/256 pixel.
const (
	gridBits = 8
	gridUnit = 1 << gridBits
)

// spot is a corner on the picture's grid.
type spot struct {
	x, y   int32   // in 1/256 pixel, y down
	key    float32 // the nearer the larger: 1/depth with perspective, -depth without
	inv    float32 // 1/w
	b1, b2 float32
}

func (v *view) spot(c *corner) spot {
	inv := 1 / c.w
	px := float64((float64(c.x*inv) + 1) * v.halfW)
	py := float64((1 - float64(c.y*inv)) * v.halfH)
	s := spot{
		x: int32(math.Floor(float64(px*gridUnit) + 0.5)), y: int32(math.Floor(float64(py*gridUnit) + 0.5)),
		key: float32(inv), inv: float32(inv), b1: float32(c.b1), b2: float32(c.b2),
	}
	if v.ortho {
		s.key = float32(-c.depth)
	}
	return s
}

// place is a triangle on the picture.
type place struct {
	s      [3]spot
	object int32 // index of its surface
	first  int32 // where its corners are in the mesh's indices
	back   bool  // it is seen from behind
}

// area is twice the signed area in grid units; positive turns clockwise on the
// screen, where y goes down.
func (p *place) area() int64 {
	return int64(p.s[1].x-p.s[0].x)*int64(p.s[2].y-p.s[0].y) - int64(p.s[1].y-p.s[0].y)*int64(p.s[2].x-p.s[0].x)
}

// rows are the first and the last pixel row the triangle may touch.
func (p *place) rows() (first, last int) {
	lo, hi := min(p.s[0].y, p.s[1].y, p.s[2].y), max(p.s[0].y, p.s[1].y, p.s[2].y)
	return int(lo >> gridBits), int(hi >> gridBits)
}
