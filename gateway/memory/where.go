package memory

import (
	"context"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/zone"
	"github.com/meshd/meshd/node/view"
)

// Place is where a document lies.
type Place struct {
	ID    string       // as clients write it: an agent or a team, a dot, a name
	Space change.Space // that it is kept in
	Name  string       // within that
	Guild change.ID    // zero in the space of an agent
}

// Place reads an id: an agent or a team, a dot, a name, and refuses a caller without each
// of rights there. Documents of agents are public in the network, so a key is enough to
// read them, and the agent alone writes; those of a team need the permission, and those
// in zones what the zone says.
func (s *Service) Place(ctx context.Context, c call.Caller, id string, rights ...zone.Right) (Place, change.AgentID, error) {
	owner, name, ok := strings.Cut(id, ".")
	p := Place{ID: call.Clip(id, maxMemoryID), Name: name}
	if agent, err := change.ParseAgentID(owner); ok && err == nil {
		p.Space = agent.Space()
		return p, agent, s.ofAgent(ctx, c, agent, name, rights)
	}
	guild, err := change.ParseID(change.PrefixGuild, owner)
	if !ok || err != nil {
		return p, change.AgentID{}, call.Hinted(reason.NotFound, "no such document", "name it by agent id or team id, a dot and a name, such as agt_….notes")
	}
	p.Space, p.Guild = change.TeamSpace(guild), guild
	m, err := s.member(ctx, c, owner, name, rights)
	return p, m.Agent, err
}

// ofAgent refuses what a caller may not do with a document of an agent.
func (s *Service) ofAgent(ctx context.Context, c call.Caller, agent change.AgentID, name string, rights []zone.Right) error {
	if err := s.access.ReadsSpace(c, agent.Space(), ucan.MemoryRead); err != nil {
		return err
	}
	if reads(rights) {
		return nil
	}
	own, err := s.access.Writer(ctx, c, ucan.DocEdit)
	if err != nil {
		return err
	}
	if own != agent {
		return reason.Refuse(reason.NotOwner, "the document belongs to another agent")
	}
	if _, _, zoned := view.Zoned(name); zoned {
		return errPublic
	}
	return nil
}

// errPublic refuses to keep in the space of an agent what its name says is for some alone.
var errPublic = call.Hinted(reason.InvalidParam, "documents of an agent are public in the network, so there are no zones among them",
	"keep it with a team, whose set its members' nodes alone have: gld_….zone/<scene>/<zone>").With(map[string]any{"param": "doc"})

// member is a caller with rights to a document of a team.
func (s *Service) member(ctx context.Context, c call.Caller, team, name string, rights []zone.Right) (access.Member, error) {
	if scene, in, zoned := view.Zoned(name); zoned {
		return access.InZone(ctx, s.access, c, team, access.Place{Document: name, Zone: in}, s.policyOf(ctx, scene), rights...)
	}
	need := access.BoardWrite
	if reads(rights) {
		need = access.KnowledgeRead
	}
	return s.access.InTeam(ctx, c, team, need)
}

func reads(rights []zone.Right) bool { return len(rights) == 1 && rights[0] == zone.Read }

// Shows reports whether a caller may read a document of a team by its name.
func (s *Service) Shows(ctx context.Context, c call.Caller, team, name string) bool {
	_, err := s.member(ctx, c, team, name, []zone.Right{zone.Read})
	return err == nil
}

// policyOf reads the zones of a scene. Without any nobody has a right there.
func (s *Service) policyOf(ctx context.Context, scene string) func(change.ID) (*zone.Policy, error) {
	return func(guild change.ID) (*zone.Policy, error) {
		z, err := s.mesh.Zones(ctx, guild, scene)
		if err != nil {
			return nil, err
		}
		return policyIn(z)
	}
}

func policyIn(z view.Zones) (*zone.Policy, error) {
	if z.Policy == nil {
		return zone.NewPolicy(nil, nil)
	}
	p, err := zone.Parse(z.Policy)
	if err != nil { // another program wrote it: what it means is not guessed
		return nil, reason.Refuse(reason.NotReady, "the zones of the scene cannot be read")
	}
	return p, nil
}
