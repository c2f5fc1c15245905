package shell

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/meshd/meshd/cmd/meshd/release"
	"github.com/meshd/meshd/cmd/meshd/session"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return append([]*cobra.Command{cmdMan(s)}, topics()...)
}

func cmdMan(s *session.Session) *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use: "man --dir DIR", Short: "Write the manual, a page for each command", Args: session.Nothing,
		Long:    "Write the manual, a page of section 1 for each command, such as meshd-guild-role.1 for meshd guild role.",
		Example: "  meshd man --dir ~/.local/share/man/man1    # then: man meshd-contribute",
		RunE: func(c *cobra.Command, _ []string) error {
			if dir == "" {
				return session.Usage("%s needs --dir", c.CommandPath())
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return fmt.Errorf("write manual: %w", err)
			}
			out := written{Dir: dir, Pages: []string{}}
			for _, one := range commands(c.Root()) {
				name := pageName(one) + ".1"
				if err := os.WriteFile(filepath.Join(dir, name), []byte(page(one)), 0o644); err != nil {
					return fmt.Errorf("write manual: %w", err)
				}
				out.Pages = append(out.Pages, name)
			}
			if s.JSON {
				return s.PrintJSON(out)
			}
			s.Say("%d pages in %s", len(out.Pages), dir)
			return nil
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "folder for the pages, made when it is not there")
	return c
}

// written is what the manual consists of.
type written struct {
	Dir   string   `json:"dir"`
	Pages []string `json:"pages"`
}

// commands are a command and those below it, without hidden ones.
func commands(c *cobra.Command) []*cobra.Command {
	if c.Hidden {
		return nil
	}
	all := []*cobra.Command{c}
	for _, one := range c.Commands() {
		all = append(all, commands(one)...)
	}
	return all
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// page writes the page of a command in the macros of man(7). It has no date, so that the
// same program writes the same page.
func page(c *cobra.Command) string {
	c.InitDefaultHelpFlag()
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q 1 \"\" %q \"meshd\"\n", strings.ToUpper(pageName(c)), "meshd "+release.Version())
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(pageName(c)), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(c.UseLine()))
	if len(c.Aliases) > 0 {
		fmt.Fprintf(&b, ".PP\nAlso: %s\n", roff(strings.Join(c.Aliases, ", ")))
	}
	about := c.Long
	if about == "" {
		about = c.Short + "."
	}
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", roff(about))
	options(&b, "OPTIONS", c.NonInheritedFlags())
	options(&b, "OPTIONS OF ALL COMMANDS", c.InheritedFlags())
	if c.HasExample() {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	fmt.Fprint(&b, ".SH EXIT STATUS\n.nf\n")
	for _, line := range session.Outcomes() {
		fmt.Fprintf(&b, "%s\n", roff(line))
	}
	fmt.Fprint(&b, ".fi\n")
	var also []string
	if c.HasParent() {
		also = append(also, pageName(c.Parent()))
	}
	for _, one := range c.Commands() {
		if !one.Hidden {
			also = append(also, pageName(one))
		}
	}
	if len(also) > 0 {
		fmt.Fprint(&b, ".SH SEE ALSO\n")
		for i, name := range also {
			comma := ","
			if i == len(also)-1 {
				comma = ""
			}
			fmt.Fprintf(&b, ".BR %s (1)%s\n", roff(name), comma)
		}
	}
	return b.String()
}

func options(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name, usage := pflag.UnquoteUsage(f)
		head := "--" + f.Name
		if f.Shorthand != "" {
			head = "-" + f.Shorthand + ", " + head
		}
		if name != "" {
			head += " " + name
		}
		switch f.DefValue {
		case "", "false", "0", "[]", "0s":
		default:
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(head), roff(usage))
	})
}

// roff keeps a text from being read as macros.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
