package lessons

import (
	"slices"
	"testing"

	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/near"
)

// TestManyLessonsOfOneAuthorPass: the gate has nothing against them, and of ten
// thousand none is almost another one.
func TestManyLessonsOfOneAuthorPass(t *testing.T) {
	t.Parallel()
	const n = 10_000
	x, texts := near.New(1<<40), make([]near.Text, n)
	for k := range texts {
		texts[k] = near.Of(Text(k))
		for _, at := range x.Find(1, 0, texts[k]) {
			if texts[at].Like(texts[k]) {
				t.Fatalf("%d and %d are alike:\n%s\n%s", at, k, Text(int(at)), Text(k))
			}
		}
		x.Add(1, uint64(k), texts[k])
	}
	g, err := gate.New(gate.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for k := range 200 {
		r := g.Check(gate.Draft{Type: "gotcha", Content: Text(k)})
		if !r.OK() || len(r.Warnings) != 1 { // that there is no evidence
			t.Fatalf("%v %v: %s", r.Codes(), r.Warnings, Text(k))
		}
		if _, err := Entry(k, Domains[k%len(Domains)]); err != nil {
			t.Fatal(err)
		}
	}
	first, again := Text(1), Text(1)
	if slices.Contains([]string{Text(2), Text(3)}, first) || first != again {
		t.Error("a number has more than one text, or a text more than one number")
	}
}
