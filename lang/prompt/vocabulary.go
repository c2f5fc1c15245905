package prompt

import "strings"

// noun is a kind of thing that the rules can make.
type noun struct {
	name  string   // in names of nodes: Ball
	words []string // singular, the canonical first
	parts func() []part
	kind  string // of the node: object, text
	flat  bool   // it is the ground
}

// part is a solid of a thing. Places and sizes are in metres, the middle of the
// thing's foot being the origin.
type part struct {
	name     string
	geometry string
	size     vec
	at       vec // the middle of the part
	turn     vec // degrees
	color    string
	material string
	main     bool // it takes the colour and the material that are asked for
	glow     bool
	light    bool // a point light stands here

	lettering bool // the words of a sign
}

// solid is a thing of one part.
func solid(geometry string, size vec) func() []part {
	return func() []part {
		return []part{{geometry: geometry, size: size, at: vec{0, size[1] / 2, 0}, main: true}}
	}
}

// box is a part whose foot stands at a height.
func box(name string, size vec, x, foot, z float64, color string, main bool) part {
	return part{name: name, geometry: "box", size: size, at: vec{x, foot + size[1]/2, z}, color: color, main: main}
}

func shape(name, geometry string, size vec, x, foot, z float64, color string, main bool) part {
	p := box(name, size, x, foot, z, color, main)
	p.geometry = geometry
	return p
}

const (
	wooden = "#8a5a33"
	darkly = "#4a3423"
	grey   = "#8c8c88"
	leaf   = "#3f7d3a"
	brick  = "#b5573f"
	sheet  = "#e9e4d8"
	steel  = "#5c6670"
	flame  = "#ff9a2e"
)

// legs are four legs at the corners of a seat or top.
func legs(w, d, h, thick float64, color string) []part {
	var out []part
	for i, c := range [4][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		out = append(out, box("Leg "+string(rune('1'+i)), vec{thick, h, thick}, c[0]*(w-thick)/2, 0, c[1]*(d-thick)/2, color, true))
	}
	return out
}

// nouns is everything that can be made.
var nouns = []*noun{
	{name: "Box", words: []string{"cube", "box", "block", "crate"}, parts: solid("box", vec{1, 1, 1})},
	{name: "Ball", words: []string{"ball", "sphere", "orb"}, parts: solid("sphere", vec{1, 1, 1})},
	{name: "Cylinder", words: []string{"cylinder", "tube", "barrel"}, parts: solid("cylinder", vec{1, 1, 1})},
	{name: "Cone", words: []string{"cone"}, parts: solid("cone", vec{1, 1, 1})},
	{name: "Ground", words: []string{"floor", "plane", "ground"}, flat: true},
	{name: "Ring", words: []string{"ring", "torus", "donut"}, parts: func() []part {
		return []part{{geometry: "torus", size: vec{1, 0.23, 1}, at: vec{0, 0.115, 0}, main: true}}
	}},
	{name: "Capsule", words: []string{"capsule", "pill"}, parts: solid("capsule", vec{0.6, 1.6, 0.6})},
	{name: "Pyramid", words: []string{"pyramid"}, parts: solid("pyramid", vec{1, 1, 1})},
	{name: "Wall", words: []string{"wall"}, parts: solid("box", vec{4, 2.5, 0.2})},
	{name: "Ramp", words: []string{"ramp", "slope"}, parts: solid("wedge", vec{1.2, 0.6, 2})},
	{name: "Stairs", words: []string{"stairs", "staircase", "stair"}, parts: func() []part {
		var out []part
		for i := range 5 {
			h := 0.2 * float64(i+1)
			out = append(out, box("Step "+string(rune('1'+i)), vec{1.2, h, 0.3}, 0, 0, 0.6-0.3*float64(i), "", true))
		}
		return out
	}},
	{name: "Sign", words: []string{"sign", "text", "label"}, kind: "text", parts: func() []part {
		return []part{
			shape("Post", "cylinder", vec{0.08, 0.9, 0.08}, 0, 0, 0, darkly, false), box("Board", vec{1.4, 0.5, 0.05}, 0, 0.9, 0, sheet, true),
			{name: "Words", at: vec{0, 1.1, 0.04}, size: vec{1.2, 0.12, 0}, lettering: true, color: "#1a1a1a"},
		}
	}},

	{name: "Table", words: []string{"table"}, parts: func() []part {
		return append([]part{box("Top", vec{1.4, 0.06, 0.8}, 0, 0.7, 0, wooden, true)}, legs(1.3, 0.7, 0.7, 0.07, wooden)...)
	}},
	{name: "Chair", words: []string{"chair", "stool"}, parts: func() []part {
		return append([]part{
			box("Seat", vec{0.46, 0.05, 0.46}, 0, 0.42, 0, wooden, true),
			box("Back", vec{0.46, 0.48, 0.05}, 0, 0.47, -0.205, wooden, true),
		}, legs(0.44, 0.44, 0.42, 0.05, wooden)...)
	}},
	{name: "Bench", words: []string{"bench"}, parts: func() []part {
		return append([]part{box("Seat", vec{1.6, 0.06, 0.4}, 0, 0.4, 0, wooden, true)}, legs(1.5, 0.36, 0.4, 0.08, wooden)...)
	}},
	{name: "Sofa", words: []string{"sofa", "couch"}, parts: func() []part {
		return []part{
			box("Seat", vec{1.6, 0.42, 0.8}, 0, 0, 0.05, "#5b7a99", true),
			box("Back", vec{1.6, 0.85, 0.2}, 0, 0, -0.45, "#5b7a99", true),
			box("Left Arm", vec{0.2, 0.6, 1}, -0.9, 0, -0.05, "#5b7a99", true),
			box("Right Arm", vec{0.2, 0.6, 1}, 0.9, 0, -0.05, "#5b7a99", true),
		}
	}},
	{name: "Bed", words: []string{"bed"}, parts: func() []part {
		return []part{
			box("Frame", vec{1.5, 0.3, 2}, 0, 0, 0, wooden, false),
			box("Mattress", vec{1.44, 0.2, 1.94}, 0, 0.3, 0, sheet, true),
			box("Pillow", vec{1.1, 0.12, 0.4}, 0, 0.5, -0.72, "#ffffff", false),
			box("Head", vec{1.5, 0.9, 0.08}, 0, 0, -1.04, wooden, false),
		}
	}},
	{name: "Shelf", words: []string{"shelf", "bookshelf", "bookcase"}, parts: func() []part {
		return []part{
			box("Left Side", vec{0.05, 1.6, 0.35}, -0.525, 0, 0, wooden, true),
			box("Right Side", vec{0.05, 1.6, 0.35}, 0.525, 0, 0, wooden, true),
			box("Board 1", vec{1, 0.04, 0.35}, 0, 0.1, 0, wooden, true),
			box("Board 2", vec{1, 0.04, 0.35}, 0, 0.6, 0, wooden, true),
			box("Board 3", vec{1, 0.04, 0.35}, 0, 1.1, 0, wooden, true),
			box("Top", vec{1.1, 0.04, 0.35}, 0, 1.6, 0, wooden, true),
		}
	}},
	{name: "Desk", words: []string{"desk"}, parts: func() []part {
		return append(append([]part{box("Top", vec{1.5, 0.05, 0.75}, 0, 0.7, 0, wooden, true)}, legs(1.45, 0.7, 0.7, 0.06, wooden)...),
			box("Drawer", vec{0.4, 0.16, 0.5}, 0.4, 0.54, 0, darkly, false))
	}},
	{name: "Lamp", words: []string{"lamp"}, parts: func() []part {
		shade := shape("Shade", "cone", vec{0.3, 0.22, 0.3}, 0, 0.38, 0, "#ffe2a8", true)
		shade.glow = true
		return []part{
			shape("Foot", "cylinder", vec{0.2, 0.03, 0.2}, 0, 0, 0, steel, false),
			shape("Pole", "cylinder", vec{0.03, 0.35, 0.03}, 0, 0.03, 0, steel, false),
			shade, {name: "Bulb", at: vec{0, 0.5, 0}, light: true, color: "#ffe2a8"},
		}
	}},
	{name: "Door", words: []string{"door"}, parts: func() []part {
		return []part{
			box("Panel", vec{0.9, 2, 0.06}, 0, 0, 0, wooden, true),
			box("Left Post", vec{0.1, 2.1, 0.12}, -0.5, 0, 0, darkly, false),
			box("Right Post", vec{0.1, 2.1, 0.12}, 0.5, 0, 0, darkly, false),
			box("Lintel", vec{0.9, 0.1, 0.12}, 0, 2, 0, darkly, false),
			shape("Knob", "sphere", vec{0.07, 0.07, 0.07}, 0.36, 0.97, 0.065, "#d8b45a", false),
		}
	}},
	{name: "Window", words: []string{"window"}, parts: func() []part {
		pane := box("Pane", vec{1, 1, 0.03}, 0, 0.1, 0, "", false)
		pane.material = "glass"
		return []part{
			pane,
			box("Sill", vec{1.2, 0.1, 0.14}, 0, 0, 0, sheet, true), box("Head", vec{1.2, 0.1, 0.1}, 0, 1.1, 0, sheet, true),
			box("Left Post", vec{0.1, 1, 0.1}, -0.55, 0.1, 0, sheet, true), box("Right Post", vec{0.1, 1, 0.1}, 0.55, 0.1, 0, sheet, true),
		}
	}},

	{name: "House", words: []string{"house", "home", "hut"}, parts: func() []part {
		return []part{
			box("Back Wall", vec{4, 2.4, 0.15}, 0, 0, -1.425, sheet, true),
			box("Left Wall", vec{0.15, 2.4, 2.7}, -1.925, 0, 0, sheet, true),
			box("Right Wall", vec{0.15, 2.4, 2.7}, 1.925, 0, 0, sheet, true),
			box("Front Left", vec{1.5, 2.4, 0.15}, -1.25, 0, 1.425, sheet, true),
			box("Front Right", vec{1.5, 2.4, 0.15}, 1.25, 0, 1.425, sheet, true),
			box("Front Top", vec{1, 0.4, 0.15}, 0, 2, 1.425, sheet, true),
			box("Door", vec{1, 2, 0.06}, 0, 0, 1.425, darkly, false),
			shape("Roof", "pyramid", vec{4.6, 1.4, 3.6}, 0, 2.4, 0, brick, false),
			box("Chimney", vec{0.4, 1, 0.4}, 1.2, 2.9, -0.4, brick, false),
		}
	}},
	{name: "Tower", words: []string{"tower"}, parts: func() []part {
		return []part{
			shape("Body", "cylinder", vec{2, 5, 2}, 0, 0, 0, grey, true),
			shape("Crown", "cylinder", vec{2.4, 0.5, 2.4}, 0, 5, 0, grey, true),
			shape("Roof", "cone", vec{2.4, 1.6, 2.4}, 0, 5.5, 0, brick, false),
			box("Gate", vec{0.8, 1.4, 0.1}, 0, 0, 1, darkly, false),
		}
	}},
	{name: "Bridge", words: []string{"bridge"}, parts: func() []part {
		return []part{
			box("Deck", vec{5, 0.2, 1.6}, 0, 0.8, 0, wooden, true),
			box("Left Pier", vec{0.5, 0.8, 1.6}, -2, 0, 0, grey, false), box("Right Pier", vec{0.5, 0.8, 1.6}, 2, 0, 0, grey, false),
			box("Front Rail", vec{5, 0.5, 0.08}, 0, 1, 0.76, wooden, true), box("Back Rail", vec{5, 0.5, 0.08}, 0, 1, -0.76, wooden, true),
		}
	}},
	{name: "Fence", words: []string{"fence"}, parts: func() []part {
		out := []part{box("Rail 1", vec{3, 0.1, 0.04}, 0, 0.3, 0.06, wooden, true), box("Rail 2", vec{3, 0.1, 0.04}, 0, 0.7, 0.06, wooden, true)}
		for i := range 5 {
			out = append(out, box("Post "+string(rune('1'+i)), vec{0.1, 1, 0.08}, -1.4+0.7*float64(i), 0, 0, wooden, true))
		}
		return out
	}},
	{name: "Path", words: []string{"path", "road", "street"}, parts: solidIn("box", vec{1.2, 0.04, 6}, "#b9a88c")},
	{name: "Arch", words: []string{"arch", "gate"}, parts: func() []part {
		return []part{
			box("Left Pillar", vec{0.4, 2.4, 0.4}, -1, 0, 0, grey, true), box("Right Pillar", vec{0.4, 2.4, 0.4}, 1, 0, 0, grey, true),
			box("Beam", vec{2.8, 0.4, 0.5}, 0, 2.4, 0, grey, true),
		}
	}},
	{name: "Column", words: []string{"column", "pillar"}, parts: func() []part {
		return []part{
			box("Foot", vec{0.7, 0.2, 0.7}, 0, 0, 0, sheet, true), shape("Shaft", "cylinder", vec{0.5, 2.2, 0.5}, 0, 0.2, 0, sheet, true),
			box("Head", vec{0.7, 0.2, 0.7}, 0, 2.4, 0, sheet, true),
		}
	}},

	{name: "Tree", words: []string{"tree"}, parts: func() []part {
		return []part{
			shape("Trunk", "cylinder", vec{0.35, 1.5, 0.35}, 0, 0, 0, "#6b4a2f", false),
			shape("Crown", "sphere", vec{1.8, 1.8, 1.8}, 0, 1.3, 0, leaf, true),
		}
	}},
	{name: "Pine", words: []string{"pine", "fir"}, parts: func() []part {
		return []part{
			shape("Trunk", "cylinder", vec{0.25, 0.6, 0.25}, 0, 0, 0, "#6b4a2f", false), shape("Low", "cone", vec{1.6, 1.2, 1.6}, 0, 0.6, 0, "#2f5d3a", true),
			shape("Middle", "cone", vec{1.2, 1, 1.2}, 0, 1.3, 0, "#2f5d3a", true), shape("Tip", "cone", vec{0.8, 0.8, 0.8}, 0, 1.9, 0, "#2f5d3a", true),
		}
	}},
	{name: "Bush", words: []string{"bush", "shrub"}, parts: func() []part {
		return []part{
			shape("Middle", "sphere", vec{0.8, 0.8, 0.8}, 0, 0, 0, leaf, true), shape("Left", "sphere", vec{0.6, 0.6, 0.6}, -0.35, 0, 0.05, leaf, true),
			shape("Right", "sphere", vec{0.55, 0.55, 0.55}, 0.36, 0, -0.05, leaf, true),
		}
	}},
	{name: "Flower", words: []string{"flower"}, parts: func() []part {
		out := []part{
			shape("Stem", "cylinder", vec{0.03, 0.4, 0.03}, 0, 0, 0, leaf, false), shape("Heart", "sphere", vec{0.1, 0.1, 0.1}, 0, 0.38, 0, "#f2c230", false),
		}
		for i, c := range [4][2]float64{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			out = append(out, shape("Petal "+string(rune('1'+i)), "sphere", vec{0.12, 0.06, 0.12}, c[0]*0.09, 0.4, c[1]*0.09, "#e46a9a", true))
		}
		return out
	}},
	{name: "Rock", words: []string{"rock", "boulder"}, parts: func() []part {
		return []part{shape("Body", "sphere", vec{0.9, 0.6, 0.7}, 0, 0, 0, grey, true), shape("Side", "sphere", vec{0.5, 0.4, 0.5}, 0.35, 0, 0.15, "#7c7c78", true)}
	}},
	{name: "Hill", words: []string{"hill", "mountain"}, parts: solidIn("cone", vec{8, 2.4, 8}, "#5d8a4a")},
	{name: "Pond", words: []string{"pond", "lake", "pool"}, parts: func() []part {
		return []part{shape("Shore", "cylinder", vec{3.4, 0.03, 3.4}, 0, 0, 0, "#b9a88c", false), shape("Surface", "cylinder", vec{3, 0.01, 3}, 0, 0.03, 0, "#3a7ca5", true)}
	}},

	{name: "Car", words: []string{"car"}, parts: func() []part {
		out := []part{box("Body", vec{3.6, 0.6, 1.6}, 0, 0.35, 0, "#c0392b", true), box("Cabin", vec{1.8, 0.55, 1.4}, -0.2, 0.95, 0, "#aac4d4", false)}
		for i, c := range [4][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
			w := shape("Wheel "+string(rune('1'+i)), "cylinder", vec{0.7, 0.2, 0.7}, c[0]*1.15, 0, c[1]*0.9, "#222222", false)
			w.at[1], w.turn = 0.35, vec{90, 0, 0}
			out = append(out, w)
		}
		return out
	}},
	{name: "Robot", words: []string{"robot"}, parts: func() []part {
		return []part{
			box("Left Leg", vec{0.2, 0.6, 0.25}, -0.16, 0, 0, steel, true), box("Right Leg", vec{0.2, 0.6, 0.25}, 0.16, 0, 0, steel, true),
			box("Body", vec{0.7, 0.7, 0.4}, 0, 0.6, 0, steel, true), box("Head", vec{0.4, 0.36, 0.36}, 0, 1.34, 0, steel, true),
			shape("Neck", "cylinder", vec{0.14, 0.04, 0.14}, 0, 1.3, 0, "#222222", false),
			box("Left Arm", vec{0.14, 0.6, 0.2}, -0.43, 0.65, 0, steel, true), box("Right Arm", vec{0.14, 0.6, 0.2}, 0.43, 0.65, 0, steel, true),
			shape("Left Eye", "sphere", vec{0.08, 0.08, 0.08}, -0.09, 1.5, 0.18, "#2ad4ff", false), shape("Right Eye", "sphere", vec{0.08, 0.08, 0.08}, 0.09, 1.5, 0.18, "#2ad4ff", false),
		}
	}},
	{name: "Boat", words: []string{"boat", "ship"}, parts: func() []part {
		return []part{
			box("Hull", vec{2.4, 0.5, 0.9}, 0, 0, 0, wooden, true), shape("Mast", "cylinder", vec{0.08, 2, 0.08}, 0, 0.5, 0, darkly, false),
			box("Sail", vec{0.9, 1.3, 0.04}, 0.5, 1, 0, "#f5f0e6", false), box("Stern", vec{0.3, 0.3, 0.9}, -1.05, 0.5, 0, wooden, true),
		}
	}},
	{name: "Fire", words: []string{"fire", "campfire", "bonfire"}, parts: func() []part {
		f := shape("Flame", "cone", vec{0.4, 0.7, 0.4}, 0, 0.16, 0, flame, true)
		f.glow = true
		return []part{
			box("Log 1", vec{0.9, 0.08, 0.14}, 0, 0, 0, darkly, false), box("Log 2", vec{0.14, 0.08, 0.9}, 0, 0.08, 0, darkly, false),
			f, {name: "Shine", at: vec{0, 1, 0}, light: true, color: flame},
		}
	}},
	{name: "Lantern", words: []string{"lantern"}, parts: func() []part {
		g := shape("Glass", "cylinder", vec{0.18, 0.22, 0.18}, 0, 0.04, 0, "#ffd27a", true)
		g.glow = true
		return []part{
			shape("Foot", "cylinder", vec{0.24, 0.04, 0.24}, 0, 0, 0, "#333333", false), g,
			shape("Hood", "cone", vec{0.26, 0.12, 0.26}, 0, 0.26, 0, "#333333", false), {name: "Shine", at: vec{0, 0.45, 0}, light: true, color: "#ffd27a"},
		}
	}},
}

func solidIn(geometry string, size vec, color string) func() []part {
	return func() []part {
		p := solid(geometry, size)()
		p[0].color = color
		return p
	}
}

// form is a word for a noun.
type form struct {
	noun   *noun
	word   string // singular
	plural bool
}

// nounForms are all words for nouns, singular and plural.
var nounForms = func() map[string]form {
	m := map[string]form{}
	for _, n := range nouns {
		for _, w := range n.words {
			m[w] = form{n, w, false}
			for _, p := range plurals(w) {
				if _, taken := m[p]; !taken {
					m[p] = form{n, w, true}
				}
			}
		}
	}
	return m
}()

func plurals(w string) []string {
	switch {
	case w == "stairs":
		return nil
	case w == "shelf" || w == "bookshelf":
		return []string{strings.TrimSuffix(w, "f") + "ves", w + "s"}
	case w == "torus":
		return []string{"tori", "toruses"}
	case strings.HasSuffix(w, "x") || strings.HasSuffix(w, "ch") || strings.HasSuffix(w, "sh") || strings.HasSuffix(w, "s"):
		return []string{w + "es"}
	}
	return []string{w + "s"}
}

// colors are the sixteen basic colours.
var colors = map[string]string{
	"black": "#1a1a1a", "white": "#f5f5f5", "grey": "#808080", "red": "#d92626", "green": "#2e9e3f", "blue": "#2456d6", "yellow": "#f2d022",
	"orange": "#f0801f", "purple": "#7d3cb5", "pink": "#f28cb1", "brown": "#7a4a28", "cyan": "#22c3d6", "magenta": "#d62bb0", "lime": "#9be02b",
	"navy": "#1b2a5c", "teal": "#1f8a85",
}

// materials are the materials by their words.
var materials = map[string]string{
	"wood": "wood", "wooden": "wood", "stone": "stone", "metal": "metal", "metallic": "metal", "gold": "gold", "golden": "gold", "glass": "glass",
	"plastic": "plastic", "rubber": "rubber", "water": "water",
}

// materialNames are the words for materials in names of nodes.
var materialNames = map[string]string{
	"wood": "Wooden", "stone": "Stone", "metal": "Metal", "gold": "Golden", "glass": "Glass", "plastic": "Plastic", "rubber": "Rubber", "water": "Water",
}

var sizes = map[string]float64{"tiny": 0.25, "small": 0.5, "little": 0.5, "big": 2, "large": 2, "huge": 4, "giant": 4}

// stretches are the sizes along one axis.
var stretches = map[string]vec{"tall": {1, 1.5, 1}, "high": {1, 1.5, 1}, "wide": {1.5, 1, 1}, "long": {1, 1, 1.5}, "short": {1, 2. / 3, 1}, "narrow": {2. / 3, 1, 1}}

var counts = map[string]int{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
	"twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
	"another": 1,
}

// vague are the counts that stand for a number; the reply states it.
var vague = map[string]int{"pair": 2, "some": 3, "several": 5, "many": 8, "dozen": 12, "couple": 2}

// behaviours by the words for them.
var behaviours = func() map[string]string {
	m := map[string]string{}
	for what, words := range map[string]string{
		"spin": "spin spins spinning rotating rotates", "bounce": "bounce bounces bouncing", "float": "float floats floating hover hovers hovering",
		"glow": "glow glows glowing shining shines", "pulse": "pulse pulses pulsing", "fall": "fall falls falling",
		"grab": "grabbable", "throw": "throwable", "click": "clickable",
	} {
		for _, w := range strings.Fields(words) {
			m[w] = what
		}
	}
	return m
}()

// verbs by their words.
var verbs = func() map[string]string {
	m := map[string]string{}
	for what, words := range map[string]string{
		"create": "add create build put place", "make": "make", "remove": "remove delete", "move": "move shift", "turn": "turn rotate",
		"scale": "scale", "paint": "paint colour color", "rename": "rename", "duplicate": "duplicate copy", "clear": "clear",
	} {
		for _, w := range strings.Fields(words) {
			m[w] = what
		}
	}
	return m
}()

// surroundings by the words for them.
var surroundings = map[string]string{
	"day": "day", "daytime": "day", "daylight": "day", "night": "night", "sunset": "sunset", "dusk": "sunset", "foggy": "fog", "fog": "fog", "mist": "fog",
	"misty": "fog", "bright": "bright", "dark": "dark", "snowy": "snow", "snow": "snow", "grassy": "grass", "grass": "grass", "moon": "moon",
}

// fillers say nothing that matters.
var fillers = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("please can could you i we me us want would like need there is are should be let lets let's the a an and then also with of in at to " +
		"scene world it its it's that which who now some just so this for here my our has have having show give during on time gravity ground new more " +
		"by from up made them they's do does will must as 's s ok okay hello hi thanks thank set when very") {
		m[w] = true
	}
	for _, r := range relations { // next to something unknown
		for _, w := range strings.Fields(r.words) {
			m[w] = true
		}
	}
	return m
}()

// relations by their words, longest first.
var relations = []struct {
	words string
	kind  string
}{
	{"on top of", "on"}, {"in front of", "front"}, {"to the left of", "left"}, {"to the right of", "right"}, {"on the left of", "left"}, {"on the right of", "right"},
	{"next to", "beside"}, {"close to", "beside"}, {"left of", "left"}, {"right of", "right"}, {"inside of", "inside"},
	{"on", "on"}, {"onto", "on"}, {"upon", "on"}, {"under", "under"}, {"below", "under"}, {"beneath", "under"}, {"underneath", "under"}, {"above", "above"}, {"over", "above"},
	{"beside", "beside"}, {"near", "beside"}, {"behind", "behind"}, {"between", "between"}, {"around", "around"},
	{"inside", "inside"}, {"into", "inside"}, {"against", "against"}, {"in", "inside"}, {"by", "beside"},
}
