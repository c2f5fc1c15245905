// Package guestbook is the notes that others leave at an agent, guests without a key too.
//
// A note of a guest waits in the state of this gateway until the owner approves it, and is signed then. Start
// with WriteNote and Guestbook.
package guestbook

import (
	"io"
	"log/slog"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/gateway/notice"
	"github.com/meshd/meshd/gateway/state"
)

// Config tunes a Service.
type Config struct {
	Random io.Reader    // source of the ids of notes that wait
	Log    *slog.Logger // records owners that were not notified; nil: nothing is logged
}

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh    Node
	access  *access.Service
	comment *comment.Service
	notice  *notice.Service
	state   *state.DB
	pages   call.Pages
	cfg     Config
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, a *access.Service, comments *comment.Service, notices *notice.Service, st *state.DB, pages call.Pages, cfg Config) *Service {
	return &Service{mesh: node, access: a, comment: comments, notice: notices, state: st, pages: pages, cfg: cfg}
}
