package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/backup"
	"github.com/meshd/meshd/node/store"
)

// backedUp is what backup and restore print with --json.
type backedUp struct {
	backup.Header
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
	Files uint64 `json:"files"`
	Pairs uint64 `json:"log_records"`
	Home  string `json:"home,omitempty"` // of a restore
	Alone bool   `json:"alone,omitempty"`
}

func cmdBackup(s *session.Session) *cobra.Command {
	var to, check string
	c := &cobra.Command{
		Use: "backup", Short: "Back up the whole home into one file, while the node runs or not", Args: session.Nothing,
		Long: "Write settings, log, keys and state into one file, each as it was at one moment; the node goes on meanwhile. The\n" +
			"file is read back and checked before it gets its name. It contains the keys, and unless the vault has a passphrase\n" +
			"also what opens them: keep it as you keep the home. meshd restore makes a home of it. With --check a file is\n" +
			"only read and checked; the exit code is 3 when it is not sound.",
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case (to == "") == (check == ""):
				return session.Usage("backup needs --to FILE or --to FOLDER, or --check FILE")
			case check != "":
				return checkBackup(c.Context(), s, check)
			case strings.Contains(to, "://"):
				return session.Usage("backup writes to files and folders; %s is neither", to)
			}
			return makeBackup(c.Context(), s, to)
		},
	}
	c.Flags().StringVar(&to, "to", "", "file that does not exist yet, or folder in which one is made")
	c.Flags().StringVar(&check, "check", "", "read a backup and check that it is whole")
	return c
}

func makeBackup(ctx context.Context, s *session.Session, to string) (err error) {
	file, err := backupName(to, time.Now())
	if err != nil {
		return err
	}
	d, err := s.Connect(ctx, session.Existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	resp, err := d.Stream(ctx, http.MethodGet, "/control/backup", nil, nil, "", nil)
	if err != nil {
		return s.Refused(err)
	}
	defer resp.Body.Close()
	out, err := os.CreateTemp(filepath.Dir(file), ".backup-*") // mode 0600
	if err != nil {
		return fmt.Errorf("write backup: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(out.Name()))
		}
	}()
	_, err = io.Copy(out, resp.Body)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return fmt.Errorf("the backup is not whole (the node's log says why): %w", err)
	}
	sum, err := readBackup(ctx, out.Name())
	if err != nil {
		return fmt.Errorf("the backup was written, and is not sound: %w", err)
	}
	// Link fails where somebody has made the file meanwhile; rename would replace it.
	if err = os.Link(out.Name(), file); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write backup: %w", err)
	} else if err != nil {
		err = os.Rename(out.Name(), file) // a file system without links
	} else {
		err = os.Remove(out.Name())
	}
	if err != nil {
		return fmt.Errorf("write backup: %w", err)
	}
	sum.File = file
	return showBackup(s, sum)
}

// backupName is the file to write: a new one in a folder, or the one that is named.
func backupName(to string, now time.Time) (string, error) {
	info, err := os.Stat(to)
	switch {
	case err == nil && info.IsDir():
		return filepath.Join(to, "meshd-"+now.UTC().Format("20060102T150405Z")+".backup"), nil
	case err == nil:
		return "", fmt.Errorf("write backup: %s exists; name another file, or a folder", to)
	case !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("write backup: %w", err)
	case strings.HasSuffix(to, string(filepath.Separator)):
		return "", fmt.Errorf("write backup: there is no folder %s", to)
	}
	return to, nil
}

func checkBackup(ctx context.Context, s *session.Session, file string) error {
	sum, err := readBackup(ctx, file)
	if err != nil {
		return err
	}
	return showBackup(s, sum)
}

// readBackup reads a backup through; the state's database in it is taken out and
// checked beside the file.
func readBackup(ctx context.Context, name string) (sum backedUp, err error) {
	f, err := os.Open(name)
	if err != nil {
		return sum, fmt.Errorf("read backup: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return sum, fmt.Errorf("read backup: %w", err)
	}
	dir, err := os.MkdirTemp(filepath.Dir(name), ".backup-state-")
	if err != nil {
		return sum, fmt.Errorf("read backup: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	at := filepath.Join(dir, store.StateFile)
	var db *os.File
	h, end, err := backup.Read(f, backup.Sink{
		Pair: func(string, []byte) error { return ctx.Err() },
		File: func(name string, _ fs.FileMode) (err error) {
			if db != nil {
				err = db.Close()
			}
			if db = nil; name == store.StateFile && err == nil {
				db, err = os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			}
			return err
		},
		Data: func(b []byte) error {
			if db == nil {
				return nil
			}
			_, err := db.Write(b)
			return err
		},
	})
	if db != nil {
		err = errors.Join(err, db.Close())
	}
	if err == nil && h.State == "sqlite" {
		err = soundState(ctx, at)
	}
	if err != nil {
		return sum, err
	}
	return backedUp{Header: h, File: name, Bytes: info.Size(), Files: end.Files, Pairs: end.Pairs}, nil
}

// soundState refuses a database of a backup that is missing or not sound.
func soundState(ctx context.Context, path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return reason.Refuse(reason.BackupInvalid, "this is not a sound backup: its header names a state.db, and it has none")
	}
	problems, err := state.CheckFile(ctx, path)
	if err != nil && !errors.Is(err, state.ErrDamaged) {
		return err
	}
	if err != nil || len(problems) > 0 {
		return reason.Refuse(reason.BackupInvalid, "this is not a sound backup: %s", strings.Join(append(problems, fmt.Sprint(err)), "; "))
	}
	return nil
}

func showBackup(s *session.Session, sum backedUp) error {
	if s.JSON {
		return s.PrintJSON(sum)
	}
	if s.Quiet {
		_, err := fmt.Fprintln(s.Out, sum.File)
		return err
	}
	where := "included (state.db)"
	if sum.State != "sqlite" {
		where = s.Paint(session.Yellow, "not included: it lies in Postgres") + "; API keys, ledger and texts that are sold are there: pg_dump"
	}
	pairs := []string{
		"file", sum.File, "made", sum.Made.Format(time.RFC3339) + " by meshd " + sum.Program, "size", fmt.Sprintf("%d bytes", sum.Bytes), "node", sum.Node,
		"owner", sum.Owner, "network", sum.Network, "log", fmt.Sprintf("%d changes (%d records)", sum.Changes, sum.Pairs),
		"keys", fmt.Sprintf("%d that write changes", len(sum.Keys)), "files", fmt.Sprint(sum.Files), "state", where, "checked", s.Paint(session.Green, "whole"),
	}
	if sum.Home != "" {
		pairs = append(pairs, "home", sum.Home)
	}
	return s.Facts(pairs...)
}
