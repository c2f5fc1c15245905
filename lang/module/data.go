package module

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// Spec is the specifier that an import writes: a dotted path is one with
// slashes; empty for what is none.
func Spec(n ast.Node) string {
	switch n := n.(type) {
	case *ast.String:
		return n.Value()
	case *ast.Path:
		return strings.ReplaceAll(n.Raw, ".", "/")
	case *ast.Ident:
		return n.Name
	}
	return ""
}

// Data is what an import of a data file brings: the value of a .json, the text
// of any other. It is read anew each time. An error says what is wrong with the
// content, or that the file cannot be read.
func (p *Project) Data(name string) (trait.Value, error) {
	raw, err := readFile(p.fsys, name, MaxData)
	if err != nil {
		return trait.Value{}, err
	}
	if !utf8.Valid(raw) {
		return trait.Value{}, errors.New("the text is not UTF-8")
	}
	text := strings.TrimPrefix(string(raw), "\uFEFF")
	if strings.ToLower(path.Ext(name)) != ".json" {
		return trait.Value{Kind: trait.Text, Str: text}, nil
	}
	var v trait.Value
	if err := v.UnmarshalJSON([]byte(text)); err != nil {
		var at *json.SyntaxError
		if errors.As(err, &at) {
			return v, fmt.Errorf("line %d: %w", 1+strings.Count(text[:min(int(at.Offset), len(text))], "\n"), err)
		}
		return v, err
	}
	if n := count(v, MaxDataDepth); n < 0 || n > MaxDataValues {
		return trait.Value{}, fmt.Errorf("more than %d values, or nested deeper than %d", MaxDataValues, MaxDataDepth)
	}
	return v, nil
}

// count is the number of values and keys in a value, negative when it is nested
// deeper than depth.
func count(v trait.Value, depth int) int {
	if depth < 0 {
		return -1
	}
	n := 1
	add := func(in trait.Value) bool {
		c := count(in, depth-1)
		n += c
		return c >= 0
	}
	for _, e := range v.List {
		if !add(e) {
			return -1
		}
	}
	for _, f := range v.Fields {
		if n++; !add(f.Value) {
			return -1
		}
	}
	return n
}
