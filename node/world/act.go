package world

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// patience is how long a person waits for an answer.
const patience = 20 * time.Second

// excuses are the refusals that a fault explains, by where it strikes. Any other
// answer to an honest request is a violation. After those that are open it is not
// known whether the write was done.
var (
	open    = []reason.Code{reason.ReadOnly, reason.Internal, reason.Timeout, reason.StoreDamaged}
	excuses = []reason.Code{reason.HomeUnsure, reason.EntryNotFound, reason.UnknownReference, reason.Retracted, reason.Overloaded}
)

// do is one act of a person at a machine. It returns when there is an answer.
func (w *World) do(a Act) {
	m := w.machines[a.Machine]
	n, life := m.alive()
	if n == nil || !m.born || w.ended(a.Machine) {
		w.count("skipped")
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p := person{w, m, n, life, m.agent.ID}
	w.count(a.Kind)
	switch a.Kind {
	case "put":
		p.put(ctx, a.N, "")
	case "repeat":
		p.put(ctx, a.N, fmt.Sprint("once ", a.N))
	case "retract":
		p.retract(ctx, a.N)
	case "vote":
		p.vote(ctx, a.N)
	case "comment":
		p.comment(ctx, a.N)
	case "trespass":
		p.trespass(ctx, a.N)
	case "whisper":
		p.whisper(ctx, a.N)
	}
}

// person acts for an agent at a machine, in one life of it.
type person struct {
	w     *World
	m     *machine
	n     *node.Node
	life  int
	agent change.AgentID
}

// outcome sorts an answer: done, perhaps when nobody can know, not when it was
// refused for a reason that a fault explains. Anything else is a violation too.
func (p person) outcome(what string, err error) state {
	code := reason.Of(err)
	switch {
	case !p.m.lives(p.life):
		return perhaps // whoever asked has no answer: the machine lost its power
	case err == nil:
		return done
	case slices.Contains(open, code), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		if code == reason.Internal && !p.w.troubled(p.m.index) && !errors.Is(err, context.DeadlineExceeded) {
			p.w.violated("R5", p.m.index, "%s fails as internal on a sound machine: %v", what, err)
		}
		p.w.count("open: " + string(code))
		return perhaps
	case slices.Contains(excuses, code):
		p.w.count("refused: " + string(code))
		return not
	}
	p.w.violated("R5", p.m.index, "%s: refused without reason: %v", what, err)
	return not
}

var domains = []string{"go", "ops", "law"}

func (p person) put(ctx context.Context, n uint64, mark string) {
	domain := domains[n%uint64(len(domains))]
	passed, err := p.w.pass(domain, text(n))
	if err != nil {
		p.w.violated("R5", p.m.index, "the gate refuses: %v", err)
		return
	}
	md := p.w.model
	md.mu.Lock()
	md.doubt[canary(n)] = true
	md.mu.Unlock()
	r, err := p.n.Contribute(ctx, p.agent, passed, view.Submit{IdempotencyKey: mark})
	got := p.outcome("contribute", err)
	if mark != "" && got == done {
		again, err := p.n.Contribute(ctx, p.agent, passed, view.Submit{IdempotencyKey: mark})
		if p.outcome("contribute again", err) == done && again.ID != r.ID {
			p.w.violated("R5", p.m.index, "one request under one idempotency key made %s and %s", r.ID, again.ID)
		}
	}
	md.mu.Lock()
	defer md.mu.Unlock()
	switch got {
	case done:
		delete(md.doubt, canary(n))
		e := &entry{id: r.ID, n: n, domain: domain, agent: p.agent, machine: p.m.index}
		if md.entries[r.ID] != nil {
			p.w.violated("R5", p.m.index, "two writes were acknowledged as %s", r.ID)
		}
		md.entries[r.ID] = e
		md.order = append(md.order, e)
		md.wrote(p.agent, true)
	case perhaps:
		md.wrote(p.agent, false)
	case not:
		delete(md.doubt, canary(n))
	}
}

func (p person) retract(ctx context.Context, n uint64) {
	md := p.w.model
	e := md.pick(n, func(e *entry) bool { return e.agent == p.agent && e.retracted == not })
	if e == nil {
		return
	}
	md.mu.Lock()
	e.retracted = perhaps
	md.mu.Unlock()
	_, err := p.n.Retract(ctx, p.agent, e.id, "")
	got := p.outcome("retract", err)
	md.mu.Lock()
	defer md.mu.Unlock()
	e.retracted = got
	if got != not {
		md.wrote(p.agent, got == done)
	}
}

func (p person) vote(ctx context.Context, n uint64) {
	md := p.w.model
	e := md.pick(n, func(e *entry) bool { return e.agent != p.agent && e.retracted == not })
	if e == nil {
		return
	}
	value := 1 - 2*int(n>>32%2)
	_, err := p.n.Vote(ctx, p.agent, e.id, value)
	got := p.outcome("vote", err)
	md.mu.Lock()
	defer md.mu.Unlock()
	b := ballot{p.agent, e.id}
	old := md.votes[b]
	switch {
	case got == not:
		return
	case got == done:
		md.votes[b] = &vote{value, true}
	case old == nil || old.value != value:
		md.votes[b] = &vote{value, false}
	}
	// The same vote again writes nothing, unless it was not known that it stands.
	md.wrote(p.agent, got == done && (old == nil || old.sure && old.value != value))
}

func (p person) comment(ctx context.Context, n uint64) {
	md := p.w.model
	e := md.pick(n, func(e *entry) bool { return e.retracted == not })
	if e == nil {
		return
	}
	said := "It happened here as well, and the same remedy helped: " + canary(n) + "."
	c, err := p.n.Comment(ctx, p.agent, e.id, view.NewComment{Text: said})
	got := p.outcome("comment", err)
	md.mu.Lock()
	defer md.mu.Unlock()
	if got == done {
		md.comments[c.ID] = &comment{c.ID, e.id, said, p.agent}
	}
	if got != not {
		md.wrote(p.agent, got == done)
	}
}

// trespass tries to take back what another wrote. It must be refused, and leave
// no trace.
func (p person) trespass(ctx context.Context, n uint64) {
	e := p.w.model.pick(n, func(e *entry) bool { return e.agent != p.agent && e.retracted == not })
	if e == nil {
		return
	}
	_, err := p.n.Retract(ctx, p.agent, e.id, "")
	if code := reason.Of(err); err == nil || code != reason.NotOwner && !slices.Contains(excuses, code) && p.m.lives(p.life) {
		p.w.violated("R2", p.m.index, "taking back another's entry: %v", err)
	}
}

// pass is an entry that the gate lets through.
func (w *World) pass(domain, text string) (gate.Passed, error) {
	d, err := gate.DraftOf(body.Entry{Type: body.Gotcha, Text: text}, domain)
	if err != nil {
		return gate.Passed{}, err
	}
	p, report := w.gate.Pass(d)
	if !report.OK() {
		return gate.Passed{}, fmt.Errorf("%v", report.Codes())
	}
	return p, nil
}
