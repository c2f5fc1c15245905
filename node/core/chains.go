package core

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/lineage"
)

// Uncompared are the keys of this vault that would speak here now and whose
// public chains may go on elsewhere, and the team sets of which that is so.
func (n *Core) Uncompared() (keys, teams []string) {
	if _, ok := n.Lineage.Doubt(); !ok {
		return nil, nil
	}
	all := slices.DeleteFunc(n.Local.All(), func(k did.Key) bool { return !n.SpeaksNow(k) })
	for _, k := range all {
		if n.Lineage.Unsure(k, change.SpaceNet) {
			keys = append(keys, k.String())
		}
	}
	for _, name := range n.TeamSets() {
		if slices.ContainsFunc(all, func(k did.Key) bool {
			return n.Lineage.Unsure(k, change.Space(name)) && n.SpeaksIn(k, change.Space(name))
		}) {
			teams = append(teams, name)
		}
	}
	slices.Sort(keys)
	return keys, teams
}

// SpeaksNow reports whether an agent is spoken for by that key now, or may be for
// all this node knows: the log has nothing of the owner's first key.
func (n *Core) SpeaksNow(k did.Key) bool {
	if rec, ok := n.Views.AgentByKey(k); ok {
		return rec.Key == k
	}
	if slices.ContainsFunc(n.Views.GrantsTo(k), n.InTerm) {
		return true
	}
	owner, ok := n.Local.Named(OwnerKey)
	return ok && owner == k
}

// SpeaksIn reports whether a key speaks now for a member of a team.
func (n *Core) SpeaksIn(k did.Key, team change.Space) bool {
	id, _ := team.Guild()
	if rec, ok := n.Views.AgentByKey(k); ok && rec.Key == k {
		return n.IsMember(id, rec.ID)
	}
	return slices.ContainsFunc(n.Views.GrantsTo(k), func(g fold.Grant) bool {
		agent, ok := g.Space.Agent()
		return ok && n.InTerm(g) && n.IsMember(id, agent)
	})
}

// Unsure is the refusal of what agents here would write while the node does not
// know how far their public chains go, nil when it does.
func (n *Core) Unsure() error {
	if d, ok := n.Lineage.Doubt(); ok {
		if keys, _ := n.Uncompared(); len(keys) > 0 {
			return lineage.Refusal(d.Why, change.SpaceNet)
		}
	}
	return nil
}

// Retire gives a key another name, so that the one it had is free.
func (h *Keyring) Retire(name string, k did.Key) error {
	info, secret, err := h.vault.Export(name)
	if err != nil {
		return fmt.Errorf("retire key: %w", err)
	}
	text := k.String()
	other := "retired-" + strings.ToLower(text[len(text)-12:])
	_, second, err := h.vault.Export(vault.SecondName(name))
	switch {
	case err == nil:
		_, err = h.vault.ImportHybrid(other, info.Kind, secret, second)
	case errors.Is(err, vault.ErrNotFound):
		_, err = h.vault.Import(other, info.Kind, secret)
	}
	if err != nil && !errors.Is(err, vault.ErrExists) {
		return fmt.Errorf("retire key: %w", err)
	}
	if err := deleteKey(h.vault, name); err != nil {
		return fmt.Errorf("retire key: %w", err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	all := slices.DeleteFunc(slices.Clone(h.names[k]), func(n string) bool { return n == name || n == other })
	h.names[k] = append([]string{other}, all...)
	return nil
}
