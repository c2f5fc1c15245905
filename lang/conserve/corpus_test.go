package conserve

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// mostAlike is how alike two sources may be: the share of sequences of three tokens that
// both have, of all that one has. Copies of one template with other names and values have
// 0.7 and more.
const mostAlike = 0.5

// manyFiles is in how many sources a word stands that is of the language and no name.
const manyFiles = 4

// habits are what the corpus is about, as language.md §4 names them, with what shows that
// a source has them.
var habits = []struct{ name, pattern string }{
	{"T55 event by a text with parameters", `(?m)\bon(_event| [a-z.]+\.[a-z]+)?\s*\("`},
	{"T56 transition between texts", `transition "[^"]+" -> "`},
	{"T57 event and an arrow function", `\bon ("[a-z ]+"|[a-z_]+) => \(`},
	{"T58 options of a dialogue", `option "[^"]+" -> @`},
	{"T59 text to value", `(?m)^\s*"[^"]+" -> [{"0-9]`},
	{"T60 list of hyphens", `(?m)^\s*- "`},
	{"T61 degree sign", `\d°`},
	{"T62 triple quotes", `'''`},
	{"M01 kind by property", `object "[^"]+"[^{]*\{\s*"?type"?: "?(directional_light|point_light|spot_light|camera|text|portal|panel|ui|group|sphere|model|audio|label|area_light)`},
	{"M02 component as property", `\b(camera|light|advanced_pbr|audio|particles|grabbable|rigidbody|collider|mesh|transform): (\{|true)`},
	{"M03 text in properties", `properties: \{ text:`},
	{"M04 word of motion", `animate: (\{ )?"?(type: )?"?(pulse|float|spin|orbit|bounce|sway)`},
	{"M05 named state", `(?m)^\s*state [A-Z]\w* \{`},
	{"M06 $name", `\$[a-z]\w+`},
	{"M07 objects in the environment", `environment "[^"]+" \{[^}]*\n?[^}]*(object|light|fog) `},
	{"M08 preset word", `(preset|sky|skybox|material): "?[a-z_]+`},
	{"M09 vector as object", `(position|size|scale|rotation): \{ (x|y|z):`},
	{"M09 vector in parentheses", `(position|size|scale|rotation|target): \(-?[\d.]+°?,`},
	{"M09 vector as text", `(position|size|rotation|target): "-?[\d.]+°?,? `},
	{"M10 endpoints", `(@http|\broute: "|method: "?(GET|POST|DELETE))`},
	{"M11 identity", `identity \{`},
	{"M12 sizes in pixels or points", `(font_size|width): \d+(px|pt)`},
	{"M13 scale of a solid with children", `scale:[^\n]*\n[^\n]*(children|object)|scale: [^\n]*(children|\n\s+object)`},
}

func corpus(t *testing.T) []source {
	t.Helper()
	out := sources(t, "corpus", "testdata/corpus")
	if len(out) < 100 {
		t.Fatalf("%d sources, at least 100 have to be there", len(out))
	}
	return out
}

// TestCorpusUsesEveryHabit: each habit stands in several sources, and most sources have
// several.
func TestCorpusUsesEveryHabit(t *testing.T) {
	t.Parallel()
	files, of := corpus(t), map[string]int{}
	for _, h := range habits {
		re := regexp.MustCompile(h.pattern)
		n := 0
		for _, s := range files {
			if re.Match(s.text) {
				n++
				of[s.name]++
			}
		}
		if n < 4 {
			t.Errorf("%s stands in %d sources only", h.name, n)
		}
	}
	few := 0
	for _, s := range files {
		if of[s.name] < 2 {
			few++
			t.Logf("%s has %d", s.name, of[s.name])
		}
		if lines := bytes.Count(s.text, []byte("\n")); lines > 40 {
			t.Errorf("%s has %d lines; cut it", s.name, lines)
		}
	}
	if few > len(files)/5 {
		t.Errorf("%d of %d sources have fewer than two habits", few, len(files))
	}
}

// TestNoTemplate: no two sources come from one, whatever names and values they have.
func TestNoTemplate(t *testing.T) {
	t.Parallel()
	files := corpus(t)
	for _, s := range judged(t) {
		if strings.HasPrefix(s.name, "blind/") {
			files = append(files, s)
		}
	}
	grams := trigrams(files)
	for i := range files {
		for j := range i {
			if a := alike(grams[i], grams[j]); a > mostAlike {
				t.Errorf("%s and %s are alike by %.2f", files[j].name, files[i].name, a)
			}
		}
	}
	// The measure itself: the same source with other names, other values and one line more.
	first := source{name: "a", text: []byte(lamp)}
	again := source{name: "b", text: []byte(strings.NewReplacer("Lamp", "Bulb", "0.25", "7", "lit", "shining", "#ffcc88", "#123").Replace(lamp) + "object \"More\" { radius: 3 }\n")}
	grams = trigrams(append(slices.Clone(files), first, again))
	if a := alike(grams[len(files)], grams[len(files)+1]); a < 0.7 {
		t.Errorf("a copy with other names is alike by %.2f only", a)
	}
}

// trigrams are the sequences of three tokens of sources, with literals and names blank.
func trigrams(files []source) []map[string]bool {
	streams, in := make([][]string, len(files)), map[string]int{}
	for i, s := range files {
		src := token.Decode(s.path, s.text)
		stream := token.Lex(src, diag.NewBag(s.path, src))
		seen := map[string]bool{}
		for _, k := range stream.Tokens {
			text := src.Text[k.Start:k.End]
			switch k.Kind {
			case token.Ident, token.Trait:
				if !seen[text] {
					seen[text] = true
					in[text]++
				}
			case token.String, token.Number, token.Colour, token.BlockString, token.Template, token.StateRef:
				text = fmt.Sprintf("<%d>", k.Kind)
			case token.Comma, token.Semicolon, token.EOF:
				continue
			}
			streams[i] = append(streams[i], text)
		}
	}
	out := make([]map[string]bool, len(files))
	for i, words := range streams {
		for j, w := range words {
			if n, ok := in[w]; ok && n < manyFiles {
				words[j] = "name"
			}
		}
		out[i] = map[string]bool{}
		for j := 2; j < len(words); j++ {
			out[i][strings.Join(words[j-2:j+1], " ")] = true
		}
	}
	return out
}

// alike is the share of what two sets have in common.
func alike(a, b map[string]bool) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	common := 0
	for k := range a {
		if b[k] {
			common++
		}
	}
	return float64(common) / float64(len(a)+len(b)-common)
}
