package scene

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/node/document"
	"github.com/meshd/meshd/node/view"
)

// parted takes a source that is too large for the scene's document out of set
// and puts there how to find its parts.
func parted(set []doc.Field) ([]doc.Field, []document.Part) {
	i := slices.IndexFunc(set, func(f doc.Field) bool { return f.Key == document.SourceField })
	if i < 0 {
		return set, nil
	}
	texts, _ := set[i].Value.([]any)
	whole := textIn(texts)
	if len(whole) <= maxSceneInline {
		return set, nil
	}
	var parts []document.Part
	names := []any{}
	for group := range slices.Chunk(texts, scenePartTexts) {
		p := document.Part{Hash: hashed(textIn(group)), Texts: group}
		parts, names = append(parts, p), append(names, p.Hash)
	}
	set = slices.Clone(set)
	set[i].Value = map[string]any{"bytes": int64(len(whole)), "parts": names, "sha256": hashed(whole)}
	return set, parts
}

func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func textIn(texts []any) string {
	var b strings.Builder
	for _, t := range texts {
		s, _ := t.(string)
		b.WriteString(s)
	}
	return b.String()
}

// gather puts the text of a source that lies in parts into the scene. When a
// part is not here, or is not what its name says, the scene is Incomplete and
// has no source.
func (n *Scenes) gather(ctx context.Context, id change.AgentID, s *view.Scene) {
	list, ok := s.Fields[document.SourceField].(map[string]any)
	if !ok {
		return
	}
	delete(s.Fields, document.SourceField)
	s.Incomplete = true
	names, _ := list["parts"].([]any)
	sum, _ := list["sha256"].(string)
	if len(names) > maxSceneParts {
		return
	}
	var texts []any
	size := 0
	for _, x := range names {
		hash, _ := x.(string)
		name, err := doc.ParseName(document.PartName + hash)
		if err != nil || len(hash) != 2*sha256.Size || strings.ContainsAny(hash, "~") {
			return
		}
		d, err := n.document.Document(ctx, id.Space(), name)
		if err != nil {
			return
		}
		own, _ := d.Fields[document.PartText].([]any)
		text := textIn(own)
		if size += len(text); size > view.MaxSceneSource || hashed(text) != hash {
			return
		}
		texts = append(texts, own...)
	}
	if hashed(textIn(texts)) != sum {
		return
	}
	s.Fields[document.SourceField], s.Incomplete = texts, false
}
