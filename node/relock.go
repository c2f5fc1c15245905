package node

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/store"
)

// Relock locks the vault of a home, which no node has open, with what the settings
// name: a passphrase, a key file, or the home's own key file. It opens the vault
// with that, else with the file from (a passphrase, or a key file; "" for none),
// else with the home's own key file. changed is false when the vault was locked so
// already.
//
// After a crash the old or the new one opens it, and Relock ends what it began. The
// home's own key file is removed once it opens nothing any more. It returns an error
// that is fs.ErrNotExist when there is no vault yet, and vault.ErrWrongKey when none
// of the three opens it.
func Relock(home *store.Home, cfg config.Vault, from string, random io.Reader) (changed bool, err error) {
	if _, err := os.Stat(home.Path(store.KeysDir, vault.LockFile)); err != nil {
		return false, fmt.Errorf("lock vault: %w", err)
	}
	opt := core.Options{Home: home, Config: config.Config{Vault: cfg}}
	next, err := opt.Unlock()
	if err != nil {
		return false, err
	}
	own := home.Path(store.KeysDir, core.UnlockFile)
	ways := []func() (vault.Unlock, error){
		func() (vault.Unlock, error) { return next, nil },
		func() (vault.Unlock, error) { return vault.KeyFile(own), nil },
	}
	if from != "" {
		ways = append(ways, func() (vault.Unlock, error) { return core.ReadPassphrase(from) }, func() (vault.Unlock, error) { return vault.KeyFile(from), nil })
	}
	for i, way := range ways {
		unlock, err := way()
		if err != nil {
			return false, err
		}
		v, err := vault.Open(home.Path(store.KeysDir), unlock, random)
		if errors.Is(err, vault.ErrWrongKey) || i == 3 && errors.Is(err, vault.ErrExposed) { // a passphrase may lie in the open
			continue
		}
		if err != nil {
			return false, err
		}
		if i > 0 {
			changed = true
			if err := v.ChangeUnlock(next); err != nil {
				return false, err
			}
		}
		return changed, dropKeyFile(home, own, next, random)
	}
	return false, fmt.Errorf("lock vault: %w", vault.ErrWrongKey)
}

// dropKeyFile removes the home's own key file when the vault opens without it.
func dropKeyFile(home *store.Home, own string, next vault.Unlock, random io.Reader) error {
	if next == vault.KeyFile(own) {
		return nil
	}
	if _, err := vault.Open(home.Path(store.KeysDir), next, random); err != nil {
		return fmt.Errorf("open vault again: %w", err)
	}
	if err := os.Remove(own); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove key file: %w", err)
	}
	return nil
}
