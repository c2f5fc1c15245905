package prompt

import "math"

// clear says whether boxes meet nothing of the world but the items that are left
// out.
func (w *world) clear(boxes []bounds, without []*item) bool {
	if len(boxes) == 0 {
		return true
	}
	all := boxes[0]
	for _, b := range boxes[1:] {
		all = all.join(b)
	}
	for _, it := range w.items {
		if it.removed || contains(without, it) || !it.whole().meets(all) {
			continue
		}
		for _, b := range it.boxes() {
			for _, o := range boxes {
				if b.meets(o) {
					return false
				}
			}
		}
	}
	return true
}

func contains(list []*item, it *item) bool {
	for _, o := range list {
		if o == it {
			return true
		}
	}
	return false
}

// group is items that are put somewhere together, each at its place around the
// middle of the foot.
type group struct {
	items   []*item
	offsets []vec
}

// boxes are the solids of a group that stands at a place.
func (g group) boxes(at vec, spare float64) []bounds {
	var out []bounds
	for i, it := range g.items {
		for _, b := range it.local {
			out = append(out, b.shifted(at.plus(g.offsets[i])).grown(spare))
		}
	}
	return out
}

func (g group) size() bounds {
	out := bounds{}
	for i, b := range g.boxes(vec{}, 0) {
		if i == 0 {
			out = b
			continue
		}
		out = out.join(b)
	}
	return out
}

func (g group) put(at vec) {
	for i, it := range g.items {
		it.at = at.plus(g.offsets[i])
		it.moved = true
	}
}

// rings visits places around a middle, ever farther away, until one is right.
func (w *world) rings(middle vec, step, far float64, right func(vec) bool) (vec, bool) {
	if right(middle) {
		return middle, true
	}
	for r := step; r <= far; r += step {
		n := max(8, int(2*math.Pi*r/step))
		n = min(n, 48)
		for k := range n {
			s, c := math.Sincos(w.around + 2*math.Pi*float64(k)/float64(n))
			at := vec{round(middle[0] + r*c), middle[1], round(middle[2] + r*s)}
			if right(at) {
				return at, true
			}
		}
	}
	return middle, false
}

func round(x float64) float64 { return math.Round(x*1000) / 1000 }

// anywhere finds a place on the ground.
func (w *world) anywhere(g group, middle vec) (vec, bool) {
	size := g.size()
	step := max(0.25, min(size.max[0]-size.min[0], size.max[2]-size.min[2])/2)
	return w.rings(middle, step, MaxFar/2, func(at vec) bool {
		return w.clear(g.boxes(at, gap/2), g.items)
	})
}

// onto finds a place on an item.
func (w *world) onto(g group, target *item) (vec, bool) {
	tops := target.boxes()
	for i := range tops { // the widest first
		for k := i + 1; k < len(tops); k++ {
			if area(tops[k]) > area(tops[i]) {
				tops[i], tops[k] = tops[k], tops[i]
			}
		}
	}
	for _, top := range tops {
		m := top.middle()
		m[1] = top.max[1]
		step := max(0.05, min(top.max[0]-top.min[0], top.max[2]-top.min[2])/10)
		far := math.Hypot(top.max[0]-top.min[0], top.max[2]-top.min[2]) / 2
		at, ok := w.rings(m, step, far, func(at vec) bool {
			for _, o := range g.offsets {
				foot := at.plus(o)
				if foot[0] < top.min[0]-1e-9 || foot[0] > top.max[0]+1e-9 || foot[2] < top.min[2]-1e-9 || foot[2] > top.max[2]+1e-9 {
					return false
				}
			}
			return w.clear(g.boxes(at, 0), g.items)
		})
		if ok {
			return at, true
		}
	}
	return vec{}, false
}

func area(b bounds) float64 { return (b.max[0] - b.min[0]) * (b.max[2] - b.min[2]) }

// beneath finds a place under an item, making the group smaller when it must.
func (w *world) beneath(g group, target *item) (vec, float64, bool) {
	whole := target.whole()
	foot, roof := whole.min[1], math.Inf(1)
	m := whole.middle()
	for _, b := range target.boxes() {
		if b.min[1] > foot+0.05 && b.min[0] <= m[0] && m[0] <= b.max[0] && b.min[2] <= m[2] && m[2] <= b.max[2] {
			roof = min(roof, b.min[1])
		}
	}
	if math.IsInf(roof, 1) {
		return vec{}, 1, false
	}
	for _, f := range []float64{1, 0.75, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05} {
		small := group{g.items, make([]vec, len(g.offsets))}
		for i, o := range g.offsets {
			small.offsets[i] = vec{o[0] * f, o[1] * f, o[2] * f}
		}
		scaled := func(at vec) []bounds {
			var out []bounds
			for i, it := range small.items {
				for _, b := range it.local {
					for k := range b.min {
						b.min[k] *= f
						b.max[k] *= f
					}
					out = append(out, b.shifted(at.plus(small.offsets[i])))
				}
			}
			return out
		}
		at := vec{m[0], foot, m[2]}
		if size := g.size(); (size.max[1]-size.min[1])*f > roof-foot-touch {
			continue
		}
		far := min(whole.max[0]-whole.min[0], whole.max[2]-whole.min[2]) / 3
		if at, ok := w.rings(at, 0.1, far, func(at vec) bool { return w.clear(scaled(at), g.items) }); ok {
			return at, f, true
		}
	}
	return vec{}, 1, false
}

// toward finds a place on one side of an item.
func (w *world) toward(g group, target *item, side vec, space float64) (vec, bool) {
	b, size := target.whole(), g.size()
	at := b.middle()
	at[1] = b.min[1]
	for k := 0; k < 3; k += 2 {
		switch {
		case side[k] > 0:
			at[k] = b.max[k] + space - size.min[k]
		case side[k] < 0:
			at[k] = b.min[k] - space - size.max[k]
		}
	}
	for range 400 {
		if w.clear(g.boxes(at, 0), g.items) {
			return vec{round(at[0]), at[1], round(at[2])}, true
		}
		at = at.plus(vec{side[0] * 0.25, 0, side[2] * 0.25})
	}
	return at, false
}

// beside finds a place next to an item, whichever side is free.
func (w *world) beside(g group, target *item) (vec, bool) {
	for _, side := range []vec{{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}} {
		b, size := target.whole(), g.size()
		at := b.middle()
		at[1] = b.min[1]
		for k := 0; k < 3; k += 2 {
			if side[k] > 0 {
				at[k] = b.max[k] + 0.2 - size.min[k]
			} else if side[k] < 0 {
				at[k] = b.min[k] - 0.2 - size.max[k]
			}
		}
		at[0], at[2] = round(at[0]), round(at[2])
		if w.clear(g.boxes(at, 0), g.items) {
			return at, true
		}
	}
	b := target.whole()
	m := b.middle()
	m[1] = b.min[1]
	return w.rings(m, 0.3, 30, func(at vec) bool { return w.clear(g.boxes(at, gap/2), g.items) })
}

// between finds a place in the middle of two items.
func (w *world) between(g group, a, b *item) (vec, bool) {
	m, n := a.whole().middle(), b.whole().middle()
	at := vec{round((m[0] + n[0]) / 2), min(a.whole().min[1], b.whole().min[1]), round((m[2] + n[2]) / 2)}
	across := vec{-(n[2] - m[2]), 0, n[0] - m[0]}
	if l := math.Hypot(across[0], across[2]); l > 0 {
		across[0], across[2] = across[0]/l, across[2]/l
	} else {
		across = vec{0, 0, 1}
	}
	for k := range 12 {
		d := 0.1 * float64((k+1)/2)
		if k%2 == 0 {
			d = -d
		}
		p := vec{round(at[0] + across[0]*d), at[1], round(at[2] + across[2]*d)}
		if w.clear(g.boxes(p, 0), g.items) {
			return p, true
		}
	}
	return at, false
}

// circle sets the offsets of a group around a middle, wide enough that nothing
// meets.
func (g *group) circle(inner float64) {
	size := g.items[0].reach()
	n := float64(len(g.items))
	r := inner + size/2 + gap
	if len(g.items) > 1 {
		r = max(r, (size+gap)/(2*math.Sin(math.Pi/n)))
	}
	for i := range g.items {
		s, c := math.Sincos(2 * math.Pi * float64(i) / n)
		g.offsets[i] = vec{round(r * s), 0, round(r * c)}
	}
}

// reach is how wide an item is at most.
func (it *item) reach() float64 {
	b := it.whole()
	return math.Hypot(b.max[0]-b.min[0], b.max[2]-b.min[2])
}

// arrange sets the offsets of a group.
func (w *world) arrange(g *group, l *layout) {
	n := len(g.items)
	b := g.items[0].whole()
	wide, high, deep := b.max[0]-b.min[0]+2*gap, b.max[1]-b.min[1], b.max[2]-b.min[2]+2*gap
	kind, columns := "row", n
	if l != nil {
		kind = l.kind
	} else if n > 5 {
		kind = "grid"
	}
	switch kind {
	case "circle":
		g.circle(0)
	case "stack":
		for i := range g.items {
			g.offsets[i] = vec{0, high * float64(i), 0}
		}
	case "scattered":
		w.scatter(g)
	default:
		if kind == "grid" {
			columns = int(math.Ceil(math.Sqrt(float64(n))))
			if l != nil && l.n > 0 {
				columns = l.n
			}
		}
		rows := (n + columns - 1) / columns
		for i := range g.items {
			x, z := float64(i%columns)-float64(min(columns, n)-1)/2, float64(i/columns)-float64(rows-1)/2
			g.offsets[i] = vec{round(x * wide), 0, round(z * deep)}
		}
	}
}

// scatter draws places by the seed.
func (w *world) scatter(g *group) {
	size := g.items[0].reach() + gap
	side := size * math.Sqrt(float64(len(g.items))) * 2
	for i := range g.items {
		for try := 0; ; try++ {
			if try%64 == 63 {
				side *= 1.1
			}
			at := vec{round((w.rng.Float() - 0.5) * side), 0, round((w.rng.Float() - 0.5) * side)}
			ok := true
			for k := range i {
				if math.Hypot(at[0]-g.offsets[k][0], at[2]-g.offsets[k][2]) < size {
					ok = false
				}
			}
			if ok {
				g.offsets[i] = at
				break
			}
		}
	}
}
