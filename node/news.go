package node

import crdtlog "github.com/meshd/meshd/crdt/log"

// released shows what admission held: it is judged and announced as if it came now.
func (n *Node) released(r crdtlog.Record) {
	n.Arrived(r.Change, false)
	for _, d := range n.DeltasOf(r) {
		n.Announce(d, r.Change.ID, n.Log.LastSeq())
	}
}
