// Package health reports the state of a node: its peers, its disk, what is behind and what is broken.
package health

import (
	"sync/atomic"

	"github.com/meshd/meshd/node/account"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/disk"
	"github.com/meshd/meshd/node/document"
	"github.com/meshd/meshd/node/knowledge"
	"github.com/meshd/meshd/node/peering"
)

// Health reports on a node. It is safe for concurrent use.
type Health struct {
	core      *core.Core
	document  *document.Editor
	account   *account.Accounts
	knowledge *knowledge.Library
	peering   *peering.Peering

	disk    atomic.Pointer[disk.State] // nil before the first look
	stopped atomic.Bool                // store.readonly was published last
}

// New returns the Health of a node.
func New(c *core.Core, docs *document.Editor, accounts *account.Accounts, entries *knowledge.Library, peers *peering.Peering) *Health {
	return &Health{core: c, document: docs, account: accounts, knowledge: entries, peering: peers}
}
