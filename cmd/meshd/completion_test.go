package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// freeWords are the names in usages of what nobody could offer: texts, numbers, secrets,
// and what lies elsewhere.
var freeWords = []string{"ADDRESS", "DID", "GATEWAY", "LINE", "N", "RANGE", "REASON", "SOLUTION", "TEXT", "TITLE", "TOKEN", "URL", "USD", "NEW", "AGENTNAME", "command"}

// notOffered are kinds of which the world of the test has none, and why.
var notOffered = map[string]string{
	"PAYMENT": "only a chain makes one, and one that ends at once is not listed",
}

// fileWords are completed by the shell itself, with the names of files.
var fileWords = []string{"FILE", "DIR", "FOLDER", "png"}

// TestEveryVerbCompletes: a shell is offered something for each word of each verb, and for
// each flag that takes one of a few values or what the node knows.
func TestEveryVerbCompletes(t *testing.T) {
	t.Parallel()
	w := newVerbsWorld(t)
	done := w.ask(w.ids["SECOND"])
	t.Cleanup(func() { w.must("device refuse $DEVICE"); _ = done() })
	offered := func(words ...string) []string {
		var out []string
		text, errs, code := w.words(append([]string{"__complete"}, words...))
		if code != session.ExitOK {
			t.Errorf("%q: exit %d: %s", words, code, errs)
		}
		for line := range strings.Lines(text) {
			if value, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); value != "" && !strings.HasPrefix(value, ":") {
				out = append(out, value)
			}
		}
		return out
	}
	flags := 0
	for _, c := range verbs(root(&session.Session{Out: io.Discard, Err: io.Discard})) {
		path := strings.Fields(c.CommandPath())[1:]
		if len(path) == 0 || slices.Contains([]string{"completion", "help"}, path[0]) {
			continue
		}
		line := slices.Clone(path)
		for _, place := range w.placesOf(c) {
			names := strings.Split(place, "|")
			switch {
			case slices.ContainsFunc(names, func(n string) bool { return slices.Contains(freeWords, n) || slices.Contains(fileWords, n) || n == "-" }):
			case slices.ContainsFunc(names, func(n string) bool { return notOffered[n] != "" }):
			default:
				got := offered(append(slices.Clone(line), "")...)
				for _, name := range names {
					id, known := w.ids[name]
					switch {
					case known && !slices.ContainsFunc(got, func(v string) bool { return v == id || w.handle(v, id) }):
						t.Errorf("%s: %s is offered %q, and not %s", c.CommandPath(), name, got, id)
					case !known && strings.ToLower(name) == name && !slices.Contains(got, name):
						t.Errorf("%s: %q is not offered: %q", c.CommandPath(), name, got)
					case len(got) == 0:
						t.Errorf("%s: nothing is offered for %s", c.CommandPath(), name)
					}
				}
			}
			line = append(line, w.value(names[0]))
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			name, usage := pflag.UnquoteUsage(f)
			choices := session.ChoicesOf(f.Annotations)
			if _, known := session.KindOf(name); !known && choices == nil && !slices.Contains([]string{"SCOPES", "TARGET", "CATEGORY"}, name) {
				if listed(usage) {
					t.Errorf("%s --%s takes one of a few values that a shell does not complete: %s", c.CommandPath(), f.Name, usage)
				}
				return
			}
			flags++
			got := offered(append(slices.Clone(line), "--"+f.Name, "")...)
			id, known := w.ids[name]
			switch {
			case choices != nil && !slices.Equal(got, choices):
				t.Errorf("%s --%s offers %q, not %q", c.CommandPath(), f.Name, got, choices)
			case choices == nil && known && !slices.ContainsFunc(got, func(v string) bool { return v == id || w.handle(v, id) }) && !strings.HasPrefix(name, "SUB"):
				t.Errorf("%s --%s offers %q, and not %s", c.CommandPath(), f.Name, got, id)
			case len(got) == 0 && name != "SUBMISSION":
				t.Errorf("%s --%s offers nothing for %s", c.CommandPath(), f.Name, name)
			}
			for _, v := range choices {
				if !strings.Contains(usage, v) {
					t.Errorf("%s --%s takes %s, and its help does not say so: %s", c.CommandPath(), f.Name, v, usage)
				}
			}
		})
	}
	if flags < 60 {
		t.Errorf("only %d flags complete", flags)
	}
	// What is there of a name is completed, by its id too.
	if got := offered("agent", "work"); !slices.Equal(got, []string{"worker"}) {
		t.Errorf("by its name: %q", got)
	}
	if got := offered("agent", w.ids["AGENT"][:10]); !slices.Equal(got, []string{w.ids["AGENT"]}) {
		t.Errorf("by its id: %q", got)
	}
	if got := offered("contribute", "--as", ""); !slices.Contains(got, "worker") || !slices.Contains(got, "boss") {
		t.Errorf("agents of this node: %q", got)
	}
}

// listed reports whether a help names a few values: "text or json", "a, b or c".
func listed(usage string) bool {
	if _, after, ok := strings.Cut(usage, ": "); ok {
		usage = after
	}
	head, last, ok := strings.Cut(usage, " or ")
	if !ok || strings.ContainsAny(usage, "0123456789;(/.") || len(strings.Fields(last)) != 1 {
		return false
	}
	for one := range strings.SplitSeq(head, ", ") {
		if len(strings.Fields(one)) != 1 {
			return false
		}
	}
	return true
}

// words runs meshd with words as they are.
func (w *verbsWorld) words(words []string) (out, errs string, code int) {
	var quoted []string
	for _, one := range words {
		quoted = append(quoted, "'"+one+"'")
	}
	return w.do(strings.Join(quoted, " "))
}

// placesOf are the words of a verb as its usage names them, without flags.
func (w *verbsWorld) placesOf(c *cobra.Command) (out []string) {
	fields := strings.Fields(c.Use)[1:]
	for i := 0; i < len(fields); i++ {
		one := strings.Trim(fields[i], "[]().")
		if strings.HasPrefix(one, "-") && one != "-" {
			if i+1 < len(fields) && !strings.HasPrefix(fields[i+1], "[") {
				i++ // its value
			}
			continue
		}
		if one != "" && one != "|" {
			out = append(out, one)
		}
	}
	return out
}

// value is something that may stand for a name in a usage.
func (w *verbsWorld) value(name string) string {
	switch id, known := w.ids[name]; {
	case known:
		return id
	case name == "SETTING":
		return "log.level"
	}
	return strings.ToLower(name)
}

// handle reports whether a name is that of the agent with this id.
func (w *verbsWorld) handle(name, id string) bool { return id == w.ids["AGENT"] && name == "worker" }
