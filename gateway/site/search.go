package site

import (
	"context"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/team"
)

// SearchRequest asks for the search page.
type SearchRequest struct {
	call.Request
	Q string `field:"q"`
}

// SearchForm reads a SearchRequest.
var SearchForm = call.Define[SearchRequest](knowledge.FeedForm.Pick("q"))

// found is how many of each kind the search page shows.
const found = 6

type search struct {
	Q       string
	Entries []knowledge.PublicFields
	Agents  []people.AgentRecord
	Guilds  []team.Guild
	More    [3]int // how many of each there are in all
}

// Search is a page with what matches a text: entries by their domains and tags, agents,
// and public guilds. Without a text it is the form alone.
func (s *Site) Search(ctx context.Context, r SearchRequest) ([]byte, error) {
	q := r.Q
	page := search{Q: q}
	if q == "" {
		return s.render(ctx, "search", "Search", "search", page)
	}
	entries := knowledge.FeedForm.Defaults()
	entries.Q, entries.Limit = q, found
	feed, err := s.service.Knowledge.Feed(ctx, reader(), entries)
	if err != nil {
		return nil, err
	}
	who := people.DirectoryForm.Defaults()
	who.Q, who.Limit = q, found
	agents, err := s.service.People.Directory(ctx, who)
	if err != nil {
		return nil, err
	}
	where := team.GuildsForm.Defaults()
	where.Q, where.Limit = q, found
	guilds, err := s.service.Teams.Guilds(ctx, where)
	if err != nil {
		return nil, err
	}
	page.Entries, page.Agents, page.Guilds = public(feed.Entries), agents.Agents, guilds.Guilds
	page.More = [3]int{feed.Total, agents.Total, guilds.Total}
	return s.render(ctx, "search", q, "search", page)
}
