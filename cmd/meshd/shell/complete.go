// Package shell has what a shell and its manual need of the command line: the values that
// complete a word, and the pages of man.
package shell

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/team"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/trait"
	"github.com/meshd/meshd/node/config"
)

// completer finds the values that may stand in the place of a word. before are the words
// of the command that are there already.
type completer func(s *session.Session, before []string, begun string) []string

// Complete gives the flags and words of a command line values that a shell offers. What
// they take stands in the usage of the command (meshd guild show GUILD), in the
// help of the flag (id of a `GUILD`) and in its choices: fixed ones, keys of settings, and
// what the running node knows. Without one, or when it does not answer soon, nothing is
// offered.
func Complete(s *session.Session, root *cobra.Command) {
	for _, c := range root.Commands() {
		Complete(s, c)
	}
	words, repeats := taken(root)
	if len(words) > 0 && root.ValidArgsFunction == nil && len(root.ValidArgs) == 0 {
		root.ValidArgsFunction = func(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			at := len(args)
			if at >= len(words) {
				if !repeats {
					return nil, cobra.ShellCompDirectiveNoFileComp
				}
				at %= len(words)
			}
			if words[at].files {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return words[at].find(s, args, begun), cobra.ShellCompDirectiveNoFileComp
		}
	}
	see := func(f *pflag.Flag) {
		find := valueOf(f)
		if find == nil {
			return
		}
		// It fails for a flag that has one, which the flag keeps.
		_ = root.RegisterFlagCompletionFunc(f.Name, func(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return find(s, args, begun), cobra.ShellCompDirectiveNoFileComp
		})
	}
	root.LocalNonPersistentFlags().VisitAll(see)
	root.PersistentFlags().VisitAll(see)
}

// word is what may stand in one place of a command line.
type word struct {
	named string      // in the usage
	ways  []completer // none: free
	files bool        // the names of files
}

func (w word) find(s *session.Session, before []string, begun string) (out []string) {
	for _, way := range w.ways {
		for _, one := range way(s, before, begun) {
			if !slices.Contains(out, one) {
				out = append(out, one)
			}
		}
	}
	return out
}

// named cuts a usage into the names of its words: what is optional and what repeats is
// bracketed or followed by dots.
var named = regexp.MustCompile(`\([^()]*\)|\[?--?[a-zA-Z-]+( [A-Z]+(,\.\.\.)?)?\]?(\.\.\.)?|\[[^\[\]]*\](\.\.\.)?|[^\s\[\]]+`)

// taken are the words of a command, as its usage names them, and whether they begin anew
// behind the last.
func taken(c *cobra.Command) (words []word, repeats bool) {
	_, usage, _ := strings.Cut(c.Use, " ")
	for _, part := range named.FindAllString(usage, -1) {
		bare := strings.Trim(strings.TrimSuffix(part, "..."), "[]()")
		if strings.HasPrefix(bare, "-") && bare != "-" { // a flag
			continue
		}
		again := strings.HasSuffix(part, "...")
		if fields := strings.Fields(bare); again && len(fields) > 1 { // what stood there, once more
			repeats = true
			continue
		}
		repeats = repeats || again
		words = append(words, wordOf(bare))
	}
	return words, repeats
}

// wordOf is what a name in a usage stands for: alternatives are separated by bars.
func wordOf(name string) word {
	w := word{named: name}
	for one := range strings.SplitSeq(name, "|") {
		switch way := ways[one]; {
		case way != nil:
			w.ways = append(w.ways, way)
		case slices.Contains(files, one):
			w.files = true
		case fixed.MatchString(one):
			w.ways = append(w.ways, oneOf(one))
		default:
			if k, ok := session.KindOf(one); ok {
				w.ways = append(w.ways, known(k))
			}
		}
	}
	return w
}

// fixed is a word that stands for itself.
var fixed = regexp.MustCompile(`^[+-]?[a-z0-9][a-z0-9-]*$`)

// files are the names for those that lie on this machine.
var files = []string{"FILE", "DIR", "FOLDER", "FILE.png"}

// ways find what a name in a usage or in the help of a flag stands for, but for what the
// node lists.
var ways = map[string]completer{
	"SETTING": settings,
	"VALUE":   choices,
	"MODE":    oneOf(team.Modes()...),
	"LABEL":   oneOf(body.Labels()...),
	"TARGET":  func(_ *session.Session, _ []string, begun string) []string { return fitting(target.IDs(), begun) },
	"CATEGORY": func(_ *session.Session, _ []string, begun string) []string {
		return fitting(trait.Builtin().Categories(), begun)
	},
	"TRAIT":  traits,
	"SCOPES": lastOf(append(state.RegistrationScopes().Strings(), string(state.ScopeAll))),
}

// valueOf is what completes the value of a flag, nil for one that takes anything.
func valueOf(f *pflag.Flag) completer {
	if values := session.ChoicesOf(f.Annotations); values != nil {
		return oneOf(values...)
	}
	name, _ := pflag.UnquoteUsage(f)
	if f.Name == "as" {
		return own
	}
	if w := wordOf(name); len(w.ways) > 0 && !fixed.MatchString(name) {
		return w.find
	}
	return nil
}

func oneOf(values ...string) completer {
	return func(_ *session.Session, _ []string, begun string) []string { return fitting(values, begun) }
}

func fitting(values []string, begun string) (out []string) {
	for _, v := range values {
		if strings.HasPrefix(v, begun) {
			out = append(out, v)
		}
	}
	return out
}

// lastOf completes the last of several values.
func lastOf(values []string) completer {
	return func(_ *session.Session, _ []string, begun string) []string {
		before := begun[:strings.LastIndexByte(begun, ',')+1]
		var all []string
		for _, one := range values {
			if !slices.Contains(strings.Split(before, ","), one) {
				all = append(all, before+one)
			}
		}
		return fitting(all, begun)
	}
}

func settings(_ *session.Session, _ []string, begun string) (out []string) {
	for _, k := range config.Keys() {
		if strings.HasPrefix(k.Name, begun) {
			help, _, _ := strings.Cut(k.Help, ". ")
			out = append(out, described(k.Name, help))
		}
	}
	return out
}

// choices completes the value of the setting before it.
func choices(_ *session.Session, before []string, begun string) []string {
	if len(before) == 0 {
		return nil
	}
	for _, k := range config.Keys() {
		switch {
		case k.Name != before[len(before)-1]:
		case k.Type() == config.TypeSwitch:
			return fitting([]string{"true", "false"}, begun)
		default:
			return fitting(k.Choices, begun)
		}
	}
	return nil
}

func traits(_ *session.Session, _ []string, begun string) (out []string) {
	for _, t := range trait.Builtin().List("").List {
		if strings.HasPrefix(t.Name, strings.TrimPrefix(begun, "@")) {
			out = append(out, described(begun[:len(begun)-len(strings.TrimPrefix(begun, "@"))]+t.Name, t.Summary))
		}
	}
	return out
}

// own completes the agents that this node acts for, which are named by what they sign with.
func own(s *session.Session, before []string, begun string) []string {
	return ask(s, func(ctx context.Context, d *session.Client) ([]session.Thing, error) { return d.Own(ctx) }, begun)
}

// known completes by what the running node lists of a kind.
func known(k session.Kind) completer {
	return func(s *session.Session, before []string, begun string) []string {
		return ask(s, func(ctx context.Context, d *session.Client) ([]session.Thing, error) { return d.Known(ctx, k, before) }, begun)
	}
}

// ask has the running node list what may complete a word.
func ask(s *session.Session, list func(ctx context.Context, d *session.Client) ([]session.Thing, error), begun string) (out []string) {
	home, err := s.HomeDir()
	if err != nil {
		return nil
	}
	d, err := session.Dial(home)
	if err != nil {
		return nil
	}
	defer func() { _ = d.Close() }() // nobody reads of it while they type
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	all, err := list(ctx, d)
	if err != nil {
		return nil
	}
	for _, one := range all {
		value := one.Other
		if value == "" || !strings.HasPrefix(value, begun) {
			value = one.ID
		}
		if strings.HasPrefix(value, begun) && !strings.ContainsAny(value, "\t\n") {
			out = append(out, described(value, one.About))
		}
	}
	return out
}

// patience is how long the node may take for a list.
const patience = 800 * time.Millisecond

// described is a value with a word about it for shells that show one.
func described(value, text string) string {
	if text = terminal.OneLine(text, 60); text != "" {
		return value + "\t" + text
	}
	return value
}
