// Package realitykit writes a scene as the sources of an application for Apple's
// devices: for visionOS an immersive space with a RealityView, for iOS an ARView
// over the camera's picture. SceneView.swift holds the scene and its view,
// App.swift the application, Info.plist what it asks the system for.
//
// Stage.swift and Program.swift are the same for every scene of a platform: what
// shows a scene by RealityKit, and an interpreter of program/1. There is no Swift
// compiler where this package is tested: everything is held against the grammar
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

	copied bool            // what is written is a prototype's: a function of its copies' ids
	b      strings.Builder // statements of the part in the making
	count  int             // nodes in it
	parts  []string
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
	for i := range w.s.Nodes {
		w.node(i)
	}
	for i := range w.s.Nodes {
		w.joint(i)
		w.touched(i)
		w.anchored(i)
	}
	w.tracks()
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
		out.Places = append(out.Places, artefact.Place{ID: w.s.Nodes[i].ID, Place: fmt.Sprintf("stage.nodes[%q]", w.s.Nodes[i].ID)})
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
	w.line("// %s", comment(w.in.Source(n.Src)))
	w.line("s.add(%s, %s, under: %s, at: %s, turn: %s, scale: %s)", quoted(n.ID), quoted(cmp.Or(n.Name, n.Kind)), quoted(above), triple(n.T), four(n.R),
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
		w.line("s.hide(%s)", quoted(n.ID))
	}
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
	w.line("s.label(%s, %s, about: %s, button: %t)", quoted(n.ID), quoted(label), quoted(about), slices.Contains(n.Interact, "click"))
}

// touched lets a node be pointed at. What stands below it is part of it.
func (w *writer) touched(i int) {
	n := &w.s.Nodes[i]
	if len(n.Interact) == 0 {
		return
	}
	w.line("s.touch(%s, grab: %t)", quoted(n.ID), slices.Contains(n.Interact, "grab"))
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
