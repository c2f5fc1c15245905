package gate

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/gate/leaks"
)

// Rules is the version of the detector rules. It changes when verdicts do.
const Rules = "2"

// Draft is an entry as its author wrote it, before it is signed. Texts are
// judged raw: the gate trims and composes by itself and changes nothing.
type Draft struct {
	Type          string
	Content       string
	Domain        string
	Title         string
	Tags          []string
	Evidence      []string
	Receipt       []byte // canonical JSON of an object, or nil
	ReceiptSHA256 string // 64 hex digits, or ""
	Source        string
	Metadata      map[string]any // as decoded from JSON, before CleanMetadata
	Replaces      change.ID      // the entry whose place it takes, which no rule about duplicates compares it with

	// What no rule reads, and Pass returns.
	Confidence int   // thousandths
	Price      int64 // micro-USD
	Reuses     []change.ID
}

// Finding is one place where a rule fired. Offset and Length count code points
// of the named field as it was passed in; an invalid byte counts as one. The
// fields are those of Draft in lower case; "tags[2]" and "evidence[0]" carry
// their index, "receipt" is its JSON text and "metadata" the JSON text of
// CleanMetadata with sorted keys. A finding about a whole field spans it.
type Finding struct {
	Code   reason.Code
	Field  string
	Offset int
	Length int
	Kind   string // the rule: a fixed name, never the matched text
}

// Report is the gate's verdict on a draft.
type Report struct {
	Reasons  []Finding // why it is refused, in the order of the gate table
	Warnings []Finding // what could be better
	Score    int       // 0…100: 40 lost for each refusing code, as many for a text that says nothing, 10 for another warning
	Rules    string
}

// OK reports whether nothing refuses the draft.
func (r Report) OK() bool { return len(r.Reasons) == 0 }

// Codes returns the refusing codes, each once, in the order of the gate table.
// The first is the code of the refusal.
func (r Report) Codes() []reason.Code { return codes(r.Reasons) }

// Config tunes a Gate. The zero value is valid.
type Config struct {
	// Live reports whether candidate is an API key this node would accept now. It
	// is called for each whole key of our own form found in a text, perhaps from
	// several goroutines, and must not keep or log its argument. Nil: none is.
	Live func(candidate string) bool
}

// Gate is the loaded detectors. It is safe for concurrent use.
type Gate struct {
	live  func(string) bool
	leaks *leaks.Rules
}

// New loads the detectors. The first call in a process takes some milliseconds, later
// ones share its work.
func New(cfg Config) (*Gate, error) {
	l, err := leaks.Default()
	if err != nil {
		return nil, fmt.Errorf("load secret rules: %w", err)
	}
	live := cfg.Live
	if live == nil {
		live = func(string) bool { return false }
	}
	return &Gate{live: live, leaks: l}, nil
}

// Check runs the whole gate but the two rows about duplicates and reports every
// failure, not only the first. A paid entry known by its hash alone has no
// content to judge: ask Text about its other fields instead.
func (g *Gate) Check(d Draft) Report {
	content := newView(d.Content)
	reasons := form(d, content)
	var warnings []Finding
	if len(reasons) == 0 { // what is refused for its form is not weighed
		warnings = append(warnings, substance(d.Content, content)...)
	}
	for _, f := range d.texts() {
		v := newView(f.text)
		warnings = append(warnings, injections(f.name, v)...)
		warnings = append(warnings, personal(f.name, v)...)
	}
	meta := readMetadata(d)
	if meta.dropped > 0 {
		warnings = append(warnings, whole(reason.MetadataKeyDropped, "metadata", meta.text))
	}
	warnings = append(warnings, d.formWarnings()...)

	reasons = append(reasons, g.contents(d, meta)...)
	slices.SortStableFunc(reasons, byTable)
	return Report{
		Reasons:  reasons,
		Warnings: warnings,
		Score:    score(reasons, warnings),
		Rules:    Rules,
	}
}

// Refusal is the first code for which Check would refuse d, or "": what a node asks
// about the entries of others, at half the cost of the whole report.
func (g *Gate) Refusal(d Draft) reason.Code {
	reasons := append(form(d, newView(d.Content)), g.contents(d, readMetadata(d))...)
	if len(reasons) == 0 {
		return ""
	}
	return slices.MinFunc(reasons, byTable).Code
}

// form finds what is wrong with the kind and the shape of the content.
func form(d Draft, content view) (reasons []Finding) {
	if !knownType(d.Type) {
		reasons = append(reasons, whole(reason.InvalidType, "type", d.Type))
	}
	reasons = append(reasons, lengthFindings(d.Content)...)
	if fewWords(content.text) {
		reasons = append(reasons, whole(reason.TooFewWords, "content", d.Content))
	}
	reasons = append(reasons, sessionDump(content)...)
	return append(reasons, shellLog(content)...)
}

// contents finds credentials in every field, and a receipt or metadata that is not
// valid.
func (g *Gate) contents(d Draft, meta metadata) (reasons []Finding) {
	for _, f := range d.texts() {
		reasons = append(reasons, g.Text(f.name, f.text)...)
	}
	if len(d.Receipt) > 0 {
		reasons = append(reasons, g.scan("receipt", jsonView(string(d.Receipt)))...)
		if !receiptMatches(d.Receipt, d.ReceiptSHA256) {
			reasons = append(reasons, whole(reason.ReceiptMismatch, "receipt", string(d.Receipt)))
		}
	}
	if meta.err != nil {
		reasons = append(reasons, whole(reason.ValidationFailed, "metadata", ""))
	}
	return append(reasons, g.scan("metadata", jsonView(meta.text))...)
}

// metadata is that of a draft as it would be signed.
type metadata struct {
	text    string // its JSON
	dropped int    // keys left out
	err     error  // it is no JSON
}

func readMetadata(d Draft) (m metadata) {
	clean, dropped := CleanMetadata(d.Metadata)
	m.dropped = dropped
	m.text, m.err = jsonText(clean)
	return m
}

// Text runs the secret and credential detectors over one text. It is linear in
// the text, whose size the caller bounds; field only labels the findings.
func (g *Gate) Text(field, text string) []Finding {
	return g.scan(field, newView(text))
}

// scan looks for credentials in v and, one level deep, in what is encoded there.
func (g *Gate) scan(field string, v view) []Finding {
	if v.text == "" {
		return nil
	}
	var found []Finding
	for _, w := range append([]view{v}, v.decoded()...) {
		hits := append(secrets(w), leaked(g.leaks, w.text)...)
		hits = append(hits, echoes(w)...)
		hits = append(hits, liveKeys(w, g.live)...)
		for _, h := range hits {
			offset, length := w.place(h.from, h.to)
			found = append(found, Finding{Code: h.code, Field: field, Offset: offset, Length: length, Kind: h.kind})
		}
	}
	return settle(found)
}

// hit is a finding in the bytes of a view.
type hit struct {
	code     reason.Code
	kind     string
	from, to int
}

// settle orders findings of one field and keeps, of those with one code that
// overlap, the one that begins first and reaches furthest; no more than
// maxFindings of a code, since a text full of keys needs no longer report.
func settle(found []Finding) []Finding {
	slices.SortFunc(found, func(a, b Finding) int {
		return cmp.Or(byTable(a, b), cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Length, a.Length), cmp.Compare(a.Kind, b.Kind))
	})
	kept := found[:0]
	count := make(map[reason.Code]int)
	for _, f := range found {
		if n := len(kept); n > 0 && kept[n-1].Code == f.Code && f.Offset < kept[n-1].Offset+max(1, kept[n-1].Length) {
			continue
		}
		if count[f.Code]++; count[f.Code] <= maxFindings {
			kept = append(kept, f)
		}
	}
	return kept
}

// table is the gate table; what it does not name comes last.
var table = []reason.Code{
	reason.InvalidType, reason.TooShort, reason.TooLong, reason.TooFewWords, reason.RawSessionDump,
	reason.ShellLog, reason.SecretDetected, reason.CredentialEcho, reason.ReceiptMismatch, reason.ValidationFailed,
}

func byTable(a, b Finding) int {
	return cmp.Compare(slices.Index(table, a.Code), slices.Index(table, b.Code))
}

func codes(found []Finding) []reason.Code {
	var out []reason.Code
	for _, f := range found {
		if !slices.Contains(out, f.Code) {
			out = append(out, f.Code)
		}
	}
	return out
}

func whole(c reason.Code, field, text string) Finding {
	return Finding{Code: c, Field: field, Length: utf8.RuneCountInString(text)}
}

func knownType(t string) bool {
	switch strings.ToLower(strings.TrimSpace(t)) {
	case "wisdom", "pattern", "gotcha":
		return true
	}
	return false
}

func lengthFindings(content string) []Finding {
	short, long := Length(content)
	var found []Finding
	if short < MinContent {
		found = append(found, whole(reason.TooShort, "content", content))
	}
	if long > MaxContent {
		found = append(found, whole(reason.TooLong, "content", content))
	}
	return found
}

type namedText struct{ name, text string }

// texts returns the plain texts of d under the names findings use.
func (d Draft) texts() []namedText {
	out := []namedText{{"content", d.Content}, {"domain", d.Domain}, {"title", d.Title}}
	for i, t := range d.Tags {
		out = append(out, namedText{"tags[" + strconv.Itoa(i) + "]", t})
	}
	for i, t := range d.Evidence {
		out = append(out, namedText{"evidence[" + strconv.Itoa(i) + "]", t})
	}
	return append(out, namedText{"source", d.Source})
}

func (d Draft) formWarnings() []Finding {
	var out []Finding
	if len(d.Evidence) == 0 && len(d.Receipt) == 0 && d.ReceiptSHA256 == "" {
		out = append(out, Finding{Code: reason.NoEvidence, Field: "evidence"})
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(d.Content))
	if !strings.ContainsRune(`.!?)"。`, last) {
		out = append(out, whole(reason.NoFinalPunctuation, "content", d.Content))
	}
	return out
}

// receiptMatches compares the hash only when one was sent.
func receiptMatches(receipt []byte, want string) bool {
	if want == "" {
		return true
	}
	sum := sha256.Sum256(receipt)
	return strings.EqualFold(hex.EncodeToString(sum[:]), want)
}

// jsonText is the JSON of m with sorted keys, or "" for an empty map.
func jsonText(m map[string]any) (string, error) {
	if len(m) == 0 {
		return "", nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return "", fmt.Errorf("encode metadata: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// Refuse adds a finding that the gate cannot make by itself, such as a
// duplicate, and lowers the score as for its own.
func (r *Report) Refuse(f Finding) {
	r.Reasons = append(r.Reasons, f)
	r.Score = score(r.Reasons, r.Warnings)
}

func score(reasons, warnings []Finding) int {
	lost := 40 * len(codes(reasons))
	for _, c := range codes(warnings) {
		switch c {
		case reason.FillerText, reason.RepeatedWords, reason.EmptyPraise:
			lost += 40 // nobody learns anything from it
		default:
			lost += 10
		}
	}
	return max(0, 100-lost)
}
