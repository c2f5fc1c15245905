// Package switches rewrites Go files so that each refusal in them can be turned off by its
// number.
package switches

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// A Site is one switch.
type Site struct {
	file string
	line int
	fn   string
	what string // the source of the refusal, or the field and what of it
}

// String names a switch with its line.
func (s Site) String() string { return fmt.Sprintf("%s:%d %s: %s", s.file, s.line, s.fn, s.what) }

// Key names a switch without its line, which edits move.
func (s Site) Key() string { return fmt.Sprintf("%s %s: %s", s.file, s.fn, s.what) }

// Switches of one place in the source have numbers from place·perPlace on.
const perPlace = 64

type edit struct {
	from, to int
	text     string
}

// Maker rewrites files and remembers the switches it made.
type Maker struct {
	Sites  map[int]Site
	places int

	forms map[string][]form // what the methods of row in crdt/body can refuse
}

// A form is one refusal inside of a method of row.
type form struct {
	number int
	what   string
	need   bool // refuses the absence of a required key
}

// refusers are the functions whose result is a refusal, by name.
var refusers = map[string]bool{
	"reason.Refuse": true, "refuse": true, "bad": true, "missing": true, "noIdentity": true, "bodyMissing": true, "badRotation": true,
}

// helpers make refusals for others; the switch lies with who asks.
var helpers = map[string]bool{"refuse": true, "bad": true, "missing": true, "noIdentity": true, "bodyMissing": true, "badRotation": true, "refusal": true, "fail": true, "Error": true,
	// These write.
	"Encode": true, "encode": true, "SealHybrid": true, "MarshalRecord": true, "Seal": true, "pack": true, "write": true,
}

var errName = regexp.MustCompile(`^err[A-Z]\w*$|^Err[A-Z]\w*$`)

const rowFile = "crdt/body/row.go"

// Rewrite returns a file with switches in it; changed is false when it has none.
func (m *Maker) Rewrite(file string) (out []byte, changed bool, err error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, false, err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.ParseComments)
	if err != nil {
		return nil, false, err
	}
	if filepath.Dir(file) == "crdt/body" && m.forms == nil {
		if m.forms, err = rowForms(rowFile); err != nil {
			return nil, false, err
		}
	}
	w := &walker{Maker: m, file: file, src: src, fset: fset, guarded: map[ast.Expr]bool{}, row: file == rowFile, body: filepath.Dir(file) == "crdt/body"}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || helpers[fn.Name.Name] {
			continue
		}
		w.fn = fn.Name.Name
		ast.Inspect(fn.Body, w.visit)
	}
	if len(w.edits) == 0 {
		return nil, false, nil
	}
	at := w.offset(f.Name.End())
	w.edits = append(w.edits, edit{at, at, "\n\nimport \"github.com/meshd/meshd/internal/mutant\"\n"})
	if w.row {
		w.edits = append(w.edits, edit{len(src), len(src), "\nfunc (r *row) at(n int) *row { r.base = n; return r }\n"})
		i := bytes.Index(src, []byte("type row struct {")) + len("type row struct {")
		w.edits = append(w.edits, edit{i, i, "\n\tbase int\n"})
	}
	return apply(src, w.edits), true, nil
}

// apply makes edits, the outer of two nested ones around the inner.
func apply(src []byte, edits []edit) []byte {
	type insert struct {
		at, order int
		text      string
	}
	var ins []insert
	for i, e := range edits {
		before, after, wraps := strings.Cut(e.text, "\x00")
		ins = append(ins, insert{e.from, i, before})
		if wraps {
			ins = append(ins, insert{e.to, -i, after})
		}
	}
	sort.SliceStable(ins, func(a, b int) bool {
		if ins[a].at != ins[b].at {
			return ins[a].at < ins[b].at
		}
		return ins[a].order < ins[b].order
	})
	var out bytes.Buffer
	last := 0
	for _, n := range ins {
		out.Write(src[last:n.at])
		out.WriteString(n.text)
		last = n.at
	}
	out.Write(src[last:])
	return out.Bytes()
}

type walker struct {
	*Maker
	file      string
	src       []byte
	fset      *token.FileSet
	fn        string
	row, body bool
	edits     []edit
	number    int // of the last form in row.go
	guarded   map[ast.Expr]bool
}

func (w *walker) offset(p token.Pos) int { return w.fset.Position(p).Offset }

func (w *walker) text(n ast.Node) string {
	return strings.Join(strings.Fields(string(w.src[w.offset(n.Pos()):w.offset(n.End())])), " ")
}

// site makes the switch number k of place for the node n.
func (w *walker) site(place, k int, n ast.Node, what string) int {
	id := place*perPlace + k
	w.Sites[id] = Site{w.file, w.fset.Position(n.Pos()).Line, w.fn, what}
	return id
}

func (w *walker) place() int { w.places++; return w.places }

// visit sees every node of a function.
func (w *walker) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		if e := w.onlyRefuses(n); e != nil {
			w.guarded[e] = true
			w.edits = append(w.edits, edit{w.offset(n.Cond.Pos()), w.offset(n.Cond.End()), "(\x00) && !mutant.Off(" + w.where(e, w.text(e)) + ")"})
		}
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			if w.refuses(e) && !w.guarded[e] {
				w.wrap(e)
			}
		}
	case *ast.AssignStmt:
		if n.Tok == token.ASSIGN {
			for _, e := range n.Rhs {
				if id, ok := e.(*ast.Ident); ok && errName.MatchString(id.Name) {
					w.wrap(e)
				}
			}
		}
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && w.body {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "fail" {
				w.guard(n)
			}
		}
	case *ast.CallExpr:
		if w.body && !w.row {
			w.fieldCall(n)
		}
		switch w.text(n.Fun) {
		case "readIDs", "idsField", "readWords":
			w.limit(n.Args[1])
		}
	}
	return true
}

// onlyRefuses returns the refusal of an if statement that does nothing else.
func (w *walker) onlyRefuses(n *ast.IfStmt) ast.Expr {
	if n.Else != nil || len(n.Body.List) != 1 {
		return nil
	}
	r, ok := n.Body.List[0].(*ast.ReturnStmt)
	if !ok {
		return nil
	}
	for _, e := range r.Results {
		if w.refuses(e) {
			return e
		}
	}
	return nil
}

func (w *walker) refuses(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return errName.MatchString(e.Name) || w.row && e.Name == "err"
	case *ast.SelectorExpr:
		return errName.MatchString(e.Sel.Name) && w.text(e.X) == "did"
	case *ast.CallExpr:
		if sel, ok := e.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "With" {
			return w.refuses(sel.X)
		}
		// Elsewhere these say that the program itself is at fault.
		return refusers[w.text(e.Fun)] || w.text(e.Fun) == "fmt.Errorf" && (w.body || filepath.Base(w.file) == "space.go" || strings.HasPrefix(w.file, "p2p/"))
	case *ast.CompositeLit:
		return w.text(e.Type) == "keyError"
	}
	return false
}

// where is the expression that numbers a switch: a constant, but inside of row,
// where it depends on who called.
func (w *walker) where(n ast.Node, what string) string {
	if w.row {
		w.number++
		return fmt.Sprintf("r.base*%d+%d", perPlace, w.number)
	}
	return fmt.Sprint(w.site(w.place(), 0, n, what))
}

func (w *walker) wrap(e ast.Expr) {
	w.edits = append(w.edits, edit{w.offset(e.Pos()), w.offset(e.End()), "mutant.Err(" + w.where(e, w.text(e)) + ", \x00)"})
}

func (w *walker) guard(n ast.Stmt) {
	w.edits = append(w.edits, edit{w.offset(n.Pos()), w.offset(n.End()), "if !mutant.Off(" + w.where(n, w.text(n)) + ") { \x00 }"})
}

// fieldCall numbers a call that reads one field of a body, and its limits.
func (w *walker) fieldCall(call *ast.CallExpr) {
	name, args := "", call.Args
	var receiver ast.Node
	switch fun := call.Fun.(type) {
	case *ast.SelectorExpr:
		if x, ok := fun.X.(*ast.Ident); ok && (x.Name == "r" || x.Name == "s") {
			name, receiver = fun.Sel.Name, x
		}
	case *ast.IndexExpr:
		if x, ok := fun.X.(*ast.Ident); ok && x.Name == "get" && len(args) > 1 {
			name, receiver, args = "get", args[0], args[1:]
		}
	}
	forms, ok := w.forms[name]
	if !ok || len(args) == 0 {
		return
	}
	place := w.place()
	w.edits = append(w.edits, edit{w.offset(receiver.End()), w.offset(receiver.End()), fmt.Sprintf(".at(%d)", place)})
	key := w.text(args[0])
	optional := len(args) > 1 && w.text(args[1]) == "optional" || name == "natural" || name == "controllers"
	for _, f := range forms {
		if !f.need || !optional {
			w.site(place, f.number, call, key+" "+f.what)
		}
	}
	for i := 2; i < len(args) && name != "word"; i++ {
		if _, isFunc := args[i].(*ast.FuncLit); isFunc {
			continue
		}
		id := w.site(place, 30+2*i, call, fmt.Sprintf("%s limit %s one more", key, w.text(args[i])))
		if w.text(args[i]) != "0" {
			w.site(place, 31+2*i, call, fmt.Sprintf("%s limit %s one less", key, w.text(args[i])))
		}
		typ := "int"
		if name == "integer" {
			typ = "int64"
		}
		w.edits = append(w.edits, edit{w.offset(args[i].Pos()), w.offset(args[i].End()), fmt.Sprintf("mutant.Num[%s](%d, \x00)", typ, id)})
	}
}

// limit makes a limit one more or one less.
func (w *walker) limit(e ast.Expr) {
	place := w.place()
	id := w.site(place, 0, e, w.text(e)+" one more")
	w.site(place, 1, e, w.text(e)+" one less")
	w.edits = append(w.edits, edit{w.offset(e.Pos()), w.offset(e.End()), fmt.Sprintf("mutant.Num[int](%d, \x00)", id)})
}

// rowForms reads which refusals each method of row comes by: its own and those
// of the methods it calls. They are numbered as rewrite numbers them.
func rowForms(file string) (map[string][]form, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, 0)
	if err != nil {
		return nil, err
	}
	w := &walker{Maker: &Maker{Sites: map[int]Site{}}, file: file, src: src, fset: fset, guarded: map[ast.Expr]bool{}, row: true, body: true}
	own, calls := map[string][]form{}, map[string][]string{}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || helpers[fn.Name.Name] {
			continue
		}
		name := fn.Name.Name
		isForm := name == "get" || fn.Recv != nil
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			before := w.number
			w.visit(n)
			for k := before + 1; k <= w.number; k++ {
				what := w.text(n)
				if i, ok := n.(*ast.IfStmt); ok {
					what = w.text(w.onlyRefuses(i))
				}
				own[name] = append(own[name], form{k, what, strings.Contains(what, `"missing"`)})
			}
			if call, ok := n.(*ast.CallExpr); ok {
				switch fun := call.Fun.(type) {
				case *ast.SelectorExpr:
					if x, ok := fun.X.(*ast.Ident); ok && x.Name == "r" {
						calls[name] = append(calls[name], fun.Sel.Name)
					}
				case *ast.IndexExpr:
					if x, ok := fun.X.(*ast.Ident); ok && x.Name == "get" {
						calls[name] = append(calls[name], "get")
					}
				}
			}
			return true
		})
		if isForm {
			calls[name] = append(calls[name], "")
		}
	}
	out := map[string][]form{}
	for name := range calls {
		seen := map[string]bool{}
		var collect func(string)
		collect = func(n string) {
			if seen[n] {
				return
			}
			seen[n] = true
			out[name] = append(out[name], own[n]...)
			for _, c := range calls[n] {
				collect(c)
			}
		}
		collect(name)
	}
	for _, name := range []string{"has", "refusal", "fail", "parse", "encode", "at"} {
		delete(out, name)
	}
	return out, nil
}
