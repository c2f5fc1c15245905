package rest

import (
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/memory"
	"github.com/meshd/meshd/gateway/stream"
)

// memoryRoutes are shared documents that programs keep what they know in.
func memoryRoutes() []route {
	const path = "/api/crdt/{doc}"
	team := []reason.Code{reason.NotFound, reason.TeamNotFound, reason.NotAMember, reason.InvalidParam, reason.NotReady}
	return []route{
		{method: "POST", path: path + "/ops", summary: "Change a shared document by operations that merge", keyed: true, tokens: true, bucket: limit.Write,
			body: memory.MemoryOpsForm, reply: (*memory.MemoryReply)(nil),
			codes: append([]reason.Code{reason.MissingField, reason.NotOwner, reason.AgentNotFound, reason.SecretDetected, reason.CredentialEcho, reason.LimitReached, reason.VersionConflict}, team...),
			handle: func(h *Handler, r *request) (answer, error) {
				version, err := ifMatch(r.Header.Get("If-Match"))
				if err != nil {
					return answer{}, err
				}
				return value(h.service.Memory.EditMemory(r.Context(), r.caller, r.PathValue("doc"), r.values, version))
			}},
		{method: "GET", path: path + "/state", summary: "What a shared document says, and the edits after a version vector", keyed: true, bucket: limit.Read,
			query: memory.MemoryStateForm, reply: (*memory.MemoryReply)(nil), codes: team, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Memory.Memory(r.Context(), r.caller, r.PathValue("doc"), r.values))
			}},
		{method: "GET", path: path + "/events", summary: "What happens to a shared document, as server-sent events", keyed: true, bucket: limit.Read,
			query: stream.EventsForm, stream: true, kind: eventStream, codes: append([]reason.Code{reason.InvalidToken}, team...),
			raw: func(h *Handler, w http.ResponseWriter, r *http.Request) {
				h.streamEvents(w, r, func(h *Handler, r *http.Request, c call.Caller) (*stream.Channel, error) {
					return h.service.Streams.MemoryChannel(r.Context(), c, r.PathValue("doc"))
				})
			}},
	}
}
