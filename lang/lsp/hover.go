package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// hover describes what stands at a place: a trait, a parameter or a setting, a block
// kind, or a name with its declaration.
func (s *Server) hover(d *document, params json.RawMessage) (any, error) {
	var p positionParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &rpcError{Code: codeParams, Message: "the parameters cannot be read"}
	}
	offset := d.offset(p.Position)
	i := d.tokenAt(offset)
	if i < 0 {
		return nil, nil
	}
	t := d.parsed().Stream.Tokens[i]
	word := d.text[t.Start:t.End]
	nodes := d.nodesAt(offset)
	show := func(text string) (any, error) {
		return hover{markup{"markdown", text}, d.tokenSpan(token.Span{Start: t.Start, End: t.End})}, nil
	}
	registry := s.judged(d).Registry
	if t.Kind == token.Trait {
		if e, ok := registry.Explain(strings.TrimPrefix(word, "@")); ok {
			return show(traitText(e))
		}
		return show("`" + word + "`\n\nNo trait of this name is known. It is kept as data.")
	}
	for k := len(nodes) - 1; k >= 0; k-- {
		key, ok := nodes[k].(*ast.Key)
		if !ok {
			continue
		}
		if e, ok := traitAround(nodes[:k], offset, registry); ok {
			if param, ok := e.Param(key.Name()); ok {
				return show(paramText(param, "parameter of `@"+e.Name+"`"))
			}
		}
		kind := blockAround(nodes[:k], offset)
		for _, param := range check.Settings(kind) {
			if trait.FoldKey(param.Name) == trait.FoldKey(key.Name()) {
				return show(paramText(&param, "setting of `"+kind+"`"))
			}
		}
	}
	if sym, _ := s.symbolAt(d, offset); sym != nil {
		text := "```\n" + sym.Detail + "\n```"
		if kind := sym.Type(); kind != "any" && sym.Kind != check.Function && sym.Kind != check.TypeDecl {
			text = "```\n" + sym.Detail + ": " + kind + "\n```"
		}
		if sym.File != d.path {
			text += "\n\nfrom `" + sym.File + "`"
		} else if doc := s.comment(d, sym); doc != "" {
			text += "\n\n" + doc
		}
		return show(text)
	}
	if b, ok := innermostBlock(nodes); ok && b.BlockKind == word && slices.Contains(check.Kinds(), word) {
		var keys []string
		for _, param := range check.Settings(word) {
			keys = append(keys, "`"+param.Name+"`")
		}
		text := "block `" + word + "`"
		if len(keys) > 0 {
			text += "\n\nsettings: " + strings.Join(keys, ", ")
		}
		return show(text)
	}
	return nil, nil
}

func innermostBlock(nodes []ast.Node) (*ast.Block, bool) {
	for i := len(nodes) - 1; i >= 0; i-- {
		if b, ok := nodes[i].(*ast.Block); ok {
			return b, true
		}
	}
	return nil, false
}

// comment is what the author wrote before a declaration.
func (s *Server) comment(d *document, sym *check.Symbol) string {
	for _, n := range d.nodesAt(int(sym.At.Start)) {
		if n.Span() != sym.Full {
			continue
		}
		if c := d.parsed().Comments(n); c != nil && len(c.Leading) > 0 {
			var lines []string
			for _, one := range c.Leading {
				lines = append(lines, d.parsed().CommentText(one))
			}
			return strings.Join(lines, "\n")
		}
	}
	return ""
}

func traitText(e trait.Explanation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "`@%s` · %s\n\n%s\n", e.Name, e.Category, e.Summary)
	for _, p := range e.Params {
		fmt.Fprintf(&b, "\n- `%s`: %s", p.Name, p.Type.String())
		if p.Default != nil {
			fmt.Fprintf(&b, " = `%s`", p.Default.Source())
		}
	}
	for _, r := range e.Requires {
		fmt.Fprintf(&b, "\n\nneeds one of `@%s`", strings.Join(r, "`, `@"))
	}
	if len(e.Conflicts) > 0 {
		fmt.Fprintf(&b, "\n\nexcludes `@%s`", strings.Join(e.Conflicts, "`, `@"))
	}
	return b.String()
}

func paramText(p *trait.Param, what string) string {
	text := "`" + p.Name + "`: " + p.Type.String()
	if p.Unit != "" {
		text += " in " + p.Unit
	}
	if p.Default != nil {
		text += " = `" + p.Default.Source() + "`"
	}
	text += "\n\n" + what
	if len(p.Values) > 0 {
		var values []string
		for _, v := range p.Values {
			values = append(values, "`"+v.Source()+"`")
		}
		text += "\n\none of " + strings.Join(values, ", ")
	}
	if p.Min != nil {
		text += fmt.Sprintf("\n\nat least %v", *p.Min)
	}
	if p.Max != nil {
		text += fmt.Sprintf("\n\nat most %v", *p.Max)
	}
	if p.Doc != "" {
		text += "\n\n" + p.Doc
	}
	return text
}
