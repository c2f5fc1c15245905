// Package bundle joins what the web targets run: parts that several of them have in
// common, and the thin adapter of a target. `make viewer` builds all of them from the
// TypeScript files in lang/target/html/viewer/src.
package bundle

import _ "embed" // the parts

//go:embed core.js
var core string

//go:embed scene.js
var scene string

//go:embed host.js
var host string

//go:embed viewer.js
var viewer string

// Base says which parts stand below an adapter.
type Base int

// The bases.
const (
	Core   Base = iota // the interpreter and the scene that runs, for an engine of the target's own
	Host               // besides, what is drawn by a library that the host brings
	Viewer             // the viewer of pages, with its library
)

func (b Base) text() string {
	switch b {
	case Host:
		return core + scene + host
	case Viewer:
		return core + scene + viewer
	}
	return core
}

// Script is the text of a script element, which makes no globals.
func Script(b Base, adapter string) string {
	return `"use strict";(()=>{` + b.text() + adapter + "})();\n"
}

// Module is an ECMAScript module, with the imports and exports of the adapter.
func Module(b Base, adapter string) []byte { return []byte(b.text() + adapter) }
