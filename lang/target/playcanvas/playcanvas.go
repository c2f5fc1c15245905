// Package playcanvas writes a scene as a JavaScript module for PlayCanvas:
// scene.js with the scene, runtime.js that shows it, and package.json that pins
// the library, which the host's page brings.
package playcanvas

import (
	_ "embed" // the runtime

	"github.com/meshd/meshd/lang/target/artefact"
)

// Engine is the version of the library that the runtime is made for.
const Engine = "2.23.3"

// runtime.js is built from lang/target/html/viewer/src/playcanvas.
//
//go:embed runtime.js
var runtime []byte

// Module makes scene.js, runtime.js and package.json.
func Module(in *artefact.Input) (*artefact.Output, error) {
	return artefact.Module(in, runtime, map[string]string{"playcanvas": Engine})
}
