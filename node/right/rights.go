// Package right is who may do what in a space, as the log's capabilities have it.
package right

import "github.com/meshd/meshd/node/core"

// Rights answers for capabilities. It is safe for concurrent use.
type Rights struct{ core *core.Core }

// New returns the Rights of a node.
func New(c *core.Core) *Rights { return &Rights{core: c} }
