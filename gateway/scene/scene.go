// Package scene is what a gateway does with sources: it parses and checks them, lists
// traits and targets, generates them from words, compiles them and draws pictures. It
// knows of no agent and no network; the work is done at the benches of a
// gateway/workshop, and pictures and pages are kept for who asks again.
package scene

import (
	"time"

	"github.com/meshd/meshd/gateway/workshop"
)

// Service reads, compiles and draws sources. It is safe for concurrent use.
type Service struct {
	work     *workshop.Workshop
	pictures *pictures
	pages    *roomPages
	now      func() time.Time
	baseURL  func() string
}

// New makes one that works at the benches of work. baseURL is the address
// of the gateway, or "".
func New(work *workshop.Workshop, now func() time.Time, baseURL func() string) *Service {
	return &Service{work, newPictures(), newRoomPages(), now, baseURL}
}
