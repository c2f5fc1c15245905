package accesstest

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/state/statetest"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

var _ access.Node = (*Mesh)(nil)

// Net is the network of every test.
var Net = change.NetID{7}

// Mesh is the part of a node that gateway/access asks, in memory. A test sets it up
// before it calls.
type Mesh struct {
	Directory
	Detector
	Teams
	Admins   []change.AgentID
	Behind   time.Duration            // how far the views are behind what was written here
	Sequence uint64                   // that the views have reached
	Sponsors map[string]string        // roots of trees, by agent
	Renewed  int                      // calls of RenewLeases
	Mute     map[change.AgentID]error // agents for which nobody speaks, and why
}

// Admin reports whether an agent is one of Admins.
func (m *Mesh) Admin(id change.AgentID) bool { return slices.Contains(m.Admins, id) }

// Speaks lets everybody speak for everybody but for those of Mute.
func (m *Mesh) Speaks(agent change.AgentID, _ did.DID) error { return m.Mute[agent] }

// Lag is Behind.
func (m *Mesh) Lag() time.Duration { return m.Behind }

// WriteLag is Behind.
func (m *Mesh) WriteLag() time.Duration { return m.Behind }

// Seq is Sequence.
func (m *Mesh) Seq() uint64 { return m.Sequence }

// WaitSeq does not wait: nothing happens by itself.
func (m *Mesh) WaitSeq(_ context.Context, seq uint64) error {
	if m.Sequence < seq {
		return context.DeadlineExceeded
	}
	return nil
}

// Network is the name and id of the network.
func (*Mesh) Network() (string, change.NetID) { return "testnet", Net }

// SponsorRoot reads Sponsors.
func (m *Mesh) SponsorRoot(id change.AgentID) string { return m.Sponsors[id.String()] }

// RenewLeases counts.
func (m *Mesh) RenewLeases(context.Context, change.AgentID, change.ID) (int, error) {
	m.Renewed++
	return 0, nil
}

// Begun completes the beginning of the id of a team that is among those given.
func (m *Mesh) Begun(_ context.Context, teams []change.ID, prefix, beginning string) (change.ID, bool, error) {
	for _, id := range teams {
		if strings.HasPrefix(id.Text(prefix), prefix+beginning) {
			return id, true, nil
		}
	}
	return change.ID{}, false, nil
}

// Directory has the agents of a test.
type Directory struct{ agents []*view.Agent }

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

// AddAgent adds an agent that is hosted here, whose key is Key of how many there are.
func (d *Directory) AddAgent(name string) *view.Agent {
	key := DID(Key(byte(len(d.agents) + 1)))
	a := &view.Agent{AgentRef: view.AgentRef{ID: change.DeriveAgent(Net, key), Name: name, Handle: name, Tier: "newcomer"},
		DID: key, Local: true, CreatedAt: statetest.Start.Add(-24 * time.Hour)}
	d.agents = append(d.agents, a)
	return a
}

// Agent finds an agent by id.
func (d *Directory) Agent(_ context.Context, id change.AgentID) (view.Agent, error) {
	return d.find(func(a view.Agent) bool { return a.ID == id })
}

// FindAgent finds an agent by id, DID or name.
func (d *Directory) FindAgent(_ context.Context, text string) (view.Agent, error) {
	return d.find(func(a view.Agent) bool { return a.ID.String() == text || a.DID.String() == text || a.Name == text })
}

// All are the agents in the order in which they were added.
func (d *Directory) All() []view.Agent {
	out := make([]view.Agent, len(d.agents))
	for i, a := range d.agents {
		out[i] = *a
	}
	return out
}

func (d *Directory) find(is func(view.Agent) bool) (view.Agent, error) {
	for _, a := range d.agents {
		if is(*a) {
			return *a, nil
		}
	}
	return view.Agent{}, reason.Refuse(reason.AgentNotFound, "no such agent")
}

// Secret is the word that a Detector takes for a credential.
const Secret = "hunter2"

// Detector finds Secret in texts.
type Detector struct{}

// CheckText finds Secret.
func (Detector) CheckText(field, text string) []gate.Finding {
	if at := strings.Index(text, Secret); at >= 0 {
		return []gate.Finding{{Code: reason.SecretDetected, Field: field, Offset: at, Length: len(Secret), Kind: "password"}}
	}
	return nil
}

// Teams has the guilds and teams of a test.
type Teams struct {
	guilds []view.Guild
	pages  map[change.ID]view.TeamPage
}

// AddTeam adds a team of members, whose roles stand beside them, or replaces it.
func (ts *Teams) AddTeam(id change.ID, page view.TeamPage, members ...view.Member) view.Guild {
	g := view.Guild{ID: id, Name: page.Name, Type: "team", Visibility: page.Visibility, CreatedAt: statetest.Start, Members: members}
	if len(members) > 0 {
		g.Founder = members[0].AgentRef
	}
	ts.guilds = slices.DeleteFunc(ts.guilds, func(old view.Guild) bool { return old.ID == id })
	ts.guilds = append(ts.guilds, g)
	if ts.pages == nil {
		ts.pages = map[change.ID]view.TeamPage{}
	}
	ts.pages[id] = page
	return g
}

// InSpace says where the roles of a team are kept: private ones in its own space.
func (ts *Teams) InSpace(id change.ID, space change.Space) {
	for i := range ts.guilds {
		if ts.guilds[i].ID == id {
			ts.guilds[i].Space = space
		}
	}
}

// Guild finds a guild.
func (ts *Teams) Guild(_ context.Context, id change.ID) (view.Guild, error) {
	for _, g := range ts.guilds {
		if g.ID == id {
			return g, nil
		}
	}
	return view.Guild{}, reason.Refuse(reason.TeamNotFound, "no such guild")
}

// Guilds are all of them.
func (ts *Teams) Guilds(context.Context) []view.Guild { return slices.Clone(ts.guilds) }

// GuildsOf are those that an agent is in.
func (ts *Teams) GuildsOf(_ context.Context, agent change.AgentID) []view.Guild {
	return slices.DeleteFunc(slices.Clone(ts.guilds), func(g view.Guild) bool { return access.RoleIn(g, agent) == "" })
}

// TeamPage is the page of a team.
func (ts *Teams) TeamPage(_ context.Context, guild change.ID) (view.TeamPage, error) {
	page, ok := ts.pages[guild]
	if !ok {
		return page, reason.Refuse(reason.TeamNotFound, "no such guild")
	}
	return page, nil
}
