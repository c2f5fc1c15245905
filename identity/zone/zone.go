// Package zone decides who may read, write, delete or administer what lies
// where: the spatial memory of a scene is divided into boxes, each with a
// classification and rights.
//
// Start with Parse or NewPolicy, then ask Decide for a point, DecideBox for
// something with an extent and DecideMemory for the memory of a zone by its name.
// A Decision says which zone and which rule decided and what is missing, for the
// refusal zone_denied.
//
// Which zone decides. Of the zones that contain a point the smallest by volume does,
// alone: a vault inside a public square is a vault, and a public kiosk inside a
// vault is public. Equal volumes: the stricter classification, then the lesser
// id. Outside of all zones the policy's own rights apply, none by default.
//
// Which rule decides. What the zone says of the agent itself is the whole answer
// when it says anything, also nothing at all; else the rights of all the roles
// that the agent has and the zone names; else the default rights. The
// classification takes rules away, each step one more:
//
//	public      agent, role, default; where no default is given, spatial:read
//	private     agent, role, default; where no default is given, nothing
//	restricted  agent, role
//	sensitive   agent
//
// Everything is pure, and a Policy is immutable and safe for concurrent use.
package zone

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/identity/zone/bounds"
)

// Right is what may be done.
type Right string

// The rights. Admin includes the other three; no other right includes another.
const (
	Read   Right = "spatial:read"
	Write  Right = "spatial:write"
	Delete Right = "spatial:delete"
	Admin  Right = "spatial:admin"
)

var rights = []Right{Read, Write, Delete, Admin}

// Rights lists the four. The slice is new.
func Rights() []Right { return slices.Clone(rights) }

// Class is the classification of a zone.
type Class string

// The classifications, from the most open.
const (
	Public     Class = "public"
	Private    Class = "private"
	Restricted Class = "restricted"
	Sensitive  Class = "sensitive"
)

var classes = []Class{Public, Private, Restricted, Sensitive}

// Errors of this package, wrapped with what was found.
var (
	ErrPolicy   = errors.New("not a sound set of zones")
	ErrResource = errors.New("not the memory of a zone")
)

// Zone is one box. Nil Default is "not given"; an empty one gives nothing.
type Zone struct {
	ID      string             `json:"id"`              // 1 to MaxName letters, digits, - _ . and :
	Bounds  bounds.Box         `json:"bounds,omitzero"` // zero: the zone is a memory without a place
	Class   Class              `json:"classification"`
	Default *[]Right           `json:"default,omitempty"`
	Roles   map[string][]Right `json:"roles,omitempty"`
	Agents  map[string][]Right `json:"agents,omitempty"`
}

// Policy is the zones of one scene.
type Policy struct {
	zones   []Zone // in the order in which they decide
	outside []Right
}

// NewPolicy checks zones and the rights outside of all of them, and copies both.
// Its errors wrap ErrPolicy.
func NewPolicy(zones []Zone, outside []Right) (*Policy, error) {
	if len(zones) > MaxZones {
		return nil, fmt.Errorf("%w: %d zones, at most %d", ErrPolicy, len(zones), MaxZones)
	}
	if err := checkRights(outside); err != nil {
		return nil, err
	}
	p := &Policy{outside: slices.Clone(outside)}
	seen := map[string]bool{}
	for _, z := range zones {
		if err := z.check(); err != nil {
			return nil, err
		}
		if seen[z.ID] {
			return nil, fmt.Errorf("%w: zone %q twice", ErrPolicy, z.ID)
		}
		seen[z.ID] = true
		p.zones = append(p.zones, z.clone())
	}
	slices.SortFunc(p.zones, before)
	return p, nil
}

// Zones are copies of the zones, in the order in which they decide.
func (p *Policy) Zones() []Zone {
	out := make([]Zone, len(p.zones))
	for i, z := range p.zones {
		out[i] = z.clone()
	}
	return out
}

// Outside are the rights where no zone is.
func (p *Policy) Outside() []Right { return slices.Clone(p.outside) }

// before orders zones as they decide: small, strict, by id.
func before(a, b Zone) int {
	if va, vb := a.Bounds.Volume(), b.Bounds.Volume(); va != vb {
		if va < vb {
			return -1
		}
		return 1
	}
	if d := slices.Index(classes, b.Class) - slices.Index(classes, a.Class); d != 0 {
		return d
	}
	return strings.Compare(a.ID, b.ID)
}

func (z Zone) clone() Zone {
	if z.Default != nil {
		d := append([]Right{}, *z.Default...) // never nil, which is null in JSON
		z.Default = &d
	}
	z.Roles, z.Agents = cloneGrants(z.Roles), cloneGrants(z.Agents)
	return z
}

func cloneGrants(in map[string][]Right) map[string][]Right {
	if in == nil {
		return nil
	}
	out := make(map[string][]Right, len(in))
	for name, r := range in {
		out[name] = append([]Right{}, r...)
	}
	return out
}

func (z Zone) check() error {
	if !isName(z.ID) {
		return fmt.Errorf("%w: id %.140q of a zone", ErrPolicy, z.ID)
	}
	if err := z.Bounds.Check(); err != nil {
		return fmt.Errorf("%w: zone %q: %w", ErrPolicy, z.ID, err)
	}
	if !slices.Contains(classes, z.Class) {
		return fmt.Errorf("%w: zone %q: classification %.40q", ErrPolicy, z.ID, string(z.Class))
	}
	if z.Default != nil {
		if err := checkRights(*z.Default); err != nil {
			return fmt.Errorf("zone %q: %w", z.ID, err)
		}
	}
	for _, grants := range []map[string][]Right{z.Roles, z.Agents} {
		if len(grants) > MaxGrants {
			return fmt.Errorf("%w: zone %q names %d roles or agents, at most %d", ErrPolicy, z.ID, len(grants), MaxGrants)
		}
		for name, r := range grants {
			if !isName(name) {
				return fmt.Errorf("%w: zone %q: name %.140q", ErrPolicy, z.ID, name)
			}
			if err := checkRights(r); err != nil {
				return fmt.Errorf("zone %q, %q: %w", z.ID, name, err)
			}
		}
	}
	return nil
}

func checkRights(list []Right) error {
	for i, r := range list {
		if !slices.Contains(rights, r) {
			return fmt.Errorf("%w: right %.40q", ErrPolicy, string(r))
		}
		if slices.Contains(list[:i], r) {
			return fmt.Errorf("%w: right %s twice", ErrPolicy, r)
		}
	}
	return nil
}

// isName judges ids of zones, roles and agents. The characters are those of a
// DID and of a path segment, so an id stands in mem://zone/<id> as it is.
func isName(s string) bool {
	if len(s) == 0 || len(s) > MaxName || s == "." || s == ".." {
		return false
	}
	for _, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !strings.ContainsRune("-_.:", rune(c)) {
			return false
		}
	}
	return true
}
