package account

import (
	"context"
	"errors"
	"math"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/view"
)

// Succession gives agents of this node another acting key of this vault, by the consent
// of a controller who takes a while. It is safe for concurrent use.
type Succession struct {
	core     *core.Core
	accounts *Accounts
}

// NewSuccession returns the Succession of a node.
func NewSuccession(c *core.Core, a *Accounts) *Succession { return &Succession{core: c, accounts: a} }

// OfferRotation makes a key in this vault and says what a rotation to it would say, for
// a controller of an agent that this node writes for to consent to. The caller owns the
// key by its name in the vault, until CompleteRotation, and deletes it if that never comes.
func (n *Succession) OfferRotation(ctx context.Context, agent change.AgentID, second view.Second) (vaultName string, d view.RotationDraft, err error) {
	sp, err := n.core.Author(agent)
	if err != nil {
		return "", d, err
	}
	if sp.Device != nil {
		return "", d, reason.Refuse(reason.Forbidden, "the agent's acting key lies elsewhere")
	}
	vaultName, key, err := n.core.Sharing.NamedKeyAfter(ctx, sp.Signer.Key(), twofold(second, sp.PQ))
	if err != nil {
		return "", d, err
	}
	if d, err = n.accounts.RotationDraft(ctx, agent, key, nil); err != nil {
		return "", d, errors.Join(err, n.core.Local.Forget(key.Key))
	}
	return vaultName, d, nil
}

// CompleteRotation signs a rotation that OfferRotation drafted and somebody has consented
// to. What this node has of the old key beyond the cut, written between the two, the
// new key takes back in at once. The refusal is rotation_invalid, as the rules say or
// when another rotation came first.
func (n *Succession) CompleteRotation(ctx context.Context, agent change.AgentID, to did.Key, r body.Rotate) (view.Agent, error) {
	n.core.Speech.Lock()
	defer n.core.Speech.Unlock()
	rec, ok := n.core.Views.Agent(agent)
	if !ok {
		return view.Agent{}, reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	if rec.Key != r.Old {
		return view.Agent{}, reason.Refuse(reason.RotationInvalid, "the agent has another key by now: ask what to sign anew")
	}
	if err := mayHaveSecond(rec, r); err != nil {
		return view.Agent{}, err
	}
	var a view.Agent
	// What another gateway acknowledges under the old key meanwhile is here by then, and is
	// taken back in too.
	err := n.core.Ingest.Hold(ctx, r.Old, func() (err error) {
		a, err = n.accounts.turn(ctx, view.RotationDraft{Agent: agent, Record: rec.Binding, To: to, Body: r})
		return err
	})
	if err != nil {
		return view.Agent{}, err
	}
	takeBack(ctx, n.core.Opt.Log, agent, n.accounts.cutOff(ctx, r.Old, math.MaxUint64, change.Content, change.Control), n.accounts.endorse)
	return a, nil
}
