package auth

import (
	"fmt"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/ucan"
)

// Denial is a receipt of a refused act, in the details of capability_denied: what was
// asked, and what would have sufficed, for a program to act on (api §0.4).
type Denial struct {
	AuditID  string         `json:"audit_id,omitempty" doc:"the request, as the log of the gateway names it"`
	Action   string         `json:"denied_action"`
	Resource string         `json:"requested_resource"`
	By       string         `json:"denied_by" doc:"DID of this gateway, the audience of tokens"`
	Required map[string]any `json:"required_capability" doc:"what would have sufficed: with and can"`
	Fix      string         `json:"suggested_fix"`
	At       string         `json:"timestamp"`
}

// denied is capability_denied with its receipt.
func (g *grants) denied(act ucan.Act, now time.Time) *reason.Refusal {
	r := reason.Refuse(reason.CapabilityDenied, "what was presented does not cover %.64q on this resource", act.Ability)
	r.Hint = g.how(act)
	required := map[string]any{"with": act.Resource, "can": act.Ability}
	if len(act.Args) > 0 {
		required["nb"] = act.Args
	}
	return r.With(map[string]any{"denial": Denial{
		Action: act.Ability, Resource: act.Resource, By: g.service.String(), Required: required, Fix: r.Hint,
		At: now.UTC().Format("2006-01-02T15:04:05.000Z"),
	}})
}

// Audited is a refusal of May whose receipt names the request, as the log does; other
// errors stay as they are.
func Audited(err error, request string) error {
	r, ok := err.(*reason.Refusal)
	if !ok {
		return err
	}
	d, ok := r.Details["denial"].(Denial)
	if !ok {
		return err
	}
	d.AuditID = request
	return r.With(map[string]any{"denial": d})
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
