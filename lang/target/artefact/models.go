package artefact

import (
	"strings"

	"github.com/meshd/meshd/lang/picture/staging"
	"github.com/meshd/meshd/lang/scene"
)

// PageLosses are the losses of a page: model files of a kind that it does not show,
// and the floor that is put under what would fall out of the picture.
func PageLosses(in *Input) []scene.Loss {
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
	if i := staging.Falls(in.Scene); i >= 0 {
		t.Approximate(Physics, &in.Scene.Nodes[i], "nothing is under what falls, so that a floor that is not seen is put there")
	}
	return t.All()
}
