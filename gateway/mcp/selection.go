package mcp

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/meshd/meshd/gateway/endpoint"
)

// selection are the toolsets that the client at the other end of a pipe is shown, and how
// it is notified when they change.
type selection struct {
	mu     sync.Mutex
	sets   []endpoint.Toolset
	begun  bool // by initialize, in a revision in which notices need no subscription
	listen map[*listening]func()
}

// now are the sets of this moment.
func (s *selection) now() []endpoint.Toolset {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sets)
}

// add shows one more set, and notifies the client if it was not shown before.
func (s *selection) add(set endpoint.Toolset, send func(notice []byte)) {
	s.mu.Lock()
	if slices.Contains(s.sets, set) {
		s.mu.Unlock()
		return
	}
	s.sets = append(s.sets, set)
	var notices []func()
	if s.begun {
		notices = append(notices, func() { send(listChanged(nil)) })
	}
	for _, notify := range s.listen {
		notices = append(notices, notify)
	}
	s.mu.Unlock()
	for _, notify := range notices {
		notify()
	}
}

// begin notes that the client has said what it is by initialize.
func (s *selection) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun = true
}

// subscribe calls notify at every change until the returned function is called.
func (s *selection) subscribe(l *listening, notify func()) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listen == nil {
		s.listen = map[*listening]func(){}
	}
	s.listen[l] = notify
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.listen, l)
	}
}

// listChanged is the notice that the list of tools has changed, for the stream of changes
// that a request of that id opened, nil for none.
func listChanged(stream json.RawMessage) []byte {
	notice := map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "method": mcp.MethodNotificationToolsListChanged}
	if stream != nil {
		notice["params"] = map[string]any{"_meta": map[string]any{mcp.MetaKeySubscriptionID: stream}}
	}
	return mustEncode(notice)
}
