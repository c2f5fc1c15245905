package pipeline_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
)

// runners are the targets with the command that runs their main file.
var runners = map[string]string{"pipeline-node": "node", "pipeline-python": "python3"}

// compiled writes a pipeline for one of the runners into an empty folder.
func compiled(t *testing.T, id, source string) (folder, file string) {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.hs", []byte(source), ast.HS), target.Request{Target: id})
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	file = filepath.Join(folder, r.Files[0].Path)
	if err := os.WriteFile(file, r.Files[0].Data, 0o600); err != nil {
		t.Fatal(err)
	}
	return folder, file
}

// run gives what a pipeline prints, and what it says besides.
func run(t *testing.T, id, folder, file string, args ...string) (printed, said string) {
	t.Helper()
	var out, errs strings.Builder
	c := exec.Command(runners[id], append([]string{file}, args...)...)
	c.Dir, c.Stdout, c.Stderr = folder, &out, &errs
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String()
}

// TestRecordsOfTwoSources: a merge takes the records of every stage it names, or
// of all that nobody took, and makes one of those with the same key.
func TestRecordsOfTwoSources(t *testing.T) {
	t.Parallel()
	const sources = `pipeline "Union" {
  source Left { type: "list" items: [{ id: 1, a: "l" }, { id: 2, a: "l" }, { a: "none" }] }
  transform Kept { id -> id  a -> a }
  source Right { type: "list" items: [{ id: 2, b: "r" }, { id: 3, b: "r" }, { id: 1, a: "r" }] }
`
	both := `{"id":1,"a":"r"}` + "\n" + `{"id":2,"a":"l","b":"r"}` + "\n" + `{"a":"none"}` + "\n" + `{"id":3,"b":"r"}` + "\n"
	for _, c := range []struct{ name, merge, want string }{
		{"named", `merge All { from: [Kept, Right] key: "id" }`, both},
		{"with", `merge All { from: Kept with: Right key: "id" }`, both},
		{"open", `merge All { key: "id" }`, both},
		{"no key", `merge All { from: [Right, Kept] }`, `{"id":2,"b":"r"}` + "\n" + `{"id":3,"b":"r"}` + "\n" + `{"id":1,"a":"r"}` + "\n" + `{"id":1,"a":"l"}` + "\n" + `{"id":2,"a":"l"}` + "\n" + `{"a":"none"}` + "\n"},
	} {
		for id := range runners {
			folder, file := compiled(t, id, sources+c.merge+"\n sink Out { type: \"stdout\" }\n}")
			if out, said := run(t, id, folder, file); out != c.want {
				t.Errorf("%s, %s: printed\n%s, not\n%s\n%s", c.name, id, out, c.want, said)
			}
		}
	}
}

// TestWhatTheLastRunSaw: previous is the last record that came to the stage in
// the run before; a dry run leaves it as it is, and a damaged file is named.
func TestWhatTheLastRunSaw(t *testing.T) {
	t.Parallel()
	const source = `pipeline "Changes" {
  source Reading { type: "filesystem" path: "in.json" }
  filter New { where: at > (previous.at ?? 0) }
  sink Out { type: "stdout" }
  receipt Kept { type: "filesystem" path: "receipt.json" }
}`
	for id := range runners {
		folder, file := compiled(t, id, source)
		put := func(name, text string) {
			t.Helper()
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		put("in.json", `[{"at": 1}, {"at": 2}]`)
		for i, step := range []struct {
			args []string
			in   string
			want string
		}{
			{[]string{"--dry-run"}, `[{"at": 1}, {"at": 2}]`, ""},
			{nil, `[{"at": 1}, {"at": 2}]`, `{"at":1}` + "\n" + `{"at":2}` + "\n"},
			{nil, `[{"at": 2}, {"at": 3}]`, `{"at":3}` + "\n"},
			{nil, `[{"at": 3}]`, ""},
		} {
			put("in.json", step.in)
			if out, said := run(t, id, folder, file, step.args...); out != step.want {
				t.Errorf("%s, run %d: printed %q, not %q\n%s", id, i, out, step.want, said)
			}
		}
		if receipt, err := os.ReadFile(filepath.Join(folder, "receipt.json")); err != nil || !strings.Contains(string(receipt), `"read": 1`) {
			t.Errorf("%s: receipt %s, %v", id, receipt, err)
		}
		put("pipeline-state.json", "{")
		if out, said := run(t, id, folder, file); out != "" || !strings.Contains(said, "pipeline-state.json is no JSON") {
			t.Errorf("%s: printed %q, said %q", id, out, said)
		}
	}
}

// TestFieldsInTheTextOfASink: a path that names a field is one for each record.
func TestFieldsInTheTextOfASink(t *testing.T) {
	t.Parallel()
	for id := range runners {
		folder, file := compiled(t, id, `pipeline "Split" {
  source In { type: "list" items: [{ id: "a" }, { id: "b" }] }
  sink Out { type: "filesystem" path: "${id}-of-${batch.size}-${source.name}.json" }
}`)
		_, said := run(t, id, folder, file)
		for _, name := range []string{"a-of-2-In.json", "b-of-2-In.json"} {
			if raw, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !strings.Contains(string(raw), `"`+name[:1]+`"`) {
				t.Errorf("%s: %s holds %s, %v; %s", id, name, raw, err, said)
			}
		}
	}
}
