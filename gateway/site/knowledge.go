package site

import (
	"context"
	"maps"
	"slices"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/welcome"
)

// FeedForm is what the page of the feed can be asked for.
var FeedForm = knowledge.FeedForm.Pick("type", "domain", "tag", "q", "sort", "limit", "cursor")

type feed struct {
	Entries              []knowledge.PublicFields
	Paging               call.Paging
	Types                []string
	Domains              []welcome.NameCount
	Type, Domain, Tag, Q string
	Sort, Given          string // the order, and as it was asked for
	Later                bool   // a page after the first
}

// Feed is a page of entries, as placeholders.
func (s *Site) Feed(ctx context.Context, r knowledge.FeedRequest) ([]byte, error) {
	f := feed{Types: []string{"wisdom", "pattern", "gotcha"}, Type: r.Type, Tag: r.Tag, Q: r.Q,
		Sort: r.Sort, Given: given(r.Request), Later: r.Cursor != ""}
	if list := r.Domain; len(list) > 0 {
		f.Domain = list[0]
	}
	reply, err := s.service.Knowledge.Feed(ctx, reader(), r)
	if err != nil {
		return nil, err
	}
	f.Entries, f.Paging = public(reply.Entries), reply.Paging
	overview, err := s.service.Welcomes.Overview(ctx, reader())
	if err != nil {
		return nil, err
	}
	f.Domains = overview.TopDomains
	return s.render(ctx, "feed", "Feed", "feed", f)
}

type entry struct {
	Entry   knowledge.PublicFields
	Related []string
	Checks  *welcome.VerifyEntryReply
}

// Entry is the page of one entry.
func (s *Site) Entry(ctx context.Context, id string) ([]byte, error) {
	reply, err := s.service.Knowledge.Entry(ctx, reader(), id)
	if err != nil {
		return nil, err
	}
	e := entry{Entry: reply.Entry.Public(), Related: reply.Related}
	if checks, err := s.service.Welcomes.VerifyEntry(ctx, reader(), id); err == nil {
		e.Checks = checks
	}
	return s.render(ctx, "entry", "A "+e.Entry.Type+" in "+e.Entry.Domain, "feed", e)
}

// DomainsForm is what the page of domains can be asked for.
var DomainsForm = knowledge.DomainsForm.Pick("sort", "limit", "cursor")

type domains struct {
	Domains []knowledge.Domain
	Paging  call.Paging
	Most    int
	Sort    string
	Given   string
	Later   bool
}

// Domains is the page of the commons' domains.
func (s *Site) Domains(ctx context.Context, r knowledge.DomainsRequest) ([]byte, error) {
	reply, err := s.service.Knowledge.Domains(ctx, r)
	if err != nil {
		return nil, err
	}
	d := domains{Domains: reply.Domains, Paging: reply.Paging, Sort: r.Sort, Given: given(r.Request), Later: r.Cursor != ""}
	for _, x := range d.Domains {
		d.Most = max(d.Most, x.Count)
	}
	return s.render(ctx, "domains", "Domains", "domains", d)
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// given is the order that was asked for, "" for the usual one: a cursor goes
// with exactly the filters it was given for.
func given(r call.Request) string {
	if sort := orderOf.From(r).Sort; sort.Given {
		return sort.Value
	}
	return ""
}

// orderOf reads the order of a list by whatever form it was asked for.
var orderOf = call.Define[orderRequest](call.Form{{Name: "sort"}})

type orderRequest struct {
	call.Request
	Sort call.Opt[string] `field:"sort"`
}
