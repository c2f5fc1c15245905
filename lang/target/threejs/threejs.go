// Package threejs writes a scene as a JavaScript module for three: scene.js with
// the scene, runtime.js that shows it, and package.json that pins the library,
// which the host's page brings.
package threejs

import (
	_ "embed" // the adapter

	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/bundle"
)

// Three is the version of the library that the runtime is made for.
const Three = "0.187.0"

//go:embed adapter.js
var adapter string

// Module makes scene.js, runtime.js and package.json.
func Module(in *artefact.Input) (*artefact.Output, error) {
	return artefact.Module(in, bundle.Module(bundle.Host, adapter), map[string]string{"three": Three})
}
