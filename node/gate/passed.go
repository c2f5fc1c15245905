package gate

import (
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/jcs"
)

// Passed is an entry that a gate has let through, composed as it will be signed.
// Only (*Gate).Pass makes one, and a node signs entries in no other form, so no
// caller can bypass the gate. The zero value is empty, and a node refuses
// it. It is safe for concurrent use and never changes.
type Passed struct {
	entry  *body.Entry // nothing outside shares its slices
	domain string
}

// Pass judges a draft as Check does and, when nothing refuses it, composes the
// entry that says what the draft says: texts trimmed and in NFC, metadata clean
// and canonical. It returns the zero Passed beside a report that refuses.
func (g *Gate) Pass(d Draft) (Passed, Report) {
	r := g.Check(d)
	if !r.OK() {
		return Passed{}, r
	}
	e, err := d.compose()
	if err != nil {
		r.Refuse(whole(reason.ValidationFailed, "metadata", ""))
		return Passed{}, r
	}
	return Passed{entry: &e, domain: d.Domain}, r
}

// OK reports whether p has an entry.
func (p Passed) OK() bool { return p.entry != nil }

// Domain is the domain that was judged with it.
func (p Passed) Domain() string { return p.domain }

// Entry is a copy of what will be signed.
func (p Passed) Entry() body.Entry {
	if p.entry == nil {
		return body.Entry{}
	}
	e := *p.entry
	e.Tags, e.Evidence, e.Reuses = slices.Clone(e.Tags), slices.Clone(e.Evidence), slices.Clone(e.Reuses)
	e.Receipt, e.Meta = slices.Clone(e.Receipt), slices.Clone(e.Meta)
	return e
}

// Withheld is p without its text, evidence, source, receipt and metadata, which
// are sold elsewhere, with the hash of the text, and with what names the seller. Neither
// needs a verdict.
func (p Passed) Withheld(hash change.ID, seller []byte) Passed {
	if p.entry == nil {
		return p
	}
	e := p.Entry()
	e.Hash = hash
	e.Text, e.Evidence, e.ReceiptSHA, e.Receipt, e.Source, e.Meta = "", nil, change.ID{}, nil, "", seller
	return Passed{entry: &e, domain: p.domain}
}

// compose makes the entry of a draft. Nothing in it is shared with the draft.
func (d Draft) compose() (body.Entry, error) {
	e := body.Entry{
		Type: strings.ToLower(strings.TrimSpace(d.Type)), Text: norm.NFC.String(strings.TrimFunc(d.Content, unicode.IsSpace)),
		Title: composed(d.Title), Tags: slices.Clone(d.Tags), Source: composed(d.Source), Receipt: slices.Clone(d.Receipt),
		Confidence: d.Confidence, Price: d.Price, Reuses: slices.Clone(d.Reuses), Supersedes: d.Replaces,
	}
	for _, t := range d.Evidence {
		e.Evidence = append(e.Evidence, composed(t))
	}
	if d.ReceiptSHA256 != "" {
		raw, err := hex.DecodeString(d.ReceiptSHA256)
		if err != nil || len(raw) != len(e.ReceiptSHA) {
			return e, reason.Refuse(reason.ValidationFailed, "the hash of the receipt must be 64 hex digits")
		}
		e.ReceiptSHA = change.ID(raw)
	}
	clean, _ := CleanMetadata(d.Metadata)
	if len(clean) == 0 {
		return e, nil
	}
	raw, err := json.Marshal(clean)
	if err != nil {
		return e, reason.Refuse(reason.ValidationFailed, "metadata cannot be encoded")
	}
	e.Meta, err = jcs.Canonical(raw)
	return e, err
}

func composed(s string) string { return norm.NFC.String(strings.TrimSpace(s)) }

// DraftOf is the draft that says what an entry says. Metadata that is no JSON
// object is an error.
func DraftOf(e body.Entry, domain string) (Draft, error) {
	d := Draft{
		Type: e.Type, Content: e.Text, Domain: domain, Title: e.Title, Tags: e.Tags, Evidence: e.Evidence, Receipt: e.Receipt,
		Source: e.Source, Confidence: e.Confidence, Price: e.Price, Reuses: e.Reuses, Replaces: e.Supersedes,
	}
	if !e.ReceiptSHA.IsZero() {
		d.ReceiptSHA256 = hex.EncodeToString(e.ReceiptSHA[:])
	}
	if e.Meta == nil {
		return d, nil
	}
	if err := json.Unmarshal(e.Meta, &d.Metadata); err != nil {
		return d, reason.Refuse(reason.BadEncoding, "metadata is no JSON object")
	}
	return d, nil
}
