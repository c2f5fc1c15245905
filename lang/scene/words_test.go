package scene

import (
	"testing"

	"github.com/meshd/meshd/lang/trait"
)

// Every word that is proposed means something of its own.
func TestPresetsMeanSomething(t *testing.T) {
	t.Parallel()
	for _, word := range Presets("sky") {
		if _, ok := SkyPresets[word]; !ok && word != "none" {
			t.Errorf("%s is no sky", word)
		}
	}
	for _, word := range Presets("material") {
		if _, ok := presets[word]; !ok {
			t.Errorf("%s is no material", word)
		}
	}
	seen := map[string]bool{}
	for _, word := range Presets("easing") {
		if seen[easing(word)] {
			t.Errorf("%s is as another curve", word)
		}
		seen[easing(word)] = true
	}
	for _, word := range Presets("tone_mapping") {
		var e Environment
		if e.tone(Value{Kind: trait.Text, Str: word}); e.ToneMapping != word {
			t.Errorf("%s is tone mapping %q", word, e.ToneMapping)
		}
	}
	if Presets("position") != nil {
		t.Error("a position has presets")
	}
}
