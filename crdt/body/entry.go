package body

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/jcs"
)

// The three types of knowledge.
const (
	Wisdom  = "wisdom"
	Pattern = "pattern"
	Gotcha  = "gotcha"
)

// ValidType reports whether t is one of the three.
func ValidType(t string) bool { return t == Wisdom || t == Pattern || t == Gotcha }

// Entry is the body of entry.put.
type Entry struct {
	Type       string
	Text       string    // 40…4000 characters; empty for a premium entry
	Hash       change.ID // of a premium entry's text; zero otherwise
	Domain     string    // outside the commons only
	Title      string
	Tags       []string
	Confidence int   // thousandths
	Price      int64 // micro-USD
	Evidence   []string
	ReceiptSHA change.ID
	Receipt    []byte // RFC 8785 bytes of an object, or nil
	Source     string
	Reuses     []change.ID
	Supersedes change.ID
	Meta       []byte // RFC 8785 bytes of an object, or nil
}

// DefaultConfidence applies when a body names none.
const DefaultConfidence = 800

// ParseEntry is the row of entry.put for a change in space.
func ParseEntry(b []byte, space change.Space) (Entry, error) {
	r := parse(b)
	v := Entry{
		Hash:  r.id("hash", optional),
		Title: r.text("title", optional, 0, MaxTitle), Tags: r.texts("tags", optional, MaxTags, MaxTag),
		Confidence: DefaultConfidence, Evidence: r.texts("evidence", optional, MaxEvidence, MaxProofLen),
		Receipt: r.bytes("receipt", optional, 0, MaxReceipt),
		Source:  r.text("source", optional, 0, MaxSource), Reuses: r.ids("reuses", optional, MaxReuses),
		Supersedes: r.id("supersedes", optional), Meta: r.bytes("meta", optional, 0, MaxMeta),
	}
	// Their lengths have codes of their own.
	v.Type, _ = get[string](r, "type", required)
	v.Text, _ = get[string](r, "text", optional)
	if conf, ok := r.integer("conf", optional, 0, MaxConf); ok {
		v.Confidence = int(conf)
	}
	copy(v.ReceiptSHA[:], r.fixed("rsha", optional, len(v.ReceiptSHA)))
	v.Price = r.natural("price")
	if r.has("text") == r.has("hash") {
		r.fail("text", "want either text or hash")
	}
	if space.Area() == change.AreaCommons {
		r.nowhere("domain")
	} else if v.Domain, _ = r.m["domain"].(string); r.has("domain") && !change.ValidDomain(v.Domain) {
		r.fail("domain", "not a domain")
	}
	r.object("receipt", v.Receipt)
	for i, name := range r.object("meta", v.Meta) {
		if i >= MaxMetaKeys {
			r.fail("meta", "over %d keys", MaxMetaKeys)
		}
		if utf8.RuneCountInString(name) > MaxMetaKey {
			r.fail("meta", "a key over %d characters", MaxMetaKey)
		}
	}
	if err := r.refusal(); err != nil {
		return v, err
	}
	return v, v.check(r.has("text"), r.has("rsha"))
}

// object checks that b, unless nil, are the canonical bytes of an object, and
// returns its keys.
func (r *row) object(key string, b []byte) []string {
	if b == nil {
		return nil
	}
	out, names, err := jcs.CanonicalObject(b)
	switch {
	case err != nil:
		r.fail(key, "%v", err)
	case !bytes.Equal(out, b):
		r.fail(key, "not in canonical form")
	}
	return names
}

func (v *Entry) check(hasText, hasSHA bool) error {
	if !ValidType(v.Type) {
		return reason.Refuse(reason.InvalidType, "type must be wisdom, pattern or gotcha").
			With(map[string]any{"allowed": []string{Wisdom, Pattern, Gotcha}})
	}
	if hasText {
		least, most := Length(v.Text)
		details := func(length int) map[string]any {
			return map[string]any{"min": MinEntry, "max": MaxEntry, "length": length}
		}
		if least < MinEntry {
			return reason.Refuse(reason.TooShort, "%d characters, want at least %d", least, MinEntry).With(details(least))
		}
		if most > MaxEntry {
			return reason.Refuse(reason.TooLong, "%d characters, want at most %d", most, MaxEntry).With(details(most))
		}
	}
	if v.Receipt != nil && hasSHA && sha256.Sum256(v.Receipt) != v.ReceiptSHA {
		return reason.Refuse(reason.ReceiptMismatch, "receipt_sha256 is not the hash of the receipt")
	}
	return nil
}

// Length counts the characters of a text in NFC as the rules do: least after
// trimming and collapsing white space (compared with MinEntry), most after
// trimming alone (compared with MaxEntry). White space is Unicode's White_Space.
func Length(text string) (least, most int) {
	text = strings.TrimFunc(text, unicode.IsSpace)
	space := false
	for _, c := range text {
		most++
		if unicode.IsSpace(c) {
			if !space {
				least++
			}
			space = true
			continue
		}
		space = false
		least++
	}
	return least, most
}

// Encode returns the canonical body. Empty fields are left out.
func (v Entry) Encode() ([]byte, error) {
	m := cbor.Map{"type": v.Type}
	putText(m, "text", v.Text)
	putID(m, "hash", v.Hash)
	putText(m, "domain", v.Domain)
	putText(m, "title", v.Title)
	putTexts(m, "tags", v.Tags)
	if v.Confidence != DefaultConfidence {
		m["conf"] = v.Confidence
	}
	if v.Price != 0 {
		m["price"] = v.Price
	}
	putTexts(m, "evidence", v.Evidence)
	putID(m, "rsha", v.ReceiptSHA)
	putBytes(m, "receipt", v.Receipt)
	putText(m, "source", v.Source)
	if len(v.Reuses) > 0 {
		m["reuses"] = idItems(v.Reuses)
	}
	putID(m, "supersedes", v.Supersedes)
	putBytes(m, "meta", v.Meta)
	return encode(m)
}

// Retract is the body of entry.retract.
type Retract struct {
	Target change.ID
	Why    string
}

// ParseRetract is the row of entry.retract; parents are those of the head, which
// must contain the target: among deps, or as prev, which may not stand there.
func ParseRetract(b []byte, parents []change.ID) (Retract, error) {
	r := parse(b)
	v := Retract{Target: r.parent("target", parents), Why: r.text("why", optional, 0, MaxWhy)}
	return v, r.refusal()
}

// Encode returns the canonical body.
func (v Retract) Encode() ([]byte, error) {
	m := cbor.Map{"target": v.Target[:]}
	putText(m, "why", v.Why)
	return encode(m)
}
