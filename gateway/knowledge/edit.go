package knowledge

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/view"
)

// EditEntryRequest is what may be changed of an entry: everything that it was
// contributed with but whose place it takes and which team it lies in. What is not
// given stays; null gives a field its default.
type EditEntryRequest struct {
	call.Request
	Type          call.Opt[string]          `field:"type"`
	Content       call.Opt[string]          `field:"content"`
	Domain        call.Opt[string]          `field:"domain"`
	Tags          call.Opt[[]string]        `field:"tags"`
	Title         call.Opt[string]          `field:"title"`
	Confidence    call.Opt[float64]         `field:"confidence"`
	Price         call.Opt[float64]         `field:"price"`
	Evidence      call.Opt[[]string]        `field:"evidence"`
	ReceiptSHA256 call.Opt[string]          `field:"receipt_sha256"`
	Receipt       call.Opt[json.RawMessage] `field:"receipt"`
	Source        call.Opt[string]          `field:"source"`
	Reuses        call.Opt[[]string]        `field:"reuses"`
	Metadata      call.Opt[json.RawMessage] `field:"metadata"`
}

// EditEntryForm reads an EditEntryRequest.
var EditEntryForm = call.Define[EditEntryRequest](ContributeForm.Pick(
	"type", "content", "domain", "tags", "title", "confidence", "price", "evidence", "receipt_sha256", "receipt", "source", "reuses", "metadata"))

// EditEntryReply names the entry that took the place of the old one.
type EditEntryReply struct {
	Success        bool     `json:"success"`
	ID             string   `json:"id"`
	Supersedes     string   `json:"supersedes"`
	ProvenanceHash string   `json:"provenanceHash"`
	Receipt        Receipt  `json:"receipt"`
	Quality        Quality  `json:"quality"`
	URL            string   `json:"url"`
	Warnings       []string `json:"warnings,omitempty"`
}

// EditEntry writes an entry of the caller's anew, with the fields given in place of
// the old ones. It passes the same gate; votes and comments follow.
func (s *Service) EditEntry(ctx context.Context, c call.Caller, id string, r EditEntryRequest, mark string) (*EditEntryReply, error) {
	agent, err := s.access.Writer(ctx, c, ucan.EntryPut)
	if err != nil {
		return nil, err
	}
	key, err := s.access.EntryID(ctx, id)
	if err != nil {
		return nil, err
	}
	old, err := s.mesh.Entry(ctx, key)
	if err != nil {
		return nil, err
	}
	if err := view.Owned(old.Agent.ID, agent); err != nil {
		return nil, err
	}
	if r.Empty() {
		return nil, call.Hinted(reason.NoFields, "nothing to change", "send at least one field, such as content")
	}
	if IsPremium(old.Body) {
		if got, err := s.Unlock(ctx, agent.String(), &old); err != nil || got == HasNothing {
			return nil, cmp.Or(err, error(call.Hinted(reason.SettlementUnavailable, "the text of this entry lies at another gateway", "change it there")))
		}
	}
	reply, err := s.Contribute(ctx, c, merged(old, r), view.Submit{IdempotencyKey: mark})
	if err != nil {
		return nil, err
	}
	return &EditEntryReply{true, reply.ID, id, reply.ProvenanceHash, reply.Receipt, reply.Quality, reply.URL, reply.Warnings}, nil
}

// merged is the contribution of an entry anew, with the fields given in place of its
// own. The hash of a receipt goes with the receipt that it is of.
func merged(old view.Entry, r EditEntryRequest) ContributeRequest {
	b := old.Body
	hash := ""
	if !b.ReceiptSHA.IsZero() && !r.Receipt.Given {
		hash = b.ReceiptSHA.String()
	}
	var reuses []string
	for _, id := range b.Reuses {
		reuses = append(reuses, id.Text(change.PrefixEntry))
	}
	return ContributeRequest{
		Request:       r.Request,
		Lesson:        Lesson{given(r.Type, b.Type), given(r.Content, b.Text), given(r.Domain, old.Domain), given(r.Tags, b.Tags)},
		Title:         given(r.Title, b.Title),
		Confidence:    given(r.Confidence, float64(b.Confidence)/1000),
		Price:         given(r.Price, USD(b.Price)),
		Evidence:      given(r.Evidence, b.Evidence),
		ReceiptSHA256: given(r.ReceiptSHA256, hash),
		Receipt:       given(r.Receipt, json.RawMessage(b.Receipt)),
		Source:        given(r.Source, b.Source),
		Reuses:        given(r.Reuses, reuses),
		Supersedes:    old.ID.Text(change.PrefixEntry),
		Metadata:      given(r.Metadata, json.RawMessage(b.Meta)),
	}
}

// given is what a field was given as, or what it was before.
func given[T any](field call.Opt[T], before T) T {
	if field.Given {
		return field.Value
	}
	return before
}
