package rest

import (
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/runtime"
)

// runtimeRoutes run programs of callers in bounded machines.
func runtimeRoutes() []route {
	const path = "/api/vm/runs"
	return []route{
		{method: "POST", path: path, summary: "Begin a hosted run of a source or of a compiled program", keyed: true, bucket: limit.Compile, body: runtime.VMRunForm,
			size: maxSource, timeout: timeCompile, reply: (*runtime.VMRunReply)(nil), status: http.StatusCreated,
			codes: []reason.Code{reason.MissingField, reason.BodyTooLarge, reason.SourceInvalid, reason.HzOutOfRange, reason.LimitReached, reason.Overloaded},
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Runs.BeginRun(r.Context(), r.caller, r.values)
				if err != nil {
					return answer{}, err
				}
				return created(reply, path+"/"+reply.ID), nil
			}},
		{method: "GET", path: path + "/{id}", summary: "A hosted run as it stands, with the log that replays it", keyed: true, bucket: limit.Read,
			reply: (*runtime.VMRunReply)(nil), codes: []reason.Code{reason.NotFound}, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Runs.Run(r.Context(), r.caller, r.PathValue("id")))
			}},
		{method: "POST", path: path + "/{id}/step", summary: "Let simulated time pass in a hosted run", keyed: true, bucket: limit.Compile, body: runtime.VMStepForm,
			timeout: timeCompile, reply: (*runtime.VMRunReply)(nil),
			codes: []reason.Code{reason.NotFound, reason.MissingField, reason.BadTransition, reason.LimitReached, reason.Overloaded},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Runs.StepRun(r.Context(), r.caller, r.PathValue("id"), r.values))
			}},
		{method: "POST", path: "/api/bt/run", summary: "Tick a behaviour tree until it succeeds or fails", keyed: true, bucket: limit.Compile, body: runtime.TreeRunForm,
			size: maxSource, timeout: timeCompile, reply: (*runtime.TreeRunReply)(nil),
			codes: []reason.Code{reason.MissingField, reason.BodyTooLarge, reason.SourceInvalid, reason.Overloaded},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Runs.RunTree(r.Context(), r.caller, r.values))
			}},
		{method: "DELETE", path: path + "/{id}", summary: "End a hosted run", keyed: true, bucket: limit.Write, status: http.StatusNoContent, codes: []reason.Code{reason.NotFound},
			handle: func(h *Handler, r *request) (answer, error) {
				return answer{status: http.StatusNoContent}, h.service.Runs.EndRun(r.Context(), r.caller, r.PathValue("id"))
			}},
	}
}
