package sync

import (
	"context"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
)

// Replica is the node's copy of the sets, as reconciliation needs it. All of
// its methods are called from many goroutines and end when ctx does.
type Replica interface {
	Source
	Sink
}

// Source is what a Replica gives.
type Source interface {
	// Sets names the sets followed, in the order they are reconciled: auth,
	// open/<n>, team/<id>.
	Sets() []string
	// Set is the living set; nil when it is not followed.
	Set(name string) *recon.Set
	// Items returns the members of the set whose id is one of ids, or begins
	// with one: an id of 16 bytes is a prefix. Ids that have no member are left
	// out; the order does not matter.
	Items(ctx context.Context, set string, ids [][]byte) ([]recon.Item, error)
	// Changes returns the members named by items, a stub where the body is not
	// here, as runs in the order of items. Items come in (hlc, id) order.
	Changes(ctx context.Context, set string, items []recon.Item) ([]Run, error)
}

// Run is changes that travel in one frame. It is a single change nearly
// always. A head whose own signature was never verified is verified before it
// is sent; when it is bad, the Run is that change and its descendants up
// to one whose signature is good (wire §3, chain evidence), in (hlc, id) order.
// Bodies of such a run may be left out here when they do not fit a frame.
type Run []*change.Change

// Sink is what a Replica takes.
type Sink interface {
	// Receive judges changes as wire §3 says and takes in what is good, scoring
	// the sender for what every honest node refuses. They come in (hlc, id)
	// order, those of one frame at a time. A change that belongs to another
	// set than the named one is refused, or judged under its set. What
	// waits for its past is the Replica's to keep and to take in later. The
	// slice and the changes are the Replica's to keep. An error means that
	// nothing more can be taken now; it ends the session.
	Receive(ctx context.Context, from peer.ID, set string, changes []*change.Change) (Outcome, error)
	// Refused notes that a peer sent a frame or a change that does not decode.
	Refused(from peer.ID, code reason.Code)
}

// Outcome is what became of received changes.
type Outcome struct {
	New        int // members now; those count that had waited for their past
	Duplicates int // were here
	Deferred   int // wait for their past
	Refused    map[reason.Code]int
	Missing    []change.ID // past that is not here and for which changes wait
}

// Gatekeeper is a further ability of a Replica that follows private sets.
// Without it no team set is ever named to a peer.
type Gatekeeper interface {
	// Proof is what hello carries for this peer; nil for none.
	Proof(ctx context.Context, to peer.ID) []byte
	// MaySee reports whether the peer may see a team set. proof came in its
	// hello; it is nil before the hello and when there was none. Before the
	// hello, what the peer proved the last time it was met may decide.
	MaySee(ctx context.Context, p peer.ID, set string, proof []byte) bool
}

// Filterer is a further ability of a Replica: answering peers that follow
// chosen spaces. Without it such peers are answered busy.
type Filterer interface {
	// Filtered returns the members of the set that lie in one of spaces and
	// whose hlc is at least since, or nil when there are more than limit.
	Filtered(ctx context.Context, set string, spaces []change.Space, since uint64, limit int) (*recon.Set, error)
}
