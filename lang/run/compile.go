package run

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// Test is one @test of a source, compiled.
type Test struct {
	Name    string
	File    string
	Line    int
	Setup   int // function; -1 for none
	Asserts []Assert
	Inline  bool           // what is asked stands in the setup
	Mocks   map[string]int // functions that give what operations of the host answer
	// Unknown are names in the test that nothing declares: it does not pass by what
	// is null for want of a name.
	Unknown []Unsupported
}

// Assert is one expression that must be true. Left and Right are the sides of a
// comparison, -1 where there is none.
type Assert struct {
	Fn, Left, Right int
	Text            string
	Line, Column    int
}

// Unsupported is a piece of a source that program/1 has no form for. When a run
// comes to it, it faults.
type Unsupported struct {
	File         string
	Line, Column int
	What         string
	Offset, End  int // of the piece, in bytes
}

// String is the message with its place.
func (u Unsupported) String() string {
	return fmt.Sprintf("%s:%d:%d: %s does not run", u.File, u.Line, u.Column, u.What)
}

// Compiled is a program with what belongs to it.
type Compiled struct {
	Program *Program
	Tests   []Test
	Nodes   []Info
	Left    []Unsupported
	Unused  []Unsupported // names of constants that no value and no code asks for
}

// Compile makes the program of a built scene. files are those it was built of,
// the main one first. With tests the @test blocks are compiled too: a program
// that leaves for a viewer has none.
func Compile(s *scene.Scene, files []*ast.File, tests bool) (*Compiled, error) {
	return CompileUntil(s, files, tests, nil)
}

// Stopped is the error of a compile that its step has ended.
type Stopped struct{ By error }

// Error implements error.
func (s *Stopped) Error() string { return "compile: " + s.By.Error() }

// CompileUntil is Compile with a step that is asked before each function; an error of it
// ends the work as a *Stopped.
func CompileUntil(s *scene.Scene, files []*ast.File, tests bool, step func() error) (c *Compiled, err error) {
	b := &builder{
		scene: s, p: emptyProgram(s.SourceSHA256), consts: map[any]int{}, hosts: map[string]int{}, slots: map[slotKey]int{},
		computed: map[slotKey]int{}, functions: map[slotKey]int{}, statics: map[*ast.File]map[string]int{},
		values: map[*ast.File]map[string]ast.Node{}, files: files, parents: map[string]string{}, named: map[string]string{}, roots: map[string]string{}, given: map[string]map[string]scene.Value{}, modules: map[string]string{},
		children: map[slotKey]string{}, params: map[int]int{}, data: map[dataKey]int{}, automata: map[slotKey]int{}, step: step,
	}
	c = &Compiled{Program: b.p}
	if s.Behaviour == nil {
		return c, nil
	}
	b.written.learn(s.Behaviour.Owners)
	b.names()
	b.templates()
	b.imported()
	b.bodies()
	b.gatherRecords()
	b.declare()
	b.owners()
	b.flows()
	if tests {
		for _, t := range s.Behaviour.Tests {
			c.Tests = append(c.Tests, b.test(t))
		}
	}
	if b.pending(); b.ended != nil {
		return nil, &Stopped{b.ended}
	}
	if b.full {
		return nil, errors.New("compile: too much code")
	}
	c.Left, c.Nodes = b.left, infos(s)
	for _, k := range s.Behaviour.Constants {
		if !k.Used() {
			line, column := k.File.Stream.Source.Position(int(k.At.Span().Start))
			c.Unused = append(c.Unused, Unsupported{k.File.Path(), line, column, k.Name, int(k.At.Span().Start), int(k.At.Span().End)})
		}
	}
	c.Unused = append(c.Unused, b.unasked()...)
	if err := b.p.Verify(); err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	return c, nil
}

func emptyProgram(hash string) *Program {
	p := &Program{
		V: Version, Rates: Rates{60, 5}, Consts: []any{}, Host: []string{}, State: []Slot{}, Functions: []Function{},
		Computed: []Computed{}, Watches: []Watch{}, Binds: []Bind{}, Handlers: []Handler{}, Subscriptions: []Subscription{},
		Wires: []Wire{}, Schedules: []Schedule{}, Timelines: []Timeline{}, Machines: []StateMachine{}, Trees: []Tree{},
	}
	if sum, err := hex.DecodeString(hash); err == nil && len(sum) >= 16 {
		for i := range p.Seed {
			p.Seed[i] = binary.BigEndian.Uint32(sum[4*i:])
		}
	}
	return p
}

type builder struct {
	scene *scene.Scene
	p     *Program
	files []*ast.File
	left  []Unsupported

	consts    map[any]int
	hosts     map[string]int
	slots     map[slotKey]int
	computed  map[slotKey]int
	functions map[slotKey]int
	statics   map[*ast.File]map[string]int // functions at the top of modules
	values    map[*ast.File]map[string]ast.Node
	parents   map[string]string                 // owner above an owner
	named     map[string]string                 // name of a node
	roots     map[string]string                 // of a prototype, by its nodes
	given     map[string]map[string]scene.Value // parameters of a prototype by its root
	modules   map[string]string                 // by name
	children  map[slotKey]string                // node by parent and name; parent "" for any
	broadcast int                               // 1 + the function that raises events everywhere
	params    map[int]int                       // parameters of a function that is declared
	data      map[dataKey]int                   // slots of what data files bring
	fields    map[string]map[string]field       // values in the bodies of owners
	assigned  map[string]bool                   // names that code writes to
	blocks    map[string]string                 // owners of blocks of data by name
	said      map[string]string                 // owners by their names without spaces
	idle      []Unsupported                     // defaults of parameters that an instance replaces
	asked     []asked                           // values of parameters of modules
	scenes    []string                          // names of the scene itself
	automata  map[slotKey]int                   // machines by owner and name
	mocked    map[string]int                    // operations that the test that is compiled answers itself
	methods   map[string]bool                   // names of functions of the files
	inRecord  map[int]*record                   // methods of structs
	records   map[string]*record                // structs and classes by name
	acts      map[string]*ast.Func              // methods that only one of them has
	written   writes
	todo      []job
	step      func() error
	ended     error // of step
	total     int   // integers of the code so far
	full      bool  // more code or functions than a program may have; the rest is not made
}

// job is a function that is declared and still has to be compiled.
type job struct {
	at    int
	owner string
	code  scene.Code
	node  ast.Node
}

func (b *builder) constant(v any) int {
	if n, ok := v.(float64); ok && (math.IsNaN(n) || math.IsInf(n, 0)) {
		v = nil
	}
	if n, ok := v.(float64); ok && n == 0 {
		v = 0.0
	}
	if i, ok := b.consts[v]; ok {
		return i
	}
	b.consts[v] = len(b.p.Consts)
	b.p.Consts = append(b.p.Consts, v)
	return b.consts[v]
}

func (b *builder) host(name string) int {
	if i, ok := b.hosts[name]; ok {
		return i
	}
	b.hosts[name] = len(b.p.Host)
	b.p.Host = append(b.p.Host, name)
	return b.hosts[name]
}

// ownerID names an owner in the program.
func ownerID(i int, o *scene.Owner) string {
	switch {
	case o.Node != "":
		return o.Node
	case i == 0:
		return SceneOwner
	}
	return "module:" + o.Name
}

// names learns who stands where.
func (b *builder) names() {
	for i := range b.scene.Nodes {
		n := &b.scene.Nodes[i]
		parent := SceneOwner
		if n.Parent >= 0 {
			parent = b.scene.Nodes[n.Parent].ID
		}
		b.parents[n.ID], b.named[n.ID] = parent, n.Name
		for _, key := range []slotKey{{parent, n.Name}, {"", n.Name}} {
			if key.owner == "" && n.Prototype != "" || parent == SceneOwner && n.Prototype != "" {
				continue // only seen from inside
			}
			if _, there := b.children[key]; !there {
				b.children[key] = n.ID
			}
		}
	}
	for i := range b.scene.Behaviour.Owners {
		o := &b.scene.Behaviour.Owners[i]
		if o.Node == "" && i > 0 {
			id := ownerID(i, o)
			b.modules[o.Name] = id
			b.parents[id] = SceneOwner
		}
	}
	for i := range b.scene.Behaviour.Owners { // the parts of a service see what it keeps
		o := &b.scene.Behaviour.Owners[i]
		if around, ok := b.modules[o.Parent]; ok && o.Node == "" && i > 0 {
			b.parents[ownerID(i, o)] = around
		}
	}
}

// templates lists the nodes of every prototype.
func (b *builder) templates() {
	for i := range b.scene.Nodes {
		n := &b.scene.Nodes[i]
		switch {
		case n.Prototype == "":
		case n.Parent < 0:
			b.p.Templates = append(b.p.Templates, Template{n.Prototype, []string{n.ID}})
			b.roots[n.ID] = n.ID
		default:
			t := &b.p.Templates[len(b.p.Templates)-1]
			t.Nodes = append(t.Nodes, n.ID)
			b.roots[n.ID] = t.Nodes[0]
		}
	}
	for _, o := range b.scene.Behaviour.Owners {
		if o.Prototype != "" {
			b.given[b.roots[o.Node]] = o.Params
		}
	}
}

// find is the owner that the first segments name, seen from another, and how many
// those are: a module, then the nearest node outward, then the first of the scene.
func (b *builder) find(from string, segments []string) (string, int) {
	if id, ok := b.modules[segments[0]]; ok {
		n := 1
		for n < len(segments) { // of a namespace
			in, ok := b.modules[segments[n]]
			if _, own := b.functions[slotKey{id, segments[n]}]; !ok || own {
				break
			}
			id, n = in, n+1
		}
		return id, n
	}
	id, ok := b.near(from, segments[0])
	if !ok {
		if id, ok = b.aliased(segments[0]); !ok {
			return "", 0
		}
		if strings.HasPrefix(id, "module:") || id == SceneOwner {
			return id, 1
		}
	}
	n := 1
	for n < len(segments) {
		child, ok := b.children[slotKey{id, segments[n]}]
		if !ok {
			break
		}
		id = child
		n++
	}
	return id, n
}

// near is the node of a name that is nearest to an owner: one in it or in what is
// around it, what is around it itself, else the first of the scene.
func (b *builder) near(from, name string) (string, bool) {
	for _, o := range b.above(from) {
		if id, ok := b.children[slotKey{o, name}]; ok {
			return id, true
		}
		if b.named[o] == name && o != SceneOwner {
			return o, true
		}
	}
	id, ok := b.children[slotKey{"", name}]
	return id, ok
}

// above are an owner and all those around it.
func (b *builder) above(owner string) []string {
	out := []string{owner}
	for owner != SceneOwner && owner != "" {
		owner = b.parents[owner]
		if owner == "" {
			owner = SceneOwner
		}
		out = append(out, owner)
	}
	return out
}

// declare gives all slots, computed values and functions their numbers.
func (b *builder) declare() {
	for i := range b.scene.Behaviour.Owners {
		o := &b.scene.Behaviour.Owners[i]
		id := ownerID(i, o)
		for _, s := range o.State {
			key := slotKey{id, s.Key}
			if _, there := b.slots[key]; there {
				continue
			}
			b.slots[key] = len(b.p.State)
			b.p.State = append(b.p.State, Slot{Owner: id, Key: s.Key, Init: Init{Fn: -1}, Persist: slices.Contains(o.Persist, s.Key)})
		}
		for _, c := range o.Computed {
			b.computed[slotKey{id, c.Name}] = len(b.p.Computed)
			b.p.Computed = append(b.p.Computed, Computed{id, c.Name, 0})
		}
		for _, f := range o.Functions {
			b.functions[slotKey{id, f.Name}] = b.later(id, f.Name, f, f.Node)
		}
	}
	for i, f := range b.files {
		b.statics[f], b.values[f] = map[string]int{}, map[string]ast.Node{}
		for _, it := range f.Items() {
			if e, ok := it.(*ast.Export); ok && e.Item != nil {
				it = e.Item
			}
			switch it := it.(type) {
			case *ast.Func:
				if i > 0 && it.Body != nil && it.FuncKind != ast.Handler {
					b.statics[f][it.Name] = b.later(SceneOwner, it.Name, scene.Code{Name: it.Name, File: f, Node: it}, it)
				}
			case *ast.VarDecl:
				for _, d := range it.Decls {
					if d.Name != "" && d.Value != nil {
						b.values[f][d.Name] = d.Value
					}
				}
			}
		}
	}
}

// later declares a function to be compiled when all names are known.
func (b *builder) later(owner, name string, code scene.Code, n ast.Node) int {
	i := len(b.p.Functions)
	if i >= MaxFunctions {
		b.full = true
		return 0
	}
	b.p.Functions = append(b.p.Functions, Function{Name: name, Owner: owner, Code: []int{int(opConst), b.constant(nil), int(opRet)}, Lines: [][3]int{}})
	b.todo = append(b.todo, job{i, owner, code, n})
	b.params[i] = len(paramsOf(n))
	return i
}

// pending compiles what was declared; bodies may declare more.
func (b *builder) pending() {
	for len(b.todo) > 0 && !b.full {
		if b.step != nil {
			if b.ended = b.step(); b.ended != nil {
				return
			}
		}
		j := b.todo[0]
		b.todo = b.todo[1:]
		b.body(j)
		b.total += len(b.p.Functions[j.at].Code)
		b.full = b.full || b.total > MaxTotalCode || len(b.p.Functions) > MaxFunctions
	}
}

func (b *builder) owners() {
	for i := range b.scene.Behaviour.Owners {
		o := &b.scene.Behaviour.Owners[i]
		id := ownerID(i, o)
		seen := map[string]bool{}
		for _, s := range o.State {
			if seen[s.Key] {
				continue
			}
			seen[s.Key] = true
			slot := &b.p.State[b.slots[slotKey{id, s.Key}]]
			switch s.Init.Kind {
			case trait.Null, trait.Bool, trait.Text, trait.Word, trait.Color:
				slot.Init.Const = b.constant(fromTrait(s.Init))
			case trait.Number:
				slot.Init.Const = b.constant(inUnits(s.Init.Num, s.Init.Unit))
			default:
				if s.Code.Node == nil {
					slot.Init.Const = b.constant(nil)
					continue
				}
				slot.Init.Fn = b.later(id, s.Key, s.Code, s.Code.Node)
			}
		}
		for _, c := range o.Computed {
			b.p.Computed[b.computed[slotKey{id, c.Name}]].Fn = b.later(id, c.Name, c, c.Node)
		}
		for _, w := range o.Watches {
			if slot, ok := b.visible(id, w.Name); ok {
				b.p.Watches = append(b.p.Watches, Watch{slot, b.later(id, "watch "+w.Name, w, w.Node)})
			} else {
				b.refuse(w.File, w.Node, "a watch of '"+w.Name+"', which is no state,")
			}
		}
		for _, h := range o.Handlers {
			b.handler(id, h)
		}
		for _, bind := range o.Binds {
			b.p.Binds = append(b.p.Binds, Bind{id, bind.Property, b.later(id, "bind "+bind.Property, bind.Code, bind.Code.Node)})
		}
		for _, m := range o.Machines {
			b.machine(id, m)
		}
		for _, t := range o.Trees {
			b.tree(id, t)
		}
	}
}

// visible is the slot that a key means at an owner: of the nearest that has it.
func (b *builder) visible(owner, key string) (int, bool) {
	for _, o := range b.above(owner) {
		if i, ok := b.slots[slotKey{o, key}]; ok {
			return i, true
		}
	}
	return 0, false
}

func (b *builder) handler(id string, h scene.Code) {
	event := h.Name
	if !strings.HasPrefix(event, "ui:") { // a control by its id, as the author wrote it
		event = trait.FoldKey(event)
	}
	from := ""
	if h.From != nil {
		if segments := pathOf(h.From); len(segments) > 0 {
			if owner, n := b.find(id, segments); owner != "" {
				from = owner
				if n < len(segments) {
					event = segments[n]
				}
			} else if len(segments) == 1 && event == "" {
				event = segments[0]
			}
		}
	}
	fn := b.later(id, "on "+event, h, h.Node)
	if strings.HasPrefix(event, "ui:") && id != SceneOwner { // a control of the page, of a node's dialogue
		from = SceneOwner
	}
	if from != "" {
		b.p.Subscriptions = append(b.p.Subscriptions, Subscription{from, event, id, fn})
		return
	}
	b.p.Handlers = append(b.p.Handlers, Handler{id, event, fn})
}

func (b *builder) refuse(f *ast.File, n ast.Node, what string) {
	line, column := f.Stream.Source.Position(int(n.Span().Start))
	b.left = append(b.left, Unsupported{f.Path(), line, column, what, int(n.Span().Start), int(n.Span().End)})
}

// Owner is the id of the node or module with a name, or of a path of names
// joined by dots or slashes.
func (c *Compiled) Owner(name string) (string, bool) {
	if name == SceneOwner {
		return SceneOwner, true
	}
	for _, f := range c.Program.Functions {
		if f.Owner == "module:"+name {
			return f.Owner, true
		}
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '/' })
	for _, n := range c.Nodes {
		if c.Program.spawns(n.ID) {
			continue
		}
		if n.ID == name || n.Name == name || len(parts) > 0 && c.matches(n, parts) {
			return n.ID, true
		}
	}
	return "", false
}

// matches says whether a node and those above it have the names of a path.
func (c *Compiled) matches(n Info, parts []string) bool {
	if n.Name != parts[len(parts)-1] {
		return false
	}
	if len(parts) == 1 {
		return true
	}
	i := slices.IndexFunc(c.Nodes, func(o Info) bool { return o.ID == n.Parent })
	return i >= 0 && c.matches(c.Nodes[i], parts[:len(parts)-1])
}
