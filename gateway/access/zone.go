package access

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/zone"
	"github.com/meshd/meshd/identity/zone/bounds"
	"github.com/meshd/meshd/node/view"
)

// Place is a document of a team that lies in a zone, or beside the zones of its scene.
type Place struct {
	Document string // its name in the team, which begins with "zone/"
	Zone     string // "" beside all of them
}

// abilities are those by which a capability gives a right in a zone.
var abilities = map[zone.Right]string{
	zone.Read: ucan.SpatialRead, zone.Write: ucan.SpatialWrite, zone.Delete: ucan.SpatialDelete, zone.Admin: ucan.SpatialAdmin,
}

// InZone is InTeam for a document in a zone: the caller must have every one of rights
// there. A member has what the policy of the scene gives to its agent or its role in the
// team, and no more than that role may do in the team at all. Whoever presents a
// capability has what it covers on the document, or the zone or scene around it, whatever
// the policy says: it was delegated by who founded the team. The policy is read once the
// caller is known to be a member.
func InZone(ctx context.Context, s *Service, c call.Caller, team string, at Place, policy func(guild change.ID) (*zone.Policy, error), rights ...zone.Right) (Member, error) {
	if c.Kind == auth.Capability {
		return bearer{s, c}.inZone(ctx, team, at, rights)
	}
	m, err := s.InTeam(ctx, c, team, permissionFor(rights))
	if err != nil {
		return m, err
	}
	p, err := policy(m.Guild.ID)
	if err != nil {
		return m, err
	}
	for _, r := range rights {
		if !m.zoned(p, at, r) {
			return m, zoneDenied(s, c, m, at, r)
		}
	}
	return m, nil
}

// ToZones is InZone for the zones of a scene themselves: who changes them must be able to
// change the settings of the team, as the log requires of the change.
func ToZones(ctx context.Context, s *Service, c call.Caller, team string, at Place) (Member, error) {
	if c.Kind == auth.Capability {
		return bearer{s, c}.inZone(ctx, team, at, []zone.Right{zone.Admin})
	}
	m, err := s.ReaderOf(ctx, c, team, KnowledgeRead)
	if err != nil {
		return m, err
	}
	if !m.May(ConfigWrite) {
		return m, zoneDenied(s, c, m, at, zone.Admin)
	}
	return s.InTeam(ctx, c, team, ConfigWrite)
}

// permissionFor is what a role must allow at all for rights in a zone, as the log asks it
// of the change that uses them.
func permissionFor(rights []zone.Right) Permission {
	for _, r := range rights {
		if r != zone.Read {
			return BoardWrite
		}
	}
	return KnowledgeRead
}

// AmongZones is a caller that may ask about the zones of a scene: a member of the team, or
// who presents a capability for reading the scene.
func AmongZones(ctx context.Context, s *Service, c call.Caller, team string, at Place) (Member, error) {
	if c.Kind == auth.Capability {
		return bearer{s, c}.inZone(ctx, team, at, []zone.Right{zone.Read})
	}
	return s.InTeam(ctx, c, team, KnowledgeRead)
}

// Reads refuses, with zone_denied, a member among whose rights in a place reading is not.
func Reads(s *Service, c call.Caller, m Member, at Place, rights []zone.Right) error {
	if slices.Contains(rights, zone.Read) {
		return nil
	}
	return zoneDenied(s, c, m, at, zone.Read)
}

// Administers reports whether a member may see who has which rights in a zone: it changes
// the settings of the team, or has spatial:admin there.
func (m Member) Administers(p *zone.Policy, at Place) bool {
	return m.zoned(p, at, zone.Admin) || (m.bearer == nil || m.bearer.c.Kind != auth.Capability) && m.May(ConfigWrite)
}

// RightsAcross are the rights that a caller has in all of a box of a scene.
func (m Member) RightsAcross(p *zone.Policy, scene Place, box bounds.Box) []zone.Right {
	if m.bearer != nil && m.bearer.c.Kind == auth.Capability {
		return m.RightsIn(p, scene)
	}
	out := []zone.Right{}
	for _, r := range zone.Rights() {
		if p.DecideBox(m.Who(), box, r).Allowed && (r == zone.Read || m.May(BoardWrite)) {
			out = append(out, r)
		}
	}
	return out
}

// RightsIn are the rights that a caller has in a place, of a member as InTeam found it.
func (m Member) RightsIn(p *zone.Policy, at Place) []zone.Right {
	out := []zone.Right{}
	for _, r := range zone.Rights() {
		if m.zoned(p, at, r) && (r == zone.Read || m.writesZones()) {
			out = append(out, r)
		}
	}
	return out
}

// writesZones reports whether a member writes at all: of who presents a capability, that
// alone says so.
func (m Member) writesZones() bool {
	return m.bearer != nil && m.bearer.c.Kind == auth.Capability || m.May(BoardWrite)
}

// Who is the member as policies know it.
func (m Member) Who() zone.Who {
	who := zone.Who{}
	if m.Role != "" {
		who.Roles = []string{m.Role}
	}
	if !m.Agent.IsZero() {
		who.Agent = m.Agent.String()
	}
	return who
}

func (m Member) zoned(p *zone.Policy, at Place, r zone.Right) bool {
	if m.bearer != nil && m.bearer.c.Kind == auth.Capability {
		return m.bearer.spatial(m.Guild, at, r) == nil
	}
	if at.Zone == "" {
		return p.DecideOutside(r).Allowed
	}
	can := map[zone.Right]string{zone.Read: zone.MemoryRead, zone.Write: zone.MemoryWrite}[r]
	if can == "" {
		return p.DecideZone(m.Who(), at.Zone, r).Allowed
	}
	d, err := p.DecideMemory(m.Who(), zone.Memory(at.Zone), can)
	return err == nil && d.Allowed // what is no name of a zone is none
}

func (b bearer) inZone(ctx context.Context, team string, at Place, rights []zone.Right) (Member, error) {
	m := Member{bearer: &b}
	var err error
	if m.Guild, m.Page, err = b.s.LiveGuild(ctx, b.c, team); err != nil {
		return m, err
	}
	for _, r := range rights {
		if err := b.spatial(m.Guild, at, r); err != nil {
			return m, err
		}
		m.Agent = b.agent(ctx, abilities[r])
		if r == zone.Read {
			continue
		}
		if err := b.writes(ctx, m.Guild, m.Agent); err != nil {
			return m, err
		}
		if err := signedWrite(b.c, m.Page); err != nil {
			return m, err
		}
	}
	m.Role = RoleIn(m.Guild, m.Agent)
	return m, nil
}

// spatial judges a right in a zone by the abilities of a capability; spatial/admin covers
// the other three.
func (b bearer) spatial(g view.Guild, at Place, r zone.Right) error {
	resource := change.TeamSpace(g.ID).Resource(b.network()) + "/" + at.Document
	err := b.may(resource, abilities[r], nil)
	if err != nil && b.may(resource, ucan.SpatialAdmin, nil) == nil {
		return nil
	}
	return err
}

// zoneDenied is zone_denied with its receipt. It is the same whether there is such a
// document, such a zone, or such a scene, or not.
func zoneDenied(s *Service, c call.Caller, m Member, at Place, r zone.Right) error {
	_, network := s.mesh.Network()
	resource := change.TeamSpace(m.Guild.ID).Resource(network) + "/" + at.Document
	scene, _, _ := strings.Cut(strings.TrimPrefix(at.Document, view.ZonePrefix), "/")
	fix := "ask an owner or admin of the team for " + string(r) + ": PUT /api/crdt/" + m.ID() + "." + url.PathEscape(view.ZonePrefix+scene) +
		"/zones; or its founder for a capability for it on " + resource + ": POST /api/mesh/capabilities"
	refusal := call.Hinted(reason.ZoneDenied, "the zone does not give this agent "+string(r), fix)
	return refusal.With(map[string]any{"denial": auth.Denial{
		AuditID: c.RequestID, Action: abilities[r], Resource: resource, By: s.cfg.DID, Required: map[string]any{"with": resource, "can": abilities[r]},
		Fix: fix, At: call.Stamp(s.cfg.Now()),
	}})
}
