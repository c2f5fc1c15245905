package pipeline_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
)

// hostile are names that break out of what artefacts are written in.
var hostile = []string{
	"${{ secrets.ALL }}", "a\n---\nkind: Secret", `"}: x # - [`, "on", "~", "'", "--dry-run", "%TAG ! x", "\u202etxt\u2028", "\x00\x1b", "<<: *a", "$(reboot) `reboot`", "END_OF_THE_PROGRAM\nreboot", "😀 ☃",
}

// quote writes the escapes of a source.
var quote = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\x00", `\u0000`, "\x1b", `\u001b`)

func made(t *testing.T, id, source string) *target.Result {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.hs", []byte(source), ast.HS), target.Request{Target: id})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// tree is a YAML document as plain values.
type tree = map[string]any

func documentsOf(t *testing.T, raw []byte) []tree {
	t.Helper()
	var out []tree
	d := yaml.NewDecoder(bytes.NewReader(raw))
	for {
		var one tree
		if err := d.Decode(&one); errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			t.Fatalf("%v\n%s", err, raw)
		}
		out = append(out, one)
	}
}

// at follows keys and indices into a document.
func at(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch s := step.(type) {
		case string:
			m, ok := v.(tree)
			if !ok {
				t.Fatalf("%v: no map at %v", path, step)
			}
			v = m[s]
		case int:
			l, ok := v.([]any)
			if !ok || s >= len(l) {
				t.Fatalf("%v: no list at %v", path, step)
			}
			v = l[s]
		}
	}
	return v
}

// plansIn are the pipelines that stand in a program.
func plansIn(t *testing.T, code string) (runner string, plans any) {
	t.Helper()
	const begin = "\nexport const pipelines = "
	head, rest, ok := strings.Cut(code, begin)
	line, _, more := strings.Cut(rest, ";\n")
	if !ok || !more {
		t.Fatalf("no pipelines in %s", code)
	}
	if err := json.Unmarshal([]byte(line), &plans); err != nil {
		t.Fatal(err)
	}
	_, runner, _ = strings.Cut(head, "\n// ") // without the header, which names the target
	_, runner, _ = strings.Cut(runner, "\n")
	return runner, plans
}

func equal(t *testing.T, a, b any) bool {
	t.Helper()
	x, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(x, y)
}

const twoPipelines = `pipeline "Cold chain" {
  schedule: "*/15 * * * *"
  timeout: 30s
  retry { max: 3 backoff: "exponential" max_delay: 10s }
  source Crates { type: "rest" endpoint: "${env.CRATE_API}" headers: { authorization: "Bearer ${env.CRATE_TOKEN}" } }
  sink Alarm { type: "webhook" url: "${env.ALARM_URL:-none}" }
}
pipeline "Cold-chain" {
  source In { type: "list" items: [{ a: 1 }] }
  sink Out { type: "filesystem" path: "out/${env.HOUSE}.json" }
}`

func TestCronJobs(t *testing.T) {
	t.Parallel()
	raw := made(t, "kubernetes", twoPipelines).Files[0].Data
	docs := documentsOf(t, raw)
	kinds := []any{}
	for _, d := range docs {
		kinds = append(kinds, at(t, d, "kind"), at(t, d, "metadata", "name"))
	}
	want := []any{"ConfigMap", "cold-chain-program", "PersistentVolumeClaim", "cold-chain-files", "CronJob", "cold-chain", "CronJob", "cold-chain-2"}
	if !slices.Equal(kinds, want) {
		t.Fatalf("objects %v, not %v", kinds, want)
	}
	job := at(t, docs[2], "spec", "jobTemplate", "spec")
	pod := at(t, job, "template", "spec")
	for _, c := range []struct {
		what any
		path []any
		want any
	}{
		{docs[2], []any{"spec", "schedule"}, "*/15 * * * *"},
		{docs[2], []any{"spec", "suspend"}, false},
		{docs[2], []any{"spec", "concurrencyPolicy"}, "Forbid"},
		{docs[3], []any{"spec", "suspend"}, true},
		{job, []any{"backoffLimit"}, 0},
		{job, []any{"activeDeadlineSeconds"}, 600}, // 300 + 2 · (3 · 30 + 2 · 10), and no less than ten minutes
		{pod, []any{"securityContext", "runAsNonRoot"}, true},
		{pod, []any{"containers", 0, "resources", "limits", "memory"}, "256Mi"},
		{pod, []any{"containers", 0, "env", 0, "name"}, "ALARM_URL"},
		{pod, []any{"containers", 0, "env", 0, "valueFrom", "secretKeyRef", "optional"}, true},
		{pod, []any{"containers", 0, "env", 1, "valueFrom", "configMapKeyRef", "name"}, "cold-chain-settings"},
		{pod, []any{"containers", 0, "env", 2, "valueFrom", "secretKeyRef", "key"}, "CRATE_TOKEN"},
	} {
		if got := at(t, c.what, c.path...); got != c.want {
			t.Errorf("%v is %v, not %v", c.path, got, c.want)
		}
	}
	if !bytes.Contains(raw, []byte("\n  pipeline.mjs: |\n    #!/usr/bin/env node\n")) {
		t.Error("the program does not stand line by line")
	}
	// The program is that of pipeline-node.
	runner, plans := plansIn(t, at(t, docs[0], "data", "pipeline.mjs").(string))
	nodeRunner, nodePlans := plansIn(t, string(made(t, "pipeline-node", twoPipelines).Files[0].Data))
	if runner != nodeRunner || !equal(t, plans, nodePlans) {
		t.Error("another program than that of pipeline-node")
	}
}

// TestTextsOfASourceStayTexts: whatever a pipeline is called and says, the objects
// are those of any other, and what runs says what the source said.
func TestTextsOfASourceStayTexts(t *testing.T) {
	t.Parallel()
	for _, name := range hostile {
		q := quote.Replace(name)
		source := `pipeline "` + q + `" { schedule: "0 0 * * *" source S { type: "list" items: [{ a: "` + q + `" }] } sink T { type: "rest" url: "http://127.0.0.1/` + q + `" headers: { x: "${env.` + q + `}" } } }`
		_, want := plansIn(t, string(made(t, "pipeline-node", source).Files[0].Data))
		docs := documentsOf(t, made(t, "kubernetes", source).Files[0].Data)
		if len(docs) != 2 || at(t, docs[0], "kind") != "ConfigMap" || at(t, docs[1], "kind") != "CronJob" {
			t.Errorf("%q makes %d objects", name, len(docs))
			continue
		}
		if got := at(t, docs[1], "metadata", "annotations", "meshd/pipeline"); got != artefact.Readable(name) {
			t.Errorf("%q is noted as %#v", name, got)
		}
		if _, got := plansIn(t, at(t, docs[0], "data", "pipeline.mjs").(string)); !equal(t, got, want) {
			t.Errorf("%q: the program holds %v, not %v", name, got, want)
		}
		flow := made(t, "github-actions", source).Files[0].Data
		docs = documentsOf(t, flow)
		steps := at(t, docs[0], "jobs", "run", "steps").([]any)
		if len(docs) != 1 || len(steps) != 2 {
			t.Errorf("%q makes %d documents, %d steps", name, len(docs), len(steps))
			continue
		}
		if _, got := plansIn(t, at(t, steps[0], "run").(string)); !equal(t, got, want) {
			t.Errorf("%q: the program holds %v, not %v", name, got, want)
		}
		for _, m := range regexp.MustCompile(`\$\{\{.*?\}\}`).FindAllString(string(flow), -1) {
			if !slices.Contains(expressions, m) {
				t.Errorf("%q: %s is an expression", name, m)
			}
		}
		if got := at(t, steps[1], "run"); got != "node ../program/run.mjs 0 ${DRY_RUN:+--dry-run} < /dev/null\n" && name != "on" {
			t.Errorf("%q: runs %q", name, got)
		}
	}
}

// expressions are those of a workflow that runs every midnight.
var expressions = []string{
	"${{ inputs.dry_run && '1' || '' }}", "${{ !cancelled() && (github.event_name == 'workflow_dispatch' || github.event.schedule == '0 0 * * *') }}", "${{ secrets.on }}",
}

// TestNamesThatOldReadersTakeForOthers: a name is a text for readers of YAML 1.1
// too, which take on for true and 1e3 for a number.
func TestNamesThatOldReadersTakeForOthers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"on", "NO", "y", "null", "true", "1e3", "0x1f", "012", "2001-01-01", "12"} {
		raw := string(made(t, "kubernetes", `pipeline "`+name+`" { source S { type: "list" } sink T { type: "stdout" } }`).Files[0].Data)
		if !strings.Contains(raw, "\n  name: \""+strings.ToLower(name)+"\"\n") {
			t.Errorf("%s: %s", name, raw[strings.Index(raw, "kind: CronJob"):])
		}
	}
}

func TestWorkflows(t *testing.T) {
	t.Parallel()
	doc := documentsOf(t, made(t, "github-actions", twoPipelines).Files[0].Data)[0]
	steps := at(t, doc, "jobs", "run", "steps")
	for _, c := range []struct {
		what any
		path []any
		want any
	}{
		{doc, []any{"on", "schedule", 0, "cron"}, "*/15 * * * *"},
		{doc, []any{"jobs", "run", "timeout-minutes"}, 25},
		{steps, []any{1, "uses"}, "actions/cache/restore@v4"},
		{steps, []any{2, "name"}, "Cold chain"},
		{steps, []any{2, "timeout-minutes"}, 10},
		{steps, []any{2, "env", "CRATE_TOKEN"}, "${{ secrets.CRATE_TOKEN }}"},
		{steps, []any{2, "env", "CRATE_API"}, "${{ vars.CRATE_API }}"},
		{steps, []any{2, "env", "ALARM_URL"}, "${{ secrets.ALARM_URL }}"},
		{steps, []any{3, "if"}, "${{ !cancelled() && github.event_name == 'workflow_dispatch' }}"},
		{steps, []any{3, "env", "HOUSE"}, "${{ secrets.HOUSE }}"},
		{steps, []any{4, "uses"}, "actions/cache/save@v4"},
	} {
		if got := at(t, c.what, c.path...); got != c.want {
			t.Errorf("%v is %v, not %v", c.path, got, c.want)
		}
	}
	if got := at(t, doc, "permissions"); !equal(t, got, tree{}) {
		t.Errorf("permissions %v", got)
	}
	runner, plans := plansIn(t, at(t, steps, 0, "run").(string))
	nodeRunner, nodePlans := plansIn(t, string(made(t, "pipeline-node", twoPipelines).Files[0].Data))
	if runner != nodeRunner || !equal(t, plans, nodePlans) {
		t.Error("another program than that of pipeline-node")
	}
}

// TestWhatGitHubStarts: a schedule that GitHub does not keep is the nearest one,
// and a loss says so.
func TestWhatGitHubStarts(t *testing.T) {
	t.Parallel()
	for schedule, want := range map[string]string{
		`"* * * * *"`: "*/5 * * * *", `"*/2 6 * * *"`: "*/6 6 * * *", `"0,3,7,58 * * * *"`: "0,7 * * * *", `"1-4 * * * *"`: "1 * * * *", `20s`: "*/5 * * * *",
		`7min`: "0,7,14,21,28,35,42,49 * * * *", `100min`: "0 */2 * * *", `50h`: "0 0 1-31/2 * *", `"*/15 * * * *"`: "", `1h`: "",
	} {
		r := made(t, "github-actions", `pipeline "P" { schedule: `+schedule+` source S { type: "list" } sink T { type: "stdout" } }`)
		got := at(t, documentsOf(t, r.Files[0].Data)[0], "on", "schedule", 0, "cron")
		reported := slices.ContainsFunc(r.Losses, func(l scene.Loss) bool { return l.Code == "TGT003" && l.Feature == "pipelines" })
		if want != "" && got != want || reported != (want != "") {
			t.Errorf("%s: %v, reported %v", schedule, got, reported)
		}
	}
}

func TestSecretsAreNamedOnly(t *testing.T) {
	t.Setenv("CRATE_TOKEN", "hidden-value")
	for _, id := range []string{"kubernetes", "github-actions"} {
		if raw := made(t, id, twoPipelines).Files[0].Data; bytes.Contains(raw, []byte("hidden-value")) || !bytes.Contains(raw, []byte("CRATE_TOKEN")) {
			t.Errorf("%s: %s", id, raw)
		}
	}
}

// TestWhatAJobCannotDoIsSaid: streams, schedules and names that a host does not
// take are losses.
func TestWhatAJobCannotDoIsSaid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ source, want string }{
		{`pipeline "P" { source S { type: "stream" } sink T { type: "stdout" } }`, "standard input"},
		{`pipeline "P" { schedule: "61 * * * *" source S { type: "list" } sink T { type: "stdout" } }`, "no line of five fields"},
		{`pipeline "P" { schedule: "${env.WHEN}" source S { type: "list" } sink T { type: "stdout" } }`, "no line of five fields"},
		{`pipeline "P" { schedule: 0.1s source S { type: "list" } sink T { type: "stdout" } }`, "half a second"},
		{`pipeline "P" { source S { type: "rest" url: "${env.A B}" } sink T { type: "stdout" } }`, "letters, digits and _"},
		{`pipeline "P" { source S { type: "database" } sink T { type: "stdout" } }`, "need a server"},
	} {
		for _, id := range []string{"kubernetes", "github-actions"} {
			losses := made(t, id, c.source).Losses
			if !slices.ContainsFunc(losses, func(l scene.Loss) bool { return l.Code == "TGT002" && strings.Contains(l.Reason, c.want) }) {
				t.Errorf("%s: %s: %+v", id, c.source, losses)
			}
		}
	}
	var bad *target.SourceError
	_, err := target.Compile(target.Load(nil, "main.hs", []byte(`object "a" {}`), ast.HS), target.Request{Target: "kubernetes"})
	if !errors.As(err, &bad) || !strings.Contains(err.Error(), "TGT004") {
		t.Errorf("a source without a pipeline: %v", err)
	}
}

// TestSchedulesOfSeconds: what cron cannot say, the job does by itself within its
// minute. The clock of this test jumps to whatever is waited for.
func TestSchedulesOfSeconds(t *testing.T) {
	t.Parallel()
	const clock = `let now = Number(process.env.START);
Date.now = () => now;
globalThis.setTimeout = (f, ms) => { now += ms; queueMicrotask(f); };
const say = console.log;
console.log = (line) => { say((now - Number(process.env.START)) / 1000, line); now += Number(process.env.TAKES) * 1000; };
`
	for _, c := range []struct{ schedule, start, takes, cron, want string }{
		{"20s", "1700000040000", "0", "* * * * *", "0 20 40"},           // the beginning of a minute, at a multiple of 20 s
		{"20s", "1700000045000", "0", "* * * * *", "0 15 35"},           // a job that starts late makes up for the one it stands in
		{"20s", "1700000040000", "70", "* * * * *", "0"},                // one that takes longer swallows those
		{"90s", "1700000010000", "0", "* * * * *", "0"},                 // 1700000010 is a multiple of 90; the minute began 30 s before
		{"90s", "1700000040000", "0", "* * * * *", ""},                  // the next is at 1700000100, the beginning of the next minute
		{"7min", "1700000160000", "0", "* * * * *", ""},                 // of 420 s: 1699999980 and 1700000400
		{"10min", "1700000000000", "0", "*/10 * * * *", "0"},            // a line of cron
		{"6h", "1700000000000", "0", "0 */6 * * *", "0"},                //
		{"@weekly", "1700000000000", "0", "0 0 * * 0", "0"},             //
		{"\"0 9 * * 5-7\"", "1700000000000", "0", "0 9 * * 0,5,6", "0"}, // a Sunday is 0 for every reader
	} {
		schedule := c.schedule
		if strings.HasPrefix(schedule, "@") {
			schedule = `"` + schedule + `"`
		}
		docs := documentsOf(t, made(t, "kubernetes", `pipeline "P" { schedule: `+schedule+` source S { type: "list" items: [{ a: 1 }] } sink T { type: "stdout" } }`).Files[0].Data)
		if got := at(t, docs[1], "spec", "schedule"); got != c.cron {
			t.Errorf("%s: schedule %v, not %s", c.schedule, got, c.cron)
		}
		dir := t.TempDir()
		for name, text := range at(t, docs[0], "data").(tree) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text.(string)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "clock.mjs"), []byte(clock), 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{"--import", filepath.Join(dir, "clock.mjs"), filepath.Join(dir, "run.mjs")}
		for _, a := range at(t, docs[1], "spec", "jobTemplate", "spec", "template", "spec", "containers", 0, "args").([]any)[1:] {
			args = append(args, a.(string))
		}
		run := exec.Command("node", args...)
		run.Env = append(os.Environ(), "START="+c.start, "TAKES="+c.takes)
		out, err := run.Output()
		if err != nil {
			t.Fatalf("%s: %v", c.schedule, err)
		}
		var times []string
		for line := range strings.Lines(string(out)) {
			at, _, _ := strings.Cut(line, " ")
			times = append(times, at)
		}
		if got := strings.Join(times, " "); got != c.want {
			t.Errorf("%s from %s: runs at %q, not %q", c.schedule, c.start, got, c.want)
		}
	}
}
