package running

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/node/config"
)

func cmdConfigGet(s *session.Session) *cobra.Command {
	var written bool
	c := &cobra.Command{
		Use: "get SETTING", Short: "Print the value of one setting", Args: session.One("key"),
		Long: "Print the value of one setting that a node of this home has in force after a start, from whatever layer it comes;\n" +
			"lists are separated by commas, a secret is not printed. --json adds where the value came from, and what the key is for.",
		Example: "  meshd config get log.level",
		RunE: func(_ *cobra.Command, args []string) error {
			k, err := keyOf(args[0])
			if err != nil {
				return err
			}
			home, cfg, err := s.Settings()
			if cfg == nil {
				return err
			}
			if written {
				return printWritten(s, s.Source(home).File, k)
			}
			all := cfg.Effective()
			one := all[slices.IndexFunc(all, func(set config.Setting) bool { return set.Key == args[0] })]
			if s.JSON {
				return errors.Join(err, s.PrintJSON(one))
			}
			_, failed := fmt.Fprintln(s.Out, one.Value)
			return errors.Join(err, failed)
		},
	}
	c.Flags().BoolVar(&written, "written", false, "what the file sets, nothing when it does not")
	return c
}

// printWritten prints what a file sets a key to.
func printWritten(s *session.Session, file string, k config.Key) error {
	value, err := config.Written(file, k.Name)
	if err != nil {
		return err
	}
	if k.Secret && value != "" {
		value = config.Secret(value).String()
	}
	if s.JSON {
		return s.PrintJSON(map[string]string{"key": k.Name, "value": value})
	}
	_, err = fmt.Fprintln(s.Out, value)
	return err
}

// keyOf is the row of a key, by its name.
func keyOf(name string) (config.Key, error) {
	all := config.Keys()
	at := slices.IndexFunc(all, func(k config.Key) bool { return k.Name == name })
	if at >= 0 {
		return all[at], nil
	}
	_, err := config.EditFile("", name, "") // names the nearest one
	if fault := (config.Fault{}); errors.As(err, &fault) {
		return config.Key{}, config.Faults{fault}
	}
	return config.Key{}, session.Usage("unknown key %q (see meshd config show --effective)", name)
}
