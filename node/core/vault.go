package core

import (
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/libp2p/go-libp2p/core/peer"

	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/descriptors"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/p2p/host"
)

// OpenVault opens the vault of a home as Open would, for commands that prepare
// a home before a node is opened in it.
func OpenVault(home *store.Home, cfg config.Vault, random io.Reader) (*vault.Vault, error) {
	opt := Options{Home: home, Config: config.Config{Vault: cfg}}
	unlock, err := opt.Unlock()
	if err != nil {
		return nil, err
	}
	return vault.Open(home.Path(store.KeysDir), unlock, random)
}

// Identify returns the peer id that a node of this home has or will have, and
// makes its key when there is none.
func Identify(home *store.Home, cfg config.Vault, random io.Reader) (peer.ID, error) {
	v, err := OpenVault(home, cfg, random)
	if err != nil {
		return "", err
	}
	if _, err := v.Create(NodeKey, vault.Node); err != nil && !errors.Is(err, vault.ErrExists) {
		return "", fmt.Errorf("make node key: %w", err)
	}
	_, seed, err := v.Export(NodeKey)
	if err != nil {
		return "", fmt.Errorf("read node key: %w", err)
	}
	return host.PeerID(seed)
}

// SecretOf derives a secret of a node from its vault, as the running node does
// with Secret.
func SecretOf(v *vault.Vault, purpose string) ([32]byte, error) {
	_, seed, err := v.Export(NodeKey)
	if err != nil {
		return [32]byte{}, fmt.Errorf("read node key: %w", err)
	}
	out, err := hkdf.Key(sha256.New, seed[:], nil, "meshd "+purpose, 32)
	if err != nil {
		return [32]byte{}, fmt.Errorf("derive secret: %w", err)
	}
	return [32]byte(out), nil
}

// WritingKeys are the did:key texts of the keys of a vault that write changes.
func WritingKeys(v *vault.Vault) ([]string, error) {
	h, err := OpenKeyring(v)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, k := range h.All() {
		out = append(out, k.String())
	}
	return out, nil
}

// OpenEngine opens the engine of a home's log as its settings say.
func OpenEngine(home string, s config.Storage) (crdtlog.Engine, error) {
	return openEngine(home, s, nil, nil)
}

// openEngine is OpenEngine; it calls damaged with what the engine finds by itself.
func openEngine(home string, s config.Storage, disk vfs.FS, damaged func(error)) (crdtlog.Engine, error) {
	dir := s.Dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(home, dir)
	}
	switch s.Engine {
	case "memory":
		return crdtlog.NewMemory(), nil
	case "leveldb":
		return engine.OpenLevelDB(dir)
	default:
		return engine.OpenPebble(dir, engine.Options{CacheBytes: int64(s.CacheSize), OpenFiles: descriptors.Here(0).Tables(), FS: disk, Damaged: damaged})
	}
}
