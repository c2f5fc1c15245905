// Package right decides who may do what in a space, by the capabilities in the log.
package right

import "github.com/meshd/meshd/node/core"

// Rights answers for capabilities. It is safe for concurrent use.
type Rights struct{ core *core.Core }

// New returns the Rights of a node.
func New(c *core.Core) *Rights { return &Rights{core: c} }
