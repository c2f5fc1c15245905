package session

import (
	"strings"

	"github.com/spf13/cobra"
)

// choices is the annotation of a flag that takes one of a few values.
const choices = "meshd_choices"

// Choices says which values a flag of a command takes: its help names them, and a shell
// completes them.
func Choices(c *cobra.Command, name string, values ...string) {
	f := c.Flags().Lookup(name)
	if f == nil {
		f = c.PersistentFlags().Lookup(name)
	}
	list := values[len(values)-1]
	if len(values) > 1 {
		list = strings.Join(values[:len(values)-1], ", ") + " or " + list
	}
	if f.Usage != "" {
		f.Usage += ": "
	}
	f.Usage += list
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[choices] = values
}

// ChoicesOf are the values that a flag takes, by its annotations; nil when it takes others
// too.
func ChoicesOf(annotations map[string][]string) []string { return annotations[choices] }
