package lsp

import (
	"encoding/json"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

type signatureHelp struct {
	Signatures      []signature `json:"signatures"`
	ActiveSignature int         `json:"activeSignature"`
	ActiveParameter int         `json:"activeParameter"`
}

type signature struct {
	Label         string               `json:"label"`
	Documentation *markup              `json:"documentation,omitempty"`
	Parameters    []signatureParameter `json:"parameters"`
}

// signatureParameter is a parameter with its place in the label, in UTF-16 units.
type signatureParameter struct {
	Label         [2]int  `json:"label"`
	Documentation *markup `json:"documentation,omitempty"`
}

// newSignature is a signature of a head, its parameters and what follows them.
func newSignature(head string, params []string, tail string) signature {
	s := signature{Parameters: []signatureParameter{}}
	var b strings.Builder
	b.WriteString(head)
	at := units(head)
	for i, p := range params {
		if i > 0 {
			b.WriteString(", ")
			at += 2
		}
		b.WriteString(p)
		s.Parameters = append(s.Parameters, signatureParameter{Label: [2]int{at, at + units(p)}})
		at += units(p)
	}
	b.WriteString(tail)
	s.Label = b.String()
	return s
}

// units is the length of a text in UTF-16.
func units(text string) (n int) {
	for _, r := range text {
		n++
		if r >= 0x10000 {
			n++
		}
	}
	return n
}

// argument is the place of a cursor among the arguments of a call.
type argument struct {
	callee int    // token before the opening bracket
	open   int    // token of the bracket
	index  int    // among the arguments
	name   string // of an argument with a name
	bare   int    // arguments without a name before it
}

// signature says how the function or the trait around a place is called: functions
// of the file and of what it imports, of the library, and traits.
func (s *Server) signature(d *document, params json.RawMessage) (any, error) {
	var p positionParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &rpcError{Code: codeParams, Message: "the parameters cannot be read"}
	}
	offset := d.offset(p.Position)
	if s.inComment(d, offset) {
		return nil, nil
	}
	arg, ok := d.argumentAt(offset)
	if !ok {
		return nil, nil
	}
	toks := d.parsed().Stream.Tokens
	callee := toks[arg.callee]
	word := d.text[callee.Start:callee.End]
	known := s.around(d, offset)
	if callee.Kind == token.Trait {
		e, ok := known.Registry.Lookup(strings.TrimPrefix(word, "@"))
		if !ok || len(e.Params) == 0 {
			return nil, nil
		}
		return traitSignature(e, arg), nil
	}
	if callee.Kind != token.Ident || toks[arg.open].Kind != token.LParen {
		return nil, nil
	}
	var found []signature
	for _, sym := range s.called(d, known, arg.callee, offset) {
		if one, ok := s.symbolSignature(d, sym); ok {
			if doc := s.comment(d, sym); sym.File == d.path && doc != "" {
				one.Documentation = &markup{"markdown", doc}
			}
			found = append(found, one)
		}
	}
	if len(found) == 0 {
		if c, ok := check.LibraryCall(strings.Join(d.pathBefore(arg.callee), ".")); ok {
			tail := ")"
			if c.Result != "" {
				tail += ": " + c.Result
			}
			found = append(found, newSignature(c.Name+"(", c.Params, tail))
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	help := signatureHelp{Signatures: found, ActiveParameter: arg.index}
	if n := len(found[0].Parameters); n > 0 && arg.index >= n && strings.Contains(found[0].Label, "...") {
		help.ActiveParameter = n - 1 // it takes all that are left
	}
	return help, nil
}

// argumentAt finds the call around a place. Brackets of lists and objects are
// left behind outwards, bodies of functions end the search.
func (d *document) argumentAt(offset int) (argument, bool) {
	stream := d.parsed().Stream
	toks := stream.Tokens
	i := d.tokenBefore(offset)
	if i >= 0 && int(toks[i].End) > offset { // the cursor is in the middle of it
		i--
	}
	a := argument{}
	begins := func(i int) { // an argument
		switch named := d.isNamed(i) && int(toks[i+1].Start) < offset; {
		case !named && a.index > 0:
			a.bare++
		case named && a.index == 0:
			a.name = d.text[toks[i].Start:toks[i].End]
		}
	}
	for ; i >= 0; i-- {
		k := toks[i].Kind
		switch {
		case k.Closes() && stream.Partner[i] > 0 && int(stream.Partner[i]) < i:
			i = int(stream.Partner[i])
		case k == token.Comma || k == token.Semicolon:
			begins(i + 1)
			a.index++
		case k == token.Colon && a.index == 0 && a.name == "" && i > 0 && toks[i-1].Kind == token.Ident && toks[i-1].Flags&token.NewlineBefore != 0:
			if !strings.ContainsAny(d.text[toks[i-1].Start:offset], "\r\n") {
				a.name = d.text[toks[i-1].Start:toks[i-1].End]
			}
		case k == token.LBracket:
			a = argument{}
		case k == token.LParen || k == token.LBrace:
			if a.name == "" {
				begins(i + 1)
			}
			if i > 0 && d.calls(i) {
				a.callee, a.open = i-1, i
				return a, true
			}
			if k == token.LBrace && (i == 0 || !opensObject(toks[i-1].Kind)) {
				return a, false // a body
			}
			a = argument{}
		case k.Opens():
			return a, false
		}
	}
	return a, false
}

// calls says whether an opening bracket is that of a call, or of the arguments of a
// trait.
func (d *document) calls(open int) bool {
	t, before := d.parsed().Stream.Tokens[open], d.parsed().Stream.Tokens[open-1]
	if before.Kind == token.Trait {
		return t.Flags&token.NewlineBefore == 0
	}
	return t.Kind == token.LParen && before.Kind == token.Ident && before.End == t.Start
}

// opensObject says whether a brace behind a token is that of an object among
// arguments.
func opensObject(k token.Kind) bool {
	return k == token.Comma || k == token.LParen || k == token.LBracket || k == token.Colon
}

// isNamed says whether an argument that begins with a token has a name.
func (d *document) isNamed(i int) bool {
	toks := d.parsed().Stream.Tokens
	return i+1 < len(toks) && toks[i].Kind == token.Ident && toks[i+1].Kind == token.Colon
}

// tokenBefore is the last token that begins before an offset, -1 for none.
func (d *document) tokenBefore(offset int) int {
	toks := d.parsed().Stream.Tokens
	low, high := 0, len(toks)
	for low < high {
		mid := (low + high) / 2
		if int(toks[mid].Start) < offset {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low - 1
}

// pathBefore are the words of a path that ends with a token.
func (d *document) pathBefore(i int) []string {
	toks := d.parsed().Stream.Tokens
	out := []string{d.text[toks[i].Start:toks[i].End]}
	for i >= 2 && toks[i-1].Kind == token.Dot && toks[i-2].Kind == token.Ident && len(out) < maxPath {
		i -= 2
		out = append([]string{d.text[toks[i].Start:toks[i].End]}, out...)
	}
	return out
}

// called are the declarations that a call may mean, the nearest first; none for a
// declaration itself.
func (s *Server) called(d *document, known *check.Result, callee, offset int) []*check.Symbol {
	path := d.pathBefore(callee)
	name := path[len(path)-1]
	at := d.parsed().Stream.Tokens[callee].Start
	if len(path) == 1 {
		for _, sym := range known.Locals {
			if sym.Name == name {
				return []*check.Symbol{sym}
			}
		}
	}
	owner := ""
	if len(path) > 1 {
		owner = path[len(path)-2]
	}
	var best []*check.Symbol
	rank := -1
	for _, sym := range known.Symbols {
		if sym.Name != name || sym.Kind != check.Function && sym.Kind != check.Imported && sym.Kind != check.Variable && sym.Kind != check.Member {
			continue
		}
		if sym.At.Start == at && sym.File == d.path {
			return nil
		}
		r := 0
		switch parent := sym.Parent; {
		case owner == "this" || owner == "self" || owner == "":
			if parent == nil {
				r = 1
			} else if int(parent.Full.Start) <= offset && offset <= int(parent.Full.End) {
				r = 2 + int(parent.Full.Start) // the innermost body around the place
			}
		case parent != nil && parent.Name == owner:
			r = 1
		default:
			continue
		}
		switch {
		case r > rank:
			rank, best = r, []*check.Symbol{sym}
		case r == rank && len(best) < maxSignatures:
			best = append(best, sym)
		}
	}
	return best
}

// symbolSignature is how a declaration is called: by the line that describes it, or
// by the function that it is of.
func (s *Server) symbolSignature(d *document, sym *check.Symbol) (signature, bool) {
	if strings.Contains(sym.Detail, "(") {
		head, params, tail := splitSignature(sym.Detail)
		return newSignature(head, params, tail), true
	}
	if sym.File != d.path {
		return signature{}, false
	}
	for _, n := range d.nodesAt(int(sym.At.Start)) {
		if n.Span() != sym.Full {
			continue
		}
		switch n := n.(type) {
		case *ast.Declarator:
			return d.functionSignature(sym.Name, n.Value)
		case *ast.Property:
			return d.functionSignature(sym.Name, n.Value)
		case *ast.Func:
			return d.functionSignature(sym.Name, n)
		}
	}
	return signature{}, false
}

// functionSignature is how a function that stands in a document is called.
func (d *document) functionSignature(name string, n ast.Node) (signature, bool) {
	var params []*ast.Param
	var result ast.Node
	switch n := n.(type) {
	case *ast.Arrow:
		params, result = n.Params, n.Result
	case *ast.FuncLit:
		params, result = n.Params, n.Result
	case *ast.Func:
		params, result = n.Params, n.Result
	default:
		return signature{}, false
	}
	line := func(n ast.Node) string { return strings.Join(strings.Fields(d.parsed().Slice(n.Span())), " ") }
	labels := make([]string, len(params))
	for i, p := range params {
		labels[i] = line(p)
	}
	tail := ")"
	if result != nil {
		tail += ": " + line(result)
	}
	return newSignature(name+"(", labels, tail), true
}

// splitSignature parts f(a: number, b): string into f(, its parameters and the rest.
func splitSignature(text string) (head string, params []string, tail string) {
	open := strings.IndexByte(text, '(')
	depth, from := 0, open+1
	quote := byte(0)
	for i := open; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '(' || c == '[' || c == '{' || c == '<':
			depth++
		case c == '>' && text[i-1] == '=':
		case c == ')' || c == ']' || c == '}' || c == '>':
			if depth--; depth == 0 {
				if last := strings.TrimSpace(text[from:i]); last != "" {
					params = append(params, last)
				}
				return text[:open+1], params, text[i:]
			}
		case c == ',' && depth == 1:
			params = append(params, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	return text[:open+1], params, ")"
}

// traitSignature is how a trait is configured.
func traitSignature(e *trait.Entry, a argument) signatureHelp {
	labels := make([]string, len(e.Params))
	for i := range e.Params {
		p := &e.Params[i]
		labels[i] = p.Name + ": " + p.Type.String()
		if p.Default != nil {
			labels[i] += " = " + p.Default.Source()
		}
	}
	one := newSignature("@"+e.Name+"(", labels, ")")
	one.Documentation = &markup{"markdown", e.Summary}
	for i := range e.Params {
		one.Parameters[i].Documentation = &markup{"markdown", paramText(&e.Params[i], "parameter of `@"+e.Name+"`")}
	}
	help := signatureHelp{Signatures: []signature{one}, ActiveParameter: len(e.Params)}
	p, ok := e.Place(a.bare)
	if a.name != "" {
		p, ok = e.Param(a.name)
	}
	for i := range e.Params {
		if ok && &e.Params[i] == p {
			help.ActiveParameter = i
		}
	}
	return help
}
