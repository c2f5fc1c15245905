// Package openxr writes a scene as a C++ application for headsets: OpenXR 1.0
// with OpenGL on X11, in one file that contains the scene as data, and the CMake
// file that builds it. It compiles against the real headers; nobody has worn it.
package openxr

import (
	"bytes"
	_ "embed" // the application
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

//go:embed app.cpp.tmpl
var app string

// maxLights is how many lights the application's shader takes.
const maxLights = 8

// Application makes main.cpp and CMakeLists.txt.
func Application(in *artefact.Input) (*artefact.Output, error) {
	w := &writer{in: in, s: in.Scene, tally: artefact.NewTally(in)}
	solids := artefact.Solids(in, func(n *scene.Node) {
		w.tally.Drop(artefact.Models, n, "model files are not merged into the program")
	})
	if len(solids) == 0 {
		return nil, artefact.Nothing(in.Target, "at least one solid")
	}
	w.head()
	w.meshes(solids)
	w.nodes(solids)
	w.lights()
	w.tracks()
	w.surroundings()
	w.b.WriteString("\n" + app)
	build := fmt.Sprintf(cmake, in.Header())
	return &artefact.Output{Places: w.places, Losses: w.tally.All(), Files: []artefact.File{
		{Path: "main.cpp", MediaType: "text/x-c++", Data: w.b.Bytes()},
		{Path: "CMakeLists.txt", MediaType: "text/x-cmake", Data: []byte(build)},
	}}, nil
}

const cmake = `# %s
cmake_minimum_required(VERSION 3.16)
project(scene LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
find_package(OpenXR REQUIRED)
find_package(OpenGL REQUIRED COMPONENTS OpenGL GLX)
find_package(X11 REQUIRED)
add_executable(scene main.cpp)
target_link_libraries(scene OpenXR::openxr_loader OpenGL::OpenGL OpenGL::GLX X11::X11)
`

type writer struct {
	in     *artefact.Input
	s      *scene.Scene
	b      bytes.Buffer
	tally  *artefact.Tally
	places []artefact.Place
	mesh   map[*shape.Mesh]int
}

const head = `// %s
// Compiled against the headers of OpenXR; not run on a headset.
// Metres, Y up, -Z ahead, right-handed; colours are linear.
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#define XR_USE_GRAPHICS_API_OPENGL
#define XR_USE_PLATFORM_XLIB
#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

struct Mesh { const float *vertices; int vertex_count; const unsigned *indices; int index_count; float center[3], radius; };
struct Node { const char *id, *path; int parent, mesh, interact; float t[3], r[4], s[3], color[4], emissive[3], rough; bool unlit; };
struct Light { int node; bool directional; float color[3], range, outside, inside; };
struct Track { int node, part, axis, width, count; const float *keys; int easing, rounds; bool pingpong; };
struct Surroundings { float sky[3], ambient[3], fog[4]; };

static const char *const title = %s;
`

func (w *writer) head() {
	fmt.Fprintf(&w.b, head, artefact.CComment(w.in.Header()), artefact.CString(clip(w.s.Name, 100)))
}

// clip keeps whole characters of at most so many bytes.
func clip(s string, most int) string {
	if s == "" {
		return "scene"
	}
	for i := range s {
		if i > most {
			return s[:i]
		}
	}
	return s
}

// meshes writes every mesh once.
func (w *writer) meshes(solids []artefact.Solid) {
	w.mesh = map[*shape.Mesh]int{}
	var table strings.Builder
	for _, s := range solids {
		if _, known := w.mesh[s.Mesh]; known {
			continue
		}
		i := len(w.mesh)
		w.mesh[s.Mesh] = i
		fmt.Fprintf(&w.b, "\nstatic const float vertices_%d[] = {", i)
		low, high := s.Mesh.Positions[0], s.Mesh.Positions[0]
		for k, p := range s.Mesh.Positions {
			n := s.Mesh.Normals[k]
			fmt.Fprintf(&w.b, "%s%s,", line(k), floats(p[:]...)+","+floats(n[:]...))
			for c := range 3 {
				low[c], high[c] = min(low[c], p[c]), max(high[c], p[c])
			}
		}
		fmt.Fprintf(&w.b, "\n};\nstatic const unsigned indices_%d[] = {", i)
		for k, index := range s.Mesh.Indices {
			if k%24 == 0 {
				w.b.WriteString("\n ")
			}
			fmt.Fprintf(&w.b, "%d,", index)
		}
		w.b.WriteString("\n};\n")
		var center [3]float32
		radius := 0.0
		for c := range 3 {
			center[c] = (low[c] + high[c]) / 2
			d := float64(high[c]-low[c]) / 2
			radius += float64(d * d)
		}
		fmt.Fprintf(&table, "  {vertices_%d, %d, indices_%d, %d, {%s}, %s},\n", i, len(s.Mesh.Positions), i, len(s.Mesh.Indices),
			floats(center[:]...), artefact.CFloat(math.Sqrt(radius)))
	}
	fmt.Fprintf(&w.b, "\nstatic const std::vector<Mesh> meshes = {\n%s};\n", table.String())
}

func line(k int) string {
	if k%4 == 0 {
		return "\n  "
	}
	return " "
}

// nodes writes all nodes in their order, and letters that stand on a solid as
// nodes of their own after them.
func (w *writer) nodes(solids []artefact.Solid) {
	body := map[int]artefact.Solid{}
	var letters []artefact.Solid
	for _, s := range solids {
		if s.Color == "" {
			body[s.Index] = s
		} else {
			letters = append(letters, s)
		}
	}
	w.b.WriteString("\nstatic const std::vector<Node> nodes = {\n")
	for i := range w.s.Nodes {
		n := &w.s.Nodes[i]
		mesh, m := -1, (*scene.Material)(nil)
		if s, ok := body[i]; ok {
			mesh, m = w.mesh[s.Mesh], &w.s.Materials[*n.Material]
			if m.Maps != (scene.Maps{}) {
				w.tally.Approximate(artefact.Materials, n, "textures are left out")
			}
		}
		interact := 0
		if slices.Contains(n.Interact, "click") || slices.Contains(n.Interact, "hover") {
			interact |= 1
		}
		if slices.Contains(n.Interact, "grab") {
			interact |= 2
		}
		fmt.Fprintf(&w.b, "  {%s, %s, %d, %d, %d, {%s}, {%s}, {%s}, %s}, // %s\n", artefact.CString(n.ID), artefact.CString(n.Path), n.Parent, mesh, interact,
			numbers(n.T[:]), numbers(n.R[:]), numbers(n.S[:]), surface(m), artefact.CComment(w.in.Source(n.Src)))
		w.places = append(w.places, artefact.Place{ID: n.ID, Place: fmt.Sprintf("nodes[%d]", i)})
	}
	for _, s := range letters {
		ink := &scene.Material{BaseColor: s.Color, Unlit: true}
		fmt.Fprintf(&w.b, "  {%s, %s, %d, %d, 0, {0,0,0}, {0,0,0,1}, {1,1,1}, %s}, // letters\n", artefact.CString(s.Node.ID), artefact.CString(s.Node.Path),
			s.Index, w.mesh[s.Mesh], surface(ink))
	}
	w.b.WriteString("};\n")
}

// surface are the colour, what shines, the roughness and whether light matters.
func surface(m *scene.Material) string {
	if m == nil {
		return "{1,1,1,1}, {0,0,0}, 1, false"
	}
	c, e := scene.LinearRGBA(m.BaseColor), [4]float64{}
	if m.Emissive != "" {
		e = scene.LinearRGBA(m.Emissive)
		for i := range 3 {
			e[i] = float64(e[i] * float64(m.EmissiveIntensity))
		}
	}
	if m.Alpha != "blend" && m.Transmission == 0 {
		c[3] = 1
	} else if m.Transmission > 0 {
		c[3] = min(c[3], 1-float64(0.8*m.Transmission))
	}
	return fmt.Sprintf("{%s}, {%s}, %s, %t", numbers(c[:]), numbers(e[:3]), artefact.CFloat(float64(m.Roughness)), m.Unlit)
}

// lights writes what shines from a place or a side. Light from everywhere is
// part of the surroundings.
func (w *writer) lights() {
	w.b.WriteString("\nstatic const std::vector<Light> lights = {\n")
	count := 0
	for i := range w.s.Nodes {
		n := &w.s.Nodes[i]
		l := n.Light
		if l == nil || !bool(n.Visible) || l.Type == "ambient" || l.Type == "hemisphere" {
			continue
		}
		if count++; count > maxLights {
			w.tally.Drop(artefact.Lights, n, "the first eight lights shine")
			continue
		}
		if l.Shadow {
			w.tally.Approximate(artefact.Lights, n, "lights throw no shadows")
		}
		c := scene.LinearRGBA(l.Color)
		for k := range 3 {
			c[k] = float64(c[k] * float64(l.Intensity))
		}
		outside, inside := -2.0, -1.0 // a light without edges
		switch l.Type {
		case "spot":
			inner := l.Angle * (1 - l.Penumbra) * 0.999
			outside, inside = math.Cos(l.Angle), math.Cos(inner)
		case "area":
			w.tally.Approximate(artefact.Lights, n, "area lights become spot lights")
			outside, inside = math.Cos(1.4), math.Cos(1.2)
		}
		fmt.Fprintf(&w.b, "  {%d, %t, {%s}, %s, %s, %s}, // %s\n", i, l.Type == "directional", numbers(c[:3]), artefact.CFloat(l.Range), artefact.CFloat(outside),
			artefact.CFloat(inside), artefact.CComment(w.in.Source(n.Src)))
	}
	w.b.WriteString("};\n")
}

var easings = map[string]int{"ease-in": 1, "ease-out": 2, "ease-in-out": 3, "step": 4}

// tracks writes the animations that start by themselves.
func (w *writer) tracks() {
	index := make(map[string]int, len(w.s.Nodes))
	for i := range w.s.Nodes {
		index[w.s.Nodes[i].ID] = i
	}
	var table strings.Builder
	count := 0
	for i := range w.s.Animations {
		a := &w.s.Animations[i]
		k, ok := index[a.Node]
		if !ok || len(a.Keys) == 0 {
			continue
		}
		n := &w.s.Nodes[k]
		part := strings.Index("trs", a.Property[:1])
		if part < 0 || len(a.Property) > 1 && (a.Property[1] != '.' || len(a.Property) != 3 || part == 1) {
			w.tally.Drop(artefact.Animations, n, "only places, turns and sizes move")
			continue
		}
		if !a.Autoplay {
			w.tally.Drop(artefact.Animations, n, "nothing starts an animation that does not start by itself")
			continue
		}
		axis, width := 0, len(a.Keys[0])-1
		if len(a.Property) == 3 {
			axis = int(a.Property[2] - 'x')
		}
		fmt.Fprintf(&w.b, "\nstatic const float keys_%d[] = {", count)
		for _, key := range a.Keys {
			fmt.Fprintf(&w.b, "\n  %s,", numbers(key))
		}
		w.b.WriteString("\n};\n")
		rounds := a.Loop + 1
		if a.Loop < 0 {
			rounds = -1
		}
		fmt.Fprintf(&table, "  {%d, %d, %d, %d, %d, keys_%d, %d, %d, %t},\n", k, part, axis, width, len(a.Keys), count, easings[a.Easing], rounds, a.PingPong)
		count++
	}
	fmt.Fprintf(&w.b, "\nstatic const std::vector<Track> tracks = {\n%s};\n", table.String())
}

// surroundings writes the colour behind all things, the light from everywhere and
// the fog.
func (w *writer) surroundings() {
	e := &w.s.Environment
	sky := [4]float64{0.02, 0.02, 0.025, 1}
	if len(e.Sky.Colors) > 0 {
		sky = scene.LinearRGBA(e.Sky.Colors[0])
	}
	ambient := scene.DefaultAmbient
	if e.Ambient != nil {
		ambient = *e.Ambient
	}
	sum := [3]float64{}
	add := func(color string, share float64) {
		c := scene.LinearRGBA(color)
		for i := range 3 {
			sum[i] += float64(c[i] * share)
		}
	}
	add(ambient.Color, ambient.Intensity)
	for i := range w.s.Nodes {
		switch l := w.s.Nodes[i].Light; {
		case l == nil:
		case l.Type == "ambient":
			add(l.Color, float64(l.Intensity))
		case l.Type == "hemisphere":
			w.tally.Approximate(artefact.Lights, &w.s.Nodes[i], "light of a hemisphere comes from everywhere alike")
			add(l.Color, float64(l.Intensity)/2)
			if l.Ground != "" {
				add(l.Ground, float64(l.Intensity)/2)
			}
		}
	}
	fog := [4]float64{}
	if e.Fog != nil {
		fog = scene.LinearRGBA(e.Fog.Color)
		fog[3] = e.Fog.Density
	}
	fmt.Fprintf(&w.b, "\nstatic const Surroundings surroundings = {{%s}, {%s}, {%s}};\n", numbers(sky[:3]), numbers(sum[:]), numbers(fog[:]))
}
