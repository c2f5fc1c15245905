package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/identity/zone"
	"github.com/meshd/meshd/identity/zone/bounds"
	"github.com/meshd/meshd/node/view"
)

// ZonesRequest writes the zones of a scene.
type ZonesRequest struct {
	call.Request
	Zones   json.RawMessage `field:"zones"`
	Outside []string        `field:"outside"`
	Scene   string          `field:"scene"`
}

// ZonesForm reads a ZonesRequest.
var ZonesForm = call.Define[ZonesRequest](call.Form{
	{Name: "zones", Kind: call.Objects, Items: maxZones, Required: true, Help: "All zones of the scene: {id, bounds: {min: [x, y, z], max: [x, y, z]} in metres, " +
		"classification: public, private, restricted or sensitive, default: [right], roles: {owner, admin, member or viewer: [right]}, agents: {member: [right]}}. " +
		"A right is spatial:read, spatial:write, spatial:delete or spatial:admin. What a zone says of an agent counts alone; else what it says of the agent's role; else its default. " +
		"restricted takes the default away, sensitive the roles too. Without bounds a zone is a memory without a place. bounds lie beside one another or one within another."},
	{Name: "outside", Kind: call.Texts, Items: rightCount, Max: call.MaxTrait, Help: "Rights of every member where no zone is; none when absent."},
	{Name: "scene", Max: call.MaxIDText, Help: "An agent whose scene has zones of these names: they give the bounds of zones that have none here."},
})

// ZoneShown is a zone as a caller may see it.
type ZoneShown struct {
	ID             string                  `json:"id"`
	Classification zone.Class              `json:"classification" enum:"public,private,restricted,sensitive"`
	Bounds         *bounds.Box             `json:"bounds,omitempty" doc:"absent of a memory without a place"`
	Rights         []zone.Right            `json:"rights" doc:"of the caller"`
	Document       string                  `json:"document" doc:"the memory of the zone; names that go on after a slash lie in the zone too"`
	Memory         string                  `json:"memory" doc:"the same as a resource"`
	Default        *[]zone.Right           `json:"default,omitempty" doc:"for who administers the zone"`
	Roles          map[string][]zone.Right `json:"roles,omitempty" doc:"the same"`
	Agents         map[string][]zone.Right `json:"agents,omitempty" doc:"the same"`
}

// ZonesReply is the zones of a scene that a caller has a right in.
type ZonesReply struct {
	Success   bool         `json:"success"`
	Doc       string       `json:"doc" doc:"the scene; also a document, where the rights outside count"`
	Version   int          `json:"version" doc:"writes of the zones so far"`
	Zones     []ZoneShown  `json:"zones" doc:"in the order in which they decide: the smallest first"`
	Outside   []zone.Right `json:"outside" doc:"of every member where no zone is"`
	UpdatedBy *string      `json:"updated_by"`
	UpdatedAt *string      `json:"updated_at"`
}

// sceneDoc is a document that stands for a scene.
type sceneDoc struct {
	id, team, name, scene string
}

// sceneOf reads the id of a scene: a team, a dot, zone/ and the name of the scene.
func sceneOf(id string) (d sceneDoc, err error) {
	owner, name, ok := strings.Cut(id, ".")
	if _, err := change.ParseAgentID(owner); ok && err == nil {
		return d, errPublic
	}
	if _, err := change.ParseID(change.PrefixGuild, owner); !ok || err != nil {
		return d, call.Hinted(reason.NotFound, "no such scene", "name it by team id, a dot, zone/ and a name, such as gld_….zone/town")
	}
	scene := strings.TrimPrefix(name, view.ZonePrefix)
	if scene == name || len(scene) < 1 || len(scene) > view.MaxSceneName || strings.ContainsFunc(scene, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r))
	}) {
		return d, call.Hinted(reason.InvalidParam, fmt.Sprintf("zones are of a scene, whose name has 1 to %d of a-z, 0-9, . _ and -", view.MaxSceneName),
			"name it by team id, a dot, zone/ and its name, such as gld_….zone/town").With(map[string]any{"param": "doc"})
	}
	return sceneDoc{id, owner, name, scene}, nil
}

// place is the document of the scene, where no zone is.
func (d sceneDoc) place() access.Place { return access.Place{Document: d.name} }

// in is the memory of a zone of the scene.
func (d sceneDoc) in(zone string) access.Place {
	return access.Place{Document: d.name + "/" + zone, Zone: zone}
}

// Zones are the zones of a scene that the caller has a right in. Who administers one, or
// the team, sees who else has.
func (s *Service) Zones(ctx context.Context, c call.Caller, id string) (*ZonesReply, error) {
	d, err := sceneOf(id)
	if err != nil {
		return nil, err
	}
	m, p, z, err := s.scene(ctx, c, d)
	if err != nil {
		return nil, err
	}
	return zonesReply(d, m, p, z), nil
}

// scene is a caller among the zones of a scene.
func (s *Service) scene(ctx context.Context, c call.Caller, d sceneDoc) (access.Member, *zone.Policy, view.Zones, error) {
	m, err := access.AmongZones(ctx, s.access, c, d.team, d.place())
	if err != nil {
		return m, nil, view.Zones{}, err
	}
	z, err := s.mesh.Zones(ctx, m.Guild.ID, d.scene)
	if err != nil {
		return m, nil, z, err
	}
	p, err := policyIn(z)
	return m, p, z, err
}

// SetZones writes all zones of a scene. Refusals: zone_denied to who administers neither
// the team nor, by a capability, the scene; validation_failed, agent_not_found for an
// agent that is no member, body_too_large.
func (s *Service) SetZones(ctx context.Context, c call.Caller, id string, r ZonesRequest, ifVersion int) (*ZonesReply, error) {
	d, err := sceneOf(id)
	if err != nil {
		return nil, err
	}
	m, err := access.ToZones(ctx, s.access, c, d.team, d.place())
	if err != nil {
		return nil, err
	}
	p, err := readPolicy(r.Zones, r.Outside)
	if err != nil {
		return nil, err
	}
	var boxes map[string]bounds.Box
	if r.Scene != "" {
		if boxes, err = s.rooms.Zones(ctx, c, r.Scene); err != nil {
			return nil, err
		}
		if boxes == nil {
			boxes = map[string]bounds.Box{}
		}
	}
	if p, err = s.sound(ctx, m, p, boxes); err != nil {
		return nil, err
	}
	text, err := p.Encode()
	if err != nil {
		return nil, fmt.Errorf("write zones: %w", err)
	}
	if len(text) > view.MaxZonePolicy {
		return nil, call.Hinted(reason.BodyTooLarge, fmt.Sprintf("the zones have %d bytes, at most %d are kept", len(text), view.MaxZonePolicy),
			"name roles in the place of agents, or divide the scene").With(map[string]any{"limit_bytes": view.MaxZonePolicy})
	}
	z, err := s.mesh.EditZones(ctx, m.Agent, m.Guild.ID, d.scene, text, ifVersion)
	if err != nil {
		return nil, err
	}
	return zonesReply(d, m, p, z), nil
}

func zonesReply(d sceneDoc, m access.Member, p *zone.Policy, z view.Zones) *ZonesReply {
	r := &ZonesReply{Success: true, Doc: d.id, Version: z.Version, Zones: []ZoneShown{}, Outside: append([]zone.Right{}, p.Outside()...), UpdatedAt: call.StampOrNil(z.At)}
	if !z.By.IsZero() {
		r.UpdatedBy = call.TextOrNil(z.By.String())
	}
	for _, one := range p.Zones() {
		at := d.in(one.ID)
		rights := m.RightsIn(p, at)
		all := m.Administers(p, at)
		if len(rights) == 0 && !all {
			continue
		}
		shown := ZoneShown{ID: one.ID, Classification: one.Class, Rights: rights, Document: d.id + "/" + one.ID, Memory: zone.Memory(one.ID)}
		if one.Bounds != (bounds.Box{}) {
			shown.Bounds = &one.Bounds
		}
		if all {
			shown.Default, shown.Roles, shown.Agents = one.Default, one.Roles, one.Agents
		}
		r.Zones = append(r.Zones, shown)
	}
	return r
}
