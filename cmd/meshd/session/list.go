package session

import (
	"net/url"
	"strconv"

	"github.com/spf13/cobra"
)

// Filters are the flags of a list that become parameters of the API.
type Filters struct {
	texts map[string]*string
	limit int
}

// AddFilters declares a flag for each name; its help follows it.
func AddFilters(c *cobra.Command, pairs ...string) *Filters {
	f := &Filters{texts: map[string]*string{}}
	for i := 0; i+1 < len(pairs); i += 2 {
		v := new(string)
		c.Flags().StringVar(v, pairs[i], "", pairs[i+1])
		f.texts[pairs[i]] = v
	}
	c.Flags().IntVar(&f.limit, "limit", 20, "items on a page")
	f.texts["cursor"] = c.Flags().String("cursor", "", "where the last page ended")
	return f
}

// Query are the flags that were given, and the limit.
func (f *Filters) Query() url.Values {
	q := url.Values{"limit": {strconv.Itoa(f.limit)}}
	for name, v := range f.texts {
		if *v != "" {
			q.Set(name, *v)
		}
	}
	return q
}

// Paging is what every list ends with.
type Paging struct {
	Total      int     `json:"total"`
	HasMore    bool    `json:"has_more"`
	NextCursor *string `json:"next_cursor"`
}

// More prints how to get the next page.
func (s *Session) More(g Paging, shown int) {
	if g.HasMore && g.NextCursor != nil {
		s.Say("\n%d of %d; the next page: --cursor %s", shown, g.Total, *g.NextCursor)
	}
}
