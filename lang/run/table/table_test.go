package table

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../../.."

// TestWhatFollowsFromTheTablesIsWritten fails when a row has changed and what is
// generated from it has not.
func TestWhatFollowsFromTheTablesIsWritten(t *testing.T) {
	read := func(path string) (string, error) {
		raw, err := os.ReadFile(filepath.Join(root, path))
		return string(raw), err
	}
	files, err := Files(read)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range files {
		got, err := read(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if got == want {
			continue
		}
		a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Errorf("%s:%d is not what the tables say; run go generate ./lang/run/table\n%s\n%s", path, i+1, a[i], b[i])
				break
			}
		}
		if len(a) != len(b) {
			t.Errorf("%s has %d lines, the tables make %d; run go generate ./lang/run/table", path, len(a), len(b))
		}
	}
}

// TestRowsAreSound: an instruction has a name and known operands, and where it jumps
// its first operand says where.
func TestRowsAreSound(t *testing.T) {
	seen := map[string]bool{}
	unique := func(kind, name string) {
		if name == "" || seen[kind+name] {
			t.Errorf("%s %q stands there twice, or has no name", kind, name)
		}
		seen[kind+name] = true
	}
	for _, o := range Ops {
		unique("instruction", o.Name)
		if strings.Trim(o.Args, "ctlsxjfhn") != "" || len(o.Args) > 2 {
			t.Errorf("%s has the operands %q", o.Name, o.Args)
		}
		if o.Each > 0 && !strings.HasSuffix(o.Args, "n") || o.Each < 0 || o.Each > 2 {
			t.Errorf("%s takes %d for each of no count", o.Name, o.Each)
		}
		if jumps := o.Flow == Jump || o.Flow == Branch; jumps != strings.HasPrefix(o.Args, "j") || !jumps && o.Land != 0 {
			t.Errorf("%s has the flow %q and the operands %q", o.Name, o.Flow, o.Args)
		}
	}
	for _, l := range Limits {
		unique("limit", l.Name)
	}
	for _, o := range Operations {
		unique("operation", o.Name)
	}
	for _, m := range Methods {
		for _, name := range strings.Fields(m.Names) {
			unique(m.Of+" method", name)
		}
	}
	if Number("Const") != 0 || Number("Hosts") != 62 {
		t.Error("numbers of the format have moved")
	}
}
