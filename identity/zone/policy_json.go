package zone

import (
	"fmt"

	"github.com/meshd/meshd/identity/jcs"
)

type policyJSON struct {
	Zones   []Zone  `json:"zones"`
	Outside []Right `json:"outside,omitempty"`
}

// Parse reads a policy of at most MaxPolicy bytes of JSON, strictly:
//
//	{"zones":[{"id":…,"bounds":{"min":[x,y,z],"max":[x,y,z]}?,"classification":…,
//	  "default":[…]?,"roles":{name:[…]}?,"agents":{name:[…]}?}],"outside":[…]?}
//
// Its errors wrap ErrPolicy.
func Parse(data []byte) (*Policy, error) {
	var j policyJSON
	if err := jcs.Unmarshal(data, MaxPolicy, &j); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPolicy, err)
	}
	return NewPolicy(j.Zones, j.Outside)
}

// Encode writes the policy as canonical JSON, zones in the order in which they
// decide.
func (p *Policy) Encode() ([]byte, error) {
	return jcs.Marshal(policyJSON{append([]Zone{}, p.zones...), p.outside})
}
