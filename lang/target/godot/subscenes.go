package godot

import (
	"regexp"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/direct"
)

// subscenes puts what is made of a template into a scene of its own, which the
// nodes of the scene are instances of. What an instance has otherwise stands at
// it; one that is made of other parts stays as it is.
func (w *writer) subscenes() []artefact.File {
	var out []artefact.File
	bases := map[string]*base{}
	taken := map[string]bool{"scene": true}
	done := map[int]bool{} // nodes within an instance
	for i := range w.s.Nodes {
		n := &w.s.Nodes[i]
		if n.Parent >= 0 && done[n.Parent] {
			done[i] = true
			continue
		}
		if n.Template == "" || inert(*n) {
			continue
		}
		from, to := w.d.under(w.path[i])
		if from == to {
			continue
		}
		b := bases[n.Template]
		if b == nil {
			name := strings.ToLower(direct.Identifier(n.Template))
			for taken[name] {
				name += "_"
			}
			taken[name] = true
			b = &base{file: name + ".tscn", nodes: plainNodes(w.d.nodes[from:to], w.path[i])}
			b.nodes[0].name = newDocument(w.d.dialect).unique("", n.Template)
			bases[n.Template] = b
			hash := (&artefact.File{Data: []byte(w.s.SourceSHA256 + name)}).SHA256()
			out = append(out, artefact.File{Path: b.file, MediaType: "text/plain", Data: w.d.file(w.in, hash, b.nodes)})
		}
		if instance, ok := b.instance(w.d, w.d.nodes[from:to]); ok {
			w.d.nodes = slices.Replace(w.d.nodes, from, to, instance...)
			done[i] = true
		}
	}
	return out
}

// under are the places of a node and of what is below it, which follows it.
func (d *document) under(path string) (from, to int) {
	from = slices.IndexFunc(d.nodes, func(n *record) bool { return n.path == path })
	for to = from + 1; to < len(d.nodes) && strings.HasPrefix(d.nodes[to].path, path+"/"); to++ {
	}
	if slices.ContainsFunc(d.nodes[to:], func(n *record) bool { return strings.HasPrefix(n.path, path+"/") }) {
		return from, from // they stand apart
	}
	return from, to
}

// base is the scene of a template.
type base struct {
	file  string
	nodes []*record
}

// plainNodes are nodes as those of a scene of their own: without the place of the
// first, and without what says which node of the source they are.
func plainNodes(nodes []*record, root string) []*record {
	var out []*record
	for i, n := range nodes {
		c := &record{name: n.name, class: n.class, path: n.path}
		if i > 0 {
			c.parent = or(strings.TrimPrefix(strings.TrimPrefix(n.parent, root), "/"), ".")
		}
		for _, p := range split(n.properties) {
			if k := key(p); k == "__meta__" || strings.HasPrefix(k, "metadata/") || i == 0 && (k == "transform" || k == "visible") {
				continue
			}
			c.properties = append(c.properties, p)
		}
		out = append(out, c)
	}
	return out
}

var beginning = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_/]*) = `)

// split makes one text of each property.
func split(properties []string) []string {
	var out []string
	for _, line := range strings.Split(strings.TrimSuffix(lines(properties), "\n"), "\n") {
		if beginning.MatchString(line) || len(out) == 0 {
			out = append(out, line)
		} else {
			out[len(out)-1] += "\n" + line
		}
	}
	return out
}

func key(property string) string {
	k, _, _ := strings.Cut(property, " = ")
	return k
}

// instance are the nodes of an instance; false for nodes that are not those of the
// template.
func (b *base) instance(d *document, nodes []*record) ([]*record, bool) {
	if len(nodes) != len(b.nodes) {
		return nil, false
	}
	var out []*record
	root := nodes[0].path
	for i, n := range nodes {
		like := b.nodes[i]
		if i > 0 && (n.name != like.name || or(strings.TrimPrefix(strings.TrimPrefix(n.parent, root), "/"), ".") != like.parent) || n.class != like.class {
			return nil, false
		}
		c := &record{name: n.name, class: n.class, parent: n.parent, path: n.path, override: i > 0}
		own := split(n.properties)
		for _, p := range like.properties { // what it does not have cannot be taken away
			if !slices.ContainsFunc(own, func(o string) bool { return key(o) == key(p) }) {
				return nil, false
			}
		}
		for _, p := range own {
			if p != "" && !slices.Contains(like.properties, p) {
				c.properties = append(c.properties, p)
			}
		}
		if i == 0 {
			c.instance = d.external("PackedScene", b.file)
		}
		if i == 0 || len(c.properties) > 0 {
			out = append(out, c)
		}
	}
	return out, true
}
