package check

import (
	"strconv"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
)

// convert gives a finding the fix that spells a literal in the wanted type,
// when that loses nothing.
func (c *checker) convert(f *diag.Finding, v ast.Node, found, want *Type) {
	if found == nil || found.form != literal || want == nil {
		return
	}
	var text string
	want = c.look(want)
	switch {
	case want == nil:
		return
	case want.form == numberType && found.base.form == textType:
		n, err := strconv.ParseFloat(found.name, 64)
		if err != nil || strconv.FormatFloat(n, 'f', -1, 64) != found.name {
			return
		}
		text = found.name
	case want.form == boolType && found.base.form == textType && (found.name == "true" || found.name == "false"):
		text = found.name
	case want.form == textType && found.base.form != textType:
		text = strconv.Quote(found.name)
	case want.form == listType && c.fits(found, want.elem):
		text = "[" + c.f.Slice(v.Span()) + "]"
	default:
		return
	}
	at := v.Span()
	f.Suggest(text).Fix("Replace with '"+text+"'", int(at.Start), int(at.End), text)
}
