package service

import (
	"slices"

	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/board"
	"github.com/meshd/meshd/gateway/bounty"
	"github.com/meshd/meshd/gateway/capability"
	"github.com/meshd/meshd/gateway/changes"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/guestbook"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/market"
	"github.com/meshd/meshd/gateway/memory"
	"github.com/meshd/meshd/gateway/moderation"
	"github.com/meshd/meshd/gateway/notice"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/runtime"
	"github.com/meshd/meshd/gateway/scene"
	"github.com/meshd/meshd/gateway/status"
	"github.com/meshd/meshd/gateway/stream"
	"github.com/meshd/meshd/gateway/team"
	"github.com/meshd/meshd/gateway/trail"
	"github.com/meshd/meshd/gateway/visit"
	"github.com/meshd/meshd/gateway/welcome"
)

// Routes are the endpoints of every room. Those of a Service without rooms describe
// the API and may not be run.
func (s *Service) Routes() []endpoint.Route {
	return slices.Concat(
		welcome.Routes(s.Welcomes), account.Routes(s.Accounts), profile.Routes(s.Profiles), capability.Routes(s.Capabilities),
		knowledge.Routes(s.Knowledge), market.Routes(s.Market), comment.Routes(s.Comments), guestbook.Routes(s.Guestbooks), people.Routes(s.People), notice.Routes(s.Notices), visit.Routes(s.Visits),
		team.Routes(s.Teams), board.Routes(s.Boards), bounty.Routes(s.Bounties), credit.Routes(s.Credits),
		scene.Routes(s.Scenes), runtime.Routes(s.Runs), memory.Routes(s.Memory), changes.Routes(s.Changes), trail.Routes(s.Trails),
		stream.Routes(s.Streams), moderation.Routes(s.Moderation), status.Routes(s.Status),
	)
}

// Tools are the tools of every room, in the order clients see. Those of a Service
// without rooms describe them and may not be run.
func (s *Service) Tools() []endpoint.Tool {
	return slices.Concat(
		account.Tools(s.Accounts), knowledge.Tools(s.Knowledge), market.Tools(s.Market), people.Tools(s.People), profile.Tools(s.Profiles), welcome.Tools(s.Welcomes),
		comment.Tools(s.Comments), guestbook.Tools(s.Guestbooks), notice.Tools(s.Notices), visit.Tools(s.Visits),
		scene.Tools(s.Scenes), team.Tools(s.Teams), memory.Tools(s.Memory), board.Tools(s.Boards), bounty.Tools(s.Bounties),
	)
}
