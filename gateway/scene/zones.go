package scene

import (
	"context"
	"math"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/zone/bounds"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
)

// Zones are the boxes around the zones of a source, in the world, by their names as zones
// are called: small, with - for spaces. Of two zones of one name it is the first.
func (s *Service) Zones(ctx context.Context, format ast.Format, source string) (map[string]bounds.Box, error) {
	var boxes map[string]bounds.Box
	err := s.work.Do(ctx, compileTime, reason.CompileTimeout, func(step func() error) error {
		built, _, err := target.Scene(target.Load(nil, "scene."+format.String(), []byte(source), format), serverLimits, step)
		if err != nil {
			return err
		}
		boxes = zonesOf(built)
		return nil
	})
	if err != nil {
		return nil, compileRefusal(err)
	}
	return boxes, nil
}

func zonesOf(s *scene.Scene) map[string]bounds.Box {
	out := map[string]bounds.Box{}
	world := artefact.World(s)
	for i, n := range s.Nodes {
		name := strings.Join(strings.Fields(strings.ToLower(n.Name)), "-")
		if _, twice := out[name]; twice || n.Kind != "zone" || n.Collider == nil {
			continue
		}
		if b := around(&world[i], n.Collider); b.Check() == nil {
			out[name] = b
		}
	}
	return out
}

// around is the box around a collider in the world.
func around(world *vec.Mat, c *scene.Collider) bounds.Box {
	b := bounds.Box{Min: bounds.Point{math.Inf(1), math.Inf(1), math.Inf(1)}, Max: bounds.Point{math.Inf(-1), math.Inf(-1), math.Inf(-1)}}
	for corner := range 8 {
		var local [3]float64
		for d := range local {
			local[d] = c.Center[d] - c.Size[d]/2
			if corner>>d&1 == 1 {
				local[d] += c.Size[d]
			}
		}
		p := world.Point(vec.At(local[0], local[1], local[2]))
		for d, x := range [3]float64{p.X, p.Y, p.Z} {
			b.Min[d], b.Max[d] = min(b.Min[d], x), max(b.Max[d], x)
		}
	}
	return b
}
