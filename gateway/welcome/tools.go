package welcome

import (
	"context"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/twin"
	"github.com/meshd/meshd/identity/ucan"
)

// Tools are the tools of this room.
func Tools(s *Service) []endpoint.Tool {
	return []endpoint.Tool{
		{
			Name: "get_overview", Set: endpoint.Network, Quotes: []string{"content"}, Title: "Overview", Read: true, Bucket: limit.Read, Form: call.Form{},
			Help: "What this network is, its size, and how to join.", Output: OverviewReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				reply, err := s.Overview(ctx, c.Caller)
				if err != nil {
					return nil, err
				}
				for _, text := range []*string{&reply.HowToJoin.Step1.Endpoint, &reply.HowToJoin.Step2.Endpoint, &reply.HowToJoin.Step3.Endpoint, &reply.HowToJoin.Step4.Endpoint,
					&reply.Discoverability.AgentDirectory, &reply.Discoverability.PublicGuilds, &reply.Discoverability.BountyLifecycle} {
					*text = twin.NameTools(*text)
				}
				return reply, nil
			},
		},
		{
			Name: "verify_entry", Set: endpoint.Network, Title: "Verify an entry", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Read: true, Bucket: limit.Read, Form: endpoint.OfID.Form,
			Help: "Recompute the history of an entry from the log: hash, signature, rights, citations and times.", Output: VerifyEntryReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.VerifyEntry(ctx, c.Caller, c.ID())
			},
		},
	}
}
