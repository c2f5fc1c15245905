package board

import (
	"sync"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/core"
)

// touches remembers when the claims of a member were looked at last.
type touches struct {
	mu sync.Mutex
	at map[touch]time.Time
}

type touch struct {
	agent change.AgentID
	guild change.ID
}

// newTouches returns empty touches.
func newTouches() *touches { return &touches{at: map[touch]time.Time{}} }

// due reports whether it is time to look again, and notes that somebody does.
func (t *touches) due(agent change.AgentID, guild change.ID, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := touch{agent, guild}
	if last, ok := t.at[key]; ok && now.Sub(last) < touchRest {
		return false
	}
	if len(t.at) >= core.MaxMet {
		clear(t.at)
	}
	t.at[key] = now
	return true
}
