package scene

import (
	"math"
	"strings"

	"github.com/meshd/meshd/lang/trait"
)

// animations reads what moves by itself: the animation settings of a node and
// the traits that stand for one.
func (l *lowering) animations(d *decl, n *Node) {
	for _, key := range []string{"animation", "animate", "animations"} {
		p, ok := d.prop(key)
		if !ok {
			continue
		}
		list := []Value{p.v}
		if p.v.Kind == trait.List {
			list = p.v.List
		} else if p.v.Kind == trait.Map && !hasAny(p.v, "property", "from", "to", "keyframes", "keys", "type", "preset", "motion", "name") { // by name
			list = nil
			for _, f := range p.v.Fields {
				list = append(list, f.Value)
			}
		}
		for _, v := range list {
			l.animation(v, n, p)
		}
	}
	if u, ok := d.find("glowing", "emissive"); ok && truthy(u.param("pulse")) && n.Material != nil {
		top := number(u.param("intensity"), "", 1)
		low, high := number(u.param("pulse_min"), "", derived(top*0.4)), number(u.param("pulse_max"), "", top)
		period := derived(1 / positive(number(u.param("pulse_speed"), "", 1), 1))
		l.add(Animation{
			Node: n.ID, Property: "emissive_intensity", Loop: -1, Autoplay: true, Easing: "ease-in-out",
			Keys: [][]float64{{0, low}, {derived(period / 2), high}, {period, low}},
		})
	}
	if u, ok := d.find("rotating", "spinning", "spin", "rotate", "rotation_animation"); ok {
		l.spin(u, n)
	}
	if u, ok := d.find("floating", "bobbing", "hover_float"); ok {
		height := number(pick(mapOf(u.args...), "amplitude", "height"), "m", 0.1)
		period := derived(1 / positive(number(pick(mapOf(u.args...), "speed", "frequency"), "", 0.5), 0.5))
		y := n.T[1]
		l.add(Animation{
			Node: n.ID, Property: "t.y", Loop: -1, Autoplay: true, Easing: "ease-in-out",
			Keys: [][]float64{{0, y}, {derived(period / 2), derived(y + height)}, {period, y}},
		})
	}
	if u, ok := d.find("orbital"); ok {
		l.orbit(u, n)
	}
}

func hasAny(v Value, names ...string) bool { return known(pick(v, names...)) }

func (l *lowering) add(a Animation) {
	if len(a.Keys) > 1 {
		l.scene.Animations = append(l.scene.Animations, a)
	}
}

// spin turns a node around an axis for ever.
func (l *lowering) spin(u *use, n *Node) {
	args := mapOf(u.args...)
	speed := pick(args, "speed", "rate")
	degrees := 45.0
	if isNumber(speed) {
		if degrees = number(speed, "deg/s", number(speed, "", 45)); speed.Unit == "" && math.Abs(degrees) <= 10 {
			degrees *= 45
		}
	}
	if degrees == 0 {
		return
	}
	axis := Vec{0, 1, 0}
	switch a := pick(args, "axis"); nodeName(a) {
	case "x":
		axis = Vec{1, 0, 0}
	case "z":
		axis = Vec{0, 0, 1}
	case "":
		if v, ok := vector(a, "", 0); ok && v != (Vec{}) {
			axis = v
		}
	}
	turn := math.Copysign(90, degrees)
	step := derived(90 / math.Abs(degrees))
	keys := make([][]float64, 5)
	for i := range keys {
		by := Vec{axis[0] * turn * float64(i), axis[1] * turn * float64(i), axis[2] * turn * float64(i)}
		q := product(n.R, Euler(by))
		keys[i] = append([]float64{derived(step * float64(i))}, shortest(keys[max(i-1, 0)], unitSigned(q))...)
	}
	l.add(Animation{Node: n.ID, Property: "r", Keys: keys, Loop: -1, Autoplay: true})
}

// unitSigned is a rotation of length 1 that keeps its sign.
func unitSigned(q Quat) Quat {
	u := unit(q)
	if q[3] < 0 {
		for i := range u {
			u[i] = zero(-u[i])
		}
	}
	return u
}

// shortest gives a rotation the sign that is nearer to the key before.
func shortest(before []float64, q Quat) []float64 {
	dot := 0.0
	if len(before) == 5 {
		for i := range q {
			dot += float64(before[i+1] * q[i])
		}
	}
	if dot < 0 {
		for i := range q {
			q[i] = zero(-q[i])
		}
	}
	return q[:]
}

// orbit goes around a centre in eight straight pieces with a spline's worth of
// keys: 16 of them.
func (l *lowering) orbit(u *use, n *Node) {
	radius, period := number(u.param("radius"), "m", 1), positive(number(u.param("period"), "s", 10), 10)
	center := n.T
	if c, ok := vector(u.param("center"), "m", 0); ok {
		center = c
	}
	incline := radians(u.param("inclination"), 0)
	sinI, cosI := sinCos(incline)
	keys := make([][]float64, 0, 33)
	for i := range 33 {
		s, c := sinCos(2 * math.Pi * float64(i%32) / 32)
		x, z := radius*c, radius*s
		keys = append(keys, []float64{
			derived(period * float64(i) / 32), derived(center[0] + x), derived(center[1] + z*sinI), derived(center[2] + z*cosI),
		})
	}
	l.add(Animation{Node: n.ID, Property: "t", Keys: keys, Loop: -1, Autoplay: true})
}

// animated are the properties that an animation may change, with the number of
// components; "" stands for a rotation that is given in degrees.
var animated = map[string]struct {
	name string
	n    int
}{
	"position": {"t", 3}, "position.x": {"t.x", 1}, "position.y": {"t.y", 1}, "position.z": {"t.z", 1},
	"rotation": {"r", 4}, "rotation.x": {"r", 4}, "rotation.y": {"r", 4}, "rotation.z": {"r", 4},
	"scale": {"s", 3}, "scale.x": {"s.x", 1}, "scale.y": {"s.y", 1}, "scale.z": {"s.z", 1},
	"opacity": {"opacity", 1}, "emissive_intensity": {"emissive_intensity", 1}, "intensity": {"intensity", 1},
	"color": {"base_color", 3}, "base_color": {"base_color", 3},
}

// animation reads one animation.
func (l *lowering) animation(v Value, n *Node, p *prop) {
	if v.Kind == trait.Text || v.Kind == trait.Word {
		l.motion(v.Str, Value{}, n, p)
		return
	}
	if v.Kind != trait.Map {
		return
	}
	if !hasAny(v, "property", "target_property", "channel") {
		if word := nodeName(pick(v, "type", "kind", "preset", "motion", "animation", "effect", "name")); word != "" {
			l.motion(word, v, n, p)
			return
		}
	}
	property := strings.ReplaceAll(trait.FoldKey(nodeName(pick(v, "property", "target_property", "channel"))), "material.", "")
	kind, ok := animated[property]
	if !ok {
		if property != "" {
			l.report("FLO011", p.file, p.at, property)
		}
		return
	}
	a := Animation{Node: n.ID, Property: kind.name, Autoplay: true}
	duration := seconds(pick(v, "duration", "time"), 1)
	if on := pick(v, "autoplay"); on.Kind == trait.Bool {
		a.Autoplay = on.Bool
	}
	switch loop := pick(v, "loop", "repeat"); {
	case loop.Kind == trait.Bool && loop.Bool, nodeName(loop) == "infinite":
		a.Loop = -1
	case isNumber(loop):
		a.Loop = int(min(max(loop.Num, -1), 1_000_000))
	case nodeName(loop) == "pingpong" || nodeName(loop) == "alternate":
		a.Loop, a.PingPong = -1, true
	}
	a.Easing = easing(nodeName(pick(v, "easing", "ease")))
	delay := seconds(pick(v, "delay"), 0)
	key := func(at float64, to Value) bool {
		c, ok := l.components(property, kind.name, to, n)
		if !ok {
			return false
		}
		if kind.name == "r" && len(a.Keys) > 0 {
			c = shortest(a.Keys[len(a.Keys)-1], Quat{c[0], c[1], c[2], c[3]})
		}
		at = derived(at + delay)
		if k := len(a.Keys); k > 0 && at <= a.Keys[k-1][0] {
			return false
		}
		a.Keys = append(a.Keys, append([]float64{at}, c...))
		return true
	}
	frames := pick(v, "keyframes", "keys", "values", "keyframe")
	switch frames.Kind {
	case trait.List:
		for i, f := range frames.List {
			at := 0.0
			if len(frames.List) > 1 {
				at = duration * float64(i) / float64(len(frames.List)-1)
			}
			to := f
			if t := pick(f, "time", "at", "t"); f.Kind == trait.Map && isNumber(t) {
				at, to = number(t, "s", t.Num), pick(f, "value", "to", "v")
			}
			key(at, to)
		}
	case trait.Map: // by time or share
		for _, f := range frames.Fields {
			at, ok := timeKey(f.Key)
			if strings.HasSuffix(f.Key, "%") {
				share, okShare := timeKey(strings.TrimSuffix(f.Key, "%"))
				at, ok = duration*share/100, okShare
			}
			if ok {
				f.From.Use()
				key(at, f.Value)
			}
		}
	default:
		from, to := pick(v, "from"), pick(v, "to")
		if known(from) {
			key(0, from)
		} else if c := l.current(kind.name, n); c != nil {
			a.Keys = append(a.Keys, append([]float64{derived(delay)}, c...))
		}
		key(duration, to)
	}
	l.add(a)
}

// components are the numbers of a value of a property.
func (l *lowering) components(property, kind string, v Value, n *Node) ([]float64, bool) {
	switch kind {
	case "t":
		c, ok := vector(v, "m", 0)
		return c[:], ok
	case "s":
		c, ok := factors(v)
		return c[:], ok
	case "r":
		if axis, single := strings.CutPrefix(property, "rotation."); single {
			if !isNumber(v) {
				return nil, false
			}
			e := Vec{}
			e[strings.Index("xyz", axis)] = number(v, "deg", 0)
			q := unitSigned(eulerSigned(e))
			return q[:], true
		}
		if v.Kind == trait.List && len(v.List) == 4 {
			q, ok := rotation(v)
			return q[:], ok
		}
		e, ok := vector(v, "deg", 0)
		q := unitSigned(eulerSigned(e))
		return q[:], ok
	case "base_color":
		c, ok := colorOf(v)
		if !ok {
			return nil, false
		}
		rgb := RGBA(c)
		return []float64{derived(float64(rgb[0]) / 255), derived(float64(rgb[1]) / 255), derived(float64(rgb[2]) / 255)}, true
	}
	if !isNumber(v) {
		return nil, false
	}
	unit := "m"
	if !strings.HasPrefix(kind, "t") {
		unit = ""
	}
	return []float64{number(v, unit, 0)}, true
}

// eulerSigned is Euler without bringing w above zero, so that keys of 0° and
// 270° stay on their ways.
func eulerSigned(degrees Vec) Quat {
	q := Euler(degrees)
	turns := 0
	for _, a := range degrees {
		if m := math.Mod(math.Abs(a), 720); m > 180 && m <= 540 {
			turns++
		}
	}
	if turns%2 == 1 {
		for i := range q {
			q[i] = zero(-q[i])
		}
	}
	return q
}

// current is what a property of a node has before it moves.
func (l *lowering) current(kind string, n *Node) []float64 {
	switch kind {
	case "t":
		return n.T[:]
	case "s":
		return n.S[:]
	case "r":
		return n.R[:]
	case "t.x", "t.y", "t.z":
		return []float64{n.T[kind[2]-'x']}
	case "s.x", "s.y", "s.z":
		return []float64{n.S[kind[2]-'x']}
	case "intensity":
		if n.Light != nil {
			return []float64{float64(n.Light.Intensity)}
		}
	case "opacity":
		return []float64{1}
	case "emissive_intensity":
		if n.Material != nil {
			return []float64{float64(l.scene.Materials[*n.Material].EmissiveIntensity)}
		}
	case "base_color":
		if n.Material != nil {
			c := RGBA(l.scene.Materials[*n.Material].BaseColor)
			return []float64{derived(float64(c[0]) / 255), derived(float64(c[1]) / 255), derived(float64(c[2]) / 255)}
		}
	}
	return nil
}

// easing is one spelling for each curve.
func easing(word string) string {
	switch strings.ReplaceAll(trait.FoldKey(word), "_", "-") {
	case "ease-in", "easein":
		return "ease-in"
	case "ease-out", "easeout":
		return "ease-out"
	case "ease-in-out", "ease", "easeinout", "smooth", "sine":
		return "ease-in-out"
	case "step", "steps":
		return "step"
	}
	return ""
}
