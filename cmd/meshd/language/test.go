package language

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/lang/run"
)

func cmdTest(s *session.Session) *cobra.Command {
	var flags sourceFlags
	var only string
	c := &cobra.Command{
		Use: "test FILE|DIR...", Short: "Run the @test blocks of sources", Args: someSources,
		Long: "Run the @test blocks of files, or of all sources below folders, each on a fresh instance with simulated time and\n" +
			"a host that only records its calls. A line for each test goes to standard output, with --json an object. The\n" +
			"exit code is 3 when a test failed or a source had errors.",
		RunE: func(_ *cobra.Command, args []string) error {
			match, err := regexp.Compile(only)
			if err != nil {
				return session.Usage("--run: %v", err)
			}
			bad := false
			ran := 0
			for _, arg := range args {
				paths, err := sourcesBelow(arg)
				if err != nil {
					return err
				}
				for _, path := range paths {
					c, err := compileProgram(s, path, flags.format, true)
					if errors.Is(err, session.ErrDegraded) {
						bad = true
						continue
					}
					if err != nil {
						return err
					}
					for i := range c.Tests {
						if !match.MatchString(c.Tests[i].Name) {
							continue
						}
						ran++
						start := time.Now()
						r, err := c.Run(&c.Tests[i], nil)
						if err != nil {
							return err
						}
						bad = bad || !r.OK
						if err := showTest(s, path, r, time.Since(start)); err != nil {
							return err
						}
					}
				}
			}
			switch {
			case bad:
				return session.ErrDegraded
			case ran == 0 && only != "":
				return session.Usage("no test matches %q", only)
			case ran == 0 && !s.JSON:
				fmt.Fprintln(s.Err, "no tests")
			}
			return nil
		},
	}
	c.Flags().StringVar(&flags.format, "format", "auto", "of the source, auto by its extension")
	session.Choices(c, "format", "holo", "hs", "hsplus", "auto")
	c.Flags().StringVar(&only, "run", "", "run only the tests whose names match a regular expression")
	return c
}

// testLine is the JSON line of a test.
type testLine struct {
	Path   string   `json:"path"`
	Line   int      `json:"line"`
	Name   string   `json:"name"`
	OK     bool     `json:"ok"`
	Failed []string `json:"failed"`
	Millis int64    `json:"millis"`
}

func showTest(s *session.Session, path string, r *run.Result, took time.Duration) error {
	if s.JSON {
		failed := r.Failed
		if failed == nil {
			failed = []string{}
		}
		data, err := json.Marshal(testLine{path, r.Line, r.Name, r.OK, failed, took.Milliseconds()})
		if err != nil {
			return fmt.Errorf("encode output: %w", err)
		}
		_, err = s.Out.Write(append(data, '\n'))
		return err
	}
	word := "ok  "
	if !r.OK {
		word = "FAIL"
	}
	fmt.Fprintf(s.Out, "%s %s:%d %s (%d ms)\n", word, terminal.Plain(path), r.Line, terminal.Plain(r.Name), took.Milliseconds())
	for _, f := range r.Failed {
		fmt.Fprintf(s.Out, "     %s\n", terminal.Plain(f))
	}
	return nil
}
