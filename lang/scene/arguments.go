package scene

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/trait"
)

// constructed takes args: [2, 1, 0.1] as the settings of the solid that they stand for, in
// the order in which three.js takes them (X30). Numbers that the solid has no setting for
// are reported.
func (l *lowering) constructed(d *decl) {
	var solid *prop // looked at only: who draws it asks for it
	for _, key := range []string{"geometry", "mesh", "shape", "primitive"} {
		if i, ok := d.byKey[key]; ok && solid == nil && d.props[i].v.Kind != trait.Null {
			solid = &d.props[i]
		}
	}
	if solid == nil {
		return
	}
	word, args, at := nodeName(solid.v), Value{}, *solid
	var from *trait.Origin
	for _, f := range solid.v.Fields {
		switch trait.FoldKey(f.Key) {
		case "type", "kind", "shape", "primitive", "geometry":
			word = cmp.Or(word, nodeName(f.Value))
		case "args":
			args, from = f.Value, f.From
		}
	}
	if i, there := d.byKey["args"]; there && args.Kind != trait.List {
		args, at, from = d.props[i].v, d.props[i], d.props[i].from
	}
	names := idiom.Arguments[solids[strings.ToLower(word)]]
	if names == nil || args.Kind != trait.List || len(args.List) == 0 || !l.reserve(len(args.List)*propBytes) {
		return
	}
	for _, e := range args.List {
		if !isNumber(e) {
			return
		}
	}
	from.Use()
	for i, e := range args.List {
		switch {
		case i < len(names) && names[i] != "":
			if _, there := d.byKey[names[i]]; !there {
				d.put(prop{key: names[i], v: e, file: at.file, at: at.at})
				continue
			}
		case i < len(names) && i > 0 && e.Num == args.List[i-1].Num: // the other end of a cylinder
			continue
		}
		l.report("BLK011", at.file, at.at, "'args["+strconv.Itoa(i)+"]'")
	}
}
