package run

import (
	"slices"
	"strings"
	"unicode"

	"github.com/meshd/meshd/lang/ast"
)

// spoken is the owner whose name, which is no word of code, is written without its
// spaces: DungeonMaster for "Dungeon Master".
func (b *builder) spoken(name string) (string, bool) {
	if b.said == nil {
		b.said = map[string]string{}
		add := func(name, id string) {
			key := squeezed(name)
			if key == strings.ToLower(name) || key == "" {
				return
			}
			if old, there := b.said[key]; there && old != id {
				id = ""
			}
			b.said[key] = id
		}
		for name, id := range b.modules {
			add(name, id)
		}
		for i := range b.scene.Nodes {
			if n := &b.scene.Nodes[i]; n.Prototype == "" {
				add(n.Name, n.ID)
			}
		}
		for _, name := range b.scenes {
			add(name, SceneOwner)
		}
	}
	id := b.said[squeezed(name)]
	return id, id != ""
}

func squeezed(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// aliased is the owner that a name means in a way of its own: of a scene, of a name
// with spaces, or of the only block of a kind.
func (b *builder) aliased(name string) (string, bool) {
	if slices.Contains(b.scenes, name) {
		return SceneOwner, true
	}
	if id, ok := b.spoken(name); ok {
		return id, true
	}
	id := ""
	for _, n := range b.scene.Behaviour.Named {
		if bl, ok := n.Code.Node.(*ast.Block); ok && bl.BlockKind == name {
			if id != "" {
				return "", false
			}
			id = b.modules[n.Name]
		}
	}
	for i := range b.scene.Behaviour.Owners {
		o := &b.scene.Behaviour.Owners[i]
		for _, c := range o.Bodies {
			if bl, ok := c.Node.(*ast.Block); ok && bl.BlockKind == name && i > 0 && o.Node == "" && name != "module" && name != "service" {
				if id != "" {
					return "", false
				}
				id = ownerID(i, o)
			}
		}
	}
	return id, id != ""
}
