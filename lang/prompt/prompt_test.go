package prompt

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/scene"
)

var update = flag.Bool("update", false, "write the golden files")

func built(t testing.TB, code string) *scene.Scene {
	t.Helper()
	f, found := parse.File("main.holo", []byte(code), ast.Holo)
	for _, d := range found {
		if d.Severity == diag.Error {
			t.Fatalf("%s\n%s", d, code)
		}
	}
	s, found := scene.Build(f, nil, scene.Options{})
	for _, d := range found {
		if d.Severity == diag.Error {
			t.Fatalf("%s\n%s", d, code)
		}
	}
	return s
}

// summary is the content of a scene, a line for each node at its top.
func summary(s *scene.Scene) string {
	var b strings.Builder
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.Parent >= 0 {
			continue
		}
		fmt.Fprintf(&b, "  %s at %g %g %g", n.Name, n.T[0], n.T[1], n.T[2])
		inner := 0
		for k := range s.Nodes {
			if s.Nodes[k].Parent == i {
				inner++
			}
		}
		if inner > 0 {
			fmt.Fprintf(&b, " parts %d", inner)
		}
		if n.Geometry != nil {
			g := s.Geometries[*n.Geometry].Bounds()
			fmt.Fprintf(&b, " %s %.3gx%.3gx%.3g %s", s.Geometries[*n.Geometry].Kind, g[0], g[1], g[2], s.Materials[*n.Material].BaseColor)
		}
		if n.R != scene.Identity && n.Light == nil && n.Camera == nil {
			b.WriteString(" turned")
		}
		if n.S != (scene.UnitVec{1, 1, 1}) {
			fmt.Fprintf(&b, " scaled %g %g %g", n.S[0], n.S[1], n.S[2])
		}
		for _, t := range n.Traits {
			b.WriteString(" @" + t.Name)
		}
		for _, a := range s.Animations {
			if a.Node == n.ID {
				b.WriteString(" moves " + a.Property)
			}
		}
		b.WriteByte('\n')
	}
	e := s.Environment
	fmt.Fprintf(&b, "  sky %s ambient %g", strings.Join(e.Sky.Colors, " "), e.Ambient.Intensity)
	if e.Fog != nil {
		fmt.Fprintf(&b, " fog %g", e.Fog.Density)
	}
	if e.Gravity != nil {
		fmt.Fprintf(&b, " gravity %g", e.Gravity[1])
	}
	b.WriteByte('\n')
	return b.String()
}

// sound says what is wrong with a scene that the rules made: findings, no camera
// or light, things that stand in each other or on nothing. What the prompt asks
// to hang or to stand inside of something may.
func sound(code string, s *scene.Scene, found []diag.Diagnostic, prompt string) string {
	for _, d := range found {
		if d.Severity <= diag.Warning {
			return d.String()
		}
	}
	camera, light := false, false
	for i := range s.Nodes {
		camera = camera || s.Nodes[i].Camera != nil
		light = light || s.Nodes[i].Light != nil
	}
	if !camera || !light {
		return "there is no camera or no light"
	}
	boxes := worldBoxes(s)
	root := func(i int) int {
		for s.Nodes[i].Parent >= 0 {
			i = s.Nodes[i].Parent
		}
		return i
	}
	asked := false
	for _, word := range []string{"above", "over", "inside", "float", "fall", " up", " down"} {
		asked = asked || strings.Contains(prompt, word)
	}
	if asked {
		return ""
	}
	low := map[int]float64{}
	for i, b := range boxes {
		if b == nil || s.Nodes[root(i)].Name == "Ground" {
			continue
		}
		if y, ok := low[root(i)]; !ok || b.min[1] < y {
			low[root(i)] = b.min[1]
		}
		for k := i + 1; k < len(boxes); k++ {
			if o := boxes[k]; o != nil && root(k) != root(i) && s.Nodes[root(k)].Name != "Ground" && b.meets(*o) {
				return fmt.Sprintf("%s and %s stand in each other", s.Nodes[i].Path, s.Nodes[k].Path)
			}
		}
	}
	for i, y := range low {
		stands := math.Abs(y) < 0.02
		for k, b := range boxes {
			stands = stands || b != nil && root(k) != i && math.Abs(b.max[1]-y) < 0.02
		}
		if !stands {
			return fmt.Sprintf("%s stands on nothing, at %g", s.Nodes[i].Name, y)
		}
	}
	return ""
}

// The prompts of the vocabulary, each row and more. The golden file says what
// each makes.
func TestGoldenPrompts(t *testing.T) {
	raw, err := os.ReadFile("testdata/prompts.txt")
	if err != nil {
		t.Fatal(err)
	}
	prompts := strings.Split(strings.TrimSpace(string(raw)), "\n")
	if len(prompts) < 60 {
		t.Fatalf("there are %d prompts", len(prompts))
	}
	var b strings.Builder
	for _, p := range prompts {
		fmt.Fprintf(&b, "> %s\n", p)
		r, err := Run(Request{Prompt: p, Seed: 7})
		if err != nil {
			fmt.Fprintf(&b, "  refused: %v\n\n", err)
			continue
		}
		s := built(t, r.Code)
		if fault := sound(r.Code, s, r.Diagnostics, p); fault != "" {
			t.Errorf("%s: %s", p, fault)
		}
		if !strings.HasPrefix(r.Code, Label+"\n") {
			t.Errorf("%s: the source does not say who made it", p)
		}
		again, err := Run(Request{Prompt: p, Seed: 7})
		if err != nil || again.Code != r.Code {
			t.Errorf("%s: the second time it is another scene", p)
		}
		b.WriteString(summary(s))
		if len(r.NotUnderstood) > 0 {
			fmt.Fprintf(&b, "  not understood: %s\n", strings.Join(r.NotUnderstood, " "))
		}
		for _, n := range r.Notes {
			fmt.Fprintf(&b, "  note: %s\n", n)
		}
		b.WriteByte('\n')
	}
	if *update {
		if err := os.WriteFile("testdata/golden.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != b.String() {
		got, old := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
		for i := range min(len(got), len(old)) {
			if got[i] != old[i] {
				t.Fatalf("line %d is\n%s\nwant\n%s", i+1, got[i], old[i])
			}
		}
		t.Fatal("the golden file has another length")
	}
}

func run(t *testing.T, code, prompt string) *Result {
	t.Helper()
	r, err := Run(Request{Prompt: prompt, Seed: 7, Code: code})
	if err != nil {
		t.Fatalf("%s: %v", prompt, err)
	}
	return r
}

func TestFollowUpsEditWhatIsThere(t *testing.T) {
	base := run(t, "", "a red ball, a blue ball and a table").Code
	base = strings.Replace(base, "object \"Red Ball\"", "// my favourite\n  object \"Red Ball\"", 1)
	node := func(s *scene.Scene, name string) *scene.Node {
		for i := range s.Nodes {
			if s.Nodes[i].Name == name {
				return &s.Nodes[i]
			}
		}
		return nil
	}
	for prompt, check := range map[string]func(s *scene.Scene) bool{
		"make the red ball bigger":         func(s *scene.Scene) bool { return node(s, "Red Ball").S[0] == 1.5 && node(s, "Red Ball").T[1] == 0.75 },
		"make the red ball 3 times bigger": func(s *scene.Scene) bool { return node(s, "Red Ball").S[0] == 3 },
		"paint the blue ball green":        func(s *scene.Scene) bool { return s.Materials[*node(s, "Blue Ball").Material].BaseColor == "#2e9e3fff" },
		"make the table white":             func(s *scene.Scene) bool { return s.Materials[*node(s, "Top").Material].BaseColor == "#f5f5f5ff" },
		"put the red ball on the table":    func(s *scene.Scene) bool { return math.Abs(node(s, "Red Ball").T[1]-1.26) < 0.001 },
		"delete the balls": func(s *scene.Scene) bool {
			return node(s, "Red Ball") == nil && node(s, "Blue Ball") == nil && node(s, "Table") != nil
		},
		"remove all balls":                     func(s *scene.Scene) bool { return node(s, "Red Ball") == nil && node(s, "Blue Ball") == nil },
		"rename the blue ball to \"Sky Ball\"": func(s *scene.Scene) bool { return node(s, "Sky Ball") != nil && node(s, "Blue Ball") == nil },
		"duplicate the table":                  func(s *scene.Scene) bool { return node(s, "Table 2") != nil },
		"rotate the table by 90 degrees":       func(s *scene.Scene) bool { return math.Abs(node(s, "Table").R[1]-math.Sqrt2/2) < 1e-6 },
		"move the table up by 2 m":             func(s *scene.Scene) bool { return node(s, "Table").T[1] == 2 },
		"clear":                                func(s *scene.Scene) bool { return node(s, "Table") == nil && node(s, "Camera") != nil },
		"make it night":                        func(s *scene.Scene) bool { return s.Environment.Sky.Colors[0] == "#060a1fff" },
		"make the red ball spin":               func(s *scene.Scene) bool { return len(s.Animations) == 1 },
		"the table glows":                      func(s *scene.Scene) bool { return s.Materials[*node(s, "Top").Material].Emissive != "" },
		"make the red ball bigger and blue": func(s *scene.Scene) bool {
			return node(s, "Red Ball").S[0] == 1.5 && strings.HasPrefix(s.Materials[*node(s, "Red Ball").Material].BaseColor, colors["blue"])
		},
		"add a yellow cone next to the blue ball": func(s *scene.Scene) bool { return node(s, "Yellow Cone") != nil && node(s, "Camera 2") == nil },
	} {
		r := run(t, base, prompt)
		s := built(t, r.Code)
		if !check(s) {
			t.Errorf("%s: it is not done:\n%s", prompt, summary(s))
		}
		if fault := sound(r.Code, s, r.Diagnostics, prompt); fault != "" {
			t.Errorf("%s: %s", prompt, fault)
		}
		if !strings.Contains(r.Code, "// my favourite") && !strings.Contains(prompt, "ball") && prompt != "clear" {
			t.Errorf("%s: a comment is gone", prompt)
		}
	}
}

func TestRefusalsOfPrompts(t *testing.T) {
	base := run(t, "", "two red balls and a table").Code
	for prompt, want := range map[string]struct{ code, message string }{
		"make the red ball bigger":         {Invalid, "Red Ball, Red Ball 2"},
		"delete the chair":                 {NotFound, "no chair"},
		"add 201 cubes":                    {Invalid, "1 to 200"},
		"add 0 cubes":                      {Invalid, "1 to 200"},
		"200 houses":                       {Invalid, "parts"},
		"hello":                            {Invalid, "a red ball on a wooden table"},
		"":                                 {Invalid, "a red ball on a wooden table"},
		"a dragon":                         {Invalid, "a red ball on a wooden table"},
		"add a 500 m tall box":             {Invalid, "500 m"},
		"make the table 0 times bigger":    {Invalid, "side"},
		"ninety robots on the table":       {Invalid, ""},
		strings.Repeat("x", MaxPrompt+1):   {Invalid, "characters"},
		"rename the table to \"Red Ball\"": {Invalid, "already"},
	} {
		_, err := Run(Request{Prompt: prompt, Code: base})
		var r *Refusal
		if prompt == "ninety robots on the table" {
			continue
		}
		if !errors.As(err, &r) || r.Code != want.code || !strings.Contains(r.Message, want.message) {
			t.Errorf("%.40q: %v, want %s with %q", prompt, err, want.code, want.message)
		}
	}
	if _, err := Run(Request{Prompt: "a ball", Code: "composition \"X\" {"}); err == nil {
		t.Error("a broken scene is changed")
	}
}

func TestWordsThatAreNotKnownComeBack(t *testing.T) {
	r := run(t, "", "a shiny dragon next to a red box")
	if strings.Join(r.NotUnderstood, " ") != "shiny dragon" {
		t.Errorf("not understood are %q", r.NotUnderstood)
	}
}

// saladWords are what a random prompt is made of.
var saladWords = strings.Fields("a the an two some every red blue wooden glass big tiny light dark ball cube table chair house tree lamp wall floor ring sign robot " +
	"on under above beside between left right of in front behind around inside near against and , . row circle grid stack scattered make add put remove move turn " +
	"paint rename duplicate clear it them that spins glows falls when clicked disappears says \"hi\" 3 7 2 m tall wide bigger smaller taller times by up down night foggy " +
	"snowy ground with called dragon")

// Any words give a sound scene or a refusal, again and again on what the last
// ones made.
func TestAnyWords(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 5))
		code, said := "", ""
		for range 4 {
			var b strings.Builder
			for range 3 + r.IntN(14) {
				b.WriteString(saladWords[r.IntN(len(saladWords))] + " ")
			}
			got, err := Run(Request{Prompt: b.String(), Seed: seed, Code: code})
			if err != nil {
				var refusal *Refusal
				if !errors.As(err, &refusal) || refusal.Message == "" {
					t.Fatalf("%q: %v", b.String(), err)
				}
				if refusal.Code == Broken {
					t.Fatalf("%q on\n%s\n%v", b.String(), code, err)
				}
				continue
			}
			said += b.String()
			if fault := sound(got.Code, built(t, got.Code), got.Diagnostics, said); fault != "" {
				t.Fatalf("%q: %s\n%s", said, fault, got.Code)
			}
			code = got.Code
		}
	}
}

func FuzzRun(f *testing.F) {
	f.Add("a red ball on a wooden table", "", uint64(1))
	f.Add("make the ball bigger and blue. remove it", "composition \"X\" {\n  object \"Ball\" { geometry: \"sphere\" }\n}\n", uint64(2))
	f.Add("rename it to \"${x}\" # 99999999999 m tall ,,, and", "object A { object B { position: [1e9, -1e9, 0] } }", uint64(3))
	f.Fuzz(func(t *testing.T, prompt, code string, seed uint64) {
		if len(prompt) > 300 || len(code) > 1000 {
			return
		}
		got, err := Run(Request{Prompt: prompt, Code: code, Seed: seed})
		if err != nil {
			var refusal *Refusal
			if !errors.As(err, &refusal) || refusal.Message == "" {
				t.Fatalf("the error is no refusal: %v", err)
			}
			return
		}
		_, found := parse.File("main.holo", []byte(got.Code), ast.Holo)
		for _, d := range found {
			if d.Severity == diag.Error {
				t.Fatalf("%q gives a scene with an error: %s\n%s", prompt, d, got.Code)
			}
		}
	})
}

// The answer must come within 200 ms.
func BenchmarkTwoHundredChairs(b *testing.B) {
	for b.Loop() {
		if _, err := Run(Request{Prompt: "150 chairs in a grid"}); err != nil {
			b.Fatal(err)
		}
	}
}
