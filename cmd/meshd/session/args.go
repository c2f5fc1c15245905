package session

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/meshd/meshd/node/config"
)

// Nothing is for commands that take no words.
func Nothing(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usage("%s takes no %q (see %s --help)", c.CommandPath(), args[0], c.CommandPath())
	}
	return nil
}

// One is for commands that take one word.
func One(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return Usage("%s needs one %s: %s", c.CommandPath(), what, c.UseLine())
		}
		return nil
	}
}

// AtMostOne is for commands that take one word or none.
func AtMostOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return Usage("%s takes one %s: %s", c.CommandPath(), what, c.UseLine())
		}
		return nil
	}
}

// Words says which words a command takes, by name.
func Words(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return Usage("%s needs one %s: %s", c.CommandPath(), names[len(args)], c.UseLine())
		case len(args) > len(names):
			return Usage("%s takes no %q: %s", c.CommandPath(), args[len(names)], c.UseLine())
		}
		return nil
	}
}

// WordsAndText is Words whose last one may go on: a text that needs no quotes.
func WordsAndText(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		return Words(names...)(c, args[:min(len(args), len(names))])
	}
}

// Subcommand refuses a word that is none of a command's own commands. Without a
// word the command shows its help.
func Subcommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	c.SuggestionsMinimumDistance = 2
	near := c.SuggestionsFor(args[0])
	if len(near) == 0 {
		return Usage("unknown command %q for %s (see %s --help)", args[0], c.CommandPath(), c.CommandPath())
	}
	return Usage("unknown command %q for %s; did you mean %s?", args[0], c.CommandPath(), strings.Join(near, " or "))
}

// FlagHint names the nearest flag of a command.
func FlagHint(c *cobra.Command, err error) error {
	text := err.Error()
	var unknown string
	if rest, ok := strings.CutPrefix(text, "unknown flag: --"); ok {
		unknown = rest
	}
	best, most := "", 1+len(unknown)/3
	see := func(f *pflag.Flag) {
		if d := config.Edits(unknown, f.Name); unknown != "" && d <= most && !f.Hidden {
			best, most = f.Name, d-1
		}
	}
	c.Flags().VisitAll(see)
	c.InheritedFlags().VisitAll(see)
	if best != "" {
		return Usage("%s; did you mean --%s?", text, best)
	}
	return Usage("%s (see %s --help)", text, c.CommandPath())
}

// NotWith refuses a flag that was given beside one of others.
func NotWith(c *cobra.Command, name string, others ...string) error {
	for _, other := range others {
		if c.Flags().Changed(name) && c.Flags().Changed(other) {
			return Usage("--%s and --%s do not go together (see %s --help)", name, other, c.CommandPath())
		}
	}
	return nil
}

// TimeFlag reads a time, or how long ago it was, from a flag.
func TimeFlag(name, s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return now.Add(-d).UTC(), nil
	}
	for _, form := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(form, s); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, Usage("--%s %q is neither a time such as 2026-11-23T10:00:00Z nor a span such as 2h", name, s)
}

// usageError is a command line that cannot be understood.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

// Usage is the error of a command line that cannot be understood.
func Usage(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }
