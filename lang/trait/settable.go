package trait

// settable are the traits that a running scene can give a node: which property
// each of their parameters is.
var settable = map[string]map[string]string{
	"glowing":      {"color": "emissive", "intensity": "emissive_intensity"},
	"glow":         {"color": "emissive", "intensity": "emissive_intensity"},
	"emissive":     {"color": "emissive", "intensity": "emissive_intensity"},
	"transparent":  {"opacity": "opacity"},
	"material":     looks,
	"pbr":          looks,
	"pbr_material": looks,
}

var looks = map[string]string{
	"color": "color", "base_color": "color", "albedo": "color", "opacity": "opacity", "metallic": "metallic", "metalness": "metallic",
	"roughness": "roughness", "emissive": "emissive", "emissive_intensity": "emissive_intensity",
}

// Settable is the property of a node that a parameter of a trait sets while a scene
// runs, empty when it sets none. With an empty parameter it says whether the trait
// sets any.
func Settable(trait, param string) (property string, ok bool) {
	row, ok := settable[trait]
	if param == "" || !ok {
		return "", ok
	}
	property, ok = row[FoldKey(param)]
	return property, ok
}
