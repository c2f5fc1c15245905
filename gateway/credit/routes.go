package credit

import (
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	return []endpoint.Route{
		{Method: "GET", Path: "/api/mesh/transactions", Summary: "Lines of the caller's account", Needs: auth.OwnPart("credits", ucan.CreditRead), Bucket: limit.Read, Query: TransactionsForm.Form,
			Reply: (*TransactionsReply)(nil), Codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor}, List: true, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) { return serveTransactions(s, r) }},
		{Method: "GET", Path: "/api/credits", Summary: "The caller's account", Needs: auth.OwnPart("credits", ucan.CreditRead), Bucket: limit.Read, Reply: (*CreditsReply)(nil), Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Credits(r.Context(), r.Caller))
			}},
		{Method: "POST", Path: "/api/admin/credits/grant", Summary: "Give an agent credits; for who runs the gateway", Bucket: limit.Write,
			Body: GrantForm.Form, Reply: (*GrantReply)(nil), Once: true, Codes: []reason.Code{reason.AgentNotFound, reason.NotFound},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.GrantCredits(r.Context(), r.Caller, GrantForm.Read(r.Values), r.Mark))
			}},
	}
}

// serveTransactions answers in JSON, or with a table for a spreadsheet.
func serveTransactions(s *Service, r *endpoint.Request) (endpoint.Answer, error) {
	asked := TransactionsForm.Read(r.Values)
	reply, err := s.Transactions(r.Context(), r.Caller, asked)
	if err != nil || asked.Format != "csv" {
		return endpoint.Value(reply, err)
	}
	raw, err := reply.CSV()
	a := endpoint.Answer{Raw: raw, Kind: "text/csv; charset=utf-8"}.Download("transactions.csv")
	if reply.NextCursor != nil {
		a = a.With("X-Next-Cursor", *reply.NextCursor)
	}
	return a, err
}
