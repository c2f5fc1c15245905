package scene

import (
	"math"
	"slices"
	"strconv"

	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/trait"
)

// copyKeys are the settings of a node that say how often it stands in the scene (X17).
var copyKeys = []string{"instances", "copies", "repeat", "array", "scatter", "duplicate"}

// copies are the nodes that a node with such a setting stands for: as many as it says, in
// a row, a grid, a ring or scattered. It is false for a node that is one.
func (l *lowering) copies(d *decl) ([]*decl, bool) {
	var p *prop
	for _, key := range copyKeys {
		if i, ok := d.byKey[key]; ok && p == nil && (d.props[i].v.Kind == trait.Map || d.props[i].v.Kind == trait.Number) {
			p = &d.props[i]
		}
	}
	if p == nil {
		return nil, false
	}
	v := p.v
	count := v
	if v.Kind == trait.Map {
		count = pick(v, "count", "number", "amount", "copies", "n")
	}
	places := l.placesOf(v, count)
	if len(places) == 0 {
		return nil, false
	}
	p.from.Use()
	p.v = Value{Kind: trait.Null}
	own := Vec{}
	if q, ok := d.prop("position"); ok {
		own, _ = vector(q.v, "m", 0)
	}
	out := make([]*decl, 0, len(places))
	for i, at := range places {
		c, ok := l.again(d)
		if !ok {
			return out, true
		}
		if c.name != "" {
			c.name += " " + strconv.Itoa(i+1)
		}
		place := listOf([]Value{numOf(derived(own[0] + at[0])), numOf(derived(own[1] + at[1])), numOf(derived(own[2] + at[2]))})
		c.put(prop{key: "position", v: place, file: p.file, at: p.at})
		out = append(out, c)
	}
	return out, true
}

// placesOf are the places of the copies beside that of the node.
func (l *lowering) placesOf(v, count Value) []Vec {
	vec := func(names ...string) (Vec, bool) {
		f := pick(v, names...)
		if isNumber(f) {
			n := number(f, "m", 1)
			return Vec{n, n, n}, true
		}
		return vector(f, "m", 0)
	}
	origin, _ := vec("origin", "start", "offset")
	n := [3]float64{}
	if count.Kind == trait.List { // [4, 1, 3]
		if by, ok := vector(count, "", 1); ok {
			n = by
		}
	} else if isNumber(count) {
		n[0] = count.Num
	}
	total := n[0] * max(n[1], 1) * max(n[2], 1)
	if !(n[0] >= 1) || !(total <= MaxIterations) || !l.reserve(int(total)*valueBytes) {
		return nil
	}
	spacing, spaced := vec("spacing", "gap", "step", "distance")
	radius := number(pick(v, "radius"), "m", 0)
	var low, high Vec
	area := pick(v, "bounds", "area", "region", "range")
	bounded := false
	if area.Kind == trait.List && len(area.List) == 6 {
		a, ok := vector(listOf(area.List[:3]), "m", 0)
		b, ok2 := vector(listOf(area.List[3:]), "m", 0)
		low, high, bounded = a, b, ok && ok2
	} else if size, ok := vec("bounds", "area", "region", "range"); ok {
		if len(area.List) == 2 { // on the ground
			size = Vec{size[0], 0, size[1]}
		}
		low, high, bounded = Vec{-size[0] / 2, -size[1] / 2, -size[2] / 2}, Vec{size[0] / 2, size[1] / 2, size[2] / 2}, true
	}
	pattern := nodeName(pick(v, "pattern", "layout", "type", "arrangement", "distribution"))
	if pattern == "" {
		switch {
		case bounded:
			pattern = "scatter"
		case radius > 0:
			pattern = "ring"
		}
	}
	turns := int(total)
	out := make([]Vec, turns)
	switch idiom.Layouts[pattern] {
	case "scatter":
		if !bounded {
			r := positive(radius, 5)
			low, high = Vec{-r, 0, -r}, Vec{r, 0, r}
		}
		seed := uint32(int32(math.Mod(number(pick(v, "seed"), "", 1), math.MaxInt32)))
		for i := range out {
			for k := range 3 {
				share := shareOf(seed, uint32(3*i+k))
				out[i][k] = derived(origin[k] + low[k] + float64(share*(high[k]-low[k])))
			}
		}
		return out
	case "ring":
		r := positive(radius, 3)
		for i := range out {
			s, c := sinCos(2 * math.Pi * float64(i) / float64(turns))
			out[i] = Vec{derived(origin[0] + float64(r*c)), origin[1], derived(origin[2] + float64(r*s))}
		}
		return out
	case "grid":
		if n[1] == 0 && n[2] == 0 { // as square as it goes, on the ground
			n[0] = math.Ceil(math.Sqrt(total))
			n[1], n[2] = 1, math.Ceil(total/n[0])
			if step := pick(v, "spacing", "gap", "step", "distance"); step.Kind == trait.List && spacing[1] != 0 { // or in space
				n[0] = math.Ceil(math.Cbrt(total))
				n[1], n[2] = n[0], math.Ceil(total/(n[0]*n[0]))
			}
		}
	case "":
		if pattern != "" {
			return nil
		}
	}
	if !spaced {
		spacing = Vec{1.5, 1.5, 1.5}
	}
	if n[1] == 0 && n[2] == 0 && !slices.Contains([]float64{spacing[0]}, 0) && idiom.Layouts[pattern] != "grid" && pick(v, "spacing", "gap", "step", "distance").Kind != trait.List {
		spacing = Vec{spacing[0], 0, 0} // one number: a row
	}
	nx, ny := max(int(n[0]), 1), max(int(n[1]), 1)
	row := n[1] == 0 && n[2] == 0
	for i := range out {
		x, y, z := i%nx, i/nx%ny, i/nx/ny
		if row { // along the step
			x, y, z = i, i, i
		}
		out[i] = Vec{derived(origin[0] + float64(float64(x)*spacing[0])), derived(origin[1] + float64(float64(y)*spacing[1])), derived(origin[2] + float64(float64(z)*spacing[2]))}
	}
	return out
}

// again is a declaration once more, with all that is below it.
func (l *lowering) again(d *decl) (*decl, bool) {
	if !l.reserve(len(d.props)*propBytes+len(d.traits)*traitBytes) || !l.count(d.at) {
		return nil, false
	}
	c := *d
	c.props, c.traits = slices.Clone(d.props), slices.Clone(d.traits)
	c.byKey = make(map[string]int, len(d.byKey))
	for key, i := range d.byKey {
		c.byKey[key] = i
	}
	c.owner.Binds = slices.Clone(d.owner.Binds)
	c.children = make([]*decl, 0, len(d.children))
	for _, child := range d.children {
		copied, ok := l.again(child)
		if !ok {
			return nil, false
		}
		c.children = append(c.children, copied)
	}
	return &c, true
}

// movement gives a word of motion the settings that stand beside it (X19).
func (l *lowering) movement(d *decl) {
	i, ok := d.byKey["animate"]
	if !ok {
		if i, ok = d.byKey["animation"]; !ok {
			return
		}
	}
	p := &d.props[i]
	if p.v.Kind != trait.Text && p.v.Kind != trait.Word || p.dyn {
		return
	}
	fs := []field{{Key: "type", Value: p.v, From: p.from}}
	for _, beside := range idiom.MotionSettings {
		for _, key := range beside.Keys {
			if k, ok := d.byKey[key]; ok && known1(d.props[k].v) && !d.props[k].dyn {
				q := &d.props[k]
				fs = append(fs, field{Key: beside.Means, Value: q.v, From: q.from})
				q.v = Value{Kind: trait.Null}
				break
			}
		}
	}
	if len(fs) > 1 {
		p.from.Use()
		d.props[i].v = mapOf(fs...)
	}
}

// glows makes light of its own of a number that says how much a node glows.
func (l *lowering) glows(d *decl) {
	for _, key := range []string{"glow_color", "emission_color", "emission"} {
		i, ok := d.byKey[key]
		if _, own := d.byKey["emissive"]; !ok || own || d.props[i].dyn {
			continue
		}
		if _, color := colorOf(d.props[i].v); !color {
			continue
		}
		q := d.props[i]
		q.from.Use()
		d.props[i].v = Value{Kind: trait.Null}
		q.key = "emissive"
		d.put(q)
	}
	for _, key := range []string{"glow", "glow_intensity", "emission_intensity", "emission_strength", "emissive_strength", "emission_energy"} {
		i, ok := d.byKey[key]
		if !ok || d.props[i].v.Kind != trait.Number || d.props[i].dyn {
			continue
		}
		if _, own := d.byKey["emissive_intensity"]; own {
			continue
		}
		q := d.props[i]
		q.from.Use()
		d.props[i].v = Value{Kind: trait.Null}
		q.key = "emissive_intensity"
		d.put(q)
	}
}

// outlined gives a plain object that says how it looks and nothing of its shape a shape
// (X21): a ball where it has a radius, else a box. What stands in it has no part in that, so
// that a node that is moved into another changes no shape.
func (l *lowering) outlined(d *decl) {
	if !generic[d.kind] || d.shaped() || l.prototyping != "" && d.kind == "" {
		return
	}
	for _, key := range []string{"text", "src", "audio", "particles", "content", "label", "route", "path", "method", "endpoint"} {
		if i, ok := d.byKey[key]; ok && d.props[i].v.Kind != trait.Null {
			return
		}
	}
	if d.has("mesh", "text", "particle_system", "lighting", "point_light", "spatial_audio", "billboard", "gaussian_splat", "model") {
		return
	}
	at, ok := d.byKey["color"]
	if !ok {
		if at, ok = d.byKey["material"]; !ok {
			return
		}
	}
	word := "box"
	if i, ok := d.byKey["radius"]; ok && d.props[i].v.Kind == trait.Number {
		word = "sphere"
	}
	d.put(prop{key: "geometry", v: wordOf(word), file: d.props[at].file, at: d.props[at].at})
}
