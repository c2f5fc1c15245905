package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/near"
	"github.com/meshd/meshd/node/view"
)

// OpenAgent begins an agent: it grinds the ticket that the network asks for,
// signs the genesis with the acting key named in g and makes it durable. The
// refusal is that of the rules, binding_invalid above all.
func (n *Node) OpenAgent(ctx context.Context, g view.Genesis) (view.Agent, view.Receipt, error) {
	signer, err := n.vault.Signer(g.KeyName)
	if err != nil {
		return view.Agent{}, view.Receipt{}, fmt.Errorf("unlock acting key: %w", err)
	}
	net := n.judge.Net()
	b := body.Bind{Name: g.Name, Home: g.Home, Controllers: g.Controllers, Next: g.Next, Proof: g.Proof}
	if b.Box, err = n.boxOf(signer.Key()); err != nil {
		return view.Agent{}, view.Receipt{}, err
	}
	if bits := n.judge.Genesis().Bits; bits > 0 {
		if b.Pow, err = n.mine(ctx, signer.Key(), bits); err != nil {
			return view.Agent{}, view.Receipt{}, err
		}
	}
	enc, err := b.Encode()
	if err != nil {
		return view.Agent{}, view.Receipt{}, reason.Refuse(reason.InvalidName, "%v", err)
	}
	id := change.DeriveAgent(net, signer.Key())
	rec, err := n.ingest.Submit(ctx, ingest.Write{Signer: signer, Space: id.Space(), Kind: change.KindBind, Body: enc})
	if err != nil {
		return view.Agent{}, view.Receipt{}, err
	}
	a, err := n.Agent(ctx, id)
	return a, n.receipt(rec, id), err
}

// mine grinds the ticket of a key, one at a time in a node, so that registrations
// at a gateway take no more than one core from everybody else. It ends with ctx.
func (n *Node) mine(ctx context.Context, author did.Key, bits int) (uint64, error) {
	select {
	case n.mining <- struct{}{}:
		defer func() { <-n.mining }()
	case <-ctx.Done():
		return 0, fmt.Errorf("wait to grind a ticket: %w", ctx.Err())
	}
	tell := n.opt.Mining
	if tell == nil {
		return binding.Grind(ctx, n.judge.Net(), author, bits)
	}
	defer tell(0, bits)
	return binding.GrindTelling(ctx, n.judge.Net(), author, bits, func(tried uint64) { tell(tried, bits) })
}

// Rename gives an agent homed here another name by a later binding.
func (n *Node) Rename(ctx context.Context, id change.AgentID, name string) (view.Agent, error) {
	enc, err := body.Bind{Name: name}.Encode()
	if err != nil {
		return view.Agent{}, reason.Refuse(reason.InvalidName, "%v", err)
	}
	if _, err := n.write(ctx, id, ingest.Write{Space: id.Space(), Kind: change.KindBind, Body: enc}); err != nil {
		return view.Agent{}, err
	}
	return n.Agent(ctx, id)
}

// Contribute signs and stores an entry of an agent homed here in the commons. It
// takes what a gate has passed and nothing else. Duplicates are refused here, so
// that two at once store one.
func (n *Node) Contribute(ctx context.Context, agent change.AgentID, p gate.Passed, opt view.Submit) (view.Receipt, error) {
	if !change.ValidDomain(p.Domain()) {
		return view.Receipt{}, reason.Refuse(reason.InvalidParam, "not a domain: %q", p.Domain())
	}
	w, e, err := entryWrite(agent, change.Commons(p.Domain()), p, opt)
	if err != nil {
		return view.Receipt{}, err
	}
	for _, id := range e.Reuses {
		if _, ok := n.views.Entry(id); !ok {
			return view.Receipt{}, reason.Refuse(reason.UnknownReference, "an entry in reuses is not known here").
				With(map[string]any{"id": id.Text(change.PrefixEntry)})
		}
	}
	if !e.Supersedes.IsZero() {
		if old, ok := n.views.Entry(e.Supersedes); !ok || old.Agent != agent {
			return view.Receipt{}, reason.Refuse(reason.UnknownReference, "supersedes must name an entry of your own")
		}
	}
	once := n.writeOnce
	if e.Text == "" { // it is sold, and nothing of it is here to compare
		once = func(ctx context.Context, agent change.AgentID, w ingest.Write, _ body.Entry) (ingest.Receipt, error) {
			return n.write(ctx, agent, w)
		}
	}
	rec, err := once(ctx, agent, w, e)
	if err != nil {
		return view.Receipt{}, err
	}
	r := n.receipt(rec, agent)
	r.Replicas = n.replicas(ctx, rec, opt.WaitPeers)
	return r, nil
}

// entryWrite is the one place where an entry becomes a change to be signed.
func entryWrite(agent change.AgentID, space change.Space, p gate.Passed, opt view.Submit) (ingest.Write, body.Entry, error) {
	if !p.OK() {
		return ingest.Write{}, body.Entry{}, errors.New("an entry that no gate has passed")
	}
	w := ingest.Write{Space: space, Kind: change.KindEntryPut}
	if opt.IdempotencyKey != "" {
		w.Mark = agent.String() + "/" + opt.IdempotencyKey
	}
	e := p.Entry()
	if teamOf(space) != "" {
		e.Domain = p.Domain()
	}
	var err error
	if w.Body, err = e.Encode(); err != nil {
		return w, e, reason.Refuse(reason.BadEncoding, "%v", err)
	}
	return w, e, nil
}

// writeOnce writes a public entry whose text is not here yet, or replays its mark.
func (n *Node) writeOnce(ctx context.Context, agent change.AgentID, w ingest.Write, e body.Entry) (ingest.Receipt, error) {
	release, existing, err := n.copies.claim(ctx, textKey("", e.Text), e.Supersedes)
	switch {
	case err != nil:
		return ingest.Receipt{}, fmt.Errorf("wait for the same text: %w", err)
	case existing.IsZero():
		defer release()
	case !n.replayed(ctx, w.Mark):
		return ingest.Receipt{}, duplicate(existing)
	default:
		return n.write(ctx, agent, w)
	}
	return n.writeNew(ctx, agent, "", w, e)
}

// writeNew writes an entry unless its agent has an almost equal one there, or
// replays its mark. team is "" for what everybody may read.
func (n *Node) writeNew(ctx context.Context, agent change.AgentID, team change.Space, w ingest.Write, e body.Entry) (ingest.Receipt, error) {
	t := near.Of(e.Text)
	end, err := n.drafts.begin(ctx, draft{owner: ownerOf(agent, team), text: t})
	if err != nil {
		return ingest.Receipt{}, fmt.Errorf("wait for a text alike: %w", err)
	}
	defer end()
	if near := n.nearDuplicate(ctx, agent, team, t, e.Supersedes); !near.IsZero() && !n.replayed(ctx, w.Mark) {
		if _, err := n.speaker(agent); err != nil {
			return ingest.Receipt{}, err // who may not write is told that
		}
		return ingest.Receipt{}, nearlyDuplicate(near)
	}
	return n.write(ctx, agent, w)
}

func (n *Node) replayed(ctx context.Context, mark string) bool {
	if mark == "" {
		return false
	}
	_, err := n.log.Mark(ctx, mark)
	return err == nil
}

func duplicate(id change.ID) error {
	return reason.Refuse(reason.Duplicate, "the same text is already here").
		With(map[string]any{"existing_id": id.Text(change.PrefixEntry)})
}

// Retract hides an entry for good. Only its agent can; others get not_owner.
func (n *Node) Retract(ctx context.Context, agent change.AgentID, target change.ID, why string) (view.Receipt, error) {
	e, ok := n.views.Entry(target)
	switch {
	case !ok:
		return view.Receipt{}, reason.Refuse(reason.EntryNotFound, "no such entry")
	case e.Agent != agent:
		return view.Receipt{}, reason.Refuse(reason.NotOwner, "the entry belongs to another agent")
	case e.State == fold.Retracted:
		return view.Receipt{}, reason.Refuse(reason.Retracted, "the entry was withdrawn before")
	}
	enc, err := body.Retract{Target: target, Why: why}.Encode()
	if err != nil {
		return view.Receipt{}, reason.Refuse(reason.BadEncoding, "%v", err)
	}
	rec, err := n.write(ctx, agent, ingest.Write{
		Space: e.Space, Kind: change.KindEntryRetract, Body: enc, Deps: []change.ID{target},
	})
	return n.receipt(rec, agent), err
}

// write submits a change of an agent that this node speaks for, with its identity
// as proof and, in a guild or team, its strongest right for that kind.
func (n *Node) write(ctx context.Context, agent change.AgentID, w ingest.Write) (ingest.Receipt, error) {
	// No key may be cut off between being chosen and being used: what is
	// acknowledged here counts.
	n.speech.RLock()
	defer n.speech.RUnlock()
	sp, err := n.speaker(agent)
	if err != nil {
		return ingest.Receipt{}, err
	}
	w.Proof = []change.ID{sp.record}
	if _, inGuild := w.Space.Guild(); inGuild {
		switch r, err := n.rightToWrite(agent, w.Space, w.Kind); {
		case err == nil:
			w.Proof = append(w.Proof, r.id)
		case w.Space.Area() != change.AreaGuild || !anybodys(w.Kind):
			return ingest.Receipt{}, err
		}
	}
	return n.sign(ctx, sp, w)
}

// anybodys reports whether a kind needs no role in what everybody may read of a
// guild (wire §9).
func anybodys(kind string) bool {
	return kind == change.KindVote || kind == change.KindComment || kind == change.KindLabel
}

// sign submits a change whose proof is complete.
func (n *Node) sign(ctx context.Context, sp speaker, w ingest.Write) (ingest.Receipt, error) {
	w.Signer = sp.signer
	n.warnClock()
	out, err := n.ingest.Submit(ctx, w)
	if err != nil {
		n.refusedHere(err)
	}
	return out, err
}

func (n *Node) receipt(r ingest.Receipt, agent change.AgentID) view.Receipt {
	if r.Change == nil {
		return view.Receipt{}
	}
	return view.Receipt{ID: r.Change.ID, Seq: r.Seq, CreatedAt: time.UnixMilli(r.Change.Head.Millis()).UTC(), Agent: agent}
}

// Check runs the gate over a draft and, for a known agent, the two rows about
// duplicates, as Contribute would.
func (n *Node) Check(ctx context.Context, d gate.Draft, agent change.AgentID) gate.Report {
	r := n.gate.Check(d)
	if agent.IsZero() {
		return r
	}
	if id := n.copies.find(textKey("", d.Content)); !id.IsZero() && id != d.Replaces {
		r.Refuse(gate.Finding{Code: reason.Duplicate, Field: "content", Kind: id.Text(change.PrefixEntry)})
	} else if id := n.nearDuplicate(ctx, agent, "", near.Of(d.Content), d.Replaces); !id.IsZero() {
		r.Refuse(gate.Finding{Code: reason.NearDuplicate, Field: "content", Kind: id.Text(change.PrefixEntry)})
	}
	return r
}

// Pass runs the gate over a draft and makes of it what Contribute takes, unless
// the report refuses it.
func (n *Node) Pass(d gate.Draft) (gate.Passed, gate.Report) { return n.gate.Pass(d) }

// CheckText runs the detectors for secrets over one field.
func (n *Node) CheckText(field, text string) []gate.Finding { return n.gate.Text(field, text) }
