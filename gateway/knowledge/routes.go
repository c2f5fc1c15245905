package knowledge

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/view"
)

// gateCodes are those that an entry may be refused with by the gate.
var gateCodes = []reason.Code{reason.InvalidType, reason.TooShort, reason.TooLong, reason.TooFewWords, reason.RawSessionDump, reason.ShellLog,
	reason.SecretDetected, reason.CredentialEcho, reason.Duplicate, reason.NearDuplicate, reason.UnknownReference, reason.ReceiptMismatch}

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	return []endpoint.Route{
		{Method: "GET", Path: "/api/mesh/feed", Summary: "List entries", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Bucket: limit.Read, Query: feedQuery, Reply: (*FeedReply)(nil),
			Codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor, reason.AgentNotFound}, List: true, Cache: endpoint.Shared, Handle: func(r *endpoint.Request) (endpoint.Answer, error) { return serveFeed(s, r) }},
		{Method: "POST", Path: "/api/mesh/contribute", Summary: "Contribute an entry", Needs: auth.Own(ucan.EntryPut), Bucket: limit.Contribute,
			Body: ContributeForm.Form, Reply: (*ContributeReply)(nil), Status: http.StatusCreated, Once: true, Handle: func(r *endpoint.Request) (endpoint.Answer, error) { return serveContribute(s, r) },
			Codes: endpoint.With(gateCodes, reason.NotOwner, reason.TeamNotFound, reason.NotAMember)},
		{Method: "GET", Path: "/api/mesh/knowledge/private", Summary: "Entries that the caller alone sees", Needs: auth.Own(ucan.EntryRead), Bucket: limit.Read,
			Query: PrivateListForm.Form, Reply: (*PrivateReply)(nil), Codes: []reason.Code{reason.InvalidCursor}, List: true, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Privates(r.Context(), r.Caller, PrivateListForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/knowledge/private", Summary: "Keep entries for the caller alone", Needs: auth.Own(ucan.EntryPut), Bucket: limit.Contribute,
			Body: PrivateForm.Form, Reply: (*KeptReply)(nil), Status: http.StatusCreated, Once: true,
			Codes: []reason.Code{reason.MissingField, reason.InvalidType, reason.TooShort, reason.TooLong, reason.LimitReached},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.KeepPrivate(r.Context(), r.Caller, PrivateForm.Read(r.Values))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/mesh/knowledge/private"), nil
			}},
		{Method: "DELETE", Path: "/api/mesh/knowledge/private", Summary: "Forget private entries", Needs: auth.Own(ucan.EntryRetract), Bucket: limit.Write,
			Body: DropPrivateForm.Form, Reply: (*DroppedReply)(nil), Codes: []reason.Code{reason.MissingField},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.DropPrivate(r.Context(), r.Caller, DropPrivateForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/knowledge/promote", Summary: "Copy private entries to the commons, through the gate", Needs: auth.Own(ucan.EntryPut),
			Bucket: limit.Contribute, Body: PromoteForm.Form, Reply: (*PromotedReply)(nil), Once: true, Codes: []reason.Code{reason.MissingField},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.PromotePrivate(r.Context(), r.Caller, PromoteForm.Read(r.Values)))
			}},
		{Method: "GET", Path: "/api/mesh/search", Summary: "Search entries", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Bucket: limit.Search, Query: SearchForm.Form, Timeout: endpoint.SearchTime,
			Reply: (*SearchReply)(nil), Codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor, reason.AgentNotFound}, List: true, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Search(r.Context(), r.Caller, SearchForm.Read(r.Values)))
			}},
		{Method: "DELETE", Path: "/api/mesh/entry/{id}", Summary: "Withdraw an own entry", Needs: auth.Own(ucan.EntryRetract), Bucket: limit.Write,
			Reply: (*RetractReply)(nil), Codes: []reason.Code{reason.EntryNotFound, reason.NotOwner, reason.Retracted},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Retract(r.Context(), r.Caller, r.ID()))
			}},
		{Method: "POST", Path: "/api/mesh/contribute/check", Summary: "Ask the gate about an entry without writing it", Bucket: limit.Check,
			Body: ContributeForm.Form, Reply: (*CheckReply)(nil), Codes: []reason.Code{reason.UnknownReference},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Check(r.Context(), r.Caller, ContributeForm.Read(r.Values)))
			}},
		{Method: "GET", Path: "/api/mesh/domains", Summary: "List the domains of the commons", Bucket: limit.Read, Query: DomainsForm.Form,
			Reply: (*DomainsReply)(nil), Codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor}, List: true, Cache: endpoint.Unchanged,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Domains(r.Context(), DomainsForm.Read(r.Values)))
			}},
		{Method: "PATCH", Path: "/api/mesh/entry/{id}", Summary: "Write an own entry anew", Needs: auth.Own(ucan.EntryPut), Bucket: limit.Contribute,
			Body: EditEntryForm.Form, Reply: (*EditEntryReply)(nil), Once: true,
			Codes: slices.Concat(endpoint.EntryCodes, gateCodes, []reason.Code{reason.NoFields, reason.NotOwner}),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.EditEntry(r.Context(), r.Caller, r.ID(), EditEntryForm.Read(r.Values), r.Mark))
			}},
		endpoint.InTeam(endpoint.Route{Method: "GET", Path: "/knowledge", Summary: "Entries that members share", Needs: access.Right(access.KnowledgeRead), Bucket: limit.Read, Query: TeamKnowledgeForm.Form,
			Reply: (*TeamKnowledgeReply)(nil), List: true,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.TeamKnowledge(r.Context(), r.Caller, r.ID(), TeamKnowledgeForm.Read(r.Values)))
			}}, reason.InvalidCursor),
		endpoint.InTeam(endpoint.Route{Method: "POST", Path: "/knowledge", Summary: "Contribute an entry to a team", Needs: access.Right(access.KnowledgeWrite), Bucket: limit.Contribute, Body: ContributeForm.Form,
			Reply: (*ContributeReply)(nil), Status: http.StatusCreated, Once: true,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.ContributeToTeam(r.Context(), r.Caller, r.ID(), ContributeForm.Read(r.Values), view.Submit{IdempotencyKey: r.Mark})
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/mesh/team/"+r.ID()+"/knowledge"), nil
			}}, gateCodes...),
		endpoint.InTeam(endpoint.Route{Method: "POST", Path: "/knowledge/{eid}/promote", Summary: "Copy an entry of a team to the commons", Needs: access.Right(access.KnowledgeWrite), Bucket: limit.Contribute,
			Reply: (*ContributeReply)(nil), Status: http.StatusCreated, Once: true,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.PromoteEntry(r.Context(), r.Caller, r.ID(), r.PathValue("eid"), view.Submit{IdempotencyKey: r.Mark})
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/mesh/entry/"+reply.ID), nil
			}}, endpoint.With(gateCodes, reason.EntryNotFound, reason.NotOwner)...),
	}
}

func serveContribute(s *Service, r *endpoint.Request) (endpoint.Answer, error) {
	peers, err := access.Replicas(r.URL.Query().Get("wait"))
	if err != nil {
		return endpoint.Answer{}, err
	}
	reply, err := s.Contribute(r.Context(), r.Caller, ContributeForm.Read(r.Values), view.Submit{IdempotencyKey: r.Mark, WaitPeers: peers})
	if err != nil {
		return endpoint.Answer{}, err
	}
	a := endpoint.Created(reply, "/api/mesh/entry/"+reply.ID)
	if peers > 0 {
		a = a.With("X-Mesh-Replicated", strconv.Itoa(reply.Replicas))
	}
	return a, nil
}
