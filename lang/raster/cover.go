package raster

import "math"

// Where the samples of a pixel lie, in grid units from its upper left corner.
// Four stand on a turned square, so that nearly upright and nearly level edges
// go through all shades.
var (
	oneSample   = [][2]int64{{128, 128}}
	fourSamples = [][2]int64{{96, 32}, {224, 96}, {32, 160}, {160, 224}}
)

// edges are a triangle prepared for the question which samples it covers. A
// sample is covered when all three edge functions are ≥ 0; a sample exactly on an
// edge belongs to the triangle whose left or upper edge it is, so that two
// neighbours never share a sample or leave one out.
type edges struct {
	dx, dy [3]int64 // change of the function with a grid unit in x and y
	at0    [3]int64 // value at the grid's origin
	// depth key: plane through the three corners
	key0, keyX, keyY float64 // at pixel corner 0,0, and per pixel
	x0, x1           int64   // pixel columns
}

// prepare fills e; the triangle must turn clockwise (area > 0).
func (e *edges) prepare(p *place, area int64) {
	for i := range 3 {
		a, b := &p.s[i], &p.s[(i+1)%3]
		vx, vy := int64(b.x-a.x), int64(b.y-a.y)
		e.dx[i], e.dy[i] = -vy, vx
		e.at0[i] = vy*int64(a.x) - vx*int64(a.y)
		if !(vy < 0 || vy == 0 && vx > 0) {
			e.at0[i]-- // on the edge is outside
		}
	}
	// The key is linear on the picture.
	a, b, c := &p.s[0], &p.s[1], &p.s[2]
	kab, kac := float64(b.key)-float64(a.key), float64(c.key)-float64(a.key)
	abx, aby, acx, acy := float64(b.x-a.x), float64(b.y-a.y), float64(c.x-a.x), float64(c.y-a.y)
	e.keyX = float64((float64(kab*acy)-float64(kac*aby))*gridUnit) / float64(area)
	e.keyY = float64((float64(kac*abx)-float64(kab*acx))*gridUnit) / float64(area)
	e.key0 = float64(a.key) - float64(e.keyX*(float64(a.x)/gridUnit)) - float64(e.keyY*(float64(a.y)/gridUnit))
	e.x0 = int64(min(a.x, b.x, c.x) >> gridBits)
	e.x1 = int64(max(a.x, b.x, c.x) >> gridBits)
}

// span narrows the columns of a pixel row to those that any sample of may be
// covered. It is empty when first > last.
func (e *edges) span(y int, width int, samples [][2]int64) (first, last int64) {
	first, last = max(e.x0, 0), min(e.x1, int64(width-1))
	row := int64(y) << gridBits
	for i := range 3 {
		most := int64(math.MinInt64)
		for _, s := range samples {
			most = max(most, e.dx[i]*s[0]+e.dy[i]*s[1])
		}
		// value(x) = at0 + dy·row + dx·256·x + most ≥ 0
		v, d := e.at0[i]+e.dy[i]*row+most, e.dx[i]<<gridBits
		switch {
		case d > 0:
			first = max(first, -floorDiv(v, d))
		case d < 0:
			last = min(last, floorDiv(v, -d))
		case v < 0:
			return 1, 0
		}
	}
	return first, last
}

// floorDiv is a/b rounded down, for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// at is the value of edge i at a pixel's upper left corner.
func (e *edges) at(i int, x int64, y int) int64 {
	return e.at0[i] + e.dx[i]*(x<<gridBits) + e.dy[i]*(int64(y)<<gridBits)
}
