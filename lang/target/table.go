package target

import (
	_ "embed" // the proofs

	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/gltf"
)

//go:embed verified.json
var proofs []byte

// table is the registry. The letters are the rows of the feature matrix, in the
// order Nod Geo Ext Mat Lit Env Pst Cam Ani Phy Jnt Aud Par UI Evt Scr FSM Agt
// Net XR Pip.
func table() []*Target {
	return []*Target{
		{
			ID: "gltf", Aliases: []string{"gltf2"}, Category: "exchange", Wave: 1, MediaType: "model/gltf+json", Files: []string{"scene.gltf", "scene.bin"},
			Axes: "y-up-rh", Unit: "m", Features: artefact.Row("FFPFF X-FFX XXXXX XXXXX -"), emit: gltf.Text,
			options: []option{{"embed", "boolean", nil, false, "Put the buffer into the JSON file."}},
		},
		{
			ID: "glb", Category: "exchange", Wave: 1, MediaType: "model/gltf-binary", Files: []string{"scene.glb"}, Axes: "y-up-rh", Unit: "m",
			SelfContained: true, Features: artefact.Row("FFPFF X-FFX XXXXX XXXXX -"), emit: gltf.Binary,
		},
	}
}
