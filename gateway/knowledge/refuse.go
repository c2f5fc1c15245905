package knowledge

import (
	"context"
	"errors"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/pay"
	"github.com/meshd/meshd/gateway/state"
)

// Refused is a refusal that carries the gate's verdict with it.
type Refused struct {
	*reason.Refusal
	Quality *Quality // the verdict
}

// Unwrap gives the refusal to errors.As.
func (r *Refused) Unwrap() error { return r.Refusal }

// ErrorBody is the one error object of every face.
type ErrorBody struct {
	Success    bool           `json:"success" doc:"always false"`
	Error      string         `json:"error" doc:"what is wrong, for people"`
	Code       string         `json:"code" doc:"what is wrong, for programs"`
	Hint       string         `json:"hint,omitempty" doc:"what to do"`
	Details    map[string]any `json:"details,omitempty" doc:"facts about this very input"`
	RetryAfter int            `json:"retry_after,omitempty" doc:"seconds to wait"`
	Quality    *Quality       `json:"quality,omitempty" doc:"the gate's verdict"`
	Prf        []string       `json:"prf,omitempty" doc:"content ids of the proofs to send as well"`

	X402Version int           `json:"x402Version,omitempty" doc:"of what asks for a payment: 1; the header PAYMENT-REQUIRED says it in version 2"`
	Accepts     []pay.Accept1 `json:"accepts,omitzero" doc:"ways to pay"`
	Entry       *Entry        `json:"entry,omitempty" doc:"what is paid for, locked"`

	RequestID string `json:"request_id" doc:"names the request in the node's log"`
}

// NewErrorBody turns any error into the object a caller may see. An error that
// is no refusal is reported as internal, without its text.
func NewErrorBody(err error, requestID string) ErrorBody {
	b := ErrorBody{RequestID: requestID}
	r := Explain(err)
	info, _ := reason.Lookup(r.Code)
	b.Code, b.Error, b.Hint, b.Details = string(r.Code), r.Text, r.Hint, r.Details
	if b.Error == "" {
		b.Error = info.Meaning
	}
	if after, ok := r.Details["retry_after"].(int); ok {
		b.RetryAfter = after
	}
	var g *Refused
	if errors.As(err, &g) {
		b.Quality = g.Quality
	}
	var due *Due
	if errors.As(err, &due) {
		b.X402Version, b.Accepts, b.Entry = 1, due.Offer.Accepts1(), due.Entry
	}
	var missing *auth.MissingProofs
	if errors.As(err, &missing) {
		b.Prf = missing.Proofs
	}
	return b
}

// Explain finds the refusal in err, or the one that a fault is reported as.
func Explain(err error) *reason.Refusal {
	var r *reason.Refusal
	switch {
	case errors.As(err, &r):
		return r
	case errors.Is(err, state.ErrFull):
		return reason.Refuse(reason.ReadOnly, "no space left; reads still work")
	case errors.Is(err, state.ErrBusy):
		return reason.Refuse(reason.Overloaded, "the database is busy; try again").With(map[string]any{"retry_after": 1})
	case errors.Is(err, state.ErrUnreachable):
		return reason.Refuse(reason.Overloaded, "the database of this gateway cannot be reached; try again").With(map[string]any{"retry_after": 5})
	case errors.Is(err, context.DeadlineExceeded):
		return reason.Refuse(reason.Timeout, "the request took too long")
	}
	return call.Hinted(reason.Internal, "something went wrong inside this node",
		"try again; the node's log has the cause under this request id")
}
