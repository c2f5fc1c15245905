package raster

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
	"pgregory.net/rapid"
)

func draw(t testing.TB, s *Scene, w, h int) *image.NRGBA {
	t.Helper()
	img, _, err := Render(s, Options{Width: w, Height: h})
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// bright is the sum of a pixel's channels.
func bright(c color.NRGBA) int { return int(c.R) + int(c.G) + int(c.B) }

// front looks along -Z at the origin from so far away.
func front(distance float64) Camera {
	return Camera{Position: vec.At(0, 0, distance), FOV: 60 * degree}
}

func unlit(c Color) Material { return Material{Base: c, Unlit: true} }

func TestUnlitBoxHasItsColour(t *testing.T) {
	t.Parallel()
	red := RGB(214, 60, 50)
	s := &Scene{Camera: front(3), Objects: []Object{{Mesh: shape.Box(1, 1, 1), Material: unlit(red)}}, Sky: Sky{Top: RGB(10, 20, 30), Bottom: RGB(10, 20, 30)}}
	img := draw(t, s, 90, 60)
	if got := img.NRGBAAt(45, 30); got != (color.NRGBA{214, 60, 50, 255}) {
		t.Errorf("in the middle %v", got)
	}
	if got := img.NRGBAAt(2, 2); got != (color.NRGBA{10, 20, 30, 255}) {
		t.Errorf("in the corner %v", got)
	}
	// Its front is 1 m wide at 2.5 m: 60 / (2·2.5·tan 30°) = 20.8 pixels.
	n := 0
	for x := range 90 {
		if img.NRGBAAt(x, 30) == (color.NRGBA{214, 60, 50, 255}) {
			n++
		}
	}
	if n < 19 || n > 21 {
		t.Errorf("the box is %d pixels wide, want about 20.8", n)
	}
}

// Up is up, right is right, and what is in front hides what is behind.
func TestDirections(t *testing.T) {
	t.Parallel()
	dot := func(c Color, x, y, z float64) Object {
		return Object{Mesh: shape.Box(0.4, 0.4, 0.4), Material: unlit(c), Transform: at(x, y, z)}
	}
	s := &Scene{Camera: front(4), Objects: []Object{
		dot(RGB(255, 0, 0), 1, 0, 0), dot(RGB(0, 255, 0), 0, 1, 0), dot(RGB(0, 0, 255), 0, 0, 0.5), dot(RGB(255, 255, 0), 0, 0, -2),
	}}
	for _, camera := range []Camera{front(4), {Position: vec.At(0, 0, 4), Ortho: 4}} {
		s.Camera = camera
		img := draw(t, s, 80, 80)
		if c := img.NRGBAAt(60, 40); c.R != 255 || c.G != 0 {
			t.Errorf("to the right is %v", c)
		}
		if c := img.NRGBAAt(40, 20); c.G != 255 || c.R != 0 {
			t.Errorf("above is %v", c)
		}
		if c := img.NRGBAAt(40, 40); c.B != 255 || c.R != 0 {
			t.Errorf("in front is %v", c)
		}
	}
}

// A white matt surface that faces a light of intensity 1 is white.
func TestIntensityOneIsNeutral(t *testing.T) {
	t.Parallel()
	matt := Material{Base: RGB(255, 255, 255), Roughness: 1}
	face := Object{Mesh: shape.Box(4, 4, 1), Material: matt, Transform: at(0, 0, -0.5)}
	for name, l := range map[string]Light{
		"ambient":     {Kind: Ambient, Intensity: 1},
		"directional": {Kind: Directional, Intensity: 1, Direction: vec.At(0, 0, -1)},
		"point":       {Kind: Point, Intensity: 1, Position: vec.At(0, 0, 1)},
		"spot":        {Kind: Spot, Intensity: 1, Position: vec.At(0, 0, 1), Direction: vec.At(0, 0, -1)},
		"hemisphere":  {Kind: Hemisphere, Intensity: 1, Ground: RGB(255, 255, 255)},
	} {
		l.Color = RGB(255, 255, 255)
		img := draw(t, &Scene{Camera: front(2), Lights: []Light{l}, Objects: []Object{face}}, 32, 32)
		if c := img.NRGBAAt(16, 16); c.R < 250 {
			t.Errorf("%s: %v", name, c)
		}
		l.Intensity = 0.2140411 // the light of sRGB 127.5
		face.Material.Base = RGB(255, 255, 255)
		img = draw(t, &Scene{Camera: front(2), Lights: []Light{l}, Objects: []Object{face}}, 32, 32)
		if c := img.NRGBAAt(16, 16); c.R < 125 || c.R > 135 {
			t.Errorf("%s at a fifth: %v, want about half grey", name, c)
		}
	}
}

func TestLightFadesWithDistanceAndAngle(t *testing.T) {
	t.Parallel()
	wall := Object{Mesh: shape.Box(20, 20, 1), Material: Material{Base: RGB(255, 255, 255), Roughness: 1}, Transform: at(0, 0, -0.5)}
	at := func(l Light, x int) int {
		l.Color, l.Direction = RGB(255, 255, 255), vec.At(0, 0, -1)
		return bright(draw(t, &Scene{Camera: front(5), Lights: []Light{l}, Objects: []Object{wall}}, 64, 64).NRGBAAt(x, 32))
	}
	near, far := Light{Kind: Point, Intensity: 1, Position: vec.At(0, 0, 2)}, Light{Kind: Point, Intensity: 1, Position: vec.At(0, 0, 4)}
	if at(near, 32) <= at(far, 32) {
		t.Error("a nearer light should be brighter")
	}
	if at(near, 32) <= at(near, 50) {
		t.Error("the side should be darker")
	}
	short := near
	short.Range = 1.5
	if at(short, 32) != 0 {
		t.Error("a light reaches beyond its range")
	}
	spot := Light{Kind: Spot, Intensity: 4, Position: vec.At(0, 0, 2), Angle: 20 * degree, Penumbra: 0.5}
	if at(spot, 32) == 0 || at(spot, 56) != 0 || at(spot, 37) >= at(spot, 32) {
		t.Errorf("spot: middle %d, half way %d, outside %d", at(spot, 32), at(spot, 37), at(spot, 56))
	}
}

// A shadow lies where it should, is darker than the ground, and nothing shades
// itself.
func TestShadows(t *testing.T) {
	t.Parallel()
	for name, l := range map[string]Light{
		"sun":  {Kind: Directional, Intensity: 0.7, Direction: vec.At(-1, -1, 0), Color: RGB(255, 255, 255), Shadow: true},
		"spot": {Kind: Spot, Intensity: 40, Position: vec.At(5, 5, 0), Direction: vec.At(-1, -1, 0), Angle: 40 * degree, Color: RGB(255, 255, 255), Shadow: true},
	} {
		s := &Scene{Lights: []Light{{Kind: Ambient, Color: RGB(255, 255, 255), Intensity: 0.1}, l}}
		s.Objects = []Object{
			{Mesh: shape.Plane(8, 8), Material: Material{Base: RGB(255, 255, 255), Roughness: 1}},
			{Mesh: shape.Box(0.6, 0.6, 0.6), Material: Paint(RGB(255, 0, 0)), Transform: at(0, 1.3, 0)},
		}
		s.Camera = Camera{Position: vec.At(0, 8, 0.01), FOV: 50 * degree}
		img := draw(t, s, 160, 160)
		if c := img.NRGBAAt(80, 80); c.R < 100 || c.G > 60 {
			t.Errorf("%s: the box is %v", name, c)
		}
		// Its middle is 1.3 m up, the sun stands at 45°: the shadow is 1.3 m to the left.
		x := 80 - int(1.3/(8*math.Tan(25*degree))*80)
		if c := img.NRGBAAt(x, 80); bright(c) > 400 || bright(c) < 100 {
			t.Errorf("%s: in the shadow %v", name, c)
		}
		s.Lights[1].Shadow = false
		plain := draw(t, s, 160, 160)
		if in, out := bright(img.NRGBAAt(x, 80)), bright(plain.NRGBAAt(x, 80)); in*3 > out*2 {
			t.Errorf("%s: %d in the shadow, %d without", name, in, out)
		}
		changed := 0
		for y := range 160 {
			for x := range 160 {
				if img.NRGBAAt(x, y) != plain.NRGBAAt(x, y) {
					changed++
				}
			}
		}
		if changed < 100 || changed > 1500 {
			t.Errorf("%s: the shadow changes %d pixels; a surface shades itself, or nothing is shaded", name, changed)
		}
		s.Lights[1].Shadow, s.Objects[1].NoShadow = true, true
		if !bytes.Equal(draw(t, s, 160, 160).Pix, plain.Pix) {
			t.Errorf("%s: an object that throws no shadow throws one", name)
		}
	}
}

// A triangle that reaches behind the eye is cut, not turned inside out.
func TestNearPlaneCuts(t *testing.T) {
	t.Parallel()
	floor := Object{Mesh: shape.Plane(100, 100), Material: Material{Base: RGB(0, 200, 0), Unlit: true, DoubleSided: true}, Transform: at(0, -1, 0)}
	s := &Scene{Camera: Camera{Position: vec.Vec{}, Target: vec.At(0, 0, -1), FOV: 60 * degree}, Objects: []Object{floor}, Sky: Sky{Top: RGB(255, 255, 255), Bottom: RGB(255, 255, 255)}}
	img := draw(t, s, 100, 100)
	for x := range 100 {
		for y := range 100 {
			c := img.NRGBAAt(x, y)
			if y < 48 && c.R != 255 {
				t.Fatalf("pixel %d,%d above the horizon is %v", x, y, c)
			}
			if y > 52 && c != (color.NRGBA{0, 200, 0, 255}) {
				t.Fatalf("pixel %d,%d below the horizon is %v", x, y, c)
			}
		}
	}
	// Inside a box: its walls are seen all around, from within.
	s.Objects = []Object{{Mesh: shape.Box(2, 2, 2), Material: Material{Base: RGB(0, 0, 200), Unlit: true, DoubleSided: true}}}
	for _, p := range draw(t, s, 64, 64).Pix[:4] {
		if p != 0 && p != 200 && p != 255 {
			t.Errorf("inside the box %d", p)
		}
	}
	s.Objects[0].Material.DoubleSided = false
	if c := draw(t, s, 64, 64).NRGBAAt(32, 32); c.R != 255 {
		t.Errorf("the inside of a one-sided box is seen: %v", c)
	}
}

// What is nearer than the near plane or farther than the far one is not there,
// and a ground that reaches far beyond the picture is cut without overflow.
func TestPlanesCutAtTheirPlace(t *testing.T) {
	t.Parallel()
	blue := Sky{Top: RGB(0, 0, 255), Bottom: RGB(0, 0, 255)}
	floor := func(size float64) []Object {
		return []Object{{Mesh: shape.Plane(size, size), Material: unlit(RGB(0, 200, 0)), Transform: at(0, -1, 0)}}
	}
	// The row where the floor, a metre below the eye, is so far away.
	row := func(depth float64) int { return int(100 + 100/(depth*math.Tan(30*degree))) }
	s := &Scene{Camera: Camera{Target: vec.At(0, 0, -1), Near: 4, Far: 20}, Sky: blue, Objects: floor(100)}
	img := draw(t, s, 200, 200)
	for _, c := range []struct {
		y     int
		floor bool
	}{{row(4) + 2, false}, {row(4) - 2, true}, {row(20) + 2, true}, {row(20) - 2, false}, {50, false}, {199, false}} {
		for _, x := range []int{0, 100, 199} {
			if got := img.NRGBAAt(x, c.y).G == 200; got != c.floor {
				t.Errorf("pixel %d,%d shows the floor: %v", x, c.y, got)
			}
		}
	}
	s.Objects, s.Camera.Near, s.Camera.Far = floor(1e6), 1e-4, 1e7
	img = draw(t, s, 1000, 200)
	for _, x := range []int{0, 1, 333, 500, 999} {
		for _, y := range []int{0, 97, 103, 150, 199} {
			if got := img.NRGBAAt(x, y).G == 200; got != (y > 100) {
				t.Errorf("a vast floor at pixel %d,%d: %v", x, y, got)
			}
		}
	}
}

// Normals turn with the surface, not with its points; the back of a surface of
// two sides is lit from behind; a light behind a surface takes nothing away.
func TestNormalsAndSides(t *testing.T) {
	t.Parallel()
	toBack := []Light{{Kind: Directional, Intensity: 1, Direction: vec.At(0, 0, -1), Color: RGB(255, 255, 255)}}
	matt := Material{Base: RGB(255, 255, 255), Roughness: 1, DoubleSided: true}
	at := func(s *Scene) float64 { return linear[draw(t, s, 32, 32).NRGBAAt(16, 16).R] }
	// A slope of 45° stretched four times in height has the normal (0, 1, 4).
	slope := vec.TRS(vec.Vec{}, vec.AxisAngle(vec.At(1, 0, 0), 45*degree), vec.At(1, 1, 1))
	stretch := vec.TRS(vec.Vec{}, vec.Quat{3: 1}, vec.At(1, 4, 1))
	s := &Scene{Camera: front(4), Lights: toBack, Objects: []Object{{Mesh: shape.Plane(4, 4), Material: matt, Transform: stretch.Mul(slope)}}}
	if got, want := at(s), 4/math.Sqrt(17); math.Abs(got-want) > 0.06 {
		t.Errorf("a stretched slope is %v bright, want %v", got, want)
	}
	upright := func(angle float64) vec.Mat {
		return vec.TRS(vec.Vec{}, vec.AxisAngle(vec.At(1, 0, 0), angle*degree), vec.At(1, 1, 1))
	}
	for _, angle := range []float64{90, -90} { // the front towards the camera, then the back
		s.Objects[0].Transform = upright(angle)
		if got := at(s); got < 0.9 {
			t.Errorf("turned by %v°: %v", angle, got)
		}
	}
	s.Lights = []Light{{Kind: Ambient, Color: RGB(255, 255, 255), Intensity: 0.3}}
	want := at(s)
	s.Lights = append(s.Lights, Light{Kind: Directional, Intensity: 1, Direction: vec.At(0, 0, 1), Color: RGB(255, 255, 255)})
	if got := at(s); got != want {
		t.Errorf("a light behind the surface changes it from %v to %v", want, got)
	}
}

func TestFarPlaneCuts(t *testing.T) {
	t.Parallel()
	s := &Scene{Camera: front(5), Objects: []Object{{Mesh: shape.Box(1, 1, 1), Material: unlit(RGB(255, 0, 0))}}}
	s.Camera.Far = 4
	if c := draw(t, s, 32, 32).NRGBAAt(16, 16); c.R != 0 {
		t.Errorf("beyond the far plane %v", c)
	}
}

func TestTransparentMixes(t *testing.T) {
	t.Parallel()
	pane := func(c Color, z float64) Object {
		return Object{Mesh: shape.Box(4, 4, 0.01), Material: unlit(c), Transform: at(0, 0, z)}
	}
	s := &Scene{Camera: front(4), Objects: []Object{pane(Color{0, 0, 255, 128}, 1), pane(RGB(255, 0, 0), 0)}}
	c := draw(t, s, 32, 32).NRGBAAt(16, 16)
	half := int(encode(linear[255] * 0.5))
	if math.Abs(float64(int(c.R)-half)) > 2 || math.Abs(float64(int(c.B)-half)) > 2 || c.G != 0 {
		t.Errorf("blue glass over red is %v, want %d of each", c, half)
	}
	// Order in the list does not matter, only depth does.
	front, back := pane(Color{0, 255, 0, 200}, 1), pane(Color{255, 0, 0, 200}, 0.2)
	s.Objects = []Object{front, back}
	one := draw(t, s, 32, 32)
	s.Objects = []Object{back, front}
	if !bytes.Equal(one.Pix, draw(t, s, 32, 32).Pix) {
		t.Error("the order of transparent objects changes the picture")
	}
	if c := one.NRGBAAt(16, 16); c.G <= c.R {
		t.Errorf("the pane in front shows less: %v", c)
	}
	s.Objects = []Object{pane(RGB(255, 0, 0), 1), pane(Color{0, 0, 255, 128}, 0)}
	if c := draw(t, s, 32, 32).NRGBAAt(16, 16); c != (color.NRGBA{255, 0, 0, 255}) {
		t.Errorf("glass behind a wall shows: %v", c)
	}
}

func TestTextures(t *testing.T) {
	t.Parallel()
	quarters := &Texture{Width: 2, Height: 2, Pix: []byte{255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255}}
	m := unlit(RGB(255, 255, 255))
	m.Texture = quarters
	s := &Scene{Camera: front(2), Objects: []Object{{Mesh: shape.Box(2, 2, 0.02), Material: m}}}
	img := draw(t, s, 80, 80)
	for _, c := range []struct {
		name string
		x, y int
		want [3]int
	}{{"upper left", 24, 24, [3]int{255, 0, 0}}, {"upper right", 56, 24, [3]int{0, 255, 0}}, {"lower left", 24, 56, [3]int{0, 0, 255}}, {"lower right", 56, 56, [3]int{255, 255, 255}}} {
		got := img.NRGBAAt(c.x, c.y)
		for k, v := range []uint8{got.R, got.G, got.B} {
			if c.want[k] == 255 && v < 200 || c.want[k] == 0 && v > 130 {
				t.Errorf("%s is %v, want about %v", c.name, got, c.want)
				break
			}
		}
	}
	// Far away, a fine pattern becomes its average, not a flicker of its parts.
	fine := unlit(RGB(255, 255, 255))
	fine.Texture = checker(256, 128, RGB(0, 0, 0), RGB(255, 255, 255))
	s = &Scene{Camera: front(6), Objects: []Object{{Mesh: shape.Box(2, 2, 0.02), Material: fine}}}
	img = draw(t, s, 64, 64)
	for x := 26; x < 38; x++ {
		if c := img.NRGBAAt(x, 32); c.R < 165 || c.R > 210 {
			t.Errorf("pixel %d of a fine pattern is %v, want about 188", x, c)
		}
	}
	// Without texture coordinates the first texel counts.
	bare := *shape.Box(2, 2, 2)
	bare.UVs = nil
	s.Objects = []Object{{Mesh: &bare, Material: m}}
	draw(t, s, 32, 32)
}

// A texture is not bent where a quad is seen at a slant.
func TestTextureIsPerspectiveCorrect(t *testing.T) {
	t.Parallel()
	m := unlit(RGB(255, 255, 255))
	m.Texture = checker(64, 2, RGB(0, 0, 0), RGB(255, 255, 255))
	s := &Scene{Objects: []Object{{Mesh: shape.Plane(4, 4), Material: m}}, Camera: Camera{Position: vec.At(0, 1, 3), Target: vec.At(0, 0, 0), FOV: 60 * degree}}
	img := draw(t, s, 200, 200)
	chess := *s
	chess.Objects = []Object{{Mesh: shape.Plane(4, 4), Material: unlit(RGB(255, 255, 255))}}
	chess.Objects[0].Material.Texture = checker(64, 8, RGB(0, 0, 0), RGB(255, 255, 255))
	board := draw(t, &chess, 200, 200)
	camera, _ := s.Camera.complete()
	v := newView(camera, 200, 200)
	for i := range 8 {
		for j := range 8 {
			k := v.corner(vec.At(float64(i)/2-1.75, 0, float64(j)/2-1.75))
			p := v.spot(&k)
			x, y := int(p.x>>gridBits), int(p.y>>gridBits)
			if x < 0 || y < 0 || x >= 200 || y >= 200 {
				continue
			}
			if got, want := bright(board.NRGBAAt(x, y)) > 380, (i+j)%2 == 1; got != want {
				t.Errorf("the middle of square %d,%d at pixel %d,%d is white: %v", i, j, x, y, got)
			}
		}
	}
	// The middle of the plane is the middle of the picture, and there the four squares meet.
	for _, d := range []int{6, 12} {
		a, b := img.NRGBAAt(100-d, 100-3), img.NRGBAAt(100+d, 100-3)
		if math.Abs(float64(bright(a)-bright(b))) < 600 {
			t.Errorf("left and right of the middle: %v %v", a, b)
		}
		a, b = img.NRGBAAt(100-d, 100-3), img.NRGBAAt(100-d, 100+3)
		if math.Abs(float64(bright(a)-bright(b))) < 600 {
			t.Errorf("above and below the middle: %v %v", a, b)
		}
	}
}

func TestMaskCutsOut(t *testing.T) {
	t.Parallel()
	m := Material{Base: RGB(255, 255, 255), Unlit: true, Alpha: Mask, Texture: checker(32, 2, RGB(255, 0, 0), Color{255, 0, 0, 0})}
	s := &Scene{Camera: front(2), Objects: []Object{{Mesh: shape.Box(2, 2, 0.02), Material: m}}, Sky: Sky{Top: RGB(0, 0, 255), Bottom: RGB(0, 0, 255)}}
	img := draw(t, s, 64, 64)
	if a, b := img.NRGBAAt(20, 20), img.NRGBAAt(44, 20); a.R != 255 || b.B != 255 || b.R != 0 {
		t.Errorf("cut out: %v beside %v", a, b)
	}
}

// An edge goes through shades of grey, and in light: half covered is 188, not 128.
func TestEdgesAreSmooth(t *testing.T) {
	t.Parallel()
	slanted := vec.TRS(vec.Vec{}, vec.AxisAngle(vec.At(0, 0, 1), 0.3), vec.At(1, 1, 1))
	s := &Scene{Camera: front(3), Objects: []Object{{Mesh: shape.Box(1, 1, 0.01), Material: unlit(RGB(255, 255, 255)), Transform: slanted}}}
	shades := map[uint8]int{}
	for i, p := range draw(t, s, 80, 80).Pix {
		if i%4 == 0 {
			shades[p]++
		}
	}
	if len(shades) != 5 || shades[188] == 0 {
		t.Errorf("shades %v, want black, white and three between", shades)
	}
	img, _, err := Render(s, Options{Width: 80, Height: 80, Samples: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range img.Pix {
		if i%4 == 0 && p != 0 && p != 255 {
			t.Fatalf("one sample gives a shade of %d", p)
		}
	}
}

// A mesh cut into triangles in any way has no gap and no doubled sample: glass
// would show both.
func TestNeighboursShareNoSample(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := &shape.Mesh{}
		const n = 5
		f := rapid.Float64Range(-0.08, 0.08)
		for y := range n {
			for x := range n {
				p := [3]float32{float32(x)/2 - 1, float32(y)/2 - 1, 0}
				if x > 0 && x < n-1 && y > 0 && y < n-1 {
					p[0] += float32(f.Draw(t, "dx"))
					p[1] += float32(f.Draw(t, "dy"))
				}
				m.Positions = append(m.Positions, p)
			}
		}
		for y := range uint32(n - 1) {
			for x := range uint32(n - 1) {
				a := y*n + x
				m.Indices = append(m.Indices, a, a+1, a+n+1, a, a+n+1, a+n)
			}
		}
		glass := unlit(Color{255, 255, 255, 100})
		s := &Scene{Camera: front(1.5), Objects: []Object{{Mesh: m, Material: glass}}}
		s.Camera.Position.X, s.Camera.Position.Y = f.Draw(t, "x"), f.Draw(t, "y")
		img := drawIn(t, s, 48, 48)
		want := img.NRGBAAt(24, 24)
		for y := 8; y < 40; y++ {
			for x := 8; x < 40; x++ {
				if img.NRGBAAt(x, y) != want {
					t.Fatalf("pixel %d,%d is %v, others %v", x, y, img.NRGBAAt(x, y), want)
				}
			}
		}
	})
}

func TestFogAndGlow(t *testing.T) {
	t.Parallel()
	box := Object{Mesh: shape.Box(1, 1, 1), Material: unlit(RGB(255, 255, 255))}
	s := &Scene{Camera: front(4), Objects: []Object{box}, Sky: Sky{Fog: RGB(0, 0, 255), FogDensity: 0.3}}
	c := draw(t, s, 32, 32).NRGBAAt(16, 16)
	if want := encode(math.Exp(-(0.3 * 3.5) * (0.3 * 3.5))); math.Abs(float64(c.R)-float64(want)) > 1 || c.B != 255 {
		t.Errorf("in the fog %v, want red %d", c, want)
	}
	s = &Scene{Camera: front(4), Objects: []Object{{Mesh: shape.Box(1, 1, 1), Material: Material{Emissive: RGB(0, 255, 0), EmissiveIntensity: 1, Base: RGB(0, 0, 0), Alpha: Opaque}}}}
	if c := draw(t, s, 32, 32).NRGBAAt(16, 16); c != (color.NRGBA{0, 255, 0, 255}) {
		t.Errorf("a glowing box in the dark is %v", c)
	}
}

// A smooth ball has no facets: brightness falls evenly to the side.
func TestNormalsAreSmooth(t *testing.T) {
	t.Parallel()
	s := &Scene{Camera: front(3), Lights: []Light{{Kind: Directional, Intensity: 1, Direction: vec.At(0, 0, -1), Color: RGB(255, 255, 255)}}}
	s.Objects = []Object{{Mesh: shape.Sphere(1, 24), Material: Material{Base: RGB(255, 255, 255), Roughness: 1}}}
	img := draw(t, s, 120, 120)
	last := 255
	for x := 60; x < 92; x++ {
		c := int(img.NRGBAAt(x, 60).R)
		if c > last+1 || last-c > 25 {
			t.Errorf("pixel %d is %d after %d", x, c, last)
		}
		last = c
	}
	// Without normals it has facets.
	bare := *shape.Sphere(1, 8)
	bare.Normals = nil
	s.Objects[0].Mesh = &bare
	draw(t, s, 32, 32)
}

// A mirroring transform shows the outside, lit from the right side.
func TestMirroredMesh(t *testing.T) {
	t.Parallel()
	s := &Scene{Camera: front(3), Lights: []Light{{Kind: Directional, Intensity: 1, Direction: vec.At(0, 0, -1), Color: RGB(255, 255, 255)}}}
	s.Objects = []Object{{Mesh: shape.Sphere(1, 24), Material: Paint(RGB(200, 200, 200))}}
	plain := draw(t, s, 64, 64)
	s.Objects[0].Transform = vec.TRS(vec.Vec{}, vec.Quat{3: 1}, vec.At(-1, 1, 1))
	mirrored := draw(t, s, 64, 64)
	if a, b := plain.NRGBAAt(32, 32), mirrored.NRGBAAt(32, 32); math.Abs(float64(a.R)-float64(b.R)) > 2 || a.R < 100 {
		t.Errorf("plain %v, mirrored %v", a, b)
	}
}

func TestLabels(t *testing.T) {
	t.Parallel()
	s := &Scene{Camera: front(3), Labels: []Label{{Text: "HHH", Height: 0.8, Color: RGB(255, 255, 0), Plate: RGB(0, 0, 90)}}}
	img, warnings, err := Render(s, Options{Width: 120, Height: 80})
	if err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	letters, plate := 0, 0
	for y := range 80 {
		for x := range 120 {
			switch img.NRGBAAt(x, y) {
			case color.NRGBA{255, 255, 0, 255}:
				letters++
			case color.NRGBA{0, 0, 90, 255}:
				plate++
			}
		}
	}
	if letters < 200 || plate < letters {
		t.Errorf("%d pixels of letters, %d of the plate", letters, plate)
	}
	s.Objects = []Object{{Mesh: shape.Box(9, 9, 0.1), Material: unlit(RGB(255, 0, 0)), Transform: at(0, 0, 1)}}
	if c := draw(t, s, 120, 80).NRGBAAt(60, 40); c.R != 255 || c.G != 0 {
		t.Errorf("a label shows through a wall: %v", c)
	}
	s.Labels[0].Text = "日"
	if _, warnings, _ := Render(s, Options{Width: 64, Height: 64}); len(warnings) != 1 || warnings[0].Code != "text_unknown" {
		t.Errorf("warnings %v", warnings)
	}
}

func TestPNGReadsBack(t *testing.T) {
	t.Parallel()
	img := draw(t, nightScene(), 64, 48)
	data, err := EncodePNG(img)
	if err != nil {
		t.Fatal(err)
	}
	back, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for y := range 48 {
		for x := range 64 {
			if color.NRGBAModel.Convert(back.At(x, y)) != img.At(x, y) {
				t.Fatalf("pixel %d,%d differs", x, y)
			}
		}
	}
	again, err := EncodePNG(draw(t, nightScene(), 64, 48))
	if err != nil || !bytes.Equal(data, again) {
		t.Error("a second picture has other bytes")
	}
}

func TestStepEndsTheWork(t *testing.T) {
	t.Parallel()
	enough := errors.New("enough")
	for _, after := range []int{0, 1, 30} {
		n := 0
		_, _, err := Render(solidsScene(), Options{Width: 100, Height: 60, Step: func() error {
			if n++; n > after {
				return enough
			}
			return nil
		}})
		if !errors.Is(err, enough) || n != after+1 {
			t.Errorf("after %d steps: %d steps, %v", after, n, err)
		}
	}
	n := 0
	if _, _, err := Render(&Scene{Camera: front(3)}, Options{Width: 100, Height: 60, Step: func() error { n++; return nil }}); err != nil || n < 60 {
		t.Errorf("an empty picture of 60 rows: %d steps, %v", n, err)
	}
}

// The picture does not depend on how it is cut into bands.
func TestBandsDoNotShow(t *testing.T) {
	t.Parallel()
	s := solidsScene()
	tall := draw(t, s, 400, 700) // three bands
	again := draw(t, s, 400, 700)
	if !bytes.Equal(tall.Pix, again.Pix) {
		t.Error("two pictures differ")
	}
	for _, y := range []int{bandPixels / 400, 2 * bandPixels / 400} {
		jump := 0
		for x := range 400 {
			a, b := tall.NRGBAAt(x, y-1), tall.NRGBAAt(x, y)
			if d := bright(a) - bright(b); d > 60 || d < -60 {
				jump++
			}
		}
		if jump > 60 {
			t.Errorf("a seam at row %d: %d pixels jump", y, jump)
		}
	}
}

func TestWarningsNameWhatIsMissing(t *testing.T) {
	t.Parallel()
	s := solidsScene()
	s.Lights = []Light{{Kind: Point, Intensity: 1, Shadow: true}}
	for range MaxShadows + 1 {
		s.Lights = append(s.Lights, Light{Kind: Directional, Intensity: 0.1, Shadow: true, Color: RGB(255, 255, 255), Direction: vec.At(1, -1, 0)})
	}
	_, warnings, err := Render(s, Options{Width: 64, Height: 64, ShadowMap: 64})
	if err != nil || len(warnings) != 2 {
		t.Fatalf("%v %v", warnings, err)
	}
	for i, want := range []string{"light 0: point lights", "light 5: only 4"} {
		if warnings[i].Code != "shadow_left_out" || !strings.Contains(warnings[i].Text, want) {
			t.Errorf("warning %+v, want %q", warnings[i], want)
		}
	}
}

func drawIn(t *rapid.T, s *Scene, w, h int) *image.NRGBA {
	img, _, err := Render(s, Options{Width: w, Height: h})
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// Metal has no matt part: away from a highlight it is dark, and its highlight has
// its colour. Roughness widens the highlight.
func TestGloss(t *testing.T) {
	t.Parallel()
	ball := func(metallic, roughness float64) *image.NRGBA {
		m := Material{Base: RGB(255, 40, 40), Metallic: metallic, Roughness: roughness}
		return draw(t, &Scene{
			Camera: front(3), Objects: []Object{{Mesh: shape.Sphere(1, 64), Material: m}},
			Lights: []Light{{Kind: Directional, Intensity: 1, Direction: vec.At(0, 0, -1), Color: RGB(255, 255, 255)}},
		}, 64, 64)
	}
	paint, metal := ball(0, 0.3), ball(1, 0.3)
	if a, b := paint.NRGBAAt(44, 32), metal.NRGBAAt(44, 32); a.R < 150 || b.R > 60 {
		t.Errorf("beside the highlight: paint %v, metal %v", a, b)
	}
	if c := metal.NRGBAAt(32, 32); c.R != 255 || c.G > 220 {
		t.Errorf("the highlight of red metal is %v", c)
	}
	if c := paint.NRGBAAt(32, 32); c.G < 150 {
		t.Errorf("the highlight of red paint is %v", c)
	}
	if a, b := ball(1, 0.3).NRGBAAt(42, 32), ball(1, 0.7).NRGBAAt(42, 32); b.R <= a.R {
		t.Errorf("a rougher ball shows %v where a smoother one shows %v", b, a)
	}
}

func TestExposureAndTone(t *testing.T) {
	t.Parallel()
	at := func(exposure float64, tone Tone) float64 {
		s := &Scene{Camera: front(3), Objects: []Object{{Mesh: shape.Box(1, 1, 1), Material: unlit(RGB(128, 128, 128))}}, Sky: Sky{Exposure: exposure, Tone: tone}}
		return linear[draw(t, s, 32, 32).NRGBAAt(16, 16).R]
	}
	grey := linear[128]
	for _, c := range []struct {
		exposure, want float64
	}{{0, grey}, {1, grey}, {0.5, grey / 2}, {3, grey * 3}, {100, 1}} {
		if got := at(c.exposure, Clamp); math.Abs(got-c.want) > 0.005 {
			t.Errorf("exposure %v: %v, want %v", c.exposure, got, c.want)
		}
	}
	if got, want := at(1, Filmic), grey*(2.51*grey+0.03)/(grey*(2.43*grey+0.59)+0.14); math.Abs(got-want) > 0.005 {
		t.Errorf("filmic %v, want %v", got, want)
	}
	if got := at(1000, Filmic); got != 1 {
		t.Errorf("filmic white is %v", got)
	}
	if got := at(3, Neutral); math.Abs(got-grey) > 0.005 {
		t.Errorf("the neutral curve makes %v of what is unlit and %v", got, grey)
	}
	for _, c := range []struct{ light, want float64 }{{0.05, 0.05}, {0.79, 0.79}, {1, 0.9}, {5, 0.991}} {
		if got := neutral(vec.At(c.light, c.light/2, 0)); math.Abs(got.X-c.want) > 0.005 || c.light < 0.8 && got.Y != c.light/2 {
			t.Errorf("the neutral curve makes %v of %v", got, c.light)
		}
	}
	if got := neutral(vec.At(1000, 1, 1)); min(got.X, got.Y, got.Z) < 0.98 {
		t.Errorf("the neutral curve makes %v of far too much red", got)
	}
}

// What adds its light makes brighter what is behind it, whatever the order.
func TestWhatAdds(t *testing.T) {
	t.Parallel()
	glow := unlit(RGB(0, 0, 0))
	glow.Emissive, glow.EmissiveIntensity, glow.Alpha, glow.Adds = RGB(188, 0, 0), 1, Blend, true
	s := &Scene{Camera: front(3), Objects: []Object{
		{Mesh: shape.Box(1, 1, 0.1), Material: unlit(RGB(0, 188, 0)), Transform: vec.Move(vec.At(0, 0, -1))}, {Mesh: shape.Box(1, 1, 0.001), Material: glow},
	}}
	if c := draw(t, s, 32, 32).NRGBAAt(16, 16); c.R < 180 || c.G < 180 {
		t.Errorf("red light before green is %v", c)
	}
}

// The colour of clear texels does not bleed into smaller copies, and encode is
// the inverse of the table of light.
func TestTexelsAndBytes(t *testing.T) {
	t.Parallel()
	p := newPyramid(&Texture{Width: 2, Height: 1, Pix: []byte{255, 0, 0, 255, 0, 255, 0, 0}})
	if last := p.levels[len(p.levels)-1].pix; last[0] != 255 || last[1] != 0 || last[3] != 128 {
		t.Errorf("half red, half clear is %v", last)
	}
	if !p.clear || newPyramid(&Texture{Width: 1, Height: 1, Pix: []byte{1, 2, 3, 255}}).clear {
		t.Error("which texture is clear?")
	}
	for b := range 256 {
		if got := encode(linear[b]); int(got) != b {
			t.Errorf("encode(linear[%d]) = %d", b, got)
		}
		want := float64(b) / 255
		if want <= 0.04045 {
			want /= 12.92
		} else {
			want = math.Pow((want+0.055)/1.055, 2.4)
		}
		if math.Abs(linear[b]-want) > 1e-8 {
			t.Errorf("linear[%d] = %v, want %v", b, linear[b], want)
		}
	}
	for _, x := range []float64{-1, math.NaN(), 2} {
		if got := encode(x); got != 0 && x != 2 || x == 2 && got != 255 {
			t.Errorf("encode(%v) = %d", x, got)
		}
	}
}
