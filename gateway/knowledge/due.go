package knowledge

import (
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/pay"
)

// Due is a refusal that says how to pay.
type Due struct {
	*reason.Refusal
	Offer pay.Offer // what it costs, and how that can be paid
	Entry *Entry    // what is paid for, as the caller sees it unpaid; nil for other things
}

// Unwrap gives the refusal to errors.As.
func (d *Due) Unwrap() error { return d.Refusal }

// Shown are the fields that everyone sees, to be added to.
func (e Entry) Shown() *PublicFields {
	if e.full != nil {
		return &e.full.PublicFields
	}
	return &e.masked.PublicFields
}
