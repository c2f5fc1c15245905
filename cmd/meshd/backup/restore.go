package backup

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/instance"
	"github.com/meshd/meshd/cmd/meshd/session"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/backup"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/lineage"
	"github.com/meshd/meshd/node/store"
)

func cmdRestore(s *session.Session) *cobra.Command {
	var alone bool
	c := &cobra.Command{
		Use: "restore FILE", Short: "Restore a backup into a new home", Args: session.One("file that meshd backup wrote"),
		Long: "Make a home of a backup, in a folder that is absent or empty (--home). Everything is checked before the home is\n" +
			"there: the bytes, the seal of the node whose keys are in it, every change of the log, and the state's database.\n\n" +
			"The restored home signs nothing until it has compared its chains with a peer that knows them, since it may have\n" +
			"written on after the backup was made; meshd run does that by itself. When no such peer is left, --alone has\n" +
			"every agent go on under a new key (meshd run --alone does so later). Exit codes: 3 the backup is not sound, 12 the\n" +
			"keys in it are locked with another passphrase or key file than the settings name.",
		RunE: func(c *cobra.Command, args []string) error { return restoreHome(c.Context(), s, args[0], alone) },
	}
	c.Flags().BoolVar(&alone, "alone", false, "no peer knows more than the backup: go on under new keys")
	return c
}

func restoreHome(ctx context.Context, s *session.Session, name string, alone bool) error {
	dir, err := s.HomeDir()
	if err != nil {
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("read backup: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("read backup: %w", err)
	}
	settings := func(home string) (*config.Loaded, error) { return config.Load(s.Source(home)) }
	h, end, err := backup.Restore(ctx, f, backup.Target{
		Dir: dir,
		Engine: func(home string) (crdtlog.Engine, error) {
			cfg, err := settings(home)
			if err != nil {
				return nil, err
			}
			if storage := cfg.Config.Storage; filepath.IsAbs(storage.Dir) {
				if entries, err := os.ReadDir(storage.Dir); err == nil && len(entries) > 0 {
					return nil, reason.Refuse(reason.HomeNotEmpty, "storage.dir %s is not empty", storage.Dir)
				}
			}
			return core.OpenEngine(home, cfg.Config.Storage)
		},
		Check: func(home string, h backup.Header, end backup.End) error {
			cfg, err := settings(home)
			if err != nil {
				return err
			}
			return checkRestored(ctx, home, cfg.Config, h, end)
		},
	})
	if err != nil {
		return err
	}
	if alone {
		home, err := store.Open(dir, store.Options{Command: session.CommandLine()})
		if err != nil {
			return err
		}
		cfg, err := settings(dir)
		if err != nil {
			return errors.Join(err, home.Close())
		}
		in, err := instance.OpenWith(ctx, home, cfg, instance.NewLog(s.Err, cfg.Config.Log, slog.LevelWarn), instance.Opening{Alone: true})
		if err != nil {
			return err
		}
		if err := in.Close(); err != nil {
			return err
		}
	}
	err = showBackup(s, backedUp{Header: h, File: name, Bytes: info.Size(), Files: end.Files, Pairs: end.Pairs, Home: dir, Alone: alone})
	if err == nil && !alone && len(h.Keys) > 0 {
		s.Say("\nThis home signs nothing until it has compared its chains with a peer that knows them: meshd run. When there is no\nsuch peer any more: meshd run --alone.")
	}
	return err
}

// checkRestored looks at a home that was made of a backup before it takes its
// place, and marks it as restored.
func checkRestored(ctx context.Context, dir string, cfg config.Config, h backup.Header, end backup.End) error {
	home, err := store.Inspect(dir)
	if err != nil {
		return err
	}
	if n, err := home.Format(); err != nil {
		return err
	} else if n > store.CurrentFormat() {
		return &store.FormatError{Dir: dir, Found: n, Current: store.CurrentFormat()}
	}
	v, err := core.OpenVault(home, cfg.Vault, rand.Reader)
	if err != nil {
		return fmt.Errorf("open the keys of the backup: %w", err)
	}
	secret, err := core.SecretOf(v, node.BackupSecret)
	if errors.Is(err, vault.ErrNotFound) || err == nil && !end.Sealed(secret) {
		return reason.Refuse(reason.BackupInvalid, "this is not a sound backup: it was not made by the node whose keys are in it")
	}
	if err != nil {
		return err
	}
	if err := checkRestoredLog(ctx, dir, cfg.Storage, h); err != nil {
		return err
	}
	if h.State == "sqlite" {
		if err := soundState(ctx, home.Path(store.StateFile)); err != nil {
			return err
		}
	}
	keys, err := core.WritingKeys(v)
	if err != nil {
		return fmt.Errorf("read the keys of the backup: %w", err)
	}
	return lineage.MarkRestored(dir, keys, time.Now())
}

// checkRestoredLog reads every change of a restored log.
func checkRestoredLog(ctx context.Context, dir string, cfg config.Storage, h backup.Header) (err error) {
	engine, err := core.OpenEngine(dir, cfg)
	if err != nil {
		return fmt.Errorf("open the restored log: %w", err)
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	log, err := crdtlog.Open(ctx, engine, h.Shards, nil)
	if err != nil {
		return reason.Refuse(reason.BackupInvalid, "this is not a sound backup: its log: %v", err)
	}
	var first error
	if err := log.Verify(ctx, false, func(p crdtlog.Problem) {
		if first == nil {
			first = reason.Refuse(reason.BackupInvalid, "this is not a sound backup: %s of change %d: %v", p.Part, p.Seq, p.Err)
		}
	}); err != nil {
		return err
	}
	if first == nil && log.LastSeq() < h.Changes {
		first = reason.Refuse(reason.BackupInvalid, "this is not a sound backup: it has %d changes of %d", log.LastSeq(), h.Changes)
	}
	return first
}
