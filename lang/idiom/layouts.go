package idiom

// Layouts are the words for how copies of a node stand: in a row, a grid, a ring, or
// scattered.
var Layouts = map[string]string{
	"row": "row", "line": "row", "linear": "row", "grid": "grid", "square": "grid", "ring": "ring", "circle": "ring", "circular": "ring", "radial": "ring",
	"scatter": "scatter", "scattered": "scatter", "random": "scatter", "uniform": "scatter",
}

// Beside is a setting of motion that stands beside its word, by the keys that it may have.
type Beside struct {
	Means string
	Keys  []string
}

// MotionSettings are those of `animate: "float"` and the like.
var MotionSettings = []Beside{
	{"speed", []string{"anim_speed", "animate_speed", "animation_speed", "float_speed", "spin_speed", "rotation_speed", "pulse_speed", "bob_speed"}},
	{"amount", []string{"anim_radius", "anim_amount", "anim_amplitude", "anim_height", "animation_amplitude", "animation_radius", "float_amplitude", "float_height", "bob_height", "bob_amplitude", "pulse_amount"}},
	{"duration", []string{"anim_duration", "animation_duration"}},
	{"axis", []string{"anim_axis", "animation_axis", "spin_axis", "rotation_axis"}},
	{"delay", []string{"anim_delay", "animation_delay"}},
}
