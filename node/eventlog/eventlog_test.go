package eventlog

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/meshd/meshd/node/events"
)

type facts []slog.Attr

func (f facts) LogAttrs() []slog.Attr { return f }

// run publishes events while the log listens, and returns what it wrote.
func run(t *testing.T, level slog.Level, published ...events.Event) string {
	t.Helper()
	var out bytes.Buffer
	bus := events.New(events.Config{})
	ready, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		Serve(t.Context(), bus, slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: level})), func() { close(ready) })
	}()
	<-ready
	for _, e := range published {
		bus.Publish(e)
	}
	bus.Close()
	<-done
	return out.String()
}

func TestLevels(t *testing.T) {
	t.Parallel()
	for kind, l := range lines {
		e := events.Event{Kind: kind, Object: "an-id", Space: "commons/go", Data: facts{slog.String("code", "why")}}
		got := run(t, l.level, e)
		for _, want := range []string{l.text, "level=" + l.level.String(), "space=commons/go", "code=why"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s is written as %q, without %q", kind, got, want)
			}
		}
		if l.id != "" && !strings.Contains(got, l.id+"=an-id") {
			t.Errorf("%s is written without its object: %q", kind, got)
		}
		if got := run(t, l.level+1, e); got != "" {
			t.Errorf("%s is written above its level: %q", kind, got)
		}
	}
}

func TestUnknownKindsAndDataAreQuiet(t *testing.T) {
	t.Parallel()
	if got := run(t, slog.LevelDebug, events.Event{Kind: events.EntryCreated, Object: "ent_x"}); got != "" {
		t.Errorf("wrote %q", got)
	}
	got := run(t, slog.LevelDebug, events.Event{Kind: events.PeerConnected, Object: "p", Data: "a text that nobody may read"})
	if strings.Contains(got, "nobody") || !strings.Contains(got, "peer=p") {
		t.Errorf("wrote %q", got)
	}
}
