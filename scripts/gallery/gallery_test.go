package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every scene of the gallery is drawn by our rasteriser and judged; the browser's
// pictures are made by make gallery.
func TestGallery(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, file := range scenes {
		s, _, err := draws(filepath.Join("../../examples", file), dir, 320, 180)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, f := range judge(s.model, s.drawn) {
			t.Errorf("%s: %s", file, f)
		}
		raw, err := os.Stat(filepath.Join(dir, s.name+".webp"))
		if err != nil {
			t.Fatal(err)
		}
		if raw.Size() > 60_000 {
			t.Errorf("%s: the picture has %d bytes", file, raw.Size())
		}
	}
}

// The page has a judgement of every scene, and no other.
func TestGalleryIsWritten(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../docs/gallery.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(raw)) {
		if strings.HasPrefix(line, "| `") {
			rows++
		}
	}
	for _, file := range scenes {
		if !strings.Contains(string(raw), "| `"+file+"` |") {
			t.Errorf("docs/gallery.md has no row for %s", file)
		}
	}
	if rows != len(scenes) || rows != 24 {
		t.Errorf("docs/gallery.md has %d rows for %d scenes", rows, len(scenes))
	}
}

// The rules find what they are for.
func TestJudgeFindsFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ fault, text string }{
		{"lit", `composition "A" { environment { exposure: 0.01 } object "A" { geometry: "box" } }`},
		{"framed", `composition "A" { camera "C" { position: [0, 0, 90] } object "A" { geometry: "box" } }`},
		{"framed", `composition "A" { camera "C" { position: [0, 0, 9] rotation: [0, 180, 0] } object "A" { geometry: "box" } }`},
		{"legible", `composition "A" { environment { skybox: "#ffffff" } object "A" { geometry: "box" size: [4, 4, 0.1] color: "#ffffff" unlit: true } text "T" { text: "pale" position: [0, 0, 0.06] size: 0.5 color: "#fefefe" } }`},
	} {
		file := filepath.Join(t.TempDir(), "a.holo")
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		s, _, err := draws(file, t.TempDir(), 320, 180)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(judge(s.model, s.drawn), "; "); !strings.Contains(got, c.fault) {
			t.Errorf("%s: found %q, want %s", c.text, got, c.fault)
		}
	}
}
