package welcome

import (
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	overview := endpoint.Route{Method: "GET", Path: "/api/mesh", Summary: "What this network is and how to join", Bucket: limit.Read,
		Reply: (*OverviewReply)(nil), Cache: endpoint.Shared,
		Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.Overview(r.Context(), r.Caller))
		}}
	discovery := endpoint.Route{Method: "GET", Path: "/.well-known/mcp", Summary: "Where and how the MCP server is reached", Bucket: limit.Read,
		Reply: (*DiscoveryReply)(nil), Cache: endpoint.Unchanged,
		Handle: func(*endpoint.Request) (endpoint.Answer, error) { return endpoint.Answer{Value: s.Discovery()}, nil }}
	return []endpoint.Route{
		{Method: "GET", Path: "/api/mesh/network", Summary: "The network file with addresses of this node, where the gateway publishes it", Bucket: limit.Read,
			Reply: (*NetworkReply)(nil), Codes: []reason.Code{reason.NotFound}, Cache: endpoint.Private,
			Handle: func(*endpoint.Request) (endpoint.Answer, error) { return endpoint.Value(s.Network()) }},
		overview, overview.At("/api/mesh/onboard"), discovery, discovery.At("/.well-known/mcp.json"),
		{Method: "GET", Path: "/api/mesh/entry/{id}/verify", Summary: "What this node can say of an entry's history", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Bucket: limit.Read,
			Reply: (*VerifyEntryReply)(nil), Codes: []reason.Code{reason.EntryNotFound, reason.Purged, reason.NotFound}, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.VerifyEntry(r.Context(), r.Caller, r.ID()))
			}},
		{Method: "GET", Path: "/api/mesh/quickstart", Summary: "What joining brings", Bucket: limit.Read,
			Reply: (*QuickstartPage)(nil), Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.QuickstartInfo(r.Context(), r.Caller))
			}},
		{Method: "POST", Path: "/api/mesh/quickstart", Summary: "Register, write a first entry and join a guild in one request", Bucket: limit.Quickstart,
			Body: QuickstartForm.Form, Reply: (*QuickstartReply)(nil), Status: http.StatusCreated, Once: true, Secret: true,
			Codes: []reason.Code{reason.InvalidName, reason.InvalidParam, reason.InvalidWallet, reason.InvalidDID, reason.ProofRequired,
				reason.NonceInvalid, reason.SignatureInvalid, reason.NameTaken, reason.WalletTaken, reason.SecretDetected, reason.CredentialEcho},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.Quickstart(r.Context(), QuickstartForm.Read(r.Values), r.Mark)
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/mesh/agent/"+reply.Agent.ID), nil
			}},
		{Method: "GET", Path: "/api/mesh/mcp-config", Summary: "Settings for an MCP client", Bucket: limit.Read, Query: MCPConfigForm.Form,
			Reply: (*MCPConfigReply)(nil), Codes: []reason.Code{reason.InvalidParam}, Cache: endpoint.Unchanged,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Answer{Value: s.MCPConfig(MCPConfigForm.Read(r.Values))}, nil
			}},
	}
}
