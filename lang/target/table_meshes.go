package target

import "github.com/meshd/meshd/lang/estimate"

// meshUse says of every target what it makes of solids and texts, for the estimate
// that stands before its writer. Bytes are the most that one triangle and one
// vertex take in its files. A target that is not here counts everything that
// could be made, and a test says that it is missing.
var meshUse = map[string]estimate.Meshes{
	"gltf": {Use: estimate.Once, Triangle: 16, Vertex: 43}, // embedded
	"glb":  {Use: estimate.Once, Triangle: 12, Vertex: 32},
	"usd":  {Triangle: 26, Vertex: 116},
	"usdz": {Triangle: 26, Vertex: 116},
	"obj":  {Triangle: 75, Vertex: 110},
	"stl":  {Triangle: 50},
	"x3d":  {Triangle: 24, Vertex: 110, Plain: []string{"box", "sphere", "cylinder", "cone"}},
	"3dgs": {Triangle: 24, Vertex: 24}, // it writes splats; these are what looking at the solids takes

	"webgpu": {Use: estimate.Once, NoLetters: true, Triangle: 16, Vertex: 43},
	"openxr": {Use: estimate.Once, Triangle: 24, Vertex: 110},
	"godot":  {Use: estimate.Once, NoLetters: true, Triangle: 24, Vertex: 110},
	"unity":  {Use: estimate.Once, NoLetters: true, Triangle: 54, Vertex: 194},
	"vrchat": {Use: estimate.Once, NoLetters: true, Triangle: 30, Vertex: 130},
	"unreal": {Use: estimate.Once, NoLetters: true, Triangle: 30, Vertex: 130},

	"visionos":   {Use: estimate.Once, NoLetters: true, Triangle: 16, Vertex: 43},
	"ios":        {Use: estimate.Once, NoLetters: true, Triangle: 16, Vertex: 43},
	"android":    {Use: estimate.Look, Triangle: 12, Vertex: 32}, // a file for each model and each text
	"android-xr": {Use: estimate.Look, Triangle: 12, Vertex: 32},

	// Pages and scripts whose viewer makes the solids, where they are shown.
	"html": none, "threejs": none, "babylon": none, "playcanvas": none, "r3f": none, "aframe": none, "ar": none, "vrr": none,
	"phone-sleeve-vr": none, "native-2d": none,
	// What has no meshes, or solids by their sizes.
	"urdf": none, "sdf": none, "mjcf": none, "wasm": none, "a2a-agent-card": none, "mcp-config": none, "openapi": none, "state": none,
	"json-ast": none, "scene-json": none, "source": none, "pipeline-node": none, "pipeline-python": none, "node-service": none,
	"kubernetes": none, "github-actions": none, "nir": none, "dtdl": none, "wot": none, "aas": none,
	layersID: none, // its members are counted, each for what is left
}

var none = estimate.Meshes{Use: estimate.Never}
