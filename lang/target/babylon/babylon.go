// Package babylon writes a scene as a JavaScript module for Babylon.js: scene.js
// with the scene, runtime.js that shows it, and package.json that pins the
// libraries, which the host's page brings. The scene is right-handed.
package babylon

import (
	_ "embed" // the adapter

	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/bundle"
)

// The versions of the libraries that the runtime is made for: the engine, and
// its reader of glTF files.
const (
	Core    = "9.34.0"
	Loaders = "9.28.0"
)

// adapter.js is built from lang/target/html/viewer/src/babylon.
//
//go:embed adapter.js
var adapter string

// Module makes scene.js, runtime.js and package.json.
func Module(in *artefact.Input) (*artefact.Output, error) {
	return artefact.Module(in, bundle.Module(bundle.Host, adapter), map[string]string{"@babylonjs/core": Core, "@babylonjs/loaders": Loaders})
}
