// Package scene is what a gateway does with sources: it parses and checks them, lists
// traits and targets, generates them from words, compiles them and draws pictures. It
// knows of no agent and no network; the work is done at the benches of a
// gateway/workshop, and what was made is kept for a while for who asks again: pages by
// their source, all else by its hash (shelf.go). A model is shown links and beginnings in
// place of long texts (shown.go).
package scene

import (
	"time"

	"github.com/meshd/meshd/gateway/workshop"
)

// Service reads, compiles and draws sources. It is safe for concurrent use.
type Service struct {
	work     *workshop.Workshop
	pictures *shelf // that were drawn, for links over HTTP
	made     *shelf // by their hash, for models to read
	jobs     *jobs
	pages    *roomPages
	now      func() time.Time
	baseURL  func() string
	patience time.Duration // with a compile, until a model gets a job to ask about later
}

// New makes one that works at the benches of work. baseURL is the address
// of the gateway, or "".
func New(work *workshop.Workshop, now func() time.Time, baseURL func() string) *Service {
	return &Service{
		work: work, pictures: newShelf(maxPictures, maxPictureBytes, pictureLife), made: newShelf(maxArtefacts, maxArtefactBytes, artefactLife),
		jobs: newJobs(), pages: newRoomPages(), now: now, baseURL: baseURL, patience: patience,
	}
}
