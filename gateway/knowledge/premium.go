package knowledge

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// A paid entry has its text at the gateway that sells it and nowhere else. The
// change that everybody gets has the text's hash, and what may be known of the
// entry before it is bought: type, domain, title, tags, confidence, price, what it
// builds upon, and the gateway that sells it, where that has a public address. Evidence,
// source, receipt and metadata are withheld with the text.

const microPerUSD = 1_000_000

// withheld is what of an entry is sold, as the gateway's state keeps it.
type withheld struct {
	Text       string          `json:"text"`
	Evidence   []string        `json:"evidence,omitempty"`
	ReceiptSHA string          `json:"receipt_sha256,omitempty"`
	Receipt    json.RawMessage `json:"receipt,omitempty"`
	Source     string          `json:"source,omitempty"`
	Meta       json.RawMessage `json:"metadata,omitempty"`
}

// PriceIn is a price in USD in micro-USD.
func PriceIn(usd float64) int64 { return int64(math.Round(usd * microPerUSD)) }

// USD is an amount of micro-USD in USD.
func USD(micro int64) float64 { return float64(micro) / microPerUSD }

// IsPremium reports whether an entry's text is sold.
func IsPremium(b body.Entry) bool { return b.Price > 0 || b.Text == "" }

// withhold is what of an entry is sold.
func withhold(e body.Entry) ([]byte, error) {
	w := withheld{Text: e.Text, Evidence: e.Evidence, Receipt: e.Receipt, Source: e.Source, Meta: e.Meta}
	if !e.ReceiptSHA.IsZero() {
		w.ReceiptSHA = e.ReceiptSHA.String()
	}
	raw, err := json.Marshal(w)
	if err != nil {
		return nil, fmt.Errorf("encode what is withheld: %w", err)
	}
	return raw, nil
}

// release puts what was withheld back into an entry. A text that is not the one
// whose hash was signed is none.
func release(e *body.Entry, raw []byte) error {
	var w withheld
	if err := json.Unmarshal(raw, &w); err != nil {
		return fmt.Errorf("decode what is withheld: %w", err)
	}
	if state.PremiumHash(w.Text) != e.Hash {
		return fmt.Errorf("the text that is kept is not the one that was signed")
	}
	if w.ReceiptSHA != "" {
		sum, err := hex.DecodeString(w.ReceiptSHA)
		if err != nil || len(sum) != len(e.ReceiptSHA) {
			return fmt.Errorf("decode what is withheld: bad hash of a receipt")
		}
		e.ReceiptSHA = change.ID(sum)
	}
	e.Text, e.Evidence, e.Receipt, e.Source, e.Meta = w.Text, w.Evidence, w.Receipt, w.Source, w.Meta
	return nil
}

// keepWithheld stores what is sold of a contribution before it is signed, so that
// an entry whose change is durable can be read by who buys it, and takes it out.
func (s *Service) keepWithheld(ctx context.Context, agent change.AgentID, d gate.Draft, p gate.Passed) (gate.Passed, error) {
	var after change.ID
	if id := d.Replaces; !id.IsZero() {
		old, err := s.mesh.Entry(ctx, id)
		if err != nil {
			return p, referenceFault(id, err)
		}
		after = old.Body.Hash
	}
	// What is free here already is not sold, but by the one who wrote it and takes it
	// back with this. Of a text that is sold the log has nothing to compare.
	if report := s.mesh.Check(ctx, d, agent); !report.OK() {
		return p, s.refuse(d, report)
	}
	whole := p.Entry()
	raw, err := withhold(whole)
	if err != nil {
		return p, err
	}
	hash := state.PremiumHash(whole.Text)
	return p.Withheld(hash, view.SellerMeta(s.sellsAt)), s.state.KeepPremium(ctx, agent.String(), hash, after, raw, s.access.Now())
}

// Has is what a caller has of a paid entry.
type Has uint8

// What a caller may have of a paid entry.
const (
	HasNothing Has = iota
	hasWritten     // it is the caller's own
	HasBought
)

// Unlock puts into a paid entry what was withheld of it when the caller wrote or
// bought it.
func (s *Service) Unlock(ctx context.Context, buyer string, e *view.Entry) (Has, error) {
	if buyer == "" || e.Body.Hash.IsZero() {
		return HasNothing, nil
	}
	p, ok, err := s.state.Premium(ctx, e.Agent.ID.String(), e.Body.Hash, buyer)
	own := e.Agent.ID.String() == buyer
	if err == nil && (!ok || !p.Owned && !own) {
		var b state.Bought // perhaps at another gateway
		b, ok, err = s.state.FindBought(ctx, buyer, e.Agent.ID.String(), e.Body.Hash)
		p.Body = b.Body
	}
	if err != nil || !ok {
		return HasNothing, err
	}
	if err := release(&e.Body, p.Body); err != nil {
		return HasNothing, err
	}
	if own {
		return hasWritten, nil
	}
	return HasBought, nil
}

// Purchase is the text of a paid entry as another gateway sent it to a buyer, with what was
// withheld beside it.
type Purchase struct {
	Entry         string          `json:"entry"`
	Gateway       string          `json:"gateway"`
	Receipt       string          `json:"receipt,omitempty"`
	Amount        int64           `json:"amount,omitempty"` // micro-USD that the gateway says it took
	Text          string          `json:"text"`
	Evidence      []string        `json:"evidence,omitempty"`
	ReceiptSHA256 string          `json:"receipt_sha256,omitempty"`
	ReceiptObject json.RawMessage `json:"receipt_object,omitempty"`
	Source        string          `json:"source,omitempty"`
	Meta          json.RawMessage `json:"metadata,omitempty"`
}

// Purchases keeps what agents of this node bought elsewhere. It is safe for concurrent use.
type Purchases struct{ s *Service }

// NewPurchases returns the Purchases beside the entries that s shows.
func NewPurchases(s *Service) Purchases { return Purchases{s} }

// KeepBought keeps a purchase of an agent of this node, which may read the entry here from
// then on. A text that is not the one whose hash its author signed is blob_mismatch, and
// nothing is kept of it.
func (k Purchases) KeepBought(ctx context.Context, buyer change.AgentID, p Purchase) error {
	s := k.s
	id, err := s.access.EntryID(ctx, p.Entry)
	if err != nil {
		return err
	}
	e, err := s.mesh.Entry(ctx, id)
	if err != nil {
		return err
	}
	if e.Body.Hash.IsZero() {
		return reason.Refuse(reason.InvalidParam, "the text of this entry is free").With(map[string]any{"param": "entry"})
	}
	w := withheld{Text: p.Text, Evidence: p.Evidence, ReceiptSHA: p.ReceiptSHA256, Receipt: p.ReceiptObject, Source: p.Source, Meta: p.Meta}
	raw, err := json.Marshal(w)
	if err != nil {
		return reason.Refuse(reason.InvalidParam, "%v", err)
	}
	if state.PremiumHash(p.Text) != e.Body.Hash {
		return reason.Refuse(reason.BlobMismatch, "the text is not the one that the author of the entry signed")
	}
	if err := release(&e.Body, raw); err != nil {
		return reason.Refuse(reason.InvalidParam, "%v", err)
	}
	return s.state.KeepBought(ctx, state.Bought{Buyer: buyer.String(), Seller: e.Agent.ID.String(), Hash: e.Body.Hash, Gateway: p.Gateway,
		Receipt: p.Receipt, Amount: p.Amount, Body: raw}, s.access.Now())
}

// ShowTo is show with what the caller bought. Where that cannot be found out
// the entry stays locked.
func (s *Service) ShowTo(ctx context.Context, e view.Entry, c call.Caller) Entry {
	opened, shown, _ := s.OpenFor(ctx, e, c)
	s.said.warn(ctx, s.mesh, shown, opened)
	return shown
}

// OpenFor returns an entry, with what was withheld of it where the caller has it, and
// how it is shown.
func (s *Service) OpenFor(ctx context.Context, e view.Entry, c call.Caller) (view.Entry, Entry, error) {
	if !IsPremium(e.Body) || c.Masked() || c.AgentID == "" {
		return e, s.Show(e, c), nil
	}
	got, err := s.Unlock(ctx, c.AgentID, &e)
	if err != nil || got == HasNothing {
		return e, s.Show(e, c), err
	}
	return e, s.Reveal(e, c, got), nil
}

// Reveal shows an entry that unlock has opened, also to a caller without a key, who
// has paid.
func (s *Service) Reveal(e view.Entry, c call.Caller, got Has) Entry {
	c.Scopes = state.Scopes{state.ScopeRead}
	locked := s.Show(e, c)
	s.fill(locked.full, e)
	locked.full.Paid = got == HasBought
	return locked
}

// SoldHere refuses to sell an entry whose text lies elsewhere.
func (s *Service) SoldHere(ctx context.Context, e view.Entry) error {
	ok, err := s.state.HasPremium(ctx, e.Agent.ID.String(), e.Body.Hash)
	if err != nil || ok {
		return err
	}
	if e.SoldAt == "" {
		return call.Hinted(reason.SettlementUnavailable, "the text of this entry is sold at the gateway of its author", "ask there")
	}
	r := call.Hinted(reason.SettlementUnavailable, "the text of this entry is sold at "+e.SoldAt,
		"from your own node: meshd buy "+e.ID.Text(change.PrefixEntry))
	return r.With(map[string]any{"sold_at": e.SoldAt})
}
