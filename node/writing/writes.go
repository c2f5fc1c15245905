package writing

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
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/near"
	"github.com/meshd/meshd/node/view"
)

// OpenAgent begins an agent: it grinds the ticket that the network requires,
// signs the genesis with the acting key named in g and makes it durable. The
// refusal is that of the rules, binding_invalid above all.
func (n *Writer) OpenAgent(ctx context.Context, g view.Genesis) (view.Agent, view.Receipt, error) {
	signer, err := n.core.Sharing.ActingSigner(g.KeyName)
	if err != nil {
		return view.Agent{}, view.Receipt{}, fmt.Errorf("unlock acting key: %w", err)
	}
	net := n.core.Judge.Net()
	b := body.Bind{Name: g.Name, Home: g.Home, Controllers: g.Controllers, Next: g.Next, Proof: g.Proof}
	if g.Sponsored {
		by, home, err := n.core.Sponsor(signer.Key())
		if err != nil {
			return view.Agent{}, view.Receipt{}, fmt.Errorf("sponsor the agent: %w", err)
		}
		if by != nil {
			b.Sponsor, b.Home = by, home
		}
	}
	if b.Box, err = n.core.BoxOf(signer.Key()); err != nil {
		return view.Agent{}, view.Receipt{}, err
	}
	if bits := n.core.Judge.Genesis().Bits; bits > 0 {
		if b.Pow, err = n.Mine(ctx, signer.Key(), bits); err != nil {
			return view.Agent{}, view.Receipt{}, err
		}
	}
	enc, err := b.Encode()
	if err != nil {
		return view.Agent{}, view.Receipt{}, reason.Refuse(reason.InvalidName, "%v", err)
	}
	id := change.DeriveAgent(net, signer.Key())
	rec, err := n.core.Ingest.Submit(ctx, ingest.Write{Signer: signer, Space: id.Space(), Kind: change.KindBind, Body: enc})
	if err != nil {
		return view.Agent{}, view.Receipt{}, err
	}
	a, err := n.directory.Agent(ctx, id)
	return a, n.Receipt(rec, id), err
}

// Mine grinds the ticket of a key, one at a time in a node, so that registrations
// at a gateway take no more than one core from everybody else. It ends with ctx.
func (n *Writer) Mine(ctx context.Context, author did.Key, bits int) (uint64, error) {
	select {
	case n.mining <- struct{}{}:
		defer func() { <-n.mining }()
	case <-ctx.Done():
		return 0, fmt.Errorf("wait to grind a ticket: %w", ctx.Err())
	}
	report := n.core.Opt.Mining
	if report == nil {
		return binding.Grind(ctx, n.core.Judge.Net(), author, bits)
	}
	defer report(0, bits)
	return binding.GrindReporting(ctx, n.core.Judge.Net(), author, bits, func(tried uint64) { report(tried, bits) })
}

// Rename gives an agent hosted here another name by a later binding.
func (n *Writer) Rename(ctx context.Context, id change.AgentID, name string) (view.Agent, error) {
	enc, err := body.Bind{Name: name}.Encode()
	if err != nil {
		return view.Agent{}, reason.Refuse(reason.InvalidName, "%v", err)
	}
	if _, err := n.Write(ctx, id, ingest.Write{Space: id.Space(), Kind: change.KindBind, Body: enc}); err != nil {
		return view.Agent{}, err
	}
	return n.directory.Agent(ctx, id)
}

// Contribute signs and stores an entry of an agent hosted here in the commons. It
// takes what a gate has passed and nothing else. Duplicates are refused here, so
// that two at once store one.
func (n *Writer) Contribute(ctx context.Context, agent change.AgentID, p gate.Passed, opt view.Submit) (view.Receipt, error) {
	if !change.ValidDomain(p.Domain()) {
		return view.Receipt{}, reason.Refuse(reason.InvalidParam, "not a domain: %q", p.Domain())
	}
	w, e, err := EntryWrite(agent, change.Commons(p.Domain()), p, opt)
	if err != nil {
		return view.Receipt{}, err
	}
	for _, id := range e.Reuses {
		if _, ok := n.core.Views.Entry(id); !ok {
			return view.Receipt{}, reason.Refuse(reason.UnknownReference, "an entry in reuses is not known here").
				With(map[string]any{"id": id.Text(change.PrefixEntry)})
		}
	}
	if !e.Supersedes.IsZero() {
		if old, ok := n.core.Views.Entry(e.Supersedes); !ok || old.Agent != agent {
			return view.Receipt{}, reason.Refuse(reason.UnknownReference, "supersedes must name an entry of your own")
		}
	}
	once := n.writeOnce
	if e.Text == "" { // it is sold, and nothing of it is here to compare
		once = func(ctx context.Context, agent change.AgentID, w ingest.Write, _ body.Entry) (ingest.Receipt, error) {
			return n.Write(ctx, agent, w)
		}
	}
	rec, err := once(ctx, agent, w, e)
	if err != nil {
		return view.Receipt{}, err
	}
	r := n.Receipt(rec, agent)
	r.Replicas = n.core.Replicas(ctx, rec, opt.WaitPeers)
	return r, nil
}

// EntryWrite is the one place where an entry becomes a change to be signed.
func EntryWrite(agent change.AgentID, space change.Space, p gate.Passed, opt view.Submit) (ingest.Write, body.Entry, error) {
	if !p.OK() {
		return ingest.Write{}, body.Entry{}, errors.New("an entry that no gate has passed")
	}
	w := ingest.Write{Space: space, Kind: change.KindEntryPut}
	if opt.IdempotencyKey != "" {
		w.Mark = agent.String() + "/" + opt.IdempotencyKey
	}
	e := p.Entry()
	if core.TeamOf(space) != "" {
		e.Domain = p.Domain()
	}
	var err error
	if w.Body, err = e.Encode(); err != nil {
		return w, e, reason.Refuse(reason.BadEncoding, "%v", err)
	}
	return w, e, nil
}

// writeOnce writes a public entry whose text is not here yet, or replays its mark.
func (n *Writer) writeOnce(ctx context.Context, agent change.AgentID, w ingest.Write, e body.Entry) (ingest.Receipt, error) {
	release, existing, err := n.core.Copies.Claim(ctx, core.TextKey("", e.Text), e.Supersedes)
	switch {
	case err != nil:
		return ingest.Receipt{}, fmt.Errorf("wait for the same text: %w", err)
	case existing.IsZero():
		defer release()
	case !n.Replayed(ctx, w.Mark):
		return ingest.Receipt{}, Duplicate(existing)
	default:
		return n.Write(ctx, agent, w)
	}
	return n.WriteNew(ctx, agent, "", w, e)
}

// WriteNew writes an entry unless its agent has an almost equal one there, or
// replays its mark. team is "" for what everybody may read.
func (n *Writer) WriteNew(ctx context.Context, agent change.AgentID, team change.Space, w ingest.Write, e body.Entry) (ingest.Receipt, error) {
	t := near.Of(e.Text)
	end, err := n.drafts.begin(ctx, draft{owner: ownerOf(agent, team), text: t})
	if err != nil {
		return ingest.Receipt{}, fmt.Errorf("wait for a text alike: %w", err)
	}
	defer end()
	if near := n.NearDuplicate(ctx, agent, team, t, e.Supersedes); !near.IsZero() && !n.Replayed(ctx, w.Mark) {
		if _, err := n.core.Author(agent); err != nil {
			return ingest.Receipt{}, err // who may not write learns that
		}
		return ingest.Receipt{}, nearlyDuplicate(near)
	}
	return n.Write(ctx, agent, w)
}

// Replayed reports whether a change with that mark is in the log, so that writing it again
// answers with the first. No mark, "", never is.
func (n *Writer) Replayed(ctx context.Context, mark string) bool {
	if mark == "" {
		return false
	}
	_, err := n.core.Log.Mark(ctx, mark)
	return err == nil || n.core.Ingest.MarkedElsewhere(ctx, mark)
}

// Duplicate is the refusal of a text that an entry has already.
func Duplicate(id change.ID) error {
	return reason.Refuse(reason.Duplicate, "the same text is already here").
		With(map[string]any{"existing_id": id.Text(change.PrefixEntry)})
}

// Retract hides an entry for good. Only its agent can; others get not_owner.
func (n *Writer) Retract(ctx context.Context, agent change.AgentID, target change.ID, why string) (view.Receipt, error) {
	e, ok := n.core.Views.Entry(target)
	if !ok {
		return view.Receipt{}, reason.Refuse(reason.EntryNotFound, "no such entry")
	}
	if err := view.Owned(e.Agent, agent); err != nil {
		return view.Receipt{}, err
	}
	if e.State == fold.Retracted {
		return view.Receipt{}, reason.Refuse(reason.Retracted, "the entry was withdrawn before")
	}
	enc, err := body.Retract{Target: target, Why: why}.Encode()
	if err != nil {
		return view.Receipt{}, reason.Refuse(reason.BadEncoding, "%v", err)
	}
	rec, err := n.Write(ctx, agent, ingest.Write{
		Space: e.Space, Kind: change.KindEntryRetract, Body: enc, Deps: []change.ID{target},
	})
	return n.Receipt(rec, agent), err
}

// Write submits a change of an agent that this node speaks for, with its identity
// as proof and, in a guild or team, its strongest right for that kind. When the agent got
// another key at another gateway meanwhile, it is written with that.
func (n *Writer) Write(ctx context.Context, agent change.AgentID, w ingest.Write) (ingest.Receipt, error) {
	out, err := n.write(ctx, agent, nil, w)
	if errors.Is(err, ingest.ErrSuperseded) {
		return n.write(ctx, agent, nil, w)
	}
	return out, err
}

// ErrTurned says that another key acts for an agent now than the one that a body was
// made for: make it again.
var ErrTurned = errors.New("the agent's key has changed meanwhile")

// WriteBy is Write for a body that names its author, which Author gave; ErrTurned when
// another key writes for the agent by now.
func (n *Writer) WriteBy(ctx context.Context, agent change.AgentID, by did.Key, w ingest.Write) (ingest.Receipt, error) {
	out, err := n.write(ctx, agent, &by, w)
	if errors.Is(err, ingest.ErrSuperseded) {
		err = ErrTurned
	}
	return out, err
}

func (n *Writer) write(ctx context.Context, agent change.AgentID, by *did.Key, w ingest.Write) (ingest.Receipt, error) {
	// No key may be cut off between being chosen and being used: what is
	// acknowledged here counts.
	n.core.Speech.RLock()
	defer n.core.Speech.RUnlock()
	sp, err := n.core.Author(agent)
	if err != nil {
		return ingest.Receipt{}, err
	}
	if by != nil && sp.Signer.Key() != *by {
		return ingest.Receipt{}, ErrTurned
	}
	w.Proof = []change.ID{sp.Record}
	if _, inGuild := w.Space.Guild(); inGuild {
		switch r, err := n.right.RightToWrite(agent, w.Space, w.Kind); {
		case err == nil:
			w.Proof = append(w.Proof, r.ID)
		case w.Space.Area() != change.AreaGuild || !anybodys(w.Kind):
			return ingest.Receipt{}, err
		}
	}
	return n.Sign(ctx, sp, w)
}

// anybodys reports whether a kind needs no role in what everybody may read of a
// guild (wire §9).
func anybodys(kind string) bool {
	return kind == change.KindVote || kind == change.KindComment || kind == change.KindLabel
}

// Sign submits a change whose proof is complete.
func (n *Writer) Sign(ctx context.Context, sp core.Author, w ingest.Write) (ingest.Receipt, error) {
	w.Signer = sp.Signer
	n.core.WarnClock()
	var err error
	if w.Second == nil && change.LaneOf(w.Kind) == change.Control {
		w.Second, err = n.core.Local.Second(sp)
	}
	var out ingest.Receipt
	if err == nil {
		out, err = n.core.Ingest.Submit(ctx, w)
	}
	if err != nil {
		n.core.Meter.Refused(reason.Of(err), "door", 1)
	}
	return out, err
}

// Receipt is what the writer of a change gets, empty when nothing was written.
func (n *Writer) Receipt(r ingest.Receipt, agent change.AgentID) view.Receipt {
	if r.Change == nil {
		return view.Receipt{}
	}
	return view.Receipt{ID: r.Change.ID, Seq: r.Seq, CreatedAt: time.UnixMilli(r.Change.Head.Millis()).UTC(), Agent: agent}
}

// Check runs the gate over a draft and, for a known agent, the two rows about
// duplicates, as Contribute would.
func (n *Writer) Check(ctx context.Context, d gate.Draft, agent change.AgentID) gate.Report {
	r := n.core.Gate.Check(d)
	if agent.IsZero() {
		return r
	}
	if id := n.core.Copies.Find(core.TextKey("", d.Content)); !id.IsZero() && id != d.Replaces {
		r.Refuse(gate.Finding{Code: reason.Duplicate, Field: "content", Kind: id.Text(change.PrefixEntry)})
	} else if id := n.NearDuplicate(ctx, agent, "", near.Of(d.Content), d.Replaces); !id.IsZero() {
		r.Refuse(gate.Finding{Code: reason.NearDuplicate, Field: "content", Kind: id.Text(change.PrefixEntry)})
	}
	return r
}

// Pass runs the gate over a draft and makes of it what Contribute takes, unless
// the report refuses it.
func (n *Writer) Pass(d gate.Draft) (gate.Passed, gate.Report) { return n.core.Gate.Pass(d) }

// CheckText runs the detectors for secrets over one field.
func (n *Writer) CheckText(field, text string) []gate.Finding { return n.core.Gate.Text(field, text) }
