package robot

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/lang/scene"
)

// TestInertiaAsPrinted: whatever the size and the mass of a box, what is printed of
// its inertia, in single precision, is that of a body: no part is more than the
// two others together.
func TestInertiaAsPrinted(t *testing.T) {
	number := rapid.OneOf(rapid.Float64Range(1e-4, 1e12), rapid.Float64Range(1e-4, 10), rapid.SampledFrom([]float64{1e-4, 1, 1e6, 1e12}))
	rapid.Check(t, func(r *rapid.T) {
		size := scene.Vec{number.Draw(r, "x"), number.Draw(r, "y"), number.Draw(r, "z")}
		in := inertia(rapid.Float64Range(1e-9, 1e9).Draw(r, "mass"), size)
		for i := range in {
			one, two, three := float32(in[i]), float32(in[(i+1)%3]), float32(in[(i+2)%3])
			if !(one > 0) || float64(one) > float64(two)+float64(three) {
				r.Fatalf("%v: %v", size, in)
			}
		}
	})
}
