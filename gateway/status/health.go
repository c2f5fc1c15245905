package status

import (
	"time"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/trait"
)

// HealthReply says how the node is.
type HealthReply struct {
	Status       string            `json:"status" enum:"ok,degraded"`
	Healthy      bool              `json:"healthy"`
	Service      string            `json:"service"`
	Version      string            `json:"version"`
	Spec         map[string]string `json:"spec"`
	Uptime       int64             `json:"uptime" doc:"seconds"`
	Time         string            `json:"time"`
	Tools        int               `json:"tools"`
	Counts       HealthCounts      `json:"counts"`
	Knowledge    HealthKnowledge   `json:"knowledge"`
	Capabilities []string          `json:"capabilities"`
	RenderURL    *string           `json:"render_url"`
	Components   map[string]string `json:"components"`
}

// HealthCounts are live figures.
type HealthCounts struct {
	Tools            int `json:"tools"`
	Traits           int `json:"traits"`
	Targets          int `json:"targets"`
	KnowledgeEntries int `json:"knowledge_entries"`
	Agents           int `json:"agents"`
	Guilds           int `json:"guilds"`
	Deployments      int `json:"deployments"`
}

// HealthKnowledge counts the commons.
type HealthKnowledge struct {
	Entries int `json:"entries"`
	Domains int `json:"domains"`
}

// Health reports the node's state; ready is false when it should get no traffic.
func (s *Service) Health() (reply *HealthReply, ready bool) {
	checks := s.Ready()
	ready = checks.Ready
	counts, tools := s.mesh.Counts(), len(s.cfg.Tools)
	reply = &HealthReply{
		Status: "ok", Healthy: ready, Service: "meshd", Version: s.cfg.Version,
		Spec:   map[string]string{"platform": "6.0.4", "studio": "6.0.2"},
		Uptime: int64(s.access.Now().Sub(s.mesh.Started()) / time.Second), Time: call.Stamp(s.access.Now()), Tools: tools,
		Counts:       HealthCounts{Tools: tools, Traits: trait.Builtin().Len(), Targets: len(target.All()), KnowledgeEntries: counts.Entries, Agents: counts.Agents},
		Knowledge:    HealthKnowledge{counts.Entries, counts.Domains},
		Capabilities: []string{"mesh", "mcp", "compile", "render"}, Components: s.mesh.Components(),
	}
	if up, known := checks.Checks["database"]; known {
		reply.Components["database"] = "ok"
		if !up {
			reply.Components["database"] = "down"
		}
	}
	s.guarded(reply.Components)
	if !ready {
		reply.Status = "degraded"
	}
	for _, c := range reply.Components {
		if c == "degraded" || c == "down" {
			reply.Status = "degraded"
		}
	}
	return reply, ready
}

// MeshHealthReply is the short form.
type MeshHealthReply struct {
	Success   bool              `json:"success"`
	Status    string            `json:"status" enum:"ok,degraded"`
	Version   string            `json:"version"`
	Contracts map[string]string `json:"contracts"`
}

// MeshHealth is Health for clients of the mesh API.
func (s *Service) MeshHealth() *MeshHealthReply {
	h, _ := s.Health()
	return &MeshHealthReply{true, h.Status, h.Version, map[string]string{"entry": "1", "change": "1", "gate": "1"}}
}

// ReadyReply says whether the node wants traffic, and why not.
type ReadyReply struct {
	Ready  bool            `json:"ready"`
	Checks map[string]bool `json:"checks"`
}

// Ready reports readiness.
func (s *Service) Ready() *ReadyReply {
	checks, ready := s.mesh.Ready()
	if s.cfg.Checks != nil {
		for name, ok := range s.cfg.Checks() {
			checks[name] = ok
			ready = ready && ok
		}
	}
	return &ReadyReply{ready, checks}
}

// HealthzReply says how the node is, in short; Detail is for who runs it.
type HealthzReply struct {
	Status  string         `json:"status" enum:"ok,degraded"`
	Ready   bool           `json:"ready" doc:"as /readyz says"`
	Version string         `json:"version"`
	Uptime  int64          `json:"uptime" doc:"seconds"`
	Time    string         `json:"time"`
	Detail  *HealthzDetail `json:"detail" doc:"for admins and the owner, else null"`
}

// HealthzDetail is what is behind a HealthzReply.
type HealthzDetail struct {
	Checks     map[string]bool   `json:"checks"`
	Components map[string]string `json:"components"`
	Counts     HealthCounts      `json:"counts"`
	Streams    int               `json:"streams" doc:"open streams of events"`
	Incidents  []Incident        `json:"incidents" doc:"those that go on, newest first"`
	Breakers   []CircuitBreaker  `json:"breakers"`
}

// Healthz shows everybody in short how the node is, and who runs it why. It has
// no refusal: what is broken is reported, and is no reason to restart the node.
func (s *Service) Healthz(c call.Caller) *HealthzReply {
	h, ready := s.Health()
	reply := &HealthzReply{Status: h.Status, Ready: ready, Version: h.Version, Uptime: h.Uptime, Time: h.Time}
	if !s.access.RunsThis(c) {
		return reply
	}
	reply.Detail = &HealthzDetail{Checks: s.Ready().Checks, Components: h.Components, Counts: h.Counts, Streams: s.journal.Streams(),
		Incidents: []Incident{}, Breakers: s.breakers()}
	for _, i := range s.mesh.Incidents().All() {
		if i.Open() {
			reply.Detail.Incidents = append(reply.Detail.Incidents, incidentOf(i))
		}
	}
	return reply
}

// VersionReply names the program.
type VersionReply struct {
	Service string `json:"service"`
	Version string `json:"version"`
	Network string `json:"network"`
	NetID   string `json:"network_id"`
	DID     string `json:"service_did,omitempty" doc:"of this gateway, the audience of tokens"`
}

// Version names the program and its network.
func (s *Service) Version() *VersionReply {
	name, id := s.mesh.Network()
	return &VersionReply{"meshd", s.cfg.Version, name, id.String(), s.cfg.DID}
}
