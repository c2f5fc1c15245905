package check

import (
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// place is where an item stands.
type place struct {
	o      *owner
	in     role   // of the body around it
	kind   string // of the block around it
	locals *locals
	fn     *function // nil outside of functions
	loop   bool
	choice bool // in a switch
	data   bool // in data, where names and kinds mean nothing to the language
	depth  int
}

// locals are the names of a function or of a block in one.
type locals struct {
	outer *locals
	names map[string]*Symbol
}

// function is what the statements of a function know of it.
type function struct {
	name   string
	result *Type // declared, nil for none
	// awaits says that await may stand here.
	awaits bool
}

func (p place) inner() place {
	p.locals = &locals{p.locals, map[string]*Symbol{}}
	return p
}

// judgeFile looks at every item.
func (c *checker) judgeFile() {
	p := place{o: c.top, kind: "file", in: holder}
	for _, o := range c.top.children {
		if o.is("pipeline") {
			c.pipes = true
		}
	}
	if c.f.IsValueDocument {
		p.data, p.in = true, data
		for _, n := range c.f.Items() {
			c.value(n, p, nil)
		}
		return
	}
	c.judgeBody(&c.f.Body, p)
}

// judgeBody looks at the items of a body and at what they are to each other.
func (c *checker) judgeBody(body *ast.Body, p place) {
	if body == nil { // of an item that could not be read whole
		return
	}
	if o := c.owners[body]; o != nil {
		p.o = o
	}
	if p.fn != nil {
		p = p.inner()
	}
	if c.near < 0 {
		c.siblings(body, p)
	}
	for i, n := range body.Items {
		if !c.passes(n, p) {
			c.judge(n, p, body, i)
		}
	}
	c.keepLocals(body.At, p.locals)
}

// judge looks at one item; its siblings tell the platform that it is for.
func (c *checker) judge(n ast.Node, p place, body *ast.Body, i int) {
	c.work++
	broken := n.Common().Is(ast.Broken)
	switch n := n.(type) {
	case *ast.Bad:
	case *ast.Block:
		c.judgeBlock(n, p, broken)
	case *ast.Property:
		if !broken {
			c.judgeProperty(n, p)
		}
	case *ast.TypedMember:
		if !broken {
			c.judgeMember(n, p)
		}
	case *ast.Func:
		c.judgeFunc(n, p, broken)
	case *ast.Attribute:
		c.judgeAttribute(n, p, broken)
	case *ast.CondBlock:
		for _, b := range n.Branches {
			c.judgeBody(b.Body, p)
		}
		if n.Else != nil {
			c.judgeBody(n.Else, p)
		}
	case *ast.LineDirective:
		c.judgeDirective(n)
	case *ast.Export:
		if n.Item != nil {
			c.judge(n.Item, p, body, i)
		}
	case *ast.List:
		c.judgeList(n, p)
	case *ast.Wire:
		if !broken {
			c.judgeWire(n, p)
		}
	case *ast.Execute:
		if !broken {
			c.judgeExecute(n, p)
		}
	case *ast.Mapping:
		if n.Body != nil {
			c.judgeBody(n.Body, p)
		}
	case *ast.Override:
		c.value(n.Value, p, nil)
	case *ast.Spread:
		c.expr(n.X, p)
	case *ast.Import, *ast.Annotation, *ast.Enumerator, *ast.Rule, *ast.Route:
	default:
		if n.Kind().IsStatement() {
			c.statement(n, p, broken)
		} else if n.Kind().IsExpr() && !broken && p.in != nameList && !p.data {
			c.expr(n, p)
		}
	}
}

// judgeBlock looks at a block: its heading, its place, its settings, its body.
func (c *checker) judgeBlock(b *ast.Block, p place, broken bool) {
	k := words().byName[b.BlockKind]
	o := c.owners[b.Body]
	q := p
	q.kind, q.in, q.fn, q.loop, q.choice = b.BlockKind, data, nil, false, false
	q.depth++
	if k != nil {
		q.in = k.role
	}
	if o != nil {
		q.o = o
	}
	if q.depth == MaxNesting+1 {
		c.add("LNT003", c.kindSpan(b), strconv.Itoa(q.depth))
	}
	if p.data || p.in == machine || p.in == tree || p.in == ignored && p.kind != "children" && p.kind != "entities" && p.kind != "templates" {
		q.data = p.data || k == nil
		if p.in == tree || p.in == machine {
			q.in, q.data = p.in, p.data
		}
		c.headingTraits(b, q)
		c.judgeBody(b.Body, q)
		return
	}
	if k == nil {
		c.unknownKind(b, p)
		q.data = !inScene(p)
	} else {
		c.kindFits(b, k, p)
	}
	if o != nil && k != nil && (k.role == placed || k.role == root) {
		c.nodes++
	}
	if !broken {
		c.heading(b, q)
		c.settings(b, k, q)
	}
	c.headingTraits(b, q)
	switch {
	case k == nil:
	case k.role == data:
		q.data = true
	case b.BlockKind == "exports":
		c.exportsBlock(b, p)
		return
	case k.role == nameList:
		return
	case b.BlockKind == "trait":
		return
	case b.BlockKind == "enum":
		c.enumBody(b)
		return
	case k.role == typed:
		c.typeBody(b, q)
		return
	case k.role == machine:
		c.machineBlock(b, q)
	case k.role == tree:
		c.treeBlock(b, q)
	case b.BlockKind == "pipeline":
		c.pipeline(b, q)
	case b.BlockKind == "timeline":
		c.timeline(b, q)
	case b.BlockKind == "animation":
		c.animation(b, q)
	case b.BlockKind == "test":
		c.testBody(b.Body, q)
		return
	}
	if p.kind == "pipeline" && b.BlockKind != "params" && b.BlockKind != "retry" {
		c.stage(b, q)
		return
	}
	c.judgeBody(b.Body, q)
}

// inScene says whether blocks of a body make the scene, so that one of an
// unknown kind may hold nodes.
func inScene(p place) bool {
	return p.in == root || p.in == placed || p.in == holder || p.in == control
}

// unknownKind reports a kind that nobody knows.
func (c *checker) unknownKind(b *ast.Block, p place) {
	if b.BlockKind == "" || !inScene(p) || p.kind == "pipeline" {
		return
	}
	at := c.kindSpan(b)
	near, ok := trait.Nearest(b.BlockKind, words().names)
	if k := words().byName[near]; ok && k.role == nameList && b.Name != nil {
		ok = false // a list of names has none itself
	}
	if !ok {
		c.add("BLK001", at, b.BlockKind, "")
		return
	}
	replace(c.add("BLK001", at, b.BlockKind, hint(near)), at, near)
}

// kindFits reports a block that has no effect where it stands, or is unusual.
func (c *checker) kindFits(b *ast.Block, k *kind, p place) {
	if k.within != "" && !p.data && p.in != ignored && p.in != data {
		fits := false
		for _, w := range strings.Fields(k.within) {
			fits = fits || w == p.kind
		}
		if !fits {
			c.add("BLK006", c.kindSpan(b), b.BlockKind, p.kind)
		}
	}
	if c.f.Format == ast.HS && c.pipes && p.kind == "file" {
		switch b.BlockKind {
		case "environment", "skybox", "light", "camera", "scene":
			c.add("LNT008", c.kindSpan(b), b.BlockKind, ".hs")
		}
	}
	switch b.BlockKind {
	case "state", "computed", "watch", "bind", "environment", "exports", "persist", "material", "physics", "metadata", "timeline", "params":
		if len(b.Body.Items) == 0 && c.f.Comments(b.Body) == nil && b.Head == nil {
			at := c.lines(b.At)
			c.add("LNT002", c.kindSpan(b), b.BlockKind).Fix("Remove it", int(at.Start), int(at.End), "")
		}
	}
}

// heading looks at the clauses of a heading.
func (c *checker) heading(b *ast.Block, p place) {
	h := b.Heading()
	for _, n := range h.Using {
		c.templateName(n)
	}
	for _, n := range h.Extends {
		switch {
		case b.BlockKind == "template":
			c.templateName(n)
		case b.BlockKind == "trait":
		case p.in == typed:
			c.typeName(n, nameOf(n))
		}
	}
	if p.in == typed {
		for _, n := range h.Implements {
			c.typeName(n, nameOf(n))
		}
	}
}

// nameOf is the text of a name.
func nameOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Ident:
		return n.Name
	case *ast.Path:
		return n.Raw
	case *ast.String:
		return n.Value()
	case *ast.EnumWord:
		return n.Name
	}
	return ""
}

// templateName finds the template that a name means.
func (c *checker) templateName(n ast.Node) {
	name := nameOf(n)
	if name == "" {
		return
	}
	if t := c.templates[name]; t != nil {
		c.refer(n.Span(), t.sym)
		return
	}
	severity := diag.Error
	if len(c.imported) > 0 {
		severity = diag.Warning
	}
	near, ok := c.nearest(name, keysFor(c, c.templates))
	slot := ""
	if ok {
		slot = hint(near)
	}
	f := c.addAs(severity, "NAM004", n.Span(), name, slot)
	if ok {
		c.respell(f, n, near)
	}
}

// respell gives a finding the fix that puts a near name in the place of a node,
// in its quotes.
func (c *checker) respell(f *diag.Finding, n ast.Node, near string) {
	at := n.Span()
	text := near
	if s, ok := n.(*ast.String); ok || !isWord(near) {
		quote := byte('"')
		if ok && s.Raw != "" && s.Raw[0] == '\'' {
			quote = '\''
		}
		text = string(quote) + near + string(quote)
	}
	f.Suggest(near).Fix("Replace with '"+near+"'", int(at.Start), int(at.End), text)
}

func isWord(s string) bool {
	for i, r := range s {
		if r == '_' || r == '$' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9' {
			continue
		}
		return false
	}
	return s != ""
}

// nearest is trait.Nearest over names in any order. A file with more slips than
// MaxSuggestions gets no more help.
func (c *checker) nearest(name string, names []string) (string, bool) {
	if c.suggested++; c.helpless() || len(names) > MaxCandidates {
		return "", false
	}
	c.work += len(names)
	return trait.Nearest(name, sorted(names))
}

// helpless says that no more near names are looked up, so that the names need
// not be gathered.
func (c *checker) helpless() bool { return c.suggested > MaxSuggestions }

// keysFor are the names of maps, none when nobody will look at them.
func keysFor[V any](c *checker, maps ...map[string]V) []string {
	if c.helpless() {
		return nil
	}
	var out []string
	for _, m := range maps {
		for name := range m {
			out = append(out, name)
		}
	}
	return out
}

// judgeDirective looks at a line directive.
func (c *checker) judgeDirective(n *ast.LineDirective) {
	for _, d := range directives {
		if n.Name == d {
			return
		}
	}
	at := token.Span{Start: n.At.Start, End: n.At.Start + 1 + uint32(len(n.Name))}
	near, ok := trait.Nearest(n.Name, directives)
	if !ok {
		c.add("BLK008", at, n.Name, "")
		return
	}
	c.add("BLK008", at, n.Name, hint("#"+near)).Suggest("#"+near).Fix("Replace with '#"+near+"'", int(at.Start), int(at.End), "#"+near)
}

// judgeList looks at a list item without a colon.
func (c *checker) judgeList(n *ast.List, p place) {
	if n.ListKind == "traits" && len(n.HeadArgs) == 0 {
		c.listedTraits(n.Elements, p)
		return
	}
	q := p
	for _, e := range n.Elements.Elements {
		if b, ok := e.(*ast.Block); ok {
			c.judgeBlock(b, q, b.Is(ast.Broken))
			continue
		}
		c.value(e, q, nil)
	}
}

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
