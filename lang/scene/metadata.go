package scene

import (
	"github.com/meshd/meshd/lang/trait"
)

// metadataKeys are settings of a composition that say what it is and who made it.
var metadataKeys = []string{
	"title", "name", "author", "authors", "description", "summary", "version", "license", "licence", "tags", "keywords", "category", "language", "created", "updated",
	"url", "homepage", "credits", "mood", "genre", "theme", "id", "schema", "format",
}

// metadata reads what a source says about itself: its block, and the words for it
// among the settings of the composition.
func (b *builder) metadata(root *decl) {
	for _, name := range []string{"metadata", "meta"} {
		if p, ok := root.prop(name); ok && p.v.Kind == trait.Map {
			b.scene.Metadata = deepMerge(b.scene.Metadata, b.whole(p.v))
			if b.scene.Metadata.Kind != trait.Map {
				b.scene.Metadata = p.v
			}
		}
	}
	for _, key := range metadataKeys {
		if v := b.whole(root.value(key)); known(v) {
			if _, there := get(b.scene.Metadata, key); !there {
				b.scene.Metadata = mapOf(append(b.scene.Metadata.Fields, field{Key: key, Value: v})...)
			}
		}
	}
	if b.scene.Name == "" {
		for _, key := range []string{"title", "name"} {
			if v, ok := get(b.scene.Metadata, key); ok && b.scene.Name == "" {
				b.scene.Name = nodeName(v)
			}
		}
	}
	if b.scene.Metadata.Kind == trait.Map {
		b.scene.Metadata = b.kept(b.scene.Metadata)
	}
}

// leftOver keeps the settings of a composition that nothing asked for.
func (b *builder) leftOver(root *decl) {
	for _, p := range root.props {
		if p.from != nil && !p.from.Used && known(p.v) {
			d := Domain{Kind: "setting", Name: p.key, Data: b.kept(p.v)}
			if p.file != nil {
				d.Src = b.src(p.file, p.at)
			}
			b.scene.Domain = append(b.scene.Domain, d)
		}
	}
}
