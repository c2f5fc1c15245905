package people

import (
	"mime"
	"net/http"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/passport"
	"github.com/meshd/meshd/identity/passport/agentcard"
	"github.com/meshd/meshd/identity/ucan"
)

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	agent := endpoint.Route{Method: "GET", Path: "/api/mesh/agent/{id}", Summary: "One agent with its page and recent entries", Bucket: limit.Read,
		Reply: (*AgentReply)(nil), Codes: []reason.Code{reason.AgentNotFound}, Cache: endpoint.Private,
		Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.Agent(r.Context(), r.Caller, r.ID()))
		}}
	issued := []reason.Code{reason.AgentNotFound, reason.NotFound, reason.Forbidden}
	card := endpoint.Route{Method: "GET", Path: "/api/mesh/agent/{id}/card", Summary: "A2A agent card of an agent, signed with its key", Bucket: limit.Read,
		Reply: (*agentcard.Card)(nil), Codes: issued, Cache: endpoint.Unchanged,
		Handle: func(r *endpoint.Request) (endpoint.Answer, error) { return serveCard(s, r, r.ID()) }}
	ownCard := card.At("/.well-known/agent-card.json")
	ownCard.Summary = "A2A agent card of the node's owner, signed with its key"
	ownCard.Handle = func(r *endpoint.Request) (endpoint.Answer, error) { return serveCard(s, r, "") }
	return []endpoint.Route{
		agent, agent.At("/api/mesh/agent/{id}/profile"), card, ownCard,
		{Method: "GET", Path: "/api/mesh/agent/{id}/passport", Bucket: limit.Read, Reply: (*PassportReply)(nil), Codes: issued,
			Summary: "Passport of an agent of this node, by Accept as JSON, application/vc+json, application/vc+jwt or application/octet-stream",
			Handle:  func(r *endpoint.Request) (endpoint.Answer, error) { return servePassport(s, r) }},
		{Method: "POST", Path: "/api/mesh/passport/verify", Summary: "Whether a passport is good, in any of its forms", Bucket: limit.Check,
			Body: PassportVerifyForm.Form, Size: maxPassportBody, Reply: (*PassportVerdict)(nil), Codes: []reason.Code{reason.MissingField},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.VerifyPassport(r.Context(), PassportVerifyForm.Read(r.Values)))
			}},
		{Method: "GET", Path: "/.well-known/did.json", Summary: "DID document of this host (did:web)", Bucket: limit.Read,
			Reply: (*WebDocument)(nil), Codes: []reason.Code{reason.NotFound, reason.AgentNotFound}, Cache: endpoint.Unchanged,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) { return endpoint.Value(s.WebDocument(r.Context())) }},
		{Method: "POST", Path: "/api/mesh/changeset/verify", Summary: "Who stands behind a set of changed files", Bucket: limit.Check,
			Body: ChangesetForm.Form, Reply: (*ChangesetReply)(nil), Codes: []reason.Code{reason.MissingField},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.VerifyChangeset(r.Context(), ChangesetForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/attest", Summary: "Record what a play came to, signed, and run it again when its program is sent", Needs: auth.Own(ucan.ProofWrite),
			Bucket: limit.Write, Body: AttestForm.Form, Size: endpoint.MaxSourceBody, Timeout: endpoint.CompileTime, Reply: (*AttestReply)(nil),
			Status: http.StatusCreated, Once: true,
			Codes: []reason.Code{reason.MissingField, reason.SignatureInvalid, reason.AgentNotFound, reason.AttestationMismatch, reason.SourceInvalid, reason.Overloaded},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.Attest(r.Context(), r.Caller, AttestForm.Read(r.Values))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Answer{Value: reply, Status: http.StatusCreated}, nil
			}},
		{Method: "GET", Path: "/api/mesh/me", Summary: "Who the caller is", Needs: auth.Own(ucan.AccountRead), Bucket: limit.Read, Reply: (*MeReply)(nil), Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) { return endpoint.Value(s.Me(r.Context(), r.Caller)) }},
		{Method: "GET", Path: "/api/mesh/agents", Summary: "List agents in short", Bucket: limit.Read, Query: DirectoryForm.Form,
			Reply: (*AgentsReply)(nil), Codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor, reason.TeamNotFound}, List: true, Cache: endpoint.Shared,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Agents(r.Context(), DirectoryForm.Read(r.Values)))
			}},
		{Method: "GET", Path: "/api/mesh/agent/{id}/knowledge", Summary: "Entries of one agent; self is the caller", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Bucket: limit.Read, Query: AuthorForm.Form,
			Reply: (*knowledge.FeedReply)(nil), Codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor, reason.AgentNotFound, reason.AuthRequired}, List: true, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.AgentKnowledge(r.Context(), r.Caller, r.ID(), AuthorForm.Read(r.Values)))
			}},
		{Method: "GET", Path: "/api/mesh/peers", Summary: "Whom this node knows", Bucket: limit.Read, Reply: (*PeersReply)(nil), Cache: endpoint.Shared,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) { return endpoint.Answer{Value: s.Peers()}, nil }},
		{Method: "GET", Path: "/api/mesh/directory", Summary: "List agents", Bucket: limit.Read, Query: DirectoryForm.Form,
			Reply: (*DirectoryReply)(nil), Codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor}, List: true, Cache: endpoint.Shared,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Directory(r.Context(), DirectoryForm.Read(r.Values)))
			}},
		{Method: "GET", Path: "/api/mesh/agent/{id}/reputation", Summary: "What an agent has earned, and out of what", Bucket: limit.Read,
			Reply: (*ReputationReply)(nil), Codes: []reason.Code{reason.AgentNotFound}, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Reputation(r.Context(), r.Caller, r.ID()))
			}},
		{Method: "GET", Path: "/api/mesh/me/reputation", Summary: "What the caller has earned", Needs: auth.Own(ucan.AccountRead), Bucket: limit.Read,
			Reply: (*ReputationReply)(nil), Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Reputation(r.Context(), r.Caller, "self"))
			}},
		{Method: "GET", Path: "/api/mesh/leaderboard", Summary: "Who leads, and where most happens", Bucket: limit.Read, Query: LeaderboardForm.Form,
			Reply: (*LeaderboardReply)(nil), Codes: []reason.Code{reason.InvalidParam}, Cache: endpoint.Shared,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Leaderboard(r.Context(), r.Caller, LeaderboardForm.Read(r.Values)))
			}},
		{Method: "GET", Path: "/api/mesh/dashboard", Summary: "How the caller's work fares", Needs: auth.Own(ucan.AccountRead), Bucket: limit.Read,
			Reply: (*DashboardReply)(nil), Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Dashboard(r.Context(), r.Caller))
			}},
		endpoint.InTeam(endpoint.Route{Method: "POST", Path: "/presence", Summary: "A heartbeat: the caller is there", Needs: access.ActRight(), Bucket: limit.Presence, Body: PresenceForm.Form,
			Reply: (*PresenceReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Heartbeat(r.Context(), r.Caller, r.ID(), PresenceForm.Read(r.Values)))
			}}),
		endpoint.InTeam(endpoint.Route{Method: "GET", Path: "/presence", Summary: "Who is there", Needs: access.Right(access.TeamRead), Bucket: limit.Read, Reply: (*PresenceReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Presence(r.Context(), r.Caller, r.ID()))
			}}),
	}
}

func serveCard(s *Service, r *endpoint.Request, id string) (endpoint.Answer, error) {
	card, err := s.AgentCard(r.Context(), id)
	if err != nil {
		return endpoint.Answer{}, err
	}
	raw, err := card.Encode()
	return endpoint.Answer{Raw: raw, Kind: "application/json"}, err
}

// passportTypes are the media types of passports.
var passportTypes = map[string]passport.Form{
	"application/json":         passport.FormJSON,
	"application/vc+json":      passport.FormCredential,
	"application/vc":           passport.FormCredential,
	"application/vc+jwt":       passport.FormToken,
	"application/octet-stream": passport.FormBinary,
}

func servePassport(s *Service, r *endpoint.Request) (endpoint.Answer, error) {
	kind := passportType(r.Header.Values("Accept"))
	raw, err := s.Passport(r.Context(), r.Caller, r.ID(), passportTypes[kind])
	if err != nil {
		return endpoint.Answer{}, err
	}
	return endpoint.Answer{Raw: raw, Kind: kind}.With("Vary", "Accept"), nil
}

// passportType is the first media type of an Accept that a passport has, and JSON
// when none is named.
func passportType(accept []string) string {
	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		kind, params, err := mime.ParseMediaType(part)
		if err != nil || params["q"] == "0" {
			continue
		}
		if _, ok := passportTypes[kind]; ok {
			return kind
		}
	}
	return "application/json"
}
