package godot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/target/artefact"
)

// document is a scene file in the making: resources first, then nodes.
type document struct {
	*dialect
	resources []resource
	externals []string // files of other resources, the script of the root apart
	nodes     []*record
	shared    map[string]string         // text of a resource → how it is called
	taken     map[string]map[string]int // names below a path, and the last number that was added to one
}

// resource is one that stands in the scene file.
type resource struct{ ref, text string }

// record is a node of a scene file.
type record struct {
	name, class, parent, path string
	properties                []string // lines, some of which go on in the next
	instance                  string   // the resource that it is an instance of
	override                  bool     // it stands in an instance already
}

func newDocument(d *dialect) *document {
	return &document{dialect: d, shared: map[string]string{}, taken: map[string]map[string]int{}}
}

// resource writes a resource once and gives the expression that names it. kind is
// a word of the table; properties are lines.
func (d *document) resource(kind string, properties ...string) string {
	class := d.name(kind)
	text := class + "\n" + strings.Join(properties, "\n")
	if ref, ok := d.shared[text]; ok {
		return ref
	}
	n := len(d.resources) + 2 // the script is the first
	id := fmt.Sprint(n)
	ref := fmt.Sprintf("SubResource( %s )", id)
	if d.version == 4 {
		id = fmt.Sprintf("%q", fmt.Sprintf("%s_%d", class, n))
		ref = fmt.Sprintf("SubResource(%s)", id)
	}
	d.resources = append(d.resources, resource{ref, fmt.Sprintf("[sub_resource type=%q id=%s]\n", class, id) + lines(properties) + "\n"})
	d.shared[text] = ref
	return ref
}

// lines are those of properties; the empty ones are none.
func lines(properties []string) string {
	var b strings.Builder
	for _, p := range properties {
		if p != "" {
			b.WriteString(p + "\n")
		}
	}
	return b.String()
}

// node writes a node below a path, "" being the root, and gives its own path.
func (d *document) node(kind, name, parent string, properties ...string) string {
	name = d.unique(parent, name)
	path := name
	if parent != "" {
		path = parent + "/" + name
	}
	d.nodes = append(d.nodes, &record{name: name, class: d.name(kind), parent: or(parent, "."), path: path, properties: properties})
	return path
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// below are the names that are taken below a path, with more of them.
func (d *document) below(parent string, more ...string) map[string]int {
	if d.taken[parent] == nil {
		d.taken[parent] = map[string]int{}
	}
	for _, name := range more {
		d.taken[parent][name] = 1
	}
	return d.taken[parent]
}

// unique is a name that no other node below a path has, in letters that paths of
// the engine may contain.
func (d *document) unique(parent, name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', r == '_', r == '-', r == ' ':
			return r
		}
		return '_'
	}, name)
	clean = or(strings.TrimSpace(clean[:min(len(clean), 80)]), "Node")
	out := clean
	// Names that differ in case alone get a number too: some file systems ignore case.
	taken, low := d.below(parent), strings.ToLower(clean)
	for taken[strings.ToLower(out)] > 0 {
		taken[low]++
		out = fmt.Sprintf("%s_%d", clean, taken[low])
	}
	taken[strings.ToLower(out)]++
	return out
}

// external is the expression that names a resource in a file of its own.
func (d *document) external(kind, file string) string {
	i := slices.Index(d.externals, kind+" "+file)
	if i < 0 {
		i = len(d.externals)
		d.externals = append(d.externals, kind+" "+file)
	}
	if d.version == 4 {
		return fmt.Sprintf("ExtResource(%q)", fmt.Sprintf("%d_%s", i+2, strings.ToLower(kind)))
	}
	return fmt.Sprintf("ExtResource( %d )", i+2)
}

// bytes is the whole file.
func (d *document) bytes(in *artefact.Input, root string, properties []string) []byte {
	script := "ExtResource( 1 )"
	if d.version == 4 {
		script = `ExtResource("1_script")`
	}
	all := append([]*record{{name: root, class: d.name("Node"), properties: append([]string{"script = " + script}, properties...)}}, d.nodes...)
	return d.file(in, in.Scene.SourceSHA256, all)
}

// file is a scene file of nodes, the root first, with the resources that they use.
func (d *document) file(in *artefact.Input, hash string, nodes []*record) []byte {
	var body, resources, externals strings.Builder
	edited := ""
	for _, n := range nodes {
		heading := fmt.Sprintf("[node name=%q", n.name)
		if n.instance == "" && !n.override {
			heading += fmt.Sprintf(" type=%q", n.class)
		}
		if n.parent != "" {
			heading += " parent=" + quoted(n.parent)
		}
		if n.instance != "" {
			heading += " instance=" + n.instance
			edited += "\n[editable path=" + quoted(n.path) + "]\n"
		}
		body.WriteString(heading + "]\n" + lines(n.properties) + "\n")
	}
	text := strings.TrimSuffix(body.String(), "\n") + edited
	used := make([]bool, len(d.resources))
	look := text
	for i := len(d.resources) - 1; i >= 0; i-- { // a resource uses those before it
		if r := d.resources[i]; strings.Contains(look, r.ref) {
			used[i] = true
			look += r.text
		}
	}
	steps := 1
	for i, r := range d.resources {
		if used[i] {
			resources.WriteString(r.text)
			steps++
		}
	}
	for i, e := range append([]string{"Script scene.gd"}, d.externals...) {
		kind, file, _ := strings.Cut(e, " ")
		ref := fmt.Sprintf("ExtResource( %d )", i+1)
		heading := fmt.Sprintf("[ext_resource path=%s type=%q id=%d]\n", quoted(file), kind, i+1)
		if d.version == 4 {
			id := fmt.Sprintf("%d_%s", i+1, strings.ToLower(kind))
			ref = fmt.Sprintf("ExtResource(%q)", id)
			heading = fmt.Sprintf("[ext_resource type=%q path=%s id=%q]\n", kind, quoted(file), id)
		}
		if strings.Contains(text, ref) {
			externals.WriteString(heading)
			steps++
		}
	}
	format := "format=2]"
	if d.version == 4 {
		format = fmt.Sprintf("format=3 uid=%q]", uid(hash))
	}
	head := fmt.Sprintf("[gd_scene load_steps=%d %s\n\n; %s\n\n", steps, format, in.Header())
	if externals.Len() > 0 {
		externals.WriteString("\n")
	}
	return []byte(head + externals.String() + resources.String() + text)
}

// uid is an id of the fourth version's form that follows from a hash.
func uid(hash string) string {
	const letters = "abcdefghijklmnopqrstuvwxy012345678"
	out := []byte("uid://")
	for i := range 12 {
		c := 0
		if 2*i+2 <= len(hash) {
			for _, h := range hash[2*i : 2*i+2] {
				c = c*16 + strings.IndexRune("0123456789abcdef", h)
			}
		}
		out = append(out, letters[((c%len(letters))+len(letters))%len(letters)])
	}
	return string(out)
}

// transform is the line of a place: rows of the turned and scaled axes, then the
// origin. The place of the parent is no line.
func (d *document) transform(m vec.Mat) string {
	if m == vec.Identity() {
		return ""
	}
	return "transform = " + d.matrix(m)
}

func (d *document) matrix(m vec.Mat) string {
	v := []float64{m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10], m[12], m[13], m[14]}
	return d.call("Transform", v...)
}

// call is an expression that makes a value of numbers.
func (d *document) call(kind string, v ...float64) string {
	parts := make([]string, len(v))
	for i, x := range v {
		parts[i] = float(x)
	}
	if d.version == 3 {
		return d.name(kind) + "( " + strings.Join(parts, ", ") + " )"
	}
	return d.name(kind) + "(" + strings.Join(parts, ", ") + ")"
}

func (d *document) vector(x, y, z float64) string { return d.call("Vector3", x, y, z) }

// meta are the lines that keep data at a node: keys and JSON documents.
func (d *document) meta(pairs ...string) (string, error) {
	var parts []string
	for i := 0; i+1 < len(pairs); i += 2 {
		text, err := literal([]byte(pairs[i+1]), 0)
		if err != nil {
			return "", err
		}
		if d.version == 4 {
			parts = append(parts, "metadata/"+pairs[i]+" = "+text)
		} else {
			parts = append(parts, quoted(pairs[i])+": "+text)
		}
	}
	if d.version == 4 {
		return strings.Join(parts, "\n"), nil
	}
	return "__meta__ = {\n" + strings.Join(parts, ",\n") + "\n}", nil
}
