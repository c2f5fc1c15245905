package idiom

// Motion is what a word of motion does, with its defaults. An author may set
// duration (seconds of one turn), speed (a factor), amount (metres, degrees or a
// share, by the word), and axis.
type Motion struct {
	Property string  // t.y, r, s, opacity, emissive_intensity; "orbit" goes round
	Amount   float64 // metres of t.y, degrees of r (360: a whole turn), share of s
	Period   float64 // seconds
	Axis     string  // of r
	Easing   string
	Turn     bool // on and on in one direction; else there and back
}

// motions are the words (M04).
var motions = map[string]Motion{
	"spin":    {Property: "r", Amount: 360, Period: 8, Axis: "y", Turn: true},
	"float":   {Property: "t.y", Amount: 0.15, Period: 3, Easing: "ease-in-out"},
	"bounce":  {Property: "t.y", Amount: 0.5, Period: 1, Easing: "ease-out"},
	"pulse":   {Property: "s", Amount: 0.1, Period: 1.5, Easing: "ease-in-out"},
	"breathe": {Property: "s", Amount: 0.05, Period: 4, Easing: "ease-in-out"},
	"sway":    {Property: "r", Amount: 10, Period: 4, Axis: "z", Easing: "ease-in-out"},
	"wobble":  {Property: "r", Amount: 15, Period: 1.5, Axis: "z", Easing: "ease-in-out"},
	"swing":   {Property: "r", Amount: 40, Period: 2, Axis: "z", Easing: "ease-in-out"},
	"shake":   {Property: "t.x", Amount: 0.05, Period: 0.2},
	"orbit":   {Property: "orbit", Amount: 2, Period: 10, Axis: "y", Turn: true},
	"fade":    {Property: "opacity", Amount: 1, Period: 2, Easing: "ease-in-out"},
	"blink":   {Property: "opacity", Amount: 1, Period: 1, Easing: "step"},
	"flicker": {Property: "emissive_intensity", Amount: 0.6, Period: 0.4},
	"glow":    {Property: "emissive_intensity", Amount: 0.6, Period: 2, Easing: "ease-in-out"},
}

var motionWords = map[string]string{
	"rotate": "spin", "rotating": "spin", "spinning": "spin", "turn": "spin", "turning": "spin", "rotation": "spin", "floating": "float", "hover": "float", "hovering": "float", "bob": "float",
	"bobbing": "float", "drift": "float", "bouncing": "bounce", "jump": "bounce", "hop": "bounce", "pulsing": "pulse", "pulsate": "pulse", "throb": "pulse", "heartbeat": "pulse",
	"grow": "pulse", "scale": "pulse", "breathing": "breathe", "swaying": "sway", "tilt": "sway", "rock": "sway", "wave": "sway", "wobbling": "wobble", "jiggle": "wobble", "pendulum": "swing",
	"swinging": "swing", "vibrate": "shake", "shaking": "shake", "tremble": "shake", "orbiting": "orbit", "circle": "orbit", "revolve": "orbit", "fadeinout": "fade", "fading": "fade",
	"blinking": "blink", "flash": "blink", "flickering": "flicker", "glowing": "glow", "shimmer": "glow", "twinkle": "glow", "idle": "breathe",
}

// MotionOf is the motion of a word.
func MotionOf(word string) (Motion, bool) {
	w := fold(word)
	if s, ok := motionWords[w]; ok {
		w = s
	}
	m, ok := motions[w]
	return m, ok
}

// Motions are the words of motion, without the other words for them.
func Motions() []string { return sorted(motions) }

// AllMotions has the other words too.
func AllMotions() []string { return append(sorted(motions), sorted(motionWords)...) }
