package language

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/lang/trait"
)

func cmdTraits(s *session.Session) *cobra.Command {
	var category, query string
	c := &cobra.Command{
		Use: "traits [TRAIT]", Short: "List the traits, or explain one", Args: session.AtMostOne("trait"),
		Long: "List the traits of the built-in registry, those of one category, or those whose name or summary has every\n" +
			"word of a query. With a name, explain that trait.",
		RunE: func(_ *cobra.Command, args []string) error {
			r := trait.Builtin()
			if len(args) == 1 {
				return explainTrait(s, r, strings.TrimPrefix(args[0], "@"))
			}
			if category == "" || category == "all" {
				l := r.List(query)
				if s.JSON {
					return s.PrintJSON(l)
				}
				return printTraits(s, l.List)
			}
			list, ok := r.ListCategory(category, query)
			if !ok {
				return notFound("category", category, r.NearestCategories(category))
			}
			if s.JSON {
				return s.PrintJSON(list)
			}
			return printTraits(s, list.Traits)
		},
	}
	c.Flags().StringVar(&category, "category", "", "one `CATEGORY`, by its name or an alias")
	c.Flags().StringVar(&query, "query", "", "words that the name or the summary contains")
	return c
}

func printTraits(s *session.Session, list []trait.Brief) error {
	rows := [][]string{{"TRAIT", "CATEGORY", "SUMMARY"}}
	for _, b := range list {
		rows = append(rows, []string{"@" + b.Name, b.Category, b.Summary})
	}
	return s.Table(rows)
}

func explainTrait(s *session.Session, r *trait.Registry, name string) error {
	e, ok := r.Explain(name)
	if !ok {
		near, found := r.Nearest(name)
		if !found {
			return notFound("trait", name, nil)
		}
		return notFound("trait", name, []string{near})
	}
	if s.JSON {
		return s.PrintJSON(e)
	}
	fmt.Fprintf(s.Out, "@%s  %s in %s\n%s\n", e.Name, e.Kind, e.Category, e.Summary)
	for _, param := range e.Params {
		line := "  " + param.Name + ": " + param.Type.String()
		if param.Default != nil {
			line += " = " + param.Default.Source()
		}
		if param.Doc != "" {
			line += "  " + param.Doc
		}
		fmt.Fprintln(s.Out, line)
	}
	for _, any := range e.Requires {
		fmt.Fprintf(s.Out, "needs one of @%s\n", strings.Join(any, ", @"))
	}
	if len(e.Conflicts) > 0 {
		fmt.Fprintf(s.Out, "excludes @%s\n", strings.Join(e.Conflicts, ", @"))
	}
	fmt.Fprintf(s.Out, "example  %s\n", e.Example)
	return nil
}

// notFound says that a name of the registry is not there, and which are near.
func notFound(what, name string, near []string) error {
	if len(near) == 0 {
		return session.Usage("no %s %q", what, name)
	}
	return session.Usage("no %s %q; did you mean %s?", what, name, strings.Join(near, ", "))
}
