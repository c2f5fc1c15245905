package conserve

import (
	"fmt"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
)

// style are findings about habits: they do not say that a value has no effect.
var style = set(
	"LNT002", "LNT003", "LNT004", "LNT005", "LNT006", "LNT008", "LNT009", "LNT010", "LNT014", "NAM009", "TYP012", "SYN014",
)

// whole are findings about a heading or a key which say of all that stands in its body
// or value that it is kept as data, has no effect, is not used or is replaced.
var whole = set("BLK001", "BLK002", "BLK006", "BLK011", "TRT001", "TRT002", "LNT001", "LNT015", "FLO012", "NAM003")

func set(codes ...diag.Code) map[diag.Code]bool {
	m := map[diag.Code]bool{}
	for _, c := range codes {
		m[c] = true
	}
	return m
}

// reported is what the findings of a source speak of.
type reported struct {
	lines map[int]bool
	whole map[int]bool   // offsets of findings of whole
	spans []stretch      // what they cover
	count map[string]int // by code and line
}

func (g *gate) index(found []diag.Diagnostic) {
	g.reported = reported{map[int]bool{}, map[int]bool{}, nil, map[string]int{}}
	for _, d := range found {
		if d.File != g.name || style[d.Code] {
			continue
		}
		g.reported.count[fmt.Sprintf("%s:%d", d.Code, d.Line)]++
		if d.Code == "LNT001" || d.Code == "LNT015" { // speaks of a name, not of what else stands in its line
			g.reported.whole[d.Offset] = true
			continue
		}
		g.reported.lines[d.Line] = true
		if whole[d.Code] {
			g.reported.spans = append(g.reported.spans, stretch{d.Offset, d.EndOffset})
			g.reported.whole[d.Offset] = true
		}
	}
}

// about says whether a finding speaks of a literal: one in its lines, or one that says of
// a heading or a key around it that nothing comes of it.
func (t *reported) about(l literal, f *ast.File) bool {
	if t.whole[l.start] { // at the literal itself
		return true
	}
	first, _ := f.Stream.Source.Position(l.start)
	last, _ := f.Stream.Source.Position(l.end)
	for line := first; line <= last; line++ {
		if t.lines[line] {
			return true
		}
	}
	for _, s := range t.spans {
		if l.start >= s.start && l.end <= s.end {
			return true
		}
	}
	for _, h := range l.headings {
		for at := range t.whole {
			if at >= h.start && at < h.end {
				return true
			}
		}
	}
	return false
}

// project is where imports lead.
func (g *gate) project() *module.Project {
	root := g.o.Root
	if root == nil {
		root = module.Memory{g.name: []byte(g.first.File.Text())}
	}
	p, _, err := module.Open(root)
	if err != nil {
		p, _, _ = module.Open(module.Memory{g.name: []byte(g.first.File.Text())})
	}
	return p
}
