package core

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/shared"
)

// Names in the vault of acting keys of agents that are not the owner's. A key that was
// given to a book keeps a copy here, under another name, with which this node signs nothing: it
// may have signed more elsewhere.
const (
	actingPrefix = "acting-"
	sharedPrefix = "shared-"
)

// sharedKeys are the keys of a book, by what this process knows of it. The mutex of the
// Keyring guards them.
type sharedKeys struct {
	book  shared.Book // nil: no other process has keys of this node
	names map[did.Key]string
}

func (s *sharedKeys) has(k did.Key) bool {
	_, ok := s.names[k]
	return ok
}

func (s *sharedKeys) named(name string) (did.Key, bool) {
	for k, n := range s.names {
		if n == name {
			return k, true
		}
	}
	return did.Key{}, false
}

func (s *sharedKeys) secret(k did.Key) (secret shared.Secret, ok bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), bookTime)
	defer cancel()
	return s.book.Secret(ctx, k)
}

func dropShared(book shared.Book, k did.Key) error {
	ctx, cancel := context.WithTimeout(context.Background(), bookTime)
	defer cancel()
	return book.DropKey(ctx, k)
}

func (h *Keyring) sharing() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.shared.book != nil
}

// IsShared reports whether a key is one of the book, with which is signed in turns.
func (h *Keyring) IsShared(k did.Key) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.shared.has(k)
}

// lies reports whether a key is in the vault under its name with a prefix.
func (h *Keyring) lies(prefix string, k did.Key) bool {
	infos, err := h.vault.List()
	for _, i := range infos {
		if err == nil && strings.HasPrefix(i.Name, prefix) && i.Public == k.String() {
			return true
		}
	}
	return false
}

func (h *Keyring) noteShared(ks []shared.Key) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, k := range ks {
		h.shared.names[k.Public] = k.Name
	}
}

// seed is the secret of a key of this node; ok is false when it lies elsewhere.
func (h *Keyring) seed(k did.Key) (seed [32]byte, ok bool, err error) {
	h.mu.Lock()
	name, ours := h.name(k)
	shared := h.shared
	has := shared.has(k)
	h.mu.Unlock()
	switch { // without the lock: the book lies elsewhere
	case ours:
		if _, seed, err = h.vault.Export(name); err != nil {
			return seed, true, fmt.Errorf("unlock acting key: %w", err)
		}
		return seed, true, nil
	case has:
		secret, there, err := shared.secret(k)
		return secret.Seed, there, err
	}
	return seed, false, nil
}

// createShared makes an acting key, which may have an ML-DSA-65 half, in the book and
// nowhere else.
func (h *Keyring) createShared(ctx context.Context, hybrid bool, random io.Reader) (string, keys.HybridKey, error) {
	var b [12 + 32 + 32]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", keys.HybridKey{}, fmt.Errorf("make shared key: %w", err)
	}
	secret := shared.Secret{Seed: [32]byte(b[12:44])}
	signer := keys.FromSeed(secret.Seed)
	name, k := actingPrefix+hex.EncodeToString(b[:12]), keys.HybridKey{Key: signer.Key()}
	if hybrid {
		second := [32]byte(b[44:])
		secret.Second = &second
		k = keys.NewHybridSigner(signer, second).Key()
	}
	if err := h.shared.book.AddKey(ctx, name, k.Key, secret, nil); err != nil {
		return "", keys.HybridKey{}, fmt.Errorf("make shared key: %w", err)
	}
	h.noteShared([]shared.Key{{Name: name, Public: k.Key}})
	return name, k, nil
}

// Sharing is what a node does as one of several that sign for the same agents. Of a node
// alone it does nothing. It is safe for concurrent use.
type Sharing struct {
	core    *Core
	tending atomic.Bool // this node does what runs by itself for agents whose keys it shares
}

// Open has this node sign for the agents of a book, and gives the book the acting keys
// that lie in its vault: of all agents but the owner's and the node's own. Keys whose chains
// may go on elsewhere are kept back. Call it once, before anything is written.
func (s *Sharing) Open(ctx context.Context, book shared.Book) error {
	n := s.core
	n.Local.mu.Lock()
	n.Local.shared = sharedKeys{book: book, names: map[did.Key]string{}}
	n.Local.mu.Unlock()
	n.Ingest.Share(ingest.Sharing{Book: book, Has: n.Local.IsShared, Speaks: func(k did.Key) bool { return inForce(n, k) }, Added: n.Local.noteShared})
	if err := n.Ingest.Follow(ctx); err != nil {
		return fmt.Errorf("read what gateways share: %w", err)
	}
	infos, err := n.Keys.List()
	if err != nil {
		return fmt.Errorf("list keys: %w", err)
	}
	for _, i := range infos {
		if i.Kind != vault.Agent || !strings.HasPrefix(i.Name, actingPrefix) {
			continue
		}
		if err := s.give(ctx, book, i); err != nil {
			return fmt.Errorf("share key %s: %w", i.Name, err)
		}
	}
	return n.Ingest.Follow(ctx)
}

// give adds a key of the vault to the book, and then puts it out of use here. A process that
// ends in between finds the key in both places, and the book's word on its chains stands.
func (s *Sharing) give(ctx context.Context, book shared.Book, i vault.Info) error {
	n := s.core
	k, err := did.ParseKey(i.Public)
	if err != nil {
		return err
	}
	var heads []shared.Head
	for _, c := range n.Views.Chains(k) {
		if n.Lineage.Unsure(k, c.Space) {
			return nil
		}
		id, seq, _, forked, err := n.Log.Tip(ctx, c)
		if err != nil || forked {
			return err // a forked chain goes on nowhere
		}
		heads = append(heads, shared.Head{Chain: c, Seq: seq, ID: id})
	}
	var secret shared.Secret
	if _, secret.Seed, err = n.Keys.Export(i.Name); err != nil {
		return err
	}
	switch _, second, err := n.Keys.Export(vault.SecondName(i.Name)); {
	case err == nil:
		secret.Second = &second
	case !errors.Is(err, vault.ErrNotFound):
		return err
	}
	if err := book.AddKey(ctx, i.Name, k, secret, heads); err != nil {
		return err
	}
	if err := keepCopy(n.Keys, sharedPrefix+strings.TrimPrefix(i.Name, actingPrefix), i.Kind, secret); err != nil {
		return err
	}
	if err := deleteKey(n.Keys, i.Name); err != nil {
		return err
	}
	n.Local.mu.Lock()
	defer n.Local.mu.Unlock()
	delete(n.Local.names, k)
	delete(n.Local.signers, k)
	delete(n.Local.hybrids, k)
	return nil
}

// keepCopy stores what was given to a book under a name that nothing signs with.
func keepCopy(v *vault.Vault, name string, kind vault.Kind, secret shared.Secret) (err error) {
	if secret.Second == nil {
		_, err = v.Import(name, kind, secret.Seed)
	} else {
		_, err = v.ImportHybrid(name, kind, secret.Seed, *secret.Second)
	}
	if errors.Is(err, vault.ErrExists) {
		return nil
	}
	return err
}

// inForce reports whether a key speaks for its agent now, or for none yet.
func inForce(n *Core, k did.Key) bool {
	rec, ok := n.Views.AgentByKey(k)
	return !ok || rec.Key == k
}

// Follow takes in what other gateways signed lately, where keys are shared. What it
// cannot read now, the turn to sign asks for again.
func (s *Sharing) Follow() {
	n := s.core
	if !n.Local.sharing() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), bookTime)
	defer cancel()
	if err := n.Ingest.Follow(ctx); err != nil {
		n.Opt.Log.Debug("what other gateways signed was not read", "err", err)
	}
}

// Tends reports whether what runs by itself for an agent of this node runs here: renewals,
// ends of claims, boards that are carried over. Of the nodes that share its key it is one.
func (s *Sharing) Tends(rec fold.Agent) bool {
	n := s.core
	return n.SpeaksFor(rec) && (s.tending.Load() || !n.Local.IsShared(rec.Key))
}

// tend asks whether this node is the one.
func (s *Sharing) tend(ctx context.Context) {
	n := s.core
	ctx, cancel := context.WithTimeout(ctx, bookTime)
	defer cancel()
	n.Local.mu.Lock()
	book := n.Local.shared.book
	n.Local.mu.Unlock()
	k, ok := book.(shared.Keeper)
	s.tending.Store(!ok || k.Keeps(ctx))
}

// Keep takes in what other gateways sign for the agents of this one, until ctx
// ends. Where no keys are shared it returns at once.
func (s *Sharing) Keep(ctx context.Context) {
	n := s.core
	if !n.Local.sharing() {
		return
	}
	s.tend(ctx)
	tick := time.NewTicker(followPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.tend(ctx)
			s.Follow()
		}
	}
}

// NewKeyAfter makes the key that an agent goes on with after another: one that is shared
// where that was. It may have an ML-DSA-65 half.
func (s *Sharing) NewKeyAfter(ctx context.Context, old did.Key, hybrid bool) (key keys.HybridKey, err error) {
	_, key, err = s.NamedKeyAfter(ctx, old, hybrid)
	return key, err
}

// NamedKeyAfter is NewKeyAfter with the name that the key got.
func (s *Sharing) NamedKeyAfter(ctx context.Context, old did.Key, hybrid bool) (string, keys.HybridKey, error) {
	n := s.core
	if n.Local.IsShared(old) {
		return n.Local.createShared(ctx, hybrid, n.Opt.Rand)
	}
	return n.Local.CreateActing(hybrid, n.Opt.Rand)
}

// ActingSigner unlocks the key that NewActingKey made under a name.
func (s *Sharing) ActingSigner(name string) (keys.Signer, error) {
	n := s.core
	s.Follow() // it may have been made at another gateway
	k, ok := n.Local.Named(name)
	if !ok {
		return n.Keys.Signer(name)
	}
	signer, ok, err := n.Local.Signer(k)
	if err == nil && !ok {
		err = vault.ErrNotFound
	}
	return signer, err
}
