package run

import (
	"maps"
	"slices"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// dataKey is a name in a file.
type dataKey struct{ file, name string }

// maxBorrowed is how deep imported constants may name each other.
const maxBorrowed = 32

func (b *builder) imports(f *ast.File) map[string]scene.Import {
	return b.scene.Behaviour.Imports[f.Path()]
}

// imported gives the lists and objects of data files slots of the scene, made
// before all others, whose first values may read them. Nothing can name such a
// slot but the import, whose file stands in its key.
func (b *builder) imported() {
	for _, f := range b.files {
		for _, name := range slices.Sorted(maps.Keys(b.imports(f))) {
			im := b.imports(f)[name]
			if im.Value.Kind != trait.List && im.Value.Kind != trait.Map {
				continue
			}
			key := "import " + name + " " + f.Path()
			b.data[dataKey{f.Path(), name}] = len(b.p.State)
			m := &maker{builder: b, owner: SceneOwner, code: scene.Code{Name: key, File: f}}
			m.fn = Function{Name: key, Owner: SceneOwner, Lines: [][3]int{}}
			m.literal(im.Value)
			m.op(opRet)
			b.p.State = append(b.p.State, Slot{Owner: SceneOwner, Key: key, Init: Init{Fn: len(b.p.Functions)}})
			b.p.Functions = append(b.p.Functions, m.fn)
		}
	}
}
