package knowledge

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/encode"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// Entry is an entry as one caller may see it: the public fields, or all of
// them. Only show makes one, so an unmasked entry cannot reach an encoder by
// another way.
type Entry struct {
	masked *MaskedEntry
	full   *FullEntry
}

// MarshalJSON encodes what the caller may see.
func (e Entry) MarshalJSON() ([]byte, error) {
	if e.full != nil {
		return encode.JSON(e.full)
	}
	return encode.JSON(e.masked)
}

// Public are the fields that everyone sees. With a key they have the content
// and the author's name, else placeholders.
func (e Entry) Public() PublicFields {
	if e.full != nil {
		return e.full.PublicFields
	}
	return e.masked.PublicFields
}

// Title is the entry's title, "" for callers who may not see it.
func (e Entry) Title() string {
	if e.full != nil {
		return e.full.Title
	}
	return ""
}

// Full is the entry for callers who may see all of it, nil for others.
func (e Entry) Full() *FullEntry { return e.full }

// MaskedEntry is an entry for callers without a key. It has no field in which
// anything hidden could travel.
type MaskedEntry struct{ PublicFields }

// PublicFields are shown to everyone.
type PublicFields struct {
	ID               string   `json:"id" doc:"ent_ and the id of its change"`
	Type             string   `json:"type" enum:"wisdom,pattern,gotcha"`
	Domain           string   `json:"domain"`
	Content          string   `json:"content" doc:"the text, or a placeholder when locked"`
	AuthorName       string   `json:"authorName" doc:"unknown to callers without a key"`
	Tags             []string `json:"tags"`
	CreatedAt        string   `json:"createdAt"`
	UpdatedAt        string   `json:"updatedAt"`
	URL              string   `json:"url"`
	Price            float64  `json:"price" doc:"USD"`
	Premium          bool     `json:"premium"`
	Paid             bool     `json:"paid"`
	Locked           bool     `json:"locked" doc:"content is a placeholder"`
	PreviewAvailable bool     `json:"preview_available"`
	SoldAt           *Seller  `json:"sold_at,omitempty" doc:"of a paid entry, the gateway that sells its text, as its author says"`
	QueryCount       int      `json:"queryCount"`
	ReuseCount       int      `json:"reuseCount"`
	VoteCount        int      `json:"voteCount"`
	CommentCount     int      `json:"commentCount"`
	Score            float64  `json:"score"`
	Match            *Match   `json:"match,omitempty" doc:"how a search found it"`
	AuthorTier       string   `json:"authorTier,omitempty" doc:"in the marketplace"`
	SalesCount       *int     `json:"salesCount,omitempty" doc:"purchases here, in the marketplace"`
}

// Seller is a gateway that sells the text of an entry.
type Seller struct {
	Gateway string `json:"gateway" doc:"its address"`
	URL     string `json:"url" doc:"of the entry there; POST {url}/buy buys it"`
}

// Match says how a search found an entry.
type Match struct {
	Score  float64  `json:"score"`
	Fields []string `json:"fields"`
}

// FullEntry is an entry for holders of a key. What belongs to a premium text is
// absent until it is bought.
type FullEntry struct {
	PublicFields
	AuthorID       string        `json:"authorId,omitempty"`
	Author         *Author       `json:"author,omitempty"`
	Title          string        `json:"title,omitempty"`
	Confidence     *float64      `json:"confidence,omitempty" minimum:"0" maximum:"1"`
	Evidence       []string      `json:"evidence,omitempty"`
	ReceiptSHA256  string        `json:"receipt_sha256,omitempty"`
	Receipt        any           `json:"receipt,omitempty"`
	Source         string        `json:"source,omitempty"`
	Metadata       any           `json:"metadata,omitempty"`
	Reuses         []string      `json:"reuses,omitempty"`
	ProvenanceHash string        `json:"provenanceHash,omitempty"`
	Audit          *Audit        `json:"audit,omitempty"`
	Quality        *EntryQuality `json:"quality,omitempty"`
	Labels         []EntryLabel  `json:"labels,omitempty" doc:"of the labelers this gateway follows"`
	WorkspaceID    string        `json:"workspaceId,omitempty"`
}

// EntryLabel is what a labeler says of an entry.
type EntryLabel struct {
	Value string `json:"value"`
	By    string `json:"by" doc:"agent id"`
	At    string `json:"at"`
}

// Author names who wrote an entry.
type Author struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Handle string `json:"handle"`
	Tier   string `json:"tier"`
}

// Audit verifies an entry offline: the signature covers the preimage of the
// change id under the key named by keyId. An entry whose signature was broken on its
// way here has none.
type Audit struct {
	Algorithm   string `json:"algorithm"`
	KeyID       string `json:"keyId"`
	SignedAt    string `json:"signedAt"`
	PayloadHash string `json:"payloadHash"`
	Signature   string `json:"signature"`
	ChangeID    string `json:"changeId"`
}

// EntryQuality is what this node thinks of an entry it shows.
type EntryQuality struct {
	State    string   `json:"state" enum:"public-ready,quarantined"`
	Score    *int     `json:"score,omitempty" doc:"0 to 100, of a single entry"`
	Warnings []string `json:"warnings"`
}

// Show is the one way from a view to a face: the masked entry for anonymous
// callers, the full one for everybody else.
func (s *Service) Show(e view.Entry, c call.Caller) Entry {
	if c.MaskedIn(e.Body.Domain) {
		return Entry{masked: &MaskedEntry{s.publicFields(e)}}
	}
	f := &FullEntry{PublicFields: s.publicFields(e)}
	f.AuthorName = e.Agent.Name
	f.Tags = append([]string{}, e.Body.Tags...)
	f.AuthorID = e.Agent.ID.String()
	f.Author = &Author{f.AuthorID, e.Agent.Name, e.Agent.Handle, e.Agent.Tier}
	f.Title = e.Body.Title
	sure := float64(e.Body.Confidence) / 1000
	f.Confidence = &sure
	f.Quality = &EntryQuality{State: "public-ready", Warnings: []string{}}
	if e.Held != "" {
		f.Quality.State = "quarantined"
	}
	for _, l := range e.Labels {
		f.Labels = append(f.Labels, EntryLabel{l.Value, l.By.ID.String(), call.Stamp(l.At)})
	}
	if f.Premium {
		return Entry{full: f}
	}
	if e.Blurred {
		f.Content = fmt.Sprintf("[%s in %s: labelled %s; ask for the entry itself to read it]", f.Type, f.Domain, e.Labels[0].Value)
		return Entry{full: f}
	}
	s.fill(f, e)
	return Entry{full: f}
}

// fill adds what only those see who may read the text.
func (s *Service) fill(f *FullEntry, e view.Entry) {
	f.Content, f.Locked = e.Body.Text, false
	f.Evidence, f.Source = e.Body.Evidence, e.Body.Source
	f.Receipt, f.Metadata = rawOrNil(e.Body.Receipt), rawOrNil(e.Body.Meta)
	if !e.Body.ReceiptSHA.IsZero() {
		f.ReceiptSHA256 = e.Body.ReceiptSHA.String()
	}
	for _, id := range e.Body.Reuses {
		f.Reuses = append(f.Reuses, id.Text(change.PrefixEntry))
	}
	f.ProvenanceHash = provenance(e.Body.Type, e.Body.Text, f.AuthorID, f.CreatedAt)
	if e.Signature.Known() {
		f.Audit = &Audit{
			Algorithm: "ed25519", KeyID: e.Signature.Key.String(), SignedAt: f.CreatedAt,
			PayloadHash: e.Signature.ID.String(), Signature: base64.RawURLEncoding.EncodeToString(e.Signature.Sig[:]),
			ChangeID: e.Signature.ID.Text(change.PrefixChange),
		}
	}
	f.WorkspaceID = "public"
}

// publicFields are those of a caller who may see nothing else.
func (s *Service) publicFields(e view.Entry) PublicFields {
	id := e.ID.Text(change.PrefixEntry)
	p := PublicFields{
		ID: id, Type: e.Body.Type, Domain: e.Domain, AuthorName: call.UnknownAuthor,
		Tags:      append([]string{}, e.Body.Tags[:min(len(e.Body.Tags), maxPublicTags)]...),
		CreatedAt: call.Stamp(e.CreatedAt), UpdatedAt: call.Stamp(e.CreatedAt), URL: s.access.BaseURL() + "/api/mesh/entry/" + id,
		Price: USD(e.Body.Price), Premium: IsPremium(e.Body),
		Locked: true, QueryCount: s.reads.count(id, e.Counts.Served), ReuseCount: e.Reuses,
		VoteCount: e.Counts.Up - e.Counts.Down, CommentCount: e.Counts.Comments, Score: float64(2*e.Reuses + e.Counts.Up - e.Counts.Down),
	}
	if e.SoldAt != "" {
		p.SoldAt = &Seller{Gateway: e.SoldAt, URL: e.SoldAt + "/api/mesh/entry/" + id}
	}
	p.Content = fmt.Sprintf("[%s in %s: full content needs an API key]", p.Type, p.Domain)
	if p.Premium {
		p.Content = fmt.Sprintf("[%s in %s: premium entry, %s USD]", p.Type, p.Domain, strconv.FormatFloat(p.Price, 'f', -1, 64))
	}
	return p
}

// ShowAll shows a page of entries, with how each was found where matches say so.
func (s *Service) ShowAll(ctx context.Context, page view.EntryPage, c call.Caller) []Entry {
	out := make([]Entry, 0, len(page.Entries))
	for i, e := range page.Entries {
		shown := s.ShowTo(ctx, e, c)
		if i < len(page.Matches) {
			shown.setMatch(page.Matches[i])
		}
		out = append(out, shown)
	}
	return out
}

// publicMatches are the fields whose being matched is nothing new to an
// anonymous caller.
var publicMatches = []string{"type", "domain", "tags"}

func (e Entry) setMatch(m view.Match) {
	if e.full != nil {
		e.full.Match = &Match{m.Score, append([]string{}, m.Fields...)}
		return
	}
	fields := []string{}
	for _, f := range m.Fields {
		if slices.Contains(publicMatches, f) {
			fields = append(fields, f)
		}
	}
	e.masked.Match = &Match{m.Score, fields}
}

// judge adds what the gate says about a single entry.
func (s *Service) judge(ctx context.Context, e Entry, b body.Entry) {
	if e.full == nil || e.full.Locked {
		return
	}
	draft, err := gate.DraftOf(b, e.full.Domain)
	if err != nil {
		return // what is no JSON never enters the log
	}
	report := s.mesh.Check(ctx, draft, change.AgentID{})
	e.full.Quality.Score = &report.Score
	e.full.Quality.Warnings = codesOf(report.Warnings)
}

// warn adds what the gate of a node warns of in an entry of a list.
func (v *verdicts) warn(ctx context.Context, mesh Node, shown Entry, e view.Entry) {
	if shown.full == nil || shown.full.Locked {
		return
	}
	shown.full.Quality.Warnings = v.of(e.ID, func() []string {
		draft, err := gate.DraftOf(e.Body, e.Domain)
		if err != nil {
			return []string{} // what is no JSON never enters the log
		}
		return codesOf(mesh.Check(ctx, draft, change.AgentID{}).Warnings)
	})
}

// verdicts keep what the gate warned of in entries, which never change.
type verdicts struct {
	mu       sync.Mutex
	warnings map[change.ID][]string
}

// of is what was said of an entry, or what judge says.
func (v *verdicts) of(id change.ID, judge func() []string) []string {
	v.mu.Lock()
	said, ok := v.warnings[id]
	v.mu.Unlock()
	if ok {
		return said
	}
	said = judge()
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.warnings == nil || len(v.warnings) >= maxVerdicts {
		v.warnings = map[change.ID][]string{}
	}
	v.warnings[id] = said
	return said
}

// rawOrNil shows canonical JSON of a change as it is.
func rawOrNil(b []byte) any {
	if b == nil {
		return nil
	}
	return json.RawMessage(b)
}

// provenance is the hash that a reader can compute again from the entry.
func provenance(typ, content, author, createdAt string) string {
	raw, err := json.Marshal(map[string]string{"type": typ, "content": content, "author": author, "created_at": createdAt})
	if err == nil {
		raw, err = jcs.Canonical(raw)
	}
	if err != nil {
		return "" // a text that is no UTF-8 never enters the log
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// ParseEntryID reads an entry's id as clients write it.
func ParseEntryID(s string) (change.ID, error) {
	id, err := change.ParseID(change.PrefixEntry, s)
	if err != nil {
		return id, access.ErrEntryNotFound
	}
	return id, nil
}

// authorOf is the agent id of an entry's author.
func authorOf(e view.Entry) string { return e.Agent.ID.String() }
