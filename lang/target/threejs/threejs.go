// Package threejs writes a scene as a JavaScript module for three: scene.js with
// the scene, runtime.js that shows it, and package.json that pins the library,
// which the host's page brings.
package threejs

import (
	_ "embed" // the runtime

	"github.com/meshd/meshd/lang/target/artefact"
)

// Three is the version of the library that the runtime is made for.
const Three = "0.187.0"

//go:embed runtime.js
var runtime []byte

// Module makes scene.js, runtime.js and package.json.
func Module(in *artefact.Input) (*artefact.Output, error) {
	return artefact.Module(in, runtime, map[string]string{"three": Three})
}
