package trait

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSuggestions(t *testing.T) {
	t.Parallel()
	cases := []struct {
		description, context string
		want                 []string // among them
		not                  []string
	}{
		{"a lamp that glows and can be picked up and thrown", "", []string{"glowing", "grabbable", "throwable"}, nil},
		{"the user can grab this heavy ball", "", []string{"grabbable", "physics"}, nil},
		{"a chair you can sit on", "", []string{"sittable"}, nil},
		{"button that plays a sound when clicked", "", []string{"clickable", "audio"}, nil},
		{"smoke rising from a chimney", "", []string{"particle_emitter"}, nil},
		{"see-through glass window", "", []string{"transparent"}, nil},
		{"the user can grab this heavy ball", `object "b" { @grabbable }`, []string{"physics"}, []string{"grabbable"}},
		{"hinge joint", "", []string{"joint_revolute", "physics"}, nil},
		{"qqqq zzzz", "", nil, nil},
		{"the of and", "", nil, nil},
		{"", "", nil, nil},
		{"???", "a glowing lamp", nil, nil},
	}
	for _, c := range cases {
		s := Builtin().SuggestFor(c.description, c.context)
		for _, w := range c.want {
			if !slices.Contains(s.Traits, w) {
				t.Errorf("%q: %q is not suggested: %v", c.description, w, s.Traits)
			}
		}
		for _, w := range c.not {
			if slices.Contains(s.Traits, w) {
				t.Errorf("%q: %q is suggested", c.description, w)
			}
		}
		if len(c.want) == 0 && (len(s.Traits) > 0 || s.Confidence != 0) {
			t.Errorf("%q: suggests %v with %v", c.description, s.Traits, s.Confidence)
		}
	}
	if got := Builtin().SuggestFor("a glowing chair", "").Reasoning["glowing"]; got != "matches 'glowing'" {
		t.Errorf("reasoning: %s", got)
	}
}

// What is true of every answer: bounded, explained, compatible, repeatable.
func TestSuggestionsHold(t *testing.T) {
	t.Parallel()
	var vocabulary []string
	for _, e := range Builtin().All() {
		vocabulary = append(vocabulary, words(e.Name+" "+e.Summary)...)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 12).Draw(t, "words"), " ")
		r := Builtin()
		s := r.SuggestFor(text, "")
		if !reflect.DeepEqual(s, r.SuggestFor(text, "")) {
			t.Fatal("two answers differ")
		}
		if len(s.Traits) > MaxSuggest || len(s.Reasoning) != len(s.Traits) || s.Confidence < 0 || s.Confidence > 0.95 {
			t.Fatalf("%+v", s)
		}
		for i, a := range s.Traits {
			e, ok := r.Lookup(a)
			if !ok || e.Kind != KindTrait || s.Reasoning[a] == "" || slices.Contains(s.Traits[:i], a) {
				t.Fatalf("%q in %+v", a, s)
			}
			for _, b := range s.Traits {
				if r.Exclude(a, b) {
					t.Fatalf("%s and %s exclude each other", a, b)
				}
			}
		}
	})
}

func TestStems(t *testing.T) {
	t.Parallel()
	groups := [][]string{{"grab", "grabs", "grabbed", "grabbing", "grabbable"}, {"glow", "glows", "glowing", "glowed"}, {"rotate", "rotates", "rotating", "rotatable", "rotation"}, {"particle", "particles", "smoke"}}
	for _, g := range groups {
		for _, w := range g {
			if stemOf(w) != stemOf(g[0]) {
				t.Errorf("%s is %s, %s is %s", w, stemOf(w), g[0], stemOf(g[0]))
			}
		}
	}
}

func TestSuggestReadsABoundedText(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x ", MaxQuestion/2) + "glowing"
	if s := Builtin().SuggestFor(long, ""); len(s.Traits) > 0 {
		t.Errorf("text behind the limit is read: %v", s.Traits)
	}
	if s := Builtin().SuggestFor(strings.Repeat("x ", MaxQuestion/2-4)+"glowing", ""); len(s.Traits) == 0 {
		t.Error("text before the limit is not read")
	}
}

// A synonym leads to a word of the catalogue.
func TestSynonymsAreUsed(t *testing.T) {
	t.Parallel()
	x := Builtin().suggestWords()
	for _, w := range sortedKeys(synonyms) {
		if len(x.postings[synonyms[w]]) == 0 {
			t.Errorf("%s stands for %s, which no trait has", w, synonyms[w])
		}
	}
}

// Confidence is the share of significant words that the catalogue knows.
func TestConfidence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"glowing": 0.95, "glowing zzzq": 0.47, "glowing zzzq yyyq xxxq": 0.23, "zzzq": 0} {
		if got := Builtin().SuggestFor(text, "").Confidence; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
