package raster

import (
	"math"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
)

// checker is a texture of squares.
func checker(side, squares int, a, b Color) *Texture {
	t := &Texture{Width: side, Height: side, Pix: make([]byte, 0, 4*side*side)}
	for y := range side {
		for x := range side {
			c := a
			if (x*squares/side+y*squares/side)%2 == 1 {
				c = b
			}
			t.Pix = append(t.Pix, c.R, c.G, c.B, c.A)
		}
	}
	return t
}

func at(x, y, z float64) vec.Mat { return vec.Move(vec.At(x, y, z)) }

func sun(shadow bool) []Light {
	return []Light{
		{Kind: Ambient, Color: RGB(255, 255, 255), Intensity: 0.25},
		{Kind: Directional, Color: RGB(255, 250, 240), Intensity: 0.9, Direction: vec.At(-0.5, -1, -0.6), Shadow: shadow},
	}
}

// solidsScene shows every solid on a chequered ground, in the sun.
func solidsScene() *Scene {
	s := &Scene{Lights: sun(true), Sky: Sky{Top: RGB(90, 140, 220), Bottom: RGB(225, 230, 235)}}
	ground := Material{Base: RGB(255, 255, 255), Roughness: 0.9, Texture: checker(256, 16, RGB(200, 200, 196), RGB(150, 152, 155))}
	s.Objects = []Object{{Name: "Ground", Mesh: shape.Plane(16, 16), Material: ground}}
	add := func(name string, m *shape.Mesh, c Color, t vec.Mat) {
		s.Objects = append(s.Objects, Object{Name: name, Mesh: m, Material: Paint(c), Transform: t})
	}
	turned := vec.TRS(vec.At(-3, 0.5, 0), vec.AxisAngle(vec.At(0, 1, 0), 0.6), vec.At(1, 1, 1))
	add("Box", shape.Box(1, 1, 1), RGB(214, 60, 50), turned)
	add("Sphere", shape.Sphere(0.6, 48), RGB(60, 120, 214), at(-1.5, 0.6, 0))
	add("Cylinder", shape.Cylinder(0.45, 0.45, 1.2, 48), RGB(60, 170, 90), at(0, 0.6, 0))
	add("Cone", shape.Cone(0.5, 1.3, 48), RGB(240, 180, 40), at(1.5, 0.65, 0))
	add("Torus", shape.Torus(0.5, 0.18, 48, 24), RGB(160, 80, 190), vec.TRS(vec.At(3, 0.68, 0), vec.AxisAngle(vec.At(1, 0, 0), 1.2), vec.At(1, 1, 1)))
	add("Capsule", shape.Capsule(0.3, 1.4, 32), RGB(240, 120, 60), at(-0.7, 0.7, 1.7))
	add("Text", text3("Hall 7", 0.5, 0.12), RGB(40, 45, 60), at(1.2, 0.3, 1.8))
	s.Objects[2].Material.Roughness = 0.15
	s.Objects[5].Material.Metallic, s.Objects[5].Material.Roughness = 0.8, 0.3
	s.Labels = []Label{{Text: "Kugel", Position: vec.At(-1.5, 1.6, 0), Height: 0.16, Color: RGB(255, 255, 255), Plate: Color{20, 24, 32, 200}}}
	s.Camera = Camera{Position: vec.At(1.5, 3.2, 7), Target: vec.At(0, 0.4, 0), FOV: 45 * math.Pi / 180}
	return s
}

func text3(s string, height, depth float64) *shape.Mesh {
	m, _ := shape.Text(s, height, depth, shape.Center)
	return m
}

// nightScene has a spot with a shadow, point lights, glowing and clear things and fog.
func nightScene() *Scene {
	s := &Scene{Sky: Sky{Top: RGB(8, 10, 24), Bottom: RGB(24, 26, 40), Fog: RGB(24, 26, 40), FogDensity: 0.06, Tone: Filmic, Exposure: 1.3}}
	s.Lights = []Light{
		{Kind: Hemisphere, Color: RGB(120, 140, 200), Ground: RGB(40, 30, 30), Intensity: 0.15},
		{Kind: Spot, Color: RGB(255, 236, 200), Intensity: 30, Position: vec.At(2, 5, 2), Direction: vec.At(-0.4, -1, -0.4), Angle: 0.5, Penumbra: 0.3, Shadow: true},
		{Kind: Point, Color: RGB(255, 90, 60), Intensity: 1.5, Position: vec.At(-2.2, 0.8, 1), Range: 5},
	}
	wall := Material{Base: RGB(180, 180, 190), Roughness: 0.8, DoubleSided: true}
	s.Objects = []Object{
		{Name: "Floor", Mesh: shape.Plane(40, 40), Material: wall},
		{Name: "Crate", Mesh: shape.Box(1, 1, 1), Material: Material{Base: RGB(255, 255, 255), Roughness: 0.7, Texture: checker(64, 4, RGB(170, 110, 60), RGB(120, 75, 40))}, Transform: at(0.6, 0.5, -0.3)},
		{Name: "Lamp", Mesh: shape.Sphere(0.15, 24), Material: Material{Base: RGB(255, 90, 60), Emissive: RGB(255, 90, 60), EmissiveIntensity: 2, Roughness: 0.5}, Transform: at(-2.2, 0.8, 1)},
		{Name: "Pillar", Mesh: shape.Cylinder(0.25, 0.25, 2.4, 32), Material: Paint(RGB(200, 200, 210)), Transform: at(-0.9, 1.2, -0.6)},
		{Name: "Pane", Mesh: shape.Box(1.4, 1.6, 0.05), Material: Material{Base: Color{90, 200, 230, 90}, Roughness: 0.1}, Transform: vec.TRS(vec.At(0.4, 0.8, 1.2), vec.AxisAngle(vec.At(0, 1, 0), 0.3), vec.At(1, 1, 1))},
		{Name: "Bubble", Mesh: shape.Sphere(0.5, 32), Material: Material{Base: Color{230, 230, 255, 60}, Roughness: 0.05}, Transform: at(1.9, 0.5, 0.8)},
	}
	s.Camera = Camera{Position: vec.At(0.8, 2.2, 6), Target: vec.At(0, 0.8, 0), FOV: 50 * math.Pi / 180}
	return s
}

// fenceScene tests what is cut out, mirrored, seen from behind and near the eye.
func fenceScene() *Scene {
	s := &Scene{Lights: sun(true), Sky: Sky{Top: RGB(250, 250, 250), Bottom: RGB(250, 250, 250)}}
	holes := checker(64, 8, Color{40, 120, 60, 255}, Color{40, 120, 60, 0})
	s.Objects = []Object{
		{Name: "Corridor", Mesh: shape.Plane(3, 60), Material: Material{Base: RGB(255, 255, 255), Roughness: 0.9, Texture: checker(128, 8, RGB(230, 120, 40), RGB(250, 240, 220))}, Transform: at(0, 0, -25)},
		{Name: "Fence", Mesh: shape.Plane(2, 2), Material: Material{Base: RGB(255, 255, 255), Roughness: 0.9, Texture: holes, Alpha: Mask, DoubleSided: true}, Transform: vec.TRS(vec.At(-0.6, 1, -2), vec.AxisAngle(vec.At(1, 0, 0), math.Pi/2), vec.At(1, 1, 1))},
		{Name: "Mirrored", Mesh: text3("R", 0.8, 0.2), Material: Paint(RGB(60, 60, 200)), Transform: vec.TRS(vec.At(1, 0.8, -2), vec.Quat{3: 1}, vec.At(-1, 1, 1))},
		{Name: "Inside", Mesh: shape.Box(0.8, 0.8, 0.8), Material: Paint(RGB(200, 60, 60)), Transform: at(0.6, 0.2, 2.1)},
	}
	s.Camera = Camera{Position: vec.At(0, 1, 2), Target: vec.At(0, 0.7, -3), FOV: 60 * math.Pi / 180}
	return s
}
