// Package realitykit writes a scene as the sources of an application for Apple's
// devices: for visionOS an immersive space with a RealityView, for iOS an ARView
// over the camera's picture. SceneView.swift has the scene and its view,
// App.swift the application, Info.plist what it asks the system for.
//
// Stage.swift and Program.swift are the same for every scene of a platform: what
// shows a scene by RealityKit, and an interpreter of program/1. There is no Swift
// compiler where this package is tested: everything is checked against the grammar
// of the language alone, and every file says so.
package realitykit

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// The parts of the files that are the same for every scene.
//
//go:embed interpreter/*.swift stage/*.swift view/*.swift
var parts embed.FS

var (
	interpreterParts = []string{
		"values", "numbers", "json", "program", "machine", "turns", "instructions", "operators", "members", "instances", "templates", "texts", "methods", "library",
		"states", "trees", "clock",
	}
	stageParts = []string{"stage", "looks", "letters", "lights", "bodies", "show", "sounds", "particles", "tracks", "touch", "host", "models", "gltf", "controls"}
)

// unproven is what the head of every file says.
const unproven = "Checked for syntax only: never built with Xcode, never run on a device or in a simulator."

// statements is how many nodes one function of the scene builds: compilers take
// long for long ones.
const statements = 40

type writer struct {
	in     *artefact.Input
	s      *scene.Scene
	vision bool // visionOS, else iOS
	tally  *artefact.Tally
	c      *run.Compiled
	scale  []vec.Vec // of the world, along the node's own axes
	index  map[string]int

	b      strings.Builder // statements of the part in the making
	count  int             // nodes in it
	parts  []string
	copies []prototype
	later  []string       // statements that wait: model files
	forms  map[int]int    // geometry → form
	hulls  map[int]string // geometry → points in base 64
	hands  bool           // something follows a hand
	planes bool           // something stands on what the device finds
}

// VisionOS makes an application for visionOS 2.
func VisionOS(in *artefact.Input) (*artefact.Output, error) { return application(in, true) }

// IOS makes an application for iOS 18.
func IOS(in *artefact.Input) (*artefact.Output, error) { return application(in, false) }

func application(in *artefact.Input, vision bool) (*artefact.Output, error) {
	c, err := in.Behaviour()
	if err != nil {
		return nil, err
	}
	w := &writer{
		in: in, s: in.Scene, vision: vision, tally: artefact.NewTally(in), c: c, index: map[string]int{}, forms: map[int]int{}, hulls: map[int]string{},
	}
	for i := range w.s.Nodes {
		w.index[w.s.Nodes[i].ID] = i
	}
	w.shapes()
	w.looks()
	shown := len(w.s.Nodes)
	for shown > 0 && w.s.Nodes[shown-1].Prototype != "" {
		shown--
	}
	for i := range shown {
		w.node(i)
	}
	for i := range shown {
		w.joint(i)
		w.touched(i)
		w.anchored(i)
	}
	for i := range w.s.Animations {
		a := &w.s.Animations[i]
		if n := w.named(a.Node); n != nil && n.Prototype == "" {
			w.track(a, quoted(a.Node))
		}
	}
	w.flush()
	for i := shown; i < len(w.s.Nodes); i++ {
		w.prototype(i)
	}
	w.behaviour()
	view, err := w.sceneView()
	if err != nil {
		return nil, err
	}
	out := &artefact.Output{Files: []artefact.File{
		{Path: "SceneView.swift", MediaType: "text/x-swift", Data: view},
		{Path: "App.swift", MediaType: "text/x-swift", Data: w.app()},
		{Path: "Info.plist", MediaType: "application/xml", Data: w.plist()},
		{Path: "Stage.swift", MediaType: "text/x-swift", Data: w.library("Shows a scene by RealityKit.", stageImports, "stage", stageParts)},
		{Path: "Program.swift", MediaType: "text/x-swift", Data: w.library("Runs program/1.", "import Foundation\n", "interpreter", interpreterParts)},
	}}
	for i := range w.s.Nodes {
		list := "nodes"
		if i >= shown {
			list = "prototypes"
		}
		out.Places = append(out.Places, artefact.Place{ID: w.s.Nodes[i].ID, Place: fmt.Sprintf("stage.%s[%q]", list, w.s.Nodes[i].ID)})
	}
	for i := range w.s.Assets {
		a := &w.s.Assets[i]
		if len(a.Data) == 0 {
			out.Notes = append(out.Notes, artefact.Note{Code: "TGT006", Src: scene.Src{0, 1, 1}, Slots: []string{a.Path}})
		} else if p, ok := artefact.ProjectPath(a.Path); ok {
			out.Files = append(out.Files, artefact.File{Path: "Assets/" + p, MediaType: a.MediaType, Data: a.Data})
		}
	}
	out.Losses = w.tally.All()
	return out, nil
}

// line writes a statement of the scene.
func (w *writer) line(format string, a ...any) { fmt.Fprintf(&w.b, "    "+format+"\n", a...) }

// flush ends a part of the scene.
func (w *writer) flush() {
	if w.b.Len() > 0 {
		w.parts = append(w.parts, w.b.String())
		w.b.Reset()
		w.count = 0
	}
}

// node writes a node with what belongs to it.
func (w *writer) node(i int) {
	w.in.Pause()
	n := &w.s.Nodes[i]
	if w.count++; w.count > statements {
		w.flush()
		w.count = 1
	}
	above, scale := "", vec.At(n.S[0], n.S[1], n.S[2])
	if n.Parent >= 0 {
		above = w.s.Nodes[n.Parent].ID
		scale = w.scale[n.Parent].Mul(scale)
	}
	w.scale = append(w.scale, scale)
	under := quoted(above)
	if n.Prototype != "" {
		under = "above"
	}
	w.line("// %s", comment(w.in.Source(n.Src)))
	w.line("s.add(%s, %s, under: %s, at: %s, turn: %s, scale: %s)", w.id(n), quoted(cmp.Or(n.Name, n.Kind)), under, triple(n.T), four(n.R),
		triple(scene.Vec(n.S)))
	if n.Geometry != nil && n.Material != nil {
		w.geometry(n)
	}
	if n.Text != nil {
		w.letters(n)
	}
	if n.Light != nil {
		w.light(n)
	}
	w.body(i)
	if n.Audio != nil {
		w.sound(n)
	}
	w.particles(n)
	w.described(n)
	if !bool(n.Visible) {
		w.line("s.hide(%s)", w.id(n))
	}
}

// id is how statements name a node: by its id, in a prototype by that of the copy.
func (w *writer) id(n *scene.Node) string {
	if n.Prototype != "" {
		return "id"
	}
	return quoted(n.ID)
}

// named is the node of an id; nil without one.
func (w *writer) named(id string) *scene.Node {
	if i, ok := w.index[id]; ok {
		return &w.s.Nodes[i]
	}
	return nil
}

// prototype is a node that only its copies show: a function of their ids.
type prototype struct{ id, body string }

// prototype writes the function that copies a node of a template. Copies have no
// joints.
func (w *writer) prototype(i int) {
	n := &w.s.Nodes[i]
	if n.Joint != nil {
		w.tally.Approximate(artefact.Joints, n, "what is spawned hangs on no joints")
	}
	w.flush()
	w.node(i)
	w.touched(i)
	w.anchored(i)
	for k := range w.s.Animations {
		if a := &w.s.Animations[k]; a.Node == n.ID {
			w.count = 0 // all of it is one function
			w.track(a, w.id(n))
		}
	}
	w.copies = append(w.copies, prototype{n.ID, w.b.String()})
	w.b.Reset()
	w.count = 0
}

// described gives a node the words that are read out.
func (w *writer) described(n *scene.Node) {
	text := ""
	if n.Text != nil {
		text = n.Text.Value
	}
	label := cmp.Or(n.Label, n.Alt, text)
	if label == "" && len(n.Interact) > 0 {
		label = cmp.Or(n.Name, n.Kind)
	}
	if label == "" {
		return
	}
	about := ""
	if n.Alt != label {
		about = n.Alt
	}
	w.line("s.label(%s, %s, about: %s, button: %t)", w.id(n), quoted(label), quoted(about), slices.Contains(n.Interact, "click"))
}

// touched lets a node be pointed at. What stands below it is part of it.
func (w *writer) touched(i int) {
	n := &w.s.Nodes[i]
	if len(n.Interact) == 0 {
		return
	}
	touch := "touch"
	if n.Prototype != "" {
		touch = "touchLater"
	}
	w.line("s.%s(%s, grab: %t)", touch, w.id(n), slices.Contains(n.Interact, "grab"))
}

// library is a file that is the same for every scene.
func (w *writer) library(about, imports, folder string, names []string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// %s\n// %s %s\n\n%s", w.in.Header(), about, unproven, imports)
	for _, name := range names {
		b.WriteString("\n" + part(folder, name))
	}
	return b.Bytes()
}

func part(folder, name string) string {
	raw, err := parts.ReadFile(path.Join(folder, name+".swift"))
	if err != nil {
		panic("realitykit: no part " + name) // a test reads all of them
	}
	return strings.TrimSpace(string(raw)) + "\n"
}

const stageImports = `import CoreGraphics
import CoreText
import Foundation
import ImageIO
import ModelIO
import RealityKit
import SwiftUI
import UIKit
import simd
`
