package lsp

import (
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/scene"
)

// The scene understands every word that is proposed, and reports one that is not.
func TestPresetsMeanSomething(t *testing.T) {
	t.Parallel()
	for setting, source := range map[string]string{
		"sky": `environment { sky: "WORD" }`, "skybox": `environment { skybox: "WORD" }`, "environment_preset": `environment { preset: "WORD" }`,
		"material": `object "A" { geometry: "box" material: "WORD" }`, "animate": `object "A" { geometry: "box" animate: "WORD" }`,
		"fog": `environment { fog: "WORD" }`, "tone_mapping": `environment { tone_mapping: "WORD" }`,
		"lamp": `light "A" { preset: "WORD" }`, "type": `object "A" { type: "WORD" }`,
	} {
		words := presetWords(setting)
		switch setting {
		case "lamp":
			words = idiom.Lamps()
		case "type":
			words = idiom.KindWords()
		}
		if len(words) == 0 {
			t.Errorf("no words of %s", setting)
		}
		understood := func(word string) bool {
			f, _ := parse.File("a.holo", []byte(strings.Replace(source, "WORD", word, 1)), ast.Holo)
			_, found := scene.Build(f, nil, scene.Options{})
			for _, d := range found {
				if d.Code == "BLK010" {
					return false
				}
			}
			return true
		}
		for _, word := range words {
			if !understood(word) {
				t.Errorf("%s: %q means nothing", setting, word)
			}
		}
		if setting != "type" && understood("qzwxvv") {
			t.Errorf("%s: any word is understood, so this test proves nothing", setting)
		}
	}
}
