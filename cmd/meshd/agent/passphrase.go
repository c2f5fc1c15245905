package agent

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/store"
)

func cmdIDPassphrase(s *session.Session) *cobra.Command {
	var from string
	c := &cobra.Command{
		Use: "passphrase", Short: "Lock the vault with the passphrase or key file that the settings name", Args: session.Nothing,
		Long: "Lock the vault of this home with what the settings name. The node must not run.\n\n" +
			"  set     write the passphrase to a file that you alone can read, name it in\n" +
			"          vault.passphrase_file (or set MESHD_VAULT_PASSPHRASE), and run this\n" +
			"  change  name the new file there, and run this with --from OLD-FILE\n" +
			"  remove  take the setting out, and run this with --from OLD-FILE; the vault is\n" +
			"          then unlocked by a key file in the home\n\n" +
			"The keys stay as they are. Stopped half-way, the old or the new one opens the vault, and the same command\n" +
			"ends what it began. A copy of the home that was made before still opens with the old one.",
		RunE: func(*cobra.Command, []string) error { return relock(s, from) },
	}
	c.Flags().StringVar(&from, "from", "", "file with the passphrase or key that the vault is locked with now")
	return c
}

func relock(s *session.Session, from string) (err error) {
	dir, cfg, err := s.Settings()
	if err != nil {
		return err
	}
	if _, err := store.Inspect(dir); err != nil {
		return err
	}
	home, err := store.Open(dir, store.Options{Command: session.CommandLine()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, home.Close()) }()
	changed, err := node.Relock(home, cfg.Config.Vault, from, rand.Reader)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !changed:
		return fmt.Errorf("%w; a home without a vault takes what the settings name when meshd run or meshd init makes it", err)
	case err != nil:
		return err
	}
	how := session.VaultNote(cfg.Config.Vault)
	if s.JSON {
		return s.PrintJSON(map[string]any{"changed": changed, "locked_by": session.LockedBy(cfg.Config.Vault)})
	}
	if !changed {
		how += " already"
	}
	return s.Facts("vault", how)
}
