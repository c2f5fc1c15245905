// Package eventlog writes the events of a node into its log. The publishers know
// nothing of the log; what an operator looks for is at the level info, what explains
// one change or one pass at debug. Lines name ids and codes, never contents or the
// addresses of people.
package eventlog

import (
	"context"
	"log/slog"

	"github.com/meshd/meshd/node/events"
)

// line is how one kind is written.
type line struct {
	level slog.Level
	text  string
	id    string // attribute name of Event.Object, or ""
}

// lines are the kinds that are written. Those of the views (entries, guilds,
// bounties) are no operator's business and follow from the change anyway.
var lines = map[events.Kind]line{
	events.PeerConnected:    {slog.LevelInfo, "peer connected", "peer"},
	events.PeerDisconnected: {slog.LevelInfo, "peer disconnected", "peer"},
	events.StoreReadonly:    {slog.LevelWarn, "store is read-only", ""},
	events.StoreWritable:    {slog.LevelInfo, "store is writable again", ""},
	events.ConfigReloaded:   {slog.LevelInfo, "settings in force", ""},
	events.ChangePurged:     {slog.LevelInfo, "change purged", "change"},
	events.KeyRecovered:     {slog.LevelInfo, "agent recovered", "agent"},
	events.SyncDone:         {slog.LevelDebug, "pass ended", "peer"},
	events.ChangeAppended:   {slog.LevelDebug, "change stored", "change"},
	events.ChangeRefused:    {slog.LevelDebug, "change refused", "change"},
	events.ChangeHeld:       {slog.LevelDebug, "change not shown", "change"},
	events.ChangeDeferred:   {slog.LevelDebug, "change waits for its past", "change"},
}

// Attrs is what the Data of an event may offer to its line.
type Attrs interface {
	// LogAttrs are facts of the event, without contents or secrets.
	LogAttrs() []slog.Attr
}

// waiting is how many events may wait to be written: log lines of a second and more.
const waiting = 2048

// Serve writes events of bus into log until ctx ends or the bus closes. It listens
// from its call on; ready, when it is not nil, is called once it does. When events
// come faster than they can be written the oldest are dropped, and a line says how
// many.
func Serve(ctx context.Context, bus *events.Bus, log *slog.Logger, ready func()) {
	mask := events.Kind(0)
	for kind, l := range lines {
		if log.Enabled(ctx, l.level) {
			mask |= kind
		}
	}
	sub := bus.SubscribeLossy(mask, waiting)
	defer sub.Close()
	if ready != nil {
		ready()
	}
	dropped := uint64(0)
	for {
		select {
		case <-ctx.Done():
			return
		case e, open := <-sub.C():
			if !open {
				return
			}
			write(ctx, log, e)
			if d := sub.Dropped(); d > dropped {
				log.Warn("events not logged", "count", d-dropped)
				dropped = d
			}
		}
	}
}

func write(ctx context.Context, log *slog.Logger, e events.Event) {
	l, ok := lines[e.Kind]
	if !ok {
		return
	}
	var attrs []slog.Attr
	if l.id != "" && e.Object != "" {
		attrs = append(attrs, slog.String(l.id, e.Object))
	}
	if e.Space != "" {
		attrs = append(attrs, slog.String("space", e.Space))
	}
	if d, ok := e.Data.(Attrs); ok {
		attrs = append(attrs, d.LogAttrs()...)
	}
	log.LogAttrs(ctx, l.level, l.text, attrs...)
}
