package runtime

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
	const path = "/api/vm/runs"
	return []endpoint.Route{
		{Method: "POST", Path: path, Summary: "Begin a hosted run of a source or of a compiled program", Needs: auth.Own(ucan.SkillRun), Bucket: limit.Compile, Body: VMRunForm.Form,
			Size: endpoint.MaxSourceBody, Timeout: endpoint.CompileTime, Reply: (*VMRunReply)(nil), Status: http.StatusCreated,
			Codes: []reason.Code{reason.MissingField, reason.BodyTooLarge, reason.SourceInvalid, reason.HzOutOfRange, reason.LimitReached, reason.Overloaded},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.BeginRun(r.Context(), r.Caller, VMRunForm.Read(r.Values))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, path+"/"+reply.ID), nil
			}},
		{Method: "GET", Path: path + "/{id}", Summary: "A hosted run as it stands, with the log that replays it", Needs: auth.Own(ucan.SkillRun), Bucket: limit.Read,
			Reply: (*VMRunReply)(nil), Codes: []reason.Code{reason.NotFound}, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Run(r.Context(), r.Caller, r.ID()))
			}},
		{Method: "POST", Path: path + "/{id}/step", Summary: "Let simulated time pass in a hosted run", Needs: auth.Own(ucan.SkillRun), Bucket: limit.Compile, Body: VMStepForm.Form,
			Timeout: endpoint.CompileTime, Reply: (*VMRunReply)(nil),
			Codes: []reason.Code{reason.NotFound, reason.MissingField, reason.BadTransition, reason.LimitReached, reason.Overloaded},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.StepRun(r.Context(), r.Caller, r.ID(), VMStepForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/bt/run", Summary: "Tick a behaviour tree until it succeeds or fails", Needs: auth.Own(ucan.SkillRun), Bucket: limit.Compile, Body: TreeRunForm.Form,
			Size: endpoint.MaxSourceBody, Timeout: endpoint.CompileTime, Reply: (*TreeRunReply)(nil),
			Codes: []reason.Code{reason.MissingField, reason.BodyTooLarge, reason.SourceInvalid, reason.Overloaded},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.RunTree(r.Context(), r.Caller, TreeRunForm.Read(r.Values)))
			}},
		{Method: "DELETE", Path: path + "/{id}", Summary: "End a hosted run", Needs: auth.Own(ucan.SkillRun), Bucket: limit.Write, Status: http.StatusNoContent, Codes: []reason.Code{reason.NotFound},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Done(s.EndRun(r.Context(), r.Caller, r.ID()))
			}},
	}
}
