package picture

import (
	"math"
	"strconv"

	"github.com/meshd/meshd/lang/raster"
	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// The flat interface of a scene as a page of 540 pixels' height shows it: a panel at
// the right, or, where the scene has nothing else, cards over the whole picture.
const (
	pageHeight  = 540.0
	panelWidth  = 264.0
	pageMargin  = 16.0
	inset       = 12.0 // from the edge of a panel to what is in it
	gap         = 8.0
	panelRoom   = 312.0 // pixels of the page, with what is beside the panel
	mostCovered = 0.4   // of the picture, that things make room for
	lineHigh    = 24.0
	controlHigh = 32.0
	capital     = 11.0 // of its letters
	mostRows    = 120
	mostLetters = 48
)

// ink and the other colours are those of the page.
var (
	panelColor   = raster.RGB(0x17, 0x1d, 0x26)
	edgeColor    = raster.RGB(0x7d, 0x8b, 0x9e)
	controlColor = raster.RGB(0x1f, 0x27, 0x32)
	inkColor     = raster.RGB(0xe8, 0xed, 0xf4)
	accentColor  = raster.RGB(0x7a, 0xb8, 0xff)
)

// sheet draws flat things before the camera, in pixels from the upper left.
type sheet struct {
	d          *drawing
	toWorld    vec.Mat // from pixels, with z towards the eye
	wide       float64
	rows       int
	triangles  int
	left, over float64 // of the column, and how far down it is filled
	width      float64
}

// controls lays the interface over the picture.
func (d *drawing) controls(aspect float64) {
	if len(d.s.UI) == 0 {
		return
	}
	c := d.out.Camera
	up := c.Up
	if up == (vec.Vec{}) {
		up = vec.At(0, 1, 0)
	}
	right, up, back := vec.Basis(c.Target.Sub(c.Position), up)
	near := c.Near
	if near == 0 {
		near = 0.05
	}
	deep, half := float64(near*1.5), c.Ortho/2
	if c.Ortho == 0 {
		half = float64(vec.Tan(c.FOV/2) * deep)
	}
	unit := float64(2*half) / pageHeight
	x, y, z := right.Scale(unit), up.Scale(-unit), back.Scale(float64(deep*1e-4))
	corner := c.Position.Sub(back.Scale(deep)).Sub(right.Scale(float64(half * aspect))).Add(up.Scale(half))
	p := &sheet{
		d: d, toWorld: vec.Mat{x.X, x.Y, x.Z, 0, y.X, y.Y, y.Z, 0, z.X, z.Y, z.Z, 0, corner.X, corner.Y, corner.Z, 1},
		wide: float64(pageHeight * aspect),
	}
	for i := range d.out.Objects {
		p.triangles += d.out.Objects[i].Mesh.Triangles()
	}
	if len(d.stage.Solids) > 0 {
		p.width = min(panelWidth, p.wide-float64(2*pageMargin))
		p.left, p.over = p.wide-pageMargin-p.width, pageMargin
		p.panel(d.s.UI, float64(pageHeight*0.8))
		return
	}
	// Nothing else is there: a column of cards for each 300 pixels.
	cards := d.s.UI
	if len(cards) == 1 && len(cards[0].Children) > 1 && len(cards[0].Children[0].Children) > 0 {
		cards = cards[0].Children
	}
	columns := max(1, min(int(p.wide/300), len(cards)))
	p.width = (p.wide - float64(pageMargin*float64(columns+1))) / float64(columns)
	downs := make([]float64, columns)
	for i := range cards {
		k := 0
		for j := range downs {
			if downs[j] < downs[k] {
				k = j
			}
		}
		p.left, p.over = pageMargin+float64(float64(k)*(p.width+pageMargin)), pageMargin+40+downs[k]
		p.panel(cards[i:i+1], pageHeight-pageMargin)
		downs[k] = p.over - 40
	}
}

// covered is the share of the picture that the panel of controls has.
func (d *drawing) covered(aspect float64) float64 {
	if len(d.s.UI) == 0 || len(d.stage.Solids) == 0 {
		return 0
	}
	return min(panelRoom/float64(pageHeight*aspect), mostCovered)
}

// panel draws controls on a plate from where the column is filled to.
func (p *sheet) panel(list []scene.Widget, lowest float64) {
	top := p.over
	p.over += inset
	p.list(list, lowest)
	p.over += inset - gap
	p.box(p.left, top, p.width, min(p.over, lowest+inset)-top, panelColor, 0)
}

func (p *sheet) list(list []scene.Widget, lowest float64) {
	for i := range list {
		if p.over > lowest-lineHigh || p.rows > mostRows {
			p.d.warn("controls_left_out", "not all controls of the interface have room in the picture")
			return
		}
		p.control(&list[i], lowest)
	}
}

func (p *sheet) control(w *scene.Widget, lowest float64) {
	p.rows++
	label := w.Label
	if label == "" {
		label = w.ID
	}
	x, width := p.left+inset, p.width-float64(2*inset)
	value := said(w.Value)
	half := x + float64(width*0.42)
	row := func(high float64) { p.over += high + gap }
	named := func() { p.text(label, x, p.over+controlHigh/2, float64(width*0.4), shape.Left, inkColor) }
	switch w.Kind {
	case "button":
		p.frame(x, p.over, width, controlHigh)
		p.text(label, x+width/2, p.over+controlHigh/2, width, shape.Center, inkColor)
		row(controlHigh)
	case "text":
		if label == "" || w.Bind != "" {
			label = value
		}
		p.text(label, x, p.over+lineHigh/2, width, shape.Left, inkColor)
		row(lineHigh)
	case "slider", "progress":
		named()
		low, high := number(w, "min", 0), number(w, "max", 100)
		if w.Kind == "progress" {
			high = number(w, "max", 1)
		}
		share := 0.0
		if w.Value.Kind == trait.Number && high > low {
			share = min(max((w.Value.Num-low)/(high-low), 0), 1)
		}
		track, y := float64(width*0.4), p.over+controlHigh/2
		p.box(half, y-2, track, 4, edgeColor, 1)
		p.box(half, y-2, float64(track*share), 4, accentColor, 2)
		if w.Kind == "slider" {
			p.box(half+float64(track*share)-6, y-6, 12, 12, accentColor, 3)
		}
		p.text(value, x+width, y, float64(width*0.16), shape.Right, inkColor)
		row(controlHigh)
	case "checkbox":
		named()
		p.box(half, p.over+6, 20, 20, inkColor, 1)
		if w.Value.Kind == trait.Bool && w.Value.Bool {
			p.box(half+4, p.over+10, 12, 12, accentColor, 2)
		}
		row(controlHigh)
	case "input", "dropdown":
		named()
		p.frame(half, p.over, float64(width*0.58), controlHigh)
		p.text(value, half+8, p.over+controlHigh/2, float64(width*0.5), shape.Left, inkColor)
		row(controlHigh)
	case "image":
		p.frame(x, p.over, width, 2*controlHigh)
		p.text(label, x+width/2, p.over+controlHigh, width, shape.Center, edgeColor)
		row(2 * controlHigh)
	default:
		if label != "" {
			p.text(label, x, p.over+lineHigh/2, width, shape.Left, accentColor)
			row(lineHigh)
		}
		p.list(w.Children, lowest)
	}
}

// frame is a control with its edge.
func (p *sheet) frame(x, y, w, h float64) {
	p.box(x, y, w, h, edgeColor, 1)
	p.box(x+1, y+1, w-2, h-2, controlColor, 2)
}

// box is a rectangle, level layers above the plate.
func (p *sheet) box(x, y, w, h float64, c raster.Color, level float64) {
	if w <= 0 || h <= 0 {
		return
	}
	z := float32(level)
	m := &shape.Mesh{Indices: []uint32{0, 2, 1, 0, 3, 2}}
	for _, at := range [4][2]float64{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}} {
		m.Positions, m.Normals = append(m.Positions, [3]float32{float32(at[0]), float32(at[1]), z}), append(m.Normals, [3]float32{0, 0, 1})
	}
	p.lay(m, c)
}

// text writes one line whose middle is at y; what is too long is cut.
func (p *sheet) text(s string, x, y, most float64, align shape.Align, c raster.Color) {
	letters := []rune(s)
	for i, r := range letters {
		if r == '\n' {
			letters[i] = ' '
		}
	}
	letters = letters[:min(len(letters), mostLetters)]
	for len(letters) > 1 {
		if w, _ := shape.Extent(string(letters), capital); w <= most {
			break
		}
		letters = letters[:len(letters)-1]
	}
	m, _ := shape.Text(string(letters), capital, 0, align)
	for i := range m.Positions {
		at := m.Positions[i]
		m.Positions[i] = [3]float32{at[0] + float32(x), float32(y) - at[1], 4}
	}
	p.lay(m, c)
}

// lay puts a mesh of pixels before the camera.
func (p *sheet) lay(m *shape.Mesh, c raster.Color) {
	if p.triangles += m.Triangles(); len(m.Indices) == 0 || p.triangles > raster.MaxTriangles || len(p.d.out.Objects) >= raster.MaxObjects {
		return
	}
	paint := raster.Paint(c)
	paint.Unlit, paint.DoubleSided = true, true
	p.d.out.Objects = append(p.d.out.Objects, raster.Object{Name: "controls", Mesh: m, Material: paint, Transform: p.toWorld, NoShadow: true})
}

// said is a value as the page shows it.
func said(v scene.Value) string {
	switch v.Kind {
	case trait.Text, trait.Word, trait.Color:
		return v.Str
	case trait.Bool:
		return strconv.FormatBool(v.Bool)
	case trait.Number:
		return strconv.FormatFloat(math.Floor(float64(v.Num*100)+0.5)/100, 'f', -1, 64)
	}
	return ""
}

// number is a setting of a control.
func number(w *scene.Widget, key string, otherwise float64) float64 {
	for _, f := range w.Params.Fields {
		if f.Key == key && f.Value.Kind == trait.Number {
			return f.Value.Num
		}
	}
	return otherwise
}
