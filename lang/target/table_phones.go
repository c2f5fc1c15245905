package target

import (
	"github.com/meshd/meshd/lang/target/artefact"
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
			emit: vrr.Page,
		},
	}
}
