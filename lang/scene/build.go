package scene

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/trait"
)

// Options say for whom a scene is built.
type Options struct {
	// Target is the id of the target: a condition of #if and @if with this name
	// is true.
	Target string
	// Targets says which words name a target, so that a condition on a word that
	// names nothing is reported; nil reports none.
	Targets func(word string) bool
	// Platforms are the platforms that the target serves, for @platform.
	Platforms []string
	// Everywhere lets all through that stands under @platform, as an editor of
	// the source needs it: no target has all of these nodes.
	Everywhere bool
	// Prototypes adds the nodes of every template that spawn names, behind those
	// of the scene, for targets that make nodes while they run.
	Prototypes bool
	// Imports are the names that files import, by the path of the file and by
	// the name.
	Imports map[string]map[string]Import
	// Registry is the set of traits; nil is the built-in one.
	Registry *trait.Registry
	Limits   Limits
	// Compiler names the version in the scene.
	Compiler string
	// Step, when set, is called again and again. An error of it ends the work:
	// the scene is incomplete, and the caller knows.
	Step func() error
}

// Build makes the scene of a file; more are the modules it imports, in the order
// in which they are evaluated, whose templates it may use. The diagnostics are
// those of building alone, ordered by file and place; with one of severity error
// the scene is incomplete. Build reads the files and keeps pointers into them in
// Behaviour.
func Build(main *ast.File, more []*ast.File, o Options) (*Scene, []diag.Diagnostic) {
	b := newBuilder(main, more, o)
	b.build(main, more)
	var found []diag.Diagnostic
	for _, f := range b.order {
		if bag := b.bags[f]; bag != nil {
			found = append(found, bag.All()...)
		}
	}
	return b.scene, found
}

func newBuilder(main *ast.File, more []*ast.File, o Options) *builder {
	b := &builder{
		options: o, limits: o.Limits.Complete(), registry: o.Registry, platforms: o.Platforms,
		scene: &Scene{V: Version, Compiler: o.Compiler}, behaviour: &Behaviour{Imports: o.Imports}, templates: map[string]*template{},
		bags: map[*ast.File]*diag.Bag{}, files: map[*ast.File]int{}, said: map[diag.Code]bool{},
	}
	if b.registry == nil {
		b.registry = trait.Builtin()
	}
	b.scene.Environment.Exposure = 1
	b.order = append([]*ast.File{main}, more...)
	b.in = main
	for i, f := range b.order {
		b.files[f] = i
		b.scene.Files = append(b.scene.Files, f.Path())
	}
	b.scene.SourceSHA256 = sourceHash(b.order)
	return b
}

func (b *builder) build(main *ast.File, more []*ast.File) {
	if root := b.root(main, more); !b.stopped {
		b.finish(root)
	}
}

// sourceHash is SHA-256 over path, NUL, length, NUL and bytes of all files by
// path, decoded and with line feeds only.
func sourceHash(files []*ast.File) string {
	sorted := slices.Clone(files)
	slices.SortFunc(sorted, func(a, c *ast.File) int {
		if a.Path() < c.Path() {
			return -1
		}
		return 1
	})
	h := sha256.New()
	for _, f := range sorted {
		text := lineFeeds(f.Text())
		fmt.Fprintf(h, "%s\x00%d\x00%s", f.Path(), len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func lineFeeds(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n' {
			continue
		}
		out = append(out, s[i])
	}
	return string(out)
}

type builder struct {
	options   Options
	limits    Limits
	registry  *trait.Registry
	platforms []string
	scene     *Scene
	behaviour *Behaviour
	templates map[string]*template
	names     map[string]*ast.Block // see named; nil until asked for
	peeking   bool                  // see firstState
	idle      bool                  // what is read is data that nothing acts on, so it asks for no name
	inactive  map[ast.Node]bool     // what was reported as such
	constants map[ast.Node]*trait.Origin
	order     []*ast.File
	files     map[*ast.File]int
	bags      map[*ast.File]*diag.Bag
	said      map[diag.Code]bool

	work, nodes, turns, chain, depth int
	rest                             int // work since Step was last called
	held                             int // bytes kept, about
	stopped                          bool
	at                               ast.Node          // the item being read, for limits that no node of their own names
	in                               *ast.File         // of at
	slips                            int               // keys that were compared with those that are known
	serves                           bool              // the composition is a server: objects with a route are its endpoints
	port                             *ast.Block        // the first service that names one
	hints                            map[string]string // see nearTemplate
	texts                            map[*ast.String]string
	dialogues                        map[string]bool // by name
	firstDialogue                    string
	talk                             Owner            // what the dialogues bind, for the scene
	prototyping                      string           // the template whose prototype is in the making
	params                           map[string]Value // of that template
	active                           int              // place of the active camera, from 1 on
	flows                            int              // connects and executes so far
	origins                          []trait.Origin   // places given, a slab at a time
	within                           *serving         // the block of a service that is being read
	units                            map[string]int   // how many blocks of a service have a name
	asked                            map[place]bool   // see account
	missed                           map[place]unasked
	throws                           map[ast.Node]*throw // see chance
}

// tick counts work: one for a visited syntax node, and for what is looked through
// or copied its length, so that Step is called again soon whatever the source asks
// for.
func (b *builder) tick(units int) {
	b.work += units
	if b.rest += units; b.rest >= stepWork {
		b.rest = 0
		if b.options.Step != nil && b.options.Step() != nil {
			b.stopped = true
		}
	}
	if b.work > b.limits.Work && !b.stopped {
		b.limit(diag.Code("LIM007"), b.in, b.at, "compile work", b.work, b.limits.Work)
		b.stopped = true
	}
}

// reserve counts bytes that the scene keeps, before they are made: it is false when
// they are too many, and then nothing more is made. What is let go again counts
// too, so the sum is above what is alive.
func (b *builder) reserve(bytes int) bool {
	b.held += bytes
	if b.held > b.limits.Data && !b.stopped {
		b.limit(diag.Code("LIM007"), b.in, b.at, "the data of the scene in bytes", b.held, b.limits.Data)
		b.stopped = true
	}
	b.tick(bytes >> heldWork)
	return !b.stopped
}

// kept is a value as the model keeps it, counted.
func (b *builder) kept(v Value) Value {
	if !b.reserve(weight(v, b.limits.Data-b.held)) {
		return Value{}
	}
	return data(v)
}

// weight are the bytes of what a value points to, but for its texts, which are
// shared. It looks no further once there are more than most.
func weight(v Value, most int) int {
	n := len(v.List)*valueBytes + len(v.Fields)*fieldBytes
	for i := range v.List {
		if n > most {
			return n
		}
		n += weight(v.List[i], most-n)
	}
	for i := range v.Fields {
		if n > most {
			return n
		}
		n += weight(v.Fields[i].Value, most-n)
	}
	return n
}

// What things take, about, for reserve.
const (
	valueBytes = 112 // a Value; a test compares it with the type
	fieldBytes = valueBytes + 24
	propBytes  = 384  // a setting with its place in the index
	traitBytes = 176  // a use without its arguments, with its place in the index
	codeBytes  = 288  // a piece of behaviour
	scopeBytes = 96   // without its names
	nodeBytes  = 3072 // a declaration and the node it becomes
	blockBytes = 480  // a block kept as data, a control, a step
	heldWork   = 6    // a unit of work for so many bytes, as a power of two
)

// count takes one more node; it is false when there are too many.
func (b *builder) count(n ast.Node) bool {
	b.nodes++
	if b.nodes > b.limits.Nodes {
		b.limit(diag.Code("LIM005"), b.in, n, "the number of nodes", b.nodes, b.limits.Nodes)
		b.stopped = true
		return false
	}
	return b.reserve(nodeBytes)
}

// iterate takes one more turn of @for.
func (g *gathering) iterate(n ast.Node) bool {
	g.turns++
	if g.turns > g.limits.Iterations {
		g.limit(diag.Code("LIM008"), g.s.file, n, "the number of turns of @for", g.turns, g.limits.Iterations)
		g.stopped = true
	}
	return !g.stopped
}

func (b *builder) bag(f *ast.File) *diag.Bag {
	bag := b.bags[f]
	if bag == nil {
		bag = diag.NewBag(f.Path(), f.Stream.Source)
		b.bags[f] = bag
	}
	return bag
}

func (b *builder) report(c diag.Code, f *ast.File, n ast.Node, slots ...string) {
	var start, end int
	if n != nil {
		sp := n.Span()
		start, end = int(sp.Start), int(sp.End)
	}
	b.bag(f).Add(c, start, end, slots...)
}

// limit reports a limit once.
func (b *builder) limit(c diag.Code, f *ast.File, n ast.Node, what string, have, most int) {
	if b.said[c] {
		return
	}
	b.said[c] = true
	b.report(c, f, n, what, strconv.Itoa(have), strconv.Itoa(most))
}

func (b *builder) src(f *ast.File, n ast.Node) Src {
	offset := 0
	if n != nil {
		offset = int(n.Span().Start)
	}
	line, column := f.Stream.Source.Position(offset)
	return Src{b.files[f], line, column}
}

// root gathers everything that the main file says.
func (b *builder) root(main *ast.File, more []*ast.File) *decl {
	for _, f := range more {
		b.declare(f, f.Items(), &scope{file: f})
	}
	s := &scope{file: main}
	b.declare(main, main.Items(), s)
	root := &decl{kind: "scene", file: main, at: main}
	if main.IsValueDocument {
		items := main.Items()
		if len(items) > 0 {
			g := &gathering{builder: b, d: root, s: s, root: true}
			g.valueDocument(b.eval(items[0], s).v, items[0])
		}
		return root
	}
	for _, f := range more { // modules bring their behaviour too
		for _, it := range f.Items() {
			if e, ok := it.(*ast.Export); ok && e.Item != nil {
				it = e.Item
			}
			if m, ok := it.(*ast.Block); ok && m.BlockKind == "module" {
				g := &gathering{builder: b, d: root, s: &scope{file: f}, root: true}
				g.module(m)
			}
		}
	}
	root.owner.Bodies = append(root.owner.Bodies, Code{Node: &main.Body, File: main, scope: s})
	b.gather(root, main.Items(), s, true)
	return root
}

// declare registers the templates of a body and of the scenes in it.
func (b *builder) declare(f *ast.File, items []ast.Node, s *scope) {
	for _, it := range items {
		exported := false
		if e, ok := it.(*ast.Export); ok && e.Item != nil {
			it, exported = e.Item, true
		}
		n, ok := it.(*ast.Block)
		if !ok || n.Body == nil {
			continue
		}
		switch {
		case n.BlockKind == "template":
			name := n.NameText()
			b.templates[name] = &template{name: name, file: f, block: n, scope: s, used: exported}
		case rootKinds[n.BlockKind], n.BlockKind == "templates":
			b.declare(f, n.Body.Items, s)
		case nodeKind(n.BlockKind) == "group": // a template beside what uses it
			if b.tick(len(n.Body.Items)); !b.stopped {
				b.declare(f, n.Body.Items, s)
			}
		}
	}
}

// finish turns what was gathered into the scene.
func (b *builder) finish(root *decl) {
	root.applyOverrides()
	b.talking(&root.owner, b.order[0])
	b.behaviour.Owners = append([]Owner{root.owner}, b.behaviour.Owners...)
	b.flow(root, "")
	b.environment(root)
	b.metadata(root)
	b.serves = root.has("http", "service", "api", "rest")
	l := &lowering{builder: b, names: map[string]int{}, assets: map[string]int{}, geometries: map[string]int{}, materials: map[string]int{}}
	for _, c := range root.children {
		l.node(c, -1, "")
	}
	l.prototypes()
	l.unshown()
	b.oneCamera()
	l.sceneAssets()
	l.references()
	l.domain(root, "")
	b.scene.Timelines = append(root.timelines, b.scene.Timelines...)
	b.scene.UI = append(root.widgets, b.scene.UI...)
	b.scene.Pipelines = root.pipelines
	for i := range b.scene.Domain {
		if b.scene.Domain[i].Kind == "agent" {
			b.scene.Agents = append(b.scene.Agents, b.scene.Domain[i])
		}
	}
	b.account(root, "composition")
	for _, u := range root.traits {
		if environmentTraits[u.Name] {
			for _, f := range u.args {
				b.accountField(f.Key, f.Value, f.From, "@"+u.Name, false)
			}
		}
	}
	b.leftOver(root)
	b.reportUnasked()
	slices.SortStableFunc(b.behaviour.Wires, func(x, y Wire) int { return x.turn - y.turn })
	slices.SortStableFunc(b.behaviour.Runs, func(x, y Execute) int { return x.turn - y.turn })
	b.scene.Behaviour = b.behaviour
}

// applyOverrides carries dotted keys and override statements out: the first part
// of a path may name a child, the rest is a setting and a path in it.
func (d *decl) applyOverrides() {
	for _, o := range d.overrides {
		target, path := d, o.path
		for len(path) > 1 {
			i := slices.IndexFunc(target.children, func(c *decl) bool { return c.name == path[0] })
			if i < 0 {
				break
			}
			target, path = target.children[i], path[1:]
		}
		p := o.p
		p.key = path[0]
		for i := len(path) - 1; i > 0; i-- {
			p.v = mapOf(field{Key: path[i], Value: p.v, From: p.from})
		}
		if _, there := target.byKey[trait.FoldKey(p.key)]; !there && d.kind == "scene" && target == d {
			if i, ok := target.byKey["environment"]; ok { // override fog.density
				if _, has := get(target.props[i].v, p.key); has {
					target.props[i].v = deepMerge(target.props[i].v, mapOf(field{Key: p.key, Value: p.v}))
					continue
				}
			}
		}
		target.put(p)
	}
	d.overrides = nil
	for _, c := range d.children {
		c.applyOverrides()
	}
}
