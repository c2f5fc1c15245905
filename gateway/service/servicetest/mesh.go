// Package servicetest is a node in memory, for tests of the interfaces: entries
// and agents that a test plants, a real gate, and switches for its faults.
package servicetest

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/incident"
	"github.com/meshd/meshd/node/view"
)

// Start is the clock of every test.
var Start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Mesh is a node in memory.
type Mesh struct {
	gate *gate.Gate
	bus  *events.Bus

	mu      sync.Mutex
	entries []view.Entry // oldest first
	gone    map[change.ID]reason.Code
	agents  []view.Agent
	pages   map[change.AgentID]view.Page
	scenes  map[change.AgentID]view.Scene
	keys    map[string]did.Key
	Dropped []string // acting keys that were given back
	// Bound counts later proofs, Announced are the events about API keys.
	Bound     int
	Announced []string
	marks     map[string]view.Receipt
	Quiet
	seq  uint64
	next byte

	// Fault, when set, is what every write answers.
	Fault error
	// AfterGenesis, when set, is answered by OpenAgent after it wrote.
	AfterGenesis error
	Condition
}

var (
	_ service.Node = (*Mesh)(nil)
)

// New returns an empty node.
func New(t testing.TB) *Mesh {
	t.Helper()
	g, err := gate.New(gate.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return &Mesh{Condition: Condition{Broken: incident.New(func() time.Time { return Start }, nil)}, gate: g, bus: events.New(events.Config{Now: func() int64 { return Start.UnixMilli() }}), gone: map[change.ID]reason.Code{}, pages: map[change.AgentID]view.Page{}, scenes: map[change.AgentID]view.Scene{},
		keys: map[string]did.Key{}, marks: map[string]view.Receipt{}}
}

// Key is a key made of a number.
func Key(n byte) ed25519.PrivateKey { return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, 32)) }

// DID is the did:key of a private key.
func DID(k ed25519.PrivateKey) did.Key {
	key, err := did.KeyFromPublic(k.Public().(ed25519.PublicKey))
	if err != nil {
		panic(err)
	}
	return key
}

// Network is the name and id of the network.
func (*Mesh) Network() (string, change.NetID) { return "testnet", change.NetID{7} }

// Plant adds an entry as it stands, and a newer one each time.
func (m *Mesh) Plant(e view.Entry) view.Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.plant(e)
}

// All are the entries as the log has them, oldest first.
func (m *Mesh) All() []view.Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.entries)
}

func (m *Mesh) plant(e view.Entry) view.Entry {
	m.seq++
	e.ID = sha256.Sum256(fmt.Appendf(nil, "entry %d", m.seq))
	e.Signature.ID = e.ID
	if !e.Signature.Known() {
		e.Signature.Sig = [64]byte{1}
	}
	if e.Domain == "" {
		e.Domain = "general"
	}
	e.Space = change.Commons(e.Domain)
	e.CreatedAt = Start.Add(time.Duration(m.seq) * time.Second)
	m.entries = append(m.entries, e)
	publish(m, events.EntryCreated, e.ID, e.ID)
	return e
}

// AddAgent adds an agent of that name.
func (m *Mesh) AddAgent(name string) view.Agent {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.next++
	return m.addAgent(name, DID(Key(200+m.next)), nil)
}

func (m *Mesh) addAgent(name string, key did.Key, controllers []string) view.Agent {
	_, net := m.Network()
	m.seq++
	a := view.Agent{AgentRef: view.AgentRef{ID: change.DeriveAgent(net, key), Name: name, Handle: name, Tier: "newcomer"},
		DID: key, Controllers: controllers, Local: true, CreatedAt: Start.Add(time.Duration(m.seq) * time.Second)}
	m.agents = append(m.agents, a)
	m.pages[a.ID] = view.Page{Agent: a, Fields: map[string]any{}}
	return a
}

// SetPage replaces the fields of an agent's page.
func (m *Mesh) SetPage(id change.AgentID, fields map[string]any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.pages[id]
	p.Fields, p.Version = fields, p.Version+1
	m.pages[id] = p
}

// Bury makes an entry answer with a code.
func (m *Mesh) Bury(id change.ID, code reason.Code) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.gone[id] = code
}

// Counts counts what was planted.
func (m *Mesh) Counts() view.Counts {
	m.mu.Lock()
	defer m.mu.Unlock()
	return view.Counts{Agents: len(m.agents), Entries: len(m.entries), Domains: len(m.domains())}
}

// Entry finds an entry.
func (m *Mesh) Entry(_ context.Context, id change.ID) (view.Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.entry(id)
}

func (m *Mesh) entry(id change.ID) (view.Entry, error) {
	if code := m.gone[id]; code != "" {
		return view.Entry{}, reason.Refuse(code, "gone")
	}
	for _, e := range m.entries {
		if e.ID == id {
			return e, nil
		}
	}
	return view.Entry{}, reason.Refuse(reason.EntryNotFound, "no such entry")
}

// Entries selects by the plain meaning of a query.
func (m *Mesh) Entries(_ context.Context, q view.EntryQuery) (view.EntryPage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var page view.EntryPage
	for _, e := range slices.Backward(m.entries) {
		fields, ok := selects(q, e)
		if m.gone[e.ID] != "" || !ok {
			continue
		}
		page.Total++
		if q.After != nil && uint64(e.CreatedAt.UnixMilli()) >= q.After.HLC {
			continue
		}
		if len(page.Entries) == q.Limit {
			last := page.Entries[q.Limit-1]
			page.Next = &view.EntryPlace{HLC: uint64(last.CreatedAt.UnixMilli()), ID: last.ID}
			continue
		}
		page.Entries = append(page.Entries, e)
		if q.Text != "" {
			page.Matches = append(page.Matches, view.Match{Score: 1, Fields: fields})
		}
	}
	return page, nil
}

func selects(q view.EntryQuery, e view.Entry) (fields []string, ok bool) {
	switch {
	case len(q.Types) > 0 && !slices.Contains(q.Types, e.Body.Type),
		len(q.Domains) > 0 && !slices.Contains(q.Domains, e.Domain),
		q.Tag != "" && !slices.Contains(e.Body.Tags, q.Tag),
		!q.Agent.IsZero() && q.Agent != e.Agent.ID,
		!q.Since.IsZero() && e.CreatedAt.Before(q.Since),
		!q.Until.IsZero() && !e.CreatedAt.Before(q.Until),
		q.Premium != nil && *q.Premium != (e.Body.Price > 0),
		!q.Intro && slices.Contains(e.Body.Tags, "introduction"):
		return nil, false
	}
	if q.Text == "" {
		return nil, true
	}
	has := func(name, text string) {
		if strings.Contains(strings.ToLower(text), strings.ToLower(q.Text)) {
			fields = append(fields, name)
		}
	}
	has("type", e.Body.Type)
	has("domain", e.Domain)
	has("tags", strings.Join(e.Body.Tags, " "))
	if !q.OnlyPublicFields {
		has("content", e.Body.Text)
		has("title", e.Body.Title)
	}
	return fields, len(fields) > 0
}

// Domains counts by domain.
func (m *Mesh) Domains(context.Context) []view.Domain {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.domains()
}

func (m *Mesh) domains() []view.Domain {
	by := map[string]*view.Domain{}
	for _, e := range m.entries {
		d := by[e.Domain]
		if d == nil {
			d = &view.Domain{Name: e.Domain, Types: map[string]int{}}
			by[e.Domain] = d
		}
		d.Count++
		d.Types[e.Body.Type]++
		d.LastAt = e.CreatedAt
	}
	var out []view.Domain
	for _, d := range by {
		out = append(out, *d)
	}
	slices.SortFunc(out, func(a, b view.Domain) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// Contribute appends an entry unless its text is there already.
func (m *Mesh) Contribute(_ context.Context, agent change.AgentID, p gate.Passed, opt view.Submit) (view.Receipt, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	domain, e := p.Domain(), p.Entry()
	if r, ok := m.marks[opt.IdempotencyKey]; ok && opt.IdempotencyKey != "" {
		return r, nil
	}
	if m.Fault != nil {
		return view.Receipt{}, m.Fault
	}
	if old, ok := m.same(e.Text); ok {
		return view.Receipt{}, reason.Refuse(reason.Duplicate, "the same text exists").
			With(map[string]any{"existing_id": old.Text(change.PrefixEntry)})
	}
	if raw, err := e.Encode(); err != nil {
		return view.Receipt{}, err
	} else if _, err := body.ParseEntry(raw, change.Commons(domain)); err != nil {
		return view.Receipt{}, err
	}
	i := slices.IndexFunc(m.agents, func(a view.Agent) bool { return a.ID == agent })
	if i < 0 {
		return view.Receipt{}, reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	put := m.plant(view.Entry{Domain: domain, Agent: m.agents[i].AgentRef, Body: e, Signature: view.Signature{Key: m.agents[i].DID, Sig: [64]byte{1}}})
	r := view.Receipt{ID: put.ID, Seq: m.seq, CreatedAt: put.CreatedAt, Agent: agent, Replicas: opt.WaitPeers}
	m.marks[opt.IdempotencyKey] = r
	return r, nil
}

func (m *Mesh) same(text string) (change.ID, bool) {
	for _, e := range m.entries {
		if text != "" && gate.NormalHash(e.Body.Text) == gate.NormalHash(text) {
			return e.ID, true
		}
	}
	return change.ID{}, false
}

// Retract buries an entry.
func (m *Mesh) Retract(_ context.Context, _ change.AgentID, target change.ID, _ string) (view.Receipt, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.gone[target] = reason.Retracted
	publish(m, events.EntryRetracted, target, change.ID{})
	return view.Receipt{ID: target}, m.Fault
}

// Check runs the real gate, and the row about duplicates for an agent.
func (m *Mesh) Check(_ context.Context, d gate.Draft, agent change.AgentID) gate.Report {
	r := m.gate.Check(d)
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.same(d.Content); ok && !agent.IsZero() {
		r.Reasons = append(r.Reasons, gate.Finding{Code: reason.Duplicate, Field: "content"})
		r.Score = max(0, r.Score-40)
	}
	return r
}

// Pass runs the real gate.
func (m *Mesh) Pass(d gate.Draft) (gate.Passed, gate.Report) { return m.gate.Pass(d) }

// CheckText runs the real detectors.
func (m *Mesh) CheckText(field, text string) []gate.Finding { return m.gate.Text(field, text) }

// Seq counts what happened.
func (m *Mesh) Seq() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seq
}

// WaitSeq does not wait: nothing happens by itself.
func (m *Mesh) WaitSeq(_ context.Context, seq uint64) error {
	if m.Seq() < seq {
		return context.DeadlineExceeded
	}
	return nil
}

// Forget takes all entries out of sight, as a purge would: the log does not grow.
func (m *Mesh) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries = nil
}

// AgentsWithTrait are the agents whose planted pages name a trait.
func (m *Mesh) AgentsWithTrait(_ context.Context, trait string) (map[change.AgentID]bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[change.AgentID]bool{}
	for id, p := range m.pages {
		if list, ok := p.Fields["traits"].([]any); ok && slices.Contains(list, any(trait)) {
			out[id] = true
		}
	}
	return out, nil
}
