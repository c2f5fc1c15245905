package html

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// What a page may weigh before its scene and assets.
const (
	maxPage   = 750_000
	maxZipped = 200_000
)

func TestAnEmptyPageIsSmall(t *testing.T) {
	s := &scene.Scene{V: scene.Version, Name: "Empty", SourceSHA256: strings.Repeat("0", 64), Files: []string{"main.holo"}}
	out, err := Page(&artefact.Input{Scene: s, Target: "html", Version: artefact.Version})
	if err != nil {
		t.Fatal(err)
	}
	page := out.Files[0].Data
	var zipped bytes.Buffer
	w, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(page); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d compressed", len(page), zipped.Len())
	if len(page) > maxPage || zipped.Len() > maxZipped {
		t.Errorf("an empty page has %d bytes, %d compressed; at most %d and %d are allowed", len(page), zipped.Len(), maxPage, maxZipped)
	}
	if !bytes.Contains(page, []byte("This scene is empty.")) {
		t.Error("an empty page does not say that it is empty")
	}
}
