package scene

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/trait"
)

// lowering turns declarations into nodes and the tables they point into.
type lowering struct {
	*builder
	names      map[string]int // how often a path was taken
	assets     map[string]int
	geometries map[string]int
	materials  map[string]int
	byName     map[string][]int // nodes by name
	wanted     []reference
	aims       []func() // run when all nodes are there
}

// reference is a name that a node has for another.
type reference struct {
	node int
	name string
	set  func(*Node, string)
}

// ID is the id of a node by its path: it stays while other things change.
func ID(path string) string {
	sum := sha256.Sum256([]byte(path))
	return "n" + hex.EncodeToString(sum[:6])
}

// node appends a declaration and what is below it.
func (l *lowering) node(d *decl, parent int, above string) {
	if l.stopped {
		return
	}
	l.habits(d)
	path := l.path(d, above)
	if !l.reserve(len(path)) {
		return
	}
	n := Node{
		ID: ID(path), Path: path, Name: d.name, Kind: d.kind, Template: d.template, Parent: parent, Prototype: l.prototyping,
		R: Identity, S: UnitVec{1, 1, 1}, Visible: true, Src: l.src(d.file, d.at),
	}
	if n.Kind == "" {
		n.Kind = "object"
	}
	index := len(l.scene.Nodes)
	l.place(d, &n)
	l.ownScale(d, &n)
	l.look(d, &n)
	l.lights(d, &n)
	l.cameras(d, &n)
	l.sounds(d, &n)
	l.bodies(d, &n, index)
	l.lettering(d, &n)
	l.interaction(d, &n)
	l.particles(d, &n)
	if v := d.value("visible"); v.Kind == trait.Bool {
		n.Visible = Shown(v.Bool)
	}
	if d.has("invisible") || d.hidden {
		n.Visible = false
	}
	if d.visibleBy != nil {
		d.owner.Binds = append(d.owner.Binds, *d.visibleBy)
	}
	n.Label = nodeName(withoutTrail(d.value("label")))
	if u, ok := d.find("accessible", "alt_text"); ok && n.Label == "" {
		n.Label = nodeName(u.param("label"))
	}
	n.Alt = nodeName(d.value("alt"))
	if u, ok := d.find("accessible"); ok && n.Alt == "" {
		n.Alt = nodeName(u.param("description"))
	}
	l.traits(d, &n)
	n.Extras = l.extras(d)
	l.scene.Nodes = append(l.scene.Nodes, n)
	l.animations(d, &n)
	defer l.account(d, n.Kind)
	for _, t := range d.timelines {
		t.Owner = n.ID
		l.scene.Timelines = append(l.scene.Timelines, t)
	}
	if l.prototyping == "" {
		l.domain(d, n.ID)
	}
	d.owner.Node, d.owner.Name = n.ID, n.Name
	for _, s := range d.scopes {
		s.id = n.ID
	}
	if parent >= 0 {
		d.owner.Parent = l.scene.Nodes[parent].ID
	}
	d.owner.Prototype, d.owner.Params = l.prototyping, l.params
	l.flow(d, n.ID)
	if !d.owner.Empty() {
		l.behaviour.Owners = append(l.behaviour.Owners, d.owner)
	}
	if l.byName == nil {
		l.byName = map[string][]int{}
	}
	if l.prototyping == "" || parent >= 0 {
		l.byName[n.Name] = append(l.byName[n.Name], index)
	}
	for _, c := range d.children {
		l.node(c, index, path)
	}
}

// path is the path of a node: names from the root joined by /, what has no name
// as kind#n, what is there already with ~2, ~3.
func (l *lowering) path(d *decl, above string) string {
	part := strings.ReplaceAll(d.name, "/", "∕")
	if part == "" {
		kind := d.kind
		if kind == "" {
			kind = "object"
		}
		base := join(above, kind+"#")
		l.names[base]++
		return base + strconv.Itoa(l.names[base])
	}
	path := join(above, part)
	l.names[path]++
	for n := l.names[path]; n > 1; n++ {
		l.tick(1 + len(path)>>heldWork)
		again := path + "~" + strconv.Itoa(n)
		if l.names[again] == 0 {
			l.names[again]++
			l.names[path] = n
			return again
		}
	}
	return path
}

func join(above, part string) string {
	if above == "" {
		return part
	}
	return above + "/" + part
}

// withoutTrail is the value of label: "Go" size=2.
func withoutTrail(v Value) Value {
	if f, ok := get(v, "value"); ok {
		return f
	}
	return v
}

// place reads position, rotation and scale.
func (l *lowering) place(d *decl, n *Node) {
	setting := func(name string) Value {
		if v := d.value(name); known(v) {
			return v
		}
		v, _ := get(d.value("transform"), name)
		return v
	}
	if p, ok := vector(setting("position"), "m", 0); ok {
		n.T = p
	}
	if q, ok := rotation(setting("rotation")); ok {
		n.R = q
	}
	if s, ok := factors(setting("scale")); ok {
		n.S = s
	}
	aims := n.Kind == "light" || n.Kind == "camera"
	target, ok := vector(d.value("look_at"), "m", 0)
	if !ok && aims {
		if target, ok = vector(d.value("target"), "m", 0); !ok {
			l.aimAt(d, "target")
		}
	} else if !ok {
		l.aimAt(d, "look_at")
	}
	if n.Kind == "light" {
		if dir, has := vector(d.value("direction"), "", 0); has {
			n.R = facing(vec.At(dir[0], dir[1], dir[2]))
			return
		}
	}
	if ok {
		to := vec.At(target[0]-n.T[0], target[1]-n.T[1], target[2]-n.T[2])
		if to.Len() > 0 {
			n.R = facing(to)
		}
	}
}

// traits lists what a node has, merged, with parameters after defaults.
func (l *lowering) traits(d *decl, n *Node) {
	for i := range d.traits {
		u := &d.traits[i]
		t := TraitUse{Name: u.Name, Known: u.entry != nil}
		if fs := u.fields(); len(fs) > 0 {
			t.Params = l.kept(mapOf(millis(u.entry, fs)...))
		}
		n.Traits = append(n.Traits, t)
	}
}

// millis are the fields with times in milliseconds where the trait counts in
// them: 2s is 2000. What is left of a unit after it would be seconds.
func millis(entry *trait.Entry, fs []field) []field {
	if entry == nil {
		return fs
	}
	fs = slices.Clone(fs)
	for i := range fs {
		v := &fs[i].Value
		if v.Kind != trait.Number || v.Unit == "" {
			continue
		}
		if p, ok := entry.Param(fs[i].Key); ok && p.Unit == "ms" {
			if n, ok := trait.Convert(v.Num, v.Unit, "ms"); ok {
				*v = numOf(n)
			}
		}
	}
	return fs
}

// extras are the settings that the model has no place for.
func (l *lowering) extras(d *decl) Value {
	var out []field
	for _, p := range d.props {
		if consumed[p.key] || p.v.Kind == trait.Null || p.key == "template" || p.key == "using" {
			continue
		}
		if p.key == "type" || p.key == "intensity" || p.key == "fov" || p.key == "direction" || p.key == "target" {
			if d.kind == "light" || d.kind == "camera" {
				continue
			}
		}
		out = append(out, field{Key: p.key, Value: l.kept(p.v)})
	}
	if out == nil {
		return Value{}
	}
	return mapOf(out...)
}

// domain keeps the data blocks of a declaration.
func (l *lowering) domain(d *decl, owner string) {
	for _, b := range d.domain {
		b.Owner = owner
		b.Data = l.kept(b.Data)
		l.scene.Domain = append(l.scene.Domain, b)
	}
	if owner == "" {
		for i := range d.traits {
			u := &d.traits[i]
			if environmentTraits[u.Name] {
				continue
			}
			l.scene.Domain = append(l.scene.Domain, Domain{Kind: "@" + u.Name, Data: l.kept(mapOf(u.fields()...)), Src: l.src(u.file, u.at)})
			if !actedOn[u.Name] && u.entry != nil {
				l.report("BLK011", u.file, u.at, "'@"+u.Name+"'")
			}
		}
		l.agent(d, "", l.scene.Name)
		return
	}
	l.agent(d, owner, d.name)
}

// aimAt turns a node to another one that it names, when both have the same parent.
func (l *lowering) aimAt(d *decl, key string) {
	p, ok := d.prop(key)
	if !ok || p.v.Kind != trait.Text && p.v.Kind != trait.Word {
		return
	}
	at, name := *p, p.v.Str
	index := len(l.scene.Nodes)
	l.aims = append(l.aims, func() {
		id, found := l.find(name, index)
		if found {
			n := &l.scene.Nodes[index]
			i := slices.IndexFunc(l.scene.Nodes, func(o Node) bool { return o.ID == id })
			o := &l.scene.Nodes[i]
			if to := vec.At(o.T[0]-n.T[0], o.T[1]-n.T[1], o.T[2]-n.T[2]); o.Parent == n.Parent && to.Len() > 0 {
				n.R = facing(to)
				return
			}
		}
		l.report("BLK011", at.file, at.at, "'"+key+": "+name+"'")
	})
}

// references resolves the names that nodes have for each other.
func (l *lowering) references() {
	for _, r := range l.wanted {
		if id, ok := l.find(r.name, r.node); ok {
			r.set(&l.scene.Nodes[r.node], id)
		}
	}
	for _, aim := range l.aims {
		l.tick(len(l.scene.Nodes) / 8)
		aim()
	}
}

// find is the node of a name or a path as seen from another: a sibling first,
// then the first of the scene.
func (l *lowering) find(name string, from int) (string, bool) {
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '/' })
	if len(parts) == 0 {
		return "", false
	}
	last := l.byName[name]
	if last == nil {
		last = l.byName[parts[len(parts)-1]]
	}
	best := -1
	l.tick(len(last) / 8)
	for _, i := range last {
		switch {
		case i == from:
		case l.scene.Nodes[i].Parent == l.scene.Nodes[from].Parent:
			return l.scene.Nodes[i].ID, true
		case best < 0:
			best = i
		}
	}
	if best < 0 {
		return "", false
	}
	return l.scene.Nodes[best].ID, true
}

// asset is the index of a file that the source names.
func (l *lowering) asset(path string) *int {
	i, there := l.assets[path]
	if !there {
		i = len(l.scene.Assets)
		l.assets[path] = i
		l.scene.Assets = append(l.scene.Assets, Asset{Path: path, MediaType: mediaType(path)})
	}
	return &i
}

// mediaTypes are the files that a scene may name.
var mediaTypes = map[string]string{
	"glb": "model/gltf-binary", "gltf": "model/gltf+json", "obj": "model/obj", "stl": "model/stl", "usd": "model/vnd.usd", "usda": "model/vnd.usda",
	"usdz": "model/vnd.usdz+zip", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "ktx2": "image/ktx2",
	"hdr": "image/vnd.radiance", "mp3": "audio/mpeg", "ogg": "audio/ogg", "wav": "audio/wav",
}

func mediaType(path string) string {
	return mediaTypes[strings.ToLower(path[strings.LastIndexByte(path, '.')+1:])]
}

func isModel(word string) bool {
	t := mediaType(word)
	return strings.Contains(word, ".") && strings.HasPrefix(t, "model/")
}

// intern finds or adds an element of a table by its JSON form.
func intern[T any](table *[]T, seen map[string]int, v T) *int {
	key, err := json.Marshal(v)
	if err != nil {
		key = []byte(strconv.Itoa(len(*table)))
	}
	i, there := seen[string(key)]
	if !there {
		i = len(*table)
		seen[string(key)] = i
		*table = append(*table, v)
	}
	return &i
}

// sceneAssets names the assets of the environment.
func (l *lowering) sceneAssets() {
	sky := &l.scene.Environment.Sky
	if sky.Kind == "asset" {
		sky.Asset = l.asset(sky.Preset)
		sky.Preset = ""
	}
}
