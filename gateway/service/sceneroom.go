package service

import (
	"time"

	"github.com/meshd/meshd/gateway/workshop"
)

// sceneService reads, compiles and draws sources. It is safe for concurrent use.
type sceneService struct {
	work     *workshop.Workshop
	pictures *pictures
	pages    *roomPages
	now      func() time.Time
	baseURL  func() string
}

// newSceneService makes one that works at the benches of work. baseURL is the address
// of the gateway, or "".
func newSceneService(work *workshop.Workshop, now func() time.Time, baseURL func() string) *sceneService {
	return &sceneService{work, newPictures(), newRoomPages(), now, baseURL}
}
