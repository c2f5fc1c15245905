package parse

import (
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// Whatever the bytes, the parser ends with a valid tree, which has a JSON form.
func FuzzParse(f *testing.F) {
	for _, s := range samples(f) {
		f.Add([]byte(s.text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) > 1<<16 {
			return
		}
		file, found := parseSource(token.Decode("main.holo", raw), ast.Holo)
		checkTree(t, file, found)
		ast.AppendJSON(nil, file)
	})
}
