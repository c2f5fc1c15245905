package scene

import (
	"maps"
	"slices"
)

// Presets are the words that stand for more than themselves as the value of a setting:
// skies, materials, curves, sorted; nil for a setting without. Editors propose them.
func Presets(setting string) []string {
	switch setting {
	case "sky", "skybox", "background":
		return append(slices.Sorted(maps.Keys(SkyPresets)), "none")
	case "material":
		return slices.Sorted(maps.Keys(presets))
	case "easing", "ease":
		return []string{"ease-in", "ease-in-out", "ease-out", "linear", "step"}
	case "tone_mapping":
		return []string{"aces", "linear"}
	}
	return nil
}
