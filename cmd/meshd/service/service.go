// Package service has the verbs that make a node a service of its owner: a user unit of
// systemd, or an agent of launchd.
package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/background"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/node/store"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	c := &cobra.Command{
		Use: "service", Short: "Run the node as a service of this user", Args: session.Nothing,
		Long: "Run the node as a service of this user: it starts when the user logs in, and again when it has failed. For one\n" +
			"of the machine, under a user of its own, see configs/meshd.service.",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(cmdInstall(s), cmdUninstall(s))
	return []*cobra.Command{c}
}

func cmdInstall(s *session.Session) *cobra.Command {
	var print bool
	c := &cobra.Command{
		Use: "install", Short: "Write the file of the service and start it", Args: session.Nothing,
		Long: "Write a user unit of systemd, or on macOS an agent of launchd, for the node of this home, and start it. Where the\n" +
			"service manager does not answer, the file is written and the commands that start it are printed. A file that\n" +
			"differs is replaced, and kept as FILE.old.",
		RunE: func(c *cobra.Command, _ []string) error { return install(c.Context(), s, print) },
	}
	c.Flags().BoolVar(&print, "print", false, "print the file only")
	return c
}

func cmdUninstall(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "uninstall", Short: "Stop the service and remove its file; the home stays", Args: session.Nothing,
		RunE: func(c *cobra.Command, _ []string) error { return uninstall(c.Context(), s) },
	}
}

// manager is a service manager of a user.
type manager struct {
	file   string   // where the service is described
	text   string   // its description
	start  []string // command lines that make it run, in their order
	stop   []string
	answer string // a command line that succeeds where the manager can be reached
}

// managerOf is the one of this system.
func managerOf(s *session.Session, home string) (manager, error) {
	args, err := background.CommandLine(s, home)
	if err != nil {
		return manager{}, err
	}
	for _, a := range append(args, home) {
		if strings.ContainsFunc(a, func(r rune) bool { return r < ' ' }) {
			return manager{}, session.Usage("a service cannot have %q in its command line", a)
		}
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return manager{}, fmt.Errorf("find the folder of services: %w", err)
	}
	switch runtime.GOOS {
	case "linux":
		return systemd(args, user, s.Getenv("XDG_CONFIG_HOME")), nil
	case "darwin":
		return launchd(args, user, os.Getuid()), nil
	}
	return manager{}, fmt.Errorf("no service manager of %s is known here; meshd start starts the node in the background", runtime.GOOS)
}

// result is what a verb did.
type result struct {
	File    string   `json:"file"`
	Running bool     `json:"running"`
	Next    []string `json:"next,omitempty"` // command lines that are left to do
}

func install(ctx context.Context, s *session.Session, print bool) error {
	home, _, err := s.Settings()
	if err != nil {
		return err
	}
	m, err := managerOf(s, home)
	if err != nil {
		return err
	}
	if print {
		_, err := fmt.Fprint(s.Out, m.text)
		return err
	}
	if s.Home != "" { // else a mistyped path would become a second identity
		if _, err := store.Inspect(home); err != nil {
			return err
		}
	}
	if err := put(m.file, m.text); err != nil {
		return err
	}
	res := result{File: m.file}
	if reachable(ctx, m) {
		if d, err := session.Dial(home); err == nil {
			d.HTTP.CloseIdleConnections()
			return fmt.Errorf("wrote %s, but a node runs on %s already: end it (meshd stop), then\n  %s", m.file, home, strings.Join(m.start, "\n  "))
		}
		for _, line := range m.start {
			if err := do(ctx, line); err != nil {
				return fmt.Errorf("wrote %s, but: %w", m.file, err)
			}
		}
		res.Running = true
	} else {
		res.Next = m.start
	}
	return show(s, "wrote", res)
}

// put writes the file of a service; another one stays beside it.
func put(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("write service: %w", err)
	}
	switch before, err := os.ReadFile(file); {
	case err == nil && string(before) == text:
		return nil
	case err == nil:
		if err := os.Rename(file, file+".old"); err != nil {
			return fmt.Errorf("write service: %w", err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("write service: %w", err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write service: %w", err)
	}
	return nil
}

func uninstall(ctx context.Context, s *session.Session) error {
	home, err := s.HomeDir()
	if err != nil {
		return err
	}
	m, err := managerOf(s, home)
	if err != nil {
		return err
	}
	if _, err := os.Stat(m.file); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no service is installed: there is no %s", m.file)
	}
	res := result{File: m.file}
	if reachable(ctx, m) {
		for _, line := range m.stop {
			if err := do(ctx, line); err != nil {
				return err
			}
		}
	} else {
		res.Next = m.stop
	}
	if err := os.Remove(m.file); err != nil {
		return fmt.Errorf("remove service: %w", err)
	}
	return show(s, "removed", res)
}

func show(s *session.Session, what string, res result) error {
	if s.JSON {
		return s.PrintJSON(res)
	}
	s.Say("%s %s", what, res.File)
	if res.Running {
		s.Say("it runs, and starts again by itself; its log: meshd logs")
	}
	if len(res.Next) > 0 {
		s.Say("The service manager of this user does not answer here. What is left to do where it does:")
		for _, line := range res.Next {
			s.Say("  %s", line)
		}
	}
	return nil
}

func reachable(ctx context.Context, m manager) bool { return do(ctx, m.answer) == nil }

// do runs a command line of words without spaces.
func do(ctx context.Context, line string) error {
	words := strings.Fields(line)
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w %s", line, err, bytes.TrimSpace(said.Bytes()))
	}
	return nil
}
