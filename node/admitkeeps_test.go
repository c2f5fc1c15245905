package node_test

import (
	"fmt"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
)

// Whatever strangers bring, a node keeps and shows what it acknowledged: what its own
// agents wrote, what was taken at the changes endpoint, what peers brought and it
// took. So it does after a restart.
func TestFloodMakesANodeForgetNothing(t *testing.T) {
	t.Parallel()
	clock, dir := newDated(), t.TempDir()
	reopen := func() *box {
		return openWith(t, dir, func(o *core.Options) {
			o.Now, o.Documents = clock.now, nowhere{}
			a := &o.Config.Admission
			a.AuthorPerMinute, a.StrangersPerMinute, a.AuthorBodies, a.TreeBodies, a.TreeBytes, a.Held = 60, 10, 20, 1000, 1<<17, 64
		})
	}
	b := reopen()
	known := b.stranger("Known")
	b.given("peer", known.record)
	b.CaughtUp()
	ada := b.agent("Ada")
	var kept []change.ID
	for i := range 5 {
		kept = append(kept, b.contribute(ada, retold(1, i)).ID)
		c := known.entry(retold(2, i), clock.ms.Load(), false)
		b.given("peer", c)
		d := known.entry(retold(3, i), clock.ms.Load(), false)
		if out, err := b.TakeIn(t.Context(), []*change.Change{d}, anybody); err != nil || out[0].Code != "" {
			t.Fatalf("at the API: %v, %v", out, err)
		}
		kept = append(kept, c.ID, d.ID)
	}
	for k := range 30 {
		s := b.stranger(fmt.Sprint("spam ", k))
		cs := []*change.Change{s.record}
		for i := range 20 {
			cs = append(cs, s.entry(retold(4, k, i), clock.ms.Load(), false))
		}
		b.given(fmt.Sprint("spammer ", k), cs...)
	}
	if s := b.Status(); s.Held == 0 || s.Stubbed == 0 {
		t.Fatalf("the flood fills nothing: %d held, %d stubs", s.Held, s.Stubbed)
	}
	check := func(when string) {
		t.Helper()
		for i, id := range kept {
			if body, err := b.Body(t.Context(), id); err != nil || body == nil || !b.shows(id) {
				t.Errorf("%s: change %d is shown: %v; its body: %d bytes, %v", when, i, b.shows(id), len(body), err)
			}
		}
	}
	check("in the flood")
	b.shut()
	b = reopen()
	defer b.shut()
	check("after a restart")
}

// What the changes endpoint accepts is on disk with its body. Over its author's share
// of the disk the head is kept, and the answer says that the body is not, however
// often it comes.
func TestIngestAcceptsNoStub(t *testing.T) {
	t.Parallel()
	clock := newDated()
	b := limited(t, t.TempDir(), clock, func(a *config.Admission) { a.AuthorBodies = 3 })
	defer b.shut()
	ada := b.stranger("Ada")
	b.given("peer", ada.record)
	b.CaughtUp()
	var cs []*change.Change
	for i := range 5 {
		cs = append(cs, ada.entry(retold(i), clock.ms.Load(), false))
	}
	for _, when := range []string{"first", "again"} {
		out, err := b.TakeIn(t.Context(), cs, anybody)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range cs {
			want := reason.AdmissionQuota
			if i < 3 {
				want = ""
			}
			if out[i].Code != want || b.kept(c) != (want == "") || !b.Contains(c.ID) {
				t.Errorf("%s: change %d: %q, want %q; its body is here: %v", when, i, out[i].Code, want, b.kept(c))
			}
		}
	}
}
