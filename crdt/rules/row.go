package rules

import (
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
)

// rows are the content kinds that this release judges, each with the row of its
// body (wire §8).
var rows = map[string]func(c *change.Change) error{
	change.KindEntryPut:     func(c *change.Change) error { _, err := body.ParseEntry(c.Body, c.Head.Space); return err },
	change.KindEntryRetract: func(c *change.Change) error { _, err := body.ParseRetract(c.Body, c.Head.Parents()); return err },
	change.KindDocEdit:      func(c *change.Change) error { _, err := ParseEdit(c); return err },
	change.KindVote:         func(c *change.Change) error { _, err := body.ParseVote(c.Body, c.Head.Parents()); return err },
	change.KindTaskAct:      func(c *change.Change) error { _, err := body.ParseTaskAct(c.Body); return err },
	change.KindBountyOpen:   func(c *change.Change) error { _, err := body.ParseBountyOpen(c.Body); return err },
	change.KindBountyAct:    func(c *change.Change) error { _, err := body.ParseBountyAct(c.Body, c.Head.Parents()); return err },
	change.KindMessage:      func(c *change.Change) error { _, err := body.ParseMessage(c.Body); return err },
	change.KindComment: func(c *change.Change) error {
		_, err := body.ParseComment(c.Body, c.Head.Space, c.Head.Parents())
		return err
	},
	change.KindLabel:  func(c *change.Change) error { _, err := body.ParseLabel(c.Body, c.Head.Parents()); return err },
	change.KindServed: func(c *change.Change) error { _, err := body.ParseServed(c.Body); return err },
}

// Row runs the row of a content kind over c's body as far as its bytes decide it;
// (*Judge).Row also asks what the proof of an edit reaches. A kind that this
// release does not judge has no row.
func Row(c *change.Change) error {
	if row := rows[c.Head.Kind]; row != nil {
		return row(c)
	}
	return nil
}

// HasEffect reports whether this release gives effect to changes of kind. The
// others are members that fold ignores (verdict unknown_kind on gossip).
func HasEffect(kind string) bool { return rows[kind] != nil || change.IsControl(kind) }
