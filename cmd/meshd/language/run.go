package language

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// maxRunSeconds is the longest simulated time of a dry run.
const maxRunSeconds = 3600

// compileProgram compiles the behaviour of a source. Errors of the source are printed.
func compileProgram(s *session.Session, path, format string, tests bool) (*run.Compiled, error) {
	src, err := loadSource(s, path, format)
	if err != nil {
		return nil, err
	}
	show := func(found []diag.Diagnostic) (bad bool) {
		for _, d := range found {
			if d.Severity == diag.Error {
				bad = true
				fmt.Fprintln(s.Err, terminal.Plain(d.String()))
			}
		}
		return bad
	}
	if show(src.Found) {
		return nil, session.ErrDegraded
	}
	built, found := scene.Build(src.Main, src.More, scene.Options{Registry: src.Registry, Imports: src.Imports, Prototypes: true, Compiler: artefact.Version})
	if show(found) {
		return nil, session.ErrDegraded
	}
	c, err := run.Compile(built, append([]*ast.File{src.Main}, src.More...), tests)
	if err != nil {
		return nil, err
	}
	if !s.Quiet {
		for _, l := range c.Left {
			fmt.Fprintln(s.Err, terminal.Plain(l.String()))
		}
	}
	return c, nil
}

func cmdRun(s *session.Session) *cobra.Command {
	var flags sourceFlags
	var length time.Duration
	var ticks int
	var events []string
	var seed uint64
	c := &cobra.Command{
		Use: "run FILE", Short: "Run a source without a picture and print its trace", Args: oneSource,
		Long: "Run the behaviour of a source in simulated time and print what happens: events, state, properties, logs, calls of\n" +
			"the host, faults. The host only records its calls. With --json each line is an object. The exit code is 3 when\n" +
			"the source had errors or the run a fault.",
		RunE: func(c *cobra.Command, args []string) error {
			if length < 0 || length > maxRunSeconds*time.Second {
				return session.Usage("--for is between 0 and %ds", maxRunSeconds)
			}
			if ticks < 0 || ticks > maxRunSeconds*60 {
				return session.Usage("--ticks is between 0 and %d", maxRunSeconds*60)
			}
			compiled, err := compileProgram(s, args[0], flags.format, false)
			if err != nil {
				return err
			}
			o := run.Options{Nodes: compiled.Nodes}
			if c.Flags().Changed("seed") {
				o.Seed = &[4]uint32{uint32(seed >> 32), uint32(seed), 0, 0}
			}
			m, err := run.New(compiled.Program, o)
			if err != nil {
				return err
			}
			m.Start()
			for _, e := range events {
				event, err := parseEvent(compiled, e)
				if err != nil {
					return err
				}
				m.Inject(event)
			}
			if ticks == 0 {
				ticks = int(length.Seconds()*60 + 0.5)
			}
			for range ticks {
				m.Step()
			}
			return showTrace(s, m)
		},
	}
	c.Flags().StringVar(&flags.format, "format", "auto", "of the source, auto by its extension")
	session.Choices(c, "format", "holo", "hs", "hsplus", "auto")
	c.Flags().DurationVar(&length, "for", 5*time.Second, "simulated time")
	c.Flags().IntVar(&ticks, "ticks", 0, "steps of a sixtieth of a second, in place of --for")
	c.Flags().StringArrayVar(&events, "event", nil, "an event at the start as node.name or node.name=JSON; may repeat")
	c.Flags().Uint64Var(&seed, "seed", 0, "seed of the random numbers, in place of the source's own")
	return c
}

// parseEvent reads node.name=JSON. Without a node the event reaches all.
func parseEvent(c *run.Compiled, arg string) (run.Event, error) {
	name, payload, has := strings.Cut(arg, "=")
	e := run.Event{Node: run.Everywhere, Name: name}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		e.Name = name[i+1:]
		id, ok := c.Owner(name[:i])
		if !ok {
			return e, session.Usage("there is no node %q", name[:i])
		}
		e.Node = id
	}
	if e.Name == "" {
		return e, session.Usage("--event is node.name=JSON, not %q", arg)
	}
	if has {
		v, err := run.ParseValue(payload)
		if err != nil {
			return e, session.Usage("--event %s: the payload is not JSON", name)
		}
		e.Payload = v
	}
	return e, nil
}

func showTrace(s *session.Session, m *run.Machine) error {
	entries, dropped := m.Trace()
	faults := false
	for i := range entries {
		e := &entries[i]
		faults = faults || e.Kind == "fault"
		if s.JSON {
			data, err := json.Marshal(e)
			if err != nil {
				return fmt.Errorf("encode output: %w", err)
			}
			if _, err := s.Out.Write(append(data, '\n')); err != nil {
				return err
			}
			continue
		}
		where := m.Label(e.Node)
		if e.Name != "" {
			where += "." + e.Name
		}
		fmt.Fprintf(s.Out, "%8.3f %-8s %s %s", e.At, e.Kind, terminal.Plain(where), terminal.Plain(e.Text()))
		if e.Line > 0 {
			fmt.Fprintf(s.Out, " (line %d, column %d)", e.Line, e.Column)
		}
		fmt.Fprintln(s.Out)
	}
	if dropped > 0 {
		fmt.Fprintf(s.Err, "%s of the trace left out\n", plural.Count(dropped, "more line"))
	}
	if faults {
		return session.ErrDegraded
	}
	return nil
}
