package pipeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/meshd/meshd/lang/target/artefact"
)

const (
	// shortest is how many minutes lie between two starts on GitHub at least.
	shortest = 5
	// longest is how many minutes a job may take there.
	longest = 360
	// delimiter ends the files that the first step writes. No line of the programs
	// is so: the pipelines stand in one line of JSON.
	delimiter = "END_OF_THE_PROGRAM"
)

// Actions makes workflow.yml: one job that writes the program and runs each
// pipeline whose schedule started it, or all when somebody did. Secrets are
// named, none stands in it, and no text of the source is in a place where it
// could be an expression.
func Actions(in *artefact.Input) (*artefact.Output, error) {
	list, code, losses, err := jobs(in)
	if err != nil {
		return nil, err
	}
	w := workflow{in: in, list: list, tally: artefact.NewTally(in), app: name(cmp.Or(in.Scene.Name, list[0].title), "pipelines", map[string]bool{})}
	title := cmp.Or(in.Scene.Name, "Pipelines")
	if len(list) == 1 {
		title = cmp.Or(list[0].title, title)
	}
	minutes := 5
	for i := range list {
		minutes += list[i].deadline / 60
	}
	doc := mapping(
		entry{"name", shown(title)}, entry{"on", w.triggers()}, entry{"permissions", mapping()},
		entry{"concurrency", mapping(entry{"group", word("meshd-" + w.app)}, entry{"cancel-in-progress", boolean(false)})},
		entry{"jobs", mapping(entry{"run", mapping(
			entry{"runs-on", word("ubuntu-24.04")}, entry{"timeout-minutes", number(min(minutes, longest))},
			entry{"defaults", mapping(entry{"run", mapping(entry{"shell", word("bash")})})},
			entry{"steps", sequence(w.steps(code)...)},
		)})},
	)
	raw, err := documents(w.comment(), doc)
	if err != nil {
		return nil, err
	}
	return &artefact.Output{
		Files: []artefact.File{{Path: "workflow.yml", MediaType: "application/yaml", Data: raw}}, Losses: append(losses, w.tally.All()...),
	}, nil
}

// shown is a text of a source where people see it. A host reads expressions
// everywhere: without the beginning of one there is none.
func shown(s string) *yaml.Node { return quoted(strings.ReplaceAll(s, "${{", "$ {{")) }

type workflow struct {
	in    *artefact.Input
	list  []job
	tally *artefact.Tally
	app   string
}

func (w *workflow) comment() []string {
	out := []string{
		w.in.Header(),
		"Checked by a schema of our own, and the program by running its steps; no run on GitHub has been seen.",
		"It goes to .github/workflows/ of the default branch. Schedules are in UTC; GitHub may start late, and it stops them",
		"in a public repository where nothing happens for sixty days.",
	}
	var secrets, plain []string
	for _, j := range w.list {
		for _, v := range j.variables {
			if v.Secret && !slices.Contains(secrets, v.Name) {
				secrets = append(secrets, v.Name)
			} else if !v.Secret && !slices.Contains(plain, v.Name) {
				plain = append(plain, v.Name)
			}
		}
	}
	if len(secrets) > 0 {
		out = append(out, "Secrets of the repository that it reads: "+strings.Join(secrets, ", "))
	}
	if len(plain) > 0 {
		out = append(out, "Variables of the repository that it reads: "+strings.Join(plain, ", "))
	}
	return out
}

// triggers are what starts the workflow. They narrow the schedules of the
// pipelines to those that GitHub keeps.
func (w *workflow) triggers() *yaml.Node {
	var lines []string
	for i := range w.list {
		j := &w.list[i]
		if j.every > 0 {
			j.cron = about(j.every)
			w.tally.Approximate(artefact.Pipelines, nil, fmt.Sprintf("no line of cron says every %d seconds; the workflow is started by %q", j.every, j.cron))
		}
		if sparse, ok := sparser(j.cron); ok {
			w.tally.Approximate(artefact.Pipelines, nil, "GitHub starts a workflow every five minutes at most; the minutes between are left out")
			j.cron = sparse
		}
		if j.cron != "" && !slices.Contains(lines, j.cron) {
			lines = append(lines, j.cron)
		}
	}
	dry := mapping(entry{"description", word("Read and check, and deliver nothing")}, entry{"type", word("boolean")}, entry{"default", boolean(false)})
	byHand := entry{"workflow_dispatch", mapping(entry{"inputs", mapping(entry{"dry_run", dry})})}
	if len(lines) == 0 {
		return mapping(byHand)
	}
	schedule := sequence()
	for _, l := range lines {
		schedule.Content = append(schedule.Content, mapping(entry{"cron", quoted(l)}))
	}
	return mapping(byHand, entry{"schedule", schedule})
}

// about is the line of cron nearest to every so many seconds.
func about(seconds int) string {
	minutes := max(shortest, (seconds+30)/60)
	hours := max(1, (minutes+30)/60)
	switch {
	case minutes < 60:
		return fmt.Sprintf("*/%d * * * *", minutes)
	case hours < 24:
		return fmt.Sprintf("0 */%d * * *", hours)
	}
	return fmt.Sprintf("0 0 1-31/%d * *", min(31, (hours+12)/24))
}

// sparser leaves the minutes out that follow another too soon; it says whether
// there were any.
func sparser(cron string) (string, bool) {
	if cron == "" {
		return "", false
	}
	all := minutesOf(cron)
	var kept []string
	last, first := -60, all[0]
	for _, m := range all {
		if m-last >= shortest && (m == first || first+60-m >= shortest) {
			kept = append(kept, fmt.Sprint(m))
			last = m
		}
	}
	if len(kept) == len(all) {
		return cron, false
	}
	_, rest, _ := strings.Cut(cron, " ")
	field := strings.Join(kept, ",")
	if first == 0 && len(kept) > 1 && last == 60-60/len(kept) && last == (len(kept)-1)*digits(kept[1]) { // all as far apart
		field = "*/" + kept[1]
	}
	return field + " " + rest, true
}

func (w *workflow) steps(code string) []*yaml.Node {
	write := fmt.Sprintf("mkdir -p program data\ncat > program/pipeline.mjs <<'%[1]s'\n%[2]s%[1]s\ncat > program/run.mjs <<'%[1]s'\n%[3]s%[1]s\n", delimiter, code, oneRunner)
	out := []*yaml.Node{mapping(entry{"name", word("Write the program")}, entry{"run", lines(write)})}
	files := slices.ContainsFunc(w.list, func(j job) bool { return j.files })
	const (
		path = "data"
		key  = "${{ github.run_id }}-${{ github.run_attempt }}"
	)
	if files {
		out = append(out, mapping(
			entry{"name", word("Fetch the files of the last run")}, entry{"uses", word("actions/cache/restore@v4")},
			entry{"with", mapping(entry{"path", word(path)}, entry{"key", word(w.app + "-" + key)}, entry{"restore-keys", word(w.app + "-")})},
		))
		w.tally.Approximate(artefact.Pipelines, nil, "files are kept from run to run in the cache of the repository, which forgets what nobody asks for in a week")
	}
	for _, j := range w.list {
		out = append(out, w.step(j))
	}
	if files {
		out = append(out, mapping(
			entry{"name", word("Keep the files for the next run")}, entry{"if", word("${{ !cancelled() && !inputs.dry_run && hashFiles('data/**') != '' }}")},
			entry{"uses", word("actions/cache/save@v4")}, entry{"with", mapping(entry{"path", word(path)}, entry{"key", word(w.app + "-" + key)})},
		), mapping(
			entry{"name", word("Show the files")}, entry{"if", word("${{ !cancelled() && !inputs.dry_run }}")}, entry{"uses", word("actions/upload-artifact@v4")},
			entry{"with", mapping(entry{"name", word(w.app)}, entry{"path", word(path)}, entry{"if-no-files-found", word("ignore")})},
		))
	}
	return out
}

// step runs one pipeline. One that fails does not keep the next from running.
func (w *workflow) step(j job) *yaml.Node {
	when := "${{ !cancelled() && github.event_name == 'workflow_dispatch' }}"
	if j.cron != "" { // numbers and stars
		when = "${{ !cancelled() && (github.event_name == 'workflow_dispatch' || github.event.schedule == '" + j.cron + "') }}"
	}
	env := mapping(entry{"DRY_RUN", word("${{ inputs.dry_run && '1' || '' }}")})
	script := ""
	var names []string
	for _, v := range j.variables {
		if strings.HasPrefix(strings.ToUpper(v.Name), "GITHUB_") || v.Name == "DRY_RUN" {
			w.tally.Drop(artefact.Pipelines, nil, "a variable of the environment whose name is one of GitHub's own is what GitHub makes of it")
			continue
		}
		from := "vars"
		if v.Secret {
			from = "secrets"
		}
		env.Content = append(env.Content, word(v.Name), word("${{ "+from+"."+v.Name+" }}"))
		names = append(names, v.Name)
	}
	if len(names) > 0 { // what nobody has set comes as nothing: the pipeline has words of its own for it
		script = "for name in " + strings.Join(names, " ") + "; do [ -n \"${!name}\" ] || unset \"$name\"; done\n"
	}
	script += fmt.Sprintf("node ../program/run.mjs %d ${DRY_RUN:+--dry-run} < /dev/null\n", j.number)
	return mapping(
		entry{"name", shown(cmp.Or(j.title, j.name))}, entry{"if", word(when)}, entry{"timeout-minutes", number(min(j.deadline/60, longest))},
		entry{"working-directory", word("data")}, entry{"env", env}, entry{"run", lines(script)},
	)
}
