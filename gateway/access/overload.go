package access

import (
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/limit"
)

// writing are the buckets of requests that append to the log.
var writing = map[limit.Bucket]bool{
	limit.Write: true, limit.Contribute: true, limit.Comment: true, limit.Vote: true, limit.Message: true,
	limit.Report: true, limit.Register: true, limit.Quickstart: true, limit.Guestbook: true,
}

// Unburdened refuses a request of a bucket that writes while the views are more
// than five seconds behind with what was written here: more would only put them
// further back. What strangers send does not count, or the loudest could silence
// this node. Reads go on, and state their age.
func (s *Service) Unburdened(b limit.Bucket) error {
	if lag := s.mesh.WriteLag(); writing[b] && lag > maxIngestLag {
		return reason.Refuse(reason.Overloaded, "this node is %d s behind with what was written; try again", int(lag.Seconds())).
			With(map[string]any{"retry_after": int(lag.Seconds())})
	}
	return nil
}
