package log

import (
	"bytes"
	"context"
	"errors"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/rules"
)

// recent keeps members decoded that others are judged by.
type recent struct {
	*records
	members *cache[change.ID, *change.Change] // content kinds, without bodies
	control *cache[change.ID, *change.Change] // control kinds, whole
}

func newRecent(stored *records) recent {
	return recent{stored, newCache[change.ID, *change.Change](memberBytes), newCache[change.ID, *change.Change](controlBytes)}
}

var _ rules.Past = (*Log)(nil)

// Member returns a member for those who judge others by it, nil when id is none.
// Its body is there for control kinds only. Recent ones and those of control
// kinds come from memory; the change is shared and read-only.
func (l *recent) Member(id change.ID) (*change.Change, error) {
	if c, ok := l.control.get(id); ok {
		return c, nil
	}
	if c, ok := l.members.get(id); ok {
		return c, nil
	}
	ctx := context.Background()
	p, err := l.locate(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c, _, err := l.readHead(ctx, p)
	if err != nil {
		return nil, err
	}
	if change.LaneOf(c.Head.Kind) == change.Control {
		b, err := l.readBody(ctx, p, c)
		if err != nil {
			return nil, err
		}
		if b.state != Present {
			return nil, &DamageError{ID: id, Seq: p.seq, Part: "body", Err: errAbsent}
		}
		c.Body = b.body
	}
	l.remember(c)
	return c, nil
}

// remember keeps c decoded for Member, without a body that nobody asks it for,
// and on bytes of its own: those of c may be part of a whole frame.
func (l *recent) remember(c *change.Change) {
	m := &change.Change{ID: c.ID, Head: c.Head, RawHead: bytes.Clone(c.RawHead)}
	if change.LaneOf(c.Head.Kind) == change.Control {
		m.Body = bytes.Clone(c.Body)
		l.control.put(c.ID, m, len(m.RawHead)+len(m.Body)+keptOverhead)
		return
	}
	l.members.put(c.ID, m, len(m.RawHead)+keptOverhead)
}
