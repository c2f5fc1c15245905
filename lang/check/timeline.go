package check

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// timelineKeys are the settings of a timeline; all other keys are times.
var timelineKeys = set("loop autoplay delay name duration speed")

// timeline judges the keys of a timeline.
func (c *checker) timeline(b *ast.Block, p place) {
	for _, n := range b.Body.Items {
		prop, ok := n.(*ast.Property)
		if !ok || prop.Is(ast.Broken) || prop.Key.Computed != nil {
			continue
		}
		raw := prop.Key.Raw
		if timelineKeys[raw] || token.IsOnWord(raw) {
			continue
		}
		if !isTime(raw) {
			c.add("FLO010", prop.Key.At, prop.Key.Name())
		}
	}
}

// isTime says whether a key is a number of seconds or has a unit of time.
func isTime(raw string) bool {
	if raw == "" || raw[0] != '.' && (raw[0] < '0' || raw[0] > '9') {
		return false
	}
	_, unit := token.SplitNumber(raw)
	if unit == "" || unit == "%" {
		return unit == ""
	}
	dim, ok := trait.Dimension(unit)
	return ok && dim == "time"
}

// animated are the properties that can be animated.
var animated = set(`position rotation scale opacity color base_color emissive emissive_color emissive_intensity intensity fov visible
roughness metallic volume width height depth radius size range angle x y z density exposure weight text value t r s`)

// animation judges what an animation moves.
func (c *checker) animation(b *ast.Block, p place) {
	v := valueAt(b.Body, "property")
	path := nameOf(v)
	if path == "" || strings.Contains(path, "${") {
		return
	}
	parts := strings.Split(path, ".")
	for _, part := range parts {
		if animated[trait.FoldKey(part)] {
			return
		}
	}
	for o := p.o; o != nil; o = o.parent {
		c.work++
		if o.names[parts[0]] != nil || o.state[parts[len(parts)-1]] != nil {
			return // of the author's own
		}
	}
	c.add("FLO011", v.Span(), path)
}
