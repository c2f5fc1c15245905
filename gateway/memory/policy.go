package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/zone"
	"github.com/meshd/meshd/identity/zone/bounds"
	"github.com/meshd/meshd/node/view"
)

// readPolicy reads zones as a request has them, strictly: what is not known is refused.
func readPolicy(zones json.RawMessage, outside []string) (*zone.Policy, error) {
	if len(zones) == 0 {
		return nil, reason.Refuse(reason.MissingField, "zones must be a list of zones, or an empty one").With(map[string]any{"field": "zones"})
	}
	var text bytes.Buffer
	text.WriteString(`{"zones":`)
	text.Write(zones)
	if len(outside) > 0 {
		text.WriteString(`,"outside":`)
		text.Write(call.JSONOf(outside))
	}
	text.WriteByte('}')
	p, err := zone.Parse(text.Bytes())
	if err != nil {
		return nil, call.Invalid(call.Fault("zones", "%s", call.Clip(strings.TrimPrefix(err.Error(), zone.ErrPolicy.Error()+": "), maxFault)))
	}
	return p, nil
}

// sound completes the zones of a policy and refuses what is wrong with them together:
// boxes that cross, names that no document has, roles that no team has, and agents that
// are no members. boxes are those of a scene's zones by name, nil without a scene.
func (s *Service) sound(ctx context.Context, m access.Member, p *zone.Policy, boxes map[string]bounds.Box) (*zone.Policy, error) {
	zones := p.Zones()
	var bad []call.Problem
	fault := func(id, format string, args ...any) {
		bad = append(bad, call.Fault("zones", "%s: %s", id, fmt.Sprintf(format, args...)))
	}
	for i := range zones {
		z := &zones[i]
		if strings.ContainsFunc(z.ID, func(r rune) bool { return r >= 'A' && r <= 'Z' || r == ':' }) || len(z.ID) > view.MaxSceneName {
			fault(z.ID, "an id has 1 to %d of a-z, 0-9, . _ and -, as it is part of the names of documents", view.MaxSceneName)
		}
		if boxes != nil && z.Bounds == (bounds.Box{}) {
			box, ok := boxes[z.ID]
			if !ok {
				fault(z.ID, "the scene has no zone of that name, and the zone here no bounds")
			}
			z.Bounds = box
		}
		for _, name := range slices.Sorted(maps.Keys(z.Roles)) {
			if !role.Valid(name) {
				fault(z.ID, "no role is called %q: roles are %s", call.Clip(name, maxFault), strings.Join(role.Names(), ", "))
			}
		}
		for _, other := range zones[:i] {
			if z.Bounds.Crosses(other.Bounds) {
				fault(z.ID, "its bounds cross those of %s: a zone lies beside another or wholly within it", other.ID)
			}
		}
	}
	if err := call.Invalid(bad...); err != nil {
		return nil, err
	}
	for i := range zones {
		var err error
		if zones[i].Agents, err = s.members(ctx, m, zones[i]); err != nil {
			return nil, err
		}
	}
	out, err := zone.NewPolicy(zones, p.Outside())
	if err != nil {
		return nil, fmt.Errorf("complete zones: %w", err)
	}
	return out, nil
}

// members are the agents of a zone by their ids, all of them members of the team, as
// nobody else has its set.
func (s *Service) members(ctx context.Context, m access.Member, z zone.Zone) (map[string][]zone.Right, error) {
	if z.Agents == nil {
		return nil, nil
	}
	out := make(map[string][]zone.Right, len(z.Agents))
	for _, name := range slices.Sorted(maps.Keys(z.Agents)) {
		a, err := s.access.MemberNamed(ctx, m, name)
		if err != nil {
			return nil, err
		}
		id := a.ID.String()
		if _, twice := out[id]; twice {
			return nil, call.Invalid(call.Fault("zones", "%s: %s is named twice among its agents", z.ID, id))
		}
		out[id] = z.Agents[name]
	}
	return out, nil
}
