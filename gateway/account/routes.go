package account

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
	revoke := endpoint.Route{Method: "DELETE", Path: "/api/mesh/key", Summary: "End the API key in use, and what it issued", Needs: auth.ByKey(ucan.KeyManage, auth.KeyOutlives),
		Bucket: limit.Write, Reply: (*RevokedKeyReply)(nil), Codes: []reason.Code{reason.NotFound},
		Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.RevokeKey(r.Context(), r.Caller, r.ID()))
		}}
	revokeOther := revoke.At("/api/mesh/keys/{id}")
	revokeOther.Summary = "End one of the caller's API keys, and what it issued"
	return []endpoint.Route{
		revoke, revokeOther,
		{Method: "POST", Path: "/api/mesh/register/challenge", Summary: "Get a text whose signature proves a wallet or a key", Bucket: limit.Challenge,
			Body: ChallengeForm.Form, Reply: (*ChallengeReply)(nil),
			Codes: []reason.Code{reason.InvalidParam, reason.InvalidWallet, reason.InvalidDID, reason.ProofRequired, reason.WalletTaken},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Challenge(r.Context(), ChallengeForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/register", Summary: "Open an agent", Bucket: limit.Register, Body: RegisterForm.Form,
			Reply: (*RegisterReply)(nil), Status: http.StatusCreated, Once: true, Secret: true,
			Codes: []reason.Code{reason.InvalidName, reason.InvalidParam, reason.InvalidWallet, reason.InvalidDID, reason.ProofRequired,
				reason.NonceInvalid, reason.SignatureInvalid, reason.NameTaken, reason.WalletTaken, reason.SecretDetected},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.Register(r.Context(), RegisterForm.Read(r.Values))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/mesh/agent/"+reply.Agent.ID), nil
			}},
		{Method: "POST", Path: "/api/mesh/login/challenge", Summary: "Get a text by whose signature an agent that lives elsewhere logs in", Bucket: limit.Challenge,
			Body: LoginChallengeForm.Form, Reply: (*LoginChallengeReply)(nil),
			Codes: []reason.Code{reason.InvalidParam, reason.InvalidWallet, reason.InvalidDID, reason.ProofRequired, reason.MissingField, reason.AgentNotFound, reason.Forbidden,
				reason.KeyRevoked, reason.ForkedAuthor, reason.CapabilityMissing},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Logins().Challenge(r.Context(), LoginChallengeForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/login", Summary: "Log in with an agent that lives elsewhere: get a key to its own account", Bucket: limit.Register,
			Body: LoginForm.Form, Reply: (*LoginReply)(nil), Status: http.StatusCreated, Once: true, Secret: true,
			Codes: []reason.Code{reason.InvalidParam, reason.ProofRequired, reason.NonceInvalid, reason.SignatureInvalid, reason.AgentNotFound, reason.Forbidden,
				reason.KeyRevoked, reason.ForkedAuthor, reason.CapabilityMissing, reason.LimitReached},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.Logins().Enter(r.Context(), LoginForm.Read(r.Values))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/credits"), nil
			}},
		{Method: "DELETE", Path: "/api/mesh/login", Summary: "Log out: end the key that a login gave", Needs: auth.ByKey(ucan.AccountRead, auth.KeyOutlives), Bucket: limit.Write,
			Reply: (*RevokedKeyReply)(nil), Codes: []reason.Code{reason.NotFound},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Logins().Leave(r.Context(), r.Caller))
			}},
		{Method: "GET", Path: "/api/mesh/identity/bind", Summary: "What the caller's wallet signs to be checkable everywhere", Needs: auth.Own(ucan.AccountRead), Bucket: limit.Read,
			Reply: (*BindTextReply)(nil), Codes: []reason.Code{reason.InvalidWallet}, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.BindText(r.Context(), r.Caller))
			}},
		{Method: "POST", Path: "/api/mesh/identity/bind", Summary: "Make the control of the caller's wallet checkable everywhere", Needs: auth.Own(ucan.ProfileEdit),
			Bucket: limit.Write, Body: BindForm.Form, Reply: (*BindReply)(nil),
			Codes: []reason.Code{reason.InvalidWallet, reason.MissingField, reason.SignatureInvalid, reason.BindingInvalid},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Bind(r.Context(), r.Caller, BindForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/key/challenge", Summary: "Get a text whose signature gives a new API key", Bucket: limit.Challenge,
			Body: ChallengeForm.Form, Reply: (*ChallengeReply)(nil),
			Codes: []reason.Code{reason.InvalidParam, reason.InvalidWallet, reason.InvalidDID, reason.ProofRequired},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.RecoveryChallenge(r.Context(), ChallengeForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/key/recover", Summary: "Get a new API key by the proof of a wallet or a key, and end the others", Bucket: limit.Register,
			Body: RecoverForm.Form, Reply: (*RecoverReply)(nil), Once: true, Secret: true,
			Codes: []reason.Code{reason.InvalidParam, reason.InvalidWallet, reason.InvalidDID, reason.ProofRequired, reason.NonceInvalid,
				reason.SignatureInvalid, reason.LimitReached},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Recover(r.Context(), RecoverForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/key/rotate", Summary: "Replace an API key", Needs: auth.ByKey(ucan.KeyManage, auth.KeyOutlives), Bucket: limit.Write,
			Body: RotateForm.Form, Reply: (*RotatedKeyReply)(nil), Status: http.StatusCreated, Once: true, Secret: true,
			Codes: []reason.Code{reason.InvalidParam, reason.MissingField, reason.NotFound, reason.KeyRevoked, reason.LimitReached},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.RotateKey(r.Context(), r.Caller, RotateForm.Read(r.Values))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/mesh/keys"), nil
			}},
		{Method: "POST", Path: "/api/mesh/keys", Summary: "Make one more API key", Needs: auth.ByKey(ucan.KeyManage, auth.KeyOutlives), Bucket: limit.Write,
			Body: KeyForm.Form, Reply: (*RotateReply)(nil), Status: http.StatusCreated, Once: true, Secret: true,
			Codes: []reason.Code{reason.InvalidParam, reason.MissingField, reason.AgentNotFound, reason.LimitReached},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.CreateKey(r.Context(), r.Caller, KeyForm.Read(r.Values))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/mesh/keys"), nil
			}},
		{Method: "GET", Path: "/api/mesh/keys", Summary: "The caller's API keys, without secrets", Needs: auth.Own(ucan.AccountRead), Bucket: limit.Read,
			Reply: (*KeysReply)(nil), List: true, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Keys(r.Context(), r.Caller))
			}},
		{Method: "POST", Path: "/api/mesh/verify", Summary: "Whose an API key is, and what it is good for", Bucket: limit.Challenge,
			Body: VerifyForm.Form, Reply: (*VerifyReply)(nil),
			Codes: []reason.Code{reason.AuthRequired, reason.InvalidToken, reason.KeyRevoked, reason.TokenExpired, reason.AgentNotFound},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.VerifyKey(r.Context(), r.Caller, VerifyForm.Read(r.Values)))
			}},
		{Method: "GET", Path: "/api/mesh/identity/rotate", Summary: "What is signed to take an agent over to another key", Bucket: limit.Read,
			Query: RotationQuery.Form, Reply: (*RotationReply)(nil), Cache: endpoint.Private,
			Codes: []reason.Code{reason.InvalidDID, reason.InvalidParam, reason.AgentNotFound, reason.AuthRequired},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Rotation(r.Context(), r.Caller, RotationQuery.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/identity/rotate", Summary: "Take an agent over to another key; the change proves itself", Bucket: limit.Challenge,
			Body: RotateIdentityForm.Form, Reply: (*RotatedReply)(nil),
			Codes: []reason.Code{reason.InvalidParam, reason.MissingField, reason.BadEncoding, reason.RotationInvalid, reason.BadChangeSignature, reason.MissingDeps,
				reason.BadSequence, reason.BlobMismatch, reason.ChangeTooLarge, reason.ProofRequired, reason.NonceInvalid, reason.SignatureInvalid,
				reason.InvalidWallet, reason.InvalidDID},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.RotateIdentity(r.Context(), RotateIdentityForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/identity/rotate/challenge", Summary: "Have this gateway make a new key for the caller, and get what a controller signs to consent",
			Needs: auth.ByKey(ucan.KeyManage, auth.KeyOutlives), Bucket: limit.Challenge, Body: OfferForm.Form, Reply: (*OfferReply)(nil),
			Codes: []reason.Code{reason.InvalidParam, reason.InvalidWallet, reason.InvalidDID, reason.ProofRequired, reason.Forbidden},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.OfferRotation(r.Context(), r.Caller, OfferForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/identity/device", Summary: "Make a key here for an agent that lives on another node", Needs: auth.ByKey(ucan.KeyDevice, auth.KeyOutlives), Bucket: limit.Write,
			Reply: (*DeviceReply)(nil), Status: http.StatusCreated, Codes: []reason.Code{reason.Forbidden},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.NewDevice(r.Context(), r.Caller)
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, ""), nil
			}},
	}
}
