package idiom

// Arguments are the settings that args of a solid stand for, in the order in which the
// constructors of three.js take them; "" is one that repeats the one before it.
var Arguments = map[string][]string{
	"box":      {"width", "height", "depth"},
	"plane":    {"width", "height"},
	"sphere":   {"radius", "segments"},
	"disc":     {"radius", "segments"},
	"cylinder": {"radius", "", "height", "segments"},
	"cone":     {"radius", "height", "segments"},
	"torus":    {"radius", "tube"},
	"ring":     {"inner_radius", "radius", "segments"},
}
