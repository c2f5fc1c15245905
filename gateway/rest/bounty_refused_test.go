package rest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
)

// TestTimeGoesByWhatTheHomeConfirmed: a step that counts at once where it is allowed
// comes from another node, and the home refuses it for good. Time then brings about
// what it would without that step, writes each thing once, and the refused step
// counts no more anywhere.
func TestTimeGoesByWhatTheHomeConfirmed(t *testing.T) {
	t.Parallel()
	w := newBountyWorld(t)
	path := w.open(nil)
	id, err := change.ParseID(change.PrefixBounty, path[strings.LastIndex(path, "/")+1:])
	must(t, err)
	_, who := w.idsOf("/"+w.team, "bo")
	w.as("bo", "POST", path+"/claim", nil, 200, "")
	ctx := t.Context()
	leak := body.BountyAct{Bounty: id, Act: body.BountySubmit, Text: "token ghp_16C7e42F292c6912E7710c838347Ae178B4a"}
	_, err = w.node.StepBounty(ctx, who[0], leak, "")
	must(t, err)
	w.settle()
	must(t, w.service.Escrows.TendBounties(ctx))
	steps := func() (n int) {
		t.Helper()
		b, err := w.node.Bounty(ctx, id)
		must(t, err)
		all, _, err := w.node.ChangesIn(ctx, b.Space, 0, 500)
		must(t, err)
		for _, c := range all {
			if c.Head.Kind == change.KindBountyAct {
				n++
			}
		}
		return n
	}
	w.pass(73 * time.Hour) // the lease is over
	for range 3 {
		must(t, w.service.Escrows.TendBounties(ctx))
	}
	w.state(path, "open")
	if n := steps(); n != 3 {
		t.Errorf("%d steps, want claim, submit and release", n)
	}
	w.pass(15 * 24 * time.Hour)
	for range 3 {
		must(t, w.service.Escrows.TendBounties(ctx))
	}
	if n := steps(); n != 3 {
		t.Errorf("%d steps two weeks later", n)
	}
	w.holds("ada", 990)
}
