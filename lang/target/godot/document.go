package godot

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/target/artefact"
)

// document is a scene file in the making: resources first, then nodes.
type document struct {
	*dialect
	resources bytes.Buffer
	nodes     bytes.Buffer
	count     int
	externals []string                  // files of other resources, the script of the root apart
	shared    map[string]string         // text of a resource → how it is called
	taken     map[string]map[string]int // names below a path, and the last number that was added to one
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
	d.count++
	id := fmt.Sprint(d.count + 1) // the script is the first
	ref := fmt.Sprintf("SubResource( %s )", id)
	if d.version == 4 {
		id = fmt.Sprintf("%q", fmt.Sprintf("%s_%d", class, d.count+1))
		ref = fmt.Sprintf("SubResource(%s)", id)
	}
	fmt.Fprintf(&d.resources, "[sub_resource type=%q id=%s]\n", class, id)
	for _, p := range properties {
		if p != "" {
			d.resources.WriteString(p + "\n")
		}
	}
	d.resources.WriteString("\n")
	d.shared[text] = ref
	return ref
}

// node writes a node below a path, "" being the root, and gives its own path.
func (d *document) node(kind, name, parent string, properties ...string) string {
	name = d.unique(parent, name)
	fmt.Fprintf(&d.nodes, "[node name=%q type=%q parent=%s]\n", name, d.name(kind), quoted(or(parent, ".")))
	for _, p := range properties {
		if p != "" {
			d.nodes.WriteString(p + "\n")
		}
	}
	d.nodes.WriteString("\n")
	if parent == "" {
		return name
	}
	return parent + "/" + name
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

// bytes is the whole file. attached is the script of the root.
func (d *document) bytes(in *artefact.Input, root string, properties []string) []byte {
	var b bytes.Buffer
	script := "ExtResource( 1 )"
	if d.version == 4 {
		fmt.Fprintf(&b, "[gd_scene load_steps=%d format=3 uid=%q]\n\n; %s\n\n[ext_resource type=\"Script\" path=\"scene.gd\" id=\"1_script\"]\n", d.count+len(d.externals)+2, uid(in.Scene.SourceSHA256), in.Header())
		script = `ExtResource("1_script")`
	} else {
		fmt.Fprintf(&b, "[gd_scene load_steps=%d format=2]\n\n; %s\n\n[ext_resource path=\"scene.gd\" type=\"Script\" id=1]\n", d.count+len(d.externals)+2, in.Header())
	}
	for i, e := range d.externals {
		kind, file, _ := strings.Cut(e, " ")
		if d.version == 4 {
			fmt.Fprintf(&b, "[ext_resource type=%q path=%s id=%q]\n", kind, quoted(file), fmt.Sprintf("%d_%s", i+2, strings.ToLower(kind)))
		} else {
			fmt.Fprintf(&b, "[ext_resource path=%s type=%q id=%d]\n", quoted(file), kind, i+2)
		}
	}
	b.WriteString("\n")
	b.Write(d.resources.Bytes())
	fmt.Fprintf(&b, "[node name=%q type=%q]\nscript = %s\n", root, d.name("Node"), script)
	for _, p := range properties {
		b.WriteString(p + "\n")
	}
	b.WriteString("\n")
	b.Write(bytes.TrimSuffix(d.nodes.Bytes(), []byte("\n")))
	return b.Bytes()
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
