package core

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/lineage"
)

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
	refusal := reason.Refuse(reason.Forbidden, "this node has no key of that agent")
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
