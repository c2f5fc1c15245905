package idiom

import "strings"

// Parts of a scene take all settings that a source gives them, known or not: controls,
// emitters and effects. Here are the ones that viewers act on; a test of package
// conserve finds each of them in the sources of the viewer.

// Controls are the settings of controls beside label, value and id.
var Controls = set(`disabled enabled min max step type placeholder options src url alt
position size width height background color text_color font_size font_weight border_radius padding opacity visible active_color text_align show_value`)

// Emitters are the settings of particles.
var Emitters = set(`preset lifetime lifetime_min lifetime_max rate emission_rate max_count count velocity along speed size size_start size_end color
color_start color_end emissive_intensity velocity_spread spread gravity width radius blend_mode`)

// Effects are the settings of image effects, by effect.
var Effects = map[string]map[string]bool{
	"bloom": set("intensity strength threshold"), "vignette": set("intensity darkness offset extent"),
	"chromatic_aberration": set("intensity offset"), "film_grain": set("intensity"),
	"color_grading": set("brightness exposure contrast saturation"),
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
