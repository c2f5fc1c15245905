package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// filters are the flags of a list that become parameters of the API.
type filters struct {
	texts map[string]*string
	limit int
}

// addFilters declares a flag for each name; its help follows it.
func addFilters(c *cobra.Command, pairs ...string) *filters {
	f := &filters{texts: map[string]*string{}}
	for i := 0; i+1 < len(pairs); i += 2 {
		v := new(string)
		c.Flags().StringVar(v, pairs[i], "", pairs[i+1])
		f.texts[pairs[i]] = v
	}
	c.Flags().IntVar(&f.limit, "limit", 20, "items on a page")
	f.texts["cursor"] = c.Flags().String("cursor", "", "where the last page ended")
	return f
}

func (f *filters) query() url.Values {
	q := url.Values{"limit": {strconv.Itoa(f.limit)}}
	for name, v := range f.texts {
		if *v != "" {
			q.Set(name, *v)
		}
	}
	return q
}

// paging is what every list ends with.
type paging struct {
	Total      int     `json:"total"`
	HasMore    bool    `json:"has_more"`
	NextCursor *string `json:"next_cursor"`
}

// more tells how to go on.
func (p *program) more(g paging, shown int) {
	if g.HasMore && g.NextCursor != nil {
		p.say("\n%d of %d; the next page: --cursor %s", shown, g.Total, *g.NextCursor)
	}
}

// entry is what people see of an entry in a list.
type entry struct {
	ID         string
	Type       string
	Domain     string
	Title      string
	Content    string
	AuthorName string
	Tags       []string
	CreatedAt  string
	ReuseCount int
	Confidence float64
	Evidence   []string
	Reuses     []string
	Source     string
	AuthorID   string
	Audit      *struct{ KeyID, ChangeID string }
}

func (p *program) listEntries(entries []entry) error {
	for i, e := range entries {
		if i > 0 {
			fmt.Fprintln(p.out)
		}
		head := fmt.Sprintf("%s  %s in %s  by %s  %s", oneLine(e.ID, 80), oneLine(e.Type, 16), oneLine(e.Domain, 64), oneLine(e.AuthorName, 80), ago(e.CreatedAt, time.Now()))
		if _, err := fmt.Fprintln(p.out, head); err != nil {
			return err
		}
		if e.Title != "" {
			fmt.Fprintf(p.out, "  %s\n", oneLine(e.Title, 120))
		}
		fmt.Fprintf(p.out, "  %s\n", oneLine(e.Content, 240))
		if len(e.Tags) > 0 {
			fmt.Fprintf(p.out, "  #%s\n", oneLine(strings.Join(e.Tags, " #"), 160))
		}
	}
	return nil
}

// showEntries prints the entries that lie under a name of the answer.
func (p *program) showEntries(name string) func(json.RawMessage) error {
	return func(data json.RawMessage) error {
		var page paging
		var lists map[string]json.RawMessage
		var entries []entry
		if err := decode(data, &page); err != nil {
			return err
		}
		if err := decode(data, &lists); err != nil {
			return err
		}
		if err := decode(lists[name], &entries); err != nil {
			return err
		}
		if len(entries) == 0 {
			p.say("nothing found")
			return nil
		}
		if err := p.listEntries(entries); err != nil {
			return err
		}
		p.more(page, len(entries))
		return nil
	}
}

// read asks for a list.
func (p *program) read(c *cobra.Command, path string, query url.Values, show func(json.RawMessage) error) error {
	return p.ask(c.Context(), existing, http.MethodGet, path, query, nil, show)
}
