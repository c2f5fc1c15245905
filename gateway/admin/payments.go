package admin

import (
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/market"
)

// payments lists those that have not ended.
func (h *handlers) payments(w http.ResponseWriter, r *http.Request) {
	if h.Payments == nil {
		h.fail(w, errNoMarket)
		return
	}
	out, err := h.Payments.PaymentsUnderWay(r.Context())
	if err != nil {
		h.fail(w, err)
		return
	}
	h.reply(w, out)
}

// payment says what became of one, or asks again. It is written to the audit log as the
// owner's.
func (h *handlers) payment(w http.ResponseWriter, r *http.Request) {
	if h.Payments == nil {
		h.fail(w, errNoMarket)
		return
	}
	var in market.PaymentOrder
	err := read(w, r, &in)
	actor := ""
	if err == nil {
		actor, err = h.actor(r)
	}
	if err != nil {
		h.fail(w, err)
		return
	}
	if actor == "" {
		actor = "node"
	}
	out, err := h.Payments.EndPayment(r.Context(), actor, in)
	if err != nil {
		h.fail(w, err)
		return
	}
	h.reply(w, out)
}

var errNoMarket = reason.Refuse(reason.NotFound, "no gateway runs here")
