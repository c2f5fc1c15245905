package node

import (
	"context"
	"errors"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/view"
)

// serviceKey is the name in the vault of the acting key of the service agent.
const serviceKey = "service"

// ServiceAgent is the agent that speaks for this node as a gateway: it confirms
// what only a gateway can know, such as who holds a reward. It is made when it is
// asked for first.
func (n *Node) ServiceAgent(ctx context.Context) (change.AgentID, error) {
	n.serving.Lock()
	defer n.serving.Unlock()
	if id, ok := n.serviceAgent(); ok {
		return id, nil
	}
	k, ok := n.local.named(serviceKey)
	if !ok {
		var err error
		_, k, err = n.local.create(serviceKey, vault.Agent, n.opt.Rand)
		if errors.Is(err, vault.ErrExists) { // by a process before this one
			k, _ = n.local.named(serviceKey)
		} else if err != nil {
			return change.AgentID{}, err
		}
	}
	id := change.DeriveAgent(n.judge.Net(), k)
	name := "gateway-" + id.String()[len(change.PrefixAgent):][:6]
	_, _, err := n.OpenAgent(ctx, view.Genesis{KeyName: serviceKey, Name: name, Custody: "self"})
	return id, err
}

// serviceAgent is the service agent when there is one.
func (n *Node) serviceAgent() (change.AgentID, bool) {
	k, ok := n.local.named(serviceKey)
	if !ok {
		return change.AgentID{}, false
	}
	id := change.DeriveAgent(n.judge.Net(), k)
	_, ok = n.views.Agent(id)
	return id, ok
}
