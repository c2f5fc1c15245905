package target

import (
	"github.com/meshd/meshd/lang/target/android"
	"github.com/meshd/meshd/lang/target/artefact"
)

// androidRow is the row of both: phones and headsets.
var androidRow = artefact.Row("FFFPP P--PP XPXPF PPXXF -")

// androidFiles are the files of both.
var androidFiles = []string{
	"MainActivity.kt", "AndroidManifest.xml", "build.gradle.kts", "settings.gradle.kts", "gradle.properties", "SceneData.kt", "Program.kt", "Stage.kt",
	"Controls.kt", "Sounds.kt", "assets/*",
}

var androidPackage = option{"package", "string", nil, android.Package, "Package of the application, which is its id as well."}

// What phones and headsets make of features alike.
var androidHow = map[artefact.Feature]string{
	artefact.Animations: "key frames of places, turns, sizes, looks and lights play, and timelines; those of model files begin by themselves only",
	artefact.Physics:    "bodies fall, slide and bounce as boxes along the axes of the scene; they do not turn, and what has a joint is held in its place",
	artefact.UI:         "controls are views of the system in one column",
	artefact.Behaviour:  "handlers, state, timers and spawned things run on the device; what a program keeps for later is forgotten when the application ends",
	artefact.Machines:   "machines and trees run; what a scene asks of a model is answered by a stub",
}

func androidMeans(more map[artefact.Feature]string) map[artefact.Feature]string {
	for f, how := range androidHow {
		more[f] = how
	}
	return more
}

// androidTargets are android and android-xr.
func androidTargets() []*Target {
	return []*Target{
		{
			ID: "android", Aliases: []string{"arcore"}, Category: "device", Wave: 3, MediaType: "text/x-kotlin", Files: androidFiles, Axes: "y-up-rh", Unit: "m",
			platforms: []string{"android", "mobile"}, Features: androidRow, emit: android.Phone, spawns: true, options: []option{androidPackage},
			how: androidMeans(map[artefact.Feature]string{
				artefact.Materials:   "surfaces are those of glTF; a program changes colour, glow, metal and roughness, and opacity where a surface was see-through from the start",
				artefact.Lights:      "directional, point and spot lights shine, areas are wide spots; light from everywhere is the room's as the camera finds it",
				artefact.Environment: "the room is the background and lights the scene; sky and fog are left out",
				artefact.Audio:       "sounds get quieter with distance; from which side they come is not heard",
			}),
		},
		{
			ID: "android-xr", Category: "device", Wave: 3, MediaType: "text/x-kotlin", Files: androidFiles, Axes: "y-up-rh", Unit: "m",
			platforms: []string{"android-xr", "vr"}, Features: androidRow, emit: android.Headset, spawns: true, options: []option{androidPackage},
			how: androidMeans(map[artefact.Feature]string{
				artefact.Materials:   "surfaces are those of glTF; what a program paints anew loses its pictures, and opacity fades the whole thing",
				artefact.Lights:      "the room lights the scene; things that are lamps are seen to glow, and no light falls from them",
				artefact.Environment: "the room is the background and lights the scene; sky and fog are left out",
				artefact.Audio:       "sounds come from where things stand; how they fade with distance is the system's",
			}),
		},
	}
}
