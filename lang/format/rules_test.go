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
