package auth

import (
	"fmt"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/ucan"
)

// denied is capability_denied with a receipt in its details: the code, what is
// missing, and how to get it, for a program to act on.
func (g *grants) denied(act ucan.Act) *reason.Refusal {
	r := reason.Refuse(reason.CapabilityDenied, "what was presented does not cover %.64q on this resource", act.Ability)
	how := g.how(act)
	r.Hint = how
	return r.With(map[string]any{
		"code":    string(reason.CapabilityDenied),
		"missing": map[string]any{"resource": act.Resource, "ability": act.Ability},
		"how":     how,
	})
}

// how says in one sentence how the missing right is obtained.
func (g *grants) how(act ucan.Act) string {
	if !g.presented {
		return fmt.Sprintf("ask an owner of %s for a capability: POST /api/mesh/capabilities with can %q; "+
			"send a token made from it for %s in the header ucans", act.Resource, act.Ability, g.service)
	}
	return fmt.Sprintf("ask an owner of %s for one: POST /api/mesh/capabilities {\"audience\": %q, \"with\": %q, \"can\": [%q]}; "+
		"then sign a token for %s that cites it", act.Resource, g.presenter, act.Resource, act.Ability, g.service)
}
