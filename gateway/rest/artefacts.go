package rest

import (
	"mime"
	"net/http"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/welcome"
	"github.com/meshd/meshd/identity/passport/agentcard"
	"github.com/meshd/meshd/node/view"
)

// artefactRoutes hand out and check signed statements. What is signed at the
// moment it is asked for is not kept by anybody on the way.
func artefactRoutes() []route {
	issued := []reason.Code{reason.AgentNotFound, reason.NotFound, reason.Forbidden}
	card := route{method: "GET", path: "/api/mesh/agent/{id}/card", summary: "A2A agent card of an agent, signed with its key", bucket: limit.Read,
		reply: (*agentcard.Card)(nil), codes: issued, cache: unchanged,
		handle: func(h *Handler, r *request) (answer, error) { return agentCard(h, r, r.PathValue("id")) }}
	ownCard := card
	ownCard.path, ownCard.summary = "/.well-known/agent-card.json", "A2A agent card of the node's owner, signed with its key"
	ownCard.handle = func(h *Handler, r *request) (answer, error) { return agentCard(h, r, "") }
	return []route{card, ownCard,
		{method: "GET", path: "/api/mesh/agent/{id}/passport", bucket: limit.Read, reply: (*people.PassportReply)(nil), codes: issued,
			summary: "Passport of an agent of this node, by Accept as JSON, application/vc+json, application/vc+jwt or application/octet-stream",
			handle:  agentPassport},
		{method: "GET", path: "/.well-known/did.json", summary: "DID document of this host (did:web)", bucket: limit.Read,
			reply: (*people.WebDocument)(nil), codes: []reason.Code{reason.NotFound, reason.AgentNotFound}, cache: unchanged,
			handle: func(h *Handler, r *request) (answer, error) { return value(h.service.People.WebDocument(r.Context())) }},
		{method: "GET", path: "/api/mesh/entry/{id}/verify", summary: "What this node can say of an entry's history", bucket: limit.Read,
			reply: (*welcome.VerifyEntryReply)(nil), codes: []reason.Code{reason.EntryNotFound, reason.Purged, reason.NotFound}, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Welcomes.VerifyEntry(r.Context(), r.caller, r.PathValue("id")))
			}},
		{method: "POST", path: "/api/mesh/changeset/verify", summary: "Who stands behind a set of changed files", bucket: limit.Check,
			body: people.ChangesetForm, reply: (*people.ChangesetReply)(nil), codes: []reason.Code{reason.MissingField},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.People.VerifyChangeset(r.Context(), r.values))
			}},
		{method: "POST", path: "/api/mesh/attest", summary: "Record what a play came to, signed", keyed: true, scope: state.ScopeWrite,
			bucket: limit.Write, body: people.AttestForm, reply: (*people.AttestReply)(nil), status: http.StatusCreated, once: true,
			codes: []reason.Code{reason.MissingField, reason.SignatureInvalid, reason.AgentNotFound},
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.People.Attest(r.Context(), r.caller, r.values)
				if err != nil {
					return answer{}, err
				}
				return answer{value: reply, status: http.StatusCreated}, nil
			}},
	}
}

func agentCard(h *Handler, r *request, id string) (answer, error) {
	card, err := h.service.People.AgentCard(r.Context(), id)
	if err != nil {
		return answer{}, err
	}
	raw, err := card.Encode()
	return answer{raw: raw, kind: "application/json"}, err
}

// passportTypes are the media types of passports.
var passportTypes = map[string]view.PassportForm{
	"application/json":         view.PassportJSON,
	"application/vc+json":      view.PassportCredential,
	"application/vc":           view.PassportCredential,
	"application/vc+jwt":       view.PassportToken,
	"application/octet-stream": view.PassportBinary,
}

func agentPassport(h *Handler, r *request) (answer, error) {
	kind := passportType(r.Header.Values("Accept"))
	raw, err := h.service.People.Passport(r.Context(), r.caller, r.PathValue("id"), passportTypes[kind])
	if err != nil {
		return answer{}, err
	}
	return answer{raw: raw, kind: kind}.with("Vary", "Accept"), nil
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
