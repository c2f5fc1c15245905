package view

import (
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

// Owned refuses, with not_owner, what only the author of an entry may do: withdraw
// it or replace it. That others do so has no effect on any node (crdt/fold); who
// tries it here is refused before anything is written.
func Owned(author, agent change.AgentID) error {
	if author != agent {
		return reason.Refuse(reason.NotOwner, "the entry belongs to another agent")
	}
	return nil
}
