package rest

import (
	"net/http"
	"sync"
	"time"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/state"
)

// kept remembers replies of lists that many callers ask for, as the bytes that
// were sent. A reply is used again for the same question of the same class of
// callers while the log has not grown and for a second at most: what changes
// without the log, such as a body that arrived late, a purge or the hour, is seen
// after that second.
//
// The class is the whole of what a reply may depend on: callers without a right
// to read are one class, because they are shown the same; any other agent is a
// class of its own, so nothing that one may read is ever sent to another.
type kept struct {
	mu      sync.RWMutex // guards the rest
	seq     uint64
	replies map[keptKey]keptReply
	bytes   int
}

type keptKey struct {
	path, query string
	class       string
}

type keptReply struct {
	reply state.Reply
	until time.Time
}

// keyOf is the question of a request, false when its reply is not kept: other
// than the shared lists, or with a query so long that somebody invents them.
func keyOf(r *http.Request, rt *route, c call.Caller) (keptKey, bool) {
	if rt.Cache != endpoint.Shared || rt.Handle == nil || rt.Method != http.MethodGet || len(r.URL.RawQuery) > maxKeptQuery || len(r.URL.Path) > maxKeptQuery {
		return keptKey{}, false
	}
	class, ok := c.Class()
	return keptKey{path: r.URL.Path, query: r.URL.RawQuery, class: class}, ok
}

// find returns a reply that may be sent again.
func (k *kept) find(key keptKey, seq uint64, now time.Time) (state.Reply, bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	found, ok := k.replies[key]
	if !ok || k.seq != seq || !now.Before(found.until) {
		return state.Reply{}, false
	}
	return found.reply, true
}

// put remembers a reply that was made from the views at seq or later.
func (k *kept) put(key keptKey, reply state.Reply, seq uint64, now time.Time) {
	size := len(reply.Body) + len(key.query) + len(key.class) + keptOverhead
	if reply.Status != http.StatusOK || size > maxKeptReply {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if seq < k.seq {
		return // the log has grown since the question was asked
	}
	if seq > k.seq || k.replies == nil || k.bytes+size > maxKeptBytes {
		k.replies, k.bytes, k.seq = make(map[keptKey]keptReply), 0, seq
	}
	if old, ok := k.replies[key]; ok {
		k.bytes -= len(old.reply.Body) + len(key.query) + len(key.class) + keptOverhead
	}
	k.replies[key] = keptReply{reply, now.Add(keptTime)}
	k.bytes += size
}
