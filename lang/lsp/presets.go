package lsp

import (
	"maps"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/trait"
)

// presetsOf are the words that a setting understands as presets, of a block or an
// object too: material: { preset: … }. They are read from the table of habits when
// somebody asks; nil for settings without.
func presetsOf(nodes []ast.Node, key string, offset int) []string {
	key = trait.FoldKey(key)
	if words := presetWords(key); words != nil {
		return words
	}
	block := blockAround(nodes, offset)
	if key == "type" && plainNode(block) && !inObject(nodes, offset) {
		return idiom.KindWords()
	}
	if key != "preset" && key != "type" && key != "name" {
		return nil
	}
	for i := len(nodes) - 1; i >= 0; i-- {
		switch n := nodes[i].(type) {
		case *ast.Property:
			if name := trait.FoldKey(n.Key.Name()); name != key {
				if name == "light" && key == "preset" {
					return idiom.Lamps()
				}
				return partWords(name, key)
			}
		case *ast.Block:
			if n.Body == nil || int(n.Body.At.Start) >= offset {
				continue
			}
			switch {
			case key == "preset" && n.BlockKind == "environment":
				return idiom.Skies()
			case key == "preset" && (n.BlockKind == "light" || strings.HasSuffix(n.BlockKind, "_light")):
				return idiom.Lamps()
			}
			return partWords(n.BlockKind, key)
		}
	}
	return nil
}

// partWords are the words of a key in what a setting is given: type and name mean
// presets of skies and materials alone.
func partWords(setting, key string) []string {
	if words := presetWords(setting); key == "preset" || setting == "material" || slices.Contains(words, "sunset") {
		return words
	}
	return nil
}

func presetWords(setting string) []string {
	switch setting {
	case "sky", "skybox", "background":
		return append(idiom.Skies(), "none")
	case "environment_preset":
		return idiom.Skies()
	case "material":
		return idiom.Finishes()
	case "animate", "animation":
		return idiom.Motions()
	case "fog":
		return slices.Sorted(maps.Keys(idiom.FogWords))
	case "tone_mapping":
		return slices.Sorted(maps.Keys(idiom.ToneWords))
	case "easing", "ease":
		return []string{"ease-in", "ease-in-out", "ease-out", "linear", "step"}
	}
	return nil
}

// plainNode says whether a kind of block takes another kind by type: …
func plainNode(block string) bool {
	switch block {
	case "object", "entity", "orb", "node", "actor", "prop":
		return true
	}
	return false
}

// inObject says whether a place is in an object or among arguments rather than in the
// body of a block itself.
func inObject(nodes []ast.Node, offset int) bool {
	for i := len(nodes) - 1; i >= 0; i-- {
		switch n := nodes[i].(type) {
		case *ast.Object, *ast.Attribute:
			return true
		case *ast.Block:
			return n.Body == nil || int(n.Body.At.Start) >= offset
		}
	}
	return false
}
