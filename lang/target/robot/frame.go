// Package robot writes scenes for robot simulators: URDF, one tree of links and
// joints, SDF, a world with its models, and MJCF, the bodies of MuJoCo. All have
// X forward and Z up; sizes are metres, angles radians, those of URDF and SDF
// about fixed axes.
package robot

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// frame is where a node is in the world, in the axes of the model.
type frame struct {
	at    vec.Vec
	turn  vec.Quat
	scale scene.Vec // of its solids; frames themselves have none
}

// frames are the places of all nodes.
func frames(s *scene.Scene) []frame {
	world := artefact.World(s)
	out := make([]frame, len(s.Nodes))
	for i := range s.Nodes {
		n := &s.Nodes[i]
		f := frame{at: world[i].Point(vec.Vec{}), turn: vec.Quat(n.R), scale: scene.Vec(n.S)}
		if n.Parent >= 0 {
			up := out[n.Parent]
			f.turn = times(up.turn, f.turn)
			for k := range 3 {
				f.scale[k] *= up.scale[k]
			}
		}
		out[i] = f
	}
	return out
}

func times(a, c vec.Quat) vec.Quat {
	m := func(x, y float64) float64 { return float64(x * y) }
	return vec.Quat{
		m(a[3], c[0]) + m(a[0], c[3]) + m(a[1], c[2]) - m(a[2], c[1]),
		m(a[3], c[1]) - m(a[0], c[2]) + m(a[1], c[3]) + m(a[2], c[0]),
		m(a[3], c[2]) + m(a[0], c[1]) - m(a[1], c[0]) + m(a[2], c[3]),
		m(a[3], c[3]) - m(a[0], c[0]) - m(a[1], c[1]) - m(a[2], c[2]),
	}
}

// below is a frame as another one sees it.
func (f frame) below(up frame) frame {
	back := vec.Quat{-up.turn[0], -up.turn[1], -up.turn[2], up.turn[3]}
	turn := vec.TRS(vec.Vec{}, back, vec.At(1, 1, 1))
	return frame{at: turn.Point(f.at.Sub(up.at)), turn: times(back, f.turn), scale: f.scale}
}

var origin = frame{turn: vec.Quat{3: 1}, scale: scene.Vec{1, 1, 1}}

// axes turns a direction of the model into the robot's axes.
func axes(v vec.Vec) vec.Vec { return vec.At(-v.Z, -v.X, v.Y) }

// sizes are the three sizes in the robot's axes.
func sizes(v scene.Vec) [3]float64 { return [3]float64{v[2], v[0], v[1]} }

// pose is the place as x y z and the turn as roll, pitch and yaw.
func (f frame) pose() (xyz, rpy string) {
	p := axes(f.at)
	x, y, z, w := -f.turn[2], -f.turn[0], f.turn[1], f.turn[3]
	m := func(a, b float64) float64 { return float64(a * b) }
	roll := math.Atan2(2*(m(w, x)+m(y, z)), 1-2*(m(x, x)+m(y, y)))
	s := 2 * (m(w, y) - m(z, x))
	pitch := 0.0
	if math.Abs(s) >= 1 {
		pitch = math.Copysign(math.Pi/2, s)
	} else {
		pitch = math.Atan2(s, math.Sqrt(1-m(s, s)))
	}
	yaw := math.Atan2(2*(m(w, z)+m(x, y)), 1-2*(m(y, y)+m(z, z)))
	return triple(p.X, p.Y, p.Z), triple(fine(roll), fine(pitch), fine(yaw))
}

// fine rounds an angle to a ten-thousandth of a degree, where the functions of
// two machines agree.
func fine(a float64) float64 { return math.Round(a*1e6) / 1e6 }

func triple(x, y, z float64) string {
	return artefact.Float(x) + " " + artefact.Float(y) + " " + artefact.Float(z)
}

// names gives every node a name of letters, digits and _ that no other has.
type names struct {
	taken map[string]bool
	notes []artefact.Note
}

func (t *names) name(in *artefact.Input, n *scene.Node) string {
	var b strings.Builder
	for _, r := range n.Path {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			b.WriteRune(r)
		} else {
			b.WriteByte('_')
		}
	}
	base := b.String()
	if strings.Trim(base, "_-") == "" {
		base = n.ID
	}
	if base[0] == '_' && len(base) > 1 && base[1] == '_' { // reserved in SDF
		base = "n" + base
	}
	name := base
	for k := 2; t.taken[name]; k++ {
		name = base + "_" + strconv.Itoa(k)
	}
	t.taken[name] = true
	if name != n.Path {
		t.notes = append(t.notes, artefact.Note{Code: "TGT007", Src: n.Src, Slots: []string{n.Path, name, in.Target}})
	}
	return name
}

// solid is a shape that the formats know: box, sphere or cylinder, with its
// sizes in the axes of the model.
type solid struct {
	kind           string
	size           scene.Vec
	radius, length float64
}

// shapeOf is the shape of a node's geometry, and whether it is exact.
func shapeOf(g *scene.Geometry, scale scene.Vec) (solid, bool) {
	size := g.Bounds()
	for k := range 3 {
		size[k] = math.Max(math.Abs(size[k]*scale[k]), 1e-4)
	}
	round := math.Abs(size[0]-size[2]) < 1e-6*size[0]
	switch {
	case g.Kind == "sphere" && round && math.Abs(size[0]-size[1]) < 1e-6*size[0]:
		return solid{kind: "sphere", size: size, radius: size[0] / 2}, true
	case (g.Kind == "cylinder" || g.Kind == "disc") && round:
		return solid{kind: "cylinder", size: size, radius: size[0] / 2, length: size[1]}, true
	case g.Kind == "capsule" && round:
		return solid{kind: "capsule", size: size, radius: size[0] / 2, length: math.Max(size[1]-size[0], 1e-4)}, false
	}
	return solid{kind: "box", size: size}, g.Kind == "box" || g.Kind == "plane"
}

// inertia is that of a box of a mass, about the robot's axes.
func inertia(mass float64, size scene.Vec) [3]float64 {
	s := sizes(size)
	sq := func(i int) float64 { return float64(s[i] * s[i]) }
	out := [3]float64{mass * (sq(1) + sq(2)) / 12, mass * (sq(0) + sq(2)) / 12, mass * (sq(0) + sq(1)) / 12}
	most := slices.Max(out[:])
	for i := range out { // nothing is a line, or the others would differ by less than single precision shows
		out[i] = max(out[i], 1e-9, 1e-5*most)
	}
	i := slices.Index(out[:], slices.Max(out[:])) // of a flat box two make up the third; as printed it must not be more
	out[i] = min(out[i], (out[(i+1)%3]+out[(i+2)%3])*(1-1e-6))
	return out
}

func mass(n *scene.Node) float64 {
	if n.Body != nil {
		return float64(n.Body.Mass)
	}
	return 1
}

// joined is the node that a node's joint attaches it to: the one it names, unless
// that is below it, else the one above.
func joined(s *scene.Scene, i int, index map[string]int) int {
	n := &s.Nodes[i]
	if n.Joint == nil || n.Joint.To == "" {
		return n.Parent
	}
	to, ok := index[n.Joint.To]
	if !ok {
		return n.Parent
	}
	return to
}

// parents are the nodes above in the tree of links: joints first, and where they
// would make a circle the tree of the scene.
func parents(s *scene.Scene) []int {
	index := map[string]int{}
	for i := range s.Nodes {
		index[s.Nodes[i].ID] = i
	}
	out := make([]int, len(s.Nodes))
	for i := range s.Nodes {
		out[i] = s.Nodes[i].Parent
	}
	for i := range s.Nodes {
		up := joined(s, i, index)
		want := up
		for up >= 0 && up != i { // what stands so far has no circle
			up = out[up]
		}
		if up < 0 {
			out[i] = want
		}
	}
	return out
}
