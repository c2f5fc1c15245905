package run

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
)

// tween is a property of a node on its way to a value.
type tween struct {
	node, key, easing string
	from, to          Value
	since             int
	seconds           float64
}

// tween sends a property on its way: property, value, seconds and easing, the
// last two also by name. It takes the place of one that was under way.
func (m *Machine) tween(node string, a []Value) *Fault {
	seconds, easing := at(a, 2), at(a, 3)
	if named, ok := at(a, max(2, len(a)-1)).(*Object); ok {
		if seconds == Value(named) {
			seconds = nil
		}
		if easing == Value(named) {
			easing = nil
		}
		if v := named.Values["duration"]; v != nil {
			seconds = v
		}
		if v := named.Values["easing"]; v != nil {
			easing = v
		}
	}
	key := m.printed(first(a))
	t := &tween{
		node: node, key: key, easing: "linear", from: copyValue(m.props[slotKey{node, key}], MaxDepth), to: copyValue(at(a, 1), MaxDepth),
		since: m.steps, seconds: 1,
	}
	if n, ok := number(seconds); ok && seconds != nil {
		if t.seconds = math.Max(0, math.Min(1e9, n)); math.IsNaN(n) {
			t.seconds = 0
		}
	}
	if easing != nil {
		t.easing = m.printed(easing)
	}
	old := m.tweens
	kept := slices.DeleteFunc(slices.Clone(old), func(o *tween) bool { return o.node == node && o.key == key })
	if len(kept) >= MaxWaiting {
		return fault(FaultEvents, "more than %d properties move", MaxWaiting)
	}
	m.charge(len(kept) / ChargeElements)
	m.tweens = append(kept, t)
	m.undo = append(m.undo, func() { m.tweens = old })
	return nil
}

// runTweens moves what is on its way by a step.
func (m *Machine) runTweens() {
	for _, t := range slices.Clone(m.tweens) {
		if m.spent >= m.stepLimit {
			return
		}
		u := 1.0
		if t.seconds > 0 {
			u = math.Min(1, float64(m.steps-t.since)/float64(m.p.Rates.Spatial)/t.seconds)
		}
		m.handler = false
		ok := m.atomically(t.node, func() *Fault {
			v, f := m.tweenValue(t, u)
			if f != nil {
				return f
			}
			return m.setProperty(t.node, t.key, v)
		})
		m.flush()
		if ok && u < 1 {
			continue
		}
		m.tweens = slices.DeleteFunc(slices.Clone(m.tweens), func(o *tween) bool { return o == t })
		if ok && m.handles("animation_end") {
			m.Inject(Event{Node: t.node, Name: "animation_end", Payload: t.key})
		}
	}
}

func (m *Machine) tweenValue(t *tween, u float64) (Value, *Fault) {
	if u >= 1 {
		return copyValue(t.to, MaxDepth), nil
	}
	_, fromList := t.from.(*List)
	_, toList := t.to.(*List)
	_, fromNumber := t.from.(float64)
	_, toNumber := t.to.(float64)
	if fromList && toList || fromNumber && toNumber {
		return m.between(t.from, t.to, easeAt(t.easing, u))
	}
	return t.from, nil
}

// between is a value on the way from x to y: of numbers, and of lists of them.
func (m *Machine) between(x, y Value, u float64) (Value, *Fault) {
	p, ok := x.(*List)
	q, okay := y.(*List)
	if ok && okay {
		var out []Value
		for i := range min(len(p.Items), len(q.Items)) {
			v, f := m.between(scalar(p.Items[i]), scalar(q.Items[i]), u)
			if f != nil {
				return nil, f
			}
			out = append(out, v)
		}
		return m.list(out)
	}
	n, f := numbers([]Value{x, y}, 2)
	return n[0] + float64((n[1]-n[0])*u), f
}

// scalar takes lists within lists for nothing.
func scalar(v Value) Value {
	if _, ok := v.(*List); ok {
		return 0.0
	}
	return v
}

func tweened(m *Machine, owner string, a []Value) (Value, *Fault) {
	node, rest := target(owner, a)
	return nil, m.tween(node, rest)
}

// eased is ease("ease-in", u), the arguments in either order.
func eased(m *Machine, _ string, a []Value) (Value, *Fault) {
	name, rest := first(a), a[min(1, len(a)):]
	if _, ok := name.(string); !ok {
		name, rest = at(a, 1), a
	}
	text := m.printed(name)
	n, f := numbers(rest, 1)
	return easeAt(text, n[0]), f
}

// easeAt is the easing of a name at u between 0 and 1. Kebab, snake and camel
// names are one; an unknown one is linear.
func easeAt(name string, u float64) float64 {
	u = most(0, least(1, u))
	v := 1 - u
	switch strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_ ", r) {
			return -1
		}
		return r
	}, strings.ToLower(name)) {
	case "easein", "easeinquad":
		return float64(u * u)
	case "easeout", "easeoutquad":
		return 1 - float64(v*v)
	case "easeinout", "easeinoutquad":
		return float64(u * u * (3 - float64(2*u)))
	case "easeincubic":
		return float64(u * u * u)
	case "easeoutcubic":
		return 1 - float64(v*v*v)
	case "easeinoutcubic":
		if u < 0.5 {
			return float64(4 * u * u * u)
		}
		return 1 - float64(4*v*v*v)
	case "easeinsine":
		return 1 - math.Cos(float64(u*math.Pi)/2)
	case "easeoutsine":
		return math.Sin(float64(u*math.Pi) / 2)
	case "easeinoutsine":
		return (1 - math.Cos(float64(u*math.Pi))) / 2
	case "step":
		if u < 1 {
			return 0
		}
		return 1
	}
	return u
}

// play starts or stops the timelines of a name; everything else is the host's.
func (m *Machine) play(owner, what string, a []Value) (Value, *Fault) {
	name, ok := first(a).(string)
	old, found := m.timelines, false
	if ok {
		now := slices.Clone(old)
		for i := range now {
			if m.p.Timelines[i].ID == name {
				now[i], found = timeline{on: what == "play", since: m.steps}, true
			}
		}
		if found {
			m.timelines = now
			m.undo = append(m.undo, func() { m.timelines = old })
			return nil, nil
		}
	}
	return m.outside(&Function{Owner: owner}, what, a)
}

// model asks the model of the host. Without one the answer says which question
// it was asked, so that tests and previews need no network.
func model(m *Machine, owner string, a []Value) (Value, *Fault) {
	m.note(Entry{Kind: "host", Node: owner, Name: "llm_call", Value: &List{Items: slices.Clone(a)}})
	if m.host != nil {
		if v, known := m.host.Call("llm_call", a); known {
			return v, nil
		}
	}
	prompt := m.printed(first(a))
	m.charge(len(prompt) / ChargeBytes)
	h := fnv.New32a()
	h.Write([]byte(prompt))
	return fmt.Sprintf("stub %08x", h.Sum32()), nil
}
