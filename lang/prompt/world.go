package prompt

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/sfc32"
)

type vec [3]float64

func (v vec) plus(o vec) vec { return vec{v[0] + o[0], v[1] + o[1], v[2] + o[2]} }

// bounds is a box in the world.
type bounds struct{ min, max vec }

func (b bounds) shifted(by vec) bounds { return bounds{b.min.plus(by), b.max.plus(by)} }

func (b bounds) grown(by float64) bounds {
	return bounds{vec{b.min[0] - by, b.min[1], b.min[2] - by}, vec{b.max[0] + by, b.max[1], b.max[2] + by}}
}

func (b bounds) join(o bounds) bounds {
	for i := range b.min {
		b.min[i], b.max[i] = min(b.min[i], o.min[i]), max(b.max[i], o.max[i])
	}
	return b
}

// meets says whether two boxes share more than a touch.
func (b bounds) meets(o bounds) bool {
	for i := range b.min {
		if b.max[i]-o.min[i] <= touch || o.max[i]-b.min[i] <= touch {
			return false
		}
	}
	return true
}

func (b bounds) middle() vec {
	return vec{(b.min[0] + b.max[0]) / 2, (b.min[1] + b.max[1]) / 2, (b.min[2] + b.max[2]) / 2}
}

// item is a thing of the scene: one that was there, or one that is planned.
type item struct {
	noun  *noun
	name  string
	at    vec      // of its origin, which is the foot of a planned one
	local []bounds // its solids around at
	parts []part   // of a planned one
	yaw   float64  // degrees that it is turned by

	hue, color, material, text string
	does                       []string
	click                      []effect
	free                       bool // it was asked to be where it meets others, or to hang

	node    *scene.Node // of one that was there
	inside  []scene.Node
	factor  vec // by which one that was there is stretched
	removed bool
	moved   bool
	paint   string // new colour and material
	coat    string
	called  string // new name; of a copy the node that it is made from
	copied  bool
}

func (it *item) boxes() []bounds {
	out := make([]bounds, len(it.local))
	for i, b := range it.local {
		out[i] = b.shifted(it.at)
	}
	return out
}

func (it *item) whole() bounds {
	if len(it.local) == 0 {
		return bounds{it.at, it.at}
	}
	b := it.local[0]
	for _, o := range it.local[1:] {
		b = b.join(o)
	}
	return b.shifted(it.at)
}

// measure works the solids of a planned item out.
func (it *item) measure() {
	it.local = it.local[:0]
	for _, p := range it.parts {
		if p.light || p.lettering {
			continue
		}
		size := p.size
		if p.turn[0] != 0 {
			size[1], size[2] = size[2], size[1]
		}
		half := vec{size[0] / 2, size[1] / 2, size[2] / 2}
		it.local = append(it.local, turned(bounds{vec{p.at[0] - half[0], p.at[1] - half[1], p.at[2] - half[2]}, p.at.plus(half)}, it.yaw))
	}
}

// turned is the box around a box that is turned around the origin.
func turned(b bounds, yaw float64) bounds {
	if yaw == 0 {
		return b
	}
	s, c := math.Sincos(yaw * math.Pi / 180)
	out := bounds{vec{math.Inf(1), b.min[1], math.Inf(1)}, vec{math.Inf(-1), b.max[1], math.Inf(-1)}}
	for _, x := range []float64{b.min[0], b.max[0]} {
		for _, z := range []float64{b.min[2], b.max[2]} {
			px, pz := c*x+s*z, c*z-s*x
			out.min[0], out.max[0] = min(out.min[0], px), max(out.max[0], px)
			out.min[2], out.max[2] = min(out.min[2], pz), max(out.max[2], pz)
		}
	}
	return out
}

// stretch makes an item bigger or smaller; its foot stays where it is.
func (it *item) stretch(f vec) {
	foot := it.whole().min[1]
	if it.node == nil {
		for i := range it.parts {
			p := &it.parts[i]
			size := f
			if p.turn[0] != 0 {
				size = vec{f[0], f[2], f[1]}
			}
			for k := range f {
				p.at[k] *= f[k]
				p.size[k] *= size[k]
			}
		}
		it.measure()
		return
	}
	for i := range it.local {
		for k := range f {
			it.local[i].min[k] *= f[k]
			it.local[i].max[k] *= f[k]
		}
	}
	for k := range f {
		it.factor[k] *= f[k]
	}
	if up := foot - it.whole().min[1]; math.Abs(up) > 1e-9 {
		it.at[1] += up
		it.moved = true
	}
}

func (it *item) turn(degrees float64) {
	it.yaw = math.Mod(it.yaw+degrees, 360)
	if it.node == nil {
		it.measure()
		return
	}
	for i := range it.local {
		it.local[i] = turned(it.local[i], degrees)
	}
}

// world is the scene while a prompt is carried out.
type world struct {
	items  []*item
	ground *item
	names  map[string]bool
	last   []*item
	rng    sfc32.Rand
	around float64 // the direction in which places are looked for first
	notes  []string
	camera bool
	light  bool
	sets   []string // surroundings, in order
	cover  string   // colour of the ground
	parts  int
}

// newWorld reads what is there: the nodes right below the scene.
func newWorld(s *scene.Scene, seed uint64) *world {
	w := &world{names: map[string]bool{}, rng: sfc32.New([4]uint32{uint32(seed), uint32(seed >> 32), 0, 1})}
	w.around = w.rng.Float() * 2 * math.Pi
	boxes := worldBoxes(s)
	for i := range s.Nodes {
		n := &s.Nodes[i]
		w.light = w.light || n.Light != nil
		w.camera = w.camera || n.Camera != nil
		if n.Parent >= 0 {
			continue
		}
		w.names[n.Name] = true
		if n.Light != nil && n.Geometry == nil || n.Camera != nil {
			continue
		}
		it := &item{name: n.Name, at: vec(n.T), node: n, factor: vec{1, 1, 1}, noun: nounOf(n, s)}
		for k := i; k < len(s.Nodes); k++ {
			if below(s, k, i) {
				if k != i {
					it.inside = append(it.inside, s.Nodes[k])
				}
				if boxes[k] != nil {
					it.local = append(it.local, boxes[k].shifted(vec{-it.at[0], -it.at[1], -it.at[2]}))
				}
				if m := s.Nodes[k].Material; m != nil && it.hue == "" {
					it.color = s.Materials[*m].BaseColor
					it.hue = hueOf(it.color)
				}
			}
		}
		if it.noun != nil && it.noun.flat && w.ground == nil {
			w.ground = it
			continue
		}
		w.items = append(w.items, it)
	}
	if len(w.items) > 0 {
		w.last = w.items[len(w.items)-1:]
	}
	return w
}

func below(s *scene.Scene, i, root int) bool {
	for ; i >= 0; i = s.Nodes[i].Parent {
		if i == root {
			return true
		}
	}
	return false
}

// worldBoxes are the boxes around the solids of a scene, nil where there is none.
func worldBoxes(s *scene.Scene) []*bounds {
	out := make([]*bounds, len(s.Nodes))
	places := make([]func(vec) vec, len(s.Nodes))
	for i := range s.Nodes {
		n := &s.Nodes[i]
		above := func(v vec) vec { return v }
		if n.Parent >= 0 {
			above = places[n.Parent]
		}
		places[i] = func(v vec) vec {
			return above(rotated(n.R, vec{v[0] * n.S[0], v[1] * n.S[1], v[2] * n.S[2]}).plus(vec(n.T)))
		}
		if n.Geometry == nil {
			continue
		}
		size := s.Geometries[*n.Geometry].Bounds()
		b := bounds{vec{math.Inf(1), math.Inf(1), math.Inf(1)}, vec{math.Inf(-1), math.Inf(-1), math.Inf(-1)}}
		for c := range 8 {
			p := vec{size[0] / 2, size[1] / 2, size[2] / 2}
			for k := range p {
				if c>>k&1 == 0 {
					p[k] = -p[k]
				}
			}
			at := places[i](p)
			b = b.join(bounds{at, at})
		}
		out[i] = &b
	}
	return out
}

func rotated(q scene.Quat, v vec) vec {
	x, y, z, w := q[0], q[1], q[2], q[3]
	return vec{
		(1-2*(y*y+z*z))*v[0] + 2*(x*y-z*w)*v[1] + 2*(x*z+y*w)*v[2],
		2*(x*y+z*w)*v[0] + (1-2*(x*x+z*z))*v[1] + 2*(y*z-x*w)*v[2],
		2*(x*z-y*w)*v[0] + 2*(y*z+x*w)*v[1] + (1-2*(x*x+y*y))*v[2],
	}
}

// nounOf is what a node is by its name, else by its shape.
func nounOf(n *scene.Node, s *scene.Scene) *noun {
	fields := strings.FieldsFunc(strings.ToLower(n.Name+" "+n.Template), func(r rune) bool { return r < 'a' || r > 'z' })
	for i := len(fields) - 1; i >= 0; i-- {
		if f, ok := nounForms[fields[i]]; ok {
			return f.noun
		}
	}
	if n.Geometry == nil {
		return nil
	}
	word := map[string]string{"box": "box", "sphere": "ball", "cylinder": "cylinder", "cone": "cone", "plane": "floor", "torus": "ring", "capsule": "capsule", "pyramid": "pyramid", "wedge": "ramp"}[s.Geometries[*n.Geometry].Kind]
	return nounForms[word].noun
}

// called gives a name that no other node of the scene has.
func (w *world) called(base string) string {
	name := base
	for k := 2; w.names[name]; k++ {
		name = base + " " + strconv.Itoa(k)
	}
	w.names[name] = true
	return name
}

// find are the items that a phrase may mean.
func (w *world) find(ph phrase) []*item {
	var out []*item
	for _, it := range w.items {
		if !it.removed && it.noun == ph.noun && it.noun != nil && it.looks(ph) {
			out = append(out, it)
		}
	}
	if w.ground != nil && !w.ground.removed && ph.noun != nil && ph.noun.flat {
		out = append(out, w.ground)
	}
	if ph.size != 0 && len(out) > 1 && !ph.every && !ph.plural { // the big one
		slices.SortStableFunc(out, func(a, b *item) int {
			if d := volume(a) - volume(b); d < 0 {
				return -1
			} else if d > 0 {
				return 1
			}
			return 0
		})
		if ph.size > 1 {
			slices.Reverse(out)
		}
		if volume(out[0]) != volume(out[1]) {
			out = out[:1]
		}
	}
	return out
}

func volume(it *item) float64 {
	b := it.whole()
	return (b.max[0] - b.min[0]) * (b.max[1] - b.min[1]) * (b.max[2] - b.min[2])
}

// looks says whether an item has the colour and the material of a phrase.
func (it *item) looks(ph phrase) bool {
	color, hue := it.color, it.hue
	if it.paint != "" {
		color, hue = it.paint, hueOf(it.paint)
	}
	words := strings.Fields(strings.ToLower(it.name))
	if ph.color != "" && !strings.HasPrefix(color, ph.color) {
		base := ph.hue[strings.LastIndexByte(ph.hue, ' ')+1:]
		if hue != base && (it.paint != "" || !slices.Contains(words, base)) {
			return false
		}
	}
	if ph.material != "" && it.material != ph.material && it.coat != ph.material && !slices.Contains(words, strings.ToLower(materialNames[ph.material])) {
		return false
	}
	return true
}

// hueOf is the basic colour that is nearest to a colour.
func hueOf(color string) string {
	best, name := math.Inf(1), ""
	r, g, b := rgb(color)
	for _, c := range sortedColors {
		x, y, z := rgb(colors[c])
		if d := (r-x)*(r-x) + (g-y)*(g-y) + (b-z)*(b-z); d < best {
			best, name = d, c
		}
	}
	return name
}

var sortedColors = func() []string {
	var out []string
	for c := range colors {
		out = append(out, c)
	}
	slices.Sort(out)
	return out
}()

func rgb(color string) (r, g, b float64) {
	n, err := strconv.ParseUint(strings.TrimPrefix(color, "#")[:min(6, len(color)-1)], 16, 32)
	if err != nil {
		return 0, 0, 0
	}
	return float64(n >> 16 & 255), float64(n >> 8 & 255), float64(n & 255)
}

// shade is a colour made lighter or darker.
func shade(color, how string) string {
	r, g, b := rgb(color)
	mix := func(c float64) float64 {
		if how == "light" {
			return c + (255-c)*0.5
		}
		return c * 0.55
	}
	hex := func(c float64) string {
		s := strconv.FormatInt(int64(math.Round(mix(c))), 16)
		return strings.Repeat("0", 2-len(s)) + s
	}
	return "#" + hex(r) + hex(g) + hex(b)
}

// longHex is #rgb as #rrggbb.
func longHex(c string) string {
	if len(c) == 4 {
		return "#" + strings.Repeat(c[1:2], 2) + strings.Repeat(c[2:3], 2) + strings.Repeat(c[3:4], 2)
	}
	return c
}
