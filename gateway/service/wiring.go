package service

import (
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/board"
	"github.com/meshd/meshd/gateway/bounty"
	"github.com/meshd/meshd/gateway/capability"
	"github.com/meshd/meshd/gateway/changes"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/escrow"
	"github.com/meshd/meshd/gateway/guestbook"
	"github.com/meshd/meshd/gateway/journal"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/market"
	"github.com/meshd/meshd/gateway/memory"
	"github.com/meshd/meshd/gateway/moderation"
	"github.com/meshd/meshd/gateway/notice"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/status"
	"github.com/meshd/meshd/gateway/stream"
	"github.com/meshd/meshd/gateway/team"
	"github.com/meshd/meshd/gateway/trail"
	"github.com/meshd/meshd/gateway/visit"
	"github.com/meshd/meshd/gateway/welcome"
	"github.com/meshd/meshd/node"
)

// Node is what all rooms together need of a node, and the stream of events.
type Node interface {
	access.Node
	account.Node
	board.Node
	bounty.Node
	capability.Node
	changes.Node
	comment.Node
	credit.Node
	escrow.Node
	guestbook.Node
	knowledge.Node
	market.Node
	memory.Node
	moderation.Node
	notice.Node
	people.Node
	profile.Node
	status.Node
	stream.Node
	team.Node
	trail.Node
	visit.Node
	welcome.Node
	journal.Source
}

// The node of this program is one for each room.
var (
	_ access.Node     = (*node.Node)(nil)
	_ account.Node    = (*node.Node)(nil)
	_ board.Node      = (*node.Node)(nil)
	_ bounty.Node     = (*node.Node)(nil)
	_ capability.Node = (*node.Node)(nil)
	_ escrow.Node     = (*node.Node)(nil)
	_ comment.Node    = (*node.Node)(nil)
	_ changes.Node    = (*node.Node)(nil)
	_ credit.Node     = (*node.Node)(nil)
	_ guestbook.Node  = (*node.Node)(nil)
	_ knowledge.Node  = (*node.Node)(nil)
	_ market.Node     = (*node.Node)(nil)
	_ memory.Node     = (*node.Node)(nil)
	_ moderation.Node = (*node.Node)(nil)
	_ notice.Node     = (*node.Node)(nil)
	_ people.Node     = (*node.Node)(nil)
	_ profile.Node    = (*node.Node)(nil)
	_ status.Node     = (*node.Node)(nil)
	_ stream.Node     = (*node.Node)(nil)
	_ team.Node       = (*node.Node)(nil)
	_ trail.Node      = (*node.Node)(nil)
	_ visit.Node      = (*node.Node)(nil)
	_ welcome.Node    = (*node.Node)(nil)
)
