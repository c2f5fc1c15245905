package target_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
)

// BenchmarkThousandObjects is a scene of 1,000 objects from text to a page.
func BenchmarkThousandObjects(b *testing.B) {
	var source strings.Builder
	source.WriteString("composition \"Many\" {\n")
	for i := range 1000 {
		fmt.Fprintf(&source, "  object \"Thing %d\" @clickable { geometry: \"box\" position: [%d, 0, %d] color: \"#%06x\" }\n", i, i%40, i/40, i*977%0xffffff)
	}
	source.WriteString("}\n")
	raw := []byte(source.String())
	for _, id := range []string{"html", "glb"} {
		b.Run(id, func(b *testing.B) {
			for b.Loop() {
				if _, err := target.Compile(target.Load(nil, "main.holo", raw, ast.Holo), target.Request{Target: id}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
