package conserve

import (
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// Parts of the scene have all settings that a source gives them, known or not: those of
// controls, particles and effects. Here are the ones that are acted on; the others are
// data, as extras of a node are. A test finds each of them in the sources of the viewer.
var (
	ofControls  = words("disabled enabled min max step type placeholder options src url alt")
	ofParticles = words(`preset lifetime lifetime_min lifetime_max rate emission_rate max_count count velocity along speed size size_start size_end color
color_start color_end emissive_intensity velocity_spread spread gravity width radius blend_mode`)
	ofEffects = map[string]map[string]bool{
		"bloom": words("intensity strength threshold"), "vignette": words("intensity darkness offset extent"),
		"chromatic_aberration": words("intensity offset"), "film_grain": words("intensity"),
		"color_grading": words("brightness exposure contrast saturation"),
	}
)

// acted is a value without the settings that are not acted on.
func acted(v scene.Value, keys map[string]bool) scene.Value {
	if v.Kind != trait.Map {
		return v
	}
	out := v
	out.Fields = nil
	for _, f := range v.Fields {
		if keys[f.Key] {
			out.Fields = append(out.Fields, f)
		}
	}
	return out
}
