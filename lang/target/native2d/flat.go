package native2d

import (
	"math"
	"slices"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// perMetre are the pixels of a metre. Y points down on a page.
const perMetre = 100

// What of a page's sheet can be scrolled to, in pixels.
const (
	maxReach = 10_000 // from the origin
	maxHalf  = 1000   // of a thing that is wider than twice this, the middle; the rest is backdrop
	margin   = 100
)

// turned is what a rotation leaves on a page: the turn around Z, and the rest,
// which only changes how wide and high a thing looks.
type turned struct {
	cos, sin float64
	rest     [3][3]float64
}

// turn takes a unit quaternion apart: rotation = Rz · rest.
func turn(q scene.Quat) turned {
	p := func(a, b int) float64 { return float64(2 * float64(q[a]*q[b])) }
	m := [3][3]float64{
		{1 - p(1, 1) - p(2, 2), p(0, 1) - p(3, 2), p(0, 2) + p(3, 1)},
		{p(0, 1) + p(3, 2), 1 - p(0, 0) - p(2, 2), p(1, 2) - p(3, 0)},
		{p(0, 2) - p(3, 1), p(1, 2) + p(3, 0), 1 - p(0, 0) - p(1, 1)},
	}
	t := turned{cos: 1}
	if n := math.Sqrt(float64(m[0][0]*m[0][0]) + float64(m[0][1]*m[0][1])); n > 1e-6 {
		t.cos, t.sin = round(m[0][0]/n), round(-m[0][1]/n)
	}
	for k := range 3 {
		t.rest[0][k] = float64(t.cos*m[0][k]) + float64(t.sin*m[1][k])
		t.rest[1][k] = float64(t.cos*m[1][k]) - float64(t.sin*m[0][k])
		t.rest[2][k] = m[2][k]
	}
	return t
}

// round keeps six digits: quaternions have no more.
func round(x float64) float64 { return math.Floor(float64(x*1e6)+0.5) / 1e6 }

// extent is how wide and high a box is behind the turn around Z.
func (t turned) extent(b scene.Vec) (w, h float64) {
	sum := func(row [3]float64) float64 {
		return float64(math.Abs(row[0])*b[0]) + float64(math.Abs(row[1])*b[1]) + float64(math.Abs(row[2])*b[2])
	}
	return round(sum(t.rest[0])), round(sum(t.rest[1]))
}

// matrix is a transform of a page: x' = a·x + c·y + e, y' = b·x + d·y + f.
type matrix [6]float64

// place is where a node stands in its parent, in pixels.
func place(t scene.Vec, r turned, s scene.UnitVec) matrix {
	return matrix{
		float64(r.cos * s[0]), float64(-r.sin * s[0]), float64(r.sin * s[1]), float64(r.cos * s[1]), float64(t[0] * perMetre), float64(-t[1] * perMetre),
	}
}

func (m matrix) mul(n matrix) matrix {
	p := func(a, b, c, d float64) float64 { return float64(a*b) + float64(c*d) }
	return matrix{
		p(m[0], n[0], m[2], n[1]), p(m[1], n[0], m[3], n[1]), p(m[0], n[2], m[2], n[3]), p(m[1], n[2], m[3], n[3]),
		p(m[0], n[4], m[2], n[5]) + m[4], p(m[1], n[4], m[3], n[5]) + m[5],
	}
}

// spot is how a node stands on the page.
type spot struct {
	turn  turned
	local matrix
	world matrix
	scale [2]float64 // of the node and all above, without signs; a face undoes it
}

// spots are the places of all nodes.
func spots(s *scene.Scene) []spot {
	out := make([]spot, len(s.Nodes))
	for i := range s.Nodes {
		n := &s.Nodes[i]
		p := spot{turn: turn(n.R), scale: [2]float64{math.Abs(n.S[0]), math.Abs(n.S[1])}}
		p.local = place(n.T, p.turn, n.S)
		p.world = p.local
		if n.Parent >= 0 {
			up := &out[n.Parent]
			p.world = up.world.mul(p.local)
			p.scale[0], p.scale[1] = float64(p.scale[0]*up.scale[0]), float64(p.scale[1]*up.scale[1])
		}
		out[i] = p
	}
	return out
}

// area is a rectangle of the page, in pixels around the origin.
type area struct{ left, top, right, bottom float64 }

func (a *area) take(x, y, w, h float64) {
	w, h = min(w, maxHalf), min(h, maxHalf)
	x, y = min(max(x, -maxReach), maxReach), min(max(y, -maxReach), maxReach)
	a.left, a.right = min(a.left, x-w), max(a.right, x+w)
	a.top, a.bottom = min(a.top, y-h), max(a.bottom, y+h)
}

// reach is the area of all faces, and of where their animations bring them.
func reach(s *scene.Scene, at []spot, faces []face) area {
	a := area{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for i := range faces {
		if f := &faces[i]; f.kind != none {
			m := at[i].world
			w, h := f.width/2, f.height/2
			a.take(m[4], m[5], float64(math.Abs(m[0])*w)+float64(math.Abs(m[2])*h), float64(math.Abs(m[1])*w)+float64(math.Abs(m[3])*h))
		}
	}
	if a.left > a.right {
		return area{}
	}
	for _, an := range s.Animations {
		part := slices.Index([]string{"t.x", "t.y", "t"}, an.Property)
		i := slices.IndexFunc(s.Nodes, func(n scene.Node) bool { return n.ID == an.Node })
		if part < 0 || i < 0 {
			continue
		}
		up := matrix{1, 0, 0, 1, 0, 0}
		if p := s.Nodes[i].Parent; p >= 0 {
			up = at[p].world
		}
		for _, key := range an.Keys {
			t := s.Nodes[i].T
			if part == 2 && len(key) > 3 {
				t = scene.Vec{key[1], key[2], key[3]}
			} else if part < 2 && len(key) > 1 {
				t[part] = key[1]
			}
			m := up.mul(place(t, at[i].turn, s.Nodes[i].S))
			a.take(m[4], m[5], 50, 50)
		}
	}
	a.left, a.top, a.right, a.bottom = math.Floor(a.left)-margin, math.Floor(a.top)-margin, math.Ceil(a.right)+margin, math.Ceil(a.bottom)+margin
	return a
}

// css prints a number of a style.
func css(x float64) string { return artefact.Float(x) }
