package native2d

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// kind is the element that a node has on the page.
type kind int

const (
	none    kind = iota // a place only
	control             // can be used: a button
	words               // a text by itself
	plate               // a text on a thing
	model               // a frame with the name of what it stands for
	thing               // has a name
	decor               // has none
)

const (
	legible = 12  // pixels of a font; none is smaller
	capital = 0.7 // height of a capital letter, of the size of a font
)

// face is what is seen of a node.
type face struct {
	kind          kind
	width, height float64 // in pixels, before the scale of the node
	round         bool
	fill          [4]uint8 // the colour of the thing, or of the letters of words
	painted       bool
}

func faceOf(s *scene.Scene, n *scene.Node, t turned) face {
	f := face{width: 1, height: 1}
	interactive := len(n.Interact) > 0
	named := n.Name != "" || n.Label != "" || n.Alt != ""
	var g *scene.Geometry
	if n.Geometry != nil {
		g = &s.Geometries[*n.Geometry]
	}
	switch {
	case interactive:
		f.kind = control
	case n.Text != nil && g == nil:
		f.kind = words
	case n.Text != nil:
		f.kind = plate
	case g != nil && g.Kind == "model":
		f.kind = model
	case g != nil && named, n.Label != "", n.Alt != "":
		f.kind = thing
	case g != nil:
		f.kind = decor
	default:
		return f
	}
	if g != nil {
		f.width, f.height = t.extent(g.Bounds())
		// What is round about its axis is round when that axis points at who looks.
		f.round = g.Kind == "sphere" || math.Abs(t.rest[2][1]) > 0.7 && slices.Contains([]string{"cylinder", "cone", "disc", "ring", "torus", "capsule"}, g.Kind)
		f.width, f.height = float64(f.width*perMetre), float64(f.height*perMetre)
	}
	if n.Material != nil && (g != nil || f.kind == words) {
		f.fill, f.painted = shine(&s.Materials[*n.Material]), true
	}
	return f
}

// shine is the colour of a surface with its own light.
func shine(m *scene.Material) [4]uint8 {
	c := scene.RGBA(m.BaseColor)
	if m.Emissive != "" {
		e := scene.RGBA(m.Emissive)
		for k := range 3 {
			c[k] = uint8(min(float64(c[k])+math.Floor(float64(float64(e[k])*float64(m.EmissiveIntensity))+0.5), 255))
		}
	}
	return c
}

func hex(c [4]uint8) string { return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]) }

// contrast is black or white, whichever is read more easily on a colour; it is at
// least 4.5 to 1.
func contrast(c [4]uint8) string {
	l := scene.LinearRGBA(hex(c) + "ff")
	if float64(0.2126*l[0])+float64(0.7152*l[1])+float64(0.0722*l[2]) > 0.179 {
		return "#000000"
	}
	return "#ffffff"
}

// write is the element of a face.
func (f *face) write(b *strings.Builder, s *scene.Scene, n *scene.Node, scale [2]float64) {
	if f.kind == none {
		return
	}
	name := cmp.Or(n.Label, n.Name, n.Path)
	text := ""
	if n.Text != nil {
		text = n.Text.Value
	}
	class, say := "face", ""
	if f.round {
		class += " round"
	}
	style := f.size(n, scale)
	switch {
	case f.kind == words && f.painted:
		say = fmt.Sprintf(` style="background:%s;color:%s"`, contrast(f.fill), hex(f.fill))
	case f.painted:
		style += ";background:" + hex(f.fill) + fmt.Sprintf("%02x", f.fill[3])
		say = fmt.Sprintf(` style="background:%s;color:%s"`, hex(f.fill), contrast(f.fill))
	case f.kind == control:
		class += " plain"
	}
	data := fmt.Sprintf(` data-box="%s" data-shape="%s"`, boxOf(s, n), shapeOf(s, n))
	if n.Text != nil {
		data += fmt.Sprintf(` data-size="%s"`, css(letter(n)))
	}
	open := func(tag, more string) {
		fmt.Fprintf(b, `<%s class="%s"%s%s style="%s">`, tag, class, more, data, style)
	}
	m := artefact.Markup
	switch f.kind {
	case control:
		open("button", ` type="button"`)
		fmt.Fprintf(b, `<span class="say"%s>%s</span>`, say, m(cmp.Or(text, name)))
		var more []string
		for _, t := range []string{n.Label, n.Alt} {
			if t != "" && t != cmp.Or(text, name) {
				more = append(more, t)
			}
		}
		if len(more) > 0 {
			fmt.Fprintf(b, `<span class="told">: %s</span>`, m(strings.Join(more, ", ")))
		}
		b.WriteString("</button>\n")
	case words:
		open("p", "")
		fmt.Fprintf(b, "<span class=\"say\"%s>%s</span></p>\n", say, m(text))
	case plate:
		open("div", fmt.Sprintf(` role="group" aria-label="%s"`, m(name)))
		fmt.Fprintf(b, "<p class=\"say\"%s>%s</p></div>\n", say, m(text))
	case model:
		class += " model"
		open("figure", "")
		fmt.Fprintf(b, "<figcaption class=\"say\"%s>%s</figcaption></figure>\n", say, m(strings.Join(slices.DeleteFunc([]string{name, n.Alt}, func(t string) bool { return t == "" }), ": ")))
	case thing:
		label := name
		if n.Alt != "" {
			label += ": " + n.Alt
		}
		open("div", fmt.Sprintf(` role="img" aria-label="%s"`, m(label)))
		b.WriteString("</div>\n")
	default:
		open("div", ` aria-hidden="true"`)
		b.WriteString("</div>\n")
	}
}

// size is the part of the style that follows the scale: the face is drawn as
// large as the scale has it, and the scale of the place undone, so that letters
// are not stretched.
func (f *face) size(n *scene.Node, scale [2]float64) string {
	var out strings.Builder
	if n.Geometry != nil {
		fmt.Fprintf(&out, "width:%spx;height:%spx;", css(float64(f.width*scale[0])), css(float64(f.height*scale[1])))
	}
	undo := func(x float64) string {
		if x < 1e-3 {
			return "1"
		}
		return css(1 / x)
	}
	fmt.Fprintf(&out, "scale:%s %s", undo(scale[0]), undo(scale[1]))
	if n.Text != nil {
		fmt.Fprintf(&out, ";font-size:%spx", css(max(float64(letter(n)*scale[1]), legible)))
	}
	return out.String()
}

// letter is the size of the font of a text, in pixels.
func letter(n *scene.Node) float64 { return n.Text.Size / capital * perMetre }

func boxOf(s *scene.Scene, n *scene.Node) string {
	if n.Geometry == nil {
		return ""
	}
	b := s.Geometries[*n.Geometry].Bounds()
	return css(b[0]) + " " + css(b[1]) + " " + css(b[2])
}

func shapeOf(s *scene.Scene, n *scene.Node) string {
	if n.Geometry == nil {
		return ""
	}
	return s.Geometries[*n.Geometry].Kind
}
