package godot

import (
	"fmt"
	"math"
	"strings"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// color is an sRGB colour as both versions take it.
func (w *writer) color(c string) string {
	b := scene.RGBA(c)
	return w.d.call("Color", float64(b[0])/255, float64(b[1])/255, float64(b[2])/255, float64(b[3])/255)
}

// material writes the material of a node.
func (w *writer) material(i int) string {
	m := &w.s.Materials[i]
	p := []string{"albedo_color = " + w.color(m.BaseColor)}
	switch {
	case m.Alpha == "blend":
		p = append(p, w.d.name("blended"))
	case m.Alpha == "mask":
		p = append(p, w.d.name("masked"))
	case m.Transmission > 0:
		p = append(p, "refraction_enabled = true", "refraction_scale = "+float(float64(0.05*m.Transmission)))
	}
	if m.DoubleSided {
		p = append(p, w.d.name("two_sided"))
	}
	if m.Unlit {
		return w.d.resource("Material", append(p, w.d.name("unshaded"))...)
	}
	p = append(p, "metallic = "+float(m.Metallic), "roughness = "+float(float64(m.Roughness)))
	if ior := float64(m.IOR); ior > 0 && ior != 1.5 {
		f := (ior - 1) / (ior + 1)
		p = append(p, "metallic_specular = "+float(min(1, float64(f*f)/0.08)))
	}
	if m.Emissive != "" {
		p = append(p, "emission_enabled = true", "emission = "+w.color(m.Emissive), w.d.name("emission_energy")+" = "+float(float64(m.EmissiveIntensity)))
	}
	if m.Maps != (scene.Maps{}) {
		w.textured[i] = true
	}
	return w.d.resource("Material", p...)
}

// solid is a mesh of the engine's own for a geometry, and how it is placed. There
// is none for the shapes that the engine does not have in both versions: those
// are written out in the script.
func (w *writer) solid(g *scene.Geometry) (mesh string, place vec.Mat, ok bool) {
	at := vec.Identity()
	around := 32
	if len(g.Segments) > 0 {
		around = g.Segments[0]
	}
	round := []string{fmt.Sprintf("radial_segments = %d", around)}
	if !g.Stretch.IsZero() {
		at = vec.TRS(vec.Vec{}, vec.Quat{3: 1}, vec.At(g.Stretch[0], g.Stretch[1], g.Stretch[2]))
	}
	switch g.Kind {
	case "box":
		size := scene.Vec{1, 1, 1}
		if g.Size != nil {
			size = *g.Size
		}
		return w.d.resource("Box", "size = "+w.d.vector(size[0], size[1], size[2])), at, true
	case "plane":
		size := scene.Vec{1, 0, 1}
		if g.Size != nil {
			size = *g.Size
		}
		return w.d.resource("PlaneMesh", "size = "+w.d.call("Vector2", size[0], size[2])), at, true
	case "sphere":
		return w.d.resource("SphereMesh", append(round, "radius = "+float(g.Radius), "height = "+float(2*g.Radius), fmt.Sprintf("rings = %d", max(2, around/2)))...), at, true
	case "cylinder":
		return w.d.resource("CylinderMesh", append(round, "top_radius = "+float(g.Radius), "bottom_radius = "+float(g.Radius), "height = "+float(g.Height), "rings = 1")...), at, true
	case "cone":
		return w.d.resource("CylinderMesh", append(round, "top_radius = 0", "bottom_radius = "+float(g.Radius), "height = "+float(g.Height), "rings = 1")...), at, true
	}
	return "", at, false
}

// drawn are the triangles of a mesh for the script: the mesh and its colour.
func drawn(m *shape.Mesh) string {
	var b strings.Builder
	b.WriteString("[[")
	list := func(n int, at func(int) [3]float32) {
		for i := range n {
			p := at(i)
			for k := range 3 {
				if i+k > 0 {
					b.WriteString(", ")
				}
				b.WriteString(float(float64(p[k])))
			}
		}
	}
	list(len(m.Positions), func(i int) [3]float32 { return m.Positions[i] })
	b.WriteString("], [")
	list(len(m.Normals), func(i int) [3]float32 { return m.Normals[i] })
	b.WriteString("], [")
	for i := range m.Indices {
		if i > 0 {
			b.WriteString(", ")
		}
		// The engine takes the other side of a triangle for its front.
		fmt.Fprint(&b, m.Indices[i-i%3+(3-i%3)%3])
	}
	b.WriteString("]]")
	return b.String()
}

// light writes the light of a node below a path.
func (w *writer) light(n *scene.Node, parent string) {
	l := n.Light
	set := func(energy float64, color string, more ...string) []string {
		p := append([]string{"light_color = " + w.color(color), "light_energy = " + float(energy)}, more...)
		if l.Shadow {
			p = append(p, "shadow_enabled = true")
		}
		return p
	}
	color, energy, reach := or(l.Color, scene.White), float64(l.Intensity), l.Range
	if reach <= 0 {
		reach = 50
	}
	switch l.Type {
	case "ambient":
		w.shine(color, energy)
	case "hemisphere":
		// Light by the height of the normal: what both colours share comes from
		// everywhere, half of their difference from above, and as much is taken away
		// from below.
		up, down := scene.RGBA(color), scene.RGBA(or(l.Ground, scene.Black))
		var mean, more, less [3]uint8
		for k := range 3 {
			mean[k] = uint8((int(up[k]) + int(down[k])) / 2)
			d := (int(up[k]) - int(down[k])) / 2
			more[k], less[k] = uint8(max(d, 0)), uint8(max(-d, 0))
		}
		if !inert(*n) {
			w.shine(hex(mean), energy)
		}
		for _, from := range []struct {
			name  string
			angle float64
			plus  [3]uint8
			minus [3]uint8
		}{{"Above", -math.Pi / 2, more, less}, {"Below", math.Pi / 2, less, more}} {
			at := w.d.transform(vec.TRS(vec.Vec{}, vec.AxisAngle(vec.At(1, 0, 0), from.angle), vec.At(1, 1, 1)))
			if from.plus != ([3]uint8{}) {
				w.d.node("Sun", from.name, parent, at, "light_color = "+w.color(hex(from.plus)), "light_energy = "+float(energy), "light_specular = 0")
			}
			if from.minus != ([3]uint8{}) {
				w.d.node("Sun", from.name, parent, at, "light_color = "+w.color(hex(from.minus)), "light_energy = "+float(energy), "light_specular = 0", "light_negative = true")
			}
		}
	case "directional":
		w.d.node("Sun", "Light", parent, set(energy, color)...)
	case "spot":
		angle := or64(l.Angle, 0.5)
		w.d.node("Spot", "Light", parent, set(energy, color, "spot_range = "+float(reach), "spot_angle = "+float(degrees(angle)), "spot_angle_attenuation = "+float(max(0.01, l.Penumbra)), "spot_attenuation = 2")...)
	case "area": // a wide spot, as the viewer has it
		w.d.node("Spot", "Light", parent, set(energy, color, "spot_range = "+float(reach), "spot_angle = "+float(degrees(1.4)), "spot_angle_attenuation = 0.6", "spot_attenuation = 2")...)
	default:
		w.d.node("Omni", "Light", parent, set(energy, color, "omni_range = "+float(reach), "omni_attenuation = 2")...)
	}
}

func hex(c [3]uint8) string { return fmt.Sprintf("#%02x%02x%02xff", c[0], c[1], c[2]) }

// degrees are as people wrote them: to a ten thousandth, as the model has them in
// fewer digits.
func degrees(radians float64) float64 {
	return math.Round(float64(radians*1800000)/math.Pi) / 10000
}

func or64(a, b float64) float64 {
	if a == 0 {
		return b
	}
	return a
}

// shine adds light from everywhere.
func (w *writer) shine(color string, energy float64) {
	c := scene.RGBA(color)
	for k := range 3 {
		w.ambient[k] += float64(float64(c[k]) / 255 * energy)
	}
}

// camera writes the camera of a node; the first one of the scene is looked through.
func (w *writer) camera(n *scene.Node, parent string) {
	c := n.Camera
	p := []string{"near = " + float(max(c.Near, 0.001)), "far = " + float(c.Far)}
	if c.Ortho > 0 {
		p = append(p, "projection = 1", "size = "+float(c.Ortho))
	} else {
		p = append(p, "fov = "+float(degrees(c.FOV)))
	}
	if !w.seen && !inert(*n) {
		p = append(p, "current = true")
		w.seen = true
	}
	w.d.node("Camera", "Camera", parent, append(p, "keep_aspect = 1")...)
}

// surroundings writes sky, fog, light from everywhere and image effects.
func (w *writer) surroundings() {
	e := &w.s.Environment
	var p []string
	colors := e.Sky.Colors
	switch len(colors) {
	case 0:
		p = append(p, "background_mode = 1", "background_color = "+w.color("#dfe5ecff"))
	case 1:
		p = append(p, "background_mode = 1", "background_color = "+w.color(colors[0]))
	default:
		middle := w.color(middle(colors))
		sky := []string{
			"sky_top_color = " + w.color(colors[0]), "sky_horizon_color = " + middle, "sky_curve = 1",
			"ground_bottom_color = " + w.color(colors[len(colors)-1]), "ground_horizon_color = " + middle, "ground_curve = 1",
		}
		if len(colors) > 3 {
			w.tally.Approximate(artefact.Environment, nil, "a sky of more than three colours keeps those above, in the middle and below")
		}
		if w.d.version == 4 {
			p = append(p, "background_mode = 2", "sky = "+w.d.resource("Sky", "sky_material = "+w.d.resource("ProceduralSkyMaterial", append(sky, "sun_angle_max = 0")...)))
		} else {
			p = append(p, "background_mode = 2", "background_sky = "+w.d.resource("ProceduralSky", append(sky, "sun_energy = 0")...))
		}
	}
	ambient := scene.DefaultAmbient
	if e.Ambient != nil {
		ambient = *e.Ambient
	}
	w.shine(ambient.Color, ambient.Intensity)
	strongest := max(w.ambient[0], w.ambient[1], w.ambient[2], 1e-6)
	p = append(p, "ambient_light_color = "+w.d.call("Color", w.ambient[0]/strongest, w.ambient[1]/strongest, w.ambient[2]/strongest, 1), "ambient_light_energy = "+float(strongest))
	if w.d.version == 4 {
		p = append(p, "ambient_light_source = 2")
	} else {
		p = append(p, "ambient_light_sky_contribution = 0")
	}
	if e.Fog != nil && e.Fog.Density > 0 {
		// e^-(density·d)² lets half of the light through at 0.8326/density and a
		// hundredth at 2.146/density.
		if w.d.version == 4 {
			p = append(p, "fog_enabled = true", "fog_light_color = "+w.color(e.Fog.Color), "fog_density = "+float(float64(0.8326*e.Fog.Density)))
		} else {
			p = append(p, "fog_enabled = true", "fog_color = "+w.color(e.Fog.Color), "fog_depth_begin = 0", "fog_depth_end = "+float(2.146/e.Fog.Density), "fog_depth_curve = 1.5")
		}
	}
	modes := map[string]int{"aces": 3}
	p = append(p, fmt.Sprintf("tonemap_mode = %d", modes[e.ToneMapping]), "tonemap_exposure = "+float(float64(e.Exposure)))
	p = append(p, w.effects()...)
	w.d.node("WorldEnvironment", "Surroundings", "", "environment = "+w.d.resource("Environment", p...))
}

// middle is the colour half way between the first and the last.
func middle(colors []string) string {
	if len(colors)%2 == 1 {
		return colors[len(colors)/2]
	}
	a, b := scene.RGBA(colors[len(colors)/2-1]), scene.RGBA(colors[len(colors)/2])
	return hex([3]uint8{uint8((int(a[0]) + int(b[0])) / 2), uint8((int(a[1]) + int(b[1])) / 2), uint8((int(a[2]) + int(b[2])) / 2)})
}

// effects are those of the picture that the engine has.
func (w *writer) effects() []string {
	var p []string
	for _, e := range w.s.Post {
		num := func(key string, otherwise float64) float64 {
			if v, ok := artefact.Field(e.Params, key); ok && v.Kind == trait.Number {
				return v.Num
			}
			return otherwise
		}
		switch e.Kind {
		case "bloom":
			p = append(p, "glow_enabled = true", "glow_intensity = "+float(num("intensity", num("strength", 0.8))), "glow_hdr_threshold = "+float(num("threshold", 1)))
		case "color_grading":
			p = append(p, "adjustment_enabled = true", "adjustment_brightness = "+float(num("brightness", 1)), "adjustment_contrast = "+float(num("contrast", 1)), "adjustment_saturation = "+float(num("saturation", 1)))
		case "ssao", "ambient_occlusion":
			p = append(p, "ssao_enabled = true")
		case "ssr", "screen_space_reflections":
			p = append(p, map[int]string{3: "ss_reflections_enabled = true", 4: "ssr_enabled = true"}[w.d.version])
		default:
			w.tally.Drop(artefact.Effects, nil, "of the image effects bloom, grading, occlusion and reflections are shown")
		}
	}
	return p
}
