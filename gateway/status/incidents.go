package status

import (
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/market"
	"github.com/meshd/meshd/node/incident"
)

// Incident is a time in which a part of the node or its gateway did not work.
type Incident struct {
	ID        uint64  `json:"id"`
	Component string  `json:"component"`
	State     string  `json:"state" enum:"open,closed"`
	Cause     string  `json:"cause" doc:"of the newest failure"`
	Failures  int     `json:"failures"`
	OpenedAt  string  `json:"opened_at"`
	LastAt    string  `json:"last_at" doc:"the newest failure"`
	ClosedAt  *string `json:"closed_at"`
}

// CircuitBreaker is how the guard of a component stands.
type CircuitBreaker struct {
	Component string  `json:"component"`
	State     string  `json:"state" enum:"closed,open,half_open"`
	Failures  int     `json:"failures" doc:"in a row"`
	RetryAt   *string `json:"retry_at" doc:"when an open one lets a call through again"`
}

// IncidentsReply are the incidents since the node began, newest first.
type IncidentsReply struct {
	Success   bool             `json:"success"`
	Incidents []Incident       `json:"incidents"`
	Breakers  []CircuitBreaker `json:"breakers"`
	Count     int              `json:"count"`
	Total     int              `json:"total"`
}

// IncidentsRequest selects incidents.
type IncidentsRequest struct {
	call.Request
	State string `field:"state"`
	Limit int    `field:"limit"`
}

// IncidentsForm reads an IncidentsRequest.
var IncidentsForm = call.Define[IncidentsRequest](call.Form{
	{Name: "state", Enum: []string{"open", "closed"}, Help: "Only those that go on, or only those that are over."},
	{Name: "limit", Kind: call.Int, Min: 1, Max: incident.Kept, Default: incidentsPage, Help: "How many at most, the newest ones."},
})

func incidentOf(i incident.Incident) Incident {
	out := Incident{ID: i.ID, Component: i.Component, State: "open", Cause: i.Cause, Failures: i.Failures, OpenedAt: call.Stamp(i.Opened), LastAt: call.Stamp(i.Last),
		ClosedAt: call.StampOrNil(i.Closed)}
	if !i.Open() {
		out.State = "closed"
	}
	return out
}

// breakers are all guards as they stand.
func (s *Service) breakers() []CircuitBreaker {
	out := []CircuitBreaker{}
	for _, r := range s.mesh.Incidents().Readings() {
		out = append(out, CircuitBreaker{r.Component, string(r.State), r.Failures, call.StampOrNil(r.RetryAt)})
	}
	return out
}

// AdminIncidents lists what broke, for who runs the gateway.
func (s *Service) AdminIncidents(c call.Caller, r IncidentsRequest) (*IncidentsReply, error) {
	if !s.access.RunsThis(c) {
		return nil, access.NoSuchPath()
	}
	reply := &IncidentsReply{Success: true, Incidents: []Incident{}, Breakers: s.breakers()}
	for _, i := range s.mesh.Incidents().All() {
		out := incidentOf(i)
		if r.State != "" && r.State != out.State {
			continue
		}
		if reply.Total++; len(reply.Incidents) < r.Limit {
			reply.Incidents = append(reply.Incidents, out)
		}
	}
	reply.Count = len(reply.Incidents)
	return reply, nil
}

// guarded adds what breakers guard to how the parts of the node are.
func (s *Service) guarded(components map[string]string) {
	components[market.FacilitatorPart] = "off"
	if s.cfg.Facilitator {
		components[market.FacilitatorPart] = "ok"
	}
	for _, r := range s.mesh.Incidents().Readings() {
		switch r.State {
		case incident.Opened:
			components[r.Component] = "down"
		case incident.HalfOpen:
			components[r.Component] = "degraded"
		}
	}
}
