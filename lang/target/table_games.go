package target

import (
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/unity"
)

// gameTargets are unity and vrchat.
func gameTargets() []*Target {
	return []*Target{
		{
			ID: "unity", Aliases: []string{"csharp", "unity3d"}, Category: "engine", Wave: 3, MediaType: "text/x-csharp",
			Files: []string{"Scene.cs", "*.cs", "Scene.prefab", "Scene.unity", "Looks/*.mat", "Shapes/*.asset", "*.meta", "package.json", "MeshdScene.asmdef"}, Axes: "y-up-lh", Unit: "m",
			platforms: []string{"desktop", "windows", "macos", "linux", "web", "android", "ios", "vr", "quest3", "pcvr"},
			Features:  artefact.Row("FFFFF FPFFF FFFPF FFPPP -"), emit: unity.Scene, spawns: true,
			how: map[artefact.Feature]string{
				artefact.Effects: "bloom, vignette, colour fringes, grain and grading by the universal pipeline, none under the others; nothing was seen in the engine",
				artefact.UI:      "controls stand in one column, in the engine's own look, and not in a headset",
				artefact.Agents:  "machines, trees and handlers run, a model's answer is a stub unless the game gives one",
				artefact.Network: "changes of state are handed to the game's network and taken from it; which network, and who may write what, is the game's",
				artefact.XR:      "two controllers point, select and grab in the project's session, anchors are kept as data; not tried on a headset",
			},
		},
		{
			ID: "vrchat", Aliases: []string{"udon"}, Category: "engine", Wave: 3, MediaType: "text/x-csharp",
			Files: []string{"Scene.cs", "Actor.cs", "*.cs", "Editor/Builder.cs", "Editor/SceneBuilder.cs"}, Axes: "y-up-lh", Unit: "m",
			platforms: []string{"vr", "pcvr", "quest3", "desktop", "windows", "android"},
			Features:  artefact.Row("FFPPF PX-PF XFPPF PP-FF -"), emit: unity.World,
			how: map[artefact.Feature]string{
				artefact.Models:      "model files that the project imports, as they look there",
				artefact.Materials:   "the standard shader on computers; phones take only the platform's own shaders",
				artefact.Environment: "colours of the sky, fog and light from everywhere; exposure and the curve of tones are the world's",
				artefact.Animations:  "places, turns and sizes move in straight lines from key to key, and timelines run",
				artefact.Particles:   "emitters of the engine with the built-in pipeline's shader",
				artefact.UI:          "buttons to press and unchanging texts stand in a column at the origin",
				artefact.Behaviour:   "state, handlers, wires, timers and simple calls run in Udon; a fault ends a handler and takes nothing back, what needs more is listed",
				artefact.Machines:    "machines run, behaviour trees do not",
			},
		},
	}
}
