package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/picture"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/html"
	"github.com/meshd/meshd/lang/target/webgpu"
	"github.com/meshd/meshd/lang/trait"
)

// What the picture of a target and the renderer's may differ in.
const (
	parityWidth    = 960
	parityHeight   = 540
	leastOverlap   = 0.97
	mostColourStep = 8.0  // of 255, of the mean of each channel
	leastCovered   = 0.05 // of a picture; of smaller things only edges are compared
)

// painter is a target that draws by itself.
type painter struct {
	target string
	scenes int // that are compared
	emit   func(*artefact.Input) (*artefact.Output, error)
	// shoot keeps what the artefacts show, each beside its main file.
	shoot func(ctx context.Context, dir string, files []string) ([]verdict, error)
}

var painters = []*painter{
	{"html", 12, html.Page, node("parity.mjs", fmt.Sprint(parityWidth), fmt.Sprint(parityHeight))},
	{"webgpu", 12, webgpu.Application, node("webgpu.mjs", "pictures", fmt.Sprint(parityWidth), fmt.Sprint(parityHeight))},
}

// parity draws scenes with a target and with the renderer and compares: the
// shapes as black things before one colour, the colours as they are. It catches
// slips of handedness, units and light in either.
func (t *painter) parity(ctx context.Context, dir string, examples []string) error {
	var pairs []*pair
	for _, example := range examples {
		if len(pairs) == 2*t.scenes {
			break
		}
		s, err := modelOf(example)
		if err != nil {
			return err
		}
		if s == nil || !still(s) {
			continue
		}
		colours, err := t.pair(dir, example, "colours", s)
		if err != nil {
			return err
		}
		flatten(s)
		shapes, err := t.pair(dir, example, "shapes", s)
		if err != nil {
			return err
		}
		if m, err := png.Decode(bytes.NewReader(shapes.drawn)); err != nil || share(m) < leastCovered {
			continue
		}
		pairs = append(pairs, colours, shapes)
	}
	if len(pairs) < 2*t.scenes {
		return fmt.Errorf("parity: %d scenes, %d are wanted", len(pairs)/2, t.scenes)
	}
	var pages []string
	for _, p := range pairs {
		pages = append(pages, p.page)
	}
	shots, err := t.shoot(ctx, dir, pages)
	if err != nil {
		return err
	}
	var faults []error
	for _, v := range shots {
		if !v.OK {
			return fmt.Errorf("parity: %s: %s", v.File, v.Message)
		}
	}
	for _, p := range pairs {
		shown, err := os.ReadFile(p.page + ".png")
		if err != nil {
			return err
		}
		fault, err := unlike(p.kind, p.drawn, shown)
		if err != nil {
			return fmt.Errorf("parity: %s: %w", p.name, err)
		}
		if fault != "" {
			faults = append(faults, fmt.Errorf("parity: %s: %s", p.name, fault))
		}
	}
	if len(faults) == 0 { // pictures of two scenes must differ, or the comparison says nothing
		shown, err := os.ReadFile(pairs[3].page + ".png")
		if err != nil {
			return err
		}
		if fault, err := unlike("shapes", pairs[1].drawn, shown); err != nil || fault == "" {
			return errors.New("parity: two different scenes are taken for the same")
		}
		fmt.Printf("%-16s %8d\n", t.target+" parity", t.scenes)
	}
	return errors.Join(faults...)
}

// pair is a scene as the renderer drew it, and the page that shows it.
type pair struct {
	name, kind string
	drawn      []byte
	page       string
}

func (t *painter) pair(dir, example, kind string, s *scene.Scene) (*pair, error) {
	name := filepath.Base(example)
	drawn, _, err := picture.PNG(s, picture.Options{Width: parityWidth, Height: parityHeight, Quality: picture.Production})
	if err != nil {
		return nil, fmt.Errorf("parity: %s: %w", name, err)
	}
	out, err := t.emit(&artefact.Input{Scene: s, Target: t.target, Version: artefact.Version})
	if err != nil {
		return nil, fmt.Errorf("parity: %s: %w", name, err)
	}
	dir = filepath.Join(dir, "parity", t.target, name+"."+kind)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, f := range out.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Path), f.Data, 0o644); err != nil {
			return nil, err
		}
	}
	p := &pair{name, kind, drawn, filepath.Join(dir, out.Files[0].Path)}
	return p, os.WriteFile(p.page+".want.png", drawn, 0o644) // to look at
}

// modelOf is the model of an example; nil when it has errors.
func modelOf(example string) (*scene.Scene, error) {
	raw, err := os.ReadFile(example)
	if err != nil {
		return nil, err
	}
	format, _ := ast.FormatOf(example)
	r, err := target.Compile(target.Load(nil, filepath.Base(example), raw, format), target.Request{Target: "scene-json"})
	if err != nil {
		return nil, nil //nolint:nilerr // an example that needs its neighbours is none for this
	}
	return artefact.Standing(r.Scene), nil
}

// still takes out what moves and what the two write in different letters, and
// says whether solids are left.
func still(s *scene.Scene) bool {
	s.Animations, s.Timelines, s.UI, s.Program, s.Post = nil, nil, nil, nil, nil
	solids, camera := 0, false
	lower, upper := scene.Vec{math.Inf(1), math.Inf(1), math.Inf(1)}, scene.Vec{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		n.Text, n.Particle, n.Body, n.Collider, n.Audio = nil, scene.Value{Kind: trait.Unknown}, nil, nil, nil
		camera = camera || n.Camera != nil
		if n.Geometry == nil {
			continue
		}
		if s.Geometries[*n.Geometry].Kind == "model" {
			n.Geometry = nil
			continue
		}
		solids++
		for k := range n.T {
			lower[k], upper[k] = min(lower[k], n.T[k]), max(upper[k], n.T[k])
		}
	}
	if solids == 0 {
		return false
	}
	if !camera {
		s.Nodes = append(s.Nodes, eye(lower, upper))
	}
	return true
}

// eye is a camera in front of a box and a little above, looking at its middle.
func eye(lower, upper scene.Vec) scene.Node {
	far := 1.5
	for k := range lower {
		far += 0.7 * (upper[k] - lower[k])
	}
	angle := -0.25 // radians, down
	middle := scene.Vec{(lower[0] + upper[0]) / 2, (lower[1] + upper[1]) / 2, (lower[2] + upper[2]) / 2}
	at := scene.Vec{middle[0], middle[1] - far*math.Sin(angle), middle[2] + far*math.Cos(angle)}
	return scene.Node{
		ID: "n000000000eye", Path: "eye", Kind: "camera", Parent: -1, T: at, R: scene.Quat{math.Sin(angle / 2), 0, 0, math.Cos(angle / 2)},
		S: scene.UnitVec{1, 1, 1}, Visible: true, Camera: &scene.Camera{FOV: 0.9, Near: 0.05, Far: 1000},
	}
}

// flatten leaves the shapes: black before magenta.
func flatten(s *scene.Scene) {
	s.Environment.Sky = scene.Sky{Kind: "color", Colors: []string{"#ff00ffff"}}
	s.Environment.Fog, s.Environment.ToneMapping, s.Environment.Exposure = nil, "", 1
	for i := range s.Materials {
		s.Materials[i] = scene.Material{BaseColor: "#000000ff", Unlit: true, Roughness: 0.5, EmissiveIntensity: 1, IOR: 1.5, DoubleSided: s.Materials[i].DoubleSided}
	}
}

// unlike says in what two pictures differ too much.
func unlike(kind string, drawn, shown []byte) (string, error) {
	a, err := png.Decode(bytes.NewReader(drawn))
	if err != nil {
		return "", err
	}
	b, err := png.Decode(bytes.NewReader(shown))
	if err != nil {
		return "", err
	}
	if a.Bounds() != b.Bounds() {
		return fmt.Sprintf("the pictures are %v and %v", a.Bounds(), b.Bounds()), nil
	}
	if kind == "shapes" {
		if o := overlap(a, b); o < leastOverlap {
			return fmt.Sprintf("shapes overlap by %.3f, %.2f is wanted", o, leastOverlap), nil
		}
		return "", nil
	}
	x, y := mean(a), mean(b)
	for k := range x {
		if math.Abs(x[k]-y[k]) > mostColourStep {
			return fmt.Sprintf("mean colours are %.0f and %.0f, within %.0f is wanted", x, y, mostColourStep), nil
		}
	}
	return "", nil
}

// share is how much of a picture of shapes they cover.
func share(m image.Image) float64 {
	n := 0
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			if covered(m, x, y) {
				n++
			}
		}
	}
	return float64(n) / float64(m.Bounds().Dx()*m.Bounds().Dy())
}

func covered(m image.Image, x, y int) bool {
	r, _, _, _ := m.At(x, y).RGBA()
	return r < 0x8000
}

// overlap is the share of what both cover in what either does.
func overlap(a, b image.Image) float64 {
	both, either := 0, 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			p, q := covered(a, x, y), covered(b, x, y)
			if p && q {
				both++
			}
			if p || q {
				either++
			}
		}
	}
	if either == 0 {
		return 0
	}
	return float64(both) / float64(either)
}

func mean(m image.Image) [3]float64 {
	var sum [3]float64
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			r, g, b, _ := m.At(x, y).RGBA()
			for k, v := range []uint32{r, g, b} {
				sum[k] += float64(v) / 257
			}
		}
	}
	for k := range sum {
		sum[k] /= float64(m.Bounds().Dx() * m.Bounds().Dy())
	}
	return sum
}
