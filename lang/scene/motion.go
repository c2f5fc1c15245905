package scene

import (
	"math"

	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/trait"
)

// motion adds the animation of a word (M04). settings are those beside the word:
// duration, speed, amount and axis; what a word has by itself is in package idiom.
func (l *lowering) motion(word string, settings Value, n *Node, p *prop) {
	m, ok := idiom.MotionOf(word)
	if !ok {
		if word != "none" && !isMadeUp(settings) {
			l.unknownWord(*p, "motion", word, "nothing moves", idiom.AllMotions())
		}
		return
	}
	amount, period, axis := m.Amount, m.Period, axisOf(m.Axis)
	if v := pick(settings, "amount", "amplitude", "height", "distance", "angle", "radius", "intensity", "strength", "degrees"); isNumber(v) {
		unit := "m"
		switch m.Property {
		case "r":
			unit = "deg"
		case "s", "opacity", "emissive_intensity":
			unit = ""
		}
		amount = number(v, unit, amount)
	}
	if v := pick(settings, "duration", "period", "time", "interval"); isNumber(v) {
		period = positive(seconds(v, period), period)
	}
	if v := pick(settings, "speed", "rate", "frequency"); isNumber(v) {
		if v.Unit != "" && m.Property == "r" { // degrees a second
			period = derived(amount / positive(math.Abs(number(v, "deg/s", amount/period)), 1))
			if v.Num < 0 {
				amount = -amount
			}
		} else {
			period = derived(period / positive(math.Abs(v.Num), 1))
			if v.Num < 0 {
				amount = -amount
			}
		}
	}
	if v := pick(settings, "axis"); known(v) {
		if known := axisVector(v, Vec{}); known != (Vec{}) {
			axis = known
		} else {
			l.unknownWord(*p, "axis", nodeName(v), "the usual one is used", []string{"x", "y", "z"})
		}
	}
	a := Animation{Node: n.ID, Property: m.Property, Loop: -1, Autoplay: true, Easing: m.Easing}
	if v := pick(settings, "easing", "ease"); nodeName(v) != "" {
		a.Easing = easing(nodeName(v))
	}
	switch v := pick(settings, "loop", "repeat"); {
	case v.Kind == trait.Bool && !v.Bool:
		a.Loop = 0
	case isNumber(v):
		a.Loop = int(min(max(v.Num, -1), 1_000_000))
	}
	if v := pick(settings, "autoplay"); v.Kind == trait.Bool {
		a.Autoplay = v.Bool
	}
	delay := seconds(pick(settings, "delay"), 0)
	half := derived(period / 2)
	swing := func(first, middle []float64) {
		a.Keys = [][]float64{append([]float64{0}, first...), append([]float64{half}, middle...), append([]float64{period}, first...)}
	}
	turned := func(by float64) []float64 {
		q := unitSigned(product(n.R, Euler(Vec{axis[0] * by, axis[1] * by, axis[2] * by})))
		return q[:]
	}
	switch m.Property {
	case "orbit":
		l.circle(n, amount, period, a)
		return
	case "r":
		if m.Turn {
			a.Keys = make([][]float64, 5)
			for i := range a.Keys {
				q := Quat(turned(amount / 4 * float64(i)))
				a.Keys[i] = append([]float64{derived(period / 4 * float64(i))}, shortest(a.Keys[max(i-1, 0)], q)...)
			}
			break
		}
		a.Keys = [][]float64{append([]float64{0}, turned(-amount)...), append([]float64{half}, turned(amount)...), append([]float64{period}, turned(-amount)...)}
	case "s":
		s := n.S[:]
		swing(s, []float64{derived(s[0] * (1 + amount)), derived(s[1] * (1 + amount)), derived(s[2] * (1 + amount))})
	case "t.x", "t.y", "t.z":
		at := n.T[m.Property[2]-'x']
		swing([]float64{at}, []float64{derived(at + amount)})
	case "opacity":
		swing([]float64{1}, []float64{derived(1 - min(max(amount, 0), 1))})
	default:
		if n.Material == nil && n.Light != nil {
			a.Property = "intensity"
			top := float64(n.Light.Intensity)
			swing([]float64{top}, []float64{derived(top * (1 - min(max(amount, 0), 1)))})
			break
		}
		top := 1.0
		if c := l.current("emissive_intensity", n); c != nil {
			top = c[0]
		}
		swing([]float64{top}, []float64{derived(top * (1 - min(max(amount, 0), 1)))})
	}
	for i := range a.Keys {
		a.Keys[i][0] = derived(a.Keys[i][0] + delay)
	}
	l.add(a)
}

// isMadeUp says whether an animation without a property has values of its own, so
// that the word is its name and no motion.
func isMadeUp(v Value) bool {
	return hasAny(v, "from", "to", "keyframes", "keys", "values", "keyframe")
}

func axisOf(word string) Vec {
	switch word {
	case "x":
		return Vec{1, 0, 0}
	case "z":
		return Vec{0, 0, 1}
	}
	return Vec{0, 1, 0}
}

// axisVector reads an axis by its letter or as a vector.
func axisVector(v Value, fallback Vec) Vec {
	switch nodeName(v) {
	case "x", "y", "z", "X", "Y", "Z":
		return axisOf(string(nodeName(v)[0] | 0x20))
	}
	if a, ok := vector(v, "", 0); ok && a != (Vec{}) {
		return a
	}
	return fallback
}

// circle goes round the place of a node, level, in 32 pieces.
func (l *lowering) circle(n *Node, radius, period float64, a Animation) {
	a.Property = "t"
	for i := range 33 {
		s, c := sinCos(2 * math.Pi * float64(i%32) / 32)
		a.Keys = append(a.Keys, []float64{
			derived(period * float64(i) / 32), derived(n.T[0] + float64(radius*c)), n.T[1], derived(n.T[2] + float64(radius*s)),
		})
	}
	l.add(a)
}
