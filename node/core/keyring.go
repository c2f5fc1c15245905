package core

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/lineage"
)

// Names of keys in the vault.
const (
	NodeKey  = "node"
	OwnerKey = "owner" // first acting key of the owner's agent
)

// Keyring are the keys of this vault that may speak for agents: acting keys, and
// keys that an agent elsewhere has lent to this node as one of its devices.
// Which agent a key speaks for now is known by the views. With a book they are joined by
// the keys that this node shares with others.
type Keyring struct {
	mu      sync.Mutex
	vault   *vault.Vault
	shared  sharedKeys
	names   map[did.Key]string // key -> its name in the vault
	devices []did.Key          // those made as device keys
	signers map[did.Key]keys.Signer
	hybrids map[did.Key]*keys.HybridSigner
}

// OpenKeyring lists the keys of a vault that write for agents; none of them is unlocked.
func OpenKeyring(v *vault.Vault) (*Keyring, error) {
	h := &Keyring{vault: v, names: map[did.Key]string{}, signers: map[did.Key]keys.Signer{}, hybrids: map[did.Key]*keys.HybridSigner{}}
	infos, err := v.List()
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	for _, i := range infos {
		if i.Kind != vault.Agent && i.Kind != vault.Device || strings.HasPrefix(i.Name, sharedPrefix) {
			continue
		}
		k, err := did.ParseKey(i.Public)
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", i.Name, err)
		}
		h.add(i.Name, k, i.Kind)
	}
	return h, nil
}

func (h *Keyring) add(name string, k did.Key, kind vault.Kind) {
	// Of copies the one that has its second half is used.
	if old, ok := h.names[k]; !ok {
		h.names[k] = name
	} else if _, err := h.vault.Hybrid(old); err != nil {
		h.names[k] = name
	}
	if kind == vault.Device {
		h.devices = append(h.devices, k)
	}
}

// Create makes a key of a kind in the vault and returns its name; for an empty name it
// makes one up.
func (h *Keyring) Create(name string, kind vault.Kind, random io.Reader) (string, did.Key, error) {
	return h.create(name, kind, random, h.vault.Create)
}

// CreateActing makes an acting key, which may have an ML-DSA-65 half, and returns the
// name that it made up for it.
func (h *Keyring) CreateActing(hybrid bool, random io.Reader) (string, keys.HybridKey, error) {
	if !hybrid {
		name, k, err := h.Create("", vault.Agent, random)
		return name, keys.HybridKey{Key: k}, err
	}
	name, k, err := h.create("", vault.Agent, random, h.vault.CreateHybrid)
	if err != nil {
		return "", keys.HybridKey{}, err
	}
	s, ok, err := h.Hybrid(k)
	if err == nil && !ok {
		err = errors.New("its second half is not there")
	}
	if err != nil {
		return "", keys.HybridKey{}, errors.Join(fmt.Errorf("make acting key: %w", err), h.Forget(k))
	}
	return name, s.Key(), nil
}

func (h *Keyring) create(name string, kind vault.Kind, random io.Reader, create func(string, vault.Kind) (vault.Info, error)) (string, did.Key, error) {
	if name == "" {
		var b [12]byte
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return "", did.Key{}, fmt.Errorf("name a key: %w", err)
		}
		name = actingPrefix + hex.EncodeToString(b[:])
		if kind == vault.Device {
			name = "device-" + hex.EncodeToString(b[:])
		}
	}
	info, err := create(name, kind)
	if err != nil {
		return "", did.Key{}, fmt.Errorf("make %s key: %w", kind, err)
	}
	k, err := did.ParseKey(info.Public)
	if err != nil {
		return "", did.Key{}, fmt.Errorf("make %s key: %w", kind, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.add(name, k, kind)
	return name, k, nil
}

// Forget deletes a key that speaks for nobody; one that is not here is no error.
func (h *Keyring) Forget(k did.Key) error {
	h.mu.Lock()
	name, ok := h.names[k]
	book, shared := h.shared.book, h.shared.has(k)
	delete(h.names, k)
	delete(h.signers, k)
	delete(h.hybrids, k)
	h.mu.Unlock()
	switch {
	case ok:
		return deleteKey(h.vault, name)
	case shared:
		return dropShared(book, k)
	}
	return nil
}

// deleteKey deletes a key, and its second half where it has one.
func deleteKey(v *vault.Vault, name string) error {
	if err := v.Delete(name); err != nil {
		return err
	}
	if err := v.Delete(vault.SecondName(name)); err != nil && !errors.Is(err, vault.ErrNotFound) && !errors.Is(err, vault.ErrName) {
		return err
	}
	return nil
}

// Signer unlocks a key of this vault; ok is false when it lies elsewhere.
func (h *Keyring) Signer(k did.Key) (s keys.Signer, ok bool, err error) {
	h.mu.Lock()
	if s := h.signers[k]; s != nil {
		h.mu.Unlock()
		return s, true, nil
	}
	name, ours := h.names[k]
	shared := h.shared
	has := shared.has(k)
	h.mu.Unlock()
	switch { // without the lock: the book lies elsewhere
	case ours:
		if s, err = h.vault.Signer(name); err != nil {
			return nil, true, fmt.Errorf("unlock key: %w", err)
		}
	case has:
		secret, there, err := shared.secret(k)
		if err != nil || !there {
			return nil, there, err
		}
		s = keys.FromSeed(secret.Seed)
	default:
		return nil, false, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.signers) >= maxSigners {
		clear(h.signers)
	}
	h.signers[k] = s
	return s, true, nil
}

// Hybrid unlocks both halves of a key of this vault; ok is false when one of them lies
// elsewhere.
func (h *Keyring) Hybrid(k did.Key) (s *keys.HybridSigner, ok bool, err error) {
	h.mu.Lock()
	if s := h.hybrids[k]; s != nil {
		h.mu.Unlock()
		return s, true, nil
	}
	name, ours := h.names[k]
	shared := h.shared
	has := shared.has(k)
	h.mu.Unlock()
	switch { // without the lock: the book lies elsewhere
	case ours:
		s, err = h.vault.Hybrid(name)
		if errors.Is(err, vault.ErrNotFound) {
			return nil, false, nil
		}
		if err != nil {
			return nil, true, fmt.Errorf("unlock key: %w", err)
		}
	case has:
		secret, there, err := shared.secret(k)
		if err != nil || !there || secret.Second == nil {
			return nil, false, err
		}
		s = keys.NewHybridSigner(keys.FromSeed(secret.Seed), *secret.Second)
	default:
		return nil, false, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.hybrids) >= maxSigners {
		clear(h.hybrids)
	}
	h.hybrids[k] = s
	return s, true, nil
}

// Second is what signs control changes of an author beside its Ed25519 key: nil where
// they have one signature. The refusal, forbidden, is that the vault lacks the second
// half of the acting key.
func (h *Keyring) Second(a Author) (*keys.HybridSigner, error) {
	if a.PQ == nil {
		return nil, nil
	}
	s, ok, err := h.Hybrid(a.Signer.Key())
	if err != nil {
		return nil, err
	}
	if !ok || !bytes.Equal(s.Key().PQ, a.PQ) {
		r := reason.Refuse(reason.Forbidden, "the agent's acting key has a second half, of ML-DSA-65, and this vault lacks it")
		r.Hint = "meshd id import FILE brings it, from an export of the vault that has both; or rotate with the recovery key: meshd id rotate --recovery FILE"
		return nil, r
	}
	return s, nil
}

// Has reports whether a key lies in this vault and may speak for an agent.
func (h *Keyring) Has(k did.Key) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.names[k]
	return ok || h.shared.has(k)
}

// Named is the key that has that name in the vault.
func (h *Keyring) Named(name string) (did.Key, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for k, n := range h.names {
		if n == name {
			return k, true
		}
	}
	return h.shared.named(name)
}

// All are the keys of this vault that may speak for agents, in no order.
func (h *Keyring) All() []did.Key {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]did.Key, 0, len(h.names)+len(h.shared.names))
	for k := range h.names {
		out = append(out, k)
	}
	for k := range h.shared.names {
		out = append(out, k)
	}
	return out
}

func (h *Keyring) deviceKeys() []did.Key {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]did.Key(nil), h.devices...)
}

// Author is how this node writes for an agent: with the acting key now in
// force, or with a device key that the agent has lent it.
type Author struct {
	Signer keys.Signer // signs with the key
	Record change.ID   // its identity: what proof[0] names
	Device *fold.Grant // the loan, nil for the acting key
	PQ     []byte      // second half of the acting key, nil when Record names none
}

// Author finds the key by which this node may write for an agent. The refusal
// is agent_not_found or forbidden, or why a record of an agent here may be lacking:
// home_unsure or store_damaged.
func (n *Core) Author(agent change.AgentID) (Author, error) {
	n.Sharing.Follow()
	rec, ok := n.Views.Agent(agent)
	if !ok {
		return Author{}, unknownAgent(n)
	}
	s, ok, err := n.Local.Signer(rec.Key)
	if err != nil {
		return Author{}, err
	}
	if ok {
		return Author{Signer: s, Record: rec.Binding, PQ: rec.PQ}, nil
	}
	if g, ok := loan(n, agent); ok {
		s, _, err := n.Local.Signer(g.Audience)
		if err != nil {
			return Author{}, err
		}
		return Author{Signer: s, Record: g.ID, Device: &g}, nil
	}
	refusal := reason.Refuse(reason.Forbidden, "this node holds no key of that agent")
	if n.Local.lies(sharedPrefix, rec.Key) {
		refusal.Hint = "its key was given to the gateways that share a database: set state.postgres and state.secret_file as they are set there"
	}
	return Author{}, refusal
}

// unknownAgent is the refusal to write for an agent of which no record is here.
// Where the store has lost changes it may be one of this vault, whose birth is
// among them and comes back from a peer.
func unknownAgent(n *Core) error {
	if err := n.Unsure(); err != nil {
		return err
	}
	mute := slices.DeleteFunc(n.Local.All(), func(k did.Key) bool { return known(n, k) })
	d, ok := n.Lineage.Doubt()
	switch {
	case ok && d.Alone.IsZero() && slices.ContainsFunc(mute, func(k did.Key) bool { return n.Lineage.Unsure(k, change.SpaceNet) }):
		return lineage.Refusal(d.Why, change.SpaceNet)
	case len(mute) > 0 && n.Damaged() > 0:
		refusal := reason.Refuse(reason.StoreDamaged, "there is no record of that agent, and this store lacks changes that it had")
		refusal.Hint = "run the node with a peer, which gives what is lost (meshd repair), and write again"
		return refusal
	}
	return reason.Refuse(reason.AgentNotFound, "no such agent")
}

// known reports whether the views name an agent that a key speaks or spoke for.
func known(n *Core, k did.Key) bool {
	_, ok := n.Views.AgentByKey(k)
	return ok || len(n.Views.GrantsTo(k)) > 0
}

// loan is the grant by which an agent has lent its voice to a key of this vault
// for the longest time from now.
func loan(n *Core, agent change.AgentID) (best fold.Grant, ok bool) {
	for _, k := range n.Local.deviceKeys() {
		for _, g := range n.Views.GrantsTo(k) {
			if g.Space == agent.Space() && g.Active && n.InTerm(g) && (!ok || outlasts(g, best)) {
				best, ok = g, true
			}
		}
	}
	return best, ok
}

func outlasts(a, b fold.Grant) bool {
	return a.Expires == nil && b.Expires != nil || a.Expires != nil && b.Expires != nil && *a.Expires > *b.Expires
}

// InTerm reports whether a grant's term has not ended by the clock of this node.
func (n *Core) InTerm(g fold.Grant) bool {
	now := n.Opt.Now().Unix()
	return (g.Expires == nil || now <= *g.Expires) && (g.NotBefore == nil || now >= *g.NotBefore)
}

// SpeaksFor reports whether this node can write for an agent.
func (n *Core) SpeaksFor(rec fold.Agent) bool {
	if n.Local.Has(rec.Key) {
		return true
	}
	_, lent := loan(n, rec.ID)
	return lent
}

// Spoken are the agents that this node can write for.
func (n *Core) Spoken() []fold.Agent {
	all := n.Local.All()
	out := make([]fold.Agent, 0, len(all))
	for _, k := range all {
		if rec, ok := n.Views.AgentByKey(k); ok && rec.Key == k {
			out = append(out, rec)
		}
	}
	for _, k := range n.Local.deviceKeys() {
		for _, g := range n.Views.GrantsTo(k) {
			agent, inAgent := g.Space.Agent()
			if rec, ok := n.Views.Agent(agent); inAgent && ok && g.Active && n.InTerm(g) && !n.Local.Has(rec.Key) {
				out = append(out, rec)
			}
		}
	}
	return out
}

// ByName finds an agent hosted here by its name, without regard to case.
func (n *Core) ByName(name string) (change.AgentID, bool) {
	for _, rec := range n.Spoken() {
		if strings.EqualFold(rec.Name, name) {
			return rec.ID, true
		}
	}
	return change.AgentID{}, false
}

// NewActingKey makes a key in the vault for an agent that is about to register.
// It is never offered to a second subject.
func (n *Core) NewActingKey(ctx context.Context) (vaultName string, key did.Key, err error) {
	if n.Local.sharing() {
		name, k, err := n.Local.createShared(ctx, false, n.Opt.Rand)
		return name, k.Key, err
	}
	return n.Local.Create("", vault.Agent, n.Opt.Rand)
}

// NewDeviceKey makes a key in the vault that an agent of another node may lend
// its voice to, by a capability for that key.
func (n *Core) NewDeviceKey(context.Context) (did.Key, error) {
	_, k, err := n.Local.Create("", vault.Device, n.Opt.Rand)
	return k, err
}

// DropActingKey deletes a key whose challenge was never answered. A key that an
// agent was opened with or rotated to is kept.
func (n *Core) DropActingKey(_ context.Context, vaultName string) error {
	n.Sharing.Follow() // whoever opened an agent with it may have been another gateway
	k, ok := n.Local.Named(vaultName)
	if !ok {
		if err := deleteKey(n.Keys, vaultName); err != nil && !errors.Is(err, vault.ErrNotFound) {
			return err
		}
		return nil
	}
	if _, opened := n.Views.AgentByKey(k); opened {
		return nil
	}
	return n.Local.Forget(k)
}

// Owner is the agent of this node's owner; ok is false before it was made.
func (n *Core) Owner() (change.AgentID, bool) {
	k, ok := n.Local.Named(OwnerKey)
	if !ok {
		return change.AgentID{}, false
	}
	rec, opened := n.Views.AgentByKey(k)
	if !opened {
		return change.DeriveAgent(n.Judge.Net(), k), false
	}
	return rec.ID, true
}

// OwnerActingKey is the first acting key of the owner's agent, made when it is
// not there yet.
func (n *Core) OwnerActingKey(context.Context) (did.Key, error) {
	if k, ok := n.Local.Named(OwnerKey); ok {
		return k, nil
	}
	_, k, err := n.Local.Create(OwnerKey, vault.Agent, n.Opt.Rand)
	return k, err
}
