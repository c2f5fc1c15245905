package artefact

import (
	"bytes"
	"encoding/json"
	"math"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/scene"
)

// Glyph is a letter as triangles in a plane, capitals six high.
type Glyph struct {
	Width   float64
	Corners []float64 // x and y of three corners a triangle
}

// Glyphs are the letters that texts of a scene may need while its program runs:
// printable ASCII, and what else stands in a text or in the program. There are
// none where nothing is written.
func Glyphs(s *scene.Scene, program []byte) map[string]Glyph {
	out := map[string]Glyph{}
	used := ""
	for i := range s.Nodes {
		if t := s.Nodes[i].Text; t != nil {
			used += t.Value + " "
		}
	}
	if used == "" && !bytes.Contains(program, []byte(`"text"`)) && !bytes.Contains(program, []byte(`"set_text"`)) {
		return out
	}
	if len(program) > 0 {
		for r := rune('!'); r <= '~'; r++ {
			used += string(r)
		}
		var consts struct {
			Consts []any `json:"consts"`
		}
		if json.Unmarshal(program, &consts) == nil {
			for _, c := range consts.Consts {
				if s, ok := c.(string); ok {
					used += s
				}
			}
		}
	}
	for _, r := range used + "?" {
		if _, there := out[string(r)]; there || r <= ' ' {
			continue
		}
		const unit = 6 // a capital is so many steps of the grid high
		m, unknown := shape.Text(string(r), unit, 0, shape.Left)
		if unknown > 0 || len(m.Indices) == 0 {
			continue
		}
		g := Glyph{}
		g.Width, _ = shape.Extent(string(r), unit)
		for k := 0; k+2 < len(m.Indices); k += 3 {
			if m.Normals[m.Indices[k]][2] <= 0 {
				continue
			}
			for _, i := range m.Indices[k : k+3] {
				g.Corners = append(g.Corners, thousandth(m.Positions[i][0]), thousandth(m.Positions[i][1]))
			}
		}
		out[string(r)] = g
	}
	return out
}

func thousandth(x float32) float64 {
	return float64(int(float64(x)*1000+math.Copysign(0.5, float64(x)))) / 1000
}
