package pipeline

import (
	_ "embed" // the program that runs one pipeline
	"encoding/json"
	"fmt"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

//go:embed run.mjs
var oneRunner string

// job is a pipeline as a host of jobs starts it.
type job struct {
	name   string // as the host takes it, once
	title  string // as the source has it
	place  string
	number int // in the program
	timing
	variables []variable
	deadline  int
	files     bool // keeps files between runs
}

// jobs are the pipelines of a source with the program that runs them, and what
// of them no job carries out.
func jobs(in *artefact.Input) (list []job, code string, losses []scene.Loss, err error) {
	plans, losses, err := plan(in)
	if err != nil {
		return nil, "", nil, err
	}
	doc, err := json.Marshal(plans)
	if err != nil {
		return nil, "", nil, fmt.Errorf("encode pipelines: %w", err)
	}
	tally := artefact.NewTally(in)
	taken := map[string]bool{}
	for i, p := range plans {
		one, err := json.Marshal(p)
		if err != nil {
			return nil, "", nil, fmt.Errorf("encode pipelines: %w", err)
		}
		j := job{
			name: name(in.Scene.Pipelines[i].Name, "pipeline", taken), title: in.Scene.Pipelines[i].Name, place: in.Source(in.Scene.Pipelines[i].Src), number: i,
			timing: timingOf(p), deadline: deadline(p), files: keepsFiles(p, one),
		}
		var odd []string
		if j.variables, odd = environment(p); len(odd) > 0 {
			tally.Drop(artefact.Pipelines, nil, "a variable of the environment whose name is more than letters, digits and _ is not set")
		}
		if j.wrong != "" {
			tally.Drop(artefact.Pipelines, nil, j.wrong+"; the pipeline runs when somebody starts it")
		}
		if readsInput(p) {
			tally.Drop(artefact.Pipelines, nil, "a stream is read from standard input, which is empty in a job")
		}
		list = append(list, j)
	}
	// Without a dollar sign nothing in the data is an expression of the host.
	return list, string(program(in, artefact.ASCII(doc, "$"))), append(losses, tally.All()...), nil
}

// maxName is the most letters of a name: a CronJob adds eleven to its own.
const maxName = 52

// name is a name of small letters, digits and hyphens that is not taken yet.
func name(from, otherwise string, taken map[string]bool) string {
	var b strings.Builder
	for _, r := range strings.ToLower(from) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() == maxName-4 { // room for a number
			break
		}
	}
	base := strings.TrimRight(b.String(), "-")
	if base == "" {
		base = otherwise
	}
	out := base
	for k := 2; taken[out]; k++ {
		out = fmt.Sprintf("%s-%d", base, k)
	}
	taken[out] = true
	return out
}
