package running

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/instance"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/store"
)

// Names of a network's root in the vault.
const (
	rootKey = "network-root"    // Ed25519
	rootPQ  = "network-root-pq" // ML-DSA-65
)

// What the root of a new network signs with.
const (
	rootHybrid  = "hybrid"
	rootEd25519 = "ed25519"
)

const (
	defaultBits = 18 // about a quarter of a second of a slow core, as in the built-in network
	maxBits     = 32 // an hour of one core; nobody would join above
)

func cmdInit(s *session.Session) *cobra.Command {
	var profile, network, rootAlg string
	var bits int
	var bootstrap []string
	c := &cobra.Command{
		Use: "init", Short: "Make a home, its keys and a commented configuration", Args: session.Nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("bits") && network == "" {
				return session.Usage("meshd init --bits says what a new network asks for: name one with --network")
			}
			if c.Flags().Changed("root-alg") && network == "" {
				return session.Usage("meshd init --root-alg says how the root of a new network signs: name one with --network")
			}
			if rootAlg != rootHybrid && rootAlg != rootEd25519 {
				return session.Usage("--root-alg is %s or %s", rootHybrid, rootEd25519)
			}
			if bits < 1 || bits > maxBits {
				return session.Usage("--bits is from 1 to %d; only networks of meshd devnet ask for nothing", maxBits)
			}
			return initHome(c.Context(), s, beginning{profile, network, rootAlg, bootstrap, bits})
		},
	}
	c.Flags().StringVar(&profile, "profile", "edge", "what kind of node it is")
	session.Choices(c, "profile", "edge", "guild", "super", "gateway", "test")
	c.Flags().StringVar(&network, "network", "", "name of a network to begin, or the file of one to join")
	c.Flags().IntVar(&bits, "bits", defaultBits, "bits of proof of work that a new network asks of each new agent; one more takes twice as long")
	c.Flags().StringVar(&rootAlg, "root-alg", rootHybrid, "what the root of a new network signs with, Ed25519 and ML-DSA-65 together, or Ed25519 alone as in older networks")
	session.Choices(c, "root-alg", rootHybrid, rootEd25519)
	c.Flags().StringArrayVar(&bootstrap, "bootstrap", nil, "address of a peer to ask first; may be repeated")
	return c
}

// beginning is what the flags of init say.
type beginning struct {
	profile, network, rootAlg string
	bootstrap                 []string
	bits                      int
}

func initHome(ctx context.Context, s *session.Session, b beginning) (err error) {
	network, bootstrap := b.network, b.bootstrap
	dir, err := s.HomeDir()
	if err != nil {
		return err
	}
	home, err := store.Open(dir, store.Options{Command: session.CommandLine()})
	if err != nil {
		return err
	}
	kept := false // the home, by an instance that closes it
	defer func() {
		if !kept {
			err = errors.Join(err, home.Close())
		}
	}()
	if _, err := os.Stat(home.Path(store.ConfigFile)); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s has a configuration already; nothing was changed", home.Dir())
	}
	set := map[string]string{"node.profile": b.profile}
	if len(bootstrap) > 0 {
		set["network.bootstrap"] = strings.Join(bootstrap, ",")
	}
	begun := ""
	if network != "" {
		set["network.file"] = store.NetworkFile
	}
	text, err := config.Sample(set)
	if err != nil {
		return err
	}
	// The settings are judged before anything of them is written.
	cfg, err := judge(s, home, text)
	if err != nil {
		return err
	}
	if network != "" {
		if begun, err = enterNetwork(home, cfg.Config.Vault, b); err != nil {
			return err
		}
	}
	if err := store.AtomicWrite(home.Path(store.ConfigFile), text, 0o600); err != nil {
		return err
	}
	instance.QuietLibraries()
	kept = true
	in, err := instance.OpenWith(ctx, home, cfg, instance.NewLog(s.Err, cfg.Config.Log, slog.LevelWarn), instance.Opening{Mining: s.Mining()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return presentHome(s, in, begun)
}

// judge loads the settings as they will be once text is the file of the home.
func judge(s *session.Session, home *store.Home, text []byte) (*config.Loaded, error) {
	path := home.Path(store.ConfigFile + ".new")
	if err := store.AtomicWrite(path, text, 0o600); err != nil {
		return nil, err
	}
	cfg, err := config.Load(config.Sources{File: path, Env: s.Env, Flags: s.GlobalFlags()})
	return cfg, errors.Join(err, os.Remove(path))
}

// enterNetwork joins the network of a file, or begins one of that name and
// returns its file.
func enterNetwork(home *store.Home, unlock config.Vault, b beginning) (begun string, err error) {
	text, err := os.ReadFile(b.network)
	switch {
	case err == nil:
		if _, err := change.ParseNetworkFile(string(text)); err != nil {
			return "", fmt.Errorf("read %s: %w", b.network, err)
		}
	case !errors.Is(err, fs.ErrNotExist) || strings.ContainsAny(b.network, "/\\."):
		return "", fmt.Errorf("read network file: %w", err)
	default:
		if begun, err = beginNetwork(home, unlock, b); err != nil {
			return "", err
		}
		text = []byte(begun + "\n")
	}
	return begun, store.AtomicWrite(home.Path(store.NetworkFile), text, 0o600)
}

// beginNetwork makes the root of a new network in the vault. Each new agent of it pays
// a ticket of so many bits, whoever brings it.
func beginNetwork(home *store.Home, unlock config.Vault, b beginning) (string, error) {
	v, err := core.OpenVault(home, unlock, rand.Reader)
	if err != nil {
		return "", err
	}
	public, err := ensureKey(v, rootKey, vault.Root)
	if err != nil {
		return "", err
	}
	root, err := did.ParseKey(public)
	if err != nil {
		return "", err
	}
	g := change.Genesis{Bits: b.bits, Name: b.network, Roots: []did.Key{root}, Shards: 1, Start: time.Now().UnixMilli()}
	if b.rootAlg == rootHybrid {
		public, err := ensureKey(v, rootPQ, vault.PQ)
		if err != nil {
			return "", err
		}
		pq, err := hex.DecodeString(public)
		if err != nil {
			return "", err
		}
		g.PQ = []change.PQHash{change.HashPQ(pq)}
	}
	return change.NetworkFile{Genesis: g, Bootstrap: b.bootstrap}.Encode()
}

// ensureKey is the public part of a key of the vault, which is made when there is none.
func ensureKey(v *vault.Vault, name string, kind vault.Kind) (string, error) {
	info, err := v.Create(name, kind)
	if errors.Is(err, vault.ErrExists) {
		info, _, err = v.Export(name)
	}
	return info.Public, err
}

func presentHome(s *session.Session, in *instance.Instance, network string) error {
	id := in.Node.PeerID()
	o := in.Owner
	if s.JSON {
		return s.PrintJSON(map[string]any{
			"home": in.Home.Dir(), "node": id.String(), "owner": o.Agent.Name, "owner_id": o.Agent.ID.String(), "did": o.Agent.DID.String(),
			"config": in.Home.Path(store.ConfigFile), "api_key_file": o.APIKeyFile, "recovery_file": o.RecoveryFile, "network_file": network,
		})
	}
	if !s.Quiet {
		if err := s.Facts("home", in.Home.Dir(), "config", in.Home.Path(store.ConfigFile), "node", id.String(),
			"owner", o.Agent.Name+"  "+o.Agent.ID.String(), "did", o.Agent.DID.String(), "api key", o.APIKeyFile,
			"recovery", session.RecoveryNote(o.RecoveryFile)); err != nil {
			return err
		}
	}
	if network != "" {
		s.Say("\nThe file of the network. Once a node of it runs, meshd invite makes a line for whoever shall join, and meshd network\nfile prints the file with the addresses of that node:")
		if _, err := fmt.Fprintln(s.Out, network); err != nil {
			return err
		}
	}
	return nil
}
