// Package transfer imports and exports signed changes: one by one by the faces, and all
// of them by files.
package transfer

import (
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/judging"
	"github.com/meshd/meshd/node/knowledge"
	"github.com/meshd/meshd/node/peering"
	"github.com/meshd/meshd/node/social"
	"github.com/meshd/meshd/node/writing"
)

// Transfer moves changes. It is safe for concurrent use.
type Transfer struct {
	core      *core.Core
	judging   *judging.Judging
	writing   *writing.Writer
	knowledge *knowledge.Library
	peering   *peering.Peering
	social    *social.Social
}

// New returns the Transfer of a node.
func New(c *core.Core, w *writing.Writer, entries *knowledge.Library, peers *peering.Peering, s *social.Social, j *judging.Judging) *Transfer {
	return &Transfer{core: c, judging: j, writing: w, knowledge: entries, peering: peers, social: s}
}
