package service

import (
	"strconv"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/cursor"
)

// offset reads the cursor of a list that is short and stands in one order, where
// a place is a number.
func (s *Service) offset(v Values, f cursor.Filter) (int, error) {
	text := v.Text("cursor")
	if text == "" {
		return 0, nil
	}
	place, err := s.cursors.Decode(text, f, s.cfg.Now())
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(place.Sort)
	if err != nil || n < 0 {
		return 0, reason.Refuse(reason.InvalidCursor, "the cursor is of another release")
	}
	return n, nil
}

// nextOffset sets the cursor that follows a page which began at an offset.
func (s *Service) nextOffset(p *Paging, f cursor.Filter, at int) error {
	if next := at + p.Count; next < p.Total {
		return s.next(p, f, cursor.Place{Sort: strconv.Itoa(next)})
	}
	return nil
}
