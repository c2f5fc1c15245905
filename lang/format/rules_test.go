package format

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestRules(t *testing.T) {
	const golden = "testdata/rules.golden.txtar"
	in, err := txtar.ParseFile("testdata/rules.txtar")
	if err != nil {
		t.Fatal(err)
	}
	out := &txtar.Archive{Comment: []byte("What rules.txtar is formatted to.\n\n")}
	for _, f := range in.Files {
		text := check(t, f.Name+".holo", string(f.Data))
		out.Files = append(out.Files, txtar.File{Name: f.Name, Data: []byte(text)})
		for _, l := range strings.Split(text, "\n") {
			if len(l) > Width {
				t.Errorf("%s: a line of %d bytes: %s", f.Name, len(l), l)
			}
		}
	}
	if *update {
		if err := os.WriteFile(golden, txtar.Format(out), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(txtar.Format(out)); got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A substitution of a template stays on its line however long it is, and on its
// lines where the author broke it.
func TestSubstitutionsKeepTheirLines(t *testing.T) {
	for text, want := range map[string]string{
		"a: `x ${\n    f( 1,\n      g( ) )\n  } y`\n": "a: `x ${\n    f( 1,\n      g( ) )\n  } y`\n",
		"a: `x ${ f( 1,g( ) ) } y`\n":                 "a: `x ${f(1, g())} y`\n",
		"a: `${list.filter((v) => v.price > 100 && v.available).map((v) => v.name.toUpperCase() + suffix).join(\", \")} and more`\n": "a: `${list.filter((v) => v.price > 100 && v.available).map((v) => v.name.toUpperCase() + suffix).join(\", \")} and more`\n",
		"object \"A\" { f() { log `${ [1,\r\n 2] }` } }": "object \"A\" {\n  f() {\n    log `${ [1,\n 2] }`\n  }\n}\n",
		"b: { text: `${ { n: 1\n m: 2 } }` }\n":          "b: {\n  text: `${ { n: 1\n m: 2 } }`\n}\n",
	} {
		if got := check(t, "a.holo", text); got != want {
			t.Errorf("%q\ngot  %q\nwant %q", text, got, want)
		}
	}
}
