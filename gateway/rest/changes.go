package rest

import (
	"strconv"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/changes"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/state"
)

const mediaCBOR = "application/cbor"

// changeRoutes carry changes as they were signed, for agents that sign elsewhere.
func changeRoutes() []route {
	const path = "/api/mesh/changes"
	return []route{
		{method: "POST", path: path, summary: "Bring changes that prove themselves; each counts against its author's budget", bucket: limit.Write, proves: true,
			media: mediaCBOR, size: maxChangesBody, reply: (*changes.ChangesReply)(nil), codes: []reason.Code{reason.BadEncoding},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Changes.TakeChanges(r.Context(), r.caller, r.body))
			}},
		{method: "GET", path: path, summary: "The changes of a space in order of arrival, as an array of [head, body]; X-Mesh-Next says where to go on", keyed: true,
			scope: state.ScopeRead, bucket: limit.Read, query: changes.ChangesForm, kind: mediaCBOR, cache: private,
			codes: []reason.Code{reason.InvalidParam, reason.TeamNotFound, reason.NotAMember},
			handle: func(h *Handler, r *request) (answer, error) {
				raw, next, err := h.service.Changes.Changes(r.Context(), r.caller, r.values)
				if err != nil {
					return answer{}, err
				}
				return answer{raw: raw, kind: mediaCBOR}.with("X-Mesh-Next", strconv.FormatUint(next, 10)), nil
			}},
	}
}
