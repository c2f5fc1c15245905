package welcome

import (
	"fmt"

	"github.com/meshd/meshd/crdt/reason"
)

// NetworkReply is what a node needs to join the network by this gateway's node.
type NetworkReply struct {
	Success bool   `json:"success"`
	Name    string `json:"name" doc:"of the network"`
	Network string `json:"network" doc:"its id"`
	File    string `json:"file" doc:"the network file: its genesis, and addresses of this node and of others"`
}

// Network gives the network file to newcomers: not_found when this gateway does not
// publish it.
func (s *Service) Network() (*NetworkReply, error) {
	if s.cfg.NetworkFile == nil {
		refusal := reason.Refuse(reason.NotFound, "this gateway does not publish its network file")
		refusal.Hint = "ask its operator for an invitation (meshd invite), or to set gateway.publish_network"
		return nil, refusal
	}
	file, err := s.cfg.NetworkFile()
	if err != nil {
		return nil, fmt.Errorf("write network file: %w", err)
	}
	name, id := s.mesh.Network()
	return &NetworkReply{Success: true, Name: name, Network: id.String(), File: file}, nil
}
