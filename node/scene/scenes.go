// Package scene is the scenes of agents, and the traits of pages by which agents are
// found.
package scene

import (
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/directory"
	"github.com/meshd/meshd/node/document"
)

// Scenes keeps scenes. It is safe for concurrent use.
type Scenes struct {
	core      *core.Core
	directory *directory.Directory
	document  *document.Editor
	traits    Traits
}

// New returns the Scenes of a node.
func New(c *core.Core, dir *directory.Directory, docs *document.Editor) *Scenes {
	return &Scenes{core: c, directory: dir, document: docs}
}
