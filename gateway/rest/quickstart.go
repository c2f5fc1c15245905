package rest

import (
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/welcome"
)

// quickstartRoutes bring a newcomer in by one request.
func quickstartRoutes() []route {
	return []route{
		{method: "GET", path: "/api/mesh/quickstart", summary: "What joining brings", bucket: limit.Read,
			reply: (*welcome.QuickstartPage)(nil), cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Welcomes.QuickstartInfo(r.Context(), r.caller))
			}},
		{method: "POST", path: "/api/mesh/quickstart", summary: "Register, write a first entry and join a guild in one request", bucket: limit.Quickstart,
			body: welcome.QuickstartForm, reply: (*welcome.QuickstartReply)(nil), status: http.StatusCreated, once: true, secret: true,
			codes: []reason.Code{reason.InvalidName, reason.InvalidParam, reason.InvalidWallet, reason.InvalidDID, reason.ProofRequired,
				reason.NonceInvalid, reason.SignatureInvalid, reason.NameTaken, reason.WalletTaken, reason.SecretDetected, reason.CredentialEcho},
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Welcomes.Quickstart(r.Context(), r.values, r.mark)
				if err != nil {
					return answer{}, err
				}
				return created(reply, "/api/mesh/agent/"+reply.Agent.ID), nil
			}},
	}
}
