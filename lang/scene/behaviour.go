package scene

import (
	"slices"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// Behaviour is everything of a source that happens. It points into the syntax
// trees; package run compiles it.
type Behaviour struct {
	Owners []Owner // the scene first, then nodes and modules in their order
	Wires  []Wire
	Runs   []Execute
	Tests  []Test
	Named  []Named
	// Scenes are the names of the compositions and scripts whose behaviour is the scene's.
	Scenes []string
	// Constants are those of const and let beside nodes and functions, parameters of
	// templates with a default, and templates that nothing is made from.
	Constants []Constant
	// Imports are those of Options.
	Imports map[string]map[string]Import
}

// Constant is one of Behaviour.Constants.
type Constant struct {
	Name string
	File *ast.File
	At   ast.Node
	from *trait.Origin
}

// Used says whether a value or code has asked for it. Code has when its program was
// compiled.
func (c Constant) Used() bool { return c.from == nil || c.from.Used }

// Import is what an imported name stands for: a declaration of another source,
// or a value.
type Import struct {
	File  string // path of the source that declares it, empty for a value
	Name  string // what it is called there
	Value Value  // of a data file, or the path of an asset from the root
}

// Owner is the scene, a node or a module with what belongs to it.
type Owner struct {
	Node      string // id of the node; empty for the scene and modules
	Name      string // of the node or the module
	Parent    string // id of the node above; empty for the scene. Of a part of a service the name of the block around it
	State     []Slot
	Computed  []Code
	Watches   []Code
	Functions []Code
	Handlers  []Code
	Machines  []Code
	Trees     []Code
	Binds     []Bind
	Persist   []string
	// Prototype is the template whose prototype the node belongs to, Params are the
	// parameters of the template with their defaults: what is spawned may set them.
	Prototype string
	Params    map[string]Value
	// Bodies are the blocks that the owner is written in: what code names of them and
	// nothing else declares is read there.
	Bodies []Code
}

// Named is a block of data that code may ask by its name, or by its kind where no
// other block is of it.
type Named struct {
	Name string
	Code Code
}

// Code is a named piece of the syntax tree with the names that are fixed where
// it stands.
type Code struct {
	Name string // of a function; the event of a handler; the key of computed and watch
	From ast.Node
	Node ast.Node
	File *ast.File

	scope *scope
}

// Const is the value of a name that is fixed where the code stands: a
// parameter of its template or a counter of @for.
func (c Code) Const(name string) (Value, bool) { return c.scope.lookup(name) }

// Owner is the node whose setting a bare name means: code may change it, so that it is a
// property of that node and no constant.
func (c Code) Owner(name string) (node string, ok bool) { return c.scope.owner(name) }

// Param says whether a name is a parameter of the template of the nearest node.
func (c Code) Param(name string) bool { return c.scope.param(name) }

// Slot is a state key with its first value.
type Slot struct {
	Key  string
	Init Value
	Code Code     // Node is the expression, nil for none
	Type ast.Node // as declared, nil for none
}

// Bind ties a property of a node to an expression on state.
type Bind struct {
	Property string
	Code     Code
}

// Wire is one connect. Owner is the id of the node in whose block it stands,
// empty at the top.
type Wire struct {
	Wire  *ast.Wire
	Owner string
	Code  Code
	turn  int // in the order of the source
}

// Execute is one execute, with the owner as of a Wire.
type Execute struct {
	Execute *ast.Execute
	Owner   string
	Code    Code
	turn    int
}

// flow passes on what connects and executes stand in a declaration.
func (b *builder) flow(d *decl, owner string) {
	for _, w := range d.wires {
		w.Owner = owner
		b.behaviour.Wires = append(b.behaviour.Wires, w)
	}
	for _, x := range d.runs {
		x.Owner = owner
		b.behaviour.Runs = append(b.behaviour.Runs, x)
	}
}

// Test is one @test, or a block that is one. Body is what stands in it.
type Test struct {
	Name string
	Body []ast.Node
	Code Code
}

// isTransition says whether a block is transition "a" -> "b".
func isTransition(n *ast.Block) bool {
	return n.BlockKind == "transition" && n.Name != nil && n.Heading().Arrow != nil
}

// machineOf makes a machine of the transitions that stand in a body: they belong to
// the machine that the body has, else to one of the body's own states.
func (g *gathering) machineOf(items []ast.Node) {
	if len(g.transitions) == 0 {
		return
	}
	body := &ast.Body{}
	machine := &ast.Block{BlockKind: "state_machine", Body: body}
	machine.At = g.transitions[0].Span()
	at := slices.IndexFunc(g.d.owner.Machines, func(c Code) bool { return c.File == g.s.file })
	if at >= 0 {
		if g.reserve(blockBytes) {
			body.Items = append(slices.Clone(machineItems(g.d.owner.Machines[at].Node)), g.transitions...)
			g.d.owner.Machines[at].Node = machine
		}
		return
	}
	for _, it := range items {
		switch it := it.(type) {
		case *ast.Property:
			switch it.Key.Name() {
			case "initial", "initial_state", "states":
				body.Items = append(body.Items, it)
			}
		case *ast.Block:
			if it.BlockKind == "states" {
				body.Items = append(body.Items, it)
			}
		}
	}
	body.Items = append(body.Items, g.transitions...)
	g.d.owner.Machines = append(g.d.owner.Machines, g.code("", machine))
}

// machineItems are the items of a machine, however it is written.
func machineItems(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case *ast.Block:
		if n.Body != nil {
			return n.Body.Items
		}
	case *ast.Property:
		if o, ok := n.Value.(*ast.Object); ok {
			return o.Body.Items
		}
	case *ast.Attribute:
		if n.Config != nil {
			return n.Config.Items
		}
		if n.Body != nil {
			return n.Body.Items
		}
	}
	return nil
}

// Empty says whether the owner has nothing.
func (o *Owner) Empty() bool {
	return len(o.State)+len(o.Computed)+len(o.Watches)+len(o.Functions)+len(o.Handlers)+len(o.Machines)+len(o.Trees)+len(o.Binds) == 0
}

// overlay lays the pieces of an instance over those of its template: a piece of
// the same name replaces the template's.
func (o *Owner) overlay(in *Owner) {
	for _, s := range in.State {
		if i := slices.IndexFunc(o.State, func(t Slot) bool { return t.Key == s.Key }); i >= 0 {
			o.State[i] = s
			continue
		}
		o.State = append(o.State, s)
	}
	o.Computed = replace(o.Computed, in.Computed)
	o.Watches = replace(o.Watches, in.Watches)
	o.Functions = replace(o.Functions, in.Functions)
	o.Handlers = replace(o.Handlers, in.Handlers)
	o.Machines = replace(o.Machines, in.Machines)
	o.Trees = replace(o.Trees, in.Trees)
	for _, b := range in.Binds {
		o.Binds = append(slices.DeleteFunc(o.Binds, func(t Bind) bool { return t.Property == b.Property }), b)
	}
	o.Persist = append(o.Persist, in.Persist...)
	o.Bodies = append(o.Bodies, in.Bodies...)
}

// replace drops the template's pieces whose names the instance has, and then
// appends the instance's: several handlers of one event stay together.
func replace(old, in []Code) []Code {
	taken := make(map[string]bool, len(in))
	for _, c := range in {
		taken[c.Name] = true
	}
	out := slices.DeleteFunc(old, func(c Code) bool { return taken[c.Name] })
	return append(out, in...)
}
