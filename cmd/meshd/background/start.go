package background

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/owner"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/store"
)

func cmdStart(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "start", Short: "Start the node in the background", Args: session.Nothing,
		Long: "Start the node in the background, in a process group of its own, and wait until it answers. Its log is\n" +
			"run/meshd.log in the home (meshd logs). Where a node runs already, nothing happens.",
		RunE: func(c *cobra.Command, _ []string) error {
			n, err := Start(c.Context(), s)
			if err != nil {
				return err
			}
			return report(s, n)
		},
	}
}

// Node is a node that runs.
type Node struct {
	Started bool   `json:"started"` // by this command
	PID     int    `json:"pid"`
	Home    string `json:"home"`
	API     string `json:"api"`
	Log     string `json:"log,omitempty"` // "" for a node that logs where it was started

	ours bool // started in the background, not by a terminal or a service manager
}

func report(s *session.Session, n Node) error {
	if s.JSON {
		return s.PrintJSON(n)
	}
	s.Say("%s", stateOf(n))
	if s.Quiet {
		return nil
	}
	return s.Facts("  process", fmt.Sprint(n.PID), "  api", n.API, "  home", n.Home, "  log", n.Log)
}

func stateOf(n Node) string {
	if n.Started {
		return "started"
	}
	return "runs already"
}

// Start makes sure that a node runs on the home of a session, and returns once it
// answers. Of several that start one at the same time one does, and the others find it.
// A node that has not started is an error with the end of what it said.
func Start(ctx context.Context, s *session.Session) (Node, error) {
	home, _, err := s.Settings() // faults in them are shown here and not in a log
	if err != nil {
		return Node{}, err
	}
	if n, err := find(ctx, home); !errors.Is(err, control.ErrNotRunning) {
		return n, err
	}
	_, err = store.Inspect(home)
	made := errors.Is(err, store.ErrNoStore)
	ctx, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	for {
		n, err := launch(ctx, s, home)
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit) && exit.ExitCode() == session.ExitLocked:
			// Another command has the home, or another start was first.
			if n, again := await(ctx, home); !again {
				return n, nil
			}
			if ctx.Err() == nil {
				continue
			}
			return Node{}, err
		case err != nil:
			return Node{}, err
		}
		if made && !s.Quiet {
			Introduce(s.Err, home)
		}
		n.Started = true
		return n, nil
	}
}

// Announce says that a command has started a node.
func Announce(w io.Writer, n Node) {
	fmt.Fprintf(w, "started a node in the background: process %d, log in %s (meshd stop ends it)\n", n.PID, n.Log)
}

// Find is the node that runs on a home, and whether it was started in the background.
func Find(ctx context.Context, home string) (n Node, background bool, err error) {
	n, err = find(ctx, home)
	return n, n.ours, err
}

// find is the node that runs on a home.
func find(ctx context.Context, home string) (Node, error) {
	d, err := session.Dial(home)
	if err != nil {
		return Node{}, err
	}
	defer d.HTTP.CloseIdleConnections()
	data, _, err := d.Do(ctx, http.MethodGet, "/control/api", nil, nil, nil)
	if err != nil {
		return Node{}, err
	}
	var api struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(data, &api); err != nil {
		return Node{}, fmt.Errorf("read answer: %w", err)
	}
	n := Node{Home: home, API: api.URL}
	h, err := store.Inspect(home)
	if err != nil {
		return Node{}, err
	}
	holder, _, err := h.Holder()
	n.PID = holder.PID
	if strings.Contains(holder.Command, " --log-file "+LogFile(home)) {
		n.Log = LogFile(home)
	}
	n.ours = strings.Contains(holder.Command, " --"+Mark+" ")
	return n, err
}

// await waits for a node that another command starts, or, with again, until nobody has
// the home or ctx has ended.
func await(ctx context.Context, home string) (n Node, again bool) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if n, err := find(ctx, home); err == nil {
			return n, false
		}
		if h, err := store.Inspect(home); err == nil {
			if _, held, err := h.Holder(); err == nil && !held {
				return Node{}, true
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return Node{}, true
		}
	}
}

// launch starts a process and waits until its node answers. An error of a process that
// has ended is an *exec.ExitError with its last lines.
func launch(ctx context.Context, s *session.Session, home string) (Node, error) {
	args, err := commandLine(s, home)
	if err != nil {
		return Node{}, err
	}
	// What it prints before it has a log goes to a file without a name.
	early, err := os.CreateTemp("", "meshd-start-")
	if err != nil {
		return Node{}, fmt.Errorf("start node: %w", err)
	}
	defer early.Close()
	if err := os.Remove(early.Name()); err != nil {
		return Node{}, fmt.Errorf("start node: %w", err)
	}
	begun := time.Now()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr, cmd.Env, cmd.Dir = early, early, s.Env, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no signal of this terminal reaches it
	if err := cmd.Start(); err != nil {
		return Node{}, fmt.Errorf("start node: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			if err == nil {
				err = errors.New("it ended at once")
			}
			return Node{}, fmt.Errorf("the node has not started: %w%s", err, lastWords(early, home, begun))
		case <-ctx.Done():
			return Node{}, fmt.Errorf("process %d does not answer yet (%w); it goes on, see meshd logs", cmd.Process.Pid, context.Cause(ctx))
		case <-tick.C:
			if n, err := find(ctx, home); err == nil && n.PID == cmd.Process.Pid {
				return n, nil
			}
		}
	}
}

// CommandLine runs this program as the node of a home whose log is a file, with the
// settings of a session that must not depend on the terminal: its file and loopback.
func CommandLine(s *session.Session, home string) ([]string, error) {
	self, err := Self()
	if err != nil {
		return nil, err
	}
	args := []string{self, "run", "--quiet", "--home", home, "--log-file", LogFile(home)}
	if s.File != "" {
		file, err := filepath.Abs(s.File)
		if err != nil {
			return nil, fmt.Errorf("start node: %w", err)
		}
		args = append(args, "--config", file)
	}
	if s.Loopback || s.Getenv("MESHD_LOOPBACK") == "1" {
		args = append(args, "--loopback")
	}
	return args, nil
}

// commandLine is CommandLine of a node that this process starts.
func commandLine(s *session.Session, home string) ([]string, error) {
	args, err := CommandLine(s, home)
	if err != nil {
		return nil, err
	}
	args = slices.Insert(args, 2, "--"+Mark)
	if s.LogLevel != "" {
		args = append(args, "--log-level", s.LogLevel)
	}
	if s.LogFormat != "" {
		args = append(args, "--log-format", s.LogFormat)
	}
	return args, nil
}

// Self is the path of this program, by the name that it was called by: it may be one of
// several versions.
func Self() (string, error) {
	path, err := exec.LookPath(os.Args[0])
	if err != nil && !errors.Is(err, exec.ErrDot) {
		if path, err = os.Executable(); err != nil {
			return "", fmt.Errorf("find this program: %w", err)
		}
	}
	return filepath.Abs(path)
}

// lastWords are the last lines that a process printed, into its log where it had one.
func lastWords(early *os.File, home string, begun time.Time) string {
	info, err := early.Stat()
	if err == nil && info.Size() == 0 {
		f, err := os.Open(LogFile(home))
		if err != nil {
			return ""
		}
		defer f.Close()
		if info, err := f.Stat(); err != nil || info.ModTime().Before(begun) {
			return ""
		}
		early = f
	}
	at, err := tail(early, faultLines)
	if err != nil {
		return ""
	}
	text, err := io.ReadAll(io.NewSectionReader(early, at, chunk))
	if err != nil || len(text) == 0 {
		return ""
	}
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		b.WriteString("\n  " + terminal.OneLine(strings.TrimSpace(line), 400))
	}
	return b.String()
}

// Introduce names the files of the secrets of a home that was made.
func Introduce(w io.Writer, home string) {
	keys := filepath.Join(home, store.KeysDir)
	fmt.Fprintf(w, "made %s: API key in %s", home, filepath.Join(keys, owner.APIKeyName))
	if found, _ := filepath.Glob(filepath.Join(keys, "recovery-*")); len(found) == 1 {
		fmt.Fprintf(w, ", recovery key in %s (move that elsewhere)", found[0])
	}
	fmt.Fprintln(w)
}
