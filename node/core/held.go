package core

import (
	"log/slog"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/events"
)

// Verdict is the Data of change.refused, change.held and change.deferred.
type Verdict struct {
	Code reason.Code // why it was refused, held or deferred
	From string      // peer that sent it, "door" for the API, or ""
}

// LogAttrs are the facts for the log.
func (v Verdict) LogAttrs() []slog.Attr {
	out := []slog.Attr{slog.String("code", string(v.Code))}
	if v.From != "" {
		out = append(out, slog.String("from", v.From))
	}
	return out
}

// NotShown publishes an entry that this node keeps without showing it.
func (n *Core) NotShown(id change.ID, code reason.Code) {
	n.Bus.Publish(events.Event{Kind: events.ChangeHeld, Object: id.Text(change.PrefixChange), Data: Verdict{Code: code}})
}
