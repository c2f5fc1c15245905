// Package picture draws a compiled scene: it turns the semantic model into what
// package raster draws. It needs no browser and no graphics card and fetches
// nothing; what it cannot show is said in warnings.
package picture

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg" // textures
	_ "image/png"  // textures
	"math"

	"github.com/meshd/meshd/lang/estimate"
	"github.com/meshd/meshd/lang/picture/staging"
	"github.com/meshd/meshd/lang/raster"
	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// Standpoint is where a picture is taken from. The zero value takes the scene's
// own camera, or brings everything into view.
type Standpoint struct {
	Position, Target scene.Vec
	FOV              float64 // degrees, 10 to 120; 0 is 60
	Given            bool
}

// Of is the drawable form of a scene for a picture of a shape. A scene of more
// triangles than a picture may have is an *estimate.Excess, and none of them is
// made then.
func Of(s *scene.Scene, from Standpoint, aspect float64) (*raster.Scene, []raster.Warning, error) {
	return of(s, from, aspect, nil, nil)
}

// of is Of, or with a turn the form for a camera that goes around all that counts,
// wherever the scene's own camera stands.
// The step is asked before each node.
func of(s *scene.Scene, from Standpoint, aspect float64, turn *float64, step func() error) (*raster.Scene, []raster.Warning, error) {
	hidden := artefact.Hidden(s)
	if _, over := estimate.Drawn(s, hidden, raster.MaxTriangles); over != nil {
		return nil, nil, over
	}
	stage := staging.Of(s)
	d := &drawing{s: s, stage: stage, world: stage.World, textures: map[int]*raster.Texture{}, meshes: map[int]*shape.Mesh{}}
	d.stand(from, hidden, aspect, turn)
	for i := range s.Nodes {
		if step != nil {
			if err := step(); err != nil {
				return nil, nil, err
			}
		}
		if hidden[i] {
			continue
		}
		d.object(i)
		d.light(i)
	}
	d.particles(hidden)
	d.labels(aspect)
	d.surroundings()
	d.controls(aspect)
	return &d.out, d.warnings, nil
}

type drawing struct {
	s        *scene.Scene
	stage    *staging.Staging
	cuts     map[int]staging.Cut // of a camera that found its own place
	away     float64             // from such a camera to what it looks at
	out      raster.Scene
	world    []vec.Mat
	textures map[int]*raster.Texture
	texels   int
	meshes   map[int]*shape.Mesh // by geometry
	warnings []raster.Warning
	said     map[string]bool
}

func (d *drawing) warn(code, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if d.said == nil {
		d.said = map[string]bool{}
	}
	if !d.said[text] {
		d.said[text] = true
		d.warnings = append(d.warnings, raster.Warning{Code: code, Text: text})
	}
}

func color(s string) raster.Color {
	c := scene.RGBA(s)
	return raster.Color{R: c[0], G: c[1], B: c[2], A: c[3]}
}

func (d *drawing) object(i int) {
	n, m := &d.s.Nodes[i], d.world[i]
	if n.Material == nil || d.cuts[i] == staging.Away {
		return
	}
	material := d.material(&d.s.Materials[*n.Material])
	if n.Geometry != nil {
		g := &d.s.Geometries[*n.Geometry]
		if g.Kind == "model" {
			d.standIn(n, m)
		} else if mesh := d.mesh(*n.Geometry); mesh != nil && len(mesh.Indices) > 0 {
			o := raster.Object{Name: n.Path, Mesh: mesh, Material: material, Transform: m}
			if d.cuts[i] == staging.Open {
				o.Mesh, o.Material.DoubleSided, o.NoShadow = turned(mesh), false, true
			}
			d.out.Objects = append(d.out.Objects, o)
		}
	}
	if n.Text != nil && !d.stage.Floating[i] {
		mesh, ink := d.s.Letters(n)
		if len(mesh.Indices) > 0 {
			d.letters(n.Path, mesh, ink, m)
		}
	}
}

func (d *drawing) letters(name string, mesh *shape.Mesh, ink string, m vec.Mat) {
	letters := raster.Paint(color(ink))
	letters.Unlit, letters.DoubleSided = true, true
	d.out.Objects = append(d.out.Objects, raster.Object{Name: name, Mesh: mesh, Material: letters, Transform: m, NoShadow: true})
}

// mesh is the solid of a geometry, made once.
func (d *drawing) mesh(i int) *shape.Mesh {
	m, made := d.meshes[i]
	if !made {
		m = d.s.Geometries[i].Mesh()
		d.meshes[i] = m
	}
	return m
}

func (d *drawing) material(m *scene.Material) raster.Material {
	out := raster.Material{
		Base: color(m.BaseColor), Metallic: m.Metallic, Roughness: float64(m.Roughness), DoubleSided: m.DoubleSided, Unlit: m.Unlit,
		Alpha: raster.Opaque,
	}
	if m.Emissive != "" {
		out.Emissive, out.EmissiveIntensity = color(m.Emissive), float64(m.EmissiveIntensity)
	}
	switch m.Alpha {
	case "blend":
		out.Alpha = raster.Blend
	case "mask":
		out.Alpha = raster.Mask
	}
	if t := m.Maps.BaseColor; t != nil {
		out.Texture = d.texture(*t)
	}
	if m.Maps.Normal != nil || m.Maps.ORM != nil || m.Maps.Emissive != nil {
		d.warn("maps_not_drawn", "normal, roughness and emissive maps are not drawn")
	}
	return out
}

// texture decodes the picture of an asset whose bytes came along.
func (d *drawing) texture(asset int) *raster.Texture {
	if t, there := d.textures[asset]; there {
		return t
	}
	a := &d.s.Assets[asset]
	d.textures[asset] = nil
	if len(a.Data) == 0 {
		d.warn("asset_not_there", "picture '%s' is not there", a.Path)
		return nil
	}
	head, _, err := image.DecodeConfig(bytes.NewReader(a.Data))
	if err != nil || head.Width > raster.MaxTexture || head.Height > raster.MaxTexture || head.Width < 1 || head.Height < 1 {
		d.warn("picture_not_read", "picture '%s' cannot be read or is larger than %d pixels", a.Path, raster.MaxTexture)
		return nil
	}
	if d.texels += head.Width * head.Height; d.texels > raster.MaxTexels {
		d.warn("picture_not_read", "picture '%s' is not drawn: the pictures of a scene have more than %d pixels together", a.Path, raster.MaxTexels)
		return nil
	}
	img, _, err := image.Decode(bytes.NewReader(a.Data))
	if err != nil {
		d.warn("picture_not_read", "picture '%s' cannot be read", a.Path)
		return nil
	}
	flat := image.NewNRGBA(image.Rect(0, 0, head.Width, head.Height))
	draw.Draw(flat, flat.Bounds(), img, img.Bounds().Min, draw.Src)
	t := &raster.Texture{Width: head.Width, Height: head.Height, Pix: flat.Pix}
	d.textures[asset] = t
	return t
}

func (d *drawing) light(i int) {
	m, l := d.world[i], d.s.Nodes[i].Light
	if l == nil {
		return
	}
	if len(d.out.Lights) >= raster.MaxLights-2 {
		d.warn("lights_left_out", "more than %d lights; the rest is left out", raster.MaxLights-2)
		return
	}
	out := raster.Light{
		Color: color(l.Color), Intensity: d.gained(float64(l.Intensity)), Position: m.Point(vec.Vec{}), Direction: m.Dir(vec.At(0, 0, -1)).Unit(),
		Range: l.Range, Angle: l.Angle, Penumbra: l.Penumbra, Shadow: l.Shadow || i == d.stage.Shadow,
	}
	switch l.Type {
	case "ambient":
		out.Kind = raster.Ambient
	case "directional":
		out.Kind = raster.Directional
	case "hemisphere":
		out.Kind, out.Ground = raster.Hemisphere, color(l.Ground)
	case "spot":
		out.Kind = raster.Spot
	case "area":
		out.Kind, out.Angle, out.Penumbra = raster.Spot, 1.4, 0.6
		d.warn("area_light", "area lights are drawn as wide spots")
	default:
		out.Kind, out.Shadow = raster.Point, false
	}
	d.out.Lights = append(d.out.Lights, out)
}

// surroundings are sky, fog, the light from everywhere, and the sun that a scene
// without lights gets.
func (d *drawing) surroundings() {
	e := &d.s.Environment
	sky := &d.out.Sky
	sky.Top, sky.Bottom = raster.RGB(0xdf, 0xe5, 0xec), raster.RGB(0xdf, 0xe5, 0xec)
	if c := e.Sky.Colors; len(c) > 0 {
		sky.Top, sky.Bottom = color(c[0]), color(c[len(c)-1])
	} else if e.Sky.Kind == "asset" {
		d.warn("sky_not_drawn", "the picture of the sky is not drawn")
	}
	if e.Fog != nil {
		sky.Fog, sky.FogDensity = color(e.Fog.Color), staging.Fog(e.Fog.Density, d.away)
	}
	sky.Exposure = float64(e.Exposure)
	switch e.ToneMapping {
	case "":
		sky.Tone = raster.Neutral
	case "aces":
		sky.Tone = raster.Filmic
	}
	if len(d.s.Post) > 0 {
		d.warn("effects_not_drawn", "effects on the picture are not drawn")
	}
	if d.stage.Sun {
		d.out.Lights = append(d.out.Lights, raster.Light{
			Kind: raster.Directional, Color: raster.RGB(255, 255, 255), Intensity: d.gained(staging.SunIntensity), Direction: staging.SunWay, Shadow: true,
		})
	}
	a := &d.stage.Ambient
	most := max(a.Above.X, a.Above.Y, a.Above.Z, a.Below.X, a.Below.Y, a.Below.Z)
	if most <= 0 {
		return
	}
	everywhere := raster.Light{Kind: raster.Ambient, Color: raster.Shade(a.Above.Scale(1 / most)), Ground: raster.Shade(a.Below.Scale(1 / most)), Intensity: d.gained(most)}
	if a.Above != a.Below {
		everywhere.Kind = raster.Hemisphere
	}
	d.out.Lights = append(d.out.Lights, everywhere)
}

func (d *drawing) gained(intensity float64) float64 {
	return min(float64(intensity*d.stage.Gain), 1000)
}

func (d *drawing) stand(from Standpoint, hidden []bool, aspect float64, turn *float64) {
	fov := cmp.Or(from.FOV, 60)
	around := func() {
		if turn != nil {
			c := &d.out.Camera
			m := vec.TRS(c.Target, vec.AxisAngle(vec.At(0, 1, 0), *turn), vec.At(1, 1, 1))
			c.Position = m.Point(c.Position.Sub(c.Target))
		}
	}
	if from.Given {
		defer around()
		d.out.Camera = raster.Camera{
			Position: vec.At(from.Position[0], from.Position[1], from.Position[2]), Target: vec.At(from.Target[0], from.Target[1], from.Target[2]),
			FOV: fov * math.Pi / 180,
		}
		return
	}
	for i := range d.s.Nodes {
		n := &d.s.Nodes[i]
		if n.Camera == nil || n.Camera.Resting || hidden[i] || turn != nil {
			continue
		}
		at := d.world[i].Point(vec.Vec{})
		d.out.Camera = raster.Camera{
			Position: at, Target: at.Add(d.world[i].Dir(vec.At(0, 0, -1)).Unit()), Up: d.world[i].Dir(vec.At(0, 1, 0)).Unit(),
			FOV: n.Camera.FOV, Ortho: n.Camera.Ortho, Near: n.Camera.Near, Far: n.Camera.Far,
		}
		return
	}
	if from.FOV == 0 {
		fov = staging.FOV * 180 / math.Pi
	}
	d.out.Camera = d.framed(aspect, fov*math.Pi/180)
	around()
	d.cuts = d.stage.Cuts(d.out.Camera.Position)
	d.away = d.out.Camera.Target.Sub(d.out.Camera.Position).Len()
}

// framed is a camera that shows what counts.
func (d *drawing) framed(aspect, fov float64) raster.Camera {
	v := d.stage.Beside(aspect, fov, d.covered(aspect))
	far := v.Target.Sub(v.Eye).Len()
	return raster.Camera{Position: v.Eye, Target: v.Target, FOV: fov, Near: max(float64(far*0.01), 1e-3), Far: max(float64((far+d.stage.Hi.Sub(d.stage.Lo).Len())*50), 100)}
}

// Plan is the SVG plan of a scene, seen from above.
func Plan(s *scene.Scene, width, height int) ([]byte, []raster.Warning, error) {
	drawable, warnings, err := Of(s, Standpoint{}, float64(width)/float64(height))
	if err != nil {
		return nil, nil, err
	}
	svg, err := raster.Plan(drawable, raster.PlanOptions{Width: width, Height: height})
	return svg, warnings, err
}

// Quality says how much work goes into a picture.
type Quality string

// The qualities.
const (
	Draft      Quality = "draft"      // one sample a pixel, no shadows
	Preview    Quality = "preview"    // four samples, small shadow maps
	Production Quality = "production" // four samples, large shadow maps
)

// Options say how a picture is made.
type Options struct {
	Width, Height int
	Quality       Quality
	From          Standpoint
	Step          func() error // see raster.Options
}

// PNG draws a scene.
func PNG(s *scene.Scene, o Options) ([]byte, []raster.Warning, error) {
	return drawn(s, o, raster.EncodePNG)
}

// WebP draws a scene as lossless WebP: the same pixels as PNG.
func WebP(s *scene.Scene, o Options) ([]byte, []raster.Warning, error) {
	return drawn(s, o, raster.EncodeWebP)
}

func drawn(s *scene.Scene, o Options, encode func(*image.NRGBA) ([]byte, error)) ([]byte, []raster.Warning, error) {
	if o.Width < 1 || o.Height < 1 {
		return nil, nil, &raster.Error{Code: raster.BadSize, Text: "width and height are above 0"}
	}
	drawable, warnings, err := of(s, o.From, float64(o.Width)/float64(o.Height), nil, o.Step)
	if err != nil {
		return nil, nil, err
	}
	r := raster.Options{Width: o.Width, Height: o.Height, Step: o.Step, ShadowMap: 1024}
	switch o.Quality {
	case Draft:
		r.Samples = 1
		for i := range drawable.Lights {
			drawable.Lights[i].Shadow = false
		}
	case Production:
		r.ShadowMap = 2048
	}
	img, more, err := raster.Render(drawable, r)
	if err != nil {
		return nil, nil, err
	}
	out, err := encode(img)
	return out, append(warnings, more...), err
}
