package memory

import (
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	const path = "/api/crdt/{doc}"
	team := []reason.Code{reason.NotFound, reason.TeamNotFound, reason.NotAMember, reason.InvalidParam, reason.NotReady}
	return []endpoint.Route{
		{Method: "POST", Path: path + "/ops", Summary: "Change a shared document by operations that merge", Needs: auth.Right{On: auth.Document, Can: ucan.DocEdit}, Bucket: limit.Write,
			Body: MemoryOpsForm.Form, Reply: (*MemoryReply)(nil),
			Codes: append([]reason.Code{reason.MissingField, reason.NotOwner, reason.AgentNotFound, reason.SecretDetected, reason.CredentialEcho, reason.LimitReached, reason.VersionConflict}, team...),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				version, err := r.Version()
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Value(s.EditMemory(r.Context(), r.Caller, r.PathValue("doc"), MemoryOpsForm.Read(r.Values), version))
			}},
		{Method: "GET", Path: path + "/state", Summary: "What a shared document says, and the edits after a version vector", Needs: auth.Right{On: auth.Document, Can: ucan.MemoryRead}, Bucket: limit.Read,
			Query: MemoryStateForm.Form, Reply: (*MemoryReply)(nil), Codes: team, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Memory(r.Context(), r.Caller, r.PathValue("doc"), MemoryStateForm.Read(r.Values)))
			}},
	}
}
