package run

import (
	"math"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// infos are the nodes as a machine has to know them.
func infos(s *scene.Scene) []Info {
	var out []Info
	for i := range s.Nodes {
		n := &s.Nodes[i]
		info := Info{ID: n.ID, Name: n.Name, Props: NewObject(
			"kind", n.Kind, "visible", bool(n.Visible),
			"position", vector(n.T[:]), "rotation", vector(euler(n.R)), "scale", vector(n.S[:]),
		)}
		if n.Material != nil {
			m := &s.Materials[*n.Material]
			info.Props.put("color", colorOf(m.BaseColor))
			info.Props.put("opacity", opacityOf(m.BaseColor))
			info.Props.put("emissive_intensity", float64(m.EmissiveIntensity))
		}
		if n.Light != nil {
			info.Props.put("color", colorOf(n.Light.Color))
			info.Props.put("intensity", float64(n.Light.Intensity))
		}
		if n.Parent >= 0 {
			info.Parent = s.Nodes[n.Parent].ID
		}
		if n.Text != nil {
			info.Props.put("text", n.Text.Value)
		}
		if n.Extras.Kind == trait.Map {
			for _, f := range n.Extras.Fields {
				info.Props.put(f.Key, fromTrait(f.Value))
			}
		}
		out = append(out, info)
	}
	return out
}

// colorOf is a colour without its alpha, opacityOf the alpha to a thousandth.
func colorOf(rgba string) string {
	if rgba == "" {
		return "#ffffff"
	}
	return rgba[:min(7, len(rgba))]
}

func opacityOf(rgba string) float64 {
	a, err := strconv.ParseUint(strings.TrimPrefix(rgba, colorOf(rgba)), 16, 8)
	if err != nil {
		return 1
	}
	return math.Floor(float64(a)/255*1000+0.5) / 1000
}

// euler are the degrees of a unit quaternion, Rx·Ry·Rz, to a thousandth.
func euler(r scene.Quat) []float64 {
	x, y, z, w := r[0], r[1], r[2], r[3]
	m13, m23, m33 := 2*(float64(x*z)+float64(w*y)), 2*(float64(y*z)-float64(w*x)), 1-2*(float64(x*x)+float64(y*y))
	m12, m11 := 2*(float64(x*y)-float64(w*z)), 1-2*(float64(y*y)+float64(z*z))
	b := math.Asin(math.Max(-1, math.Min(1, m13)))
	a, c := 0.0, 0.0
	if math.Abs(m13) < 0.9999999 {
		a, c = math.Atan2(-m23, m33), math.Atan2(-m12, m11)
	} else {
		a = math.Atan2(2*(float64(y*z)+float64(w*x)), 1-2*(float64(x*x)+float64(z*z)))
	}
	out := []float64{a, b, c}
	for i, v := range out {
		if out[i] = math.Floor(v*180000/math.Pi+0.5) / 1000; out[i] == 0 {
			out[i] = 0 // without its sign
		}
	}
	return out
}

func vector(v []float64) *List {
	l := &List{}
	for _, x := range v {
		l.Items = append(l.Items, x)
	}
	return l
}

// fromTrait is a value of a source as a value of a run.
func fromTrait(v trait.Value) Value {
	switch v.Kind {
	case trait.Bool:
		return v.Bool
	case trait.Number:
		return inUnits(v.Num, v.Unit)
	case trait.Text, trait.Word, trait.Color:
		return v.Str
	case trait.List:
		l := &List{}
		for _, e := range v.List {
			l.Items = append(l.Items, fromTrait(e))
		}
		return l
	case trait.Map:
		o := NewObject()
		for _, f := range v.Fields {
			o.put(f.Key, fromTrait(f.Value))
		}
		return o
	}
	return nil
}

// inUnits brings times to seconds; other units are as the author wrote them.
func inUnits(n float64, unit string) float64 {
	switch unit {
	case "ms":
		return n / 1000
	case "min", "m_", "minutes":
		return n * 60
	case "h", "hours":
		return n * 3600
	case "d", "days":
		return n * 86400
	case "%":
		return n / 100
	}
	return n
}
