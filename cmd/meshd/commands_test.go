package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// TestManualHasAPageForEachCommand writes the manual and looks for every command that
// the help shows.
func TestManualHasAPageForEachCommand(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "man1")
	var out, errs bytes.Buffer
	s := &session.Session{Out: &out, Err: &errs}
	if code := run(s, []string{"man", "--dir", dir}); code != session.ExitOK {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	pages := 0
	var see func(c *cobra.Command)
	see = func(c *cobra.Command) {
		if c.Hidden {
			return
		}
		pages++
		name := strings.ReplaceAll(c.CommandPath(), " ", "-")
		text, err := os.ReadFile(filepath.Join(dir, name+".1"))
		if err != nil {
			t.Errorf("%s: %v", c.CommandPath(), err)
			return
		}
		for _, part := range []string{".TH ", ".SH NAME\n", ".SH SYNOPSIS\n", ".SH DESCRIPTION\n", ".SH EXIT STATUS\n"} {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s lacks %s", name, part)
			}
		}
		for line := range strings.SplitSeq(string(text), "\n") {
			if line == "" {
				continue
			}
			macro, _, _ := strings.Cut(line, " ")
			known := map[string]bool{".TH": true, ".SH": true, ".B": true, ".BR": true, ".TP": true, ".PP": true, ".nf": true, ".fi": true}
			if (line[0] == '.' || line[0] == '\'') && !known[macro] {
				t.Errorf("%s: %q is read as a macro", name, line)
			}
		}
		for _, one := range c.Commands() {
			see(one)
		}
	}
	r := root(&session.Session{Out: &out, Err: &errs})
	r.InitDefaultHelpCmd()
	r.InitDefaultCompletionCmd("man") // as it stands when a command is executed
	see(r)
	found, err := os.ReadDir(dir)
	if err != nil || len(found) != pages {
		t.Errorf("%d pages for %d commands, %v", len(found), pages, err)
	}
}
