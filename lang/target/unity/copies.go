package unity

import (
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/target/artefact"
)

// at is the thing of a node; that of a prototype is the copy that is made.
func (w *writer) at(i int) string {
	if w.s.Nodes[i].Prototype != "" {
		return "made"
	}
	return fmt.Sprintf("at[%d]", i)
}

// things is how many nodes are there from the start: those of prototypes follow.
func (w *writer) things() int {
	n := len(w.s.Nodes)
	for n > 0 && w.s.Nodes[n-1].Prototype != "" {
		n--
	}
	return n
}

// prototypes are the statements that make a node of each prototype.
func (w *writer) prototypes() {
	lines, networked := w.lines, w.lowering("network")
	for i := w.things(); i < len(w.s.Nodes); i++ {
		if n := &w.s.Nodes[i]; slices.Contains(networked, any(n.ID)) {
			w.tally.Drop(artefact.Network, n, "what a program spawns is each player's own")
		}
		w.lines = nil
		w.node(i)
		w.made = append(w.made, w.lines)
	}
	w.lines = lines
}

// copies writes how the program makes the nodes of templates: for each node of a
// prototype a method that makes one as it is.
func (w *writer) copies(b *strings.Builder) {
	from := w.things()
	if len(w.made) == 0 {
		return
	}
	b.WriteString("\n\t\tprotected override Thing Copy(string like, string id, string name, Thing above) {\n\t\t\tswitch (like) {\n")
	for k := range w.made {
		fmt.Fprintf(b, "\t\t\tcase %s: return Copy%d(id, name, above);\n", quoted(w.s.Nodes[from+k].ID), k)
	}
	b.WriteString("\t\t\t}\n\t\t\treturn null;\n\t\t}\n")
	for k, lines := range w.made {
		fmt.Fprintf(b, "\n\t\tThing Copy%d(string id, string name, Thing above) {\n", k)
		for _, l := range lines {
			b.WriteString("\t\t\t" + l + "\n")
		}
		b.WriteString("\t\t\treturn made;\n\t\t}\n")
	}
}
