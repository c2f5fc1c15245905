package pipeline

import (
	"regexp"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// variable is a variable of the environment that a pipeline reads.
type variable struct {
	Name     string
	Secret   bool // kept where secrets are; else a setting that may be seen
	Optional bool // the source says what applies without it, wherever it reads it
}

var (
	reference = regexp.MustCompile(`\$\{([^}]*)\}`)
	// portable are the names that every shell and both hosts take.
	portable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`)
	recalled = regexp.MustCompile(`\["field","previous"|\$\{\s*previous\b`)
)

// settings are the last words of names that are no secrets by themselves.
var settings = []string{
	"API", "URL", "URI", "HOST", "PORT", "ENDPOINT", "BASE", "PATH", "DIR", "FILE", "FOLDER", "REGION", "TOPIC", "NAME", "LANG", "ZONE", "LEVEL", "MODE",
}

// secretWords make a name a secret wherever they stand in it.
var secretWords = []string{"KEY", "TOKEN", "SECRET", "PASS", "PASSWORD", "CREDENTIAL", "AUTH", "PRIVATE", "SIGNATURE"}

// given are the variables that every machine has: nobody sets them for a pipeline.
var given = []string{"PATH", "HOME", "HOSTNAME", "PWD", "SHELL", "USER", "TZ", "TMPDIR", "NODE_OPTIONS"}

// environment are the variables that the runner reads for a pipeline, in the
// order of their names, and the names that no host can set. A variable is a
// secret unless its name says that it is a setting; one in the address or the
// headers of a webhook is a secret in any case, since who has it may post.
func environment(p scene.Value) (list []variable, odd []string) {
	found := map[string]*variable{}
	var walk func(v scene.Value, closed bool)
	walk = func(v scene.Value, closed bool) {
		switch v.Kind {
		case trait.List:
			for _, e := range v.List {
				walk(e, closed)
			}
		case trait.Map:
			for _, f := range v.Fields {
				walk(f.Value, closed || f.Key == "headers")
			}
		case trait.Text:
			for _, m := range reference.FindAllStringSubmatch(v.Str, -1) {
				path, _, optional := strings.Cut(m[1], ":-")
				name, ok := strings.CutPrefix(strings.TrimSpace(path), "env.")
				switch {
				case !ok || slices.Contains(given, name):
				case !portable.MatchString(name):
					odd = append(odd, name)
				case found[name] == nil:
					found[name] = &variable{name, closed || isSecret(name), optional}
				default:
					found[name].Secret = found[name].Secret || closed
					found[name].Optional = found[name].Optional && optional
				}
			}
		}
	}
	for _, st := range stagesOf(p) {
		if role := textAt(st, "stage"); role == "source" || role == "sink" {
			walk(st, textAt(st, "type") == "webhook")
		}
	}
	if receipt, ok := scene.Get(p, "receipt"); ok {
		walk(receipt, textAt(receipt, "type") == "webhook")
	}
	for _, v := range found {
		list = append(list, *v)
	}
	slices.SortFunc(list, func(a, b variable) int { return strings.Compare(a.Name, b.Name) })
	slices.Sort(odd)
	return list, slices.Compact(odd)
}

func isSecret(name string) bool {
	words := strings.Split(strings.ToUpper(name), "_")
	for _, w := range words {
		if slices.Contains(secretWords, w) || slices.Contains(secretWords, strings.TrimSuffix(w, "S")) || strings.HasSuffix(w, "KEY") {
			return true
		}
	}
	return !slices.Contains(settings, words[len(words)-1])
}

func stagesOf(p scene.Value) []scene.Value {
	stages, _ := scene.Get(p, "stages")
	return stages.List
}

func textAt(v scene.Value, key string) string {
	f, _ := scene.Get(v, key)
	return f.Str
}

func numberAt(v scene.Value, key string, otherwise float64) float64 {
	if f, ok := scene.Get(v, key); ok && f.Kind == trait.Number {
		return f.Num
	}
	return otherwise
}

// readsInput says whether a pipeline waits for lines on standard input.
func readsInput(p scene.Value) bool {
	return slices.ContainsFunc(stagesOf(p), func(st scene.Value) bool {
		return textAt(st, "stage") == "source" && slices.Contains([]string{"stream", "stdin"}, textAt(st, "type"))
	})
}

// keepsFiles says whether a pipeline reads or writes files, the dead letters and
// what the last run saw among them.
func keepsFiles(p scene.Value, doc []byte) bool {
	file := func(v scene.Value) bool {
		onError, _ := scene.Get(v, "on_error")
		return textAt(v, "type") == "filesystem" || textAt(onError, "action") == "dead_letter"
	}
	receipt, _ := scene.Get(p, "receipt")
	return file(p) || file(receipt) || slices.ContainsFunc(stagesOf(p), file) || recalled.Match(doc)
}

// The bounds of what a run may take, in seconds, and how many records a sink is
// taken to send that sends them one by one.
const (
	shortestRun = 600
	longestRun  = 6 * 3600
	startOfRun  = 300
	loneRecords = 100
)

// deadline is how many seconds a run may take: every request with all of its
// attempts and the waits between them, and time to start.
func deadline(p scene.Value) int {
	total := float64(startOfRun)
	for _, st := range stagesOf(p) {
		kind := textAt(st, "type")
		if kind != "rest" && kind != "webhook" {
			continue
		}
		retry, ok := scene.Get(st, "retry")
		if !ok {
			retry, _ = scene.Get(p, "retry")
		}
		most := min(max(1, numberAt(retry, "max", numberAt(retry, "max_attempts", 1))), 1000)
		one := most*numberAt(p, "timeout", 30) + (most-1)*numberAt(retry, "max_delay", 60)
		if textAt(st, "stage") == "sink" && namesFields(st) {
			one *= loneRecords
		}
		total += one
	}
	if !(total < longestRun) {
		return longestRun
	}
	return max(shortestRun, (int(total)+59)/60*60)
}

// namesFields says whether the texts of a sink differ from record to record.
func namesFields(v scene.Value) bool {
	switch v.Kind {
	case trait.List:
		return slices.ContainsFunc(v.List, namesFields)
	case trait.Map:
		return slices.ContainsFunc(v.Fields, func(f trait.Field) bool { return namesFields(f.Value) })
	}
	return slices.ContainsFunc(reference.FindAllStringSubmatch(v.Str, -1), func(m []string) bool {
		root, _, _ := strings.Cut(strings.TrimSpace(m[1]), ".")
		return !slices.Contains([]string{"env", "params", "previous", "batch", "source", "result"}, root)
	})
}
