package ar_test

import (
	"bytes"
	"compress/gzip"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

func compile(t testing.TB, source, id string) (string, *target.Result) {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: id})
	if err != nil {
		t.Fatal(err)
	}
	return string(r.Files[0].Data), r
}

// TestThePageAsksForTheRoom: its viewer asks for AR with hit tests and anchors,
// which the viewer of other pages does not, and things with an anchor of their
// own are named to it.
func TestThePageAsksForTheRoom(t *testing.T) {
	const source = `composition "Room" {
  environment { skybox: "#102030" }
  object "Cup" @anchor { geometry: "cylinder" radius: 0.04 height: 0.1 }
  object "Card" @anchor(type: "image", persistence: "cloud") { geometry: "box" }
  object "Free" { geometry: "box" }
}`
	page, r := compile(t, source, "webxr")
	ids := map[string]string{}
	for _, n := range r.Scene.Nodes {
		ids[n.Name] = n.ID
	}
	if want := `<main data-anchors="` + ids["Cup"] + " " + ids["Card"] + `">`; !strings.Contains(page, want) {
		t.Errorf("no %s", want)
	}
	other, _ := compile(t, source, "html")
	for _, word := range []string{"requestHitTestSource", "createAnchor", "getOffsetReferenceSpace", "dom-overlay"} {
		if !strings.Contains(page, word) || strings.Contains(other, word) {
			t.Errorf("%s: in the page %v, in a page for screens %v", word, strings.Contains(page, word), strings.Contains(other, word))
		}
	}
	for _, reason := range []string{"the room is the background", "pictures, faces and places", "as long as the session"} {
		if !slices.ContainsFunc(r.Losses, func(l scene.Loss) bool { return l.Code == "TGT003" && strings.Contains(l.Reason, reason) }) {
			t.Errorf("no loss says %q: %+v", reason, r.Losses)
		}
	}
}

// TestThePageIsSmall checks it against the budget of pages, with the notices of what is
// in it; an empty scene says so.
func TestThePageIsSmall(t *testing.T) {
	page, _ := compile(t, "", "ar")
	var zipped bytes.Buffer
	z, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = z.Write([]byte(page))
	_ = z.Close()
	if len(page) > 750_000 || zipped.Len() > 200_000 {
		t.Errorf("an empty page has %d bytes, %d compressed", len(page), zipped.Len())
	}
	for _, want := range []string{"This scene is empty.", "<main>", "three 0.", "connect-src 'none'"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
}
