package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/lang/trait"
)

func (p *program) cmdLangTraits() *cobra.Command {
	var category, query string
	c := &cobra.Command{
		Use: "traits [NAME]", Short: "List the traits, or explain one", Args: atMostOne("trait"),
		Long: "List the traits of the built-in registry, those of one category, or those whose name or summary holds every\n" +
			"word of a query. With a name, explain that trait.",
		RunE: func(_ *cobra.Command, args []string) error {
			r := trait.Builtin()
			if len(args) == 1 {
				return p.explainTrait(r, strings.TrimPrefix(args[0], "@"))
			}
			if category == "" || category == "all" {
				l := r.List(query)
				if p.json {
					return p.printJSON(l)
				}
				return p.printTraits(l.List)
			}
			s, ok := r.ListCategory(category, query)
			if !ok {
				return notFound("category", category, r.NearestCategories(category))
			}
			if p.json {
				return p.printJSON(s)
			}
			return p.printTraits(s.Traits)
		},
	}
	c.Flags().StringVar(&category, "category", "", "one category, by its name or an alias")
	c.Flags().StringVar(&query, "query", "", "words that the name or the summary holds")
	return c
}

func (p *program) printTraits(list []trait.Brief) error {
	rows := [][]string{{"TRAIT", "CATEGORY", "SUMMARY"}}
	for _, b := range list {
		rows = append(rows, []string{"@" + b.Name, b.Category, b.Summary})
	}
	return p.table(rows)
}

func (p *program) explainTrait(r *trait.Registry, name string) error {
	e, ok := r.Explain(name)
	if !ok {
		near, found := r.Nearest(name)
		if !found {
			return notFound("trait", name, nil)
		}
		return notFound("trait", name, []string{near})
	}
	if p.json {
		return p.printJSON(e)
	}
	fmt.Fprintf(p.out, "@%s  %s in %s\n%s\n", e.Name, e.Kind, e.Category, e.Summary)
	for _, param := range e.Params {
		line := "  " + param.Name + ": " + param.Type.String()
		if param.Default != nil {
			line += " = " + param.Default.Source()
		}
		if param.Doc != "" {
			line += "  " + param.Doc
		}
		fmt.Fprintln(p.out, line)
	}
	for _, any := range e.Requires {
		fmt.Fprintf(p.out, "needs one of @%s\n", strings.Join(any, ", @"))
	}
	if len(e.Conflicts) > 0 {
		fmt.Fprintf(p.out, "excludes @%s\n", strings.Join(e.Conflicts, ", @"))
	}
	fmt.Fprintf(p.out, "example  %s\n", e.Example)
	return nil
}

// notFound says that a name of the registry is not there, and which are near.
func notFound(what, name string, near []string) error {
	if len(near) == 0 {
		return usage("no %s %q", what, name)
	}
	return usage("no %s %q; did you mean %s?", what, name, strings.Join(near, ", "))
}
