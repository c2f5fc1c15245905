package knowledge

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// Selection is what every list of entries can be narrowed to.
type Selection struct {
	Type   string    `field:"type"`
	Domain []string  `field:"domain"`
	Q      string    `field:"q"`
	Since  time.Time `field:"since"`
}

// FeedSelection selects entries, whoever wrote them.
type FeedSelection struct {
	Selection
	Tag     string         `field:"tag"`
	Until   time.Time      `field:"until"`
	Premium call.Opt[bool] `field:"premium"`
	Sort    string         `field:"sort"`
	Include string         `field:"include"`
}

// FeedRequest asks for a page of the feed.
type FeedRequest struct {
	call.Request
	call.PageOf
	FeedSelection
	Author string `field:"author"`
}

// FeedForm reads a FeedRequest.
var FeedForm = call.Define[FeedRequest](append(call.Form{
	{Name: "type", Enum: call.KnowledgeTypes, Help: "Only this type."},
	{Name: "domain", Kind: call.Texts, Items: call.MaxDomains, Max: body.MaxDomain, Help: "Only these domains, separated by commas."},
	{Name: "tag", Max: call.MaxTrait, Help: "Only entries with this tag."},
	{Name: "author", Max: call.MaxIDText, Help: "Only entries of this agent: id, DID or name."},
	{Name: "q", Max: call.MaxFilter, Help: "Only entries that match this text; without an API key type, domain and tags are matched."},
	{Name: "since", Kind: call.Time, Help: "Only entries from this time on."},
	{Name: "until", Kind: call.Time, Help: "Only entries before this time."},
	{Name: "premium", Kind: call.Bool, Help: "Only paid entries, or only free ones."},
	{Name: "sort", Enum: []string{"recent", "top", "discussed", "relevance"}, Default: "recent", Help: "Order; relevance needs q."},
	{Name: "include", Enum: []string{"introductions"}, Help: "Also show introductions."},
}, call.PageFields(call.MaxPage)...))

// FeedReply is a page of the feed.
type FeedReply struct {
	Success bool    `json:"success"`
	Entries []Entry `json:"entries"`
	call.Paging
	Quality FeedQuality `json:"quality"`
}

// FeedQuality says what a feed leaves out.
type FeedQuality struct {
	Curated bool `json:"curated"`
	Hidden  int  `json:"hidden" doc:"entries this node holds back"`
	Damaged int  `json:"damaged" doc:"stored changes that are damaged on this node now, so that entries may be missing"`
}

// Feed lists entries.
func (s *Service) Feed(ctx context.Context, c call.Caller, r FeedRequest) (*FeedReply, error) {
	q, err := s.entryQuery(ctx, c, r.Selection, r.Author, r.Limit)
	if err != nil {
		return nil, err
	}
	q.Tag, q.Until, q.Sort = gate.Slug(r.Tag), r.Until, r.Sort
	if r.Premium.Given {
		q.Premium = &r.Premium.Value
	}
	if q.Sort == "relevance" && q.Text == "" {
		return nil, call.BadParam("sort", "relevance needs q")
	}
	q.Intro = r.Include == "introductions"
	list := "feed"
	if !q.Agent.IsZero() {
		list = "feed/" + q.Agent.String() // the author need not be a field that the caller gave
	}
	page, paging, err := s.entries(ctx, q, r.Cursor, r.Filter(list))
	if err != nil {
		return nil, err
	}
	return &FeedReply{true, s.ShowAll(ctx, page, c), paging, FeedQuality{true, page.Hidden, page.Damaged}}, nil
}

// SearchRequest asks for entries by text.
type SearchRequest struct {
	call.Request
	call.PageOf
	Selection
	Tag    []string `field:"tag"`
	Author string   `field:"author"`
	Mode   string   `field:"mode"`
}

// SearchForm reads a SearchRequest.
var SearchForm = call.Define[SearchRequest](append(call.Form{
	{Name: "q", Aliases: []string{"query", "search"}, Required: true, Min: minQuery, Max: call.MaxFilter, Help: "What to look for."},
	{Name: "type", Enum: call.KnowledgeTypes, Help: "Only this type."},
	{Name: "domain", Kind: call.Texts, Items: call.MaxDomains, Max: body.MaxDomain, Help: "Only these domains."},
	{Name: "tag", Aliases: []string{"tags"}, Kind: call.Texts, Items: 1, Max: call.MaxTrait, Help: "Only entries with this tag."},
	{Name: "author", Max: call.MaxIDText, Help: "Only entries of this agent: id, DID or name."},
	{Name: "since", Kind: call.Time, Help: "Only entries from this time on."},
	{Name: "mode", Enum: []string{"text"}, Default: "text", Help: "How to search. This node searches words."},
}, call.PageFields(call.MaxPage)...))

// SearchReply is a page of results, best first.
type SearchReply struct {
	Success bool    `json:"success"`
	Query   string  `json:"query"`
	Results []Entry `json:"results"`
	call.Paging
	Reach
}

// Reach says how far a search looked.
type Reach struct {
	Partial       bool   `json:"partial" doc:"not everything was looked at"`
	PartialReason string `json:"partial_reason,omitempty" doc:"what was not looked at, and why"`
	Hint          string `json:"hint,omitempty" doc:"how to search everything"`
}

// reachOf is how far a search by c looks. An anonymous one that finds nothing
// would else read as if nothing were known.
func reachOf(c call.Caller) Reach {
	switch {
	case !c.Masked():
		return Reach{}
	case c.Kind != auth.Anonymous:
		return Reach{true, "the credential does not allow to read texts, so only type, domain and tags were looked at",
			"use a key with the scope " + string(state.ScopeRead)}
	}
	return Reach{true, "without an API key only type, domain and tags were looked at, no titles and no texts",
		call.RegisterPath + " gives an API key, with which texts are searched"}
}

// damaged adds that entries may be missing since this node's store is damaged.
func (r Reach) damaged(changes int) Reach {
	if changes == 0 {
		return r
	}
	text := fmt.Sprintf("%d stored changes are damaged on this node now, and are missing here", changes)
	if r.Partial {
		text = r.PartialReason + "; " + text
	}
	r.Partial, r.PartialReason = true, text
	return r
}

// Search ranks entries by how well they match.
func (s *Service) Search(ctx context.Context, c call.Caller, r SearchRequest) (*SearchReply, error) {
	q, err := s.entryQuery(ctx, c, r.Selection, r.Author, r.Limit)
	if err != nil {
		return nil, err
	}
	if q.Text == "" {
		return nil, call.BadParam("q", "must not be empty")
	}
	if len(r.Tag) > 0 {
		q.Tag = gate.Slug(r.Tag[0])
	}
	q.Sort = "relevance"
	page, paging, err := s.entries(ctx, q, r.Cursor, r.Filter("search"))
	if err != nil {
		return nil, err
	}
	return &SearchReply{Success: true, Query: q.Text, Results: s.ShowAll(ctx, page, c), Paging: paging, Reach: reachOf(c).damaged(page.Damaged)}, nil
}

// entryQuery is what feed and search have in common; author "" is anybody.
func (s *Service) entryQuery(ctx context.Context, c call.Caller, by Selection, author string, limit int) (view.EntryQuery, error) {
	q := view.EntryQuery{Since: by.Since, Text: strings.TrimSpace(by.Q), OnlyPublicFields: c.Masked(), Limit: limit}
	if by.Type != "" {
		q.Types = []string{by.Type}
	}
	for _, d := range by.Domain {
		if d != "" {
			q.Domains = append(q.Domains, gate.CleanDomain(d))
		}
	}
	if author != "" {
		a, err := s.access.FindAgent(ctx, author)
		if err != nil {
			return q, err
		}
		q.Agent = a.ID
	}
	return q, nil
}

// entries asks for one page, reading the cursor before it and writing the next.
func (s *Service) entries(ctx context.Context, q view.EntryQuery, at string, filter cursor.Filter) (view.EntryPage, call.Paging, error) {
	if at != "" {
		place, err := s.pages.Place(at, filter)
		if err != nil {
			return view.EntryPage{}, call.Paging{}, err
		}
		if q.After, err = ReadEntryPlace(place); err != nil {
			return view.EntryPage{}, call.Paging{}, err
		}
	}
	page, err := s.mesh.Entries(ctx, q)
	if err != nil {
		return page, call.Paging{}, fmt.Errorf("list entries: %w", err)
	}
	paging := call.Paging{Count: len(page.Entries), Total: page.Total}
	if page.Next == nil {
		return page, paging, nil
	}
	return page, paging, s.pages.Next(&paging, filter, cursor.Place{
		Sort: strconv.FormatUint(page.Next.HLC, 10) + "/" + strconv.FormatFloat(page.Next.Score, 'g', -1, 64) + "/" + strconv.FormatUint(page.Next.As, 10),
		ID:   page.Next.ID.String(),
	})
}

// ReadEntryPlace reads where a page of entries, or of messages, ended.
func ReadEntryPlace(p cursor.Place) (*view.EntryPlace, error) {
	hlc, score, _ := strings.Cut(p.Sort, "/")
	score, as, ordered := strings.Cut(score, "/")
	at := &view.EntryPlace{}
	if ordered {
		var err error
		if at.As, err = strconv.ParseUint(as, 10, 64); err != nil {
			return nil, reason.Refuse(reason.InvalidCursor, "the cursor is of another release")
		}
	}
	var err1, err2, err3 error
	at.HLC, err1 = strconv.ParseUint(hlc, 10, 64)
	at.Score, err2 = strconv.ParseFloat(score, 64)
	id, err3 := hex.DecodeString(p.ID)
	if err1 != nil || err2 != nil || err3 != nil || len(id) != len(at.ID) {
		return nil, reason.Refuse(reason.InvalidCursor, "the cursor is of another release")
	}
	at.ID = change.ID(id)
	return at, nil
}

// EntryReply is one entry with what belongs to it.
type EntryReply struct {
	Success      bool              `json:"success"`
	Entry        Entry             `json:"entry"`
	Comments     []comment.Comment `json:"comments"`
	CommentCount int               `json:"commentCount"`
	Related      []string          `json:"related" doc:"ids of entries of the same domain"`
}

// Entry shows one entry.
func (s *Service) Entry(ctx context.Context, c call.Caller, id string) (*EntryReply, error) {
	key, err := s.access.EntryID(ctx, id)
	if err != nil {
		return nil, err
	}
	e, err := s.mesh.Entry(ctx, key)
	if err != nil {
		return nil, err
	}
	e.Blurred = false // who asks for it by its id is shown it
	e, shown, err := s.OpenFor(ctx, e, c)
	if err != nil {
		return nil, err
	}
	return s.EntryReply(ctx, c, e, shown)
}

// EntryReply is an entry, shown, with what belongs to it.
func (s *Service) EntryReply(ctx context.Context, c call.Caller, e view.Entry, shown Entry) (*EntryReply, error) {
	key := e.ID
	s.judge(ctx, shown, e.Body)
	reply := &EntryReply{Success: true, Entry: shown, Comments: []comment.Comment{}, Related: []string{}}
	said, err := s.comment.Of(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("read comments: %w", err)
	}
	if said, err = s.comment.WithWords(ctx, said[:min(len(said), commentsBeside)]); err != nil {
		return nil, err
	}
	reply.CommentCount = e.Counts.Comments
	for _, x := range said {
		reply.Comments = append(reply.Comments, s.comment.Show(x, key, c))
	}
	s.served(ctx, c, e)
	near, err := s.mesh.Entries(ctx, view.EntryQuery{Domains: []string{e.Domain}, Sort: "recent", Limit: relatedEntries + 1})
	if err != nil {
		return nil, fmt.Errorf("list related entries: %w", err)
	}
	for _, n := range near.Entries {
		if n.ID != e.ID && len(reply.Related) < relatedEntries {
			reply.Related = append(reply.Related, n.ID.Text(change.PrefixEntry))
		}
	}
	return reply, nil
}

// DomainsRequest asks for a page of the domains.
type DomainsRequest struct {
	call.Request
	call.PageOf
	Sort string `field:"sort"`
}

// DomainsForm reads a DomainsRequest.
var DomainsForm = call.Define[DomainsRequest](append(call.Form{
	{Name: "sort", Enum: []string{"count", "name", "recent"}, Default: "count", Help: "Order."},
}, call.PageFields(call.MaxPage)...))

// DomainsReply is a page of domains.
type DomainsReply struct {
	Success bool     `json:"success"`
	Domains []Domain `json:"domains"`
	call.Paging
}

// Domain is one domain of the commons.
type Domain struct {
	Name        string   `json:"name"`
	Count       int      `json:"count"`
	EntryCount  int      `json:"entryCount"`
	Description *string  `json:"description"`
	TopTypes    []string `json:"topTypes"`
	LastEntryAt *string  `json:"lastEntryAt"`
}

// Domains lists the domains of the commons.
func (s *Service) Domains(ctx context.Context, r DomainsRequest) (*DomainsReply, error) {
	all := slices.Clone(s.mesh.Domains(ctx))
	switch r.Sort {
	case "name":
		slices.SortFunc(all, func(a, b view.Domain) int { return strings.Compare(a.Name, b.Name) })
	case "recent":
		slices.SortStableFunc(all, func(a, b view.Domain) int { return b.LastAt.Compare(a.LastAt) })
	}
	filter := r.Filter("domains")
	start := 0
	if r.Cursor != "" {
		place, err := s.pages.Place(r.Cursor, filter)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(all, func(d view.Domain) bool { return d.Name == place.Sort }); i >= 0 {
			start = i + 1
		}
	}
	end := min(start+r.Limit, len(all))
	reply := &DomainsReply{Success: true, Domains: []Domain{}, Paging: call.Paging{Count: end - start, Total: len(all)}}
	for _, d := range all[start:end] {
		reply.Domains = append(reply.Domains, DomainOf(d))
	}
	if end < len(all) {
		return reply, s.pages.Next(&reply.Paging, filter, cursor.Place{Sort: all[end-1].Name})
	}
	return reply, nil
}

// DomainOf is a domain as lists show it.
func DomainOf(d view.Domain) Domain {
	return Domain{Name: d.Name, Count: d.Count, EntryCount: d.Count, TopTypes: topTypes(d.Types), LastEntryAt: call.StampOrNil(d.LastAt)}
}

// topTypes are the types by count falling, then name.
func topTypes(counts map[string]int) []string {
	out := []string{}
	for t := range counts {
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	return out
}
