package zone

import (
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/identity/zone/bounds"
)

// Who asks: an agent and its roles in the scene. An agent without an id is
// nobody in particular.
type Who struct {
	Agent string
	Roles []string
}

// Rule names the rule that decided.
type Rule string

// The rules.
const (
	ByAgent   Rule = "agent"   // what the zone says of the agent
	ByRole    Rule = "role"    // of roles it has
	ByDefault Rule = "default" // of everybody
	ByClass   Rule = "class"   // nothing fits that the classification lets count
	Outside   Rule = "outside" // no zone is there
	NoZone    Rule = "no_zone" // no zone has that name
)

// Decision is the answer to one question.
type Decision struct {
	Allowed bool
	Zone    string // the zone that decided, "" outside of all
	Rule    Rule
	Missing Right // the right asked for, when it was refused
}

// Decide says whether who has a right at a point. A right that is none of the
// four, and a point that is not a number, are refused.
func (p *Policy) Decide(who Who, at bounds.Point, right Right) Decision {
	for _, z := range p.zones {
		if z.Bounds.Contains(at) {
			return z.decide(who, right)
		}
	}
	return p.decideOutside(at.Sound() && slices.Contains(rights, right), right)
}

// DecideBox says whether who has a right in all of a box: for something with an
// extent, or a search of a region. Each zone that could decide a point of the
// box must allow it, and the outside too when no zone contains the whole box; the
// first refusal is the answer. It may refuse a box all of whose points are
// allowed (a zone may be covered by smaller ones); it never allows one with a
// point that is not.
func (p *Policy) DecideBox(who Who, box bounds.Box, right Right) Decision {
	if box.Check() != nil {
		return p.decideOutside(false, right)
	}
	var last Decision
	for _, z := range p.zones {
		if !z.Bounds.Meets(box) {
			continue
		}
		last = z.decide(who, right)
		if !last.Allowed || z.Bounds.ContainsBox(box) { // zones behind one that contains all of it decide nothing
			return last
		}
	}
	return p.decideOutside(slices.Contains(rights, right), right)
}

func (p *Policy) decideOutside(sound bool, right Right) Decision {
	if sound && has(p.outside, right) {
		return Decision{Allowed: true, Rule: Outside}
	}
	return Decision{Rule: Outside, Missing: right}
}

// The memory of a zone as a resource, and what may be done with it.
const (
	memoryPrefix = "mem://zone/"

	MemoryRead  = "memory/read"
	MemoryWrite = "memory/write"
)

// Memory is the resource of a zone's memory.
func Memory(id string) string { return memoryPrefix + id }

// ParseMemory is the id of the zone in a resource mem://zone/<id>. It returns
// ErrResource for any other text.
func ParseMemory(resource string) (string, error) {
	id, ok := strings.CutPrefix(resource, memoryPrefix)
	if !ok || !isName(id) {
		return "", fmt.Errorf("%w: %.160q", ErrResource, resource)
	}
	return id, nil
}

// DecideOutside says whether a right is everybody's where no zone is.
func (p *Policy) DecideOutside(right Right) Decision {
	return p.decideOutside(slices.Contains(rights, right), right)
}

// DecideZone says whether who has a right in a zone, by its id.
func (p *Policy) DecideZone(who Who, id string, right Right) Decision {
	for _, z := range p.zones {
		if z.ID == id {
			return z.decide(who, right)
		}
	}
	return Decision{Zone: id, Rule: NoZone, Missing: right}
}

// DecideMemory says whether who may use the memory of a zone, by its resource
// and one of MemoryRead and MemoryWrite, which take spatial:read and
// spatial:write of that zone. It returns ErrResource for another resource or
// ability: these are mistakes of a program, not refusals.
func (p *Policy) DecideMemory(who Who, resource, ability string) (Decision, error) {
	id, err := ParseMemory(resource)
	if err != nil {
		return Decision{}, err
	}
	right, ok := map[string]Right{MemoryRead: Read, MemoryWrite: Write}[ability]
	if !ok {
		return Decision{}, fmt.Errorf("%w: ability %.40q", ErrResource, ability)
	}
	return p.DecideZone(who, id, right), nil
}

// decide applies the rules of one zone.
func (z Zone) decide(who Who, right Right) Decision {
	granted, rule := z.granted(who)
	if slices.Contains(rights, right) && has(granted, right) {
		return Decision{Allowed: true, Zone: z.ID, Rule: rule}
	}
	return Decision{Zone: z.ID, Rule: rule, Missing: right}
}

// granted is what the rules give, and the one that does.
func (z Zone) granted(who Who) ([]Right, Rule) {
	if r, ok := z.Agents[who.Agent]; ok {
		return r, ByAgent
	}
	if z.Class == Sensitive {
		return nil, ByClass
	}
	var union []Right
	named := false
	for _, role := range who.Roles {
		r, ok := z.Roles[role]
		named = named || ok
		union = append(union, r...)
	}
	switch {
	case named:
		return union, ByRole
	case z.Class == Restricted:
		return nil, ByClass
	case z.Default != nil:
		return *z.Default, ByDefault
	case z.Class == Public:
		return []Right{Read}, ByDefault
	}
	return nil, ByClass
}

func has(granted []Right, right Right) bool {
	return slices.Contains(granted, right) || slices.Contains(granted, Admin)
}
