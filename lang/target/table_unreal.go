package target

import (
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/unreal"
)

// unrealTargets are unreal.
func unrealTargets() []*Target {
	return []*Target{
		{
			ID: "unreal", Aliases: []string{"ue5", "cpp"}, Category: "engine", Wave: 3, MediaType: "text/x-c++",
			Files: []string{"Scene.h", "Scene.cpp", "Scene.Build.cs", "MeshdScene.h", "MeshdScene.cpp", "Program.h", "Program.cpp"},
			Axes:  "z-up-lh", Unit: "cm", platforms: []string{"desktop", "windows", "macos", "linux", "pcvr", "vr"},
			Features: artefact.Row("FFPFF PPFFF FPPPF PPXPP -"), spawns: true, emit: unreal.Module,
			how: map[artefact.Feature]string{
				artefact.Models:      "model files are imported by hand as static meshes of their names below Content/Scene; animations in them do not play",
				artefact.Environment: "colours of the sky or one picture around it, light from everywhere, exposure; fog grows with distance, not with its square",
				artefact.Effects:     "bloom, vignette, grain, colour fringes, grading, motion blur, occlusion and reflections by the engine's own effects",
				artefact.Audio:       "sounds are imported by hand as sound waves of their names below Content/Scene, and fade with distance in the engine's way",
				artefact.Particles:   "squares that face the eye, moved by the scene itself; they take no light",
				artefact.UI:          "controls stand in one column, in the engine's own look; a picture is its label",
				artefact.Behaviour:   "state, handlers, timers and what a program spawns run; operations that only the game can carry out are events for it, and answer nothing",
				artefact.Machines:    "machines and trees run; a model's answer is a stub",
				artefact.Network:     "the server's state of shared nodes goes to the players; what players change stays with them",
				artefact.XR:          "two controllers point, select and grab by the keys of common devices, anchors are kept as data; not tried on a headset",
			},
		},
	}
}
