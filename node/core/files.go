package core

import "github.com/meshd/meshd/node/descriptors"

// FilesStatus is how the files that the process may have open are shared.
type FilesStatus struct {
	Limit int `json:"limit"`
	Store int `json:"store"`
	Peers int `json:"peers"` // connections
	HTTP  int `json:"http"`  // connections
}

func (n *Core) Files() descriptors.Share { return descriptors.Here(n.Config().P2P.ConnectionsHigh) }

func (n *Core) FilesStatus() FilesStatus {
	s := n.Files()
	return FilesStatus{Limit: s.Limit, Store: s.Store, Peers: s.Peers, HTTP: s.HTTP}
}
