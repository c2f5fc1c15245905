package target

import (
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/sleeve"
	"github.com/meshd/meshd/lang/target/vrr"
)

// phoneTargets are vrr and phone-sleeve-vr.
func phoneTargets() []*Target {
	return []*Target{
		{
			ID: "vrr", Aliases: []string{"twin-web"}, Category: "device", Wave: 3, MediaType: "text/html", Files: []string{"index.html"},
			Axes: "y-up-rh", Unit: "m", platforms: web, Features: artefact.Row("FFFFF FPFFP XFFFF FFPXP -"), carries: vrr.Traits,
			options: []option{{"lang", "string", nil, "en", "Language of the page, as in its lang attribute."}},
			how: map[artefact.Feature]string{
				artefact.Effects: webEffects,
				artefact.Physics: webPhysics,
				artefact.Agents:  "machines, trees and handlers run, a model's answer is a stub",
				artefact.XR:      "controllers and hands point, select and grab, anchors are kept as data; not tried on a headset",
			},
			spawns: true, emit: vrr.Page,
		},
		{
			ID: "phone-sleeve-vr", Aliases: []string{"phone-vr", "stereo"}, Category: "device", Wave: 3, MediaType: "text/html", Files: []string{"index.html"},
			Axes: "y-up-rh", Unit: "m", SelfContained: true, Deployable: true, platforms: append([]string{"vr", "mobile"}, web...),
			Features: artefact.Row("FFFFF FPFFP XFFFF FFPXP -"),
			options: []option{
				{"lang", "string", nil, "en", "Language of the page, as in its lang attribute."},
				{"eye_distance", "number", nil, sleeve.EyeDistance[0], "Metres between the eyes."},
				{"field_of_view", "number", nil, sleeve.FieldOfView[0], "Degrees from top to bottom that the lenses show."},
				{"dwell", "number", nil, sleeve.Dwell[0], "Seconds of looking that use a thing; with 0 only a tap does."},
			},
			bounds: map[string][2]float64{
				"eye_distance": {sleeve.EyeDistance[1], sleeve.EyeDistance[2]}, "field_of_view": {sleeve.FieldOfView[1], sleeve.FieldOfView[2]},
				"dwell": {sleeve.Dwell[1], sleeve.Dwell[2]},
			},
			how: map[artefact.Feature]string{
				artefact.Effects: webEffects,
				artefact.Physics: webPhysics,
				artefact.Agents:  "machines, trees and handlers run, a model's answer is a stub",
				artefact.XR: "in the sleeve a look or a tap uses and holds things, pictures are not bent for the lenses; a headset has controllers and hands, anchors " +
					"are kept as data; not tried on a phone or a headset",
			},
			spawns: true, emit: sleeve.Page,
		},
	}
}
