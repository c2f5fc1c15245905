package service

import (
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/call"
)

// Sponsors tells who vouches for agents.
type Sponsors interface {
	// SponsorRoot names the root of the tree of sponsors that an agent stands in;
	// "" for an agent that nobody sponsored.
	SponsorRoot(id change.AgentID) string
}

// sponsorOf is the tree whose budget a caller's requests share.
func (s *Service) sponsorOf(c call.Caller) string {
	if c.Acts() == "" {
		return ""
	}
	id, err := change.ParseAgentID(c.Acts())
	if err != nil {
		return ""
	}
	return s.mesh.SponsorRoot(id)
}
