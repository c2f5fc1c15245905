// Package judging runs the gate's detectors over what comes from others, and finds whom the
// owner's circle esteems: it decides what is shown, behind what, and what is blurred.
package judging

import (
	"sync/atomic"

	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/directory"
	"github.com/meshd/meshd/node/judged"
	"github.com/meshd/meshd/node/social"
	"github.com/meshd/meshd/node/team"
)

// Judging judges what came. It is safe for concurrent use.
type Judging struct {
	core      *core.Core
	directory *directory.Directory
	social    *social.Social
	team      *team.Teams
	Pending   *judged.Queue // what came and was not judged yet

	esteems       esteems
	savedVerdicts atomic.Int64 // how many were in the file last
}

// New returns the Judging of a node.
func New(c *core.Core, dir *directory.Directory, s *social.Social, teams *team.Teams) *Judging {
	return &Judging{core: c, directory: dir, social: s, team: teams, Pending: judged.NewQueue()}
}
