package core

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/libp2p/go-libp2p"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/store"
)

// Options are what a node is opened with.
type Options struct {
	Home    *store.Home // locked by who opens the node
	Config  config.Config
	Chosen  func(key string) bool // whether the owner set a key; nil: none was
	Version string                // of the program
	Worker  []string              // command of the document worker
	// Restored is the owner's word that the home is an older copy of itself.
	Restored bool

	// Salvage writes a store that is damaged beyond opening, or was found to have
	// unreadable blocks, anew from what can be read of it. Without it such a store is
	// a store_damaged and stays as it is.
	Salvage bool

	// Mining is called with the progress of a new agent's ticket: hashes tried, of about
	// 2^bits, and 0 when it is found or given up. It is called by whoever opens the
	// agent; nil: nobody is notified.
	Mining func(tried uint64, bits int)

	Log        *slog.Logger          // nil: none
	Registerer prometheus.Registerer // nil: metrics are not exported

	// For tests: a store, a disk, a clock, a source of documents and a network in
	// place of the real ones.
	Engine     crdtlog.Engine
	Disk       vfs.FS                 // below a store of Pebble in the home
	Now        func() time.Time       // nil: time.Now
	Rand       io.Reader              // nil: that of crypto/rand
	Documents  doc.Engine             // nil: that of the build
	Simulation []libp2p.Option        // nil: a real network
	FreeDisk   func() (uint64, error) // bytes that may be written; nil: of the home's file system
}

// Defaults puts what a node runs with in place of what is nil. It refuses options without
// a home.
func (o *Options) Defaults() error {
	if o.Home == nil {
		return errors.New("open node: no home")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.FreeDisk == nil {
		o.FreeDisk = o.freeDisk
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	if o.Chosen == nil {
		o.Chosen = func(string) bool { return false }
	}
	if o.Registerer == nil {
		o.Registerer = prometheus.NewRegistry()
	}
	return nil
}

// Genesis is the network this node takes part in, and the addresses that the
// network file brings.
func (o *Options) Genesis() (change.Genesis, []string, error) {
	if o.Config.Network.File == "" {
		return change.Builtin(), nil, nil
	}
	path := o.Home.Resolve(o.Config.Network.File)
	text, err := os.ReadFile(path)
	if err != nil {
		return change.Genesis{}, nil, fmt.Errorf("read network file: %w", err)
	}
	f, err := change.ParseNetworkFile(string(text))
	if err != nil {
		return change.Genesis{}, nil, fmt.Errorf("network file %s: %w", path, err)
	}
	return f.Genesis, f.Bootstrap, nil
}

// UnlockFile is the key file that opens the vault when nothing is configured.
const UnlockFile = "unlock.key"

// Unlock is what opens the vault: the passphrase, the file of one, or the key file, by the
// first of them that is configured, else UnlockFile among the keys.
func (o *Options) Unlock() (vault.Unlock, error) {
	v := o.Config.Vault
	switch {
	case v.Passphrase != "":
		return vault.Passphrase(v.Passphrase.Reveal()), nil
	case v.PassphraseFile != "":
		return ReadPassphrase(o.Home.Resolve(v.PassphraseFile))
	case v.KeyFile != "":
		return vault.KeyFile(o.Home.Resolve(v.KeyFile)), nil
	}
	return vault.KeyFile(o.Home.Path(store.KeysDir, UnlockFile)), nil
}

func trimNewline(s string) string {
	for len(s) > 0 && (s[len(s)-1] == '\n' || s[len(s)-1] == '\r') {
		s = s[:len(s)-1]
	}
	return s
}

// Files is where the log keeps its files, and in what kind of engine; kept is false when
// there are none.
func (o *Options) Files() (kind, dir string, kept bool) {
	s := o.Config.Storage
	switch {
	case o.Engine != nil || s.Engine == "memory":
		return "", "", false
	case s.Engine == "leveldb":
		return engine.LevelDB, o.Home.Resolve(s.Dir), true
	}
	return engine.Pebble, o.Home.Resolve(s.Dir), true
}

// OpenEngine opens the engine of the log, or returns the one that the options bring.
// damaged is called with what the engine finds broken by itself; it may be nil.
func (o *Options) OpenEngine(damaged func(error)) (crdtlog.Engine, error) {
	if o.Engine != nil {
		return o.Engine, nil
	}
	return openEngine(o.Home.Dir(), o.Config.Storage, o.Disk, damaged)
}
