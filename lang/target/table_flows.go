package target

import (
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/nir"
	"github.com/meshd/meshd/lang/target/pipeline"
	"github.com/meshd/meshd/lang/target/splat"
)

// flowTargets are kubernetes, github-actions, nir, multi-layer and 3dgs.
func flowTargets() []*Target {
	return []*Target{
		{
			ID: "kubernetes", Aliases: []string{"k8s", "cronjob"}, Category: "pipeline", Wave: 3, MediaType: "application/yaml", Files: []string{"cronjob.yaml"},
			SelfContained: true, Features: jobRow, how: jobHow, emit: pipeline.Kubernetes,
			options: []option{{"image", "string", nil, pipeline.Image, "Image with Node 20 or later that the jobs run in."}},
		},
		{
			ID: "github-actions", Aliases: []string{"ci"}, Category: "pipeline", Wave: 3, MediaType: "application/yaml", Files: []string{"workflow.yml"},
			SelfContained: true, Features: jobRow, how: jobHow, emit: pipeline.Actions,
		},
		{
			ID: "nir", Aliases: []string{"neural-graph"}, Category: "data", Wave: 3, MediaType: "application/json", Files: []string{"graph.json"},
			Axes: "y-up-rh", Unit: "m", SelfContained: true, Features: whole, spawns: true, emit: nir.Graph,
		},
		{
			ID: "3dgs", Aliases: []string{"splat"}, Category: "exchange", Wave: 3, MediaType: "application/octet-stream", Files: []string{"scene.ply"},
			Axes: "y-up-rh", Unit: "m", SelfContained: true, Features: meshRow, emit: splat.Cloud,
			options: []option{{"format", "string", []string{"ply", "gltf"}, "ply", "PLY as trained scenes have it, or glTF with KHR_gaussian_splatting."}},
			how: map[artefact.Feature]string{
				artefact.Nodes:     "all things are one cloud of splats in the world",
				artefact.Materials: "splats have the colour, glow and opacity of their surface; light, metal, roughness and pictures do not show",
			},
		},
		{ // what it carries is what its layers do: scene-json is one of them
			ID: layersID, Aliases: []string{"layers"}, Category: "exchange", Wave: 3, MediaType: "application/zip", Files: []string{"layers.zip"},
			SelfContained: true, Features: whole,
			options: []option{{"targets", "string", nil, "html,glb,usdz,scene-json", "Ids of the targets inside, with commas between them."}},
		},
	}
}

// What hosts of jobs make of a source.
var (
	jobRow = artefact.Row("----- ----- ----- P---- F")
	jobHow = map[artefact.Feature]string{
		artefact.Behaviour: "the expressions of pipelines run, state and handlers of the scene do not",
	}
)
