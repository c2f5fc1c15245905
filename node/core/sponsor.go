package core

import (
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
)

// MaxSponsorDepth bounds the walk to the root of a tree of sponsors. A longer
// chain counts as a separate tree from there on.
const MaxSponsorDepth = 16

// SponsorRoot is the key at the root of the tree of sponsors that an agent stands
// in, "" for an agent that nobody sponsored. The keys of an agent that rotated
// name the same tree, by its first sponsor.
func (n *Core) SponsorRoot(id change.AgentID) string {
	a, ok := n.Views.Agent(id)
	if !ok || a.Sponsor == nil {
		return ""
	}
	root := *a.Sponsor
	for range MaxSponsorDepth {
		above, ok := n.Views.AgentByKey(root)
		if !ok {
			break
		}
		if above.Sponsor == nil {
			return above.ID.String() // whichever key of it vouched
		}
		root = *above.Sponsor
	}
	return root.String()
}

// Sponsor vouches for an agent that begins at this node's gateway, as that gateway of
// the manifest, whose host is then the agent's home. It is nil where the manifest does
// not list this node: then nobody answers for who registers here.
func (n *Core) Sponsor(author did.Key) (by *body.Sponsor, home string, err error) {
	k, ok := n.Local.Named(ServiceKey)
	if !ok {
		return nil, "", nil
	}
	if rec, known := n.Views.AgentByKey(k); known {
		k = rec.Key
	}
	if home = n.Views.GatewayHost(k); home == "" {
		return nil, "", nil
	}
	s, ok, err := n.Local.Signer(k)
	if err != nil || !ok {
		return nil, "", err
	}
	sig := s.Sign(binding.SponsorMessage(n.Judge.Net(), author))
	return &body.Sponsor{By: k, Sig: sig[:]}, home, nil
}
