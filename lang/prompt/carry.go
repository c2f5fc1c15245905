package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// do carries one command out.
func (w *world) do(c command) *Refusal {
	switch c.verb {
	case "create":
		return w.create(c)
	case "surround":
		w.surround(c.set)
		return nil
	case "clear":
		for _, it := range w.items {
			it.removed = true
		}
		w.last = nil
		return nil
	}
	list, err := w.resolve(c.what)
	if err != nil {
		return err
	}
	for _, it := range list {
		if err := w.change(c, it); err != nil {
			return err
		}
	}
	if c.verb == "move" && (c.rel != nil || c.layout != nil) {
		err = w.settle(list, c)
	}
	w.last = list
	return err
}

// change carries a command out on one item.
func (w *world) change(c command, it *item) *Refusal {
	switch c.verb {
	case "remove":
		it.removed = true
	case "move":
		if c.rel == nil && c.layout == nil {
			it.at, it.moved, it.free = it.at.plus(c.by), true, true
		}
	case "turn":
		it.turn(c.degrees)
		w.resettle(it)
	case "scale":
		return w.resize(it, c.factor)
	case "resize":
		b, f := it.whole(), vec{1, 1, 1}
		for k, want := range c.factor {
			if have := b.max[k] - b.min[k]; want > 0 && have > 0 {
				f[k] = want / have
			}
		}
		return w.resize(it, f)
	case "paint":
		if c.set != "" {
			it.paint, it.hue = c.set, hueOf(c.set)
		}
		if c.name != "" {
			it.coat = c.name
		}
	case "rename":
		if w.names[c.name] {
			return refuse("there is something called %q already", c.name)
		}
		if len([]rune(c.name)) > 80 || strings.TrimSpace(c.name) == "" || strings.Contains(c.name, "${") {
			return refuse("%q is no name", c.name)
		}
		w.names[c.name] = true
		if it.node == nil {
			it.name = c.name
			return nil
		}
		it.called = c.name
	case "duplicate":
		return w.duplicate(c, it)
	case "behave":
		it.does = append(it.does, c.what.does...)
		it.click = append(it.click, c.what.click...)
	}
	return nil
}

func (w *world) resize(it *item, f vec) *Refusal {
	b := it.whole()
	for k := range f {
		side := (b.max[k] - b.min[k]) * f[k]
		if f[k] <= 0 || side > MaxSize || side < MinSize && side > 0 {
			return refuse("%s would have a side of %.4g m; %.4g to %d m are made", it.name, side, MinSize, MaxSize)
		}
	}
	it.stretch(f)
	w.resettle(it)
	return nil
}

// resettle moves an item that meets another by its new shape to the next free
// place.
func (w *world) resettle(it *item) {
	if it.free || it == w.ground || w.clear(it.boxes(), []*item{it}) {
		return
	}
	g := group{[]*item{it}, []vec{{}}}
	at, ok := w.rings(it.at, 0.25, 60, func(at vec) bool { return w.clear(g.boxes(at, 0), g.items) })
	if ok {
		it.at, it.moved = at, true
		w.notes = append(w.notes, it.name+" was moved, so that it meets nothing")
	}
}

// resolve are the items that a phrase means. Several for a phrase that means one
// is a question.
func (w *world) resolve(ph phrase) ([]*item, *Refusal) {
	if ph.pronoun != "" {
		var out []*item
		for _, it := range w.last {
			if !it.removed {
				out = append(out, it)
			}
		}
		if (ph.pronoun == "it" || ph.pronoun == "that") && len(out) > 1 {
			out = out[len(out)-1:]
		}
		if len(out) == 0 {
			return nil, missing("there is nothing that %q can mean", ph.pronoun)
		}
		return out, nil
	}
	found := w.find(ph)
	name := describe(ph)
	switch {
	case len(found) == 0:
		r := missing("there is no %s", name)
		for _, it := range w.items {
			if !it.removed && len(r.Choices) < 3 && it.name != "" {
				r.Choices = append(r.Choices, it.name)
			}
		}
		return nil, r
	case ph.every, ph.plural && (!ph.counted || ph.count == len(found)):
		return found, nil
	case len(found) == 1:
		return found, nil
	}
	r := refuse("which %s is meant?", name)
	for _, it := range found[:min(len(found), 20)] {
		r.Choices = append(r.Choices, it.name)
	}
	r.Message += " There are " + strings.Join(r.Choices, ", ") + "."
	return nil, r
}

func describe(ph phrase) string {
	var parts []string
	if ph.hue != "" {
		parts = append(parts, ph.hue)
	}
	if ph.material != "" {
		parts = append(parts, strings.ToLower(materialNames[ph.material]))
	}
	if ph.noun != nil {
		parts = append(parts, cmp.Or(ph.said, ph.noun.words[0]))
	}
	return strings.Join(parts, " ")
}

// create plans new things.
func (w *world) create(c command) *Refusal {
	ph := c.what
	if ph.noun.flat {
		if ph.color != "" {
			w.cover = ph.color
		}
		if ph.material != "" && ph.color == "" {
			w.cover = "material:" + ph.material
		}
		w.needGround()
		return nil
	}
	n, err := w.count(ph, c.layout)
	if err != nil {
		return err
	}
	var targets []*item
	if c.rel != nil {
		if targets, err = w.targets(*c.rel); err != nil {
			return err
		}
	}
	made := make([]*item, n)
	for i := range made {
		if made[i], err = w.plan(ph); err != nil {
			return err
		}
		if i == 0 && n > 1 && ph.name != "" {
			ph.name = made[0].name
		}
	}
	if w.parts > MaxParts || len(w.items)+n > MaxThings+MaxScene {
		return refuse("that would be more than %d parts; fewer at once can be made", MaxParts)
	}
	for _, it := range made {
		it.at = vec{0, -1e6, 0} // in nobody's way until it is placed
	}
	g := group{made, make([]vec, n)}
	switch {
	case c.rel != nil && c.rel.kind == "around" && len(targets) > 0 && c.layout == nil:
		inner := 0.0
		for _, t := range targets {
			inner = max(inner, t.reach()/2)
		}
		g.circle(inner)
	default:
		w.arrange(&g, c.layout)
	}
	w.items = append(w.items, made...)
	if err := w.place(g, c.rel, targets); err != nil {
		return err
	}
	w.last = made
	return nil
}

// count is how many a phrase asks for; a word that stands for a number is reported.
func (w *world) count(ph phrase, l *layout) (int, *Refusal) {
	n := 1
	switch {
	case ph.counted:
		n = ph.count
		if ph.vague != "" && ph.vague != "dozen" {
			w.notes = append(w.notes, fmt.Sprintf("%q is %d", ph.vague, n))
		}
	case l != nil && l.n > 0:
		n = l.n * l.m
	case ph.plural:
		n = vague["some"]
		w.notes = append(w.notes, fmt.Sprintf("without a number there are %d", n))
	}
	if l != nil && l.n > 0 && (l.n < 1 || l.m < 1) || n < 1 || n > MaxCount {
		return 0, refuse("1 to %d of a kind are made at once", MaxCount)
	}
	return n, nil
}

// plan makes an item of a phrase, without a place.
func (w *world) plan(ph phrase) (*item, *Refusal) {
	it := &item{noun: ph.noun, parts: ph.noun.parts(), hue: ph.hue, color: ph.color, material: ph.material, text: ph.text, does: slices.Clone(ph.does), click: slices.Clone(ph.click)}
	if i := strings.LastIndexByte(it.hue, ' '); i >= 0 {
		it.hue = it.hue[i+1:]
	}
	for _, p := range it.parts {
		if it.hue == "" && p.main && p.color != "" {
			it.color, it.hue = "", hueOf(p.color)
		}
	}
	if it.hue != "" && it.hue[0] == '#' {
		it.hue = hueOf(it.color)
	}
	w.parts += len(it.parts) + 1
	it.measure()
	f := vec{1, 1, 1}
	if ph.stretch != (vec{}) {
		f = ph.stretch
	}
	if ph.size != 0 {
		f = vec{f[0] * ph.size, f[1] * ph.size, f[2] * ph.size}
	}
	b := it.whole()
	for k, want := range ph.tall {
		if want > 0 {
			f[k] = want / (b.max[k] - b.min[k])
		}
	}
	for k := range f {
		if side := (b.max[k] - b.min[k]) * f[k]; side > MaxSize || side < MinSize {
			return nil, refuse("a %s with a side of %.4g m is not made; %.4g to %d m are", ph.noun.words[0], side, MinSize, MaxSize)
		}
	}
	it.stretch(f)
	if ph.noun.kind != "text" {
		it.name = title(describe(ph))
	} else {
		it.name = "Sign"
	}
	if ph.name != "" {
		if len([]rune(ph.name)) > 80 || strings.Contains(ph.name, "${") {
			return nil, refuse("%q is no name", ph.name)
		}
		it.name = ph.name
	}
	it.name = w.called(it.name)
	return it, nil
}

func title(s string) string {
	words := strings.Fields(strings.ReplaceAll(s, "#", "Colour "))
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, " ")
}

// settle puts items that are there into a relation or a layout.
func (w *world) settle(list []*item, c command) *Refusal {
	var targets []*item
	if c.rel != nil {
		var err *Refusal
		if targets, err = w.targets(*c.rel); err != nil {
			return err
		}
		for _, t := range targets {
			if contains(list, t) {
				return refuse("%s cannot be put next to itself", t.name)
			}
		}
	}
	g := group{list, make([]vec, len(list))}
	if len(list) > 1 {
		w.arrange(&g, c.layout)
	}
	for i, it := range list { // the foot of what was there need not be its origin
		g.offsets[i][1] -= it.whole().min[1] - it.at[1]
		m := it.whole().middle()
		g.offsets[i][0] -= m[0] - it.at[0]
		g.offsets[i][2] -= m[2] - it.at[2]
		it.free = false
	}
	return w.place(g, c.rel, targets)
}

func (w *world) duplicate(c command, it *item) *Refusal {
	if it.node != nil && (it.paint != "" || it.coat != "" || it.moved || it.factor != vec{1, 1, 1}) {
		return refuse("%s is changed in the same request; copy it in one of its own", it.name)
	}
	twin := *it
	twin.local, twin.parts, twin.inside = slices.Clone(it.local), slices.Clone(it.parts), slices.Clone(it.inside)
	twin.does, twin.click = slices.Clone(it.does), slices.Clone(it.click)
	twin.name = w.called(it.name)
	if it.node != nil {
		twin.called = it.name // the node to copy
		twin.moved = true
	}
	twin.copied = it.node != nil
	w.parts += len(it.parts) + len(it.inside) + 1
	w.items = append(w.items, &twin)
	g := group{[]*item{&twin}, []vec{{}}}
	rel, targets := c.rel, []*item{it}
	if rel == nil {
		rel = &relation{kind: "beside"}
	} else {
		var err *Refusal
		if targets, err = w.targets(*rel); err != nil {
			return err
		}
	}
	g.offsets[0][1] = it.at[1] - it.whole().min[1]
	m := it.whole().middle()
	g.offsets[0][0], g.offsets[0][2] = it.at[0]-m[0], it.at[2]-m[2]
	return w.place(g, rel, targets)
}

// surround notes what the scene stands in.
func (w *world) surround(set string) {
	switch set {
	case "snow":
		w.cover = "#eef3f7"
		w.needGround()
	case "grass":
		w.cover = "#6a9a4c"
		w.needGround()
	default:
		w.sets = append(w.sets, set)
	}
}

// needGround makes a ground when there is none.
func (w *world) needGround() {
	if w.ground == nil {
		w.ground = &item{name: w.called("Ground"), noun: nounForms["floor"].noun}
	}
}
