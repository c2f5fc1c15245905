// Package connect has the verb that puts this node into the settings of MCP clients.
package connect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/background"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/clients"
	"github.com/meshd/meshd/node/store"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	var o options
	c := &cobra.Command{
		Use: "connect [" + strings.Join(clients.IDs(), "|") + "]", Short: "Put this node into the settings of an MCP client",
		Long: "Put this node into the settings of an MCP client, in the client's own form and with the path of this program, after\n" +
			"the same command has answered here. The rest of the file stays as it is, comments too, and the file as it was is\n" +
			"kept beside it as FILE.old. The node is started in the background when none runs. --toolsets chooses which tools the\n" +
			"client is shown. Without a client, those that are known are listed with their files.",
		Args: cobra.MaximumNArgs(1), ValidArgs: clients.IDs(),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return list(s, o)
			}
			return connect(c.Context(), s, args[0], o)
		},
	}
	c.Flags().StringVar(&o.project, "project", "", "write the file of the project in this folder instead of the user's")
	c.Flags().StringVar(&o.file, "file", "", "write this file instead of the client's own")
	c.Flags().BoolVar(&o.print, "print", false, "print what would stand in the file and change nothing")
	c.Flags().BoolVar(&o.remove, "remove", false, "take this node out of the settings")
	session.ToolsetsFlag(c, &o.toolsets)
	c.MarkFlagsMutuallyExclusive("print", "remove")
	c.MarkFlagsMutuallyExclusive("toolsets", "remove")
	c.MarkFlagsMutuallyExclusive("project", "file")
	return []*cobra.Command{c}
}

type options struct {
	project, file string
	print, remove bool
	toolsets      []string
}

// fileOf is the file of the settings of a client.
func fileOf(s *session.Session, c clients.Client, o options) (string, error) {
	switch {
	case o.file != "":
		return filepath.Abs(o.file)
	case o.project != "" && c.Project == "":
		return "", session.Usage("%s has no settings of a project", c.Name)
	case o.project != "":
		return filepath.Abs(filepath.Join(o.project, c.Project))
	case c.ID == "codex" && s.Getenv("CODEX_HOME") != "":
		return filepath.Abs(filepath.Join(s.Getenv("CODEX_HOME"), "config.toml"))
	}
	home := s.Getenv("HOME")
	if home == "" {
		return "", errors.New("find the settings of clients: HOME is not set; name the file with --file")
	}
	return filepath.Join(home, c.File(runtime.GOOS)), nil
}

// Row is one client as the list shows it.
type Row struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	File      string `json:"file"`
	Found     bool   `json:"found"`     // the file is there
	Connected bool   `json:"connected"` // it names a server of ours
}

func list(s *session.Session, o options) error {
	if o.print || o.remove || o.file != "" || len(o.toolsets) > 0 {
		return session.Usage("name a client: %s", strings.Join(clients.IDs(), ", "))
	}
	rows := []Row{}
	for _, c := range clients.All {
		if o.project != "" && c.Project == "" {
			continue
		}
		file, err := fileOf(s, c, o)
		if err != nil {
			return err
		}
		r := Row{ID: c.ID, Name: c.Name, File: file}
		if text, err := os.ReadFile(file); err == nil {
			r.Found = true
			r.Connected, _ = has(c, text) // what cannot be read is not connected
		}
		rows = append(rows, r)
	}
	if s.JSON {
		return s.PrintJSON(map[string]any{"clients": rows})
	}
	table := [][]string{{"CLIENT", "NAME", "STATE", "FILE"}}
	for _, r := range rows {
		state := "no settings"
		if r.Connected {
			state = "connected"
		} else if r.Found {
			state = "not connected"
		}
		table = append(table, []string{r.ID, r.Name, state, r.File})
	}
	return s.Table(table)
}

// result is what the verb did.
type result struct {
	Client  string   `json:"client"`
	File    string   `json:"file"`
	Changed bool     `json:"changed"`
	Backup  string   `json:"backup,omitempty"`
	Command []string `json:"command,omitempty"`
	Tools   int      `json:"tools,omitempty"` // that the node has answered with
}

func connect(ctx context.Context, s *session.Session, id string, o options) error {
	c, ok := clients.Find(id)
	if !ok || id == clients.Generic.ID {
		return session.Usage("no client %q is known; there are %s", id, strings.Join(clients.IDs(), ", "))
	}
	file, err := fileOf(s, c, o)
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real // whoever keeps settings elsewhere keeps them there
	}
	before, err := os.ReadFile(file)
	there := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the settings of %s: %w", c.Name, err)
	}
	res := result{Client: c.ID, File: file}
	after := before
	if o.remove {
		if !there {
			return fmt.Errorf("%s has no settings: there is no %s", c.Name, file)
		}
		if after, err = without(c, before); err != nil {
			return refuse(c, file, err)
		}
	} else {
		if res.Command, err = commandOf(s); err != nil {
			return err
		}
		if len(o.toolsets) > 0 {
			if err := session.CheckToolsets(o.toolsets); err != nil {
				return err
			}
			res.Command = append(res.Command, "--toolsets", strings.Join(o.toolsets, ","))
		}
		server := c.Stdio(res.Command[0], res.Command[1:], nil)
		if o.print {
			return show(s, c, server)
		}
		if after, err = with(c, before, server); err != nil {
			return refuse(c, file, err)
		}
		if err := awake(ctx, s); err != nil {
			return fmt.Errorf("%s was not changed: %w", file, err)
		}
		if res.Tools, err = try(ctx, s, res.Command); err != nil {
			return fmt.Errorf("%s was not changed, since the command does not answer: %w", file, err)
		}
	}
	if res.Changed = string(after) != string(before); res.Changed {
		if res.Backup, err = replace(file, before, after, there); err != nil {
			return err
		}
	}
	return report(s, c, res, o.remove)
}

func refuse(c clients.Client, file string, err error) error {
	return fmt.Errorf("%s was not changed: %w; meshd connect %s --print shows what belongs there", file, err, c.ID)
}

// commandOf is the command line that a client starts: this program for this home, with
// nothing left to the environment of the client.
func commandOf(s *session.Session) ([]string, error) {
	self, err := background.Self()
	if err != nil {
		return nil, err
	}
	home, _, err := s.Settings()
	if err != nil {
		return nil, err
	}
	if s.Home != "" { // else a mistyped path would become a second identity
		if _, err := store.Inspect(home); err != nil {
			return nil, err
		}
	}
	args := []string{self, "mcp", "--home", home}
	if s.File != "" {
		file, err := filepath.Abs(s.File)
		if err != nil {
			return nil, err
		}
		args = append(args, "--config", file)
	}
	if s.Loopback || s.Getenv("MESHD_LOOPBACK") == "1" {
		args = append(args, "--loopback")
	}
	return args, nil
}

// awake makes sure that a node runs, in a home that is made for it where there is none.
func awake(ctx context.Context, s *session.Session) error {
	n, err := background.Start(ctx, s)
	if err == nil && n.Started && !s.Quiet {
		background.Announce(s.Err, n)
	}
	return err
}

func show(s *session.Session, c clients.Client, server clients.MCPServer) error {
	text, err := c.Block(server)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(s.Out, text)
	return err
}

// replace writes the file whole or not at all. One that was there is kept as FILE.old.
func replace(file string, before, after []byte, there bool) (backup string, err error) {
	mode := fs.FileMode(0o600)
	if there {
		info, err := os.Stat(file)
		if err != nil {
			return "", fmt.Errorf("write settings: %w", err)
		}
		mode = info.Mode().Perm()
		backup = file + ".old"
		if err := put(backup, before, mode); err != nil {
			return "", err
		}
	} else if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", fmt.Errorf("write settings: %w", err)
	}
	return backup, put(file, after, mode)
}

func put(file string, text []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".meshd-")
	if err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write settings: %w", err), os.Remove(f.Name()))
	}
	return nil
}

func report(s *session.Session, c clients.Client, res result, removed bool) error {
	if s.JSON {
		return s.PrintJSON(res)
	}
	switch {
	case removed && !res.Changed:
		s.Say("%s was not connected", c.Name)
		return nil
	case removed:
		s.Say("%s is not connected any more", c.Name)
	case !res.Changed:
		s.Say("%s is connected already", c.Name)
	default:
		s.Say("%s is connected; start it again to use the node", c.Name)
	}
	tools := ""
	if res.Tools > 0 {
		tools = fmt.Sprintf("%d tools", res.Tools)
	}
	return s.Facts("  file", res.File, "  before", res.Backup, "  answers", tools)
}
