package account

import (
	"context"
	"errors"
	"fmt"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/view"
)

// RotationDraft is what a rotation of an agent to the key next would say: all
// but the consent. next may be the hash of a new recovery key. The cut accepts
// what the key in force has written as far as this node has seen it.
func (n *Accounts) RotationDraft(ctx context.Context, agent change.AgentID, to did.Key, next []byte) (view.RotationDraft, error) {
	rec, ok := n.core.Views.Agent(agent)
	if !ok {
		return view.RotationDraft{}, reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	cuts, err := n.cutKeys(ctx, []did.Key{rec.Key})
	if err != nil {
		return view.RotationDraft{}, err
	}
	cut := cuts[rec.Key]
	if cut == nil {
		cut = body.Cut{}
	}
	d := view.RotationDraft{Agent: agent, Record: rec.Binding, To: to, Body: body.Rotate{Old: rec.Key, Cut: cut, Next: next}}
	record, err := n.core.Log.Get(ctx, rec.Binding)
	if err != nil {
		return view.RotationDraft{}, fmt.Errorf("read the record of a key: %w", err)
	}
	d.HLC = record.Change.Head.HLC
	if d.Line, err = d.Body.Line(n.core.Judge.Net(), agent, to); err != nil {
		return view.RotationDraft{}, reason.Refuse(reason.RotationInvalid, "%v", err)
	}
	return d, nil
}

// Consent signs the line of a rotation for someone who may.
type Consent func(line string) (binding.Consent, error)

// RotateHere takes an agent over to a new acting key of this vault, with the
// consent of the key in force or of a controller. The recovery key is spent by
// consenting: next should then be the hash of a new one.
func (n *Accounts) RotateHere(ctx context.Context, agent change.AgentID, by Consent, next []byte) (view.Agent, error) {
	n.core.Sharing.Follow() // the key in force may be one that another gateway made
	rec, ok := n.core.Views.Agent(agent)
	if !ok {
		return view.Agent{}, reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	key, err := n.core.Sharing.NewKeyAfter(ctx, rec.Key)
	if err != nil {
		return view.Agent{}, err
	}
	a, err := n.rotateTo(ctx, agent, rec.Key, key, by, next)
	if err != nil {
		// Nothing rests on the key yet.
		return view.Agent{}, errors.Join(err, n.core.Local.Forget(key))
	}
	return a, nil
}

func (n *Accounts) rotateTo(ctx context.Context, agent change.AgentID, old, key did.Key, by Consent, next []byte) (a view.Agent, err error) {
	n.core.Speech.Lock()
	defer n.core.Speech.Unlock()
	// What another gateway acknowledges under the old key counts too: it is before the cut.
	err = n.core.Ingest.Hold(ctx, old, func() error {
		a, err = n.writeRotation(ctx, agent, key, by, next)
		return err
	})
	return a, err
}

func (n *Accounts) writeRotation(ctx context.Context, agent change.AgentID, key did.Key, by Consent, next []byte) (view.Agent, error) {
	d, err := n.RotationDraft(ctx, agent, key, next)
	if err != nil {
		return view.Agent{}, err
	}
	if d.Body.By, err = by(d.Line); err != nil {
		return view.Agent{}, err
	}
	enc, err := d.Body.Encode()
	if err != nil {
		return view.Agent{}, reason.Refuse(reason.RotationInvalid, "%v", err)
	}
	signer, _, err := n.core.Local.Signer(key)
	if err != nil {
		return view.Agent{}, err
	}
	_, err = n.writing.Sign(ctx, core.Author{Signer: signer}, ingest.Write{
		Space: agent.Space(), Kind: change.KindRotate, Body: enc, Proof: []change.ID{d.Record},
	})
	if err != nil {
		return view.Agent{}, err
	}
	return n.directory.Agent(ctx, agent)
}

// ConsentOfKey is the consent of the key in force, when it lies in this vault.
func (n *Accounts) ConsentOfKey(agent change.AgentID) Consent {
	return func(line string) (binding.Consent, error) {
		rec, ok := n.core.Views.Agent(agent)
		if !ok {
			return binding.Consent{}, reason.Refuse(reason.AgentNotFound, "no such agent")
		}
		s, ok, err := n.core.Local.Signer(rec.Key)
		if err != nil {
			return binding.Consent{}, err
		}
		if !ok {
			return binding.Consent{}, reason.Refuse(reason.Forbidden, "the key in force lies elsewhere")
		}
		sig := s.Sign([]byte(line))
		return binding.Consent{Alg: binding.AlgEd25519, Key: s.Key().String(), Sig: sig[:], Text: line}, nil
	}
}

// Admit takes in a rotation that was signed elsewhere: it proves itself. The
// refusal is that of the rules, rotation_invalid above all.
func (n *Accounts) Admit(ctx context.Context, c *change.Change) (view.Agent, error) {
	if c.Head.Kind != change.KindRotate {
		return view.Agent{}, reason.Refuse(reason.RotationInvalid, "a %s is no rotation", c.Head.Kind)
	}
	agent, _ := c.Head.Space.Agent()
	out, err := n.core.Ingest.Receive(ctx, "door", change.SetAuth, []*change.Change{c})
	if err != nil {
		return view.Agent{}, fmt.Errorf("take in a rotation: %w", err)
	}
	if code := out.Codes[0]; code != "" {
		return view.Agent{}, reason.Refuse(code, "the rotation is refused")
	}
	if p := n.core.Connected(); p != nil && out.New > 0 {
		p.Publish(change.SetAuth, c)
	}
	return n.directory.Agent(ctx, agent)
}
