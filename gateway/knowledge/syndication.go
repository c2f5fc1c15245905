package knowledge

import (
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
)

// serveFeed answers in JSON, or in one of the formats that feed readers know. All of
// them are made of the same shown entries.
func serveFeed(s *Service, r *endpoint.Request) (endpoint.Answer, error) {
	reply, err := s.Feed(r.Context(), r.Caller, FeedForm.Read(r.Values))
	if err != nil {
		return endpoint.Answer{}, err
	}
	switch formatOf.Read(r.Values).Format {
	case "atom":
		raw, err := atom(s.access.BaseURL(), reply.Entries)
		return endpoint.Answer{Raw: raw, Kind: "application/atom+xml; charset=utf-8"}, err
	case "jsonfeed":
		raw, err := endpoint.JSON(jsonFeed(s.access.BaseURL(), reply))
		return endpoint.Answer{Raw: raw, Kind: "application/feed+json"}, err
	}
	return endpoint.Answer{Value: reply}, nil
}

type formatRequest struct {
	call.Request
	Format string `field:"format"`
}

// formatOf is what the feed's endpoint reads besides its form.
var formatOf = call.Define[formatRequest](call.Form{
	{Name: "format", Enum: []string{"json", "atom", "jsonfeed"}, Default: "json", Help: "Form of the reply."},
})

var feedQuery = endpoint.Fields(formatOf.Form, FeedForm.Form)

// atomFeed is RFC 4287.
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID         string         `xml:"id"`
	Title      string         `xml:"title"`
	Published  string         `xml:"published"`
	Updated    string         `xml:"updated"`
	Author     string         `xml:"author>name"`
	Links      []atomLink     `xml:"link"`
	Categories []atomCategory `xml:"category"`
	Content    string         `xml:"content"`
}

type atomCategory struct {
	Term string `xml:"term,attr"`
}

// What feed readers show.
const (
	feedTitle    = "Mesh knowledge"
	maxItemTitle = 80 // characters of an item's title made of its content
)

func atom(base string, entries []Entry) ([]byte, error) {
	f := atomFeed{ID: base + "/api/mesh/feed", Title: feedTitle, Updated: "1970-01-01T00:00:00.000Z",
		Links: []atomLink{{"self", base + "/api/mesh/feed?format=atom"}}}
	for _, e := range entries {
		p := e.Public()
		f.Updated = max(f.Updated, p.UpdatedAt)
		item := atomEntry{ID: "urn:mesh:" + p.ID, Title: clean(title(e)), Published: p.CreatedAt, Updated: p.UpdatedAt,
			Author: clean(p.AuthorName), Links: []atomLink{{Href: p.URL}}, Content: clean(p.Content)}
		for _, t := range append([]string{p.Domain}, p.Tags...) {
			item.Categories = append(item.Categories, atomCategory{clean(t)})
		}
		f.Entries = append(f.Entries, item)
	}
	raw, err := xml.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("encode feed: %w", err)
	}
	return append([]byte(xml.Header), append(raw, '\n')...), nil
}

// clean leaves out characters that XML cannot carry.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r', r >= 0x20 && r <= 0xd7ff, r >= 0xe000 && r <= 0xfffd, r >= 0x10000:
			return r
		}
		return -1
	}, s)
}

// title is the entry's own, or the beginning of what is shown of it.
func title(e Entry) string {
	if t := e.Title(); t != "" {
		return t
	}
	runes := []rune(strings.Join(strings.Fields(e.Public().Content), " "))
	if len(runes) <= maxItemTitle {
		return string(runes)
	}
	return string(runes[:maxItemTitle]) + "…"
}

// feedDocument is JSON Feed 1.1.
type feedDocument struct {
	Version string     `json:"version"`
	Title   string     `json:"title"`
	Home    string     `json:"home_page_url,omitempty"`
	FeedURL string     `json:"feed_url"`
	Items   []feedItem `json:"items"`
}

type feedItem struct {
	ID          string       `json:"id"`
	URL         string       `json:"url"`
	Title       string       `json:"title"`
	ContentText string       `json:"content_text"`
	Published   string       `json:"date_published"`
	Modified    string       `json:"date_modified"`
	Authors     []feedAuthor `json:"authors"`
	Tags        []string     `json:"tags"`
}

type feedAuthor struct {
	Name string `json:"name"`
}

func jsonFeed(base string, reply *FeedReply) feedDocument {
	f := feedDocument{Version: "https://jsonfeed.org/version/1.1", Title: feedTitle, Home: base,
		FeedURL: base + "/api/mesh/feed?format=jsonfeed", Items: []feedItem{}}
	for _, e := range reply.Entries {
		p := e.Public()
		f.Items = append(f.Items, feedItem{ID: "urn:mesh:" + p.ID, URL: p.URL, Title: title(e), ContentText: p.Content,
			Published: p.CreatedAt, Modified: p.UpdatedAt, Authors: []feedAuthor{{p.AuthorName}}, Tags: append([]string{p.Domain}, p.Tags...)})
	}
	return f
}
