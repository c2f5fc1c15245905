package target

import (
	_ "embed" // the proofs

	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/gltf"
	"github.com/meshd/meshd/lang/target/html"
)

//go:embed verified.json
var proofs []byte

// web are the platforms of the pages that browsers show.
var web = []string{"web", "desktop", "windows", "macos", "linux", "webxr"}

// table is the registry. The letters are the rows of the feature matrix, in the
// order Nod Geo Ext Mat Lit Env Pst Cam Ani Phy Jnt Aud Par UI Evt Scr FSM Agt
// Net XR Pip.
func table() []*Target {
	return []*Target{
		{
			ID: "html", Aliases: []string{"web", "standalone"}, Category: "web", Wave: 1, MediaType: "text/html", Files: []string{"index.html"},
			Axes: "y-up-rh", Unit: "m", SelfContained: true, Deployable: true, platforms: web, Features: artefact.Row("FFPFF FXFPX XPPPP XXXXP -"),
			options: []option{{"lang", "string", nil, "en", "Language of the page, as in its lang attribute."}},
			how: map[artefact.Feature]string{
				artefact.Models:     "glTF files that came with the source are shown, other formats are not",
				artefact.Animations: "key-frame animations play, timelines do not",
				artefact.Audio:      "sounds that start by themselves play after the first touch",
				artefact.Particles:  "points of one colour and size",
				artefact.UI:         "controls are shown, their functions do not run",
				artefact.Events:     "things can be picked and say what they are, their handlers do not run",
				artefact.XR:         "a session shows the scene, hands and anchors do nothing",
			},
			emit: html.Page,
		},
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
