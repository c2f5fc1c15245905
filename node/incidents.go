package node

import (
	"context"
	"fmt"
	"time"

	"github.com/thejerf/suture/v4"

	"github.com/meshd/meshd/node/incident"
)

// Incidents is the book of what broke on this node.
func (n *Node) Incidents() *incident.Book { return n.broken }

// watchParts compares how the parts of the node are with the book, until ctx ends.
func (n *Node) watchParts(ctx context.Context) {
	tick := time.NewTicker(partsPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			n.broken.ObserveAs(n.Components(), n.causes())
			n.broken.Settle(partsQuiet)
		}
	}
}

// neighbours is the component of where the peers come from.
const neighbours = "neighbours"

// causes say of degraded components what is wrong, where more is known than that.
func (n *Node) causes() map[string]string {
	out := map[string]string{}
	if c := n.crowd(); c != nil {
		out[neighbours] = c.String()
	}
	return out
}

// supervised notes what the supervisor of the peer services tells: one that ended
// or panicked is started again, and when that happens too often all wait.
func (n *Node) supervised(e suture.Event) {
	n.opt.Log.Warn("peer service", "event", e.String())
	switch e := e.(type) {
	case suture.EventServicePanic:
		n.broken.FailBriefly(e.ServiceName, "panicked: "+e.PanicMsg)
	case suture.EventServiceTerminate:
		n.broken.FailBriefly(e.ServiceName, fmt.Sprintf("ended: %v", e.Err))
	case suture.EventBackoff:
		n.broken.Fail("peer services", "they fail too often and wait")
	case suture.EventResume:
		n.broken.Recover("peer services")
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
