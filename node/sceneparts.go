package node

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/view"
)

// A source that does not fit one change lies in parts: each is a document of its
// own in the agent's space, named by the hash of its text and written once, and
// the scene's document says which parts make the source, in order, with the hash
// of the whole. The parts are written first. A reader takes nothing from them
// before all hashes agree, so no mixture of two sources is ever shown.

const (
	partName    = "project/scene/"
	partText    = "text"
	sourceField = "source"
)

// part is a piece of a source.
type part struct {
	hash  string
	texts []any // as a document holds them
}

func (p *part) name() doc.Name { return doc.Name(partName + p.hash) }

// parted takes a source that is too large for the scene's document out of set
// and puts there how to find its parts.
func parted(set []doc.Field) ([]doc.Field, []part) {
	i := slices.IndexFunc(set, func(f doc.Field) bool { return f.Key == sourceField })
	if i < 0 {
		return set, nil
	}
	texts, _ := set[i].Value.([]any)
	whole := textIn(texts)
	if len(whole) <= maxSceneInline {
		return set, nil
	}
	var parts []part
	names := []any{}
	for group := range slices.Chunk(texts, scenePartTexts) {
		p := part{hashed(textIn(group)), group}
		parts, names = append(parts, p), append(names, p.hash)
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

// putParts writes the parts that are not there yet.
func (e *editing) putParts(ctx context.Context, parts []part) error {
	for _, p := range parts {
		now, err := e.n.document(ctx, e.space, p.name())
		if err != nil {
			return err
		}
		if reflect.DeepEqual(now.Fields[partText], p.texts) {
			continue
		}
		at := &editing{e.n, e.agent, e.space, p.name(), now}
		if err := at.write(ctx, []doc.Field{{Key: partText, Value: p.texts}}); err != nil {
			return err
		}
	}
	return nil
}

// write is put, in the next generation of a document that is full.
func (e *editing) write(ctx context.Context, set []doc.Field) error {
	_, err := e.put(ctx, set)
	if reason.Of(err) == reason.LimitReached {
		err = e.succeed(ctx, set)
	}
	return err
}

// gather puts the text of a source that lies in parts into the scene. When a
// part is not here, or is not what its name says, the scene is Incomplete and
// has no source.
func (n *Node) gather(ctx context.Context, id change.AgentID, s *view.Scene) {
	list, ok := s.Fields[sourceField].(map[string]any)
	if !ok {
		return
	}
	delete(s.Fields, sourceField)
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
		name, err := doc.ParseName(partName + hash)
		if err != nil || len(hash) != 2*sha256.Size || strings.ContainsAny(hash, "~") {
			return
		}
		d, err := n.document(ctx, id.Space(), name)
		if err != nil {
			return
		}
		own, _ := d.Fields[partText].([]any)
		text := textIn(own)
		if size += len(text); size > maxSceneBytes || hashed(text) != hash {
			return
		}
		texts = append(texts, own...)
	}
	if hashed(textIn(texts)) != sum {
		return
	}
	s.Fields[sourceField], s.Incomplete = texts, false
}
