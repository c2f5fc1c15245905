package node_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/node/transfer"
	"github.com/meshd/meshd/node/view"
)

// largeScene is a source of n bytes in texts that a document takes.
func largeScene(n int, last string) []any {
	var texts []any
	for i := 0; i < n; i += doc.MaxScalar {
		texts = append(texts, strings.Repeat(string(rune('a'+i/doc.MaxScalar%26)), min(doc.MaxScalar, n-i)))
	}
	texts[len(texts)-1] = last
	return texts
}

func sourceOf(s view.Scene) string {
	var b strings.Builder
	texts, _ := s.Fields["source"].([]any)
	for _, x := range texts {
		b.WriteString(x.(string))
	}
	return b.String()
}

// withoutBody is a line of an export whose body has not come yet.
func withoutBody(t *testing.T, line string) string {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &fields); err != nil {
		t.Fatal(err)
	}
	delete(fields, "body")
	out, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(out) + "\n"
}

// A scene of the largest size is read whole on another node; while a part is
// missing there, nothing of it is shown and the scene says that it is not whole.
func TestLargeSceneIsReadOnAnotherNode(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	here, there := open(t, t.TempDir(), nil), open(t, t.TempDir(), nil)
	ada := here.agent("Ada")
	texts := largeScene(256<<10, "// first")
	put := func(texts []any) view.Scene {
		t.Helper()
		s, err := here.EditScene(ctx, ada.ID, []doc.Field{{Key: "format", Value: "holo"}, {Key: "source", Value: texts}}, -1)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := put(texts); s.Version != 1 || s.Incomplete || len(sourceOf(s)) != 256<<10-doc.MaxScalar+8 {
		t.Fatalf("%d %v %d bytes", s.Version, s.Incomplete, len(sourceOf(s)))
	}
	if s := put(texts); s.Version != 1 {
		t.Fatalf("the same scene is version %d", s.Version)
	}
	export := func() []string {
		var out bytes.Buffer
		if _, err := here.Export(ctx, &out, false); err != nil {
			t.Fatal(err)
		}
		return strings.SplitAfter(strings.TrimSpace(out.String()), "\n")
	}
	bring := func(lines []string) transfer.ImportReport {
		t.Helper()
		rep, err := there.Import(ctx, strings.NewReader(strings.Join(lines, "")))
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	before := len(export())
	texts[len(texts)-1] = "// second"
	put(texts)
	all := export()
	if more := len(all) - before; more != 2 {
		t.Errorf("changing the end of a scene took %d changes, not the last part and the scene", more)
	}
	largest := 0 // a part, all of which are larger than what else is written
	for i := range all {
		if len(all[i]) > len(all[largest]) {
			largest = i
		}
	}
	headless := slices.Clone(all)
	headless[largest] = withoutBody(t, all[largest])
	bring(headless)
	if s, err := there.Scene(ctx, ada.ID); err != nil || s.Version != 2 || !s.Incomplete || s.Fields["source"] != nil {
		t.Fatalf("without a part: version %d, incomplete %v, %v", s.Version, s.Incomplete, err)
	}
	bring(all)
	s, err := there.Scene(ctx, ada.ID)
	if err != nil || s.Incomplete || sourceOf(s) != sourceOf(view.Scene{Fields: map[string]any{"source": texts}}) {
		t.Fatalf("%v %v: %d bytes", err, s.Incomplete, len(sourceOf(s)))
	}
}

// A part that says something other than its name is not taken.
func TestForgedPartIsNotShown(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	b := open(t, t.TempDir(), nil)
	ada := b.agent("Ada")
	list := map[string]any{"bytes": int64(3), "sha256": strings.Repeat("a", 64), "parts": []any{}}
	for name, parts := range map[string][]any{
		"none": {}, "unknown": {strings.Repeat("b", 64)}, "no hash": {"x"}, "a number": {int64(1)}, "a path": {strings.Repeat("~2", 32)},
		"many": make([]any, 9),
	} {
		for i := range parts {
			if parts[i] == nil {
				parts[i] = strings.Repeat("c", 64)
			}
		}
		list["parts"] = parts
		s, err := b.EditScene(ctx, ada.ID, []doc.Field{{Key: "source", Value: list}}, -1)
		if err != nil || !s.Incomplete || s.Fields["source"] != nil {
			t.Errorf("%s: %+v %v", name, s, err)
		}
	}
}
