package background

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/node/store"
)

func cmdLogs(s *session.Session) *cobra.Command {
	var follow bool
	var lines int
	c := &cobra.Command{
		Use: "logs", Short: "Print the log of the node in the background", Args: session.Nothing,
		Long: "Print the end of run/meshd.log in the home, where a node logs that meshd start or another command started, or\n" +
			"that runs as a service. A node in the foreground logs where it was started. With --follow what is added is printed\n" +
			"until Ctrl-C, through restarts of the node too.",
		RunE: func(c *cobra.Command, _ []string) error {
			if lines < 0 {
				return session.Usage("--lines is 0 or more")
			}
			return showLog(c.Context(), s, lines, follow)
		},
	}
	c.Flags().BoolVarP(&follow, "follow", "f", false, "go on with what is added")
	c.Flags().IntVarP(&lines, "lines", "n", firstLines, "print the last N lines")
	return c
}

func showLog(ctx context.Context, s *session.Session, lines int, follow bool) error {
	home, err := s.HomeDir()
	if err != nil {
		return err
	}
	if _, err := store.Inspect(home); err != nil {
		return err
	}
	f, err := os.Open(LogFile(home))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no node of %s has run in the background; one in the foreground logs where it was started", home)
	}
	if err != nil {
		return fmt.Errorf("read log: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	at, err := tail(f, lines)
	if err != nil {
		return err
	}
	if _, err := f.Seek(at, io.SeekStart); err != nil {
		return fmt.Errorf("read log: %w", err)
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if _, err := io.Copy(s.Out, f); err != nil {
			return fmt.Errorf("print log: %w", err)
		}
		if !follow {
			return nil
		}
		if next, err := succeeded(f); err == nil && next != nil {
			if _, err := io.Copy(s.Out, f); err != nil { // what came before the new file began
				return errors.Join(fmt.Errorf("print log: %w", err), next.Close())
			}
			_ = f.Close() // only read
			f = next
			continue
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// succeeded is the file that has taken the place of f under its name, nil for none.
func succeeded(f *os.File) (*os.File, error) {
	mine, err := f.Stat()
	if err != nil {
		return nil, err
	}
	there, err := os.Stat(f.Name())
	if err != nil || os.SameFile(mine, there) {
		return nil, err
	}
	return os.Open(f.Name())
}

// tail is where the last lines of a file begin.
func tail(f *os.File, lines int) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, fmt.Errorf("read log: %w", err)
	}
	end := info.Size()
	if lines == 0 {
		return end, nil
	}
	buf := make([]byte, chunk)
	for at := end; at > 0; {
		n := min(at, int64(len(buf)))
		at -= n
		if _, err := f.ReadAt(buf[:n], at); err != nil {
			return 0, fmt.Errorf("read log: %w", err)
		}
		for i := n - 1; i >= 0; i-- {
			if buf[i] != '\n' || at+i == end-1 {
				continue
			}
			if lines--; lines == 0 {
				return at + i + 1, nil
			}
		}
	}
	return 0, nil
}
