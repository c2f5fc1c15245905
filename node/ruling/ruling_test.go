package ruling

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
)

// The cast: the house, two labelers and two reporters.
var cast = map[byte]Voice{'h': House, 'a': Labeler, 'b': Labeler, 'x': Reporter, 'y': Reporter}

func voice(id change.AgentID) Voice { return cast[id[0]] }

// labels reads a history such as "a:spam h:dismissed x!:abuse", one label a word,
// where ! marks a label on a forked chain.
func labels(history string) []fold.Label {
	var out []fold.Label
	for i, word := range strings.Fields(history) {
		by, value, _ := strings.Cut(word, ":")
		l := fold.Label{Value: value}
		l.ID, l.HLC, l.Agent, l.Forked = change.ID{byte(i + 1)}, uint64(i+1), change.AgentID{by[0]}, strings.HasSuffix(by, "!")
		out = append(out, l)
	}
	return out
}

// history is the opposite of labels, without marks.
func history(list []fold.Label) string {
	var words []string
	for _, l := range list {
		words = append(words, string(l.Agent[0])+":"+l.Value)
	}
	return strings.Join(words, " ")
}

func TestOf(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{
		"":                                      {"", ""},
		"a:spam":                                {"a:spam", ""},
		"a:spam a:abuse a:dismissed":            {"", ""},
		"a:spam b:spam a:dismissed":             {"b:spam", ""},
		"a:spam b:secret h:dismissed":           {"", ""},
		"a:spam h:dismissed b:abuse":            {"b:abuse", ""},
		"h:spam a:dismissed":                    {"h:spam", ""},
		"x:spam y:abuse":                        {"", "x:spam y:abuse"},
		"x:spam h:dismissed y:abuse":            {"", "y:abuse"},
		"x:spam a:dismissed y:abuse":            {"", "y:abuse"},
		"a:spam x:dismissed":                    {"a:spam", ""},
		"x:upheld":                              {"", ""},
		"h:upheld":                              {"h:upheld", ""},
		"a!:spam x!:spam b:spam h!:dismissed":   {"b:spam", ""},
		"a:spam h:dismissed a:spam h:dismissed": {"", ""},
	} {
		got := Of(labels(in), voice)
		if s, r := history(got.Standing), history(got.Reports); s != want[0] || r != want[1] {
			t.Errorf("%q: standing %q, reports %q, want %q", in, s, r, want)
		}
	}
}

// Whatever was said, one dismissal by the house at the end leaves nothing, and the
// labels that were given are not changed.
func TestHouseHasTheLastWord(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			by := rapid.SampledFrom([]string{"h", "a", "b", "x", "y", "a!", "x!"}).Draw(t, "by")
			return by + ":" + rapid.SampledFrom(body.Labels()).Draw(t, "value")
		}), 0, 12).Draw(t, "said")
		said := labels(strings.Join(append(words, "h:dismissed"), " "))
		before := slices.Clone(said)
		if got := Of(said, voice); len(got.Standing)+len(got.Reports) != 0 {
			t.Fatalf("%v leaves %q, %q", words, history(got.Standing), history(got.Reports))
		}
		if !slices.Equal(said, before) {
			t.Fatal("the labels were changed")
		}
	})
}
