// Package label says where labels are in a picture, how large they have to be to be
// read, and which of them have room. The viewer has the same rules in staging.ts.
package label

import (
	"cmp"
	"math"
	"slices"

	"github.com/meshd/meshd/lang/raster/vec"
)

// LeastLetter is how high a capital letter of a text that turns to the viewer is at
// least, as a share of the picture; it grows by MostGrowth at most.
const (
	LeastLetter = 0.024
	MostGrowth  = 6
)

// Label is a text that turns to the viewer: how large and where it is in the
// picture, from -1 to 1, and how far away.
type Label struct {
	Key           int
	X, Y          float64 // of its middle
	Width, Height float64
	Depth         float64
	First         bool // before the others
}

// Growth is by how much a letter of a height, as a share of the picture, grows.
func Growth(letter float64) float64 {
	if letter <= 0 {
		return 1
	}
	return min(max(LeastLetter/letter, 1), MostGrowth)
}

// Shown are the keys of the labels that have room: what comes first and what is
// nearer stays, what would lie over it by more than an eighth is left out.
func Shown(labels []Label) map[int]bool {
	order := slices.Clone(labels)
	slices.SortStableFunc(order, func(a, b Label) int {
		if a.First != b.First {
			if a.First {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Depth, b.Depth)
	})
	out := map[int]bool{}
	var kept []*Label
	for i := range order {
		l := &order[i]
		free := true
		for _, k := range kept {
			w := min(l.X+l.Width/2, k.X+k.Width/2) - max(l.X-l.Width/2, k.X-k.Width/2)
			h := min(l.Y+l.Height/2, k.Y+k.Height/2) - max(l.Y-l.Height/2, k.Y-k.Height/2)
			if w > 0 && h > 0 && float64(w*h) > float64(min(l.Width*l.Height, k.Width*k.Height)/8) {
				free = false
				break
			}
		}
		if free {
			out[l.Key], kept = true, append(kept, l)
		}
	}
	return out
}

// Seen is where a label is in a picture that a camera makes; false for what is
// behind it. Up, right and back are the axes of the camera, half the tangent of half
// its angle, or half its height where it has no perspective.
func Seen(at, eye, right, up, back vec.Vec, half, aspect float64, ortho bool, w, h float64) (Label, bool) {
	d := at.Sub(eye)
	depth := -d.Dot(back)
	reach := float64(half * depth)
	if ortho {
		reach = half
	} else if depth <= 0.01 {
		return Label{}, false
	}
	reach = math.Max(reach, 1e-9)
	return Label{X: d.Dot(right) / float64(reach*aspect), Y: d.Dot(up) / reach, Width: w / float64(reach*aspect), Height: h / reach, Depth: depth}, true
}
