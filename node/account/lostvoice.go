package account

import (
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/vault"
)

// LostVoice refuses, with revoked, to write as an agent, by its name or id, whose
// voice a key of this vault had until its grant was ended. It is nil for any other.
func (n *Accounts) LostVoice(agent string) error {
	keys, _ := n.core.Keys.List() // a damaged key has no voice
	for _, info := range keys {
		k, err := did.ParseKey(info.Public)
		if err != nil || info.Kind != vault.Device {
			continue
		}
		for _, g := range n.core.Views.GrantsTo(k) {
			id, own := g.Space.Agent()
			if !own || g.Active || g.EndedBy.IsZero() {
				continue
			}
			rec, ok := n.core.Views.Agent(id)
			if !ok || agent != id.String() && !strings.EqualFold(rec.Name, agent) {
				continue
			}
			r := reason.Refuse(reason.Revoked, "the capability to write as %s was taken back; what was written with it up to the cut still counts", rec.Name)
			r.Hint = "ask its owner for another one (meshd cap issue --to " + k.String() + "), or write as your own agent, without --as"
			return r.With(map[string]any{"change_id": g.EndedBy.Text(change.PrefixChange)})
		}
	}
	return nil
}
