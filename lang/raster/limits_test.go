package raster

import (
	"bytes"
	"errors"
	"image"
	"math"
	"reflect"
	"testing"
	"unsafe"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
	"pgregory.net/rapid"
)

func codeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// triangles is a mesh of n triangles at one place.
func triangles(n int) *shape.Mesh {
	m := &shape.Mesh{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}
	for range n {
		m.Indices = append(m.Indices, 0, 1, 2)
	}
	return m
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	nan, inf := math.NaN(), math.Inf(1)
	cases := []struct {
		name   string
		change func(s *Scene, o *Options)
		code   Code // empty: allowed
	}{
		{"smallest", func(_ *Scene, o *Options) { o.Width, o.Height = MinSide, MinSide }, ""},
		{"too narrow", func(_ *Scene, o *Options) { o.Width = MinSide - 1 }, BadSize},
		{"too low", func(_ *Scene, o *Options) { o.Height = MinSide - 1 }, BadSize},
		{"too wide", func(_ *Scene, o *Options) { o.Width = MaxSide + 1 }, BadSize},
		{"too high", func(_ *Scene, o *Options) { o.Height = MaxSide + 1 }, BadSize},
		{"too many pixels", func(_ *Scene, o *Options) { o.Width, o.Height = MaxSide, MaxPixels/MaxSide+1 }, BadSize},
		{"widest", func(_ *Scene, o *Options) { o.Width = MaxSide }, ""},
		{"two samples", func(_ *Scene, o *Options) { o.Samples = 2 }, BadOption},
		{"depth map too large", func(_ *Scene, o *Options) { o.ShadowMap = MaxShadowMap + 1 }, BadOption},
		{"camera in its target", func(s *Scene, _ *Options) { s.Camera.Target = s.Camera.Position }, BadCamera},
		{"camera nowhere", func(s *Scene, _ *Options) { s.Camera.Position.X = nan }, BadCamera},
		{"camera far away", func(s *Scene, _ *Options) { s.Camera.Position.X = 2 * MaxCoord }, BadCamera},
		{"fov too wide", func(s *Scene, _ *Options) { s.Camera.FOV = 171 * degree }, BadCamera},
		{"fov is no number", func(s *Scene, _ *Options) { s.Camera.FOV = nan }, BadCamera},
		{"near behind far", func(s *Scene, _ *Options) { s.Camera.Near, s.Camera.Far = 2, 1 }, BadCamera},
		{"near below 0", func(s *Scene, _ *Options) { s.Camera.Near = -1 }, BadCamera},
		{"a view of no height", func(s *Scene, _ *Options) { s.Camera.Ortho = 1e-4 }, BadCamera},
		{"looking straight down", func(s *Scene, _ *Options) { s.Camera.Position, s.Camera.Target = vec.At(0, 5, 0), vec.Vec{} }, ""},
		{"light of no kind", func(s *Scene, _ *Options) { s.Lights = []Light{{Kind: Hemisphere + 1}} }, BadLight},
		{"light too bright", func(s *Scene, _ *Options) { s.Lights = []Light{{Intensity: 1001}} }, BadLight},
		{"light nowhere", func(s *Scene, _ *Options) { s.Lights = []Light{{Kind: Point, Position: vec.At(inf, 0, 0)}} }, BadLight},
		{"light shining nowhere", func(s *Scene, _ *Options) { s.Lights = []Light{{Kind: Spot, Direction: vec.At(nan, 0, 0)}} }, BadLight},
		{"light with a range below 0", func(s *Scene, _ *Options) { s.Lights = []Light{{Kind: Point, Range: -1}} }, BadLight},
		{"spot too wide", func(s *Scene, _ *Options) { s.Lights = []Light{{Kind: Spot, Angle: 91 * degree}} }, BadLight},
		{"half a spot", func(s *Scene, _ *Options) { s.Lights = []Light{{Kind: Spot, Penumbra: 1.1}} }, BadLight},
		{"a straight spot with shadow", func(s *Scene, _ *Options) {
			s.Lights = []Light{{Kind: Spot, Angle: 90 * degree, Intensity: 1, Shadow: true}}
		}, ""},
		{"most lights", func(s *Scene, _ *Options) { s.Lights = make([]Light, MaxLights) }, ""},
		{"too many lights", func(s *Scene, _ *Options) { s.Lights = make([]Light, MaxLights+1) }, TooManyObjects},
		{"too many labels", func(s *Scene, _ *Options) { s.Labels = make([]Label, MaxLabels+1) }, TooManyObjects},
		{"too many objects", func(s *Scene, _ *Options) { s.Objects = make([]Object, MaxObjects+1) }, TooManyObjects},
		{"label nowhere", func(s *Scene, _ *Options) { s.Labels = []Label{{Position: vec.At(nan, 0, 0)}} }, BadMesh},
		{"label below 0", func(s *Scene, _ *Options) { s.Labels = []Label{{Height: -1}} }, BadMesh},
		{"no mesh", func(s *Scene, _ *Options) { s.Objects[0].Mesh = nil }, BadMesh},
		{"half a triangle", func(s *Scene, _ *Options) { s.Objects[0].Mesh.Indices = []uint32{0, 1} }, BadMesh},
		{"index out of range", func(s *Scene, _ *Options) { s.Objects[0].Mesh.Indices = []uint32{0, 1, 3} }, BadMesh},
		{"normals missing", func(s *Scene, _ *Options) { s.Objects[0].Mesh.Normals = [][3]float32{{}} }, BadMesh},
		{"texture coordinates missing", func(s *Scene, _ *Options) { s.Objects[0].Mesh.UVs = [][2]float32{{}} }, BadMesh},
		{"vertex nowhere", func(s *Scene, _ *Options) { s.Objects[0].Mesh.Positions[1][2] = float32(nan) }, BadMesh},
		{"vertex far away", func(s *Scene, _ *Options) { s.Objects[0].Transform = vec.Move(vec.At(MaxCoord, 0, 0)) }, BadMesh},
		{"normal is no direction", func(s *Scene, _ *Options) { s.Objects[0].Mesh.Normals = [][3]float32{{}, {}, {float32(inf)}} }, BadMesh},
		{"texture coordinate is no number", func(s *Scene, _ *Options) { s.Objects[0].Mesh.UVs = [][2]float32{{}, {}, {float32(nan)}} }, BadMesh},
		{"transform is no number", func(s *Scene, _ *Options) { s.Objects[0].Transform = vec.Mat{5: nan} }, BadMesh},
		{"flat transform", func(s *Scene, _ *Options) { s.Objects[0].Transform = vec.TRS(vec.Vec{}, vec.Quat{}, vec.At(1, 0, 1)) }, ""},
		{"all normals zero", func(s *Scene, _ *Options) { s.Objects[0].Mesh.Normals = make([][3]float32, 3) }, ""},
		{"roughness", func(s *Scene, _ *Options) { s.Objects[0].Material.Roughness = 1.1 }, BadMaterial},
		{"metallic", func(s *Scene, _ *Options) { s.Objects[0].Material.Metallic = nan }, BadMaterial},
		{"own light", func(s *Scene, _ *Options) { s.Objects[0].Material.EmissiveIntensity = -1 }, BadMaterial},
		{"alpha", func(s *Scene, _ *Options) { s.Objects[0].Material.Alpha = Mask + 1 }, BadMaterial},
		{"half a texture", func(s *Scene, _ *Options) { s.Objects[0].Material.Texture = &Texture{2, 2, make([]byte, 15)} }, BadTexture},
		{"empty texture", func(s *Scene, _ *Options) { s.Objects[0].Material.Texture = &Texture{} }, BadTexture},
		{"texture too wide", func(s *Scene, _ *Options) {
			s.Objects[0].Material.Texture = &Texture{MaxTexture + 1, 1, make([]byte, 4*(MaxTexture+1))}
		}, BadTexture},
		{"odd texture", func(s *Scene, _ *Options) { s.Objects[0].Material.Texture = &Texture{3, 7, make([]byte, 84)} }, ""},
		{"fog", func(s *Scene, _ *Options) { s.Sky.FogDensity = nan }, BadSky},
		{"exposure", func(s *Scene, _ *Options) { s.Sky.Exposure = -1 }, BadSky},
	}
	for _, c := range cases {
		s := &Scene{Camera: front(3), Objects: []Object{{Name: "it", Mesh: triangles(1), Material: Paint(RGB(1, 2, 3))}}}
		o := Options{Width: 32, Height: 32}
		c.change(s, &o)
		img, _, err := Render(s, o)
		if got := codeOf(err); got != c.code || (err == nil) != (c.code == "") || (img == nil) != (err != nil) {
			t.Errorf("%s: %v, want %q", c.name, err, c.code)
		}
		if err != nil && err.Error() == string(c.code)+": " {
			t.Errorf("%s: no words", c.name)
		}
		if o.Samples == 0 && o.ShadowMap == 0 {
			if _, err := Plan(s, PlanOptions{Width: o.Width, Height: o.Height}); codeOf(err) != c.code {
				t.Errorf("%s: the plan says %v", c.name, err)
			}
		}
	}
}

func TestLimitsOfAmount(t *testing.T) {
	t.Parallel()
	scene := func(n int) *Scene { return &Scene{Camera: front(50), Objects: []Object{{Mesh: triangles(n)}}} }
	o := Options{Width: 16, Height: 16, Samples: 1}
	if _, _, err := Render(scene(MaxTriangles), o); err != nil {
		t.Errorf("as many triangles as allowed: %v", err)
	}
	if _, _, err := Render(scene(MaxTriangles+1), o); codeOf(err) != TooManyTriangles {
		t.Errorf("one triangle more: %v", err)
	}
	s := scene(MaxTriangles)
	s.Labels = []Label{{Text: "I", Height: 1, Color: RGB(1, 1, 1)}}
	if _, _, err := Render(s, o); codeOf(err) != TooManyTriangles {
		t.Errorf("a label more: %v", err)
	}
	texture := &Texture{4096, 2048, make([]byte, 4*MaxTexels)}
	s = &Scene{Camera: front(3), Objects: []Object{{Mesh: triangles(1), Material: Material{Texture: texture}}, {Mesh: triangles(1), Material: Material{Texture: texture}}}}
	if _, _, err := Render(s, o); err != nil {
		t.Errorf("one texture on two objects: %v", err)
	}
	s.Objects[1].Material.Texture = &Texture{1, 1, make([]byte, 4)}
	if _, _, err := Render(s, o); codeOf(err) != TooManyTexels {
		t.Errorf("a texel more: %v", err)
	}
}

// The estimate of memory knows the sizes of the types, and refuses what is over.
func TestMemoryIsEstimated(t *testing.T) {
	t.Parallel()
	if got := int(unsafe.Sizeof(place{})); got != placeBytes {
		t.Errorf("a place has %d bytes, the estimate says %d", got, placeBytes)
	}
	b := band{}
	got := int(reflect.TypeOf(b.keys).Elem().Size() + reflect.TypeOf(b.ids).Elem().Size() + reflect.TypeOf(b.light).Elem().Size())
	if got != sampleBytes {
		t.Errorf("a sample has %d bytes, the estimate says %d", got, sampleBytes)
	}
	s := &Scene{Camera: front(3), Objects: []Object{{Mesh: triangles(MaxTriangles)}}}
	o := &Options{Width: 3840, Height: 2160, Samples: 4, ShadowMap: MaxShadowMap}
	if err := s.fits(o); err != nil {
		t.Errorf("the largest picture without shadows: %v", err)
	}
	for range MaxShadows {
		s.Lights = append(s.Lights, Light{Kind: Spot, Shadow: true, Intensity: 1})
	}
	if err := s.fits(o); err == nil || err.Code != TooMuchMemory {
		t.Errorf("with four large depth maps: %v", err)
	}
}

// A scene that requires too much drawing is refused at the same point always.
func TestWorkIsBounded(t *testing.T) {
	t.Parallel()
	glass := unlit(Color{255, 255, 255, 10})
	s := &Scene{Camera: front(3)}
	pane := shape.Plane(9, 9)
	upright := vec.AxisAngle(vec.At(1, 0, 0), 90*degree)
	for i := range 400 {
		s.Objects = append(s.Objects, Object{Mesh: pane, Material: glass, Transform: vec.TRS(vec.At(0, 0, float64(i)/1000), upright, vec.At(1, 1, 1))})
	}
	r := &renderer{budget: MaxWork}
	if err := r.spend(MaxWork); err != nil {
		t.Errorf("the whole budget: %v", err)
	}
	if err := r.spend(1); codeOf(err) != TooMuchWork {
		t.Errorf("a unit too many: %v", err)
	}
	// What is laid over each other is counted as it is drawn: half of the panes
	// cost half of the work.
	count := func(n int) int {
		half := *s
		half.Objects = s.Objects[:n]
		steps := 0
		if _, _, err := Render(&half, Options{Width: 200, Height: 200, Step: func() error { steps++; return nil }}); err != nil {
			t.Fatal(err)
		}
		return steps - 200
	}
	few, many := count(200), count(400)
	if few < 200*200*200*(workPixel+workShade)/stepWork/2 || many < few*19/10 || many > few*21/10 {
		t.Errorf("200 panes take %d steps, 400 take %d", few, many)
	}
	// Wherever the budget ends, the picture is refused and not left half done.
	total := few * stepWork
	for _, share := range []int{1000, 100, 10, 2} {
		half := *s
		half.Objects = s.Objects[:200]
		if img, _, err := render(&half, Options{Width: 200, Height: 200}, total/share); img != nil || codeOf(err) != TooMuchWork {
			t.Errorf("a budget of a %dth: %v", share, err)
		}
	}
}

// genScene draws scenes that have everything, sense aside.
func genScene() *rapid.Generator[*Scene] {
	return rapid.Custom(func(t *rapid.T) *Scene {
		f := rapid.Float64Range(-6, 6)
		v := func(name string) vec.Vec { return vec.At(f.Draw(t, name), f.Draw(t, name), f.Draw(t, name)) }
		colour := func() Color {
			b := rapid.Byte()
			return Color{b.Draw(t, "r"), b.Draw(t, "g"), b.Draw(t, "b"), rapid.SampledFrom([]uint8{255, 128, 0}).Draw(t, "a")}
		}
		unit := rapid.Float64Range(0, 1)
		s := &Scene{Camera: Camera{Position: v("eye"), Target: v("target"), FOV: rapid.Float64Range(0.02, 2.9).Draw(t, "fov"), Near: rapid.Float64Range(0.001, 2).Draw(t, "near")}}
		if rapid.Bool().Draw(t, "ortho") {
			s.Camera.Ortho = rapid.Float64Range(0.01, 20).Draw(t, "height")
		}
		s.Sky = Sky{Top: colour(), Bottom: colour(), Fog: colour(), FogDensity: unit.Draw(t, "fog"), Exposure: unit.Draw(t, "exposure"), Tone: rapid.SampledFrom([]Tone{Clamp, Filmic, Neutral}).Draw(t, "tone")}
		for range rapid.IntRange(0, 3).Draw(t, "lights") {
			s.Lights = append(s.Lights, Light{
				Kind: LightKind(rapid.IntRange(0, int(Hemisphere)).Draw(t, "kind")), Color: colour(), Ground: colour(), Intensity: rapid.Float64Range(0, 20).Draw(t, "intensity"),
				Position: v("light"), Direction: v("direction"), Range: rapid.Float64Range(0, 10).Draw(t, "range"), Angle: rapid.Float64Range(0, 1.57).Draw(t, "angle"),
				Penumbra: unit.Draw(t, "penumbra"), Shadow: rapid.Bool().Draw(t, "shadow"),
			})
		}
		meshes := []*shape.Mesh{shape.Box(1, 2, 1), shape.Sphere(1, 8), shape.Plane(30, 30), shape.Torus(1, 0.3, 8, 6), text3("ab", 1, 0), triangles(1), {}}
		textures := []*Texture{nil, checker(8, 4, RGB(255, 0, 0), Color{0, 0, 255, 40}), {1, 1, []byte{1, 2, 3, 255}}}
		for range rapid.IntRange(0, 4).Draw(t, "objects") {
			scale := v("scale")
			s.Objects = append(s.Objects, Object{
				Mesh: rapid.SampledFrom(meshes).Draw(t, "mesh"), Transform: vec.TRS(v("move"), vec.AxisAngle(v("axis"), f.Draw(t, "turn")), scale),
				Material: Material{
					Base: colour(), Metallic: unit.Draw(t, "metallic"), Roughness: unit.Draw(t, "roughness"), Emissive: colour(), EmissiveIntensity: unit.Draw(t, "glow"),
					Alpha: Alpha(rapid.IntRange(0, int(Mask)).Draw(t, "alpha")), DoubleSided: rapid.Bool().Draw(t, "both"), Unlit: rapid.Bool().Draw(t, "unlit"),
					Texture: rapid.SampledFrom(textures).Draw(t, "texture"),
				},
			})
		}
		if rapid.Bool().Draw(t, "label") {
			s.Labels = []Label{{Text: rapid.StringN(0, 5, 20).Draw(t, "text"), Position: v("at"), Height: unit.Draw(t, "size"), Color: colour(), Plate: colour()}}
		}
		return s
	})
}

// Any scene is drawn twice the same or refused twice the same, and no light ends
// up as no number.
func TestAnySceneIsDrawnTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := genScene().Draw(t, "scene")
		o := Options{Width: rapid.IntRange(16, 40).Draw(t, "w"), Height: rapid.IntRange(16, 40).Draw(t, "h"), Samples: rapid.SampledFrom([]int{1, 4}).Draw(t, "samples"), ShadowMap: 32}
		one, w1, err1 := Render(s, o)
		two, w2, err2 := Render(s, o)
		if !reflect.DeepEqual(err1, err2) || !reflect.DeepEqual(w1, w2) {
			t.Fatalf("%v, then %v", err1, err2)
		}
		if err1 != nil {
			if codeOf(err1) == "" {
				t.Fatalf("no code: %v", err1)
			}
			return
		}
		if !bytes.Equal(one.Pix, two.Pix) || one.Bounds() != image.Rect(0, 0, o.Width, o.Height) || !one.Opaque() {
			t.Fatal("the pictures differ, or are not opaque")
		}
		p1, err := Plan(s, PlanOptions{Width: o.Width, Height: o.Height})
		p2, _ := Plan(s, PlanOptions{Width: o.Width, Height: o.Height})
		if err != nil || !bytes.Equal(p1, p2) || bytes.Contains(p1, []byte("NaN")) {
			t.Fatalf("plan: %v", err)
		}
	})
}
