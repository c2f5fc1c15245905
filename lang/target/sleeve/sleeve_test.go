package sleeve_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

func compile(source string, options map[string]any) (string, *target.Result, error) {
	r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "stereo", Options: options})
	if err != nil {
		return "", nil, err
	}
	return string(r.Files[0].Data), r, nil
}

// TestOptionsReachTheEyes, within what eyes and lenses are.
func TestOptionsReachTheEyes(t *testing.T) {
	const box = `object "a" { geometry: "box" }`
	page, _, err := compile(box, nil)
	if err != nil || !strings.Contains(page, `<main data-eye="0.063" data-fov="80" data-dwell="1.5">`) {
		t.Errorf("without options: %v", err)
	}
	page, _, err = compile(box, map[string]any{"eye_distance": 0.058, "field_of_view": 95, "dwell": 0})
	if err != nil || !strings.Contains(page, `<main data-eye="0.058" data-fov="95" data-dwell="0">`) {
		t.Errorf("with options: %v", err)
	}
	var bad *target.OptionsError
	for _, o := range []map[string]any{
		{"eye_distance": 0.03}, {"eye_distance": 0.1}, {"eye_distance": "wide"}, {"field_of_view": 39.9}, {"field_of_view": 121}, {"dwell": -1}, {"dwell": 11},
	} {
		if _, _, err := compile(box, o); !errors.As(err, &bad) {
			t.Errorf("%v: %v", o, err)
		}
	}
	tg, _ := target.Find("phone_vr")
	if p := tg.OptionsSchema.Properties["eye_distance"]; p.Minimum == nil || *p.Minimum != 0.04 || *p.Maximum != 0.08 || p.Default != 0.063 {
		t.Errorf("%+v", p)
	}
}

// TestThePageIsForTwoEyes: its viewer asks for the sensors, the full screen and a
// lit display, which the viewer of other pages does not, and asks nobody else.
func TestThePageIsForTwoEyes(t *testing.T) {
	const source = `composition "Room" {
  object "Only here" @platform(vr) { geometry: "box" }
  object "Cup" @anchor { geometry: "box" }
}`
	page, r, err := compile(source, nil)
	if err != nil {
		t.Fatal(err)
	}
	other, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "html"})
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"deviceorientation", "requestPermission", "requestFullscreen", "wakeLock", "landscape", "setScissorTest(!0)"} {
		if !strings.Contains(page, word) {
			t.Errorf("no %s", word)
		}
	}
	if strings.Contains(string(other.Files[0].Data), "deviceorientation") {
		t.Error("the page for screens has the sensors too")
	}
	if !strings.Contains(page, "connect-src 'none'") || !strings.Contains(page, `"name":"Only here"`) || strings.Contains(string(other.Files[0].Data), `"name":"Only here"`) {
		t.Error("the policy or the platform is wrong")
	}
	if !slices.ContainsFunc(r.Losses, func(l scene.Loss) bool {
		return l.Code == "TGT003" && l.Feature == "xr" && strings.Contains(l.Reason, "not bent for the lenses")
	}) {
		t.Errorf("%+v", r.Losses)
	}
}

// TestHostileNamesStayTexts: neither a name nor a language leaves its place.
func TestHostileNamesStayTexts(t *testing.T) {
	page, _, err := compile(`object "</script><script>alert(1)</script>" { geometry: "box" alt: "\" onload=\"x" }`, map[string]any{"lang": `en" onload="x`})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(page, "<script") != 2 || strings.Contains(page, `" onload="x`) {
		t.Error("a text leaves its place")
	}
}

// TestThePageIsSmall checks it against the budget of pages; an empty scene says so.
func TestThePageIsSmall(t *testing.T) {
	page, _, err := compile("", nil)
	if err != nil {
		t.Fatal(err)
	}
	var zipped bytes.Buffer
	z, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = z.Write([]byte(page))
	_ = z.Close()
	t.Logf("%d bytes, %d compressed", len(page), zipped.Len())
	if len(page) > 750_000 || zipped.Len() > 200_000 {
		t.Errorf("an empty page has %d bytes, %d compressed", len(page), zipped.Len())
	}
	for _, want := range []string{"This scene is empty.", "three 0."} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
}
