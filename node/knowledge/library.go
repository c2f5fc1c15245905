// Package knowledge reads entries: one, a selection, a search, those of a team, and the
// provenance of one.
package knowledge

import (
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/directory"
	"github.com/meshd/meshd/node/judging"
	"github.com/meshd/meshd/node/social"
	"github.com/meshd/meshd/node/writing"
)

// Library answers reads of entries. It is safe for concurrent use.
type Library struct {
	core      *core.Core
	judging   *judging.Judging
	directory *directory.Directory
	writing   *writing.Writer
	social    *social.Social
	Search    *Searcher // set when the node is opened
}

// New returns the Library of a node.
func New(c *core.Core, dir *directory.Directory, w *writing.Writer, s *social.Social, j *judging.Judging) *Library {
	return &Library{core: c, judging: j, directory: dir, writing: w, social: s}
}
