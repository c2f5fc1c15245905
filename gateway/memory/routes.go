package memory

import (
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/view"
)

// needs is a right to a document, by an ability in its space.
func needs(can string) auth.Right { return auth.Right{On: auth.Document, Can: can} }

// ofScene is a right to the zones of a scene, by an ability there, and the lowest role that
// has it.
func ofScene(can, lowest string) auth.Right {
	return auth.Right{On: auth.Team, Part: view.ZonePrefix + "<scene>", Can: can, Role: lowest}
}

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	const path = "/api/crdt/{doc}"
	team := []reason.Code{reason.NotFound, reason.TeamNotFound, reason.NotAMember, reason.ZoneDenied, reason.InvalidParam, reason.NotReady}
	writes := append([]reason.Code{reason.NotOwner, reason.AgentNotFound, reason.Forbidden, reason.CapabilityMissing, reason.LimitReached, reason.VersionConflict}, team...)
	return []endpoint.Route{
		{Method: "POST", Path: path + "/ops", Summary: "Change a shared document by operations that merge", Needs: needs(ucan.DocEdit), Bucket: limit.Write,
			Body: MemoryOpsForm.Form, Reply: (*MemoryReply)(nil), Codes: append([]reason.Code{reason.MissingField, reason.SecretDetected, reason.CredentialEcho}, writes...),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				version, err := r.Version()
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Value(s.EditMemory(r.Context(), r.Caller, r.PathValue("doc"), MemoryOpsForm.Read(r.Values), version))
			}},
		{Method: "GET", Path: path + "/state", Summary: "What a shared document says, and the edits after a version vector", Needs: needs(ucan.MemoryRead), Bucket: limit.Read,
			Query: MemoryStateForm.Form, Reply: (*MemoryReply)(nil), Codes: team, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Memory(r.Context(), r.Caller, r.PathValue("doc"), MemoryStateForm.Read(r.Values)))
			}},
		{Method: "DELETE", Path: path, Summary: "Take everything out of a shared document", Needs: needs(ucan.SpatialDelete), Bucket: limit.Write,
			Reply: (*EmptiedReply)(nil), Codes: writes,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				version, err := r.Version()
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Value(s.Empty(r.Context(), r.Caller, r.PathValue("doc"), version))
			}},
		{Method: "GET", Path: "/api/crdt", Summary: "The shared documents of an agent or a team that the caller may read", Needs: needs(ucan.MemoryRead), Bucket: limit.Read,
			Query: ListForm.Form, Reply: (*DocumentsReply)(nil), List: true, Cache: endpoint.Private,
			Codes: []reason.Code{reason.MissingField, reason.InvalidParam, reason.InvalidCursor, reason.TeamNotFound, reason.NotAMember, reason.NotReady},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.List(r.Context(), r.Caller, ListForm.Read(r.Values)))
			}},
		{Method: "PUT", Path: path + "/zones", Summary: "Write the zones of a scene: who reads, writes and deletes what lies in them", Needs: ofScene(ucan.SpatialAdmin, role.Admin), Bucket: limit.Write,
			Body: ZonesForm.Form, Reply: (*ZonesReply)(nil), Codes: append([]reason.Code{reason.MissingField, reason.BodyTooLarge, reason.SceneNotFound, reason.SourceInvalid}, writes...),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				version, err := r.Version()
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Value(s.SetZones(r.Context(), r.Caller, r.PathValue("doc"), ZonesForm.Read(r.Values), version))
			}},
		{Method: "GET", Path: path + "/zones", Summary: "The zones of a scene that the caller has a right in; in full for who administers them", Needs: ofScene(ucan.SpatialRead, role.Viewer), Bucket: limit.Read,
			Reply: (*ZonesReply)(nil), Codes: team, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Zones(r.Context(), r.Caller, r.PathValue("doc")))
			}},
		{Method: "GET", Path: path + "/spot", Summary: "What the caller may do at a point of a scene, or in all of a box", Needs: ofScene(ucan.SpatialRead, role.Viewer), Bucket: limit.Read,
			Query: SpotForm.Form, Reply: (*SpotReply)(nil), Codes: team, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Spot(r.Context(), r.Caller, r.PathValue("doc"), SpotForm.Read(r.Values)))
			}},
	}
}
