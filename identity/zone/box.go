package zone

import (
	"fmt"
	"math"
	"slices"
)

// Point is a place: x, y and z in metres.
type Point [3]float64

// sound reports whether the coordinates are numbers.
func (p Point) sound() bool { return !slices.ContainsFunc(p[:], math.IsNaN) }

// Box is a space between two corners, both among it. It may be flat. The zero Box
// is nowhere: it contains nothing and meets nothing.
type Box struct {
	Min Point `json:"min"`
	Max Point `json:"max"`
}

// Check returns ErrPolicy for corners that are not numbers, beyond
// MaxCoordinate, or the wrong way round.
func (b Box) Check() error {
	for i := range b.Min {
		if !finite(b.Min[i]) || !finite(b.Max[i]) {
			return fmt.Errorf("%w: bounds beyond ±%g", ErrPolicy, float64(MaxCoordinate))
		}
		if b.Min[i] > b.Max[i] {
			return fmt.Errorf("%w: bounds the wrong way round", ErrPolicy)
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

func (b Box) containsBox(o Box) bool { return b.Contains(o.Min) && b.Contains(o.Max) }

// meets reports whether the boxes have a point in common.
func (b Box) meets(o Box) bool {
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
	return b == o || !b.containsBox(o) && !o.containsBox(b)
}

func (b Box) volume() float64 {
	v := 1.0
	for i := range b.Min {
		v *= b.Max[i] - b.Min[i]
	}
	return v
}
