package peering

import (
	"context"
	"fmt"

	"github.com/thejerf/suture/v4"
)

// supervised handles events of the supervisor of the peer services: one that ended
// or panicked is started again, and when that happens too often all wait.
func (n *Peering) supervised(e suture.Event) {
	n.core.Opt.Log.Warn("peer service", "event", e.String())
	switch e := e.(type) {
	case suture.EventServicePanic:
		n.core.Broken.FailBriefly(e.ServiceName, "panicked: "+e.PanicMsg)
	case suture.EventServiceTerminate:
		n.core.Broken.FailBriefly(e.ServiceName, fmt.Sprintf("ended: %v", e.Err))
	case suture.EventBackoff:
		n.core.Broken.Fail("peer services", "they fail too often and wait")
	case suture.EventResume:
		n.core.Broken.Recover("peer services")
	}
}

// service makes a function a supervised service. The supervisor asks it for its
// name; of a struct without one it would read the fields, which requests are
// already using.
type service struct {
	name  string
	serve func(ctx context.Context) error
}

func (s service) Serve(ctx context.Context) error { return s.serve(ctx) }

func (s service) String() string { return s.name }
