package target

import (
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/realitykit"
)

// appleTargets are visionos and ios.
func appleTargets() []*Target {
	files := []string{"SceneView.swift", "App.swift", "Info.plist", "Stage.swift", "Program.swift"}
	return []*Target{
		{
			ID: "visionos", Aliases: []string{"realitykit"}, Category: "device", Wave: 3, MediaType: "text/x-swift", Files: files, Axes: "y-up-rh", Unit: "m",
			platforms: []string{"vr", "visionos-ar", "ar"}, Features: artefact.Row("FFFFP P--FF PFPFF PPXXF -"), emit: realitykit.VisionOS, spawns: true,
			options: []option{
				{"immersion", "string", []string{"mixed", "full"}, "mixed", "Whether the room is seen around the scene."},
				{"distance", "number", nil, 1.5, "Metres from the person to the origin of the scene."},
			},
			how: appleHow(map[artefact.Feature]string{
				artefact.Lights:      "directional lights, points and spots shine on the scene, not on the room; areas are wide spots",
				artefact.Environment: "the room lights the scene unless the source says what does; a sky is seen in full immersion, fog is not drawn",
			}),
		},
		{
			ID: "ios", Aliases: []string{"arkit"}, Category: "device", Wave: 3, MediaType: "text/x-swift", Files: files, Axes: "y-up-rh", Unit: "m",
			platforms: []string{"mobile", "ar"}, Features: artefact.Row("FFFFF P--FF PFPPF PPXXF -"), emit: realitykit.IOS, spawns: true,
			options: []option{{"placement", "string", []string{"surface", "world"}, "surface", "Whether the scene stands on a level surface or where the device began."}},
			how: appleHow(map[artefact.Feature]string{
				artefact.Environment: "the room lights the scene unless the source says what does; the camera's picture is the background, sky and fog are not drawn",
				artefact.UI:          "controls stand in one column over the picture, in the system's own look",
			}),
		},
	}
}

// appleHow adds what both make of features.
func appleHow(how map[artefact.Feature]string) map[artefact.Feature]string {
	how[artefact.Joints] = "hinges, slides, balls and fixed joints hold; nothing drives or brakes them, and what is spawned has none"
	how[artefact.Particles] = "the engine's own emitters with the same rate, life, speed, size and colours"
	how[artefact.Behaviour] = "state, handlers and timers run in an interpreter that was checked for syntax only and never run; of the outside it knows sounds, " +
		"animations and pushes, other operations are the application's to add"
	how[artefact.Machines] = "machines and trees run in an interpreter that was checked for syntax only and never run"
	return how
}
