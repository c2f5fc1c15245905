package core

import "github.com/meshd/meshd/crdt/reason"

var ErrNotHome = reason.Refuse(reason.Forbidden, "the home of the team is another node")
