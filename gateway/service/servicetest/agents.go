package servicetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// Agent finds an agent by id.
func (m *Mesh) Agent(_ context.Context, id change.AgentID) (view.Agent, error) {
	return m.find(func(a view.Agent) bool { return a.ID == id })
}

// FindAgent finds an agent by id, DID or name.
func (m *Mesh) FindAgent(_ context.Context, s string) (view.Agent, error) {
	return m.find(func(a view.Agent) bool {
		return a.ID.String() == s || a.DID.String() == s || slices.Contains(a.Controllers, s) || strings.EqualFold(a.Name, s)
	})
}

func (m *Mesh) find(is func(view.Agent) bool) (view.Agent, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.IndexFunc(m.agents, is); i >= 0 {
		return m.agents[i], nil
	}
	return view.Agent{}, reason.Refuse(reason.AgentNotFound, "no such agent")
}

// Agents lists by name.
func (m *Mesh) Agents(_ context.Context, q view.AgentQuery) (view.AgentPage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.Clone(m.agents)
	slices.SortFunc(all, func(a, b view.Agent) int { return cmp.Compare(a.Name, b.Name) })
	var page view.AgentPage
	for _, a := range all {
		if q.Text != "" && !strings.Contains(a.Name, q.Text) || q.Tier != "" && q.Tier != a.Tier || q.Only != nil && !q.Only[a.ID] || q.Except[a.ID] {
			continue
		}
		page.Total++
		if q.After != nil && a.Name <= q.After.Key {
			continue
		}
		if len(page.Agents) == q.Limit {
			last := page.Agents[q.Limit-1]
			page.Next = &view.AgentPlace{Key: last.Name, ID: last.ID}
			continue
		}
		page.Agents = append(page.Agents, a)
	}
	return page, nil
}

// Page returns an agent's page.
func (m *Mesh) Page(_ context.Context, id change.AgentID) (view.Page, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.pages[id]
	if !ok {
		return p, reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	return p, nil
}

// EditPage sets fields.
func (m *Mesh) EditPage(_ context.Context, id change.AgentID, set []doc.Field, ifVersion int) (view.Page, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.pages[id]
	switch {
	case m.Fault != nil:
		return p, m.Fault
	case !ok:
		return p, reason.Refuse(reason.AgentNotFound, "no such agent")
	case ifVersion >= 0 && ifVersion != p.Version:
		return p, reason.Refuse(reason.VersionConflict, "the page has changed").With(map[string]any{"current_version": p.Version})
	}
	fields := map[string]any{}
	for k, v := range p.Fields {
		fields[k] = v
	}
	for _, f := range set {
		fields[f.Key] = f.Value
		if f.Value == nil {
			delete(fields, f.Key)
		}
	}
	p.Fields, p.Version = fields, p.Version+1
	m.pages[id] = p
	return p, nil
}

// NewActingKey makes a key.
func (m *Mesh) NewActingKey(context.Context) (string, did.Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.next++
	name := fmt.Sprintf("acting-%d", m.next)
	m.keys[name] = DID(Key(100 + m.next))
	return name, m.keys[name], nil
}

// DropActingKey forgets a key.
func (m *Mesh) DropActingKey(_ context.Context, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Dropped = append(m.Dropped, name)
	delete(m.keys, name)
	return nil
}

// OpenAgent verifies the proof as every node does and adds the agent.
func (m *Mesh) OpenAgent(_ context.Context, g view.Genesis) (view.Agent, view.Receipt, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key, ok := m.keys[g.KeyName]
	if !ok {
		return view.Agent{}, view.Receipt{}, fmt.Errorf("no key %s", g.KeyName)
	}
	if m.Fault != nil {
		return view.Agent{}, view.Receipt{}, m.Fault
	}
	_, net := m.Network()
	var proven []string
	if g.Proof != nil {
		if err := g.Proof.Verify(net, key, g.Controllers); err != nil {
			return view.Agent{}, view.Receipt{}, reason.Refuse(reason.BindingInvalid, "%v", err)
		}
		proven = []string{g.Proof.By}
	}
	m.addAgent(g.Name, key, g.Controllers)
	a := &m.agents[len(m.agents)-1]
	a.Proven = proven
	return *a, view.Receipt{Seq: m.seq, CreatedAt: a.CreatedAt, Agent: a.ID}, m.AfterGenesis
}

// BindController verifies the proof as every node does and keeps it.
func (m *Mesh) BindController(_ context.Context, id change.AgentID, p binding.Proof) (view.Agent, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, net := m.Network()
	i := slices.IndexFunc(m.agents, func(a view.Agent) bool { return a.ID == id })
	if i < 0 {
		return view.Agent{}, reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	a := &m.agents[i]
	if err := p.Verify(net, a.DID, a.Controllers); err != nil {
		return view.Agent{}, reason.Refuse(reason.BindingInvalid, "%v", err)
	}
	a.Proven = append(a.Proven, p.By)
	m.Bound++
	return *a, m.Fault
}

// AnnounceKey keeps what it was given.
func (m *Mesh) AnnounceKey(kind events.Kind, agent change.AgentID, key events.APIKey) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Announced = append(m.Announced, kind.String()+" "+agent.String()+" "+key.ID)
	m.bus.Publish(events.Event{Kind: kind, Object: agent.String(), Data: key})
}
