package rest

import (
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/state"
)

// identityRoutes make agents and look after their keys and pages.
func identityRoutes() []route {
	return append([]route{
		{method: "POST", path: "/api/mesh/register/challenge", summary: "Get a text whose signature proves a wallet or a key", bucket: limit.Challenge,
			body: account.ChallengeForm, reply: (*account.ChallengeReply)(nil),
			codes: []reason.Code{reason.InvalidParam, reason.InvalidWallet, reason.InvalidDID, reason.ProofRequired, reason.WalletTaken},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Accounts.Challenge(r.Context(), r.values))
			}},
		{method: "POST", path: "/api/mesh/register", summary: "Open an agent", bucket: limit.Register, body: account.RegisterForm,
			reply: (*account.RegisterReply)(nil), status: http.StatusCreated, once: true, secret: true,
			codes: []reason.Code{reason.InvalidName, reason.InvalidParam, reason.InvalidWallet, reason.InvalidDID, reason.ProofRequired,
				reason.NonceInvalid, reason.SignatureInvalid, reason.NameTaken, reason.WalletTaken, reason.SecretDetected},
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Accounts.Register(r.Context(), r.values)
				if err != nil {
					return answer{}, err
				}
				return created(reply, "/api/mesh/agent/"+reply.Agent.ID), nil
			}},
		{method: "GET", path: "/api/mesh/identity/bind", summary: "What the caller's wallet signs to be checkable everywhere", keyed: true, bucket: limit.Read,
			reply: (*account.BindTextReply)(nil), codes: []reason.Code{reason.InvalidWallet}, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Accounts.BindText(r.Context(), r.caller))
			}},
		{method: "POST", path: "/api/mesh/identity/bind", summary: "Make the control of the caller's wallet checkable everywhere", keyed: true,
			scope: state.ScopeWrite, bucket: limit.Write, body: account.BindForm, reply: (*account.BindReply)(nil),
			codes: []reason.Code{reason.InvalidWallet, reason.MissingField, reason.SignatureInvalid, reason.BindingInvalid},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Accounts.Bind(r.Context(), r.caller, r.values))
			}},
		{method: "GET", path: "/api/mesh/profile", summary: "The caller's page", keyed: true, bucket: limit.Read,
			reply: (*profile.ProfileReply)(nil), cache: private, handle: ownPage},
		{method: "GET", path: "/api/mesh/me", summary: "Who the caller is", keyed: true, bucket: limit.Read, reply: (*people.MeReply)(nil), cache: private,
			handle: func(h *Handler, r *request) (answer, error) { return value(h.service.People.Me(r.Context(), r.caller)) }},
	}, keyRoutes()...)
}

// keyRoutes look after API keys.
func keyRoutes() []route {
	revoke := route{method: "DELETE", path: "/api/mesh/key", summary: "End the API key in use, and what it issued", keyed: true, scope: state.ScopeKeys, bucket: limit.Write,
		reply: (*account.RevokedKeyReply)(nil), codes: []reason.Code{reason.NotFound},
		handle: func(h *Handler, r *request) (answer, error) {
			return value(h.service.Accounts.RevokeKey(r.Context(), r.caller, r.PathValue("id")))
		}}
	revokeOther := revoke
	revokeOther.path, revokeOther.summary = "/api/mesh/keys/{id}", "End one of the caller's API keys, and what it issued"
	return []route{revoke, revokeOther,
		{method: "POST", path: "/api/mesh/key/challenge", summary: "Get a text whose signature gives a new API key", bucket: limit.Challenge,
			body: account.ChallengeForm, reply: (*account.ChallengeReply)(nil),
			codes: []reason.Code{reason.InvalidParam, reason.InvalidWallet, reason.InvalidDID, reason.ProofRequired},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Accounts.RecoveryChallenge(r.Context(), r.values))
			}},
		{method: "POST", path: "/api/mesh/key/recover", summary: "Get a new API key by the proof of a wallet or a key, and end the others", bucket: limit.Register,
			body: account.RecoverForm, reply: (*account.RecoverReply)(nil), once: true, secret: true,
			codes: []reason.Code{reason.InvalidParam, reason.InvalidWallet, reason.InvalidDID, reason.ProofRequired, reason.NonceInvalid,
				reason.SignatureInvalid, reason.LimitReached},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Accounts.Recover(r.Context(), r.values))
			}},
		{method: "POST", path: "/api/mesh/key/rotate", summary: "Replace an API key", keyed: true, scope: state.ScopeKeys, bucket: limit.Write,
			body: account.RotateForm, reply: (*account.RotatedKeyReply)(nil), status: http.StatusCreated, once: true, secret: true,
			codes: []reason.Code{reason.InvalidParam, reason.MissingField, reason.NotFound, reason.KeyRevoked, reason.LimitReached},
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Accounts.RotateKey(r.Context(), r.caller, r.values)
				if err != nil {
					return answer{}, err
				}
				return created(reply, "/api/mesh/keys"), nil
			}},
		{method: "POST", path: "/api/mesh/keys", summary: "Make one more API key", keyed: true, scope: state.ScopeKeys, bucket: limit.Write,
			body: account.KeyForm, reply: (*account.RotateReply)(nil), status: http.StatusCreated, once: true, secret: true,
			codes: []reason.Code{reason.InvalidParam, reason.MissingField, reason.AgentNotFound, reason.LimitReached},
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Accounts.CreateKey(r.Context(), r.caller, r.values)
				if err != nil {
					return answer{}, err
				}
				return created(reply, "/api/mesh/keys"), nil
			}},
		{method: "GET", path: "/api/mesh/keys", summary: "The caller's API keys, without secrets", keyed: true, bucket: limit.Read,
			reply: (*account.KeysReply)(nil), list: true, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Accounts.Keys(r.Context(), r.caller))
			}},
		{method: "POST", path: "/api/mesh/verify", summary: "Whose an API key is, and what it is good for", bucket: limit.Challenge,
			body: account.VerifyForm, reply: (*account.VerifyReply)(nil),
			codes: []reason.Code{reason.AuthRequired, reason.InvalidToken, reason.KeyRevoked, reason.TokenExpired, reason.AgentNotFound},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Accounts.VerifyKey(r.Context(), r.caller, r.values))
			}},
	}
}
