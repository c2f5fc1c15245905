package encode_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/encode"
)

type inner struct {
	Names []string       `json:"names"`
	Facts map[string]int `json:"facts"`
	Bytes []byte         `json:"bytes"`
	Extra []string       `json:"extra,omitempty"`
	Kids  []*inner       `json:"kids,omitempty"`
	At    time.Time      `json:"-"`
	Any   any            `json:"any"`
	Raw   json.RawMessage
}

type outer struct {
	inner2
	Embedded
	One   inner            `json:"one"`
	Two   *inner           `json:"two"`
	Many  []inner          `json:"many"`
	Table map[string]inner `json:"table"`
	Lists [][]int          `json:"lists"`
	By    map[string][]int `json:"by"`
	Own   own              `json:"own"`
}

type inner2 struct{ Plain int }

type Embedded struct {
	Tags []string `json:"tags"`
}

type own []int

func (own) MarshalJSON() ([]byte, error) { return []byte(`"own"`), nil }

// TestListsAreNeverNull: whatever is nil inside a reply is an empty list, the value
// that was given stays as it is, and what has its lists is not copied.
func TestListsAreNeverNull(t *testing.T) {
	t.Parallel()
	const none = `{"names":[],"facts":{},"bytes":null,"any":null,"Raw":null}`
	for name, c := range map[string]struct {
		v    any
		want string
	}{
		"nothing": {outer{}, `{"Plain":0,"tags":[],"one":` + none + `,"two":null,"many":[],"table":{},"lists":[],"by":{},"own":"own"}`},
		"inside": {&outer{Embedded: Embedded{[]string{"<a>"}}, Two: &inner{Kids: []*inner{{}, nil}, Extra: []string{"x"}}, Many: []inner{{}}, Table: map[string]inner{"k": {}},
			Lists: [][]int{nil, {1}}, By: map[string][]int{"k": nil}},
			`{"Plain":0,"tags":["<a>"],"one":` + none + `,"two":{"names":[],"facts":{},"bytes":null,"extra":["x"],"kids":[` + none + `,null],"any":null,"Raw":null},` +
				`"many":[` + none + `],"table":{"k":` + none + `},"lists":[[],[1]],"by":{"k":[]},"own":"own"}`},
		"a pointer to nothing": {(*outer)(nil), `null`},
		"nothing at all":       {nil, `null`},
		"a text":               {"<b>", `"<b>"`},
		"an interface":         {inner{Any: []string(nil)}, `{"names":[],"facts":{},"bytes":null,"any":null,"Raw":null}`},
	} {
		before, err := json.Marshal(c.v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := encode.JSON(c.v); err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, c.want)
		}
		if after, err := json.Marshal(c.v); err != nil || string(after) != string(before) {
			t.Errorf("%s was changed: %s", name, after)
		}
	}
	full := &inner{Names: []string{}, Facts: map[string]int{}}
	if got := encode.Whole(full); got != any(full) {
		t.Error("a value with all its lists was copied")
	}
	if got := encode.Whole([]inner{{Names: []string{"a"}, Facts: map[string]int{"b": 1}}}); !reflect.DeepEqual(got, []inner{{Names: []string{"a"}, Facts: map[string]int{"b": 1}}}) {
		t.Errorf("%v", got)
	}
	if _, err := encode.JSON(func() {}); err == nil {
		t.Error("a function has no JSON")
	}
}

func BenchmarkWhole(b *testing.B) {
	page := outer{Embedded: Embedded{[]string{"a"}}}
	for range 20 {
		page.Many = append(page.Many, inner{Names: []string{"a", "b"}, Facts: map[string]int{}})
	}
	for b.Loop() {
		encode.Whole(&page)
	}
}
