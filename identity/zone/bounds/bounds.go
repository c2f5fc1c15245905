// Package bounds has the places that zones lie in: points, and boxes along the axes.
package bounds

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// MaxCoordinate bounds the corners of a box, in metres, so that no volume overflows: well
// beyond the orbit of the moon.
const MaxCoordinate = 1e9

// ErrBounds means that corners make no box.
var ErrBounds = errors.New("bad bounds")

// Point is a place: x, y and z in metres.
type Point [3]float64

// Sound reports whether the coordinates are numbers.
func (p Point) Sound() bool { return !slices.ContainsFunc(p[:], math.IsNaN) }

// Box is a space between two corners, both among it. It may be flat. The zero Box
// is nowhere: it contains nothing and meets nothing.
type Box struct {
	Min Point `json:"min"`
	Max Point `json:"max"`
}

// Check returns ErrBounds for corners that are not numbers, beyond
// MaxCoordinate, or the wrong way round.
func (b Box) Check() error {
	for i := range b.Min {
		if !finite(b.Min[i]) || !finite(b.Max[i]) {
			return fmt.Errorf("%w: beyond ±%g", ErrBounds, float64(MaxCoordinate))
		}
		if b.Min[i] > b.Max[i] {
			return fmt.Errorf("%w: the wrong way round", ErrBounds)
		}
	}
	return nil
}

// finite reports whether x may be a coordinate; not a number is not.
func finite(x float64) bool { return math.Abs(x) <= MaxCoordinate }

// Contains reports whether a point is in the box or on its surface. A point that
// is not a number is in no box.
func (b Box) Contains(p Point) bool {
	if b == (Box{}) {
		return false
	}
	for i := range p {
		if !(p[i] >= b.Min[i] && p[i] <= b.Max[i]) {
			return false
		}
	}
	return true
}

// ContainsBox reports whether all of another box is in the box or on its surface.
func (b Box) ContainsBox(o Box) bool { return b.Contains(o.Min) && b.Contains(o.Max) }

// Meets reports whether the boxes have a point in common.
func (b Box) Meets(o Box) bool {
	if b == (Box{}) || o == (Box{}) {
		return false
	}
	for i := range b.Min {
		if b.Max[i] < o.Min[i] || o.Max[i] < b.Min[i] {
			return false
		}
	}
	return true
}

// Crosses reports whether the boxes share space, of which neither has all of the other
// and leaves something: neighbours with a wall in common do not cross, nor does a room in
// a house, but two equal boxes do, and two that lie half in each other.
func (b Box) Crosses(o Box) bool {
	for i := range b.Min {
		if min(b.Max[i], o.Max[i]) <= max(b.Min[i], o.Min[i]) {
			return false
		}
	}
	return b == o || !b.ContainsBox(o) && !o.ContainsBox(b)
}

// Volume is what the box takes up, in cubic metres.
func (b Box) Volume() float64 {
	v := 1.0
	for i := range b.Min {
		v *= b.Max[i] - b.Min[i]
	}
	return v
}
