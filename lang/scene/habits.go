package scene

import (
	"slices"
	"strings"
	"sync"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// The habits of package idiom, where a node is whole and not yet lowered: its
// template is merged in, and what is written another way gets its plain form.

// generic are the kinds of nodes whose type may say what they are.
var generic = map[string]bool{"": true, "object": true, "entity": true, "node": true, "prop": true, "actor": true}

// habits gives the settings of a declaration their plain form.
func (l *lowering) habits(d *decl) {
	d.spread("properties", "attributes", "components", "visual", "visuals", "appearance", "render", "rendering")
	l.unpack(d)
	l.kindByType(d)
	l.spelled(d)
	l.constructed(d)
	if d.kind == "light" {
		l.lampWord(d)
	}
	if d.kind != "light" {
		l.movement(d)
		l.glows(d)
	}
	l.componentProps(d)
	l.outlined(d)
	if d.kind == "particles" {
		d.kind = "object"
		l.emitter(d)
	}
}

// spread takes the fields of a setting as settings of the node (M03).
func (d *decl) spread(keys ...string) {
	for _, key := range keys {
		p, ok := d.prop(key)
		if !ok {
			continue
		}
		fields, pairs := pairsOf(p.v)
		if !pairs && p.v.Kind != trait.Map {
			continue
		}
		at := *p
		p.v = Value{Kind: trait.Null}
		for _, f := range fields {
			if _, there := d.byKey[trait.FoldKey(f.Key)]; !there {
				d.put(prop{key: f.Key, v: f.Value, file: at.file, at: at.at, from: f.From})
			}
		}
	}
}

// pairsOf are the settings of a list of pairs (X29): [{ key: "color", value: "red" }]; of a
// map its own.
func pairsOf(v Value) (fields []field, ok bool) {
	if v.Kind != trait.List {
		return v.Fields, false
	}
	for _, e := range v.List {
		key, named := get(e, "key")
		if key.Kind != trait.Text && key.Kind != trait.Word || !named {
			return nil, false
		}
		i := slices.IndexFunc(e.Fields, func(f field) bool { return f.Key == "value" })
		if i < 0 {
			return nil, false
		}
		fields = append(fields, field{Key: key.Str, Value: e.Fields[i].Value, From: e.Fields[i].From})
	}
	return fields, len(fields) > 0
}

// unfolded is a map with the settings under its properties beside the others.
func unfolded(v Value) Value {
	i := slices.IndexFunc(v.Fields, func(f field) bool { return f.Key == "properties" })
	if i < 0 {
		return v
	}
	inner, pairs := pairsOf(v.Fields[i].Value)
	if !pairs && v.Fields[i].Value.Kind != trait.Map {
		return v
	}
	v.Fields[i].From.Use()
	out := slices.Delete(slices.Clone(v.Fields), i, i+1)
	for _, f := range inner {
		if !slices.ContainsFunc(out, func(o field) bool { return o.Key == f.Key }) {
			out = append(out, f)
		}
	}
	v.Fields = out
	return v
}

// spelled gives settings their plain word (X05).
func (l *lowering) spelled(d *decl) {
	for i := 0; i < len(d.props); i++ {
		p := d.props[i]
		if p.v.Kind == trait.Null || p.v.Kind == trait.Unknown {
			continue
		}
		word, ok := idiom.Spelling(p.key, d.kind)
		if !ok {
			continue
		}
		if _, there := d.byKey[word]; there {
			continue
		}
		d.props[i].v = Value{Kind: trait.Null} // used where the plain one is
		p.key = word
		d.put(p)
	}
}

// packed are settings that may be one text of pairs (X09).
var packed = map[string]bool{
	"geometry": true, "material": true, "light": true, "fog": true, "animation": true, "sound": true, "audio": true, "camera": true, "particles": true, "physics": true,
}

// unpack reads "color: red; roughness: 0.4" as a map.
func (b *builder) unpack(d *decl) {
	for i := range d.props {
		p := &d.props[i]
		if packed[p.key] && p.v.Kind == trait.Text && b.reserve((1+strings.Count(p.v.Str, ";"))*fieldBytes) && b.reserve(len(p.v.Str)) {
			if m, ok := pairs(p.v.Str, b.pieces(p)); ok {
				p.v = m
			}
		}
	}
}

// pieces gives the origin of a piece of a packed text, from one byte of its value to
// another: each of its settings is used or reported by itself. A text with escapes is
// one setting.
func (b *builder) pieces(p *prop) func(start, end int) *trait.Origin {
	at, ok := p.at.(*ast.Property)
	if ok && p.from != nil && !b.peeking {
		if text, ok := at.Value.(*ast.String); ok {
			if i := strings.Index(text.Raw, p.v.Str); i >= 0 {
				from, first := *p.from, int(text.Span().Start)+i
				return func(start, end int) *trait.Origin {
					from.Start, from.End = first+start, first+end
					b.held += originBytes
					o := from
					return &o
				}
			}
		}
	}
	return func(int, int) *trait.Origin { return p.from }
}

// pairs are the fields of a text "key: value; key: value".
func pairs(s string, from func(start, end int) *trait.Origin) (Value, bool) {
	var out []field
	end := -1
	for _, part := range strings.Split(s, ";") {
		start := end + 1
		end = start + len(part)
		start += len(part) - len(strings.TrimLeft(part, " \t\r\n"))
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		key, value, ok := strings.Cut(part, ":")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok || key == "" || value == "" || strings.ContainsAny(key, " /\"'.") {
			return Value{}, false
		}
		out = append(out, field{Key: key, Value: scalar(value), From: from(start, start+len(key))})
	}
	return mapOf(out...), len(out) > 0 && (len(out) > 1 || !strings.Contains(s, "//"))
}

// scalar is a number, true, false, coordinates or a text.
func scalar(s string) Value {
	switch s {
	case "true", "false":
		return boolOf(s == "true")
	}
	if digits, unit := token.SplitNumber(strings.TrimPrefix(s, "-")); digits != "" {
		n := token.NumberValue(digits)
		if s[0] == '-' {
			n = -n
		}
		return Value{Kind: trait.Number, Num: zero(n), Unit: unit}
	}
	if list, ok := trait.Coordinates(s); ok {
		return list
	}
	return textOf(s)
}

// kindWords are the words of kinds, listed once.
var kindWords = sync.OnceValue(idiom.KindWords)

// kindByType makes an object that says what it is that kind of node (M01).
func (l *lowering) kindByType(d *decl) {
	if !generic[d.kind] {
		return
	}
	i, ok := d.byKey["type"]
	if !ok {
		if i, ok = d.byKey["kind"]; !ok {
			return
		}
	}
	p := &d.props[i]
	if p.v.Kind != trait.Text && p.v.Kind != trait.Word {
		return
	}
	k, known := idiom.KindOf(p.v.Str)
	if !known {
		if near, ok := idiom.Nearest(p.v.Str, kindWords()); ok && len(p.v.Str) > 4 && len(p.v.Str) < 32 {
			p.from.Use()
			l.report("BLK010", p.file, p.at, "kind of object", p.v.Str, "it stays an object", " Did you mean '"+near+"'?")
		}
		return
	}
	p.from.Use()
	at := *p
	if k.Node != "" {
		d.kind = k.Node
	}
	switch {
	case k.Light != "":
		p.v = wordOf(k.Light)
		if p.key != "type" {
			d.put(prop{key: "type", v: wordOf(k.Light), file: at.file, at: at.at, from: at.from})
		}
		return
	case k.Node == "camera":
		return // orthographic or not
	case k.Solid != "":
		if !d.shaped() {
			d.put(prop{key: "geometry", v: wordOf(k.Solid), file: at.file, at: at.at, from: at.from})
		}
	case k.Trait == "particle_system":
		d.kind = "particles"
	case k.Trait != "" && !d.has(k.Trait):
		u := use{Name: k.Trait, at: at.at, file: at.file}
		u.entry, _ = l.registry.Lookup(k.Trait)
		if u.entry != nil {
			for i := range u.entry.Params {
				name := u.entry.Params[i].Name
				if v := l.whole(d.value(name)); known1(v) {
					u.args = append(u.args, field{Key: name, Value: v})
				}
			}
		}
		d.traits = append(d.traits, u)
	}
	p = &d.props[i]
	p.v = Value{Kind: trait.Null}
}

func known1(v Value) bool { return v.Kind != trait.Unknown && v.Kind != trait.Null }

// shaped says whether a node names its geometry, without asking for it.
func (d *decl) shaped() bool {
	for _, key := range []string{"geometry", "mesh", "shape", "primitive", "model"} {
		if i, ok := d.byKey[key]; ok && d.props[i].v.Kind != trait.Null {
			return true
		}
	}
	return d.has("mesh")
}

// componentProps makes traits, lights and cameras of the properties that are named
// like them (M02).
func (l *lowering) componentProps(d *decl) {
	for i := 0; i < len(d.props); i++ {
		p := &d.props[i]
		on := p.v.Kind == trait.Bool && p.v.Bool
		if p.v.Kind != trait.Map && p.v.Kind != trait.Bool && p.v.Kind != trait.Text && p.v.Kind != trait.Word {
			continue
		}
		switch {
		case (p.key == "light" || p.key == "point_light" || p.key == "spot_light" || p.key == "directional_light" || p.key == "spotlight") && d.kind != "light":
			l.part(d, i, "light", shortLights[p.key])
			continue
		case p.key == "camera" && d.kind != "camera" && p.v.Kind == trait.Map:
			l.part(d, i, "camera", "")
			continue
		}
		if consumed[p.key] || plainKeys[p.key] {
			continue
		}
		name := idiom.Component(p.key)
		entry, ok := l.registry.Lookup(name)
		if !ok || entry.Kind != trait.KindTrait || d.has(name) {
			continue
		}
		u := use{Name: name, entry: entry, at: p.at, file: p.file}
		switch {
		case p.v.Kind == trait.Map:
			u.args = l.whole(p.v).Fields
		case on:
		case p.v.Kind == trait.Bool: // false: it has not
			p.from.Use()
			p.v = Value{Kind: trait.Null}
			continue
		default:
			first, ok := entry.Place(0)
			if !ok {
				continue
			}
			u.args = []field{{Key: first.Name, Value: p.v}}
		}
		p.from.Use()
		p.v = Value{Kind: trait.Null}
		if len(d.traits) < trait.MaxUses && l.reserve(traitBytes) {
			d.traits = append(d.traits, u)
		}
	}
}

// plainKeys are settings that mean something of their own though a trait has the
// name.
var plainKeys = map[string]bool{
	"state": true, "template": true, "test": true, "tags": true, "meta": true, "metadata": true, "config": true, "author": true, "version": true, "theme": true, "role": true,
	"goals": true, "memory": true, "perception": true, "capabilities": true, "tools": true,
	"link": true, "image": true, "page": true, "body": true, "slot": true, "type": true, "trait": true, "light": true, "camera": true, "events": true, "chain": true, "character": true,
}

// part makes a child of a property that is a light or a camera at the node.
func (l *lowering) part(d *decl, i int, kind, light string) {
	p := d.props[i]
	if p.v.Kind == trait.Bool && !p.v.Bool {
		p.from.Use()
		d.props[i].v = Value{Kind: trait.Null}
		return
	}
	if !l.count(p.at) {
		return
	}
	p.from.Use()
	d.props[i].v = Value{Kind: trait.Null}
	c := &decl{kind: kind, file: p.file, at: p.at}
	if light != "" {
		c.put(prop{key: "type", v: wordOf(light), file: p.file, at: p.at})
	}
	if p.v.Kind == trait.Map {
		for _, f := range p.v.Fields {
			c.put(prop{key: f.Key, v: f.Value, file: p.file, at: p.at, from: f.From})
		}
	} else if t := nodeName(p.v); t != "" && p.v.Kind != trait.Bool {
		c.put(prop{key: "preset", v: p.v, file: p.file, at: p.at, from: p.from})
	}
	d.children = append(d.children, c)
}

// lampWord gives a light the colour and strength of its preset (M08).
func (l *lowering) lampWord(d *decl) {
	p, ok := d.prop("preset")
	if !ok {
		return
	}
	lamp, known := idiom.LampOf(nodeName(p.v))
	at := *p
	p.v = Value{Kind: trait.Null}
	if !known {
		l.unknownWord(at, "preset of a light", nodeName(at.v), "a neutral one is used", idiom.Lamps())
		return
	}
	if _, own := d.byKey["color"]; !own {
		d.put(prop{key: "color", v: textOf(lamp.Color), file: at.file, at: at.at, from: at.from})
	}
	if _, own := d.byKey["intensity"]; !own {
		d.put(prop{key: "intensity", v: numOf(lamp.Intensity), file: at.file, at: at.at, from: at.from})
	}
}

// unknownWord reports a word of no list, with the nearest that is in it.
func (b *builder) unknownWord(p prop, what, word, instead string, list []string) {
	hint, asked := b.hints[what+" "+word]
	if !asked && len(b.hints) < maxNear {
		if near, ok := idiom.Nearest(word, list); ok {
			hint = " Did you mean '" + near + "'?"
		}
		if b.hints == nil {
			b.hints = map[string]string{}
		}
		b.hints[what+" "+word] = hint
	}
	b.report("BLK010", p.file, p.at, what, word, instead, hint)
}

// emitter takes the settings of a node of particles as those of its emitter.
func (l *lowering) emitter(d *decl) {
	var fs []field
	for i := range d.props {
		p := &d.props[i]
		if slices.Contains([]string{"position", "rotation", "scale", "transform", "visible", "particles"}, p.key) || p.v.Kind == trait.Null {
			continue
		}
		if idiom.Emitters[p.key] {
			p.from.Use()
			l.whole(p.v)
		}
		fs = append(fs, field{Key: p.key, Value: p.v, From: p.from})
		p.v = Value{Kind: trait.Null}
	}
	d.put(prop{key: "particles", v: mapOf(fs...), file: d.file, at: d.at})
}
