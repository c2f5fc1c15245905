package conserve

import (
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// acted is a value without the settings that are not acted on.
func acted(v scene.Value, keys map[string]bool) scene.Value {
	if v.Kind != trait.Map {
		return v
	}
	out := v
	out.Fields = nil
	for _, f := range v.Fields {
		if keys[f.Key] {
			out.Fields = append(out.Fields, f)
		}
	}
	return out
}
