package capability

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
	granting := []reason.Code{reason.InvalidParam, reason.MissingField, reason.InvalidDID, reason.CapabilityMissing, reason.AttenuationViolation,
		reason.CapabilityDenied, reason.Forbidden, reason.NotFound}
	unsound := []reason.Code{reason.InvalidToken, reason.TokenExpired, reason.TokenNotYetValid, reason.SignatureInvalid, reason.KeyRevoked, reason.ChainInvalid, reason.ProofMissing}
	return []endpoint.Route{
		{Method: "POST", Path: "/api/mesh/capabilities", Summary: "Give a key rights of the caller", Needs: auth.ByKey(ucan.CapabilityAct, auth.DelegatesItself), Bucket: limit.Write,
			Body: DelegateForm.Form, Reply: (*CapabilityReply)(nil), Status: http.StatusCreated, Once: true,
			Codes: append([]reason.Code{reason.UnsupportedConstruct, reason.LimitReached}, granting...),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.Delegate(r.Context(), r.Caller, DelegateForm.Read(r.Values))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/mesh/capabilities"), nil
			}},
		{Method: "GET", Path: "/api/mesh/capabilities", Summary: "Rights the caller gave and got", Needs: auth.Own(ucan.AccountRead), Bucket: limit.Read,
			Reply: (*CapabilitiesReply)(nil), Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Capabilities(r.Context(), r.Caller))
			}},
		{Method: "POST", Path: "/api/mesh/capabilities/{cid}/revoke", Summary: "Take rights back, with a cut", Needs: auth.ByKey(ucan.CapabilityAct, auth.DelegatesItself),
			Bucket: limit.Write, Body: RevokeForm.Form, Reply: (*RevokeReply)(nil), Once: true, Codes: granting,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.RevokeCapability(r.Context(), r.Caller, r.PathValue("cid"), RevokeForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/capabilities/reissue", Summary: "Say a capability in the other version of UCAN", Needs: auth.ByKey(ucan.CapabilityAct, auth.DelegatesItself),
			Bucket: limit.Write, Body: ReissueForm.Form, Reply: (*ReissueReply)(nil), Status: http.StatusCreated, Once: true,
			Codes: append([]reason.Code{reason.UnsupportedConstruct, reason.LimitReached}, append(unsound, granting...)...),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.Reissue(r.Context(), r.Caller, ReissueForm.Read(r.Values))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/mesh/capabilities"), nil
			}},
		{Method: "POST", Path: "/api/mesh/capabilities/revocations", Summary: "Show a signed revocation, of UCAN 0.10 or 1.x", Bucket: limit.Challenge,
			Body: RevocationForm.Form, Reply: (*RevocationReply)(nil),
			Codes: append([]reason.Code{reason.TokenReplayed, reason.LimitReached}, append(unsound, granting...)...),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.AcceptRevocation(r.Context(), RevocationForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/capabilities/verify", Summary: "What a token allows", Bucket: limit.Challenge,
			Body: VerifyCapabilityForm.Form, Reply: (*VerifyCapabilityReply)(nil), Codes: []reason.Code{reason.MissingField},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.VerifyCapability(r.Context(), VerifyCapabilityForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/capabilities/endorse", Summary: "Take changes back in that lie beyond a cut", Needs: auth.ByKey(ucan.CapabilityAct, auth.DelegatesItself),
			Bucket: limit.Write, Body: EndorseForm.Form, Reply: (*EndorseReply)(nil), Once: true,
			Codes: append([]reason.Code{reason.UnknownReference, reason.NotAMember}, granting...),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Endorse(r.Context(), r.Caller, EndorseForm.Read(r.Values)))
			}},
	}
}
