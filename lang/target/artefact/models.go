package artefact

import (
	"strings"

	"github.com/meshd/meshd/lang/scene"
)

// UnshownModels are the losses of a page: model files of a kind that it does
// not show.
func UnshownModels(in *Input) []scene.Loss {
	t := NewTally(in)
	for i := range in.Scene.Nodes {
		n := &in.Scene.Nodes[i]
		if n.Geometry == nil {
			continue
		}
		g := &in.Scene.Geometries[*n.Geometry]
		if g.Kind != "model" || g.Asset == nil {
			continue
		}
		if strings.HasPrefix(in.Scene.Assets[*g.Asset].MediaType, "model/vnd.usd") {
			t.Drop(Models, n, "USD files are not shown in a page; glTF, OBJ and STL files are")
		}
	}
	return t.All()
}
