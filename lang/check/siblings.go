package check

import (
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// siblings looks at what the items of a body are to each other.
func (c *checker) siblings(body *ast.Body, p place) {
	c.twinKeys(body, p)
	if p.data {
		return
	}
	c.twinNames(body, p)
	c.repeated(body, p)
	c.alike(body)
	if p.fn == nil {
		c.bodyTraits(body, p)
	}
}

// twinKeys reports keys that are set twice and keys spelt in two ways.
func (c *checker) twinKeys(body *ast.Body, p place) {
	if p.kind == "timeline" || p.in == stage || p.fn != nil {
		return
	}
	type earlier struct {
		raw string
		p   *ast.Property
	}
	seen := map[string]earlier{}
	for _, n := range body.Items {
		prop, ok := n.(*ast.Property)
		if !ok || prop.Key.Computed != nil || prop.Is(ast.Broken) {
			continue
		}
		raw := prop.Key.Name()
		if token.IsOnWord(raw) && !p.data {
			continue
		}
		key := raw
		if !p.data && isWord(raw) {
			key = trait.FoldKey(raw)
			c.spelling(key, raw, prop.Key.At)
		}
		if before, ok := seen[key]; ok {
			at := c.lines(before.p.At)
			c.add("NAM003", prop.Key.At, raw).Related("The earlier value.", int(before.p.Key.At.Start), int(before.p.Key.At.End)).
				Fix("Remove the earlier", int(at.Start), int(at.End), "")
		}
		seen[key] = earlier{raw, prop}
	}
}

// spelling remembers how the file spells a key and reports a second way.
func (c *checker) spelling(key, raw string, at token.Span) {
	first, ok := c.spellings[key]
	if !ok {
		c.spellings[key] = raw
		return
	}
	if first != raw {
		c.add("LNT006", at, raw, first).Suggest(first).Fix("Spell it '"+first+"'", int(at.Start), int(at.End), first)
	}
}

// twinNames reports named blocks of one kind, or nodes, with the same name.
// Platforms that exclude each other allow it.
func (c *checker) twinNames(body *ast.Body, p place) {
	type twin struct {
		b         *ast.Block
		platforms []string
	}
	seen := map[string][]twin{}
	taken, number := map[string]bool{}, map[string]int{}
	for _, n := range body.Items {
		if b, ok := blockOf(n); ok && b.NameText() != "" {
			taken[b.NameText()] = true
		}
	}
	var pending []string
	for _, n := range body.Items {
		if a, ok := n.(*ast.Attribute); ok && a.Name == "platform" {
			pending = platformsOf(a)
			continue
		}
		b, ok := blockOf(n)
		if !ok {
			pending = nil
			continue
		}
		here := twin{b, pending}
		pending = nil
		for _, a := range b.Heading().Attrs {
			if a.Name == "platform" {
				here.platforms = platformsOf(a)
			}
		}
		name := b.NameText()
		k := words().byName[b.BlockKind]
		if name == "" || k == nil || k.role == typed || b.BlockKind == "template" || b.BlockKind == "trait" {
			continue
		}
		key := b.BlockKind + "\x00" + name
		if k.role == placed {
			key = "\x00" + name
		}
		for _, before := range seen[key] {
			if disjoint(before.platforms, here.platforms) {
				continue
			}
			next := ""
			for number[name]++; ; number[name]++ {
				if next = name + " " + strconv.Itoa(number[name]+1); !taken[next] {
					taken[next] = true
					break
				}
			}
			at := b.Name.Span()
			c.add("NAM001", at, b.BlockKind, name).Related("The first one.", int(before.b.Name.Span().Start), int(before.b.Name.Span().End)).
				Fix("Rename to '"+next+"'", int(at.Start), int(at.End), `"`+strings.ReplaceAll(strings.ReplaceAll(next, `\`, `\\`), `"`, `\"`)+`"`)
			break
		}
		seen[key] = append(seen[key], here)
	}
}

func blockOf(n ast.Node) (*ast.Block, bool) {
	if e, ok := n.(*ast.Export); ok && e.Item != nil {
		n = e.Item
	}
	b, ok := n.(*ast.Block)
	return b, ok
}

// platformsOf lists the platforms of an @platform; nil for those that are not
// a plain list.
func platformsOf(a *ast.Attribute) []string {
	var out []string
	if a.Config != nil && len(a.Config.Items) > 0 {
		return nil
	}
	for _, n := range a.Positional {
		members, ok := trait.Platforms(nameOf(n))
		if !ok {
			return nil
		}
		out = append(out, members...)
	}
	return out
}

func disjoint(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return false
			}
		}
	}
	return true
}

// repeated reports settings that stand twice in one body.
func (c *checker) repeated(body *ast.Body, p place) {
	if p.fn != nil {
		return
	}
	seen := map[string]token.Span{}
	for _, n := range body.Items {
		b, ok := n.(*ast.Block)
		if !ok || b.Name != nil {
			continue
		}
		k := words().byName[b.BlockKind]
		if k == nil || !k.is("single") {
			continue
		}
		at := c.kindSpan(b)
		if before, ok := seen[b.BlockKind]; ok {
			c.add("BLK003", at, b.BlockKind).Related("The first one.", int(before.Start), int(before.End))
			continue
		}
		seen[b.BlockKind] = at
	}
}

// alike counts nodes that differ in name and place only.
func (c *checker) alike(body *ast.Body) {
	var first *ast.Block
	run := 0
	flush := func() {
		if run >= MaxAlike {
			c.add("LNT010", c.kindSpan(first), strconv.Itoa(run))
		}
		first, run = nil, 0
	}
	for _, n := range body.Items {
		b, ok := n.(*ast.Block)
		if !ok || b.HasError() {
			flush()
			continue
		}
		if k := words().byName[b.BlockKind]; k == nil || k.role != placed || len(b.Body.Items) < 2 || b.Heading().Using != nil {
			flush()
			continue
		}
		if first != nil && alikeBlocks(first, b) {
			run++
			continue
		}
		flush()
		first, run = b, 1
	}
	flush()
}

// alikeBlocks says whether two nodes are equal but for name and place.
func alikeBlocks(a, b *ast.Block) bool {
	ha, hb := a.Heading(), b.Heading()
	if a.BlockKind != b.BlockKind || len(ha.Attrs) != len(hb.Attrs) || len(a.Body.Items) != len(b.Body.Items) {
		return false
	}
	for i := range ha.Attrs {
		if !ast.EqualNodes(ha.Attrs[i], hb.Attrs[i]) {
			return false
		}
	}
	for i, x := range a.Body.Items {
		y := b.Body.Items[i]
		p, ok := x.(*ast.Property)
		q, also := y.(*ast.Property)
		if ok && also && p.Key.Name() == q.Key.Name() {
			switch p.Key.Name() {
			case "position", "rotation", "scale":
				continue
			}
		}
		if !ast.EqualNodes(x, y) {
			return false
		}
	}
	return true
}
