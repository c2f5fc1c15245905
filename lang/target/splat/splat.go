// Package splat writes the surfaces of a scene as clouds of Gaussian splats: flat
// ellipses on a fixed grid, in a PLY file as trained scenes have it, or in a glTF
// file with KHR_gaussian_splatting.
package splat

import (
	"fmt"
	"math"
	"slices"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// MaxSplats is the most splats of an artefact (LIM006): 68 bytes each in PLY.
const MaxSplats = 2_000_000

// wanted is about how many splats a scene becomes, by its quality.
var wanted = map[string]float64{"draft": 15_000, "production": 60_000, "archival": 250_000}

const (
	perSolid = 64   // splats that the smallest solid has about
	maxCells = 1024 // of the grid of a solid along its longest side
	thick    = 0.02 // of a splat, in cells of its grid
	spread   = 0.6  // standard deviation of a splat, in cells: neighbours blend without a gap
)

// Splat is one of them. Scale are standard deviations along the axes that
// Rotation (x, y, z, w) turns to; the last is across the surface.
type Splat struct {
	At       [3]float32
	Normal   [3]float32
	Color    [3]float32 // as sRGB, 0 to 1
	Opacity  float32    // 0 to 1
	Scale    [3]float32
	Rotation [4]float32
}

// Cloud makes scene.ply, or scene.gltf and scene.bin with the option format.
func Cloud(in *artefact.Input) (*artefact.Output, error) {
	tally := artefact.NewTally(in)
	list := artefact.Solids(in, func(n *scene.Node) {
		tally.Drop(artefact.Models, n, "model files are not made into splats")
	})
	solids := make([]solid, 0, len(list))
	total := 0.0
	for i := range list {
		s, ok := measure(in.Scene, &list[i])
		if !ok {
			tally.Drop(artefact.Geometry, list[i].Node, "a surface without an area, or farther away than a number tells, has no splats")
			continue
		}
		total += s.area
		solids = append(solids, s)
	}
	if len(solids) == 0 {
		return nil, artefact.Nothing(in.Target, "at least one solid")
	}
	cell := math.Sqrt(total / wanted[in.Options.Text("quality")])
	out := &artefact.Output{}
	var splats []Splat
	for i := range solids {
		s := &solids[i]
		if s.Color == "" {
			out.Places = append(out.Places, artefact.Place{ID: s.Node.ID, Place: fmt.Sprintf("splat %d", len(splats))})
		}
		in.Pause()
		splats = s.sample(splats, min(cell, math.Sqrt(s.area/perSolid)))
		if len(splats) > MaxSplats {
			return nil, &artefact.Fault{Code: "LIM006", Slots: []string{"the number of splats", fmt.Sprint(len(splats)), fmt.Sprint(MaxSplats)}}
		}
	}
	var err error
	if in.Options.Text("format") == "gltf" {
		out.Files, err = gltfFiles(in, splats)
	} else {
		out.Files = []artefact.File{{Path: "scene.ply", MediaType: "application/octet-stream", Data: ply(in, splats)}}
	}
	out.Losses = tally.All()
	return out, err
}

// solid is a mesh in the world with how it looks.
type solid struct {
	*artefact.Solid
	corners []vec.Vec
	area    float64
	size    float64 // of its longest side along an axis of the world
	width   float64 // the second of its own sides: a pole is as wide as thick
	color   [3]float32
	opacity float32
}

// far is where single precision gets too coarse for a surface, in metres.
const far = 1e6

// measure takes a solid to the world. It is false for one without an area or out
// of range.
func measure(sc *scene.Scene, in *artefact.Solid) (solid, bool) {
	s := solid{Solid: in}
	least, most := vec.At(far, far, far), vec.At(-far, -far, -far)
	for _, p := range in.Mesh.Positions {
		w := in.World.Point(vec.At(float64(p[0]), float64(p[1]), float64(p[2])))
		if !w.Finite() || max(math.Abs(w.X), math.Abs(w.Y), math.Abs(w.Z)) > far {
			return s, false
		}
		s.corners = append(s.corners, w)
		least, most = least.Min(w), most.Max(w)
	}
	for i := 0; i+2 < len(in.Mesh.Indices); i += 3 {
		a, b, c := s.triangle(i)
		s.area += b.Sub(a).Cross(c.Sub(a)).Len() / 2
	}
	d := most.Sub(least)
	s.size, s.width = max(d.X, d.Y, d.Z), width(in)
	hex, opacity := in.Color, 1.0
	m := &sc.Materials[*in.Node.Material]
	if hex == "" {
		hex = m.BaseColor
		opacity = float64(scene.RGBA(hex)[3]) / 255
	}
	base := scene.RGBA(hex)
	for k := range s.color {
		light := scene.Linear(base[k])
		if m.Emissive != "" && in.Color == "" { // what glows looks lit
			light += float64(scene.Linear(scene.RGBA(m.Emissive)[k]) * float64(m.EmissiveIntensity))
		}
		s.color[k] = float32(encoded(light))
	}
	s.opacity = float32(min(max(opacity, 1.0/255), 0.99))
	return s, s.area > 0 && s.area < far*far && s.size > 0
}

// encoded is the sRGB value nearest to a light, by the table that all targets
// share.
func encoded(light float64) float64 {
	low, high := 0, 255
	for low < high {
		mid := (low + high) / 2
		if scene.Linear(uint8(mid)) < light {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low > 0 && light-scene.Linear(uint8(low-1)) < scene.Linear(uint8(low))-light {
		low--
	}
	return float64(low) / 255
}

// width is the second of the three sides of a mesh as it stands in the world.
func width(in *artefact.Solid) float64 {
	var low, high [3]float64
	for i, p := range in.Mesh.Positions {
		for k := range p {
			x := float64(p[k])
			if i == 0 {
				low[k], high[k] = x, x
			}
			low[k], high[k] = min(low[k], x), max(high[k], x)
		}
	}
	m := &in.World
	sides := []float64{
		m.Dir(vec.At(high[0]-low[0], 0, 0)).Len(), m.Dir(vec.At(0, high[1]-low[1], 0)).Len(), m.Dir(vec.At(0, 0, high[2]-low[2])).Len(),
	}
	slices.Sort(sides)
	return sides[1]
}

func (s *solid) triangle(i int) (a, b, c vec.Vec) {
	x := s.Mesh.Indices
	return s.corners[x[i]], s.corners[x[i+1]], s.corners[x[i+2]]
}
