package account

import (
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
)

// An agent of this node is at home at every gateway: what its acting key signs opens its
// account there. None of it enters the log.

// Present signs a token by which an agent of this node does one thing in its own space at
// a gateway, once: part is below its space, "" for all of it. The token ends after life,
// presentTerm at most. It refuses with invalid_param, and as Lend where the agent's acting
// key does not lie here.
func (n *Lending) Present(agent change.AgentID, gateway did.Key, can, part string, life time.Duration) (string, error) {
	signer, err := n.originator(agent)
	if err != nil {
		return "", err
	}
	if life <= 0 || life > presentTerm {
		return "", reason.Refuse(reason.InvalidParam, "the token may last %s at most", presentTerm).With(map[string]any{"param": "life"})
	}
	with := agent.Space().Resource(n.core.Judge.Net())
	if part != "" {
		with += "/" + part
	}
	end := n.core.Opt.Now().Add(life).Unix()
	raw, err := v0.Build(v0.Draft{Audience: gateway.String(), Expires: &end,
		Caps: []v0.Cap{{With: with, Can: can, Caveats: []map[string]any{{}}}}}, signer, n.core.Opt.Rand)
	if err != nil {
		return "", reason.Refuse(reason.InvalidParam, "%v", err)
	}
	return raw, nil
}

// SignLogin signs the text by which an agent of this node logs in at a gateway, and
// nothing else: a text that is no login of this agent by its acting key in this network is
// invalid_param.
func (n *Lending) SignLogin(agent change.AgentID, text string) (did.Key, []byte, error) {
	signer, err := n.originator(agent)
	if err != nil {
		return did.Key{}, nil, err
	}
	l, err := binding.ParseLogin(text)
	if err != nil {
		return did.Key{}, nil, reason.Refuse(reason.InvalidParam, "%v", err).With(map[string]any{"param": "text"})
	}
	if l.Network != n.core.Judge.Net() || l.Agent != agent.String() || l.Subject != did.OfKey(signer.Key()) {
		return did.Key{}, nil, reason.Refuse(reason.InvalidParam, "the text logs in somebody else, or in another network").With(map[string]any{"param": "text"})
	}
	sig := signer.Sign([]byte(text))
	return signer.Key(), sig[:], nil
}
