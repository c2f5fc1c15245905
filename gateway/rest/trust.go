package rest

import (
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/capability"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/state"
)

// trustRoutes give and take rights.
func trustRoutes() []route {
	rights := []reason.Code{reason.InvalidParam, reason.MissingField, reason.InvalidDID, reason.CapabilityMissing, reason.AttenuationViolation,
		reason.CapabilityDenied, reason.Forbidden, reason.NotFound}
	return append([]route{
		{method: "POST", path: "/api/mesh/capabilities", summary: "Give a key rights of the caller", keyed: true, scope: state.ScopeKeys, bucket: limit.Write,
			body: capability.DelegateForm, reply: (*capability.CapabilityReply)(nil), status: http.StatusCreated, once: true, codes: rights,
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Capabilities.Delegate(r.Context(), r.caller, r.values)
				if err != nil {
					return answer{}, err
				}
				return created(reply, "/api/mesh/capabilities"), nil
			}},
		{method: "GET", path: "/api/mesh/capabilities", summary: "Rights the caller gave and got", keyed: true, bucket: limit.Read,
			reply: (*capability.CapabilitiesReply)(nil), cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Capabilities.Capabilities(r.Context(), r.caller))
			}},
		{method: "POST", path: "/api/mesh/capabilities/{cid}/revoke", summary: "Take rights back, with a cut", keyed: true, scope: state.ScopeKeys,
			bucket: limit.Write, body: capability.RevokeForm, reply: (*capability.RevokeReply)(nil), once: true, codes: rights,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Capabilities.RevokeCapability(r.Context(), r.caller, r.PathValue("cid"), r.values))
			}},
		{method: "POST", path: "/api/mesh/capabilities/verify", summary: "What a token allows", bucket: limit.Challenge,
			body: capability.VerifyCapabilityForm, reply: (*capability.VerifyCapabilityReply)(nil), codes: []reason.Code{reason.MissingField},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Capabilities.VerifyCapability(r.Context(), r.values))
			}},
		{method: "POST", path: "/api/mesh/capabilities/endorse", summary: "Take changes back in that lie beyond a cut", keyed: true, scope: state.ScopeKeys,
			bucket: limit.Write, body: capability.EndorseForm, reply: (*capability.EndorseReply)(nil), once: true,
			codes: append([]reason.Code{reason.UnknownReference, reason.NotAMember}, rights...),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Capabilities.Endorse(r.Context(), r.caller, r.values))
			}},
		{method: "GET", path: "/api/mesh/identity/rotate", summary: "What is signed to take an agent over to another key", bucket: limit.Read,
			query: account.RotationQuery, reply: (*account.RotationReply)(nil), cache: private,
			codes: []reason.Code{reason.InvalidDID, reason.InvalidParam, reason.AgentNotFound, reason.AuthRequired},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Accounts.Rotation(r.Context(), r.caller, r.values))
			}},
		{method: "POST", path: "/api/mesh/identity/rotate", summary: "Take an agent over to another key; the change proves itself", bucket: limit.Challenge,
			body: account.RotateIdentityForm, reply: (*account.RotatedReply)(nil),
			codes: []reason.Code{reason.InvalidParam, reason.BadEncoding, reason.RotationInvalid, reason.BadChangeSignature, reason.MissingDeps,
				reason.BadSequence, reason.BlobMismatch, reason.ChangeTooLarge},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Accounts.RotateIdentity(r.Context(), r.values))
			}},
		{method: "POST", path: "/api/mesh/identity/device", summary: "Make a key here for an agent that lives on another node", keyed: true, bucket: limit.Write,
			reply: (*account.DeviceReply)(nil), status: http.StatusCreated, codes: []reason.Code{reason.Forbidden},
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Accounts.NewDevice(r.Context(), r.caller)
				if err != nil {
					return answer{}, err
				}
				return created(reply, ""), nil
			}},
	}, teamRoutes()...)
}
