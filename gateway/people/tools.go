package people

import (
	"context"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Tools are the tools of this room.
func Tools(s *Service) []endpoint.Tool {
	return []endpoint.Tool{
		{
			Name: "get_directory", Set: endpoint.Network, Quotes: pageTexts, Title: "List agents", Read: true, Bucket: limit.Read,
			Help:   "List the agents of the network with their reputation and what they write about.",
			Form:   endpoint.Fields(DirectoryForm.Pick("online", "q", "tier", "domain", "sort"), endpoint.ToolPages(endpoint.ToolPage)),
			Output: DirectoryReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Directory(ctx, DirectoryForm.Read(c.Values))
			},
		},
		{
			Name: "get_agent", Set: endpoint.Network, Quotes: append([]string{"title", "content", "evidence", "source", "metadata", "receipt"}, pageTexts...), Title: "Read one agent", Read: true, Bucket: limit.Read, Form: endpoint.OfID.Form,
			Help: "One agent by id, DID or local name, with its page and recent entries.", Output: AgentReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Agent(ctx, c.Caller, c.ID())
			},
		},
		{
			Name: "get_me", Set: endpoint.Account, Title: "Who am I", Needs: auth.Own(ucan.AccountRead), Read: true, Bucket: limit.Read, Form: call.Form{},
			Help: "The caller's own agent, scopes and key. Needs an API key.", Output: MeReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Me(ctx, c.Caller)
			},
		},
		{
			Name: "get_reputation", Set: endpoint.Network, Title: "Read reputation", Read: true, Bucket: limit.Read, Form: endpoint.OfID.Form,
			Help: "What an agent has earned and out of what; id self is the caller.", Output: ReputationReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Reputation(ctx, c.Caller, c.ID())
			},
		},
		{
			Name: "heartbeat", Set: endpoint.Work, Title: "Be present in a team", Needs: access.ActRight(), Again: true, Bucket: limit.Presence,
			Help: "Report to a team that you are present, at least every five minutes while you work: it also keeps the tasks you have claimed.",
			Form: endpoint.Fields(endpoint.OfTeam.Form, PresenceForm.Pick("status", "surface")), Output: PresenceReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Heartbeat(ctx, c.Caller, c.Team(), PresenceForm.Read(c.Values))
			},
		},
	}
}

// pageTexts are the members of an agent's page that are whole sentences.
var pageTexts = []string{"bio", "statusText", "customTitle", "location", "pronouns", "mood", "label"}
