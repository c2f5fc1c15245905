package idiom

// Kind is what a word makes of a node.
type Kind struct {
	Node  string // kind of node of the model; empty leaves it
	Light string // type of a light
	Solid string // geometry
	Trait string // a trait that the node then has
}

// kinds are the words of `type:` on a node, folded, with what they mean.
var kinds = map[string]Kind{
	"directionallight": {Node: "light", Light: "directional"}, "sun": {Node: "light", Light: "directional"}, "sunlight": {Node: "light", Light: "directional"},
	"pointlight": {Node: "light", Light: "point"}, "omnilight": {Node: "light", Light: "point"}, "bulb": {Node: "light", Light: "point"},
	"spotlight": {Node: "light", Light: "spot"}, "ambientlight": {Node: "light", Light: "ambient"},
	"hemispherelight": {Node: "light", Light: "hemisphere"}, "arealight": {Node: "light", Light: "area"}, "rectarealight": {Node: "light", Light: "area"},
	"light": {Node: "light"},

	"camera": {Node: "camera"}, "perspectivecamera": {Node: "camera"}, "orthographiccamera": {Node: "camera"},
	"text": {Node: "text"}, "label": {Node: "text"}, "textmesh": {Node: "text"}, "caption": {Node: "text"},
	"audio": {Node: "audio"}, "sound": {Node: "audio"}, "audiosource": {Node: "audio"}, "audioplayer": {Node: "audio"}, "audiostreamplayer": {Node: "audio"},
	"group": {Node: "group"}, "container": {Node: "group"}, "empty": {Node: "group"}, "folder": {Node: "group"},
	"zone": {Node: "zone"}, "area": {Node: "zone"}, "triggerzone": {Node: "zone"}, "triggervolume": {Node: "zone"},
	"panel": {Node: "panel"}, "uipanel": {Node: "panel"}, "screen": {Node: "panel"},
	"uitext":    {Node: "text"},
	"particles": {Trait: "particle_system"}, "particlesystem": {Trait: "particle_system"}, "emitter": {Trait: "particle_system"}, "particleemitter": {Trait: "particle_system"},
	"portal": {Trait: "portal"}, "billboard": {Trait: "billboard"},
	"mesh": {}, "object": {}, "node": {}, "model": {}, "entity": {}, "prop": {}, "static": {},

	"box": {Solid: "box"}, "cube": {Solid: "box"}, "sphere": {Solid: "sphere"}, "ball": {Solid: "sphere"}, "cylinder": {Solid: "cylinder"}, "cone": {Solid: "cone"},
	"plane": {Solid: "plane"}, "quad": {Solid: "plane"}, "ground": {Solid: "plane"}, "floor": {Solid: "plane"}, "torus": {Solid: "torus"}, "capsule": {Solid: "capsule"},
	"ring": {Solid: "ring"}, "disc": {Solid: "disc"}, "circle": {Solid: "disc"}, "pyramid": {Solid: "pyramid"}, "wedge": {Solid: "wedge"}, "crystal": {Solid: "crystal"},
	"gem": {Solid: "gem"}, "gear": {Solid: "gear"}, "star": {Solid: "star"}, "heart": {Solid: "heart"}, "arrow": {Solid: "arrow"},
}

// KindOf is what `type: word` on a node means.
func KindOf(word string) (Kind, bool) {
	k, ok := kinds[fold(word)]
	return k, ok
}

// Blocks are kinds of blocks that name a solid, a light or a helper, with the kind
// that they mean: sphere "Ball" { } is object "Ball" { geometry: "sphere" }.
var Blocks = map[string]Kind{
	"box": {Node: "object", Solid: "box"}, "cube": {Node: "object", Solid: "box"}, "sphere": {Node: "object", Solid: "sphere"},
	"cylinder": {Node: "object", Solid: "cylinder"}, "cone": {Node: "object", Solid: "cone"}, "plane": {Node: "object", Solid: "plane"},
	"torus": {Node: "object", Solid: "torus"}, "capsule": {Node: "object", Solid: "capsule"}, "pyramid": {Node: "object", Solid: "pyramid"},
	"wedge": {Node: "object", Solid: "wedge"}, "disc": {Node: "object", Solid: "disc"}, "quad": {Node: "object", Solid: "plane"},
	"particle_system": {Node: "particles"}, "particle_emitter": {Node: "particles"}, "emitter": {Node: "particles"}, "ui_panel": {Node: "panel"},
	"ui_text": {Node: "text"},
	"mesh":    {Node: "object"}, "model": {Node: "object"}, "sun": {Node: "light", Light: "directional"},
	"spotlight": {Node: "light", Light: "spot"}, "sound": {Node: "audio"}, "label3d": {Node: "text"},
}

// components are properties that name a trait, with the name it has in the
// registry. Every other name of the registry is one as it stands.
var components = map[string]string{
	"grab": "grabbable", "click": "clickable", "hover": "hoverable", "glow": "glowing", "rigid_body": "rigidbody", "particle": "particle_system", "emitter": "particle_system",
	"trigger_zone": "trigger", "tooltip_text": "tooltip",
}

// Component is the trait that a property of an object means by its name.
func Component(key string) string {
	if t, ok := components[key]; ok {
		return t
	}
	return key
}

// KindWords are the words of KindOf, in one spelling each.
func KindWords() []string { return sorted(kinds) }

// spellings are other words for settings of nodes (X05). The plain word wins where both
// are set.
var spellings = map[string]string{
	"material_props": "material", "material_properties": "material", "pos": "position", "at": "position", "location": "position", "translation": "position", "local_position": "position", "translate": "position", "m_local_position": "position",
	"rot": "rotation", "orientation": "rotation", "euler": "rotation", "euler_angles": "rotation", "local_rotation": "rotation", "m_local_rotation": "rotation", "rotation_degrees": "rotation",
	"local_scale": "scale", "m_local_scale": "scale", "dimensions": "size", "dims": "size", "extents": "size", "colour": "color", "fill": "color", "albedo_color": "color",
	"shininess": "metallic", "alpha": "opacity", "shown": "visible", "is_visible": "visible", "font_height": "font_size", "lookat": "look_at", "facing": "look_at",
}

// lightSpellings are those of lights.
var lightSpellings = map[string]string{
	"brightness": "intensity", "strength": "intensity", "energy": "intensity", "power": "intensity", "radius": "range", "decay_distance": "range", "light_color": "color", "tint": "color",
	"casts_shadow": "cast_shadow", "shadow_enabled": "cast_shadow",
}

// groupSpellings are those of groups: what a group has of its own is where it stands.
var groupSpellings = map[string]string{"origin": "position", "offset": "position", "center": "position"}

// Spelling is the plain word for a setting of a kind of node.
func Spelling(key, kind string) (string, bool) {
	if kind == "light" {
		if w, ok := lightSpellings[key]; ok {
			return w, true
		}
	}
	if kind == "group" {
		if w, ok := groupSpellings[key]; ok {
			return w, true
		}
	}
	if kind == "panel" && key == "background" {
		return "color", true
	}
	w, ok := spellings[key]
	return w, ok
}
