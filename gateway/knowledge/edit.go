package knowledge

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/view"
)

// EditEntryForm is what may be changed of an entry: everything that it was
// contributed with but whose place it takes and which team it lies in.
var EditEntryForm = ContributeForm.Pick("type", "content", "domain", "tags", "title", "confidence", "price", "evidence", "receipt_sha256", "receipt", "source", "reuses", "metadata")

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
func (s *Service) EditEntry(ctx context.Context, c call.Caller, id string, v call.Values, mark string) (*EditEntryReply, error) {
	agent, err := s.access.Writer(ctx, c, state.ScopeWrite, ucan.EntryPut)
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
	if old.Agent.ID != agent {
		return nil, reason.Refuse(reason.NotOwner, "the entry belongs to another agent")
	}
	if v.Empty() {
		return nil, call.Hinted(reason.NoFields, "nothing to change", "send at least one field, such as content")
	}
	if IsPremium(old.Body) {
		if got, err := s.Unlock(ctx, agent.String(), &old); err != nil || got == HasNothing {
			return nil, cmp.Or(err, error(call.Hinted(reason.SettlementUnavailable, "the text of this entry lies at another gateway", "change it there")))
		}
	}
	whole, err := merged(old, v)
	if err != nil {
		return nil, err
	}
	whole.Warnings = v.Warnings
	reply, err := s.Contribute(ctx, c, whole, view.Submit{IdempotencyKey: mark})
	if err != nil {
		return nil, err
	}
	return &EditEntryReply{true, reply.ID, id, reply.ProvenanceHash, reply.Receipt, reply.Quality, reply.URL, reply.Warnings}, nil
}

// merged are the fields of an entry with those given in their place; null clears
// one.
func merged(old view.Entry, v call.Values) (call.Values, error) {
	b := old.Body
	have := map[string]any{
		"type": b.Type, "content": b.Text, "domain": old.Domain, "tags": b.Tags, "title": b.Title, "confidence": float64(b.Confidence) / 1000,
		"evidence": b.Evidence, "source": b.Source, "price": USD(b.Price),
	}
	if b.Receipt != nil {
		have["receipt"] = json.RawMessage(b.Receipt)
	}
	if !b.ReceiptSHA.IsZero() && !v.Has("receipt") {
		have["receipt_sha256"] = b.ReceiptSHA.String()
	}
	if b.Meta != nil {
		have["metadata"] = json.RawMessage(b.Meta)
	}
	var reuses []string
	for _, id := range b.Reuses {
		reuses = append(reuses, id.Text(change.PrefixEntry))
	}
	have["reuses"] = reuses
	for name, value := range v.All() {
		have[name] = value
	}
	have["supersedes"] = old.ID.Text(change.PrefixEntry)
	for name, value := range have {
		if value == nil {
			delete(have, name)
		}
	}
	raw, err := json.Marshal(have)
	if err != nil {
		return call.Values{}, err
	}
	return ContributeForm.FromJSON(raw)
}
