// Package estimate computes what a scene costs before anything is made of it: how
// many triangles, and how many bytes. Every target, the still picture of pages
// and the rasteriser ask it first, so that a short source that means a great deal
// is refused at once and not after the memory is gone.
//
// An estimate is never below what is made by more than a target's own
// boilerplate, and near it: the tests of package target check both.
package estimate

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// Use says how often a target makes the mesh of a solid.
type Use uint8

// The uses. The zero value is the dearest, so a target that says nothing is
// counted in full.
const (
	Each  Use = iota // on every node that has it
	Look             // once with each material
	Once             // once, however many nodes have it
	Never            // the engine that shows the artefact has solids of its own
)

// Meshes says what a target makes of solids and texts. The zero value counts
// everything.
type Meshes struct {
	Use       Use
	NoLetters bool // texts are written as texts, not as triangles
	// Plain are the kinds of solids that the format has itself; they are no meshes
	// as long as they have a size and are not stretched.
	Plain []string
	// Triangle and Vertex are the bytes that one takes in the artefact; 0 is
	// DefaultTriangle and DefaultVertex.
	Triangle, Vertex int
}

// What a triangle and a vertex take in an artefact of text.
const (
	DefaultTriangle = 40
	DefaultVertex   = 100
)

// Cost is what a scene costs.
type Cost struct {
	Nodes     int
	Triangles int // that are made
	Vertices  int
	Traits    int // of all nodes
	Texts     int // characters of the texts at nodes, which are set glyph by glyph
	Bytes     int // of the meshes in the artefact
	// Data are the bytes of the scene as a document: names, settings, traits and
	// blocks, indented, with what has to be escaped.
	Data int
}

// Limits are the most that a cost may be.
type Limits struct {
	Triangles int // LIM006
	Texts     int // LIM007
	Size      int // LIM006: bytes of the artefact
}

// Excess is the first limit that a cost is over.
type Excess struct {
	Code       diag.Code // LIM006 or LIM007
	What       string
	Have, Most int
}

// Error implements error.
func (e *Excess) Error() string { return diag.Message(e.Code, e.Slots()...) }

// Slots are what the diagnostic says.
func (e *Excess) Slots() []string {
	return []string{e.What, strconv.Itoa(e.Have), strconv.Itoa(e.Most)}
}

// Check counts a scene for a target, and stops at the first limit that it is
// over, which is nil when there is none. So its time is bounded by the limits and
// the number of nodes, not by what the scene would become.
func Check(s *scene.Scene, m Meshes, most Limits) (Cost, *Excess) {
	c := counting{s: s, m: m, most: most}
	c.nodes(nil)
	if c.over == nil {
		c.data()
	}
	return c.cost, c.over
}

// Drawn counts what a picture draws: the solids and letters of the nodes that are
// not hidden.
func Drawn(s *scene.Scene, hidden []bool, triangles int) (Cost, *Excess) {
	c := counting{s: s, most: Limits{Triangles: triangles, Texts: triangles}}
	c.nodes(hidden)
	return c.cost, c.over
}

type counting struct {
	s     *scene.Scene
	m     Meshes
	most  Limits
	cost  Cost
	over  *Excess
	left  int // bytes of data that may still come
	known map[string]int
}

func (c *counting) nodes(hidden []bool) {
	made := map[[2]int]bool{}
	for i := range c.s.Nodes {
		n := &c.s.Nodes[i]
		c.cost.Nodes++
		c.cost.Traits += len(n.Traits)
		if n.Text != nil && (hidden == nil || !hidden[i]) {
			c.texts(n.Text.Value)
		}
		if c.over != nil {
			return
		}
		if c.m.Use == Never || n.Material == nil && n.Collider == nil || hidden != nil && hidden[i] {
			continue
		}
		if k := n.Geometry; k != nil {
			g, key := &c.s.Geometries[*k], [2]int{*k, -1}
			if c.m.Use == Look && n.Material != nil {
				key[1] = *n.Material
			}
			if !c.plain(g) && (c.m.Use == Each && n.Material != nil || !made[key]) {
				c.mesh(g.Triangles(), g.Vertices())
			}
			if n.Collider != nil && n.Collider.Shape == "mesh" && hidden == nil {
				c.mesh(g.Triangles(), g.Vertices())
			}
			made[key] = true
		}
		if n.Text != nil && n.Material != nil && !c.m.NoLetters {
			t := shape.TextTriangles(n.Text.Value)
			c.mesh(t, 2*t)
		}
		if c.over != nil {
			return
		}
	}
}

func (c *counting) plain(g *scene.Geometry) bool {
	if !slices.Contains(c.m.Plain, g.Kind) || !g.Stretch.IsZero() {
		return false
	}
	return g.Kind == "box" || g.Radius > 0 && (g.Height > 0 || g.Kind == "sphere")
}

func (c *counting) texts(t string) {
	if c.cost.Texts += min(utf8.RuneCountInString(t), shape.MaxText); c.cost.Texts > c.most.Texts {
		c.over = &Excess{"LIM007", "the number of characters of texts", c.cost.Texts, c.most.Texts}
	}
}

// mesh counts one mesh.
func (c *counting) mesh(triangles, vertices int) {
	c.cost.Triangles += triangles
	c.cost.Vertices += vertices
	per, each := c.m.Triangle, c.m.Vertex
	if per == 0 && each == 0 {
		per, each = DefaultTriangle, DefaultVertex
	}
	c.cost.Bytes += triangles*per + vertices*each
	if c.cost.Triangles > c.most.Triangles {
		c.over = &Excess{"LIM006", "the number of triangles", c.cost.Triangles, c.most.Triangles}
	} else if c.most.Size > 0 && c.cost.Bytes > c.most.Size {
		c.over = &Excess{"LIM006", "the size of the artefact", c.cost.Bytes, c.most.Size}
	}
}

// What pieces of a document take beside their texts.
const (
	nodeBytes  = 320 // a node's own members
	pieceBytes = 160 // a geometry, a material, an asset, a domain block, a step
	keyBytes   = 24  // of a key frame's number
	baseIndent = 8   // columns that members of a node are indented by
	bodyBytes  = 600 // light, camera, sound, body, collider, joint and particles of a node
)

// data counts the scene as a document.
func (c *counting) data() {
	c.left = c.most.Size
	c.known = map[string]int{}
	s := c.s
	for i := range s.Nodes {
		n := &s.Nodes[i]
		c.add(nodeBytes)
		if n.Light != nil || n.Camera != nil || n.Audio != nil || n.Body != nil || n.Collider != nil || n.Joint != nil {
			c.add(bodyBytes)
		}
		for _, t := range []string{n.Path, n.Name, n.Kind, n.Template, n.Label, n.Alt} {
			c.text(t)
		}
		if n.Text != nil {
			c.text(n.Text.Value)
		}
		for _, t := range n.Interact {
			c.text(t)
		}
		c.value(n.Extras, baseIndent)
		c.value(n.Particle, baseIndent)
		for k := range n.Traits {
			c.add(pieceBytes / 2)
			c.text(n.Traits[k].Name)
			c.value(n.Traits[k].Params, baseIndent+4)
		}
		if c.over != nil {
			return
		}
	}
	c.add((len(s.Geometries) + 2*len(s.Materials) + len(s.Assets)) * pieceBytes)
	for i := range s.Assets {
		c.text(s.Assets[i].Path)
	}
	for i := range s.Animations {
		for _, k := range s.Animations[i].Keys {
			c.add(pieceBytes/4 + len(k)*keyBytes)
		}
		c.add(pieceBytes)
	}
	for i := range s.Timelines {
		for k := range s.Timelines[i].Steps {
			c.add(pieceBytes / 2)
			c.value(s.Timelines[i].Steps[k].Action, baseIndent+4)
		}
	}
	c.widgets(s.UI, baseIndent)
	for _, list := range [][]scene.Domain{s.Domain, s.Pipelines, s.Agents} {
		for i := range list {
			c.add(pieceBytes)
			c.text(list[i].Name)
			c.value(list[i].Data, baseIndent)
		}
	}
	c.value(s.Metadata, baseIndent)
}

func (c *counting) widgets(list []scene.Widget, indent int) {
	for i := range list {
		w := &list[i]
		c.add(pieceBytes + 8*indent)
		c.text(w.ID)
		c.text(w.Label)
		c.value(w.Value, indent)
		c.value(w.Params, indent)
		if c.over != nil {
			return
		}
		c.widgets(w.Children, indent+4)
	}
}

// value counts a value whose members are indented by so many columns.
func (c *counting) value(v scene.Value, indent int) {
	switch v.Kind {
	case trait.List:
		c.add((len(v.List) + 1) * (indent + 4))
		for i := range v.List {
			if c.over != nil {
				return
			}
			c.value(v.List[i], indent+2)
		}
	case trait.Map:
		c.add((len(v.Fields) + 1) * (indent + 8))
		for i := range v.Fields {
			if c.over != nil {
				return
			}
			c.text(v.Fields[i].Key)
			c.value(v.Fields[i].Value, indent+2)
		}
	case trait.Number:
		c.add(len(v.Unit) + 12)
	case trait.Unknown:
	default:
		c.add(6)
		c.text(v.Str)
	}
}

// text counts a text as it is written where most has to be escaped. Long ones
// stand at many places, and are looked through once.
func (c *counting) text(t string) {
	if c.over != nil {
		return
	}
	if len(t) < 64 {
		c.add(escaped(t))
		return
	}
	n, there := c.known[t]
	if !there {
		n = escaped(t)
		c.known[t] = n
	}
	c.add(n)
}

func escaped(t string) int {
	n := len(t)
	for i := 0; i < len(t); i++ {
		switch b := t[i]; {
		case b < ' ' || b == '"' || b == '\\' || b == '<' || b == '>' || b == '&' || b == '\'':
			n += 5
		case b >= 0x80:
			n++
		}
	}
	return n
}

func (c *counting) add(bytes int) {
	c.cost.Data += bytes
	if c.left -= bytes; c.left < 0 && c.over == nil {
		c.over = &Excess{"LIM006", "the data of the scene in bytes", c.cost.Data, c.most.Size}
	}
}
