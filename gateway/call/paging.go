package call

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/state"
)

// Paging is the part of every list that says where it stands.
type Paging struct {
	Count      int     `json:"count" doc:"items in this page"`
	Total      int     `json:"total"`
	HasMore    bool    `json:"has_more"`
	NextCursor *string `json:"next_cursor" doc:"for the next page, or null"`
	CursorNext *string `json:"cursor_next" doc:"the same"`
}

// DefaultPage and MaxPage bound the items of a page.
const (
	DefaultPage = 20
	MaxPage     = state.MaxPage
)

// PageFields end every form of a list.
func PageFields(most int) Form {
	return Form{
		{Name: "limit", Kind: Int, Min: 1, Max: most, Default: DefaultPage, Help: "Items in a page."},
		{Name: "cursor", Kind: Text, Max: cursor.MaxText, Help: "next_cursor of the page before."},
	}
}

// Pages reads and writes the cursors of lists. It is safe for concurrent use.
type Pages struct {
	cursors *cursor.Codec
	now     func() time.Time
}

// NewPages makes the Pages of a codec and a clock.
func NewPages(cursors *cursor.Codec, now func() time.Time) Pages { return Pages{cursors, now} }

// Next sets the cursor of the page that follows.
func (c Pages) Next(p *Paging, f cursor.Filter, place cursor.Place) error {
	text, err := c.cursors.Encode(f, place, c.now())
	if err != nil {
		return fmt.Errorf("encode cursor: %w", err)
	}
	p.HasMore, p.NextCursor, p.CursorNext = true, &text, &text
	return nil
}

// Place reads the cursor of a list that was selected by f.
func (c Pages) Place(text string, f cursor.Filter) (cursor.Place, error) {
	return c.cursors.Decode(text, f, c.now())
}

// Offset reads the cursor of a list that is short and stands in one order, where
// a place is a number.
func (c Pages) Offset(text string, f cursor.Filter) (int, error) {
	if text == "" {
		return 0, nil
	}
	place, err := c.Place(text, f)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(place.Sort)
	if err != nil || n < 0 {
		return 0, reason.Refuse(reason.InvalidCursor, "the cursor is of another release")
	}
	return n, nil
}

// NextOffset sets the cursor that follows a page which began at an offset.
func (c Pages) NextOffset(p *Paging, f cursor.Filter, at int) error {
	if next := at + p.Count; next < p.Total {
		return c.Next(p, f, cursor.Place{Sort: strconv.Itoa(next)})
	}
	return nil
}

// Filter binds a cursor to the list and to every other field of the request.
func (v Values) Filter(list string) cursor.Filter {
	q := url.Values{}
	for name, x := range v.m {
		q.Set(name, fmt.Sprintf("%v", x))
	}
	return cursor.Bind(list, q)
}

// Paged cuts a page out of a list that is in memory whole. A cursor names the last item
// of the page before; when that is gone, the list begins anew.
func Paged[T any](c Pages, p *Paging, page PageOf, filter cursor.Filter, all []T, id func(T) change.ID) ([]T, error) {
	start := 0
	if page.Cursor != "" {
		place, err := c.Place(page.Cursor, filter)
		if err != nil {
			return nil, err
		}
		start = 1 + slices.IndexFunc(all, func(x T) bool { return id(x).String() == place.ID })
	}
	end := min(start+page.Limit, len(all))
	*p = Paging{Count: end - start, Total: len(all)}
	if end < len(all) {
		return all[start:end], c.Next(p, filter, cursor.Place{ID: id(all[end-1]).String()})
	}
	return all[start:end], nil
}
