package android

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// input is a scene as a writer gets it.
func input(s *scene.Scene) *artefact.Input {
	s.SourceSHA256 = strings.Repeat("0", 64)
	s.Files = []string{"main.holo"}
	s.Behaviour = &scene.Behaviour{}
	return &artefact.Input{Scene: s, Files: []*ast.File{}, Target: "android", Options: artefact.Options{"package": Package}, Registry: trait.Builtin(), Version: "0.0.0"}
}

func file(t testing.TB, out *artefact.Output, path string) string {
	t.Helper()
	for _, f := range out.Files {
		if f.Path == path {
			return string(f.Data)
		}
	}
	t.Fatalf("no %s", path)
	return ""
}

// hostile are texts that would end what they stand in.
var hostile = []string{`"`, `\`, "a\nb", "${x}", "$y", "*/", "-->", "]]>", "</application>", "\u202eab", "\x00", "😀", "\u2028", `""" + x`, "é\xff"}

// TestTextsStayTexts: nothing that an author wrote ends a literal, a comment or
// the manifest.
func TestTextsStayTexts(t *testing.T) {
	t.Parallel()
	for _, text := range hostile {
		s := &scene.Scene{Name: text, Nodes: []scene.Node{{ID: "n1", Name: text, Label: text, Path: "a", Parent: -1, R: scene.Quat{3: 1}, S: scene.UnitVec{1, 1, 1}, Visible: true}}}
		in := input(s)
		s.Files[0] = text + ".holo"
		for _, make := range []func(*artefact.Input) (*artefact.Output, error){Phone, Headset} {
			out, err := make(in)
			if err != nil {
				t.Fatal(err)
			}
			d := xml.NewDecoder(strings.NewReader(file(t, out, "AndroidManifest.xml")))
			for {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%q: %v", text, err)
				}
			}
			data := file(t, out, "SceneData.kt")
			for line := range strings.Lines(data) {
				if body := strings.TrimSpace(line); strings.HasPrefix(body, "//") {
					continue
				} else if strings.IndexFunc(body, func(r rune) bool { return r > 0x7e || r < ' ' }) >= 0 {
					t.Errorf("%q: %s", text, line)
				}
			}
			if !strings.Contains(data, "name = "+quoted(text)) && text != "" {
				t.Errorf("%q is not in %s", text, data)
			}
		}
	}
}

// reads gives the text that a literal stands for.
func reads(t testing.TB, literal string) string {
	t.Helper()
	body := []rune(literal[1 : len(literal)-1])
	var units []uint16
	for i := 0; i < len(body); i++ {
		r := body[i]
		if r == '"' || r == '$' || r < ' ' || r > 0x7e {
			t.Fatalf("%q holds %q", literal, r)
		}
		if r != '\\' {
			units = append(units, uint16(r))
			continue
		}
		i++
		switch body[i] {
		case 'n':
			units = append(units, '\n')
		case 'u':
			n := uint16(0)
			for _, h := range body[i+1 : i+5] {
				n = n*16 + uint16(strings.IndexRune("0123456789abcdef", h))
			}
			units = append(units, n)
			i += 4
		default:
			units = append(units, uint16(body[i]))
		}
	}
	return string(utf16.Decode(units))
}

func FuzzQuoted(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := reads(t, quoted(s)), string([]rune(s)); got != want {
			t.Errorf("%q reads %q", s, got)
		}
	})
}

func TestNumbersAreDoubles(t *testing.T) {
	t.Parallel()
	for in, want := range map[float64]string{0: "0.0", 1: "1.0", -2.5: "-2.5", 1e-9: "1e-09", 3e22: "3e+22", 0.1: "0.1"} {
		if got := number(in); got != want {
			t.Errorf("%v is %s, want %s", in, got, want)
		}
	}
}

// TestLongDocumentsAreInPieces: a class takes no text of more than 65,535 bytes.
func TestLongDocumentsAreInPieces(t *testing.T) {
	t.Parallel()
	doc := `["` + strings.Repeat("é$\\\\", 50_000) + `"]`
	got := document([]byte(doc))
	var text strings.Builder
	for line := range strings.Lines(got) {
		line = strings.TrimSuffix(strings.TrimSpace(line), ",")
		if !strings.HasPrefix(line, `"`) {
			continue
		}
		if len(line) > 4*chunk {
			t.Errorf("a literal of %d bytes", len(line))
		}
		text.WriteString(reads(t, line))
	}
	if text.String() != string(artefact.ASCII([]byte(doc), "")) {
		t.Error("the pieces are another document")
	}
}

func TestPackagesAreNames(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{
		Package: true, "org.a_b.c1": true, "one": false, "": false, "a..b": false, "Com.a": false, "com.class": false, "com.1a": false, "com.é": false,
		"com.a\nb": false, "com.a;import x": false, "com." + strings.Repeat("a", 300): false,
	} {
		if packaged(name) != ok {
			t.Errorf("%q is taken: %t", name, !ok)
		}
	}
	in := input(&scene.Scene{})
	in.Options["package"] = "x"
	var fault *artefact.Fault
	if _, err := Phone(in); !errors.As(err, &fault) || fault.Code != "TGT005" {
		t.Errorf("%v", err)
	}
}

// TestOnlyWhatIsUsedIsAskedFor: the camera is a phone's, surfaces are asked for
// where something stands on them.
func TestOnlyWhatIsUsedIsAskedFor(t *testing.T) {
	t.Parallel()
	node := func(traits ...scene.TraitUse) *scene.Scene {
		return &scene.Scene{Nodes: []scene.Node{{ID: "n1", Path: "a", Parent: -1, R: scene.Quat{3: 1}, S: scene.UnitVec{1, 1, 1}, Visible: true, Traits: traits}}}
	}
	anchor := scene.TraitUse{Name: "anchor", Known: true, Params: scene.Value{Kind: trait.Map, Fields: []trait.Field{
		{Key: "type", Value: scene.Value{Kind: trait.Text, Str: "plane"}},
	}}}
	for _, c := range []struct {
		make  func(*artefact.Input) (*artefact.Output, error)
		scene *scene.Scene
		asks  []string
		not   []string
	}{
		{Phone, node(), []string{"permission.CAMERA"}, []string{"SCENE_UNDERSTANDING", "INTERNET"}},
		{Headset, node(), []string{"xr.api.spatial"}, []string{"permission.CAMERA", "SCENE_UNDERSTANDING"}},
		{Headset, node(anchor), []string{"SCENE_UNDERSTANDING_COARSE"}, []string{"permission.CAMERA"}},
	} {
		out, err := c.make(input(c.scene))
		if err != nil {
			t.Fatal(err)
		}
		text := file(t, out, "AndroidManifest.xml")
		for _, want := range c.asks {
			if !strings.Contains(text, want) {
				t.Errorf("no %s in %s", want, text)
			}
		}
		for _, bad := range c.not {
			if strings.Contains(text, bad) {
				t.Errorf("%s in %s", bad, text)
			}
		}
		if strings.Contains(file(t, out, "SceneData.kt"), `anchor = "horizontal"`) != (c.asks[0] == "SCENE_UNDERSTANDING_COARSE") {
			t.Error("what stands on a surface is not said")
		}
	}
}

// TestEmptyAndDeep: nothing at all, and a chain of nodes longer than fits a class.
func TestEmptyAndDeep(t *testing.T) {
	t.Parallel()
	out, err := Headset(input(&scene.Scene{}))
	if err != nil || !strings.Contains(file(t, out, "SceneData.kt"), "emptyList<Thing>()") {
		t.Fatal(err)
	}
	s := &scene.Scene{}
	for i := range 1000 {
		s.Nodes = append(s.Nodes, scene.Node{ID: "n" + strings.Repeat("x", i%7), Parent: i - 1, R: scene.Quat{3: 1}, S: scene.UnitVec{1, 1, 1}, Visible: true})
	}
	if out, err = Phone(input(s)); err != nil {
		t.Fatal(err)
	}
	if data := file(t, out, "SceneData.kt"); strings.Count(data, "private object Things") != 25 || strings.Count(data, "Thing(\"") != 1000 || len(out.Places) != 1000 {
		t.Error("a thousand things are not in 25 groups")
	}
	for _, f := range out.Files {
		if strings.HasSuffix(f.Path, ".kt") && !strings.Contains(string(f.Data), unbuilt) {
			t.Errorf("%s does not say how far it is proven", f.Path)
		}
	}
}
