package staging

import (
	"math"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
)

// Falls is the first node that would fall out of the picture: a body with weight that
// nothing is below; -1 where there is none. Viewers put a floor that is not seen
// under such a scene.
func Falls(s *scene.Scene) int {
	if g := s.Environment.Gravity; g != nil && g[1] >= 0 {
		return -1
	}
	type body struct{ at, lo, hi vec.Vec }
	var below []body
	falling := map[int]body{}
	first := -1
	world := make([]vec.Mat, len(s.Nodes))
	for i := range s.Nodes {
		n := &s.Nodes[i]
		m := vec.TRS(vec.At(n.T[0], n.T[1], n.T[2]), vec.Quat(n.R), vec.At(n.S[0], n.S[1], n.S[2]))
		if n.Parent >= 0 {
			m = world[n.Parent].Mul(m)
		}
		world[i] = m
		c := n.Collider
		if c == nil || c.Trigger || n.Prototype != "" {
			continue
		}
		at := m.Point(vec.At(c.Center[0], c.Center[1], c.Center[2]))
		x, y, z := m.Dir(vec.At(c.Size[0]/2, 0, 0)), m.Dir(vec.At(0, c.Size[1]/2, 0)), m.Dir(vec.At(0, 0, c.Size[2]/2))
		r := vec.At(math.Abs(x.X)+math.Abs(y.X)+math.Abs(z.X), math.Abs(x.Y)+math.Abs(y.Y)+math.Abs(z.Y), math.Abs(x.Z)+math.Abs(y.Z)+math.Abs(z.Z))
		b := body{at, at.Sub(r), at.Add(r)}
		if n.Body == nil || n.Body.Type != "dynamic" || n.Joint != nil {
			below = append(below, b)
		} else if n.Body.Gravity != 0 && len(falling) < mostJudged {
			falling[i] = b
			if first < 0 {
				first = i
			}
		}
	}
	for i := first; i >= 0 && i < len(s.Nodes); i++ {
		f, ok := falling[i]
		if !ok {
			continue
		}
		stands := false
		for k := range below {
			b := &below[k]
			if b.lo.Y < f.at.Y && f.at.X >= b.lo.X && f.at.X <= b.hi.X && f.at.Z >= b.lo.Z && f.at.Z <= b.hi.Z {
				stands = true
				break
			}
		}
		if !stands {
			return i
		}
	}
	return -1
}
