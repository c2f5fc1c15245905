// Package passport makes signed statements about agents that a node speaks for: passports and
// cards.
package passport

import (
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/directory"
)

// Passports signs statements. It is safe for concurrent use.
type Passports struct {
	core      *core.Core
	directory *directory.Directory
}

// New returns the Passports of a node.
func New(c *core.Core, dir *directory.Directory) *Passports {
	return &Passports{core: c, directory: dir}
}
