package node

import (
	"context"
	"fmt"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// CutBefore is the cut of a key that keeps what this node received before a time:
// what a rotation names when somebody else has written with the key since. Where it
// is not known when a change came, the time that it claims decides, which its writer
// chose. left counts the changes that the cut leaves out. A chain that begins later
// is not named, and nothing of it is kept.
func (r Remedies) CutBefore(ctx context.Context, key did.Key, at time.Time) (cut body.Cut, left int, err error) {
	n := r.n
	at = at.Truncate(time.Minute) // as exactly as it is noted
	cut = body.Cut{}
	for _, ch := range n.Views.Chains(key) {
		id, seq, _, _, err := n.Log.Tip(ctx, ch)
		if err != nil {
			return nil, 0, fmt.Errorf("find the end of a chain: %w", err)
		}
		for ; seq > 0; seq-- {
			rec, err := n.Log.Get(ctx, id)
			if err != nil {
				return nil, 0, fmt.Errorf("read a change of the chain: %w", err)
			}
			_, received, known := n.givers.Of(rec.Seq)
			if !known {
				received = time.UnixMilli(int64(rec.Change.Head.HLC >> 10))
			}
			if received.Before(at) || rec.Change.Head.Kind == change.KindBind && seq == 1 {
				cut[body.ChainText(ch)] = id
				break
			}
			left++
			id = rec.Change.Head.Prev
		}
	}
	return cut, left, nil
}
