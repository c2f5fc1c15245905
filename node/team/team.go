// Package team is guilds and teams: their members and roles, their pages, messages
// between members, and the rights of viewers.
package team

import (
	"sync"

	"github.com/meshd/meshd/node/account"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/directory"
	"github.com/meshd/meshd/node/document"
	"github.com/meshd/meshd/node/right"
	"github.com/meshd/meshd/node/writing"
)

// Teams keeps guilds and teams. It is safe for concurrent use.
type Teams struct {
	core      *core.Core
	directory *directory.Directory
	right     *right.Rights
	writing   *writing.Writer
	document  *document.Editor
	account   *account.Accounts
	viewers   sync.Mutex // held while message rights of viewers are settled
}

// New returns the Teams of a node.
func New(c *core.Core, dir *directory.Directory, rights *right.Rights, w *writing.Writer, docs *document.Editor, accounts *account.Accounts) *Teams {
	return &Teams{core: c, directory: dir, right: rights, writing: w, document: docs, account: accounts}
}
