package scene

import (
	"github.com/meshd/meshd/lang/trait"
)

// bodies reads how a node moves and what it bumps with.
func (l *lowering) bodies(d *decl, n *Node, index int) {
	l.body(d, n)
	l.collider(d, n)
	l.joint(d, n, index)
}

func (l *lowering) body(d *decl, n *Node) {
	v := d.value("physics", "rigidbody")
	u, has := d.find("physics", "rigidbody")
	setting := func(name string) Value {
		if f, ok := get(v, name); ok {
			return f
		}
		if has {
			return u.param(name)
		}
		return Value{}
	}
	kind := ""
	switch t := nodeName(setting("type")); {
	case d.has("static"), t == "static", t == "fixed":
		kind = "static"
	case d.has("kinematic"), t == "kinematic":
		kind = "kinematic"
	case has, v.Kind == trait.Map, v.Kind == trait.Bool && v.Bool, v.Kind == trait.Word && v.Str == "dynamic":
		kind = "dynamic"
	case v.Kind == trait.Word || v.Kind == trait.Text:
		if v.Str == "static" || v.Str == "kinematic" {
			kind = v.Str
		}
	}
	if kind == "" {
		return
	}
	mass := d.value("mass")
	if f := setting("mass"); known(f) {
		mass = f
	}
	n.Body = &Body{
		Type: kind, Mass: One(positive(number(mass, "kg", 1), 1)),
		Friction:    Half(max(number(setting("friction"), "", 0.5), 0)),
		Restitution: min(max(number(setting("restitution"), "", 0), 0), 1),
		Gravity:     One(number(setting("gravity_scale"), "", 1)),
	}
	if falls := setting("use_gravity"); d.has("buoyancy") || falls.Kind == trait.Bool && !falls.Bool {
		n.Body.Gravity = 0 // what floats is held by what it floats on
	}
}

func (l *lowering) collider(d *decl, n *Node) {
	v := d.value("collider")
	u, has := d.find("collidable", "trigger")
	if !has && !known(v) && n.Body == nil && n.Kind != "zone" {
		return
	}
	setting := func(names ...string) Value {
		for _, name := range names {
			if f, ok := get(v, name); ok {
				return f
			}
			if has {
				if f, ok := u.given(name); ok {
					return f
				}
			}
		}
		return Value{}
	}
	c := &Collider{Trigger: n.Kind == "zone" || d.has("trigger") || truthy(setting("is_trigger", "trigger"))}
	shape := nodeName(setting("shape", "type", "name"))
	if v.Kind == trait.Word || v.Kind == trait.Text {
		shape = v.Str
	}
	size := Vec{1, 1, 1}
	var g *Geometry
	if n.Geometry != nil {
		g = &l.scene.Geometries[*n.Geometry]
		size = g.Bounds()
		if shape == "" {
			shape = g.Kind
		}
	} else if n.Kind == "zone" {
		z := Geometry{Kind: "box"}
		z.measure(func(name string) Value { return d.value(name) })
		size = *z.Size
		shape = "box"
	}
	switch shape {
	case "sphere", "capsule", "plane", "mesh", "box", "cylinder":
		c.Shape = shape
	case "model", "convex", "hull":
		c.Shape = "mesh"
	default:
		c.Shape = "box"
	}
	if s, ok := vector(setting("size"), "m", 1); ok {
		size = s
	}
	if r := setting("radius"); isNumber(r) {
		w := short(positive(number(r, "m", 0.5), 0.5) * 2)
		size = Vec{w, w, w}
		if h := setting("height"); isNumber(h) {
			size[1] = positive(number(h, "m", 1), 1)
		}
	}
	c.Size = size
	if p, ok := vector(setting("center"), "m", 0); ok {
		c.Center = p
	}
	n.Collider = c
}

// Bounds are the sizes of the box around a solid.
func (g *Geometry) Bounds() Vec {
	s := Vec{1, 1, 1}
	d := short(g.Radius * 2)
	switch g.Kind {
	case "box", "pyramid", "wedge", "heart", "star", "crystal", "gem", "gear", "arrow":
		if g.Size != nil {
			s = *g.Size
		}
	case "plane":
		if g.Size != nil {
			s = Vec{g.Size[0], 0.001, g.Size[2]}
		}
	case "sphere":
		s = Vec{d, d, d}
	case "cylinder", "cone":
		s = Vec{d, g.Height, d}
	case "capsule":
		s = Vec{d, max(g.Height, d), d}
	case "torus":
		w := short((g.Radius + g.Tube) * 2)
		s = Vec{w, short(g.Tube * 2), w}
	case "ring", "disc":
		s = Vec{d, 0.001, d}
	}
	for i := range s {
		s[i] = short(s[i] * g.Stretch[i])
	}
	return s
}

func (l *lowering) joint(d *decl, n *Node, index int) {
	v := d.value("joint")
	u, has := d.find("joint", "joint_revolute")
	if !has && v.Kind != trait.Map {
		return
	}
	setting := func(names ...string) Value {
		for _, name := range names {
			if f, ok := get(v, name); ok {
				return f
			}
			if has {
				if f := u.param(name); known(f) {
					return f
				}
			}
		}
		return Value{}
	}
	j := &Joint{Type: "fixed", Axis: Vec{0, 1, 0}}
	kind := nodeName(setting("type", "joint_type"))
	if has && u.Name == "joint_revolute" && kind == "" {
		kind = "revolute"
	}
	switch kind {
	case "revolute", "hinge":
		j.Type = "revolute"
	case "continuous":
		j.Type = "continuous"
	case "prismatic", "slider":
		j.Type = "prismatic"
	case "ball", "spherical":
		j.Type = "ball"
	}
	if a, ok := vector(setting("axis"), "", 0); ok && a != (Vec{}) {
		j.Axis = a
	}
	lower, upper := setting("lower", "min"), setting("upper", "max")
	if limits := setting("limits"); limits.Kind == trait.List && len(limits.List) > 1 {
		lower, upper = limits.List[0], limits.List[1]
	} else if limits.Kind == trait.Map {
		lower, upper = pick(limits, "lower", "min"), pick(limits, "upper", "max")
	}
	if j.Type == "prismatic" {
		j.Min, j.Max = number(lower, "m", 0), number(upper, "m", 0)
	} else if j.Type == "revolute" {
		j.Min, j.Max = radians(lower, 0), radians(upper, 0)
		if !isNumber(lower) && !isNumber(upper) {
			j.Type = "continuous"
		}
	}
	n.Joint = j
	if to := nodeName(setting("connected_body", "parent", "to")); to != "" {
		l.wanted = append(l.wanted, reference{index, to, func(n *Node, id string) { n.Joint.To = id }})
	}
}

func pick(v Value, names ...string) Value {
	for _, n := range names {
		if f, ok := get(v, n); ok {
			return f
		}
	}
	return Value{}
}
