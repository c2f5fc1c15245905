package diag

import (
	"encoding/json"
	"strings"
	"testing"
)

// lines is a locator of lines of ten bytes.
type lines struct{}

func (lines) Position(offset int) (int, int) { return offset/10 + 1, offset%10 + 1 }

func TestTableIsSound(t *testing.T) {
	t.Parallel()
	seen := map[Code]bool{}
	for _, r := range Rows {
		if seen[r.Code] {
			t.Errorf("%s stands twice", r.Code)
		}
		seen[r.Code] = true
		if len(r.Code) != 6 || stage(r.Code) == len(stages) {
			t.Errorf("%s has no stage", r.Code)
		}
		if !strings.HasSuffix(r.Message, ".") && !strings.HasSuffix(r.Message, "{hint}") {
			t.Errorf("%s: %q is no sentence", r.Code, r.Message)
		}
	}
	for _, reserved := range []Code{"LNT011", "LNT012", "LNT013"} {
		if _, ok := Lookup(reserved); ok {
			t.Errorf("%s is reserved", reserved)
		}
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 50)
	cases := []struct {
		code  Code
		slots []string
		want  string
	}{
		{SYN007, []string{"a value", "x\ny"}, "Expected a value, found 'x y'."},
		{SYN007, []string{long, long}, "Expected " + long + ", found '" + strings.Repeat("é", 39) + "…'."},
		{SYN009, []string{"if"}, "'if' needs a body or a value."},
		{SYN013, nil, "Indented bodies are not supported; use '{ }'."},
		{"LNT009", nil, "This looks like a secret; use '${env.NAME}'."},
		{"TRT001", []string{"grabable", " Did you mean '@grabbable'?"}, "Unknown trait '@grabable'. Did you mean '@grabbable'? It is kept as data."},
		{LIM002, []string{"x", "2", "1"}, "Limit exceeded: x is 2, allowed 1."},
	}
	for _, c := range cases {
		if got := Message(c.code, c.slots...); got != c.want {
			t.Errorf("%s: %q, want %q", c.code, got, c.want)
		}
	}
}

func TestOneErrorALine(t *testing.T) {
	t.Parallel()
	b := NewBag("f", lines{})
	b.Add("TYP007", 1, 2, "a", "b")
	b.Add(SYN007, 5, 6, "a", "b") // an earlier stage wins
	b.Add(SYN008, 2, 3, "a")      // the first of a stage wins
	b.Add(LNT005, 7, 8)
	b.Add(LNT005, 7, 8) // the same again is one
	b.Add(SYN008, 25, 26, "b")
	b.AddAs(Warning, "TYP001", 21, 22, "a", "b")
	var got []string
	for _, d := range b.All() {
		got = append(got, d.String())
	}
	want := []string{
		"f:1:6: error SYN007 Expected a, found 'b'.",
		"f:1:8: warning LNT005 '#' comments are accepted; '//' is standard.",
		"f:3:2: warning TYP001 Cannot assign a to b.",
		"f:3:6: error SYN008 Missing value after 'b:'.",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Whatever the order, the first hundred lines are kept and the others counted.
func TestCeiling(t *testing.T) {
	t.Parallel()
	for _, order := range []func(i int) int{func(i int) int { return i }, func(i int) int { return 1999 - i }, func(i int) int { return i * 7 % 2000 }} {
		b := NewBag("f", lines{})
		for i := range 2000 {
			b.Add(SYN019, order(i)*10, order(i)*10+1)
			b.Add(LNT014, order(i)*10, order(i)*10+1)
		}
		all := b.All()
		failures, notes := 0, 0
		for _, d := range all {
			if d.Severity == Error {
				failures++
			} else {
				notes++
			}
		}
		last := all[len(all)-1]
		if failures != MaxErrors+1 || notes != MaxNotes || last.Code != LIM009 || !strings.Contains(last.Message, "is 2000,") {
			t.Errorf("%d errors, %d notes, the last %v", failures, notes, last)
		}
		for i, d := range all[:20] {
			if d.Severity == Error && d.Line > 20 {
				t.Errorf("error %d is on line %d", i, d.Line)
			}
		}
	}
}

func TestFixes(t *testing.T) {
	t.Parallel()
	b := NewBag("f", lines{})
	b.Add(SYN013, 3, 4).Fix("Wrap", 3, 4, " {").And(6, 6, " }").Related("here", 0, 1).Suggest("x")
	d := b.All()[0]
	if got := d.Fixes[0].Apply("f", "if :abc"); got != "if  {ab }c" {
		t.Errorf("%q", got)
	}
	if got := d.Fixes[0].Apply("g", "if :abc"); got != "if :abc" {
		t.Errorf("another file became %q", got)
	}
	if got := d.Fixes[0].Apply("f", "if"); got != "if" {
		t.Errorf("a short text became %q", got)
	}
	var none *Finding
	none.Fix("", 0, 0, "").And(0, 0, "").Related("", 0, 0).Suggest("")
}

func TestJSON(t *testing.T) {
	t.Parallel()
	b := NewBag("main.holo", lines{})
	b.Add("TRT001", 41, 50, "grabable", "").Suggest("@grabbable").Related("r", 0, 1).Fix("t", 41, 50, "@grabbable")
	data, err := json.Marshal(b.All()[0])
	if err != nil {
		t.Fatal(err)
	}
	want := `{"code":"TRT001","severity":"warning","message":"Unknown trait '@grabable'. It is kept as data.","file":"main.holo",` +
		`"line":5,"column":2,"end_line":6,"end_column":1,"offset":41,"end_offset":50,"suggestion":"@grabbable",` +
		`"related":[{"message":"r","file":"main.holo","line":1,"column":1,"offset":0,"end_offset":1}],` +
		`"fixes":[{"title":"t","edits":[{"file":"main.holo","offset":41,"end_offset":50,"text":"@grabbable"}]}]}`
	if string(data) != want {
		t.Errorf("got\n%s\nwant\n%s", data, want)
	}
	var s Severity
	if s.UnmarshalText([]byte("hint")) != nil || s != Hint || s.UnmarshalText([]byte("fatal")) == nil {
		t.Error("severities do not decode")
	}
}
