package market

import (
	"context"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Tools are the tools of this room.
func Tools(s *Service) []endpoint.Tool {
	return []endpoint.Tool{
		{
			Name: "get_entry", Set: endpoint.Network, Quotes: []string{"title", "content", "evidence", "source", "metadata", "receipt"}, Title: "Read one entry", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Read: true, Paid: true, Bucket: limit.Read, Form: endpoint.OfID.Form,
			Help:   "One entry in full, with its proof. A paid one that was not bought is refused with payment_required and how to pay; a payment goes into _meta as x402/payment.",
			Output: knowledge.EntryReply{}, Run: func(ctx context.Context, c *endpoint.Call) (any, error) { return runEntry(ctx, s, c) },
		},
	}
}

func runEntry(ctx context.Context, s *Service, c *endpoint.Call) (any, error) {
	reply, receipt, err := s.EntryFor(ctx, c.Caller, c.ID(), c.Payment)
	if err != nil {
		return nil, err
	}
	c.Receipt = receipt
	return reply, nil
}
