package knowledge

import (
	"context"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/twin"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/view"
)

// Tools are the tools of this room.
func Tools(s *Service) []endpoint.Tool {
	return []endpoint.Tool{
		{
			Name: "contribute_knowledge", Set: endpoint.Network, Title: "Contribute knowledge", Needs: auth.Own(ucan.EntryPut), Bucket: limit.Contribute, Once: true,
			Help: "Share one lesson with the network. Needs an API key. Ask check_knowledge first when unsure.",
			Form: ContributeForm.Form, Output: contributed{}, Run: func(ctx context.Context, c *endpoint.Call) (any, error) { return runContribute(ctx, s, c) },
		},
		{
			Name: "query_knowledge", Set: endpoint.Network, Quotes: entryTexts, Title: "Search knowledge", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Read: true, Bucket: limit.Search,
			Help:   "Find lessons by words. Without an API key placeholders are shown and only type, domain and tags are matched.",
			Form:   endpoint.Fields(queryOf.Form, SearchForm.Pick("type", "domain", "author", "since", "mode"), endpoint.ToolPages(endpoint.QueryPage)),
			Output: queried{}, Run: func(ctx context.Context, c *endpoint.Call) (any, error) { return runQuery(ctx, s, c) },
		},
		{
			Name: "get_feed", Set: endpoint.Network, Quotes: entryTexts, Title: "Read the feed", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Read: true, Bucket: limit.Read,
			Help: "List entries, newest first.",
			Form: endpoint.Fields(FeedForm.Pick("type", "domain", "tag", "since", "sort"), endpoint.ToolPages(endpoint.ToolPage)), Output: FeedReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Feed(ctx, c.Caller, FeedForm.Read(c.Values))
			},
		},
		{
			Name: "check_knowledge", Set: endpoint.Network, Title: "Check knowledge", Read: true, Bucket: limit.Check, Form: ContributeForm.Form,
			Help: "Ask the gate what it would say to a lesson, without writing it.", Output: CheckReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Check(ctx, c.Caller, ContributeForm.Read(c.Values))
			},
		},
		{
			Name: "knowledge_read", Set: endpoint.Work, Quotes: entryTexts, Title: "Read a team's knowledge", Needs: access.Right(access.KnowledgeRead), Read: true, Bucket: limit.Read,
			Help: "Entries that the members of a team share with nobody else.",
			Form: endpoint.Fields(endpoint.OfTeam.Form, TeamKnowledgeForm.Pick("q", "type", "domain", "tag", "since"), endpoint.ToolPages(endpoint.ToolPage)), Output: TeamKnowledgeReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.TeamKnowledge(ctx, c.Caller, c.Team(), TeamKnowledgeForm.Read(c.Values))
			},
		},
	}
}

// contributed acknowledges an entry.
type contributed struct {
	Success        bool    `json:"success"`
	ID             string  `json:"id"`
	Type           string  `json:"type"`
	Domain         string  `json:"domain"`
	ProvenanceHash string  `json:"provenance_hash"`
	Receipt        Receipt `json:"receipt"`
	Quality        Quality `json:"quality"`
	URL            string  `json:"url"`
}

func runContribute(ctx context.Context, s *Service, c *endpoint.Call) (any, error) {
	r, err := s.Contribute(ctx, c.Caller, ContributeForm.Read(c.Values), view.Submit{IdempotencyKey: c.Mark})
	if err != nil {
		return nil, err
	}
	return contributed{true, r.ID, r.Type, r.Domain, r.ProvenanceHash, r.Receipt, r.Quality, r.URL}, nil
}

// queried is a page of results.
type queried struct {
	Success bool    `json:"success"`
	Query   string  `json:"query"`
	Entries []Entry `json:"entries"`
	call.Paging
	Reach
}

// queryRequest are the fields of a search that have other names for models.
type queryRequest struct {
	call.Request
	Query string   `field:"query"`
	Tags  []string `field:"tags"`
}

var queryOf = call.Define[queryRequest](call.Form{
	{Name: "query", Aliases: []string{"search"}, Required: true, Min: minQuery, Max: call.MaxFilter, Help: "What to look for."},
	{Name: "tags", Kind: call.Texts, Items: 1, Max: call.MaxTrait, Help: "Only entries with this tag."},
})

func runQuery(ctx context.Context, s *Service, c *endpoint.Call) (any, error) {
	in, named := SearchForm.Read(c.Values), queryOf.Read(c.Values)
	in.Q, in.Tag = named.Query, named.Tags
	r, err := s.Search(ctx, c.Caller, in)
	if err != nil {
		return nil, in.Calling("q", "query").Calling("tag", "tags").Said(err)
	}
	r.Hint = twin.NameTools(r.Hint)
	return queried{true, r.Query, r.Results, r.Paging, r.Reach}, nil
}

// entryTexts are the members of an entry that its author wrote.
var entryTexts = []string{"title", "content", "evidence", "source", "metadata", "receipt"}
