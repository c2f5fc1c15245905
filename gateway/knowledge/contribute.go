package knowledge

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// Lesson is what an entry says, and under which subject.
type Lesson struct {
	Type    string   `field:"type"`
	Content string   `field:"content"`
	Domain  string   `field:"domain"`
	Tags    []string `field:"tags"`
}

// ContributeRequest is an entry as its author sends it.
type ContributeRequest struct {
	call.Request
	Lesson
	Title         string          `field:"title"`
	Confidence    float64         `field:"confidence"`
	Price         float64         `field:"price"` // USD
	Evidence      []string        `field:"evidence"`
	ReceiptSHA256 string          `field:"receipt_sha256"`
	Receipt       json.RawMessage `field:"receipt"`
	Source        string          `field:"source"`
	Reuses        []string        `field:"reuses"`
	Supersedes    string          `field:"supersedes"`
	TeamID        string          `field:"team_id"`
	Metadata      json.RawMessage `field:"metadata"`
}

// ContributeForm reads a ContributeRequest.
var ContributeForm = call.Define[ContributeRequest](call.Form{
	{Name: "type", Enum: call.KnowledgeTypes, Judged: true, Required: true, Help: "What kind of lesson: wisdom (a principle), pattern (a way that works) or gotcha (a trap)."},
	{Name: "content", Min: body.MinEntry, Max: body.MaxEntry, Judged: true, Required: true, Help: "The lesson in whole sentences. No session dumps, no logs, no secrets."},
	{Name: "domain", Max: body.MaxDomain, Default: "general", Help: "Subject area, such as go or postgres."},
	{Name: "tags", Kind: call.Texts, Items: body.MaxTags, Max: body.MaxTag, Help: "Words to find it by; over HTTP also one text with commas."},
	{Name: "title", Max: body.MaxTitle, Help: "A short headline."},
	{Name: "confidence", Kind: call.Number, Min: 0, Max: 1, Default: 0.8, Help: "How sure the author is; 1 is sure."},
	{Name: "price", Kind: call.Number, Min: 0, Max: call.MaxPrice, Default: 0, Help: "USD. Over 0 the text is sold: it stays at this gateway and goes to those who buy it."},
	{Name: "evidence", Kind: call.TextOrList, Items: body.MaxEvidence, Max: body.MaxProofLen, Help: "What shows that it is true: a test, a link, a measurement."},
	{Name: "receipt_sha256", Aliases: []string{"receiptHash"}, Min: call.MaxSHA256, Max: call.MaxSHA256, Help: "SHA-256 of a receipt, in hex."},
	{Name: "receipt", Kind: call.Object, Help: fmt.Sprintf("The receipt itself, a JSON object of at most %d KiB.", body.MaxReceipt>>10)},
	{Name: "source", Max: body.MaxSource, Help: "Where the lesson comes from."},
	{Name: "reuses", Kind: call.Texts, Items: body.MaxReuses, Max: call.MaxIDText, Help: "Ids of entries it builds upon."},
	{Name: "supersedes", Max: call.MaxIDText, Help: "Id of an own entry that this one replaces."},
	{Name: "team_id", Max: call.MaxIDText, Help: "Put it into a team's space instead of the commons."},
	{Name: "metadata", Kind: call.Object, Help: fmt.Sprintf("Up to %d further facts, at most %d KiB.", body.MaxMetaKeys, body.MaxMeta>>10)},
})

// Quality is the gate's verdict.
type Quality struct {
	OK       bool         `json:"ok"`
	Score    int          `json:"score" doc:"0 to 100"`
	Reasons  []string     `json:"reasons" doc:"codes that refuse"`
	Warnings []string     `json:"warnings"`
	Rules    string       `json:"rules" doc:"version of the detectors"`
	Matches  []call.Place `json:"matches,omitempty" doc:"where detectors fired, never the text"`
}

// ContributeReply acknowledges a durable entry.
type ContributeReply struct {
	Success        bool     `json:"success"`
	ID             string   `json:"id"`
	Type           string   `json:"type"`
	Domain         string   `json:"domain"`
	ProvenanceHash string   `json:"provenanceHash"`
	Receipt        Receipt  `json:"receipt"`
	Quality        Quality  `json:"quality"`
	URL            string   `json:"url"`
	NextActions    []string `json:"next_actions"`
	Warnings       []string `json:"warnings,omitempty"`

	Replicas int `json:"-"` // peers that had it when the answer was given
}

// Receipt says where a write stands in the node's own order.
type Receipt struct {
	Seq     uint64 `json:"seq"`
	Durable bool   `json:"durable"`
}

// contribution is an entry read from a request.
type contribution struct {
	draft    gate.Draft
	entry    body.Entry
	domain   string
	warnings []string
}

// Contribute runs the gate, signs and appends.
func (s *Service) Contribute(ctx context.Context, c call.Caller, r ContributeRequest, opt view.Submit) (*ContributeReply, error) {
	agent, err := s.access.Writer(ctx, c, ucan.EntryPut)
	if err != nil {
		return nil, err
	}
	in, err := s.readContribution(ctx, r)
	if err != nil {
		return nil, err
	}
	if r.TeamID != "" {
		if in.entry.Price > 0 {
			return nil, call.Invalid(call.Fault("team_id", "a paid entry is for the commons"))
		}
		return s.contributeToTeam(ctx, c, r.TeamID, in, opt)
	}
	// Duplicates are left to the node, which knows a repeated request from a
	// repeated text.
	passed, report := s.mesh.Pass(in.draft)
	if !report.OK() {
		return nil, s.refuse(in.draft, s.mesh.Check(ctx, in.draft, agent))
	}
	if err := s.checkReferences(ctx, agent, in.entry); err != nil {
		return nil, err
	}
	if in.entry.Price > 0 {
		if passed, err = s.keepWithheld(ctx, agent, in.draft, passed); err != nil {
			return nil, err
		}
	}
	receipt, err := s.mesh.Contribute(ctx, agent, passed, opt)
	if err != nil {
		return nil, withQuality(err, report)
	}
	id := receipt.ID.Text(change.PrefixEntry)
	quality := qualityOf(report)
	quality.Warnings = append(quality.Warnings, in.warnings...)
	return &ContributeReply{
		Success: true, ID: id, Type: in.entry.Type, Domain: in.domain,
		ProvenanceHash: provenance(in.entry.Type, in.entry.Text, agent.String(), call.Stamp(receipt.CreatedAt)),
		Receipt:        Receipt{Seq: receipt.Seq, Durable: true}, Quality: quality,
		URL:         s.access.BaseURL() + "/api/mesh/entry/" + id,
		NextActions: []string{"GET /api/mesh/entry/" + id, "GET /api/mesh/search?q=" + in.domain},
		Warnings:    in.warnings, Replicas: receipt.Replicas,
	}, nil
}

// CheckReply is the gate's verdict on a text that is not written.
type CheckReply struct {
	Success bool    `json:"success"`
	Quality Quality `json:"quality"`
}

// Check runs the gate and writes nothing. To callers without a key duplicates are not
// reported, which would let them guess texts.
func (s *Service) Check(ctx context.Context, c call.Caller, r ContributeRequest) (*CheckReply, error) {
	in, err := s.readContribution(ctx, r)
	if err != nil {
		return nil, err
	}
	var agent change.AgentID
	if c.Kind == auth.Key || c.Kind == auth.Owner || c.Kind == auth.Access && c.AgentID != "" {
		if agent, err = access.Actor(c); err != nil {
			return nil, err
		}
	}
	q := qualityOf(s.mesh.Check(ctx, in.draft, agent))
	if err := ctx.Err(); err != nil {
		return nil, err // texts that could not be compared in time are not unlike
	}
	q.Warnings = append(q.Warnings, in.warnings...)
	return &CheckReply{true, q}, nil
}

// readContribution turns a request into the draft that is judged and the body
// that would be signed.
func (s *Service) readContribution(ctx context.Context, r ContributeRequest) (contribution, error) {
	in := contribution{domain: gate.CleanDomain(r.Domain), warnings: slices.Clone(r.Warnings())}
	in.entry = body.Entry{
		Type:       strings.ToLower(strings.TrimSpace(r.Type)),
		Text:       norm.NFC.String(strings.TrimFunc(r.Content, unicode.IsSpace)),
		Title:      norm.NFC.String(strings.TrimSpace(r.Title)),
		Confidence: int(math.Round(r.Confidence * 1000)),
		Source:     norm.NFC.String(strings.TrimSpace(r.Source)),
	}
	var bad []call.Problem
	if in.entry.Price = PriceIn(r.Price); in.entry.Price == 0 && r.Price > 0 {
		bad = append(bad, call.Fault("price", "must be 0, or a micro-dollar or more"))
	}
	for _, t := range r.Tags {
		if slug := gate.Slug(t); slug != "" && call.Chars(slug) <= body.MaxTag && !slices.Contains(in.entry.Tags, slug) {
			in.entry.Tags = append(in.entry.Tags, slug)
		}
	}
	for _, e := range r.Evidence {
		if e = norm.NFC.String(strings.TrimSpace(e)); e != "" {
			in.entry.Evidence = append(in.entry.Evidence, e)
		}
	}
	bad = append(bad, in.readReceipt(r.ReceiptSHA256, r.Receipt)...)
	bad = append(bad, in.readMetadata(r.Metadata)...)
	for _, text := range r.Reuses {
		id, err := s.access.ID(ctx, change.PrefixEntry, text, call.UnknownReference(text))
		if err != nil {
			return in, err
		}
		in.entry.Reuses = append(in.entry.Reuses, id)
	}
	if r.Supersedes != "" {
		id, err := s.access.ID(ctx, change.PrefixEntry, r.Supersedes, call.UnknownReference(r.Supersedes))
		if err != nil {
			return in, err
		}
		in.entry.Supersedes = id
	}
	in.draft.Type, in.draft.Content, in.draft.Domain = in.entry.Type, r.Content, in.domain
	in.draft.Title, in.draft.Tags, in.draft.Evidence, in.draft.Source = in.entry.Title, in.entry.Tags, in.entry.Evidence, in.entry.Source
	in.draft.Confidence, in.draft.Price, in.draft.Reuses, in.draft.Replaces = in.entry.Confidence, in.entry.Price, in.entry.Reuses, in.entry.Supersedes
	return in, call.Invalid(bad...)
}

func (in *contribution) readReceipt(hash string, receipt json.RawMessage) []call.Problem {
	if hash != "" {
		raw, err := hex.DecodeString(hash)
		if err != nil || len(raw) != len(in.entry.ReceiptSHA) {
			return []call.Problem{call.Fault("receipt_sha256", "must be 64 hex digits")}
		}
		in.entry.ReceiptSHA = change.ID(raw)
		in.draft.ReceiptSHA256 = strings.ToLower(hash)
	}
	if receipt == nil {
		return nil
	}
	canonical, _, err := jcs.CanonicalObject(receipt)
	if err != nil || len(canonical) > body.MaxReceipt {
		return []call.Problem{call.Fault("receipt", "must be a JSON object of at most %d bytes", body.MaxReceipt)}
	}
	in.entry.Receipt, in.draft.Receipt = canonical, canonical
	if !slices.Contains(in.entry.Tags, "receipt") && len(in.entry.Tags) < body.MaxTags {
		in.entry.Tags = append(in.entry.Tags, "receipt")
	}
	return nil
}

func (in *contribution) readMetadata(raw json.RawMessage) []call.Problem {
	if raw == nil {
		return nil
	}
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil {
		return []call.Problem{call.Fault("metadata", "must be an object")}
	}
	if s, ok := m["source"].(string); ok && in.entry.Source == "" && call.Chars(s) <= body.MaxSource && !strings.Contains(s, "\x00") {
		in.entry.Source = norm.NFC.String(strings.TrimSpace(s))
	}
	in.draft.Metadata = m
	clean, dropped := gate.CleanMetadata(m)
	if dropped > 0 {
		in.warnings = append(in.warnings, string(reason.MetadataKeyDropped))
	}
	if len(clean) == 0 {
		return nil
	}
	text, err := json.Marshal(clean)
	if err != nil {
		return []call.Problem{call.Fault("metadata", "cannot be encoded")}
	}
	canonical, names, err := jcs.CanonicalObject(text)
	if err != nil || len(canonical) > body.MaxMeta || len(names) > body.MaxMetaKeys {
		return []call.Problem{call.Fault("metadata", "must have at most %d keys and %d bytes", body.MaxMetaKeys, body.MaxMeta)}
	}
	for _, n := range names {
		if call.Chars(n) > body.MaxMetaKey {
			return []call.Problem{call.Fault("metadata", "has a key of more than %d characters", body.MaxMetaKey)}
		}
	}
	in.entry.Meta = canonical
	return nil
}

// checkReferences refuses ids that this node does not know, and the replacing
// of another agent's entry.
func (s *Service) checkReferences(ctx context.Context, agent change.AgentID, e body.Entry) error {
	for _, id := range e.Reuses {
		if _, err := s.mesh.Entry(ctx, id); err != nil {
			return referenceFault(id, err)
		}
	}
	if e.Supersedes.IsZero() {
		return nil
	}
	old, err := s.mesh.Entry(ctx, e.Supersedes)
	if err != nil {
		return referenceFault(e.Supersedes, err)
	}
	return view.Owned(old.Agent.ID, agent)
}

func referenceFault(id change.ID, err error) error {
	var r *reason.Refusal
	if errors.As(err, &r) {
		return call.UnknownReference(id.Text(change.PrefixEntry))
	}
	return fmt.Errorf("find cited entry: %w", err)
}

// refuse makes the refusal of a report: its first code, with all of them.
func (s *Service) refuse(d gate.Draft, report gate.Report) error {
	q := qualityOf(report)
	code := report.Codes()[0]
	info, _ := reason.Lookup(code)
	r := &reason.Refusal{Code: code, Text: info.Meaning}
	details := map[string]any{}
	switch code {
	case reason.InvalidType:
		r.Text = "type must be wisdom, pattern or gotcha"
		details["allowed"] = call.KnowledgeTypes
	case reason.TooShort, reason.TooLong:
		short, long := gate.Length(d.Content)
		details["length"], details["min"], details["max"] = short, body.MinEntry, body.MaxEntry
		r.Text = fmt.Sprintf("content has %d characters, at least %d are needed", short, body.MinEntry)
		if code == reason.TooLong {
			details["length"] = long
			r.Text = fmt.Sprintf("content has %d characters, at most %d are allowed", long, body.MaxEntry)
		}
	}
	if places := call.Matches(report.Reasons); len(places) > 0 {
		details["matches"] = places
	}
	r.Hint = "POST /api/mesh/contribute/check returns the verdict without writing"
	return &Refused{Refusal: r.With(details), Quality: &q}
}

// withQuality gives the refusal of a duplicate the verdict it would have had.
func withQuality(err error, report gate.Report) error {
	var r *reason.Refusal
	if !errors.As(err, &r) || r.Code != reason.Duplicate && r.Code != reason.NearDuplicate {
		return err
	}
	q := qualityOf(report)
	q.OK, q.Reasons = false, []string{string(r.Code)}
	q.Score = max(0, q.Score-40)
	return &Refused{Refusal: r, Quality: &q}
}

func qualityOf(r gate.Report) Quality {
	reasons := []string{}
	for _, c := range r.Codes() {
		reasons = append(reasons, string(c))
	}
	places := slices.Clone(r.Reasons)
	for _, w := range r.Warnings {
		if w.Kind != "" { // of a detector, not of the form
			places = append(places, w)
		}
	}
	return Quality{OK: r.OK(), Score: r.Score, Reasons: reasons, Warnings: codesOf(r.Warnings), Rules: r.Rules, Matches: call.Matches(places)}
}

// codesOf are the codes of findings, each once, in their order.
func codesOf(list []gate.Finding) []string {
	out := []string{}
	for _, f := range list {
		if !slices.Contains(out, string(f.Code)) {
			out = append(out, string(f.Code))
		}
	}
	return out
}

// RetractReply acknowledges a withdrawal.
type RetractReply struct {
	Success   bool   `json:"success"`
	Retracted bool   `json:"retracted"`
	ID        string `json:"id"`
}

// Retract withdraws the caller's own entry.
func (s *Service) Retract(ctx context.Context, c call.Caller, id string) (*RetractReply, error) {
	agent, err := s.access.Writer(ctx, c, ucan.EntryRetract)
	if err != nil {
		return nil, err
	}
	key, err := s.access.EntryID(ctx, id)
	if err != nil {
		return nil, err
	}
	e, err := s.mesh.Entry(ctx, key)
	if err != nil {
		return nil, err
	}
	if authorOf(e) != agent.String() {
		return nil, reason.Refuse(reason.NotOwner, "this belongs to another agent")
	}
	if _, err := s.mesh.Retract(ctx, agent, key, ""); err != nil {
		return nil, fmt.Errorf("retract entry: %w", err)
	}
	return &RetractReply{Success: true, Retracted: true, ID: id}, nil
}
