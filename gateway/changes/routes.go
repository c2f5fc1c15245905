package changes

import (
	"strconv"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

const mediaCBOR = "application/cbor"

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	const path = "/api/mesh/changes"
	return []endpoint.Route{
		{Method: "POST", Path: path, Summary: "Bring changes that prove themselves; each counts against its author's budget", Bucket: limit.Write, Proves: true,
			Media: mediaCBOR, Size: endpoint.MaxChangesBody, Reply: (*ChangesReply)(nil), Codes: []reason.Code{reason.BadEncoding},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.TakeChanges(r.Context(), r.Caller, r.Body))
			}},
		{Method: "GET", Path: path, Summary: "The changes of a space in order of arrival, as an array of [head, body]; X-Mesh-Next says where to go on", Needs: auth.Right{On: auth.Commons, Can: ucan.EntryRead},
			Bucket: limit.Read, Query: ChangesForm.Form, Kind: mediaCBOR, Cache: endpoint.Private,
			Codes: []reason.Code{reason.InvalidParam, reason.TeamNotFound, reason.NotAMember},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				raw, next, err := s.Changes(r.Context(), r.Caller, ChangesForm.Read(r.Values))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Answer{Raw: raw, Kind: mediaCBOR}.With("X-Mesh-Next", strconv.FormatUint(next, 10)), nil
			}},
	}
}
